//! The shopper's endpoints.

use axum::extract::{Path, Request, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::complaint::{ComplaintResponse, PhotoQuery, photo_response};
use crate::complaints::model::{ComplaintError, MAX_PHOTOS, Reason, RequestedRemedy};
use crate::complaints::open::{NewComplaint, open_complaint as open};
use crate::complaints::{conversation, photos};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::form::{Form, FormFields};
use crate::platform::ids::ProductId;
use crate::platform::messages::message;
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(open_complaint))
        .routes(routes!(get_complaints))
        .routes(routes!(get_complaint))
        .routes(routes!(add_complaint_message))
        .routes(routes!(get_complaint_photo))
}

/// The form, sent as `multipart/form-data`.
#[derive(utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the form")]
struct ComplaintForm {
    /// `_id` of the order.
    order: Uuid,
    /// `damaged`, `missing`, `wrong`, `late`, `quality` or `other`.
    reason: String,
    /// `refund`, `replacement` or `answer`.
    remedy: String,
    text: String,
    /// The products as JSON: `[{"product": "…", "quantity": 1}]`.
    items: String,
    #[schema(value_type = Option<String>, format = Binary)]
    photo1: Option<Vec<u8>>,
    #[schema(value_type = Option<String>, format = Binary)]
    photo2: Option<Vec<u8>>,
    #[schema(value_type = Option<String>, format = Binary)]
    photo3: Option<Vec<u8>>,
    #[schema(value_type = Option<String>, format = Binary)]
    photo4: Option<Vec<u8>>,
}

const PHOTO_FIELDS: [&str; MAX_PHOTOS] = ["photo1", "photo2", "photo3", "photo4"];
const COMPLAINT_FIELDS: FormFields =
    FormFields { texts: &["order", "reason", "remedy", "text", "items"], files: &PHOTO_FIELDS };

#[derive(Deserialize)]
struct ItemRequest {
    product: ProductId,
    quantity: i32,
}

#[derive(Serialize, utoipa::ToSchema)]
struct OpenedComplaint {
    #[serde(rename = "_id")]
    id: Uuid,
}

/// Report a problem with an order.
#[utoipa::path(
    post, path = "/api/complaint/open_complaint", tag = "complaints", security(("shopper" = [])),
    request_body(content = ComplaintForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ApiResponse<OpenedComplaint>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn open_complaint(
    State(app): State<App>,
    Shopper(session): Shopper,
    request: Request,
) -> Result<PrivateResponse<OpenedComplaint>, ApiError> {
    let mut form = Form::read(request, &COMPLAINT_FIELDS).await?;
    let order = form.text("order").parse().map_err(|_| ComplaintError::OrderNotFound)?;
    let reason = Reason::from_name(form.text("reason")).ok_or(ComplaintError::InvalidChoice)?;
    let remedy = RequestedRemedy::from_name(form.text("remedy")).ok_or(ComplaintError::InvalidChoice)?;
    let items = form.get("items").filter(|items| !items.is_empty()).unwrap_or("[]");
    let items: Vec<ItemRequest> = serde_json::from_str(items).map_err(|_| ComplaintError::ItemsInvalid)?;
    let new = NewComplaint {
        order,
        reason,
        remedy,
        text: form.text("text").to_owned(),
        items: items.into_iter().map(|item| (item.product, item.quantity)).collect(),
        photos: PHOTO_FIELDS.iter().filter_map(|name| form.take_file(name)).collect(),
    };
    let id = open(&app, session.person, new).await?;
    Ok(PrivateResponse::with_message(OpenedComplaint { id }, message!("api.complaints.opened")))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct OwnComplaintsQuery {
    /// `_id` of the order.
    order: String,
}

/// List the shopper's complaints about an order, newest first.
#[utoipa::path(
    get, path = "/api/complaint/get_complaints", tag = "complaints", security(("shopper" = [])), params(OwnComplaintsQuery),
    responses((status = 200, body = ApiResponse<Vec<ComplaintResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_complaints(
    State(app): State<App>,
    Shopper(session): Shopper,
    Query(query): Query<OwnComplaintsQuery>,
) -> Result<PrivateResponse<Vec<ComplaintResponse>>, ApiError> {
    let order = query.order.parse().map_err(|_| ComplaintError::OrderNotFound)?;
    let complaints = conversation::list_of_order(&app, session.person, order).await?;
    Ok(PrivateResponse::ok(complaints.into_iter().map(ComplaintResponse::for_shopper).collect()))
}

/// Get one of the shopper's complaints.
#[utoipa::path(
    get, path = "/api/complaint/get_complaint/{id}", tag = "complaints", security(("shopper" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, body = ApiResponse<ComplaintResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_complaint(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(id): Path<String>,
) -> Result<PrivateResponse<ComplaintResponse>, ApiError> {
    let id = id.parse().map_err(|_| ComplaintError::NotFound)?;
    let complaint = conversation::find(&app, Some(session.person), id).await?;
    Ok(PrivateResponse::ok(ComplaintResponse::for_shopper(complaint)))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct AddMessageRequest {
    #[serde(rename = "_id")]
    id: Uuid,
    text: String,
}

/// Write to the shop about a complaint.
#[utoipa::path(
    post, path = "/api/complaint/add_message", tag = "complaints", security(("shopper" = [])), request_body = AddMessageRequest,
    responses((status = 200, body = ApiResponse<ComplaintResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_complaint_message(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<AddMessageRequest>,
) -> Result<PrivateResponse<ComplaintResponse>, ApiError> {
    conversation::add_shopper_message(&app, session.person, body.id, &body.text).await?;
    let complaint = conversation::find(&app, Some(session.person), body.id).await?;
    let response = ComplaintResponse::for_shopper(complaint);
    Ok(PrivateResponse::with_message(response, message!("api.complaints.message_sent")))
}

/// Get a photo of one of the shopper's complaints.
#[utoipa::path(
    get, path = "/api/complaint/photo/{id}", tag = "complaints", security(("shopper" = [])), params(("id" = Uuid, Path), PhotoQuery),
    responses((status = 200, content_type = "image/webp", body = String), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_complaint_photo(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(id): Path<String>,
    Query(query): Query<PhotoQuery>,
) -> Result<Response, ApiError> {
    let id = id.parse().map_err(|_| ComplaintError::PhotoNotFound)?;
    Ok(photo_response(photos::read_photo(&app, Some(session.person), id, query.small).await?))
}
