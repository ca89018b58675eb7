//! Endpoints for the profile, the data export and deleting the account.

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::header;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::responses::{LinkedIdentityResponse, UserResponse};
use crate::accounts::profile::{ProfileUpdate, update};
use crate::accounts::{DefaultAddressHook, PersonalDataHooks, delete_account};
use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::form::{Form, FormFields};
use crate::platform::messages::message;
use crate::platform::sessions::{self, ActiveSession, Shopper};
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Empty, Json, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(update_profile)).routes(routes!(export_account)).routes(routes!(delete_account))
}

/// The profile form, sent as `multipart/form-data`.
#[derive(utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the form")]
struct ProfileForm {
    name: String,
    email: String,
    phone: String,
    address: String,
    #[schema(value_type = Option<String>, format = Binary)]
    image: Option<Vec<u8>>,
    /// `true` removes the photo.
    remove_image: Option<String>,
    /// Required to change the email address, unless the login was within the last ten minutes.
    #[schema(format = Password)]
    current_password: Option<String>,
}

const PROFILE_FIELDS: FormFields =
    FormFields { texts: &["name", "email", "phone", "address", "removeImage", "currentPassword"], files: &["image"] };

/// Update the profile.
///
/// The address is the default entry of the address book. A new email address takes effect when the link sent to it is
/// opened.
#[utoipa::path(
    put, path = "/api/user/updateProfile", tag = "accounts", security(("shopper" = [])),
    request_body(content = ProfileForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ApiResponse<UserResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_profile(
    State(app): State<App>,
    Shopper(session): Shopper,
    Extension(address_hook): Extension<DefaultAddressHook>,
    request: Request,
) -> Result<PrivateResponse<UserResponse>, ApiError> {
    let headers = request.headers().clone();
    let mut form = Form::read(request, &PROFILE_FIELDS).await?;
    let photo = form.take_file("image");
    let edit = ProfileUpdate {
        name: form.text("name"),
        email: form.text("email"),
        phone: form.text("phone"),
        address: form.text("address"),
        photo,
        remove_photo: form.text("removeImage") == "true",
        current_password: form.text("currentPassword"),
    };
    let user = update(&app, &session, edit, address_hook, &headers).await?;
    Ok(PrivateResponse::with_message(user.into(), message!("api.accounts.profile_updated")))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountExport {
    exported_at: DateTime<Utc>,
    profile: UserResponse,
    sessions: Vec<ExportedSession>,
    identities: Vec<LinkedIdentityResponse>,
    /// The parts of the other modules.
    #[serde(flatten)]
    modules: Map<String, Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportedSession {
    device: String,
    since: DateTime<Utc>,
    last_seen: DateTime<Utc>,
}

impl From<ActiveSession> for ExportedSession {
    fn from(row: ActiveSession) -> Self {
        Self { device: row.device, since: row.created_at, last_seen: row.last_seen_at }
    }
}

/// Export everything that the shop knows about the shopper.
///
/// Requires a recent login.
#[utoipa::path(
    get, path = "/api/user/export", tag = "accounts", security(("shopper" = [])),
    responses((status = 200, body = Object), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn export_account(
    State(app): State<App>,
    Shopper(session): Shopper,
    Extension(hooks): Extension<PersonalDataHooks>,
) -> Result<Response, ApiError> {
    let data = delete_account::export_account(&app, &session, hooks).await?;
    let document = AccountExport {
        exported_at: data.exported_at,
        profile: data.profile.into(),
        sessions: data.sessions.into_iter().map(ExportedSession::from).collect(),
        identities: data.identities.into_iter().map(LinkedIdentityResponse::from).collect(),
        modules: data.modules,
    };
    let headers = [
        (header::CONTENT_DISPOSITION, "attachment; filename=\"thunse-account.json\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, axum::Json(document)).into_response())
}

#[derive(Deserialize, utoipa::ToSchema)]
struct DeleteAccountRequest {
    /// Required if the account has a password.
    #[schema(format = Password)]
    password: Option<String>,
}

/// Delete the account.
///
/// Orders stay, without the shopper's details once they are finished.
#[utoipa::path(
    post, path = "/api/user/delete", tag = "accounts", security(("shopper" = [])), request_body = DeleteAccountRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn delete_account(
    State(app): State<App>,
    Shopper(session): Shopper,
    Extension(hooks): Extension<PersonalDataHooks>,
    Json(body): Json<DeleteAccountRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    delete_account::delete_account(&app, &session, body.password.as_deref(), hooks).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.accounts.deleted"))
        .with_cookies(sessions::delete_cookies(AccountKind::Shopper)))
}
