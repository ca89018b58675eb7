//! Complaints and returns: a shopper reports a problem with an order, both sides talk about it, and the shop decides
//! within the period that the law sets. Owns the tables `complaints`, `complaint_items`, `complaint_photos` and
//! `complaint_messages`. Money goes back through `settlement` (decision 076).

mod conversation;
mod emails;
mod http;
mod model;
mod open;
mod photos;
mod store;

pub use emails::SendComplaintEmail;
pub use http::routes;

use chrono::{DateTime, Months, Utc};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};

use crate::platform::ids::UserId;
use crate::platform::personal_data::{DbFuture, PersonalDataHook};

/// The law asks for complaints and their answers for five years.
const RETENTION: Months = Months::new(60);

/// Exports a shopper's complaints. They stay when the account is deleted, like the orders they are about; the account's
/// row then names nobody.
pub const PERSONAL_DATA: PersonalDataHook = PersonalDataHook { name: "complaints", export, erase };

fn export(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, Value> {
    Box::pin(async move {
        let complaints = conversation::list_of_user(connection, user).await?;
        Ok(json!(complaints.into_iter().map(http::ComplaintResponse::for_shopper).collect::<Vec<_>>()))
    })
}

fn erase(_connection: &mut PgConnection, _user: UserId) -> DbFuture<'_, ()> {
    Box::pin(async { Ok(()) })
}

/// Deletes decided complaints whose retention is over. Their photos are deleted with the unused pictures.
pub async fn delete_old(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::delete_decided_before(db, now.checked_sub_months(RETENTION).unwrap_or(DateTime::UNIX_EPOCH)).await
}

/// Returns those of the given picture keys that are photos of complaints.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    store::pictures_in_use(db, keys).await
}
