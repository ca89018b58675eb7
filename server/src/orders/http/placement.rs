//! Placing an order: the request, the receipt and the endpoint for cash orders. The module `settlement` has the
//! endpoints for online orders, because their response contains a payment link.

use std::net::IpAddr;

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use http::{HeaderMap, HeaderName};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::order::{DeliveryHours, PAYMENT_PENDING};
use crate::cart::Quote;
use crate::delivery::SlotRequest;
use crate::orders::error::OrderError;
use crate::orders::model::{NewReceipt, OrderRequest, RequestedItem};
use crate::orders::place;
use crate::orders::transition::Method;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::{OrderId, UserId};
use crate::platform::language::Language;
use crate::platform::messages::message;
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Json, PrivateResponse};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(place_order_cod))
}

/// An order as the client requests it. Its amounts are only what the shopper saw; the server computes its own.
#[derive(Debug, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceOrderRequest {
    pub items: Vec<PlaceOrderItem>,
    /// The delivery address on one line.
    #[serde(default)]
    pub address: String,
    /// The id of an address book entry, instead of `address`.
    pub address_id: Option<String>,
    /// The total that the shopper saw; the order is refused if the actual total is higher.
    pub total_amount: f64,
    #[serde(default)]
    pub shipping_fee: f64,
    #[serde(default)]
    pub tax: f64,
    pub payment_method: String,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub email: String,
    #[serde(default)]
    pub phone: String,
    // The hash of a request without the following fields is the same as before they existed.
    /// The id of a delivery window of `/api/delivery/options`; without it the next free one is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery_window: Option<Uuid>,
    /// The day of that window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery_day: Option<NaiveDate>,
    /// At most 300 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note_shop: Option<String>,
    /// At most 300 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note_rider: Option<String>,
    /// What to do if a product is not available: `call`, `replace` or `leave_out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_unavailable: Option<String>,
    /// The code of a coupon. The order is refused if the coupon cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coupon: Option<String>,
}

#[derive(Debug, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceOrderItem {
    #[serde(alias = "_id")]
    pub id: String,
    pub quantity: i64,
    /// What to do if this product is not available, instead of the order's choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_unavailable: Option<String>,
}

impl PlaceOrderRequest {
    /// Adds what the handler knows about the sender. `from` is the client's IP address, for cash orders only.
    pub fn into_order_request(
        self,
        user: UserId,
        headers: &HeaderMap,
        method: Method,
        from: Option<IpAddr>,
    ) -> Result<OrderRequest, OrderError> {
        let key = idempotency_key(headers)?.map(str::to_owned);
        let hash = Sha256::digest(serde_json::to_vec(&self)?).to_vec();
        let item = |item: PlaceOrderItem| RequestedItem {
            product: item.id,
            quantity: item.quantity,
            if_unavailable: item.if_unavailable,
        };
        let slot = self.delivery_window.zip(self.delivery_day).map(|(window, day)| SlotRequest { window, day });
        Ok(OrderRequest {
            user,
            key,
            hash,
            items: self.items.into_iter().map(item).collect(),
            address: self.address,
            address_id: self.address_id,
            displayed_total: self.total_amount,
            method,
            named_method: self.payment_method,
            recipient: self.name,
            email: self.email,
            phone: self.phone,
            language: Language::from_headers(headers),
            slot,
            note_shop: self.note_shop.unwrap_or_default(),
            note_rider: self.note_rider.unwrap_or_default(),
            if_unavailable: self.if_unavailable,
            coupon: self.coupon,
            from,
            write_response: Receipt::write,
        })
    }
}

/// Returns the idempotency key that the client sent.
pub fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, OrderError> {
    headers.get(IDEMPOTENCY_KEY).map(|value| value.to_str().map_err(|_| OrderError::IdempotencyKeyInvalid)).transpose()
}

/// The response to a placed order; a repeated request gets the same one.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    pub id: OrderId,
    pub order_id: String,
    pub tracking_number: String,
    pub date: DateTime<Utc>,
    pub delivery_date: NaiveDate,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery_window: Option<DeliveryHours>,
    pub status: &'static str,
    pub payment_method: &'static str,
    #[serde(flatten)]
    pub quote: Quote,
}

impl Receipt {
    fn write(new: &NewReceipt<'_>) -> serde_json::Result<String> {
        serde_json::to_string(&Self {
            id: new.id,
            order_id: new.code.to_owned(),
            tracking_number: new.tracking.to_owned(),
            date: new.placed_at,
            delivery_date: new.delivery_date,
            delivery_window: new.slot.map(|slot| DeliveryHours::new(slot.starts, slot.ends, true)),
            status: if new.state.method == Method::Online { PAYMENT_PENDING } else { new.state.status.name() },
            payment_method: new.state.method.name(),
            quote: new.quote,
        })
    }
}

/// Place a cash-on-delivery order.
///
/// A repeated `Idempotency-Key` returns the same response.
#[utoipa::path(
    post, path = "/api/order/place_order_COD", tag = "orders", security(("shopper" = [])), request_body = PlaceOrderRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "Made by the client, stored before sending")),
    responses((status = 200, body = ApiResponse<Receipt>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn place_order_cod(
    State(app): State<App>,
    Shopper(session): Shopper,
    ClientIp(address): ClientIp,
    headers: HeaderMap,
    Json(request): Json<PlaceOrderRequest>,
) -> Result<PrivateResponse<Box<RawValue>>, ApiError> {
    let request = request.into_order_request(session.person, &headers, Method::Cod, Some(address))?;
    let placed = place::place(&app, &request).await?;
    let response = RawValue::from_string(placed.response).map_err(OrderError::from)?;
    Ok(PrivateResponse::with_message(response, message!("api.orders.placed")))
}
