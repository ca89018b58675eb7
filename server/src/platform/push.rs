//! Sends messages to browsers through their push service: encrypted for the browser (RFC 8291) and signed with the
//! shop's key (VAPID, RFC 8292). A browser names its push service itself, so only known services are called, without
//! redirects and never at a private address.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, Url, redirect};
use serde::Serialize;
use web_push_native::Auth;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint;
use web_push_native::p256::pkcs8::EncodePrivateKey;
use web_push_native::p256::{PublicKey, SecretKey};

use super::config::Secret;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Push services accept tokens of up to 24 hours.
const TOKEN_LIFETIME: TimeDelta = TimeDelta::hours(12);
/// Every push service takes this much, encrypted.
const MAX_PAYLOAD_BYTES: usize = 3_000;
const AUTH_BYTES: usize = 16;
/// A longer wait is not worth remembering, because the message is outdated by then.
const MAX_RETRY_AFTER: u64 = 3_600;

/// The key that signs the shop's messages; browsers accept messages of this key only.
#[derive(Clone)]
pub struct PushKey {
    secret: Secret,
    /// As browsers expect it: the uncompressed point in base64url.
    pub public: String,
}

impl fmt::Debug for PushKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PushKey").field("public", &self.public).finish_non_exhaustive()
    }
}

impl PushKey {
    /// Parses 32 bytes in base64url.
    pub fn parse(text: &str) -> Option<Self> {
        let secret = decode_secret(text)?;
        let public = URL_SAFE_NO_PAD.encode(secret.public_key().to_encoded_point(false).as_bytes());
        Some(Self { secret: Secret::new(text.to_owned()), public })
    }

    /// Generates a key in the form that `parse` accepts.
    pub fn generate() -> Result<String, getrandom::Error> {
        loop {
            let mut bytes = [0_u8; 32];
            getrandom::fill(&mut bytes)?;
            // Almost every 32 bytes are a valid key.
            if SecretKey::from_slice(&bytes).is_ok() {
                return Ok(URL_SAFE_NO_PAD.encode(bytes));
            }
        }
    }

    fn signing_key(&self) -> Option<EncodingKey> {
        let der = decode_secret(self.secret.reveal())?.to_pkcs8_der().ok()?;
        Some(EncodingKey::from_ec_der(der.as_bytes()))
    }
}

fn decode_secret(text: &str) -> Option<SecretKey> {
    let bytes = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()?;
    SecretKey::from_slice(&bytes).ok()
}

/// The settings of web push.
#[derive(Debug, Clone)]
pub struct PushSettings {
    pub key: PushKey,
    /// How a push service reaches the operator: a `mailto:` or `https://` URL (RFC 8292).
    pub subject: String,
    /// Hosts that browsers may name as their push service, and whole origins of services on this machine.
    pub services: Vec<String>,
}

/// Where a browser receives messages, as its `PushSubscription` says.
#[derive(Debug, Clone)]
pub struct PushTarget {
    pub endpoint: String,
    /// The browser's public key, in base64url.
    pub p256dh: String,
    /// The secret that the browser shares with the shop, in base64url.
    pub auth: String,
}

impl PushTarget {
    fn keys(&self) -> Option<(PublicKey, Auth)> {
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let public = PublicKey::from_sec1_bytes(&decode(&self.p256dh)?).ok()?;
        let auth: [u8; AUTH_BYTES] = decode(&self.auth)?.try_into().ok()?;
        Some((public, Auth::from(auth)))
    }
}

pub struct PushMessage<'a> {
    pub payload: &'a [u8],
    /// How long the push service stores the message for a browser that is off.
    pub ttl: Duration,
    /// A message replaces an undelivered one with the same topic; at most 32 characters of base64url.
    pub topic: &'a str,
}

/// The texts never contain the endpoint, which identifies a browser.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PushError {
    #[error("web push is not configured (VAPID_PRIVATE_KEY)")]
    NotConfigured,
    #[error("the subscription has expired")]
    Gone,
    #[error("the push service is not in PUSH_SERVICES")]
    UnknownService,
    #[error("the message could not be encrypted: {0}")]
    Invalid(&'static str),
    #[error("the push service rejected the message ({0})")]
    Rejected(u16),
    #[error("the push service asked to wait for {0} seconds")]
    RateLimited(u64),
    #[error("the push service did not accept the message: {0}")]
    Transient(String),
}

#[derive(Clone)]
pub struct PushClient {
    http: Option<Client>,
    settings: Option<PushSettings>,
}

#[derive(Serialize)]
struct VapidClaims<'a> {
    aud: &'a str,
    exp: i64,
    sub: &'a str,
}

impl PushClient {
    pub fn new(settings: Option<PushSettings>) -> Self {
        let http = settings.as_ref().and_then(|_| {
            Client::builder()
                .connect_timeout(CONNECT_TIMEOUT)
                .timeout(REQUEST_TIMEOUT)
                .redirect(redirect::Policy::none())
                .dns_resolver(Arc::new(PublicAddresses))
                .build()
                .inspect_err(|error| tracing::error!(%error, "web push is off"))
                .ok()
        });
        Self { http, settings }
    }

    pub fn is_configured(&self) -> bool {
        self.http.is_some()
    }

    /// Returns whether a browser may subscribe with these values.
    pub fn accepts(&self, target: &PushTarget) -> bool {
        let services = self.settings.as_ref().map_or(&[][..], |settings| &settings.services);
        target.keys().is_some() && known_service(services, &target.endpoint).is_some()
    }

    pub async fn send(
        &self,
        target: &PushTarget,
        message: &PushMessage<'_>,
        now: DateTime<Utc>,
    ) -> Result<(), PushError> {
        let (Some(http), Some(settings)) = (&self.http, &self.settings) else { return Err(PushError::NotConfigured) };
        let url = known_service(&settings.services, &target.endpoint).ok_or(PushError::UnknownService)?;
        if message.payload.len() > MAX_PAYLOAD_BYTES {
            return Err(PushError::Invalid("it is too long"));
        }
        let (public, auth) = target.keys().ok_or(PushError::Invalid("the browser's keys"))?;
        let body = web_push_native::encrypt(message.payload.to_vec(), &public, &auth)
            .map_err(|_| PushError::Invalid("the payload"))?;
        let origin = url.origin().ascii_serialization();
        let claims =
            VapidClaims { aud: &origin, exp: (now + TOKEN_LIFETIME).timestamp(), sub: settings.subject.as_str() };
        let key = settings.key.signing_key().ok_or(PushError::Invalid("the shop's key"))?;
        let token = encode(&Header::new(Algorithm::ES256), &claims, &key)
            .map_err(|_| PushError::Invalid("the shop's signature"))?;
        let sent = http
            .post(url)
            .header("authorization", format!("vapid t={token}, k={}", settings.key.public))
            .header("content-encoding", "aes128gcm")
            .header("content-type", "application/octet-stream")
            .header("ttl", message.ttl.as_secs().to_string())
            .header("urgency", "high")
            .header("topic", message.topic)
            .body(body)
            .send()
            .await;
        let response = sent.map_err(|error| PushError::Transient(describe_error(&error).to_owned()))?;
        match response.status() {
            status if status.is_success() => Ok(()),
            StatusCode::NOT_FOUND | StatusCode::GONE => Err(PushError::Gone),
            StatusCode::TOO_MANY_REQUESTS => {
                let wait = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
                Err(PushError::RateLimited(wait.unwrap_or(60).min(MAX_RETRY_AFTER)))
            }
            // These say that the message itself is wrong, so it would be refused again.
            status @ (StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE) => {
                Err(PushError::Rejected(status.as_u16()))
            }
            status => Err(PushError::Transient(status.as_u16().to_string())),
        }
    }
}

fn describe_error(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() { "timed out" } else { "no connection" }
}

/// Returns the endpoint's URL if it belongs to one of these services. An entry is a host, `*.` and a domain, or a whole
/// origin such as `http://127.0.0.1:8000`, which the settings allow only for this machine.
fn known_service(services: &[String], endpoint: &str) -> Option<Url> {
    let url = Url::parse(endpoint).ok()?;
    let host = url.host_str()?;
    if !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    let listed = services.iter().any(|service| match (service.contains("://"), service.strip_prefix('*')) {
        (true, _) => *service == url.origin().ascii_serialization(),
        (false, pattern) => {
            let is_host = pattern.map_or(service == host, |domain| host.ends_with(domain) && host.len() > domain.len());
            is_host && url.scheme() == "https" && url.port().is_none()
        }
    });
    listed.then_some(url)
}

/// Resolves host names to public addresses only, so that a host name cannot lead into the shop's own network.
struct PublicAddresses;

impl Resolve for PublicAddresses {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|address| is_public(address.ip())).collect();
            if public.is_empty() {
                return Err("the host has no public address".into());
            }
            let addresses: Addrs = Box::new(public.into_iter());
            Ok(addresses)
        })
    }
}

fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let [first, second, ..] = v4.octets();
            let shared = first == 100 && (64..128).contains(&second);
            !(v4.is_private()
                || v4.is_loopback()
                || v4.is_link_local()
                || v4.is_unspecified()
                || v4.is_multicast()
                || v4.is_broadcast()
                || v4.is_documentation()
                || shared
                || first == 0
                || first >= 240)
        }
        IpAddr::V6(v6) => {
            // 2000::/3 is the only range that is assigned for the public internet.
            v6.segments().first().is_some_and(|first| first & 0xe000 == 0x2000)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn services() -> Vec<String> {
        ["fcm.googleapis.com", "*.push.apple.com", "http://127.0.0.1:8000"].map(str::to_owned).into()
    }

    #[test]
    fn a_browser_names_a_known_push_service_or_none() {
        for good in [
            "https://fcm.googleapis.com/fcm/send/abc",
            "https://FCM.googleapis.com/fcm/send/abc",
            "https://web.push.apple.com/abc",
            "http://127.0.0.1:8000/send/abc",
        ] {
            assert!(known_service(&services(), good).is_some(), "{good}");
        }
        for bad in [
            "http://fcm.googleapis.com/abc",
            "https://fcm.googleapis.com:8443/abc",
            "https://fcm.googleapis.com@evil.example/abc",
            "https://user:word@fcm.googleapis.com/abc",
            "https://fcm.googleapis.com.evil.example/abc",
            "https://push.apple.com/abc",
            "https://evilpush.apple.com.example/abc",
            "https://.push.apple.com/abc",
            "http://127.0.0.1:8001/abc",
            "https://127.0.0.1/abc",
            "https://169.254.169.254/latest/meta-data",
            "file:///etc/passwd",
            "",
        ] {
            assert!(known_service(&services(), bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_name_never_leads_into_a_private_network() {
        for private in [
            "127.0.0.1",
            "10.1.2.3",
            "192.168.0.1",
            "172.16.9.9",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "::1",
            "fe80::1",
            "fd00::1",
            "::ffff:10.0.0.1",
            "255.255.255.255",
            "224.0.0.1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
        for public in ["142.250.1.1", "2a00:1450:4001::200a", "::ffff:142.250.1.1"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn a_generated_key_is_valid_and_never_printed() {
        let text = PushKey::generate().unwrap();
        let key = PushKey::parse(&text).unwrap();

        assert_eq!(key.public.len(), 87);
        assert!(key.signing_key().is_some());
        assert!(!format!("{key:?}").contains(&text));
        for bad in ["", "AAAA", "not a key!", &"A".repeat(43)] {
            assert!(PushKey::parse(bad).is_none(), "{bad}");
        }
    }
}
