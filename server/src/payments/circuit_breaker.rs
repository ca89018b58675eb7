//! Decides whether the wallet is called at all, so that shoppers do not wait for a wallet that is down. The caller
//! passes the time, so that tests need not wait.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// This many consecutive failures open the breaker.
const MAX_CONSECUTIVE_FAILURES: u32 = 5;
/// The breaker also opens when half of at least this many calls within the window have failed.
const MIN_CALLS: usize = 10;
const WINDOW: Duration = Duration::from_secs(20);

/// A timeout counts as this many failures, because the caller has waited in vain.
const TIMEOUT_WEIGHT: u32 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    Error,
    Timeout,
    /// A failure that a retry cannot fix.
    Permanent,
}

#[derive(Default)]
pub struct CircuitBreaker(Mutex<Health>);

#[derive(Default)]
struct Health {
    open: bool,
    consecutive_failures: u32,
    recent: VecDeque<(Instant, bool)>,
}

impl CircuitBreaker {
    fn health(&self) -> MutexGuard<'_, Health> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_open(&self) -> bool {
        self.health().open
    }

    pub fn record_success(&self, now: Instant) {
        let mut health = self.health();
        health.consecutive_failures = 0;
        health.record(now, true);
    }

    /// Returns true when this failure opens the breaker; the caller must then probe the wallet and call `close`.
    pub fn record_failure(&self, now: Instant, failure: Failure) -> bool {
        let mut health = self.health();
        health.consecutive_failures += match failure {
            Failure::Error => 1,
            Failure::Timeout => TIMEOUT_WEIGHT,
            Failure::Permanent => MAX_CONSECUTIVE_FAILURES,
        };
        health.record(now, false);
        let failures = health.recent.iter().filter(|(_, succeeded)| !succeeded).count();
        let often = health.recent.len() >= MIN_CALLS && failures * 2 >= health.recent.len();
        let opens = !health.open && (health.consecutive_failures >= MAX_CONSECUTIVE_FAILURES || often);
        health.open |= opens;
        opens
    }

    pub fn close(&self) {
        *self.health() = Health::default();
    }
}

impl Health {
    fn record(&mut self, now: Instant, succeeded: bool) {
        self.recent.push_back((now, succeeded));
        while self.recent.front().is_some_and(|(then, _)| now.duration_since(*then) > WINDOW) {
            self.recent.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_failures_in_a_row_open_it_and_one_success_starts_the_count_anew() {
        let (breaker, start) = (CircuitBreaker::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        for second in 0..4 {
            assert!(!breaker.record_failure(at(second * 30), Failure::Error));
        }
        breaker.record_success(at(120));
        for second in 0..4 {
            assert!(!breaker.record_failure(at(150 + second * 30), Failure::Error));
        }
        assert!(breaker.record_failure(at(300), Failure::Error) && breaker.is_open());
        assert!(!breaker.record_failure(at(301), Failure::Error), "it opens once");
        breaker.close();
        assert!(!breaker.is_open() && !breaker.record_failure(at(302), Failure::Error));
    }

    #[test]
    fn half_of_ten_calls_in_a_short_time_open_it() {
        let (breaker, start) = (CircuitBreaker::default(), Instant::now());
        let mut opened = false;
        for call in 0..10_u64 {
            let now = start + Duration::from_secs(call);
            if call % 2 == 0 {
                breaker.record_success(now);
            } else {
                opened = breaker.record_failure(now, Failure::Error);
            }
        }
        assert!(opened);
    }

    #[test]
    fn two_who_waited_for_nothing_are_enough() {
        let breaker = CircuitBreaker::default();
        assert!(!breaker.record_failure(Instant::now(), Failure::Timeout));
        assert!(breaker.record_failure(Instant::now(), Failure::Timeout));
    }

    #[test]
    fn a_refused_key_opens_it_at_once() {
        assert!(CircuitBreaker::default().record_failure(Instant::now(), Failure::Permanent));
    }
}
