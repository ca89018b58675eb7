//! The errors of this module.

use serde_json::{Value, json};

use super::model::UnavailableProduct;
use super::transition::TransitionError;
use crate::addresses::AddressError;
use crate::cart::Quote;
use crate::coupons::CouponError;
use crate::delivery::DeliveryError;
use crate::platform::api_error::ApiError;
use crate::platform::db::{self, RetryBackoff};
use crate::platform::messages::{Message, message};
use crate::platform::money::Paisa;
use crate::shop::ShopError;

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
    #[error("too many unpaid orders")]
    TooManyUnpaid,
    #[error("hold limit")]
    HoldLimit(u32),
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
    #[error("unknown rider")]
    RiderUnknown,
    #[error("bad cursor")]
    BadCursor,
    #[error(transparent)]
    Transition(#[from] TransitionError),
    #[error("note too long")]
    NoteInvalid(usize),
    #[error("choice invalid")]
    ChoiceInvalid,
    /// The window of an order that had given its place back is full.
    #[error("delivery window full")]
    DeliveryFullSince,
    #[error("coupon")]
    Coupon(#[from] CouponError),
    #[error("delivery")]
    Delivery(#[from] DeliveryError),
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

impl OrderError {
    /// Returns whether the error was caused by lock contention, so that a retry may succeed.
    pub fn is_contention(&self) -> bool {
        match self {
            Self::Db(error) | Self::Coupon(CouponError::Db(error)) => db::is_contention(error),
            Self::Delivery(error) => error.is_contention(),
            _ => false,
        }
    }

    /// Why an order was refused, for a metric: in words that a seller understands, and few of them.
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::ProductGone(_) | Self::OutOfStock(_) => "stock",
            Self::PriceChanged(_) => "price",
            Self::Coupon(_) => "coupon",
            Self::Delivery(_) | Self::DeliveryFullSince => "delivery",
            Self::TooManyOpenOrders { .. }
            | Self::CashLimit { .. }
            | Self::OrderTooLarge { .. }
            | Self::RateLimited { .. }
            | Self::TooManyUnpaid
            | Self::HoldLimit(_) => "limit",
            Self::Busy => "busy",
            _ => "other",
        }
    }
}

/// Repeats `work` on lock contention, up to `tries` times in all.
pub async fn retry_on_contention<T, E, Done>(
    tries: u32,
    is_contention: impl Fn(&E) -> bool,
    mut work: impl FnMut() -> Done,
) -> Result<T, E>
where
    Done: Future<Output = Result<T, E>>,
{
    let mut retries = RetryBackoff::new(tries);
    loop {
        match work().await {
            Err(error) if is_contention(&error) && retries.wait().await => {}
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

impl UnavailableProduct {
    fn to_json(&self) -> Value {
        json!({ "_id": self.id, "name": self.name, "nameNe": self.name_ne, "available": self.available })
    }

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

/// The end of a limit's message: the shop's phone number, if it has one.
fn with_phone(message: Message, phone: &str) -> Vec<Message> {
    let call_us = (!phone.is_empty()).then(|| message!("api.orders.call_us", phone = phone));
    std::iter::once(message).chain(call_us).collect()
}

impl From<OrderError> for ApiError {
    fn from(error: OrderError) -> Self {
        let products = |missing: &[UnavailableProduct]| {
            let products: Vec<Value> = missing.iter().map(UnavailableProduct::to_json).collect();
            json!({ "products": products })
        };
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
            OrderError::TooManyUnpaid => Self::conflict("too_many_unpaid", message!("api.orders.too_many_unpaid")),
            OrderError::HoldLimit(most) => Self::conflict("hold_limit", message!("api.orders.hold_limit", most = most)),
            OrderError::Inconsistent(_) => Self::internal(&error),
            OrderError::NotFound => Self::not_found("order_not_found", message!("api.orders.not_found")),
            OrderError::NotTried => Self::unavailable("not_tried", message!("api.orders.not_tried")),
            OrderError::TooManyAtOnce => Self::invalid("too_many_orders", message!("api.orders.too_many_at_once")),
            OrderError::StatusInvalid => Self::invalid("status_invalid", message!("api.orders.status_invalid")),
            OrderError::RiderUnknown => Self::conflict("rider_unknown", message!("api.orders.rider_unknown")),
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
            OrderError::NoteInvalid(longest) => {
                Self::invalid("note_invalid", message!("api.orders.note_invalid", longest = longest))
            }
            OrderError::ChoiceInvalid => Self::invalid("choice_invalid", message!("api.orders.choice_invalid")),
            OrderError::DeliveryFullSince => {
                Self::conflict("delivery_full", message!("api.orders.delivery_full_since"))
            }
            OrderError::Coupon(refusal) => refusal.into(),
            OrderError::Delivery(refusal) => refusal.into(),
            OrderError::Address(refusal) => refusal.into(),
            OrderError::Busy => Self::busy(),
            OrderError::Api(refusal) => refusal,
            OrderError::Db(cause) => Self::database(&cause),
            OrderError::Json(cause) => Self::internal(&cause),
        }
    }
}
