//! Sales. What is written about one product is written under the lock of that product.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::catalogue::model::{NewSalePrice, SalePrice};
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;

pub async fn insert_sale(connection: &mut PgConnection, new: &NewSalePrice) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO sale_prices (id, product_id, price_paisa, starts_at, ends_at, created_by, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        new.id,
        new.product.0,
        new.price.0,
        new.starts_at,
        new.ends_at,
        new.created_by,
        new.created_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns whether a planned or running sale of the product has a moment in common with this time.
pub async fn has_overlapping_sale(
    connection: &mut PgConnection,
    product: ProductId,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM sale_prices WHERE product_id = $1 AND ended_at IS NULL
                          AND starts_at < $3 AND ends_at > $2) AS "overlaps!""#,
        product.0,
        starts_at,
        ends_at,
    )
    .fetch_one(connection)
    .await
}

/// Lists the sales of a product, the latest first.
pub async fn list_sales(connection: &mut PgConnection, product: ProductId, limit: i64) -> sqlx::Result<Vec<SalePrice>> {
    sqlx::query_as!(
        SalePrice,
        r#"SELECT id, price_paisa AS "price: Paisa", starts_at, ends_at, started_at, was_price_paisa AS "was_price: Paisa",
                  ended_at, ended_by
           FROM sale_prices WHERE product_id = $1 ORDER BY starts_at DESC, id DESC LIMIT $2"#,
        product.0,
        limit,
    )
    .fetch_all(connection)
    .await
}

/// Returns the id and the name of the product of a sale.
pub async fn find_sale_product(connection: &mut PgConnection, sale: Uuid) -> sqlx::Result<Option<(ProductId, String)>> {
    let found = sqlx::query!(
        r#"SELECT p.id AS "id: ProductId", p.name FROM sale_prices s JOIN products p ON p.id = s.product_id WHERE s.id = $1"#,
        sale,
    )
    .fetch_optional(connection)
    .await?;
    Ok(found.map(|row| (row.id, row.name)))
}

/// Lists products with a sale that should begin or end by now.
pub async fn find_due_products(db: &PgPool, now: DateTime<Utc>, limit: i64) -> sqlx::Result<Vec<ProductId>> {
    sqlx::query_scalar!(
        r#"SELECT DISTINCT product_id AS "id: ProductId" FROM sale_prices
           WHERE ended_at IS NULL AND (ends_at <= $1 OR (started_at IS NULL AND starts_at <= $1)) LIMIT $2"#,
        now,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Marks the sales of a product as ended that should have ended by now, also one that never began.
pub async fn end_due_sales(connection: &mut PgConnection, product: ProductId, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sale_prices SET ended_at = $2 WHERE product_id = $1 AND ended_at IS NULL AND ends_at <= $2",
        product.0,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Marks a planned or running sale as ended by a seller. Returns its price, or `None` if it had ended already.
pub async fn end_sale(
    connection: &mut PgConnection,
    sale: Uuid,
    seller: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Paisa>> {
    sqlx::query_scalar!(
        r#"UPDATE sale_prices SET ended_at = $2, ended_by = $3 WHERE id = $1 AND ended_at IS NULL
           RETURNING price_paisa AS "price: Paisa""#,
        sale,
        now,
        seller,
    )
    .fetch_optional(connection)
    .await
}

/// Marks all planned and running sales of a product as ended by a seller.
pub async fn end_sales_of_product(
    connection: &mut PgConnection,
    product: ProductId,
    seller: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sale_prices SET ended_at = $2, ended_by = $3 WHERE product_id = $1 AND ended_at IS NULL",
        product.0,
        now,
        seller,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Gives a product its regular price back, unless a sale runs.
pub async fn restore_regular_price(connection: &mut PgConnection, product: ProductId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE products SET price_paisa = regular_price_paisa, regular_price_paisa = NULL, was_price_paisa = NULL
         WHERE id = $1 AND regular_price_paisa IS NOT NULL
           AND NOT EXISTS (SELECT FROM sale_prices s
                           WHERE s.product_id = $1 AND s.started_at IS NOT NULL AND s.ended_at IS NULL)",
        product.0,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Begins the sale of a product that is due, if any. If the regular price is not above it, the sale ends at once,
/// because the price before it would not be higher. The sales that are over must have been ended before.
pub async fn start_due_sale(connection: &mut PgConnection, product: ProductId, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH due AS (
             SELECT s.id, s.price_paisa, p.price_paisa AS regular, p.price_paisa > s.price_paisa AS lower
             FROM sale_prices s JOIN products p ON p.id = s.product_id
             WHERE s.product_id = $1 AND s.started_at IS NULL AND s.ended_at IS NULL AND s.starts_at <= $2
               AND p.regular_price_paisa IS NULL
         ), marked AS (
             UPDATE sale_prices s SET started_at = CASE WHEN due.lower THEN $2 END,
                    was_price_paisa = CASE WHEN due.lower THEN due.regular END,
                    ended_at = CASE WHEN NOT due.lower THEN $2 END
             FROM due WHERE s.id = due.id
         )
         UPDATE products p SET price_paisa = due.price_paisa, regular_price_paisa = due.regular, was_price_paisa = due.regular
         FROM due WHERE p.id = $1 AND due.lower",
        product.0,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}
