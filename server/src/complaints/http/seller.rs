//! The seller's endpoints.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::complaint::{ComplaintResponse, PhotoQuery, photo_response};
use crate::complaints::model::{ComplaintError, Outcome};
use crate::complaints::{conversation, photos};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::permissions::HandleCases;
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, NoStore, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_seller_complaints))
        .routes(routes!(get_seller_complaint))
        .routes(routes!(answer_complaint))
        .routes(routes!(decide_complaint))
        .routes(routes!(get_seller_complaint_photo))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct ComplaintsQuery {
    /// Decided complaints instead of open ones.
    #[serde(default)]
    closed: bool,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// At most 100; the default is 30.
    limit: Option<u16>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ComplaintList {
    success: bool,
    message: &'static str,
    data: Vec<ComplaintResponse>,
    /// Cursor of the next page; `null` on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
    /// Number of all open complaints.
    open: i64,
}

/// List open complaints, the most urgent first, or decided ones, the newest first.
#[utoipa::path(
    get, path = "/api/complaint/get_seller_complaints", tag = "complaints", security(("seller" = ["cases.handle"])), params(ComplaintsQuery),
    responses((status = 200, body = ComplaintList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_seller_complaints(
    State(app): State<App>,
    Staff(_session, _): Staff<HandleCases>,
    Query(query): Query<ComplaintsQuery>,
) -> Result<NoStore<ComplaintList>, ApiError> {
    let page = conversation::list_all(&app, query.closed, query.cursor.as_deref(), query.limit).await?;
    Ok(NoStore(ComplaintList {
        success: true,
        message: "",
        data: page.complaints.into_iter().map(ComplaintResponse::for_seller).collect(),
        next_cursor: page.next_cursor,
        open: page.open,
    }))
}

/// Get a complaint.
#[utoipa::path(
    get, path = "/api/complaint/get_seller_complaint/{id}", tag = "complaints", security(("seller" = ["cases.handle"])), params(("id" = Uuid, Path)),
    responses((status = 200, body = ApiResponse<ComplaintResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_seller_complaint(
    State(app): State<App>,
    Staff(_session, _): Staff<HandleCases>,
    Path(id): Path<String>,
) -> Result<PrivateResponse<ComplaintResponse>, ApiError> {
    let id = id.parse().map_err(|_| ComplaintError::NotFound)?;
    Ok(PrivateResponse::ok(ComplaintResponse::for_seller(conversation::find(&app, None, id).await?)))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct AnswerComplaintRequest {
    #[serde(rename = "_id")]
    id: Uuid,
    text: String,
}

/// Write to the customer about a complaint.
#[utoipa::path(
    post, path = "/api/complaint/answer", tag = "complaints", security(("seller" = ["cases.handle"])), request_body = AnswerComplaintRequest,
    responses((status = 200, body = ApiResponse<ComplaintResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn answer_complaint(
    State(app): State<App>,
    Staff(session, _): Staff<HandleCases>,
    Json(body): Json<AnswerComplaintRequest>,
) -> Result<PrivateResponse<ComplaintResponse>, ApiError> {
    conversation::add_shop_message(&app, session.person, body.id, &body.text).await?;
    let response = ComplaintResponse::for_seller(conversation::find(&app, None, body.id).await?);
    Ok(PrivateResponse::with_message(response, message!("api.complaints.message_sent")))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct DecideComplaintRequest {
    #[serde(rename = "_id")]
    id: Uuid,
    /// `accepted`, `partly` or `refused`.
    outcome: String,
    /// What the customer is told.
    text: String,
}

/// Decide a complaint. A refund is made separately.
#[utoipa::path(
    post, path = "/api/complaint/decide", tag = "complaints", security(("seller" = ["cases.handle"])), request_body = DecideComplaintRequest,
    responses((status = 200, body = ApiResponse<ComplaintResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn decide_complaint(
    State(app): State<App>,
    Staff(session, _): Staff<HandleCases>,
    Json(body): Json<DecideComplaintRequest>,
) -> Result<PrivateResponse<ComplaintResponse>, ApiError> {
    let outcome = Outcome::from_name(&body.outcome).ok_or(ComplaintError::InvalidChoice)?;
    conversation::decide(&app, session.person, body.id, outcome, &body.text).await?;
    let response = ComplaintResponse::for_seller(conversation::find(&app, None, body.id).await?);
    Ok(PrivateResponse::with_message(response, message!("api.complaints.decided")))
}

/// Get a photo of a complaint.
#[utoipa::path(
    get, path = "/api/complaint/seller_photo/{id}", tag = "complaints", security(("seller" = ["cases.handle"])), params(("id" = Uuid, Path), PhotoQuery),
    responses((status = 200, content_type = "image/webp", body = String), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_seller_complaint_photo(
    State(app): State<App>,
    Staff(_session, _): Staff<HandleCases>,
    Path(id): Path<String>,
    Query(query): Query<PhotoQuery>,
) -> Result<Response, ApiError> {
    let id = id.parse().map_err(|_| ComplaintError::PhotoNotFound)?;
    Ok(photo_response(photos::read_photo(&app, None, id, query.small).await?))
}
