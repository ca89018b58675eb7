//! Thunse, an online grocery shop for Nepal: the whole server.
//!
//! Each folder is a module; `modules.json` lists which module may use which. `platform` contains tools that depend on
//! no other module; `site`, `app`, `doctor`, `permission_table` and `worker` are above the modules and combine them.

pub mod accounts;
pub mod addresses;
pub mod alerts;
pub mod app;
pub mod billing;
pub mod cart;
pub mod cash;
pub mod catalogue;
pub mod complaints;
pub mod coupons;
pub mod delivery;
pub mod demo;
pub mod doctor;
pub mod inventory;
pub mod media;
pub mod newsletter;
pub mod notifications;
pub mod orders;
pub mod packing;
pub mod payments;
pub mod permission_table;
pub mod platform;
pub mod policies;
pub mod reports;
pub mod riders;
pub mod seasons;
pub mod settlement;
pub mod shop;
pub mod site;
pub mod staff;
pub mod wishlist;
pub mod worker;
