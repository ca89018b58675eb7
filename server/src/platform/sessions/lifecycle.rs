//! How sessions begin, are found, renewed and ended.

use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use serde_json::json;
use sqlx::{PgConnection, PgExecutor, PgPool};
use tracing::Span;
use tracing::field::display;
use uuid::Uuid;

use super::device::describe;
use super::model::{Session, StaffSession};
use super::store::{self, ActiveSession};
use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::ApiError;
use crate::platform::messages::message;
use crate::platform::permissions::Role;
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::{cookies, tokens};

/// The previous token stays valid for this long after a rotation, for requests that were under way.
const ROTATION_GRACE: Duration = Duration::from_secs(30);
/// Identifies the browser, whichever account logs in with it.
const DEVICE_COOKIE: &str = "__Host-did";
const DEVICE_LIFETIME: Duration = Duration::from_hours(24 * 400);
/// Sensitive calls require a login this recent.
const FRESH_LOGIN: Duration = Duration::from_mins(10);
/// A remembered device locks itself after this time without a request.
const LOCK_AFTER: Duration = Duration::from_mins(10);

/// The dashboard sends this header with requests that nobody asked for, such as polls, while nobody uses the device.
/// They do not keep a remembered device unlocked.
const BACKGROUND_HEADER: &str = "x-background-request";

/// How long a session lives and how many a person may have.
pub(super) struct SessionLifetime {
    idle: Duration,
    pub absolute: Duration,
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

    pub(super) const fn lifetime(self) -> SessionLifetime {
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

pub fn signed_out_error() -> ApiError {
    ApiError::unauthorized("signed_out", message!("api.signed_out"))
}

pub async fn find_session(
    db: &PgPool,
    kind: AccountKind,
    headers: &HeaderMap,
    now: DateTime<Utc>,
) -> Result<Option<Session>, ApiError> {
    Ok(find(db, kind, headers, now).await?.map(|found| found.session))
}

/// A seller's session without a role was begun by an earlier version and is not valid any more.
pub async fn find_staff_session(
    db: &PgPool,
    headers: &HeaderMap,
    now: DateTime<Utc>,
) -> Result<Option<StaffSession>, ApiError> {
    Ok(find(db, AccountKind::Seller, headers, now).await?.and_then(|found| found.staff))
}

async fn find(
    db: &PgPool,
    kind: AccountKind,
    headers: &HeaderMap,
    now: DateTime<Utc>,
) -> Result<Option<store::FoundSession>, ApiError> {
    let Some(token) = cookies::read(headers, kind.cookie()) else { return Ok(None) };
    let life = kind.lifetime();
    let limits = store::SessionLimits {
        idle: life.idle,
        rotate: life.rotate,
        overlap: ROTATION_GRACE,
        fresh: FRESH_LOGIN,
        lock: LOCK_AFTER,
    };
    let is_background = headers.contains_key(BACKGROUND_HEADER);
    let found = store::find(db, kind.name(), &tokens::hash(token), &limits, is_background, now).await;
    let found = found.map_err(|error| ApiError::database(&error))?;
    if let Some(found) = &found {
        let person = found.session.person;
        security_log::set_actor(Actor::person(kind, person));
        let field = match kind {
            AccountKind::Shopper => "user",
            AccountKind::Seller => "seller",
        };
        Span::current().record(field, display(person));
    }
    Ok(found)
}

/// How a person has logged in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LoginKind {
    Fresh,
    /// An identity provider remembered the browser, so calls that require a recent login still ask for one.
    Remembered,
    Staff {
        role: Role,
        /// The session may only be used to change the password; `renew` lifts this.
        temporary_password: bool,
        /// A code was entered too.
        with_code: bool,
    },
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
        device: &describe(headers),
        device_token: &tokens::hash(&device),
        fresh: login != LoginKind::Remembered,
        must_change_password: matches!(login, LoginKind::Staff { temporary_password: true, .. }),
        role: if let LoginKind::Staff { role, .. } = login { Some(role.name()) } else { None },
        with_code: matches!(login, LoginKind::Staff { with_code: true, .. }),
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
    let mut set = session_cookies(kind, &token, life.absolute);
    set.push(cookies::http_only(DEVICE_COOKIE, &device, DEVICE_LIFETIME));
    Ok(set)
}

pub async fn record(
    connection: &mut PgConnection,
    what: SecurityEventKind,
    kind: AccountKind,
    person: Uuid,
) -> sqlx::Result<()> {
    security_log::record(connection, what, Actor::person(kind, person), &person.to_string(), &json!({})).await
}

fn session_cookies(kind: AccountKind, token: &str, life: Duration) -> Vec<HeaderValue> {
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
    let expires_at = done.map_err(|error| ApiError::database(&error))?;
    Ok(expires_at.map(|at| session_cookies(kind, &token, time_until(at, now))).unwrap_or_default())
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
    let expires_at = done.map_err(|error| ApiError::database(&error))?.ok_or_else(signed_out_error)?;
    Ok(session_cookies(kind, &token, time_until(expires_at, now)))
}

fn time_until(at: DateTime<Utc>, now: DateTime<Utc>) -> Duration {
    (at - now).to_std().unwrap_or_default()
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
