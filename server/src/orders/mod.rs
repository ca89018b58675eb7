//! What was bought: placing an order, following it, changing it. Owns the tables `orders`, `order_items`, `order_events`,
//! `placings`, `buyers` and `cases`.
//!
//! `transition.rs` decides what becomes of an order. `place.rs` makes one; everything that changes one goes through
//! `change::step`: the seller's and the shopper's wishes (`change.rs`), another try to pay (`pay.rs`), the wallet's words
//! (`settle.rs`), refunds (`refunds.rs`) and time (`look_after.rs`). `trust.rs` says how much an account may order.

mod attention;
mod change;
mod desk;
mod follow;
mod http;
mod letters;
mod live;
mod look_after;
mod model;
mod money_report;
mod overview;
mod pay;
mod place;
mod refunds;
mod settle;
mod store;
pub mod transition;
mod trust;
mod verify;

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

pub use http::routes;
pub use letters::TellShopper;
pub use look_after::{AskAgain, CompareWithWallet, LookAfterPayments};
pub use model::{Order, OrderError};
pub use refunds::SendRefund;
pub use settle::CheckPayment;

use crate::platform::personal::{Share, Work};

/// A key is good for this long; a client that has not had its answer by then asks again as somebody new.
const KEYS_KEPT: Duration = Duration::from_hours(7 * 24);
/// As many as a download of one's data shows.
const EXPORTED: i64 = 10_000;

/// What orders know of a person.
pub const PERSONAL: Share = Share { name: "orders", read, forget };

fn read(connection: &mut PgConnection, user: Uuid) -> Work<'_, Value> {
    Box::pin(async move {
        let rows = store::list_of(connection, user, None, Uuid::max(), EXPORTED).await?;
        Ok(json!(follow::whole(connection, rows, model::Reader::Shopper).await?))
    })
}

fn forget(connection: &mut PgConnection, user: Uuid) -> Work<'_, ()> {
    Box::pin(async move { store::forget(connection, user).await })
}

/// For the sweep of pictures.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    store::pictures_in_use(db, keys).await
}

/// Deletes keys of placings whose time is over.
pub async fn tidy(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::tidy(db, now - KEYS_KEPT).await
}
