//! Passwords and pending logins.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::platform::permissions::Role;
use crate::staff::model::Profile;

pub struct SellerCredentials {
    pub id: Uuid,
    pub email: String,
    pub name: String,
    pub password_hash: String,
    pub totp_secret: Option<String>,
    pub role: Role,
    /// The command line generated the password, which must be changed within a day.
    pub is_temporary_password: bool,
    pub is_expired: bool,
}

impl SellerCredentials {
    pub fn has_second_step(&self) -> bool {
        self.totp_secret.is_some()
    }
}

impl From<SellerCredentials> for Profile {
    fn from(seller: SellerCredentials) -> Self {
        Self {
            must_change_password: seller.is_temporary_password,
            has_second_step: seller.has_second_step(),
            role: seller.role,
            name: seller.name,
            email: seller.email,
        }
    }
}

/// Returns the credentials of an active seller; a disabled one is not found.
pub async fn find_credentials_by_email(
    db: &PgPool,
    email: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<SellerCredentials>> {
    sqlx::query_as!(
        SellerCredentials,
        r#"SELECT id, email, name, password_hash, totp_secret, role AS "role: Role",
                  password_expires_at IS NOT NULL AS "is_temporary_password!", coalesce(password_expires_at <= $2, false) AS "is_expired!"
           FROM sellers WHERE lower(email) = lower($1) AND disabled_at IS NULL"#,
        email,
        now,
    )
    .fetch_optional(db)
    .await
}

/// The values that must be unchanged since the login read them.
pub struct LockedSeller {
    pub password_hash: String,
    pub has_second_step: bool,
    pub role: Role,
}

/// Locks the seller, so that nothing disables the account or changes the password until the transaction ends.
pub async fn lock(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<LockedSeller>> {
    sqlx::query_as!(
        LockedSeller,
        r#"SELECT password_hash, totp_secret IS NOT NULL AS "has_second_step!", role AS "role: Role" FROM sellers
           WHERE id = $1 AND disabled_at IS NULL FOR UPDATE"#,
        id,
    )
    .fetch_optional(connection)
    .await
}

pub async fn set_language(connection: &mut PgConnection, id: Uuid, language: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE sellers SET language = $2 WHERE id = $1 AND language <> $2", id, language)
        .execute(connection)
        .await?;
    Ok(())
}

/// Inserts a pending login, which waits for the code. Expired ones are deleted, and each seller keeps the ten newest.
pub async fn insert_pending_login(
    connection: &mut PgConnection,
    token: &[u8],
    seller: Uuid,
    lifetime: Duration,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM seller_pending_logins WHERE expires_at < $2 OR token_hash IN (
             SELECT token_hash FROM seller_pending_logins WHERE seller = $1 ORDER BY expires_at DESC OFFSET 9)",
        seller,
        now,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "INSERT INTO seller_pending_logins (token_hash, seller, expires_at) VALUES ($1, $2, $3)",
        token,
        seller,
        now + lifetime,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the seller whose login is pending under this token.
pub async fn find_pending_login(
    db: &PgPool,
    token: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<Option<SellerCredentials>> {
    sqlx::query_as!(
        SellerCredentials,
        r#"SELECT s.id, s.email, s.name, s.password_hash, s.totp_secret, s.role AS "role: Role",
                  s.password_expires_at IS NOT NULL AS "is_temporary_password!", coalesce(s.password_expires_at <= $2, false) AS "is_expired!"
           FROM seller_pending_logins p JOIN sellers s ON s.id = p.seller
           WHERE p.token_hash = $1 AND p.expires_at > $2 AND s.disabled_at IS NULL"#,
        token,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Returns false if it does not exist or has expired.
pub async fn consume_pending_login(
    connection: &mut PgConnection,
    token: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!("DELETE FROM seller_pending_logins WHERE token_hash = $1 AND expires_at > $2", token, now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn delete_pending_logins(connection: &mut PgConnection, seller: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM seller_pending_logins WHERE seller = $1", seller).execute(connection).await?;
    Ok(())
}

/// The password of a signed-in seller, with the name and email address that a new one must not be based on.
pub struct SellerPassword {
    pub id: Uuid,
    pub email: String,
    pub name: String,
    pub password_hash: String,
    pub is_expired: bool,
}

pub async fn find_password(db: &PgPool, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<Option<SellerPassword>> {
    sqlx::query_as!(
        SellerPassword,
        r#"SELECT id, email, name, password_hash, coalesce(password_expires_at <= $2, false) AS "is_expired!" FROM sellers
           WHERE id = $1 AND disabled_at IS NULL"#,
        id,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Sets a password that the seller has chosen, which does not expire.
pub async fn set_chosen_password(
    connection: &mut PgConnection,
    id: Uuid,
    hash: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sellers SET password_hash = $2, password_expires_at = NULL, updated_at = $3 WHERE id = $1",
        id,
        hash,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Stores a stronger hash of the same password.
pub async fn replace_password_hash(connection: &mut PgConnection, id: Uuid, hash: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE sellers SET password_hash = $2 WHERE id = $1", id, hash).execute(connection).await?;
    Ok(())
}

/// Sets when a generated password expires; `None` means that the password was chosen and does not expire.
pub async fn set_password_expiry(
    connection: &mut PgConnection,
    id: Uuid,
    lifetime: Option<Duration>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let expires_at = lifetime.map(|lifetime| now + lifetime);
    sqlx::query!("UPDATE sellers SET password_expires_at = $2 WHERE id = $1", id, expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Sets a password and enables a disabled seller again.
pub async fn set_password(
    connection: &mut PgConnection,
    email: &str,
    hash: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "UPDATE sellers SET password_hash = $2, disabled_at = NULL, updated_at = $3 WHERE lower(email) = lower($1)
         RETURNING id",
        email,
        hash,
        now,
    )
    .fetch_optional(connection)
    .await
}
