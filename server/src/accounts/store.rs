//! All SQL of accounts.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::platform::db::interval;
use crate::platform::openid::Identity;

pub struct Row {
    pub id: Uuid,
    pub email: String,
    pub email_confirmed: bool,
    pub pending_email: Option<String>,
    pub name: String,
    pub phone: String,
    pub address: String,
    pub picture: Option<String>,
    pub has_password: bool,
    pub google: bool,
    pub language: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

pub async fn find(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Row>> {
    sqlx::query_as!(
        Row,
        r#"SELECT id, email, email_confirmed_at IS NOT NULL AS "email_confirmed!", pending_email, name, phone, address,
                  picture, password_hash IS NOT NULL AS "has_password!", language, created_at, updated_at,
                  EXISTS (SELECT FROM user_identities i WHERE i.user_id = users.id) AS "google!"
           FROM users WHERE id = $1 AND deleted_at IS NULL"#,
        id,
    )
    .fetch_optional(connection)
    .await
}

pub async fn now(connection: &mut PgConnection) -> sqlx::Result<DateTime<Utc>> {
    sqlx::query_scalar!(r#"SELECT now() AS "now!""#).fetch_one(connection).await
}

pub struct Credentials {
    pub id: Uuid,
    pub email: String,
    pub name: String,
    pub language: String,
    pub password_hash: Option<String>,
}

pub async fn credentials(db: &PgPool, email: &str) -> sqlx::Result<Option<Credentials>> {
    sqlx::query_as!(
        Credentials,
        "SELECT id, email, name, language, password_hash FROM users
         WHERE lower(email) = lower($1) AND deleted_at IS NULL",
        email,
    )
    .fetch_optional(db)
    .await
}

pub async fn credentials_of(db: &PgPool, id: Uuid) -> sqlx::Result<Option<Credentials>> {
    sqlx::query_as!(
        Credentials,
        "SELECT id, email, name, language, password_hash FROM users WHERE id = $1 AND deleted_at IS NULL",
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
}

/// False when the address has an account already.
pub async fn insert(connection: &mut PgConnection, user: &NewUser<'_>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO users (id, email, email_confirmed_at, name, phone, picture, password_hash, language)
         VALUES ($1, $2, CASE WHEN $3 THEN now() END, $4, $5, $6, $7, $8)
         ON CONFLICT (lower(email)) WHERE deleted_at IS NULL DO NOTHING",
        user.id,
        user.email,
        user.email_confirmed,
        user.name,
        user.phone,
        user.picture,
        user.password_hash,
        user.language,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// What becomes of the photo.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Picture<'a> {
    Keep,
    Remove,
    Replace(&'a str),
}

pub struct Profile<'a> {
    pub name: &'a str,
    pub phone: &'a str,
    pub address: &'a str,
    pub pending_email: Option<&'a str>,
    pub picture: Picture<'a>,
    pub language: &'a str,
}

pub async fn update_profile(connection: &mut PgConnection, id: Uuid, profile: &Profile<'_>) -> sqlx::Result<()> {
    let picture = match profile.picture {
        Picture::Replace(key) => Some(key),
        Picture::Keep | Picture::Remove => None,
    };
    sqlx::query!(
        "UPDATE users SET name = $2, phone = $3, address = $4, pending_email = $5,
                          picture = CASE WHEN $6 THEN $7 ELSE picture END, language = $8, updated_at = now()
         WHERE id = $1",
        id,
        profile.name,
        profile.phone,
        profile.address,
        profile.pending_email,
        profile.picture != Picture::Keep,
        picture,
        profile.language,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn set_address(connection: &mut PgConnection, id: Uuid, line: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE users SET address = $2, updated_at = now() WHERE id = $1", id, line)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn set_password(connection: &mut PgConnection, id: Uuid, hash: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE users SET password_hash = $2, updated_at = now() WHERE id = $1", id, hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// The address has been proven. False when another account took it meanwhile.
pub async fn confirm_email(connection: &mut PgConnection, id: Uuid, email: &str) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE users SET email = $2, email_confirmed_at = now(), updated_at = now(),
                          pending_email = CASE WHEN lower(pending_email) = lower($2) THEN NULL ELSE pending_email END
         WHERE id = $1 AND deleted_at IS NULL
           AND NOT EXISTS (SELECT FROM users o WHERE lower(o.email) = lower($2) AND o.id <> $1 AND o.deleted_at IS NULL)",
        id,
        email,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn email_taken(db: &PgPool, email: &str, but_for: Option<Uuid>) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM users WHERE lower(email) = lower($1) AND id IS DISTINCT FROM $2
                          AND deleted_at IS NULL) AS "taken!""#,
        email,
        but_for,
    )
    .fetch_one(db)
    .await
}

pub struct Link<'a> {
    pub token: &'a [u8],
    pub purpose: &'a str,
    pub user: Uuid,
    pub email: &'a str,
    pub life: Duration,
}

/// A new link; older ones for the same purpose stop working.
pub async fn insert_link(connection: &mut PgConnection, link: &Link<'_>) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM one_time_links WHERE user_id = $1 AND purpose = $2", link.user, link.purpose)
        .execute(&mut *connection)
        .await?;
    sqlx::query!(
        "INSERT INTO one_time_links (token_hash, purpose, user_id, email, expires_at)
         VALUES ($1, $2, $3, $4, now() + $5::interval)",
        link.token,
        link.purpose,
        link.user,
        link.email,
        interval(link.life),
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub struct LinkOwner {
    pub name: String,
    pub email: String,
    pub phone: String,
}

/// Whose link this is, while it can be used.
pub async fn whose_link(db: &PgPool, token: &[u8], purpose: &str) -> sqlx::Result<Option<LinkOwner>> {
    sqlx::query_as!(
        LinkOwner,
        "SELECT name, u.email, phone FROM one_time_links l JOIN users u ON u.id = l.user_id
         WHERE token_hash = $1 AND purpose = $2 AND expires_at > now() AND deleted_at IS NULL",
        token,
        purpose,
    )
    .fetch_optional(db)
    .await
}

pub struct Used {
    pub user_id: Uuid,
    pub email: String,
}

/// Takes a link out of use; None when it was used, has expired or never was.
pub async fn use_link(connection: &mut PgConnection, token: &[u8], purpose: &str) -> sqlx::Result<Option<Used>> {
    sqlx::query_as!(
        Used,
        "DELETE FROM one_time_links WHERE token_hash = $1 AND purpose = $2 AND expires_at > now()
         RETURNING user_id, email",
        token,
        purpose,
    )
    .fetch_optional(connection)
    .await
}

pub struct Flow<'a> {
    pub state: &'a [u8],
    pub browser: &'a [u8],
    pub nonce: &'a str,
    pub verifier: &'a str,
    pub return_to: &'a str,
    pub life: Duration,
}

pub async fn insert_flow(db: &PgPool, flow: &Flow<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO openid_flows (state_hash, browser_hash, nonce, verifier, return_to, expires_at)
         VALUES ($1, $2, $3, $4, $5, now() + $6::interval)",
        flow.state,
        flow.browser,
        flow.nonce,
        flow.verifier,
        flow.return_to,
        interval(flow.life),
    )
    .execute(db)
    .await?;
    Ok(())
}

pub struct Begun {
    pub nonce: String,
    pub verifier: String,
    pub return_to: String,
}

/// A state is good once, and only in the browser that it was made for.
pub async fn use_flow(db: &PgPool, state: &[u8], browser: &[u8]) -> sqlx::Result<Option<Begun>> {
    sqlx::query_as!(
        Begun,
        "DELETE FROM openid_flows WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > now()
         RETURNING nonce, verifier, return_to",
        state,
        browser,
    )
    .fetch_optional(db)
    .await
}

pub async fn keep_identity(db: &PgPool, browser: &[u8], identity: &Identity, life: Duration) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO openid_identities (browser_hash, issuer, subject, email, name, picture, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + $7::interval)
         ON CONFLICT (browser_hash) DO UPDATE SET issuer = excluded.issuer, subject = excluded.subject,
             email = excluded.email, name = excluded.name, picture = excluded.picture, expires_at = excluded.expires_at",
        browser,
        identity.issuer,
        identity.subject,
        identity.email,
        identity.name,
        identity.picture,
        interval(life),
    )
    .execute(db)
    .await?;
    Ok(())
}

pub async fn identity_of_browser(db: &PgPool, browser: &[u8]) -> sqlx::Result<Option<Identity>> {
    sqlx::query_as!(
        Identity,
        "SELECT issuer, subject, email, name, picture FROM openid_identities
         WHERE browser_hash = $1 AND expires_at > now()",
        browser,
    )
    .fetch_optional(db)
    .await
}

/// Takes the identity out of use; false when another request was first.
pub async fn use_identity(connection: &mut PgConnection, browser: &[u8], subject: &str) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "DELETE FROM openid_identities WHERE browser_hash = $1 AND subject = $2 AND expires_at > now()",
        browser,
        subject,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn user_of_identity(db: &PgPool, issuer: &str, subject: &str) -> sqlx::Result<Option<Uuid>> {
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
    issuer: &str,
    subject: &str,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO user_identities (issuer, subject, user_id) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT user_identities_key DO NOTHING",
        issuer,
        subject,
        user,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Takes from the row everything that says who it was. The row stays, because orders name it.
pub async fn forget(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE users SET email = '', email_confirmed_at = NULL, pending_email = NULL, name = '', phone = '',
                          address = '', picture = NULL, password_hash = NULL, updated_at = now(), deleted_at = now()
         WHERE id = $1",
        id,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!("DELETE FROM user_identities WHERE user_id = $1", id).execute(&mut *connection).await?;
    sqlx::query!("DELETE FROM one_time_links WHERE user_id = $1", id).execute(connection).await?;
    Ok(())
}

/// Which of these pictures are somebody's.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(r#"SELECT picture AS "picture!" FROM users WHERE picture = ANY ($1)"#, keys).fetch_all(db).await
}

/// Links and sign-ins whose time is over.
pub async fn tidy(db: &PgPool) -> sqlx::Result<u64> {
    let links = sqlx::query!("DELETE FROM one_time_links WHERE expires_at < now()").execute(db).await?;
    let flows = sqlx::query!("DELETE FROM openid_flows WHERE expires_at < now()").execute(db).await?;
    let identities = sqlx::query!("DELETE FROM openid_identities WHERE expires_at < now()").execute(db).await?;
    Ok(links.rows_affected() + flows.rows_affected() + identities.rows_affected())
}
