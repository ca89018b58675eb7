//! The SQL about new orders that the staff has to open.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::orders::model::{NotOpenedOrder, OrderForAlert};
use crate::platform::ids::OrderId;
use crate::platform::money::Paisa;

/// Records the first member of staff who opened each order.
pub async fn mark_opened(
    connection: &mut PgConnection,
    orders: &[OrderId],
    seller: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE orders SET first_opened_at = $2, first_opened_by = $3 WHERE id = ANY ($1) AND first_opened_at IS NULL",
        orders as _,
        now,
        seller,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Lists the oldest orders that nobody has opened; the index `orders_not_opened` holds only a few at any time.
pub async fn list_not_opened(db: &PgPool, limit: i64) -> sqlx::Result<Vec<NotOpenedOrder>> {
    sqlx::query_as!(
        NotOpenedOrder,
        r#"SELECT id AS "id: OrderId", code, total_paisa AS "total: Paisa", created_at FROM orders
           WHERE first_opened_at IS NULL AND status IN ('Order Placed', 'Order Confirmed')
             AND payment IN ('cod_due', 'paid')
           ORDER BY id LIMIT $1"#,
        limit,
    )
    .fetch_all(db)
    .await
}

pub async fn count_not_opened(db: &PgPool, cap: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM (
               SELECT FROM orders WHERE first_opened_at IS NULL AND status IN ('Order Placed', 'Order Confirmed')
                   AND payment IN ('cod_due', 'paid') LIMIT $1) waiting"#,
        cap,
    )
    .fetch_one(db)
    .await
}

pub async fn find_for_alert(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Option<OrderForAlert>> {
    sqlx::query_as!(
        OrderForAlert,
        r#"SELECT code, total_paisa AS "total: Paisa", first_opened_at IS NOT NULL AS "is_opened!",
                  status IN ('Order Placed', 'Order Confirmed') AND payment IN ('cod_due', 'paid') AS "is_waiting!"
           FROM orders WHERE id = $1"#,
        order.0,
    )
    .fetch_optional(connection)
    .await
}
