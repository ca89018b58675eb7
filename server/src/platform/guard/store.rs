//! All SQL of the guard.

use std::time::Duration;

use sqlx::{PgConnection, PgPool};

use crate::platform::db::interval;

pub struct Rule {
    pub free: i32,
    pub longest_wait: i32,
    pub closed_after: i32,
    pub closed_wait: i32,
    pub forgotten_after: Duration,
    pub closed_forgotten_after: Duration,
}

pub enum Tried {
    Allowed { failures: i32 },
    Wait { seconds: i64 },
}

/// Counts an attempt if its time has come. The row's lock makes parallel attempts queue up, each seeing the last.
pub async fn attempt(db: &PgPool, key: &[u8], rule: &Rule) -> sqlx::Result<Tried> {
    let allowed = sqlx::query_scalar!(
        "INSERT INTO login_guards AS g (key, failures, allowed_at, last_attempt_at) VALUES ($1, 1, now(), now())
         ON CONFLICT (key) DO UPDATE SET (failures, last_attempt_at, allowed_at) = (
             SELECT n.failures, now(), now() + CASE
                 WHEN n.failures < $2 THEN interval '0'
                 WHEN n.failures >= $4 THEN make_interval(secs => $5)
                 ELSE make_interval(secs => least($3, power(2, least(n.failures - $2, 20)))) END
             FROM (SELECT CASE WHEN g.last_attempt_at < now() - CASE WHEN g.failures < $4 THEN $6::interval ELSE $7::interval END
                          THEN 1 ELSE g.failures + 1 END AS failures) n)
         WHERE g.allowed_at <= now()
         RETURNING failures",
        key,
        rule.free,
        f64::from(rule.longest_wait),
        rule.closed_after,
        f64::from(rule.closed_wait),
        interval(rule.forgotten_after),
        interval(rule.closed_forgotten_after),
    )
    .fetch_optional(db)
    .await?;
    if let Some(failures) = allowed {
        return Ok(Tried::Allowed { failures });
    }
    let seconds = sqlx::query_scalar!(
        r#"SELECT ceil(extract(epoch FROM allowed_at - now()))::bigint AS "seconds!" FROM login_guards WHERE key = $1"#,
        key,
    )
    .fetch_optional(db)
    .await?;
    Ok(Tried::Wait { seconds: seconds.unwrap_or(1) })
}

pub async fn forgive(connection: &mut PgConnection, keys: &[&[u8]]) -> sqlx::Result<()> {
    let keys: Vec<Vec<u8>> = keys.iter().map(|key| key.to_vec()).collect();
    sqlx::query!("DELETE FROM login_guards WHERE key = ANY($1)", &keys).execute(connection).await?;
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

pub async fn tidy(
    db: &PgPool,
    forgotten: Duration,
    closed_forgotten: Duration,
    closed_after: i32,
) -> sqlx::Result<u64> {
    let guards = sqlx::query!(
        "DELETE FROM login_guards
         WHERE last_attempt_at < now() - $1::interval AND (failures < $3 OR last_attempt_at < now() - $2::interval)",
        interval(forgotten),
        interval(closed_forgotten),
        closed_after,
    )
    .execute(db)
    .await?;
    // The longest window is a day.
    let counters =
        sqlx::query!("DELETE FROM account_counters WHERE window_start < now() - interval '2 days'").execute(db).await?;
    Ok(guards.rows_affected() + counters.rows_affected())
}
