//! The cash ledger: what riders collect, hand in and miss. Double entry; the functions of `99999999999928_cash.sql` are
//! the only writers, and `orders` calls two of them when a cash order is delivered or no longer is (decision 083). Owns
//! the tables `cash_transactions`, `cash_entries` and `cash_settlements`.

mod http;
mod ledger;
mod model;
mod store;

pub use http::routes;
pub use ledger::sum_by_day;
pub use model::RiderCashDay;
