//! The audit log.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::platform::db::interval;
use crate::platform::security_log::{ChainedLog, ChainedRow};
use crate::staff::model::{AuditEntry, NewAuditEntry};

pub async fn insert_audit_entries(
    connection: &mut PgConnection,
    audit_entries: &[NewAuditEntry<'_>],
) -> sqlx::Result<()> {
    let column = |of: for<'a> fn(&NewAuditEntry<'a>) -> &'a str| {
        audit_entries.iter().map(|audit_entry| of(audit_entry).to_owned()).collect::<Vec<_>>()
    };
    let sellers: Vec<Uuid> = audit_entries.iter().map(|audit_entry| audit_entry.seller).collect();
    sqlx::query!(
        "INSERT INTO audit_log (seller, action, object, about, before, after)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])",
        &sellers,
        &column(|audit_entry| audit_entry.action),
        &column(|audit_entry| audit_entry.object),
        &column(|audit_entry| audit_entry.about),
        &column(|audit_entry| audit_entry.before),
        &column(|audit_entry| audit_entry.after),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The columns of an audit entry for the seller dashboard, defined once.
macro_rules! select_audit {
    ($rest:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            AuditEntry,
            r#"SELECT a.id::text AS "id!", a.at, coalesce(s.name, '') AS "seller!", a.action, a.object, a.about, a.before, a.after
               FROM audit_log a LEFT JOIN sellers s ON s.id = a.seller "# + $rest,
            $($argument),+
        )
    };
}

pub async fn list_audit_entries(db: &PgPool, before: i64, limit: i64) -> sqlx::Result<Vec<AuditEntry>> {
    select_audit!("WHERE a.id < $1 ORDER BY a.id DESC LIMIT $2", before, limit).fetch_all(db).await
}

/// Returns the sellers whose name or email address matches the pattern.
pub async fn find_sellers_matching(db: &PgPool, pattern: &str) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!("SELECT id FROM sellers WHERE lower(name) LIKE $1 OR lower(email) LIKE $1", pattern)
        .fetch_all(db)
        .await
}

/// Returns the entries that match the pattern or belong to one of these sellers. Each half of the union uses its own
/// index.
pub async fn search_audit_entries(
    db: &PgPool,
    pattern: &str,
    sellers: &[Uuid],
    before: i64,
    limit: i64,
) -> sqlx::Result<Vec<AuditEntry>> {
    select_audit!(
        "JOIN (
             (SELECT id FROM audit_log
              WHERE lower(action || ' ' || about || ' ' || object) LIKE $1 AND id < $3 ORDER BY id DESC LIMIT $4)
             UNION
             (SELECT own.id FROM unnest($2::uuid[]) who (id) CROSS JOIN LATERAL (
                  SELECT id FROM audit_log WHERE seller = who.id AND id < $3 ORDER BY id DESC LIMIT $4) own)
         ) found ON found.id = a.id
         ORDER BY a.id DESC LIMIT $4",
        pattern,
        sellers,
        before,
        limit
    )
    .fetch_all(db)
    .await
}

struct AuditLogRow {
    id: i64,
    at: DateTime<Utc>,
    seller: Uuid,
    action: String,
    object: String,
    about: String,
    before: String,
    after: String,
}

impl From<AuditLogRow> for ChainedRow {
    fn from(row: AuditLogRow) -> Self {
        let AuditLogRow { id, at, seller, action, object, about, before, after } = row;
        Self::new(id, &(id, at.timestamp_micros(), seller, action, object, about, before, after))
    }
}

/// The hash chain over `audit_log`.
pub struct AuditLog;

impl ChainedLog for AuditLog {
    const NAME: &'static str = "audit_log";

    async fn unsealed(connection: &mut PgConnection, above: i64, limit: i64) -> sqlx::Result<Vec<ChainedRow>> {
        let rows = sqlx::query_as!(
            AuditLogRow,
            "SELECT a.id, a.at, a.seller, a.action, a.object, a.about, a.before, a.after FROM audit_log a
             WHERE a.id > $1 AND NOT EXISTS (SELECT FROM log_seals s WHERE s.log = 'audit_log' AND s.row_id = a.id)
             ORDER BY a.id LIMIT $2",
            above,
            limit,
        );
        Ok(rows.fetch_all(connection).await?.into_iter().map(ChainedRow::from).collect())
    }

    async fn rows(db: &PgPool, ids: &[i64]) -> sqlx::Result<Vec<ChainedRow>> {
        let rows = sqlx::query_as!(
            AuditLogRow,
            "SELECT id, at, seller, action, object, about, before, after FROM audit_log WHERE id = ANY($1)",
            ids,
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(ChainedRow::from).collect())
    }

    /// The age is measured by the database's clock, which stamps the rows.
    async fn overdue(db: &PgPool, age: Duration) -> sqlx::Result<Option<i64>> {
        sqlx::query_scalar!(
            "SELECT a.id FROM audit_log a WHERE a.at < now() - $1::interval
               AND NOT EXISTS (SELECT FROM log_seals s WHERE s.log = 'audit_log' AND s.row_id = a.id)
             ORDER BY a.id LIMIT 1",
            interval(age),
        )
        .fetch_optional(db)
        .await
    }
}
