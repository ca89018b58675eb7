//! The environment, read once at boot into one typed struct. Every problem is reported at once, so that a
//! person setting up a server mends the file in one go. Nothing else in the program reads the environment.

use std::{collections::BTreeMap, fmt, net::SocketAddr, path::PathBuf, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize};

use super::mail::Mailer;
use super::money::Paisa;

#[derive(Debug, Clone)]
pub struct Config {
    /// Where shoppers reach the shop, without a slash at the end; makes canonical links and the Origin check.
    pub public_url: String,
    pub listen: SocketAddr,
    /// Metrics and nothing else; keep it off the internet.
    pub metrics_listen: SocketAddr,
    pub database: Database,
    pub pictures: Pictures,
    pub mail: Mail,
    /// A worker that has not been heard of for this long is dead, and its jobs run elsewhere. Above the longest time
    /// the database may be away while another copy of it takes over.
    pub worker_dead_after: Duration,
    pub openid: Option<OpenId>,
    pub khalti: Option<Khalti>,
    /// How long a minute of the payments' schedule takes. Trials make it shorter; a shop leaves it alone.
    pub payment_minute: Duration,
    /// Whether browsers may keep the shop for when there is no network; if not, what they have kept is thrown away.
    pub service_worker: bool,
    pub http: HttpLimits,
    pub rate: RateLimits,
    pub shop: Shop,
}

#[derive(Debug, Clone)]
pub struct Database {
    pub url: Secret,
    pub max_connections: u32,
    pub acquire_timeout: Duration,
    pub statement_timeout: Duration,
}

/// Where pictures are kept, and the program that decodes them.
#[derive(Debug, Clone)]
pub struct Pictures {
    pub store: PictureStore,
    /// Decodes one picture in a process of its own; this program itself unless a test names another.
    pub worker: Option<PathBuf>,
}

#[derive(Debug, Clone)]
pub enum PictureStore {
    Folder(PathBuf),
    S3 {
        bucket: String,
        region: String,
        /// For a server that is not Amazon's.
        endpoint: Option<String>,
        access_key: String,
        secret_key: Secret,
    },
}

#[derive(Debug, Clone)]
pub struct Mail {
    /// `smtp://host:port`, `smtps://user:password@host`; without it letters wait in the queue.
    pub smtp_url: Option<Secret>,
    pub from: String,
}

/// Sign-in through an identity provider (Google, or any that speaks `OpenID` Connect).
#[derive(Debug, Clone)]
pub struct OpenId {
    pub issuer: String,
    pub client_id: String,
    pub client_secret: Secret,
}

/// Payment through the wallet. Its sandbox and the real one differ by these two settings only.
#[derive(Debug, Clone)]
pub struct Khalti {
    /// Without a slash at the end.
    pub url: String,
    pub secret_key: Secret,
    /// Where shoppers may be sent to pay, beside `url` itself.
    pub page_hosts: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct HttpLimits {
    pub header_read_timeout: Duration,
    pub body_read_timeout: Duration,
    pub handler_timeout: Duration,
    /// How long a stopping server still answers after it has said 'not ready', so that a proxy can look away.
    pub drain: Duration,
}

#[derive(Debug, Clone)]
pub struct RateLimits {
    /// Newsletter sign-ups an hour from one address. Generous: mobile carriers share addresses (decision 008).
    pub newsletter_per_hour: u32,
    /// Registrations an hour from one address.
    pub register_per_hour: u32,
    /// Failed logins an hour from one address; beyond it only devices that have logged in before get in.
    pub login_failures_per_hour: u32,
    /// Letters an hour that one address may ask for (reset, confirmation).
    pub letters_per_hour: u32,
    /// Starts and ends of a sign-in through the provider, a minute from one address.
    pub openid_per_minute: u32,
    /// Changes to profile and addresses, a minute for one account.
    pub edits_per_minute: u32,
    /// Pictures a day for one shopper.
    pub pictures_per_day: u32,
    /// Saved carts a minute for one shopper, counted by each copy.
    pub carts_per_minute: u32,
    /// Ways to pay that one shopper may ask for a minute, counted by each copy.
    pub links_per_minute: u32,
    /// Questions about a payment a minute from one address, counted by each copy.
    pub verify_per_minute: u32,
    pub orders: OrderLimits,
    /// The proxy in front sets X-Forwarded-For; without one the header is anybody's word.
    pub trust_forwarded_for: bool,
}

/// How much one shopper may order.
#[derive(Debug, Clone, Copy)]
pub struct OrderLimits {
    pub per_minute: u32,
    pub per_day: u32,
    /// Until a first order was delivered: cash orders that are on their way, and what they may be worth together.
    pub open_cod: u32,
    pub open_cod_worth: Paisa,
    /// Orders that wait for an online payment and hold goods meanwhile.
    pub unpaid: u32,
    /// Units of one product that a stranger's unpaid order may hold.
    pub held_of_one: u32,
}

/// What the owner may say about the shop; shown in the header, the footer, `/about` and in search results.
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
    /// Whether the shop charges tax at all; products have their own class.
    pub vat_registered: bool,
    /// What stands before prices at the seller's orders.
    pub seller_price_symbol: String,
    /// Wallets that may be chosen in the cart.
    pub online_payment: Vec<String>,
    /// From the day of the order to the day of delivery.
    #[serde(skip)]
    pub delivery_days: u32,
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

/// Whom the law wants named, for complaints.
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

/// A value that must not reach a log line by way of `{:?}`.
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
#[error("the configuration has {} problem(s):\n{}", .0.len(), .0.join("\n"))]
pub struct ConfigProblems(pub Vec<String>);

impl Config {
    pub fn from_env() -> Result<Self, ConfigProblems> {
        Self::from_vars(environment())
    }

    /// All settings of the serving processes, or all that is wrong with them.
    pub fn from_vars(vars: BTreeMap<String, String>) -> Result<Self, ConfigProblems> {
        let mut env = Reader { vars, problems: Vec::new() };
        let openid = env.openid();
        let khalti = env.khalti();
        let config = Self {
            public_url: env.public_url(),
            listen: env.or("LISTEN", SocketAddr::from(([127, 0, 0, 1], 8080))),
            metrics_listen: env.or("METRICS_LISTEN", SocketAddr::from(([127, 0, 0, 1], 9090))),
            database: Database {
                url: Secret(env.required("DATABASE_URL")),
                max_connections: env.or("DATABASE_MAX_CONNECTIONS", 20),
                acquire_timeout: env.millis("DATABASE_ACQUIRE_TIMEOUT_MS", 3_000),
                statement_timeout: env.millis("DATABASE_STATEMENT_TIMEOUT_MS", 5_000),
            },
            pictures: Pictures { store: env.picture_store(), worker: env.text("PICTURE_WORKER").map(PathBuf::from) },
            mail: Mail {
                smtp_url: env.text("SMTP_URL").map(Secret),
                from: env.text_or("MAIL_FROM", "Thunse <hello@thunse.example>"),
            },
            worker_dead_after: env.millis("WORKER_DEAD_AFTER_MS", 120_000),
            service_worker: env.or("SERVICE_WORKER", true),
            http: HttpLimits {
                header_read_timeout: env.millis("HEADER_READ_TIMEOUT_MS", 10_000),
                body_read_timeout: env.millis("BODY_READ_TIMEOUT_MS", 10_000),
                handler_timeout: env.millis("HANDLER_TIMEOUT_MS", 15_000),
                drain: env.millis("DRAIN_MS", 5_000),
            },
            rate: RateLimits {
                newsletter_per_hour: env.or("NEWSLETTER_PER_HOUR", 120),
                register_per_hour: env.or("REGISTER_PER_HOUR", 300),
                login_failures_per_hour: env.or("LOGIN_FAILURES_PER_HOUR", 600),
                letters_per_hour: env.or("LETTERS_PER_HOUR", 100),
                openid_per_minute: env.or("OPENID_PER_MINUTE", 120),
                edits_per_minute: env.or("EDITS_PER_MINUTE", 30),
                pictures_per_day: env.or("PICTURES_PER_DAY", 10),
                carts_per_minute: env.or("CARTS_PER_MINUTE", 60),
                links_per_minute: env.or("LINKS_PER_MINUTE", 20),
                verify_per_minute: env.or("VERIFY_PER_MINUTE", 120),
                orders: OrderLimits {
                    per_minute: env.or("ORDERS_PER_MINUTE", 5),
                    per_day: env.or("ORDERS_PER_DAY", 30),
                    open_cod: env.or("OPEN_COD_ORDERS", 3),
                    open_cod_worth: Paisa::from_rupees(i64::from(env.or("OPEN_COD_RUPEES", 25_000_u32))),
                    unpaid: env.or("UNPAID_ORDERS", 2),
                    held_of_one: env.or("HELD_OF_ONE", 20),
                },
                trust_forwarded_for: env.or("TRUST_FORWARDED_FOR", false),
            },
            shop: env.shop(openid.is_some(), khalti.is_some()),
            openid,
            khalti,
            payment_minute: env.millis("PAYMENT_MINUTE_MS", 60_000),
        };
        env.problems.extend(Mailer::problems(&config.mail));
        if env.problems.is_empty() { Ok(config) } else { Err(ConfigProblems(env.problems)) }
    }
}

/// The one setting of `migrate`: the role that may change the schema.
pub fn migrate_database_url() -> Result<Secret, ConfigProblems> {
    let mut env = Reader { vars: environment(), problems: Vec::new() };
    let url = Secret(env.required("MIGRATE_DATABASE_URL"));
    if env.problems.is_empty() { Ok(url) } else { Err(ConfigProblems(env.problems)) }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
fn environment() -> BTreeMap<String, String> {
    std::env::vars().collect()
}

struct Reader {
    vars: BTreeMap<String, String>,
    problems: Vec<String>,
}

impl Reader {
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

    fn or<T: FromStr>(&mut self, name: &str, default: T) -> T
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
        Duration::from_millis(self.or(name, default))
    }

    fn public_url(&mut self) -> String {
        let url = self.required("PUBLIC_URL");
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        if !url.is_empty() && rest.is_none_or(|host| host.is_empty() || host.contains('/')) {
            self.problems.push("  PUBLIC_URL: wants a scheme and a host only, like https://shop.example".to_owned());
        }
        url
    }

    fn picture_store(&mut self) -> PictureStore {
        match self.text("S3_BUCKET") {
            None => PictureStore::Folder(PathBuf::from(self.required("MEDIA_DIR"))),
            Some(bucket) => PictureStore::S3 {
                bucket,
                region: self.text_or("S3_REGION", "us-east-1"),
                endpoint: self.text("S3_ENDPOINT"),
                access_key: self.required("S3_ACCESS_KEY"),
                secret_key: Secret(self.required("S3_SECRET_KEY")),
            },
        }
    }

    fn openid(&mut self) -> Option<OpenId> {
        let client_id = self.text("OPENID_CLIENT_ID")?;
        Some(OpenId {
            issuer: self.text_or("OPENID_ISSUER", "https://accounts.google.com").trim_end_matches('/').to_owned(),
            client_id,
            client_secret: Secret(self.required("OPENID_CLIENT_SECRET")),
        })
    }

    fn khalti(&mut self) -> Option<Khalti> {
        let secret_key = Secret(self.text("KHALTI_SECRET_KEY")?);
        let url = self.text_or("KHALTI_URL", "https://khalti.com").trim_end_matches('/').to_owned();
        if !url.starts_with("https://") && !url.starts_with("http://127.0.0.1") && !url.starts_with("http://localhost")
        {
            self.problems
                .push("  KHALTI_URL: wants https, like https://khalti.com or https://dev.khalti.com".to_owned());
        }
        let hosts = self.text_or("KHALTI_PAGE_HOSTS", "pay.khalti.com,test-pay.khalti.com");
        let page_hosts = hosts.split(',').map(|host| host.trim().to_owned()).filter(|host| !host.is_empty());
        Some(Khalti { url, secret_key, page_hosts: page_hosts.collect() })
    }

    fn shop(&mut self, google_sign_in: bool, khalti: bool) -> Shop {
        Shop {
            brand: self.text_or("SHOP_NAME", "Thunse"),
            brand_ne: self.text_or("SHOP_NAME_NE", "थुन्से"),
            tagline: self.text_or("SHOP_TAGLINE", "Nepali groceries and essentials, to your door."),
            tagline_ne: self.text_or("SHOP_TAGLINE_NE", "नेपाली किराना र दैनिक सामान, तपाईंकै ढोकामा।"),
            contact: Contact {
                phone: self.text_or("SHOP_PHONE", "+977 980-0000000"),
                email: self.text_or("SHOP_EMAIL", "hello@thunse.example"),
                address: self.text_or("SHOP_ADDRESS", "New Baneshwor, Kathmandu, Nepal"),
                address_ne: self.text_or("SHOP_ADDRESS_NE", "नयाँ बानेश्वर, काठमाडौँ, नेपाल"),
            },
            social: self.social(),
            google_sign_in,
            vat_registered: self.or("VAT_REGISTERED", true),
            seller_price_symbol: self.text_or("SELLER_PRICE_SYMBOL", "$"),
            online_payment: if khalti { vec!["Khalti".to_owned()] } else { Vec::new() },
            delivery_days: self.or("DELIVERY_DAYS", 2),
            banners: Vec::new(),
            registration_number: String::new(),
            pan_number: String::new(),
            grievance: Grievance::default(),
            delivery_promise: String::new(),
            delivery_promise_ne: String::new(),
        }
    }

    /// `SHOP_SOCIAL="Facebook=https://…,Instagram=https://…"`
    fn social(&mut self) -> Vec<Social> {
        let text = self.text_or(
            "SHOP_SOCIAL",
            "Facebook=https://www.facebook.com/,Instagram=https://www.instagram.com/,TikTok=https://www.tiktok.com/",
        );
        text.split(',')
            .filter_map(|entry| {
                let link = entry.trim().split_once('=').filter(|(_, url)| url.starts_with("https://"));
                if link.is_none() {
                    self.problems.push(format!("  SHOP_SOCIAL: '{entry}' is not Name=https://address"));
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

    const MINIMUM: [(&str, &str); 3] =
        [("DATABASE_URL", "postgres://db/shop"), ("PUBLIC_URL", "https://thunse.example"), ("MEDIA_DIR", "/srv/media")];

    #[test]
    fn three_settings_are_enough() {
        let config = Config::from_vars(vars(&MINIMUM)).unwrap();

        assert_eq!(config.shop.brand, "Thunse");
        assert_eq!(config.http.handler_timeout, Duration::from_secs(15));
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

    #[test]
    fn a_password_never_prints() {
        let config = Config::from_vars(vars(&MINIMUM)).unwrap();

        assert!(!format!("{config:?}").contains("postgres://"));
    }
}
