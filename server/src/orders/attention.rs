//! What a person must look at, and what he can safely do about it: ask the wallet again, give money back, or say that it
//! is seen to. Each of these is in the audit log.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

use super::change;
use super::follow::by_order;
use super::model::{Order, OrderError, Reader, patiently};
use super::refunds::SendRefund;
use super::settle::{self, Why};
use super::store::{self, CaseRow};
use super::transition::{Label, Payment as Money};
use crate::payments::{self, Payment, PaymentState, RefundState};
use crate::platform::db;
use crate::platform::fail_point::fail_point;
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::seller;

const MOST: u16 = 100;
const USUAL: u16 = 30;
const TRIES: u32 = 3;

/// Something that needs a person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attention {
    #[serde(rename = "_id")]
    pub id: String,
    pub kind: String,
    pub opened_at: DateTime<Utc>,
    #[schema(required)]
    pub closed_at: Option<DateTime<Utc>>,
    pub order: ConcernedOrder,
    pub payments: Vec<PaymentFacts>,
    /// What may be done: `check`, `refund`, `close`.
    pub actions: Vec<&'static str>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConcernedOrder {
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

/// A try to pay, as the seller sees it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentFacts {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// By which the wallet knows it.
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
    pub wallet_says: Option<String>,
    #[schema(required)]
    pub checked_at: Option<DateTime<Utc>>,
    #[schema(required)]
    pub refund: Option<&'static str>,
}

impl From<Payment> for PaymentFacts {
    fn from(payment: Payment) -> Self {
        Self {
            id: payment.id,
            pidx: payment.pidx,
            transaction_id: payment.transaction,
            amount: payment.amount,
            received: payment.received,
            state: payment.state.name(),
            wallet_says: payment.said,
            checked_at: payment.looked_at,
            refund: payment.refund.map(RefundState::name),
        }
    }
}

/// Money that is here, belongs to somebody else, and is not on its way back.
fn can_be_refunded(payment: &Payment) -> bool {
    match payment.refund {
        Some(RefundState::Manual) => true,
        Some(RefundState::Requested | RefundState::Sent | RefundState::Confirmed | RefundState::Withdrawn) => false,
        None => payment.state == PaymentState::Conflict && payment.transaction.is_some(),
    }
}

pub struct Page {
    pub cases: Vec<Attention>,
    pub next_cursor: Option<String>,
    /// All open ones, for the badge.
    pub open: i64,
}

pub async fn list(app: &App, closed: bool, cursor: Option<&str>, limit: Option<u16>) -> Result<Page, OrderError> {
    let limit = limit.unwrap_or(USUAL).clamp(1, MOST);
    let before = db::page_start(cursor, i64::MAX).ok_or(OrderError::BadCursor)?;
    let mut connection = app.db.main.acquire().await?;
    let mut rows = store::cases(&mut connection, closed, before, i64::from(limit) + 1).await?;
    let next_cursor = db::cut_page(&mut rows, limit).map(|last| last.id.to_string());
    let orders: Vec<Uuid> = rows.iter().map(|row| row.order_id).collect();
    let payments_of = by_order(payments::of(&mut connection, &orders).await?, |payment| payment.about);
    let open = store::open_cases(&mut connection).await?;
    let cases = rows.into_iter().map(|row| {
        let payments = payments_of.get(&row.order_id).cloned().unwrap_or_default();
        attention(row, payments)
    });
    Ok(Page { cases: cases.collect(), next_cursor, open })
}

fn attention(row: CaseRow, payments: Vec<Payment>) -> Attention {
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
    Attention {
        id: row.id.to_string(),
        kind: row.kind,
        opened_at: row.opened_at,
        closed_at: row.closed_at,
        order: ConcernedOrder {
            id: row.order_id,
            order_id: row.code,
            status: row.label,
            payment_method: row.method,
            payment_state: row.payment,
            total: row.total,
            name: row.recipient,
            phone: row.phone,
        },
        payments: payments.into_iter().map(PaymentFacts::from).collect(),
        actions,
    }
}

/// Asks the wallet now about everything that was tried for this order.
pub async fn check(app: &App, seller: Uuid, order: Uuid) -> Result<Order, OrderError> {
    let known = {
        let mut tx = app.db.main.begin().await?;
        let found = store::find(&mut tx, order).await?.ok_or(OrderError::NotFound)?;
        let object = order.to_string();
        let deed = seller::Deed {
            seller,
            action: "payment.check",
            object: &object,
            about: &found.code,
            before: "",
            after: "",
        };
        seller::note(&mut tx, &deed).await?;
        let known = payments::of(&mut tx, &[order]).await?;
        tx.commit().await?;
        known
    };
    for payment in known.iter().filter(|payment| payment.pidx.is_some()) {
        if !settle::look(app, payment.id, Why::Again).await?.is_certain {
            return Err(OrderError::WalletAway);
        }
    }
    let mut connection = app.db.main.acquire().await?;
    change::show(&mut connection, order, Reader::Seller).await
}

/// Gives the money of a payment back that no rule could place. An order that only waited for it is cancelled.
pub async fn refund(app: &App, seller: Uuid, payment: Uuid) -> Result<Order, OrderError> {
    patiently(TRIES, || try_refund(app, seller, payment)).await
}

async fn try_refund(app: &App, seller: Uuid, id: Uuid) -> Result<Order, OrderError> {
    let mut tx = app.db.main.begin().await?;
    let about = payments::find(&mut tx, id).await?.ok_or(OrderError::PaymentNotFound)?.about;
    let order = change::lock(&mut tx, about, &app.clock).await?.ok_or(OrderError::NotFound)?;
    let payment = payments::lock(&mut tx, id).await?.ok_or(OrderError::PaymentNotFound)?;
    if !can_be_refunded(&payment) {
        return Err(OrderError::NotRefundable);
    }
    let refund = again_or_anew(&mut tx, &payment, order.now).await?;
    fail_point!(app, "orders.attention.refund_requested");
    SendRefund { refund }.at(&mut tx, order.now).await?;
    let (object, before) = (id.to_string(), payment.refund.map_or("", RefundState::name));
    let deed = seller::Deed {
        seller,
        action: "payment.refund",
        object: &object,
        about: &order.code,
        before,
        after: "requested",
    };
    seller::note(&mut tx, &deed).await?;
    let waited_for_it = payment.state == PaymentState::Conflict
        && order.state.payment == Money::Conflict
        && !order.state.dispatched
        && matches!(order.state.label, Label::Placed | Label::Confirmed);
    if waited_for_it {
        change::seller_sets(app, &mut tx, &order, seller, Label::Cancelled).await?;
    }
    let shown = change::show(&mut tx, about, Reader::Seller).await?;
    fail_point!(app, "orders.attention.before_refund_commit");
    tx.commit().await?;
    fail_point!(app, "orders.attention.refund_committed");
    Ok(shown)
}

/// One that did not arrive is asked for again because a person says so; never by itself.
async fn again_or_anew(
    connection: &mut PgConnection,
    payment: &Payment,
    now: DateTime<Utc>,
) -> Result<Uuid, OrderError> {
    if payments::move_refund(connection, payment.id, &[RefundState::Manual], RefundState::Requested, now).await? {
        return payments::refund_of(connection, payment.id).await?.ok_or(OrderError::NotRefundable);
    }
    Ok(payments::request_refund(connection, payment.id, now).await?)
}

/// Somebody has seen to it.
pub async fn close(app: &App, seller: Uuid, case: i64) -> Result<(), OrderError> {
    let mut tx = app.db.main.begin().await?;
    let (code, kind) =
        store::close_case(&mut tx, case, seller, app.clock.now()).await?.ok_or(OrderError::CaseNotFound)?;
    let object = case.to_string();
    let deed =
        seller::Deed { seller, action: "case.close", object: &object, about: &code, before: &kind, after: "closed" };
    seller::note(&mut tx, &deed).await?;
    tx.commit().await?;
    Ok(())
}
