//! The seller's endpoints for the bills of an order.

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::document::{OrderBillsQuery, OrderBillsResponse, PaperQuery, pdf_response};
use crate::billing::model::{BillingError, PrintedFor};
use crate::billing::{credit, order_bills, pdf};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::permissions::{ReadOrders, Refund};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_seller_order_bills))
        .routes(routes!(get_seller_bill_pdf))
        .routes(routes!(credit_bill))
}

/// List the bills and credit notes of an order.
#[utoipa::path(
    get, path = "/api/billing/get_seller_order_bills", tag = "billing", security(("seller" = ["orders.read"])), params(OrderBillsQuery),
    responses((status = 200, body = ApiResponse<OrderBillsResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_seller_order_bills(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadOrders>,
    Query(query): Query<OrderBillsQuery>,
) -> Result<PrivateResponse<OrderBillsResponse>, ApiError> {
    let order = query.order_id.parse().map_err(|_| BillingError::NotFound)?;
    let bills = order_bills::load(&app, order, None).await?;
    Ok(PrivateResponse::ok(OrderBillsResponse::for_seller(bills)))
}

/// Get a bill or credit note as a PDF file.
///
/// Every file is counted; all but the first say that they are copies.
#[utoipa::path(
    get, path = "/api/billing/get_seller_bill_pdf/{id}", tag = "billing", security(("seller" = ["orders.read"])), params(("id" = Uuid, Path), PaperQuery),
    responses((status = 200, content_type = "application/pdf", body = Vec<u8>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_seller_bill_pdf(
    State(app): State<App>,
    Staff(session, _): Staff<ReadOrders>,
    Path(id): Path<String>,
    Query(query): Query<PaperQuery>,
) -> Result<Response, ApiError> {
    let id: Uuid = id.parse().map_err(|_| BillingError::NotFound)?;
    let file = pdf::print_document(&app, id, query.paper(), PrintedFor::Seller(session.person)).await?;
    Ok(pdf_response(file))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CreditBillRequest {
    bill_id: Uuid,
    lines: Vec<CreditedLine>,
    reason: String,
}

#[derive(Deserialize, utoipa::ToSchema)]
struct CreditedLine {
    /// The position of the line on the bill.
    position: i32,
    quantity: i32,
}

/// Issue a credit note for lines of a bill.
///
/// It is only the document; money goes back through a refund.
#[utoipa::path(
    post, path = "/api/billing/credit_bill", tag = "billing", security(("seller" = ["refunds.small"])), request_body = CreditBillRequest,
    responses((status = 200, body = ApiResponse<OrderBillsResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn credit_bill(
    State(app): State<App>,
    Staff(session, _): Staff<Refund>,
    Json(body): Json<CreditBillRequest>,
) -> Result<PrivateResponse<OrderBillsResponse>, ApiError> {
    let mut wanted = BTreeMap::new();
    for line in &body.lines {
        if wanted.insert(line.position, line.quantity).is_some() {
            return Err(BillingError::CreditInvalid.into());
        }
    }
    let order = credit::credit_lines(&app, session.person, body.bill_id, &wanted, &body.reason).await?;
    let bills = order_bills::load(&app, order, None).await?;
    Ok(PrivateResponse::with_message(OrderBillsResponse::for_seller(bills), message!("api.billing.credited")))
}
