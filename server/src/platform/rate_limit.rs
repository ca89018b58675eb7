//! Rate limits by network address or account, counted by each instance on its own. They slow down a flood but do not
//! protect accounts: those counters are in PostgreSQL, shared by all instances (`throttle`).

use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use chrono::{DateTime, Utc};
use moka::sync::Cache;

use super::api_error::ApiError;
use super::clock::Clock;
use super::ids::UserId;

const MAX_KEYS: u64 = 100_000;

/// Identifies the callers that are counted together.
pub trait RateLimitKey: Hash + Eq + Send + Sync + 'static {
    #[must_use]
    fn normalized(self) -> Self;
}

/// An IPv6 customer has at least 2^64 addresses, so all addresses of a /64 network are one caller.
impl RateLimitKey for IpAddr {
    fn normalized(self) -> Self {
        match self.to_canonical() {
            Self::V4(address) => Self::V4(address),
            Self::V6(address) => Self::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
        }
    }
}

impl RateLimitKey for UserId {
    fn normalized(self) -> Self {
        self
    }
}

/// All callers are counted together.
impl RateLimitKey for () {
    fn normalized(self) {}
}

/// Allows `limit` calls in a window that starts with a caller's first call.
#[derive(Clone)]
pub struct RateLimiter<Key = IpAddr> {
    limit: u32,
    window: Duration,
    counters: Cache<Key, (DateTime<Utc>, u32)>,
    clock: Clock,
}

impl<Key: RateLimitKey> RateLimiter<Key> {
    pub fn new(limit: u32, window: Duration, clock: &Clock) -> Self {
        let counters = Cache::builder().max_capacity(MAX_KEYS).time_to_live(window).build();
        Self { limit, window, counters, clock: clock.clone() }
    }

    /// Counts a call and refuses it beyond the limit.
    pub fn check(&self, caller: Key) -> Result<(), ApiError> {
        self.check_count(self.record(caller))
    }

    /// Refuses a call when the limit is used up, without counting it; `record` counts it later.
    pub fn peek(&self, caller: Key) -> Result<(), ApiError> {
        match self.counters.get(&caller.normalized()) {
            Some((since, count)) => self.check_count((since, count.saturating_add(1))),
            None => Ok(()),
        }
    }

    pub fn record(&self, caller: Key) -> (DateTime<Utc>, u32) {
        let now = self.clock.now();
        let entry = self.counters.entry(caller.normalized()).and_upsert_with(|known| {
            match known.map(moka::Entry::into_value) {
                Some((since, count)) if elapsed(since, now) < self.window => (since, count.saturating_add(1)),
                _ => (now, 1),
            }
        });
        entry.into_value()
    }

    fn check_count(&self, (since, count): (DateTime<Utc>, u32)) -> Result<(), ApiError> {
        let left = self.window.saturating_sub(elapsed(since, self.clock.now()));
        if count <= self.limit || left.is_zero() {
            return Ok(());
        }
        Err(ApiError::rate_limited(left.as_secs().max(1)))
    }
}

/// Zero if the system clock was set back in the meantime.
fn elapsed(since: DateTime<Utc>, now: DateTime<Utc>) -> Duration {
    (now - since).to_std().unwrap_or_default()
}

/// The tokens that a cached response costs; any other costs one.
const CACHED_COST: f64 = 0.05;

/// Limits public reads by network address, with a bucket of `burst` tokens that refills by `per_second`. Many shoppers
/// share an address (decision 043), so a cached response costs a twentieth of one that has to be created.
#[derive(Clone)]
pub struct ReadRateLimiter {
    per_second: f64,
    burst: f64,
    levels: Cache<IpAddr, (DateTime<Utc>, f64)>,
    clock: Clock,
}

impl ReadRateLimiter {
    pub fn new(per_second: u32, burst: u32, clock: &Clock) -> Self {
        // A missing bucket counts as full, so an entry may expire once it has refilled.
        let until_full = Duration::from_secs(u64::from(burst / per_second.max(1)) + 1);
        let levels = Cache::builder().max_capacity(MAX_KEYS).time_to_live(until_full * 2).build();
        Self { per_second: f64::from(per_second), burst: f64::from(burst), levels, clock: clock.clone() }
    }

    /// Takes the tokens for a response that may have to be created.
    pub fn take(&self, address: IpAddr) -> Result<(), ApiError> {
        self.take_tokens(address, 1.0)
    }

    /// Takes the tokens for a cached response.
    pub fn take_cached(&self, address: IpAddr) -> Result<(), ApiError> {
        self.take_tokens(address, CACHED_COST)
    }

    /// Gives back the difference if the response turned out to be cached.
    pub fn credit_cached(&self, address: IpAddr) {
        let _ = self.take_tokens(address, CACHED_COST - 1.0);
    }

    fn take_tokens(&self, address: IpAddr, tokens: f64) -> Result<(), ApiError> {
        let now = self.clock.now();
        let mut short = None;
        self.levels.entry(address.normalized()).and_upsert_with(|known| {
            let level = known.map_or(self.burst, |entry| {
                let (since, level) = entry.into_value();
                (level + elapsed(since, now).as_secs_f64() * self.per_second).min(self.burst)
            });
            let left = level - tokens;
            if left < 0.0 {
                short = Some(-left);
                return (now, level);
            }
            (now, left.min(self.burst))
        });
        match short {
            None => Ok(()),
            Some(missing) => {
                let wait = Duration::try_from_secs_f64(missing / self.per_second).unwrap_or(Duration::from_mins(1));
                Err(ApiError::rate_limited(wait.as_secs().saturating_add(1)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn one_address_is_stopped_and_its_neighbour_is_not() {
        let clock = Clock::default();
        let limit = RateLimiter::new(2, Duration::from_mins(1), &clock);
        let (a, b) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2]));

        assert!(limit.check(a).is_ok() && limit.check(a).is_ok());
        assert!(limit.check(a).is_err());
        assert!(limit.check(b).is_ok());

        clock.advance(TimeDelta::minutes(1));
        assert!(limit.check(a).is_ok(), "the window is over");
    }

    #[test]
    fn all_addresses_of_an_ipv6_network_are_one_caller() {
        let limit = RateLimiter::new(1, Duration::from_mins(1), &Clock::default());
        let address = |text: &str| text.parse::<IpAddr>().unwrap();

        assert!(limit.check(address("2001:db8:1:2::1")).is_ok());
        assert!(limit.check(address("2001:db8:1:2:ffff::2")).is_err(), "the same network");
        assert!(limit.check(address("2001:db8:1:3::1")).is_ok(), "its neighbour");
        assert!(limit.check(address("::ffff:192.0.2.1")).is_ok());
        assert!(limit.check(address("192.0.2.1")).is_err(), "one address, written in two ways");
        assert!(limit.check(address("192.0.2.2")).is_ok());
    }

    #[test]
    fn what_is_made_costs_twenty_times_what_is_cached() {
        // Nothing flows back while the loops run.
        let limit = ReadRateLimiter { per_second: 0.0, ..ReadRateLimiter::new(1, 40, &Clock::default()) };
        let address = IpAddr::from([127, 0, 0, 1]);
        let allowed =
            |mut call: Box<dyn FnMut() -> bool>| std::iter::from_fn(|| call().then_some(())).take(2_000).count();

        let made = {
            let limit = limit.clone();
            allowed(Box::new(move || limit.take(address).is_ok()))
        };
        let neighbour = IpAddr::from([127, 0, 0, 2]);
        let cached = allowed(Box::new(move || limit.take_cached(neighbour).is_ok()));

        assert_eq!(made, 40);
        // A twentieth is not an exact binary fraction.
        assert!((799..=800).contains(&cached), "{cached}");
    }
}
