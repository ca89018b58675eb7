//! The calls below `/api/order/`.

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

use super::attention::{self, Attention};
use super::desk::{self, DeliverySheet, OneOfMany, OrderCounts};
use super::follow::{self, Asked, Page};
use super::live::{self, Watch};
use super::model::{OnlineReceipt, Order, OrderError, PaymentInfo, Receipt};
use super::money_report::{self, MoneyReport};
use super::overview::{self, Overview, TopProduct};
use super::pay::{self, GoPay};
use super::place::{self, Wish};
use super::transition::{Label, Method};
use super::{change, verify};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::security_log::{self, Actor, What};
use crate::platform::sentences;
use crate::platform::sessions::{Kind, Seller, Shopper};
use crate::platform::state::App;
use crate::platform::web::{ClientAddress, Done, Json, Language, Personal, Private, Query, Reply, csv_file};

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
        .routes(routes!(pay_order))
        .routes(routes!(verify_khalti_payment))
        .routes(routes!(get_order))
        .routes(routes!(cancel_order))
        .routes(routes!(watch_own))
        .routes(routes!(get_orders))
        .routes(routes!(get_order_counts))
        .routes(routes!(update_order_status))
        .routes(routes!(update_order_statuses))
        .routes(routes!(get_delivery_sheet))
        .routes(routes!(get_overview))
        .routes(routes!(get_top_products))
        .routes(routes!(watch_all))
        .routes(routes!(get_cases))
        .routes(routes!(check_payment))
        .routes(routes!(refund_payment))
        .routes(routes!(close_case))
        .routes(routes!(money_report))
        .routes(routes!(money_report_csv))
        .layer(Extension(Watch::default()))
}

/// Place an order that is paid on delivery. The same `Idempotency-Key` gets the same answer.
#[utoipa::path(
    post, path = "/api/order/place_order_COD", tag = "orders", security(("shopper" = [])), request_body = Wish,
    params(("Idempotency-Key" = Option<String>, Header, description = "Made by the client, stored before sending")),
    responses((status = 200, body = Reply<Receipt>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn place_order_cod(
    State(app): State<App>,
    Shopper(session): Shopper,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    Json(wish): Json<Wish>,
) -> Result<Private<Box<RawValue>>, ApiError> {
    let language = Language::of(&headers);
    let placed =
        place::place(&app, session.person, key(&headers)?, &wish, Method::Cod, language, Some(address)).await?;
    let answer = RawValue::from_string(placed.answer).map_err(OrderError::from)?;
    Ok(Private::with(answer, "Order placed successfully!"))
}

/// The receipt of an order, and how to pay for it.
fn with_link(answer: &str, go: GoPay) -> Result<Box<RawValue>, OrderError> {
    let mut receipt: Map<String, Value> = serde_json::from_str(answer)?;
    if let Value::Object(go) = serde_json::to_value(go)? {
        receipt.extend(go);
    }
    Ok(serde_json::value::to_raw_value(&receipt)?)
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
    get, path = "/api/order/get_placing", tag = "orders", security(("shopper" = [])),
    params(("Idempotency-Key" = String, Header, description = "As it was sent")),
    responses((status = 200, body = Reply<Placing>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_placing(
    State(app): State<App>,
    Shopper(session): Shopper,
    headers: HeaderMap,
) -> Result<Private<Placing>, ApiError> {
    let key = key(&headers)?.ok_or(OrderError::KeyInvalid)?;
    let Some(placed) = place::answer_of(&app, session.person, key).await? else {
        return Ok(Private::ok(Placing { receipt: None }));
    };
    let receipt = match pay::known_link(&app, placed.order).await? {
        None => RawValue::from_string(placed.answer).map_err(OrderError::from)?,
        Some(link) => with_link(&placed.answer, link)?,
    };
    Ok(Private::ok(Placing { receipt: Some(receipt) }))
}

/// Place an order that is paid through a wallet, and get the address to pay it at. Its goods are held meanwhile.
#[utoipa::path(
    post, path = "/api/order/place_order_online", tag = "orders", security(("shopper" = [])), request_body = Wish,
    params(("Idempotency-Key" = Option<String>, Header, description = "Made by the client, stored before sending")),
    responses((status = 200, body = Reply<OnlineReceipt>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn place_order_online(
    State(app): State<App>,
    Shopper(session): Shopper,
    headers: HeaderMap,
    Json(wish): Json<Wish>,
) -> Result<Private<Box<RawValue>>, ApiError> {
    app.limits.links.check(session.person)?;
    let (placed, link) = pay::place(&app, session.person, key(&headers)?, &wish, Language::of(&headers)).await?;
    Ok(Private::ok(with_link(&placed.answer, link)?))
}

/// Ask for an address to pay an order at: the one that it has, or a new one.
#[utoipa::path(
    post, path = "/api/order/pay_order", tag = "orders", security(("shopper" = [])), request_body = WhichOrder,
    responses((status = 200, body = Reply<GoPay>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn pay_order(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<WhichOrder>,
) -> Result<Private<GoPay>, ApiError> {
    app.limits.links.check(session.person)?;
    Ok(Private::ok(pay::link(&app, session.person, id(&body.order_id)?).await?))
}

/// What the wallet's redirect said. Only `pidx` is used, and only to find the payment in our own books.
#[derive(Deserialize, utoipa::ToSchema)]
struct CameBack {
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
struct VerifyReply {
    success: bool,
    #[serde(serialize_with = "sentences::for_the_reader")]
    message: &'static str,
    /// For the shopper whose order it is; null for whoever came back without a session.
    #[schema(required)]
    data: Option<PaymentInfo>,
}

/// Find out whether a payment has come. May be asked any number of times.
#[utoipa::path(
    post, path = "/api/order/verify_khalti_payment", tag = "orders", request_body = CameBack,
    responses((status = 200, body = VerifyReply), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn verify_khalti_payment(
    State(app): State<App>,
    session: Option<Shopper>,
    ClientAddress(address): ClientAddress,
    Json(body): Json<CameBack>,
) -> Result<Personal<VerifyReply>, ApiError> {
    app.limits.verify.check(address)?;
    let user = session.map(|Shopper(session)| session.person);
    let data = verify::verify(&app, user, &body.pidx, body.purchase_order_id.as_deref()).await?;
    let message =
        if data.is_some() { "Payment confirmed." } else { "Payment confirmed. Please log in to see your order." };
    Ok(Personal(VerifyReply { success: true, message, data }))
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
    get, path = "/api/order/get_order", tag = "orders", security(("shopper" = [])), params(OwnQuery),
    responses((status = 200, body = OrderList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_order(
    State(app): State<App>,
    Shopper(session): Shopper,
    Query(query): Query<OwnQuery>,
) -> Result<Personal<OrderList>, ApiError> {
    let asked = Asked { search: query.search, cursor: query.cursor, limit: query.limit, unpaid: true, label: None };
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
    post, path = "/api/order/cancel_order", tag = "orders", security(("shopper" = [])), request_body = WhichOrder,
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
    get, path = "/api/order/live", tag = "orders", security(("shopper" = [])),
    responses((status = 200, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn watch_own(
    State(app): State<App>,
    Extension(watch): Extension<Watch>,
    Shopper(session): Shopper,
) -> Result<impl IntoResponse, ApiError> {
    Ok(([NO_BUFFER, NO_STORE], live::stream(&app, &watch, Kind::Shopper, &session)?))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct AllQuery {
    /// Part of a status, of a customer's name or phone number, or of a product's name; or of an order's number: its
    /// beginning, or any part of it among the newest 5,000.
    search: Option<String>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
    /// At most 100; 50 without it.
    limit: Option<u16>,
    /// Online orders that wait for their money, too.
    unpaid: Option<bool>,
    /// Only those with this status: one of the six.
    status: Option<String>,
}

/// All orders, newest first, for the seller.
#[utoipa::path(
    get, path = "/api/order/get_orders", tag = "orders", security(("seller" = [])), params(AllQuery),
    responses((status = 200, body = OrderList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_orders(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<AllQuery>,
) -> Result<Personal<OrderList>, ApiError> {
    let unpaid = query.unpaid.unwrap_or(false);
    let label = query.status.as_deref().filter(|status| !status.is_empty()).map(label).transpose()?;
    let asked = Asked { search: query.search, cursor: query.cursor, limit: query.limit, unpaid, label };
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
    #[serde(serialize_with = "sentences::for_the_reader")]
    message: &'static str,
    data: Order,
    /// What somebody should look at now; mostly empty.
    #[serde(serialize_with = "sentences::for_the_reader")]
    warning: String,
}

/// Set an order's status: any, at any time.
#[utoipa::path(
    put, path = "/api/order/update_order_status", tag = "orders", security(("seller" = [])), request_body = StatusChange,
    responses((status = 200, body = StatusReply), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_order_status(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<StatusChange>,
) -> Result<Personal<StatusReply>, ApiError> {
    let wanted = match body.status.as_deref() {
        Some(status) => Some(label(status)?),
        None if body.delivery_date.is_some() => None,
        None => return Err(OrderError::StatusInvalid.into()),
    };
    let changed = change::set_status(&app, session.person, id(&body.order_id)?, wanted, body.delivery_date).await?;
    let message = "Order status updated successfully!";
    Ok(Personal(StatusReply { success: true, message, data: changed.order, warning: changed.warning }))
}

fn label(status: &str) -> Result<Label, OrderError> {
    Label::from_name(status.trim()).ok_or(OrderError::StatusInvalid)
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct CountsQuery {
    /// Online orders that wait for their money, too.
    unpaid: Option<bool>,
}

/// How many orders have each status, for the seller.
#[utoipa::path(
    get, path = "/api/order/get_order_counts", tag = "orders", security(("seller" = [])), params(CountsQuery),
    responses((status = 200, body = Reply<OrderCounts>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_order_counts(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<CountsQuery>,
) -> Result<Private<OrderCounts>, ApiError> {
    Ok(Private::ok(desk::counts(&app, query.unpaid.unwrap_or(false)).await?))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusOfMany {
    /// The orders' `_id`s, at most 100.
    order_ids: Vec<String>,
    /// One of the six.
    status: String,
}

#[derive(Serialize, utoipa::ToSchema)]
struct ManyResults {
    results: Vec<OneOfMany>,
}

/// Set the status of several orders, each by itself.
#[utoipa::path(
    put, path = "/api/order/update_order_statuses", tag = "orders", security(("seller" = [])), request_body = StatusOfMany,
    responses((status = 200, body = Reply<ManyResults>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_order_statuses(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<StatusOfMany>,
) -> Result<Private<ManyResults>, ApiError> {
    let results = desk::set_statuses(&app, session.person, &body.order_ids, label(&body.status)?).await?;
    Ok(Private::ok(ManyResults { results }))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct SheetQuery {
    /// The day of delivery; today in Kathmandu without it.
    date: Option<NaiveDate>,
    /// With commas between; those confirmed, shipped or out for delivery without it.
    status: Option<String>,
    /// Those of the 30 days before that were not delivered, too; true without it.
    late: Option<bool>,
}

/// What is to be delivered, by municipality and ward, for the seller.
#[utoipa::path(
    get, path = "/api/order/get_delivery_sheet", tag = "orders", security(("seller" = [])), params(SheetQuery),
    responses((status = 200, body = Reply<DeliverySheet>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_delivery_sheet(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<SheetQuery>,
) -> Result<Private<DeliverySheet>, ApiError> {
    let labels = match query.status.as_deref().filter(|status| !status.is_empty()) {
        None => vec![Label::Confirmed, Label::Shipped, Label::OutForDelivery],
        Some(list) => list.split(',').map(label).collect::<Result<_, _>>()?,
    };
    Ok(Private::ok(desk::delivery_sheet(&app, query.date, &labels, query.late.unwrap_or(true)).await?))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct LastDaysQuery {
    /// 1, 7 or 30; today is one of them.
    days: Option<u16>,
}

/// How the shop is doing, for the seller; up to ten seconds old.
#[utoipa::path(
    get, path = "/api/order/get_overview", tag = "orders", security(("seller" = [])), params(LastDaysQuery),
    responses((status = 200, body = Reply<Overview>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_overview(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<LastDaysQuery>,
) -> Result<Private<Overview>, ApiError> {
    let made = overview::overview(&app, query.days.unwrap_or(7)).await?;
    Ok(Private::ok((*made).clone()))
}

/// What sold best, for the seller; up to a minute old.
#[utoipa::path(
    get, path = "/api/order/get_top_products", tag = "orders", security(("seller" = [])), params(LastDaysQuery),
    responses((status = 200, body = Reply<Vec<TopProduct>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_top_products(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<LastDaysQuery>,
) -> Result<Private<Vec<TopProduct>>, ApiError> {
    let best = overview::top_products(&app, query.days.unwrap_or(7)).await?;
    Ok(Private::ok(best.to_vec()))
}

/// News of all orders, for the seller, as server-sent events.
#[utoipa::path(
    get, path = "/api/order/live_all", tag = "orders", security(("seller" = [])),
    responses((status = 200, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn watch_all(
    State(app): State<App>,
    Extension(watch): Extension<Watch>,
    Seller(session): Seller,
) -> Result<impl IntoResponse, ApiError> {
    Ok(([NO_BUFFER, NO_STORE], live::stream(&app, &watch, Kind::Seller, &session)?))
}

fn id(text: &str) -> Result<Uuid, OrderError> {
    text.parse().map_err(|_| OrderError::NotFound)
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct CasesQuery {
    /// Those that have been seen to, instead of the open ones.
    closed: Option<bool>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
    /// At most 100; 30 without it.
    limit: Option<u16>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CaseList {
    success: bool,
    message: &'static str,
    data: Vec<Attention>,
    /// For the next page; null on the last.
    #[schema(required)]
    next_cursor: Option<String>,
    /// How many are open.
    open: i64,
}

/// What a person must look at, newest first, for the seller.
#[utoipa::path(
    get, path = "/api/order/get_cases", tag = "orders", security(("seller" = [])), params(CasesQuery),
    responses((status = 200, body = CaseList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_cases(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<CasesQuery>,
) -> Result<Personal<CaseList>, ApiError> {
    let page = attention::list(&app, query.closed.unwrap_or(false), query.cursor.as_deref(), query.limit).await?;
    let attention::Page { cases: data, next_cursor, open } = page;
    Ok(Personal(CaseList { success: true, message: "", data, next_cursor, open }))
}

/// Ask the wallet now about everything that was tried to pay for an order.
#[utoipa::path(
    post, path = "/api/order/check_payment", tag = "orders", security(("seller" = [])), request_body = WhichOrder,
    responses((status = 200, body = Reply<Order>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn check_payment(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<WhichOrder>,
) -> Result<Private<Order>, ApiError> {
    Ok(Private::ok(attention::check(&app, session.person, id(&body.order_id)?).await?))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct WhichPayment {
    payment_id: String,
}

/// Give the money of a payment back that no rule could place.
#[utoipa::path(
    post, path = "/api/order/refund_payment", tag = "orders", security(("seller" = [])), request_body = WhichPayment,
    responses((status = 200, body = Reply<Order>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn refund_payment(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<WhichPayment>,
) -> Result<Private<Order>, ApiError> {
    let payment = body.payment_id.parse().map_err(|_| OrderError::PaymentNotFound)?;
    Ok(Private::ok(attention::refund(&app, session.person, payment).await?))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct WhichCase {
    case_id: String,
}

/// Say that a case has been seen to.
#[utoipa::path(
    post, path = "/api/order/close_case", tag = "orders", security(("seller" = [])), request_body = WhichCase,
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn close_case(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<WhichCase>,
) -> Result<Private<Done>, ApiError> {
    let case = body.case_id.parse().map_err(|_| OrderError::CaseNotFound)?;
    attention::close(&app, session.person, case).await?;
    Ok(Private::with(Done {}, "Marked as handled."))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct DaysQuery {
    /// The first day, in Kathmandu; six days before the last without it.
    from: Option<NaiveDate>,
    /// The last day; today without it. At most 92 days.
    to: Option<NaiveDate>,
}

/// Money by day, and where our record and the wallet's answers differ, for the seller.
#[utoipa::path(
    get, path = "/api/order/money_report", tag = "orders", security(("seller" = [])), params(DaysQuery),
    responses((status = 200, body = Reply<MoneyReport>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn money_report(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<DaysQuery>,
) -> Result<Private<MoneyReport>, ApiError> {
    Ok(Private::ok(money_report::report(&app, query.from, query.to).await?))
}

/// The same as a table for a spreadsheet.
#[utoipa::path(
    get, path = "/api/order/money_report.csv", tag = "orders", security(("seller" = [])), params(DaysQuery),
    responses((status = 200, content_type = "text/csv", body = String), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn money_report_csv(
    State(app): State<App>,
    Seller(session): Seller,
    Query(query): Query<DaysQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let report = money_report::report(&app, query.from, query.to).await?;
    let who = Actor::Seller(session.person);
    let recorded = security_log::record_now(&app.db.main, What::Exported, who, "money_report.csv", &Value::Null);
    recorded.await.map_err(OrderError::from)?;
    Ok((csv_file(&format!("money-{}-{}.csv", report.from, report.to)), report.to_csv()))
}
