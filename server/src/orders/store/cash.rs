//! The functions of the database that write the cash ledger, and that turn a cash order into an online order, in the
//! transaction that changes the order.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::orders::model::{LockedOrder, amount_to_collect};
use crate::orders::transition::FinancialStatus;
use crate::platform::ids::OrderId;

/// Records that the cash of a delivered order was collected: by its rider, or in the till if it has none.
pub async fn collect_cash(connection: &mut PgConnection, order: &LockedOrder, by: Option<Uuid>) -> sqlx::Result<()> {
    let to_collect = amount_to_collect(order.due, order.returned);
    sqlx::query!(
        "SELECT collect_order_cash($1, $2, $3, $4, $5, $6, $7)",
        order.id.0,
        order.due.0,
        to_collect.0,
        order.collected.unwrap_or(to_collect).0,
        order.rider,
        by,
        order.now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Takes back what `collect_cash` recorded.
pub async fn reverse_cash(
    connection: &mut PgConnection,
    order: OrderId,
    by: Option<Uuid>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("SELECT reverse_order_cash($1, $2, $3)", order.0, by, now).execute(connection).await?;
    Ok(())
}

/// Makes a cash order an online order. The serving role may not change the method itself, and the function refuses
/// unless the wallet has paid.
pub async fn pay_cash_order_online(
    connection: &mut PgConnection,
    order: OrderId,
    payment: FinancialStatus,
) -> sqlx::Result<()> {
    sqlx::query!("SELECT pay_cash_order_online($1, $2)", order.0, payment.name()).execute(connection).await?;
    Ok(())
}
