//! Orders: their placement, lists and changes. Owns the tables `orders`, `order_items`, `order_events`,
//! `idempotency_keys`, `buyers`, `cases` and `door_returns`.
//!
//! `transition` decides how the state of an order changes. `place.rs` creates an order; every later change of its state
//! goes through `change::apply_event`: changes by the seller and the shopper (`change.rs`), orders that were not
//! confirmed in time (`unconfirmed.rs`), and everything about payments, which is in the module `settlement`.
//! `alerts.rs` tells the staff about new orders. `cash_limits.rs` says how much an account may order in cash.

mod alerts;
mod cash_limits;
mod change;
mod check_request;
mod deliveries;
mod door_returns;
mod emails;
mod error;
mod event_stream;
mod http;
mod model;
mod opened;
mod place;
mod queries;
mod seller_orders;
mod store;
pub mod transition;
mod unconfirmed;

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

pub use alerts::{AlertShopper, AlertStaff};
pub use change::{
    EventActor, PaymentContext, apply_event, load_order, lock, permission_to_refund, set_status_as_seller,
};
pub use deliveries::reschedule;
pub use door_returns::return_at_door;
pub use emails::{AttachmentFuture, SendOrderEmail, set_attachment_hook};
pub use error::{OrderError, retry_on_contention};
pub use http::{DeliveryHours, Order, OrderIdRequest, PlaceOrderRequest, Receipt, idempotency_key, routes};
pub use model::{
    CaseRow, IssueBill, LockedOrder, OrderDetails, OrderItemRow, OrderRequest, OrderRow, OrderTerms, OrderViewer,
    PlacedOrder, SendRefund, SoldLine, UnavailableProduct, amount_due,
};
pub use place::{find_placed, place};
pub use queries::group_by_order;
pub use store::{
    close_case, close_cases, count_open_cases, count_other_holds, extend_hold, find, find_delivery_fee,
    find_expired_holds, find_long_unpaid, find_rates, find_rider, find_terms, find_units, list_bought_products,
    list_cases, list_items, list_not_dispatched, list_popular_products, list_sold_lines, list_to_pack, lock_buyer,
    open_case, open_case_once, pictures_in_use, set_amount_due,
};
pub use unconfirmed::cancel_unconfirmed;

use crate::platform::ids::{OrderId, UserId};
use crate::platform::personal_data::{DbFuture, PersonalDataHook};

/// An idempotency key is stored this long; a client that repeats the request after that places a new order.
const KEY_RETENTION: Duration = Duration::from_hours(7 * 24);
/// The most orders that an export of personal data contains.
const MAX_EXPORTED_ORDERS: i64 = 10_000;

/// The personal data that orders hold.
pub const PERSONAL_DATA: PersonalDataHook = PersonalDataHook { name: "orders", export, erase };

fn export(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, Value> {
    Box::pin(async move {
        let rows = store::list_by_user(connection, user, None, OrderId(Uuid::max()), MAX_EXPORTED_ORDERS).await?;
        let orders = queries::load_orders(connection, rows, OrderViewer::Shopper).await?;
        Ok(json!(orders.into_iter().map(Order::from).collect::<Vec<_>>()))
    })
}

fn erase(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, ()> {
    Box::pin(async move { store::anonymize(connection, user).await })
}

pub async fn delete_expired_keys(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::delete_expired_keys(db, now - KEY_RETENTION).await
}
