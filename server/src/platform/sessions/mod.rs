//! Sessions of shoppers and sellers: an opaque token in a cookie, its hash in PostgreSQL, so that one can be ended
//! at once and from anywhere. Owns the tables `sessions` and `known_devices`.

mod device;
mod store;

use std::time::Duration;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::api_error::ApiError;
use super::state::App;
use super::{cookies, tokens};

pub use device::describe as describe_device;
pub use store::Listed;

/// The token before a change stays good for this long, for requests that were under way.
const OVERLAP: Duration = Duration::from_secs(30);
/// Names the browser, whoever logs in with it.
const DEVICE_COOKIE: &str = "__Host-did";
const DEVICE_LIFE: Duration = Duration::from_hours(24 * 400);
/// What an account's delicate calls want: a login this recent.
const FRESH: Duration = Duration::from_mins(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Shopper,
    Seller,
}

/// How long a session lives and how many a person may have.
struct Life {
    idle: Duration,
    whole: Duration,
    rotate: Duration,
    parallel: i64,
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shopper => "shopper",
            Self::Seller => "seller",
        }
    }

    pub const fn cookie(self) -> &'static str {
        match self {
            Self::Shopper => "__Host-sid",
            Self::Seller => "__Host-ssid",
        }
    }

    /// Tells the web app that asking makes sense; carries nothing. `web/src/features/accounts/session.ts` looks for exactly this.
    const fn hint(self) -> (&'static str, &'static str) {
        match self {
            Self::Shopper => ("session", "shopper"),
            Self::Seller => ("seller_session", "1"),
        }
    }

    const fn life(self) -> Life {
        match self {
            Self::Shopper => Life {
                idle: Duration::from_hours(24 * 14),
                whole: Duration::from_hours(24 * 30),
                rotate: Duration::from_hours(24),
                parallel: 10,
            },
            Self::Seller => Life {
                idle: Duration::from_mins(30),
                whole: Duration::from_hours(12),
                rotate: Duration::from_hours(1),
                parallel: 3,
            },
        }
    }
}

#[derive(Debug, Clone)]
pub struct Session {
    pub id: Uuid,
    pub person: Uuid,
    /// The person logged in a moment ago: what delicate calls want.
    pub is_fresh: bool,
    /// The token is old enough to be changed at the next chance.
    pub rotation_due: bool,
}

/// A signed-in shopper; without one the call is answered 401 before the handler runs.
pub struct Shopper(pub Session);

/// A signed-in seller; likewise.
pub struct Seller(pub Session);

pub fn signed_out() -> ApiError {
    ApiError::unauthorized("signed_out", "Please log in.")
}

impl FromRequestParts<App> for Shopper {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        find(&app.db.main, Kind::Shopper, &parts.headers).await?.map(Self).ok_or_else(signed_out)
    }
}

impl OptionalFromRequestParts<App> for Shopper {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, ApiError> {
        Ok(find(&app.db.main, Kind::Shopper, &parts.headers).await?.map(Self))
    }
}

impl FromRequestParts<App> for Seller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        find(&app.db.main, Kind::Seller, &parts.headers).await?.map(Self).ok_or_else(signed_out)
    }
}

async fn find(db: &PgPool, kind: Kind, headers: &HeaderMap) -> Result<Option<Session>, ApiError> {
    let Some(token) = cookies::read(headers, kind.cookie()) else { return Ok(None) };
    let life = kind.life();
    let limits = store::Limits { idle: life.idle, rotate: life.rotate, overlap: OVERLAP, fresh: FRESH };
    store::find(db, kind.name(), &tokens::hash(token), &limits).await.map_err(|error| ApiError::database(&error))
}

/// Begins a session after a login: always under a new token, ending the one that this browser had, so that nobody can
/// log a victim into a session whose token he knows. Returns the cookies to set.
pub async fn begin(
    connection: &mut PgConnection,
    kind: Kind,
    person: Uuid,
    headers: &HeaderMap,
) -> Result<Vec<HeaderValue>, ApiError> {
    let life = kind.life();
    let token = tokens::fresh()?;
    let device = match cookies::read(headers, DEVICE_COOKIE) {
        Some(device) => device.to_owned(),
        None => tokens::fresh()?,
    };
    let former = cookies::read(headers, kind.cookie()).map(tokens::hash);
    let new = store::New {
        id: Uuid::now_v7(),
        kind: kind.name(),
        person,
        token: &tokens::hash(&token),
        former: former.as_deref(),
        life: life.whole,
        parallel: life.parallel,
        device: &describe_device(headers),
        device_token: &tokens::hash(&device),
    };
    store::begin(connection, &new).await.map_err(|error| ApiError::database(&error))?;
    let mut set = session_cookies(kind, &token);
    set.push(cookies::secret(DEVICE_COOKIE, &device, DEVICE_LIFE));
    Ok(set)
}

fn session_cookies(kind: Kind, token: &str) -> Vec<HeaderValue> {
    let life = kind.life().whole;
    let (hint, value) = kind.hint();
    vec![cookies::secret(kind.cookie(), token, life), cookies::hint(hint, value, life)]
}

/// Gives a session whose token has grown old a new one; the old one works on for a moment. Nothing to set when it is
/// young, or when another request was first.
pub async fn rotate_if_due(db: &PgPool, kind: Kind, session: &Session) -> Result<Vec<HeaderValue>, ApiError> {
    if !session.rotation_due {
        return Ok(Vec::new());
    }
    let token = tokens::fresh()?;
    let done = store::rotate(db, session.id, &tokens::hash(&token), OVERLAP).await;
    Ok(if done.map_err(|error| ApiError::database(&error))? { session_cookies(kind, &token) } else { Vec::new() })
}

/// Gives a session a new token at once, because what it may do has changed; whoever has the old one is out.
pub async fn renew(connection: &mut PgConnection, kind: Kind, session: Uuid) -> Result<Vec<HeaderValue>, ApiError> {
    let token = tokens::fresh()?;
    let done = store::renew(connection, session, &tokens::hash(&token)).await;
    done.map_err(|error| ApiError::database(&error))?;
    Ok(session_cookies(kind, &token))
}

/// Ends the session of this browser, if it has one. Returns the cookies that take it away.
pub async fn end(db: &PgPool, kind: Kind, headers: &HeaderMap) -> Result<Vec<HeaderValue>, ApiError> {
    if let Some(token) = cookies::read(headers, kind.cookie()) {
        store::end(db, kind.name(), &tokens::hash(token)).await.map_err(|error| ApiError::database(&error))?;
    }
    Ok(forget(kind))
}

pub fn forget(kind: Kind) -> Vec<HeaderValue> {
    vec![cookies::gone(kind.cookie()), cookies::gone(kind.hint().0)]
}

/// Ends every session of a person but `keep`, and forgets the browsers that had logged in.
pub async fn end_all(connection: &mut PgConnection, kind: Kind, person: Uuid, keep: Option<Uuid>) -> sqlx::Result<()> {
    store::end_all(connection, kind.name(), person, keep).await
}

/// Ends one of a person's sessions; false when there is none of that id.
pub async fn end_one(db: &PgPool, kind: Kind, person: Uuid, session: Uuid) -> sqlx::Result<bool> {
    store::end_one(db, kind.name(), person, session).await
}

pub async fn list(db: &PgPool, kind: Kind, person: Uuid) -> sqlx::Result<Vec<Listed>> {
    store::list(db, kind.name(), person, kind.life().idle).await
}

/// The token of the browser itself, if it has logged anybody in before.
pub fn device(headers: &HeaderMap) -> Option<Vec<u8>> {
    cookies::read(headers, DEVICE_COOKIE).map(tokens::hash)
}

pub async fn is_known_device(db: &PgPool, kind: Kind, person: Uuid, device: &[u8]) -> sqlx::Result<bool> {
    store::is_known_device(db, kind.name(), person, device).await
}

/// Deletes what has expired.
pub async fn tidy(db: &PgPool) -> sqlx::Result<u64> {
    store::tidy(db).await
}
