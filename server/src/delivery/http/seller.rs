//! The seller's endpoints for zones, windows and closed days.

use axum::extract::{Path, State};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::responses::{ClosedDayResponse, ZoneResponse};
use crate::delivery::closed_days;
use crate::delivery::error::DeliveryError;
use crate::delivery::rules::load_rules;
use crate::delivery::zone_input::{AreaInput, WindowInput, ZoneInput};
use crate::delivery::zones;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::clock;
use crate::platform::messages::message;
use crate::platform::money::Paisa;
use crate::platform::permissions::{EditClosedDays, EditSettings, ReadSettings};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Empty, Json, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_delivery_rules))
        .routes(routes!(add_zone))
        .routes(routes!(update_zone))
        .routes(routes!(delete_zone))
        .routes(routes!(add_closed_day))
        .routes(routes!(delete_closed_day))
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = DeliveryRules)]
struct RulesResponse {
    zones: Vec<ZoneResponse>,
    #[serde(rename = "closedDays")]
    closed_days: Vec<ClosedDayResponse>,
    /// The date in Kathmandu.
    today: NaiveDate,
}

/// Get all zones, windows and closed days.
#[utoipa::path(
    get, path = "/api/delivery/get_delivery_rules", tag = "delivery", security(("seller" = ["settings.read"])),
    responses((status = 200, body = ApiResponse<RulesResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_delivery_rules(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadSettings>,
) -> Result<PrivateResponse<RulesResponse>, ApiError> {
    let rules = load_rules(&app).await?;
    Ok(PrivateResponse::ok(RulesResponse {
        zones: rules.zones.iter().cloned().map(ZoneResponse::from).collect(),
        closed_days: rules.closed.iter().cloned().map(ClosedDayResponse::from).collect(),
        today: clock::nepal_date(app.clock.now()),
    }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeliveryZoneInput)]
struct ZoneRequest {
    name: String,
    #[serde(default)]
    name_ne: String,
    /// In rupees, like all amounts here.
    #[schema(value_type = f64)]
    fee: Paisa,
    /// Delivery is free when the subtotal is above this; absent if it never is.
    #[schema(value_type = Option<f64>)]
    free_above: Option<Paisa>,
    /// The least subtotal of an order.
    #[schema(value_type = f64)]
    minimum: Paisa,
    is_active: bool,
    areas: Vec<AreaRequest>,
    windows: Vec<WindowRequest>,
    /// In an update: the version that the seller saw; an outdated one is refused.
    #[serde(default)]
    version: String,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = ZoneAreaInput)]
struct AreaRequest {
    district: String,
    municipality: String,
    /// Absent for all wards.
    wards: Option<Vec<i16>>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeliveryWindowInput)]
struct WindowRequest {
    /// Absent for a new window.
    #[serde(rename = "_id")]
    id: Option<Uuid>,
    /// 0 is Sunday.
    weekdays: Vec<i16>,
    /// Local time, such as `07:00`.
    starts: String,
    ends: String,
    /// Orders are accepted until so many minutes before the start.
    cutoff_minutes: i32,
    capacity: i32,
}

impl From<ZoneRequest> for ZoneInput {
    fn from(body: ZoneRequest) -> Self {
        let area = |area: AreaRequest| AreaInput {
            district: area.district,
            municipality: area.municipality,
            wards: area.wards,
        };
        let window = |window: WindowRequest| WindowInput {
            id: window.id,
            weekdays: window.weekdays,
            starts: window.starts,
            ends: window.ends,
            cutoff_minutes: window.cutoff_minutes,
            capacity: window.capacity,
        };
        Self {
            name: body.name,
            name_ne: body.name_ne,
            fee: body.fee,
            free_above: body.free_above,
            minimum: body.minimum,
            is_active: body.is_active,
            areas: body.areas.into_iter().map(area).collect(),
            windows: body.windows.into_iter().map(window).collect(),
        }
    }
}

/// Add a zone.
#[utoipa::path(
    post, path = "/api/delivery/add_zone", tag = "delivery", security(("seller" = ["settings.edit"])), request_body = ZoneRequest,
    responses((status = 200, body = ApiResponse<ZoneResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_zone(
    State(app): State<App>,
    Staff(session, _): Staff<EditSettings>,
    Json(body): Json<ZoneRequest>,
) -> Result<PrivateResponse<ZoneResponse>, ApiError> {
    let zone = zones::add_zone(&app, session.person, body.into()).await?;
    Ok(PrivateResponse::with_message(zone.into(), message!("api.delivery.zone_added")))
}

/// Replace a zone with its areas and windows.
#[utoipa::path(
    put, path = "/api/delivery/update_zone/{id}", tag = "delivery", params(("id" = String, Path)), security(("seller" = ["settings.edit"])),
    request_body = ZoneRequest,
    responses((status = 200, body = ApiResponse<ZoneResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_zone(
    State(app): State<App>,
    Staff(session, _): Staff<EditSettings>,
    Path(id): Path<String>,
    Json(body): Json<ZoneRequest>,
) -> Result<PrivateResponse<ZoneResponse>, ApiError> {
    let id = id.parse().map_err(|_| DeliveryError::ZoneNotFound)?;
    let version = body.version.clone();
    let zone = zones::update_zone(&app, session.person, id, &version, body.into()).await?;
    Ok(PrivateResponse::with_message(zone.into(), message!("api.delivery.zone_updated")))
}

/// Remove a zone; orders that were placed for it keep their day and window.
#[utoipa::path(
    delete, path = "/api/delivery/delete_zone/{id}", tag = "delivery", params(("id" = String, Path)), security(("seller" = ["settings.edit"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn delete_zone(
    State(app): State<App>,
    Staff(session, _): Staff<EditSettings>,
    Path(id): Path<String>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let id = id.parse().map_err(|_| DeliveryError::ZoneNotFound)?;
    zones::delete_zone(&app, session.person, id).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.delivery.zone_deleted")))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ClosedDayInput)]
struct ClosedDayRequest {
    /// One day; or `weekday` for every week.
    day: Option<NaiveDate>,
    /// 0 is Sunday.
    weekday: Option<i16>,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    reason_ne: String,
}

/// Close a day, or the same weekday of every week.
#[utoipa::path(
    post, path = "/api/delivery/add_closed_day", tag = "delivery", security(("seller" = ["delivery.closed_days"])), request_body = ClosedDayRequest,
    responses((status = 200, body = ApiResponse<ClosedDayResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_closed_day(
    State(app): State<App>,
    Staff(session, _): Staff<EditClosedDays>,
    Json(body): Json<ClosedDayRequest>,
) -> Result<PrivateResponse<ClosedDayResponse>, ApiError> {
    let ClosedDayRequest { day, weekday, reason, reason_ne } = body;
    let closed = closed_days::add_closed_day(&app, session.person, day, weekday, &reason, &reason_ne).await?;
    Ok(PrivateResponse::with_message(closed.into(), message!("api.delivery.day_closed")))
}

/// Open a closed day again.
#[utoipa::path(
    delete, path = "/api/delivery/delete_closed_day/{id}", tag = "delivery", params(("id" = String, Path)), security(("seller" = ["delivery.closed_days"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn delete_closed_day(
    State(app): State<App>,
    Staff(session, _): Staff<EditClosedDays>,
    Path(id): Path<String>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let id = id.parse().map_err(|_| DeliveryError::ClosedDayNotFound)?;
    closed_days::delete_closed_day(&app, session.person, id).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.delivery.day_opened")))
}
