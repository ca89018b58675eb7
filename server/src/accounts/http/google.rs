//! Signing in through the identity provider.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::{HeaderMap, HeaderValue, header};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::accounts::google::{self, Claim};
use crate::accounts::identities::{self, LinkedIdentity};
use crate::accounts::{AccountError, User};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ClientAddress, Done, Json, Private, Query, Reply};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(start))
        .routes(routes!(callback))
        .routes(routes!(identity))
        .routes(routes!(google_login))
        .routes(routes!(list_identities))
        .routes(routes!(remove_identity))
}

#[derive(Deserialize, utoipa::IntoParams)]
struct Start {
    /// The page to come back to: a path of the shop.
    r#return: Option<String>,
    /// The provider is to ask for the password again; the session then counts as a new login.
    #[serde(default)]
    fresh: bool,
}

/// Leave for the provider.
#[utoipa::path(
    get, path = "/api/user/google/start", tag = "accounts", params(Start),
    responses((status = 303, description = "To the provider"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn start(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    headers: HeaderMap,
    Query(query): Query<Start>,
) -> Result<Response, ApiError> {
    app.limits.openid.check(from)?;
    let away = match google::start(&app, query.r#return.as_deref(), query.fresh, &headers).await {
        Ok(away) => away,
        // A person pressed a button: an answer in JSON would be a dead end.
        Err(AccountError::GoogleFailed) => return Ok(to("/?google=failed")),
        Err(error) => return Err(error.into()),
    };
    let mut response = to(&away.address);
    response.headers_mut().append(header::SET_COOKIE, away.cookie);
    Ok(response)
}

#[derive(Deserialize, utoipa::IntoParams)]
struct Callback {
    code: Option<String>,
    state: Option<String>,
}

/// Come back from the provider.
#[utoipa::path(
    get, path = "/api/user/google/callback", tag = "accounts", params(Callback),
    responses((status = 303, description = "To the page that was left, with ?google=verified, ?google=failed, or ?google=not_fresh if a new login was asked for and not proven"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn callback(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    headers: HeaderMap,
    Query(query): Query<Callback>,
) -> Result<Response, ApiError> {
    app.limits.openid.check(from)?;
    let next =
        google::finish(&app, query.code.as_deref(), query.state.as_deref().unwrap_or_default(), &headers).await?;
    Ok(to(&next))
}

fn to(address: &str) -> Response {
    let mut response = Redirect::to(address).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // The address holds a code or a state; the next page's own requests must not carry it along.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

#[derive(Serialize, utoipa::ToSchema)]
struct Vouched {
    email: String,
    name: String,
    image: String,
    /// A provider does not tell; always empty.
    phone: String,
}

/// Whom the provider has vouched for at this browser: what `googleLogin` is to be called with.
#[utoipa::path(
    get, path = "/api/user/google/identity", tag = "accounts",
    responses((status = 200, body = Reply<Vouched>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn identity(State(app): State<App>, headers: HeaderMap) -> Result<Private<Vouched>, ApiError> {
    let identity = google::identity(&app, &headers).await?;
    Ok(Private::ok(Vouched {
        email: identity.email,
        name: identity.name,
        image: identity.picture,
        phone: String::new(),
    }))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct GoogleLogin {
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
    post, path = "/api/user/googleLogin", tag = "accounts", request_body = GoogleLogin,
    responses((status = 200, body = Reply<User>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn google_login(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    headers: HeaderMap,
    Json(body): Json<GoogleLogin>,
) -> Result<Private<User>, ApiError> {
    app.limits.openid.check(from)?;
    let claim = Claim { email: &body.email, phone: &body.phone, password: body.password.as_deref() };
    let (user, cookies) = google::sign_in(&app, claim, from, &headers).await?;
    Ok(Private::with(user, "Google login successful!").setting(cookies))
}

/// The identities at the provider that open this account.
#[utoipa::path(
    get, path = "/api/user/identities", tag = "accounts", security(("shopper" = [])),
    responses((status = 200, body = Reply<Vec<LinkedIdentity>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn list_identities(
    State(app): State<App>,
    Shopper(session): Shopper,
) -> Result<Private<Vec<LinkedIdentity>>, ApiError> {
    Ok(Private::ok(identities::list(&app, session.person).await?))
}

/// Remove a linked identity. Refused when it is the only way in; every other session ends.
#[utoipa::path(
    delete, path = "/api/user/identities/{id}", tag = "accounts", security(("shopper" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn remove_identity(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(id): Path<String>,
) -> Result<Private<Done>, ApiError> {
    let id: Uuid = id.parse().map_err(|_| AccountError::IdentityNotFound)?;
    identities::remove(&app, &session, id).await?;
    Ok(Private::with(Done {}, "The Google account was removed."))
}
