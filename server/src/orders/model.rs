//! An order in the contract's form, and the errors of this module.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::transition::{FinancialStatus, OrderStatus, TransitionError};
use crate::addresses::AddressError;
use crate::cart::Quote;
use crate::media;
use crate::payments::NextAction;
use crate::platform::api_error::ApiError;
use crate::platform::db::{self, RetryBackoff};
use crate::platform::jobs;
use crate::platform::messages::{Message, message};
use crate::platform::money::Paisa;
use crate::shop::ShopError;

/// The statuses that the shopper sees while an online order awaits payment and after the payment has failed.
pub const PAYMENT_PENDING: &str = "Payment Pending";
const PAYMENT_FAILED: &str = "Payment Failed";

/// The person who sees an order; shoppers and sellers see different things.
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
    /// Whether the shop was registered for VAT when the order was placed; if not, no tax is shown.
    pub vat_registered: bool,
    pub tracking_number: String,
    pub delivery_date: NaiveDate,
    pub user_id: Buyer,
    pub items: Vec<OrderItem>,
    pub timeline: Vec<TimelineEntry>,
    /// Whether the shopper can still cancel the order.
    pub can_cancel: bool,
    /// Whether the order can still be paid with `pay_order`.
    pub can_pay: bool,
    /// The cash that the rider must collect; 0 unless cash is still due.
    #[schema(value_type = f64)]
    pub cash_to_collect: Paisa,
    /// The order is cancelled unless the shopper confirms the email address by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm_by: Option<DateTime<Utc>>,
    /// The kinds of the open cases of the order; filled for the seller only.
    pub attention: Vec<String>,
}

/// The recipient and address, as given when the order was placed.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Buyer {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub address: String,
    /// Part of the address, for sorting and searching; empty if unknown.
    pub municipality: String,
    pub ward: String,
    pub landmark: String,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderItem {
    /// The id of the product.
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
    /// The pack size when the product was ordered, for example '5 kg sack'.
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

/// The response to a placed order; a repeated request gets the same one.
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

/// The response to a placed online order: the receipt and how to pay.
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
    /// The amount in rupees.
    #[schema(value_type = f64)]
    pub amount: Paisa,
    pub amount_paisa: i64,
}

/// A product that is not available in the requested quantity.
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
    /// For example 'Only 3 left of Mustard Oil 1 L.'
    fn out_of_stock_message(&self) -> Message {
        if self.available > 0 {
            message!("api.orders.few_left", left = self.available, product = self.name.as_str())
        } else {
            message!("api.orders.sold_out", product = self.name.as_str())
        }
    }

    fn product_gone_message(&self) -> Message {
        message!("api.orders.no_longer_sold", product = self.name.as_str())
    }
}

#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    #[error("items invalid")]
    ItemsInvalid(u32),
    #[error("address required")]
    AddressRequired,
    #[error("field too long")]
    FieldTooLong,
    #[error("link in text")]
    LinkInText,
    #[error("total invalid")]
    TotalInvalid,
    #[error("method invalid")]
    MethodInvalid,
    #[error("idempotency key invalid")]
    IdempotencyKeyInvalid,
    #[error("idempotency key reused")]
    IdempotencyKeyReused,
    #[error("product gone")]
    ProductGone(Vec<UnavailableProduct>),
    #[error("out of stock")]
    OutOfStock(Vec<UnavailableProduct>),
    #[error("price changed")]
    PriceChanged(Quote),
    #[error("too many open orders")]
    TooManyOpenOrders { most: u32, phone: String },
    #[error("cash limit")]
    CashLimit { most: Paisa, phone: String },
    #[error("order too large")]
    OrderTooLarge { most: Paisa, phone: String },
    #[error("too many orders in a short time")]
    RateLimited { retry_after: u64 },
    #[error("online payment unavailable")]
    OnlinePaymentUnavailable,
    #[error("too many unpaid orders")]
    TooManyUnpaid,
    #[error("hold limit")]
    HoldLimit(u32),
    #[error("payment not found")]
    PaymentNotFound,
    #[error("payment pending")]
    PaymentPending,
    #[error("payment not completed")]
    PaymentNotCompleted,
    #[error("payment conflict")]
    PaymentConflict,
    #[error("payment returned")]
    PaymentReturned,
    #[error("paid twice")]
    PaidTwice,
    #[error("wallet unavailable")]
    WalletUnavailable,
    #[error("not refundable")]
    NotRefundable,
    #[error("case not found")]
    CaseNotFound,
    #[error("days invalid")]
    DaysInvalid,
    #[error("date invalid")]
    DateInvalid,
    #[error("period invalid")]
    PeriodInvalid,
    #[error("inconsistent order data: {0}")]
    Inconsistent(&'static str),
    #[error("order not found")]
    NotFound,
    #[error("too many orders at once")]
    TooManyAtOnce,
    #[error("not tried: the other orders took too long")]
    NotTried,
    #[error("status invalid")]
    StatusInvalid,
    #[error("bad cursor")]
    BadCursor,
    #[error(transparent)]
    Transition(#[from] TransitionError),
    #[error("address")]
    Address(#[from] AddressError),
    #[error("contention with another transaction")]
    Busy,
    #[error("refused below")]
    Api(ApiError),
    #[error("orders database")]
    Db(#[from] sqlx::Error),
    #[error("orders answer")]
    Json(#[from] serde_json::Error),
}

/// The end of a limit's message: the shop's phone number, if it has one.
fn with_phone(message: Message, phone: &str) -> Vec<Message> {
    let call_us = (!phone.is_empty()).then(|| message!("api.orders.call_us", phone = phone));
    std::iter::once(message).chain(call_us).collect()
}

impl OrderError {
    /// Returns whether the error was caused by lock contention, so that a retry may succeed.
    pub fn is_contention(&self) -> bool {
        matches!(self, Self::Db(error) if db::is_contention(error))
    }
}

/// Repeats `work` on lock contention, up to `tries` times in all.
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
            OrderError::ItemsInvalid(most) => {
                Self::invalid("items_invalid", message!("api.orders.items_invalid", most = most))
            }
            OrderError::AddressRequired => Self::invalid("address_required", message!("api.orders.address_required")),
            OrderError::FieldTooLong => Self::invalid("field_too_long", message!("api.field_too_long")),
            OrderError::LinkInText => Self::invalid("link_in_text", message!("api.link_in_text")),
            OrderError::TotalInvalid => Self::invalid("total_invalid", message!("api.orders.total_invalid")),
            OrderError::MethodInvalid => Self::invalid("method_invalid", message!("api.orders.method_invalid")),
            OrderError::IdempotencyKeyInvalid => Self::invalid("key_invalid", message!("api.orders.key_invalid")),
            OrderError::IdempotencyKeyReused => Self::invalid("key_reused", message!("api.orders.key_reused")),
            OrderError::ProductGone(missing) => {
                let message: Vec<Message> = missing.iter().map(UnavailableProduct::product_gone_message).collect();
                Self::conflict("product_gone", message).with_data(products(&missing))
            }
            OrderError::OutOfStock(missing) => {
                let message: Vec<Message> = missing.iter().map(UnavailableProduct::out_of_stock_message).collect();
                Self::conflict("out_of_stock", message).with_data(products(&missing))
            }
            OrderError::PriceChanged(quote) => Self::conflict("price_changed", message!("api.orders.price_changed"))
                .with_data(json!({ "quote": quote })),
            OrderError::TooManyOpenOrders { most, phone } => {
                let message = with_phone(message!("api.orders.too_many_open", most = most), &phone);
                Self::conflict("too_many_open_orders", message).with_data(json!({ "most": most, "phone": phone }))
            }
            OrderError::CashLimit { most, phone } => {
                let message = with_phone(message!("api.orders.cash_limit", most = most), &phone);
                Self::conflict("cash_limit", message).with_data(json!({ "most": most, "phone": phone }))
            }
            OrderError::OrderTooLarge { most, phone } => {
                let message = with_phone(message!("api.orders.too_large", most = most), &phone);
                Self::invalid("order_too_large", message).with_data(json!({ "most": most, "phone": phone }))
            }
            OrderError::RateLimited { retry_after } => Self::rate_limited(retry_after),
            OrderError::OnlinePaymentUnavailable => {
                Self::unavailable("online_payment_unavailable", message!("api.orders.online_payment_unavailable"))
            }
            OrderError::TooManyUnpaid => Self::conflict("too_many_unpaid", message!("api.orders.too_many_unpaid")),
            OrderError::HoldLimit(most) => Self::conflict("hold_limit", message!("api.orders.hold_limit", most = most)),
            OrderError::PaymentNotFound => Self::not_found("payment_not_found", message!("api.payments.not_found")),
            OrderError::PaymentPending => Self::unavailable("payment_pending", message!("api.payments.pending")),
            OrderError::PaymentNotCompleted => {
                Self::conflict("payment_not_completed", message!("api.payments.not_completed"))
            }
            OrderError::PaymentConflict => Self::conflict("payment_conflict", message!("api.payments.conflict")),
            OrderError::PaymentReturned => Self::conflict("payment_returned", message!("api.payments.returned")),
            OrderError::PaidTwice => Self::conflict("payment_returned", message!("api.payments.paid_twice")),
            OrderError::WalletUnavailable => {
                Self::unavailable("wallet_unavailable", message!("api.payments.wallet_unavailable"))
            }
            OrderError::NotRefundable => Self::conflict("not_refundable", message!("api.orders.not_refundable")),
            OrderError::CaseNotFound => Self::not_found("case_not_found", message!("api.orders.case_not_found")),
            OrderError::DaysInvalid => Self::invalid("days_invalid", message!("api.orders.days_invalid")),
            OrderError::PeriodInvalid => Self::invalid("days_invalid", message!("api.orders.period_invalid")),
            OrderError::DateInvalid => Self::invalid("date_invalid", message!("api.orders.date_invalid")),
            OrderError::Inconsistent(_) => Self::internal(&error),
            OrderError::NotFound => Self::not_found("order_not_found", message!("api.orders.not_found")),
            OrderError::NotTried => Self::unavailable("not_tried", message!("api.orders.not_tried")),
            OrderError::TooManyAtOnce => Self::invalid("too_many_orders", message!("api.orders.too_many_at_once")),
            OrderError::StatusInvalid => Self::invalid("status_invalid", message!("api.orders.status_invalid")),
            OrderError::BadCursor => Self::invalid("cursor_invalid", message!("api.cursor_invalid")),
            OrderError::Transition(TransitionError::TooLateToCancel) => {
                Self::conflict("too_late_to_cancel", message!("api.orders.too_late_to_cancel"))
            }
            OrderError::Transition(TransitionError::NotPayable) => {
                Self::conflict("not_payable", message!("api.orders.not_payable"))
            }
            OrderError::Transition(TransitionError::OutOfStock) => {
                Self::conflict("out_of_stock", message!("api.orders.sold_out_since"))
            }
            OrderError::Address(refusal) => refusal.into(),
            OrderError::Busy => Self::busy(),
            OrderError::Api(refusal) => refusal,
            OrderError::Db(cause) => Self::database(&cause),
            OrderError::Json(cause) => Self::internal(&cause),
        }
    }
}

/// How the browser continues to the wallet, in the contract's form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct PaymentRedirect {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_url: Option<String>,
    /// For wallets that expect a form: its action and its fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub payment_form: Option<NextAction>,
}

impl From<NextAction> for PaymentRedirect {
    fn from(next_action: NextAction) -> Self {
        match next_action {
            NextAction::Redirect(address) => Self { payment_url: Some(address), payment_form: None },
            form @ NextAction::Form { .. } => Self { payment_url: None, payment_form: Some(form) },
        }
    }
}

#[derive(Debug, Clone)]
pub struct OrderRow {
    pub id: Uuid,
    pub code: String,
    pub tracking: String,
    pub user_id: Uuid,
    pub method: String,
    pub status: String,
    pub payment: String,
    pub dispatched: bool,
    pub subtotal: Paisa,
    pub tax: Paisa,
    pub shipping: Paisa,
    pub total: Paisa,
    pub vat_registered: bool,
    pub recipient: String,
    pub email: String,
    pub phone: String,
    pub address: String,
    pub municipality: String,
    pub ward: String,
    pub landmark: String,
    pub language: String,
    pub delivery_date: NaiveDate,
    pub created_at: DateTime<Utc>,
    pub confirm_by: Option<DateTime<Utc>>,
}

pub struct OrderItemRow {
    pub order_id: Uuid,
    pub product_id: Uuid,
    pub name: String,
    pub name_ne: Option<String>,
    pub picture_key: Option<String>,
    pub price: Paisa,
    pub quantity: i32,
    pub pack_label: Option<String>,
    pub pack_label_ne: Option<String>,
}

pub struct TimelineRow {
    pub order_id: Uuid,
    pub status: String,
    pub at: DateTime<Utc>,
}

#[derive(Serialize, Deserialize)]
pub struct SendRefund {
    pub refund: Uuid,
}

impl SendRefund {
    pub async fn enqueue_at(&self, connection: &mut PgConnection, at: DateTime<Utc>) -> sqlx::Result<()> {
        jobs::enqueue_at(connection, self, &self.refund.to_string(), at).await
    }

    /// Enqueues the job again in case it was lost.
    pub async fn requeue(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        jobs::ensure_enqueued(connection, self, &self.refund.to_string()).await
    }
}
