//! All SQL about time limits, availability, grants and applied migrations.

use sqlx::{PgConnection, PgPool};

/// Disables the statement and idle time limits until the transaction ends.
pub async fn disable_timeouts(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!(
        "SELECT set_config('statement_timeout', '0', true) AS a,
                set_config('idle_in_transaction_session_timeout', '0', true) AS b"
    )
    .fetch_one(connection)
    .await?;
    Ok(())
}

/// Allows a minute for each statement and half a minute between two, until the transaction ends. That is enough for
/// work that others wait for, and it ends the transaction if its worker disappears.
pub async fn extend_timeouts(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!(
        "SELECT set_config('statement_timeout', '60s', true) AS a,
                set_config('idle_in_transaction_session_timeout', '30s', true) AS b"
    )
    .fetch_one(connection)
    .await?;
    Ok(())
}

/// Whether the server is a primary that accepts writes; a standby and a demoted primary do not.
pub async fn accepts_writes(connection: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS "writable!""#
    )
    .fetch_one(connection)
    .await
}

/// The end of the WAL that the primary has written. A standby returns an error.
pub async fn wal_position(primary: &mut PgConnection) -> sqlx::Result<String> {
    sqlx::query_scalar!(r#"SELECT pg_current_wal_lsn()::text AS "position!""#).fetch_one(primary).await
}

/// Which database this is. A standby has the same identity as its primary.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// The number that the cluster got when it was created.
    cluster: i64,
    name: String,
}

pub async fn identify(connection: &mut PgConnection) -> sqlx::Result<Identity> {
    sqlx::query_as!(
        Identity,
        r#"SELECT system_identifier AS "cluster!", current_database()::text AS "name!" FROM pg_control_system()"#
    )
    .fetch_one(connection)
    .await
}

/// Whether a standby has replayed the WAL up to this position. A server that never was one has not.
pub async fn has_replayed(connection: &mut PgConnection, position: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT coalesce(pg_last_wal_replay_lsn() >= nullif($1::text, '')::pg_lsn, false) AS "replayed!""#,
        position
    )
    .fetch_one(connection)
    .await
}

/// Restricts the serving role's updates to certain columns; part of `migrate`, so that new columns are covered.
pub async fn restrict_updates(db: &PgPool) -> sqlx::Result<()> {
    sqlx::query!("SELECT restrict_updates() AS done").fetch_one(db).await?;
    Ok(())
}

/// The version and checksum of each applied migration from this version on. A new database does not have the table yet.
#[expect(clippy::disallowed_methods, reason = "sqlx makes this table itself, so the macros cannot check it")]
pub async fn applied_migrations(connection: &mut PgConnection, from: i64) -> sqlx::Result<Vec<(i64, Vec<u8>)>> {
    let exists: bool =
        sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL").fetch_one(&mut *connection).await?;
    if !exists {
        return Ok(Vec::new());
    }
    sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations WHERE version >= $1")
        .bind(from)
        .fetch_all(connection)
        .await
}

/// Lets the serving role read which migrations have run, so that `thunse doctor` can compare them with its own.
#[expect(clippy::disallowed_methods, reason = "sqlx makes this table itself, so the macros cannot check it")]
pub async fn show_migrations_to_the_shop(db: &PgPool) -> sqlx::Result<()> {
    sqlx::query("GRANT SELECT ON _sqlx_migrations TO thunse_app").execute(db).await?;
    Ok(())
}

/// Deletes the records of these migrations, so that they run again.
#[expect(clippy::disallowed_methods, reason = "sqlx makes this table itself, so the macros cannot check it")]
pub async fn forget_migrations(db: &PgPool, versions: &[i64]) -> sqlx::Result<()> {
    if !versions.is_empty() {
        sqlx::query("DELETE FROM _sqlx_migrations WHERE version = ANY ($1)").bind(versions).execute(db).await?;
    }
    Ok(())
}
