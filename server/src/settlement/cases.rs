//! Cases that a person must look at, and what the seller can safely do about them: poll the wallet again, refund a
//! payment or close the case. Each of these actions is in the audit log.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::error::SettlementError;
use super::settle::{self, PollReason};
use crate::orders::transition::{FinancialStatus, OrderStatus};
use crate::orders::{self, CaseRow, OrderDetails, OrderError, OrderViewer, SendRefund};
use crate::payments::{self, Payment, PaymentState, RefundKind, RefundState};
use crate::platform::db;
use crate::platform::fail_point::fail_point;
use crate::platform::ids::{OrderId, PaymentId};
use crate::platform::sessions::StaffSession;
use crate::platform::state::App;
use crate::staff;

const MAX_PAGE_SIZE: u16 = 100;
const DEFAULT_PAGE_SIZE: u16 = 30;
const MAX_ATTEMPTS: u32 = 3;

/// A case with its payments and the actions that are allowed now.
pub struct CaseDetails {
    pub row: CaseRow,
    pub payments: Vec<Payment>,
    pub actions: Vec<CaseAction>,
}

/// What the seller can do about a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseAction {
    /// Poll the wallet for all payments of the order.
    Check,
    /// Refund a payment.
    Refund,
    Close,
}

/// The seller can refund a payment in conflict that has a transaction id, or retry a refund that needs manual handling.
fn can_be_refunded(payment: &Payment) -> bool {
    let never_refunded = payment.refund.is_none() && payment.state == PaymentState::Conflict;
    failed_refund(payment).is_some() || (never_refunded && payment.transaction.is_some())
}

/// The refund that failed and that the seller can request again: that of a part first.
fn failed_refund(payment: &Payment) -> Option<RefundKind> {
    [RefundKind::Partial, RefundKind::Full]
        .into_iter()
        .find(|kind| payment.refund_state(*kind) == Some(RefundState::Manual))
}

pub struct CasePage {
    pub cases: Vec<CaseDetails>,
    pub next_cursor: Option<String>,
    /// The number of all open cases, for the badge.
    pub open: i64,
}

pub async fn list_cases(
    app: &App,
    closed: bool,
    cursor: Option<&str>,
    limit: Option<u16>,
) -> Result<CasePage, SettlementError> {
    let limit = limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let before = db::parse_cursor(cursor, i64::MAX).ok_or(SettlementError::BadCursor)?;
    let mut connection = app.db.main.acquire().await?;
    let mut rows = orders::list_cases(&mut connection, closed, before, i64::from(limit) + 1).await?;
    let next_cursor = db::truncate_page(&mut rows, limit).map(|last| last.id.to_string());
    let orders: Vec<Uuid> = rows.iter().map(|row| row.order_id.0).collect();
    let payments_of = orders::group_by_order(payments::list_for(&mut connection, &orders).await?, |payment| {
        OrderId(payment.subject_id)
    });
    let open = orders::count_open_cases(&mut connection).await?;
    let cases = rows.into_iter().map(|row| {
        let payments = payments_of.get(&row.order_id).cloned().unwrap_or_default();
        to_case(row, payments)
    });
    Ok(CasePage { cases: cases.collect(), next_cursor, open })
}

fn to_case(row: CaseRow, payments: Vec<Payment>) -> CaseDetails {
    let mut actions = Vec::new();
    if payments.iter().any(|payment| payment.pidx.is_some()) {
        actions.push(CaseAction::Check);
    }
    if payments.iter().any(can_be_refunded) {
        actions.push(CaseAction::Refund);
    }
    if row.closed_at.is_none() {
        actions.push(CaseAction::Close);
    }
    CaseDetails { row, payments, actions }
}

/// Polls the wallet now for every payment attempt of this order.
pub async fn check_payments(app: &App, seller: Uuid, order: OrderId) -> Result<OrderDetails, SettlementError> {
    let known = {
        let mut tx = app.db.main.begin().await?;
        let found = orders::find(&mut tx, order).await?.ok_or(OrderError::NotFound)?;
        let object = order.to_string();
        let audit_entry = staff::NewAuditEntry {
            seller,
            action: "payment.check",
            object: &object,
            about: &found.code,
            before: "",
            after: "",
        };
        staff::record_audit_entry(&mut tx, &audit_entry).await?;
        let known = payments::list_for(&mut tx, &[order.0]).await?;
        tx.commit().await?;
        known
    };
    for payment in known.iter().filter(|payment| payment.pidx.is_some()) {
        if !settle::poll_payment(app, payment.id, PollReason::Recheck).await?.is_certain {
            return Err(SettlementError::WalletUnavailable);
        }
    }
    let mut connection = app.db.main.acquire().await?;
    Ok(orders::load_order(&mut connection, order, OrderViewer::Seller).await?)
}

/// Refunds a payment in conflict, or retries a failed refund. An order that was only waiting for this payment is
/// cancelled.
pub async fn refund_payment(app: &App, by: &StaffSession, payment: PaymentId) -> Result<OrderDetails, SettlementError> {
    orders::retry_on_contention(MAX_ATTEMPTS, SettlementError::is_contention, || try_refund(app, by, payment)).await
}

async fn try_refund(app: &App, by: &StaffSession, id: PaymentId) -> Result<OrderDetails, SettlementError> {
    let seller = by.person;
    let mut tx = app.db.main.begin().await?;
    let order_id = OrderId(payments::find(&mut tx, id).await?.ok_or(SettlementError::PaymentNotFound)?.subject_id);
    let order = orders::lock(&mut tx, order_id, &app.clock).await?.ok_or(OrderError::NotFound)?;
    let payment = payments::lock(&mut tx, id).await?.ok_or(SettlementError::PaymentNotFound)?;
    if !can_be_refunded(&payment) {
        return Err(SettlementError::NotRefundable);
    }
    let part = payment.partial_refund.filter(|_| failed_refund(&payment) == Some(RefundKind::Partial));
    let amount = part.map_or_else(|| payment.received.unwrap_or(payment.amount), |part| part.amount);
    by.check(orders::permission_to_refund(amount)).map_err(OrderError::from)?;
    let refund = reopen_or_request_refund(&mut tx, &payment, order.now).await?;
    fail_point!(app, "settlement.cases.refund_requested");
    SendRefund { refund }.enqueue_at(&mut tx, order.now).await?;
    let before = failed_refund(&payment).and_then(|kind| payment.refund_state(kind));
    let (object, before) = (id.to_string(), before.map_or("", RefundState::name));
    let audit_entry = staff::NewAuditEntry {
        seller,
        action: "payment.refund",
        object: &object,
        about: &order.code,
        before,
        after: "requested",
    };
    staff::record_audit_entry(&mut tx, &audit_entry).await?;
    let waited_for_it = payment.state == PaymentState::Conflict
        && order.state.payment == FinancialStatus::Conflict
        && !order.state.dispatched
        && matches!(order.state.status, OrderStatus::Placed | OrderStatus::Confirmed);
    if waited_for_it {
        orders::set_status_as_seller(app, &mut tx, &order, seller, OrderStatus::Cancelled).await?;
    }
    let updated = orders::load_order(&mut tx, order_id, OrderViewer::Seller).await?;
    fail_point!(app, "settlement.cases.before_refund_commit");
    tx.commit().await?;
    fail_point!(app, "settlement.cases.refund_committed");
    Ok(updated)
}

/// A failed refund is requested again only when the seller asks for it, never automatically.
async fn reopen_or_request_refund(
    connection: &mut PgConnection,
    payment: &Payment,
    now: DateTime<Utc>,
) -> Result<Uuid, SettlementError> {
    if let Some(kind) = failed_refund(payment) {
        payments::move_refund(connection, payment.id, kind, &[RefundState::Manual], RefundState::Requested, now)
            .await?;
        return payments::find_refund_of(connection, payment.id, kind).await?.ok_or(SettlementError::NotRefundable);
    }
    Ok(payments::request_refund(connection, payment.id, now).await?)
}

/// Closes a case that the seller has handled.
pub async fn close_case(app: &App, seller: Uuid, case: i64) -> Result<(), SettlementError> {
    let mut tx = app.db.main.begin().await?;
    let (code, kind) =
        orders::close_case(&mut tx, case, seller, app.clock.now()).await?.ok_or(SettlementError::CaseNotFound)?;
    let object = case.to_string();
    let audit_entry = staff::NewAuditEntry {
        seller,
        action: "case.close",
        object: &object,
        about: &code,
        before: &kind,
        after: "closed",
    };
    staff::record_audit_entry(&mut tx, &audit_entry).await?;
    tx.commit().await?;
    Ok(())
}
