//! The SQL that packing needs of an order.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::orders::model::OrderTerms;
use crate::platform::ids::OrderId;
use crate::platform::money::{Paisa, Percent};

/// Returns the amounts and rates that the shopper agreed to when the order was placed.
pub async fn find_terms(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Option<OrderTerms>> {
    let row = sqlx::query!(
        r#"SELECT total_paisa AS "total: Paisa", shipping_paisa AS "shipping: Paisa", free_above_paisa AS "free_above: Paisa",
                  tax_rate_bp, vat_registered, prices_include_tax, weight_tolerance_bp
           FROM orders WHERE id = $1"#,
        order.0,
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| OrderTerms {
        total: row.total,
        shipping: row.shipping,
        free_above: row.free_above,
        tax_rate: Percent(row.tax_rate_bp),
        vat_registered: row.vat_registered,
        prices_include_tax: row.prices_include_tax,
        weight_tolerance: Percent(row.weight_tolerance_bp),
    }))
}

/// Stores what the shopper owes after packing, and tells open pages. The order must be locked.
pub async fn set_amount_due(
    connection: &mut PgConnection,
    order: OrderId,
    due: Paisa,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH packed AS (UPDATE orders SET amount_due_paisa = $2, updated_at = $3 WHERE id = $1 RETURNING id, status)
         INSERT INTO order_events (order_id, status, actor, internal) SELECT id, status, 'system', true FROM packed",
        order.0,
        due.0,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}
