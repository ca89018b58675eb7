//! All SQL of the newsletter.

use sqlx::PgPool;
use uuid::Uuid;

/// False when the address is there already.
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
