//! Endpoints for registering, signing in and out, and listing devices.

use axum::Extension;
use axum::extract::{Path, Request, State};
use chrono::{DateTime, Utc};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::responses::UserResponse;
use crate::accounts::register::{ConsentHook, NewShopper, register as register_shopper};
use crate::accounts::sign_out::{sign_out_device, sign_out_everywhere};
use crate::accounts::{AccountError, load_user, sign_in};
use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::form::{Form, FormFields};
use crate::platform::messages::message;
use crate::platform::sessions::{self, Shopper};
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Empty, Json, PrivateResponse, SameOrigin};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(is_auth))
        .routes(routes!(register))
        .routes(routes!(login))
        .routes(routes!(logout))
        .routes(routes!(logout_by_post))
        .routes(routes!(list_sessions))
        .routes(routes!(end_session))
        .routes(routes!(end_all_sessions))
}

/// Get the signed-in shopper.
#[utoipa::path(
    get, path = "/api/user/isAuth", tag = "accounts", security(("shopper" = [])),
    responses((status = 200, body = ApiResponse<UserResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn is_auth(State(app): State<App>, Shopper(session): Shopper) -> Result<PrivateResponse<UserResponse>, ApiError> {
    let mut connection = app.db.main.acquire().await.map_err(AccountError::from)?;
    let user = load_user(&mut connection, session.person).await?;
    drop(connection);
    let cookies = sessions::rotate_if_due(&app.db.main, AccountKind::Shopper, &session, app.clock.now()).await?;
    Ok(PrivateResponse::ok(user.into()).with_cookies(cookies))
}

/// The registration form, sent as `multipart/form-data`.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the form")]
struct RegisterForm {
    name: String,
    email: String,
    #[schema(format = Password)]
    password: String,
    phone: String,
    #[schema(value_type = Option<String>, format = Binary)]
    image: Option<Vec<u8>>,
}

const REGISTER_FIELDS: FormFields = FormFields { texts: &["name", "email", "password", "phone"], files: &["image"] };

/// Register an account and sign in.
#[utoipa::path(
    post, path = "/api/user/register", tag = "accounts",
    request_body(content = RegisterForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ApiResponse<UserResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn register(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    Extension(consent_hook): Extension<ConsentHook>,
    request: Request,
) -> Result<PrivateResponse<UserResponse>, ApiError> {
    app.limits.register.check(from)?;
    let headers = request.headers().clone();
    let mut form = Form::read(request, &REGISTER_FIELDS).await?;
    let photo = form.take_file("image");
    let new = NewShopper {
        name: form.text("name"),
        email: form.text("email"),
        phone: form.text("phone"),
        password: form.text("password"),
        photo,
    };
    let (user, cookies) = register_shopper(&app, new, consent_hook, &headers).await?;
    Ok(PrivateResponse::with_message(user.into(), message!("api.accounts.registered")).with_cookies(cookies))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct LoginRequest {
    email: String,
    #[schema(format = Password)]
    password: String,
}

/// Sign in with email address and password.
#[utoipa::path(
    post, path = "/api/user/login", tag = "accounts", request_body = LoginRequest,
    responses((status = 200, body = ApiResponse<UserResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn login(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
    Json(body): Json<LoginRequest>,
) -> Result<PrivateResponse<UserResponse>, ApiError> {
    let (user, cookies) = sign_in::sign_in(&app, &body.email, &body.password, from, &headers).await?;
    Ok(PrivateResponse::with_message(user.into(), message!("api.logged_in")).with_cookies(cookies))
}

/// Sign out with a GET request.
///
/// The contract prescribes GET. Requests that come from another site or from a link are refused.
#[utoipa::path(
    get, path = "/api/user/logout", tag = "accounts",
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn logout(
    State(app): State<App>,
    _own: SameOrigin,
    headers: HeaderMap,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let cookies = sessions::end(&app.db.main, AccountKind::Shopper, &headers).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.logged_out")).with_cookies(cookies))
}

/// Sign out.
#[utoipa::path(
    post, path = "/api/user/logout", tag = "accounts",
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn logout_by_post(State(app): State<App>, headers: HeaderMap) -> Result<PrivateResponse<Empty>, ApiError> {
    let cookies = sessions::end(&app.db.main, AccountKind::Shopper, &headers).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.logged_out")).with_cookies(cookies))
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ShopperSession {
    id: Uuid,
    /// Whether this is the session of the request.
    current: bool,
    /// For example `Chrome on Android`; empty if unknown.
    device: String,
    created_at: DateTime<Utc>,
    last_seen_at: DateTime<Utc>,
}

/// List the sessions of the account.
#[utoipa::path(
    get, path = "/api/user/sessions", tag = "accounts", security(("shopper" = [])),
    responses((status = 200, body = ApiResponse<Vec<ShopperSession>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn list_sessions(
    State(app): State<App>,
    Shopper(session): Shopper,
) -> Result<PrivateResponse<Vec<ShopperSession>>, ApiError> {
    let listed = sessions::list(&app.db.main, AccountKind::Shopper, session.person.0, app.clock.now()).await;
    let listed = listed.map_err(AccountError::from)?;
    let devices = listed.into_iter().map(|one| ShopperSession {
        current: one.id == session.id,
        id: one.id,
        device: one.device,
        created_at: one.created_at,
        last_seen_at: one.last_seen_at,
    });
    Ok(PrivateResponse::ok(devices.collect()))
}

/// Sign out one device.
///
/// For a device other than this one, a login or password check within the last ten minutes is required.
#[utoipa::path(
    delete, path = "/api/user/sessions/{id}", tag = "accounts", security(("shopper" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn end_session(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(id): Path<String>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let id: Uuid = id.parse().map_err(|_| AccountError::SessionNotFound)?;
    sign_out_device(&app, &session, id).await?;
    let cookies = if id == session.id { sessions::delete_cookies(AccountKind::Shopper) } else { Vec::new() };
    Ok(PrivateResponse::with_message(Empty {}, message!("api.device_logged_out")).with_cookies(cookies))
}

/// Sign out all devices, including this one.
///
/// Requires a login or password check within the last ten minutes. A pending change of the email address is cancelled.
#[utoipa::path(
    post, path = "/api/user/sessions/end_all", tag = "accounts", security(("shopper" = [])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn end_all_sessions(
    State(app): State<App>,
    Shopper(session): Shopper,
) -> Result<PrivateResponse<Empty>, ApiError> {
    sign_out_everywhere(&app, &session).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.accounts.logged_out_everywhere"))
        .with_cookies(sessions::delete_cookies(AccountKind::Shopper)))
}
