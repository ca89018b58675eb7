//! The bills and credit notes of one order.

use std::collections::HashMap;

use uuid::Uuid;

use super::model::{Bill, BillLine, BillRequest, BillingError, CreditNote};
use super::store;
use crate::orders;
use crate::orders::transition::OrderStatus;
use crate::platform::ids::{OrderId, UserId};
use crate::platform::state::App;

pub struct OrderBills {
    pub bills: Vec<BillEntry>,
    pub request: BillRequest,
    pub can_change_buyer: bool,
}

pub struct BillEntry {
    pub bill: Bill,
    pub copies: i64,
    /// The lines, and how many units of each credit notes have taken back.
    pub lines: Vec<(BillLine, i32)>,
    pub notes: Vec<(CreditNote, i64)>,
}

/// Loads the bills of an order, which must belong to `owner` if there is one.
pub async fn load(app: &App, order: OrderId, owner: Option<UserId>) -> Result<OrderBills, BillingError> {
    let mut connection = app.db.main.acquire().await?;
    let row = orders::find(&mut connection, order).await?;
    let row = row.filter(|row| owner.is_none_or(|owner| owner == row.user_id)).ok_or(BillingError::NotFound)?;
    let request = store::find_request(&mut connection, order).await?.unwrap_or_default();
    let can_change_buyer = store::find_standing_bill(&mut connection, order).await?.is_none()
        && row.status != OrderStatus::Cancelled.name();
    let mut bills = Vec::new();
    for bill in store::list_bills_of_order(&mut connection, order).await? {
        let lines = store::list_lines(&mut connection, bill.id).await?;
        let credited = store::list_credit_lines(&mut connection, bill.id).await?;
        let notes = store::list_credit_notes(&mut connection, bill.id).await?;
        let documents: Vec<Uuid> = notes.iter().map(|note| note.id).chain([bill.id]).collect();
        let copies: HashMap<Uuid, i64> = store::count_prints(&mut connection, &documents).await?.into_iter().collect();
        let copies_of = |document: Uuid| copies.get(&document).copied().unwrap_or_default();
        let lines = lines.into_iter().map(|line| {
            let taken = credited.iter().filter(|credit| credit.position == line.position);
            let taken = taken.map(|credit| credit.quantity).sum();
            (line, taken)
        });
        bills.push(BillEntry {
            copies: copies_of(bill.id),
            lines: lines.collect(),
            notes: notes
                .into_iter()
                .map(|note| {
                    let count = copies_of(note.id);
                    (note, count)
                })
                .collect(),
            bill,
        });
    }
    Ok(OrderBills { bills, request, can_change_buyer })
}
