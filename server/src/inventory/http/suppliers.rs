//! The endpoints of suppliers.

use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::inventory::error::InventoryError;
use crate::inventory::model;
use crate::inventory::suppliers::{self, SupplierInput};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::permissions::RecordStock;
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_suppliers)).routes(routes!(save_supplier))
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Supplier)]
struct SupplierResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    name: String,
    /// Empty if unknown, like the number at the tax office.
    phone: String,
    pan: String,
    note: String,
    /// Archived suppliers are not offered any more.
    is_archived: bool,
}

impl From<model::Supplier> for SupplierResponse {
    fn from(supplier: model::Supplier) -> Self {
        let model::Supplier { id, name, phone, pan, note, is_archived } = supplier;
        Self { id, name, phone, pan, note, is_archived }
    }
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct SaveSupplierRequest {
    name: String,
    #[serde(default)]
    phone: String,
    /// The nine digits of the tax office.
    #[serde(default)]
    pan: String,
    #[serde(default)]
    note: String,
    #[serde(default)]
    is_archived: bool,
}

/// List the suppliers by name, archived ones last.
#[utoipa::path(
    get, path = "/api/inventory/get_suppliers", tag = "inventory", security(("seller" = ["inventory.record"])),
    responses((status = 200, body = ApiResponse<Vec<SupplierResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_suppliers(
    State(app): State<App>,
    Staff(_session, _): Staff<RecordStock>,
) -> Result<PrivateResponse<Vec<SupplierResponse>>, ApiError> {
    let suppliers = suppliers::list(&app).await?;
    Ok(PrivateResponse::ok(suppliers.into_iter().map(SupplierResponse::from).collect()))
}

/// Add or change a supplier.
///
/// The client makes the id of a new one, so that a repeated request adds no second one.
#[utoipa::path(
    put, path = "/api/inventory/save_supplier/{id}", tag = "inventory", params(("id" = String, Path)), security(("seller" = ["inventory.record"])),
    request_body = SaveSupplierRequest,
    responses((status = 200, body = ApiResponse<SupplierResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn save_supplier(
    State(app): State<App>,
    Staff(session, _): Staff<RecordStock>,
    Path(id): Path<String>,
    Json(body): Json<SaveSupplierRequest>,
) -> Result<PrivateResponse<SupplierResponse>, ApiError> {
    let id: Uuid = id.parse().map_err(|_| InventoryError::SupplierNotFound)?;
    let SaveSupplierRequest { name, phone, pan, note, is_archived } = body;
    let input = SupplierInput { name, phone, pan, note, is_archived };
    let saved = suppliers::save(&app, session.person, id, input).await?;
    Ok(PrivateResponse::with_message(saved.into(), message!("api.inventory.supplier_saved")))
}
