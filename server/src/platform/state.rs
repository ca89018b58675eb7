//! What every handler receives.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use object_store::ObjectStore;
use uuid::Uuid;

use super::answers::Answers;
use super::clock::Clock;
use super::config::{Config, RateLimits};
use super::db::Pools;
#[cfg(debug_assertions)]
use super::fail_point::FailPoints;
use super::mail::Mailer;
use super::openid::Provider;
use super::passwords::Passwords;
use super::rate_limit::{RateLimit, ReadLimit};

#[derive(Clone)]
pub struct App(Arc<Shared>);

pub struct Shared {
    pub config: Config,
    pub clock: Clock,
    pub db: Pools,
    pub answers: Answers,
    pub pictures: Arc<dyn ObjectStore>,
    pub mailer: Mailer,
    pub passwords: Passwords,
    /// Whom to ask who somebody is; none when no provider is set up.
    pub openid: Option<Provider>,
    pub limits: Limits,
    #[cfg(debug_assertions)]
    pub fail_points: FailPoints,
    parts: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    stopping: AtomicBool,
}

/// Something of a room's own that lives as long as the process, like its way to another server. Made when it is first
/// asked for, so that this file need not know the rooms.
pub trait Part: Send + Sync + 'static {
    fn new(config: &Config) -> Self;
}

/// Limits by network address, counted by this process.
pub struct Limits {
    pub newsletter: RateLimit,
    pub register: RateLimit,
    pub login_failures: RateLimit,
    pub letters: RateLimit,
    pub openid: RateLimit,
    pub verify: RateLimit,
    pub cash_orders: RateLimit,
    /// Pages, public calls and sitemaps.
    pub reads: ReadLimit,
    /// By shopper.
    pub carts: RateLimit<Uuid>,
    pub links: RateLimit<Uuid>,
}

impl Limits {
    fn new(rate: &RateLimits, clock: &Clock) -> Self {
        let hourly = |limit| RateLimit::new(limit, Duration::from_hours(1), clock);
        let a_minute = Duration::from_mins(1);
        Self {
            newsletter: hourly(rate.newsletter_per_hour),
            register: hourly(rate.register_per_hour),
            login_failures: hourly(rate.login_failures_per_hour),
            letters: hourly(rate.letters_per_hour),
            openid: RateLimit::new(rate.openid_per_minute, a_minute, clock),
            verify: RateLimit::new(rate.verify_per_minute, a_minute, clock),
            cash_orders: hourly(rate.cash.per_hour),
            reads: ReadLimit::new(rate.reads_per_second, rate.reads_burst, clock),
            links: RateLimit::new(rate.links_per_minute, a_minute, clock),
            carts: RateLimit::new(rate.carts_per_minute, a_minute, clock),
        }
    }
}

impl App {
    pub fn new(config: Config, db: Pools, pictures: Arc<dyn ObjectStore>) -> Self {
        let clock = Clock::default();
        let limits = Limits::new(&config.rate, &clock);
        // The one way this fails is a broken TLS set-up; signing in by password must go on.
        let openid = config.openid.clone().and_then(|settings| {
            Provider::new(settings)
                .inspect_err(|error| tracing::error!(%error, "sign-in through the provider is off"))
                .ok()
        });
        let mailer = Mailer::new(&config.mail);
        Self(Arc::new(Shared {
            config,
            clock,
            db,
            answers: Answers::default(),
            pictures,
            mailer,
            passwords: Passwords::default(),
            openid,
            limits,
            #[cfg(debug_assertions)]
            fail_points: FailPoints::default(),
            parts: Mutex::default(),
            stopping: AtomicBool::new(false),
        }))
    }

    pub fn part<T: Part>(&self) -> Arc<T> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let known = parts.get(&TypeId::of::<T>()).cloned().and_then(|part| part.downcast::<T>().ok());
        known.unwrap_or_else(|| {
            let part = Arc::new(T::new(&self.config));
            parts.insert(TypeId::of::<T>(), part.clone());
            part
        })
    }

    pub fn say_stopping(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
