//! The shopper's endpoints for their own orders.

use axum::extract::State;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::order::{Order, OrderIdRequest, OrderList};
use crate::orders::change;
use crate::orders::queries::{self, OrderFilter};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, NoStore, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_order)).routes(routes!(cancel_order))
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
    let order = change::cancel(&app, session.person, body.parse()?).await?;
    Ok(PrivateResponse::with_message(order.into(), message!("api.orders.cancelled")))
}
