//! Whether the wallet is worth asking. A wallet that is down must not make every shopper wait to learn it; the clock is
//! the caller's, so that tests need not wait.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So many failures one after the other are no accident.
const IN_A_ROW: u32 = 5;
/// Nor is half of at least so many calls within the window.
const AT_LEAST: usize = 10;
const WINDOW: Duration = Duration::from_secs(20);

/// Somebody has waited for nothing: that counts as so many of the others.
const WAITED: u32 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    Quick,
    Waited,
    /// It will not get better by asking again.
    Certain,
}

#[derive(Default)]
pub struct Breaker(Mutex<Health>);

#[derive(Default)]
struct Health {
    open: bool,
    in_a_row: u32,
    lately: VecDeque<(Instant, bool)>,
}

impl Breaker {
    fn health(&self) -> MutexGuard<'_, Health> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_open(&self) -> bool {
        self.health().open
    }

    pub fn went_well(&self, now: Instant) {
        let mut health = self.health();
        health.in_a_row = 0;
        health.note(now, true);
    }

    /// True when this failure is the one that opens it: the caller then looks after it until `close`.
    pub fn failed(&self, now: Instant, failure: Failure) -> bool {
        let mut health = self.health();
        health.in_a_row += match failure {
            Failure::Quick => 1,
            Failure::Waited => WAITED,
            Failure::Certain => IN_A_ROW,
        };
        health.note(now, false);
        let failures = health.lately.iter().filter(|(_, well)| !well).count();
        let often = health.lately.len() >= AT_LEAST && failures * 2 >= health.lately.len();
        let opens = !health.open && (health.in_a_row >= IN_A_ROW || often);
        health.open |= opens;
        opens
    }

    pub fn close(&self) {
        *self.health() = Health::default();
    }
}

impl Health {
    fn note(&mut self, now: Instant, well: bool) {
        self.lately.push_back((now, well));
        while self.lately.front().is_some_and(|(then, _)| now.duration_since(*then) > WINDOW) {
            self.lately.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_failures_in_a_row_open_it_and_one_success_starts_the_count_anew() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        for second in 0..4 {
            assert!(!breaker.failed(at(second * 30), Failure::Quick));
        }
        breaker.went_well(at(120));
        for second in 0..4 {
            assert!(!breaker.failed(at(150 + second * 30), Failure::Quick));
        }
        assert!(breaker.failed(at(300), Failure::Quick) && breaker.is_open());
        assert!(!breaker.failed(at(301), Failure::Quick), "it opens once");
        breaker.close();
        assert!(!breaker.is_open() && !breaker.failed(at(302), Failure::Quick));
    }

    #[test]
    fn half_of_ten_calls_in_a_short_time_open_it() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        let mut opened = false;
        for call in 0..10_u64 {
            let now = start + Duration::from_secs(call);
            if call % 2 == 0 {
                breaker.went_well(now);
            } else {
                opened = breaker.failed(now, Failure::Quick);
            }
        }
        assert!(opened);
    }

    #[test]
    fn two_who_waited_for_nothing_are_enough() {
        let breaker = Breaker::default();
        assert!(!breaker.failed(Instant::now(), Failure::Waited));
        assert!(breaker.failed(Instant::now(), Failure::Waited));
    }

    #[test]
    fn a_refused_key_opens_it_at_once() {
        assert!(Breaker::default().failed(Instant::now(), Failure::Certain));
    }
}
