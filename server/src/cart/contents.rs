//! Loading and saving a cart. Products that are no longer sold are left out and named. Stock is not checked, because
//! only placing an order can promise anything.

use std::collections::HashMap;

use sqlx::PgConnection;

use super::model::CartItems;
use super::{CartError, MAX_QUANTITY, Quote, QuoteLine, quote, store};
use crate::catalogue::{self, Offer};
use crate::delivery::{self, DeliveryFees};
use crate::platform::api_error::ApiError;
use crate::platform::config::Rates;
use crate::platform::ids::{ProductId, UserId};
use crate::platform::state::App;
use crate::shop;

pub struct Cart {
    pub items: CartItems,
    pub dropped: Vec<DroppedItem>,
    pub quote: Quote,
}

/// A product that can no longer be bought; its name is empty if the shop never had it.
pub struct DroppedItem {
    pub id: String,
    pub name: String,
    pub name_ne: Option<String>,
}

pub async fn load(app: &App, user: UserId) -> Result<Cart, CartError> {
    let shop = shop::load(app).await.map_err(ApiError::from)?;
    let fees = delivery::load_fees_for_user(app, user, &shop.rates).await?;
    let mut connection = app.db.main.acquire().await?;
    let items = store::load(&mut connection, user).await?;
    build_cart(&mut connection, items, &shop.rates, &fees).await
}

pub async fn save(app: &App, user: UserId, items: CartItems) -> Result<Cart, CartError> {
    app.limits.carts.check(user)?;
    let items: CartItems = items.into_iter().filter(|(_, quantity)| *quantity != 0).collect();
    let shop = shop::load(app).await.map_err(ApiError::from)?;
    let fits = u32::try_from(items.len()).is_ok_and(|lines| lines <= shop.cart_lines);
    if !fits || items.values().any(|quantity| !(1..=MAX_QUANTITY).contains(quantity)) {
        return Err(CartError::Invalid(shop.cart_lines));
    }
    let fees = delivery::load_fees_for_user(app, user, &shop.rates).await?;
    let mut connection = app.db.main.acquire().await?;
    let cart = build_cart(&mut connection, items, &shop.rates, &fees).await?;
    store::save(&mut connection, user, &cart.items).await?;
    Ok(cart)
}

async fn build_cart(
    connection: &mut PgConnection,
    items: CartItems,
    rates: &Rates,
    fees: &DeliveryFees,
) -> Result<Cart, CartError> {
    let ids: Vec<ProductId> = items.keys().filter_map(|id| id.parse().ok()).collect();
    let offers: HashMap<String, Offer> = if ids.is_empty() {
        HashMap::new()
    } else {
        let known = catalogue::find_offers(connection, &ids).await?;
        known.into_iter().map(|offer| (offer.id.to_string(), offer)).collect()
    };
    let mut cart = Cart { items: CartItems::new(), dropped: Vec::new(), quote: Quote::default() };
    let mut lines = Vec::new();
    for (id, quantity) in items {
        match offers.get(&id) {
            Some(offer) if offer.on_sale => {
                lines.push(QuoteLine { price: offer.price, quantity, tax: offer.tax_class });
                cart.items.insert(id, quantity);
            }
            gone => cart.dropped.push(DroppedItem {
                name: gone.map(|offer| offer.name.clone()).unwrap_or_default(),
                name_ne: gone.and_then(|offer| offer.name_ne.clone()),
                id,
            }),
        }
    }
    cart.quote = quote(&lines, rates, fees);
    Ok(cart)
}
