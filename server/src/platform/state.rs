//! The state that every handler receives.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use object_store::ObjectStore;

use super::cache::ResponseCache;
use super::clock::Clock;
use super::config::{Config, RateLimits};
use super::db::{DatabaseMonitor, Pools};
#[cfg(debug_assertions)]
use super::fail_point::FailPoints;
use super::ids::UserId;
use super::mail::Mailer;
use super::openid::OpenIdProvider;
use super::passwords::Passwords;
use super::push::PushClient;
use super::rate_limit::{RateLimiter, ReadRateLimiter};
use super::sms::SmsClient;

#[derive(Clone)]
pub struct App(Arc<AppInner>);

pub struct AppInner {
    pub config: Config,
    pub clock: Clock,
    pub db: Pools,
    pub database: DatabaseMonitor,
    pub cache: ResponseCache,
    pub pictures: Arc<dyn ObjectStore>,
    pub mailer: Mailer,
    pub push: PushClient,
    pub sms: SmsClient,
    pub passwords: Passwords,
    /// The identity provider; `None` if sign-in through one is off.
    pub openid: Option<OpenIdProvider>,
    pub limits: RateLimiters,
    #[cfg(debug_assertions)]
    pub fail_points: FailPoints,
    components: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    shutting_down: AtomicBool,
}

/// An object of a module that lives as long as the process, such as its client for another server. It is created on
/// first use, so that this file does not depend on the modules.
pub trait AppComponent: Send + Sync + 'static {
    fn new(config: &Config) -> Self;
}

/// Rate limits, counted by this process; those without a comment are by network address.
pub struct RateLimiters {
    pub newsletter: RateLimiter,
    pub register: RateLimiter,
    pub login_failures: RateLimiter,
    pub emails: RateLimiter,
    /// Links in emails that turn off further ones, and browsers whose push service has moved them.
    pub alert_links: RateLimiter,
    /// Requested codes by SMS.
    pub phone_codes: RateLimiter,
    pub openid: RateLimiter,
    pub payment_checks: RateLimiter,
    pub cod_orders: RateLimiter,
    /// By network address, for pages, catalogue calls and sitemaps.
    pub public_reads: ReadRateLimiter,
    /// By shopper, like all below.
    pub carts: RateLimiter<UserId>,
    /// Carts that are quoted with a coupon.
    pub coupon_quotes: RateLimiter<UserId>,
    /// Codes that no coupon has.
    pub unknown_coupons: RateLimiter<UserId>,
    pub payment_links: RateLimiter<UserId>,
}

impl RateLimiters {
    fn new(rate: &RateLimits, clock: &Clock) -> Self {
        let hourly = |limit| RateLimiter::new(limit, Duration::from_hours(1), clock);
        let a_minute = Duration::from_mins(1);
        Self {
            newsletter: hourly(rate.newsletter_per_hour),
            register: hourly(rate.register_per_hour),
            login_failures: hourly(rate.login_failures_per_hour),
            emails: hourly(rate.emails_per_hour),
            alert_links: hourly(rate.emails_per_hour),
            phone_codes: hourly(rate.phone_codes_per_hour),
            openid: RateLimiter::new(rate.openid_per_minute, a_minute, clock),
            payment_checks: RateLimiter::new(rate.payment_checks_per_minute, a_minute, clock),
            cod_orders: hourly(rate.cod.per_hour),
            public_reads: ReadRateLimiter::new(rate.reads_per_second, rate.reads_burst, clock),
            payment_links: RateLimiter::new(rate.payment_links_per_minute, a_minute, clock),
            carts: RateLimiter::new(rate.carts_per_minute, a_minute, clock),
            coupon_quotes: RateLimiter::new(rate.carts_per_minute, a_minute, clock),
            unknown_coupons: RateLimiter::new(rate.unknown_coupons_per_hour, Duration::from_hours(1), clock),
        }
    }
}

impl App {
    pub fn new(config: Config, db: Pools, pictures: Arc<dyn ObjectStore>) -> Self {
        let clock = Clock::default();
        let limits = RateLimiters::new(&config.rate_limits, &clock);
        // This fails only if TLS cannot be set up, and then password login must still work.
        let openid = config.openid.clone().and_then(|settings| {
            OpenIdProvider::new(settings)
                .inspect_err(|error| tracing::error!(%error, "login through the identity provider is off"))
                .ok()
        });
        let mailer = Mailer::new(config.mail.smtp_url(), &config.mail.from);
        let (push, sms) = (PushClient::new(config.push.clone()), SmsClient::new(config.sms.clone()));
        let database = db.monitor();
        let cache = ResponseCache::new(database.subscribe(), clock.clone());
        Self(Arc::new(AppInner {
            config,
            clock,
            db,
            database,
            cache,
            pictures,
            mailer,
            push,
            sms,
            passwords: Passwords::default(),
            openid,
            limits,
            #[cfg(debug_assertions)]
            fail_points: FailPoints::default(),
            components: Mutex::default(),
            shutting_down: AtomicBool::new(false),
        }))
    }

    pub fn component<T: AppComponent>(&self) -> Arc<T> {
        let mut components = self.components.lock().unwrap_or_else(PoisonError::into_inner);
        let known = components.get(&TypeId::of::<T>()).cloned().and_then(|component| component.downcast::<T>().ok());
        known.unwrap_or_else(|| {
            let component = Arc::new(T::new(&self.config));
            components.insert(TypeId::of::<T>(), component.clone());
            component
        })
    }

    pub fn start_shutdown(&self) {
        self.shutting_down.store(true, Ordering::Release);
    }

    pub fn is_shutting_down(&self) -> bool {
        self.shutting_down.load(Ordering::Acquire)
    }
}

impl Deref for App {
    type Target = AppInner;

    fn deref(&self) -> &AppInner {
        &self.0
    }
}
