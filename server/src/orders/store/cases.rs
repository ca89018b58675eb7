//! The SQL of cases. A case is opened in the transaction that changes the order, so its table is in this module; the
//! module `settlement` lists and closes cases.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::orders::model::CaseRow;
use crate::orders::transition::CaseKind;
use crate::platform::ids::OrderId;
use crate::platform::money::Paisa;

/// Opens a case unless the order already has an open one of this kind.
pub async fn open_case(
    connection: &mut PgConnection,
    order: OrderId,
    case: CaseKind,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO cases (order_id, kind, opened_at) VALUES ($1, $2, $3)
         ON CONFLICT (order_id, kind) WHERE closed_at IS NULL DO NOTHING",
        order.0,
        case.name(),
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Opens a case for a lasting condition: once the seller has closed it, it is not opened again.
pub async fn open_case_once(
    connection: &mut PgConnection,
    order: OrderId,
    case: CaseKind,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO cases (order_id, kind, opened_at) SELECT $1, $2, $3
         WHERE NOT EXISTS (SELECT FROM cases WHERE order_id = $1 AND kind = $2)",
        order.0,
        case.name(),
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn list_open_cases(
    connection: &mut PgConnection,
    orders: &[OrderId],
) -> sqlx::Result<Vec<(OrderId, String)>> {
    let rows = sqlx::query!(
        r#"SELECT order_id AS "order_id: OrderId", kind FROM cases WHERE order_id = ANY($1) AND closed_at IS NULL ORDER BY id"#,
        orders as _,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.order_id, row.kind)).collect())
}

/// Lists open or closed cases before one of them, newest first; both have their own index.
pub async fn list_cases(
    connection: &mut PgConnection,
    closed: bool,
    before: i64,
    limit: i64,
) -> sqlx::Result<Vec<CaseRow>> {
    macro_rules! select_cases {
        ($which:literal) => {
            sqlx::query_as!(
                CaseRow,
                r#"SELECT c.id, c.kind, c.opened_at, c.closed_at, c.order_id, o.code, o.status, o.method, o.payment,
                          o.total_paisa AS "total: Paisa", o.recipient, o.phone
                   FROM cases c JOIN orders o ON o.id = c.order_id WHERE "#
                    + $which
                    + " AND c.id < $1 ORDER BY c.id DESC LIMIT $2",
                before,
                limit
            )
        };
    }
    if closed {
        select_cases!("c.closed_at IS NOT NULL").fetch_all(connection).await
    } else {
        select_cases!("c.closed_at IS NULL").fetch_all(connection).await
    }
}

pub async fn count_open_cases(connection: &mut PgConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM cases WHERE closed_at IS NULL"#).fetch_one(connection).await
}

/// Closes a case and returns the order number and the kind of the case; `None` when there is no such open case.
pub async fn close_case(
    connection: &mut PgConnection,
    case: i64,
    seller: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<(String, String)>> {
    let closed = sqlx::query!(
        "UPDATE cases c SET closed_at = $3, closed_by = $2 FROM orders o
         WHERE c.id = $1 AND c.closed_at IS NULL AND o.id = c.order_id RETURNING o.code, c.kind",
        case,
        seller,
        now,
    )
    .fetch_optional(connection)
    .await?;
    Ok(closed.map(|row| (row.code, row.kind)))
}

/// Closes cases that no longer need attention.
pub async fn close_cases(
    connection: &mut PgConnection,
    order: OrderId,
    kinds: &[CaseKind],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let kinds: Vec<String> = kinds.iter().map(|case| case.name().to_owned()).collect();
    sqlx::query!(
        "UPDATE cases SET closed_at = $3 WHERE order_id = $1 AND kind = ANY($2) AND closed_at IS NULL",
        order.0,
        &kinds,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}
