//! All SQL of the accounts module.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::model::{LinkedIdentity, UserRow};
use crate::platform::openid::Identity;

/// Locks the account until the transaction ends. Code that creates or deletes links or sessions because a credential
/// changed takes this lock first.
pub async fn lock(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<UserRow>> {
    sqlx::query!("SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE", id).fetch_optional(&mut *connection).await?;
    find(connection, id).await
}

/// Locks the account against every other writer until the transaction ends, without reading it.
pub async fn lock_user(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("SELECT id FROM users WHERE id = $1 FOR UPDATE", id).fetch_optional(connection).await?;
    Ok(())
}

pub async fn lock_by_email(connection: &mut PgConnection, email: &str) -> sqlx::Result<Option<UserRow>> {
    let id = sqlx::query_scalar!(
        "SELECT id FROM users WHERE lower(email) = lower($1) AND deleted_at IS NULL FOR NO KEY UPDATE",
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
    id: Uuid,
    hash: Option<&str>,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!("SELECT password_hash FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE", id,)
        .fetch_optional(connection)
        .await
        .map(|found| found.is_some_and(|stored| stored.as_deref() == hash))
}

pub async fn find(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<UserRow>> {
    sqlx::query_as!(
        UserRow,
        r#"SELECT id, email, email_confirmed_at IS NOT NULL AS "email_confirmed!", pending_email, name, phone, address,
                  picture, password_hash IS NOT NULL AS "has_password!", language, created_at, updated_at,
                  EXISTS (SELECT FROM user_identities i WHERE i.user_id = users.id) AS "google!"
           FROM users WHERE id = $1 AND deleted_at IS NULL"#,
        id,
    )
    .fetch_optional(connection)
    .await
}

pub struct UserCredentials {
    pub id: Uuid,
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

pub async fn find_credentials(db: &PgPool, id: Uuid) -> sqlx::Result<Option<UserCredentials>> {
    sqlx::query_as!(
        UserCredentials,
        "SELECT id, email, name, language, pending_email, password_hash FROM users WHERE id = $1 AND deleted_at IS NULL",
        id,
    )
    .fetch_optional(db)
    .await
}

pub struct NewUser<'a> {
    pub id: Uuid,
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
        user.id,
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

pub async fn update_profile(connection: &mut PgConnection, id: Uuid, profile: &ProfileChanges<'_>) -> sqlx::Result<()> {
    let picture = match profile.picture {
        PictureChange::Replace(key) => Some(key),
        PictureChange::Keep | PictureChange::Remove => None,
    };
    sqlx::query!(
        "UPDATE users SET name = $2, phone = $3, address = $4, pending_email = $5,
                          picture = CASE WHEN $6 THEN $7 ELSE picture END, language = $8, updated_at = $9
         WHERE id = $1",
        id,
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

pub async fn set_address(connection: &mut PgConnection, id: Uuid, line: &str, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE users SET address = $2, updated_at = $3 WHERE id = $1", id, line, now)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn set_password(connection: &mut PgConnection, id: Uuid, hash: &str, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE users SET password_hash = $2, updated_at = $3 WHERE id = $1", id, hash, now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Confirms the account's current or pending address. Returns false if another account has taken it since.
pub async fn confirm_email(
    connection: &mut PgConnection,
    id: Uuid,
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
        id,
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
    id: Uuid,
    email: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE users SET email = $2, email_confirmed_at = $3, pending_email = NULL, password_hash = NULL, updated_at = $3
         WHERE id = $1 AND deleted_at IS NULL
           AND NOT EXISTS (SELECT FROM users o WHERE lower(o.email) = lower($2) AND o.id <> $1 AND o.deleted_at IS NULL)",
        id,
        email,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns false if no address was pending.
pub async fn clear_pending_email(connection: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE users SET pending_email = NULL, updated_at = $2 WHERE id = $1 AND pending_email IS NOT NULL",
        id,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub struct EmailChange {
    pub old_email: String,
    pub new_email: String,
    pub requested_at: DateTime<Utc>,
}

/// Records a requested change and returns its id, with which the owner of the old address can cancel it.
pub async fn insert_email_change(
    connection: &mut PgConnection,
    user: Uuid,
    old_email: &str,
    new_email: &str,
    lifetime: Duration,
    now: DateTime<Utc>,
) -> sqlx::Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "INSERT INTO email_changes (id, user_id, old_email, new_email, requested_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        id,
        user,
        old_email,
        new_email,
        now,
        now + lifetime,
    )
    .execute(connection)
    .await?;
    Ok(id)
}

pub async fn find_email_change_owner(connection: &mut PgConnection, change: Uuid) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("SELECT user_id FROM email_changes WHERE id = $1", change).fetch_optional(connection).await
}

pub async fn find_email_change(connection: &mut PgConnection, change: Uuid) -> sqlx::Result<Option<EmailChange>> {
    sqlx::query_as!(EmailChange, "SELECT old_email, new_email, requested_at FROM email_changes WHERE id = $1", change)
        .fetch_optional(connection)
        .await
}

/// Deletes the changes requested since then; their links are deleted by the foreign key.
pub async fn delete_email_changes_since(
    connection: &mut PgConnection,
    user: Uuid,
    since: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM email_changes WHERE user_id = $1 AND requested_at >= $2", user, since)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn is_email_taken(db: &PgPool, email: &str, but_for: Option<Uuid>, now: DateTime<Utc>) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM users WHERE lower(email) = lower($1) AND id IS DISTINCT FROM $2
                          AND deleted_at IS NULL)
               OR EXISTS (SELECT FROM email_changes WHERE lower(old_email) = lower($1) AND user_id IS DISTINCT FROM $2
                          AND expires_at > $3) AS "taken!""#,
        email,
        but_for,
        now,
    )
    .fetch_one(db)
    .await
}

pub struct NewLink<'a> {
    pub token: &'a [u8],
    pub purpose: &'a str,
    pub user: Uuid,
    pub email: &'a str,
    pub expires_at: DateTime<Utc>,
    /// The email that contains the link.
    pub message: Uuid,
    /// The change that the link cancels.
    pub change: Option<Uuid>,
}

/// Inserts a link. Older links for the same purpose stop working, except those that cancel another change and those of
/// an earlier attempt to send the same email.
pub async fn replace_link(connection: &mut PgConnection, link: &NewLink<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM one_time_links
         WHERE user_id = $1 AND purpose = $2 AND message_id IS DISTINCT FROM $3 AND change_id IS NOT DISTINCT FROM $4",
        link.user,
        link.purpose,
        link.message,
        link.change,
    )
    .execute(&mut *connection)
    .await?;
    insert_link(connection, link).await
}

/// Inserts a link and leaves older ones valid.
pub async fn insert_link(connection: &mut PgConnection, link: &NewLink<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO one_time_links (token_hash, purpose, user_id, email, expires_at, message_id, change_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        link.token,
        link.purpose,
        link.user,
        link.email,
        link.expires_at,
        link.message,
        link.change,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete_links(connection: &mut PgConnection, user: Uuid, purposes: &[&str]) -> sqlx::Result<()> {
    let purposes: Vec<String> = purposes.iter().map(|&purpose| purpose.to_owned()).collect();
    sqlx::query!("DELETE FROM one_time_links WHERE user_id = $1 AND purpose = ANY ($2)", user, &purposes)
        .execute(connection)
        .await?;
    Ok(())
}

/// Locks the account that a valid link belongs to.
pub async fn lock_link_owner(
    connection: &mut PgConnection,
    token: &[u8],
    purpose: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "SELECT u.id FROM users u JOIN one_time_links l ON l.user_id = u.id
         WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3 AND deleted_at IS NULL FOR NO KEY UPDATE OF u",
        token,
        purpose,
        now,
    )
    .fetch_optional(connection)
    .await
}

pub struct LinkOwner {
    pub name: String,
    pub email: String,
    pub phone: String,
}

/// Returns the owner of a valid link.
pub async fn find_link_owner(
    db: &PgPool,
    token: &[u8],
    purpose: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<LinkOwner>> {
    sqlx::query_as!(
        LinkOwner,
        "SELECT name, u.email, phone FROM one_time_links l JOIN users u ON u.id = l.user_id
         WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3 AND deleted_at IS NULL",
        token,
        purpose,
        now,
    )
    .fetch_optional(db)
    .await
}

pub struct UsedLink {
    pub email: String,
    pub change_id: Option<Uuid>,
}

/// Deletes a link. Returns `None` if it is unknown, was used or has expired.
pub async fn consume_link(
    connection: &mut PgConnection,
    token: &[u8],
    purpose: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<UsedLink>> {
    sqlx::query_as!(
        UsedLink,
        "DELETE FROM one_time_links WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3
         RETURNING email, change_id",
        token,
        purpose,
        now,
    )
    .fetch_optional(connection)
    .await
}

pub struct NewFlow<'a> {
    pub state: &'a [u8],
    pub browser: &'a [u8],
    pub nonce: &'a str,
    pub verifier: &'a str,
    pub return_to: &'a str,
    /// Whether the provider must ask for a new login.
    pub fresh: bool,
    pub started_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

pub async fn insert_flow(db: &PgPool, flow: &NewFlow<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO openid_flows (state_hash, browser_hash, nonce, verifier, return_to, fresh, started_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        flow.state,
        flow.browser,
        flow.nonce,
        flow.verifier,
        flow.return_to,
        flow.fresh,
        flow.started_at,
        flow.expires_at,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub struct StartedFlow {
    pub nonce: String,
    pub verifier: String,
    pub return_to: String,
    pub fresh: bool,
    pub started_at: DateTime<Utc>,
}

/// Deletes the flow, because a state is valid once and only in the browser that started it.
pub async fn consume_flow(
    db: &PgPool,
    state: &[u8],
    browser: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<Option<StartedFlow>> {
    sqlx::query_as!(
        StartedFlow,
        "DELETE FROM openid_flows WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3
         RETURNING nonce, verifier, return_to, fresh, started_at",
        state,
        browser,
        now,
    )
    .fetch_optional(db)
    .await
}

pub async fn save_verified_identity(
    db: &PgPool,
    browser: &[u8],
    identity: &Identity,
    fresh: bool,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO openid_identities (browser_hash, issuer, subject, email, name, picture, expires_at, fresh)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (browser_hash) DO UPDATE SET issuer = excluded.issuer, subject = excluded.subject,
             email = excluded.email, name = excluded.name, picture = excluded.picture, expires_at = excluded.expires_at,
             fresh = excluded.fresh",
        browser,
        identity.issuer,
        identity.subject,
        identity.email,
        identity.name,
        identity.picture,
        expires_at,
        fresh,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub async fn find_verified_identity(db: &PgPool, browser: &[u8], now: DateTime<Utc>) -> sqlx::Result<Option<Identity>> {
    sqlx::query_as!(
        Identity,
        "SELECT issuer, subject, email, name, picture FROM openid_identities
         WHERE browser_hash = $1 AND expires_at > $2",
        browser,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Deletes the identity and returns whether it comes from a new login at the provider, or `None` if another request has
/// used it.
pub async fn consume_identity(
    connection: &mut PgConnection,
    browser: &[u8],
    subject: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<bool>> {
    sqlx::query_scalar!(
        "DELETE FROM openid_identities WHERE browser_hash = $1 AND subject = $2 AND expires_at > $3 RETURNING fresh",
        browser,
        subject,
        now,
    )
    .fetch_optional(connection)
    .await
}

pub async fn find_user_by_identity(db: impl PgExecutor<'_>, issuer: &str, subject: &str) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "SELECT user_id FROM user_identities i JOIN users u ON u.id = i.user_id
         WHERE issuer = $1 AND subject = $2 AND u.deleted_at IS NULL",
        issuer,
        subject,
    )
    .fetch_optional(db)
    .await
}

pub async fn link_identity(
    connection: &mut PgConnection,
    user: Uuid,
    identity: &Identity,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO user_identities (issuer, subject, user_id, email, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT ON CONSTRAINT user_identities_key DO NOTHING",
        identity.issuer,
        identity.subject,
        user,
        identity.email,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn list_identities(db: impl PgExecutor<'_>, user: Uuid) -> sqlx::Result<Vec<LinkedIdentity>> {
    sqlx::query_as!(
        LinkedIdentity,
        r#"SELECT id, coalesce(email, '') AS "email!", created_at AS linked_at FROM user_identities
           WHERE user_id = $1 ORDER BY created_at, id"#,
        user,
    )
    .fetch_all(db)
    .await
}

pub async fn remove_identity(connection: &mut PgConnection, user: Uuid, identity: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM user_identities WHERE user_id = $1 AND id = $2", user, identity)
        .execute(connection)
        .await?;
    Ok(())
}

/// Returns whether there were any.
pub async fn remove_identities_since(
    connection: &mut PgConnection,
    user: Uuid,
    since: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!("DELETE FROM user_identities WHERE user_id = $1 AND created_at >= $2", user, since)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Removes the identities linked under an address other than this one. Returns whether there were any.
pub async fn remove_other_identities(connection: &mut PgConnection, user: Uuid, email: &str) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "DELETE FROM user_identities WHERE user_id = $1 AND lower(email) IS DISTINCT FROM lower($2)",
        user,
        email,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Removes everything that identifies the person. The row stays, because orders refer to it.
pub async fn anonymize(connection: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE users SET email = '', email_confirmed_at = NULL, pending_email = NULL, name = '', phone = '',
                          address = '', picture = NULL, password_hash = NULL, updated_at = $2, deleted_at = $2
         WHERE id = $1",
        id,
        now,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!("DELETE FROM user_identities WHERE user_id = $1", id).execute(&mut *connection).await?;
    sqlx::query!("DELETE FROM one_time_links WHERE user_id = $1", id).execute(&mut *connection).await?;
    sqlx::query!("DELETE FROM email_changes WHERE user_id = $1", id).execute(connection).await?;
    Ok(())
}

/// Returns those of the given picture keys that are a shopper's photo.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(r#"SELECT picture AS "picture!" FROM users WHERE picture = ANY ($1)"#, keys).fetch_all(db).await
}

/// Deletes expired links, email changes and provider sign-ins.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let links = sqlx::query!("DELETE FROM one_time_links WHERE expires_at < $1", now).execute(db).await?;
    let changes = sqlx::query!("DELETE FROM email_changes WHERE expires_at < $1", now).execute(db).await?;
    let flows = sqlx::query!("DELETE FROM openid_flows WHERE expires_at < $1", now).execute(db).await?;
    let identities = sqlx::query!("DELETE FROM openid_identities WHERE expires_at < $1", now).execute(db).await?;
    Ok(links.rows_affected() + changes.rows_affected() + flows.rows_affected() + identities.rows_affected())
}
