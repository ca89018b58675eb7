//! The endpoints under `/api/order/`.

use axum::Extension;
use axum::extract::State;
use axum::response::IntoResponse;
use chrono::NaiveDate;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::cases::{self, Case};
use super::event_stream::{self, EventHub};
use super::model::{OnlineReceipt, Order, OrderError, PaymentInfo, PaymentRedirect, Receipt};
use super::money_report::{self, MoneyReport};
use super::overview::{self, Overview, TopProduct};
use super::pay;
use super::place::{self, PlaceOrderRequest};
use super::queries::{self, OrderFilter, OrderPage};
use super::seller_orders::{self, BulkResult, DeliverySheet, OrderCounts};
use super::transition::{Method, OrderStatus};
use super::{change, verify};
use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::language::Language;
use crate::platform::messages::{self, Message, message};
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions::{Seller, Shopper};
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Empty, Json, NoStore, PrivateResponse, Query, csv_headers};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// This header tells nginx not to buffer the response.
const NO_BUFFER: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
const NO_STORE: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(place_order_cod))
        .routes(routes!(place_order_online))
        .routes(routes!(get_order_placement))
        .routes(routes!(pay_order))
        .routes(routes!(verify_khalti_payment))
        .routes(routes!(get_order))
        .routes(routes!(cancel_order))
        .routes(routes!(stream_own_events))
        .routes(routes!(get_orders))
        .routes(routes!(get_order_counts))
        .routes(routes!(update_order_status))
        .routes(routes!(update_order_statuses))
        .routes(routes!(get_delivery_sheet))
        .routes(routes!(get_overview))
        .routes(routes!(get_top_products))
        .routes(routes!(stream_all_events))
        .routes(routes!(get_cases))
        .routes(routes!(check_payment))
        .routes(routes!(refund_payment))
        .routes(routes!(close_case))
        .routes(routes!(money_report))
        .routes(routes!(money_report_csv))
        .layer(Extension(EventHub::default()))
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
    let language = Language::from_headers(&headers);
    let placed =
        place::place(&app, session.person, idempotency_key(&headers)?, &request, Method::Cod, language, Some(address))
            .await?;
    let response = RawValue::from_string(placed.response).map_err(OrderError::from)?;
    Ok(PrivateResponse::with_message(response, message!("api.orders.placed")))
}

/// Adds the payment redirect to the receipt of an order.
fn add_payment_redirect(response: &str, redirect: PaymentRedirect) -> Result<Box<RawValue>, OrderError> {
    let mut receipt: Map<String, Value> = serde_json::from_str(response)?;
    if let Value::Object(redirect) = serde_json::to_value(redirect)? {
        receipt.extend(redirect);
    }
    Ok(serde_json::value::to_raw_value(&receipt)?)
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, OrderError> {
    headers.get(IDEMPOTENCY_KEY).map(|value| value.to_str().map_err(|_| OrderError::IdempotencyKeyInvalid)).transpose()
}

/// The result of an order placement.
#[derive(Serialize, utoipa::ToSchema)]
struct OrderPlacement {
    /// The receipt of the order; null if no order was placed with this key.
    #[schema(required, value_type = Option<Receipt>)]
    receipt: Option<Box<RawValue>>,
}

/// Get the receipt of an order whose response was lost.
///
/// This call never places an order.
#[utoipa::path(
    get, path = "/api/order/get_order_placement", tag = "orders", security(("shopper" = [])),
    params(("Idempotency-Key" = String, Header, description = "As it was sent")),
    responses((status = 200, body = ApiResponse<OrderPlacement>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_order_placement(
    State(app): State<App>,
    Shopper(session): Shopper,
    headers: HeaderMap,
) -> Result<PrivateResponse<OrderPlacement>, ApiError> {
    let key = idempotency_key(&headers)?.ok_or(OrderError::IdempotencyKeyInvalid)?;
    let Some(placed) = place::find_placed(&app, session.person, key).await? else {
        return Ok(PrivateResponse::ok(OrderPlacement { receipt: None }));
    };
    let receipt = match pay::find_link(&app, placed.order).await? {
        None => RawValue::from_string(placed.response).map_err(OrderError::from)?,
        Some(link) => add_payment_redirect(&placed.response, link)?,
    };
    Ok(PrivateResponse::ok(OrderPlacement { receipt: Some(receipt) }))
}

/// Place an order and get the link to pay for it online.
///
/// Its stock is held until shortly after the payment link has ended.
#[utoipa::path(
    post, path = "/api/order/place_order_online", tag = "orders", security(("shopper" = [])), request_body = PlaceOrderRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "Made by the client, stored before sending")),
    responses((status = 200, body = ApiResponse<OnlineReceipt>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn place_order_online(
    State(app): State<App>,
    Shopper(session): Shopper,
    headers: HeaderMap,
    Json(request): Json<PlaceOrderRequest>,
) -> Result<PrivateResponse<Box<RawValue>>, ApiError> {
    app.limits.payment_links.check(session.person)?;
    let (placed, link) =
        pay::place_online(&app, session.person, idempotency_key(&headers)?, &request, Language::from_headers(&headers))
            .await?;
    Ok(PrivateResponse::ok(add_payment_redirect(&placed.response, link)?))
}

/// Get the payment link of an order, or create a new one.
#[utoipa::path(
    post, path = "/api/order/pay_order", tag = "orders", security(("shopper" = [])), request_body = OrderIdRequest,
    responses((status = 200, body = ApiResponse<PaymentRedirect>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn pay_order(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<OrderIdRequest>,
) -> Result<PrivateResponse<PaymentRedirect>, ApiError> {
    app.limits.payment_links.check(session.person)?;
    Ok(PrivateResponse::ok(pay::get_or_create_link(&app, session.person, parse_order_id(&body.order_id)?).await?))
}

/// The parameters of the wallet's redirect. Only `pidx` is used to find the payment in our own records; a
/// `purchase_order_id` that does not match is logged.
#[derive(Deserialize, utoipa::ToSchema)]
struct VerifyPaymentRequest {
    pidx: String,
    #[serde(rename = "txnId", default)]
    #[expect(dead_code, reason = "part of the contract, and nobody's word")]
    txn_id: Option<String>,
    #[serde(default)]
    purchase_order_id: Option<String>,
    #[serde(default)]
    #[expect(dead_code, reason = "part of the contract, and nobody's word")]
    purchase_order_name: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct VerifyPaymentResponse {
    success: bool,
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    message: Message,
    /// The payment, for the shopper who placed the order; null if the caller is not signed in.
    #[schema(required)]
    data: Option<PaymentInfo>,
}

/// Check whether a payment is complete.
///
/// The call may be repeated any number of times.
#[utoipa::path(
    post, path = "/api/order/verify_khalti_payment", tag = "orders", request_body = VerifyPaymentRequest,
    responses((status = 200, body = VerifyPaymentResponse), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn verify_khalti_payment(
    State(app): State<App>,
    session: Option<Shopper>,
    ClientIp(address): ClientIp,
    Json(body): Json<VerifyPaymentRequest>,
) -> Result<NoStore<VerifyPaymentResponse>, ApiError> {
    app.limits.payment_checks.check(address)?;
    let user = session.map(|Shopper(session)| session.person);
    let data = verify::verify_payment(&app, user, &body.pidx, body.purchase_order_id.as_deref()).await?;
    let message =
        if data.is_some() { message!("api.payments.confirmed") } else { message!("api.payments.confirmed_signed_out") };
    Ok(NoStore(VerifyPaymentResponse { success: true, message, data }))
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct OrderList {
    success: bool,
    message: &'static str,
    data: Vec<Order>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

impl From<OrderPage> for OrderList {
    fn from(page: OrderPage) -> Self {
        Self { success: true, message: "", data: page.orders, next_cursor: page.next_cursor }
    }
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct OwnOrdersQuery {
    /// Any part of an order number or of the name of an ordered product; case-insensitive.
    search: Option<String>,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// At most 100, which is also the default.
    limit: Option<u16>,
}

/// List orders of the shopper, newest first.
#[utoipa::path(
    get, path = "/api/order/get_order", tag = "orders", security(("shopper" = [])), params(OwnOrdersQuery),
    responses((status = 200, body = OrderList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_order(
    State(app): State<App>,
    Shopper(session): Shopper,
    Query(query): Query<OwnOrdersQuery>,
) -> Result<NoStore<OrderList>, ApiError> {
    let filter =
        OrderFilter { search: query.search, cursor: query.cursor, limit: query.limit, unpaid: true, status: None };
    Ok(NoStore(queries::list_own(&app, session.person, &filter).await?.into()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct OrderIdRequest {
    /// The order's `_id`.
    order_id: String,
}

/// Cancel an order that has not been dispatched.
#[utoipa::path(
    post, path = "/api/order/cancel_order", tag = "orders", security(("shopper" = [])), request_body = OrderIdRequest,
    responses((status = 200, body = ApiResponse<Order>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn cancel_order(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<OrderIdRequest>,
) -> Result<PrivateResponse<Order>, ApiError> {
    let order = change::cancel(&app, session.person, parse_order_id(&body.order_id)?).await?;
    Ok(PrivateResponse::with_message(order, message!("api.orders.cancelled")))
}

/// Stream events of the shopper's orders as server-sent events.
#[utoipa::path(
    get, path = "/api/order/live", tag = "orders", security(("shopper" = [])),
    responses((status = 200, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn stream_own_events(
    State(app): State<App>,
    Extension(hub): Extension<EventHub>,
    Shopper(session): Shopper,
) -> Result<impl IntoResponse, ApiError> {
    Ok(([NO_BUFFER, NO_STORE], event_stream::open_stream(&app, &hub, AccountKind::Shopper, &session)?))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct AllOrdersQuery {
    /// Part of a status, a customer's name or phone number, a product name or an order number. An order number is found
    /// by its beginning, or by any part of it among the newest 5,000 orders.
    search: Option<String>,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// At most 100; the default is 50.
    limit: Option<u16>,
    /// Whether to include unpaid online orders.
    unpaid: Option<bool>,
    /// Only orders with this status, one of the six.
    status: Option<String>,
}

/// List all orders for the seller, newest first.
#[utoipa::path(
    get, path = "/api/order/get_orders", tag = "orders", security(("seller" = [])), params(AllOrdersQuery),
    responses((status = 200, body = OrderList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_orders(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<AllOrdersQuery>,
) -> Result<NoStore<OrderList>, ApiError> {
    let unpaid = query.unpaid.unwrap_or(false);
    let status = query.status.as_deref().filter(|status| !status.is_empty()).map(parse_status).transpose()?;
    let filter = OrderFilter { search: query.search, cursor: query.cursor, limit: query.limit, unpaid, status };
    Ok(NoStore(queries::list_all(&app, &filter).await?.into()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct UpdateOrderStatusRequest {
    /// The order's `_id`.
    order_id: String,
    /// One of the six statuses; optional if `deliveryDate` is given.
    status: Option<String>,
    delivery_date: Option<NaiveDate>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct UpdateOrderStatusResponse {
    success: bool,
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    message: Message,
    data: Order,
    /// What the seller should look at after this change; usually empty.
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    warning: Vec<Message>,
}

/// Set the status or the delivery date of an order.
#[utoipa::path(
    put, path = "/api/order/update_order_status", tag = "orders", security(("seller" = [])), request_body = UpdateOrderStatusRequest,
    responses((status = 200, body = UpdateOrderStatusResponse), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_order_status(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<UpdateOrderStatusRequest>,
) -> Result<NoStore<UpdateOrderStatusResponse>, ApiError> {
    let wanted = match body.status.as_deref() {
        Some(status) => Some(parse_status(status)?),
        None if body.delivery_date.is_some() => None,
        None => return Err(OrderError::StatusInvalid.into()),
    };
    let changed =
        change::set_status(&app, session.person, parse_order_id(&body.order_id)?, wanted, body.delivery_date).await?;
    let message = message!("api.orders.status_updated");
    Ok(NoStore(UpdateOrderStatusResponse { success: true, message, data: changed.order, warning: changed.warning }))
}

fn parse_status(status: &str) -> Result<OrderStatus, OrderError> {
    OrderStatus::from_name(status.trim()).ok_or(OrderError::StatusInvalid)
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct OrderCountsQuery {
    /// Whether to include unpaid online orders.
    unpaid: Option<bool>,
}

/// Count orders by status for the seller.
#[utoipa::path(
    get, path = "/api/order/get_order_counts", tag = "orders", security(("seller" = [])), params(OrderCountsQuery),
    responses((status = 200, body = ApiResponse<OrderCounts>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_order_counts(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<OrderCountsQuery>,
) -> Result<PrivateResponse<OrderCounts>, ApiError> {
    Ok(PrivateResponse::ok(seller_orders::count_by_status(&app, query.unpaid.unwrap_or(false)).await?))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct UpdateOrderStatusesRequest {
    /// The orders' `_id`s, at most 100.
    order_ids: Vec<String>,
    /// One of the six statuses.
    status: String,
}

#[derive(Serialize, utoipa::ToSchema)]
struct BulkUpdateResponse {
    results: Vec<BulkResult>,
}

/// Set the status of several orders.
///
/// Each order is updated separately, so a failure does not affect the others.
#[utoipa::path(
    put, path = "/api/order/update_order_statuses", tag = "orders", security(("seller" = [])), request_body = UpdateOrderStatusesRequest,
    responses((status = 200, body = ApiResponse<BulkUpdateResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_order_statuses(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<UpdateOrderStatusesRequest>,
) -> Result<PrivateResponse<BulkUpdateResponse>, ApiError> {
    let results =
        seller_orders::set_statuses(&app, session.person, &body.order_ids, parse_status(&body.status)?).await?;
    Ok(PrivateResponse::ok(BulkUpdateResponse { results }))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct DeliverySheetQuery {
    /// The delivery date; the default is today in Kathmandu.
    date: Option<NaiveDate>,
    /// Statuses, separated by commas; the default is confirmed, shipped and out for delivery.
    status: Option<String>,
    /// Whether to include undelivered orders of the previous 30 days; the default is true.
    late: Option<bool>,
}

/// Get the delivery sheet of a day, by municipality and ward.
#[utoipa::path(
    get, path = "/api/order/get_delivery_sheet", tag = "orders", security(("seller" = [])), params(DeliverySheetQuery),
    responses((status = 200, body = ApiResponse<DeliverySheet>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_delivery_sheet(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<DeliverySheetQuery>,
) -> Result<PrivateResponse<DeliverySheet>, ApiError> {
    let statuses = match query.status.as_deref().filter(|status| !status.is_empty()) {
        None => vec![OrderStatus::Confirmed, OrderStatus::Shipped, OrderStatus::OutForDelivery],
        Some(list) => list.split(',').map(parse_status).collect::<Result<_, _>>()?,
    };
    Ok(PrivateResponse::ok(
        seller_orders::delivery_sheet(&app, query.date, &statuses, query.late.unwrap_or(true)).await?,
    ))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct PeriodQuery {
    /// 1, 7 or 30 days including today; the default is 7.
    days: Option<u16>,
}

/// Get the seller's overview of recent sales.
///
/// The figures are at most ten seconds old.
#[utoipa::path(
    get, path = "/api/order/get_overview", tag = "orders", security(("seller" = [])), params(PeriodQuery),
    responses((status = 200, body = ApiResponse<Overview>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_overview(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<PeriodQuery>,
) -> Result<PrivateResponse<Overview>, ApiError> {
    let made = overview::overview(&app, query.days.unwrap_or(7)).await?;
    Ok(PrivateResponse::ok((*made).clone()))
}

/// List the best-selling products for the seller.
///
/// The list is at most a minute old.
#[utoipa::path(
    get, path = "/api/order/get_top_products", tag = "orders", security(("seller" = [])), params(PeriodQuery),
    responses((status = 200, body = ApiResponse<Vec<TopProduct>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_top_products(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<PeriodQuery>,
) -> Result<PrivateResponse<Vec<TopProduct>>, ApiError> {
    let best = overview::top_products(&app, query.days.unwrap_or(7)).await?;
    Ok(PrivateResponse::ok(best.to_vec()))
}

/// Stream events of all orders to the seller as server-sent events.
#[utoipa::path(
    get, path = "/api/order/live_all", tag = "orders", security(("seller" = [])),
    responses((status = 200, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn stream_all_events(
    State(app): State<App>,
    Extension(hub): Extension<EventHub>,
    Seller(session): Seller,
) -> Result<impl IntoResponse, ApiError> {
    Ok(([NO_BUFFER, NO_STORE], event_stream::open_stream(&app, &hub, AccountKind::Seller, &session)?))
}

fn parse_order_id(text: &str) -> Result<Uuid, OrderError> {
    text.parse().map_err(|_| OrderError::NotFound)
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct CasesQuery {
    /// Whether to list closed cases instead of open ones.
    closed: Option<bool>,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// At most 100; the default is 30.
    limit: Option<u16>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CaseList {
    success: bool,
    message: &'static str,
    data: Vec<Case>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
    /// The number of open cases.
    open: i64,
}

/// List cases that need the seller's attention, newest first.
#[utoipa::path(
    get, path = "/api/order/get_cases", tag = "orders", security(("seller" = [])), params(CasesQuery),
    responses((status = 200, body = CaseList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_cases(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<CasesQuery>,
) -> Result<NoStore<CaseList>, ApiError> {
    let page = cases::list_cases(&app, query.closed.unwrap_or(false), query.cursor.as_deref(), query.limit).await?;
    let cases::CasePage { cases: data, next_cursor, open } = page;
    Ok(NoStore(CaseList { success: true, message: "", data, next_cursor, open }))
}

/// Check all payments of an order with the wallet.
#[utoipa::path(
    post, path = "/api/order/check_payment", tag = "orders", security(("seller" = [])), request_body = OrderIdRequest,
    responses((status = 200, body = ApiResponse<Order>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn check_payment(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<OrderIdRequest>,
) -> Result<PrivateResponse<Order>, ApiError> {
    Ok(PrivateResponse::ok(cases::check_payments(&app, session.person, parse_order_id(&body.order_id)?).await?))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct RefundPaymentRequest {
    payment_id: String,
}

/// Refund a payment in conflict, or retry a failed refund.
#[utoipa::path(
    post, path = "/api/order/refund_payment", tag = "orders", security(("seller" = [])), request_body = RefundPaymentRequest,
    responses((status = 200, body = ApiResponse<Order>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn refund_payment(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<RefundPaymentRequest>,
) -> Result<PrivateResponse<Order>, ApiError> {
    let payment = body.payment_id.parse().map_err(|_| OrderError::PaymentNotFound)?;
    Ok(PrivateResponse::ok(cases::refund_payment(&app, session.person, payment).await?))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CloseCaseRequest {
    case_id: String,
}

/// Close a case.
#[utoipa::path(
    post, path = "/api/order/close_case", tag = "orders", security(("seller" = [])), request_body = CloseCaseRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn close_case(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<CloseCaseRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let case = body.case_id.parse().map_err(|_| OrderError::CaseNotFound)?;
    cases::close_case(&app, session.person, case).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.orders.case_closed")))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct DateRangeQuery {
    /// The first day in Kathmandu; the default is six days before the last.
    from: Option<NaiveDate>,
    /// The last day; the default is today. The range may have at most 92 days.
    to: Option<NaiveDate>,
}

/// Get money by day, and differences between our records and the wallet.
#[utoipa::path(
    get, path = "/api/order/money_report", tag = "orders", security(("seller" = [])), params(DateRangeQuery),
    responses((status = 200, body = ApiResponse<MoneyReport>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn money_report(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<DateRangeQuery>,
) -> Result<PrivateResponse<MoneyReport>, ApiError> {
    Ok(PrivateResponse::ok(money_report::build_report(&app, query.from, query.to).await?))
}

/// Download the money report as a CSV file.
#[utoipa::path(
    get, path = "/api/order/money_report.csv", tag = "orders", security(("seller" = [])), params(DateRangeQuery),
    responses((status = 200, content_type = "text/csv", body = String), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn money_report_csv(
    State(app): State<App>,
    Seller(session): Seller,
    Query(query): Query<DateRangeQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let report = money_report::build_report(&app, query.from, query.to).await?;
    let who = Actor::Seller(session.person);
    let recorded =
        security_log::record_now(&app.db.main, SecurityEventKind::Exported, who, "money_report.csv", &Value::Null);
    recorded.await.map_err(OrderError::from)?;
    Ok((csv_headers(&format!("money-{}-{}.csv", report.from, report.to)), report.to_csv()))
}
