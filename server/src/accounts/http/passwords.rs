//! Endpoints for passwords and for confirming or restoring an email address.

use axum::extract::State;
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::accounts::{email_change, passwords};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Empty, Json, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(forgot_password))
        .routes(routes!(reset_password))
        .routes(routes!(change_password))
        .routes(routes!(verify_password))
        .routes(routes!(confirm_email))
        .routes(routes!(cancel_email_change))
        .routes(routes!(resend_confirmation))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct ForgotPasswordRequest {
    email: String,
}

/// Request an email with a link to reset the password.
///
/// The response is the same whether the account exists or not.
#[utoipa::path(
    post, path = "/api/user/password/forgot", tag = "accounts", request_body = ForgotPasswordRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn forgot_password(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    Json(body): Json<ForgotPasswordRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    passwords::request_password_reset(&app, &body.email, from).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.accounts.password_reset_sent")))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct ResetPasswordRequest {
    token: String,
    #[schema(format = Password)]
    password: String,
}

/// Reset the password with the link from an email.
///
/// All sessions end.
#[utoipa::path(
    post, path = "/api/user/password/reset", tag = "accounts", request_body = ResetPasswordRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn reset_password(
    State(app): State<App>,
    Json(body): Json<ResetPasswordRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    passwords::reset_password(&app, &body.token, &body.password).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.accounts.password_reset")))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangePasswordRequest {
    #[schema(format = Password)]
    current_password: String,
    #[schema(format = Password)]
    new_password: String,
}

/// Change the password.
///
/// All other sessions end.
#[utoipa::path(
    post, path = "/api/user/password/change", tag = "accounts", security(("shopper" = [])), request_body = ChangePasswordRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn change_password(
    State(app): State<App>,
    Shopper(session): Shopper,
    headers: HeaderMap,
    Json(body): Json<ChangePasswordRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let (current, new) = (&body.current_password, &body.new_password);
    let cookies = passwords::change_password(&app, &session, current, new, &headers).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.password_changed")).with_cookies(cookies))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct VerifyPasswordRequest {
    #[schema(format = Password)]
    password: String,
}

/// Verify the password again.
///
/// The session then counts as a new login, which some calls require.
#[utoipa::path(
    post, path = "/api/user/password/verify", tag = "accounts", security(("shopper" = [])), request_body = VerifyPasswordRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn verify_password(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<VerifyPasswordRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let cookies = passwords::reauthenticate(&app, &session, &body.password).await?;
    Ok(PrivateResponse::ok(Empty {}).with_cookies(cookies))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct ConfirmEmailRequest {
    token: String,
}

#[derive(Serialize, utoipa::ToSchema)]
struct ConfirmEmailResponse {
    email: String,
}

/// Confirm an email address with the link from an email.
#[utoipa::path(
    post, path = "/api/user/email/confirm", tag = "accounts", request_body = ConfirmEmailRequest,
    responses((status = 200, body = ApiResponse<ConfirmEmailResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn confirm_email(
    State(app): State<App>,
    Json(body): Json<ConfirmEmailRequest>,
) -> Result<PrivateResponse<ConfirmEmailResponse>, ApiError> {
    let email = passwords::confirm_email(&app, &body.token).await?;
    Ok(PrivateResponse::with_message(ConfirmEmailResponse { email }, message!("api.accounts.email_confirmed")))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct CancelEmailChangeRequest {
    token: String,
}

#[derive(Serialize, utoipa::ToSchema)]
struct CancelEmailChangeResponse {
    /// The restored address of the account.
    email: String,
}

/// Cancel a change of the email address with the link sent to the former address.
///
/// All sessions end, identities linked since the change are removed, and the password must be reset.
#[utoipa::path(
    post, path = "/api/user/email/cancel", tag = "accounts", request_body = CancelEmailChangeRequest,
    responses((status = 200, body = ApiResponse<CancelEmailChangeResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn cancel_email_change(
    State(app): State<App>,
    Json(body): Json<CancelEmailChangeRequest>,
) -> Result<PrivateResponse<CancelEmailChangeResponse>, ApiError> {
    let email = email_change::cancel_email_change(&app, &body.token).await?;
    Ok(PrivateResponse::with_message(
        CancelEmailChangeResponse { email },
        message!("api.accounts.email_change_cancelled"),
    ))
}

/// Send the confirmation email again.
#[utoipa::path(
    post, path = "/api/user/email/resend", tag = "accounts", security(("shopper" = [])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn resend_confirmation(
    State(app): State<App>,
    Shopper(session): Shopper,
) -> Result<PrivateResponse<Empty>, ApiError> {
    passwords::resend_confirmation(&app, session.person).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.accounts.confirmation_resent")))
}
