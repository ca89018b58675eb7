//! The rows of `users`.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::accounts::model::UserRow;
use crate::platform::ids::UserId;

/// Locks the account until the transaction ends. Code that creates or deletes links or sessions because a credential
/// changed takes this lock first.
pub async fn lock(connection: &mut PgConnection, id: UserId) -> sqlx::Result<Option<UserRow>> {
    sqlx::query!("SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE", id.0).fetch_optional(&mut *connection).await?;
    find(connection, id).await
}

/// Locks the account against every other writer until the transaction ends, without reading it.
pub async fn lock_user(connection: &mut PgConnection, id: UserId) -> sqlx::Result<()> {
    sqlx::query!("SELECT id FROM users WHERE id = $1 FOR UPDATE", id.0).fetch_optional(connection).await?;
    Ok(())
}

pub async fn lock_by_email(connection: &mut PgConnection, email: &str) -> sqlx::Result<Option<UserRow>> {
    let id = sqlx::query_scalar!(
        r#"SELECT id AS "id: UserId" FROM users WHERE lower(email) = lower($1) AND deleted_at IS NULL FOR NO KEY UPDATE"#,
        email,
    )
    .fetch_optional(&mut *connection)
    .await?;
    match id {
        Some(id) => find(connection, id).await,
        None => Ok(None),
    }
}

/// Locks the account and returns whether this is still its password hash; `None` means that it has no password.
pub async fn lock_if_password_unchanged(
    connection: &mut PgConnection,
    id: UserId,
    hash: Option<&str>,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!("SELECT password_hash FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE", id.0,)
        .fetch_optional(connection)
        .await
        .map(|found| found.is_some_and(|stored| stored.as_deref() == hash))
}

pub async fn find(connection: &mut PgConnection, id: UserId) -> sqlx::Result<Option<UserRow>> {
    sqlx::query_as!(
        UserRow,
        r#"SELECT id, email, email_confirmed_at IS NOT NULL AS "email_confirmed!", pending_email, name, phone,
                  phone_verified_at IS NOT NULL AS "phone_verified!", address,
                  picture, password_hash IS NOT NULL AS "has_password!", language, created_at, updated_at,
                  EXISTS (SELECT FROM user_identities i WHERE i.user_id = users.id) AS "google!"
           FROM users WHERE id = $1 AND deleted_at IS NULL"#,
        id.0,
    )
    .fetch_optional(connection)
    .await
}

pub struct UserCredentials {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub language: String,
    pub pending_email: Option<String>,
    pub password_hash: Option<String>,
}

pub async fn find_credentials_by_email(db: &PgPool, email: &str) -> sqlx::Result<Option<UserCredentials>> {
    sqlx::query_as!(
        UserCredentials,
        "SELECT id, email, name, language, pending_email, password_hash FROM users
         WHERE lower(email) = lower($1) AND deleted_at IS NULL",
        email,
    )
    .fetch_optional(db)
    .await
}

pub async fn find_credentials(db: &PgPool, id: UserId) -> sqlx::Result<Option<UserCredentials>> {
    sqlx::query_as!(
        UserCredentials,
        "SELECT id, email, name, language, pending_email, password_hash FROM users WHERE id = $1 AND deleted_at IS NULL",
        id.0,
    )
    .fetch_optional(db)
    .await
}

pub struct NewUser<'a> {
    pub id: UserId,
    pub email: &'a str,
    pub email_confirmed: bool,
    pub name: &'a str,
    pub phone: &'a str,
    pub picture: Option<&'a str>,
    pub password_hash: Option<&'a str>,
    pub language: &'a str,
    pub now: DateTime<Utc>,
}

/// Returns false if the address has an account, or had one whose owner can still restore it.
pub async fn insert(connection: &mut PgConnection, user: &NewUser<'_>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO users (id, email, email_confirmed_at, name, phone, picture, password_hash, language, created_at, updated_at)
         SELECT $1::uuid, $2::text, $3::timestamptz, $4::text, $5::text, $6::text, $7::text, $8::text, $9::timestamptz, $9
         WHERE NOT EXISTS (SELECT FROM email_changes WHERE lower(old_email) = lower($2) AND expires_at > $9)
         ON CONFLICT (lower(email)) WHERE deleted_at IS NULL DO NOTHING",
        user.id.0,
        user.email,
        user.email_confirmed.then_some(user.now),
        user.name,
        user.phone,
        user.picture,
        user.password_hash,
        user.language,
        user.now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PictureChange<'a> {
    Keep,
    Remove,
    Replace(&'a str),
}

pub struct ProfileChanges<'a> {
    pub name: &'a str,
    pub phone: &'a str,
    pub address: &'a str,
    pub pending_email: Option<&'a str>,
    pub picture: PictureChange<'a>,
    pub language: &'a str,
    pub now: DateTime<Utc>,
}

pub async fn update_profile(
    connection: &mut PgConnection,
    id: UserId,
    profile: &ProfileChanges<'_>,
) -> sqlx::Result<()> {
    let picture = match profile.picture {
        PictureChange::Replace(key) => Some(key),
        PictureChange::Keep | PictureChange::Remove => None,
    };
    sqlx::query!(
        "UPDATE users SET name = $2, phone = $3, address = $4, pending_email = $5,
                          phone_verified_at = CASE WHEN phone = $3 THEN phone_verified_at END,
                          picture = CASE WHEN $6 THEN $7 ELSE picture END, language = $8, updated_at = $9
         WHERE id = $1",
        id.0,
        profile.name,
        profile.phone,
        profile.address,
        profile.pending_email,
        profile.picture != PictureChange::Keep,
        picture,
        profile.language,
        profile.now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn set_address(
    connection: &mut PgConnection,
    id: UserId,
    line: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE users SET address = $2, updated_at = $3 WHERE id = $1", id.0, line, now)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn set_password(
    connection: &mut PgConnection,
    id: UserId,
    hash: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE users SET password_hash = $2, updated_at = $3 WHERE id = $1", id.0, hash, now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Confirms the account's current or pending address. Returns false if another account has taken it since.
pub async fn confirm_email(
    connection: &mut PgConnection,
    id: UserId,
    email: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE users SET email = $2, email_confirmed_at = $3, updated_at = $3,
                          pending_email = CASE WHEN lower(pending_email) = lower($2) THEN NULL ELSE pending_email END
         WHERE id = $1 AND deleted_at IS NULL AND lower($2) IN (lower(email), lower(pending_email))
           AND NOT EXISTS (SELECT FROM users o WHERE lower(o.email) = lower($2) AND o.id <> $1 AND o.deleted_at IS NULL)
           AND NOT EXISTS (SELECT FROM email_changes
                           WHERE lower(old_email) = lower($2) AND user_id <> $1 AND expires_at > $3)",
        id.0,
        email,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Restores the account's former address and deletes its password. Returns false if another account has the address.
pub async fn restore_email(
    connection: &mut PgConnection,
    id: UserId,
    email: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE users SET email = $2, email_confirmed_at = $3, pending_email = NULL, password_hash = NULL, updated_at = $3
         WHERE id = $1 AND deleted_at IS NULL
           AND NOT EXISTS (SELECT FROM users o WHERE lower(o.email) = lower($2) AND o.id <> $1 AND o.deleted_at IS NULL)",
        id.0,
        email,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns false if no address was pending.
pub async fn clear_pending_email(connection: &mut PgConnection, id: UserId, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE users SET pending_email = NULL, updated_at = $2 WHERE id = $1 AND pending_email IS NOT NULL",
        id.0,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn is_email_taken(
    db: &PgPool,
    email: &str,
    but_for: Option<UserId>,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM users WHERE lower(email) = lower($1) AND id IS DISTINCT FROM $2
                          AND deleted_at IS NULL)
               OR EXISTS (SELECT FROM email_changes WHERE lower(old_email) = lower($1) AND user_id IS DISTINCT FROM $2
                          AND expires_at > $3) AS "taken!""#,
        email,
        but_for.map(|user| user.0),
        now,
    )
    .fetch_one(db)
    .await
}

/// Returns those of the given picture keys that are a shopper's photo.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(r#"SELECT picture AS "picture!" FROM users WHERE picture = ANY ($1)"#, keys).fetch_all(db).await
}
