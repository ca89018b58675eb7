//! The SQL of codes over SMS and of confirmed phone numbers.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::platform::ids::UserId;

pub async fn insert_phone_code(
    connection: &mut PgConnection,
    id: Uuid,
    token_hash: &[u8],
    phone: &str,
    user: Option<UserId>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO phone_codes (id, token_hash, phone, user_id, expires_at) VALUES ($1, $2, $3, $4, $5)",
        id,
        token_hash,
        phone,
        user.map(|user| user.0),
        expires_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A request for a code, as the worker needs it.
pub struct RequestedCode {
    pub phone: String,
    /// The language of the account that gets the code; `None` if there is none.
    pub language: Option<String>,
}

/// Returns a request that has not expired. A code for a login goes to the account that has confirmed the number.
pub async fn find_phone_code(
    connection: &mut PgConnection,
    id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<RequestedCode>> {
    sqlx::query_as!(
        RequestedCode,
        r#"SELECT c.phone, u.language AS "language?" FROM phone_codes c
           LEFT JOIN users u ON u.deleted_at IS NULL
               AND CASE WHEN c.user_id IS NULL THEN u.phone = c.phone AND u.phone_verified_at IS NOT NULL
                        ELSE u.id = c.user_id END
           WHERE c.id = $1 AND c.expires_at > $2"#,
        id,
        now,
    )
    .fetch_optional(connection)
    .await
}

pub async fn set_phone_code(connection: &mut PgConnection, id: Uuid, hash: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE phone_codes SET code_hash = $2 WHERE id = $1", id, hash).execute(connection).await?;
    Ok(())
}

pub struct CodeAttempt {
    pub phone: String,
    pub user: Option<UserId>,
    pub code_hash: Option<String>,
}

/// Counts an attempt. Returns `None` if the request is unknown or has expired, or if its attempts are used up.
pub async fn take_phone_code_attempt(
    db: &PgPool,
    token_hash: &[u8],
    most: i16,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<CodeAttempt>> {
    sqlx::query_as!(
        CodeAttempt,
        r#"UPDATE phone_codes SET attempts = attempts + 1
           WHERE token_hash = $1 AND attempts < $2 AND expires_at > $3
           RETURNING phone, user_id AS "user: UserId", code_hash"#,
        token_hash,
        most,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Returns false if another request has used it up.
pub async fn delete_phone_code(connection: &mut PgConnection, token_hash: &[u8]) -> sqlx::Result<bool> {
    let done = sqlx::query!("DELETE FROM phone_codes WHERE token_hash = $1", token_hash).execute(connection).await?;
    Ok(done.rows_affected() == 1)
}

/// Makes this the confirmed number of one account only.
pub async fn set_verified_phone(
    connection: &mut PgConnection,
    user: UserId,
    phone: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE users SET phone_verified_at = NULL WHERE phone = $1 AND phone_verified_at IS NOT NULL AND id <> $2",
        phone,
        user.0,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "UPDATE users SET phone = $2, phone_verified_at = $3, updated_at = $3 WHERE id = $1",
        user.0,
        phone,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find_by_verified_phone(db: &PgPool, phone: &str) -> sqlx::Result<Option<UserId>> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: UserId" FROM users
           WHERE phone = $1 AND phone_verified_at IS NOT NULL AND deleted_at IS NULL"#,
        phone,
    )
    .fetch_optional(db)
    .await
}

pub async fn has_verified_phone(connection: &mut PgConnection, user: UserId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM users WHERE id = $1 AND phone_verified_at IS NOT NULL) AS "verified!""#,
        user.0,
    )
    .fetch_one(connection)
    .await
}
