//! The shop's settings, under `/api/shop/`.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::permissions::{EditSettings, ReadSettings};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse};
use crate::shop::ShopSettings;
use crate::staff::settings;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_settings)).routes(routes!(update_settings))
}

#[derive(Deserialize, Serialize, utoipa::ToSchema)]
struct VersionedSettings {
    #[serde(flatten)]
    settings: ShopSettings,
    /// Changes with every change of the settings; an update must send the current one.
    version: String,
}

/// Get the shop's settings.
#[utoipa::path(
    get, path = "/api/shop/get_settings", tag = "shop", security(("seller" = ["settings.read"])),
    responses((status = 200, body = ApiResponse<VersionedSettings>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_settings(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadSettings>,
) -> Result<PrivateResponse<Value>, ApiError> {
    Ok(PrivateResponse::ok(settings::read(&app).await?))
}

/// Update the shop's settings.
///
/// If `version` is out of date, the update is refused with the current settings.
#[utoipa::path(
    put, path = "/api/shop/update_settings", tag = "shop", request_body = VersionedSettings, security(("seller" = ["settings.edit"])),
    responses((status = 200, body = ApiResponse<VersionedSettings>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_settings(
    State(app): State<App>,
    Staff(session, _): Staff<EditSettings>,
    Json(body): Json<VersionedSettings>,
) -> Result<PrivateResponse<Value>, ApiError> {
    let saved = settings::save(&app, session.person, &body.version, body.settings).await?;
    Ok(PrivateResponse::with_message(saved, message!("api.settings.saved")))
}
