//! The rows and types of orders.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::cash_limits::PurchaseHistory;
use super::transition::{FinancialStatus, Method, State};
use crate::cart::Quote;
use crate::catalogue::{Offer, TaxClass};
use crate::coupons::{Coupon, CouponUse};
use crate::delivery::{DeliveryFees, Slot, SlotRequest};
use crate::payments::Payment;
use crate::platform::config::Rates;
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::jobs;
use crate::platform::language::Language;
use crate::platform::money::{Paisa, Percent};

/// The person who sees an order; they see different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderViewer {
    Shopper,
    Seller,
    /// Sees the items that were packed instead of those that were ordered.
    Rider,
}

#[derive(Debug, Clone)]
pub struct OrderRow {
    pub id: OrderId,
    pub code: String,
    pub tracking: String,
    pub user_id: UserId,
    pub method: String,
    pub status: String,
    pub payment: String,
    pub dispatched: bool,
    pub subtotal: Paisa,
    pub tax: Paisa,
    pub shipping: Paisa,
    pub total: Paisa,
    /// What is owed after packing; `None` until then.
    pub amount_due: Option<Paisa>,
    /// The value of what came back at the door.
    pub returned: Paisa,
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
    /// The hours of the delivery window, if the order has one.
    pub delivery_starts: Option<NaiveTime>,
    pub delivery_ends: Option<NaiveTime>,
    pub has_delivery_place: bool,
    pub note_shop: String,
    pub note_rider: String,
    pub if_unavailable: Option<String>,
}

/// What is to be collected for a cash order: what is due, less the value of what came back at the door.
pub const fn amount_to_collect(due: Paisa, returned: Paisa) -> Paisa {
    Paisa(due.0 - returned.0)
}

pub struct OrderItemRow {
    pub order_id: OrderId,
    pub product_id: ProductId,
    pub name: String,
    pub name_ne: Option<String>,
    pub picture_key: Option<String>,
    pub price: Paisa,
    pub tax_class: String,
    pub quantity: i32,
    pub pack_label: Option<String>,
    pub pack_label_ne: Option<String>,
    pub if_unavailable: Option<String>,
    /// What a unit weighs as expected, if the product is sold by weight.
    pub step_grams: Option<i32>,
    /// What a unit cost before the coupon of the order.
    pub price_before_coupon: Option<Paisa>,
}

/// Returns what the shopper owes: the total, or after packing what is in the bag.
pub fn amount_due(order: &OrderRow) -> Paisa {
    order.amount_due.unwrap_or(order.total)
}

/// The amounts and rates that the shopper agreed to when the order was placed.
#[derive(Debug, Clone, Copy)]
pub struct OrderTerms {
    pub total: Paisa,
    /// The fee that was charged; zero if it was waived.
    pub shipping: Paisa,
    pub free_above: Option<Paisa>,
    pub tax_rate: Percent,
    pub vat_registered: bool,
    pub prices_include_tax: bool,
    /// How much more than the estimate is charged for weighed goods at most.
    pub weight_tolerance: Percent,
}

pub struct TimelineRow {
    pub order_id: OrderId,
    pub status: String,
    pub at: DateTime<Utc>,
}

/// The person who delivers an order.
pub struct Rider {
    pub id: Uuid,
    pub name: String,
}

/// An order with everything that its viewer sees.
pub struct OrderDetails {
    pub row: OrderRow,
    pub items: Vec<OrderItemRow>,
    pub timeline: Vec<TimelineRow>,
    pub coupon: Option<CouponUse>,
    /// The kinds of the open cases of the order; filled for the seller only.
    pub attention: Vec<String>,
    /// Who delivers the order; loaded for the seller only.
    pub rider: Option<Rider>,
    pub viewer: OrderViewer,
}

/// An order that is locked until the transaction ends.
pub struct LockedOrder {
    pub id: OrderId,
    pub user: UserId,
    pub code: String,
    pub total: Paisa,
    /// What the shopper owes: the total, or after packing what is in the bag.
    pub due: Paisa,
    /// The value of what came back at the door.
    pub returned: Paisa,
    /// Who delivers the order.
    pub rider: Option<Uuid>,
    /// The cash that the rider says was collected; `None` is the amount to collect.
    pub collected: Option<Paisa>,
    pub state: State,
    pub hold_ends_at: Option<DateTime<Utc>>,
    pub confirm_by: Option<DateTime<Utc>>,
    pub delivery_date: NaiveDate,
    pub delivery_window: Option<Uuid>,
    /// Whether the order is counted in the slot of its window and day.
    pub has_delivery_place: bool,
    /// The payment attempts, oldest first.
    pub payments: Vec<Payment>,
    /// When the lock was acquired; changes to the order in this transaction get this time.
    pub now: DateTime<Utc>,
}

impl LockedOrder {
    /// What is still to be collected in cash; zero unless cash is due.
    pub fn cash_due(&self) -> Paisa {
        if self.state.payment == FinancialStatus::CodDue {
            amount_to_collect(self.due, self.returned)
        } else {
            Paisa::ZERO
        }
    }
}

/// A product that is not available in the requested quantity.
#[derive(Debug, Clone)]
pub struct UnavailableProduct {
    pub id: ProductId,
    pub name: String,
    pub name_ne: Option<String>,
    pub available: i32,
}

/// An order as the client requests it. Its total is only what the shopper saw; the server computes its own.
#[derive(Debug)]
pub struct OrderRequest {
    pub user: UserId,
    /// The client's idempotency key.
    pub key: Option<String>,
    /// The hash of the request as the client sent it.
    pub hash: Vec<u8>,
    pub items: Vec<RequestedItem>,
    pub address: String,
    pub address_id: Option<String>,
    pub displayed_total: f64,
    pub method: Method,
    /// The payment method that the client names; it must be `method`.
    pub named_method: String,
    pub recipient: String,
    pub email: String,
    pub phone: String,
    pub language: Language,
    /// The delivery window that the shopper chose; without it the next free one is taken.
    pub slot: Option<SlotRequest>,
    pub note_shop: String,
    pub note_rider: String,
    /// What to do if a product is not available, by its name in the contract.
    pub if_unavailable: Option<String>,
    /// The code of a coupon.
    pub coupon: Option<String>,
    /// The client's IP address; set for cash orders only.
    pub from: Option<IpAddr>,
    /// Writes the response, which is stored with the order, so that a repeated request gets the same one.
    pub write_response: fn(&NewReceipt<'_>) -> serde_json::Result<String>,
}

#[derive(Debug)]
pub struct RequestedItem {
    pub product: String,
    pub quantity: i64,
    pub if_unavailable: Option<String>,
}

/// What the shop does if a product is not available.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfUnavailable {
    Call,
    Replace,
    LeaveOut,
}

impl IfUnavailable {
    /// The name in the contract and in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Replace => "replace",
            Self::LeaveOut => "leave_out",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Call, Self::Replace, Self::LeaveOut].into_iter().find(|choice| choice.name() == name)
    }
}

/// The contents of the response to a placed order.
pub struct NewReceipt<'a> {
    pub id: OrderId,
    pub code: &'a str,
    pub tracking: &'a str,
    pub placed_at: DateTime<Utc>,
    pub delivery_date: NaiveDate,
    pub slot: Option<Slot>,
    pub state: State,
    pub quote: Quote,
}

/// A placed order and its original response, byte for byte.
pub struct PlacedOrder {
    pub order: OrderId,
    pub response: String,
}

/// An order that nobody of the staff has opened.
pub struct NotOpenedOrder {
    pub id: OrderId,
    pub code: String,
    pub total: Paisa,
    pub created_at: DateTime<Utc>,
}

/// What an alert of the staff says about an order.
pub struct OrderForAlert {
    pub code: String,
    pub total: Paisa,
    pub is_opened: bool,
    /// Whether the order still has to be packed.
    pub is_waiting: bool,
}

/// The key under which the response to an order placement is stored.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    pub user: UserId,
    pub text: String,
    /// How long a key that was made from the request body is valid; `None` for a key of the client.
    pub window: Option<Duration>,
}

/// The data that the placement of an order depends on, read without locks.
pub struct PlacementSnapshot {
    /// The number of orders that the shopper has placed; `insert_order` writes nothing if it has changed.
    pub placed: i64,
    pub last_minute: i64,
    pub last_day: i64,
    pub open_cod: i64,
    pub open_cod_worth: Paisa,
    /// What the shopper has paid for among the newest orders.
    pub history: PurchaseHistory,
    /// Unpaid orders with one of the same products, which a new order replaces.
    pub unpaid_same_products: Vec<OrderId>,
    /// The number of other unpaid orders that hold stock.
    pub unpaid_others: i64,
    pub has_response: bool,
    /// The requested products, without ids that the shop never had.
    pub offers: Vec<Offer>,
}

pub struct StoredResponse {
    pub request_hash: Vec<u8>,
    pub order_id: OrderId,
    pub response: String,
}

pub struct NewOrder<'a> {
    pub id: OrderId,
    pub code: &'a str,
    pub tracking: &'a str,
    pub key: &'a IdempotencyKey,
    pub request_hash: &'a [u8],
    pub response: &'a str,
    pub placed_before: i64,
    pub state: State,
    pub quote: Quote,
    /// The rates and fees that the quote was computed with.
    pub rates: Rates,
    pub fees: DeliveryFees,
    pub delivery: &'a Delivery,
    pub language: &'a str,
    pub delivery_date: NaiveDate,
    pub slot: Option<Slot>,
    pub note_shop: &'a str,
    pub note_rider: &'a str,
    pub if_unavailable: Option<IfUnavailable>,
    pub created_at: DateTime<Utc>,
    pub items: &'a NewItems,
    pub coupon: Option<&'a Coupon>,
    /// When the hold ends; set for online orders only, which leave the cart as it is and send no email yet.
    pub hold_ends_at: Option<DateTime<Utc>>,
    /// The deadline for confirming the email address; ignored if the address is already confirmed.
    pub confirm_by: Option<DateTime<Utc>>,
    pub email: &'a str,
    pub email_job: &'a str,
    pub email_attempts: i32,
}

/// The recipient and address, as given when the order was placed.
#[derive(Debug, Clone, Default)]
pub struct Delivery {
    pub recipient: String,
    pub email: String,
    pub phone: String,
    pub address: String,
    /// Decides about the zone; it is not stored with the order.
    pub district: String,
    pub municipality: String,
    pub ward: String,
    pub landmark: String,
}

/// The items of an order, one vector for each column.
#[derive(Debug, Default)]
pub struct NewItems {
    pub products: Vec<ProductId>,
    pub names: Vec<String>,
    pub names_ne: Vec<Option<String>>,
    pub pictures: Vec<Option<String>>,
    pub prices: Vec<i64>,
    /// The prices before the coupon, which the products must still have.
    pub listed_prices: Vec<i64>,
    pub tax_classes: Vec<String>,
    pub quantities: Vec<i32>,
    pub pack_labels: Vec<Option<String>>,
    pub pack_labels_ne: Vec<Option<String>>,
    pub if_unavailable: Vec<Option<&'static str>>,
}

/// A search in the seller's orders.
pub struct OrderSearch<'a> {
    /// Only orders with this status.
    pub only: Option<&'a str>,
    pub statuses: &'a [String],
    /// The text in the notation of order numbers.
    pub code: &'a str,
    pub code_pattern: &'a str,
    /// Part of the customer's name or phone number, in the form of `order_contact`.
    pub contact_pattern: &'a str,
    /// False for a text that is too short for the trigram index; it is searched among the newest orders only.
    pub contact_is_long: bool,
    /// The products that the text matches.
    pub products: &'a [ProductId],
    /// Too many products match, so the items of the newest orders are searched instead.
    pub more_products: bool,
    pub product_pattern: &'a str,
}

/// An order event, as the event stream needs it.
#[derive(Debug, Clone)]
pub struct OrderEventRow {
    pub event: i64,
    pub order: OrderId,
    pub user: UserId,
    pub code: String,
    /// The current status of the order.
    pub status: String,
    /// The event makes the order new to the seller: a cash order was placed, or an online order was paid.
    pub is_new: bool,
    /// The event is so old that no event with a smaller id can still appear.
    pub is_settled: bool,
}

pub struct CaseRow {
    pub id: i64,
    pub kind: String,
    pub opened_at: DateTime<Utc>,
    pub closed_at: Option<DateTime<Utc>>,
    pub order_id: OrderId,
    pub code: String,
    pub status: String,
    pub method: String,
    pub payment: String,
    pub total: Paisa,
    pub recipient: String,
    pub phone: String,
}

/// What was sold with one line of an order: as packed, or as ordered until then.
#[derive(Debug, Clone)]
pub struct SoldLine {
    pub product_id: ProductId,
    pub name: String,
    pub name_ne: Option<String>,
    pub pack_label: Option<String>,
    pub pack_label_ne: Option<String>,
    pub price: Paisa,
    pub quantity: i32,
    pub tax_class: TaxClass,
    /// What is charged for all units.
    pub amount: Paisa,
    /// What they weigh together, if they were weighed.
    pub grams: Option<i32>,
    pub step_grams: Option<i32>,
    /// What a unit cost before the coupon of the order.
    pub price_before_coupon: Option<Paisa>,
}

/// The job that issues the bill of an order that was dispatched or delivered, or takes it back if the order was
/// cancelled. The module `billing` runs it; a change of the status enqueues it in its own transaction.
#[derive(Serialize, Deserialize)]
pub struct IssueBill {
    pub order: OrderId,
}

impl IssueBill {
    /// Returns the job for a change that can concern a bill.
    pub fn for_change(order: OrderId, before: State, after: State) -> Option<Self> {
        let concerns_bill = after.status != before.status && (before.dispatched || after.dispatched);
        concerns_bill.then_some(Self { order })
    }
}

/// The job that sends a refund to the wallet. The module `settlement` runs it; a change that needs a refund enqueues it
/// here, in its own transaction.
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
