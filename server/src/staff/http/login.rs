//! Login and logout.

use axum::extract::State;
use http::{HeaderMap, HeaderValue};
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::profile::SellerProfile;
use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::sessions::{self, AnyStaff};
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Empty, Json, PrivateResponse, SameOrigin};
use crate::staff::sign_in::{self, LoginOutcome};
use crate::staff::{SellerError, store};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(seller_login))
        .routes(routes!(seller_login_code))
        .routes(routes!(seller_logout))
        .routes(routes!(seller_logout_by_post))
        .routes(routes!(check_seller))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct SellerLoginRequest {
    email: String,
    #[schema(format = Password)]
    password: String,
}

#[derive(Deserialize, utoipa::ToSchema)]
struct SellerLoginCodeRequest {
    /// Six digits from an authenticator app, or a backup code.
    code: String,
}

/// Sign in as a seller.
///
/// If a code is required too, the response is an error with the code `second_step`; `/api/seller/login/code` then
/// accepts the code for five minutes.
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
            Ok(PrivateResponse::with_message(SellerProfile::new(&app, profile), message!("api.logged_in"))
                .with_cookies(cookies))
        }
        LoginOutcome::CodeRequired(cookies) => Err(ApiError::from(SellerError::CodeRequired).with_cookies(cookies)),
    }
}

/// Submit the code of the second step.
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
    Ok(PrivateResponse::with_message(SellerProfile::new(&app, profile), message!("api.logged_in"))
        .with_cookies(cookies))
}

/// Sign out as a seller and as a shopper with a GET request.
///
/// The contract prescribes GET. Requests that come from another site or from a link are refused.
#[utoipa::path(
    get, path = "/api/seller/logout", tag = "seller",
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn seller_logout(
    State(app): State<App>,
    _own: SameOrigin,
    headers: HeaderMap,
) -> Result<PrivateResponse<Empty>, ApiError> {
    Ok(PrivateResponse::with_message(Empty {}, message!("api.logged_out"))
        .with_cookies(end_both_sessions(&app, &headers).await?))
}

/// Sign out as a seller and as a shopper.
#[utoipa::path(
    post, path = "/api/seller/logout", tag = "seller",
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn seller_logout_by_post(State(app): State<App>, headers: HeaderMap) -> Result<PrivateResponse<Empty>, ApiError> {
    Ok(PrivateResponse::with_message(Empty {}, message!("api.logged_out"))
        .with_cookies(end_both_sessions(&app, &headers).await?))
}

async fn end_both_sessions(app: &App, headers: &HeaderMap) -> Result<Vec<HeaderValue>, ApiError> {
    let mut cookies = sessions::end(&app.db.main, AccountKind::Seller, headers).await?;
    cookies.extend(sessions::end(&app.db.main, AccountKind::Shopper, headers).await?);
    Ok(cookies)
}

/// Get the signed-in seller.
#[utoipa::path(
    get, path = "/api/seller/checkSeller", tag = "seller", security(("seller" = ["account.own"])),
    responses((status = 200, body = ApiResponse<SellerProfile>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn check_seller(
    State(app): State<App>,
    AnyStaff(session): AnyStaff,
) -> Result<PrivateResponse<SellerProfile>, ApiError> {
    let found = store::find(&app.db.main, session.person).await.map_err(SellerError::from)?;
    let profile = found.ok_or(SellerError::SignedOut)?;
    let cookies = sessions::rotate_if_due(&app.db.main, AccountKind::Seller, &session, app.clock.now()).await?;
    let mut profile = SellerProfile::new(&app, profile);
    profile.device_remembered = session.is_remembered();
    Ok(PrivateResponse::ok(profile).with_cookies(cookies))
}
