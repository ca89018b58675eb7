//! The device at the counter: remembering it, locking and unlocking it.

use axum::extract::State;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::permissions::UseOwnAccount;
use crate::platform::sessions::{LockedStaff, Staff};
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Empty, Json, PrivateResponse};
use crate::staff::counter_device;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(remember_device))
        .routes(routes!(forget_device))
        .routes(routes!(lock_device))
        .routes(routes!(unlock_device))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct RememberDeviceRequest {
    /// Four to eight digits.
    #[schema(format = Password)]
    pin: String,
    /// Required unless the login was within the last ten minutes.
    #[schema(format = Password)]
    password: Option<String>,
}

/// Remember this device for 30 days.
///
/// After ten minutes without a request it is locked: other calls are refused with `locked` until the PIN is entered.
#[utoipa::path(
    post, path = "/api/seller/device/remember", tag = "seller", request_body = RememberDeviceRequest, security(("seller" = ["account.own"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn remember_device(
    State(app): State<App>,
    Staff(session, _): Staff<UseOwnAccount>,
    ClientIp(from): ClientIp,
    Json(body): Json<RememberDeviceRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let cookies = counter_device::remember(&app, &session, &body.pin, body.password.as_deref(), from).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.staff.device_remembered")).with_cookies(cookies))
}

/// Make this device an ordinary one again.
#[utoipa::path(
    post, path = "/api/seller/device/forget", tag = "seller", security(("seller" = ["account.own"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn forget_device(
    State(app): State<App>,
    Staff(session, _): Staff<UseOwnAccount>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let cookies = counter_device::forget(&app, &session).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.staff.device_forgotten")).with_cookies(cookies))
}

/// Lock this device now.
#[utoipa::path(
    post, path = "/api/seller/device/lock", tag = "seller", security(("seller" = ["account.own"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn lock_device(
    State(app): State<App>,
    Staff(session, _): Staff<UseOwnAccount>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    counter_device::lock(&app, &session).await?;
    Ok(PrivateResponse::ok(Empty {}))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct UnlockDeviceRequest {
    #[schema(format = Password)]
    pin: String,
}

/// Unlock this device with its PIN.
///
/// The fifth wrong PIN in a row ends the session.
#[utoipa::path(
    post, path = "/api/seller/device/unlock", tag = "seller", request_body = UnlockDeviceRequest, security(("seller" = ["account.own"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn unlock_device(
    State(app): State<App>,
    LockedStaff(session): LockedStaff,
    Json(body): Json<UnlockDeviceRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    counter_device::unlock(&app, &session, &body.pin).await?;
    Ok(PrivateResponse::ok(Empty {}))
}
