//! The endpoints of waste and of batches that expire.

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::responses::ProductReference;
use crate::inventory::batches::{self, ExpiringBatches};
use crate::inventory::error::InventoryError;
use crate::inventory::model::{WasteInput, WasteReason};
use crate::inventory::waste::{self, WastePage};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::ProductId;
use crate::platform::messages::message;
use crate::platform::permissions::RecordStock;
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(record_waste)).routes(routes!(get_waste)).routes(routes!(get_expiring_batches))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct RecordWasteRequest {
    /// Made by the client and stored before sending; the same request again changes nothing.
    #[serde(rename = "_id")]
    id: Uuid,
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    quantity: i32,
    /// `expired`, `spoiled`, `damaged`, `lost`, `own_use`, or `other` with a note.
    reason: String,
    #[serde(default)]
    note: String,
    /// The batch that is written off; absent if it is unknown.
    batch: Option<Uuid>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct WasteRecord {
    #[serde(rename = "_id")]
    id: Uuid,
    product: ProductReference,
    quantity: i32,
    /// `expired`, `spoiled`, `damaged`, `lost`, `own_use` or `other`.
    reason: String,
    note: String,
    recorded_by: String,
    recorded_at: DateTime<Utc>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct WasteList {
    records: Vec<WasteRecord>,
    #[schema(required)]
    next_cursor: Option<String>,
}

impl From<WastePage> for WasteList {
    fn from(page: WastePage) -> Self {
        let WastePage { records, next_cursor, products, people } = page;
        let records = records.into_iter().map(|record| WasteRecord {
            id: record.id,
            product: ProductReference::new(record.product_id, &products),
            quantity: record.quantity,
            reason: record.reason,
            note: record.note,
            recorded_by: people.get(&record.recorded_by).cloned().unwrap_or_default(),
            recorded_at: record.recorded_at,
        });
        Self { records: records.collect(), next_cursor }
    }
}

/// Write goods off, with a reason; the stock falls at once.
#[utoipa::path(
    post, path = "/api/inventory/record_waste", tag = "inventory", security(("seller" = ["inventory.record"])), request_body = RecordWasteRequest,
    responses((status = 200, body = ApiResponse<WasteRecord>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn record_waste(
    State(app): State<App>,
    Staff(session, _): Staff<RecordStock>,
    Json(body): Json<RecordWasteRequest>,
) -> Result<PrivateResponse<WasteRecord>, ApiError> {
    let reason = WasteReason::from_name(&body.reason)
        .ok_or_else(|| InventoryError::Field("reason", message!("api.inventory.reason_invalid")))?;
    let RecordWasteRequest { id, product, quantity, note, batch, .. } = body;
    let page = waste::record(&app, session.person, id, WasteInput { product, quantity, reason, note, batch }).await?;
    let record = WasteList::from(page).records.into_iter().next().ok_or(InventoryError::ProductNotFound)?;
    Ok(PrivateResponse::with_message(record, message!("api.inventory.waste_recorded")))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct WasteQuery {
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

/// List what was written off, newest first.
#[utoipa::path(
    get, path = "/api/inventory/get_waste", tag = "inventory", security(("seller" = ["inventory.record"])), params(WasteQuery),
    responses((status = 200, body = ApiResponse<WasteList>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_waste(
    State(app): State<App>,
    Staff(_session, _): Staff<RecordStock>,
    Query(query): Query<WasteQuery>,
) -> Result<PrivateResponse<WasteList>, ApiError> {
    Ok(PrivateResponse::ok(waste::list(&app, query.cursor.as_deref()).await?.into()))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct ExpiryQuery {
    /// Batches that expire within so many days are listed; the default is 7, the most is 90.
    days: Option<u16>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ExpiringBatch {
    #[serde(rename = "_id")]
    id: Uuid,
    product: ProductReference,
    received: i32,
    /// At most so many units are left, if what expires first is sold first.
    left: i32,
    /// The last day on which the goods may be sold.
    expires_on: NaiveDate,
    /// Negative if the batch has expired.
    days_left: i64,
}

#[derive(Serialize, utoipa::ToSchema)]
struct ExpiringBatchList {
    /// The date in Kathmandu.
    today: NaiveDate,
    batches: Vec<ExpiringBatch>,
}

impl From<ExpiringBatches> for ExpiringBatchList {
    fn from(list: ExpiringBatches) -> Self {
        let ExpiringBatches { today, batches, products } = list;
        let batches = batches.into_iter().map(|batch| ExpiringBatch {
            id: batch.id,
            product: ProductReference::new(batch.product_id, &products),
            received: batch.received,
            left: batch.left,
            expires_on: batch.expires_on,
            days_left: (batch.expires_on - today).num_days(),
        });
        Self { today, batches: batches.collect() }
    }
}

/// List batches that have expired or expire soon, the oldest first.
#[utoipa::path(
    get, path = "/api/inventory/get_expiring_batches", tag = "inventory", security(("seller" = ["inventory.record"])), params(ExpiryQuery),
    responses((status = 200, body = ApiResponse<ExpiringBatchList>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_expiring_batches(
    State(app): State<App>,
    Staff(_session, _): Staff<RecordStock>,
    Query(query): Query<ExpiryQuery>,
) -> Result<PrivateResponse<ExpiringBatchList>, ApiError> {
    Ok(PrivateResponse::ok(batches::list_expiring(&app, query.days).await?.into()))
}
