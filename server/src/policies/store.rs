//! All SQL of the policies module.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};

use super::model::{Consent, VersionRow};
use crate::platform::ids::UserId;

/// Locks a page until the transaction ends, even if it has no version yet that could be locked.
pub async fn lock(connection: &mut PgConnection, page: &str) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('policy:' || $1, 0))", page)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn find_current(db: impl PgExecutor<'_>, page: &str) -> sqlx::Result<Option<VersionRow>> {
    sqlx::query_as!(
        VersionRow,
        "SELECT version, text, text_ne, seller, created_at FROM policy_versions
         WHERE page = $1 ORDER BY version DESC LIMIT 1",
        page,
    )
    .fetch_optional(db)
    .await
}

/// Lists the versions of a page, newest first.
pub async fn list_versions(db: &PgPool, page: &str, limit: i64) -> sqlx::Result<Vec<VersionRow>> {
    sqlx::query_as!(
        VersionRow,
        "SELECT version, text, text_ne, seller, created_at FROM policy_versions
         WHERE page = $1 ORDER BY version DESC LIMIT $2",
        page,
        limit,
    )
    .fetch_all(db)
    .await
}

pub async fn insert_version(connection: &mut PgConnection, page: &str, row: &VersionRow) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO policy_versions (page, version, text, text_ne, seller, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        page,
        row.version,
        row.text.as_deref(),
        row.text_ne.as_deref(),
        row.seller,
        row.created_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Records that a shopper agreed to the current versions of these pages.
pub async fn insert_consents(
    connection: &mut PgConnection,
    user: UserId,
    pages: &[String],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO policy_consents (user_id, page, version, agreed_at)
         SELECT $1, agreed.page, coalesce((SELECT max(v.version) FROM policy_versions v WHERE v.page = agreed.page), 0), $3
         FROM unnest($2::text[]) agreed (page)
         ON CONFLICT DO NOTHING",
        user.0,
        pages,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn list_consents(connection: &mut PgConnection, user: UserId) -> sqlx::Result<Vec<Consent>> {
    sqlx::query_as!(
        Consent,
        "SELECT page, version, agreed_at FROM policy_consents WHERE user_id = $1 ORDER BY agreed_at, page",
        user.0,
    )
    .fetch_all(connection)
    .await
}
