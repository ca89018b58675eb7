//! The questions to the database. They are about PostgreSQL's own tables and must also work where ours are missing, so
//! the macros cannot check them.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

#[derive(sqlx::FromRow)]
pub struct DatabaseServer {
    pub version: String,
    pub version_number: i32,
    pub encoding: String,
    pub is_read_only: bool,
    pub role: String,
    pub is_superuser: bool,
    /// When the server answered, by its own clock.
    pub now: DateTime<Utc>,
}

#[expect(clippy::disallowed_methods, reason = "PostgreSQL's own tables")]
pub async fn describe_server(connection: &mut PgConnection) -> sqlx::Result<DatabaseServer> {
    sqlx::query_as(
        "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS version_number,
                current_setting('server_encoding') AS encoding,
                pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only,
                rolname::text AS role, rolsuper AS is_superuser, clock_timestamp() AS now
         FROM pg_roles WHERE rolname = current_user",
    )
    .fetch_one(connection)
    .await
}

/// The tables and views that this role cannot read, although the shop reads all of them.
#[expect(clippy::disallowed_methods, reason = "PostgreSQL's own tables")]
pub async fn unreadable_tables(connection: &mut PgConnection) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar(
        "SELECT relname::text FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT has_table_privilege(oid, 'SELECT')
         ORDER BY relname",
    )
    .fetch_all(connection)
    .await
}

/// Whether the last attempt to archive WAL has failed.
#[expect(clippy::disallowed_methods, reason = "PostgreSQL's own tables")]
pub async fn archiving_fails(connection: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar(
        "SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) FROM pg_stat_archiver",
    )
    .fetch_one(connection)
    .await
}

#[expect(clippy::disallowed_methods, reason = "PostgreSQL's own tables")]
pub async fn is_in_recovery(connection: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT pg_is_in_recovery()").fetch_one(connection).await
}

/// How much WAL a standby has to replay before it is at this position.
#[expect(clippy::disallowed_methods, reason = "PostgreSQL's own tables")]
pub async fn bytes_behind(standby: &mut PgConnection, position: &str) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT greatest(0, $1::pg_lsn - pg_last_wal_replay_lsn())::bigint")
        .bind(position)
        .fetch_one(standby)
        .await
}
