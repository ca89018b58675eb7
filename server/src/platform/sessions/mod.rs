//! Sessions of shoppers and sellers: an opaque token in a cookie, and its hash in PostgreSQL, so that a session can be
//! ended at once and from anywhere. Owns the tables `sessions` and `known_devices`.

mod device;
mod model;
mod store;

use std::time::Duration;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use chrono::{DateTime, Utc};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use serde_json::json;
use sqlx::{PgConnection, PgExecutor, PgPool};
use tracing::Span;
use tracing::field::display;
use uuid::Uuid;

use super::account_kind::AccountKind;
use super::api_error::ApiError;
use super::ids::UserId;
use super::security_log::{self, Actor, SecurityEventKind};
use super::state::App;
use super::{cookies, tokens};
use crate::platform::messages::message;

pub use device::describe as describe_device;
pub use model::Session;
pub use store::ActiveSession;

/// The previous token stays valid for this long after a rotation, for requests that were under way.
const ROTATION_GRACE: Duration = Duration::from_secs(30);
/// Identifies the browser, whichever account logs in with it.
const DEVICE_COOKIE: &str = "__Host-did";
const DEVICE_LIFETIME: Duration = Duration::from_hours(24 * 400);
/// Sensitive calls require a login this recent.
const FRESH_LOGIN: Duration = Duration::from_mins(10);

/// How long a session lives and how many a person may have.
struct SessionLifetime {
    idle: Duration,
    absolute: Duration,
    rotate: Duration,
    max_sessions: i64,
}

impl AccountKind {
    pub const fn cookie(self) -> &'static str {
        match self {
            Self::Shopper => "__Host-sid",
            Self::Seller => "__Host-ssid",
        }
    }

    /// Tells the web app that this browser may have a session, and grants nothing.
    /// `web/src/features/accounts/session.ts` looks for exactly this cookie.
    const fn hint(self) -> (&'static str, &'static str) {
        match self {
            Self::Shopper => ("__Host-session", "shopper"),
            Self::Seller => ("__Host-seller_session", "1"),
        }
    }

    /// Whether this browser may be signed in; only the session itself says whether it is.
    pub fn has_hint_cookie(self, headers: &HeaderMap) -> bool {
        let (name, value) = self.hint();
        cookies::read(headers, name) == Some(value)
    }

    const fn lifetime(self) -> SessionLifetime {
        match self {
            Self::Shopper => SessionLifetime {
                idle: Duration::from_hours(24 * 14),
                absolute: Duration::from_hours(24 * 30),
                rotate: Duration::from_hours(24),
                max_sessions: 10,
            },
            Self::Seller => SessionLifetime {
                idle: Duration::from_mins(30),
                absolute: Duration::from_hours(12),
                rotate: Duration::from_hours(1),
                max_sessions: 3,
            },
        }
    }
}

/// A signed-in shopper; without one the call is answered with 401 before the handler runs.
pub struct Shopper(pub Session<UserId>);

/// A signed-in seller; without one the call is answered with 401, and with 403 while a temporary password has to be
/// changed.
pub struct Seller(pub Session);

/// A signed-in seller who may still have to change a temporary password, for the calls that this requires.
pub struct AnySeller(pub Session);

pub fn signed_out_error() -> ApiError {
    ApiError::unauthorized("signed_out", message!("api.signed_out"))
}

impl FromRequestParts<App> for Shopper {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Ok(Self(require_session(app, AccountKind::Shopper, parts).await?.into_shopper()))
    }
}

impl OptionalFromRequestParts<App> for Shopper {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, ApiError> {
        let found = find_session(&app.db.main, AccountKind::Shopper, &parts.headers, app.clock.now()).await?;
        Ok(found.map(|session| Self(session.into_shopper())))
    }
}

impl FromRequestParts<App> for Seller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let session = require_session(app, AccountKind::Seller, parts).await?;
        if session.must_change_password {
            let wanted = format!("{} {}", parts.method, parts.uri.path());
            let (who, details) = (Actor::Seller(session.person), json!({ "why": "temporary password" }));
            security_log::record_refusal(&app.db.main, SecurityEventKind::AccessDenied, who, &wanted, &details).await;
            return Err(ApiError::forbidden("password_change_needed", message!("api.sellers.password_change_needed")));
        }
        Ok(Self(session))
    }
}

impl FromRequestParts<App> for AnySeller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        require_session(app, AccountKind::Seller, parts).await.map(Self)
    }
}

/// Returns the session that a call requires, or records the refusal.
async fn require_session(app: &App, kind: AccountKind, parts: &Parts) -> Result<Session, ApiError> {
    let now = app.clock.now();
    if let Some(session) = find_session(&app.db.main, kind, &parts.headers, now).await? {
        return Ok(session);
    }
    let other = match kind {
        AccountKind::Shopper => AccountKind::Seller,
        AccountKind::Seller => AccountKind::Shopper,
    };
    // This finds a person who is signed in as the other kind, so that the log names them.
    find_session(&app.db.main, other, &parts.headers, now).await?;
    let wanted = format!("{} {}", parts.method, parts.uri.path());
    let details = json!({ "wants": kind.name(), "cookie": cookies::read(&parts.headers, kind.cookie()).is_some() });
    security_log::record_refusal(&app.db.main, SecurityEventKind::AccessDenied, Actor::Visitor, &wanted, &details)
        .await;
    Err(signed_out_error())
}

async fn find_session(
    db: &PgPool,
    kind: AccountKind,
    headers: &HeaderMap,
    now: DateTime<Utc>,
) -> Result<Option<Session>, ApiError> {
    let Some(token) = cookies::read(headers, kind.cookie()) else { return Ok(None) };
    let life = kind.lifetime();
    let limits =
        store::SessionLimits { idle: life.idle, rotate: life.rotate, overlap: ROTATION_GRACE, fresh: FRESH_LOGIN };
    let found = store::find(db, kind.name(), &tokens::hash(token), &limits, now).await;
    let found = found.map_err(|error| ApiError::database(&error))?;
    if let Some(session) = &found {
        security_log::set_actor(Actor::person(kind, session.person));
        let field = match kind {
            AccountKind::Shopper => "user",
            AccountKind::Seller => "seller",
        };
        Span::current().record(field, display(session.person));
    }
    Ok(found)
}

/// How a person has logged in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LoginKind {
    Fresh,
    /// An identity provider remembered the browser, so calls that require a recent login still ask for one.
    Remembered,
    /// The password was temporary, so the session may only be used to change it; `renew` lifts this.
    TemporaryPassword,
}

/// Begins a session after a login, always with a new token, and ends the one that this browser had, so that an attacker
/// cannot log a victim into a session whose token the attacker knows. Returns the cookies to set.
pub async fn begin(
    connection: &mut PgConnection,
    kind: AccountKind,
    person: Uuid,
    headers: &HeaderMap,
    login: LoginKind,
    now: DateTime<Utc>,
) -> Result<Vec<HeaderValue>, ApiError> {
    let life = kind.lifetime();
    let token = tokens::generate()?;
    let device = match cookies::read(headers, DEVICE_COOKIE) {
        Some(device) => device.to_owned(),
        None => tokens::generate()?,
    };
    let previous_token = cookies::read(headers, kind.cookie()).map(tokens::hash);
    let new = store::NewSession {
        id: Uuid::now_v7(),
        kind: kind.name(),
        person,
        token: &tokens::hash(&token),
        previous_token: previous_token.as_deref(),
        life: life.absolute,
        max_sessions: life.max_sessions,
        device: &describe_device(headers),
        device_token: &tokens::hash(&device),
        fresh: login != LoginKind::Remembered,
        must_change_password: login == LoginKind::TemporaryPassword,
        ip: match kind {
            AccountKind::Shopper => String::new(),
            AccountKind::Seller => security_log::network_address(),
        },
        now,
    };
    store::begin(connection, &new).await.map_err(|error| ApiError::database(&error))?;
    record(connection, SecurityEventKind::LoginSucceeded, kind, person)
        .await
        .map_err(|error| ApiError::database(&error))?;
    let mut set = session_cookies(kind, &token);
    set.push(cookies::http_only(DEVICE_COOKIE, &device, DEVICE_LIFETIME));
    Ok(set)
}

async fn record(
    connection: &mut PgConnection,
    what: SecurityEventKind,
    kind: AccountKind,
    person: Uuid,
) -> sqlx::Result<()> {
    security_log::record(connection, what, Actor::person(kind, person), &person.to_string(), &json!({})).await
}

fn session_cookies(kind: AccountKind, token: &str) -> Vec<HeaderValue> {
    let life = kind.lifetime().absolute;
    let (hint, value) = kind.hint();
    vec![cookies::http_only(kind.cookie(), token, life), cookies::script_readable(hint, value, life)]
}

/// Rotates the token of a session if it is old; the previous token stays valid for a moment. Returns no cookies if the
/// token is young or if another request was first.
pub async fn rotate_if_due(
    db: &PgPool,
    kind: AccountKind,
    session: &Session<impl Sync>,
    now: DateTime<Utc>,
) -> Result<Vec<HeaderValue>, ApiError> {
    if !session.rotation_due {
        return Ok(Vec::new());
    }
    let token = tokens::generate()?;
    let done = store::rotate(db, session.id, &tokens::hash(&token), ROTATION_GRACE, now).await;
    Ok(if done.map_err(|error| ApiError::database(&error))? { session_cookies(kind, &token) } else { Vec::new() })
}

/// Gives a session a new token at once, because its rights have changed; the old token is no longer valid.
pub async fn renew(
    connection: &mut PgConnection,
    kind: AccountKind,
    session: Uuid,
    now: DateTime<Utc>,
) -> Result<Vec<HeaderValue>, ApiError> {
    let token = tokens::generate()?;
    let done = store::renew(connection, session, &tokens::hash(&token), now).await;
    done.map_err(|error| ApiError::database(&error))?;
    Ok(session_cookies(kind, &token))
}

/// Ends the session of this browser, if it has one. Returns the headers that delete its cookies.
pub async fn end(db: &PgPool, kind: AccountKind, headers: &HeaderMap) -> Result<Vec<HeaderValue>, ApiError> {
    if let Some(token) = cookies::read(headers, kind.cookie()) {
        end_by_token(db, kind, token).await.map_err(|error| ApiError::database(&error))?;
    }
    Ok(delete_cookies(kind))
}

async fn end_by_token(db: &PgPool, kind: AccountKind, token: &str) -> sqlx::Result<()> {
    let mut tx = db.begin().await?;
    if let Some(person) = store::end(&mut tx, kind.name(), &tokens::hash(token)).await? {
        record(&mut tx, SecurityEventKind::SessionEnded, kind, person).await?;
    }
    tx.commit().await
}

pub fn delete_cookies(kind: AccountKind) -> Vec<HeaderValue> {
    let hint = kind.hint().0;
    // Browsers that logged in before the hints had their prefix still have a cookie without it.
    let old_hint = hint.trim_start_matches("__Host-");
    vec![cookies::delete(kind.cookie()), cookies::delete(hint), cookies::delete(old_hint)]
}

/// Ends all sessions of a person except `keep`, and forgets the browsers that the person has logged in with.
pub async fn end_all(
    connection: &mut PgConnection,
    kind: AccountKind,
    person: Uuid,
    keep: Option<Uuid>,
) -> sqlx::Result<()> {
    end_all_by(connection, Actor::person(kind, person), kind, person, keep).await.map(|_ended| ())
}

/// Does the same on behalf of another actor. Returns how many sessions there were.
pub async fn end_all_by(
    connection: &mut PgConnection,
    by: Actor,
    kind: AccountKind,
    person: Uuid,
    keep: Option<Uuid>,
) -> sqlx::Result<u64> {
    let ended = store::end_all(connection, kind.name(), person, keep).await?;
    security_log::record(connection, SecurityEventKind::SessionsEnded, by, &person.to_string(), &json!({})).await?;
    Ok(ended)
}

/// Ends the sessions of all accounts, for the operator. The browsers stay known, because they grant no access. Returns
/// how many sessions there were.
pub async fn end_every_session(db: &PgPool) -> sqlx::Result<u64> {
    let mut tx = db.begin().await?;
    let ended = store::end_every_session(&mut tx).await?;
    security_log::record(&mut tx, SecurityEventKind::SessionsEnded, Actor::Operator, "everybody", &json!({})).await?;
    tx.commit().await?;
    Ok(ended)
}

/// Ends one of a person's sessions; returns false if there is none with this id.
pub async fn end_one(db: &PgPool, kind: AccountKind, person: Uuid, session: Uuid) -> sqlx::Result<bool> {
    let mut tx = db.begin().await?;
    let ended = store::end_one(&mut tx, kind.name(), person, session).await?;
    if ended {
        record(&mut tx, SecurityEventKind::SessionEnded, kind, person).await?;
    }
    tx.commit().await?;
    Ok(ended)
}

/// Whether a session that was found earlier is still valid.
pub async fn is_active(db: &PgPool, kind: AccountKind, session: Uuid, now: DateTime<Utc>) -> sqlx::Result<bool> {
    store::is_active(db, kind.name(), session, kind.lifetime().idle, now).await
}

pub async fn list(
    db: impl PgExecutor<'_>,
    kind: AccountKind,
    person: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<ActiveSession>> {
    store::list(db, kind.name(), person, kind.lifetime().idle, now).await
}

/// The hash of the browser's own token, if an account has logged in with it before.
pub fn device_token_hash(headers: &HeaderMap) -> Option<Vec<u8>> {
    cookies::read(headers, DEVICE_COOKIE).map(tokens::hash)
}

pub async fn is_known_device(db: &PgPool, kind: AccountKind, person: Uuid, device: &[u8]) -> sqlx::Result<bool> {
    store::is_known_device(db, kind.name(), person, device).await
}

/// Whether this person has logged in with this browser before.
pub async fn is_known_browser(
    connection: &mut PgConnection,
    kind: AccountKind,
    person: Uuid,
    headers: &HeaderMap,
) -> sqlx::Result<bool> {
    let Some(device) = device_token_hash(headers) else { return Ok(false) };
    Ok(store::known_devices(connection, kind.name(), person).await?.contains(&device))
}

/// Makes this browser known again after all browsers of the person were forgotten.
pub async fn remember_browser(
    connection: &mut PgConnection,
    kind: AccountKind,
    person: Uuid,
    headers: &HeaderMap,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let Some(device) = device_token_hash(headers) else { return Ok(()) };
    store::remember_device(connection, kind.name(), person, &device, now).await
}

/// The hashed tokens of the browsers that this person has logged in with.
pub async fn known_devices(
    connection: &mut PgConnection,
    kind: AccountKind,
    person: Uuid,
) -> sqlx::Result<Vec<Vec<u8>>> {
    store::known_devices(connection, kind.name(), person).await
}

/// Deletes expired sessions and browsers.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::delete_expired(db, DEVICE_LIFETIME, now).await
}
