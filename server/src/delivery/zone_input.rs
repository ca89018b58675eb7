//! Validates a zone as the seller enters it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveTime, Utc};
use uuid::Uuid;

use super::error::DeliveryError;
use super::model::{Areas, DeliveryFees, Window, Zone};
use super::places;
use crate::platform::messages::{Message, message};
use crate::platform::money::Paisa;

const MAX_NAME_LENGTH: usize = 60;
const MAX_REASON_LENGTH: usize = 120;
const MAX_WINDOWS: usize = 40;
/// In rupees; generous, because they catch typing errors only.
const MAX_FEE: u32 = 10_000;
const MAX_AMOUNT: u32 = 1_000_000;
/// A week.
const MAX_CUTOFF_MINUTES: i32 = 7 * 24 * 60;
const MAX_CAPACITY: i32 = 10_000;

/// A zone as the seller enters it.
#[derive(Debug, Clone, Default)]
pub struct ZoneInput {
    pub name: String,
    pub name_ne: String,
    pub fee: Paisa,
    pub free_above: Option<Paisa>,
    pub minimum: Paisa,
    pub is_active: bool,
    pub areas: Vec<AreaInput>,
    pub windows: Vec<WindowInput>,
}

#[derive(Debug, Clone)]
pub struct AreaInput {
    pub district: String,
    pub municipality: String,
    /// All wards if `None`.
    pub wards: Option<Vec<i16>>,
}

#[derive(Debug, Clone)]
pub struct WindowInput {
    /// The id of a window that the zone already has; a new window has none.
    pub id: Option<Uuid>,
    pub weekdays: Vec<i16>,
    /// Hours and minutes, such as `07:00`.
    pub starts: String,
    pub ends: String,
    pub cutoff_minutes: i32,
    pub capacity: i32,
}

fn invalid(field: impl Into<String>, message: Message) -> DeliveryError {
    DeliveryError::Field(field.into(), message)
}

/// Trims a text and checks its length.
fn check_text(field: &str, text: &str, longest: usize) -> Result<String, DeliveryError> {
    let text = text.trim();
    if text.chars().count() > longest || text.chars().any(char::is_control) {
        return Err(invalid(field, message!("api.text_too_long", longest = longest)));
    }
    Ok(text.to_owned())
}

pub fn check_reason(field: &str, text: &str) -> Result<String, DeliveryError> {
    check_text(field, text, MAX_REASON_LENGTH)
}

fn check_amount(field: &str, amount: Paisa, most: u32) -> Result<Paisa, DeliveryError> {
    if amount > Paisa::from_rupees(most.into()) {
        return Err(invalid(field, message!("api.settings.number_out_of_range", least = 0, most = most)));
    }
    Ok(amount)
}

/// Builds the zone with this id. Windows of `known` keep their ids, so that their bookings count.
pub fn build_zone(
    id: Uuid,
    known: &[Window],
    input: ZoneInput,
    updated_at: DateTime<Utc>,
) -> Result<Zone, DeliveryError> {
    let name = check_text("name", &input.name, MAX_NAME_LENGTH)?;
    if name.is_empty() {
        return Err(invalid("name", message!("api.settings.required")));
    }
    let fees = DeliveryFees {
        fee: check_amount("fee", input.fee, MAX_FEE)?,
        free_above: input.free_above.map(|amount| check_amount("freeAbove", amount, MAX_AMOUNT)).transpose()?,
        minimum: check_amount("minimum", input.minimum, MAX_AMOUNT)?,
    };
    if input.windows.len() > MAX_WINDOWS {
        return Err(invalid("windows", message!("api.delivery.too_many_windows", most = MAX_WINDOWS)));
    }
    let mut windows = Vec::with_capacity(input.windows.len());
    for (number, window) in input.windows.into_iter().enumerate() {
        let id = window.id.filter(|id| known.iter().any(|known| known.id == *id));
        windows.push(build_window(number, id.unwrap_or_else(Uuid::now_v7), &window)?);
    }
    windows.sort_by_key(|window| (window.starts, window.ends));
    Ok(Zone {
        id,
        name,
        name_ne: check_text("nameNe", &input.name_ne, MAX_NAME_LENGTH)?,
        fees,
        is_active: input.is_active,
        areas: build_areas(&input.areas)?,
        windows,
        updated_at,
    })
}

fn build_areas(input: &[AreaInput]) -> Result<Areas, DeliveryError> {
    let mut areas: Areas = BTreeMap::new();
    for area in input {
        let unknown = || invalid("areas", message!("api.delivery.area_unknown", place = area.municipality.as_str()));
        let level = places::find_local_level(&area.district, &area.municipality).ok_or_else(unknown)?;
        let wards: BTreeSet<i16> = match &area.wards {
            None => (1..=level.wards).collect(),
            Some(wards) if wards.iter().all(|ward| (1..=level.wards).contains(ward)) => wards.iter().copied().collect(),
            Some(_) => return Err(unknown()),
        };
        if !wards.is_empty() {
            areas.entry((level.district.clone(), level.name.clone())).or_default().extend(wards);
        }
    }
    if areas.is_empty() {
        return Err(invalid("areas", message!("api.delivery.areas_required")));
    }
    Ok(areas)
}

fn build_window(number: usize, id: Uuid, input: &WindowInput) -> Result<Window, DeliveryError> {
    let field = |name: &str| format!("windows.{number}.{name}");
    let weekdays: BTreeSet<i16> = input.weekdays.iter().copied().collect();
    if weekdays.is_empty() || weekdays.iter().any(|weekday| !(0..=6).contains(weekday)) {
        return Err(invalid(field("weekdays"), message!("api.delivery.weekdays_required")));
    }
    let time = |text: &str| NaiveTime::parse_from_str(text, "%H:%M").ok();
    let (Some(starts), Some(ends)) = (time(&input.starts), time(&input.ends)) else {
        return Err(invalid(field("starts"), message!("api.delivery.hours_invalid")));
    };
    if starts >= ends {
        return Err(invalid(field("ends"), message!("api.delivery.hours_invalid")));
    }
    if !(0..=MAX_CUTOFF_MINUTES).contains(&input.cutoff_minutes) {
        return Err(invalid(field("cutoffMinutes"), message!("api.delivery.cutoff_invalid")));
    }
    if !(1..=MAX_CAPACITY).contains(&input.capacity) {
        let message = message!("api.settings.number_out_of_range", least = 1, most = MAX_CAPACITY);
        return Err(invalid(field("capacity"), message));
    }
    Ok(Window {
        id,
        weekdays: weekdays.into_iter().collect(),
        starts,
        ends,
        cutoff_minutes: input.cutoff_minutes,
        capacity: input.capacity,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input() -> ZoneInput {
        ZoneInput {
            name: " City ".to_owned(),
            fee: Paisa::from_rupees(50),
            is_active: true,
            areas: vec![AreaInput { district: "Kathmandu".into(), municipality: "kathmandu".into(), wards: None }],
            windows: vec![WindowInput {
                id: None,
                weekdays: vec![1, 0, 1],
                starts: "07:00".into(),
                ends: "09:30".into(),
                cutoff_minutes: 60,
                capacity: 20,
            }],
            ..ZoneInput::default()
        }
    }

    fn build(input: ZoneInput) -> Result<Zone, DeliveryError> {
        build_zone(Uuid::nil(), &[], input, DateTime::UNIX_EPOCH)
    }

    #[test]
    fn a_zone_has_official_names_and_all_wards_unless_some_are_chosen() {
        let zone = build(input()).unwrap();

        assert_eq!(zone.name, "City");
        let wards = &zone.areas[&("Kathmandu".to_owned(), "Kathmandu".to_owned())];
        assert_eq!((wards.len(), wards.first(), wards.last()), (32, Some(&1), Some(&32)));
        assert_eq!(zone.windows[0].weekdays, [0, 1]);
    }

    #[test]
    fn what_is_wrong_is_named_by_its_field() {
        type Change = fn(&mut ZoneInput);
        let cases: [(Change, &str); 15] = [
            (|zone| "  ".clone_into(&mut zone.name), "name"),
            (|zone| zone.name_ne = "न".repeat(61), "nameNe"),
            (|zone| zone.fee = Paisa::from_rupees(10_001), "fee"),
            (|zone| zone.free_above = Some(Paisa::from_rupees(1_000_001)), "freeAbove"),
            (|zone| zone.minimum = Paisa::from_rupees(1_000_001), "minimum"),
            (|zone| zone.areas.clear(), "areas"),
            (|zone| zone.areas[0].wards = Some(vec![]), "areas"),
            (|zone| zone.areas[0].wards = Some(vec![33]), "areas"),
            (|zone| "Lalitpur".clone_into(&mut zone.areas[0].district), "areas"),
            (|zone| zone.windows[0].weekdays.clear(), "windows.0.weekdays"),
            (|zone| zone.windows[0].weekdays.push(7), "windows.0.weekdays"),
            (|zone| "25:00".clone_into(&mut zone.windows[0].starts), "windows.0.starts"),
            (|zone| "07:00".clone_into(&mut zone.windows[0].ends), "windows.0.ends"),
            (|zone| zone.windows[0].cutoff_minutes = -1, "windows.0.cutoffMinutes"),
            (|zone| zone.windows[0].capacity = 0, "windows.0.capacity"),
        ];
        for (change, field) in cases {
            let mut zone = input();
            change(&mut zone);
            assert!(matches!(build(zone), Err(DeliveryError::Field(named, _)) if named == field), "{field}");
        }
    }

    #[test]
    fn a_window_keeps_its_id_only_in_its_own_zone() {
        let known = build(input()).unwrap().windows;
        let mut again = input();
        again.windows[0].id = Some(known[0].id);

        let of =
            |known: &[Window]| build_zone(Uuid::nil(), known, again.clone(), DateTime::UNIX_EPOCH).unwrap().windows;
        assert_eq!(of(&known)[0].id, known[0].id);
        assert_ne!(of(&[])[0].id, known[0].id);
    }
}
