//! Background work, kept in PostgreSQL by `graphile_worker` so that a job is part of the transaction that asked
//! for it. Only this file and `worker.rs` know the engine, which goes by the database's clock; so do the statements here.

use std::time::Duration;

use chrono::{DateTime, Utc};
use graphile_worker::WorkerUtils;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::{PgConnection, PgPool};

use super::state::App;

/// The engine's own tables live here.
pub const SCHEMA: &str = "graphile_worker";

/// About four days of trying, with the engine's growing pauses.
const DEFAULT_ATTEMPTS: i16 = 25;

/// A piece of work that may run more than once: a worker can die after the work and before it is noted.
pub trait Job: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// `room.what_it_does`; stays the same for ever, because jobs outlive releases.
    const NAME: &'static str;
    /// Tries before the job is dead.
    const ATTEMPTS: i16 = DEFAULT_ATTEMPTS;

    /// Jobs of one queue run one after the other; others side by side.
    const QUEUE: Option<&'static str> = None;
    /// Lower ones go first. Somebody who watches a bar should not wait behind a thousand letters.
    const PRIORITY: i32 = 0;

    /// A failure is tried again later, unless it was made by `permanent_failure`. Its text is kept and shown to operators, so it
    /// holds nothing personal.
    fn run(self, app: &App) -> impl Future<Output = Result<(), String>> + Send;
}

/// What the text of a final failure starts with.
const PERMANENT_FAILURE_PREFIX: &str = "given up: ";

/// A failure that trying again cannot mend: the job is dead at once, and listed.
pub fn permanent_failure(reason: impl std::fmt::Display) -> String {
    format!("{PERMANENT_FAILURE_PREFIX}{reason}")
}

pub fn is_permanent_failure(failure: &str) -> bool {
    failure.starts_with(PERMANENT_FAILURE_PREFIX)
}

/// Asks for a job, as a part of the caller's transaction: no commit, no job.
#[expect(clippy::disallowed_methods, reason = "the engine's functions are not in our own migrations")]
pub async fn enqueue<J: Job>(connection: &mut PgConnection, job: &J) -> sqlx::Result<()> {
    sqlx::query("SELECT graphile_worker.add_job($1, $2::json, max_attempts => $3, queue_name => $4, priority => $5)")
        .bind(J::NAME)
        .bind(sqlx::types::Json(job))
        .bind(i32::from(J::ATTEMPTS))
        .bind(J::QUEUE)
        .bind(J::PRIORITY)
        .execute(connection)
        .await?;
    Ok(())
}

/// Asks for a job at a later time. There is one job with a `key`: asking again moves its time.
#[expect(clippy::disallowed_methods, reason = "the engine's functions are not in our own migrations")]
pub async fn enqueue_at<J: Job>(
    connection: &mut PgConnection,
    job: &J,
    key: &str,
    at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("SELECT graphile_worker.add_job($1, $2::json, max_attempts => $3, job_key => $4, run_at => $5)")
        .bind(J::NAME)
        .bind(sqlx::types::Json(job))
        .bind(i32::from(J::ATTEMPTS))
        .bind(format!("{}:{key}", J::NAME))
        .bind(at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Makes sure that the job with this `key` runs: one that waits keeps its place in the queue, one that was lost or has failed
/// is due now.
#[expect(clippy::disallowed_methods, reason = "the engine's functions are not in our own migrations")]
pub async fn ensure_enqueued<J: Job>(connection: &mut PgConnection, job: &J, key: &str) -> sqlx::Result<()> {
    sqlx::query(
        "SELECT graphile_worker.add_job($1, $2::json, max_attempts => $3, job_key => $4, run_at => now(),
                                        job_key_mode => 'preserve_run_at')",
    )
    .bind(J::NAME)
    .bind(sqlx::types::Json(job))
    .bind(i32::from(J::ATTEMPTS))
    .bind(format!("{}:{key}", J::NAME))
    .execute(connection)
    .await?;
    Ok(())
}

/// A job in the queue, without what it is about: that may be personal.
#[derive(Debug, sqlx::FromRow)]
pub struct QueuedJob {
    pub id: i64,
    pub name: String,
    pub attempts: i16,
    pub max_attempts: i16,
    pub run_at: DateTime<Utc>,
    pub last_error: Option<String>,
}

/// What waits, or only what is dead: tried as often as it may be.
#[expect(clippy::disallowed_methods, reason = "the engine's tables are not in our own migrations")]
pub async fn list(db: &PgPool, only_dead: bool) -> sqlx::Result<Vec<QueuedJob>> {
    sqlx::query_as(
        "SELECT id, task_identifier AS name, attempts, max_attempts, run_at, last_error FROM graphile_worker.jobs
         WHERE NOT $1 OR (attempts >= max_attempts AND locked_at IS NULL) ORDER BY run_at, id",
    )
    .bind(only_dead)
    .fetch_all(db)
    .await
}

/// Lets jobs run again at once, with all their tries before them. Returns how many; a running one is left alone.
#[expect(clippy::disallowed_methods, reason = "the engine's functions are not in our own migrations")]
pub async fn retry(db: &PgPool, ids: &[i64]) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "SELECT FROM graphile_worker.reschedule_jobs($1, run_at => now(), attempts => 0, max_attempts => $2)",
    )
    .bind(ids)
    .bind(i32::from(DEFAULT_ATTEMPTS))
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// Takes jobs out of the queue for good. Returns how many; a running one is left alone.
#[expect(clippy::disallowed_methods, reason = "the engine's functions are not in our own migrations")]
pub async fn remove(db: &PgPool, ids: &[i64]) -> sqlx::Result<u64> {
    let done = sqlx::query("SELECT FROM graphile_worker.complete_jobs($1)").bind(ids).execute(db).await?;
    Ok(done.rows_affected())
}

/// Forgets dead jobs that nobody has asked for in this time: they hold names and addresses.
#[expect(clippy::disallowed_methods, reason = "the engine's tables are not in our own migrations")]
pub async fn delete_dead(db: &PgPool, older_than: Duration) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "DELETE FROM graphile_worker._private_jobs
         WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < now() - $1::interval",
    )
    .bind(super::db::interval(older_than))
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// Makes the try that is going on the last one.
#[expect(clippy::disallowed_methods, reason = "the engine's tables are not in our own migrations")]
pub async fn stop_retrying(db: &PgPool, id: i64) -> sqlx::Result<()> {
    sqlx::query("UPDATE graphile_worker._private_jobs SET max_attempts = greatest(attempts, 1) WHERE id = $1")
        .bind(id)
        .execute(db)
        .await?;
    Ok(())
}

/// How much there is to do.
#[derive(Debug, sqlx::FromRow)]
pub struct Backlog {
    pub waiting: i64,
    pub dead: i64,
    /// How long the job that has waited longest could have been running by now.
    pub oldest_due_seconds: f64,
}

#[expect(clippy::disallowed_methods, reason = "the engine's tables are not in our own migrations")]
pub async fn backlog(db: &PgPool) -> sqlx::Result<Backlog> {
    sqlx::query_as(
        "SELECT count(*) FILTER (WHERE attempts < max_attempts) AS waiting,
                count(*) FILTER (WHERE attempts >= max_attempts AND locked_at IS NULL) AS dead,
                coalesce(max(extract(epoch FROM now() - run_at)) FILTER
                    (WHERE attempts < max_attempts AND run_at < now() AND locked_at IS NULL), 0)::float8 AS oldest_due_seconds
         FROM graphile_worker._private_jobs",
    )
    .fetch_one(db)
    .await
}

/// Makes or updates the engine's tables and lets the serving role use them; part of `migrate`.
pub async fn migrate(db: &PgPool) -> anyhow::Result<()> {
    WorkerUtils::new(db.clone(), SCHEMA).migrate().await?;
    for grant in [
        "GRANT USAGE ON SCHEMA graphile_worker TO thunse_app",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO thunse_app",
        "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA graphile_worker TO thunse_app",
        "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO thunse_app",
        // The engine's tables are closed to all but their owner; the serving role is let in by name.
        "DO $$
         DECLARE closed text;
         BEGIN
           FOR closed IN SELECT tablename FROM pg_tables t WHERE schemaname = 'graphile_worker' AND rowsecurity
                         AND NOT EXISTS (SELECT FROM pg_policies p WHERE p.schemaname = t.schemaname
                                         AND p.tablename = t.tablename AND p.policyname = 'thunse_app')
           LOOP
             EXECUTE format('CREATE POLICY thunse_app ON graphile_worker.%I TO thunse_app USING (true) WITH CHECK (true)', closed);
           END LOOP;
         END $$",
    ] {
        // Grants on tables that are not ours cannot be part of our own migrations: they must run after the engine's.
        #[expect(clippy::disallowed_methods, reason = "a constant statement without parameters")]
        sqlx::query(grant).execute(db).await?;
    }
    Ok(())
}
