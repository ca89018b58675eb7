//! Reads the environment once at startup into one typed struct. All problems are reported together, so that an operator
//! can correct the file in one go. Besides this file only `telemetry.rs` reads the environment.
//!
//! A setting may also be a file in systemd's credentials folder (`LoadCredential=`), where secrets belong: other
//! processes of the same user can read the environment of a process.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::{collections::BTreeMap, fmt, str::FromStr, time::Duration};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use sqlx::postgres::{PgConnectOptions, PgSslMode};

use super::mail::Mailer;
use super::money::{Paisa, Percent};

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
    /// The database URL of `thunse seller`, with a role of its own; the serving role cannot create or disable sellers.
    pub seller_admin_url: Option<Secret>,
    /// Keys for the secrets of the second step; the first one encrypts.
    pub totp_keys: Vec<TotpKey>,
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

#[derive(Debug, Clone)]
pub struct DatabaseSettings {
    pub url: Secret,
    pub max_connections: u32,
    pub acquire_timeout: Duration,
    pub statement_timeout: Duration,
}

/// Where pictures are stored, and the program that decodes them.
#[derive(Debug, Clone)]
pub struct PictureSettings {
    pub store: PictureStore,
    /// Decodes one picture in a separate process; it is this program itself unless a test names another.
    pub worker: Option<PathBuf>,
}

#[derive(Debug, Clone)]
pub enum PictureStore {
    Folder(PathBuf),
    S3 {
        bucket: String,
        region: String,
        /// For an S3-compatible server that is not Amazon's.
        endpoint: Option<String>,
        access_key: String,
        secret_key: Secret,
    },
}

#[derive(Debug, Clone)]
pub struct MailSettings {
    /// `smtp://host:port` or `smtps://user:password@host`; without it emails wait in the queue.
    pub smtp_url: Option<Secret>,
    pub from: String,
}

impl MailSettings {
    pub fn smtp_url(&self) -> Option<&str> {
        self.smtp_url.as_ref().map(Secret::reveal)
    }
}

/// Sign-in through an identity provider (Google, or any other that supports `OpenID` Connect).
#[derive(Debug, Clone)]
pub struct OpenIdSettings {
    pub issuer: String,
    pub client_id: String,
    pub client_secret: Secret,
}

/// A key with an id, so that it can be replaced by another.
#[derive(Clone)]
pub struct TotpKey {
    id: String,
    bytes: [u8; 32],
}

impl TotpKey {
    pub const fn new(id: String, bytes: [u8; 32]) -> Self {
        Self { id, bytes }
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub const fn bytes(&self) -> &[u8; 32] {
        &self.bytes
    }
}

impl fmt::Debug for TotpKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:(secret)", self.id)
    }
}

/// Payment through the wallet. Its sandbox and the real wallet differ only in `url` and `secret_key`.
#[derive(Debug, Clone)]
pub struct KhaltiSettings {
    /// Without a trailing slash.
    pub url: String,
    pub secret_key: Secret,
    /// Hosts to which shoppers may be sent to pay, besides that of `url`.
    pub page_hosts: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct HttpLimits {
    pub header_read_timeout: Duration,
    pub body_read_timeout: Duration,
    pub handler_timeout: Duration,
    /// How long a stopping server still responds after it has reported 'not ready', so that the proxy can stop sending
    /// requests.
    pub drain: Duration,
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
    /// Starts and ends of a sign-in through the provider per minute, from one network address.
    pub openid_per_minute: u32,
    /// Changes to profile and addresses per minute, for one account.
    pub edits_per_minute: u32,
    /// Pictures per day, for one shopper.
    pub pictures_per_day: u32,
    /// Saved carts per minute for one shopper, counted by each instance.
    pub carts_per_minute: u32,
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

/// What the shop charges besides the price of the goods. Each order stores the rates it was placed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ShopRates)]
pub struct Rates {
    #[schema(value_type = f64)]
    pub shipping_fee: Paisa,
    /// Shipping is free when the subtotal is above this, not at it.
    #[schema(value_type = f64)]
    pub free_shipping_above: Paisa,
    /// Per cent of the taxable amount.
    #[schema(value_type = f64)]
    pub tax_rate: Percent,
    /// Whether the shop charges tax at all; each product has its own tax class.
    pub vat_registered: bool,
}

impl Default for Rates {
    /// The rates of the specification.
    fn default() -> Self {
        Self {
            shipping_fee: Paisa::from_rupees(20),
            free_shipping_above: Paisa::from_rupees(1000),
            tax_rate: Percent::from_whole(13),
            vat_registered: true,
        }
    }
}

/// How much one shopper may order.
#[derive(Debug, Clone, Copy)]
pub struct OrderLimits {
    /// The highest total of one order.
    pub max_order_total: Paisa,
    pub per_minute: u32,
    pub per_day: u32,
    /// Cash orders that an account may have on their way, plus one for each order that it has paid.
    pub open_cod: u32,
    /// What cash orders on their way may be worth together; `CodLimits` allows more to an account that has paid.
    pub open_cod_value: Paisa,
    /// Orders that may wait for an online payment and hold stock at the same time.
    pub max_unpaid_orders: u32,
    /// Units of one product that an unpaid order may hold, for an account that has not paid enough to be trusted.
    pub held_per_product: u32,
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

/// The shop's details, rates and limits. The details are shown in the header, the footer, on `/about` and in search
/// results.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shop {
    pub brand: String,
    pub brand_ne: String,
    pub tagline: String,
    pub tagline_ne: String,
    pub contact: Contact,
    pub social: Vec<Social>,
    pub banners: Vec<Banner>,
    pub registration_number: String,
    /// PAN or VAT number.
    pub pan_number: String,
    pub grievance: Grievance,
    pub delivery_promise: String,
    pub delivery_promise_ne: String,
    /// Whether an identity provider is configured; the button is hidden without one.
    pub google_sign_in: bool,
    pub rates: Rates,
    /// A product with at most this many units counts as low in stock.
    pub low_stock: u32,
    /// Maximum number of different products in a cart.
    pub cart_lines: u32,
    /// The symbol before prices in the seller's orders.
    pub seller_price_symbol: String,
    /// Wallets that the shopper may choose in the cart.
    pub online_payment: Vec<String>,
    /// Days from the order to the delivery.
    #[serde(skip)]
    pub delivery_days: u32,
    #[serde(skip)]
    pub limits: OrderLimits,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Contact {
    pub phone: String,
    pub email: String,
    pub address: String,
    pub address_ne: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct Social {
    #[schema(required)]
    pub name: String,
    #[schema(required)]
    pub url: String,
}

/// The contact for complaints that the law requires.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct Grievance {
    #[schema(required)]
    pub name: String,
    #[schema(required)]
    pub phone: String,
    #[schema(required)]
    pub email: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct Banner {
    #[schema(required)]
    pub title: String,
    #[schema(required)]
    pub title_ne: String,
    #[schema(required)]
    pub text: String,
    #[schema(required)]
    pub text_ne: String,
    #[schema(required)]
    pub href: String,
}

/// A value that `{:?}` does not print, so that it cannot reach a log line.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    pub fn new(value: String) -> Self {
        Self(value)
    }

    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

#[derive(Debug, thiserror::Error)]
#[error("invalid configuration, {} problem(s):\n{}", .0.len(), .0.join("\n"))]
pub struct ConfigError(pub Vec<String>);

impl Config {
    pub fn from_env() -> Result<Self, ConfigError> {
        Self::read(environment())
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
        off
    }

    /// Returns all settings of the serving processes, or all problems with them.
    pub fn from_vars(vars: BTreeMap<String, String>) -> Result<Self, ConfigError> {
        Self::read(EnvReader { vars, problems: Vec::new() })
    }

    fn read(mut env: EnvReader) -> Result<Self, ConfigError> {
        let openid = env.openid();
        let khalti = env.khalti();
        let config = Self {
            public_url: env.public_url(),
            listen: env.parse_or("LISTEN", SocketAddr::from(([127, 0, 0, 1], 8080))),
            metrics_listen: env.parse_or("METRICS_LISTEN", SocketAddr::from(([127, 0, 0, 1], 9090))),
            database: DatabaseSettings {
                url: env.database_url("DATABASE_URL"),
                max_connections: env.parse_or("DATABASE_MAX_CONNECTIONS", 20),
                acquire_timeout: env.millis("DATABASE_ACQUIRE_TIMEOUT_MS", 3_000),
                statement_timeout: env.millis("DATABASE_STATEMENT_TIMEOUT_MS", 5_000),
            },
            pictures: PictureSettings {
                store: env.picture_store(),
                worker: env.text("PICTURE_WORKER").map(PathBuf::from),
            },
            mail: MailSettings { smtp_url: env.smtp_url(), from: env.sender() },
            service_worker: env.parse_or("SERVICE_WORKER", true),
            hsts_preload: env.parse_or("HSTS_PRELOAD", false),
            security_contact: env.security_contact(),
            http: HttpLimits {
                header_read_timeout: env.millis("HEADER_READ_TIMEOUT_MS", 10_000),
                body_read_timeout: env.millis("BODY_READ_TIMEOUT_MS", 10_000),
                handler_timeout: env.millis("HANDLER_TIMEOUT_MS", 15_000),
                drain: env.millis("DRAIN_MS", 5_000),
            },
            rate_limits: RateLimits {
                newsletter_per_hour: env.parse_or("NEWSLETTER_PER_HOUR", 120),
                register_per_hour: env.parse_or("REGISTER_PER_HOUR", 300),
                login_failures_per_hour: env.parse_or("LOGIN_FAILURES_PER_HOUR", 600),
                emails_per_hour: env.parse_or("EMAILS_PER_HOUR", 100),
                openid_per_minute: env.parse_or("OPENID_PER_MINUTE", 120),
                edits_per_minute: env.parse_or("EDITS_PER_MINUTE", 30),
                pictures_per_day: env.parse_or("PICTURES_PER_DAY", 10),
                carts_per_minute: env.parse_or("CARTS_PER_MINUTE", 60),
                payment_links_per_minute: env.parse_or("PAYMENT_LINKS_PER_MINUTE", 20),
                payment_checks_per_minute: env.parse_or("PAYMENT_CHECKS_PER_MINUTE", 120),
                reads_per_second: env.parse_or("READS_PER_SECOND", 20),
                reads_burst: env.parse_or("READS_BURST", 40),
                cod: env.cod_limits(),
                trust_forwarded_for: env.parse_or("TRUST_FORWARDED_FOR", false),
            },
            shop: env.shop(openid.is_some(), khalti.is_some()),
            openid,
            khalti,
            seller_admin_url: env.text("SELLER_ADMIN_DATABASE_URL").map(Secret),
            totp_keys: env.totp_keys(),
        };
        env.problems.extend(Mailer::validate(config.mail.smtp_url(), &config.mail.from));
        if env.problems.is_empty() { Ok(config) } else { Err(ConfigError(env.problems)) }
    }
}

/// Returns the only setting of `migrate`: the URL of the role that may change the schema.
pub fn migrate_database_url() -> Result<Secret, ConfigError> {
    let mut env = environment();
    let url = env.database_url("MIGRATE_DATABASE_URL");
    if env.problems.is_empty() { Ok(url) } else { Err(ConfigError(env.problems)) }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
fn environment() -> EnvReader {
    let mut env = EnvReader { vars: std::env::vars().collect(), problems: Vec::new() };
    if let Some(folder) = env.text("CREDENTIALS_DIRECTORY") {
        env.add_credentials(Path::new(&folder));
    }
    env
}

/// Whether a host is this machine, so that the connection cannot be intercepted.
fn is_local(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.starts_with('/') || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The host of a URL such as `scheme://user:password@host:port/path?query`.
fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    match host.split_once(']') {
        Some((v6, _)) => v6.trim_start_matches('['),
        None => host.split(':').next().unwrap_or_default(),
    }
}

struct EnvReader {
    vars: BTreeMap<String, String>,
    problems: Vec<String>,
}

impl EnvReader {
    fn cod_limits(&mut self) -> CodLimits {
        // Without a mail server no email address can be confirmed.
        let minutes: u32 = if self.text("SMTP_URL").is_some() { 30 } else { 0 };
        let minutes = self.parse_or("OPEN_COD_CONFIRM_MINUTES", minutes);
        CodLimits {
            per_hour: self.parse_or("COD_ORDERS_PER_HOUR", 60),
            per_phone: self.parse_or("OPEN_COD_PER_PHONE", 6),
            confirm_within: Duration::from_mins(u64::from(minutes)),
            trusted_after: Paisa::from_rupees(i64::from(self.parse_or("OPEN_COD_TRUSTED_AFTER_RUPEES", 2_000_u32))),
            factor: self.parse_or("OPEN_COD_FACTOR", 2),
            max_value: Paisa::from_rupees(i64::from(self.parse_or("OPEN_COD_MAX_RUPEES", 200_000_u32))),
        }
    }

    fn text(&self, name: &str) -> Option<String> {
        self.vars.get(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    fn text_or(&self, name: &str, default: &str) -> String {
        self.text(name).unwrap_or_else(|| default.to_owned())
    }

    fn required(&mut self, name: &str) -> String {
        self.text(name).unwrap_or_else(|| {
            self.problems.push(format!("  {name} is not set"));
            String::new()
        })
    }

    fn parse_or<T: FromStr>(&mut self, name: &str, default: T) -> T
    where
        T::Err: fmt::Display,
    {
        match self.text(name).map(|value| value.parse()) {
            None => default,
            Some(Ok(value)) => value,
            Some(Err(error)) => {
                self.problems.push(format!("  {name}: {error}"));
                default
            }
        }
    }

    fn millis(&mut self, name: &str, default: u64) -> Duration {
        Duration::from_millis(self.parse_or(name, default))
    }

    /// Adds the settings that systemd passes as files. A file is named like its setting, with or without a lower-case
    /// prefix.
    fn add_credentials(&mut self, folder: &Path) {
        let files = match std::fs::read_dir(folder) {
            Ok(files) => files,
            Err(error) => return self.problems.push(format!("  CREDENTIALS_DIRECTORY: {error}")),
        };
        for file in files.filter_map(Result::ok) {
            let file_name = file.file_name().to_string_lossy().into_owned();
            let name = file_name.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_');
            match std::fs::read_to_string(file.path()) {
                Ok(_) if self.text(name).is_some() => {
                    self.problems
                        .push(format!("  {name} is set twice: in the environment and as a systemd credential"));
                }
                Ok(value) => {
                    self.vars.insert(name.to_owned(), value.trim().to_owned());
                }
                Err(error) => self.problems.push(format!("  the credential {name}: {error}")),
            }
        }
    }

    /// A database on another host must use TLS and prove its identity, because it has everyone's data.
    /// `DATABASE_TRUSTED_HOST` names an exception.
    fn database_url(&mut self, name: &str) -> Secret {
        let url = self.required(name);
        let trusted = self.text("DATABASE_TRUSTED_HOST");
        if let Ok(options) = PgConnectOptions::from_str(&url)
            && !url.is_empty()
        {
            let host = options.get_host();
            let is_safe = options.get_socket().is_some()
                || is_local(host)
                || trusted.is_some_and(|trusted| trusted == host)
                || matches!(options.get_ssl_mode(), PgSslMode::VerifyFull);
            if !is_safe {
                self.problems.push(format!("  {name}: a database on another host requires ?sslmode=verify-full"));
            }
        }
        Secret(url)
    }

    fn smtp_url(&mut self) -> Option<Secret> {
        let url = self.text("SMTP_URL")?;
        if url.starts_with("smtp://") && !is_local(host_of(&url)) && !url.contains("tls=required") {
            self.problems
                .push("  SMTP_URL: a mail server on another host requires smtps:// or ?tls=required".to_owned());
        }
        Some(Secret(url))
    }

    /// A shop with a mail server must name the sender of its emails.
    fn sender(&mut self) -> String {
        if self.text("SMTP_URL").is_some() {
            self.required("MAIL_FROM")
        } else {
            self.text_or("MAIL_FROM", "nobody@localhost")
        }
    }

    /// `security.txt` requires a URL, so an email address needs `mailto:`.
    fn security_contact(&mut self) -> Option<String> {
        let contact = self.text("SECURITY_CONTACT")?;
        if ["mailto:", "https://", "tel:"].iter().any(|scheme| contact.starts_with(scheme))
            && !contact.contains(char::is_whitespace)
        {
            return Some(contact);
        }
        self.problems.push(
            "  SECURITY_CONTACT: must be a mailto: or https:// URL, such as mailto:security@shop.example".to_owned(),
        );
        None
    }

    /// Requires TLS for the URL of another server, unless the server is on this machine.
    fn secure_url(&mut self, name: &str, url: &str) {
        if !url.starts_with("https://") && !is_local(host_of(url)) {
            self.problems.push(format!("  {name}: must use https"));
        }
    }

    fn public_url(&mut self) -> String {
        let url = self.required("PUBLIC_URL");
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        if !url.is_empty() && rest.is_none_or(|host| host.is_empty() || host.contains('/')) {
            self.problems
                .push("  PUBLIC_URL: must be a scheme and a host only, such as https://shop.example".to_owned());
        }
        url
    }

    fn picture_store(&mut self) -> PictureStore {
        match self.text("S3_BUCKET") {
            None => PictureStore::Folder(PathBuf::from(self.required("MEDIA_DIR"))),
            Some(bucket) => {
                let endpoint = self.text("S3_ENDPOINT");
                if let Some(endpoint) = &endpoint {
                    self.secure_url("S3_ENDPOINT", endpoint);
                }
                PictureStore::S3 {
                    bucket,
                    region: self.text_or("S3_REGION", "us-east-1"),
                    endpoint,
                    access_key: self.required("S3_ACCESS_KEY"),
                    secret_key: Secret(self.required("S3_SECRET_KEY")),
                }
            }
        }
    }

    fn openid(&mut self) -> Option<OpenIdSettings> {
        let client_id = self.text("OPENID_CLIENT_ID")?;
        let issuer = self.text_or("OPENID_ISSUER", "https://accounts.google.com").trim_end_matches('/').to_owned();
        self.secure_url("OPENID_ISSUER", &issuer);
        Some(OpenIdSettings { issuer, client_id, client_secret: Secret(self.required("OPENID_CLIENT_SECRET")) })
    }

    /// Parses `TOTP_KEYS="k2:base64,k1:base64"`, with 32 bytes in each key.
    fn totp_keys(&mut self) -> Vec<TotpKey> {
        let text = self.text_or("TOTP_KEYS", "");
        let mut keys = Vec::new();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let key = entry.split_once(':').and_then(|(id, key)| {
                let bytes = STANDARD.decode(key).ok()?.try_into().ok()?;
                let named = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
                named.then(|| TotpKey::new(id.to_owned(), bytes))
            });
            match key {
                Some(key) => keys.push(key),
                // The message does not quote the entry, because it is a secret.
                None => self
                    .problems
                    .push("  TOTP_KEYS: must be name:base64 pairs of 32-byte keys, separated by commas".to_owned()),
            }
        }
        keys
    }

    fn khalti(&mut self) -> Option<KhaltiSettings> {
        let secret_key = Secret(self.text("KHALTI_SECRET_KEY")?);
        let url = self.text_or("KHALTI_URL", "https://khalti.com").trim_end_matches('/').to_owned();
        self.secure_url("KHALTI_URL", &url);
        let hosts = self.text_or("KHALTI_PAGE_HOSTS", "pay.khalti.com,test-pay.khalti.com");
        let page_hosts = hosts.split(',').map(|host| host.trim().to_owned()).filter(|host| !host.is_empty());
        Some(KhaltiSettings { url, secret_key, page_hosts: page_hosts.collect() })
    }

    fn shop(&mut self, google_sign_in: bool, khalti: bool) -> Shop {
        Shop {
            brand: self.text_or("SHOP_NAME", "Thunse"),
            brand_ne: self.text_or("SHOP_NAME_NE", "थुन्से"),
            tagline: self.text_or("SHOP_TAGLINE", "Nepali groceries and essentials, to your door."),
            tagline_ne: self.text_or("SHOP_TAGLINE_NE", "नेपाली किराना र दैनिक सामान, तपाईंकै ढोकामा।"),
            contact: Contact {
                // These have no defaults; what is empty is not shown.
                phone: self.text_or("SHOP_PHONE", ""),
                email: self.text_or("SHOP_EMAIL", ""),
                address: self.text_or("SHOP_ADDRESS", ""),
                address_ne: self.text_or("SHOP_ADDRESS_NE", ""),
            },
            social: self.social(),
            google_sign_in,
            rates: Rates { vat_registered: self.parse_or("VAT_REGISTERED", true), ..Rates::default() },
            low_stock: 10,
            cart_lines: 100,
            seller_price_symbol: self.text_or("SELLER_PRICE_SYMBOL", "$"),
            online_payment: if khalti { vec!["Khalti".to_owned()] } else { Vec::new() },
            delivery_days: self.parse_or("DELIVERY_DAYS", 2),
            limits: OrderLimits {
                max_order_total: Paisa::from_rupees(200_000),
                per_minute: self.parse_or("ORDERS_PER_MINUTE", 5),
                per_day: self.parse_or("ORDERS_PER_DAY", 30),
                open_cod: self.parse_or("OPEN_COD_ORDERS", 3),
                open_cod_value: Paisa::from_rupees(i64::from(self.parse_or("OPEN_COD_RUPEES", 25_000_u32))),
                max_unpaid_orders: self.parse_or("MAX_UNPAID_ORDERS", 2),
                held_per_product: self.parse_or("HELD_PER_PRODUCT", 20),
            },
            banners: Vec::new(),
            registration_number: String::new(),
            pan_number: String::new(),
            grievance: Grievance::default(),
            delivery_promise: String::new(),
            delivery_promise_ne: String::new(),
        }
    }

    /// Parses `SHOP_SOCIAL="Facebook=https://…,Instagram=https://…"`.
    fn social(&mut self) -> Vec<Social> {
        let text = self.text_or("SHOP_SOCIAL", "");
        text.split(',')
            .filter(|entry| !entry.trim().is_empty())
            .filter_map(|entry| {
                let link = entry.trim().split_once('=').filter(|(_, url)| url.starts_with("https://"));
                if link.is_none() {
                    self.problems.push(format!("  SHOP_SOCIAL: '{entry}' must have the form Name=https://address"));
                }
                link.map(|(name, url)| Social { name: name.to_owned(), url: url.to_owned() })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vars(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    const MINIMUM: [(&str, &str); 3] = [
        ("DATABASE_URL", "postgres://127.0.0.1/shop"),
        ("PUBLIC_URL", "https://thunse.example"),
        ("MEDIA_DIR", "/srv/media"),
    ];

    #[test]
    fn three_settings_are_enough() {
        let config = Config::from_vars(vars(&MINIMUM)).unwrap();

        assert_eq!(config.shop.brand, "Thunse");
        assert_eq!(config.http.handler_timeout, Duration::from_secs(15));
    }

    #[test]
    fn what_is_off_for_want_of_a_key_is_named() {
        let off = Config::from_vars(vars(&MINIMUM)).unwrap().disabled_features();
        assert!(off.iter().any(|line| line.contains("KHALTI_SECRET_KEY")), "{off:?}");
        assert!(off.iter().any(|line| line.contains("OPENID_CLIENT_ID")), "{off:?}");

        let keys = [("KHALTI_SECRET_KEY", "k"), ("OPENID_CLIENT_ID", "c"), ("OPENID_CLIENT_SECRET", "s")];
        let all: Vec<(&str, &str)> = MINIMUM.into_iter().chain(keys).collect();
        assert_eq!(Config::from_vars(vars(&all)).unwrap().disabled_features(), Vec::<&str>::new());
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        let problems = Config::from_vars(vars(&[
            ("PUBLIC_URL", "thunse.example/shop"),
            ("LISTEN", "8080"),
            ("DATABASE_MAX_CONNECTIONS", "many"),
            ("SHOP_SOCIAL", "Facebook"),
        ]))
        .unwrap_err()
        .0;

        for name in ["PUBLIC_URL", "LISTEN", "DATABASE_MAX_CONNECTIONS", "SHOP_SOCIAL", "DATABASE_URL", "MEDIA_DIR"] {
            assert!(problems.iter().any(|problem| problem.contains(name)), "{name} is missing from {problems:?}");
        }
    }

    fn problems(setting: &str, value: &str) -> Vec<String> {
        let mut settings = vars(&MINIMUM);
        settings.extend(vars(&[("S3_BUCKET", "b"), ("S3_ACCESS_KEY", "k"), ("S3_SECRET_KEY", "s")]));
        settings.extend(vars(&[("OPENID_CLIENT_ID", "c"), ("OPENID_CLIENT_SECRET", "s"), ("KHALTI_SECRET_KEY", "s")]));
        settings.extend(vars(&[("MAIL_FROM", "shop@shop.example"), (setting, value)]));
        Config::from_vars(settings).map_or_else(|problems| problems.0, |_| Vec::new())
    }

    #[test]
    fn what_leaves_the_machine_is_encrypted() {
        for (setting, value) in [
            ("DATABASE_URL", "postgres://u:p@db.example/shop"),
            ("DATABASE_URL", "postgres://u:p@db.example/shop?sslmode=require"),
            ("DATABASE_URL", "postgres://u:p@10.0.0.7:5432/shop?sslmode=verify-ca"),
            ("SMTP_URL", "smtp://u:p@mail.example:587"),
            ("S3_ENDPOINT", "http://s3.example:9000"),
            ("OPENID_ISSUER", "http://provider.example"),
            ("KHALTI_URL", "http://khalti.com"),
            ("KHALTI_URL", "http://127.0.0.1.evil.example"),
        ] {
            let problems = problems(setting, value);
            assert!(problems.len() == 1 && problems[0].contains(setting), "{setting}={value}: {problems:?}");
        }
        for (setting, value) in [
            ("DATABASE_URL", "postgres://u:p@db.example/shop?sslmode=verify-full"),
            ("DATABASE_URL", "postgres://u:p@127.0.0.1:5432/shop"),
            ("DATABASE_URL", "postgres://u:p@[::1]/shop"),
            ("DATABASE_URL", "postgres://u:p@localhost/shop?sslmode=disable"),
            ("DATABASE_URL", "postgres:///shop?host=/run/postgresql"),
            ("SMTP_URL", "smtps://u:p@mail.example"),
            ("SMTP_URL", "smtp://u:p@mail.example:587?tls=required"),
            ("SMTP_URL", "smtp://127.0.0.1:25"),
            ("S3_ENDPOINT", "http://127.0.0.1:9000"),
            ("S3_ENDPOINT", "https://s3.example"),
            ("OPENID_ISSUER", "http://localhost:8085"),
        ] {
            assert_eq!(problems(setting, value), Vec::<String>::new(), "{setting}={value}");
        }
    }

    #[test]
    fn the_network_of_one_machines_containers_is_trusted_by_name() {
        let mut settings = vars(&MINIMUM);
        settings.extend(vars(&[
            ("DATABASE_URL", "postgres://u:p@database:5432/shop"),
            ("DATABASE_TRUSTED_HOST", "database"),
        ]));
        assert!(Config::from_vars(settings.clone()).is_ok());

        settings.extend(vars(&[("DATABASE_URL", "postgres://u:p@elsewhere:5432/shop")]));
        assert!(Config::from_vars(settings).is_err());
    }

    #[test]
    fn a_secret_may_be_a_file_that_systemd_hands_over() {
        let folder = std::env::temp_dir().join(format!("thunse-credentials-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("shop_DATABASE_URL"), "postgres://127.0.0.1/shop\n").unwrap();
        std::fs::write(folder.join("KHALTI_SECRET_KEY"), "key\n").unwrap();
        let settings = || vars(&[("PUBLIC_URL", "https://thunse.example"), ("MEDIA_DIR", "/srv/media")]);
        let mut env = EnvReader { vars: settings(), problems: Vec::new() };
        env.add_credentials(&folder);
        let config = Config::read(env).unwrap();

        // A setting in both places is refused, because either may be outdated.
        let mut twice = EnvReader { vars: settings(), problems: Vec::new() };
        twice.vars.insert("KHALTI_SECRET_KEY".to_owned(), "old".to_owned());
        twice.add_credentials(&folder);
        let twice = Config::read(twice).unwrap_err();
        std::fs::remove_dir_all(&folder).unwrap();

        assert_eq!(config.database.url.reveal(), "postgres://127.0.0.1/shop");
        assert_eq!(config.khalti.unwrap().secret_key.reveal(), "key");
        assert!(twice.0.iter().any(|problem| problem.contains("KHALTI_SECRET_KEY is set twice")), "{twice:?}");
    }

    #[test]
    fn a_new_shop_shows_nobodys_phone_or_address() {
        let shop = Config::from_vars(vars(&MINIMUM)).unwrap().shop;

        let Contact { phone, email, address, address_ne } = shop.contact;
        assert_eq!([phone, email, address, address_ne], ["", "", "", ""]);
        assert!(shop.social.is_empty());
    }

    #[test]
    fn emails_have_a_sender() {
        assert!(problems("SMTP_URL", "smtp://127.0.0.1:25").is_empty());
        let mut settings = vars(&MINIMUM);
        settings.extend(vars(&[("SMTP_URL", "smtp://127.0.0.1:25")]));

        let problems = Config::from_vars(settings).unwrap_err().0;

        assert!(problems.iter().any(|problem| problem.contains("MAIL_FROM is not set")), "{problems:?}");
    }

    #[test]
    fn a_password_never_prints() {
        let config = Config::from_vars(vars(&MINIMUM)).unwrap();

        assert!(!format!("{config:?}").contains("postgres://"));
    }
}
