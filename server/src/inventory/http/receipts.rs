//! The endpoints of goods receipts.

use axum::extract::{Path, State};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::responses::ProductReference;
use crate::inventory::error::InventoryError;
use crate::inventory::model::{ReceiptInput, ReceiptLineInput};
use crate::inventory::receive::{self, ReceiptPage};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::ProductId;
use crate::platform::messages::message;
use crate::platform::money::Paisa;
use crate::platform::permissions::{Permission, ReadCosts, RecordStock};
use crate::platform::sessions::{Staff, StaffSession};
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(receive_goods)).routes(routes!(get_receipts)).routes(routes!(set_receipt_costs))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReceiveGoodsRequest {
    /// Made by the client and stored before sending; the same request again changes nothing.
    #[serde(rename = "_id")]
    id: Uuid,
    /// Absent for goods without a supplier, such as those from the market.
    supplier: Option<Uuid>,
    /// The number of the supplier's bill.
    #[serde(default)]
    invoice: String,
    #[serde(default)]
    note: String,
    lines: Vec<ReceiveLineRequest>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReceiveLineRequest {
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    quantity: i32,
    /// Rupees for one unit; needs the permission `inventory.costs`. Absent while it is unknown.
    #[schema(value_type = Option<f64>)]
    cost: Option<Paisa>,
    /// The last day on which the goods may be sold.
    expires_on: Option<NaiveDate>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct GoodsReceipt {
    #[serde(rename = "_id")]
    id: Uuid,
    #[schema(required)]
    supplier: Option<String>,
    invoice: String,
    note: String,
    received_by: String,
    received_at: DateTime<Utc>,
    lines: Vec<GoodsReceiptLine>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct GoodsReceiptLine {
    #[serde(rename = "_id")]
    id: Uuid,
    product: ProductReference,
    quantity: i32,
    /// Rupees for one unit; null while it is unknown, and for those who may not see costs.
    #[schema(required, value_type = Option<f64>)]
    cost: Option<Paisa>,
    #[schema(required)]
    expires_on: Option<NaiveDate>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct GoodsReceiptList {
    receipts: Vec<GoodsReceipt>,
    #[schema(required)]
    next_cursor: Option<String>,
}

impl GoodsReceiptList {
    fn new(page: ReceiptPage, reader: &StaffSession) -> Self {
        let sees_costs = reader.check(Permission::ReadCosts).is_ok();
        let ReceiptPage { receipts, next_cursor, products, people } = page;
        let receipts = receipts.into_iter().map(|receipt| GoodsReceipt {
            id: receipt.id,
            supplier: receipt.supplier,
            invoice: receipt.invoice,
            note: receipt.note,
            received_by: people.get(&receipt.received_by).cloned().unwrap_or_default(),
            received_at: receipt.received_at,
            lines: receipt
                .lines
                .into_iter()
                .map(|line| GoodsReceiptLine {
                    id: line.id,
                    product: ProductReference::new(line.product_id, &products),
                    quantity: line.quantity,
                    cost: line.cost.filter(|_| sees_costs),
                    expires_on: line.expires_on,
                })
                .collect(),
        });
        Self { receipts: receipts.collect(), next_cursor }
    }

    fn into_first(self) -> Result<GoodsReceipt, InventoryError> {
        self.receipts.into_iter().next().ok_or(InventoryError::ReceiptNotFound)
    }
}

/// Record goods that came in; the stock rises at once.
#[utoipa::path(
    post, path = "/api/inventory/receive_goods", tag = "inventory", security(("seller" = ["inventory.record"])), request_body = ReceiveGoodsRequest,
    responses((status = 200, body = ApiResponse<GoodsReceipt>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn receive_goods(
    State(app): State<App>,
    Staff(session, _): Staff<RecordStock>,
    Json(body): Json<ReceiveGoodsRequest>,
) -> Result<PrivateResponse<GoodsReceipt>, ApiError> {
    let line = |line: ReceiveLineRequest| ReceiptLineInput {
        product: line.product,
        quantity: line.quantity,
        cost: line.cost,
        expires_on: line.expires_on,
    };
    let input = ReceiptInput {
        supplier: body.supplier,
        invoice: body.invoice,
        note: body.note,
        lines: body.lines.into_iter().map(line).collect(),
    };
    let page = receive::receive(&app, &session, body.id, input).await?;
    let receipt = GoodsReceiptList::new(page, &session).into_first()?;
    Ok(PrivateResponse::with_message(receipt, message!("api.inventory.received")))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct ReceiptQuery {
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

/// List goods receipts, newest first.
#[utoipa::path(
    get, path = "/api/inventory/get_receipts", tag = "inventory", security(("seller" = ["inventory.record"])), params(ReceiptQuery),
    responses((status = 200, body = ApiResponse<GoodsReceiptList>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_receipts(
    State(app): State<App>,
    Staff(session, _): Staff<RecordStock>,
    Query(query): Query<ReceiptQuery>,
) -> Result<PrivateResponse<GoodsReceiptList>, ApiError> {
    let page = receive::list(&app, query.cursor.as_deref()).await?;
    Ok(PrivateResponse::ok(GoodsReceiptList::new(page, &session)))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct ReceiptCostsRequest {
    costs: Vec<LineCostRequest>,
}

#[derive(Deserialize, utoipa::ToSchema)]
struct LineCostRequest {
    /// The `_id` of the line.
    line: Uuid,
    /// Rupees for one unit; null if it is unknown.
    #[schema(value_type = Option<f64>)]
    cost: Option<Paisa>,
}

/// Enter or correct what the lines of a receipt cost.
///
/// The margins of sales since then change accordingly.
#[utoipa::path(
    put, path = "/api/inventory/set_receipt_costs/{id}", tag = "inventory", params(("id" = String, Path)), security(("seller" = ["inventory.costs"])),
    request_body = ReceiptCostsRequest,
    responses((status = 200, body = ApiResponse<GoodsReceipt>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn set_receipt_costs(
    State(app): State<App>,
    Staff(session, _): Staff<ReadCosts>,
    Path(id): Path<String>,
    Json(body): Json<ReceiptCostsRequest>,
) -> Result<PrivateResponse<GoodsReceipt>, ApiError> {
    let id: Uuid = id.parse().map_err(|_| InventoryError::ReceiptNotFound)?;
    let costs: Vec<(Uuid, Option<Paisa>)> = body.costs.into_iter().map(|line| (line.line, line.cost)).collect();
    let page = receive::set_costs(&app, session.person, id, &costs).await?;
    let receipt = GoodsReceiptList::new(page, &session).into_first()?;
    Ok(PrivateResponse::with_message(receipt, message!("api.inventory.costs_saved")))
}
