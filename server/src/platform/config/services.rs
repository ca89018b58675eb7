//! The settings of the other services: database, picture store, mail server, identity provider, wallet.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgSslMode};

use super::env_reader::{EnvReader, host_of, is_local};
use super::secret::Secret;
use crate::platform::mail::Mailer;

#[derive(Debug, Clone)]
pub struct DatabaseSettings {
    pub url: Secret,
    /// A standby for reads of the catalogue.
    pub replica_url: Option<Secret>,
    pub max_connections: u32,
    pub acquire_timeout: Duration,
    pub statement_timeout: Duration,
}

impl DatabaseSettings {
    pub fn read(env: &mut EnvReader) -> Self {
        Self {
            url: database_url(env, "DATABASE_URL"),
            replica_url: env.text("DATABASE_REPLICA_URL").map(|url| checked_url(env, "DATABASE_REPLICA_URL", url)),
            max_connections: env.parse_or("DATABASE_MAX_CONNECTIONS", 20),
            acquire_timeout: env.millis("DATABASE_ACQUIRE_TIMEOUT_MS", 3_000),
            statement_timeout: env.millis("DATABASE_STATEMENT_TIMEOUT_MS", 5_000),
        }
    }
}

pub fn database_url(env: &mut EnvReader, name: &str) -> Secret {
    let url = env.required(name);
    checked_url(env, name, url)
}

/// A database on another host must use TLS and prove its identity, because it has everyone's data.
/// `DATABASE_TRUSTED_HOST` names an exception.
fn checked_url(env: &mut EnvReader, name: &str, url: String) -> Secret {
    let trusted = env.text("DATABASE_TRUSTED_HOST");
    if let Ok(options) = PgConnectOptions::from_str(&url)
        && !url.is_empty()
    {
        let host = options.get_host();
        let is_safe = options.get_socket().is_some()
            || is_local(host)
            || trusted.is_some_and(|trusted| trusted == host)
            || matches!(options.get_ssl_mode(), PgSslMode::VerifyFull);
        if !is_safe {
            env.add_problem(format_args!("{name}: a database on another host requires ?sslmode=verify-full"));
        }
    }
    Secret::new(url)
}

/// Where pictures are stored, and the program that decodes them.
#[derive(Debug, Clone)]
pub struct PictureSettings {
    pub store: PictureStore,
    /// Decodes one picture in a separate process; it is this program itself unless a test names another.
    pub worker: Option<PathBuf>,
    pub limits: WorkerLimits,
}

impl PictureSettings {
    pub fn read(env: &mut EnvReader) -> Self {
        Self {
            store: PictureStore::read(env),
            worker: env.text("PICTURE_WORKER").map(PathBuf::from),
            limits: WorkerLimits::default(),
        }
    }
}

/// How long an upload may take before the client is told to try again. Only tests choose other limits.
#[derive(Debug, Clone, Copy)]
pub struct WorkerLimits {
    /// How long it waits for a worker.
    pub queue: Duration,
    /// The worker's own limit of five CPU seconds stops a decompression bomb; this one ends the wait on a machine that
    /// is busy with other work.
    pub work: Duration,
}

impl Default for WorkerLimits {
    fn default() -> Self {
        Self { queue: Duration::from_secs(6), work: Duration::from_secs(10) }
    }
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

impl PictureStore {
    fn read(env: &mut EnvReader) -> Self {
        let Some(bucket) = env.text("S3_BUCKET") else {
            return Self::Folder(PathBuf::from(env.required("MEDIA_DIR")));
        };
        let endpoint = env.text("S3_ENDPOINT");
        if let Some(endpoint) = &endpoint {
            env.secure_url("S3_ENDPOINT", endpoint);
        }
        Self::S3 {
            bucket,
            region: env.text_or("S3_REGION", "us-east-1"),
            endpoint,
            access_key: env.required("S3_ACCESS_KEY"),
            secret_key: Secret::new(env.required("S3_SECRET_KEY")),
        }
    }
}

#[derive(Debug, Clone)]
pub struct MailSettings {
    /// `smtp://host:port` or `smtps://user:password@host`; without it emails wait in the queue.
    pub smtp_url: Option<Secret>,
    pub from: String,
}

impl MailSettings {
    pub fn read(env: &mut EnvReader) -> Self {
        let smtp_url = env.text("SMTP_URL");
        if let Some(url) = &smtp_url
            && url.starts_with("smtp://")
            && !is_local(host_of(url))
            && !url.contains("tls=required")
        {
            env.add_problem("SMTP_URL: a mail server on another host requires smtps:// or ?tls=required");
        }
        // A shop with a mail server must name the sender of its emails.
        let from =
            if smtp_url.is_some() { env.required("MAIL_FROM") } else { env.text_or("MAIL_FROM", "nobody@localhost") };
        for problem in Mailer::validate(smtp_url.as_deref(), &from) {
            env.add_problem(problem);
        }
        Self { smtp_url: smtp_url.map(Secret::new), from }
    }

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

impl OpenIdSettings {
    pub fn read(env: &mut EnvReader) -> Option<Self> {
        let client_id = env.text("OPENID_CLIENT_ID")?;
        let issuer = env.text_or("OPENID_ISSUER", "https://accounts.google.com").trim_end_matches('/').to_owned();
        env.secure_url("OPENID_ISSUER", &issuer);
        Some(Self { issuer, client_id, client_secret: Secret::new(env.required("OPENID_CLIENT_SECRET")) })
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
    /// While the wallet is down, one task probes it at this interval, so that no shopper has to try. Only tests choose
    /// another.
    pub probe_interval: Duration,
}

/// How often a wallet that is down is probed.
const PROBE_INTERVAL: Duration = Duration::from_secs(5);

impl KhaltiSettings {
    pub fn read(env: &mut EnvReader) -> Option<Self> {
        let secret_key = Secret::new(env.text("KHALTI_SECRET_KEY")?);
        let url = env.text_or("KHALTI_URL", "https://khalti.com").trim_end_matches('/').to_owned();
        env.secure_url("KHALTI_URL", &url);
        let hosts = env.text_or("KHALTI_PAGE_HOSTS", "pay.khalti.com,test-pay.khalti.com");
        let page_hosts = hosts.split(',').map(|host| host.trim().to_owned()).filter(|host| !host.is_empty());
        Some(Self { url, secret_key, page_hosts: page_hosts.collect(), probe_interval: PROBE_INTERVAL })
    }
}
