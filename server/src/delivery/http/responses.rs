//! Zones, windows and options as clients get them.

use std::collections::BTreeSet;

use chrono::{NaiveDate, NaiveTime};
use serde::Serialize;
use uuid::Uuid;

use crate::delivery::model::{ClosedDay, Window, Zone};
use crate::delivery::offer::{DeliveryOptions, Destination, ZoneName};
use crate::delivery::places;
use crate::platform::money::Paisa;
use crate::platform::row_version;

/// What a shopper can choose at an address.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeliveryOptions)]
pub struct DeliveryOptionsResponse {
    /// `everywhere` (the shop has no zones), `zone`, `outside` or `incomplete` (the address lacks its municipality or
    /// ward).
    coverage: &'static str,
    #[schema(required)]
    zone: Option<ZoneNameResponse>,
    #[schema(value_type = f64)]
    fee: Paisa,
    /// Delivery is free when the subtotal is above this; null if it never is.
    #[schema(value_type = Option<f64>, required)]
    free_above: Option<Paisa>,
    /// The least subtotal of an order.
    #[schema(value_type = f64)]
    minimum: Paisa,
    /// Whether the zone has windows; if so and no day is offered, all are full or closed.
    has_windows: bool,
    /// The next days with free windows.
    days: Vec<OfferedDayResponse>,
    /// The next free window.
    #[schema(required)]
    next: Option<NextSlot>,
    /// The day of a delivery without a window.
    delivery_date: NaiveDate,
    /// The zones that the shop delivers to.
    zones: Vec<ZoneNameResponse>,
    #[schema(required)]
    closed_today: Option<ClosedReason>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ZoneName)]
pub struct ZoneNameResponse {
    name: String,
    name_ne: String,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = OfferedDay)]
struct OfferedDayResponse {
    day: NaiveDate,
    windows: Vec<OfferedWindowResponse>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = OfferedWindow)]
struct OfferedWindowResponse {
    id: Uuid,
    /// Local time, such as `07:00`.
    starts: String,
    ends: String,
    /// The number of free places.
    left: i32,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
struct NextSlot {
    day: NaiveDate,
    window: Uuid,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ClosedReason {
    reason: String,
    reason_ne: String,
}

/// Hours and minutes, such as `07:00`.
fn format_hours(time: NaiveTime) -> String {
    time.format("%H:%M").to_string()
}

impl From<ZoneName> for ZoneNameResponse {
    fn from(zone: ZoneName) -> Self {
        Self { name: zone.name, name_ne: zone.name_ne }
    }
}

impl From<DeliveryOptions> for DeliveryOptionsResponse {
    fn from(options: DeliveryOptions) -> Self {
        let (coverage, zone) = match options.destination {
            Destination::Everywhere => ("everywhere", None),
            Destination::Zone(zone) => ("zone", Some(zone.into())),
            Destination::Outside => ("outside", None),
            Destination::Incomplete => ("incomplete", None),
        };
        let days = options.days.into_iter().map(|day| OfferedDayResponse {
            day: day.day,
            windows: day
                .windows
                .into_iter()
                .map(|offered| OfferedWindowResponse {
                    id: offered.window.id,
                    starts: format_hours(offered.window.starts),
                    ends: format_hours(offered.window.ends),
                    left: offered.left,
                })
                .collect(),
        });
        Self {
            coverage,
            zone,
            fee: options.fees.fee,
            free_above: options.fees.free_above,
            minimum: options.fees.minimum,
            has_windows: options.has_windows,
            days: days.collect(),
            next: options.next.map(|slot| NextSlot { day: slot.day, window: slot.window }),
            delivery_date: options.next.map_or(options.date, |slot| slot.day),
            zones: options.zones.into_iter().map(ZoneNameResponse::from).collect(),
            closed_today: options
                .closed_today
                .map(|closed| ClosedReason { reason: closed.reason, reason_ne: closed.reason_ne }),
        }
    }
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeliveryZone)]
pub struct ZoneResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    name: String,
    name_ne: String,
    #[schema(value_type = f64)]
    fee: Paisa,
    #[schema(value_type = Option<f64>, required)]
    free_above: Option<Paisa>,
    #[schema(value_type = f64)]
    minimum: Paisa,
    is_active: bool,
    areas: Vec<AreaResponse>,
    windows: Vec<WindowResponse>,
    /// Changes with every edit.
    version: String,
}

/// Wards of a municipality, by the English names of the official list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = ZoneArea)]
struct AreaResponse {
    district: String,
    municipality: String,
    /// Null for all wards.
    #[schema(required)]
    wards: Option<Vec<i16>>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeliveryWindow)]
struct WindowResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    /// 0 is Sunday.
    weekdays: Vec<i16>,
    starts: String,
    ends: String,
    cutoff_minutes: i32,
    capacity: i32,
}

impl From<Zone> for ZoneResponse {
    fn from(zone: Zone) -> Self {
        let area = |((district, municipality), wards): ((String, String), BTreeSet<i16>)| {
            let all = places::find_local_level(&district, &municipality).map(|level| usize::try_from(level.wards));
            let is_whole = all == Some(Ok(wards.len()));
            AreaResponse { district, municipality, wards: (!is_whole).then(|| wards.into_iter().collect()) }
        };
        let window = |window: Window| WindowResponse {
            id: window.id,
            weekdays: window.weekdays,
            starts: format_hours(window.starts),
            ends: format_hours(window.ends),
            cutoff_minutes: window.cutoff_minutes,
            capacity: window.capacity,
        };
        Self {
            id: zone.id,
            name: zone.name,
            name_ne: zone.name_ne,
            fee: zone.fees.fee,
            free_above: zone.fees.free_above,
            minimum: zone.fees.minimum,
            is_active: zone.is_active,
            areas: zone.areas.into_iter().map(area).collect(),
            windows: zone.windows.into_iter().map(window).collect(),
            version: row_version::encode(zone.updated_at),
        }
    }
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeliveryClosedDay)]
pub struct ClosedDayResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    /// One day, or null for a weekday.
    #[schema(required)]
    day: Option<NaiveDate>,
    /// 0 is Sunday.
    #[schema(required)]
    weekday: Option<i16>,
    reason: String,
    reason_ne: String,
}

impl From<ClosedDay> for ClosedDayResponse {
    fn from(closed: ClosedDay) -> Self {
        Self {
            id: closed.id,
            day: closed.day,
            weekday: closed.weekday,
            reason: closed.reason,
            reason_ne: closed.reason_ne,
        }
    }
}
