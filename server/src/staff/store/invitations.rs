//! Invitations and their links.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::platform::permissions::Role;
use crate::staff::model::Invitation;

pub struct NewInvitation<'a> {
    pub id: Uuid,
    pub email: &'a str,
    pub name: &'a str,
    pub role: Role,
    pub language: &'a str,
    pub invited_by: Uuid,
    pub expires_at: DateTime<Utc>,
}

/// Inserts an invitation and deletes an earlier one for the same address, with its links.
pub async fn replace_invitation(
    connection: &mut PgConnection,
    new: &NewInvitation<'_>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM staff_invitations WHERE lower(email) = lower($1)", new.email)
        .execute(&mut *connection)
        .await?;
    sqlx::query!(
        "INSERT INTO staff_invitations (id, email, name, role, language, invited_by, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        new.id,
        new.email,
        new.name,
        new.role.name(),
        new.language,
        new.invited_by,
        now,
        new.expires_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn list_invitations(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<Vec<Invitation>> {
    sqlx::query_as!(
        Invitation,
        r#"SELECT id, email, name, role AS "role: Role", invited_by, expires_at FROM staff_invitations
           WHERE expires_at > $1 ORDER BY created_at DESC, id DESC"#,
        now,
    )
    .fetch_all(db)
    .await
}

pub async fn lock_invitation(
    connection: &mut PgConnection,
    id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Invitation>> {
    sqlx::query_as!(
        Invitation,
        r#"SELECT id, email, name, role AS "role: Role", invited_by, expires_at FROM staff_invitations
           WHERE id = $1 AND expires_at > $2 FOR UPDATE"#,
        id,
        now,
    )
    .fetch_optional(connection)
    .await
}

pub async fn delete_invitation(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM staff_invitations WHERE id = $1", id).execute(connection).await?;
    Ok(())
}

pub async fn delete_expired_invitations(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!("DELETE FROM staff_invitations WHERE expires_at < $1", now).execute(db).await?;
    Ok(done.rows_affected())
}

/// Makes the links that were sent before invalid.
pub async fn delete_invitation_links(connection: &mut PgConnection, invitation: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM staff_invitation_links WHERE invitation = $1", invitation).execute(connection).await?;
    Ok(())
}

pub async fn extend_invitation(connection: &mut PgConnection, id: Uuid, expires_at: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE staff_invitations SET expires_at = $2 WHERE id = $1", id, expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Adds a link to an invitation. Returns the invitation's language.
pub async fn insert_invitation_link(
    connection: &mut PgConnection,
    invitation: Uuid,
    token: &[u8],
) -> sqlx::Result<String> {
    sqlx::query!("INSERT INTO staff_invitation_links (token_hash, invitation) VALUES ($1, $2)", token, invitation)
        .execute(&mut *connection)
        .await?;
    sqlx::query_scalar!("SELECT language FROM staff_invitations WHERE id = $1", invitation).fetch_one(connection).await
}

pub async fn find_invitation_by_token(
    db: &PgPool,
    token: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Invitation>> {
    sqlx::query_as!(
        Invitation,
        r#"SELECT i.id, i.email, i.name, i.role AS "role: Role", i.invited_by, i.expires_at
           FROM staff_invitation_links l JOIN staff_invitations i ON i.id = l.invitation
           WHERE l.token_hash = $1 AND i.expires_at > $2"#,
        token,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Returns whether the link belongs to the invitation; it may have been revoked since it was found.
pub async fn has_link(connection: &mut PgConnection, invitation: Uuid, token: &[u8]) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM staff_invitation_links WHERE token_hash = $1 AND invitation = $2) AS "has!""#,
        token,
        invitation,
    )
    .fetch_one(connection)
    .await
}
