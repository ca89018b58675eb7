//! A complaint in responses, to either side.

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::header;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::complaints::model::{Complaint, ComplaintItem, ComplaintMessage};
use crate::platform::ids::{OrderId, ProductId};

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Complaint)]
pub struct ComplaintResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    /// A number for people.
    code: String,
    #[schema(value_type = String, format = Uuid)]
    order: OrderId,
    order_id: String,
    order_status: String,
    /// `damaged`, `missing`, `wrong`, `late`, `quality` or `other`.
    reason: String,
    /// `refund`, `replacement` or `answer`.
    remedy: String,
    text: String,
    /// `open`, `accepted`, `partly` or `refused`.
    state: String,
    outcome_text: String,
    created_at: DateTime<Utc>,
    /// By when the shop has to decide.
    due_at: DateTime<Utc>,
    #[schema(required)]
    decided_at: Option<DateTime<Utc>>,
    items: Vec<ComplaintItemResponse>,
    /// URLs of the photos.
    photos: Vec<String>,
    messages: Vec<ComplaintMessageResponse>,
    /// The customer's name and phone number, for the seller only.
    #[serde(skip_serializing_if = "Option::is_none")]
    customer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ComplaintItem)]
struct ComplaintItemResponse {
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    name: String,
    #[schema(required)]
    name_ne: Option<String>,
    quantity: i32,
}

impl From<ComplaintItem> for ComplaintItemResponse {
    fn from(item: ComplaintItem) -> Self {
        Self { product: item.product_id, name: item.name, name_ne: item.name_ne, quantity: item.quantity }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ComplaintMessage)]
struct ComplaintMessageResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    /// `shopper` or `shop`.
    from: &'static str,
    text: String,
    created_at: DateTime<Utc>,
}

impl From<ComplaintMessage> for ComplaintMessageResponse {
    fn from(message: ComplaintMessage) -> Self {
        let from = if message.seller.is_some() { "shop" } else { "shopper" };
        Self { id: message.id, from, text: message.text, created_at: message.created_at }
    }
}

impl ComplaintResponse {
    pub fn for_shopper(complaint: Complaint) -> Self {
        Self::new(complaint, "photo")
    }

    pub fn for_seller(complaint: Complaint) -> Self {
        let (customer, phone) = (complaint.order.customer.clone(), complaint.order.phone.clone());
        Self { customer: Some(customer), phone: Some(phone), ..Self::new(complaint, "seller_photo") }
    }

    fn new(complaint: Complaint, photo_call: &str) -> Self {
        let Complaint { row, items, photos, messages, order } = complaint;
        Self {
            id: row.id,
            code: row.code,
            order: row.order_id,
            order_id: order.code,
            order_status: order.status,
            reason: row.reason,
            remedy: row.remedy,
            text: row.text,
            state: row.state,
            outcome_text: row.outcome_text,
            created_at: row.created_at,
            due_at: row.due_at,
            decided_at: row.decided_at,
            items: items.into_iter().map(ComplaintItemResponse::from).collect(),
            photos: photos.into_iter().map(|photo| format!("/api/complaint/{photo_call}/{}", photo.id)).collect(),
            messages: messages.into_iter().map(ComplaintMessageResponse::from).collect(),
            customer: None,
            phone: None,
        }
    }
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PhotoQuery {
    /// The small variant, for lists.
    #[serde(default)]
    pub small: bool,
}

/// A photo, which no cache may store.
pub fn photo_response(webp: Bytes) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "image/webp"),
        (header::CACHE_CONTROL, "private, no-store"),
        (header::CONTENT_DISPOSITION, "inline; filename=\"photo.webp\""),
    ];
    (headers, webp).into_response()
}
