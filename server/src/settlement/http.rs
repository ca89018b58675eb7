//! The endpoints under `/api/order/` that are about payments and cases.

use axum::extract::State;
use chrono::{DateTime, Utc};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::cases::{self, CaseAction, CaseDetails};
use super::error::SettlementError;
use super::{pay, verify};
use crate::orders::transition::Method;
use crate::orders::{self, Order, OrderError, OrderIdRequest, OrderRow, PlaceOrderRequest, Receipt};
use crate::payments::{NextAction, Payment, RefundState};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::{OrderId, PaymentId};
use crate::platform::messages::{self, Message, message};
use crate::platform::money::Paisa;
use crate::platform::permissions::{HandleCases, Refund};
use crate::platform::sessions::{Shopper, Staff};
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Empty, Json, NoStore, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(place_order_online))
        .routes(routes!(get_order_placement))
        .routes(routes!(pay_order))
        .routes(routes!(verify_khalti_payment))
        .routes(routes!(get_cases))
        .routes(routes!(check_payment))
        .routes(routes!(refund_payment))
        .routes(routes!(close_case))
}

/// How the browser continues to the wallet, in the contract's form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
struct PaymentRedirect {
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_url: Option<String>,
    /// For wallets that expect a form: its action and its fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    payment_form: Option<NextAction>,
}

impl From<NextAction> for PaymentRedirect {
    fn from(next_action: NextAction) -> Self {
        match next_action {
            NextAction::Redirect(address) => Self { payment_url: Some(address), payment_form: None },
            form @ NextAction::Form { .. } => Self { payment_url: None, payment_form: Some(form) },
        }
    }
}

/// The response to a placed online order: the receipt and how to pay.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct OnlineReceipt {
    #[serde(flatten)]
    receipt: Receipt,
    #[serde(flatten)]
    redirect: PaymentRedirect,
}

/// Adds the payment redirect to the receipt of an order.
fn add_payment_redirect(response: &str, redirect: PaymentRedirect) -> Result<Box<RawValue>, OrderError> {
    let mut receipt: Map<String, Value> = serde_json::from_str(response)?;
    if let Value::Object(redirect) = serde_json::to_value(redirect)? {
        receipt.extend(redirect);
    }
    Ok(serde_json::value::to_raw_value(&receipt)?)
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
    let key = orders::idempotency_key(&headers)?.ok_or(OrderError::IdempotencyKeyInvalid)?;
    let Some(placed) = orders::find_placed(&app, session.person, key).await? else {
        return Ok(PrivateResponse::ok(OrderPlacement { receipt: None }));
    };
    let receipt = match pay::find_link(&app, placed.order).await? {
        None => RawValue::from_string(placed.response).map_err(OrderError::from)?,
        Some(link) => add_payment_redirect(&placed.response, link.into())?,
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
    let request = request.into_order_request(session.person, &headers, Method::Online, None)?;
    let (placed, link) = pay::place_online(&app, &request).await?;
    Ok(PrivateResponse::ok(add_payment_redirect(&placed.response, link.into())?))
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
    let link = pay::get_or_create_link(&app, session.person, body.parse()?).await?;
    Ok(PrivateResponse::ok(link.into()))
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

/// What the payment page shows.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct PaymentInfo {
    order_id: String,
    tracking_number: String,
    payment_method: String,
    /// The amount in rupees.
    #[schema(value_type = f64)]
    amount: Paisa,
    amount_paisa: i64,
}

impl PaymentInfo {
    fn new(order: OrderRow, payment: &Payment) -> Self {
        Self {
            order_id: order.code,
            tracking_number: order.tracking,
            payment_method: order.method,
            amount: payment.amount,
            amount_paisa: payment.amount.0,
        }
    }
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
    let paid = verify::verify_payment(&app, user, &body.pidx, body.purchase_order_id.as_deref()).await?;
    let data = paid.map(|(order, payment)| PaymentInfo::new(order, &payment));
    let message =
        if data.is_some() { message!("api.payments.confirmed") } else { message!("api.payments.confirmed_signed_out") };
    Ok(NoStore(VerifyPaymentResponse { success: true, message, data }))
}

/// A case that needs the seller's attention.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Case {
    #[serde(rename = "_id")]
    id: String,
    kind: String,
    opened_at: DateTime<Utc>,
    #[schema(required)]
    closed_at: Option<DateTime<Utc>>,
    order: CaseOrder,
    payments: Vec<CasePayment>,
    /// Allowed actions: `check`, `refund`, `close`.
    actions: Vec<&'static str>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CaseOrder {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: OrderId,
    order_id: String,
    status: String,
    payment_method: String,
    payment_state: String,
    #[schema(value_type = f64)]
    total: Paisa,
    name: String,
    phone: String,
}

/// A payment attempt, as the seller sees it.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CasePayment {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: PaymentId,
    /// The wallet's id of the payment.
    #[schema(required)]
    pidx: Option<String>,
    #[schema(required)]
    transaction_id: Option<String>,
    #[schema(value_type = f64)]
    amount: Paisa,
    #[schema(required, value_type = Option<f64>)]
    received: Option<Paisa>,
    state: &'static str,
    #[schema(required)]
    wallet_status: Option<String>,
    #[schema(required)]
    checked_at: Option<DateTime<Utc>>,
    #[schema(required)]
    refund: Option<&'static str>,
}

impl From<Payment> for CasePayment {
    fn from(payment: Payment) -> Self {
        Self {
            id: payment.id,
            pidx: payment.pidx,
            transaction_id: payment.transaction,
            amount: payment.amount,
            received: payment.received,
            state: payment.state.name(),
            wallet_status: payment.raw_status,
            checked_at: payment.last_checked_at,
            refund: payment.refund.map(RefundState::name),
        }
    }
}

impl From<CaseDetails> for Case {
    fn from(case: CaseDetails) -> Self {
        let CaseDetails { row, payments, actions } = case;
        let action = |action: CaseAction| match action {
            CaseAction::Check => "check",
            CaseAction::Refund => "refund",
            CaseAction::Close => "close",
        };
        Self {
            id: row.id.to_string(),
            kind: row.kind,
            opened_at: row.opened_at,
            closed_at: row.closed_at,
            order: CaseOrder {
                id: row.order_id,
                order_id: row.code,
                status: row.status,
                payment_method: row.method,
                payment_state: row.payment,
                total: row.total,
                name: row.recipient,
                phone: row.phone,
            },
            payments: payments.into_iter().map(CasePayment::from).collect(),
            actions: actions.into_iter().map(action).collect(),
        }
    }
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
    get, path = "/api/order/get_cases", tag = "orders", security(("seller" = ["cases.handle"])), params(CasesQuery),
    responses((status = 200, body = CaseList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_cases(
    State(app): State<App>,
    Staff(_session, _): Staff<HandleCases>,
    Query(query): Query<CasesQuery>,
) -> Result<NoStore<CaseList>, ApiError> {
    let page = cases::list_cases(&app, query.closed.unwrap_or(false), query.cursor.as_deref(), query.limit).await?;
    let cases::CasePage { cases, next_cursor, open } = page;
    let data = cases.into_iter().map(Case::from).collect();
    Ok(NoStore(CaseList { success: true, message: "", data, next_cursor, open }))
}

/// Check all payments of an order with the wallet.
#[utoipa::path(
    post, path = "/api/order/check_payment", tag = "orders", security(("seller" = ["cases.handle"])), request_body = OrderIdRequest,
    responses((status = 200, body = ApiResponse<Order>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn check_payment(
    State(app): State<App>,
    Staff(session, _): Staff<HandleCases>,
    Json(body): Json<OrderIdRequest>,
) -> Result<PrivateResponse<Order>, ApiError> {
    Ok(PrivateResponse::ok(cases::check_payments(&app, session.person, body.parse()?).await?.into()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct RefundPaymentRequest {
    payment_id: String,
}

/// Refund a payment in conflict, or retry a failed refund.
#[utoipa::path(
    post, path = "/api/order/refund_payment", tag = "orders", security(("seller" = ["refunds.small"])), request_body = RefundPaymentRequest,
    responses((status = 200, body = ApiResponse<Order>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn refund_payment(
    State(app): State<App>,
    Staff(session, _): Staff<Refund>,
    Json(body): Json<RefundPaymentRequest>,
) -> Result<PrivateResponse<Order>, ApiError> {
    let payment = body.payment_id.parse().map_err(|_| SettlementError::PaymentNotFound)?;
    Ok(PrivateResponse::ok(cases::refund_payment(&app, &session, payment).await?.into()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CloseCaseRequest {
    case_id: String,
}

/// Close a case.
#[utoipa::path(
    post, path = "/api/order/close_case", tag = "orders", security(("seller" = ["cases.handle"])), request_body = CloseCaseRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn close_case(
    State(app): State<App>,
    Staff(session, _): Staff<HandleCases>,
    Json(body): Json<CloseCaseRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let case = body.case_id.parse().map_err(|_| SettlementError::CaseNotFound)?;
    cases::close_case(&app, session.person, case).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.orders.case_closed")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_browser_is_sent_on_by_an_address_or_by_a_form() {
        let link = PaymentRedirect::from(NextAction::Redirect("https://pay.example/1".to_owned()));
        assert_eq!(serde_json::to_value(link).unwrap(), serde_json::json!({"payment_url": "https://pay.example/1"}));
        let fields = BTreeMap::from([("amount".to_owned(), "100".to_owned())]);
        let form = PaymentRedirect::from(NextAction::Form { action: "https://pay.example/form".to_owned(), fields });
        assert_eq!(
            serde_json::to_value(form).unwrap()["payment_form"]["form"],
            serde_json::json!({"action": "https://pay.example/form", "fields": {"amount": "100"}})
        );
    }
}
