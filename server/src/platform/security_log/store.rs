//! All SQL of the security log and of the chains.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::{ChainedLog, ChainedRow, NewSecurityEvent, Seal};
use crate::platform::db::interval;

pub async fn insert(connection: &mut PgConnection, new: &NewSecurityEvent<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO security_events (kind, actor_kind, actor_id, subject, ip, device, request_id, details)
         VALUES ($1, $2, $3, left($4, 200), $5, $6, $7, $8)",
        new.kind,
        new.actor_kind,
        new.actor_id,
        new.subject,
        new.ip,
        new.device,
        new.request,
        new.details,
    )
    .execute(connection)
    .await?;
    Ok(())
}

struct SecurityEventRow {
    id: i64,
    at: DateTime<Utc>,
    kind: String,
    actor_kind: String,
    actor_id: Option<Uuid>,
    subject: String,
    ip: String,
    device: String,
    request_id: String,
    details: String,
}

impl From<SecurityEventRow> for ChainedRow {
    fn from(row: SecurityEventRow) -> Self {
        let SecurityEventRow { id, at, kind, actor_kind, actor_id, subject, ip, device, request_id, details } = row;
        let at = at.timestamp_micros();
        Self::new(id, &(id, at, kind, actor_kind, actor_id, subject, ip, device, request_id, details))
    }
}

/// The chain over `security_events`.
pub struct SecurityEvents;

macro_rules! select_events {
    ($rest:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            SecurityEventRow,
            r#"SELECT e.id, e.at, e.kind, e.actor_kind, e.actor_id, e.subject, e.ip, e.device, e.request_id, e.details::text AS "details!"
               FROM security_events e "# + $rest,
            $($argument),+
        )
    };
}

impl ChainedLog for SecurityEvents {
    const NAME: &'static str = "security_events";

    async fn unsealed(connection: &mut PgConnection, above: i64, limit: i64) -> sqlx::Result<Vec<ChainedRow>> {
        let rows = select_events!(
            "WHERE e.id > $1 AND NOT EXISTS (SELECT FROM log_seals s WHERE s.log = 'security_events' AND s.row_id = e.id)
             ORDER BY e.id LIMIT $2",
            above,
            limit
        );
        Ok(rows.fetch_all(connection).await?.into_iter().map(ChainedRow::from).collect())
    }

    async fn rows(db: &PgPool, ids: &[i64]) -> sqlx::Result<Vec<ChainedRow>> {
        let rows = select_events!("WHERE e.id = ANY($1)", ids).fetch_all(db).await?;
        Ok(rows.into_iter().map(ChainedRow::from).collect())
    }

    async fn overdue(db: &PgPool, age: Duration) -> sqlx::Result<Option<i64>> {
        sqlx::query_scalar!(
            "SELECT e.id FROM security_events e
             WHERE e.at < now() - $1::interval
               AND NOT EXISTS (SELECT FROM log_seals s WHERE s.log = 'security_events' AND s.row_id = e.id)
             ORDER BY e.id LIMIT 1",
            interval(age),
        )
        .fetch_optional(db)
        .await
    }
}

/// Only one process seals at a time; returns false if another one does.
pub async fn try_lock(connection: &mut PgConnection, log: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT pg_try_advisory_xact_lock(hashtextextended('log_seals ' || $1, 0)) AS "locked!""#,
        log
    )
    .fetch_one(connection)
    .await
}

pub async fn head(connection: &mut PgConnection, log: &str) -> sqlx::Result<Option<Seal>> {
    sqlx::query_as!(Seal, "SELECT seq, row_id, h FROM log_seals WHERE log = $1 ORDER BY seq DESC LIMIT 1", log)
        .fetch_optional(connection)
        .await
}

/// The highest sealed row; rows that commit late may be below it.
pub async fn highest_sealed_row(connection: &mut PgConnection, log: &str) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"SELECT coalesce(max(row_id), 0) AS "highest!" FROM log_seals WHERE log = $1"#, log)
        .fetch_one(connection)
        .await
}

pub async fn insert_seals(connection: &mut PgConnection, log: &str, seals: &[Seal]) -> sqlx::Result<()> {
    let seqs: Vec<i64> = seals.iter().map(|seal| seal.seq).collect();
    let rows: Vec<i64> = seals.iter().map(|seal| seal.row_id).collect();
    let hashes: Vec<Vec<u8>> = seals.iter().map(|seal| seal.h.clone()).collect();
    sqlx::query!(
        "INSERT INTO log_seals (log, seq, row_id, h) SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bytea[])",
        log,
        &seqs,
        &rows,
        &hashes,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn seals(db: &PgPool, log: &str, after: i64, limit: i64) -> sqlx::Result<Vec<Seal>> {
    sqlx::query_as!(
        Seal,
        "SELECT seq, row_id, h FROM log_seals WHERE log = $1 AND seq > $2 ORDER BY seq LIMIT $3",
        log,
        after,
        limit,
    )
    .fetch_all(db)
    .await
}
