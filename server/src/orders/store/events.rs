//! The SQL of the event stream.

use std::time::Duration;

use sqlx::PgPool;

use crate::orders::model::OrderEventRow;
use crate::platform::db::interval;

/// Lists the first thousand events after one of them. Ids are assigned before the commit, so a smaller id can appear
/// later. The database sets the time of an event, so its age is measured by the database's clock. (The limit is a
/// literal, because a plan for any limit would read all orders.)
pub async fn list_events_since(db: &PgPool, event: i64, settled_after: Duration) -> sqlx::Result<Vec<OrderEventRow>> {
    sqlx::query_as!(
        OrderEventRow,
        r#"SELECT e.id AS event, e.order_id AS "order", o.user_id AS "user", o.code, o.status,
                  CASE WHEN o.method = 'COD'
                       THEN NOT EXISTS (SELECT FROM order_events previous WHERE previous.order_id = e.order_id AND previous.id < e.id)
                       ELSE e.status = 'Order Confirmed' AND e.actor = 'system' AND NOT e.internal END AS "is_new!",
                  e.at < now() - $2::interval AS "is_settled!"
           FROM (SELECT id, order_id, status, actor, internal, at FROM order_events WHERE id > $1 ORDER BY id LIMIT 1000) e
           JOIN orders o ON o.id = e.order_id
           ORDER BY e.id"#,
        event,
        interval(settled_after),
    )
    .fetch_all(db)
    .await
}

/// Returns the newest event before which no other can still appear.
pub async fn last_settled_event(db: &PgPool, settled_after: Duration) -> sqlx::Result<i64> {
    let last = sqlx::query_scalar!(
        "SELECT id FROM (SELECT id, at FROM order_events ORDER BY id DESC LIMIT 10000) newest
         WHERE at < now() - $1::interval ORDER BY id DESC LIMIT 1",
        interval(settled_after),
    )
    .fetch_optional(db)
    .await?;
    Ok(last.unwrap_or(0))
}
