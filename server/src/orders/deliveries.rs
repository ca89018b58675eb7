//! Riders: who delivers which order, and what a rider sees and does.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::error::{OrderError, retry_on_contention};
use super::model::{LockedOrder, OrderDetails, OrderViewer};
use super::queries;
use super::store;
use crate::delivery::{self, Slot};
use crate::platform::ids::OrderId;
use crate::platform::state::App;
use crate::staff;

/// The most orders that can be assigned in one request, and that a rider sees.
const MAX_ASSIGNED_ORDERS: usize = 100;
const MAX_LISTED_ORDERS: i64 = 200;
/// A delivered order stays in the rider's list for this long.
const DELIVERED_FOR: TimeDelta = TimeDelta::hours(12);
const MAX_ATTEMPTS: u32 = 3;

/// Assigns the orders to a rider, or to nobody. All of them are assigned, or none.
pub async fn assign_rider(app: &App, seller: Uuid, orders: &[OrderId], rider: Option<Uuid>) -> Result<(), OrderError> {
    if orders.is_empty() || orders.len() > MAX_ASSIGNED_ORDERS {
        return Err(OrderError::TooManyAtOnce);
    }
    retry_on_contention(MAX_ATTEMPTS, OrderError::is_contention, || try_assign(app, seller, orders, rider)).await
}

async fn try_assign(app: &App, seller: Uuid, orders: &[OrderId], rider: Option<Uuid>) -> Result<(), OrderError> {
    let mut tx = app.db.main.begin().await?;
    let name = match rider {
        Some(rider) => staff::hold_active_rider(&mut tx, rider).await?.ok_or(OrderError::RiderUnknown)?,
        None => String::new(),
    };
    let locked = store::lock_riders(&mut tx, orders).await?;
    let is_known = |order: &OrderId| locked.iter().any(|found| found.order == *order);
    if !orders.iter().all(is_known) {
        return Err(OrderError::NotFound);
    }
    let former: Vec<Uuid> = locked.iter().filter_map(|found| found.rider).collect();
    let names = staff::find_names(&mut *tx, &former).await?;
    let changed: Vec<&store::AssignedOrder> = locked.iter().filter(|found| found.rider != rider).collect();
    let ids: Vec<OrderId> = changed.iter().map(|found| found.order).collect();
    store::set_rider(&mut tx, &ids, rider, app.clock.now()).await?;
    let objects: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let entries = changed.iter().zip(&objects).map(|(found, object)| staff::NewAuditEntry {
        seller,
        action: "order.rider",
        object,
        about: &found.code,
        before: found.rider.and_then(|former| names.get(&former)).map_or("", String::as_str),
        after: &name,
    });
    let entries: Vec<_> = entries.collect();
    if !entries.is_empty() {
        staff::record_audit_entries(&mut tx, &entries).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Lists the orders that the rider has to deliver, and those delivered a moment ago.
pub async fn list_own(app: &App, rider: Uuid) -> Result<Vec<OrderDetails>, OrderError> {
    let mut connection = app.db.main.acquire().await?;
    let since: DateTime<Utc> = app.clock.now() - DELIVERED_FOR;
    let rows = store::list_by_rider(&mut connection, rider, since, MAX_LISTED_ORDERS).await?;
    Ok(queries::load_orders(&mut connection, rows, OrderViewer::Rider).await?)
}

/// Moves an order whose shopper was not met to another day, and to another window if it has one.
pub async fn reschedule(
    connection: &mut PgConnection,
    order: &LockedOrder,
    rider: Uuid,
    day: NaiveDate,
    slot: Option<Slot>,
) -> Result<(), OrderError> {
    if let Some(window) = order.delivery_window.filter(|_| order.has_delivery_place) {
        delivery::release_place(connection, window, order.delivery_date).await?;
    }
    if let Some(slot) = slot
        && !delivery::book_place(connection, slot.window, slot.day).await?
    {
        return Err(OrderError::DeliveryFullSince);
    }
    store::set_delivery_slot(connection, order.id, slot).await?;
    let before = store::set_delivery_date(connection, order.id, day, order.now).await?.to_string();
    let (object, after) = (order.id.to_string(), day.to_string());
    let entry = staff::NewAuditEntry {
        seller: rider,
        action: "order.delivery_date",
        object: &object,
        about: &order.code,
        before: &before,
        after: &after,
    };
    staff::record_audit_entry(connection, &entry).await?;
    Ok(())
}
