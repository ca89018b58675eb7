//! SQL about the connection itself.

use sqlx::{PgConnection, PgPool};

/// Lifts the time limits of the connection until the transaction ends.
pub async fn allow_long_work(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!(
        "SELECT set_config('statement_timeout', '0', true) AS a,
                set_config('idle_in_transaction_session_timeout', '0', true) AS b"
    )
    .fetch_one(connection)
    .await?;
    Ok(())
}

/// A minute for a statement, and half of one between two: enough for work that holds what others wait for, and an end should its
/// worker vanish without a word.
pub async fn allow_a_minute(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!(
        "SELECT set_config('statement_timeout', '60s', true) AS a,
                set_config('idle_in_transaction_session_timeout', '30s', true) AS b"
    )
    .fetch_one(connection)
    .await?;
    Ok(())
}

/// Grants the serving role its updates by column; part of `migrate`, so that new columns are covered.
pub async fn restrict_updates(db: &PgPool) -> sqlx::Result<()> {
    sqlx::query!("SELECT restrict_updates() AS done").fetch_one(db).await?;
    Ok(())
}
