//! Zones, windows and closed days, and the rules about where and when the shop delivers.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use uuid::Uuid;

use super::places::{self, LocalLevel};
use crate::platform::clock;
use crate::platform::config::Rates;
use crate::platform::money::Paisa;

/// Closed days move a delivery by at most this many days.
pub const LOOK_AHEAD_DAYS: u64 = 60;

/// What delivery costs at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeliveryFees {
    pub fee: Paisa,
    /// Delivery is free when the subtotal is above this, not at it; `None` if it never is.
    pub free_above: Option<Paisa>,
    /// The least subtotal of an order.
    pub minimum: Paisa,
}

impl From<&Rates> for DeliveryFees {
    /// The fees of a shop without zones.
    fn from(rates: &Rates) -> Self {
        Self { fee: rates.shipping_fee, free_above: Some(rates.free_shipping_above), minimum: Paisa::ZERO }
    }
}

/// The parts of an address that decide about its zone, as they were written.
#[derive(Debug, Clone, Default)]
pub struct Place {
    pub district: String,
    pub municipality: String,
    pub ward: String,
}

/// The wards of a zone by district and municipality.
pub type Areas = BTreeMap<(String, String), BTreeSet<i16>>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    pub id: Uuid,
    pub name: String,
    pub name_ne: String,
    pub fees: DeliveryFees,
    pub is_active: bool,
    pub areas: Areas,
    /// In the order in which they begin.
    pub windows: Vec<Window>,
    pub updated_at: DateTime<Utc>,
}

impl Zone {
    fn has_ward(&self, level: &LocalLevel, ward: i16) -> bool {
        let key = (level.district.clone(), level.name.clone());
        self.areas.get(&key).is_some_and(|wards| wards.contains(&ward))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    pub id: Uuid,
    /// 0 is Sunday.
    pub weekdays: Vec<i16>,
    /// Local time in Nepal.
    pub starts: NaiveTime,
    pub ends: NaiveTime,
    /// Orders are accepted until so many minutes before the start.
    pub cutoff_minutes: i32,
    /// The most orders on one day.
    pub capacity: i32,
}

impl Window {
    pub fn is_on(&self, day: NaiveDate) -> bool {
        self.weekdays.contains(&weekday(day))
    }

    /// The moment from which no more orders are accepted for this day.
    pub fn cutoff(&self, day: NaiveDate) -> DateTime<Utc> {
        let start = clock::start_of_nepal_day(day) + self.starts.signed_duration_since(NaiveTime::MIN);
        start - TimeDelta::minutes(self.cutoff_minutes.into())
    }
}

/// 0 is Sunday.
pub fn weekday(day: NaiveDate) -> i16 {
    i16::try_from(day.weekday().num_days_from_sunday()).unwrap_or_default()
}

/// A day without deliveries: one date, or the same weekday of every week.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedDay {
    pub id: Uuid,
    pub day: Option<NaiveDate>,
    pub weekday: Option<i16>,
    pub reason: String,
    pub reason_ne: String,
}

/// Whether the shop delivers to an address.
#[derive(Debug, PartialEq, Eq)]
pub enum Coverage<'a> {
    /// The shop has no zones and delivers everywhere.
    Everywhere,
    Zone(&'a Zone),
    Outside,
    /// The municipality, or the ward of a municipality that is not in one zone as a whole, is missing or unknown.
    Incomplete,
}

/// A window on a day, as an order stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    pub window: Uuid,
    pub day: NaiveDate,
    pub starts: NaiveTime,
    pub ends: NaiveTime,
}

/// The slot that the shopper chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotRequest {
    pub window: Uuid,
    pub day: NaiveDate,
}

/// All rules, as they are now.
#[derive(Debug, Clone, Default)]
pub struct DeliveryRules {
    pub zones: Vec<Zone>,
    pub closed: Vec<ClosedDay>,
}

impl DeliveryRules {
    fn active(&self) -> impl Iterator<Item = &Zone> {
        self.zones.iter().filter(|zone| zone.is_active)
    }

    /// The zones that the shop delivers to.
    pub fn active_zones(&self) -> Vec<&Zone> {
        self.active().collect()
    }

    pub fn has_zones(&self) -> bool {
        self.active().next().is_some()
    }

    pub fn coverage(&self, place: &Place) -> Coverage<'_> {
        if !self.has_zones() {
            return Coverage::Everywhere;
        }
        let Some(level) = places::find_local_level(&place.district, &place.municipality) else {
            return Coverage::Incomplete;
        };
        let zone_of = |ward: i16| self.active().find(|zone| zone.has_ward(level, ward));
        if let Some(ward) = places::parse_ward(&place.ward).filter(|ward| (1..=level.wards).contains(ward)) {
            return zone_of(ward).map_or(Coverage::Outside, Coverage::Zone);
        }
        // Without a ward the whole municipality must have the same answer.
        let first = zone_of(1);
        if (2..=level.wards).any(|ward| zone_of(ward).map(|zone| zone.id) != first.map(|zone| zone.id)) {
            return Coverage::Incomplete;
        }
        first.map_or(Coverage::Outside, Coverage::Zone)
    }

    pub fn find_closed_day(&self, day: NaiveDate) -> Option<&ClosedDay> {
        self.closed.iter().find(|closed| closed.day == Some(day) || closed.weekday == Some(weekday(day)))
    }

    /// The first day from `day` on that is not closed, for orders without a window.
    pub fn first_open_day(&self, day: NaiveDate) -> NaiveDate {
        let open = day.iter_days().take(usize::try_from(LOOK_AHEAD_DAYS).unwrap_or_default());
        open.into_iter().find(|day| self.find_closed_day(*day).is_none()).unwrap_or(day)
    }

    /// The day of a delivery without a window: so many days after the order, or the next open day.
    pub fn delivery_day(&self, now: DateTime<Utc>, delivery_days: u32) -> NaiveDate {
        self.first_open_day(clock::nepal_date(now) + Days::new(u64::from(delivery_days)))
    }
}

#[cfg(test)]
pub mod samples {
    use super::*;

    pub fn time(text: &str) -> NaiveTime {
        NaiveTime::parse_from_str(text, "%H:%M").unwrap()
    }

    pub fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    pub fn window(id: u128, weekdays: &[i16], starts: &str, ends: &str, cutoff_minutes: i32, capacity: i32) -> Window {
        Window {
            id: Uuid::from_u128(id),
            weekdays: weekdays.to_vec(),
            starts: time(starts),
            ends: time(ends),
            cutoff_minutes,
            capacity,
        }
    }

    /// A zone with these wards of municipalities of the Kathmandu valley.
    pub fn zone(id: u128, name: &str, areas: &[(&str, &str, &[i16])], windows: Vec<Window>) -> Zone {
        let wards = |(district, municipality, wards): &(&str, &str, &[i16])| {
            ((district.to_string(), municipality.to_string()), wards.iter().copied().collect())
        };
        Zone {
            id: Uuid::from_u128(id),
            name: name.to_owned(),
            name_ne: String::new(),
            fees: DeliveryFees { fee: Paisa::from_rupees(50), free_above: None, minimum: Paisa::from_rupees(300) },
            is_active: true,
            areas: areas.iter().map(wards).collect(),
            windows,
            updated_at: DateTime::UNIX_EPOCH,
        }
    }

    pub fn closed(day: Option<&str>, weekday: Option<i16>) -> ClosedDay {
        ClosedDay {
            id: Uuid::nil(),
            day: day.map(|text| text.parse().unwrap()),
            weekday,
            reason: String::new(),
            reason_ne: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::samples::{closed, day, window, zone};
    use super::*;

    fn rules() -> DeliveryRules {
        let all: Vec<i16> = (1..=29).collect();
        let near = zone(1, "City", &[("Kathmandu", "Kathmandu", &[10, 31]), ("Lalitpur", "Lalitpur", &all)], vec![]);
        let far = zone(2, "Ring", &[("Kathmandu", "Kathmandu", &[1, 2])], vec![]);
        DeliveryRules { zones: vec![near, far], closed: vec![] }
    }

    #[test]
    fn an_address_is_in_the_zone_of_its_ward() {
        for (district, municipality, ward, expected) in [
            ("Kathmandu", "Kathmandu", "10", "City"),
            ("काठमाडौं", "काठमाडौं", "१०", "City"),
            ("", "kathmandu", "31", "City"),
            ("Kathmandu", "Kathmandu", "2", "Ring"),
            ("Kathmandu", "Kathmandu", "5", "outside"),
            ("Kaski", "Pokhara", "6", "outside"),
            // The whole municipality is in one zone, or in none.
            ("Lalitpur", "Lalitpur", "", "City"),
            ("Kaski", "Pokhara", "", "outside"),
            // These leave open which zone it is.
            ("Kathmandu", "Kathmandu", "", "incomplete"),
            ("Kathmandu", "Kathmandu", "33", "incomplete"),
            ("", "Aurahi", "1", "incomplete"),
            ("", "", "10", "incomplete"),
            ("", "Baneshwor", "10", "incomplete"),
        ] {
            let place = Place { district: district.into(), municipality: municipality.into(), ward: ward.into() };
            let rules = rules();
            let found = match rules.coverage(&place) {
                Coverage::Zone(zone) => zone.name.as_str(),
                Coverage::Outside => "outside",
                Coverage::Incomplete => "incomplete",
                Coverage::Everywhere => "everywhere",
            };
            assert_eq!(found, expected, "{place:?}");
        }
    }

    #[test]
    fn only_active_zones_count_and_without_any_the_shop_delivers_everywhere() {
        let place = Place { municipality: "Kathmandu".into(), ward: "10".into(), ..Place::default() };
        let mut rules = rules();
        rules.zones[0].is_active = false;
        assert_eq!(rules.coverage(&place), Coverage::Outside);
        rules.zones[1].is_active = false;
        assert_eq!(rules.coverage(&place), Coverage::Everywhere);
        assert_eq!(DeliveryRules::default().coverage(&Place::default()), Coverage::Everywhere);
    }

    #[test]
    fn closed_days_move_a_delivery_without_a_window() {
        // 2026-11-17 is a Tuesday.
        let rules = DeliveryRules {
            zones: vec![],
            closed: vec![closed(Some("2026-11-19"), None), closed(None, Some(6)), closed(Some("2026-11-20"), None)],
        };
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        for (now, days, expected) in [
            ("2026-11-17T06:00:00Z", 0, "2026-11-17"),
            ("2026-11-17T06:00:00Z", 1, "2026-11-18"),
            ("2026-11-17T06:00:00Z", 2, "2026-11-22"),
            // It is already Wednesday in Nepal.
            ("2026-11-17T18:15:00Z", 1, "2026-11-22"),
        ] {
            assert_eq!(rules.delivery_day(at(now), days), day(expected), "{now} + {days}");
        }
        let never =
            DeliveryRules { zones: vec![], closed: (0..7).map(|weekday| closed(None, Some(weekday))).collect() };
        assert_eq!(never.first_open_day(day("2026-11-17")), day("2026-11-17"));
    }

    #[test]
    fn orders_are_accepted_until_the_cutoff_in_local_time() {
        let evening_before = window(1, &[3], "07:00", "09:00", 13 * 60, 5);
        assert_eq!(evening_before.cutoff(day("2026-11-18")).to_rfc3339(), "2026-11-17T12:15:00+00:00");
        assert!(evening_before.is_on(day("2026-11-18")) && !evening_before.is_on(day("2026-11-17")));
    }
}
