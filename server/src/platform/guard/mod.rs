//! What slows a guesser down: failed logins by account, and how often an account may ask for something. Kept in
//! PostgreSQL, so that all copies of the server count together and a restart forgets nothing. Owns the tables
//! `login_guards` and `account_counters`.

mod store;

use std::net::IpAddr;
use std::time::Duration;

use http::HeaderMap;
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::api_error::ApiError;
use super::sessions::{self, Kind};
use super::state::App;

/// Failures that cost nothing; after them each wait is twice the last, up to `LONGEST_WAIT`.
const FREE_FAILURES: i32 = 5;
const LONGEST_WAIT: Duration = Duration::from_mins(15);
/// So many in a row close the account to browsers that have not logged in before, until its password is reset.
const CLOSED_AFTER: i32 = 100;
/// Failures are forgotten after this long without another.
const FORGOTTEN_AFTER: Duration = Duration::from_hours(24);

/// Whose failures are counted together: an account as seen from unknown browsers, or from one that it knows.
pub struct Subject(Vec<u8>);

impl Subject {
    pub fn account(kind: Kind, email: &str) -> Self {
        Self::new(kind, email, &[])
    }

    pub fn known_device(kind: Kind, email: &str, device: &[u8]) -> Self {
        Self::new(kind, email, device)
    }

    fn new(kind: Kind, email: &str, device: &[u8]) -> Self {
        let mut hasher = Sha256::new();
        for part in [kind.name().as_bytes(), email.to_lowercase().as_bytes(), device] {
            hasher.update(part);
            hasher.update([0]);
        }
        Self(hasher.finalize().to_vec())
    }
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
            return Ok(Subject::known_device(kind, email, &device));
        }
    }
    app.limits.login_failures.peek(from)?;
    Ok(Subject::account(kind, email))
}

/// A login failed: its network address has one less.
pub fn note_failure(app: &App, kind: Kind, from: IpAddr) {
    app.limits.login_failures.count(from);
    metrics::counter!("login_failed_total", "kind" => kind.name()).increment(1);
}

/// An attempt that may be evaluated. It counts as failed until `forgive` says otherwise, so that a thousand attempts
/// at once are not a thousand free ones.
pub struct Attempt {
    /// This failure, if it is one, closes the account: its owner should hear of it.
    pub closes: bool,
}

pub async fn attempt(db: &PgPool, subject: &Subject) -> Result<Attempt, ApiError> {
    let rule = store::Rule {
        free: FREE_FAILURES,
        longest_wait: i32::try_from(LONGEST_WAIT.as_secs()).unwrap_or(i32::MAX),
        closed_after: CLOSED_AFTER,
        forgotten_after: FORGOTTEN_AFTER,
    };
    let tried = store::attempt(db, &subject.0, &rule).await.map_err(|error| ApiError::database(&error))?;
    match tried {
        store::Tried::Allowed { failures } => Ok(Attempt { closes: failures == CLOSED_AFTER }),
        store::Tried::Wait { seconds } => {
            metrics::counter!("login_slowed_total").increment(1);
            Err(ApiError::too_many_attempts(u64::try_from(seconds).unwrap_or(1).max(1)))
        }
    }
}

/// The login was right: its failures are forgotten.
pub async fn forgive(connection: &mut PgConnection, subject: &Subject) -> sqlx::Result<()> {
    store::forgive(connection, &subject.0).await
}

/// One more of `what` for `whom`; refused beyond `limit` within `window`.
pub async fn count(db: &PgPool, what: &str, whom: &str, limit: u32, window: Duration) -> Result<(), ApiError> {
    let key = format!("{what}:{whom}");
    let counted = store::count(db, &key, window).await.map_err(|error| ApiError::database(&error))?;
    if counted.hits <= i64::from(limit) {
        return Ok(());
    }
    Err(ApiError::too_many(u64::try_from(counted.seconds_left).unwrap_or(1).max(1)))
}

/// Deletes counters whose time is over. An account that is closed stays so.
pub async fn tidy(db: &PgPool) -> sqlx::Result<u64> {
    store::tidy(db, FORGOTTEN_AFTER, CLOSED_AFTER).await
}
