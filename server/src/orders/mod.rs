//! What was bought: placing an order, following it, changing it. Owns the tables `orders`, `order_items`, `order_events`,
//! `idempotency_keys`, `buyers` and `cases`.
//!
//! `transition.rs` decides what becomes of an order. `place.rs` makes one; everything that changes one goes through
//! `change::apply_event`: the seller's and the shopper's wishes (`change.rs`), another try to pay (`pay.rs`), the wallet's words
//! (`settle.rs`), refunds (`refunds.rs`) and time (`maintenance.rs`). `cash_limits.rs` says how much an account may order.

mod cases;
mod cash_limits;
mod change;
mod emails;
mod event_stream;
mod http;
mod maintenance;
mod model;
mod money_report;
mod overview;
mod pay;
mod place;
mod queries;
mod refunds;
mod seller_orders;
mod settle;
mod store;
pub mod transition;
mod verify;

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

pub use emails::SendOrderEmail;
pub use http::routes;
pub use maintenance::{MaintainPayments, ReconcilePayment, ReconcilePayments};
pub use model::{Order, OrderError};
pub use refunds::SendRefund;
pub use settle::CheckPayment;

use crate::platform::personal_data::{DbFuture, PersonalDataHook};

/// A key is good for this long; a client that has not had its answer by then asks again as somebody new.
const KEY_RETENTION: Duration = Duration::from_hours(7 * 24);
/// As many as a download of one's data shows.
const MAX_EXPORTED_ORDERS: i64 = 10_000;

/// What orders know of a person.
pub const PERSONAL_DATA: PersonalDataHook = PersonalDataHook { name: "orders", export, erase };

fn export(connection: &mut PgConnection, user: Uuid) -> DbFuture<'_, Value> {
    Box::pin(async move {
        let rows = store::list_by_user(connection, user, None, Uuid::max(), MAX_EXPORTED_ORDERS).await?;
        Ok(json!(queries::load_orders(connection, rows, model::OrderViewer::Shopper).await?))
    })
}

fn erase(connection: &mut PgConnection, user: Uuid) -> DbFuture<'_, ()> {
    Box::pin(async move { store::anonymize(connection, user).await })
}

/// For the sweep of pictures.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    store::pictures_in_use(db, keys).await
}

/// Deletes idempotency keys whose time is over.
pub async fn delete_expired_keys(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::delete_expired_keys(db, now - KEY_RETENTION).await
}
