//! The shop's own settings: its name, contacts, registration numbers and banners, and its fees, tax and limits. The
//! environment gives the initial values; what a seller has saved overrides them. Owns the table `shop_settings`.

mod http;
mod store;

pub use http::routes;

use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use crate::platform::api_error::ApiError;
use crate::platform::cache::{CatalogueChange, CreationError};
use crate::platform::config::{
    Banner, BillingSettings, Config, Contact, Grievance, OrderLimits, Rates, Shop, Social, WEIGHT_TOLERANCE,
};
use crate::platform::db;
use crate::platform::money::{Paisa, Percent};
use crate::platform::state::{App, AppComponent};

/// Settings that a seller can change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShopSettings {
    pub brand: String,
    pub brand_ne: String,
    pub tagline: String,
    pub tagline_ne: String,
    pub phone: String,
    pub email: String,
    pub address: String,
    pub address_ne: String,
    pub registration_number: String,
    /// PAN or VAT number.
    pub pan_number: String,
    pub grievance: Grievance,
    pub delivery_promise: String,
    pub delivery_promise_ne: String,
    pub social: Vec<Social>,
    pub banners: Vec<Banner>,
    /// In rupees, like all amounts here.
    #[schema(value_type = f64)]
    pub shipping_fee: Paisa,
    /// Shipping is free when the subtotal is above this.
    #[schema(value_type = f64)]
    pub free_shipping_above: Paisa,
    /// In per cent.
    #[schema(value_type = f64)]
    pub tax_rate: Percent,
    pub vat_registered: bool,
    /// Whether the prices of products include the tax; false if a client leaves it out.
    #[serde(default)]
    #[schema(required)]
    pub prices_include_tax: bool,
    /// How much more than the estimate is charged for weighed goods at most, in per cent; 10 if a client leaves it out.
    #[serde(default = "usual_tolerance")]
    #[schema(value_type = f64, required)]
    pub weight_tolerance: Percent,
    /// A product with at most this many units counts as low in stock.
    pub low_stock: u32,
    /// Days from the order to the delivery.
    pub delivery_days: u32,
    /// Maximum number of different products in a cart.
    pub cart_lines: u32,
    #[schema(value_type = f64)]
    pub largest_order: Paisa,
    pub orders_per_minute: u32,
    pub orders_per_day: u32,
    /// Cash orders that a shopper may have on their way, plus one for each order that the shopper has paid.
    pub open_cash_orders: u32,
    /// What cash orders on their way may be worth together; a shopper who has paid for more may exceed it.
    #[schema(value_type = f64)]
    pub open_cash_worth: Paisa,
    /// Orders of one shopper that may wait for an online payment at the same time.
    pub unpaid_orders: u32,
    /// Units of one product that an unpaid order may hold, for a shopper who has not paid enough to be trusted.
    pub held_per_product: u32,
    /// How bills are issued; what a client leaves out has the default.
    #[serde(default)]
    #[schema(required)]
    pub billing: BillingSettings,
}

const fn usual_tolerance() -> Percent {
    WEIGHT_TOLERANCE
}

impl ShopSettings {
    fn from_shop(shop: &Shop) -> Self {
        let Shop { contact, rates, limits, .. } = shop;
        Self {
            brand: shop.brand.clone(),
            brand_ne: shop.brand_ne.clone(),
            tagline: shop.tagline.clone(),
            tagline_ne: shop.tagline_ne.clone(),
            phone: contact.phone.clone(),
            email: contact.email.clone(),
            address: contact.address.clone(),
            address_ne: contact.address_ne.clone(),
            registration_number: shop.registration_number.clone(),
            pan_number: shop.pan_number.clone(),
            grievance: shop.grievance.clone(),
            delivery_promise: shop.delivery_promise.clone(),
            delivery_promise_ne: shop.delivery_promise_ne.clone(),
            social: shop.social.clone(),
            banners: shop.banners.clone(),
            shipping_fee: rates.shipping_fee,
            free_shipping_above: rates.free_shipping_above,
            tax_rate: rates.tax_rate,
            vat_registered: rates.vat_registered,
            prices_include_tax: rates.prices_include_tax,
            weight_tolerance: rates.weight_tolerance,
            low_stock: shop.low_stock,
            delivery_days: shop.delivery_days,
            cart_lines: shop.cart_lines,
            largest_order: limits.max_order_total,
            orders_per_minute: limits.per_minute,
            orders_per_day: limits.per_day,
            open_cash_orders: limits.open_cod,
            open_cash_worth: limits.open_cod_value,
            unpaid_orders: limits.max_unpaid_orders,
            held_per_product: limits.held_per_product,
            billing: shop.billing.clone(),
        }
    }

    fn apply_to(self, shop: &Shop) -> Shop {
        Shop {
            brand: self.brand,
            brand_ne: self.brand_ne,
            tagline: self.tagline,
            tagline_ne: self.tagline_ne,
            contact: Contact {
                phone: self.phone,
                email: self.email,
                address: self.address,
                address_ne: self.address_ne,
            },
            registration_number: self.registration_number,
            pan_number: self.pan_number,
            grievance: self.grievance,
            delivery_promise: self.delivery_promise,
            delivery_promise_ne: self.delivery_promise_ne,
            social: self.social,
            banners: self.banners,
            rates: Rates {
                shipping_fee: self.shipping_fee,
                free_shipping_above: self.free_shipping_above,
                tax_rate: self.tax_rate,
                vat_registered: self.vat_registered,
                prices_include_tax: self.prices_include_tax,
                weight_tolerance: self.weight_tolerance,
            },
            low_stock: self.low_stock,
            delivery_days: self.delivery_days,
            cart_lines: self.cart_lines,
            limits: OrderLimits {
                max_order_total: self.largest_order,
                per_minute: self.orders_per_minute,
                per_day: self.orders_per_day,
                open_cod: self.open_cash_orders,
                open_cod_value: self.open_cash_worth,
                max_unpaid_orders: self.unpaid_orders,
                held_per_product: self.held_per_product,
            },
            billing: self.billing,
            ..shop.clone()
        }
    }
}

/// The stored settings, and when they were last changed.
pub struct StoredSettings {
    pub settings: ShopSettings,
    pub changed_at: DateTime<Utc>,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum ShopError {
    #[error("shop database")]
    Db(#[source] Arc<sqlx::Error>),
    /// This is an error, so that the shop never shows or saves anything that the seller did not write.
    #[error("this version cannot read the stored settings")]
    Unreadable,
}

impl From<sqlx::Error> for ShopError {
    fn from(error: sqlx::Error) -> Self {
        Self::Db(Arc::new(error))
    }
}

impl CreationError for ShopError {
    fn is_database_unavailable(&self) -> bool {
        matches!(self, Self::Db(error) if db::is_unavailable(error))
    }
}

impl From<ShopError> for ApiError {
    fn from(error: ShopError) -> Self {
        match error {
            ShopError::Db(cause) => Self::database(&cause),
            ShopError::Unreadable => Self::internal(&error),
        }
    }
}

/// The settings that were last read, which the shop shows while the database is unavailable.
struct LastKnownShop(RwLock<Option<Arc<Shop>>>);

impl AppComponent for LastKnownShop {
    fn new(_config: &Config) -> Self {
        Self(RwLock::new(None))
    }
}

/// Loads the shop with its current settings, cached until they change; fails if they cannot be read. Code that decides
/// about money uses this. Call it before taking a database connection, because it may need one itself.
pub async fn load(app: &App) -> Result<Arc<Shop>, ShopError> {
    let make = async || {
        let mut connection = app.db.browse.acquire().await?;
        let stored = read_settings(&mut connection, app).await?;
        Ok::<_, ShopError>(stored.settings.apply_to(&app.config.shop))
    };
    let shop = app.cache.get_value("shop", CatalogueChange::Detail, make).await?;
    *app.component::<LastKnownShop>().0.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&shop));
    Ok(shop)
}

/// Loads the shop with its current settings, or with the last known ones if they cannot be read.
pub async fn load_or_last_known(app: &App) -> Arc<Shop> {
    load(app).await.unwrap_or_else(|error| {
        tracing::error!(%error, "could not read the shop settings");
        let last = app.component::<LastKnownShop>();
        let known = last.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        known.unwrap_or_else(|| Arc::new(app.config.shop.clone()))
    })
}

/// Reads the stored settings. A caller that changes them must call `lock_settings` first.
pub async fn read_settings(connection: &mut PgConnection, app: &App) -> Result<StoredSettings, ShopError> {
    let first =
        || StoredSettings { settings: ShopSettings::from_shop(&app.config.shop), changed_at: DateTime::UNIX_EPOCH };
    let Some(row) = store::read(connection).await? else { return Ok(first()) };
    // Settings that an older version wrote may lack a field; the environment fills it in.
    let mut merged = serde_json::to_value(first().settings).unwrap_or_default();
    if let (Some(merged), serde_json::Value::Object(written)) = (merged.as_object_mut(), row.settings) {
        merged.extend(written);
    }
    let settings = serde_json::from_value(merged).map_err(|_| ShopError::Unreadable)?;
    Ok(StoredSettings { settings, changed_at: row.updated_at })
}

/// Locks the settings, so that only one caller changes them at a time.
pub async fn lock_settings(connection: &mut PgConnection) -> Result<(), ShopError> {
    Ok(store::lock(connection).await?)
}

pub async fn save_settings(connection: &mut PgConnection, settings: &ShopSettings) -> Result<(), ShopError> {
    let written = serde_json::to_value(settings).unwrap_or_default();
    Ok(store::save(connection, &written).await?)
}
