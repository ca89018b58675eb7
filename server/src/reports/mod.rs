//! Reports for the seller: money by day, margins, the overview of sales and the delivery sheet. Owns no table; it reads
//! those of orders and the costs of `inventory`.

mod delivery_sheet;
mod http;
mod margin_report;
mod model;
mod money_report;
mod overview;
mod store;

pub use http::routes;
