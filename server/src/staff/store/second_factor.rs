//! TOTP secrets and backup codes.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// Returns false if the code is unknown or was used before.
pub async fn consume_backup_code(
    connection: &mut PgConnection,
    seller: Uuid,
    code: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE seller_backup_codes SET used_at = $3 WHERE seller = $1 AND code_hash = $2 AND used_at IS NULL",
        seller,
        code,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Replaces all backup codes of the seller.
pub async fn replace_backup_codes(connection: &mut PgConnection, seller: Uuid, codes: &[Vec<u8>]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM seller_backup_codes WHERE seller = $1", seller).execute(&mut *connection).await?;
    sqlx::query!(
        "INSERT INTO seller_backup_codes (seller, code_hash) SELECT $1, code FROM unnest($2::bytea[]) code",
        seller,
        codes,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns false if a code of this or a later time step was used before.
pub async fn consume_totp_step(connection: &mut PgConnection, id: Uuid, step: i64) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE sellers SET totp_last_step = $2 WHERE id = $1 AND totp_last_step < $2", id, step)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Switches the second step on or off and resets the last used time step.
pub async fn set_second_step(
    connection: &mut PgConnection,
    id: Uuid,
    encrypted: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sellers SET totp_secret = $2, totp_pending_secret = NULL, totp_last_step = 0, updated_at = $3 WHERE id = $1",
        id,
        encrypted,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Locks and returns the TOTP secrets of all sellers who have one.
pub async fn list_totp_secrets(connection: &mut PgConnection) -> sqlx::Result<Vec<(Uuid, String)>> {
    let rows = sqlx::query!(
        r#"SELECT id, totp_secret AS "secret!" FROM sellers WHERE totp_secret IS NOT NULL ORDER BY id FOR UPDATE"#
    );
    Ok(rows.fetch_all(connection).await?.into_iter().map(|row| (row.id, row.secret)).collect())
}

pub async fn replace_totp_secret(connection: &mut PgConnection, id: Uuid, encrypted: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE sellers SET totp_secret = $2 WHERE id = $1", id, encrypted).execute(connection).await?;
    Ok(())
}

/// Stores a secret that its owner has to confirm with a code.
pub async fn set_pending_secret(connection: &mut PgConnection, id: Uuid, encrypted: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE sellers SET totp_pending_secret = $2 WHERE id = $1", id, encrypted)
        .execute(connection)
        .await?;
    Ok(())
}

pub struct TotpSecrets {
    pub secret: Option<String>,
    pub pending: Option<String>,
}

/// Locks an active seller and returns the encrypted secrets.
pub async fn lock_totp_secrets(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<TotpSecrets>> {
    sqlx::query_as!(
        TotpSecrets,
        "SELECT totp_secret AS secret, totp_pending_secret AS pending FROM sellers
         WHERE id = $1 AND disabled_at IS NULL FOR UPDATE",
        id,
    )
    .fetch_optional(connection)
    .await
}
