//! Endpoints for confirming a phone number and for signing in with it. They need an SMS provider.

use axum::extract::State;
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::responses::UserResponse;
use crate::accounts::phone_codes;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Json, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(send_phone_code))
        .routes(routes!(confirm_phone))
        .routes(routes!(send_login_code))
        .routes(routes!(login_by_phone))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct PhoneCodeRequest {
    /// A mobile number of Nepal.
    phone: String,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct PhoneCodeResponse {
    /// Is sent back with the code.
    token: String,
    /// The code is valid for this long.
    expires_in_seconds: u64,
}

fn code_sent(token: String) -> PrivateResponse<PhoneCodeResponse> {
    let sent = PhoneCodeResponse { token, expires_in_seconds: phone_codes::CODE_LIFETIME.as_secs() };
    PrivateResponse::with_message(sent, message!("api.accounts.phone_code_sent"))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct PhoneCode {
    token: String,
    /// Six digits.
    code: String,
}

/// Send a code that confirms the shopper's phone number.
#[utoipa::path(
    post, path = "/api/user/phone/send_code", tag = "accounts", security(("shopper" = [])), request_body = PhoneCodeRequest,
    responses((status = 200, body = ApiResponse<PhoneCodeResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn send_phone_code(
    State(app): State<App>,
    Shopper(session): Shopper,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
    Json(body): Json<PhoneCodeRequest>,
) -> Result<PrivateResponse<PhoneCodeResponse>, ApiError> {
    Ok(code_sent(phone_codes::request_confirmation(&app, &session, &body.phone, from, &headers).await?))
}

/// Confirm the shopper's phone number with a code.
#[utoipa::path(
    post, path = "/api/user/phone/confirm", tag = "accounts", security(("shopper" = [])), request_body = PhoneCode,
    responses((status = 200, body = ApiResponse<UserResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn confirm_phone(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<PhoneCode>,
) -> Result<PrivateResponse<UserResponse>, ApiError> {
    let user = phone_codes::confirm(&app, &session, &body.token, &body.code).await?;
    Ok(PrivateResponse::with_message(user.into(), message!("api.accounts.phone_confirmed")))
}

/// Send a code to log in with.
///
/// The response is the same whether or not an account has confirmed this number.
#[utoipa::path(
    post, path = "/api/user/phone/send_login_code", tag = "accounts", request_body = PhoneCodeRequest,
    responses((status = 200, body = ApiResponse<PhoneCodeResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn send_login_code(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
    Json(body): Json<PhoneCodeRequest>,
) -> Result<PrivateResponse<PhoneCodeResponse>, ApiError> {
    Ok(code_sent(phone_codes::request_login(&app, &body.phone, from, &headers).await?))
}

/// Log in with a code that was sent to a confirmed phone number.
#[utoipa::path(
    post, path = "/api/user/phone/login", tag = "accounts", request_body = PhoneCode,
    responses((status = 200, body = ApiResponse<UserResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn login_by_phone(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
    Json(body): Json<PhoneCode>,
) -> Result<PrivateResponse<UserResponse>, ApiError> {
    app.limits.login_failures.peek(from)?;
    let (user, cookies) = phone_codes::sign_in(&app, &body.token, &body.code, &headers).await.inspect_err(|_| {
        app.limits.login_failures.record(from);
    })?;
    Ok(PrivateResponse::with_message(user.into(), message!("api.logged_in")).with_cookies(cookies))
}
