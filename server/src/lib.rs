//! Thunse, an online grocery shop for Nepal: the whole server.
//!
//! One folder is one room (see `rooms.json` for the arrows between them); `platform` holds tools that know no
//! room; `site`, `app` and `worker` stand above the rooms and put them together.

pub mod app;
pub mod catalogue;
pub mod media;
pub mod newsletter;
pub mod platform;
pub mod site;
pub mod worker;
