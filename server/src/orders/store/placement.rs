//! The SQL that places an order.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sqlx::types::Json;
use sqlx::{Connection, PgConnection, PgPool};
use uuid::Uuid;

use crate::catalogue::Offer;
use crate::orders::cash_limits::PurchaseHistory;
use crate::orders::model::{IdempotencyKey, IfUnavailable, NewOrder, PlacementSnapshot, StoredResponse};
use crate::platform::db::interval;
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::money::Paisa;

/// The limits consider this many of a shopper's newest orders: more than a day's, and few enough that the cost never
/// grows.
const RECENT_ORDERS: i64 = 32;

/// Loads everything that the placement of an order depends on, in one query without locks. (`status || ''` keeps the
/// planner from using the index on the status, which covers the orders of all shoppers but looks cheap while there are
/// few.)
pub async fn load_snapshot(
    connection: &mut PgConnection,
    key: &IdempotencyKey,
    products: &[ProductId],
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
                        ORDER BY o.id) AS "unpaid_same_products!: Vec<OrderId>",
                  (SELECT count(*) FROM orders o
                   WHERE o.user_id = $1 AND o.payment IN ('awaiting', 'failed') AND o.status || '' = 'Order Placed' AND o.stock = 'held'
                     AND NOT EXISTS (SELECT FROM order_items i WHERE i.order_id = o.id AND i.product_id = ANY ($5)))
                      AS "unpaid_others!",
                  offer.id AS "id?: ProductId", offer.name AS "name?", offer.name_ne AS "name_ne?",
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
        key.user.0,
        key.text,
        key.window.map(interval),
        RECENT_ORDERS,
        products as _,
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

/// Counts open cash orders of other accounts with this phone number, however it is written, up to `most`: an office may have
/// thousands, and each order would have to look through them.
pub async fn count_open_cash_by_phone(
    connection: &mut PgConnection,
    user: UserId,
    phone: &str,
    most: u32,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM (
               SELECT FROM orders
               WHERE phone_key(phone) = phone_key($2) AND phone_key($2) <> '' AND payment = 'cod_due' AND user_id <> $1
               LIMIT $3
           ) AS others"#,
        user.0,
        phone,
        i64::from(most),
    )
    .fetch_one(connection)
    .await
}

/// Waits until no other request is placing an order under this key, because an order that is being committed is not
/// visible yet. The insert waits for any transaction that has claimed the key, and the rollback releases it again.
pub async fn wait_for_concurrent_placement(connection: &mut PgConnection, key: &IdempotencyKey) -> sqlx::Result<()> {
    let mut tx = connection.begin().await?;
    sqlx::query!(
        "INSERT INTO idempotency_keys (user_id, key, request_hash, order_id, response, created_at) VALUES ($1, $2, '', $3, '{}', 'epoch')
         ON CONFLICT DO NOTHING",
        key.user.0,
        key.text,
        Uuid::nil(),
    )
    .execute(&mut *tx)
    .await?;
    tx.rollback().await
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
        key.user.0,
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
    user: UserId,
    request_hash: &[u8],
    unpaid: &[OrderId],
) -> sqlx::Result<Option<StoredResponse>> {
    sqlx::query_as!(
        StoredResponse,
        r#"SELECT request_hash, order_id, response::text AS "response!" FROM idempotency_keys
           WHERE user_id = $1 AND request_hash = $2 AND order_id = ANY($3) ORDER BY order_id DESC LIMIT 1"#,
        user.0,
        request_hash,
        unpaid as _,
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
        key.user.0,
        key.text,
        stored.request_hash,
        stored.order_id.0,
        stored.response,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Serializes the placements of one shopper; it must be called before any of the shopper's orders is locked.
pub async fn lock_buyer(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("SELECT FROM buyers WHERE user_id = $1 FOR UPDATE", user.0).execute(connection).await?;
    Ok(())
}

/// A row of `orders`, by the names of its columns.
#[derive(Serialize)]
struct NewOrderRow<'a> {
    id: OrderId,
    code: &'a str,
    tracking: &'a str,
    method: &'a str,
    status: &'a str,
    payment: &'a str,
    stock: &'a str,
    subtotal_paisa: i64,
    taxable_paisa: i64,
    tax_rate_bp: i32,
    tax_paisa: i64,
    fee_paisa: i64,
    free_above_paisa: Option<i64>,
    shipping_paisa: i64,
    total_paisa: i64,
    vat_registered: bool,
    prices_include_tax: bool,
    weight_tolerance_bp: i32,
    recipient: &'a str,
    email: &'a str,
    phone: &'a str,
    address: &'a str,
    municipality: &'a str,
    ward: &'a str,
    landmark: &'a str,
    language: &'a str,
    delivery_date: NaiveDate,
    delivery_window_id: Option<Uuid>,
    delivery_starts: Option<NaiveTime>,
    delivery_ends: Option<NaiveTime>,
    note_shop: &'a str,
    note_rider: &'a str,
    if_unavailable: Option<&'a str>,
    created_at: DateTime<Utc>,
    hold_ends_at: Option<DateTime<Utc>>,
    confirm_by: Option<DateTime<Utc>>,
}

impl<'a> From<&NewOrder<'a>> for NewOrderRow<'a> {
    fn from(new: &NewOrder<'a>) -> Self {
        Self {
            id: new.id,
            code: new.code,
            tracking: new.tracking,
            method: new.state.method.name(),
            status: new.state.status.name(),
            payment: new.state.payment.name(),
            stock: new.state.stock.name(),
            subtotal_paisa: new.quote.subtotal.0,
            taxable_paisa: new.quote.taxable.0,
            tax_rate_bp: new.rates.tax_rate.0,
            tax_paisa: new.quote.tax.0,
            fee_paisa: new.fees.fee.0,
            free_above_paisa: new.fees.free_above.map(|amount| amount.0),
            shipping_paisa: new.quote.shipping_fee.0,
            total_paisa: new.quote.total.0,
            vat_registered: new.rates.vat_registered,
            prices_include_tax: new.rates.prices_include_tax,
            weight_tolerance_bp: new.rates.weight_tolerance.0,
            recipient: &new.delivery.recipient,
            email: &new.delivery.email,
            phone: &new.delivery.phone,
            address: &new.delivery.address,
            municipality: &new.delivery.municipality,
            ward: &new.delivery.ward,
            landmark: &new.delivery.landmark,
            language: new.language,
            delivery_date: new.delivery_date,
            delivery_window_id: new.slot.map(|slot| slot.window),
            delivery_starts: new.slot.map(|slot| slot.starts),
            delivery_ends: new.slot.map(|slot| slot.ends),
            note_shop: new.note_shop,
            note_rider: new.note_rider,
            if_unavailable: new.if_unavailable.map(IfUnavailable::name),
            created_at: new.created_at,
            hold_ends_at: new.hold_ends_at,
            confirm_by: new.confirm_by,
        }
    }
}

/// Writes an order and everything that belongs to it in one statement, and therefore in one transaction: the shopper's
/// count, the key with its response, the order, its items and its first timeline entry. It also takes the units from
/// stock and a place in the delivery window, removes the units from the cart and queues an email and the alert of the
/// staff; an online order leaves these until it is paid. The order is passed as one JSON document with the names of the columns.
///
/// Returns false and writes nothing when the account is no longer active or the shopper has placed another order since
/// the snapshot; returns false and writes only the count when the key is taken. Fails and writes nothing with `TS001`
/// when the stock has changed, with `TS002` when the window is full, and with `TS005` when the coupon has changed or is
/// used up.
///
/// The parts run in the order of their dependencies: count, key, stock, window, coupon.
pub async fn insert_order(connection: &mut PgConnection, new: &NewOrder<'_>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        r#"WITH counted AS (
               INSERT INTO buyers AS b (user_id, placed) SELECT $1, 1 WHERE lock_active_user($1)
               ON CONFLICT (user_id) DO UPDATE SET placed = b.placed + 1 WHERE b.placed = $2
               RETURNING user_id
           ), claimed AS (
               INSERT INTO idempotency_keys AS p (user_id, key, request_hash, order_id, response, created_at)
               SELECT user_id, $3, $4, $5, $6::text::json, $8 FROM counted
               ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
                   SET request_hash = excluded.request_hash, order_id = excluded.order_id, response = excluded.response,
                       created_at = excluded.created_at, replayed_at = NULL
                   WHERE p.created_at <= excluded.created_at - $7::interval
               RETURNING user_id
           ), placed AS (
               INSERT INTO orders (id, code, tracking, user_id, method, status, payment, stock, subtotal_paisa, taxable_paisa,
                                   tax_rate_bp, tax_paisa, fee_paisa, free_above_paisa, shipping_paisa, total_paisa,
                                   vat_registered, prices_include_tax, weight_tolerance_bp, recipient, email, phone, address, municipality,
                                   ward, landmark, language,
                                   delivery_date, delivery_window_id, delivery_starts, delivery_ends, has_delivery_place,
                                   note_shop, note_rider, if_unavailable, created_at, updated_at, hold_ends_at, confirm_by)
               SELECT o.id, o.code, o.tracking, claimed.user_id, o.method, o.status, o.payment, o.stock, o.subtotal_paisa,
                      o.taxable_paisa, o.tax_rate_bp, o.tax_paisa, o.fee_paisa, o.free_above_paisa, o.shipping_paisa,
                      o.total_paisa, o.vat_registered, o.prices_include_tax, o.weight_tolerance_bp, o.recipient, o.email, o.phone, o.address, o.municipality, o.ward,
                      o.landmark, o.language, o.delivery_date, o.delivery_window_id, o.delivery_starts, o.delivery_ends,
                      o.delivery_window_id IS NOT NULL, o.note_shop, o.note_rider, o.if_unavailable, o.created_at,
                      o.created_at, o.hold_ends_at, CASE WHEN NOT has_confirmed_email(claimed.user_id) THEN o.confirm_by END
               FROM claimed, jsonb_populate_record(NULL::orders, $9) o
               RETURNING id, status, hold_ends_at, delivery_window_id, delivery_date
           ), lines AS (
               INSERT INTO order_items (order_id, product_id, position, name, name_ne, picture_key, price_paisa, tax_class,
                                        quantity, pack_label, pack_label_ne, if_unavailable, step_grams,
                                        price_before_coupon_paisa)
               SELECT placed.id, line.product, line.place, line.name, line.name_ne, line.picture, line.price, line.tax_class,
                      line.quantity, line.pack_label, line.pack_label_ne, line.if_unavailable, product_step_grams(line.product),
                      CASE WHEN $24::uuid IS NOT NULL THEN line.listed END
               FROM placed,
                    unnest($10::uuid[], $11::text[], $12::text[], $13::text[], $14::bigint[], $15::text[], $16::integer[],
                           $17::text[], $18::text[], $19::text[], $23::bigint[])
                    WITH ORDINALITY
                    line (product, name, name_ne, picture, price, tax_class, quantity, pack_label, pack_label_ne,
                          if_unavailable, listed, place)
           ), told AS (
               INSERT INTO order_events (order_id, status, actor) SELECT id, status, 'shopper' FROM placed
           ), taken AS (
               SELECT take_stock($5, $10, $16, $23, 'order') AS yes FROM claimed
           )
           SELECT taken.yes,
                  CASE WHEN delivery_window_id IS NOT NULL THEN require_delivery_place(delivery_window_id, delivery_date) END
                      AS place,
                  CASE WHEN hold_ends_at IS NULL THEN remove_from_cart($1, $10, $16)::text END AS cart,
                  CASE WHEN hold_ends_at IS NULL THEN enqueue_job($20, $21::text::json, $22)::text END AS email,
                  CASE WHEN hold_ends_at IS NULL THEN enqueue_job('orders.alert_staff', json_build_object('order', $5::uuid), 25)::text END
                      AS alert,
                  CASE WHEN $24::uuid IS NOT NULL THEN use_coupon($24, $25, $5, $1, $26, $8) END AS coupon
           FROM taken, placed"#,
        new.key.user.0,
        new.placed_before,
        new.key.text,
        new.request_hash,
        new.id.0,
        new.response,
        new.key.window.map(interval),
        new.created_at,
        Json(NewOrderRow::from(new)) as _,
        &new.items.products as _,
        &new.items.names,
        &new.items.names_ne as _,
        &new.items.pictures as _,
        &new.items.prices,
        &new.items.tax_classes,
        &new.items.quantities,
        &new.items.pack_labels as _,
        &new.items.pack_labels_ne as _,
        &new.items.if_unavailable as _,
        new.email_job,
        new.email,
        new.email_attempts,
        &new.items.listed_prices,
        new.coupon.map(|coupon| coupon.id),
        new.coupon.map(|coupon| coupon.version),
        new.quote.discount.0,
    )
    .fetch_optional(connection)
    .await?;
    Ok(done.is_some())
}

pub async fn delete_expired_keys(db: &PgPool, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!("DELETE FROM idempotency_keys WHERE created_at < $1", before).execute(db).await?;
    Ok(done.rows_affected())
}
