//! The limits on requests: of time, of number, and of cash orders.

use std::time::Duration;

use super::env_reader::EnvReader;
use crate::platform::money::Paisa;

#[derive(Debug, Clone)]
pub struct HttpLimits {
    pub header_read_timeout: Duration,
    pub body_read_timeout: Duration,
    pub handler_timeout: Duration,
    /// How long a stopping server still responds after it has reported 'not ready', so that the proxy can stop sending
    /// requests.
    pub drain: Duration,
}

impl HttpLimits {
    pub fn read(env: &mut EnvReader) -> Self {
        Self {
            header_read_timeout: env.millis("HEADER_READ_TIMEOUT_MS", 10_000),
            body_read_timeout: env.millis("BODY_READ_TIMEOUT_MS", 10_000),
            handler_timeout: env.millis("HANDLER_TIMEOUT_MS", 15_000),
            drain: env.millis("DRAIN_MS", 5_000),
        }
    }
}

#[derive(Debug, Clone)]
pub struct RateLimits {
    /// Newsletter sign-ups per hour from one network address. It is generous, because mobile carriers share addresses
    /// (decision 008).
    pub newsletter_per_hour: u32,
    /// Registrations per hour from one network address.
    pub register_per_hour: u32,
    /// Failed logins per hour from one network address; beyond it only browsers that have logged in before may log in.
    pub login_failures_per_hour: u32,
    /// Emails per hour that one network address may request (reset, confirmation).
    pub emails_per_hour: u32,
    /// Codes by SMS per hour that one network address may request.
    pub phone_codes_per_hour: u32,
    /// Starts and ends of a sign-in through the provider per minute, from one network address.
    pub openid_per_minute: u32,
    /// Changes to profile and addresses per minute, for one account.
    pub edits_per_minute: u32,
    /// Pictures per day, for one shopper.
    pub pictures_per_day: u32,
    /// Saved carts per minute for one shopper, counted by each instance.
    pub carts_per_minute: u32,
    /// Unknown coupon codes per hour by one shopper, counted by each instance.
    pub unknown_coupons_per_hour: u32,
    /// Payment links that one shopper may request per minute, counted by each instance.
    pub payment_links_per_minute: u32,
    /// Payment checks per minute from one network address, counted by each instance.
    pub payment_checks_per_minute: u32,
    /// Public reads per second from one network address, counted by each instance; a cached response counts as a
    /// twentieth.
    pub reads_per_second: u32,
    /// Public reads that may come at once.
    pub reads_burst: u32,
    pub cod: CodLimits,
    /// Whether a proxy in front sets X-Forwarded-For; without one, clients can write anything into the header.
    pub trust_forwarded_for: bool,
}

impl RateLimits {
    pub fn read(env: &mut EnvReader) -> Self {
        Self {
            newsletter_per_hour: env.parse_or("NEWSLETTER_PER_HOUR", 120),
            register_per_hour: env.parse_or("REGISTER_PER_HOUR", 300),
            login_failures_per_hour: env.parse_or("LOGIN_FAILURES_PER_HOUR", 600),
            emails_per_hour: env.parse_or("EMAILS_PER_HOUR", 100),
            phone_codes_per_hour: env.parse_or("PHONE_CODES_PER_HOUR", 60),
            openid_per_minute: env.parse_or("OPENID_PER_MINUTE", 120),
            edits_per_minute: env.parse_or("EDITS_PER_MINUTE", 30),
            pictures_per_day: env.parse_or("PICTURES_PER_DAY", 10),
            carts_per_minute: env.parse_or("CARTS_PER_MINUTE", 60),
            unknown_coupons_per_hour: env.parse_or("UNKNOWN_COUPONS_PER_HOUR", 20),
            payment_links_per_minute: env.parse_or("PAYMENT_LINKS_PER_MINUTE", 20),
            payment_checks_per_minute: env.parse_or("PAYMENT_CHECKS_PER_MINUTE", 120),
            reads_per_second: env.parse_or("READS_PER_SECOND", 20),
            reads_burst: env.parse_or("READS_BURST", 40),
            cod: CodLimits::read(env),
            trust_forwarded_for: env.parse_or("TRUST_FORWARDED_FOR", false),
        }
    }
}

/// Limits that prevent throw-away accounts from emptying the stock with cash orders.
#[derive(Debug, Clone, Copy)]
pub struct CodLimits {
    /// Cash orders per hour from one network address, by all accounts that are not trusted yet, counted by each
    /// instance. Carriers in Nepal share addresses among thousands of people.
    pub per_hour: u32,
    /// Open cash orders that other accounts may have with the same phone number.
    pub per_phone: u32,
    /// How long a cash order holds stock while the account's email address is not confirmed; zero turns this off.
    pub confirm_within: Duration,
    /// An account that has paid for this much is trusted.
    pub trusted_after: Paisa,
    /// Cash orders on their way may be worth this many times what the account has paid for, up to `max_value`.
    pub factor: u32,
    pub max_value: Paisa,
}

impl CodLimits {
    fn read(env: &mut EnvReader) -> Self {
        // Without a mail server no email address can be confirmed.
        let minutes: u32 = if env.text("SMTP_URL").is_some() { 30 } else { 0 };
        let minutes = env.parse_or("OPEN_COD_CONFIRM_MINUTES", minutes);
        Self {
            per_hour: env.parse_or("COD_ORDERS_PER_HOUR", 60),
            per_phone: env.parse_or("OPEN_COD_PER_PHONE", 6),
            confirm_within: Duration::from_mins(u64::from(minutes)),
            trusted_after: Paisa::from_rupees(i64::from(env.parse_or("OPEN_COD_TRUSTED_AFTER_RUPEES", 2_000_u32))),
            factor: env.parse_or("OPEN_COD_FACTOR", 2),
            max_value: Paisa::from_rupees(i64::from(env.parse_or("OPEN_COD_MAX_RUPEES", 200_000_u32))),
        }
    }
}
