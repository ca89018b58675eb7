//! What is deleted in several tables at once: the data of a deleted account, and expired rows.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::platform::ids::UserId;

/// Removes everything that identifies the person. The row stays, because orders refer to it.
pub async fn anonymize(connection: &mut PgConnection, id: UserId, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE users SET email = '', email_confirmed_at = NULL, pending_email = NULL, name = '', phone = '', phone_verified_at = NULL,
                          address = '', picture = NULL, password_hash = NULL, updated_at = $2, deleted_at = $2
         WHERE id = $1",
        id.0,
        now,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!("DELETE FROM user_identities WHERE user_id = $1", id.0).execute(&mut *connection).await?;
    sqlx::query!("DELETE FROM one_time_links WHERE user_id = $1", id.0).execute(&mut *connection).await?;
    sqlx::query!("DELETE FROM phone_codes WHERE user_id = $1", id.0).execute(&mut *connection).await?;
    sqlx::query!("DELETE FROM email_changes WHERE user_id = $1", id.0).execute(connection).await?;
    Ok(())
}

/// Deletes expired links, codes, email changes and provider sign-ins.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let links = sqlx::query!("DELETE FROM one_time_links WHERE expires_at < $1", now).execute(db).await?;
    let changes = sqlx::query!("DELETE FROM email_changes WHERE expires_at < $1", now).execute(db).await?;
    let flows = sqlx::query!("DELETE FROM openid_flows WHERE expires_at < $1", now).execute(db).await?;
    let identities = sqlx::query!("DELETE FROM openid_identities WHERE expires_at < $1", now).execute(db).await?;
    let codes = sqlx::query!("DELETE FROM phone_codes WHERE expires_at < $1", now).execute(db).await?;
    let links = links.rows_affected() + codes.rows_affected();
    Ok(links + changes.rows_affected() + flows.rows_affected() + identities.rows_affected())
}
