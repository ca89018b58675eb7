//! What tests do with the job queue and the shop does not: read payloads, change times and attempts, and let a worker die.
//! The engine's public interface has nothing for that, so its private tables are named here, and nowhere else in the
//! repository (`architecture.rs`).

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgPool;
use thunse::platform::jobs;

pub async fn add_job(db: &PgPool, name: &str, payload: &Value) {
    sqlx::query("SELECT graphile_worker.add_job($1, $2::json)").bind(name).bind(payload).execute(db).await.unwrap();
}

/// Returns the payloads of the queued jobs of this name, oldest first.
pub async fn payloads(db: &PgPool, name: &str) -> Vec<Value> {
    jobs::move_outbox(db).await.unwrap();
    sqlx::query_scalar(
        "SELECT payload::jsonb FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
         WHERE t.identifier = $1 ORDER BY j.id",
    )
    .bind(name)
    .fetch_all(db)
    .await
    .unwrap()
}

/// Makes the waiting jobs of this name due now, or all waiting jobs if `name` is empty.
pub async fn make_due(db: &PgPool, name: &str) {
    sqlx::query(
        "UPDATE graphile_worker._private_jobs j SET run_at = now() FROM graphile_worker._private_tasks t
         WHERE t.id = j.task_id AND j.locked_at IS NULL AND ($1 = '' OR t.identifier = $1)",
    )
    .bind(name)
    .execute(db)
    .await
    .unwrap();
}

/// Makes the jobs due now that are due by this time.
pub async fn make_due_until(db: &PgPool, time: DateTime<Utc>) {
    sqlx::query("UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL AND run_at <= $1")
        .bind(time)
        .execute(db)
        .await
        .unwrap();
}

pub async fn set_attempts(db: &PgPool, attempts: i16) {
    sqlx::query("UPDATE graphile_worker._private_jobs SET attempts = $1").bind(attempts).execute(db).await.unwrap();
}

/// Deletes the jobs of this name, or all jobs if `name` is empty, also those that are running.
pub async fn delete_jobs(db: &PgPool, name: &str) {
    jobs::move_outbox(db).await.unwrap();
    sqlx::query(
        "DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
         WHERE t.id = j.task_id AND ($1 = '' OR t.identifier = $1)",
    )
    .bind(name)
    .execute(db)
    .await
    .unwrap();
}

/// Releases all jobs at once. The engine does that when the heartbeat of a dead worker is missing.
pub async fn release_jobs(db: &PgPool) {
    sqlx::query(
        "SELECT graphile_worker.force_unlock_workers(ARRAY(
             SELECT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL
             UNION SELECT locked_by FROM graphile_worker._private_job_queues WHERE locked_by IS NOT NULL))",
    )
    .execute(db)
    .await
    .unwrap();
}

/// Returns the names of the queues that a worker has locked.
pub async fn locked_queues(db: &PgPool) -> Vec<String> {
    sqlx::query_scalar("SELECT queue_name FROM graphile_worker._private_job_queues WHERE locked_at IS NOT NULL")
        .fetch_all(db)
        .await
        .unwrap()
}

/// Moves the heartbeats into the past, which saves waiting until a killed worker counts as dead.
pub async fn age_heartbeats(db: &PgPool) {
    sqlx::query(
        "UPDATE graphile_worker._private_workers SET last_heartbeat_at = last_heartbeat_at - interval '5 minutes'",
    )
    .execute(db)
    .await
    .unwrap();
}
