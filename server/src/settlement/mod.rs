//! Settlement: everything between an order and the wallet. Owns no table; it changes orders through the functions of
//! `orders`, and payments and refunds through those of `payments`.
//!
//! `pay.rs` creates payment links and `door.rs` those that a rider shows at the door, `verify.rs` answers the shopper who comes back from the wallet, `settle.rs` polls the
//! wallet and applies what it reports, `refunds.rs` sends refunds, `maintenance.rs` runs every minute and every night,
//! and `cases.rs` is what the seller can do where the rules decide nothing.

mod cases;
mod door;
mod error;
mod http;
mod maintenance;
mod pay;
mod refunds;
mod settle;
mod verify;

pub use door::{DoorPayment, check_door_payment, offer_door_payment, poll_open_payments};
pub use error::SettlementError;
pub use http::routes;
pub use maintenance::{MaintainPayments, ReconcilePayment, ReconcilePayments};
pub use settle::CheckPayment;
