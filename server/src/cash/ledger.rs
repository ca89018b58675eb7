//! What managers record, the closing of a rider's day, and what the ledger says.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{
    CashError, CashEvent, NewCashEvent, NewSettlement, RiderBalance, RiderCash, RiderCashDay, Settlement,
    TransactionRow,
};
use super::store;
use crate::platform::clock;
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

const MAX_NOTE: usize = 500;
/// More than this at once is a typing mistake.
const MAX_AMOUNT: Paisa = Paisa::from_rupees(10_000_000);
const PAGE: i64 = 50;

fn check_note(note: &str) -> Result<&str, CashError> {
    let note = note.trim();
    if note.chars().count() > MAX_NOTE { Err(CashError::NoteTooLong) } else { Ok(note) }
}

/// Records that a float was given or came back, that a rider handed in cash, or a difference.
pub async fn record_event(app: &App, seller: Uuid, new: &NewCashEvent<'_>) -> Result<RiderCash, CashError> {
    let note = check_note(new.note)?;
    let is_signed = new.event == CashEvent::Difference;
    if new.amount.is_zero() || new.amount.0.abs() > MAX_AMOUNT.0 || (new.amount.0 < 0 && !is_signed) {
        return Err(CashError::AmountInvalid);
    }
    if is_signed && note.is_empty() {
        return Err(CashError::NoteNeeded);
    }
    let mut tx = app.db.main.begin().await?;
    let name = find_rider_name(&mut tx, new.rider).await?;
    if new.key.is_none() || !store::is_key_used(&mut tx, new.key).await? {
        store::post(&mut tx, new, seller, note, app.clock.now()).await?;
        let (object, after) = (new.rider.to_string(), format!("{} {}", new.event.name(), new.amount.signed_decimals()));
        let (action, about) = ("cash.record", &name);
        let entry = NewAuditEntry { seller, action, object: &object, about, before: "", after: &after };
        staff::record_audit_entry(&mut tx, &entry).await?;
    }
    let found = load_rider(&mut tx, new.rider, name).await?;
    tx.commit().await?;
    Ok(found)
}

/// Closes the day of a rider: afterwards the rider carries nothing but the float.
pub async fn settle(app: &App, seller: Uuid, new: &NewSettlement<'_>) -> Result<RiderCash, CashError> {
    let note = check_note(new.note)?;
    if new.counted.0 < 0 || new.counted > MAX_AMOUNT {
        return Err(CashError::AmountInvalid);
    }
    if new.counted != new.expected && note.is_empty() {
        return Err(CashError::NoteNeeded);
    }
    let mut tx = app.db.main.begin().await?;
    let name = find_rider_name(&mut tx, new.rider).await?;
    let now = app.clock.now();
    if !store::settle(&mut tx, new, clock::nepal_date(now), seller, note, now).await? {
        let balance = load_rider(&mut tx, new.rider, name).await?.balance;
        return Err(CashError::BalanceChanged(balance));
    }
    let (object, before) = (new.rider.to_string(), new.expected.signed_decimals());
    let (action, after) = ("cash.settle", new.counted.two_decimals());
    let entry = NewAuditEntry { seller, action, object: &object, about: &name, before: &before, after: &after };
    staff::record_audit_entry(&mut tx, &entry).await?;
    let found = load_rider(&mut tx, new.rider, name).await?;
    tx.commit().await?;
    Ok(found)
}

/// A rider who has left may still have to hand in cash.
async fn find_rider_name(connection: &mut PgConnection, rider: Uuid) -> Result<String, CashError> {
    let is_known = store::has_entries(connection, rider).await?;
    if !is_known && staff::hold_active_rider(connection, rider).await?.is_none() {
        return Err(CashError::RiderUnknown);
    }
    staff::find_names(connection, &[rider]).await?.remove(&rider).ok_or(CashError::RiderUnknown)
}

async fn load_rider(connection: &mut PgConnection, rider: Uuid, name: String) -> Result<RiderCash, CashError> {
    let found = store::list_balances(connection, Some(rider)).await?.pop();
    let closed_at = store::list_last_closed(connection, Some(rider)).await?.pop().map(|(_, at)| at);
    let (balance, float) = found.map_or((Paisa::ZERO, Paisa::ZERO), |found| (found.balance, found.float));
    Ok(RiderCash { id: rider, name, balance, float, closed_at })
}

/// Lists the active riders, and those who have left with cash.
pub async fn list_riders(app: &App) -> Result<Vec<RiderCash>, CashError> {
    let mut riders = staff::list_active_riders(&app.db.main).await?;
    let mut connection = app.db.main.acquire().await?;
    let balances = store::list_balances(&mut connection, None).await?;
    let left = balances.iter().filter(|found| !(found.balance.is_zero() && found.float.is_zero()));
    let left: Vec<Uuid> =
        left.map(|found| found.rider).filter(|rider| riders.iter().all(|(id, _)| id != rider)).collect();
    riders.extend(staff::find_names(&mut *connection, &left).await?);
    let closed = store::list_last_closed(&mut connection, None).await?;
    let riders = riders.into_iter().map(|(id, name)| {
        let found = balances.iter().find(|found| found.rider == id);
        let sum = |pick: fn(&RiderBalance) -> Paisa| found.map_or(Paisa::ZERO, pick);
        let closed_at = closed.iter().find(|(rider, _)| *rider == id).map(|(_, at)| *at);
        RiderCash { id, name, balance: sum(|found| found.balance), float: sum(|found| found.float), closed_at }
    });
    Ok(riders.collect())
}

/// What the rider carries.
pub async fn find_own(app: &App, rider: Uuid) -> Result<RiderCash, CashError> {
    let mut connection = app.db.main.acquire().await?;
    load_rider(&mut connection, rider, String::new()).await
}

/// A transaction with the name of who recorded it.
pub struct NamedTransaction {
    pub row: TransactionRow,
    pub by_name: String,
}

/// Lists the transactions of a rider before one of them, newest first.
pub async fn list_transactions(
    app: &App,
    rider: Uuid,
    before: Option<i64>,
) -> Result<Vec<NamedTransaction>, CashError> {
    let mut connection = app.db.main.acquire().await?;
    let rows = store::list_transactions(&mut connection, rider, before.unwrap_or(i64::MAX), PAGE).await?;
    let people: Vec<Uuid> = rows.iter().filter_map(|row| row.by_id).collect();
    let names = staff::find_names(&mut *connection, &people).await?;
    let name = |by: Option<Uuid>| by.and_then(|by| names.get(&by).cloned()).unwrap_or_default();
    Ok(rows.into_iter().map(|row| NamedTransaction { by_name: name(row.by_id), row }).collect())
}

/// Lists the newest closed days.
pub async fn list_settlements(app: &App) -> Result<Vec<Settlement>, CashError> {
    let mut connection = app.db.main.acquire().await?;
    let rows = store::list_settlements(&mut connection, PAGE).await?;
    let people: Vec<Uuid> = rows.iter().flat_map(|row| [row.rider_id, row.closed_by]).collect();
    let names = staff::find_names(&mut *connection, &people).await?;
    let name = |id: &Uuid| names.get(id).cloned().unwrap_or_default();
    let settlements = rows.into_iter().map(|row| Settlement {
        rider_name: name(&row.rider_id),
        closed_by_name: name(&row.closed_by),
        row,
    });
    Ok(settlements.collect())
}

/// Returns what was collected, handed in and missing, by day and rider.
pub async fn sum_by_day(
    connection: &mut PgConnection,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> sqlx::Result<Vec<RiderCashDay>> {
    store::sum_by_day(connection, from, until).await
}
