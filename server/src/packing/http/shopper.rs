//! The shopper's endpoints.

use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::packing::{PackingResponse, QuestionResponse};
use crate::orders::OrderError;
use crate::packing::model::PackingDetails;
use crate::packing::{proposal, queries};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_packing)).routes(routes!(answer_packing_question))
}

/// What a shopper sees of the packing of an order.
#[derive(Serialize, utoipa::ToSchema)]
struct ShopperPacking {
    /// `null` until the order is packed.
    #[schema(required)]
    packing: Option<PackingResponse>,
    /// `null` unless the shop asks something now.
    #[schema(required)]
    question: Option<QuestionResponse>,
}

impl From<PackingDetails> for ShopperPacking {
    fn from(details: PackingDetails) -> Self {
        let is_open = details.packing.is_none();
        let question = details.proposal.as_ref().filter(|proposal| is_open && proposal.accepted.is_none());
        Self { packing: PackingResponse::new(&details), question: question.map(QuestionResponse::from) }
    }
}

/// Get what was packed of an order, and the shop's question about it.
#[utoipa::path(
    get, path = "/api/packing/get_packing/{order}", tag = "packing", security(("shopper" = [])), params(("order" = Uuid, Path)),
    responses((status = 200, body = ApiResponse<ShopperPacking>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_packing(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(order): Path<String>,
) -> Result<PrivateResponse<ShopperPacking>, ApiError> {
    let order = order.parse().map_err(|_| OrderError::NotFound)?;
    let mut connection = app.db.main.acquire().await.map_err(OrderError::from)?;
    let details = queries::load_details(&mut connection, order, Some(session.person)).await?;
    Ok(PrivateResponse::ok(details.into()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct AnswerPackingRequest {
    /// The order's `_id`.
    order_id: String,
    /// The question's `_id`.
    question_id: Uuid,
    accepted: bool,
}

/// Accept or decline a higher price.
#[utoipa::path(
    post, path = "/api/packing/answer_question", tag = "packing", security(("shopper" = [])), request_body = AnswerPackingRequest,
    responses((status = 200, body = ApiResponse<ShopperPacking>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn answer_packing_question(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<AnswerPackingRequest>,
) -> Result<PrivateResponse<ShopperPacking>, ApiError> {
    let order = body.order_id.parse().map_err(|_| OrderError::NotFound)?;
    let details = proposal::answer(&app, session.person, order, body.question_id, body.accepted).await?;
    let message = if body.accepted { message!("api.packing.accepted") } else { message!("api.packing.declined") };
    Ok(PrivateResponse::with_message(details.into(), message))
}
