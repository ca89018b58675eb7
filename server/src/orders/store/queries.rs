//! The SQL that reads orders.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::orders::model::{OrderItemRow, OrderRow, OrderSearch, TimelineRow};
use crate::platform::db::disable_timeouts;
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::money::Paisa;

/// A search for any part of an order number covers this many of the newest orders.
const NEWEST_ORDERS: i64 = 5_000;
/// A search by product covers this many of the newest orders of each product.
const NEWEST_ORDERS_OF_PRODUCT: i64 = 500;
/// What others buy is counted in this many of the newest orders.
const NEWEST_ORDERS_OF_ALL: i64 = 2_000;
/// What a shopper buys again is counted in this many of the newest orders.
const NEWEST_ORDERS_OF_SHOPPER: i64 = 200;
/// A shorter beginning of an order number is searched among the newest orders only.
const MIN_CODE_PREFIX: usize = 3;

/// Selects the columns that every query for orders needs.
macro_rules! select_orders {
    ([$($rest:literal),+], $($argument:expr),+) => {
        sqlx::query_as!(
            OrderRow,
            r#"SELECT o.id, o.code, o.tracking, o.user_id, o.method, o.status, o.payment, o.dispatched,
                      o.subtotal_paisa AS "subtotal: Paisa", o.tax_paisa AS "tax: Paisa", o.shipping_paisa AS "shipping: Paisa",
                      o.total_paisa AS "total: Paisa", o.amount_due_paisa AS "amount_due: Paisa",
                      (SELECT coalesce(sum(r.value_paisa), 0)::bigint FROM door_returns r WHERE r.order_id = o.id) AS "returned!: Paisa",
                      o.vat_registered, o.recipient, o.email, o.phone, o.address, o.municipality, o.ward,
                      o.landmark, o.language, o.delivery_date, o.created_at, o.confirm_by, o.delivery_starts, o.delivery_ends,
                      o.has_delivery_place, o.note_shop, o.note_rider, o.if_unavailable
               FROM orders o "#
                $(+ $rest)+,
            $($argument),+
        )
    };
}

pub async fn find(connection: &mut PgConnection, id: OrderId) -> sqlx::Result<Option<OrderRow>> {
    select_orders!(["WHERE o.id = $1"], id.0).fetch_optional(connection).await
}

/// Lists a shopper's orders before one of them, newest first; `pattern` is matched against the order number and product
/// names.
pub async fn list_by_user(
    connection: &mut PgConnection,
    user: UserId,
    pattern: Option<&str>,
    before: OrderId,
    limit: i64,
) -> sqlx::Result<Vec<OrderRow>> {
    match pattern {
        None => {
            select_orders!(["WHERE o.user_id = $1 AND o.id < $2 ORDER BY o.id DESC LIMIT $3"], user.0, before.0, limit)
                .fetch_all(connection)
                .await
        }
        Some(pattern) => {
            select_orders!(
                ["WHERE o.user_id = $1 AND o.id < $2
                       AND (lower(o.code) LIKE $4 OR EXISTS (
                           SELECT FROM order_items i WHERE i.order_id = o.id
                           AND (lower(i.name) LIKE $4 OR lower(i.name_ne) LIKE $4)))
                     ORDER BY o.id DESC LIMIT $3"],
                user.0,
                before.0,
                limit,
                pattern
            )
            .fetch_all(connection)
            .await
        }
    }
}

/// Lists all orders before one of them, newest first. Unpaid online orders that are placed or cancelled are left out
/// unless `with_unpaid` is set.
pub async fn list_all(
    connection: &mut PgConnection,
    with_unpaid: bool,
    before: OrderId,
    limit: i64,
) -> sqlx::Result<Vec<OrderRow>> {
    select_orders!(
        ["WHERE o.id < $1 AND ($2 OR o.payment NOT IN ('awaiting', 'failed') OR o.status NOT IN ('Order Placed', 'Cancelled'))
             ORDER BY o.id DESC LIMIT $3"],
        before.0,
        with_unpaid,
        limit
    )
    .fetch_all(connection)
    .await
}

/// Lists orders like `list_all`, but only those with one status.
pub async fn list_by_status(
    connection: &mut PgConnection,
    status: &str,
    with_unpaid: bool,
    before: OrderId,
    limit: i64,
) -> sqlx::Result<Vec<OrderRow>> {
    select_orders!(
        ["WHERE o.status = $4 AND o.id < $1
              AND ($2 OR o.payment NOT IN ('awaiting', 'failed') OR o.status NOT IN ('Order Placed', 'Cancelled'))
             ORDER BY o.id DESC LIMIT $3"],
        before.0,
        with_unpaid,
        limit,
        status
    )
    .fetch_all(connection)
    .await
}

/// Lists the orders of a rider by day and place; those that were delivered since `since` come last.
pub async fn list_by_rider(
    connection: &mut PgConnection,
    rider: Uuid,
    since: DateTime<Utc>,
    limit: i64,
) -> sqlx::Result<Vec<OrderRow>> {
    select_orders!(
        ["WHERE o.rider_id = $1 AND o.status <> 'Cancelled' AND (o.status <> 'Delivered' OR o.updated_at > $2)
             ORDER BY o.status = 'Delivered', o.delivery_date, o.delivery_starts NULLS LAST, o.municipality, o.ward, o.landmark, o.id
             LIMIT $3"],
        rider,
        since,
        limit
    )
    .fetch_all(connection)
    .await
}

/// Lists the orders that can be packed now, the most urgent first. The condition is the one of `State::is_packable`.
pub async fn list_to_pack(connection: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<OrderRow>> {
    select_orders!(
        ["WHERE o.status IN ('Order Placed', 'Order Confirmed') AND o.payment IN ('cod_due', 'paid') AND o.stock = 'taken'
              AND NOT o.dispatched AND o.confirm_by IS NULL AND o.amount_due_paisa IS NULL
             ORDER BY o.delivery_date, o.delivery_starts NULLS LAST, o.id LIMIT $1"],
        limit
    )
    .fetch_all(connection)
    .await
}

/// Counts the orders with each of these statuses, up to `cap`.
pub async fn count_by_status(
    db: &PgPool,
    statuses: &[String],
    with_unpaid: bool,
    cap: i64,
) -> sqlx::Result<Vec<(String, i64)>> {
    let rows = sqlx::query!(
        r#"SELECT wanted.status AS "status!", found.count AS "count!"
           FROM unnest($1::text[]) wanted (status) CROSS JOIN LATERAL (
               SELECT count(*) FROM (
                   SELECT FROM orders o WHERE o.status = wanted.status
                   AND ($2 OR o.payment NOT IN ('awaiting', 'failed') OR o.status NOT IN ('Order Placed', 'Cancelled'))
                   LIMIT $3) counted) found"#,
        statuses,
        with_unpaid,
        cap,
    );
    Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.status, row.count)).collect())
}

/// Finds orders by status, order number, customer name, phone number or product name. Each part of the query reads its
/// own index in order.
pub async fn search_all(
    connection: &mut PgConnection,
    search: &OrderSearch<'_>,
    with_unpaid: bool,
    before: OrderId,
    limit: i64,
) -> sqlx::Result<Vec<OrderRow>> {
    let prefix = if search.code.len() >= MIN_CODE_PREFIX { search.code } else { "~" };
    select_orders!(
        ["JOIN (
                 (SELECT matching.id FROM unnest($4::text[]) wanted (status) CROSS JOIN LATERAL (
                      SELECT id FROM orders WHERE status = wanted.status AND id < $1
                      AND ($2 OR payment NOT IN ('awaiting', 'failed') OR status NOT IN ('Order Placed', 'Cancelled'))
                      ORDER BY id DESC LIMIT $3) matching)
                 UNION
                 (SELECT id FROM orders WHERE code >= $5 AND code < $5 || '~' AND id < $1)
                 UNION
                 (SELECT newest.id FROM (SELECT id, code FROM orders ORDER BY id DESC LIMIT $7) newest
                  WHERE newest.code LIKE $6 AND newest.id < $1)
                 UNION
                 (SELECT id FROM orders WHERE $10 AND order_contact(recipient, phone) LIKE $9 AND id < $1
                  AND ($2 OR payment NOT IN ('awaiting', 'failed') OR status NOT IN ('Order Placed', 'Cancelled'))
                  AND ($8::text IS NULL OR status = $8)
                  ORDER BY id DESC LIMIT $3)
                 UNION
                 (SELECT newest.id FROM (SELECT id, recipient, phone FROM orders ORDER BY id DESC LIMIT $7) newest
                  WHERE NOT $10 AND order_contact(newest.recipient, newest.phone) LIKE $9 AND newest.id < $1)
                 UNION
                 (SELECT bought.order_id FROM unnest($11::uuid[]) product (id) CROSS JOIN LATERAL (
                      SELECT i.order_id FROM (SELECT order_id FROM order_items WHERE product_id = product.id AND order_id < $1
                                              ORDER BY order_id DESC LIMIT $14) i JOIN orders b ON b.id = i.order_id
                      WHERE ($2 OR b.payment NOT IN ('awaiting', 'failed') OR b.status NOT IN ('Order Placed', 'Cancelled'))
                      AND ($8::text IS NULL OR b.status = $8)
                      ORDER BY i.order_id DESC LIMIT $3) bought)
                 UNION
                 (SELECT i.order_id FROM order_items i
                  WHERE $12 AND i.order_id < $1
                  AND i.order_id >= (SELECT min(newest.id::text)::uuid FROM (SELECT id FROM orders ORDER BY id DESC LIMIT $7) newest)
                  AND (lower(i.name) LIKE $13 OR lower(i.name_ne) LIKE $13))
             ) found ON found.id = o.id
             WHERE ($2 OR o.payment NOT IN ('awaiting', 'failed') OR o.status NOT IN ('Order Placed', 'Cancelled'))
               AND ($8::text IS NULL OR o.status = $8)
             ORDER BY o.id DESC LIMIT $3"],
        before.0,
        with_unpaid,
        limit,
        search.statuses,
        prefix,
        search.code_pattern,
        NEWEST_ORDERS,
        search.only,
        search.contact_pattern,
        search.contact_is_long,
        search.products as _,
        search.more_products,
        search.product_pattern,
        NEWEST_ORDERS_OF_PRODUCT
    )
    .fetch_all(connection)
    .await
}

pub async fn list_items(connection: &mut PgConnection, orders: &[OrderId]) -> sqlx::Result<Vec<OrderItemRow>> {
    sqlx::query_as!(
        OrderItemRow,
        r#"SELECT order_id, product_id, name, name_ne, picture_key, price_paisa AS "price: Paisa", tax_class AS "tax_class: String",
                  quantity, pack_label, pack_label_ne, if_unavailable, step_grams,
                  price_before_coupon_paisa AS "price_before_coupon: Paisa"
           FROM order_items WHERE order_id = ANY($1) ORDER BY order_id, position"#,
        orders as _,
    )
    .fetch_all(connection)
    .await
}

/// Lists what is in the bag of each order.
pub async fn list_packed_items(connection: &mut PgConnection, orders: &[OrderId]) -> sqlx::Result<Vec<OrderItemRow>> {
    sqlx::query_as!(
        OrderItemRow,
        r#"SELECT order_id AS "order_id!", product_id AS "product_id!", name AS "name!", name_ne, NULL AS picture_key,
                  price_paisa AS "price!: Paisa", tax_class AS "tax_class!: String", quantity AS "quantity!", pack_label, pack_label_ne,
                  NULL AS if_unavailable, NULL::integer AS step_grams,
                  price_before_coupon_paisa AS "price_before_coupon: Paisa"
           FROM packed_lines WHERE order_id = ANY($1) ORDER BY order_id, position, is_replacement"#,
        orders as _,
    )
    .fetch_all(connection)
    .await
}

pub async fn list_timeline(connection: &mut PgConnection, orders: &[OrderId]) -> sqlx::Result<Vec<TimelineRow>> {
    sqlx::query_as!(
        TimelineRow,
        "SELECT order_id, status, at FROM order_events WHERE order_id = ANY($1) AND NOT internal ORDER BY order_id, id",
        orders as _,
    )
    .fetch_all(connection)
    .await
}

/// Returns which of these pictures orders show. It reads all order items, so it runs at night and without timeouts.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    let mut tx = db.begin().await?;
    disable_timeouts(&mut tx).await?;
    let used = sqlx::query_scalar!(
        r#"SELECT DISTINCT picture_key AS "key!" FROM order_items WHERE picture_key = ANY($1)"#,
        keys,
    )
    .fetch_all(&mut *tx)
    .await?;
    tx.rollback().await?;
    Ok(used)
}

/// Lists the products of a shopper's confirmed orders, most often bought first and then most recently.
pub async fn list_bought_products(
    connection: &mut PgConnection,
    user: UserId,
    limit: i64,
) -> sqlx::Result<Vec<ProductId>> {
    sqlx::query_scalar!(
        r#"SELECT i.product_id AS "product: ProductId"
           FROM (SELECT id, created_at FROM orders
                 WHERE user_id = $1 AND status NOT IN ('Order Placed', 'Cancelled') ORDER BY id DESC LIMIT $2) o
           JOIN order_items i ON i.order_id = o.id
           GROUP BY i.product_id ORDER BY count(*) DESC, max(o.created_at) DESC, i.product_id LIMIT $3"#,
        user.0,
        NEWEST_ORDERS_OF_SHOPPER,
        limit,
    )
    .fetch_all(connection)
    .await
}

/// Lists the products that at least `shoppers` different shoppers bought since `since`, most shoppers first. Only the
/// newest orders are counted, so that the time does not grow with the shop.
pub async fn list_popular_products(
    connection: &mut PgConnection,
    since: DateTime<Utc>,
    shoppers: i64,
    limit: i64,
) -> sqlx::Result<Vec<ProductId>> {
    sqlx::query_scalar!(
        r#"SELECT i.product_id AS "product: ProductId"
           FROM (SELECT id, user_id, status, payment, created_at FROM orders ORDER BY id DESC LIMIT $2) o
           JOIN order_items i ON i.order_id = o.id
           WHERE o.created_at >= $1 AND o.status <> 'Cancelled' AND o.payment NOT IN ('awaiting', 'failed')
           GROUP BY i.product_id HAVING count(DISTINCT o.user_id) >= $3
           ORDER BY count(DISTINCT o.user_id) DESC, max(o.created_at) DESC, i.product_id LIMIT $4"#,
        since,
        NEWEST_ORDERS_OF_ALL,
        shoppers,
        limit,
    )
    .fetch_all(connection)
    .await
}

/// Lists the orders whose units are still in the shop.
pub async fn list_not_dispatched(connection: &mut PgConnection) -> sqlx::Result<Vec<OrderId>> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: OrderId" FROM orders
           WHERE status IN ('Order Placed', 'Order Confirmed') AND stock IN ('held', 'taken') AND NOT dispatched"#
    )
    .fetch_all(connection)
    .await
}
