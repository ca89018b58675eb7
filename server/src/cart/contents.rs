//! Loading and saving a cart. Products that are no longer sold are left out and named. Stock is not checked, because
//! only placing an order can promise anything.

use std::collections::{BTreeMap, HashMap};

use sqlx::PgConnection;

use super::model::CartItems;
use super::{CartError, MAX_QUANTITY, Quote, QuoteLine, quote, quote_with_coupon, store};
use crate::catalogue::{self, Offer};
use crate::coupons::{self, CartValue};
use crate::delivery::{self, DeliveryFees};
use crate::platform::api_error::ApiError;
use crate::platform::config::Rates;
use crate::platform::ids::{ProductId, UserId};
use crate::platform::money::Paisa;
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

/// A cart with a coupon, as an order of it would be.
pub struct CouponQuote {
    pub code: String,
    /// The unit prices with the coupon, by product id.
    pub prices: BTreeMap<String, Paisa>,
    pub quote: Quote,
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
    let shop = shop::load(app).await.map_err(ApiError::from)?;
    let items = check_items(items, shop.cart_lines)?;
    let fees = delivery::load_fees_for_user(app, user, &shop.rates).await?;
    let mut connection = app.db.main.acquire().await?;
    let cart = build_cart(&mut connection, items, &shop.rates, &fees).await?;
    store::save(&mut connection, user, &cart.items).await?;
    Ok(cart)
}

fn check_items(items: CartItems, most_lines: u32) -> Result<CartItems, CartError> {
    let items: CartItems = items.into_iter().filter(|(_, quantity)| *quantity != 0).collect();
    let fits = u32::try_from(items.len()).is_ok_and(|lines| lines <= most_lines);
    if !fits || items.values().any(|quantity| !(1..=MAX_QUANTITY).contains(quantity)) {
        return Err(CartError::Invalid(most_lines));
    }
    Ok(items)
}

/// Quotes these items with a coupon, without saving them. Products that are no longer sold are left out.
pub async fn quote_coupon(app: &App, user: UserId, code: &str, items: CartItems) -> Result<CouponQuote, CartError> {
    app.limits.coupon_quotes.check(user)?;
    let shop = shop::load(app).await.map_err(ApiError::from)?;
    let items = check_items(items, shop.cart_lines)?;
    let fees = delivery::load_fees_for_user(app, user, &shop.rates).await?;
    let mut connection = app.db.main.acquire().await?;
    let offers = find_offers(&mut connection, &items).await?;
    let (mut ids, mut lines) = (Vec::new(), Vec::new());
    for (id, quantity) in items {
        if let Some(offer) = offers.get(&id).filter(|offer| offer.on_sale) {
            lines.push(QuoteLine { price: offer.price, quantity, tax: offer.tax_class });
            ids.push(offer.id);
        }
    }
    let goods = lines.iter().map(|line| line.price * line.quantity).sum();
    let coupon = coupons::find_usable(app, &mut connection, code, user, &CartValue { goods, products: &ids }).await?;
    let (charged, quote) = quote_with_coupon(&lines, Some(&coupon), &shop.rates, &fees);
    let prices = ids.iter().zip(charged).map(|(id, line)| (id.to_string(), line.price)).collect();
    Ok(CouponQuote { code: coupon.code, prices, quote })
}

async fn find_offers(connection: &mut PgConnection, items: &CartItems) -> sqlx::Result<HashMap<String, Offer>> {
    let ids: Vec<ProductId> = items.keys().filter_map(|id| id.parse().ok()).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let known = catalogue::find_offers(connection, &ids).await?;
    Ok(known.into_iter().map(|offer| (offer.id.to_string(), offer)).collect())
}

async fn build_cart(
    connection: &mut PgConnection,
    items: CartItems,
    rates: &Rates,
    fees: &DeliveryFees,
) -> Result<Cart, CartError> {
    let offers = find_offers(connection, &items).await?;
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
