//! All SQL of orders.

use std::time::Duration;

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{Connection, PgConnection, PgPool};
use uuid::Uuid;

use super::cash_limits::PurchaseHistory;
use super::model::{OrderItemRow, OrderRow, TimelineRow};
use super::transition::{CaseKind, FinancialStatus, Method, OrderStatus, Refund, State, Stock};
use crate::cart::Quote;
use crate::catalogue::{Offer, ProductQuantities};
use crate::payments::Payment;
use crate::platform::clock::Clock;
use crate::platform::config::Rates;
use crate::platform::db::{disable_timeouts, interval, unknown_value};
use crate::platform::money::Paisa;

/// The limits consider this many of a shopper's newest orders: more than a day's, and few enough that the cost never
/// grows.
const RECENT_ORDERS: i64 = 32;
/// A search for any part of an order number covers this many of the newest orders.
const NEWEST_ORDERS: i64 = 5_000;
/// A search by product covers this many of the newest orders of each product.
const NEWEST_ORDERS_OF_PRODUCT: i64 = 500;
/// A shorter beginning of an order number is searched among the newest orders only.
const MIN_CODE_PREFIX: usize = 3;

/// The key under which the response to an order placement is stored.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    pub user: Uuid,
    pub text: String,
    /// How long a key that was made from the request body is valid; `None` for a key of the client.
    pub window: Option<Duration>,
}

/// The data that the placement of an order depends on, read without locks.
pub struct PlacementSnapshot {
    /// The number of orders that the shopper has placed; `insert_order` writes nothing if it has changed.
    pub placed: i64,
    pub last_minute: i64,
    pub last_day: i64,
    pub open_cod: i64,
    pub open_cod_worth: Paisa,
    /// What the shopper has paid for among the newest orders.
    pub history: PurchaseHistory,
    /// Unpaid orders with one of the same products, which a new order replaces.
    pub unpaid_same_products: Vec<Uuid>,
    /// The number of other unpaid orders that hold stock.
    pub unpaid_others: i64,
    pub has_response: bool,
    /// The requested products, without ids that the shop never had.
    pub offers: Vec<Offer>,
}

/// Loads everything that the placement of an order depends on, in one query without locks. (`status || ''` keeps the
/// planner from using the index on the status, which covers the orders of all shoppers but looks cheap while there are
/// few.)
pub async fn load_snapshot(
    connection: &mut PgConnection,
    key: &IdempotencyKey,
    products: &[Uuid],
    now: DateTime<Utc>,
) -> sqlx::Result<PlacementSnapshot> {
    let rows = sqlx::query!(
        r#"SELECT lately.*,
                  coalesce((SELECT placed FROM buyers WHERE user_id = $1), 0) AS "placed!",
                  EXISTS (SELECT FROM idempotency_keys WHERE user_id = $1 AND key = $2
                          AND ($3::interval IS NULL OR created_at > $6::timestamptz - $3)) AS "has_response!",
                  ARRAY(SELECT o.id FROM orders o
                        WHERE o.user_id = $1 AND o.payment IN ('awaiting', 'failed') AND o.status || '' = 'Order Placed'
                          AND EXISTS (SELECT FROM order_items i WHERE i.order_id = o.id AND i.product_id = ANY ($5))
                        ORDER BY o.id) AS "unpaid_same_products!",
                  (SELECT count(*) FROM orders o
                   WHERE o.user_id = $1 AND o.payment IN ('awaiting', 'failed') AND o.status || '' = 'Order Placed' AND o.stock = 'held'
                     AND NOT EXISTS (SELECT FROM order_items i WHERE i.order_id = o.id AND i.product_id = ANY ($5)))
                      AS "unpaid_others!",
                  offer.id AS "id?", offer.name AS "name?", offer.name_ne AS "name_ne?",
                  offer.picture_key AS "picture_key?", offer.price_paisa AS "price?: Paisa", offer.tax_class AS "tax_class?",
                  offer.stock AS "stock?", offer.on_sale AS "on_sale?", offer.pack_label AS "pack_label?",
                  offer.pack_label_ne AS "pack_label_ne?"
           FROM (
               SELECT count(*) FILTER (WHERE o.created_at > $6::timestamptz - interval '1 minute') AS "last_minute!",
                      count(*) FILTER (WHERE o.created_at > $6::timestamptz - interval '1 day') AS "last_day!",
                      count(*) FILTER (WHERE o.payment = 'cod_due') AS "open_cod!",
                      coalesce(sum(o.total_paisa) FILTER (WHERE o.payment = 'cod_due'), 0)::bigint
                          AS "open_cod_worth!: Paisa",
                      count(*) FILTER (WHERE o.payment IN ('cod_collected', 'paid')) AS "paid_orders!",
                      coalesce(sum(o.total_paisa) FILTER (WHERE o.payment IN ('cod_collected', 'paid')), 0)::bigint
                          AS "paid_worth!: Paisa"
               FROM (SELECT created_at, payment, total_paisa FROM orders WHERE user_id = $1 ORDER BY id DESC LIMIT $4) o
           ) lately LEFT JOIN product_offers($5) offer ON true"#,
        key.user,
        key.text,
        key.window.map(interval),
        RECENT_ORDERS,
        products,
        now,
    )
    .fetch_all(connection)
    .await?;
    let Some(first) = rows.first() else { return Err(sqlx::Error::RowNotFound) };
    let mut snapshot = PlacementSnapshot {
        placed: first.placed,
        last_minute: first.last_minute,
        last_day: first.last_day,
        open_cod: first.open_cod,
        open_cod_worth: first.open_cod_worth,
        history: PurchaseHistory { orders: first.paid_orders, worth: first.paid_worth },
        unpaid_same_products: first.unpaid_same_products.clone(),
        unpaid_others: first.unpaid_others,
        has_response: first.has_response,
        offers: Vec::with_capacity(rows.len()),
    };
    for row in rows {
        let (Some(id), Some(name), Some(price), Some(tax_class), Some(stock), Some(on_sale)) =
            (row.id, row.name, row.price, row.tax_class, row.stock, row.on_sale)
        else {
            continue;
        };
        snapshot.offers.push(Offer {
            id,
            name,
            name_ne: row.name_ne,
            picture_key: row.picture_key,
            price,
            tax_class: tax_class.into(),
            stock,
            on_sale,
            pack_label: row.pack_label,
            pack_label_ne: row.pack_label_ne,
        });
    }
    Ok(snapshot)
}

/// Waits until no other request is placing an order under this key, because an order that is being committed is not
/// visible yet. The insert waits for any transaction that has claimed the key, and the rollback releases it again.
pub async fn wait_for_concurrent_placement(connection: &mut PgConnection, key: &IdempotencyKey) -> sqlx::Result<()> {
    let mut tx = connection.begin().await?;
    sqlx::query!(
        "INSERT INTO idempotency_keys (user_id, key, request_hash, order_id, response, created_at) VALUES ($1, $2, '', $3, '{}', 'epoch')
         ON CONFLICT DO NOTHING",
        key.user,
        key.text,
        Uuid::nil(),
    )
    .execute(&mut *tx)
    .await?;
    tx.rollback().await
}

pub struct StoredResponse {
    pub request_hash: Vec<u8>,
    pub order_id: Uuid,
    pub response: String,
}

/// Returns the response that is stored for this key. It writes, because a mere read could report an order that no
/// standby has yet.
pub async fn replay(
    connection: &mut PgConnection,
    key: &IdempotencyKey,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<StoredResponse>> {
    sqlx::query_as!(
        StoredResponse,
        r#"UPDATE idempotency_keys SET replayed_at = $4
           WHERE user_id = $1 AND key = $2 AND ($3::interval IS NULL OR created_at > $4::timestamptz - $3)
           RETURNING request_hash, order_id, response::text AS "response!""#,
        key.user,
        key.text,
        key.window.map(interval),
        now,
    )
    .fetch_optional(connection)
    .await
}

/// Finds the same order, placed under another key and not paid yet.
pub async fn find_same_unpaid(
    connection: &mut PgConnection,
    user: Uuid,
    request_hash: &[u8],
    unpaid: &[Uuid],
) -> sqlx::Result<Option<StoredResponse>> {
    sqlx::query_as!(
        StoredResponse,
        r#"SELECT request_hash, order_id, response::text AS "response!" FROM idempotency_keys
           WHERE user_id = $1 AND request_hash = $2 AND order_id = ANY($3) ORDER BY order_id DESC LIMIT 1"#,
        user,
        request_hash,
        unpaid,
    )
    .fetch_optional(connection)
    .await
}

/// Stores the response to the same order under another key.
pub async fn store_response(
    connection: &mut PgConnection,
    key: &IdempotencyKey,
    stored: &StoredResponse,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO idempotency_keys (user_id, key, request_hash, order_id, response, created_at)
         VALUES ($1, $2, $3, $4, $5::text::json, $6) ON CONFLICT DO NOTHING",
        key.user,
        key.text,
        stored.request_hash,
        stored.order_id,
        stored.response,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Serializes the placements of one shopper; it must be called before any of the shopper's orders is locked.
pub async fn lock_buyer(connection: &mut PgConnection, user: Uuid) -> sqlx::Result<()> {
    sqlx::query!("SELECT FROM buyers WHERE user_id = $1 FOR UPDATE", user).execute(connection).await?;
    Ok(())
}

pub struct NewOrder<'a> {
    pub id: Uuid,
    pub code: &'a str,
    pub tracking: &'a str,
    pub key: &'a IdempotencyKey,
    pub request_hash: &'a [u8],
    pub response: &'a str,
    pub placed_before: i64,
    pub state: State,
    pub quote: Quote,
    /// The rates that the quote was computed with.
    pub rates: Rates,
    pub delivery: &'a Delivery,
    pub language: &'a str,
    pub delivery_date: NaiveDate,
    pub created_at: DateTime<Utc>,
    pub items: &'a NewItems,
    /// When the hold ends; set for online orders only, which leave the cart as it is and send no email yet.
    pub hold_ends_at: Option<DateTime<Utc>>,
    /// The deadline for confirming the email address; ignored if the address is already confirmed.
    pub confirm_by: Option<DateTime<Utc>>,
    pub email: &'a str,
    pub email_job: &'a str,
    pub email_attempts: i32,
}

/// The recipient and address, as given when the order was placed.
#[derive(Debug, Clone, Default)]
pub struct Delivery {
    pub recipient: String,
    pub email: String,
    pub phone: String,
    pub address: String,
    pub municipality: String,
    pub ward: String,
    pub landmark: String,
}

/// The items of an order, one vector for each column.
#[derive(Debug, Default)]
pub struct NewItems {
    pub products: Vec<Uuid>,
    pub names: Vec<String>,
    pub names_ne: Vec<Option<String>>,
    pub pictures: Vec<Option<String>>,
    pub prices: Vec<i64>,
    pub tax_classes: Vec<String>,
    pub quantities: Vec<i32>,
    pub pack_labels: Vec<Option<String>>,
    pub pack_labels_ne: Vec<Option<String>>,
}

/// Writes an order and everything that belongs to it in one statement, and therefore in one transaction: the shopper's
/// count, the key with its response, the order, its items and its first timeline entry. It also takes the units from
/// stock, removes them from the cart and queues an email; an online order leaves the cart and the email until it is
/// paid.
///
/// Returns false and writes nothing when the account is no longer active or the shopper has placed another order since
/// the snapshot; returns false and writes only the count when the key is taken. Fails with `TS001` and writes nothing
/// when the stock has changed.
///
/// The parts run in the order of their dependencies: count, key, stock.
pub async fn insert_order(connection: &mut PgConnection, new: &NewOrder<'_>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        r#"WITH counted AS (
               INSERT INTO buyers AS b (user_id, placed) SELECT $1, 1 WHERE lock_active_user($1)
               ON CONFLICT (user_id) DO UPDATE SET placed = b.placed + 1 WHERE b.placed = $2
               RETURNING user_id
           ), claimed AS (
               INSERT INTO idempotency_keys AS p (user_id, key, request_hash, order_id, response, created_at)
               SELECT user_id, $3, $4, $5, $6::text::json, $29 FROM counted
               ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
                   SET request_hash = excluded.request_hash, order_id = excluded.order_id, response = excluded.response,
                       created_at = excluded.created_at, replayed_at = NULL
                   WHERE p.created_at <= excluded.created_at - $7::interval
               RETURNING user_id
           ), placed AS (
               INSERT INTO orders (id, code, tracking, user_id, method, status, payment, stock, subtotal_paisa, taxable_paisa,
                                   tax_rate_bp, tax_paisa, shipping_paisa, total_paisa, recipient, email, phone, address,
                                   municipality, ward, landmark, language, delivery_date, created_at, updated_at, hold_ends_at,
                                   confirm_by, fee_paisa, free_above_paisa, vat_registered)
               SELECT $5, $8, $9, user_id, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
                      $26, $27, $28, $29, $29, $40, CASE WHEN NOT has_confirmed_email(user_id) THEN $43::timestamptz END,
                      $44, $45, $46
               FROM claimed
               RETURNING id
           ), lines AS (
               INSERT INTO order_items (order_id, product_id, position, name, name_ne, picture_key, price_paisa, tax_class,
                                        quantity, pack_label, pack_label_ne)
               SELECT placed.id, line.product, line.place, line.name, line.name_ne, line.picture, line.price, line.tax_class,
                      line.quantity, line.pack_label, line.pack_label_ne
               FROM placed,
                    unnest($30::uuid[], $31::text[], $32::text[], $33::text[], $34::bigint[], $35::text[], $36::integer[],
                           $41::text[], $42::text[])
                    WITH ORDINALITY
                    line (product, name, name_ne, picture, price, tax_class, quantity, pack_label, pack_label_ne, place)
           ), told AS (
               INSERT INTO order_events (order_id, status, actor) SELECT id, $11, 'shopper' FROM placed
           ), taken AS (
               SELECT take_stock($5, $30, $36, $34, 'order') AS yes FROM claimed
           )
           SELECT taken.yes,
                  CASE WHEN $40::timestamptz IS NULL THEN remove_from_cart($1, $30, $36)::text END AS cart,
                  CASE WHEN $40 IS NULL THEN enqueue_job($37, $38::text::json, $39)::text END AS email
           FROM taken"#,
        new.key.user,
        new.placed_before,
        new.key.text,
        new.request_hash,
        new.id,
        new.response,
        new.key.window.map(interval),
        new.code,
        new.tracking,
        new.state.method.name(),
        new.state.status.name(),
        new.state.payment.name(),
        new.state.stock.name(),
        new.quote.subtotal.0,
        new.quote.taxable.0,
        new.rates.tax_rate.0,
        new.quote.tax.0,
        new.quote.shipping_fee.0,
        new.quote.total.0,
        new.delivery.recipient,
        new.delivery.email,
        new.delivery.phone,
        new.delivery.address,
        new.delivery.municipality,
        new.delivery.ward,
        new.delivery.landmark,
        new.language,
        new.delivery_date,
        new.created_at,
        &new.items.products,
        &new.items.names,
        &new.items.names_ne as _,
        &new.items.pictures as _,
        &new.items.prices,
        &new.items.tax_classes,
        &new.items.quantities,
        new.email_job,
        new.email,
        new.email_attempts,
        new.hold_ends_at,
        &new.items.pack_labels as _,
        &new.items.pack_labels_ne as _,
        new.confirm_by,
        new.rates.shipping_fee.0,
        new.rates.free_shipping_above.0,
        new.rates.vat_registered,
    )
    .fetch_optional(connection)
    .await?;
    Ok(done.is_some())
}

/// An order that is locked until the transaction ends.
pub struct LockedOrder {
    pub id: Uuid,
    pub user: Uuid,
    pub code: String,
    pub total: Paisa,
    pub state: State,
    pub hold_ends_at: Option<DateTime<Utc>>,
    pub confirm_by: Option<DateTime<Utc>>,
    /// The payment attempts, oldest first.
    pub payments: Vec<Payment>,
    /// When the lock was acquired; changes to the order in this transaction get this time.
    pub now: DateTime<Utc>,
}

pub async fn lock(connection: &mut PgConnection, id: Uuid, clock: &Clock) -> sqlx::Result<Option<LockedOrder>> {
    let row = sqlx::query!(
        r#"SELECT user_id, code, total_paisa AS "total: Paisa", method, status, payment, stock, dispatched, hold_ends_at,
                  confirm_by
           FROM orders WHERE id = $1 FOR UPDATE"#,
        id,
    )
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let state = State {
        status: OrderStatus::from_name(&row.status).ok_or_else(|| unknown_value("orders.status"))?,
        method: Method::from_name(&row.method).ok_or_else(|| unknown_value("orders.method"))?,
        payment: FinancialStatus::from_name(&row.payment).ok_or_else(|| unknown_value("orders.payment"))?,
        stock: Stock::from_name(&row.stock).ok_or_else(|| unknown_value("orders.stock"))?,
        dispatched: row.dispatched,
        refund: Refund::None,
    };
    Ok(Some(LockedOrder {
        id,
        user: row.user_id,
        code: row.code,
        total: row.total,
        state,
        hold_ends_at: row.hold_ends_at,
        confirm_by: row.confirm_by,
        payments: Vec::new(),
        now: clock.now(),
    }))
}

/// Extends the hold of an online order; never shortens it.
pub async fn extend_hold(connection: &mut PgConnection, order: Uuid, ends: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE orders SET hold_ends_at = greatest(hold_ends_at, $2) WHERE id = $1 AND method <> 'COD'",
        order,
        ends,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find_expired_holds(db: &PgPool, limit: i64, now: DateTime<Utc>) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "SELECT id FROM orders WHERE stock = 'held' AND hold_ends_at < $2 ORDER BY hold_ends_at LIMIT $1",
        limit,
        now,
    )
    .fetch_all(db)
    .await
}

/// Finds orders that should have been paid long ago; the index `orders_not_paid` holds only a few at any time.
pub async fn find_long_unpaid(db: &PgPool, before: DateTime<Utc>, limit: i64) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "SELECT id FROM orders WHERE payment = 'failed' AND status = 'Order Placed' AND stock = 'returned'
         AND created_at < $1 LIMIT $2",
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Counts open cash orders of other accounts with this phone number, however it is written.
pub async fn count_open_cash_by_phone(connection: &mut PgConnection, user: Uuid, phone: &str) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM orders
           WHERE phone_key(phone) = phone_key($2) AND phone_key($2) <> '' AND payment = 'cod_due' AND user_id <> $1"#,
        user,
        phone,
    )
    .fetch_one(connection)
    .await
}

/// Finds orders whose shopper has not confirmed the email address in time.
pub async fn find_unconfirmed(db: &PgPool, limit: i64, now: DateTime<Utc>) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!("SELECT id FROM orders WHERE confirm_by < $2 ORDER BY confirm_by LIMIT $1", limit, now)
        .fetch_all(db)
        .await
}

/// Counts the other unpaid orders of this shopper that hold stock.
pub async fn count_other_holds(connection: &mut PgConnection, user: Uuid, order: Uuid) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM orders
           WHERE user_id = $1 AND payment IN ('awaiting', 'failed') AND status || '' = 'Order Placed' AND stock = 'held'
             AND id <> $2"#,
        user,
        order,
    )
    .fetch_one(connection)
    .await
}

pub async fn find_units(connection: &mut PgConnection, order: Uuid) -> sqlx::Result<ProductQuantities> {
    let rows = sqlx::query!("SELECT product_id, quantity FROM order_items WHERE order_id = $1", order)
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().map(|row| (row.product_id, row.quantity)).collect())
}

/// Stores the new state. A finished order of a deleted account loses its name and address. Any change ends the wait for
/// a confirmation, because the seller has handled the order or it is cancelled.
pub async fn set_state(
    connection: &mut PgConnection,
    order: Uuid,
    state: &State,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let is_done = matches!(state.status, OrderStatus::Delivered | OrderStatus::Cancelled);
    sqlx::query!(
        "UPDATE orders SET status = $2, payment = $3, stock = $4, dispatched = $5, updated_at = $7, confirm_by = NULL,
                recipient = CASE WHEN buyer_deleted AND $6 THEN '' ELSE recipient END,
                email = CASE WHEN buyer_deleted AND $6 THEN '' ELSE email END,
                phone = CASE WHEN buyer_deleted AND $6 THEN '' ELSE phone END,
                address = CASE WHEN buyer_deleted AND $6 THEN '' ELSE address END,
                landmark = CASE WHEN buyer_deleted AND $6 THEN '' ELSE landmark END
         WHERE id = $1",
        order,
        state.status.name(),
        state.payment.name(),
        state.stock.name(),
        state.dispatched,
        is_done,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the previous date.
pub async fn set_delivery_date(
    connection: &mut PgConnection,
    order: Uuid,
    date: NaiveDate,
    now: DateTime<Utc>,
) -> sqlx::Result<NaiveDate> {
    sqlx::query_scalar!(
        "UPDATE orders SET delivery_date = $2, updated_at = $3 FROM orders before
         WHERE orders.id = $1 AND before.id = orders.id RETURNING before.delivery_date",
        order,
        date,
        now,
    )
    .fetch_one(connection)
    .await
}

pub async fn add_event(
    connection: &mut PgConnection,
    order: Uuid,
    status: OrderStatus,
    actor: &str,
) -> sqlx::Result<()> {
    sqlx::query!("INSERT INTO order_events (order_id, status, actor) VALUES ($1, $2, $3)", order, status.name(), actor,)
        .execute(connection)
        .await?;
    Ok(())
}

/// Records that only the payment has changed: open pages are told, but the timeline does not show it.
pub async fn add_internal_event(connection: &mut PgConnection, order: Uuid, status: OrderStatus) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO order_events (order_id, status, actor, internal) VALUES ($1, $2, 'system', true)",
        order,
        status.name(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Opens a case unless the order already has an open one of this kind.
pub async fn open_case(
    connection: &mut PgConnection,
    order: Uuid,
    case: CaseKind,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO cases (order_id, kind, opened_at) VALUES ($1, $2, $3)
         ON CONFLICT (order_id, kind) WHERE closed_at IS NULL DO NOTHING",
        order,
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
    order: Uuid,
    case: CaseKind,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO cases (order_id, kind, opened_at) SELECT $1, $2, $3
         WHERE NOT EXISTS (SELECT FROM cases WHERE order_id = $1 AND kind = $2)",
        order,
        case.name(),
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Selects the columns that every query for orders needs.
macro_rules! select_orders {
    ([$($rest:literal),+], $($argument:expr),+) => {
        sqlx::query_as!(
            OrderRow,
            r#"SELECT o.id, o.code, o.tracking, o.user_id, o.method, o.status, o.payment, o.dispatched,
                      o.subtotal_paisa AS "subtotal: Paisa", o.tax_paisa AS "tax: Paisa", o.shipping_paisa AS "shipping: Paisa",
                      o.total_paisa AS "total: Paisa", o.vat_registered, o.recipient, o.email, o.phone, o.address, o.municipality, o.ward,
                      o.landmark, o.language, o.delivery_date, o.created_at, o.confirm_by
               FROM orders o "#
                $(+ $rest)+,
            $($argument),+
        )
    };
}

pub async fn find(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<OrderRow>> {
    select_orders!(["WHERE o.id = $1"], id).fetch_optional(connection).await
}

/// Lists a shopper's orders before one of them, newest first; `pattern` is matched against the order number and product
/// names.
pub async fn list_by_user(
    connection: &mut PgConnection,
    user: Uuid,
    pattern: Option<&str>,
    before: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<OrderRow>> {
    match pattern {
        None => {
            select_orders!(["WHERE o.user_id = $1 AND o.id < $2 ORDER BY o.id DESC LIMIT $3"], user, before, limit)
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
                user,
                before,
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
    before: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<OrderRow>> {
    select_orders!(
        ["WHERE o.id < $1 AND ($2 OR o.payment NOT IN ('awaiting', 'failed') OR o.status NOT IN ('Order Placed', 'Cancelled'))
             ORDER BY o.id DESC LIMIT $3"],
        before,
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
    before: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<OrderRow>> {
    select_orders!(
        ["WHERE o.status = $4 AND o.id < $1
              AND ($2 OR o.payment NOT IN ('awaiting', 'failed') OR o.status NOT IN ('Order Placed', 'Cancelled'))
             ORDER BY o.id DESC LIMIT $3"],
        before,
        with_unpaid,
        limit,
        status
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

/// An order that is still to be delivered.
pub struct DeliveryRow {
    pub id: Uuid,
    pub code: String,
    pub recipient: String,
    pub phone: String,
    pub address: String,
    pub municipality: String,
    pub ward: String,
    pub landmark: String,
    pub status: String,
    pub method: String,
    pub delivery_date: NaiveDate,
    pub cash: Paisa,
    pub items: i64,
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
                  o.delivery_date, CASE WHEN o.payment = 'cod_due' THEN o.total_paisa ELSE 0 END AS "cash!: Paisa",
                  (SELECT coalesce(sum(i.quantity), 0) FROM order_items i WHERE i.order_id = o.id) AS "items!"
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

/// A search in the seller's orders.
pub struct OrderSearch<'a> {
    /// Only orders with this status.
    pub only: Option<&'a str>,
    pub statuses: &'a [String],
    /// The text in the notation of order numbers.
    pub code: &'a str,
    pub code_pattern: &'a str,
    /// Part of the customer's name or phone number, in the form of `order_contact`.
    pub contact_pattern: &'a str,
    /// False for a text that is too short for the trigram index; it is searched among the newest orders only.
    pub contact_is_long: bool,
    /// The products that the text matches.
    pub products: &'a [Uuid],
    /// Too many products match, so the items of the newest orders are searched instead.
    pub more_products: bool,
    pub product_pattern: &'a str,
}

/// Finds orders by status, order number, customer name, phone number or product name. Each part of the query reads its
/// own index in order.
pub async fn search_all(
    connection: &mut PgConnection,
    search: &OrderSearch<'_>,
    with_unpaid: bool,
    before: Uuid,
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
        before,
        with_unpaid,
        limit,
        search.statuses,
        prefix,
        search.code_pattern,
        NEWEST_ORDERS,
        search.only,
        search.contact_pattern,
        search.contact_is_long,
        search.products,
        search.more_products,
        search.product_pattern,
        NEWEST_ORDERS_OF_PRODUCT
    )
    .fetch_all(connection)
    .await
}

pub async fn list_items(connection: &mut PgConnection, orders: &[Uuid]) -> sqlx::Result<Vec<OrderItemRow>> {
    sqlx::query_as!(
        OrderItemRow,
        r#"SELECT order_id, product_id, name, name_ne, picture_key, price_paisa AS "price: Paisa", quantity, pack_label,
                  pack_label_ne
           FROM order_items WHERE order_id = ANY($1) ORDER BY order_id, position"#,
        orders,
    )
    .fetch_all(connection)
    .await
}

pub async fn list_timeline(connection: &mut PgConnection, orders: &[Uuid]) -> sqlx::Result<Vec<TimelineRow>> {
    sqlx::query_as!(
        TimelineRow,
        "SELECT order_id, status, at FROM order_events WHERE order_id = ANY($1) AND NOT internal ORDER BY order_id, id",
        orders,
    )
    .fetch_all(connection)
    .await
}

pub async fn list_open_cases(connection: &mut PgConnection, orders: &[Uuid]) -> sqlx::Result<Vec<(Uuid, String)>> {
    let rows = sqlx::query!(
        "SELECT order_id, kind FROM cases WHERE order_id = ANY($1) AND closed_at IS NULL ORDER BY id",
        orders,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.order_id, row.kind)).collect())
}

pub struct CaseRow {
    pub id: i64,
    pub kind: String,
    pub opened_at: DateTime<Utc>,
    pub closed_at: Option<DateTime<Utc>>,
    pub order_id: Uuid,
    pub code: String,
    pub status: String,
    pub method: String,
    pub payment: String,
    pub total: Paisa,
    pub recipient: String,
    pub phone: String,
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
    order: Uuid,
    kinds: &[CaseKind],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let kinds: Vec<String> = kinds.iter().map(|case| case.name().to_owned()).collect();
    sqlx::query!(
        "UPDATE cases SET closed_at = $3 WHERE order_id = $1 AND kind = ANY($2) AND closed_at IS NULL",
        order,
        &kinds,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The money that is still due for the orders of a day, and the cash that was collected for them.
pub struct DailyReceivables {
    pub day: NaiveDate,
    pub awaiting: Paisa,
    pub to_collect: Paisa,
    pub collected: Paisa,
}

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
                  coalesce(sum(total_paisa) FILTER (WHERE payment = 'cod_due'), 0)::bigint AS "to_collect!: Paisa",
                  coalesce(sum(total_paisa) FILTER (WHERE payment = 'cod_collected'), 0)::bigint AS "collected!: Paisa"
           FROM orders WHERE id >= $1 AND id < $2 GROUP BY 1"#,
        first_id(from),
        first_id(until),
    )
    .fetch_all(connection)
    .await
}

pub struct DailySales {
    pub day: NaiveDate,
    pub orders: i64,
    pub revenue: Paisa,
    pub to_collect: Paisa,
    pub paid_online: Paisa,
    pub cancelled: i64,
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
           FROM (SELECT created_at, total_paisa, payment, status,
                        status <> 'Cancelled' AND payment NOT IN ('awaiting', 'failed') AS is_sale
                 FROM orders WHERE id >= $1 AND id < $2) placed
           GROUP BY 1 ORDER BY 1"#,
        first_id(from),
        first_id(until),
    )
    .fetch_all(db)
    .await
}

pub struct ProductSales {
    pub product_id: Uuid,
    pub name: String,
    pub name_ne: Option<String>,
    pub picture_key: Option<String>,
    pub quantity: i64,
    pub revenue: Paisa,
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

/// Returns the order numbers that people see.
pub async fn find_codes(connection: &mut PgConnection, orders: &[Uuid]) -> sqlx::Result<Vec<(Uuid, String)>> {
    let rows = sqlx::query!("SELECT id, code FROM orders WHERE id = ANY($1)", orders).fetch_all(connection).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.code)).collect())
}

/// An order event, as the event stream needs it.
pub struct OrderEventRow {
    pub event: i64,
    pub order: Uuid,
    pub user: Uuid,
    pub code: String,
    /// The current status of the order.
    pub status: String,
    /// The event makes the order new to the seller: a cash order was placed, or an online order was paid.
    pub is_new: bool,
    /// The event is so old that no event with a smaller id can still appear.
    pub is_settled: bool,
}

/// Lists the first thousand events after one of them. Ids are assigned before the commit, so a smaller id can appear
/// later. The database sets the time of an event, so its age is measured by the database's clock. (The limit is a
/// literal, because a plan for any limit would read all orders.)
pub async fn list_events_since(db: &PgPool, event: i64, settled_after: Duration) -> sqlx::Result<Vec<OrderEventRow>> {
    sqlx::query_as!(
        OrderEventRow,
        r#"SELECT e.id AS event, e.order_id AS "order", o.user_id AS "user", o.code, o.status,
                  CASE WHEN o.method = 'COD'
                       THEN NOT EXISTS (SELECT FROM order_events previous WHERE previous.order_id = e.order_id AND previous.id < e.id)
                       ELSE e.status = 'Order Confirmed' AND e.actor = 'system' AND NOT e.internal END AS "is_new!",
                  e.at < now() - $2::interval AS "is_settled!"
           FROM (SELECT id, order_id, status, actor, internal, at FROM order_events WHERE id > $1 ORDER BY id LIMIT 1000) e
           JOIN orders o ON o.id = e.order_id
           ORDER BY e.id"#,
        event,
        interval(settled_after),
    )
    .fetch_all(db)
    .await
}

/// Returns the newest event before which no other can still appear.
pub async fn last_settled_event(db: &PgPool, settled_after: Duration) -> sqlx::Result<i64> {
    let last = sqlx::query_scalar!(
        "SELECT id FROM (SELECT id, at FROM order_events ORDER BY id DESC LIMIT 10000) newest
         WHERE at < now() - $1::interval ORDER BY id DESC LIMIT 1",
        interval(settled_after),
    )
    .fetch_optional(db)
    .await?;
    Ok(last.unwrap_or(0))
}

/// Erases names and addresses for a deleted account: in finished orders now, in the others when they are finished
/// (`set_state`).
pub async fn anonymize(connection: &mut PgConnection, user: Uuid) -> sqlx::Result<()> {
    sqlx::query!("UPDATE orders SET buyer_deleted = true WHERE user_id = $1", user).execute(&mut *connection).await?;
    sqlx::query!(
        "UPDATE orders SET recipient = '', email = '', phone = '', address = '', landmark = ''
         WHERE user_id = $1 AND status IN ('Delivered', 'Cancelled')",
        user,
    )
    .execute(connection)
    .await?;
    Ok(())
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

pub async fn delete_expired_keys(db: &PgPool, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!("DELETE FROM idempotency_keys WHERE created_at < $1", before).execute(db).await?;
    Ok(done.rows_affected())
}
