//! The seller's endpoints for all orders.

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::order::{Order, OrderList, parse_order_id};
use crate::orders::change;
use crate::orders::error::OrderError;
use crate::orders::opened;
use crate::orders::queries::{self, OrderFilter};
use crate::orders::seller_orders;
use crate::orders::transition::OrderStatus;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::OrderId;
use crate::platform::messages::{self, Message, message};
use crate::platform::money::Paisa;
use crate::platform::permissions::{ChangeOrders, ReadOrders};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Empty, Json, NoStore, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_orders))
        .routes(routes!(get_order_counts))
        .routes(routes!(update_order_status))
        .routes(routes!(update_order_statuses))
        .routes(routes!(get_not_opened))
        .routes(routes!(mark_opened))
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
    get, path = "/api/order/get_orders", tag = "orders", security(("seller" = ["orders.read"])), params(AllOrdersQuery),
    responses((status = 200, body = OrderList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_orders(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadOrders>,
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
    put, path = "/api/order/update_order_status", tag = "orders", security(("seller" = ["orders.change"])), request_body = UpdateOrderStatusRequest,
    responses((status = 200, body = UpdateOrderStatusResponse), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_order_status(
    State(app): State<App>,
    Staff(session, _): Staff<ChangeOrders>,
    Json(body): Json<UpdateOrderStatusRequest>,
) -> Result<NoStore<UpdateOrderStatusResponse>, ApiError> {
    let wanted = match body.status.as_deref() {
        Some(status) => Some(parse_status(status)?),
        None if body.delivery_date.is_some() => None,
        None => return Err(OrderError::StatusInvalid.into()),
    };
    let changed =
        change::set_status(&app, &session, parse_order_id(&body.order_id)?, wanted, body.delivery_date).await?;
    let message = message!("api.orders.status_updated");
    let (data, warning) = (changed.order.into(), changed.warning);
    Ok(NoStore(UpdateOrderStatusResponse { success: true, message, data, warning }))
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

#[derive(Serialize, utoipa::ToSchema)]
struct OrderCounts {
    /// The six statuses in their usual order.
    counts: Vec<StatusCount>,
    all: CappedCount,
}

#[derive(Serialize, utoipa::ToSchema)]
struct StatusCount {
    status: &'static str,
    #[serde(flatten)]
    counted: CappedCount,
}

/// A count that stops at 1,000.
#[derive(Serialize, utoipa::ToSchema)]
struct CappedCount {
    count: i64,
    /// True when there are more than `count`.
    capped: bool,
}

impl From<seller_orders::OrderCounts> for OrderCounts {
    fn from(counted: seller_orders::OrderCounts) -> Self {
        let counts = counted.counts.into_iter();
        let counts = counts.map(|one| StatusCount { status: one.status.name(), counted: one.counted.into() });
        Self { counts: counts.collect(), all: counted.all.into() }
    }
}

impl From<seller_orders::CappedCount> for CappedCount {
    fn from(counted: seller_orders::CappedCount) -> Self {
        Self { count: counted.count, capped: counted.capped }
    }
}

/// Count orders by status for the seller.
#[utoipa::path(
    get, path = "/api/order/get_order_counts", tag = "orders", security(("seller" = ["orders.read"])), params(OrderCountsQuery),
    responses((status = 200, body = ApiResponse<OrderCounts>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_order_counts(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadOrders>,
    Query(query): Query<OrderCountsQuery>,
) -> Result<PrivateResponse<OrderCounts>, ApiError> {
    Ok(PrivateResponse::ok(seller_orders::count_by_status(&app, query.unpaid.unwrap_or(false)).await?.into()))
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

/// The result for one order of a bulk update.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct BulkResult {
    #[serde(rename = "_id")]
    id: String,
    ok: bool,
    /// Why the update failed, for programs; empty if it worked. `second_factor_needed`: repeat it after a code.
    code: &'static str,
    /// Why the update failed, for people to read.
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    message: Vec<Message>,
    /// What the seller should look at after this change; usually empty.
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    warning: Vec<Message>,
}

impl From<seller_orders::BulkResult> for BulkResult {
    fn from(result: seller_orders::BulkResult) -> Self {
        let (ok, code, message, warning) = match result.changed {
            Ok(warning) => (true, "", Vec::new(), warning),
            Err(error) => {
                let error = ApiError::from(error);
                (false, error.code(), error.into_message(), Vec::new())
            }
        };
        Self { id: result.id, ok, code, message, warning }
    }
}

/// Set the status of several orders.
///
/// Each order is updated separately, so a failure does not affect the others.
#[utoipa::path(
    put, path = "/api/order/update_order_statuses", tag = "orders", security(("seller" = ["orders.change"])), request_body = UpdateOrderStatusesRequest,
    responses((status = 200, body = ApiResponse<BulkUpdateResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_order_statuses(
    State(app): State<App>,
    Staff(session, _): Staff<ChangeOrders>,
    Json(body): Json<UpdateOrderStatusesRequest>,
) -> Result<PrivateResponse<BulkUpdateResponse>, ApiError> {
    let results = seller_orders::set_statuses(&app, &session, &body.order_ids, parse_status(&body.status)?).await?;
    let results = results.into_iter().map(BulkResult::from).collect();
    Ok(PrivateResponse::ok(BulkUpdateResponse { results }))
}

/// An order that nobody of the staff has opened.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct NotOpenedOrder {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: OrderId,
    order_id: String,
    #[schema(value_type = f64)]
    total: Paisa,
    date: DateTime<Utc>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct NotOpenedOrders {
    /// The oldest 20, oldest first.
    orders: Vec<NotOpenedOrder>,
    /// At most 1,000.
    count: i64,
}

/// List the new orders that nobody of the staff has opened.
#[utoipa::path(
    get, path = "/api/order/get_not_opened", tag = "orders", security(("seller" = ["orders.read"])),
    responses((status = 200, body = ApiResponse<NotOpenedOrders>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_not_opened(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadOrders>,
) -> Result<PrivateResponse<NotOpenedOrders>, ApiError> {
    let found = opened::list_not_opened(&app).await?;
    let orders = found.orders.into_iter().map(|order| NotOpenedOrder {
        id: order.id,
        order_id: order.code,
        total: order.total,
        date: order.created_at,
    });
    Ok(PrivateResponse::ok(NotOpenedOrders { orders: orders.collect(), count: found.count }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarkOpenedRequest {
    /// The orders' `_id`s, at most 100.
    order_ids: Vec<String>,
}

/// Record that the seller has opened orders.
#[utoipa::path(
    post, path = "/api/order/mark_opened", tag = "orders", security(("seller" = ["orders.read"])), request_body = MarkOpenedRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn mark_opened(
    State(app): State<App>,
    Staff(session, _): Staff<ReadOrders>,
    Json(body): Json<MarkOpenedRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    opened::mark_opened(&app, session.person, &body.order_ids).await?;
    Ok(PrivateResponse::ok(Empty {}))
}
