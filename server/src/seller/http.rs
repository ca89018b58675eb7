//! The calls below `/api/seller/`.

use axum::extract::State;
use http::{HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::store::{self, Profile};
use super::{SellerError, sign_in};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::sessions::{self, Kind, Seller};
use crate::platform::state::App;
use crate::platform::web::{ClientAddress, Done, Json, OwnPage, Private, Reply};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(seller_login))
        .routes(routes!(seller_logout))
        .routes(routes!(seller_logout_by_post))
        .routes(routes!(check_seller))
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
    get, path = "/api/seller/checkSeller", tag = "seller",
    responses((status = 200, body = Reply<SellerProfile>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn check_seller(State(app): State<App>, Seller(session): Seller) -> Result<Private<SellerProfile>, ApiError> {
    let found = store::find(&app.db.main, session.person).await.map_err(SellerError::from)?;
    let profile = found.ok_or(SellerError::SignedOut)?;
    let cookies = sessions::rotate_if_due(&app.db.main, Kind::Seller, &session).await?;
    Ok(Private::ok(profile.into()).setting(cookies))
}
