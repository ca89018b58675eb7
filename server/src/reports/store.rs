//! All SQL of reports. It reads tables of other modules (`reads` in `modules.json`) and writes nothing.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::{DailyReceivables, DailySales, DeliveryRow, HourlySales, ProductDaySales, ProductSales};
use crate::platform::ids::OrderId;
use crate::platform::money::Paisa;

/// The smallest id that an order of this moment can have. Ids begin with their time, so a range of days is a range of
/// the primary key.
fn first_id(at: DateTime<Utc>) -> Uuid {
    Uuid::from_u128(u128::try_from(at.timestamp_millis()).unwrap_or_default() << 80)
}

/// The sums are grouped by the day on which the order was placed.
pub async fn sum_receivables_by_day(
    connection: &mut PgConnection,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> sqlx::Result<Vec<DailyReceivables>> {
    sqlx::query_as!(
        DailyReceivables,
        r#"SELECT (created_at AT TIME ZONE 'Asia/Kathmandu')::date AS "day!",
                  coalesce(sum(total_paisa) FILTER (WHERE payment = 'awaiting' AND status <> 'Cancelled'), 0)::bigint
                      AS "awaiting!: Paisa",
                  coalesce(sum(coalesce(amount_due_paisa, total_paisa)) FILTER (WHERE payment = 'cod_due'), 0)::bigint
                      AS "to_collect!: Paisa",
                  coalesce(sum(coalesce(amount_due_paisa, total_paisa)) FILTER (WHERE payment = 'cod_collected'), 0)::bigint
                      AS "collected!: Paisa"
           FROM orders WHERE id >= $1 AND id < $2 GROUP BY 1"#,
        first_id(from),
        first_id(until),
    )
    .fetch_all(connection)
    .await
}

/// Returns the order numbers that people see.
pub async fn find_codes(connection: &mut PgConnection, orders: &[OrderId]) -> sqlx::Result<Vec<(OrderId, String)>> {
    let rows = sqlx::query!(r#"SELECT id AS "id: OrderId", code FROM orders WHERE id = ANY($1)"#, orders as _)
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.code)).collect())
}

/// The sums are grouped by the day on which the order was placed. An unpaid online order is not a sale yet.
pub async fn sum_sales_by_day(db: &PgPool, from: DateTime<Utc>, until: DateTime<Utc>) -> sqlx::Result<Vec<DailySales>> {
    sqlx::query_as!(
        DailySales,
        r#"SELECT (created_at AT TIME ZONE 'Asia/Kathmandu')::date AS "day!",
                  count(*) FILTER (WHERE is_sale) AS "orders!",
                  coalesce(sum(total_paisa) FILTER (WHERE is_sale), 0)::bigint AS "revenue!: Paisa",
                  coalesce(sum(total_paisa) FILTER (WHERE payment = 'cod_due'), 0)::bigint AS "to_collect!: Paisa",
                  coalesce(sum(total_paisa) FILTER (WHERE payment = 'paid'), 0)::bigint AS "paid_online!: Paisa",
                  count(*) FILTER (WHERE status = 'Cancelled') AS "cancelled!"
           FROM (SELECT created_at, coalesce(amount_due_paisa, total_paisa) AS total_paisa, payment, status,
                        status <> 'Cancelled' AND payment NOT IN ('awaiting', 'failed') AS is_sale
                 FROM orders WHERE id >= $1 AND id < $2) placed
           GROUP BY 1 ORDER BY 1"#,
        first_id(from),
        first_id(until),
    )
    .fetch_all(db)
    .await
}

/// Counts the sales of a day by the hour in Nepal in which the order was placed.
pub async fn count_sales_by_hour(
    db: &PgPool,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> sqlx::Result<Vec<HourlySales>> {
    sqlx::query_as!(
        HourlySales,
        r#"SELECT extract(hour FROM created_at AT TIME ZONE 'Asia/Kathmandu')::integer AS "hour!", count(*) AS "orders!"
           FROM orders
           WHERE id >= $1 AND id < $2 AND status <> 'Cancelled' AND payment NOT IN ('awaiting', 'failed')
           GROUP BY 1"#,
        first_id(from),
        first_id(until),
    )
    .fetch_all(db)
    .await
}

/// Lists the products of which the most units were sold. Their names are those in the newest of these orders.
pub async fn list_top_products(
    db: &PgPool,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    limit: i64,
) -> sqlx::Result<Vec<ProductSales>> {
    sqlx::query_as!(
        ProductSales,
        r#"SELECT best.product_id AS "product_id!", last.name, last.name_ne, last.picture_key, best.quantity AS "quantity!",
                  best.revenue AS "revenue!: Paisa"
           FROM (SELECT i.product_id, sum(i.quantity) AS quantity, sum(i.quantity * i.price_paisa)::bigint AS revenue,
                        max(i.order_id::text)::uuid AS newest
                 FROM order_items i JOIN orders o ON o.id = i.order_id
                 WHERE i.order_id >= $1 AND i.order_id < $2 AND o.id >= $1 AND o.id < $2
                   AND o.status <> 'Cancelled' AND o.payment NOT IN ('awaiting', 'failed')
                 GROUP BY i.product_id ORDER BY 2 DESC, 1 LIMIT $3) best
           JOIN order_items last ON last.order_id = best.newest AND last.product_id = best.product_id
           ORDER BY best.quantity DESC, best.product_id"#,
        first_id(from),
        first_id(until),
        limit,
    )
    .fetch_all(db)
    .await
}

/// The query names all undelivered statuses beside the requested ones, so that the partial index on them can be used.
pub async fn list_to_deliver(
    connection: &mut PgConnection,
    from: NaiveDate,
    to: NaiveDate,
    statuses: &[String],
    limit: i64,
) -> sqlx::Result<Vec<DeliveryRow>> {
    sqlx::query_as!(
        DeliveryRow,
        r#"SELECT o.id, o.code, o.recipient, o.phone, o.address, o.municipality, o.ward, o.landmark, o.status, o.method,
                  o.delivery_date, o.delivery_starts, o.delivery_ends, o.note_rider,
                  CASE WHEN o.payment = 'cod_due' THEN coalesce(o.amount_due_paisa, o.total_paisa) ELSE 0 END AS "cash!: Paisa",
                  (SELECT coalesce(sum(i.quantity), 0) FROM packed_lines i WHERE i.order_id = o.id) AS "items!"
           FROM orders o
           WHERE o.delivery_date BETWEEN $1 AND $2
             AND o.status IN ('Order Placed', 'Order Confirmed', 'Order Shipped', 'Out for Delivery') AND o.status = ANY($3)
             AND (o.payment NOT IN ('awaiting', 'failed') OR o.status <> 'Order Placed')
           ORDER BY o.delivery_date DESC, o.id LIMIT $4"#,
        from,
        to,
        statuses,
        limit,
    )
    .fetch_all(connection)
    .await
}

/// Sums what was packed of each product on each day, or ordered until then, and what it cost: an item costs the average
/// of its product when the order was placed. Items of a product whose cost was not known then are counted apart. The
/// revenue is without VAT.
pub async fn sum_margins(
    connection: &mut PgConnection,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> sqlx::Result<Vec<ProductDaySales>> {
    sqlx::query_as!(
        ProductDaySales,
        r#"SELECT (o.created_at AT TIME ZONE 'Asia/Kathmandu')::date AS "day!", i.product_id AS "product_id!",
                  (array_agg(i.name ORDER BY i.order_id DESC))[1] AS "name!",
                  (array_agg(i.name_ne ORDER BY i.order_id DESC))[1] AS "name_ne",
                  sum(i.quantity) AS "quantity!", sum(sold.revenue)::bigint AS "revenue!: Paisa",
                  coalesce(sum(i.quantity) FILTER (WHERE c.units IS NULL), 0) AS "quantity_without_cost!",
                  coalesce(sum(sold.revenue) FILTER (WHERE c.units IS NULL), 0)::bigint
                      AS "revenue_without_cost!: Paisa",
                  coalesce(sum(round(i.quantity * c.value_paisa / c.units::numeric)), 0)::bigint AS "cost!: Paisa"
           FROM packed_lines i JOIN orders o ON o.id = i.order_id
           CROSS JOIN LATERAL (
               SELECT CASE WHEN o.prices_include_tax AND o.vat_registered AND i.tax_class = 'standard'
                           THEN round(i.amount_paisa * 10000::numeric / (10000 + o.tax_rate_bp))
                           ELSE i.amount_paisa END AS revenue) sold
           LEFT JOIN LATERAL (
               SELECT units, value_paisa FROM product_costs
               WHERE product_id = i.product_id AND since <= o.created_at
               ORDER BY since DESC, movement_id DESC LIMIT 1) c ON true
           WHERE i.order_id >= $1 AND i.order_id < $2 AND o.id >= $1 AND o.id < $2
             AND o.status <> 'Cancelled' AND o.payment NOT IN ('awaiting', 'failed')
           GROUP BY 1, 2 ORDER BY 1, 2"#,
        first_id(from),
        first_id(until),
    )
    .fetch_all(connection)
    .await
}
