//! Seasons: a festival or a time of the year for which the home page's hero has its own look and texts, planned with its
//! dates (decision 103). Owns the table `seasons`.

mod current;
mod edit;
mod error;
mod http;
mod model;
mod store;

pub use current::{CurrentSeason, load_current};
pub use http::{SeasonResponse, routes};
pub use model::{Season, SeasonTexts, Theme};
