//! All SQL of the login throttle.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgPool};

use crate::platform::db::interval;

pub struct ThrottleRule {
    pub free: i32,
    pub max_wait: i32,
    pub locks_after: i32,
    pub locked_wait: i32,
    pub expire_after: Duration,
    pub locked_expire_after: Duration,
}

pub enum AttemptOutcome {
    Allowed { failures: i32 },
    Wait { seconds: i64 },
}

/// Counts an attempt if its wait is over. The row lock makes parallel attempts queue up, each seeing the one before.
/// Free attempts never wait, not even for a parallel one that read the clock a moment later.
pub async fn record_attempt(
    db: &PgPool,
    key: &[u8],
    rule: &ThrottleRule,
    now: DateTime<Utc>,
) -> sqlx::Result<AttemptOutcome> {
    let allowed = sqlx::query_scalar!(
        "INSERT INTO login_throttles AS g (key, failures, allowed_at, last_attempt_at) VALUES ($1, 1, 'epoch', $8)
         ON CONFLICT (key) DO UPDATE SET (failures, last_attempt_at, allowed_at) = (
             SELECT n.failures, $8, CASE
                 WHEN n.failures < $2 THEN 'epoch'
                 WHEN n.failures >= $4 THEN $8 + make_interval(secs => $5)
                 ELSE $8 + make_interval(secs => least($3, power(2, least(n.failures - $2, 20)))) END
             FROM (SELECT CASE WHEN g.last_attempt_at < CASE WHEN g.failures < $4 THEN $6::timestamptz ELSE $7 END
                          THEN 1 ELSE g.failures + 1 END AS failures) n)
         WHERE g.allowed_at <= $8
         RETURNING failures",
        key,
        rule.free,
        f64::from(rule.max_wait),
        rule.locks_after,
        f64::from(rule.locked_wait),
        now - rule.expire_after,
        now - rule.locked_expire_after,
        now,
    )
    .fetch_optional(db)
    .await?;
    if let Some(failures) = allowed {
        return Ok(AttemptOutcome::Allowed { failures });
    }
    let seconds = sqlx::query_scalar!(
        r#"SELECT ceil(extract(epoch FROM allowed_at - $2::timestamptz))::bigint AS "seconds!" FROM login_throttles WHERE key = $1"#,
        key,
        now,
    )
    .fetch_optional(db)
    .await?;
    Ok(AttemptOutcome::Wait { seconds: seconds.unwrap_or(1) })
}

pub async fn clear_failures(connection: &mut PgConnection, keys: &[&[u8]]) -> sqlx::Result<()> {
    let keys: Vec<Vec<u8>> = keys.iter().map(|key| key.to_vec()).collect();
    sqlx::query!("DELETE FROM login_throttles WHERE key = ANY($1)", &keys).execute(connection).await?;
    Ok(())
}

pub struct LimitCount {
    pub hits: i64,
    pub seconds_left: i64,
}

pub async fn count_hit(db: &PgPool, key: &str, window: Duration, now: DateTime<Utc>) -> sqlx::Result<LimitCount> {
    sqlx::query_as!(
        LimitCount,
        r#"INSERT INTO account_counters AS c (key, window_start, hits) VALUES ($1, $3, 1)
           ON CONFLICT (key) DO UPDATE SET
               hits = CASE WHEN c.window_start < $3 - $2::interval THEN 1 ELSE c.hits + 1 END,
               window_start = CASE WHEN c.window_start < $3 - $2::interval THEN $3 ELSE c.window_start END
           RETURNING hits::bigint AS "hits!",
                     ceil(extract(epoch FROM window_start + $2::interval - $3))::bigint AS "seconds_left!""#,
        key,
        interval(window),
        now,
    )
    .fetch_one(db)
    .await
}

pub async fn delete_expired(
    db: &PgPool,
    expire_after: Duration,
    locked_expire_after: Duration,
    locks_after: i32,
    now: DateTime<Utc>,
) -> sqlx::Result<u64> {
    let throttles = sqlx::query!(
        "DELETE FROM login_throttles WHERE last_attempt_at < $1 AND (failures < $3 OR last_attempt_at < $2)",
        now - expire_after,
        now - locked_expire_after,
        locks_after,
    )
    .execute(db)
    .await?;
    // The longest window is a day.
    let two_days_ago = now - TimeDelta::days(2);
    let counters =
        sqlx::query!("DELETE FROM account_counters WHERE window_start < $1", two_days_ago).execute(db).await?;
    Ok(throttles.rows_affected() + counters.rows_affected())
}
