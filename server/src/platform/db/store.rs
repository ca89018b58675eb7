//! SQL about the connection itself.

use sqlx::{PgConnection, PgPool};

/// Lifts the time limits of the connection until the transaction ends.
pub async fn disable_timeouts(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!(
        "SELECT set_config('statement_timeout', '0', true) AS a,
                set_config('idle_in_transaction_session_timeout', '0', true) AS b"
    )
    .fetch_one(connection)
    .await?;
    Ok(())
}

/// A minute for a statement, and half of one between two: enough for work that holds what others wait for, and an end should its
/// worker vanish without a word.
pub async fn extend_timeouts(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!(
        "SELECT set_config('statement_timeout', '60s', true) AS a,
                set_config('idle_in_transaction_session_timeout', '30s', true) AS b"
    )
    .fetch_one(connection)
    .await?;
    Ok(())
}

/// Grants the serving role its updates by column; part of `migrate`, so that new columns are covered.
pub async fn restrict_updates(db: &PgPool) -> sqlx::Result<()> {
    sqlx::query!("SELECT restrict_updates() AS done").fetch_one(db).await?;
    Ok(())
}

/// Version and checksum of the applied migrations from this version on. A new database has no table of them yet.
#[expect(clippy::disallowed_methods, reason = "sqlx makes this table itself, so the macros cannot check it")]
pub async fn applied_migrations(db: &PgPool, from: i64) -> sqlx::Result<Vec<(i64, Vec<u8>)>> {
    let exists: bool = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL").fetch_one(db).await?;
    if !exists {
        return Ok(Vec::new());
    }
    sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations WHERE version >= $1").bind(from).fetch_all(db).await
}

/// Lets these migrations run again.
#[expect(clippy::disallowed_methods, reason = "sqlx makes this table itself, so the macros cannot check it")]
pub async fn forget_migrations(db: &PgPool, versions: &[i64]) -> sqlx::Result<()> {
    if !versions.is_empty() {
        sqlx::query("DELETE FROM _sqlx_migrations WHERE version = ANY ($1)").bind(versions).execute(db).await?;
    }
    Ok(())
}
