//! SQL about the connection itself.

use sqlx::PgConnection;

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
