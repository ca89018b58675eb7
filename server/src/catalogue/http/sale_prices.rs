//! The seller's endpoints for sales.

use axum::extract::{Path, State};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::catalogue::model::{SalePrice, SaleState};
use crate::catalogue::sale_prices::{self, SaleInput};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::money::Paisa;
use crate::platform::permissions::{EditProducts, ReadProducts};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_sales)).routes(routes!(add_sale)).routes(routes!(end_sale))
}

/// A sale of one product.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Sale)]
struct SaleResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    /// Rupees, at most two decimals.
    #[schema(value_type = f64)]
    price: Paisa,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    /// The price before the sale; null until it has begun.
    #[schema(required, value_type = Option<f64>)]
    was_price: Option<Paisa>,
    /// When it really ended; null until then.
    #[schema(required)]
    ended_at: Option<DateTime<Utc>>,
    #[schema(inline)]
    state: SaleStateResponse,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum SaleStateResponse {
    Planned,
    Running,
    Ended,
    /// A seller ended it before it began.
    Cancelled,
    /// It could not begin, because the regular price was no longer above it.
    Skipped,
}

impl From<SalePrice> for SaleResponse {
    fn from(sale: SalePrice) -> Self {
        let state = match sale.state() {
            SaleState::Planned => SaleStateResponse::Planned,
            SaleState::Running => SaleStateResponse::Running,
            SaleState::Ended => SaleStateResponse::Ended,
            SaleState::Cancelled => SaleStateResponse::Cancelled,
            SaleState::Skipped => SaleStateResponse::Skipped,
        };
        Self {
            id: sale.id,
            price: sale.price,
            starts_at: sale.starts_at,
            ends_at: sale.ends_at,
            was_price: sale.was_price,
            ended_at: sale.ended_at,
            state,
        }
    }
}

fn to_responses(sales: Vec<SalePrice>) -> Vec<SaleResponse> {
    sales.into_iter().map(SaleResponse::from).collect()
}

/// List the sales of a product, the latest first.
#[utoipa::path(
    get, path = "/api/product/get_sales/{slug}", tag = "catalogue", params(("slug" = String, Path)), security(("seller" = ["products.read"])),
    responses((status = 200, body = ApiResponse<Vec<SaleResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_sales(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadProducts>,
    Path(slug): Path<String>,
) -> Result<PrivateResponse<Vec<SaleResponse>>, ApiError> {
    Ok(PrivateResponse::ok(to_responses(sale_prices::list_sales(&app, &slug).await?)))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct AddSaleRequest {
    /// Rupees, below the regular price.
    #[schema(value_type = f64)]
    price: Paisa,
    /// Absent or past: now.
    starts_at: Option<DateTime<Utc>>,
    /// At most 60 days after the start.
    ends_at: DateTime<Utc>,
}

/// Plan a sale of a product.
///
/// Returns all its sales. A sale that overlaps another one is refused.
#[utoipa::path(
    post, path = "/api/product/add_sale/{slug}", tag = "catalogue", params(("slug" = String, Path)), security(("seller" = ["products.edit"])),
    request_body = AddSaleRequest,
    responses((status = 200, body = ApiResponse<Vec<SaleResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_sale(
    State(app): State<App>,
    Staff(session, _): Staff<EditProducts>,
    Path(slug): Path<String>,
    Json(request): Json<AddSaleRequest>,
) -> Result<PrivateResponse<Vec<SaleResponse>>, ApiError> {
    let input = SaleInput { price: request.price, starts_at: request.starts_at, ends_at: request.ends_at };
    let sales = sale_prices::add_sale(&app, session.person, &slug, &input).await?;
    Ok(PrivateResponse::with_message(to_responses(sales), message!("api.sales.added")))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct EndSaleRequest {
    sale_id: Uuid,
}

/// End a sale now, or cancel one that has not begun.
///
/// Returns all sales of the product.
#[utoipa::path(
    post, path = "/api/product/end_sale", tag = "catalogue", security(("seller" = ["products.edit"])),
    request_body = EndSaleRequest,
    responses((status = 200, body = ApiResponse<Vec<SaleResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn end_sale(
    State(app): State<App>,
    Staff(session, _): Staff<EditProducts>,
    Json(request): Json<EndSaleRequest>,
) -> Result<PrivateResponse<Vec<SaleResponse>>, ApiError> {
    let sales = sale_prices::end_sale(&app, session.person, request.sale_id).await?;
    Ok(PrivateResponse::with_message(to_responses(sales), message!("api.sales.ended")))
}
