//! Reads the environment once at startup into one typed struct. All problems are reported together, so that an operator
//! can correct the file in one go. Besides this folder only `telemetry.rs` reads the environment.
//!
//! A setting may also be a file in systemd's credentials folder (`LoadCredential=`), where secrets belong: other
//! processes of the same user can read the environment of a process.

mod env_reader;
mod limits;
mod messaging;
mod secret;
mod services;
mod shop;

use std::collections::BTreeMap;
use std::net::SocketAddr;

pub use env_reader::ConfigError;
pub use limits::{CodLimits, HttpLimits, RateLimits};
pub use messaging::{SmsProvider, SmsSettings};
pub use secret::{Secret, TotpKey};
pub use services::{
    DatabaseSettings, KhaltiSettings, MailSettings, OpenIdSettings, PictureSettings, PictureStore, WorkerLimits,
};
pub use shop::{
    Banner, BillingDocument, BillingMoment, BillingSettings, Contact, Grievance, OrderLimits, Rates, Shop, Social,
    WEIGHT_TOLERANCE,
};

use env_reader::EnvReader;

use super::push::PushSettings;

#[derive(Debug, Clone)]
pub struct Config {
    /// The shop's public URL without a trailing slash, for canonical links and the Origin check.
    pub public_url: String,
    pub listen: SocketAddr,
    /// This address serves metrics and nothing else; keep it off the internet.
    pub metrics_listen: SocketAddr,
    pub database: DatabaseSettings,
    pub pictures: PictureSettings,
    pub mail: MailSettings,
    pub openid: Option<OpenIdSettings>,
    pub khalti: Option<KhaltiSettings>,
    pub push: Option<PushSettings>,
    pub sms: Option<SmsSettings>,
    /// The database URL of `thunse seller`, with a role of its own; the serving role cannot create or disable sellers.
    pub seller_admin_url: Option<Secret>,
    /// Keys for the secrets of the second step; the first one encrypts.
    pub totp_keys: Vec<TotpKey>,
    /// Whether owners and managers must set up a second factor before they can use the dashboard.
    pub require_second_factor: bool,
    /// Whether browsers may cache the shop for use without a network; if not, they delete what they have cached.
    pub service_worker: bool,
    /// Whether browsers are told that all subdomains use TLS too, for their preload lists. This is hard to undo.
    pub hsts_preload: bool,
    /// The contact for vulnerability reports, as a URL; the shop's own email address if it is not set.
    pub security_contact: Option<String>,
    pub http: HttpLimits,
    pub rate_limits: RateLimits,
    pub shop: Shop,
}

impl Config {
    pub fn from_env() -> Result<Self, ConfigError> {
        Self::read(EnvReader::from_env())
    }

    /// The features that are off because a key is not set, for the operator's log. The seller's settings page shows the
    /// same.
    pub fn disabled_features(&self) -> Vec<&'static str> {
        let mut off = Vec::new();
        if self.khalti.is_none() {
            off.push("online payment with Khalti is off: KHALTI_SECRET_KEY is not set");
        }
        if self.openid.is_none() {
            off.push("Google login is off: OPENID_CLIENT_ID is not set");
        }
        if self.push.is_none() {
            off.push("web push is off: VAPID_PRIVATE_KEY is not set");
        }
        if self.sms.is_none() {
            off.push("text messages and sign-in by phone are off: SMS_PROVIDER is not set");
        }
        off
    }

    /// Returns all settings of the serving processes, or all problems with them.
    pub fn from_vars(vars: BTreeMap<String, String>) -> Result<Self, ConfigError> {
        Self::read(EnvReader::new(vars))
    }

    fn read(mut env: EnvReader) -> Result<Self, ConfigError> {
        let openid = OpenIdSettings::read(&mut env);
        let khalti = KhaltiSettings::read(&mut env);
        let push = messaging::read_push(&mut env);
        let sms = SmsSettings::read(&mut env);
        let config = Self {
            public_url: public_url(&mut env),
            listen: env.parse_or("LISTEN", SocketAddr::from(([127, 0, 0, 1], 8080))),
            metrics_listen: env.parse_or("METRICS_LISTEN", SocketAddr::from(([127, 0, 0, 1], 9090))),
            database: DatabaseSettings::read(&mut env),
            pictures: PictureSettings::read(&mut env),
            mail: MailSettings::read(&mut env),
            require_second_factor: env.parse_or("REQUIRE_SECOND_FACTOR", false),
            service_worker: env.parse_or("SERVICE_WORKER", true),
            hsts_preload: env.parse_or("HSTS_PRELOAD", false),
            security_contact: security_contact(&mut env),
            http: HttpLimits::read(&mut env),
            rate_limits: RateLimits::read(&mut env),
            shop: Shop {
                push_key: push.as_ref().map(|push| push.key.public.clone()),
                phone_sign_in: sms.is_some(),
                ..Shop::read(&mut env, openid.is_some(), khalti.is_some())
            },
            openid,
            khalti,
            push,
            sms,
            seller_admin_url: env.text("SELLER_ADMIN_DATABASE_URL").map(Secret::new),
            totp_keys: TotpKey::read_all(&mut env),
        };
        env.finish(config)
    }
}

/// Returns the only setting of `migrate`: the URL of the role that may change the schema.
pub fn migrate_database_url() -> Result<Secret, ConfigError> {
    let mut env = EnvReader::from_env();
    let url = services::database_url(&mut env, "MIGRATE_DATABASE_URL");
    env.finish(url)
}

fn public_url(env: &mut EnvReader) -> String {
    let url = env.required("PUBLIC_URL");
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    if !url.is_empty() && rest.is_none_or(|host| host.is_empty() || host.contains('/')) {
        env.add_problem("PUBLIC_URL: must be a scheme and a host only, such as https://shop.example");
    }
    url
}

/// `security.txt` requires a URL, so an email address needs `mailto:`.
fn security_contact(env: &mut EnvReader) -> Option<String> {
    let contact = env.text("SECURITY_CONTACT")?;
    if ["mailto:", "https://", "tel:"].iter().any(|scheme| contact.starts_with(scheme))
        && !contact.contains(char::is_whitespace)
    {
        return Some(contact);
    }
    env.add_problem("SECURITY_CONTACT: must be a mailto: or https:// URL, such as mailto:security@shop.example");
    None
}

#[cfg(test)]
mod tests;
