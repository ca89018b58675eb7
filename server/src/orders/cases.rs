//! Cases that a person must look at, and what the seller can safely do about them: poll the wallet again, refund a
//! payment or close the case. Each of these actions is in the audit log.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

use super::change;
use super::model::{Order, OrderError, OrderViewer, SendRefund, retry_on_contention};
use super::queries::group_by_order;
use super::settle::{self, PollReason};
use super::store::{self, CaseRow};
use super::transition::{FinancialStatus, OrderStatus};
use crate::payments::{self, Payment, PaymentState, RefundState};
use crate::platform::db;
use crate::platform::fail_point::fail_point;
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::seller;

const MAX_PAGE_SIZE: u16 = 100;
const DEFAULT_PAGE_SIZE: u16 = 30;
const MAX_ATTEMPTS: u32 = 3;

/// A case that needs the seller's attention.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Case {
    #[serde(rename = "_id")]
    pub id: String,
    pub kind: String,
    pub opened_at: DateTime<Utc>,
    #[schema(required)]
    pub closed_at: Option<DateTime<Utc>>,
    pub order: CaseOrder,
    pub payments: Vec<CasePayment>,
    /// Allowed actions: `check`, `refund`, `close`.
    pub actions: Vec<&'static str>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseOrder {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub order_id: String,
    pub status: String,
    pub payment_method: String,
    pub payment_state: String,
    #[schema(value_type = f64)]
    pub total: Paisa,
    pub name: String,
    pub phone: String,
}

/// A payment attempt, as the seller sees it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CasePayment {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The wallet's id of the payment.
    #[schema(required)]
    pub pidx: Option<String>,
    #[schema(required)]
    pub transaction_id: Option<String>,
    #[schema(value_type = f64)]
    pub amount: Paisa,
    #[schema(required, value_type = Option<f64>)]
    pub received: Option<Paisa>,
    pub state: &'static str,
    #[schema(required)]
    pub wallet_status: Option<String>,
    #[schema(required)]
    pub checked_at: Option<DateTime<Utc>>,
    #[schema(required)]
    pub refund: Option<&'static str>,
}

impl From<Payment> for CasePayment {
    fn from(payment: Payment) -> Self {
        Self {
            id: payment.id,
            pidx: payment.pidx,
            transaction_id: payment.transaction,
            amount: payment.amount,
            received: payment.received,
            state: payment.state.name(),
            wallet_status: payment.raw_status,
            checked_at: payment.last_checked_at,
            refund: payment.refund.map(RefundState::name),
        }
    }
}

/// The seller can refund a payment in conflict that has a transaction id, or retry a refund that needs manual handling.
fn can_be_refunded(payment: &Payment) -> bool {
    match payment.refund {
        Some(RefundState::Manual) => true,
        Some(RefundState::Requested | RefundState::Sent | RefundState::Confirmed | RefundState::Withdrawn) => false,
        None => payment.state == PaymentState::Conflict && payment.transaction.is_some(),
    }
}

pub struct CasePage {
    pub cases: Vec<Case>,
    pub next_cursor: Option<String>,
    /// The number of all open cases, for the badge.
    pub open: i64,
}

pub async fn list_cases(
    app: &App,
    closed: bool,
    cursor: Option<&str>,
    limit: Option<u16>,
) -> Result<CasePage, OrderError> {
    let limit = limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let before = db::parse_cursor(cursor, i64::MAX).ok_or(OrderError::BadCursor)?;
    let mut connection = app.db.main.acquire().await?;
    let mut rows = store::list_cases(&mut connection, closed, before, i64::from(limit) + 1).await?;
    let next_cursor = db::truncate_page(&mut rows, limit).map(|last| last.id.to_string());
    let orders: Vec<Uuid> = rows.iter().map(|row| row.order_id).collect();
    let payments_of = group_by_order(payments::list_for(&mut connection, &orders).await?, |payment| payment.subject_id);
    let open = store::count_open_cases(&mut connection).await?;
    let cases = rows.into_iter().map(|row| {
        let payments = payments_of.get(&row.order_id).cloned().unwrap_or_default();
        to_case(row, payments)
    });
    Ok(CasePage { cases: cases.collect(), next_cursor, open })
}

fn to_case(row: CaseRow, payments: Vec<Payment>) -> Case {
    let mut actions = Vec::new();
    if payments.iter().any(|payment| payment.pidx.is_some()) {
        actions.push("check");
    }
    if payments.iter().any(can_be_refunded) {
        actions.push("refund");
    }
    if row.closed_at.is_none() {
        actions.push("close");
    }
    Case {
        id: row.id.to_string(),
        kind: row.kind,
        opened_at: row.opened_at,
        closed_at: row.closed_at,
        order: CaseOrder {
            id: row.order_id,
            order_id: row.code,
            status: row.status,
            payment_method: row.method,
            payment_state: row.payment,
            total: row.total,
            name: row.recipient,
            phone: row.phone,
        },
        payments: payments.into_iter().map(CasePayment::from).collect(),
        actions,
    }
}

/// Polls the wallet now for every payment attempt of this order.
pub async fn check_payments(app: &App, seller: Uuid, order: Uuid) -> Result<Order, OrderError> {
    let known = {
        let mut tx = app.db.main.begin().await?;
        let found = store::find(&mut tx, order).await?.ok_or(OrderError::NotFound)?;
        let object = order.to_string();
        let audit_entry = seller::NewAuditEntry {
            seller,
            action: "payment.check",
            object: &object,
            about: &found.code,
            before: "",
            after: "",
        };
        seller::record_audit_entry(&mut tx, &audit_entry).await?;
        let known = payments::list_for(&mut tx, &[order]).await?;
        tx.commit().await?;
        known
    };
    for payment in known.iter().filter(|payment| payment.pidx.is_some()) {
        if !settle::poll_payment(app, payment.id, PollReason::Recheck).await?.is_certain {
            return Err(OrderError::WalletUnavailable);
        }
    }
    let mut connection = app.db.main.acquire().await?;
    change::load_order(&mut connection, order, OrderViewer::Seller).await
}

/// Refunds a payment in conflict, or retries a failed refund. An order that was only waiting for this payment is
/// cancelled.
pub async fn refund_payment(app: &App, seller: Uuid, payment: Uuid) -> Result<Order, OrderError> {
    retry_on_contention(MAX_ATTEMPTS, || try_refund(app, seller, payment)).await
}

async fn try_refund(app: &App, seller: Uuid, id: Uuid) -> Result<Order, OrderError> {
    let mut tx = app.db.main.begin().await?;
    let order_id = payments::find(&mut tx, id).await?.ok_or(OrderError::PaymentNotFound)?.subject_id;
    let order = change::lock(&mut tx, order_id, &app.clock).await?.ok_or(OrderError::NotFound)?;
    let payment = payments::lock(&mut tx, id).await?.ok_or(OrderError::PaymentNotFound)?;
    if !can_be_refunded(&payment) {
        return Err(OrderError::NotRefundable);
    }
    let refund = reopen_or_request_refund(&mut tx, &payment, order.now).await?;
    fail_point!(app, "orders.cases.refund_requested");
    SendRefund { refund }.enqueue_at(&mut tx, order.now).await?;
    let (object, before) = (id.to_string(), payment.refund.map_or("", RefundState::name));
    let audit_entry = seller::NewAuditEntry {
        seller,
        action: "payment.refund",
        object: &object,
        about: &order.code,
        before,
        after: "requested",
    };
    seller::record_audit_entry(&mut tx, &audit_entry).await?;
    let waited_for_it = payment.state == PaymentState::Conflict
        && order.state.payment == FinancialStatus::Conflict
        && !order.state.dispatched
        && matches!(order.state.status, OrderStatus::Placed | OrderStatus::Confirmed);
    if waited_for_it {
        change::set_status_as_seller(app, &mut tx, &order, seller, OrderStatus::Cancelled).await?;
    }
    let updated = change::load_order(&mut tx, order_id, OrderViewer::Seller).await?;
    fail_point!(app, "orders.cases.before_refund_commit");
    tx.commit().await?;
    fail_point!(app, "orders.cases.refund_committed");
    Ok(updated)
}

/// A failed refund is requested again only when the seller asks for it, never automatically.
async fn reopen_or_request_refund(
    connection: &mut PgConnection,
    payment: &Payment,
    now: DateTime<Utc>,
) -> Result<Uuid, OrderError> {
    if payments::move_refund(connection, payment.id, &[RefundState::Manual], RefundState::Requested, now).await? {
        return payments::find_refund_of(connection, payment.id).await?.ok_or(OrderError::NotRefundable);
    }
    Ok(payments::request_refund(connection, payment.id, now).await?)
}

/// Closes a case that the seller has handled.
pub async fn close_case(app: &App, seller: Uuid, case: i64) -> Result<(), OrderError> {
    let mut tx = app.db.main.begin().await?;
    let (code, kind) =
        store::close_case(&mut tx, case, seller, app.clock.now()).await?.ok_or(OrderError::CaseNotFound)?;
    let object = case.to_string();
    let audit_entry = seller::NewAuditEntry {
        seller,
        action: "case.close",
        object: &object,
        about: &code,
        before: &kind,
        after: "closed",
    };
    seller::record_audit_entry(&mut tx, &audit_entry).await?;
    tx.commit().await?;
    Ok(())
}
