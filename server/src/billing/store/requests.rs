//! The SQL of what shoppers want on their bills.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::billing::model::BillRequest;
use crate::platform::ids::{OrderId, UserId};

pub async fn find_request(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Option<BillRequest>> {
    sqlx::query_as!(BillRequest, "SELECT buyer_name, buyer_pan FROM bill_requests WHERE order_id = $1", order.0)
        .fetch_optional(connection)
        .await
}

pub async fn save_request(
    connection: &mut PgConnection,
    order: OrderId,
    user: UserId,
    request: &BillRequest,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO bill_requests (order_id, user_id, buyer_name, buyer_pan, updated_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (order_id) DO UPDATE SET buyer_name = excluded.buyer_name, buyer_pan = excluded.buyer_pan,
                                              updated_at = excluded.updated_at",
        order.0,
        user.0,
        request.buyer_name,
        request.buyer_pan,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete_requests_of(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM bill_requests WHERE user_id = $1", user.0).execute(connection).await?;
    Ok(())
}

/// Lists what a shopper wants on the bills of which orders.
pub async fn list_requests_of(
    connection: &mut PgConnection,
    user: UserId,
) -> sqlx::Result<Vec<(OrderId, BillRequest)>> {
    let rows = sqlx::query!(
        r#"SELECT order_id AS "order_id: OrderId", buyer_name, buyer_pan FROM bill_requests WHERE user_id = $1 ORDER BY order_id"#,
        user.0,
    );
    let requests = rows
        .fetch_all(connection)
        .await?
        .into_iter()
        .map(|row| (row.order_id, BillRequest { buyer_name: row.buyer_name, buyer_pan: row.buyer_pan }));
    Ok(requests.collect())
}
