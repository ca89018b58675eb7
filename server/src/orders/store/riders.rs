//! The SQL about who delivers an order.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::platform::ids::OrderId;

pub struct AssignedOrder {
    pub order: OrderId,
    pub code: String,
    pub rider: Option<Uuid>,
}

/// Locks these orders, in the order of their ids, and returns their riders.
pub async fn lock_riders(connection: &mut PgConnection, orders: &[OrderId]) -> sqlx::Result<Vec<AssignedOrder>> {
    sqlx::query_as!(
        AssignedOrder,
        r#"SELECT id AS "order: OrderId", code, rider_id AS rider FROM orders WHERE id = ANY($1) ORDER BY id FOR UPDATE"#,
        orders as _,
    )
    .fetch_all(connection)
    .await
}

/// Returns the riders of those of these orders that have one.
pub async fn list_riders(connection: &mut PgConnection, orders: &[OrderId]) -> sqlx::Result<Vec<(OrderId, Uuid)>> {
    let rows = sqlx::query!(
        r#"SELECT id AS "id: OrderId", rider_id AS "rider!" FROM orders WHERE id = ANY($1) AND rider_id IS NOT NULL"#,
        orders as _,
    );
    Ok(rows.fetch_all(connection).await?.into_iter().map(|row| (row.id, row.rider)).collect())
}

pub async fn find_rider(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Option<Uuid>> {
    let found = sqlx::query_scalar!("SELECT rider_id FROM orders WHERE id = $1", order.0).fetch_optional(connection);
    Ok(found.await?.flatten())
}

pub async fn set_rider(
    connection: &mut PgConnection,
    orders: &[OrderId],
    rider: Option<Uuid>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE orders SET rider_id = $2, updated_at = $3 WHERE id = ANY($1)", orders as _, rider, now)
        .execute(connection)
        .await?;
    Ok(())
}
