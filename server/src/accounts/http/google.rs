//! Signing in through the identity provider.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::{HeaderMap, HeaderValue, header};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::accounts::google::{self, ClaimedIdentity};
use crate::accounts::identities::{self, LinkedIdentity};
use crate::accounts::{AccountError, User};
use crate::platform::api_error::{ApiError, ErrorBody};
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
    /// The page to come back to: a path of the shop.
    r#return: Option<String>,
    /// The provider is to ask for the password again; the session then counts as a new login.
    #[serde(default)]
    fresh: bool,
}

/// Leave for the provider.
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
        // A person pressed a button: an answer in JSON would be a dead end.
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

/// Come back from the provider.
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
    // The address holds a code or a state; the next page's own requests must not carry it along.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

#[derive(Serialize, utoipa::ToSchema)]
struct VerifiedIdentity {
    email: String,
    name: String,
    image: String,
    /// A provider does not tell; always empty.
    phone: String,
}

/// Whom the provider has vouched for at this browser: what `googleLogin` is to be called with.
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
    /// Part of the contract; the provider's own word is used instead.
    #[serde(default)]
    #[expect(dead_code, reason = "part of the contract, not believed")]
    name: String,
    #[serde(default)]
    #[expect(dead_code, reason = "part of the contract, not believed")]
    image: String,
    #[serde(default)]
    phone: String,
    /// To connect an account that has this address already; given once.
    #[schema(format = Password)]
    password: Option<String>,
}

/// Sign in as the person that the provider vouched for at this browser.
#[utoipa::path(
    post, path = "/api/user/googleLogin", tag = "accounts", request_body = GoogleLoginRequest,
    responses((status = 200, body = ApiResponse<User>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn google_login(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
    Json(body): Json<GoogleLoginRequest>,
) -> Result<PrivateResponse<User>, ApiError> {
    app.limits.openid.check(from)?;
    let claim = ClaimedIdentity { email: &body.email, phone: &body.phone, password: body.password.as_deref() };
    let (user, cookies) = google::sign_in(&app, claim, from, &headers).await?;
    Ok(PrivateResponse::with_message(user, "Google login successful!").with_cookies(cookies))
}

/// The identities at the provider that open this account.
#[utoipa::path(
    get, path = "/api/user/identities", tag = "accounts", security(("shopper" = [])),
    responses((status = 200, body = ApiResponse<Vec<LinkedIdentity>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn list_identities(
    State(app): State<App>,
    Shopper(session): Shopper,
) -> Result<PrivateResponse<Vec<LinkedIdentity>>, ApiError> {
    Ok(PrivateResponse::ok(identities::list(&app, session.person).await?))
}

/// Remove a linked identity. Refused when it is the only way in; every other session ends.
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
    Ok(PrivateResponse::with_message(Empty {}, "The Google account was removed."))
}
