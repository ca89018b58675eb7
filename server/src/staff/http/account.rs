//! One's own password and sessions.

use axum::extract::State;
use chrono::{DateTime, Utc};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::permissions::UseOwnAccount;
use crate::platform::sessions::{self, AnyStaff, Staff};
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Empty, Json, PrivateResponse};
use crate::staff::end_sessions::{self, SessionsToEnd};
use crate::staff::{SellerError, passwords};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(change_seller_password))
        .routes(routes!(list_seller_sessions))
        .routes(routes!(end_seller_sessions))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangeSellerPasswordRequest {
    #[schema(format = Password)]
    current_password: String,
    /// At least 12 characters.
    #[schema(format = Password)]
    new_password: String,
}

/// Change the seller's own password.
///
/// All other sessions end.
#[utoipa::path(
    post, path = "/api/seller/password/change", tag = "seller", request_body = ChangeSellerPasswordRequest, security(("seller" = ["account.own"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn change_seller_password(
    State(app): State<App>,
    AnyStaff(session): AnyStaff,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
    Json(body): Json<ChangeSellerPasswordRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let cookies =
        passwords::change_password(&app, &session, &body.current_password, &body.new_password, from, &headers).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.password_changed")).with_cookies(cookies))
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct SellerSession {
    id: Uuid,
    /// Whether this is the session of the request.
    current: bool,
    /// For example `Chrome on Android`; empty if unknown.
    device: String,
    /// IP address of the login; empty if unknown.
    ip: String,
    created_at: DateTime<Utc>,
    last_seen_at: DateTime<Utc>,
    /// Whether the device is remembered and locks itself with a PIN.
    #[schema(required = false)]
    remembered: bool,
}

/// List the sessions of the seller.
#[utoipa::path(
    get, path = "/api/seller/sessions", tag = "seller", security(("seller" = ["account.own"])),
    responses((status = 200, body = ApiResponse<Vec<SellerSession>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn list_seller_sessions(
    State(app): State<App>,
    Staff(session, _): Staff<UseOwnAccount>,
) -> Result<PrivateResponse<Vec<SellerSession>>, ApiError> {
    let listed = sessions::list(&app.db.main, AccountKind::Seller, session.person, app.clock.now()).await;
    let listed = listed.map_err(SellerError::from)?;
    let devices = listed.into_iter().map(|one| SellerSession {
        current: one.id == session.id,
        id: one.id,
        device: one.device,
        ip: one.ip,
        created_at: one.created_at,
        last_seen_at: one.last_seen_at,
        remembered: one.is_remembered,
    });
    Ok(PrivateResponse::ok(devices.collect()))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct EndSellerSessionsRequest {
    /// Session to end; without it, all other sessions end.
    id: Option<Uuid>,
    /// Required to end other sessions, unless the login was within the last ten minutes.
    #[schema(format = Password)]
    password: Option<String>,
}

/// Sign out one device, or all others.
#[utoipa::path(
    post, path = "/api/seller/sessions/end", tag = "seller", request_body = EndSellerSessionsRequest, security(("seller" = ["account.own"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn end_seller_sessions(
    State(app): State<App>,
    Staff(session, _): Staff<UseOwnAccount>,
    ClientIp(from): ClientIp,
    Json(body): Json<EndSellerSessionsRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let (which, message) = match body.id {
        Some(id) => (SessionsToEnd::One(id), message!("api.device_logged_out")),
        None => (SessionsToEnd::Others, message!("api.sellers.other_devices_logged_out")),
    };
    end_sessions::end_sessions(&app, &session, which, body.password.as_deref(), from).await?;
    let cookies = if body.id == Some(session.id) { sessions::delete_cookies(AccountKind::Seller) } else { Vec::new() };
    Ok(PrivateResponse::with_message(Empty {}, message).with_cookies(cookies))
}
