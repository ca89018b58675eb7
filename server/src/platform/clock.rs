//! The clock that the shop's rules use. Statements take the time as a parameter, so that a test can move it. Code that
//! measures durations uses `Instant`.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, DurationRound, FixedOffset, NaiveDate, NaiveTime, TimeDelta, Utc};

/// Nepal is 5:45 ahead of UTC all year round.
const NEPAL_SECONDS: i32 = (5 * 60 + 45) * 60;

/// Converts a moment to local time in Nepal.
pub fn to_nepal_time(at: DateTime<Utc>) -> DateTime<FixedOffset> {
    FixedOffset::east_opt(NEPAL_SECONDS).map_or_else(|| at.fixed_offset(), |offset| at.with_timezone(&offset))
}

/// The date in Nepal at this moment.
pub fn nepal_date(at: DateTime<Utc>) -> NaiveDate {
    to_nepal_time(at).date_naive()
}

/// The moment at which a day begins in Nepal.
pub fn start_of_nepal_day(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc() - TimeDelta::seconds(NEPAL_SECONDS.into())
}

/// The system clock, or one that a test has moved ahead of it. All clones share one clock.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    offset_micros: Arc<AtomicI64>,
}

impl Clock {
    /// The time in whole microseconds, as PostgreSQL stores it, so that a stored time equals the one that is read back.
    pub fn now(&self) -> DateTime<Utc> {
        #[expect(clippy::disallowed_methods, reason = "the one place that asks the system")]
        let system = Utc::now();
        let now = system + TimeDelta::microseconds(self.offset_micros.load(Ordering::Relaxed));
        now.duration_trunc(TimeDelta::microseconds(1)).unwrap_or(now)
    }

    /// Moves the time forward, for tests.
    pub fn advance(&self, by: TimeDelta) {
        self.offset_micros.fetch_add(by.num_microseconds().unwrap_or_default(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_one_clock_and_go_on() {
        let clock = Clock::default();
        let (other, before) = (clock.clone(), clock.now());

        other.advance(TimeDelta::days(3));

        assert!(clock.now() >= before + TimeDelta::days(3));
        assert_eq!(clock.now().timestamp_subsec_nanos() % 1_000, 0);
    }

    #[test]
    fn a_day_begins_at_a_quarter_past_six_in_the_evening_of_utc() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();

        assert_eq!(nepal_date(at("2026-11-16T18:14:59Z")).to_string(), "2026-11-16");
        assert_eq!(nepal_date(at("2026-11-16T18:15:00Z")).to_string(), "2026-11-17");
        assert_eq!(start_of_nepal_day(nepal_date(at("2026-11-17T12:00:00Z"))), at("2026-11-16T18:15:00Z"));
    }
}
