//! The SQL of what came back at the door.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::platform::ids::{OrderId, ProductId};
use crate::platform::money::Paisa;

/// A packed item of an order, and how much of it came back at the door.
pub struct ReturnedItem {
    pub product: ProductId,
    /// What a line of it costs, and the units of that line.
    pub amount: Paisa,
    pub units: i32,
    /// The units of all lines, and how many of them came back.
    pub quantity: i32,
    pub returned: i64,
    /// Whether tax is added to its price.
    pub is_taxed: bool,
    pub tax_rate_bp: i32,
}

impl ReturnedItem {
    /// The units of a weighed line may not divide its price; the last one to come back takes the rest.
    pub fn price_of(&self, units: i64) -> Paisa {
        Paisa(self.amount.0 * units / i64::from(self.units))
    }
}

/// A product that is in the bag twice, because it also replaces another, counts with its higher price.
pub async fn list_returned(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Vec<ReturnedItem>> {
    sqlx::query_as!(
        ReturnedItem,
        r#"SELECT DISTINCT ON (i.product_id) i.product_id AS "product!: ProductId", i.amount_paisa AS "amount!: Paisa",
                  i.quantity AS "units!", (sum(i.quantity) OVER (PARTITION BY i.product_id))::int AS "quantity!",
                  (SELECT coalesce(sum(r.quantity), 0) FROM door_returns r
                   WHERE r.order_id = $1 AND r.product_id = i.product_id) AS "returned!",
                  o.vat_registered AND NOT o.prices_include_tax AND i.tax_class = 'standard' AS "is_taxed!", o.tax_rate_bp
           FROM packed_lines i JOIN orders o ON o.id = i.order_id WHERE i.order_id = $1
           ORDER BY i.product_id, i.amount_paisa::numeric / i.quantity DESC"#,
        order.0,
    )
    .fetch_all(connection)
    .await
}

pub async fn record_return(
    connection: &mut PgConnection,
    order: OrderId,
    product: ProductId,
    quantity: i32,
    value: Paisa,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO door_returns (id, order_id, product_id, quantity, value_paisa, returned_at) VALUES ($1, $2, $3, $4, $5, $6)",
        Uuid::now_v7(),
        order.0,
        product.0,
        quantity,
        value.0,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}
