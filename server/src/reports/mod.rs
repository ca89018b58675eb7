//! Reports for the seller: money by day, the overview of sales and the delivery sheet. Owns no table; it reads those of
//! orders.

mod delivery_sheet;
mod http;
mod model;
mod money_report;
mod overview;
mod store;

pub use http::routes;
