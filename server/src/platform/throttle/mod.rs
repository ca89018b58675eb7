//! Slows down guessing: counts failed logins by account, and how often an account may request something. The counters
//! are in PostgreSQL, so that all instances count together and a restart forgets nothing. Owns the tables
//! `login_throttles` and `account_counters`.

mod store;

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::HeaderMap;
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::account_kind::AccountKind;
use super::api_error::ApiError;
use super::security_log::{self, Actor, SecurityEventKind};
use super::sessions;
use super::state::App;

/// How fast attempts may follow each other.
struct ThrottlePolicy {
    /// Attempts without a wait; after them each wait is twice the previous one, up to `MAX_WAIT`.
    free: i32,
    /// This many failures in a row lock the account: from then on one attempt per `LOCKED_WAIT` is evaluated.
    locks_after: i32,
    /// The security events of a failure, and of the one that locks the account.
    failed: SecurityEventKind,
    locked: SecurityEventKind,
}

const PASSWORD_POLICY: ThrottlePolicy = ThrottlePolicy {
    free: 5,
    locks_after: 100,
    failed: SecurityEventKind::LoginFailed,
    locked: SecurityEventKind::LoginLocked,
};
/// Six digits are easier to guess than any password, and an attacker who gets this far knows the password.
const CODE_POLICY: ThrottlePolicy = ThrottlePolicy {
    free: 5,
    locks_after: 50,
    failed: SecurityEventKind::CodeFailed,
    locked: SecurityEventKind::CodesLocked,
};
const MAX_WAIT: Duration = Duration::from_mins(15);
const LOCKED_WAIT: Duration = Duration::from_hours(1);
/// Failures are forgotten after this long without another.
const FAILURES_EXPIRE_AFTER: Duration = Duration::from_hours(24);
/// A locked account is forgotten later: otherwise waiting a day would be quicker than one attempt an hour.
const LOCKED_EXPIRE_AFTER: Duration = Duration::from_hours(7 * 24);

/// The failures that are counted together: those of an account from unknown browsers, or from a known one; those of its
/// codes; or those of an email address that has no account.
pub struct ThrottleSubject {
    key: Vec<u8>,
    policy: &'static ThrottlePolicy,
    kind: AccountKind,
    /// The owner of the account, if there is one.
    person: Option<Uuid>,
}

impl ThrottleSubject {
    /// Counts by id, so that an email address is one account however it is spelled.
    pub fn account(kind: AccountKind, person: Uuid) -> Self {
        Self::known_device(kind, person, &[])
    }

    pub fn known_device(kind: AccountKind, person: Uuid, device: &[u8]) -> Self {
        let key = key(&[kind.name().as_bytes(), person.as_bytes(), device]);
        Self { key, policy: &PASSWORD_POLICY, kind, person: Some(person) }
    }

    /// Counts the password that a signed-in person enters again.
    pub fn signed_in(kind: AccountKind, person: Uuid) -> Self {
        Self::known_device(kind, person, b"signed in")
    }

    /// Counts the codes of the second step, from all browsers together.
    pub fn codes(kind: AccountKind, person: Uuid) -> Self {
        let key = key(&[b"codes", kind.name().as_bytes(), person.as_bytes()]);
        Self { key, policy: &CODE_POLICY, kind, person: Some(person) }
    }

    /// Counts an email address without an account. Only valid addresses get here; they are ASCII, where the database
    /// folds case as we do.
    fn unknown_account(kind: AccountKind, email: &str) -> Self {
        let key = key(&[kind.name().as_bytes(), email.to_ascii_lowercase().as_bytes()]);
        Self { key, policy: &PASSWORD_POLICY, kind, person: None }
    }

    /// The actor is a visitor while a password or a code is checked, and the account is the subject.
    async fn record(&self, db: &PgPool, what: SecurityEventKind) {
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

/// Returns whose failures a login counts towards: an account from a browser that it knows, or from any other. The
/// network address counts only for unknown browsers, because a flood through a carrier's shared address must not lock
/// out its regular customers.
pub async fn subject_for_login(
    app: &App,
    kind: AccountKind,
    email: &str,
    person: Option<Uuid>,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<ThrottleSubject, ApiError> {
    if let (Some(person), Some(device)) = (person, sessions::device_token_hash(headers)) {
        let known = sessions::is_known_device(&app.db.main, kind, person, &device).await;
        if known.map_err(|error| ApiError::database(&error))? {
            return Ok(ThrottleSubject::known_device(kind, person, &device));
        }
    }
    app.limits.login_failures.peek(from)?;
    Ok(person
        .map_or_else(|| ThrottleSubject::unknown_account(kind, email), |person| ThrottleSubject::account(kind, person)))
}

/// Records a failed login and counts it against the network address.
pub async fn record_failure(app: &App, subject: &ThrottleSubject, from: IpAddr) {
    app.limits.login_failures.record(from);
    metrics::counter!("login_failed_total", "kind" => subject.kind.name()).increment(1);
    subject.record(&app.db.main, subject.policy.failed).await;
}

/// An attempt that may be evaluated. It counts as failed until `clear_failures` is called, so that a thousand attempts
/// at once are not a thousand free ones.
pub struct AllowedAttempt {
    /// Whether a failure of this attempt locks the account, which its owner should be told.
    pub locks_account: bool,
}

pub async fn check_attempt(
    db: &PgPool,
    subject: &ThrottleSubject,
    now: DateTime<Utc>,
) -> Result<AllowedAttempt, ApiError> {
    let seconds = |wait: Duration| i32::try_from(wait.as_secs()).unwrap_or(i32::MAX);
    let rule = store::ThrottleRule {
        free: subject.policy.free,
        max_wait: seconds(MAX_WAIT),
        locks_after: subject.policy.locks_after,
        locked_wait: seconds(LOCKED_WAIT),
        expire_after: FAILURES_EXPIRE_AFTER,
        locked_expire_after: LOCKED_EXPIRE_AFTER,
    };
    let outcome =
        store::record_attempt(db, &subject.key, &rule, now).await.map_err(|error| ApiError::database(&error))?;
    match outcome {
        store::AttemptOutcome::Allowed { failures } => {
            let locks_account = failures == rule.locks_after;
            if locks_account {
                subject.record(db, subject.policy.locked).await;
            }
            Ok(AllowedAttempt { locks_account })
        }
        store::AttemptOutcome::Wait { seconds } => {
            metrics::counter!("login_throttled_total").increment(1);
            subject.record(db, SecurityEventKind::LoginThrottled).await;
            Err(ApiError::too_many_attempts(u64::try_from(seconds).unwrap_or(1).max(1)))
        }
    }
}

/// Forgets the failures after a successful login.
pub async fn clear_failures(connection: &mut PgConnection, subject: &ThrottleSubject) -> sqlx::Result<()> {
    store::clear_failures(connection, &[&subject.key]).await
}

/// Unlocks an account for all browsers.
pub async fn unlock(connection: &mut PgConnection, kind: AccountKind, person: Uuid) -> sqlx::Result<()> {
    let mut subjects = vec![
        ThrottleSubject::account(kind, person),
        ThrottleSubject::codes(kind, person),
        ThrottleSubject::signed_in(kind, person),
    ];
    for device in sessions::known_devices(connection, kind, person).await? {
        subjects.push(ThrottleSubject::known_device(kind, person, &device));
    }
    let keys: Vec<&[u8]> = subjects.iter().map(|subject| subject.key.as_slice()).collect();
    store::clear_failures(connection, &keys).await
}

/// Counts one more of `what` for `whom`; returns whether it is within `limit` per `window`.
pub async fn is_within_limit(
    db: &PgPool,
    what: &str,
    whom: &str,
    limit: u32,
    window: Duration,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let counted = store::count_hit(db, &format!("{what}:{whom}"), window, now).await?;
    Ok(counted.hits <= i64::from(limit))
}

/// Counts one more of `what` for `whom`, and refuses it beyond `limit` per `window`.
pub async fn check_limit(
    db: &PgPool,
    what: &str,
    whom: &str,
    limit: u32,
    window: Duration,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let key = format!("{what}:{whom}");
    let counted = store::count_hit(db, &key, window, now).await.map_err(|error| ApiError::database(&error))?;
    if counted.hits <= i64::from(limit) {
        return Ok(());
    }
    Err(ApiError::rate_limited(u64::try_from(counted.seconds_left).unwrap_or(1).max(1)))
}

/// Deletes expired counters.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    // This is the lower of the two lock limits: what may belong to a locked account stays for the longer time.
    store::delete_expired(db, FAILURES_EXPIRE_AFTER, LOCKED_EXPIRE_AFTER, CODE_POLICY.locks_after, now).await
}
