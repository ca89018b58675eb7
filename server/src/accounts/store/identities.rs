//! The identities at the provider that belong to an account.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::accounts::model::LinkedIdentity;
use crate::platform::ids::UserId;
use crate::platform::openid::Identity;

pub async fn find_user_by_identity(
    db: impl PgExecutor<'_>,
    issuer: &str,
    subject: &str,
) -> sqlx::Result<Option<UserId>> {
    sqlx::query_scalar!(
        r#"SELECT user_id AS "user_id: UserId" FROM user_identities i JOIN users u ON u.id = i.user_id
         WHERE issuer = $1 AND subject = $2 AND u.deleted_at IS NULL"#,
        issuer,
        subject,
    )
    .fetch_optional(db)
    .await
}

pub async fn link_identity(
    connection: &mut PgConnection,
    user: UserId,
    identity: &Identity,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO user_identities (issuer, subject, user_id, email, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT ON CONSTRAINT user_identities_key DO NOTHING",
        identity.issuer,
        identity.subject,
        user.0,
        identity.email,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn list_identities(db: impl PgExecutor<'_>, user: UserId) -> sqlx::Result<Vec<LinkedIdentity>> {
    sqlx::query_as!(
        LinkedIdentity,
        r#"SELECT id, coalesce(email, '') AS "email!", created_at AS linked_at FROM user_identities
           WHERE user_id = $1 ORDER BY created_at, id"#,
        user.0,
    )
    .fetch_all(db)
    .await
}

pub async fn remove_identity(connection: &mut PgConnection, user: UserId, identity: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM user_identities WHERE user_id = $1 AND id = $2", user.0, identity)
        .execute(connection)
        .await?;
    Ok(())
}

/// Returns whether there were any.
pub async fn remove_identities_since(
    connection: &mut PgConnection,
    user: UserId,
    since: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!("DELETE FROM user_identities WHERE user_id = $1 AND created_at >= $2", user.0, since)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Removes the identities linked under an address other than this one. Returns whether there were any.
pub async fn remove_other_identities(connection: &mut PgConnection, user: UserId, email: &str) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "DELETE FROM user_identities WHERE user_id = $1 AND lower(email) IS DISTINCT FROM lower($2)",
        user.0,
        email,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}
