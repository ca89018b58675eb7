//! The calls below `/api/seller/` and `/api/shop/`.

use axum::extract::State;
use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::audit::{self, Noted};
use super::own_sessions::{self, Which};
use super::sign_in::{self, SignedIn};
use super::store::{self, Profile};
use super::{SellerError, own_password, settings};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::sessions::{self, Kind, NewSeller, Seller};
use crate::platform::state::App;
use crate::platform::web::{ClientAddress, Done, Json, OwnPage, Personal, Private, Query, Reply};
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
struct SellerLogin {
    email: String,
    #[schema(format = Password)]
    password: String,
}

#[derive(Deserialize, utoipa::ToSchema)]
struct SellerCode {
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
    post, path = "/api/seller/login", tag = "seller", request_body = SellerLogin,
    responses((status = 200, body = Reply<SellerProfile>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn seller_login(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    headers: HeaderMap,
    Json(body): Json<SellerLogin>,
) -> Result<Private<SellerProfile>, ApiError> {
    match sign_in::sign_in(&app, &body.email, &body.password, from, &headers).await? {
        SignedIn::Whole(profile, cookies) => Ok(Private::with(profile.into(), LOGGED_IN).setting(cookies)),
        SignedIn::CodeWanted(cookies) => Err(ApiError::from(SellerError::CodeWanted).setting(cookies)),
    }
}

/// The second step of a seller's login in this browser.
#[utoipa::path(
    post, path = "/api/seller/login/code", tag = "seller", request_body = SellerCode,
    responses((status = 200, body = Reply<SellerProfile>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn seller_login_code(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    headers: HeaderMap,
    Json(body): Json<SellerCode>,
) -> Result<Private<SellerProfile>, ApiError> {
    let (profile, cookies) = sign_in::finish(&app, &body.code, from, &headers).await?;
    Ok(Private::with(profile.into(), LOGGED_IN).setting(cookies))
}

/// Sign out as a seller, and as a shopper. A GET by contract; refused when another site or a link made the browser send it.
#[utoipa::path(
    get, path = "/api/seller/logout", tag = "seller",
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn seller_logout(State(app): State<App>, _own: OwnPage, headers: HeaderMap) -> Result<Private<Done>, ApiError> {
    Ok(Private::with(Done {}, "Logout successful!").setting(end_both(&app, &headers).await?))
}

/// Sign out, as a call that changes something should be made.
#[utoipa::path(
    post, path = "/api/seller/logout", tag = "seller",
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn seller_logout_by_post(State(app): State<App>, headers: HeaderMap) -> Result<Private<Done>, ApiError> {
    Ok(Private::with(Done {}, "Logout successful!").setting(end_both(&app, &headers).await?))
}

async fn end_both(app: &App, headers: &HeaderMap) -> Result<Vec<HeaderValue>, ApiError> {
    let mut cookies = sessions::end(&app.db.main, Kind::Seller, headers).await?;
    cookies.extend(sessions::end(&app.db.main, Kind::Shopper, headers).await?);
    Ok(cookies)
}

/// Whether a seller is signed in, and who.
#[utoipa::path(
    get, path = "/api/seller/checkSeller", tag = "seller", security(("seller" = [])),
    responses((status = 200, body = Reply<SellerProfile>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn check_seller(
    State(app): State<App>,
    NewSeller(session): NewSeller,
) -> Result<Private<SellerProfile>, ApiError> {
    let found = store::find(&app.db.main, session.person).await.map_err(SellerError::from)?;
    let profile = found.ok_or(SellerError::SignedOut)?;
    let cookies = sessions::rotate_if_due(&app.db.main, Kind::Seller, &session, app.clock.now()).await?;
    Ok(Private::ok(profile.into()).setting(cookies))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct SellerPasswordChange {
    #[schema(format = Password)]
    current_password: String,
    /// At least 12 characters.
    #[schema(format = Password)]
    new_password: String,
}

/// Change the own password; all other sessions end.
#[utoipa::path(
    post, path = "/api/seller/password/change", tag = "seller", request_body = SellerPasswordChange, security(("seller" = [])),
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn change_seller_password(
    State(app): State<App>,
    NewSeller(session): NewSeller,
    ClientAddress(from): ClientAddress,
    headers: HeaderMap,
    Json(body): Json<SellerPasswordChange>,
) -> Result<Private<Done>, ApiError> {
    let cookies =
        own_password::change(&app, &session, &body.current_password, &body.new_password, from, &headers).await?;
    Ok(Private::with(Done {}, "Your password has been changed.").setting(cookies))
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
    responses((status = 200, body = Reply<Vec<SellerSession>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn list_seller_sessions(
    State(app): State<App>,
    Seller(session): Seller,
) -> Result<Private<Vec<SellerSession>>, ApiError> {
    let listed = sessions::list(&app.db.main, Kind::Seller, session.person, app.clock.now()).await;
    let listed = listed.map_err(SellerError::from)?;
    let devices = listed.into_iter().map(|one| SellerSession {
        current: one.id == session.id,
        id: one.id,
        device: one.device,
        ip: one.ip,
        created_at: one.created_at,
        last_seen_at: one.last_seen_at,
    });
    Ok(Private::ok(devices.collect()))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct EndSessions {
    /// Which one; without it all others end.
    id: Option<Uuid>,
    /// Wanted for other sessions, unless the login was within the last ten minutes.
    #[schema(format = Password)]
    password: Option<String>,
}

/// Sign one device out, or all others.
#[utoipa::path(
    post, path = "/api/seller/sessions/end", tag = "seller", request_body = EndSessions, security(("seller" = [])),
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn end_seller_sessions(
    State(app): State<App>,
    Seller(session): Seller,
    ClientAddress(from): ClientAddress,
    Json(body): Json<EndSessions>,
) -> Result<Private<Done>, ApiError> {
    let (which, said) = match body.id {
        Some(id) => (Which::One(id), "This device has been signed out."),
        None => (Which::Others, "All other devices have been signed out."),
    };
    own_sessions::end(&app, &session, which, body.password.as_deref(), from).await?;
    let cookies = if body.id == Some(session.id) { sessions::forget(Kind::Seller) } else { Vec::new() };
    Ok(Private::with(Done {}, said).setting(cookies))
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
    data: Vec<Noted>,
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
) -> Result<Personal<AuditList>, ApiError> {
    let search = query.search.unwrap_or_default();
    let page = audit::list(&app, &search, query.cursor.as_deref(), query.limit).await?;
    Ok(Personal(AuditList { success: true, message: "", data: page.rows, next_cursor: page.next_cursor }))
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
    responses((status = 200, body = Reply<VersionedSettings>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_settings(State(app): State<App>, Seller(_session): Seller) -> Result<Private<Value>, ApiError> {
    Ok(Private::ok(settings::read(&app).await?))
}

/// Say something else, with the version that was seen.
#[utoipa::path(
    put, path = "/api/shop/update_settings", tag = "shop", request_body = VersionedSettings, security(("seller" = [])),
    responses((status = 200, body = Reply<VersionedSettings>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_settings(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<VersionedSettings>,
) -> Result<Private<Value>, ApiError> {
    let saved = settings::save(&app, session.person, &body.version, body.settings).await?;
    Ok(Private::with(saved, "Settings saved."))
}
