//! Endpoints for signing in through the identity provider.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::{HeaderMap, HeaderValue, header};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::responses::{LinkedIdentityResponse, UserResponse};
use crate::accounts::google::{self, ClaimedIdentity};
use crate::accounts::identities;
use crate::accounts::{AccountError, ConsentHook};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Empty, Json, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(start_google_login))
        .routes(routes!(finish_google_login))
        .routes(routes!(get_google_identity))
        .routes(routes!(google_login))
        .routes(routes!(list_identities))
        .routes(routes!(remove_identity))
}

#[derive(Deserialize, utoipa::IntoParams)]
struct GoogleStartQuery {
    /// Path of the shop to return to.
    r#return: Option<String>,
    /// Whether the provider must ask for the password again; the session then counts as a new login.
    #[serde(default)]
    fresh: bool,
}

/// Redirect to the identity provider.
#[utoipa::path(
    get, path = "/api/user/google/start", tag = "accounts", params(GoogleStartQuery),
    responses((status = 303, description = "To the provider"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn start_google_login(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
    Query(query): Query<GoogleStartQuery>,
) -> Result<Response, ApiError> {
    app.limits.openid.check(from)?;
    let redirect = match google::start_login(&app, query.r#return.as_deref(), query.fresh, &headers).await {
        Ok(redirect) => redirect,
        // The visitor followed a link, so a JSON response would be a dead end.
        Err(AccountError::GoogleFailed) => return Ok(redirect_to("/?google=failed")),
        Err(error) => return Err(error.into()),
    };
    let mut response = redirect_to(&redirect.url);
    response.headers_mut().append(header::SET_COOKIE, redirect.cookie);
    Ok(response)
}

#[derive(Deserialize, utoipa::IntoParams)]
struct GoogleCallbackQuery {
    code: Option<String>,
    state: Option<String>,
}

/// Handle the callback of the identity provider.
#[utoipa::path(
    get, path = "/api/user/google/callback", tag = "accounts", params(GoogleCallbackQuery),
    responses((status = 303, description = "To the page that was left, with ?google=verified, ?google=failed, or ?google=not_fresh if a new login was asked for and not proven"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn finish_google_login(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
    Query(query): Query<GoogleCallbackQuery>,
) -> Result<Response, ApiError> {
    app.limits.openid.check(from)?;
    let next =
        google::finish_login(&app, query.code.as_deref(), query.state.as_deref().unwrap_or_default(), &headers).await?;
    Ok(redirect_to(&next))
}

fn redirect_to(address: &str) -> Response {
    let mut response = Redirect::to(address).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // The URL contains a code or a state, which the next page must not pass on as its referrer.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

#[derive(Serialize, utoipa::ToSchema)]
struct VerifiedIdentity {
    email: String,
    name: String,
    image: String,
    /// Always empty, because providers do not share the phone number.
    phone: String,
}

/// Get the identity that the provider verified in this browser.
///
/// `googleLogin` expects these values.
#[utoipa::path(
    get, path = "/api/user/google/identity", tag = "accounts",
    responses((status = 200, body = ApiResponse<VerifiedIdentity>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_google_identity(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<PrivateResponse<VerifiedIdentity>, ApiError> {
    let identity = google::verified_identity(&app, &headers).await?;
    Ok(PrivateResponse::ok(VerifiedIdentity {
        email: identity.email,
        name: identity.name,
        image: identity.picture,
        phone: String::new(),
    }))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct GoogleLoginRequest {
    email: String,
    /// Ignored; the provider's value is used instead.
    #[serde(default)]
    #[expect(dead_code, reason = "part of the contract, not believed")]
    name: String,
    #[serde(default)]
    #[expect(dead_code, reason = "part of the contract, not believed")]
    image: String,
    #[serde(default)]
    phone: String,
    /// Password of the account that already has this address; needed once, to link the identity.
    #[schema(format = Password)]
    password: Option<String>,
}

/// Sign in with the identity that the provider verified in this browser.
#[utoipa::path(
    post, path = "/api/user/googleLogin", tag = "accounts", request_body = GoogleLoginRequest,
    responses((status = 200, body = ApiResponse<UserResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn google_login(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    Extension(consent_hook): Extension<ConsentHook>,
    headers: HeaderMap,
    Json(body): Json<GoogleLoginRequest>,
) -> Result<PrivateResponse<UserResponse>, ApiError> {
    app.limits.openid.check(from)?;
    let claim = ClaimedIdentity { email: &body.email, phone: &body.phone, password: body.password.as_deref() };
    let (user, cookies) = google::sign_in(&app, claim, from, consent_hook, &headers).await?;
    Ok(PrivateResponse::with_message(user.into(), message!("api.accounts.google_logged_in")).with_cookies(cookies))
}

/// List the identities that are linked to the account.
#[utoipa::path(
    get, path = "/api/user/identities", tag = "accounts", security(("shopper" = [])),
    responses((status = 200, body = ApiResponse<Vec<LinkedIdentityResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn list_identities(
    State(app): State<App>,
    Shopper(session): Shopper,
) -> Result<PrivateResponse<Vec<LinkedIdentityResponse>>, ApiError> {
    let linked = identities::list(&app, session.person).await?;
    Ok(PrivateResponse::ok(linked.into_iter().map(LinkedIdentityResponse::from).collect()))
}

/// Remove a linked identity.
///
/// All other sessions end. The last way to sign in cannot be removed.
#[utoipa::path(
    delete, path = "/api/user/identities/{id}", tag = "accounts", security(("shopper" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn remove_identity(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(id): Path<String>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let id: Uuid = id.parse().map_err(|_| AccountError::IdentityNotFound)?;
    identities::remove(&app, &session, id).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.accounts.identity_removed")))
}
