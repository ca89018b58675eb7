//! All SQL of the guard.

use std::time::Duration;

use sqlx::{PgConnection, PgPool};

use crate::platform::db::interval;

pub struct Rule {
    pub free: i32,
    pub longest_wait: i32,
    pub closed_after: i32,
    pub forgotten_after: Duration,
}

pub enum Tried {
    Allowed { failures: i32 },
    Wait { seconds: i64 },
}

/// Counts an attempt if its time has come. The row's lock makes parallel attempts queue up, each seeing the last.
pub async fn attempt(db: &PgPool, key: &[u8], rule: &Rule) -> sqlx::Result<Tried> {
    let allowed = sqlx::query_scalar!(
        "INSERT INTO login_guards AS g (key, failures, allowed_at, last_attempt_at) VALUES ($1, 1, now(), now())
         ON CONFLICT (key) DO UPDATE SET
             failures = CASE WHEN g.last_attempt_at < now() - $5::interval THEN 1 ELSE g.failures + 1 END,
             last_attempt_at = now(),
             allowed_at = now() + CASE
                 WHEN g.last_attempt_at < now() - $5::interval OR g.failures + 1 < $2 THEN interval '0'
                 ELSE make_interval(secs => least($3, power(2, least(g.failures + 1 - $2, 20)))) END
         WHERE g.allowed_at <= now() AND g.failures < $4
         RETURNING failures",
        key,
        rule.free,
        f64::from(rule.longest_wait),
        rule.closed_after,
        interval(rule.forgotten_after),
    )
    .fetch_optional(db)
    .await?;
    if let Some(failures) = allowed {
        return Ok(Tried::Allowed { failures });
    }
    let seconds = sqlx::query_scalar!(
        r#"SELECT CASE WHEN failures >= $2 THEN $3::float8 ELSE ceil(extract(epoch FROM allowed_at - now())) END::bigint AS "seconds!"
           FROM login_guards WHERE key = $1"#,
        key,
        rule.closed_after,
        f64::from(rule.longest_wait),
    )
    .fetch_optional(db)
    .await?;
    Ok(Tried::Wait { seconds: seconds.unwrap_or(1) })
}

pub async fn forgive(connection: &mut PgConnection, key: &[u8]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM login_guards WHERE key = $1", key).execute(connection).await?;
    Ok(())
}

pub struct Counted {
    pub hits: i64,
    pub seconds_left: i64,
}

pub async fn count(db: &PgPool, key: &str, window: Duration) -> sqlx::Result<Counted> {
    sqlx::query_as!(
        Counted,
        r#"INSERT INTO account_counters AS c (key, window_start, hits) VALUES ($1, now(), 1)
           ON CONFLICT (key) DO UPDATE SET
               hits = CASE WHEN c.window_start < now() - $2::interval THEN 1 ELSE c.hits + 1 END,
               window_start = CASE WHEN c.window_start < now() - $2::interval THEN now() ELSE c.window_start END
           RETURNING hits::bigint AS "hits!",
                     ceil(extract(epoch FROM window_start + $2::interval - now()))::bigint AS "seconds_left!""#,
        key,
        interval(window),
    )
    .fetch_one(db)
    .await
}

pub async fn tidy(db: &PgPool, forgotten_after: Duration, closed_after: i32) -> sqlx::Result<u64> {
    let guards = sqlx::query!(
        "DELETE FROM login_guards WHERE last_attempt_at < now() - $1::interval AND failures < $2",
        interval(forgotten_after),
        closed_after,
    )
    .execute(db)
    .await?;
    // The longest window is a day.
    let counters =
        sqlx::query!("DELETE FROM account_counters WHERE window_start < now() - interval '2 days'").execute(db).await?;
    Ok(guards.rows_affected() + counters.rows_affected())
}
