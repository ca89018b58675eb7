//! One-time links in emails.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::platform::ids::UserId;

pub struct NewLink<'a> {
    pub token: &'a [u8],
    pub purpose: &'a str,
    pub user: UserId,
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
        link.user.0,
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
        link.user.0,
        link.email,
        link.expires_at,
        link.message,
        link.change,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete_links(connection: &mut PgConnection, user: UserId, purposes: &[&str]) -> sqlx::Result<()> {
    let purposes: Vec<String> = purposes.iter().map(|&purpose| purpose.to_owned()).collect();
    sqlx::query!("DELETE FROM one_time_links WHERE user_id = $1 AND purpose = ANY ($2)", user.0, &purposes)
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
) -> sqlx::Result<Option<UserId>> {
    sqlx::query_scalar!(
        r#"SELECT u.id AS "id: UserId" FROM users u JOIN one_time_links l ON l.user_id = u.id
         WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3 AND deleted_at IS NULL FOR NO KEY UPDATE OF u"#,
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
