//! An order in the contract's form.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::media;
use crate::orders::error::OrderError;
use crate::orders::model::{OrderDetails, OrderItemRow, OrderViewer, amount_due, amount_to_collect};
use crate::orders::queries::OrderPage;
use crate::orders::transition::{FinancialStatus, OrderStatus};
use crate::platform::ids::{OrderId, ProductId};
use crate::platform::money::Paisa;

/// The statuses that the shopper sees while an online order awaits payment and after the payment has failed.
pub const PAYMENT_PENDING: &str = "Payment Pending";
const PAYMENT_FAILED: &str = "Payment Failed";

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    pub id: OrderId,
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
    /// What the shopper owes after packing; absent until the order is packed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub amount_due: Option<Paisa>,
    /// Whether the shop was registered for VAT when the order was placed; if not, no tax is shown.
    pub vat_registered: bool,
    pub tracking_number: String,
    pub delivery_date: NaiveDate,
    /// The hours in which the order is delivered, if a window was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery_window: Option<DeliveryHours>,
    /// What the shopper wants the shop to know.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub note_shop: String,
    /// What the shopper wants the rider to know.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub note_rider: String,
    /// What to do if a product is not available: `call`, `replace` or `leave_out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_unavailable: Option<String>,
    /// The coupon with which the order was placed; its discount is in the prices of the items already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coupon: Option<OrderCoupon>,
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
    /// Who delivers the order; present for the seller only, if a rider is assigned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rider: Option<OrderRider>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OrderRider {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OrderCoupon {
    pub code: String,
    /// What it took off the goods as they were ordered.
    #[schema(value_type = f64)]
    pub discount: Paisa,
}

/// The hours of a delivery window, in local time such as `07:00`.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryHours {
    starts: String,
    ends: String,
    /// False if the order gave its place back and found the window full when it was taken up again.
    has_place: bool,
}

impl DeliveryHours {
    pub fn new(starts: NaiveTime, ends: NaiveTime, has_place: bool) -> Self {
        let text = |time: NaiveTime| time.format("%H:%M").to_string();
        Self { starts: text(starts), ends: text(ends), has_place }
    }
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
    #[schema(value_type = String, format = Uuid)]
    pub id: ProductId,
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
    /// What to do if this product is not available, instead of the order's choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_unavailable: Option<String>,
    /// What a unit weighs as expected, in grams; present if the product is weighed when the order is packed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_grams: Option<i32>,
    /// What a unit cost before the coupon; present if the order has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub price_before_coupon: Option<Paisa>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct TimelineEntry {
    #[serde(rename = "_id")]
    pub id: String,
    pub status: String,
    pub date: DateTime<Utc>,
}

impl From<OrderDetails> for Order {
    fn from(order: OrderDetails) -> Self {
        let OrderDetails { row, items, timeline, coupon, attention, rider, viewer } = order;
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
        let due = amount_due(&row);
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
            delivery_window: row
                .delivery_starts
                .zip(row.delivery_ends)
                .map(|(starts, ends)| DeliveryHours::new(starts, ends, row.has_delivery_place)),
            note_shop: row.note_shop,
            note_rider: row.note_rider,
            if_unavailable: row.if_unavailable,
            cash_to_collect: if row.payment == FinancialStatus::CodDue.name() {
                amount_to_collect(due, row.returned)
            } else {
                Paisa::ZERO
            },
            amount_due: row.amount_due,
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
            coupon: coupon.map(|used| OrderCoupon { code: used.code, discount: used.discount }),
            items: items.into_iter().map(OrderItem::from).collect(),
            can_cancel,
            can_pay,
            confirm_by: row.confirm_by,
            attention,
            rider: rider.map(|rider| OrderRider { id: rider.id, name: rider.name }),
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
            if_unavailable: item.if_unavailable,
            step_grams: item.step_grams,
            price_before_coupon: item.price_before_coupon,
        }
    }
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderIdRequest {
    /// The order's `_id`.
    order_id: String,
}

impl OrderIdRequest {
    pub fn parse(&self) -> Result<OrderId, OrderError> {
        parse_order_id(&self.order_id)
    }
}

pub fn parse_order_id(text: &str) -> Result<OrderId, OrderError> {
    text.parse().map_err(|_| OrderError::NotFound)
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderList {
    success: bool,
    message: &'static str,
    data: Vec<Order>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

impl From<OrderPage> for OrderList {
    fn from(page: OrderPage) -> Self {
        let data = page.orders.into_iter().map(Order::from).collect();
        Self { success: true, message: "", data, next_cursor: page.next_cursor }
    }
}
