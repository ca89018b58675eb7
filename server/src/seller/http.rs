//! The calls below `/api/seller/` and `/api/shop/`.

use axum::extract::State;
use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::audit::{self, AuditEntry};
use super::end_sessions::{self, SessionsToEnd};
use super::sign_in::{self, LoginOutcome};
use super::store::{self, Profile};
use super::{SellerError, passwords, settings};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::sessions::{self, AccountKind, AnySeller, Seller};
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Empty, Json, NoStore, PrivateResponse, Query, SameOrigin};
use crate::shop::ShopSettings;

const LOGGED_IN: &str = "Logged in successfully.";

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(seller_login))
        .routes(routes!(seller_login_code))
        .routes(routes!(seller_logout))
        .routes(routes!(seller_logout_by_post))
        .routes(routes!(check_seller))
        .routes(routes!(change_seller_password))
        .routes(routes!(list_seller_sessions))
        .routes(routes!(end_seller_sessions))
        .routes(routes!(get_audit))
        .routes(routes!(get_settings))
        .routes(routes!(update_settings))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct SellerLoginRequest {
    email: String,
    #[schema(format = Password)]
    password: String,
}

#[derive(Deserialize, utoipa::ToSchema)]
struct SellerLoginCodeRequest {
    /// Six digits from an app, or a backup code.
    code: String,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct SellerProfile {
    name: String,
    email: String,
    /// The password was made up by whoever runs the server: until it is changed, no other call is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    password_change_needed: Option<bool>,
}

impl From<Profile> for SellerProfile {
    fn from(profile: Profile) -> Self {
        let password_change_needed = profile.must_change_password.then_some(true);
        Self { name: profile.name, email: profile.email, password_change_needed }
    }
}

/// Sign in as a seller. Refused with `second_step` when a code is wanted too: then `/api/seller/login/code` takes it, for five minutes.
#[utoipa::path(
    post, path = "/api/seller/login", tag = "seller", request_body = SellerLoginRequest,
    responses((status = 200, body = ApiResponse<SellerProfile>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn seller_login(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
    Json(body): Json<SellerLoginRequest>,
) -> Result<PrivateResponse<SellerProfile>, ApiError> {
    match sign_in::sign_in(&app, &body.email, &body.password, from, &headers).await? {
        LoginOutcome::Complete(profile, cookies) => {
            Ok(PrivateResponse::with_message(profile.into(), LOGGED_IN).with_cookies(cookies))
        }
        LoginOutcome::CodeRequired(cookies) => Err(ApiError::from(SellerError::CodeRequired).with_cookies(cookies)),
    }
}

/// The second step of a seller's login in this browser.
#[utoipa::path(
    post, path = "/api/seller/login/code", tag = "seller", request_body = SellerLoginCodeRequest,
    responses((status = 200, body = ApiResponse<SellerProfile>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn seller_login_code(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
    Json(body): Json<SellerLoginCodeRequest>,
) -> Result<PrivateResponse<SellerProfile>, ApiError> {
    let (profile, cookies) = sign_in::submit_code(&app, &body.code, from, &headers).await?;
    Ok(PrivateResponse::with_message(profile.into(), LOGGED_IN).with_cookies(cookies))
}

/// Sign out as a seller, and as a shopper. A GET by contract; refused when another site or a link made the browser send it.
#[utoipa::path(
    get, path = "/api/seller/logout", tag = "seller",
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn seller_logout(
    State(app): State<App>,
    _own: SameOrigin,
    headers: HeaderMap,
) -> Result<PrivateResponse<Empty>, ApiError> {
    Ok(PrivateResponse::with_message(Empty {}, "Logout successful!")
        .with_cookies(end_both_sessions(&app, &headers).await?))
}

/// Sign out, as a call that changes something should be made.
#[utoipa::path(
    post, path = "/api/seller/logout", tag = "seller",
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn seller_logout_by_post(State(app): State<App>, headers: HeaderMap) -> Result<PrivateResponse<Empty>, ApiError> {
    Ok(PrivateResponse::with_message(Empty {}, "Logout successful!")
        .with_cookies(end_both_sessions(&app, &headers).await?))
}

async fn end_both_sessions(app: &App, headers: &HeaderMap) -> Result<Vec<HeaderValue>, ApiError> {
    let mut cookies = sessions::end(&app.db.main, AccountKind::Seller, headers).await?;
    cookies.extend(sessions::end(&app.db.main, AccountKind::Shopper, headers).await?);
    Ok(cookies)
}

/// Whether a seller is signed in, and who.
#[utoipa::path(
    get, path = "/api/seller/checkSeller", tag = "seller", security(("seller" = [])),
    responses((status = 200, body = ApiResponse<SellerProfile>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn check_seller(
    State(app): State<App>,
    AnySeller(session): AnySeller,
) -> Result<PrivateResponse<SellerProfile>, ApiError> {
    let found = store::find(&app.db.main, session.person).await.map_err(SellerError::from)?;
    let profile = found.ok_or(SellerError::SignedOut)?;
    let cookies = sessions::rotate_if_due(&app.db.main, AccountKind::Seller, &session, app.clock.now()).await?;
    Ok(PrivateResponse::ok(profile.into()).with_cookies(cookies))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangeSellerPasswordRequest {
    #[schema(format = Password)]
    current_password: String,
    /// At least 12 characters.
    #[schema(format = Password)]
    new_password: String,
}

/// Change the own password; all other sessions end.
#[utoipa::path(
    post, path = "/api/seller/password/change", tag = "seller", request_body = ChangeSellerPasswordRequest, security(("seller" = [])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn change_seller_password(
    State(app): State<App>,
    AnySeller(session): AnySeller,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
    Json(body): Json<ChangeSellerPasswordRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let cookies =
        passwords::change_password(&app, &session, &body.current_password, &body.new_password, from, &headers).await?;
    Ok(PrivateResponse::with_message(Empty {}, "Your password has been changed.").with_cookies(cookies))
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct SellerSession {
    id: Uuid,
    /// This very browser.
    current: bool,
    /// 'Chrome on Android', or empty when unknown.
    device: String,
    /// The network address of the login, or empty when unknown.
    ip: String,
    created_at: DateTime<Utc>,
    last_seen_at: DateTime<Utc>,
}

/// Where the seller is signed in.
#[utoipa::path(
    get, path = "/api/seller/sessions", tag = "seller", security(("seller" = [])),
    responses((status = 200, body = ApiResponse<Vec<SellerSession>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn list_seller_sessions(
    State(app): State<App>,
    Seller(session): Seller,
) -> Result<PrivateResponse<Vec<SellerSession>>, ApiError> {
    let listed = sessions::list(&app.db.main, AccountKind::Seller, session.person, app.clock.now()).await;
    let listed = listed.map_err(SellerError::from)?;
    let devices = listed.into_iter().map(|one| SellerSession {
        current: one.id == session.id,
        id: one.id,
        device: one.device,
        ip: one.ip,
        created_at: one.created_at,
        last_seen_at: one.last_seen_at,
    });
    Ok(PrivateResponse::ok(devices.collect()))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct EndSellerSessionsRequest {
    /// Which one; without it all others end.
    id: Option<Uuid>,
    /// Wanted for other sessions, unless the login was within the last ten minutes.
    #[schema(format = Password)]
    password: Option<String>,
}

/// Sign one device out, or all others.
#[utoipa::path(
    post, path = "/api/seller/sessions/end", tag = "seller", request_body = EndSellerSessionsRequest, security(("seller" = [])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn end_seller_sessions(
    State(app): State<App>,
    Seller(session): Seller,
    ClientIp(from): ClientIp,
    Json(body): Json<EndSellerSessionsRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let (which, message) = match body.id {
        Some(id) => (SessionsToEnd::One(id), "This device has been signed out."),
        None => (SessionsToEnd::Others, "All other devices have been signed out."),
    };
    end_sessions::end_sessions(&app, &session, which, body.password.as_deref(), from).await?;
    let cookies = if body.id == Some(session.id) { sessions::delete_cookies(AccountKind::Seller) } else { Vec::new() };
    Ok(PrivateResponse::with_message(Empty {}, message).with_cookies(cookies))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct AuditQuery {
    /// Part of who, of what was done, or of the thing it was done to.
    search: Option<String>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
    /// At most 100; 50 without it.
    limit: Option<u16>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditList {
    success: bool,
    message: &'static str,
    data: Vec<AuditEntry>,
    /// For the next page; null on the last.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Who changed what and when, newest first.
#[utoipa::path(
    get, path = "/api/seller/get_audit", tag = "seller", params(AuditQuery), security(("seller" = [])),
    responses((status = 200, body = AuditList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_audit(
    State(app): State<App>,
    Seller(_session): Seller,
    Query(query): Query<AuditQuery>,
) -> Result<NoStore<AuditList>, ApiError> {
    let search = query.search.unwrap_or_default();
    let page = audit::list_audit_entries(&app, &search, query.cursor.as_deref(), query.limit).await?;
    Ok(NoStore(AuditList { success: true, message: "", data: page.rows, next_cursor: page.next_cursor }))
}

#[derive(Deserialize, Serialize, utoipa::ToSchema)]
struct VersionedSettings {
    #[serde(flatten)]
    settings: ShopSettings,
    /// Changes with every change of the settings.
    version: String,
}

/// What the shop says of itself.
#[utoipa::path(
    get, path = "/api/shop/get_settings", tag = "shop", security(("seller" = [])),
    responses((status = 200, body = ApiResponse<VersionedSettings>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_settings(State(app): State<App>, Seller(_session): Seller) -> Result<PrivateResponse<Value>, ApiError> {
    Ok(PrivateResponse::ok(settings::read(&app).await?))
}

/// Say something else, with the version that was seen.
#[utoipa::path(
    put, path = "/api/shop/update_settings", tag = "shop", request_body = VersionedSettings, security(("seller" = [])),
    responses((status = 200, body = ApiResponse<VersionedSettings>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_settings(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<VersionedSettings>,
) -> Result<PrivateResponse<Value>, ApiError> {
    let saved = settings::save(&app, session.person, &body.version, body.settings).await?;
    Ok(PrivateResponse::with_message(saved, "Settings saved."))
}
