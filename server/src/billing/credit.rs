//! Credit notes: a bill is never changed, so every correction is a note that names it.

use std::collections::BTreeMap;

use sqlx::PgConnection;
use uuid::Uuid;

use super::amounts;
use super::model::{Bill, BillingError, CreditNote, MAX_TEXT_LENGTH};
use super::numbers::{format_bikram_sambat, take_number};
use super::store;
use crate::orders::{self, LockedOrder};
use crate::platform::clock;
use crate::platform::fail_point::fail_point;
use crate::platform::ids::OrderId;
use crate::platform::state::App;
use crate::staff;

const MAX_ATTEMPTS: u32 = 5;

/// Credits units of a bill by its lines, and returns the order. Money goes back by other means: this is only the
/// document.
pub async fn credit_lines(
    app: &App,
    seller: Uuid,
    bill: Uuid,
    wanted: &BTreeMap<i32, i32>,
    reason: &str,
) -> Result<OrderId, BillingError> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(BillingError::ReasonMissing);
    }
    if reason.chars().count() > MAX_TEXT_LENGTH || reason.chars().any(char::is_control) {
        return Err(BillingError::NameTooLong);
    }
    orders::retry_on_contention(MAX_ATTEMPTS, BillingError::is_contention, || {
        try_credit(app, seller, bill, wanted, reason)
    })
    .await
}

async fn try_credit(
    app: &App,
    seller: Uuid,
    bill: Uuid,
    wanted: &BTreeMap<i32, i32>,
    reason: &str,
) -> Result<OrderId, BillingError> {
    let mut tx = app.db.main.begin().await?;
    let bill = store::find_bill(&mut tx, bill).await?.ok_or(BillingError::NotFound)?;
    // The lock on the order keeps two notes from crediting the same units.
    let locked = orders::lock(&mut tx, bill.order_id, &app.clock).await?.ok_or(BillingError::NotFound)?;
    insert_note(app, &mut tx, &bill, &locked, wanted, reason, Some(seller)).await?;
    let (object, number) = (bill.id.to_string(), bill.number.to_string());
    let entry = staff::NewAuditEntry {
        seller,
        action: "bill.credit",
        object: &object,
        about: &number,
        before: "",
        after: reason,
    };
    staff::record_audit_entry(&mut tx, &entry).await?;
    tx.commit().await?;
    Ok(bill.order_id)
}

pub async fn insert_note(
    app: &App,
    connection: &mut PgConnection,
    bill: &Bill,
    locked: &LockedOrder,
    wanted: &BTreeMap<i32, i32>,
    reason: &str,
    issued_by: Option<Uuid>,
) -> Result<(), BillingError> {
    let lines = store::list_lines(connection, bill.id).await?;
    let earlier = store::list_credit_notes(connection, bill.id).await?;
    let earlier_lines = store::list_credit_lines(connection, bill.id).await?;
    let (amounts, taken) =
        amounts::compute_credit(bill, &lines, &earlier, &earlier_lines, wanted).ok_or(BillingError::CreditInvalid)?;
    let series = bill.number.series.of_corrections();
    let number = take_number(connection, locked, &bill.number.outlet, series).await?;
    fail_point!(app, "billing.credit.number_taken");
    let issued_on = clock::nepal_date(locked.now);
    let note = CreditNote {
        id: Uuid::now_v7(),
        bill_id: bill.id,
        number,
        issued_at: locked.now,
        issued_on,
        issued_on_bs: format_bikram_sambat(issued_on),
        reason: reason.to_owned(),
        issued_by,
        amounts,
    };
    store::insert_credit_note(connection, &note, &taken).await?;
    Ok(())
}
