//! The shop's details, rates and order limits, as far as the environment sets them; the seller can change most of them
//! in the dashboard.

use serde::{Deserialize, Serialize};

use super::env_reader::EnvReader;
use crate::platform::money::{Paisa, Percent};

/// The shop's details, rates and limits. The details are shown in the header, the footer, on `/about` and in search
/// results.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shop {
    pub brand: String,
    pub brand_ne: String,
    pub tagline: String,
    pub tagline_ne: String,
    pub contact: Contact,
    pub social: Vec<Social>,
    pub banners: Vec<Banner>,
    pub registration_number: String,
    /// PAN or VAT number.
    pub pan_number: String,
    pub grievance: Grievance,
    pub delivery_promise: String,
    pub delivery_promise_ne: String,
    /// Whether an identity provider is configured; the button is hidden without one.
    pub google_sign_in: bool,
    /// The public key that browsers subscribe to web push with; without one the switches are hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub push_key: Option<String>,
    /// Whether codes can be sent by SMS; without them phone numbers cannot be confirmed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub phone_sign_in: bool,
    pub rates: Rates,
    /// A product with at most this many units counts as low in stock.
    pub low_stock: u32,
    /// Maximum number of different products in a cart.
    pub cart_lines: u32,
    /// The symbol before prices in the seller's orders.
    pub seller_price_symbol: String,
    /// Wallets that the shopper may choose in the cart.
    pub online_payment: Vec<String>,
    /// Days from the order to the delivery.
    #[serde(skip)]
    pub delivery_days: u32,
    #[serde(skip)]
    pub limits: OrderLimits,
    #[serde(skip)]
    pub billing: BillingSettings,
}

impl Shop {
    pub fn read(env: &mut EnvReader, google_sign_in: bool, khalti: bool) -> Self {
        Self {
            brand: env.text_or("SHOP_NAME", "Thunse"),
            brand_ne: env.text_or("SHOP_NAME_NE", "थुन्से"),
            tagline: env.text_or("SHOP_TAGLINE", "Nepali groceries and essentials, to your door."),
            tagline_ne: env.text_or("SHOP_TAGLINE_NE", "नेपाली किराना र दैनिक सामान, तपाईंकै ढोकामा।"),
            contact: Contact {
                // These have no defaults; what is empty is not shown.
                phone: env.text_or("SHOP_PHONE", ""),
                email: env.text_or("SHOP_EMAIL", ""),
                address: env.text_or("SHOP_ADDRESS", ""),
                address_ne: env.text_or("SHOP_ADDRESS_NE", ""),
            },
            social: Social::read_all(env),
            google_sign_in,
            push_key: None,
            phone_sign_in: false,
            rates: Rates { vat_registered: env.parse_or("VAT_REGISTERED", true), ..Rates::default() },
            low_stock: 10,
            cart_lines: 100,
            seller_price_symbol: env.text_or("SELLER_PRICE_SYMBOL", "$"),
            online_payment: if khalti { vec!["Khalti".to_owned()] } else { Vec::new() },
            delivery_days: env.parse_or("DELIVERY_DAYS", 2),
            limits: OrderLimits::read(env),
            billing: BillingSettings::default(),
            banners: Vec::new(),
            registration_number: String::new(),
            pan_number: String::new(),
            grievance: Grievance::default(),
            delivery_promise: String::new(),
            delivery_promise_ne: String::new(),
        }
    }
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Contact {
    pub phone: String,
    pub email: String,
    pub address: String,
    pub address_ne: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct Social {
    #[schema(required)]
    pub name: String,
    #[schema(required)]
    pub url: String,
}

impl Social {
    /// Parses `SHOP_SOCIAL="Facebook=https://…,Instagram=https://…"`.
    fn read_all(env: &mut EnvReader) -> Vec<Self> {
        let text = env.text_or("SHOP_SOCIAL", "");
        text.split(',')
            .filter(|entry| !entry.trim().is_empty())
            .filter_map(|entry| {
                let link = entry.trim().split_once('=').filter(|(_, url)| url.starts_with("https://"));
                if link.is_none() {
                    env.add_problem(format_args!("SHOP_SOCIAL: '{entry}' must have the form Name=https://address"));
                }
                link.map(|(name, url)| Self { name: name.to_owned(), url: url.to_owned() })
            })
            .collect()
    }
}

/// The contact for complaints that the law requires.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct Grievance {
    #[schema(required)]
    pub name: String,
    #[schema(required)]
    pub phone: String,
    #[schema(required)]
    pub email: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct Banner {
    #[schema(required)]
    pub title: String,
    #[schema(required)]
    pub title_ne: String,
    #[schema(required)]
    pub text: String,
    #[schema(required)]
    pub text_ne: String,
    #[schema(required)]
    pub href: String,
}

/// How the shop bills its orders. The defaults are safe for every shop: an order receipt claims nothing about tax.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct BillingSettings {
    #[schema(required)]
    pub document: BillingDocument,
    #[schema(required)]
    pub issue_at: BillingMoment,
    /// The code of the outlet in the numbers of bills.
    #[schema(required)]
    pub outlet: String,
    /// Whether the tax officer has permitted abbreviated tax invoices.
    #[schema(required)]
    pub abbreviated_permitted: bool,
}

impl Default for BillingSettings {
    fn default() -> Self {
        Self {
            document: BillingDocument::OrderReceipt,
            issue_at: BillingMoment::Delivery,
            outlet: "01".to_owned(),
            abbreviated_permitted: false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BillingDocument {
    /// The lawful bill comes from the shop's own book or approved software.
    OrderReceipt,
    /// A PAN bill, or a tax invoice if the shop is registered for VAT.
    Bill,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BillingMoment {
    Dispatch,
    Delivery,
}

/// What the shop charges besides the price of the goods. Each order stores the rates it was placed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ShopRates)]
pub struct Rates {
    #[schema(value_type = f64)]
    pub shipping_fee: Paisa,
    /// Shipping is free when the subtotal is above this, not at it.
    #[schema(value_type = f64)]
    pub free_shipping_above: Paisa,
    /// Per cent of the taxable amount.
    #[schema(value_type = f64)]
    pub tax_rate: Percent,
    /// Whether the shop charges tax at all; each product has its own tax class.
    pub vat_registered: bool,
    /// Whether the prices of products include the tax, instead of it being added to them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub prices_include_tax: bool,
    /// How much more than the estimate is charged for weighed goods at most; what is heavier is free. Absent if it has
    /// the default of 10 %.
    #[serde(skip_serializing_if = "is_usual_tolerance")]
    #[schema(value_type = f64, required = false)]
    pub weight_tolerance: Percent,
}

pub const WEIGHT_TOLERANCE: Percent = Percent::from_whole(10);

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_usual_tolerance(tolerance: &Percent) -> bool {
    *tolerance == WEIGHT_TOLERANCE
}

impl Default for Rates {
    /// The rates of the specification.
    fn default() -> Self {
        Self {
            shipping_fee: Paisa::from_rupees(20),
            free_shipping_above: Paisa::from_rupees(1000),
            tax_rate: Percent::from_whole(13),
            vat_registered: true,
            prices_include_tax: false,
            weight_tolerance: WEIGHT_TOLERANCE,
        }
    }
}

/// How much one shopper may order.
#[derive(Debug, Clone, Copy)]
pub struct OrderLimits {
    /// The highest total of one order.
    pub max_order_total: Paisa,
    pub per_minute: u32,
    pub per_day: u32,
    /// Cash orders that an account may have on their way, plus one for each order that it has paid.
    pub open_cod: u32,
    /// What cash orders on their way may be worth together; `CodLimits` allows more to an account that has paid.
    pub open_cod_value: Paisa,
    /// Orders that may wait for an online payment and hold stock at the same time.
    pub max_unpaid_orders: u32,
    /// Units of one product that an unpaid order may hold, for an account that has not paid enough to be trusted.
    pub held_per_product: u32,
}

impl OrderLimits {
    fn read(env: &mut EnvReader) -> Self {
        Self {
            max_order_total: Paisa::from_rupees(200_000),
            per_minute: env.parse_or("ORDERS_PER_MINUTE", 5),
            per_day: env.parse_or("ORDERS_PER_DAY", 30),
            open_cod: env.parse_or("OPEN_COD_ORDERS", 3),
            open_cod_value: Paisa::from_rupees(i64::from(env.parse_or("OPEN_COD_RUPEES", 25_000_u32))),
            max_unpaid_orders: env.parse_or("MAX_UNPAID_ORDERS", 2),
            held_per_product: env.parse_or("HELD_PER_PRODUCT", 20),
        }
    }
}
