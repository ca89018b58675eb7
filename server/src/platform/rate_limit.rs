//! Limits per network address or account, kept in this process: they slow a flood, they do not guard accounts
//! (those counters live in PostgreSQL, shared by all copies). Each copy counts for itself.

use std::hash::Hash;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use moka::sync::Cache;

use super::api_error::ApiError;

const MAX_CALLERS: u64 = 100_000;

/// At most `limit` calls in a window that starts with a caller's first call.
#[derive(Clone)]
pub struct RateLimit<Caller = IpAddr> {
    limit: u32,
    window: Duration,
    seen: Cache<Caller, (Instant, u32)>,
}

impl<Caller: Hash + Eq + Send + Sync + 'static> RateLimit<Caller> {
    pub fn new(limit: u32, window: Duration) -> Self {
        Self { limit, window, seen: Cache::builder().max_capacity(MAX_CALLERS).time_to_live(window).build() }
    }

    /// Counts a call and refuses it beyond the limit.
    pub fn check(&self, caller: Caller) -> Result<(), ApiError> {
        self.verdict(self.count(caller))
    }

    /// Refuses a call when the limit is used up, without counting it: what counts is decided later, by `count`.
    pub fn peek(&self, caller: Caller) -> Result<(), ApiError> {
        match self.seen.get(&caller) {
            Some((since, count)) => self.verdict((since, count.saturating_add(1))),
            None => Ok(()),
        }
    }

    pub fn count(&self, caller: Caller) -> (Instant, u32) {
        let now = Instant::now();
        let entry = self.seen.entry(caller).and_upsert_with(|known| match known.map(moka::Entry::into_value) {
            Some((since, count)) if now.duration_since(since) < self.window => (since, count.saturating_add(1)),
            _ => (now, 1),
        });
        entry.into_value()
    }

    fn verdict(&self, (since, count): (Instant, u32)) -> Result<(), ApiError> {
        let left = self.window.saturating_sub(since.elapsed());
        if count <= self.limit || left.is_zero() {
            return Ok(());
        }
        Err(ApiError::too_many(left.as_secs().max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_is_stopped_and_its_neighbour_is_not() {
        let limit = RateLimit::new(2, Duration::from_mins(1));
        let (a, b) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2]));

        assert!(limit.check(a).is_ok() && limit.check(a).is_ok());
        assert!(limit.check(a).is_err());
        assert!(limit.check(b).is_ok());
    }
}
