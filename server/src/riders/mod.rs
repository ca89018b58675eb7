//! What riders do at the door: events that a phone records, offline if need be, and that are applied once (decision
//! 084). Owns the tables `stop_events`, `delivery_codes` and `stop_photos`; the order changes through `orders`, and with
//! it the cash ledger.

mod codes;
mod http;
mod model;
mod photos;
mod stops;
mod store;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgPool;

pub use http::routes;

/// A photo of a delivery shows somebody's door; it is stored as long as a complaint about the delivery is likely.
const PHOTO_RETENTION: TimeDelta = TimeDelta::days(90);

pub async fn delete_old_photos(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::delete_photos_before(db, now - PHOTO_RETENTION).await
}

/// Returns those of the given picture keys that are photos of deliveries.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    store::pictures_in_use(db, keys).await
}
