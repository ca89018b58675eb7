//! The SQL that changes an order, and that finds the orders to change.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{PgConnection, PgPool};

use crate::catalogue::ProductQuantities;
use crate::delivery::Slot;
use crate::orders::model::LockedOrder;
use crate::orders::transition::{FinancialStatus, Method, OrderStatus, Refund, State, Stock};
use crate::platform::clock::Clock;
use crate::platform::db::unknown_value;
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::money::Paisa;

pub async fn lock(connection: &mut PgConnection, id: OrderId, clock: &Clock) -> sqlx::Result<Option<LockedOrder>> {
    let row = sqlx::query!(
        r#"SELECT user_id, code, total_paisa AS "total: Paisa",
                  coalesce(amount_due_paisa, total_paisa) AS "due!: Paisa", rider_id, method, status, payment, stock, dispatched, hold_ends_at,
                  confirm_by, delivery_date, delivery_window_id, has_delivery_place,
                  (SELECT coalesce(sum(r.value_paisa), 0)::bigint FROM door_returns r WHERE r.order_id = $1) AS "returned!: Paisa"
           FROM orders WHERE id = $1 FOR UPDATE"#,
        id.0,
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
        user: UserId(row.user_id),
        code: row.code,
        total: row.total,
        due: row.due,
        returned: row.returned,
        rider: row.rider_id,
        collected: None,
        state,
        hold_ends_at: row.hold_ends_at,
        confirm_by: row.confirm_by,
        delivery_date: row.delivery_date,
        delivery_window: row.delivery_window_id,
        has_delivery_place: row.has_delivery_place,
        payments: Vec::new(),
        now: clock.now(),
    }))
}

/// Extends the hold of an online order; never shortens it.
pub async fn extend_hold(connection: &mut PgConnection, order: OrderId, ends: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE orders SET hold_ends_at = greatest(hold_ends_at, $2) WHERE id = $1 AND method <> 'COD'",
        order.0,
        ends,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find_expired_holds(db: &PgPool, limit: i64, now: DateTime<Utc>) -> sqlx::Result<Vec<OrderId>> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: OrderId" FROM orders WHERE stock = 'held' AND hold_ends_at < $2 ORDER BY hold_ends_at LIMIT $1"#,
        limit,
        now,
    )
    .fetch_all(db)
    .await
}

/// Finds orders that should have been paid long ago; the index `orders_not_paid` holds only a few at any time.
pub async fn find_long_unpaid(db: &PgPool, before: DateTime<Utc>, limit: i64) -> sqlx::Result<Vec<OrderId>> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: OrderId" FROM orders WHERE payment = 'failed' AND status = 'Order Placed' AND stock = 'returned'
         AND created_at < $1 LIMIT $2"#,
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Finds orders whose shopper has not confirmed the email address in time.
pub async fn find_unconfirmed(db: &PgPool, limit: i64, now: DateTime<Utc>) -> sqlx::Result<Vec<OrderId>> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: OrderId" FROM orders WHERE confirm_by < $2 ORDER BY confirm_by LIMIT $1"#,
        limit,
        now
    )
    .fetch_all(db)
    .await
}

/// Counts the other unpaid orders of this shopper that hold stock.
pub async fn count_other_holds(connection: &mut PgConnection, user: UserId, order: OrderId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM orders
           WHERE user_id = $1 AND payment IN ('awaiting', 'failed') AND status || '' = 'Order Placed' AND stock = 'held'
             AND id <> $2"#,
        user.0,
        order.0,
    )
    .fetch_one(connection)
    .await
}

/// Returns the units that belong to an order: as ordered, or as packed.
pub async fn find_units(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<ProductQuantities> {
    let rows = sqlx::query!(
        r#"SELECT product_id AS "product_id!: ProductId", quantity AS "quantity!" FROM order_units($1)"#,
        order.0
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.product_id, row.quantity)).collect())
}

/// Stores the new state. A finished order of a deleted account loses its name and address. Any change ends the wait for
/// a confirmation, because the seller has handled the order or it is cancelled.
pub async fn set_state(
    connection: &mut PgConnection,
    order: OrderId,
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
                landmark = CASE WHEN buyer_deleted AND $6 THEN '' ELSE landmark END,
                note_shop = CASE WHEN buyer_deleted AND $6 THEN '' ELSE note_shop END,
                note_rider = CASE WHEN buyer_deleted AND $6 THEN '' ELSE note_rider END
         WHERE id = $1",
        order.0,
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

/// Stores whether the order is counted in the slot of its window and day.
pub async fn set_delivery_place(connection: &mut PgConnection, order: OrderId, has_place: bool) -> sqlx::Result<()> {
    sqlx::query!("UPDATE orders SET has_delivery_place = $2 WHERE id = $1", order.0, has_place)
        .execute(connection)
        .await?;
    Ok(())
}

/// Moves the order to another window, or to a day without one.
pub async fn set_delivery_slot(connection: &mut PgConnection, order: OrderId, slot: Option<Slot>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE orders SET delivery_window_id = $2, delivery_starts = $3, delivery_ends = $4, has_delivery_place = $5 WHERE id = $1",
        order.0,
        slot.map(|slot| slot.window),
        slot.map(|slot| slot.starts),
        slot.map(|slot| slot.ends),
        slot.is_some(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the previous date.
pub async fn set_delivery_date(
    connection: &mut PgConnection,
    order: OrderId,
    date: NaiveDate,
    now: DateTime<Utc>,
) -> sqlx::Result<NaiveDate> {
    sqlx::query_scalar!(
        "UPDATE orders SET delivery_date = $2, updated_at = $3 FROM orders before
         WHERE orders.id = $1 AND before.id = orders.id RETURNING before.delivery_date",
        order.0,
        date,
        now,
    )
    .fetch_one(connection)
    .await
}

pub async fn add_event(
    connection: &mut PgConnection,
    order: OrderId,
    status: OrderStatus,
    actor: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO order_events (order_id, status, actor) VALUES ($1, $2, $3)",
        order.0,
        status.name(),
        actor,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Records that only the payment has changed: open pages are told, but the timeline does not show it.
pub async fn add_internal_event(
    connection: &mut PgConnection,
    order: OrderId,
    status: OrderStatus,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO order_events (order_id, status, actor, internal) VALUES ($1, $2, 'system', true)",
        order.0,
        status.name(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Erases names and addresses for a deleted account: in finished orders now, in the others when they are finished
/// (`set_state`).
pub async fn anonymize(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("UPDATE orders SET buyer_deleted = true WHERE user_id = $1", user.0).execute(&mut *connection).await?;
    sqlx::query!(
        "UPDATE orders SET recipient = '', email = '', phone = '', address = '', landmark = '', note_shop = '', note_rider = ''
         WHERE user_id = $1 AND status IN ('Delivered', 'Cancelled')",
        user.0,
    )
    .execute(connection)
    .await?;
    Ok(())
}
