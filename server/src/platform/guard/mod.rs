//! What slows a guesser down: failed logins by account, and how often an account may ask for something. Kept in
//! PostgreSQL, so that all copies of the server count together and a restart forgets nothing. Owns the tables
//! `login_guards` and `account_counters`.

mod store;

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::HeaderMap;
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::api_error::ApiError;
use super::security_log::{self, Actor, What};
use super::sessions::{self, Kind};
use super::state::App;

/// How fast a guesser may go on.
struct Pace {
    /// Failures that cost nothing; after them each wait is twice the last, up to `LONGEST_WAIT`.
    free: i32,
    /// So many in a row close the account: from then on one attempt is evaluated in `CLOSED_WAIT`.
    closed_after: i32,
    /// What the security log calls a failure, and the one that closes.
    failed: What,
    closed: What,
}

const PASSWORDS: Pace = Pace { free: 5, closed_after: 100, failed: What::LoginFailed, closed: What::LoginClosed };
/// Six digits are fewer than any password, and whoever gets there knows the password.
const CODES: Pace = Pace { free: 5, closed_after: 50, failed: What::CodeFailed, closed: What::CodesClosed };
const LONGEST_WAIT: Duration = Duration::from_mins(15);
const CLOSED_WAIT: Duration = Duration::from_hours(1);
/// Failures are forgotten after this long without another.
const FORGOTTEN_AFTER: Duration = Duration::from_hours(24);
/// A closed account is forgotten later: else waiting a day would be quicker than one attempt an hour.
const CLOSED_FORGOTTEN_AFTER: Duration = Duration::from_hours(7 * 24);

/// Whose failures are counted together: an account as seen from unknown browsers, or from one that it knows; its codes; or
/// an address that has no account.
pub struct Subject {
    key: Vec<u8>,
    pace: &'static Pace,
    kind: Kind,
    /// Whose account it is, if there is one.
    person: Option<Uuid>,
}

impl Subject {
    /// Counted by id: however the address is spelled, it is one account.
    pub fn account(kind: Kind, person: Uuid) -> Self {
        Self::known_device(kind, person, &[])
    }

    pub fn known_device(kind: Kind, person: Uuid, device: &[u8]) -> Self {
        let key = key(&[kind.name().as_bytes(), person.as_bytes(), device]);
        Self { key, pace: &PASSWORDS, kind, person: Some(person) }
    }

    /// The password that a signed-in person gives again.
    pub fn signed_in(kind: Kind, person: Uuid) -> Self {
        Self::known_device(kind, person, b"signed in")
    }

    /// The codes of the second step, from whatever browser.
    pub fn codes(kind: Kind, person: Uuid) -> Self {
        let key = key(&[b"codes", kind.name().as_bytes(), person.as_bytes()]);
        Self { key, pace: &CODES, kind, person: Some(person) }
    }

    /// An address without an account. Only valid addresses get here, which are ASCII: there the database folds as we do.
    fn stranger(kind: Kind, email: &str) -> Self {
        let key = key(&[kind.name().as_bytes(), email.to_ascii_lowercase().as_bytes()]);
        Self { key, pace: &PASSWORDS, kind, person: None }
    }

    /// Nobody is signed in while a password or a code is checked: the account is what it is about.
    async fn record(&self, db: &PgPool, what: What) {
        let about = self.person.map(|person| person.to_string()).unwrap_or_default();
        let details = json!({ "kind": self.kind.name(), "known": self.person.is_some() });
        security_log::record_refusal(db, what, Actor::Visitor, &about, &details).await;
    }
}

fn key(parts: &[&[u8]]) -> Vec<u8> {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
        hasher.update([0]);
    }
    hasher.finalize().to_vec()
}

/// Who tries to log in: an account seen from a browser that it knows, or from any other. The network address counts
/// only for strangers: a flood through a carrier's shared address must not lock its regular customers out.
pub async fn subject_of(
    app: &App,
    kind: Kind,
    email: &str,
    person: Option<Uuid>,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<Subject, ApiError> {
    if let (Some(person), Some(device)) = (person, sessions::device(headers)) {
        let known = sessions::is_known_device(&app.db.main, kind, person, &device).await;
        if known.map_err(|error| ApiError::database(&error))? {
            return Ok(Subject::known_device(kind, person, &device));
        }
    }
    app.limits.login_failures.peek(from)?;
    Ok(person.map_or_else(|| Subject::stranger(kind, email), |person| Subject::account(kind, person)))
}

/// A login failed: its network address has one less.
pub async fn note_failure(app: &App, subject: &Subject, from: IpAddr) {
    app.limits.login_failures.count(from);
    metrics::counter!("login_failed_total", "kind" => subject.kind.name()).increment(1);
    subject.record(&app.db.main, subject.pace.failed).await;
}

/// An attempt that may be evaluated. It counts as failed until `forgive` says otherwise, so that a thousand attempts
/// at once are not a thousand free ones.
pub struct Attempt {
    /// This failure, if it is one, closes the account: its owner should hear of it.
    pub closes: bool,
}

pub async fn attempt(db: &PgPool, subject: &Subject, now: DateTime<Utc>) -> Result<Attempt, ApiError> {
    let seconds = |wait: Duration| i32::try_from(wait.as_secs()).unwrap_or(i32::MAX);
    let rule = store::Rule {
        free: subject.pace.free,
        longest_wait: seconds(LONGEST_WAIT),
        closed_after: subject.pace.closed_after,
        closed_wait: seconds(CLOSED_WAIT),
        forgotten_after: FORGOTTEN_AFTER,
        closed_forgotten_after: CLOSED_FORGOTTEN_AFTER,
    };
    let tried = store::attempt(db, &subject.key, &rule, now).await.map_err(|error| ApiError::database(&error))?;
    match tried {
        store::Tried::Allowed { failures } => {
            let closes = failures == rule.closed_after;
            if closes {
                subject.record(db, subject.pace.closed).await;
            }
            Ok(Attempt { closes })
        }
        store::Tried::Wait { seconds } => {
            metrics::counter!("login_slowed_total").increment(1);
            subject.record(db, What::LoginThrottled).await;
            Err(ApiError::too_many_attempts(u64::try_from(seconds).unwrap_or(1).max(1)))
        }
    }
}

/// The login was right: its failures are forgotten.
pub async fn forgive(connection: &mut PgConnection, subject: &Subject) -> sqlx::Result<()> {
    store::forgive(connection, &[&subject.key]).await
}

/// Opens an account again that is slowed or closed, for every browser.
pub async fn unlock(connection: &mut PgConnection, kind: Kind, person: Uuid) -> sqlx::Result<()> {
    let mut subjects =
        vec![Subject::account(kind, person), Subject::codes(kind, person), Subject::signed_in(kind, person)];
    for device in sessions::known_devices(connection, kind, person).await? {
        subjects.push(Subject::known_device(kind, person, &device));
    }
    let keys: Vec<&[u8]> = subjects.iter().map(|subject| subject.key.as_slice()).collect();
    store::forgive(connection, &keys).await
}

/// One more of `what` for `whom`; whether it is within `limit` in `window`.
pub async fn is_within(
    db: &PgPool,
    what: &str,
    whom: &str,
    limit: u32,
    window: Duration,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let counted = store::count(db, &format!("{what}:{whom}"), window, now).await?;
    Ok(counted.hits <= i64::from(limit))
}

/// One more of `what` for `whom`; refused beyond `limit` within `window`.
pub async fn count(
    db: &PgPool,
    what: &str,
    whom: &str,
    limit: u32,
    window: Duration,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let key = format!("{what}:{whom}");
    let counted = store::count(db, &key, window, now).await.map_err(|error| ApiError::database(&error))?;
    if counted.hits <= i64::from(limit) {
        return Ok(());
    }
    Err(ApiError::too_many(u64::try_from(counted.seconds_left).unwrap_or(1).max(1)))
}

/// Deletes counters whose time is over.
pub async fn tidy(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    // The lower of the two limits: what may be closed is kept for as long as a closed account is.
    store::tidy(db, FORGOTTEN_AFTER, CLOSED_FORGOTTEN_AFTER, CODES.closed_after, now).await
}
