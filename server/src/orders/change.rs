//! Changes to an order: `transition` decides what happens, and this file writes it in one transaction.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::alerts::{AlertShopper, AlertStaff};
use super::emails::SendOrderEmail;
use super::error::{OrderError, retry_on_contention};
use super::model::{IssueBill, LockedOrder, OrderDetails, OrderViewer, SendRefund};
use super::queries;
use super::store;
use super::transition::{
    AttemptOutcome, CaseKind, Effect, Event, FinancialStatus, LookupResult, OrderStatus, Outcome, Refund, State, Stock,
    transition,
};
use crate::catalogue::{self, ProductQuantities};
use crate::delivery;
use crate::payments::{self, Payment, PaymentLookup, PaymentState, RefundKind, RefundState, schedule};
use crate::platform::clock::Clock;
use crate::platform::fail_point::fail_point;
use crate::platform::ids::{OrderId, UserId};
use crate::platform::jobs;
use crate::platform::messages::{Message, message};
use crate::platform::money::Paisa;
use crate::platform::permissions::Permission;
use crate::platform::sessions::StaffSession;
use crate::platform::state::App;
use crate::staff;

/// A change that fails because of lock contention is tried this many times.
const MAX_ATTEMPTS: u32 = 3;

/// Who caused a timeline entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventActor {
    Shopper,
    Seller(Uuid),
    System,
}

impl EventActor {
    const fn name(self) -> &'static str {
        match self {
            Self::Shopper => "shopper",
            Self::Seller(_) => "seller",
            Self::System => "system",
        }
    }

    /// The member of staff, if it was one.
    const fn seller(self) -> Option<Uuid> {
        match self {
            Self::Seller(seller) => Some(seller),
            Self::Shopper | Self::System => None,
        }
    }
}

pub struct UpdatedOrder {
    pub order: OrderDetails,
    /// Describes the cases that this change opened; empty if there are none.
    pub warning: Vec<Message>,
}

/// Sets the status, the delivery date or both. The seller may set any status at any time.
pub async fn set_status(
    app: &App,
    by: &StaffSession,
    order: OrderId,
    status: Option<OrderStatus>,
    delivery_date: Option<NaiveDate>,
) -> Result<UpdatedOrder, OrderError> {
    retry_on_contention(MAX_ATTEMPTS, OrderError::is_contention, || {
        try_set_status(app, by, order, status, delivery_date)
    })
    .await
}

async fn try_set_status(
    app: &App,
    by: &StaffSession,
    order: OrderId,
    status: Option<OrderStatus>,
    delivery_date: Option<NaiveDate>,
) -> Result<UpdatedOrder, OrderError> {
    let mut tx = app.db.main.begin().await?;
    let locked = lock(&mut tx, order, &app.clock).await?.ok_or(OrderError::NotFound)?;
    store::mark_opened(&mut tx, &[order], by.person, locked.now).await?;
    let (object, seller) = (order.to_string(), by.person);
    let mut cases = Vec::new();
    if let Some(status) = status {
        if status == OrderStatus::Cancelled {
            check_may_refund(by, &locked)?;
        }
        cases = set_status_as_seller(app, &mut tx, &locked, seller, status).await?;
    }
    if let Some(date) = delivery_date {
        move_delivery(app, &mut tx, &locked, date).await?;
        let before = store::set_delivery_date(&mut tx, order, date, locked.now).await?.to_string();
        let after = date.to_string();
        let audit_entry = staff::NewAuditEntry {
            seller,
            action: "order.delivery_date",
            object: &object,
            about: &locked.code,
            before: &before,
            after: &after,
        };
        staff::record_audit_entry(&mut tx, &audit_entry).await?;
    }
    fail_point!(app, "orders.change.before_status_commit");
    let updated = load_order(&mut tx, order, OrderViewer::Seller).await?;
    tx.commit().await?;
    fail_point!(app, "orders.change.status_committed");
    Ok(UpdatedOrder { order: updated, warning: cases.into_iter().map(warning).collect() })
}

/// A refund of more than this needs the owner, or a manager with a fresh second factor.
const REFUND_LIMIT: Paisa = Paisa::from_rupees(5_000);

/// Returns the permission that a refund of this amount requires.
pub fn permission_to_refund(amount: Paisa) -> Permission {
    if amount > REFUND_LIMIT { Permission::RefundLarge } else { Permission::Refund }
}

/// Cancelling a paid order refunds it, so it requires the permission for that.
fn check_may_refund(by: &StaffSession, order: &LockedOrder) -> Result<(), OrderError> {
    let paid = order.payments.iter().filter(|payment| payment.state == PaymentState::Paid && payment.refund.is_none());
    for payment in paid {
        by.check(permission_to_refund(payment.received.unwrap_or(payment.amount)))?;
    }
    Ok(())
}

/// Cancels a shopper's own order, which is possible until it is dispatched.
pub async fn cancel(app: &App, user: UserId, order: OrderId) -> Result<OrderDetails, OrderError> {
    retry_on_contention(MAX_ATTEMPTS, OrderError::is_contention, || try_cancel(app, user, order)).await
}

async fn try_cancel(app: &App, user: UserId, order: OrderId) -> Result<OrderDetails, OrderError> {
    let mut tx = app.db.main.begin().await?;
    let locked = lock(&mut tx, order, &app.clock).await?.filter(|locked| locked.user == user);
    let locked = locked.ok_or(OrderError::NotFound)?;
    apply_event(app, &mut tx, &locked, Event::ShopperCancelled, EventActor::Shopper, None).await?;
    fail_point!(app, "orders.change.before_cancel_commit");
    let updated = load_order(&mut tx, order, OrderViewer::Shopper).await?;
    tx.commit().await?;
    fail_point!(app, "orders.change.cancel_committed");
    Ok(updated)
}

/// Sets the status and records it in the audit log.
pub async fn set_status_as_seller(
    app: &App,
    connection: &mut PgConnection,
    order: &LockedOrder,
    seller: Uuid,
    status: OrderStatus,
) -> Result<Vec<CaseKind>, OrderError> {
    let (event, actor) = (Event::SellerSetStatus(status), EventActor::Seller(seller));
    let applied = apply_event(app, connection, order, event, actor, None).await?;
    let (object, before) = (order.id.to_string(), order.state.status.name());
    let audit_entry = staff::NewAuditEntry {
        seller,
        action: "order.status",
        object: &object,
        about: &order.code,
        before,
        after: status.name(),
    };
    staff::record_audit_entry(connection, &audit_entry).await?;
    fail_point!(app, "orders.change.audited");
    Ok(applied.cases)
}

pub async fn load_order(
    connection: &mut PgConnection,
    order: OrderId,
    viewer: OrderViewer,
) -> Result<OrderDetails, OrderError> {
    let row = store::find(connection, order).await?.ok_or(OrderError::NotFound)?;
    queries::load_orders(connection, vec![row], viewer).await?.pop().ok_or(OrderError::NotFound)
}

/// Locks an order until the transaction ends and loads its payment attempts.
pub async fn lock(connection: &mut PgConnection, order: OrderId, clock: &Clock) -> sqlx::Result<Option<LockedOrder>> {
    let Some(mut locked) = store::lock(connection, order, clock).await? else { return Ok(None) };
    // A cash order has attempts, too, if a rider offered the wallet at the door.
    locked.payments = payments::list_for(connection, &[order.0]).await?;
    let paid = locked.payments.iter().find(|payment| payment.state == PaymentState::Paid);
    locked.state.refund = match paid.and_then(|payment| payment.refund) {
        None | Some(RefundState::Withdrawn) => Refund::None,
        Some(RefundState::Requested) => Refund::Requested,
        Some(RefundState::Sent | RefundState::Confirmed | RefundState::Manual) => Refund::Sent,
    };
    Ok(Some(locked))
}

/// The payment that an event is about, and the wallet lookup that caused the event, if any.
#[derive(Clone, Copy)]
pub struct PaymentContext<'a> {
    pub payment: &'a Payment,
    pub lookup: Option<&'a PaymentLookup>,
}

pub struct AppliedEvent {
    pub state: State,
    /// The cases that the event opened.
    pub cases: Vec<CaseKind>,
}

/// Applies `event` to a locked order and writes all its effects.
pub async fn apply_event(
    app: &App,
    connection: &mut PgConnection,
    order: &LockedOrder,
    event: Event,
    actor: EventActor,
    context: Option<PaymentContext<'_>>,
) -> Result<AppliedEvent, OrderError> {
    let before = order.state;
    // Only an order without units can need them again; for all others the products are not locked.
    let (mut wanted, mut in_stock) = (ProductQuantities::default(), false);
    if matches!(before.stock, Stock::Returned | Stock::Short) && may_take_stock(event) {
        wanted = store::find_units(connection, order.id).await?;
        in_stock = catalogue::check_stock(connection, &wanted).await?;
    }
    let Outcome { mut state, effects } = transition(before, event, in_stock)?;
    if state.status == OrderStatus::Cancelled && is_unpayable(order) {
        // The order was cancelled before it had a payment link, so no payment can arrive.
        state = transition(state, Event::InitiationFailed, in_stock)?.state;
    }
    let mut cases = Vec::new();
    if state.payment != before.payment && !effects.iter().any(|effect| matches!(effect, Effect::AddTimelineEntry(_))) {
        store::add_internal_event(connection, order.id, state.status).await?;
    }
    for effect in effects {
        match effect {
            Effect::AddTimelineEntry(status) => store::add_event(connection, order.id, status, actor.name()).await?,
            Effect::ReleaseStock => catalogue::release_stock(connection, order.id, release_reason(event)).await?,
            Effect::RetakeStock => catalogue::retake_stock(connection, order.id, &wanted).await?,
            Effect::CollectCash => store::collect_cash(connection, order, actor.seller()).await?,
            Effect::ReverseCash => store::reverse_cash(connection, order.id, actor.seller(), order.now).await?,
            Effect::OpenCase(case) => {
                store::open_case(connection, order.id, case, order.now).await?;
                cases.push(case);
            }
            Effect::EndAttempt(end) => end_attempt(connection, end, context, order.now).await?,
            Effect::RequestRefund => request_refund(connection, order, context).await?,
            Effect::WithdrawRefund => {
                let paid = order.payments.iter().find(|payment| payment.state == PaymentState::Paid);
                let paid = paid.ok_or(OrderError::Inconsistent("a refund to withdraw, and no payment"))?;
                let (full, open) = (RefundKind::Full, [RefundState::Requested]);
                if !payments::move_refund(connection, paid.id, full, &open, RefundState::Withdrawn, order.now).await? {
                    return Err(OrderError::Inconsistent("a refund to withdraw, and it is gone"));
                }
            }
        }
        fail_point!(app, "orders.change.effect_written");
    }
    if state.method != before.method {
        store::pay_cash_order_online(connection, order.id, state.payment).await?;
        fail_point!(app, "orders.change.method_changed");
    }
    change_delivery_place(connection, order, event, state).await?;
    fail_point!(app, "orders.change.delivery_place_changed");
    store::set_state(connection, order.id, &state, order.now).await?;
    fail_point!(app, "orders.change.state_stored");
    if let Some(email) = SendOrderEmail::for_change(order.id, event, before, state) {
        jobs::enqueue(connection, &email).await?;
        fail_point!(app, "orders.change.email_queued");
    }
    if let Some(bill) = IssueBill::for_change(order.id, before, state) {
        jobs::enqueue(connection, &bill).await?;
        fail_point!(app, "orders.change.bill_queued");
    }
    if let Some(alert) = AlertStaff::if_paid(order.id, before, state) {
        jobs::enqueue(connection, &alert).await?;
    }
    let by_shopper = actor == EventActor::Shopper;
    let alert = AlertShopper::for_change(order.id, by_shopper, before, state);
    if let Some(alert) = alert.filter(|_| app.push.is_configured()) {
        jobs::enqueue(connection, &alert).await?;
    }
    Ok(AppliedEvent { state, cases })
}

/// A cancelled order, and one that has lost its stock because it was not paid, needs no place in a delivery window.
const fn needs_delivery_place(state: State) -> bool {
    !matches!(state.status, OrderStatus::Cancelled) && !matches!(state.stock, Stock::Returned)
}

/// Gives the place in the delivery window back, or takes it again. An order that finds the window full keeps its day
/// and hours without a place, and the seller decides; only a shopper who wants to pay again is refused. Products are
/// locked before it.
async fn change_delivery_place(
    connection: &mut PgConnection,
    order: &LockedOrder,
    event: Event,
    after: State,
) -> Result<(), OrderError> {
    let Some(window) = order.delivery_window else { return Ok(()) };
    let (needed, needs) = (needs_delivery_place(order.state), needs_delivery_place(after));
    if order.has_delivery_place && !needs {
        delivery::release_place(connection, window, order.delivery_date).await?;
        store::set_delivery_place(connection, order.id, false).await?;
    } else if !order.has_delivery_place && needs && !needed {
        let booked = delivery::book_place(connection, window, order.delivery_date).await?;
        if !booked && event == Event::PaymentRetried {
            return Err(OrderError::DeliveryFullSince);
        }
        store::set_delivery_place(connection, order.id, booked).await?;
    }
    Ok(())
}

/// Moves the place of an order to another day of its window. Where that day is full the order has no place; the seller
/// may deliver it all the same.
async fn move_delivery(
    app: &App,
    connection: &mut PgConnection,
    order: &LockedOrder,
    to: NaiveDate,
) -> Result<(), OrderError> {
    let Some(window) = order.delivery_window.filter(|_| to != order.delivery_date) else { return Ok(()) };
    // The status may have changed in the same request.
    let order = store::lock(connection, order.id, &app.clock).await?.ok_or(OrderError::NotFound)?;
    if order.has_delivery_place {
        delivery::release_place(connection, window, order.delivery_date).await?;
    }
    let booked = needs_delivery_place(order.state) && delivery::book_place(connection, window, to).await?;
    Ok(store::set_delivery_place(connection, order.id, booked).await?)
}

/// Only these events can take released stock again.
const fn may_take_stock(event: Event) -> bool {
    match event {
        Event::SellerSetStatus(_) | Event::PaymentRetried | Event::WalletReported(LookupResult::Completed, _) => true,
        Event::ShopperCancelled
        | Event::WalletReported(..)
        | Event::HoldExpired
        | Event::InitiationFailed
        | Event::PaymentAbandoned
        | Event::ConfirmationExpired
        | Event::RefundConfirmed
        | Event::ConflictRefunded => false,
    }
}

/// The reason that the stock ledger shows.
const fn release_reason(event: Event) -> &'static str {
    match event {
        Event::SellerSetStatus(_) | Event::ShopperCancelled => "order cancelled",
        Event::ConfirmationExpired => "order not confirmed",
        _ => "order not paid",
    }
}

/// Returns whether the order awaits payment but has no link through which it could be paid.
fn is_unpayable(order: &LockedOrder) -> bool {
    order.state.payment == FinancialStatus::Awaiting
        && order.payments.iter().all(|payment| payment.state == PaymentState::Abandoned)
}

async fn end_attempt(
    connection: &mut PgConnection,
    end: AttemptOutcome,
    context: Option<PaymentContext<'_>>,
    now: DateTime<Utc>,
) -> Result<(), OrderError> {
    // An order may lose its hold before there is any payment attempt.
    let Some(PaymentContext { payment, lookup }) = context else { return Ok(()) };
    let amount = lookup.and_then(|lookup| lookup.amount);
    let transaction = lookup.and_then(|lookup| lookup.transaction.as_deref());
    let (state, received, transaction) = match end {
        AttemptOutcome::Paid => (PaymentState::Paid, amount, transaction),
        AttemptOutcome::PaidExtra => (PaymentState::PaidExtra, amount, transaction),
        AttemptOutcome::Conflict => {
            // A transaction that belongs to another payment is not stored for this one.
            let anothers = match transaction {
                Some(id) => payments::is_transaction_used(connection, id, payment.id).await?,
                None => false,
            };
            (PaymentState::Conflict, amount, transaction.filter(|_| !anothers))
        }
        AttemptOutcome::Failed => (PaymentState::Failed, None, None),
        AttemptOutcome::Abandoned => (PaymentState::Abandoned, None, None),
    };
    Ok(payments::end_attempt(connection, payment.id, state, received, transaction, now).await?)
}

/// Requests a refund of the payment in `context`, or else of the one that paid the order.
async fn request_refund(
    connection: &mut PgConnection,
    order: &LockedOrder,
    context: Option<PaymentContext<'_>>,
) -> Result<(), OrderError> {
    let paid = order.payments.iter().find(|payment| payment.state == PaymentState::Paid);
    let payment = context.map(|context| context.payment).or(paid);
    let payment = payment.ok_or(OrderError::Inconsistent("money to give back, and no payment"))?;
    let refund = payments::request_refund(connection, payment.id, order.now).await?;
    Ok(SendRefund { refund }.enqueue_at(connection, order.now + schedule::REFUND_DELAY).await?)
}

/// The message that tells the seller about a case.
const fn warning(case: CaseKind) -> Message {
    match case {
        CaseKind::CancelledAfterDispatch => message!("cases.cancelled_after_dispatch"),
        CaseKind::ReopenedWithoutStock => message!("cases.reopened_without_stock"),
        CaseKind::ReopenedAfterRefund => message!("cases.reopened_after_refund"),
        CaseKind::ReopenedUnpaid => message!("cases.reopened_unpaid"),
        CaseKind::ShippedUnpaid => message!("cases.shipped_unpaid"),
        CaseKind::AmountMismatch => message!("cases.amount_mismatch"),
        CaseKind::TransactionReused => message!("cases.transaction_reused"),
        CaseKind::PaidTwice => message!("cases.paid_twice"),
        CaseKind::LatePayment => message!("cases.late_payment"),
        CaseKind::RefundedOutside => message!("cases.refunded_outside"),
        CaseKind::PendingLong => message!("cases.pending_long"),
        CaseKind::WalletUnclear => message!("cases.wallet_unclear"),
        CaseKind::WalletUnknownPayment => message!("cases.wallet_unknown_payment"),
        CaseKind::RefundFailed => message!("cases.refund_failed"),
        CaseKind::ReturnedAtDoor => message!("cases.returned_at_door"),
        CaseKind::CashAndWallet => message!("cases.cash_and_wallet"),
    }
}
