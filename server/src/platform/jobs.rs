//! Background jobs, stored in PostgreSQL by `graphile_worker` so that a job is part of the transaction that queues it.
//! Only this file and `worker.rs` know the engine, and only its public functions and its view `jobs` (decision 065). The
//! engine uses the database's clock, and so do the statements here.

use std::time::Duration;

use chrono::{DateTime, Utc};
use graphile_worker::WorkerUtils;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::{PgConnection, PgPool};

use super::state::App;
use super::traces;

/// The schema of the engine's own tables.
pub const SCHEMA: &str = "graphile_worker";

/// About four days of attempts, with the engine's growing delays.
const DEFAULT_ATTEMPTS: i16 = 25;

/// A job may run more than once, because a worker can die after the work and before the job is deleted.
pub trait Job: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// `module.action`; it never changes, because queued jobs outlive a release.
    const NAME: &'static str;
    /// How often the job is tried before it is dead.
    const ATTEMPTS: i16 = DEFAULT_ATTEMPTS;

    /// Jobs in one queue run one after the other; others run in parallel.
    const QUEUE: Option<&'static str> = None;
    /// Lower numbers run first. A seller who watches a progress bar should not wait behind a thousand emails.
    const PRIORITY: i32 = 0;

    /// A failure is retried later, unless `permanent_failure` made it. Its text is stored and shown to operators, so it
    /// must not contain personal data.
    fn run(self, app: &App) -> impl Future<Output = Result<(), String>> + Send;
}

/// The prefix of the text of a permanent failure. Other failures may contain it, because they quote what a mail server
/// or the wallet has said, but they do not begin with it.
const PERMANENT_FAILURE_PREFIX: &str = "given up: ";

/// A failure that a retry cannot fix: the job is dead at once and is listed as such.
pub fn permanent_failure(reason: impl std::fmt::Display) -> String {
    format!("{PERMANENT_FAILURE_PREFIX}{reason}")
}

/// Accepts the text of a failure also as the engine stores it: `TaskError("\"…\"")`.
pub fn is_permanent_failure(failure: &str) -> bool {
    let text = failure.strip_prefix("TaskError(").unwrap_or(failure);
    text.trim_start_matches(['"', '\\']).starts_with(PERMANENT_FAILURE_PREFIX)
}

/// A job's payload, with the span that queues it.
#[derive(Serialize)]
pub struct Payload<'a, J> {
    #[serde(flatten)]
    job: &'a J,
    #[serde(rename = "traceparent", skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
}

/// What is stored of a job that is queued now.
pub fn payload<J: Job>(job: &J) -> Payload<'_, J> {
    Payload { job, parent: traces::parent_of_job() }
}

/// Removes the span that has queued a job from the job's payload.
pub fn take_parent(payload: &mut Value) -> Option<String> {
    let parent = payload.as_object_mut()?.remove(traces::PARENT_FIELD)?;
    parent.as_str().map(str::to_owned)
}

/// Queues a job in the caller's transaction, so that without a commit there is no job.
#[expect(clippy::disallowed_methods, reason = "the engine's functions are not in our own migrations")]
pub async fn enqueue<J: Job>(connection: &mut PgConnection, job: &J) -> sqlx::Result<()> {
    sqlx::query("SELECT graphile_worker.add_job($1, $2::json, max_attempts => $3, queue_name => $4, priority => $5)")
        .bind(J::NAME)
        .bind(sqlx::types::Json(payload(job)))
        .bind(i32::from(J::ATTEMPTS))
        .bind(J::QUEUE)
        .bind(J::PRIORITY)
        .execute(connection)
        .await?;
    Ok(())
}

/// Queues a job for a later time. There is only one job per `key`: queueing it again changes its time.
#[expect(clippy::disallowed_methods, reason = "the engine's functions are not in our own migrations")]
pub async fn enqueue_at<J: Job>(
    connection: &mut PgConnection,
    job: &J,
    key: &str,
    at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("SELECT graphile_worker.add_job($1, $2::json, max_attempts => $3, job_key => $4, run_at => $5)")
        .bind(J::NAME)
        .bind(sqlx::types::Json(payload(job)))
        .bind(i32::from(J::ATTEMPTS))
        .bind(format!("{}:{key}", J::NAME))
        .bind(at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Makes sure that the job with this `key` is queued: a waiting one keeps its time, a lost or failed one is due now.
#[expect(clippy::disallowed_methods, reason = "the engine's functions are not in our own migrations")]
pub async fn ensure_enqueued<J: Job>(connection: &mut PgConnection, job: &J, key: &str) -> sqlx::Result<()> {
    sqlx::query(
        "SELECT graphile_worker.add_job($1, $2::json, max_attempts => $3, job_key => $4, run_at => now(),
                                        job_key_mode => 'preserve_run_at')",
    )
    .bind(J::NAME)
    .bind(sqlx::types::Json(payload(job)))
    .bind(i32::from(J::ATTEMPTS))
    .bind(format!("{}:{key}", J::NAME))
    .execute(connection)
    .await?;
    Ok(())
}

/// How many jobs one statement moves out of the outbox.
const OUTBOX_BATCH: i64 = 500;

/// Gives the engine the jobs that the SQL function `enqueue_job` has put into the outbox. Each is moved once, because
/// one statement deletes and adds it. Returns how many.
#[expect(clippy::disallowed_methods, reason = "the engine's functions are not in our own migrations")]
pub async fn move_outbox(db: &PgPool) -> sqlx::Result<u64> {
    let mut total = 0;
    loop {
        // Without a row to move, the engine is not called: it would wake all workers.
        let moved = sqlx::query(
            "WITH moved AS (
                 DELETE FROM job_outbox
                 WHERE id IN (SELECT id FROM job_outbox ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
                 RETURNING id, name, payload, max_attempts, created_at
             ), specs AS (
                 SELECT array_agg((name, payload, NULL, created_at, max_attempts, NULL, NULL, NULL)::graphile_worker.job_spec
                                  ORDER BY id) AS jobs
                 FROM moved HAVING count(*) > 0
             )
             SELECT FROM specs, graphile_worker.add_jobs(specs.jobs)",
        )
        .bind(OUTBOX_BATCH)
        .execute(db)
        .await?
        .rows_affected();
        total += moved;
        if moved < OUTBOX_BATCH.unsigned_abs() {
            return Ok(total);
        }
    }
}

/// A job in the queue, without its payload, which may be personal data.
#[derive(Debug, sqlx::FromRow)]
pub struct QueuedJob {
    pub id: i64,
    pub name: String,
    pub attempts: i16,
    pub max_attempts: i16,
    pub run_at: DateTime<Utc>,
    pub last_error: Option<String>,
}

/// Lists all jobs, or only the dead ones, which have used up their attempts.
#[expect(clippy::disallowed_methods, reason = "the engine's view is not in our own migrations")]
pub async fn list(db: &PgPool, only_dead: bool) -> sqlx::Result<Vec<QueuedJob>> {
    sqlx::query_as(
        "SELECT id, task_identifier AS name, attempts, max_attempts, run_at, last_error FROM graphile_worker.jobs
         WHERE NOT $1 OR (attempts >= max_attempts AND locked_at IS NULL) ORDER BY run_at, id",
    )
    .bind(only_dead)
    .fetch_all(db)
    .await
}

/// Lets jobs run again at once, with their attempts reset. Returns how many; running jobs are left alone.
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

/// Deletes jobs from the queue. Returns how many; running jobs are left alone.
#[expect(clippy::disallowed_methods, reason = "the engine's functions are not in our own migrations")]
pub async fn remove(db: &PgPool, ids: &[i64]) -> sqlx::Result<u64> {
    let done = sqlx::query("SELECT FROM graphile_worker.complete_jobs($1)").bind(ids).execute(db).await?;
    Ok(done.rows_affected())
}

/// Deletes dead jobs that have not changed for this long, because they contain names and addresses.
#[expect(clippy::disallowed_methods, reason = "the engine's functions are not in our own migrations")]
pub async fn delete_dead(db: &PgPool, older_than: Duration) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "SELECT FROM graphile_worker.complete_jobs(ARRAY(
             SELECT id FROM graphile_worker.jobs
             WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < now() - $1::interval))",
    )
    .bind(super::db::interval(older_than))
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// Makes the attempts so far the last ones of a job that does not run now.
#[expect(clippy::disallowed_methods, reason = "the engine's functions are not in our own migrations")]
pub async fn stop_retrying(db: &PgPool, id: i64, attempts: i16) -> sqlx::Result<()> {
    sqlx::query("SELECT FROM graphile_worker.reschedule_jobs(ARRAY[$1::bigint], max_attempts => $2)")
        .bind(id)
        .bind(i32::from(attempts))
        .execute(db)
        .await?;
    Ok(())
}

/// The state of the queue.
#[derive(Debug, sqlx::FromRow)]
pub struct Backlog {
    pub waiting: i64,
    pub dead: i64,
    /// How long the job that has waited longest has been due.
    pub oldest_due_seconds: f64,
}

#[expect(clippy::disallowed_methods, reason = "the engine's view is not in our own migrations")]
pub async fn backlog(db: &PgPool) -> sqlx::Result<Backlog> {
    sqlx::query_as(
        "SELECT count(*) FILTER (WHERE attempts < max_attempts) AS waiting,
                count(*) FILTER (WHERE attempts >= max_attempts AND locked_at IS NULL) AS dead,
                coalesce(max(extract(epoch FROM now() - run_at)) FILTER
                    (WHERE attempts < max_attempts AND run_at < now() AND locked_at IS NULL), 0)::float8 AS oldest_due_seconds
         FROM (SELECT attempts, max_attempts, run_at, locked_at FROM graphile_worker.jobs
               UNION ALL SELECT 0, max_attempts, created_at, NULL FROM job_outbox) queue",
    )
    .fetch_one(db)
    .await
}

/// Gives back the jobs that an engine of this process had fetched when it lost the database.
pub async fn release(db: &PgPool, worker: &str) -> anyhow::Result<()> {
    Ok(WorkerUtils::new(db.clone(), SCHEMA).force_unlock_workers(&[worker]).await?)
}

/// Creates or updates the engine's tables and grants the serving role access to them; part of `migrate`.
pub async fn migrate(db: &PgPool) -> anyhow::Result<()> {
    WorkerUtils::new(db.clone(), SCHEMA).migrate().await?;
    for grant in [
        "GRANT USAGE ON SCHEMA graphile_worker TO thunse_app",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO thunse_app",
        "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA graphile_worker TO thunse_app",
        "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO thunse_app",
        // Row-level security closes the engine's tables to all but their owner, so the serving role needs a policy.
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
        // These grants cannot be part of our own migrations, because they must run after the engine's.
        #[expect(clippy::disallowed_methods, reason = "a constant statement without parameters")]
        sqlx::query(grant).execute(db).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_failure_that_begins_as_permanent_is_permanent() {
        let permanent = permanent_failure("the order does not exist");
        let quoted = format!("the mail server says: 451 {permanent}");

        assert!(is_permanent_failure(&permanent));
        assert!(is_permanent_failure(&format!("TaskError({:?})", format!("{permanent:?}"))));
        assert!(!is_permanent_failure(&quoted));
        assert!(!is_permanent_failure(&format!("TaskError({:?})", format!("{quoted:?}"))));
    }
}
