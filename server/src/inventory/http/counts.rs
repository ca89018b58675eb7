//! The endpoints of stock-taking.

use axum::extract::{Path, State};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::responses::ProductReference;
use crate::inventory::count::{self, CountDetails, CountPage};
use crate::inventory::error::InventoryError;
use crate::inventory::model::{self, CountLine};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::ProductId;
use crate::platform::messages::message;
use crate::platform::permissions::RecordStock;
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(start_count))
        .routes(routes!(get_counts))
        .routes(routes!(get_count))
        .routes(routes!(record_count))
        .routes(routes!(apply_count))
        .routes(routes!(discard_count))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct StartCountRequest {
    /// Made by the client and stored before sending; the same request again starts no second count.
    #[serde(rename = "_id")]
    id: Uuid,
    /// Absent for the whole shop.
    category: Option<Uuid>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct StockCount {
    #[serde(rename = "_id")]
    id: Uuid,
    /// Null for the whole shop.
    #[schema(required)]
    category: Option<Uuid>,
    /// `open`, `applied` or `discarded`.
    state: &'static str,
    started_by: String,
    started_at: DateTime<Utc>,
    #[schema(required)]
    finished_at: Option<DateTime<Utc>>,
    /// How many products were counted.
    counted: i64,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct StockCountLine {
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    counted: i32,
    /// What there should have been when it was counted, by the ledger.
    expected: i32,
    /// Of these, the units of orders that had not left the shop.
    reserved: i32,
    difference: i32,
    /// What was applied to the stock; null until then. It is less than the difference if more was sold since than there
    /// was.
    #[schema(required)]
    applied: Option<i32>,
    counted_at: DateTime<Utc>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct StockCountDetails {
    count: StockCount,
    /// The latest entry of each product.
    lines: Vec<StockCountLine>,
    /// The names of these products.
    products: Vec<ProductReference>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct StockCountList {
    counts: Vec<StockCount>,
    #[schema(required)]
    next_cursor: Option<String>,
}

impl StockCount {
    fn new(count: &model::StockCount, started_by: Option<&String>) -> Self {
        Self {
            id: count.id,
            category: count.category_id,
            state: count.state.name(),
            started_by: started_by.cloned().unwrap_or_default(),
            started_at: count.started_at,
            finished_at: count.finished_at,
            counted: count.counted,
        }
    }
}

impl From<&CountLine> for StockCountLine {
    fn from(line: &CountLine) -> Self {
        Self {
            product: line.product_id,
            counted: line.counted,
            expected: line.expected(),
            reserved: line.reserved,
            difference: line.difference(),
            applied: line.applied,
            counted_at: line.counted_at,
        }
    }
}

impl From<CountDetails> for StockCountDetails {
    fn from(details: CountDetails) -> Self {
        let CountDetails { count, lines, products, people } = details;
        Self {
            count: StockCount::new(&count, people.get(&count.started_by)),
            products: lines.iter().map(|line| ProductReference::new(line.product_id, &products)).collect(),
            lines: lines.iter().map(StockCountLine::from).collect(),
        }
    }
}

impl From<CountPage> for StockCountList {
    fn from(page: CountPage) -> Self {
        let counts = page.counts.iter().map(|count| StockCount::new(count, page.people.get(&count.started_by)));
        Self { counts: counts.collect(), next_cursor: page.next_cursor }
    }
}

fn parse_id(id: &str) -> Result<Uuid, InventoryError> {
    id.parse().map_err(|_| InventoryError::CountNotFound)
}

/// Start counting a category or the whole shop.
#[utoipa::path(
    post, path = "/api/inventory/start_count", tag = "inventory", security(("seller" = ["inventory.record"])), request_body = StartCountRequest,
    responses((status = 200, body = ApiResponse<StockCountDetails>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn start_count(
    State(app): State<App>,
    Staff(session, _): Staff<RecordStock>,
    Json(body): Json<StartCountRequest>,
) -> Result<PrivateResponse<StockCountDetails>, ApiError> {
    Ok(PrivateResponse::ok(count::start(&app, session.person, body.id, body.category).await?.into()))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct CountQuery {
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

/// List stock counts, newest first.
#[utoipa::path(
    get, path = "/api/inventory/get_counts", tag = "inventory", security(("seller" = ["inventory.record"])), params(CountQuery),
    responses((status = 200, body = ApiResponse<StockCountList>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_counts(
    State(app): State<App>,
    Staff(_session, _): Staff<RecordStock>,
    Query(query): Query<CountQuery>,
) -> Result<PrivateResponse<StockCountList>, ApiError> {
    Ok(PrivateResponse::ok(count::list(&app, query.cursor.as_deref()).await?.into()))
}

/// Get a stock count with what was counted.
#[utoipa::path(
    get, path = "/api/inventory/get_count/{id}", tag = "inventory", params(("id" = String, Path)), security(("seller" = ["inventory.record"])),
    responses((status = 200, body = ApiResponse<StockCountDetails>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_count(
    State(app): State<App>,
    Staff(_session, _): Staff<RecordStock>,
    Path(id): Path<String>,
) -> Result<PrivateResponse<StockCountDetails>, ApiError> {
    Ok(PrivateResponse::ok(count::load(&app, parse_id(&id)?).await?.into()))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct RecordCountRequest {
    /// Made by the client for this entry; the same request again keeps the first entry.
    #[serde(rename = "_id")]
    id: Uuid,
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    /// All units in the shop, including those of orders that have not left it.
    counted: i32,
}

/// Record how many units of a product there are.
///
/// The response says what there should be. The difference belongs to this moment: later sales do not change it.
#[utoipa::path(
    post, path = "/api/inventory/record_count/{id}", tag = "inventory", params(("id" = String, Path)), security(("seller" = ["inventory.record"])),
    request_body = RecordCountRequest,
    responses((status = 200, body = ApiResponse<StockCountLine>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn record_count(
    State(app): State<App>,
    Staff(session, _): Staff<RecordStock>,
    Path(id): Path<String>,
    Json(body): Json<RecordCountRequest>,
) -> Result<PrivateResponse<StockCountLine>, ApiError> {
    let id = parse_id(&id)?;
    let line = count::record(&app, session.person, id, body.id, body.product, body.counted).await?;
    Ok(PrivateResponse::ok(StockCountLine::from(&line)))
}

/// Apply the differences of a count to the stock.
#[utoipa::path(
    post, path = "/api/inventory/apply_count/{id}", tag = "inventory", params(("id" = String, Path)), security(("seller" = ["inventory.record"])),
    responses((status = 200, body = ApiResponse<StockCountDetails>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn apply_count(
    State(app): State<App>,
    Staff(session, _): Staff<RecordStock>,
    Path(id): Path<String>,
) -> Result<PrivateResponse<StockCountDetails>, ApiError> {
    let applied = count::apply(&app, session.person, parse_id(&id)?).await?;
    Ok(PrivateResponse::with_message(applied.into(), message!("api.inventory.count_applied")))
}

/// End a count without changing the stock.
#[utoipa::path(
    post, path = "/api/inventory/discard_count/{id}", tag = "inventory", params(("id" = String, Path)), security(("seller" = ["inventory.record"])),
    responses((status = 200, body = ApiResponse<StockCountDetails>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn discard_count(
    State(app): State<App>,
    Staff(session, _): Staff<RecordStock>,
    Path(id): Path<String>,
) -> Result<PrivateResponse<StockCountDetails>, ApiError> {
    let discarded = count::discard(&app, session.person, parse_id(&id)?).await?;
    Ok(PrivateResponse::with_message(discarded.into(), message!("api.inventory.count_discarded")))
}
