//! Thunse, an online grocery shop for Nepal: the whole server.
//!
//! One folder is one room (see `modules.json` for the arrows between them); `platform` holds tools that know no
//! room; `site`, `app` and `worker` stand above the rooms and put them together.

pub mod accounts;
pub mod addresses;
pub mod app;
pub mod cart;
pub mod catalogue;
pub mod media;
pub mod newsletter;
pub mod notifications;
pub mod orders;
pub mod payments;
pub mod platform;
pub mod seller;
pub mod shop;
pub mod site;
pub mod worker;
