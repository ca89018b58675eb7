//! The shopper's endpoints for the bills of the own orders.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::document::{OrderBillsQuery, OrderBillsResponse, PaperQuery, pdf_response};
use crate::billing::model::{BillingError, PrintedFor};
use crate::billing::{order_bills, pdf, requests};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_order_bills)).routes(routes!(set_bill_buyer)).routes(routes!(get_bill_pdf))
}

/// List the bills and credit notes of an order of the shopper.
#[utoipa::path(
    get, path = "/api/billing/get_order_bills", tag = "billing", security(("shopper" = [])), params(OrderBillsQuery),
    responses((status = 200, body = ApiResponse<OrderBillsResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_order_bills(
    State(app): State<App>,
    Shopper(session): Shopper,
    Query(query): Query<OrderBillsQuery>,
) -> Result<PrivateResponse<OrderBillsResponse>, ApiError> {
    let order = query.order_id.parse().map_err(|_| BillingError::NotFound)?;
    let bills = order_bills::load(&app, order, Some(session.person)).await?;
    Ok(PrivateResponse::ok(OrderBillsResponse::for_shopper(bills)))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct BillBuyerRequest {
    /// The order's `_id`.
    order_id: String,
    /// The name on the bill; empty for the recipient's.
    #[serde(default)]
    name: String,
    /// Nine digits; empty for none.
    #[serde(default)]
    pan: String,
}

/// Set the name and the PAN on the bill of an order, until it is issued.
#[utoipa::path(
    post, path = "/api/billing/set_bill_buyer", tag = "billing", security(("shopper" = [])), request_body = BillBuyerRequest,
    responses((status = 200, body = ApiResponse<OrderBillsResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn set_bill_buyer(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<BillBuyerRequest>,
) -> Result<PrivateResponse<OrderBillsResponse>, ApiError> {
    let order = body.order_id.parse().map_err(|_| BillingError::NotFound)?;
    requests::set_buyer(&app, session.person, order, &body.name, &body.pan).await?;
    let bills = order_bills::load(&app, order, Some(session.person)).await?;
    Ok(PrivateResponse::with_message(OrderBillsResponse::for_shopper(bills), message!("api.billing.buyer_saved")))
}

/// Get a bill or credit note of the shopper as a PDF file.
///
/// Every file is counted; all but the first say that they are copies.
#[utoipa::path(
    get, path = "/api/billing/get_bill_pdf/{id}", tag = "billing", security(("shopper" = [])), params(("id" = Uuid, Path), PaperQuery),
    responses((status = 200, content_type = "application/pdf", body = Vec<u8>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_bill_pdf(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(id): Path<String>,
    Query(query): Query<PaperQuery>,
) -> Result<Response, ApiError> {
    let id: Uuid = id.parse().map_err(|_| BillingError::NotFound)?;
    let file = pdf::print_document(&app, id, query.paper(), PrintedFor::Shopper(session.person)).await?;
    Ok(pdf_response(file))
}
