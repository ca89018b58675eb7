//! Requests to be told when a product is in stock again, and the job that tells the shoppers.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use super::favourites::throttle_edits;
use super::model::{MAX_NOTICES, WishlistError};
use super::store;
use crate::alerts::{self, Alert};
use crate::platform::ids::{ProductId, UserId};
use crate::platform::jobs::Job;
use crate::platform::state::App;
use crate::{accounts, catalogue};

/// How many shoppers are told in one transaction.
const BATCH: usize = 200;
/// A request is deleted after this long.
const RETENTION: Duration = Duration::from_hours(180 * 24);

pub async fn add(app: &App, user: UserId, product: ProductId) -> Result<(), WishlistError> {
    throttle_edits(app, user).await?;
    let mut tx = app.db.main.begin().await?;
    accounts::lock_user(&mut tx, user).await?;
    // The stock cannot change until the request is written, so that no restock is missed.
    catalogue::lock_products(&mut tx, &[product]).await?;
    let offer = catalogue::find_offers(&mut tx, &[product]).await?.pop().filter(|offer| offer.on_sale);
    if offer.ok_or(WishlistError::ProductNotFound)?.stock > 0 {
        return Err(WishlistError::ProductInStock);
    }
    if store::count_other_notices(&mut tx, user, product).await? >= MAX_NOTICES {
        return Err(WishlistError::TooManyNotices);
    }
    store::insert_notice(&mut tx, user, product, app.clock.now()).await?;
    alerts::allow_back_in_stock(&mut tx, user).await?;
    tx.commit().await?;
    Ok(())
}

pub async fn remove(app: &App, user: UserId, product: ProductId) -> Result<(), WishlistError> {
    throttle_edits(app, user).await?;
    Ok(store::delete_notice(&app.db.main, user, product).await?)
}

pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::delete_notices_before(db, now - RETENTION).await
}

/// Tells the shoppers who wait for a product that it is in stock again. The trigger `products_restocked` queues it by
/// its name. A request is deleted in the transaction that queues its messages, so that none is lost or sent twice.
#[derive(Serialize, Deserialize)]
pub struct AnnounceRestock {
    product: ProductId,
}

impl Job for AnnounceRestock {
    const NAME: &'static str = "wishlist.announce_restock";

    async fn run(self, app: &App) -> Result<(), String> {
        let product = catalogue::find_products(app, &[self.product]).await.map_err(|error| error.to_string())?.pop();
        // If it is sold out again, the next restock queues another job.
        let Some(product) = product.filter(|product| product.stock > 0) else { return Ok(()) };
        let alert = Alert::BackInStock {
            product: product.id,
            category: product.category_slug,
            name: product.name,
            name_ne: product.name_ne,
        };
        while self.announce_batch(app, &alert).await.map_err(|error| error.to_string())? {}
        Ok(())
    }
}

impl AnnounceRestock {
    /// Returns whether there may be more shoppers to tell.
    async fn announce_batch(&self, app: &App, alert: &Alert) -> sqlx::Result<bool> {
        let mut tx = app.db.main.begin().await?;
        let waiting = store::take_notices(&mut tx, self.product, i64::try_from(BATCH).unwrap_or(i64::MAX)).await?;
        for notice in &waiting {
            let event = format!("back_in_stock:{}", notice.id);
            alerts::alert_shopper(app, &mut tx, notice.user, &event, alert).await?;
        }
        tx.commit().await?;
        Ok(waiting.len() == BATCH)
    }
}
