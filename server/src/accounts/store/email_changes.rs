//! Requested changes of an email address, which the owner of the old one can cancel.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::platform::ids::UserId;

pub struct EmailChange {
    pub old_email: String,
    pub new_email: String,
    pub requested_at: DateTime<Utc>,
}

/// Records a requested change and returns its id, with which the owner of the old address can cancel it.
pub async fn insert_email_change(
    connection: &mut PgConnection,
    user: UserId,
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
        user.0,
        old_email,
        new_email,
        now,
        now + lifetime,
    )
    .execute(connection)
    .await?;
    Ok(id)
}

pub async fn find_email_change_owner(connection: &mut PgConnection, change: Uuid) -> sqlx::Result<Option<UserId>> {
    sqlx::query_scalar!(r#"SELECT user_id AS "user_id: UserId" FROM email_changes WHERE id = $1"#, change)
        .fetch_optional(connection)
        .await
}

pub async fn find_email_change(connection: &mut PgConnection, change: Uuid) -> sqlx::Result<Option<EmailChange>> {
    sqlx::query_as!(EmailChange, "SELECT old_email, new_email, requested_at FROM email_changes WHERE id = $1", change)
        .fetch_optional(connection)
        .await
}

/// Deletes the changes requested since then; their links are deleted by the foreign key.
pub async fn delete_email_changes_since(
    connection: &mut PgConnection,
    user: UserId,
    since: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM email_changes WHERE user_id = $1 AND requested_at >= $2", user.0, since)
        .execute(connection)
        .await?;
    Ok(())
}
