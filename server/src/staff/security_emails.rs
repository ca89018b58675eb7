//! Security emails to a seller about the seller's own account.

use sqlx::PgConnection;
use uuid::Uuid;

use super::store;
use crate::notifications::{self, Email, SecurityEmailKind};
use crate::platform::state::App;

/// Sends the email in the caller's transaction. `device` is the browser that caused it, or empty if none should be
/// named.
pub async fn send_security_email(
    connection: &mut PgConnection,
    seller: Uuid,
    kind: SecurityEmailKind,
    device: String,
) -> sqlx::Result<()> {
    let Some(to) = store::find_recipient(connection, seller).await? else { return Ok(()) };
    notifications::send_email(connection, &to, &Email::Security { kind, device }).await
}

/// Sends the email in a transaction of its own, after an attempt whose transaction was rolled back or that had none.
pub async fn send_security_email_in_new_tx(app: &App, seller: Uuid, kind: SecurityEmailKind) -> sqlx::Result<()> {
    let mut tx = app.db.main.begin().await?;
    send_security_email(&mut tx, seller, kind, String::new()).await?;
    tx.commit().await
}
