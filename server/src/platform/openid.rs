//! Signs people in through an `OpenID` provider: authorization code with PKCE, run by the server. A token is accepted
//! only if the provider's key signed it for us, for this attempt, and not long ago.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use reqwest::{Client, redirect};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::RwLock;

use super::config::OpenIdSettings;
use super::tokens;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);
/// Keys change rarely, so they are fetched again only after this time.
const KEYS_FRESH_FOR: Duration = Duration::from_hours(1);
/// An unknown key is looked for earlier, but not more often than this.
const KEY_REFETCH_INTERVAL: Duration = Duration::from_secs(10);
/// While the provider cannot be reached, its last keys are trusted for a day.
const KEYS_STALE_FOR: Duration = Duration::from_hours(24);
/// How far clocks may differ, in seconds.
const LEEWAY: i64 = 60;
const MAX_TOKEN_LIFETIME: i64 = 24 * 60 * 60;

#[derive(Debug, thiserror::Error)]
pub enum OpenIdError {
    #[error("the identity provider did not respond: {0}")]
    Unreachable(#[from] reqwest::Error),
    #[error("the identity provider refused: {0}")]
    CodeRejected(String),
    #[error("invalid token: {0}")]
    Invalid(#[from] jsonwebtoken::errors::Error),
    #[error("token rejected: {0}")]
    InvalidClaims(&'static str),
    #[error("the identity provider did not confirm a recent login")]
    NotFresh,
}

/// The identity that a provider confirms. The provider has verified `email`.
#[derive(Debug, Clone)]
pub struct Identity {
    pub issuer: String,
    pub subject: String,
    pub email: String,
    pub name: String,
    pub picture: String,
}

pub struct OpenIdProvider {
    http: Client,
    settings: OpenIdSettings,
    metadata: RwLock<Option<ProviderMetadata>>,
}

#[derive(Clone)]
struct ProviderMetadata {
    discovery: DiscoveryDocument,
    keys: JwkSet,
    fetched_at: Instant,
    /// When a missing key was last looked for.
    key_refetched_at: Option<Instant>,
}

impl ProviderMetadata {
    /// Whether the metadata is fresh enough and has the requested key; a key that cannot be found is not looked for all
    /// the time.
    fn is_enough(&self, kid: Option<&str>) -> bool {
        let has_key = kid.is_none_or(|kid| self.keys.find(kid).is_some());
        let refetched_lately = self.key_refetched_at.is_some_and(|at| at.elapsed() < KEY_REFETCH_INTERVAL);
        self.fetched_at.elapsed() < KEYS_FRESH_FOR && (has_key || refetched_lately)
    }
}

#[derive(Clone, Deserialize)]
struct DiscoveryDocument {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
}

#[derive(Deserialize)]
struct TokenResponse {
    id_token: String,
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    #[serde(default)]
    nonce: String,
    #[serde(default)]
    email: String,
    /// A boolean, which some providers write as text.
    #[serde(default)]
    email_verified: serde_json::Value,
    #[serde(default)]
    name: String,
    #[serde(default)]
    picture: String,
    #[serde(default)]
    azp: Option<String>,
    exp: i64,
    iat: i64,
    #[serde(default)]
    nbf: Option<i64>,
    /// When the person logged in at the provider; required with `max_age`.
    #[serde(default)]
    auth_time: Option<i64>,
}

/// The values of one sign-in attempt, which must match when the browser returns.
pub struct AuthorizationRequest<'a> {
    pub redirect_uri: &'a str,
    pub nonce: &'a str,
    pub verifier: &'a str,
}

impl OpenIdProvider {
    pub fn new(settings: OpenIdSettings) -> reqwest::Result<Self> {
        // Redirects are not followed: our secret goes to the address in the settings and nowhere else.
        let http = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(REQUEST_TIMEOUT)
            .redirect(redirect::Policy::none())
            .build()?;
        Ok(Self { http, settings, metadata: RwLock::new(None) })
    }

    /// The URL at which the browser signs in.
    pub async fn authorization_url(
        &self,
        attempt: &AuthorizationRequest<'_>,
        state: &str,
        fresh: bool,
    ) -> Result<String, OpenIdError> {
        let discovery = self.metadata(None).await?.discovery;
        let challenge = tokens::pkce_challenge(attempt.verifier);
        let mut fields = vec![
            ("response_type", "code"),
            ("client_id", &self.settings.client_id),
            ("redirect_uri", attempt.redirect_uri),
            ("scope", "openid email profile"),
            ("state", state),
            ("nonce", attempt.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
            ("prompt", "select_account"),
        ];
        if fresh {
            fields.push(("max_age", "0"));
        }
        let query = serde_urlencoded::to_string(fields).unwrap_or_default();
        let joint = if discovery.authorization_endpoint.contains('?') { '&' } else { '?' };
        Ok(format!("{}{joint}{query}", discovery.authorization_endpoint))
    }

    /// Exchanges the code for the identity of the person. With `login_since` (seconds since 1970) the person must have
    /// logged in at the provider after that moment.
    pub async fn exchange_code(
        &self,
        code: &str,
        attempt: &AuthorizationRequest<'_>,
        login_since: Option<i64>,
        now: DateTime<Utc>,
    ) -> Result<Identity, OpenIdError> {
        let discovery = self.metadata(None).await?.discovery;
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", attempt.redirect_uri),
            ("code_verifier", attempt.verifier),
        ];
        let answer = self
            .http
            .post(&discovery.token_endpoint)
            .basic_auth(&self.settings.client_id, Some(self.settings.client_secret.reveal()))
            .form(&form)
            .send()
            .await?;
        let status = answer.status();
        if !status.is_success() {
            return Err(OpenIdError::CodeRejected(status.to_string()));
        }
        let token = answer.json::<TokenResponse>().await?.id_token;
        self.verify(&token, attempt.nonce, login_since, now.timestamp()).await
    }

    async fn verify(
        &self,
        token: &str,
        nonce: &str,
        login_since: Option<i64>,
        now: i64,
    ) -> Result<Identity, OpenIdError> {
        let kid = decode_header(token)?.kid;
        let metadata = self.metadata(kid.as_deref()).await?;
        let key = match &kid {
            Some(kid) => metadata.keys.find(kid),
            None => metadata.keys.keys.first().filter(|_| metadata.keys.keys.len() == 1),
        };
        let key = DecodingKey::from_jwk(key.ok_or(OpenIdError::InvalidClaims("signed by an unknown key"))?)?;
        // The algorithm is ours to say, never the token's.
        let mut rules = Validation::new(Algorithm::RS256);
        // The times of the token are checked below, by the app's clock and not by the system's.
        rules.validate_exp = false;
        rules.set_audience(&[&self.settings.client_id]);
        let bare = metadata.discovery.issuer.trim_start_matches("https://");
        rules.set_issuer(&[metadata.discovery.issuer.as_str(), bare]);
        rules.set_required_spec_claims(&["exp", "aud", "iss", "sub"]);
        let claims = decode::<Claims>(token, &key, &rules)?.claims;
        let verified = claims.email_verified == true || claims.email_verified == "true";
        let problem = if claims.nonce != nonce {
            Some("nonce mismatch")
        } else if claims.azp.is_some_and(|azp| azp != self.settings.client_id) {
            Some("authorized party mismatch")
        } else if claims.exp < now - LEEWAY {
            Some("expired")
        } else if claims.iat > now + LEEWAY || claims.nbf.is_some_and(|start| start > now + LEEWAY) {
            Some("issued in the future")
        } else if claims.exp - claims.iat > MAX_TOKEN_LIFETIME {
            Some("lifetime too long")
        } else if claims.sub.is_empty() || claims.email.is_empty() {
            Some("subject or email missing")
        } else if !verified {
            Some("email not verified")
        } else {
            None
        };
        let stale = login_since.is_some_and(|since| claims.auth_time.is_none_or(|time| time < since - LEEWAY));
        match problem {
            None if stale => Err(OpenIdError::NotFresh),
            Some(problem) => Err(OpenIdError::InvalidClaims(problem)),
            None => Ok(Identity {
                issuer: metadata.discovery.issuer,
                subject: claims.sub,
                email: claims.email,
                name: claims.name,
                picture: claims.picture,
            }),
        }
    }

    /// The provider's endpoints and keys, cached; they are fetched again when they are old or lack a key.
    async fn metadata(&self, kid: Option<&str>) -> Result<ProviderMetadata, OpenIdError> {
        if let Some(metadata) = self.metadata.read().await.as_ref().filter(|metadata| metadata.is_enough(kid)) {
            return Ok(metadata.clone());
        }
        let mut place = self.metadata.write().await;
        // Another request may have fetched it in the meantime.
        if let Some(metadata) = place.as_ref().filter(|metadata| metadata.is_enough(kid)) {
            return Ok(metadata.clone());
        }
        match self.fetch_metadata().await {
            Ok(mut metadata) => {
                metadata.key_refetched_at = kid.is_some().then(Instant::now);
                *place = Some(metadata.clone());
                Ok(metadata)
            }
            Err(error) => match place.as_ref().filter(|metadata| metadata.fetched_at.elapsed() < KEYS_STALE_FOR) {
                Some(metadata) => {
                    tracing::warn!(%error, "the identity provider is not responding; using its cached keys");
                    Ok(metadata.clone())
                }
                None => Err(error),
            },
        }
    }

    async fn fetch_metadata(&self) -> Result<ProviderMetadata, OpenIdError> {
        let discovery: DiscoveryDocument =
            self.get(&format!("{}/.well-known/openid-configuration", self.settings.issuer)).await?;
        if discovery.issuer.trim_end_matches('/') != self.settings.issuer {
            return Err(OpenIdError::InvalidClaims("another issuer"));
        }
        let keys = self.get(&discovery.jwks_uri).await?;
        Ok(ProviderMetadata { discovery, keys, fetched_at: Instant::now(), key_refetched_at: None })
    }

    async fn get<T: DeserializeOwned>(&self, address: &str) -> Result<T, OpenIdError> {
        Ok(self.http.get(address).send().await?.error_for_status()?.json().await?)
    }
}
