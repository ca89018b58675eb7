//! Emails to a seller about the own account.

use sqlx::PgConnection;
use uuid::Uuid;

use super::store;
use crate::notifications::{self, Letter, SecurityNews};
use crate::platform::state::App;

/// In the caller's transaction. `device` is the one that did it; empty when nobody's is to be named.
pub async fn tell(connection: &mut PgConnection, seller: Uuid, news: SecurityNews, device: String) -> sqlx::Result<()> {
    let Some(to) = store::recipient(connection, seller).await? else { return Ok(()) };
    notifications::send(connection, &to, &Letter::Security { news, device }).await
}

/// After an attempt whose own transaction was rolled back, or that had none.
pub async fn warn(app: &App, seller: Uuid, news: SecurityNews) -> sqlx::Result<()> {
    let mut tx = app.db.main.begin().await?;
    tell(&mut tx, seller, news, String::new()).await?;
    tx.commit().await
}
