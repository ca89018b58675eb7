//! All SQL of sellers.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::audit::Deed;

pub struct Credentials {
    pub id: Uuid,
    pub email: String,
    pub name: String,
    pub password_hash: String,
    pub totp_secret: Option<String>,
}

/// Of a seller who may work; a disabled one is as good as none.
pub async fn credentials(db: &PgPool, email: &str) -> sqlx::Result<Option<Credentials>> {
    sqlx::query_as!(
        Credentials,
        "SELECT id, email, name, password_hash, totp_secret FROM sellers
         WHERE lower(email) = lower($1) AND disabled_at IS NULL",
        email,
    )
    .fetch_optional(db)
    .await
}

pub struct Profile {
    pub name: String,
    pub email: String,
}

pub async fn find(db: &PgPool, id: Uuid) -> sqlx::Result<Option<Profile>> {
    sqlx::query_as!(Profile, "SELECT name, email FROM sellers WHERE id = $1 AND disabled_at IS NULL", id)
        .fetch_optional(db)
        .await
}

/// The database's clock, which all copies share.
pub async fn now(connection: &mut PgConnection) -> sqlx::Result<DateTime<Utc>> {
    sqlx::query_scalar!(r#"SELECT now() AS "now!""#).fetch_one(connection).await
}

/// False when the code's time step was used before.
pub async fn use_step(connection: &mut PgConnection, id: Uuid, step: i64) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE sellers SET totp_last_step = $2 WHERE id = $1 AND totp_last_step < $2", id, step)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// False when the address has a seller already.
pub async fn insert(db: &PgPool, id: Uuid, email: &str, name: &str, password_hash: &str) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO sellers (id, email, name, password_hash) VALUES ($1, $2, $3, $4)
         ON CONFLICT (lower(email)) DO NOTHING",
        id,
        email,
        name,
        password_hash,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn disable(connection: &mut PgConnection, email: &str) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "UPDATE sellers SET disabled_at = now(), updated_at = now() WHERE lower(email) = lower($1) RETURNING id",
        email,
    )
    .fetch_optional(connection)
    .await
}

/// Sets a password; a disabled seller may work again.
pub async fn set_password(connection: &mut PgConnection, email: &str, hash: &str) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "UPDATE sellers SET password_hash = $2, disabled_at = NULL, updated_at = now() WHERE lower(email) = lower($1)
         RETURNING id",
        email,
        hash,
    )
    .fetch_optional(connection)
    .await
}

pub async fn set_second_step(
    connection: &mut PgConnection,
    email: &str,
    secret: Option<&str>,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "UPDATE sellers SET totp_secret = $2, totp_last_step = 0, updated_at = now() WHERE lower(email) = lower($1)
         RETURNING id",
        email,
        secret,
    )
    .fetch_optional(connection)
    .await
}

pub async fn note(connection: &mut PgConnection, deed: &Deed<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO audit_log (seller, action, object, before, after) VALUES ($1, $2, $3, $4, $5)",
        deed.seller,
        deed.action,
        deed.object,
        deed.before,
        deed.after,
    )
    .execute(connection)
    .await?;
    Ok(())
}
