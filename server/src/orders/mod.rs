//! Orders: their placement, lists and changes. Owns the tables `orders`, `order_items`, `order_events`,
//! `idempotency_keys`, `buyers` and `cases`.
//!
//! `transition.rs` decides how the state of an order changes. `place.rs` creates an order; every later change of its
//! state goes through `change::apply_event`: changes by the seller and the shopper (`change.rs`), attempts to pay
//! (`pay.rs`), reports of the wallet about payments and refunds (`settle.rs`) and deadlines (`maintenance.rs`).
//! `refunds.rs` sends refunds, and `cash_limits.rs` says how much an account may order in cash.

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
pub use model::{Order, OrderError, SendRefund};
pub use settle::CheckPayment;

use crate::platform::personal_data::{DbFuture, PersonalDataHook};

/// An idempotency key is stored this long; a client that repeats the request after that places a new order.
const KEY_RETENTION: Duration = Duration::from_hours(7 * 24);
/// The most orders that an export of personal data contains.
const MAX_EXPORTED_ORDERS: i64 = 10_000;

/// The personal data that orders hold.
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

/// Used by the cleanup of pictures.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    store::pictures_in_use(db, keys).await
}

pub async fn delete_expired_keys(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::delete_expired_keys(db, now - KEY_RETENTION).await
}
