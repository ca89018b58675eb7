//! Alerts: short messages to people over the channels that they have chosen (web push, email, SMS), with the browsers
//! that receive web push. Owns the tables `push_subscriptions`, `alert_preferences` and `alert_deliveries`.
//!
//! Other modules call `alert_staff` or `alert_shopper` in a transaction, usually in a job. Each recipient and channel
//! becomes a row of `alert_deliveries` with a job of its own (`deliver.rs`), so that a channel that is down holds up no
//! other, and what cannot be delivered is listed (`undelivered.rs`).

mod deliver;
mod fan_out;
mod http;
mod model;
mod preferences;
mod store;
mod subscriptions;
mod texts;
mod undelivered;

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};

pub use deliver::DeliverAlert;
pub use fan_out::{alert_shopper, alert_staff};
pub use http::routes;
pub use model::{Alert, AlertError, LowStockLine, NotMetReason, OrderAlert, Unsubscribe};
pub use preferences::{allow_back_in_stock, unsubscribe_for_order_updates};

use crate::platform::account_kind::AccountKind;
use crate::platform::ids::UserId;
use crate::platform::personal_data::{DbFuture, PersonalDataHook};

/// Messages are listed and can be sent again for this long.
const DELIVERY_RETENTION: Duration = Duration::from_hours(30 * 24);

/// The personal data that alerts hold.
pub const PERSONAL_DATA: PersonalDataHook = PersonalDataHook { name: "alerts", export, erase };

fn export(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, Value> {
    Box::pin(async move {
        let devices = store::list_subscriptions(connection, AccountKind::Shopper, &[user.0]).await?;
        let preferences = store::list_preferences(connection, AccountKind::Shopper, &[user.0]).await?;
        let devices = devices.iter().map(|row| json!({ "device": row.device, "since": row.created_at }));
        let preferences =
            preferences.iter().map(|row| json!({ "kind": row.kind, "push": row.push, "email": row.email }));
        Ok(json!({ "devices": devices.collect::<Vec<_>>(), "preferences": preferences.collect::<Vec<_>>() }))
    })
}

fn erase(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, ()> {
    Box::pin(async move { store::erase(connection, AccountKind::Shopper, user.0).await })
}

/// Deletes old deliveries. Returns how many.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::delete_deliveries(db, now - DELIVERY_RETENTION).await
}
