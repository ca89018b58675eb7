//! Where to deliver: a shopper's address book. Owns the table `addresses`. The default's one-line form stands in the
//! profile, where the contract reads it.

mod book;
mod http;
mod store;

pub use book::{Address, AddressError, find};
pub use http::routes;

use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::platform::personal::{Share, Work};

/// What the address book knows of a person.
pub const PERSONAL: Share = Share { name: "addresses", read, forget };

fn read(connection: &mut PgConnection, user: Uuid) -> Work<'_, Value> {
    Box::pin(async move { Ok(json!(store::list(connection, user).await?)) })
}

fn forget(connection: &mut PgConnection, user: Uuid) -> Work<'_, ()> {
    Box::pin(async move { store::delete_all(connection, user).await })
}
