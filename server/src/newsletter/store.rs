//! All SQL of the newsletter module.

use sqlx::PgPool;
use uuid::Uuid;

use super::model::Subscriber;

/// Returns false if the address is subscribed already.
pub async fn insert(db: &PgPool, id: Uuid, email: &str, language: &str) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO subscribers (id, email, language) VALUES ($1, $2, $3) ON CONFLICT (lower(email)) DO NOTHING",
        id,
        email,
        language,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Lists the newest first; ids are time-ordered.
pub async fn list(db: &PgPool, before: Uuid, limit: i64) -> sqlx::Result<Vec<Subscriber>> {
    sqlx::query_as!(
        Subscriber,
        "SELECT id, email, language, created_at FROM subscribers WHERE id < $1 ORDER BY id DESC LIMIT $2",
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

pub async fn search(db: &PgPool, pattern: &str, before: Uuid, limit: i64) -> sqlx::Result<Vec<Subscriber>> {
    sqlx::query_as!(
        Subscriber,
        "SELECT id, email, language, created_at FROM subscribers
         WHERE lower(email) LIKE $3 AND id < $1 ORDER BY id DESC LIMIT $2",
        before,
        limit,
        pattern,
    )
    .fetch_all(db)
    .await
}

pub async fn count(db: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM subscribers"#).fetch_one(db).await
}
