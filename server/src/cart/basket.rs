//! Reading and saving a cart. What is no longer sold is left out and named; stock is not looked at, because only placing
//! an order can promise anything.

use std::collections::{BTreeMap, HashMap};

use sqlx::PgConnection;
use uuid::Uuid;

use super::{CartError, Line, MOST_OF_ONE, Quote, quote, store};
use crate::catalogue::{self, Offer};
use crate::platform::api_error::ApiError;
use crate::platform::config::Rates;
use crate::platform::state::App;
use crate::shop;

/// Product id to quantity: the contract's form.
pub type Items = BTreeMap<String, i32>;

pub struct Basket {
    pub items: Items,
    pub dropped: Vec<Dropped>,
    pub quote: Quote,
}

/// A product that can no longer be bought; nameless when the shop never had it.
pub struct Dropped {
    pub id: String,
    pub name: String,
    pub name_ne: Option<String>,
}

pub async fn load(app: &App, user: Uuid) -> Result<Basket, CartError> {
    let shop = shop::settled(app).await.map_err(ApiError::from)?;
    let mut connection = app.db.main.acquire().await?;
    let items = store::load(&mut connection, user).await?;
    sorted_out(&mut connection, items, &shop.rates).await
}

pub async fn save(app: &App, user: Uuid, items: Items) -> Result<Basket, CartError> {
    app.limits.carts.check(user)?;
    let items: Items = items.into_iter().filter(|(_, quantity)| *quantity != 0).collect();
    let shop = shop::settled(app).await.map_err(ApiError::from)?;
    let fits = u32::try_from(items.len()).is_ok_and(|lines| lines <= shop.cart_lines);
    if !fits || items.values().any(|quantity| !(1..=MOST_OF_ONE).contains(quantity)) {
        return Err(CartError::Invalid(shop.cart_lines));
    }
    let mut connection = app.db.main.acquire().await?;
    let basket = sorted_out(&mut connection, items, &shop.rates).await?;
    store::save(&mut connection, user, &basket.items).await?;
    Ok(basket)
}

async fn sorted_out(connection: &mut PgConnection, items: Items, rates: &Rates) -> Result<Basket, CartError> {
    let ids: Vec<Uuid> = items.keys().filter_map(|id| id.parse().ok()).collect();
    let offers: HashMap<String, Offer> = if ids.is_empty() {
        HashMap::new()
    } else {
        let known = catalogue::offers(connection, &ids).await?;
        known.into_iter().map(|offer| (offer.id.to_string(), offer)).collect()
    };
    let mut basket = Basket { items: Items::new(), dropped: Vec::new(), quote: Quote::default() };
    let mut lines = Vec::new();
    for (id, quantity) in items {
        match offers.get(&id) {
            Some(offer) if offer.on_sale => {
                lines.push(Line { price: offer.price, quantity, tax: offer.tax_class });
                basket.items.insert(id, quantity);
            }
            gone => basket.dropped.push(Dropped {
                name: gone.map(|offer| offer.name.clone()).unwrap_or_default(),
                name_ne: gone.and_then(|offer| offer.name_ne.clone()),
                id,
            }),
        }
    }
    basket.quote = quote(&lines, rates);
    Ok(basket)
}
