//! An order as the contract shows it, and what can go wrong with one.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::pay::PaymentRedirect;
use super::store::{OrderItemRow, OrderRow, TimelineRow};
use super::transition::{FinancialStatus, OrderStatus, TransitionError};
use crate::addresses::AddressError;
use crate::cart::Quote;
use crate::media;
use crate::platform::api_error::ApiError;
use crate::platform::db::{self, RetryBackoff};
use crate::platform::money::Paisa;
use crate::shop::ShopError;

/// What the shopper reads while an online order waits for its money, and when it did not come.
pub const PAYMENT_PENDING: &str = "Payment Pending";
const PAYMENT_FAILED: &str = "Payment Failed";

/// Who reads: the two see different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderViewer {
    Shopper,
    Seller,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub order_id: String,
    pub date: DateTime<Utc>,
    pub status: String,
    pub payment_method: String,
    pub payment_state: String,
    #[schema(value_type = f64)]
    pub subtotal: Paisa,
    #[schema(value_type = f64)]
    pub tax: Paisa,
    #[schema(value_type = f64)]
    pub shipping_fee: Paisa,
    #[schema(value_type = f64)]
    pub total: Paisa,
    /// Whether the shop charged tax when it was placed; without it nothing is said of tax.
    pub vat_registered: bool,
    pub tracking_number: String,
    pub delivery_date: NaiveDate,
    pub user_id: Buyer,
    pub items: Vec<OrderItem>,
    pub timeline: Vec<TimelineEntry>,
    /// The shopper may still cancel it.
    pub can_cancel: bool,
    /// Paying for it is still possible, by `pay_order`.
    pub can_pay: bool,
    /// What the rider brings back; 0 unless it is paid in cash and still due.
    #[schema(value_type = f64)]
    pub cash_to_collect: Paisa,
    /// Until then the shopper has to confirm the email address, or the order is cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm_by: Option<DateTime<Utc>>,
    /// What somebody should look at; for the seller only.
    pub attention: Vec<String>,
}

/// Who gets it, as it was asked for.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Buyer {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub address: String,
    /// Where known: parts of the address, for sorting and finding.
    pub municipality: String,
    pub ward: String,
    pub landmark: String,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderItem {
    /// Of the product.
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    #[schema(required)]
    pub name_ne: Option<String>,
    #[schema(required)]
    pub image: Option<String>,
    #[schema(required)]
    pub image_set: Option<String>,
    #[schema(value_type = f64)]
    pub price: Paisa,
    pub quantity: i32,
    /// The pack size as the product had it when it was ordered, for example '5 kg sack'.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pack_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pack_label_ne: Option<String>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct TimelineEntry {
    #[serde(rename = "_id")]
    pub id: String,
    pub status: String,
    pub date: DateTime<Utc>,
}

impl Order {
    pub fn new(
        row: OrderRow,
        items: Vec<OrderItemRow>,
        timeline: Vec<TimelineRow>,
        attention: Vec<String>,
        viewer: OrderViewer,
    ) -> Self {
        let unpaid = match FinancialStatus::from_name(&row.payment) {
            Some(FinancialStatus::Awaiting) => Some(PAYMENT_PENDING),
            Some(FinancialStatus::Failed) => Some(PAYMENT_FAILED),
            _ => None,
        };
        let can_pay = unpaid.is_some()
            && [OrderStatus::Placed.name(), OrderStatus::Confirmed.name()].contains(&row.status.as_str());
        let unpaid = unpaid.filter(|_| viewer == OrderViewer::Shopper && row.status == OrderStatus::Placed.name());
        let status = OrderStatus::from_name(&row.status);
        let can_cancel = !row.dispatched && matches!(status, Some(OrderStatus::Placed | OrderStatus::Confirmed));
        let code = row.code;
        let timeline = timeline.into_iter().enumerate().map(|(place, entry)| TimelineEntry {
            id: format!("{code}-{}", place + 1),
            status: entry.status,
            date: entry.at,
        });
        Self {
            timeline: timeline.collect(),
            id: row.id,
            date: row.created_at,
            status: unpaid.map_or(row.status, str::to_owned),
            payment_method: row.method,
            subtotal: row.subtotal,
            tax: row.tax,
            shipping_fee: row.shipping,
            total: row.total,
            vat_registered: row.vat_registered,
            tracking_number: row.tracking,
            delivery_date: row.delivery_date,
            cash_to_collect: if row.payment == FinancialStatus::CodDue.name() { row.total } else { Paisa::ZERO },
            payment_state: row.payment,
            user_id: Buyer {
                name: row.recipient,
                email: row.email,
                phone: row.phone,
                address: row.address,
                municipality: row.municipality,
                ward: row.ward,
                landmark: row.landmark,
            },
            items: items.into_iter().map(OrderItem::from).collect(),
            can_cancel,
            can_pay,
            confirm_by: row.confirm_by,
            attention,
            order_id: code,
        }
    }
}

impl From<OrderItemRow> for OrderItem {
    fn from(item: OrderItemRow) -> Self {
        let picture = item.picture_key.as_deref().and_then(media::picture_urls);
        let (image, image_set) = picture.map(|picture| (picture.widest, picture.srcset)).unzip();
        Self {
            id: item.product_id,
            name: item.name,
            name_ne: item.name_ne,
            image,
            image_set,
            price: item.price,
            quantity: item.quantity,
            pack_label: item.pack_label,
            pack_label_ne: item.pack_label_ne,
        }
    }
}

/// What a shopper is told at once, and again whenever the same request is sent again.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub order_id: String,
    pub tracking_number: String,
    pub date: DateTime<Utc>,
    pub delivery_date: NaiveDate,
    pub status: &'static str,
    pub payment_method: &'static str,
    #[serde(flatten)]
    pub quote: Quote,
}

/// The same for an order that is paid through a wallet, with the address to pay it at.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OnlineReceipt {
    #[serde(flatten)]
    pub receipt: Receipt,
    #[serde(flatten)]
    pub redirect: PaymentRedirect,
}

/// What the payment page shows.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentInfo {
    pub order_id: String,
    pub tracking_number: String,
    pub payment_method: String,
    /// Rupees.
    #[schema(value_type = f64)]
    pub amount: Paisa,
    pub amount_paisa: i64,
}

/// A product that cannot be had as wanted.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnavailableProduct {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    pub name_ne: Option<String>,
    pub available: i32,
}

impl UnavailableProduct {
    /// 'Only 3 left of Mustard Oil 1 L.'
    fn message(&self) -> String {
        if self.available > 0 {
            format!("Only {} left of {}.", self.available, self.name)
        } else {
            format!("{} is sold out.", self.name)
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    #[error("Please choose at least one product, 1 to 99 of each and at most {0}.")]
    ItemsInvalid(u32),
    #[error("Please add a delivery address.")]
    AddressRequired,
    #[error("Please keep it shorter.")]
    FieldTooLong,
    #[error("Please leave out web addresses. If it is not one, put a space after the dot.")]
    LinkInText,
    #[error("This is no total.")]
    TotalInvalid,
    #[error("This call is for another way to pay.")]
    MethodInvalid,
    #[error("The Idempotency-Key is empty, too long or not plain text.")]
    IdempotencyKeyInvalid,
    #[error("This Idempotency-Key was used for another order.")]
    IdempotencyKeyReused,
    #[error("{}", product_gone_message(.0))]
    ProductGone(Vec<UnavailableProduct>),
    #[error("{}", out_of_stock_message(.0))]
    OutOfStock(Vec<UnavailableProduct>),
    #[error("The price has changed. Please look at the new total and order again.")]
    PriceChanged(Quote),
    #[error("{}{}", open_limit_message(*.most), call_us_suffix(.phone))]
    TooManyOpenOrders { most: u32, phone: String },
    #[error("{}{}", cash_limit_message(*.most), call_us_suffix(.phone))]
    CashLimit { most: Paisa, phone: String },
    #[error("{}{}", order_too_large_message(*.most), call_us_suffix(.phone))]
    OrderTooLarge { most: Paisa, phone: String },
    #[error("Too many orders in a short time.")]
    RateLimited { retry_after: u64 },
    #[error("Online payment is not available right now. Please choose cash on delivery, or try again later.")]
    OnlinePaymentUnavailable,
    #[error("You have orders that wait for their payment. Please pay or cancel one of them first.")]
    TooManyUnpaid,
    #[error(
        "Until more of your orders are paid or delivered, at most {0} of one product can be held. Please order less, or pay cash."
    )]
    HoldLimit(u32),
    #[error("Payment not found")]
    PaymentNotFound,
    #[error("Your payment is safe. We are confirming it.")]
    PaymentPending,
    #[error("The payment was not completed. Nothing was charged.")]
    PaymentNotCompleted,
    #[error("We received a payment of another amount. We are checking it and will contact you.")]
    PaymentConflict,
    #[error("This order was cancelled. Your payment goes back to your wallet.")]
    PaymentReturned,
    #[error("This order was already paid. The second payment goes back to your wallet.")]
    PaidTwice,
    #[error("The wallet does not answer. Please try again in a moment.")]
    WalletUnavailable,
    #[error("There is nothing to give back here.")]
    NotRefundable,
    #[error("Case not found")]
    CaseNotFound,
    #[error("Please choose at most 92 days, the first one first.")]
    DaysInvalid,
    #[error("Please choose another day.")]
    DateInvalid,
    #[error("Please choose 1, 7 or 30 days.")]
    PeriodInvalid,
    #[error("our own books make no sense: {0}")]
    Inconsistent(&'static str),
    #[error("Order not found")]
    NotFound,
    #[error("Please choose between 1 and 100 orders.")]
    TooManyAtOnce,
    #[error("Not tried: the others took too long. Please try again.")]
    NotTried,
    #[error("This is none of the six statuses.")]
    StatusInvalid,
    #[error("This page link is out of date. Please start again from the first page.")]
    BadCursor,
    #[error(transparent)]
    Transition(#[from] TransitionError),
    #[error("address")]
    Address(#[from] AddressError),
    #[error("somebody else was in the way")]
    Busy,
    #[error("refused below")]
    Api(ApiError),
    #[error("orders database")]
    Db(#[from] sqlx::Error),
    #[error("orders answer")]
    Json(#[from] serde_json::Error),
}

/// How a limit's message ends: with the shop's phone number, where it has one.
fn call_us_suffix(phone: &str) -> String {
    if phone.is_empty() { String::new() } else { format!(" You can also call us on {phone}.") }
}

fn open_limit_message(most: u32) -> String {
    if most == 1 {
        return "For now you can have one cash order on its way. Please wait until it is delivered.".to_owned();
    }
    format!("For now you can have {most} cash orders on their way. Please wait until one is delivered.")
}

fn cash_limit_message(most: Paisa) -> String {
    let most = most.short();
    format!("For now you can have cash orders of {most} rupees on their way. Please order less.")
}

fn order_too_large_message(most: Paisa) -> String {
    let most = most.short();
    format!("One order can be worth at most {most} rupees. Please order less.")
}

fn product_gone_message(products: &[UnavailableProduct]) -> String {
    products.iter().map(|product| format!("{} is no longer sold.", product.name)).collect::<Vec<_>>().join(" ")
}

fn out_of_stock_message(products: &[UnavailableProduct]) -> String {
    products.iter().map(UnavailableProduct::message).collect::<Vec<_>>().join(" ")
}

impl OrderError {
    /// Trying the same again may work.
    pub fn is_contention(&self) -> bool {
        matches!(self, Self::Db(error) if db::is_contention(error))
    }
}

/// Does something again while somebody else is in the way, up to so many times.
pub async fn retry_on_contention<T, Done>(tries: u32, mut work: impl FnMut() -> Done) -> Result<T, OrderError>
where
    Done: Future<Output = Result<T, OrderError>>,
{
    let mut retries = RetryBackoff::new(tries);
    loop {
        match work().await {
            Err(error) if error.is_contention() && retries.wait().await => {}
            done => return done,
        }
    }
}

impl From<ApiError> for OrderError {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl From<ShopError> for OrderError {
    fn from(error: ShopError) -> Self {
        Self::Api(error.into())
    }
}

impl From<OrderError> for ApiError {
    fn from(error: OrderError) -> Self {
        let products = |products: &[UnavailableProduct]| json!({ "products": products });
        match error {
            OrderError::ItemsInvalid(_) => Self::invalid("items_invalid", error),
            OrderError::AddressRequired => Self::invalid("address_required", error),
            OrderError::FieldTooLong => Self::invalid("field_too_long", error),
            OrderError::LinkInText => Self::invalid("link_in_text", error),
            OrderError::TotalInvalid => Self::invalid("total_invalid", error),
            OrderError::MethodInvalid => Self::invalid("method_invalid", error),
            OrderError::IdempotencyKeyInvalid => Self::invalid("key_invalid", error),
            OrderError::IdempotencyKeyReused => Self::invalid("key_reused", error),
            OrderError::ProductGone(ref missing) => Self::conflict("product_gone", &error).with_data(products(missing)),
            OrderError::OutOfStock(ref missing) => Self::conflict("out_of_stock", &error).with_data(products(missing)),
            OrderError::PriceChanged(quote) => {
                Self::conflict("price_changed", &error).with_data(json!({ "quote": quote }))
            }
            OrderError::TooManyOpenOrders { most, ref phone } => {
                Self::conflict("too_many_open_orders", &error).with_data(json!({ "most": most, "phone": phone }))
            }
            OrderError::CashLimit { most, ref phone } => {
                Self::conflict("cash_limit", &error).with_data(json!({ "most": most, "phone": phone }))
            }
            OrderError::OrderTooLarge { most, ref phone } => {
                Self::invalid("order_too_large", &error).with_data(json!({ "most": most, "phone": phone }))
            }
            OrderError::RateLimited { retry_after } => Self::rate_limited(retry_after),
            OrderError::OnlinePaymentUnavailable => Self::unavailable("online_payment_unavailable", error),
            OrderError::TooManyUnpaid => Self::conflict("too_many_unpaid", error),
            OrderError::HoldLimit(_) => Self::conflict("hold_limit", error),
            OrderError::PaymentNotFound => Self::not_found("payment_not_found", error),
            OrderError::PaymentPending => Self::unavailable("payment_pending", error),
            OrderError::PaymentNotCompleted => Self::conflict("payment_not_completed", error),
            OrderError::PaymentConflict => Self::conflict("payment_conflict", error),
            OrderError::PaymentReturned | OrderError::PaidTwice => Self::conflict("payment_returned", error),
            OrderError::WalletUnavailable => Self::unavailable("wallet_unavailable", error),
            OrderError::NotRefundable => Self::conflict("not_refundable", error),
            OrderError::CaseNotFound => Self::not_found("case_not_found", error),
            OrderError::DaysInvalid | OrderError::PeriodInvalid => Self::invalid("days_invalid", error),
            OrderError::DateInvalid => Self::invalid("date_invalid", error),
            OrderError::Inconsistent(_) => Self::internal(&error),
            OrderError::NotFound => Self::not_found("order_not_found", error),
            OrderError::NotTried => Self::unavailable("not_tried", error),
            OrderError::TooManyAtOnce => Self::invalid("too_many_orders", error),
            OrderError::StatusInvalid => Self::invalid("status_invalid", error),
            OrderError::BadCursor => Self::invalid("cursor_invalid", error),
            OrderError::Transition(TransitionError::TooLateToCancel) => Self::conflict("too_late_to_cancel", error),
            OrderError::Transition(TransitionError::NotPayable) => Self::conflict("not_payable", error),
            OrderError::Transition(TransitionError::OutOfStock) => Self::conflict("out_of_stock", error),
            OrderError::Address(refusal) => refusal.into(),
            OrderError::Busy => Self::busy(),
            OrderError::Api(refusal) => refusal,
            OrderError::Db(cause) => Self::database(&cause),
            OrderError::Json(cause) => Self::internal(&cause),
        }
    }
}
