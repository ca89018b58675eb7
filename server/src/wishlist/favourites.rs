//! The products that a shopper has marked.

use std::collections::HashSet;
use std::time::Duration;

use super::model::{MAX_FAVOURITES, WishlistError};
use super::store;
use crate::platform::ids::{ProductId, UserId};
use crate::platform::state::App;
use crate::platform::throttle;
use crate::{accounts, catalogue};

/// The products that a shopper has marked, newest first.
pub struct Wishlist {
    pub favourites: Vec<ProductId>,
    /// Those that the shopper waits for.
    pub stock_notices: Vec<ProductId>,
}

/// Loads what a shopper has marked; products that are no longer on sale are left out.
pub async fn load(app: &App, user: UserId) -> Result<Wishlist, WishlistError> {
    let mut connection = app.db.main.acquire().await?;
    let mut favourites: Vec<ProductId> =
        store::list_favourites(&mut connection, user).await?.into_iter().map(|row| row.product).collect();
    let stock_notices = store::list_notices(&mut connection, user).await?.into_iter().map(|row| row.product).collect();
    let offers = catalogue::find_offers(&mut connection, &favourites).await?;
    let on_sale: HashSet<ProductId> = offers.iter().filter(|offer| offer.on_sale).map(|offer| offer.id).collect();
    favourites.retain(|product| on_sale.contains(product));
    Ok(Wishlist { favourites, stock_notices })
}

/// Limits how often a shopper changes the wishlist.
pub async fn throttle_edits(app: &App, user: UserId) -> Result<(), WishlistError> {
    let (limit, now) = (app.config.rate_limits.edits_per_minute * 2, app.clock.now());
    Ok(throttle::check_limit(&app.db.main, "wishlist", &user.to_string(), limit, Duration::from_mins(1), now).await?)
}

pub async fn add(app: &App, user: UserId, product: ProductId) -> Result<(), WishlistError> {
    throttle_edits(app, user).await?;
    let mut tx = app.db.main.begin().await?;
    let offer = catalogue::find_offers(&mut tx, &[product]).await?.pop();
    if !offer.is_some_and(|offer| offer.on_sale) {
        return Err(WishlistError::ProductNotFound);
    }
    // Requests from two tabs take turns, so that the limit holds.
    accounts::lock_user(&mut tx, user).await?;
    if store::count_other_favourites(&mut tx, user, product).await? >= MAX_FAVOURITES {
        return Err(WishlistError::TooManyFavourites);
    }
    store::insert_favourite(&mut tx, user, product, app.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

pub async fn remove(app: &App, user: UserId, product: ProductId) -> Result<(), WishlistError> {
    throttle_edits(app, user).await?;
    Ok(store::delete_favourite(&app.db.main, user, product).await?)
}
