//! All SQL of sessions.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::model::Session;

pub struct SessionLimits {
    pub idle: Duration,
    pub rotate: Duration,
    pub overlap: Duration,
    pub fresh: Duration,
}

/// Finds the valid session of a token. Its last use is stored in steps of a thirtieth of the idle limit, because a
/// write for every request would be most of what a request costs.
pub async fn find(
    db: &PgPool,
    kind: &str,
    token: &[u8],
    limits: &SessionLimits,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Session>> {
    let found = sqlx::query!(
        r#"SELECT id, person, authenticated_at > $7 AS "is_fresh!", rotated_at < $5 AS "rotation_due!",
                  last_seen_at < $8 AS "stale!", must_change_password
           FROM sessions
           WHERE kind = $2 AND expires_at > $3 AND last_seen_at > $4
             AND (token_hash = $1 OR (former_hash = $1 AND rotated_at > $6))"#,
        token,
        kind,
        now,
        now - limits.idle,
        now - limits.rotate,
        now - limits.overlap,
        now - limits.fresh,
        now - limits.idle / 30,
    )
    .fetch_optional(db)
    .await?;
    let Some(found) = found else { return Ok(None) };
    if found.stale {
        sqlx::query!("UPDATE sessions SET last_seen_at = $2 WHERE id = $1", found.id, now).execute(db).await?;
    }
    Ok(Some(Session {
        id: found.id,
        person: found.person,
        is_fresh: found.is_fresh,
        rotation_due: found.rotation_due,
        must_change_password: found.must_change_password,
    }))
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
                               created_at, rotated_at, last_seen_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $10)",
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

/// Returns false if another request has just rotated the token.
pub async fn rotate(
    db: &PgPool,
    session: Uuid,
    token: &[u8],
    overlap: Duration,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE sessions SET former_hash = token_hash, token_hash = $2, rotated_at = $3 WHERE id = $1 AND rotated_at < $4",
        session,
        token,
        now,
        now - overlap,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn renew(connection: &mut PgConnection, session: Uuid, token: &[u8], now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sessions SET former_hash = NULL, token_hash = $2, rotated_at = $3, authenticated_at = $3,
             must_change_password = false
         WHERE id = $1",
        session,
        token,
        now,
    )
    .execute(connection)
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
               SELECT FROM sessions WHERE id = $1 AND kind = $2 AND expires_at > $3 AND last_seen_at > $4
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
        "SELECT id, device, ip, created_at, last_seen_at FROM sessions
         WHERE kind = $1 AND person = $2 AND expires_at > $3 AND last_seen_at > $4
         ORDER BY last_seen_at DESC, id DESC",
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
