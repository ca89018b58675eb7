//! All SQL of sessions.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::model::{DeviceState, SecondFactor, Session, StaffSession};
use crate::platform::permissions::Role;

pub struct SessionLimits {
    pub idle: Duration,
    pub rotate: Duration,
    pub overlap: Duration,
    pub fresh: Duration,
    pub lock: Duration,
}

/// A session, and the same with what only the sessions of staff have.
pub struct FoundSession {
    pub session: Session,
    pub staff: Option<StaffSession>,
}

/// Finds the valid session of a token. Its last use is stored in steps of a thirtieth of the idle limit, because a
/// write for every request would be most of what a request costs. A remembered device does not expire when it is idle
/// but is locked, and a request to a locked one is no use of it.
pub async fn find(
    db: &PgPool,
    kind: &str,
    token: &[u8],
    limits: &SessionLimits,
    is_background: bool,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<FoundSession>> {
    let found = sqlx::query!(
        r#"SELECT id, person, authenticated_at > $7 AS "is_fresh!", rotated_at < $5 AS "rotation_due!",
                  last_seen_at < $8 AS "stale!", must_change_password, role, second_factor_at IS NOT NULL AS "has_second_factor!",
                  coalesce(second_factor_at > $7, false) AS "has_fresh_second_factor!", pin_hash IS NOT NULL AS "is_remembered!",
                  pin_hash IS NOT NULL AND (locked OR last_seen_at <= $9) AS "is_locked!"
           FROM sessions
           WHERE kind = $2 AND expires_at > $3 AND (last_seen_at > $4 OR pin_hash IS NOT NULL)
             AND (token_hash = $1 OR (former_hash = $1 AND rotated_at > $6))"#,
        token,
        kind,
        now,
        now - limits.idle,
        now - limits.rotate,
        now - limits.overlap,
        now - limits.fresh,
        now - limits.idle / 30,
        now - limits.lock,
    )
    .fetch_optional(db)
    .await?;
    let Some(found) = found else { return Ok(None) };
    let is_unused = found.is_locked || (found.is_remembered && is_background);
    if found.stale && !is_unused {
        sqlx::query!("UPDATE sessions SET last_seen_at = $2 WHERE id = $1", found.id, now).execute(db).await?;
    }
    let session =
        Session { id: found.id, person: found.person, is_fresh: found.is_fresh, rotation_due: found.rotation_due };
    let staff = found.role.as_deref().and_then(Role::from_name).map(|role| StaffSession {
        session: session.clone(),
        role,
        must_change_password: found.must_change_password,
        second_factor: match (found.has_second_factor, found.has_fresh_second_factor) {
            (_, true) => SecondFactor::Fresh,
            (true, false) => SecondFactor::Proved,
            (false, false) => SecondFactor::Unproved,
        },
        device: match (found.is_remembered, found.is_locked) {
            (_, true) => DeviceState::Locked,
            (true, false) => DeviceState::Remembered,
            (false, false) => DeviceState::Ordinary,
        },
    });
    Ok(Some(FoundSession { session, staff }))
}

pub struct NewSession<'a> {
    pub id: Uuid,
    pub kind: &'a str,
    pub person: Uuid,
    pub token: &'a [u8],
    pub previous_token: Option<&'a [u8]>,
    pub life: Duration,
    pub max_sessions: i64,
    pub device: &'a str,
    pub device_token: &'a [u8],
    /// Whether the person has just proven who they are.
    pub fresh: bool,
    pub must_change_password: bool,
    /// `None` for shoppers.
    pub role: Option<&'a str>,
    /// Whether the person has just proven the second factor.
    pub with_code: bool,
    /// Empty for shoppers.
    pub ip: String,
    pub now: DateTime<Utc>,
}

/// Adds a session, and ends the browser's former one and the least recently used ones beyond the limit. The browser is
/// known from now on.
pub async fn begin(connection: &mut PgConnection, new: &NewSession<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM sessions WHERE token_hash = $1 OR id IN (
             SELECT id FROM sessions WHERE kind = $2 AND person = $3 ORDER BY last_seen_at DESC, id DESC OFFSET $4
         )",
        new.previous_token,
        new.kind,
        new.person,
        new.max_sessions - 1,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "INSERT INTO sessions (id, kind, person, token_hash, expires_at, device, authenticated_at, must_change_password, ip,
                               created_at, rotated_at, last_seen_at, role, second_factor_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $10, $11, $12)",
        new.id,
        new.kind,
        new.person,
        new.token,
        new.now + new.life,
        new.device,
        if new.fresh { new.now } else { DateTime::UNIX_EPOCH },
        new.must_change_password,
        new.ip,
        new.now,
        new.role,
        new.with_code.then_some(new.now),
    )
    .execute(&mut *connection)
    .await?;
    remember_device(connection, new.kind, new.person, new.device_token, new.now).await
}

pub async fn remember_device(
    connection: &mut PgConnection,
    kind: &str,
    person: Uuid,
    device: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO known_devices (kind, person, token_hash, last_used_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT known_devices_key DO UPDATE SET last_used_at = excluded.last_used_at",
        kind,
        person,
        device,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns when the session expires, or `None` if another request has just rotated the token.
pub async fn rotate(
    db: &PgPool,
    session: Uuid,
    token: &[u8],
    overlap: Duration,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar!(
        "UPDATE sessions SET former_hash = token_hash, token_hash = $2, rotated_at = $3 WHERE id = $1 AND rotated_at < $4
         RETURNING expires_at",
        session,
        token,
        now,
        now - overlap,
    )
    .fetch_optional(db)
    .await
}

/// Returns when the session expires.
pub async fn renew(
    connection: &mut PgConnection,
    session: Uuid,
    token: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar!(
        "UPDATE sessions SET former_hash = NULL, token_hash = $2, rotated_at = $3, authenticated_at = $3,
             must_change_password = false
         WHERE id = $1 RETURNING expires_at",
        session,
        token,
        now,
    )
    .fetch_optional(connection)
    .await
}

pub async fn prove_second_factor(connection: &mut PgConnection, session: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE sessions SET second_factor_at = $2 WHERE id = $1", session, now).execute(connection).await?;
    Ok(())
}

pub async fn set_pin(
    connection: &mut PgConnection,
    session: Uuid,
    pin_hash: &str,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sessions SET pin_hash = $2, pin_failures = 0, locked = false, expires_at = $3 WHERE id = $1",
        session,
        pin_hash,
        expires_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Ends the session as early as one that was never remembered.
pub async fn remove_pin(
    connection: &mut PgConnection,
    session: Uuid,
    life: Duration,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sessions SET pin_hash = NULL, pin_failures = 0, locked = false, expires_at = least(expires_at, $2)
         WHERE id = $1",
        session,
        now + life,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn lock(connection: &mut PgConnection, session: Uuid) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE sessions SET locked = true WHERE id = $1 AND pin_hash IS NOT NULL", session)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Counts an attempt before the PIN is checked, so that parallel attempts are not free. Returns the PIN's hash and how
/// many attempts in a row there were.
pub async fn count_pin_attempt(db: &PgPool, session: Uuid) -> sqlx::Result<Option<(String, i16)>> {
    let row = sqlx::query!(
        r#"UPDATE sessions SET pin_failures = pin_failures + 1 WHERE id = $1 AND pin_hash IS NOT NULL
           RETURNING pin_hash AS "pin_hash!", pin_failures"#,
        session,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.pin_hash, row.pin_failures)))
}

pub async fn unlock(db: &PgPool, session: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE sessions SET locked = false, pin_failures = 0, last_seen_at = $2 WHERE id = $1", session, now)
        .execute(db)
        .await?;
    Ok(())
}

/// Returns whose session it was.
pub async fn end(connection: &mut PgConnection, kind: &str, token: &[u8]) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "DELETE FROM sessions WHERE kind = $1 AND (token_hash = $2 OR former_hash = $2) RETURNING person",
        kind,
        token,
    )
    .fetch_optional(connection)
    .await
}

pub async fn end_all(connection: &mut PgConnection, kind: &str, person: Uuid, keep: Option<Uuid>) -> sqlx::Result<u64> {
    let ended = sqlx::query!(
        "DELETE FROM sessions WHERE kind = $1 AND person = $2 AND id IS DISTINCT FROM $3",
        kind,
        person,
        keep,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!("DELETE FROM known_devices WHERE kind = $1 AND person = $2", kind, person).execute(connection).await?;
    Ok(ended.rows_affected())
}

pub async fn end_every_session(connection: &mut PgConnection) -> sqlx::Result<u64> {
    Ok(sqlx::query!("DELETE FROM sessions").execute(connection).await?.rows_affected())
}

pub async fn end_one(connection: &mut PgConnection, kind: &str, person: Uuid, session: Uuid) -> sqlx::Result<bool> {
    let done = sqlx::query!("DELETE FROM sessions WHERE kind = $1 AND person = $2 AND id = $3", kind, person, session)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn is_active(
    db: &PgPool,
    kind: &str,
    session: Uuid,
    idle: Duration,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
               SELECT FROM sessions WHERE id = $1 AND kind = $2 AND expires_at > $3
                 AND (last_seen_at > $4 OR pin_hash IS NOT NULL)
           ) AS "alive!""#,
        session,
        kind,
        now,
        now - idle,
    )
    .fetch_one(db)
    .await
}

pub struct ActiveSession {
    pub id: Uuid,
    pub device: String,
    /// The network address at the login; empty for shoppers.
    pub ip: String,
    pub created_at: DateTime<Utc>,
    pub last_seen_at: DateTime<Utc>,
    pub is_remembered: bool,
}

pub async fn list(
    db: impl PgExecutor<'_>,
    kind: &str,
    person: Uuid,
    idle: Duration,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<ActiveSession>> {
    sqlx::query_as!(
        ActiveSession,
        r#"SELECT id, device, ip, created_at, last_seen_at, pin_hash IS NOT NULL AS "is_remembered!" FROM sessions
         WHERE kind = $1 AND person = $2 AND expires_at > $3 AND (last_seen_at > $4 OR pin_hash IS NOT NULL)
         ORDER BY last_seen_at DESC, id DESC"#,
        kind,
        person,
        now,
        now - idle,
    )
    .fetch_all(db)
    .await
}

pub async fn is_known_device(db: &PgPool, kind: &str, person: Uuid, device: &[u8]) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM known_devices WHERE kind = $1 AND person = $2 AND token_hash = $3) AS "known!""#,
        kind,
        person,
        device,
    )
    .fetch_one(db)
    .await
}

pub async fn known_devices(connection: &mut PgConnection, kind: &str, person: Uuid) -> sqlx::Result<Vec<Vec<u8>>> {
    sqlx::query_scalar!("SELECT token_hash FROM known_devices WHERE kind = $1 AND person = $2", kind, person)
        .fetch_all(connection)
        .await
}

/// Deletes expired sessions, and browsers that were not seen for as long as their cookie lives.
pub async fn delete_expired(db: &PgPool, device_life: Duration, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let sessions = sqlx::query!("DELETE FROM sessions WHERE expires_at < $1", now).execute(db).await?;
    let devices =
        sqlx::query!("DELETE FROM known_devices WHERE last_used_at < $1", now - device_life).execute(db).await?;
    Ok(sessions.rows_affected() + devices.rows_affected())
}
