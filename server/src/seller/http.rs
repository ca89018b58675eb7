//! The calls below `/api/seller/` and `/api/shop/`.

use axum::extract::State;
use http::{HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::audit::{self, Noted};
use super::store::{self, Profile};
use super::{SellerError, settings, sign_in};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::sessions::{self, Kind, Seller};
use crate::platform::state::App;
use crate::platform::web::{ClientAddress, Done, Json, OwnPage, Personal, Private, Query, Reply};
use crate::shop::ShopSettings;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(seller_login))
        .routes(routes!(seller_logout))
        .routes(routes!(seller_logout_by_post))
        .routes(routes!(check_seller))
        .routes(routes!(get_audit))
        .routes(routes!(get_settings))
        .routes(routes!(update_settings))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct SellerLogin {
    email: String,
    #[schema(format = Password)]
    password: String,
    /// Of the second step, when it was asked for.
    code: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct SellerProfile {
    name: String,
    email: String,
}

impl From<Profile> for SellerProfile {
    fn from(profile: Profile) -> Self {
        Self { name: profile.name, email: profile.email }
    }
}

/// Sign in as a seller.
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
    let signed_in = sign_in::sign_in(&app, &body.email, &body.password, body.code.as_deref(), from, &headers);
    let (profile, cookies) = signed_in.await?;
    Ok(Private::with(profile.into(), "Logged in successfully.").setting(cookies))
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
async fn check_seller(State(app): State<App>, Seller(session): Seller) -> Result<Private<SellerProfile>, ApiError> {
    let found = store::find(&app.db.main, session.person).await.map_err(SellerError::from)?;
    let profile = found.ok_or(SellerError::SignedOut)?;
    let cookies = sessions::rotate_if_due(&app.db.main, Kind::Seller, &session).await?;
    Ok(Private::ok(profile.into()).setting(cookies))
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
