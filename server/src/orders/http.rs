//! The calls below `/api/order/`.

use axum::Extension;
use axum::extract::State;
use axum::response::IntoResponse;
use chrono::NaiveDate;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::change;
use super::follow::{self, Asked, Page};
use super::live::{self, Watch};
use super::model::{Order, OrderError, Receipt};
use super::place::{self, Wish};
use super::transition::Label;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::sessions::{Seller, Shopper};
use crate::platform::state::App;
use crate::platform::web::{Json, Language, Personal, Private, Query, Reply};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// nginx passes an answer with this on as it comes.
const NO_BUFFER: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
const NO_STORE: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(place_order_cod))
        .routes(routes!(place_order_online))
        .routes(routes!(get_placing))
        .routes(routes!(get_order))
        .routes(routes!(cancel_order))
        .routes(routes!(watch_own))
        .routes(routes!(get_orders))
        .routes(routes!(update_order_status))
        .routes(routes!(watch_all))
        .layer(Extension(Watch::default()))
}

/// Place an order that is paid on delivery. The same `Idempotency-Key` gets the same answer.
#[utoipa::path(
    post, path = "/api/order/place_order_COD", tag = "orders", request_body = Wish,
    params(("Idempotency-Key" = Option<String>, Header, description = "Made by the client, stored before sending")),
    responses((status = 200, body = Reply<Receipt>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn place_order_cod(
    State(app): State<App>,
    Shopper(session): Shopper,
    headers: HeaderMap,
    Json(wish): Json<Wish>,
) -> Result<Private<Box<RawValue>>, ApiError> {
    let answer = place::cash_on_delivery(&app, session.person, key(&headers)?, &wish, Language::of(&headers)).await?;
    let answer = RawValue::from_string(answer).map_err(OrderError::from)?;
    Ok(Private::with(answer, "Order placed successfully!"))
}

fn key(headers: &HeaderMap) -> Result<Option<&str>, OrderError> {
    headers.get(KEY).map(|value| value.to_str().map_err(|_| OrderError::KeyInvalid)).transpose()
}

/// What became of a placing.
#[derive(Serialize, utoipa::ToSchema)]
struct Placing {
    /// The answer it was given; null when it never arrived.
    #[schema(required, value_type = Option<Receipt>)]
    receipt: Option<Box<RawValue>>,
}

/// Ask what became of a placing whose answer was lost. Asking places nothing.
#[utoipa::path(
    get, path = "/api/order/get_placing", tag = "orders",
    params(("Idempotency-Key" = String, Header, description = "As it was sent")),
    responses((status = 200, body = Reply<Placing>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_placing(
    State(app): State<App>,
    Shopper(session): Shopper,
    headers: HeaderMap,
) -> Result<Private<Placing>, ApiError> {
    let key = key(&headers)?.ok_or(OrderError::KeyInvalid)?;
    let answer = place::answer_of(&app, session.person, key).await?;
    let receipt = answer.map(RawValue::from_string).transpose().map_err(OrderError::from)?;
    Ok(Private::ok(Placing { receipt }))
}

/// Place an order that is paid through a wallet.
#[utoipa::path(
    post, path = "/api/order/place_order_online", tag = "orders", request_body = Wish,
    responses((status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn place_order_online(Shopper(_session): Shopper, Json(_wish): Json<Wish>) -> ApiError {
    OrderError::NoOnlinePayment.into()
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct OrderList {
    success: bool,
    message: &'static str,
    data: Vec<Order>,
    /// For the next page; null on the last.
    #[schema(required)]
    next_cursor: Option<String>,
}

impl From<Page> for OrderList {
    fn from(page: Page) -> Self {
        Self { success: true, message: "", data: page.orders, next_cursor: page.next_cursor }
    }
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct OwnQuery {
    /// Any part of an order's number or of the name of something in it, in any case.
    search: Option<String>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
    /// At most 100, which is also what a call without it gets.
    limit: Option<u16>,
}

/// The shopper's orders, newest first.
#[utoipa::path(
    get, path = "/api/order/get_order", tag = "orders", params(OwnQuery),
    responses((status = 200, body = OrderList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_order(
    State(app): State<App>,
    Shopper(session): Shopper,
    Query(query): Query<OwnQuery>,
) -> Result<Personal<OrderList>, ApiError> {
    let asked = Asked { search: query.search, cursor: query.cursor, limit: query.limit, unpaid: true };
    Ok(Personal(follow::own(&app, session.person, &asked).await?.into()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct WhichOrder {
    /// The order's `_id`.
    order_id: String,
}

/// Cancel an order that has not been sent.
#[utoipa::path(
    post, path = "/api/order/cancel_order", tag = "orders", request_body = WhichOrder,
    responses((status = 200, body = Reply<Order>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn cancel_order(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<WhichOrder>,
) -> Result<Private<Order>, ApiError> {
    let order = change::cancel(&app, session.person, id(&body.order_id)?).await?;
    Ok(Private::with(order, "Order cancelled."))
}

/// News of the shopper's own orders, as server-sent events.
#[utoipa::path(
    get, path = "/api/order/live", tag = "orders",
    responses((status = 200, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn watch_own(
    State(app): State<App>,
    Extension(watch): Extension<Watch>,
    Shopper(session): Shopper,
) -> impl IntoResponse {
    ([NO_BUFFER, NO_STORE], live::stream(&app, &watch, Some(session.person)))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct AllQuery {
    /// Part of a status, or of an order's number: its beginning, or any part of it among the newest 5,000.
    search: Option<String>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
    /// At most 100; 50 without it.
    limit: Option<u16>,
    /// Online orders that wait for their money, too.
    unpaid: Option<bool>,
}

/// All orders, newest first, for the seller.
#[utoipa::path(
    get, path = "/api/order/get_orders", tag = "orders", params(AllQuery),
    responses((status = 200, body = OrderList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_orders(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<AllQuery>,
) -> Result<Personal<OrderList>, ApiError> {
    let unpaid = query.unpaid.unwrap_or(false);
    let asked = Asked { search: query.search, cursor: query.cursor, limit: query.limit, unpaid };
    Ok(Personal(follow::all(&app, &asked).await?.into()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusChange {
    /// The order's `_id`.
    order_id: String,
    /// One of the six; may be left out when only the date changes.
    status: Option<String>,
    delivery_date: Option<NaiveDate>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct StatusReply {
    success: bool,
    message: &'static str,
    data: Order,
    /// What somebody should look at now; mostly empty.
    warning: String,
}

/// Set an order's status: any, at any time.
#[utoipa::path(
    put, path = "/api/order/update_order_status", tag = "orders", request_body = StatusChange,
    responses((status = 200, body = StatusReply), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_order_status(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<StatusChange>,
) -> Result<Personal<StatusReply>, ApiError> {
    let label = match body.status.as_deref() {
        Some(status) => Some(Label::from_name(status).ok_or(OrderError::StatusInvalid)?),
        None if body.delivery_date.is_some() => None,
        None => return Err(OrderError::StatusInvalid.into()),
    };
    let changed = change::set_status(&app, session.person, id(&body.order_id)?, label, body.delivery_date).await?;
    let message = "Order status updated successfully!";
    Ok(Personal(StatusReply { success: true, message, data: changed.order, warning: changed.warning }))
}

/// News of all orders, for the seller, as server-sent events.
#[utoipa::path(
    get, path = "/api/order/live_all", tag = "orders",
    responses((status = 200, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn watch_all(
    State(app): State<App>,
    Extension(watch): Extension<Watch>,
    Seller(_session): Seller,
) -> impl IntoResponse {
    ([NO_BUFFER, NO_STORE], live::stream(&app, &watch, None))
}

fn id(text: &str) -> Result<Uuid, OrderError> {
    text.parse().map_err(|_| OrderError::NotFound)
}
