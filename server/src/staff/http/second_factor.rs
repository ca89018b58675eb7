//! The second factor of one's own account.

use axum::extract::State;
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::permissions::SetUpSecondFactor;
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Empty, Json, PrivateResponse};
use crate::staff::second_factor;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(start_second_factor))
        .routes(routes!(set_up_second_factor))
        .routes(routes!(confirm_second_factor))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct StartSecondFactorRequest {
    /// Required unless the login was within the last ten minutes.
    #[schema(format = Password)]
    password: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct PendingSecondFactor {
    /// The secret for an authenticator app, in base32.
    secret: String,
    /// The same as a URL, for a QR code.
    otpauth_url: String,
}

/// Get a new secret for an authenticator app.
///
/// It becomes valid when a code of it is sent to `set_up`. A second factor that is set up already can be replaced only
/// within ten minutes of proving it.
#[utoipa::path(
    post, path = "/api/seller/second_factor/start", tag = "seller", request_body = StartSecondFactorRequest, security(("seller" = ["account.second_factor"])),
    responses((status = 200, body = ApiResponse<PendingSecondFactor>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn start_second_factor(
    State(app): State<App>,
    Staff(session, _): Staff<SetUpSecondFactor>,
    ClientIp(from): ClientIp,
    Json(body): Json<StartSecondFactorRequest>,
) -> Result<PrivateResponse<PendingSecondFactor>, ApiError> {
    let pending = second_factor::start_setup(&app, &session, body.password.as_deref(), from).await?;
    Ok(PrivateResponse::ok(PendingSecondFactor { secret: pending.secret, otpauth_url: pending.otpauth_url }))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct SecondFactorCodeRequest {
    /// Six digits from an authenticator app.
    code: String,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct BackupCodes {
    /// Each can be used once instead of a code; they are not shown again.
    backup_codes: Vec<String>,
}

/// Set up the second factor with a code of the new secret.
///
/// All other sessions end.
#[utoipa::path(
    post, path = "/api/seller/second_factor/set_up", tag = "seller", request_body = SecondFactorCodeRequest, security(("seller" = ["account.second_factor"])),
    responses((status = 200, body = ApiResponse<BackupCodes>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn set_up_second_factor(
    State(app): State<App>,
    Staff(session, _): Staff<SetUpSecondFactor>,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
    Json(body): Json<SecondFactorCodeRequest>,
) -> Result<PrivateResponse<BackupCodes>, ApiError> {
    let (backup_codes, cookies) = second_factor::confirm_setup(&app, &session, &body.code, from, &headers).await?;
    let message = message!("api.staff.second_factor_on");
    Ok(PrivateResponse::with_message(BackupCodes { backup_codes }, message).with_cookies(cookies))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct ConfirmSecondFactorRequest {
    /// Six digits from an authenticator app, or a backup code.
    code: String,
}

/// Prove the second factor again.
///
/// Calls that were refused with `second_factor_needed` are allowed for the next ten minutes.
#[utoipa::path(
    post, path = "/api/seller/second_factor/confirm", tag = "seller", request_body = ConfirmSecondFactorRequest, security(("seller" = ["account.second_factor"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn confirm_second_factor(
    State(app): State<App>,
    Staff(session, _): Staff<SetUpSecondFactor>,
    ClientIp(from): ClientIp,
    Json(body): Json<ConfirmSecondFactorRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    second_factor::step_up(&app, &session, &body.code, from).await?;
    Ok(PrivateResponse::ok(Empty {}))
}
