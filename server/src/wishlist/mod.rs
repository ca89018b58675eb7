//! What shoppers want to buy later or again: their favourites, the products that they have bought before, those
//! that others buy, and requests to be told when a product is in stock again. Owns the tables `favourites` and `stock_notices`, and the trigger that
//! announces a restock (decision 078).

mod buy_again;
mod favourites;
mod http;
mod model;
mod popular;
mod stock_notices;
mod store;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};

pub use http::routes;
pub use stock_notices::AnnounceRestock;

use crate::platform::ids::UserId;
use crate::platform::personal_data::{DbFuture, PersonalDataHook};

/// The personal data that the wishlist holds.
pub const PERSONAL_DATA: PersonalDataHook = PersonalDataHook { name: "wishlist", export, erase };

fn export(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, Value> {
    Box::pin(async move {
        let favourites = store::list_favourites(connection, user).await?;
        let notices = store::list_notices(connection, user).await?;
        let favourites = favourites.iter().map(|row| json!({ "product": row.product, "since": row.created_at }));
        let notices = notices.iter().map(|row| json!({ "product": row.product, "since": row.created_at }));
        Ok(json!({ "favourites": favourites.collect::<Vec<_>>(), "stockNotices": notices.collect::<Vec<_>>() }))
    })
}

fn erase(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, ()> {
    Box::pin(async move { store::erase(connection, user).await })
}

/// Deletes requests for products that did not come back for half a year. Returns how many.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    stock_notices::delete_expired(db, now).await
}
