//! The days and windows that a shopper can choose from.

use std::collections::HashMap;

use chrono::{DateTime, Days, NaiveDate, Utc};
use uuid::Uuid;

use super::model::{ClosedDay, DeliveryFees, DeliveryRules, LOOK_AHEAD_DAYS, Slot, SlotRequest, Window, Zone};
use crate::platform::clock;

/// The most days that are offered.
const OFFERED_DAYS: usize = 7;

/// The places that are taken, by window and day.
pub type Bookings = HashMap<(Uuid, NaiveDate), i32>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedDay {
    pub day: NaiveDate,
    /// At least one of them has free places.
    pub windows: Vec<OfferedWindow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedWindow {
    pub window: Window,
    /// The number of free places.
    pub left: i32,
}

/// Why a slot cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotProblem {
    /// All places are taken.
    Full,
    /// The day is closed, the window is not on that day, or it is too late for it.
    Closed,
}

/// A name in both languages; the Nepali one may be empty.
#[derive(Debug, Clone)]
pub struct ZoneName {
    pub name: String,
    pub name_ne: String,
}

impl From<&Zone> for ZoneName {
    fn from(zone: &Zone) -> Self {
        Self { name: zone.name.clone(), name_ne: zone.name_ne.clone() }
    }
}

/// Whether the shop delivers to an address.
#[derive(Debug, Clone)]
pub enum Destination {
    Everywhere,
    Zone(ZoneName),
    Outside,
    Incomplete,
}

#[derive(Debug, Clone)]
pub struct DeliveryOptions {
    pub destination: Destination,
    /// The fees at the address; those of the shop where it is not known or outside all zones.
    pub fees: DeliveryFees,
    /// The zones that the shop delivers to.
    pub zones: Vec<ZoneName>,
    /// Whether the zone has windows; if so and no day is offered, all are full or closed.
    pub has_windows: bool,
    /// The next days with free windows.
    pub days: Vec<OfferedDay>,
    pub next: Option<Slot>,
    /// The day of a delivery without a window.
    pub date: NaiveDate,
    pub closed_today: Option<ClosedDay>,
}

/// Lists the next days with free windows. A closed day, a window after its cut-off and a day that is fully booked are
/// left out.
pub fn list_days(rules: &DeliveryRules, zone: &Zone, now: DateTime<Utc>, bookings: &Bookings) -> Vec<OfferedDay> {
    let days = clock::nepal_date(now).iter_days().take(usize::try_from(LOOK_AHEAD_DAYS).unwrap_or_default());
    let offered = days.filter(|day| rules.find_closed_day(*day).is_none()).map(|day| {
        let windows = zone.windows.iter().filter(|window| window.is_on(day) && now < window.cutoff(day));
        let windows = windows.map(|window| OfferedWindow {
            left: (window.capacity - bookings.get(&(window.id, day)).copied().unwrap_or_default()).max(0),
            window: window.clone(),
        });
        OfferedDay { day, windows: windows.collect() }
    });
    offered.filter(|day| day.windows.iter().any(|window| window.left > 0)).take(OFFERED_DAYS).collect()
}

/// The first free slot.
pub fn next_slot(days: &[OfferedDay]) -> Option<Slot> {
    let free = days.iter().flat_map(|day| day.windows.iter().map(move |offered| (day.day, offered)));
    let mut free = free.filter(|(_, offered)| offered.left > 0);
    free.next().map(|(day, OfferedWindow { window, .. })| Slot {
        window: window.id,
        day,
        starts: window.starts,
        ends: window.ends,
    })
}

/// The requested slot, if it is open and free.
pub fn find_slot(
    rules: &DeliveryRules,
    zone: &Zone,
    now: DateTime<Utc>,
    bookings: &Bookings,
    requested: SlotRequest,
) -> Result<Slot, SlotProblem> {
    let SlotRequest { window, day } = requested;
    let window = zone.windows.iter().find(|known| known.id == window).ok_or(SlotProblem::Closed)?;
    let last = clock::nepal_date(now) + Days::new(LOOK_AHEAD_DAYS);
    let is_open = window.is_on(day) && now < window.cutoff(day) && day < last && rules.find_closed_day(day).is_none();
    if !is_open {
        return Err(SlotProblem::Closed);
    }
    if bookings.get(&(window.id, day)).is_some_and(|booked| *booked >= window.capacity) {
        return Err(SlotProblem::Full);
    }
    Ok(Slot { window: window.id, day, starts: window.starts, ends: window.ends })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delivery::model::samples::{closed, day, window, zone};

    const EVERY_DAY: [i16; 7] = [0, 1, 2, 3, 4, 5, 6];

    /// Mornings from 7 to 9, ordered until 18:00 of the day before, and afternoons from Sunday to Friday, ordered until
    /// two hours before.
    fn rules() -> DeliveryRules {
        let morning = window(1, &EVERY_DAY, "07:00", "09:00", 13 * 60, 2);
        let afternoon = window(2, &[0, 1, 2, 3, 4, 5], "16:00", "18:00", 120, 3);
        DeliveryRules { zones: vec![zone(9, "City", &[], vec![morning, afternoon])], closed: vec![] }
    }

    fn offered(rules: &DeliveryRules, now: &str, bookings: &[(u128, &str, i32)]) -> Vec<String> {
        let bookings =
            bookings.iter().map(|(window, on, booked)| ((Uuid::from_u128(*window), day(on)), *booked)).collect();
        let days = list_days(rules, &rules.zones[0], now.parse().unwrap(), &bookings);
        let text = |day: &OfferedDay| {
            let windows = day.windows.iter().map(|one| format!("{}×{}", one.window.starts.format("%H"), one.left));
            format!("{}: {}", day.day.format("%a %d"), windows.collect::<Vec<_>>().join(" "))
        };
        days.iter().map(text).collect()
    }

    #[test]
    fn the_next_seven_days_with_a_free_window_are_offered() {
        // Tuesday 2026-11-17, 11:45 in Nepal.
        let days = offered(&rules(), "2026-11-17T06:00:00Z", &[]);

        let expected = ["Tue 17: 16×3", "Wed 18: 07×2 16×3", "Thu 19: 07×2 16×3", "Fri 20: 07×2 16×3", "Sat 21: 07×2"];
        assert_eq!(days[..5], expected);
        assert_eq!(days.len(), 7);
    }

    #[test]
    fn a_window_ends_at_its_cutoff() {
        for (now, first) in [
            ("2026-11-17T08:14:59Z", "Tue 17: 16×3"),
            // 14:00 in Nepal.
            ("2026-11-17T08:15:00Z", "Wed 18: 07×2 16×3"),
            ("2026-11-17T12:14:59Z", "Wed 18: 07×2 16×3"),
            // 18:00 in Nepal.
            ("2026-11-17T12:15:00Z", "Wed 18: 16×3"),
        ] {
            assert_eq!(offered(&rules(), now, &[])[0], first, "{now}");
        }
    }

    #[test]
    fn a_full_window_is_shown_on_a_day_with_another_one_and_a_full_day_is_not() {
        let now = "2026-11-17T06:00:00Z";
        let part = [(1, "2026-11-18", 2), (2, "2026-11-18", 2)];
        assert_eq!(offered(&rules(), now, &part)[1], "Wed 18: 07×0 16×1");
        // The seller has lowered the capacity since.
        let whole = [(1, "2026-11-18", 3), (2, "2026-11-18", 3)];
        assert_eq!(offered(&rules(), now, &whole)[1], "Thu 19: 07×2 16×3");
    }

    #[test]
    fn closed_days_move_the_offer() {
        let now = "2026-11-17T06:00:00Z";
        for (closed_days, first) in [
            (vec![closed(Some("2026-11-17"), None)], "Wed 18: 07×2 16×3"),
            (vec![closed(None, Some(2)), closed(None, Some(3))], "Thu 19: 07×2 16×3"),
            (vec![closed(Some("2026-11-18"), None)], "Tue 17: 16×3"),
        ] {
            let rules = DeliveryRules { closed: closed_days.clone(), ..rules() };
            assert_eq!(offered(&rules, now, &[])[0], first, "{closed_days:?}");
        }
        let always = DeliveryRules { closed: EVERY_DAY.map(|weekday| closed(None, Some(weekday))).to_vec(), ..rules() };
        assert!(offered(&always, now, &[]).is_empty());
    }

    #[test]
    fn a_slot_is_the_next_free_one_or_the_requested_one() {
        let rules = rules();
        let full = Bookings::from([
            ((Uuid::from_u128(2), day("2026-11-17")), 3),
            ((Uuid::from_u128(1), day("2026-11-18")), 2),
        ]);
        let now = "2026-11-17T06:00:00Z".parse().unwrap();
        let days = list_days(&rules, &rules.zones[0], now, &full);
        let request = |window, on: &str| {
            let requested = SlotRequest { window: Uuid::from_u128(window), day: day(on) };
            find_slot(&rules, &rules.zones[0], now, &full, requested)
        };

        let next = next_slot(&days).unwrap();
        assert_eq!((next.window, next.day), (Uuid::from_u128(2), day("2026-11-18")));
        assert_eq!(request(2, "2026-11-18"), Ok(next));
        for (window, on) in [(1, "2026-11-18"), (2, "2026-11-17")] {
            assert_eq!(request(window, on), Err(SlotProblem::Full), "{window} on {on}");
        }
        for (window, on) in [(1, "2026-11-17"), (2, "2026-11-21"), (3, "2026-11-18"), (1, "2027-11-18")] {
            assert_eq!(request(window, on), Err(SlotProblem::Closed), "{window} on {on}");
        }
        assert_eq!(next_slot(&[]), None);
    }
}
