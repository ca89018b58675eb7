//! Where, when and for which fee the shop delivers: zones of municipalities and wards, windows with a capacity, and
//! closed days. Owns the tables `delivery_zones`, `delivery_zone_areas`, `delivery_windows`, `delivery_closed_days` and
//! `delivery_slots`, and the functions `book_delivery_place` and `release_delivery_place`, with which an order takes a
//! place and gives it back. Without any zone the shop delivers everywhere for the fee of its settings.

mod closed_days;
mod error;
mod http;
mod model;
mod offer;
mod options;
mod places;
mod rules;
mod store;
mod zone_input;
mod zones;

pub use error::DeliveryError;
pub use http::routes;
pub use model::{DeliveryFees, DeliveryRules, Place, Slot, SlotRequest};
pub use options::{choose_delivery, find_other_slot, load_fees_for_user, load_options};
pub use rules::load_rules;
pub use store::{book_place, release_place};
