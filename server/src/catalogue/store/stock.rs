//! Stock: what orders take and release, what sellers change, and the products that are low in stock.

use sqlx::{PgConnection, PgPool};

use super::select::SeekStart;
use crate::catalogue::model::{
    LowStockCounts, LowStockCursor, LowStockFilter, LowStockProduct, LowStockRow, Offer, ProductPlace,
    SellerProductSort, StockLevel,
};
use crate::platform::ids::{OrderId, ProductId};
use crate::platform::money::Paisa;

/// Finds what an order copies of these products, and whether they are on sale.
pub async fn find_offers(connection: &mut PgConnection, ids: &[ProductId]) -> sqlx::Result<Vec<Offer>> {
    sqlx::query_as!(
        Offer,
        r#"SELECT id AS "id!", name AS "name!", name_ne, picture_key, price_paisa AS "price!: Paisa",
                  tax_class AS "tax_class!", stock AS "stock!", on_sale AS "on_sale!", pack_label, pack_label_ne
           FROM product_offers($1)"#,
        ids as _,
    )
    .fetch_all(connection)
    .await
}

/// Returns whether everything is in stock. Locks the products until the transaction ends, in the order of their ids.
pub async fn check_stock(connection: &mut PgConnection, ids: &[ProductId], quantities: &[i32]) -> sqlx::Result<bool> {
    let enough = sqlx::query_scalar!(
        r#"SELECT p.stock >= requested.quantity AS "enough!"
           FROM products p JOIN unnest($1::uuid[], $2::integer[]) requested (id, quantity) ON requested.id = p.id
           ORDER BY p.id FOR NO KEY UPDATE OF p"#,
        ids as _,
        quantities,
    )
    .fetch_all(connection)
    .await?;
    Ok(enough.len() == ids.len() && enough.into_iter().all(|enough| enough))
}

pub async fn take_stock(
    connection: &mut PgConnection,
    order: OrderId,
    ids: &[ProductId],
    quantities: &[i32],
    why: &str,
) -> sqlx::Result<()> {
    sqlx::query!("SELECT take_stock($1, $2, $3, NULL, $4)", order.0, ids as _, quantities, why)
        .fetch_one(connection)
        .await?;
    Ok(())
}

pub async fn lock_products(connection: &mut PgConnection, ids: &[ProductId]) -> sqlx::Result<()> {
    sqlx::query!("SELECT FROM products WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", ids as _)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn release_stock(connection: &mut PgConnection, order: OrderId, why: &str) -> sqlx::Result<()> {
    sqlx::query!("SELECT release_stock($1, $2)", order.0, why).fetch_one(connection).await?;
    Ok(())
}

pub async fn return_units(
    connection: &mut PgConnection,
    order: OrderId,
    ids: &[ProductId],
    quantities: &[i32],
    why: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH moved AS (SELECT * FROM unnest($1::uuid[], $2::integer[]) m (id, units)), updated AS (
             UPDATE products p SET stock = p.stock + moved.units FROM moved WHERE p.id = moved.id)
         INSERT INTO stock_movements (product_id, order_id, delta, reason) SELECT id, $3, units, $4 FROM moved",
        ids as _,
        quantities,
        order.0,
        why,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The stock stays as it is: the units leave the order and are lost at once.
pub async fn write_off_units(
    connection: &mut PgConnection,
    order: OrderId,
    ids: &[ProductId],
    quantities: &[i32],
    why: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH moved AS (SELECT * FROM unnest($1::uuid[], $2::integer[]) m (id, units))
         INSERT INTO stock_movements (product_id, order_id, delta, reason)
         SELECT id, $3::uuid, units, $4 FROM moved UNION ALL SELECT id, NULL, -units, $4 FROM moved",
        ids as _,
        quantities,
        order.0,
        why,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find_places(connection: &mut PgConnection, ids: &[ProductId]) -> sqlx::Result<Vec<ProductPlace>> {
    sqlx::query_as!(
        ProductPlace,
        r#"SELECT p.id, c.name AS "category?", c.name_ne AS category_ne, c.position AS "category_position?", p.barcode
           FROM products p LEFT JOIN categories c ON c.id = p.category_id WHERE p.id = ANY($1)"#,
        ids as _,
    )
    .fetch_all(connection)
    .await
}

/// Reads the index on price within a category in both directions.
pub async fn find_similar(connection: &mut PgConnection, id: ProductId, limit: i64) -> sqlx::Result<Vec<ProductId>> {
    sqlx::query_scalar!(
        r#"SELECT near.id AS "id!: ProductId"
           FROM products wanted CROSS JOIN LATERAL (
               (SELECT p.id, p.price_paisa FROM products p
                WHERE p.category_id = wanted.category_id AND p.archived_at IS NULL AND p.price_paisa >= wanted.price_paisa
                  AND p.stock > 0 AND p.id <> wanted.id
                ORDER BY p.price_paisa LIMIT $2)
               UNION ALL
               (SELECT p.id, p.price_paisa FROM products p
                WHERE p.category_id = wanted.category_id AND p.archived_at IS NULL AND p.price_paisa < wanted.price_paisa
                  AND p.stock > 0
                ORDER BY p.price_paisa DESC LIMIT $2)) near
           WHERE wanted.id = $1 ORDER BY abs(near.price_paisa - wanted.price_paisa), near.id LIMIT $2"#,
        id.0,
        limit,
    )
    .fetch_all(connection)
    .await
}

/// Applies the seller's changes of stock and adds them to the ledger. The caller must lock the products first.
pub async fn adjust_stock(
    connection: &mut PgConnection,
    ids: &[ProductId],
    differences: &[i32],
    why: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH moved AS (SELECT * FROM unnest($1::uuid[], $2::integer[]) m (id, delta) WHERE delta <> 0), updated AS (
             UPDATE products p SET stock = p.stock + moved.delta FROM moved WHERE p.id = moved.id)
         INSERT INTO stock_movements (product_id, delta, reason) SELECT id, delta, $3 FROM moved",
        ids as _,
        differences,
        why,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn lock_stock(connection: &mut PgConnection, ids: &[ProductId]) -> sqlx::Result<Vec<StockLevel>> {
    sqlx::query_as!(
        StockLevel,
        "SELECT id, stock FROM products WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
        ids as _,
    )
    .fetch_all(connection)
    .await
}

/// Adds one row to the ledger for each move and returns their ids in the same order. The caller must lock the products
/// first.
pub async fn move_stock(
    connection: &mut PgConnection,
    ids: &[ProductId],
    differences: &[i32],
    why: &str,
) -> sqlx::Result<Vec<i64>> {
    let mut movements = sqlx::query_scalar!(
        "WITH moved AS (
             SELECT * FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY m (id, delta, nth)
         ), updated AS (
             UPDATE products p SET stock = p.stock + total.delta
             FROM (SELECT id, sum(delta)::integer AS delta FROM moved GROUP BY id) total WHERE p.id = total.id
         )
         INSERT INTO stock_movements (product_id, delta, reason) SELECT id, delta, $3 FROM moved ORDER BY nth RETURNING id",
        ids as _,
        differences,
        why,
    )
    .fetch_all(connection)
    .await?;
    // The rows are numbered in the order in which they are inserted.
    movements.sort_unstable();
    Ok(movements)
}

pub async fn sum_units_of_orders(
    connection: &mut PgConnection,
    orders: &[OrderId],
    product: ProductId,
) -> sqlx::Result<i32> {
    sqlx::query_scalar!(
        r#"SELECT coalesce(-sum(delta), 0)::integer AS "units!" FROM stock_movements
           WHERE order_id = ANY($1) AND product_id = $2"#,
        orders as _,
        product.0,
    )
    .fetch_one(connection)
    .await
}

pub async fn list_lowest_stock(connection: &mut PgConnection, limit: i64) -> sqlx::Result<(Vec<LowStockProduct>, i64)> {
    let products = sqlx::query_as!(
        LowStockProduct,
        "SELECT p.name, p.name_ne, l.stock FROM low_stock_products l JOIN products p ON p.id = l.product_id
         ORDER BY l.stock, l.position, l.product_id LIMIT $1",
        limit,
    )
    .fetch_all(&mut *connection)
    .await?;
    let total = sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM low_stock_products"#).fetch_one(connection);
    Ok((products, total.await?))
}

macro_rules! list_low_stock {
    ($db:expr, $filter:expr, $seek:literal, $order:literal, $limit:expr, $($argument:expr),+) => {
        sqlx::query_as!(
            LowStockRow,
            "SELECT product_id AS id, stock, position, name_key, price_paisa FROM low_stock_products
             WHERE stock BETWEEN $1 AND $2 AND ($3::text IS NULL OR name_key LIKE $3 OR category_id = ANY($4)) AND "
                + $seek + " ORDER BY " + $order + " LIMIT $5",
            $filter.min_stock, $filter.max_stock, $filter.pattern, $filter.categories, $limit, $($argument),+
        )
        .fetch_all($db)
        .await
    };
}

/// Lists a page of low-stock products from their own table only.
pub async fn list_low_stock(
    db: &PgPool,
    sort: SellerProductSort,
    filter: &LowStockFilter<'_>,
    start: &LowStockCursor<'_>,
    limit: i64,
) -> sqlx::Result<Vec<LowStockRow>> {
    let SeekStart { number, text, id } = SeekStart::new(sort.storefront_sort().unwrap_or_default(), start.cursor);
    match sort {
        SellerProductSort::Stock => list_low_stock!(
            db,
            filter,
            "(stock, position, product_id) > ($6, $7, $8)",
            "stock, position, product_id",
            limit,
            start.stock,
            number,
            id
        ),
        SellerProductSort::Newest => list_low_stock!(
            db,
            filter,
            "(position, product_id) < ($6, $7)",
            "position DESC, product_id DESC",
            limit,
            number,
            id
        ),
        SellerProductSort::Name => {
            list_low_stock!(db, filter, "(name_key, product_id) > ($6, $7)", "name_key, product_id", limit, text, id)
        }
        SellerProductSort::PriceAsc => list_low_stock!(
            db,
            filter,
            "(price_paisa, product_id) > ($6, $7)",
            "price_paisa, product_id",
            limit,
            number,
            id
        ),
        SellerProductSort::PriceDesc => list_low_stock!(
            db,
            filter,
            "(price_paisa, product_id) < ($6, $7)",
            "price_paisa DESC, product_id DESC",
            limit,
            number,
            id
        ),
    }
}

pub async fn count_low_stock(db: &PgPool, filter: &LowStockFilter<'_>, cap: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM (
               SELECT FROM low_stock_products
               WHERE stock BETWEEN $1 AND $2 AND (name_key LIKE $3 OR category_id = ANY($4)) LIMIT $5) found"#,
        filter.min_stock,
        filter.max_stock,
        filter.pattern,
        filter.categories,
        cap,
    )
    .fetch_one(db)
    .await
}

/// Counts the low-stock products of the whole shop from their own table only.
pub async fn count_by_stock_level(db: &PgPool) -> sqlx::Result<LowStockCounts> {
    sqlx::query_as!(
        LowStockCounts,
        r#"SELECT count(*) FILTER (WHERE stock > 0) AS "low!", count(*) FILTER (WHERE stock = 0) AS "out!"
           FROM low_stock_products"#,
    )
    .fetch_one(db)
    .await
}
