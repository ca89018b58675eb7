//! Sign-ins through the identity provider that are under way.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::platform::openid::Identity;

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
