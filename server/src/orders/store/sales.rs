//! The SQL that reads what was sold, for bills.

use sqlx::PgConnection;

use crate::orders::model::SoldLine;
use crate::platform::config::Rates;
use crate::platform::ids::OrderId;
use crate::platform::money::{Paisa, Percent};

/// Lists what is in the bag, which is what was ordered until the order is packed.
pub async fn list_sold_lines(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Vec<SoldLine>> {
    sqlx::query_as!(
        SoldLine,
        r#"SELECT product_id AS "product_id!", name AS "name!", name_ne, pack_label, pack_label_ne, price_paisa AS "price!: Paisa",
                  quantity AS "quantity!", tax_class AS "tax_class!", amount_paisa AS "amount!: Paisa", grams, step_grams,
                  price_before_coupon_paisa AS "price_before_coupon: Paisa"
           FROM packed_lines WHERE order_id = $1 ORDER BY position, is_replacement"#,
        order.0,
    )
    .fetch_all(connection)
    .await
}

/// Returns the delivery fee as it is charged.
pub async fn find_delivery_fee(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Paisa> {
    let fee = sqlx::query_scalar!(r#"SELECT order_delivery_fee($1) AS "fee!: Paisa""#, order.0);
    fee.fetch_one(connection).await
}

/// Finds the rates that an order was placed with.
pub async fn find_rates(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Option<Rates>> {
    let row = sqlx::query!(
        r#"SELECT fee_paisa AS "fee: Paisa", coalesce(free_above_paisa, 0) AS "free_above!: Paisa", tax_rate_bp, vat_registered,
                  prices_include_tax, weight_tolerance_bp
           FROM orders WHERE id = $1"#,
        order.0,
    );
    Ok(row.fetch_optional(connection).await?.map(|row| Rates {
        shipping_fee: row.fee,
        free_shipping_above: row.free_above,
        tax_rate: Percent(row.tax_rate_bp),
        vat_registered: row.vat_registered,
        prices_include_tax: row.prices_include_tax,
        weight_tolerance: Percent(row.weight_tolerance_bp),
    }))
}
