//! Acting on what the wallet reports, exactly once. The shopper's page, the worker's polls, the seller's button and the
//! nightly check all go through `poll_payment`, and everything that they learn goes through `apply_lookup`.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use super::error::SettlementError;
use crate::cart;
use crate::orders::transition::{AttemptState, CaseKind, Event, FinancialStatus, LookupResult, Method};
use crate::orders::{self, EventActor, LockedOrder, OrderError, PaymentContext};
use crate::payments::{
    self, Payment, PaymentLookup, PaymentState, ProviderStatus, RefundKind, RefundState, Requester, WalletClient,
    WalletError, schedule,
};
use crate::platform::fail_point::fail_point;
use crate::platform::ids::{OrderId, PaymentId};
use crate::platform::jobs::{self, Job};
use crate::platform::state::App;

const MAX_ATTEMPTS: u32 = 5;
/// Cases that are closed automatically when the payment is completed.
const CLOSED_BY_PAYMENT: [CaseKind; 3] =
    [CaseKind::WalletUnclear, CaseKind::PendingLong, CaseKind::WalletUnknownPayment];

/// Why a payment is polled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollReason {
    /// The shopper's page asked at this time; a lookup that was started since then answers it as well.
    Verify(DateTime<Utc>),
    /// The scheduled poll is due, or a refund has just been sent.
    Due,
    /// The seller asked, a refund is about to be sent, or the nightly check runs; even a settled payment is polled.
    Recheck,
}

/// A payment as it is after a poll.
pub struct PollResult {
    pub payment: Payment,
    /// True when the wallet answered or did not need to be asked; otherwise nothing new is known.
    pub is_certain: bool,
}

/// Asks the wallet about a payment, unless there is nothing to learn, and acts on the answer.
pub async fn poll_payment(app: &App, id: PaymentId, reason: PollReason) -> Result<PollResult, SettlementError> {
    let wallet = app.component::<WalletClient>();
    let _lock = wallet.lock_lookup(id).await;
    let known = find(app, id).await?;
    let Some(pidx) = known.pidx.as_deref().filter(|_| should_poll(&known, reason)) else {
        return Ok(PollResult { payment: known, is_certain: true });
    };
    let requester = if reason == PollReason::Due { Requester::Worker } else { Requester::Shopper };
    let asked_at = app.clock.now();
    fail_point!(app, "settlement.settle.before_lookup");
    let lookup = wallet.lookup(pidx, requester).await;
    fail_point!(app, "settlement.settle.wallet_answered");
    orders::retry_on_contention(MAX_ATTEMPTS, SettlementError::is_contention, || {
        apply_lookup(app, id, asked_at, &lookup)
    })
    .await?;
    Ok(PollResult { payment: find(app, id).await?, is_certain: lookup.is_ok() })
}

async fn find(app: &App, id: PaymentId) -> Result<Payment, SettlementError> {
    let mut connection = app.db.main.acquire().await?;
    payments::find(&mut connection, id).await?.ok_or(SettlementError::PaymentNotFound)
}

fn should_poll(payment: &Payment, reason: PollReason) -> bool {
    let refund_is_out = [RefundKind::Full, RefundKind::Partial]
        .into_iter()
        .any(|kind| matches!(payment.refund_state(kind), Some(RefundState::Sent | RefundState::Manual)));
    let open = !payment.state.is_settled();
    match reason {
        PollReason::Verify(arrived) => open && payment.last_checked_at.is_none_or(|asked| asked < arrived),
        PollReason::Due => open || refund_is_out,
        PollReason::Recheck => true,
    }
}

/// Decides what a lookup means for this payment.
async fn classify_lookup(
    connection: &mut PgConnection,
    payment: &Payment,
    lookup: &PaymentLookup,
) -> Result<LookupResult, SettlementError> {
    Ok(match (lookup.status, lookup.amount, lookup.transaction.as_deref()) {
        (ProviderStatus::Completed, Some(amount), Some(_)) if amount != payment.amount => {
            LookupResult::CompletedOtherAmount
        }
        (ProviderStatus::Completed, Some(_), Some(transaction)) => {
            if payments::is_transaction_used(connection, transaction, payment.id).await? {
                LookupResult::CompletedReusedTransaction
            } else {
                LookupResult::Completed
            }
        }
        (ProviderStatus::Over, ..) => LookupResult::Over,
        (ProviderStatus::Refunded, ..) => LookupResult::Refunded,
        // 'Completed' without an amount or a transaction id proves nothing.
        (
            ProviderStatus::Completed
            | ProviderStatus::Pending
            | ProviderStatus::Initiated
            | ProviderStatus::PartlyRefunded
            | ProviderStatus::Unclear,
            ..,
        ) => LookupResult::Open,
    })
}

fn attempt_state(order: &LockedOrder, payment: &Payment) -> AttemptState {
    let others = || order.payments.iter().filter(|other| other.id != payment.id);
    if payment.state.is_settled() {
        AttemptState::Settled
    } else if others().any(|other| other.state == PaymentState::Paid) {
        AttemptState::OpenBesidePaid
    } else if others().any(|other| matches!(other.state, PaymentState::Created | PaymentState::Initiated)) {
        AttemptState::OpenBesideOpen
    } else {
        AttemptState::Open
    }
}

/// Records the lookup as evidence, applies what it changes and schedules the next poll, all in one transaction. The
/// same lookup changes nothing the second time.
async fn apply_lookup(
    app: &App,
    id: PaymentId,
    asked_at: DateTime<Utc>,
    lookup: &Result<PaymentLookup, WalletError>,
) -> Result<(), SettlementError> {
    let mut tx = app.db.main.begin().await?;
    let order_id = OrderId(payments::find(&mut tx, id).await?.ok_or(SettlementError::PaymentNotFound)?.subject_id);
    // All code locks the order first, and then what belongs to it.
    let mut order = orders::lock(&mut tx, order_id, &app.clock).await?.ok_or(OrderError::NotFound)?;
    let payment = payments::lock(&mut tx, id).await?.ok_or(SettlementError::PaymentNotFound)?;
    fail_point!(app, "settlement.settle.locked");
    // A later lookup was answered sooner, so this one is ignored unless it reports money.
    let is_overtaken = payment.last_checked_at.is_some_and(|later| later > asked_at);
    match lookup {
        Ok(lookup)
            if is_overtaken && !matches!(lookup.status, ProviderStatus::Completed | ProviderStatus::Refunded) => {}
        // A partial refund that the shop has not requested fits no rule.
        Ok(lookup) if lookup.status == ProviderStatus::PartlyRefunded && payment.partial_refund.is_none() => {
            let unclear = PaymentLookup { status: ProviderStatus::Unclear, ..lookup.clone() };
            record_and_apply(app, &mut tx, &mut order, &payment, &unclear).await?;
        }
        Ok(lookup) => record_and_apply(app, &mut tx, &mut order, &payment, lookup).await?,
        Err(WalletError::UnknownPayment) => {
            tracing::error!(payment = %id, "the wallet does not recognise a payment it created: is this the right wallet?");
            orders::open_case_once(&mut tx, order.id, CaseKind::WalletUnknownPayment, order.now).await?;
        }
        Err(_) => {}
    }
    fail_point!(app, "settlement.settle.answer_applied");
    check_refund(app, &mut tx, &order, &payment, lookup.as_ref().ok()).await?;
    fail_point!(app, "settlement.settle.refund_checked");
    let was_answered = matches!(lookup, Ok(_) | Err(WalletError::UnknownPayment));
    if !CheckPayment::schedule_next(&mut tx, id, was_answered.then_some(asked_at), order.now).await? {
        stop_polling(app, &mut tx, order_id, id).await?;
    }
    fail_point!(app, "settlement.settle.before_commit");
    tx.commit().await?;
    fail_point!(app, "settlement.settle.committed");
    Ok(())
}

async fn record_and_apply(
    app: &App,
    connection: &mut PgConnection,
    order: &mut LockedOrder,
    payment: &Payment,
    lookup: &PaymentLookup,
) -> Result<(), SettlementError> {
    let is_new = payments::record_lookup(connection, payment.id, lookup, order.now).await?;
    fail_point!(app, "settlement.settle.evidence_stored");
    let result = classify_lookup(connection, payment, lookup).await?;
    let attempt = attempt_state(order, payment);
    if is_new && is_inconsistent(payment, lookup) {
        orders::open_case(connection, order.id, CaseKind::WalletUnclear, order.now).await?;
    }
    let pending_long = lookup.status == ProviderStatus::Pending
        && !payment.state.is_settled()
        && payment.started_at.is_some_and(|started| order.now - started > schedule::PENDING_TOO_LONG);
    if pending_long {
        orders::open_case_once(connection, order.id, CaseKind::PendingLong, order.now).await?;
    }
    // Most polls learn nothing, so they leave the order and the stock alone.
    let known_no =
        payment.state == PaymentState::Failed && matches!(result, LookupResult::Over | LookupResult::Refunded);
    if result == LookupResult::Open || attempt == AttemptState::Settled || (known_no && !is_new) {
        return Ok(());
    }
    let event = Event::WalletReported(result, attempt);
    let context = PaymentContext { payment, lookup: Some(lookup) };
    let before = order.state;
    let applied = orders::apply_event(app, connection, order, event, EventActor::System, Some(context)).await?;
    order.state = applied.state;
    fail_point!(app, "settlement.settle.order_changed");
    if result == LookupResult::Completed {
        // The payment is certain now, so the cases about its uncertainty are closed.
        orders::close_cases(connection, order.id, &CLOSED_BY_PAYMENT, order.now).await?;
    }
    if applied.state.payment == FinancialStatus::Paid && before.payment != FinancialStatus::Paid {
        // What a cash order contains left the cart when it was placed.
        if before.method == Method::Online {
            let bought = orders::find_units(connection, order.id).await?;
            cart::remove_items(connection, order.user, &bought.ids, &bought.quantities).await?;
            fail_point!(app, "settlement.settle.cart_emptied");
        }
        let waited = payment.started_at.map_or(0, |started| (order.now - started).num_milliseconds());
        metrics::histogram!("payment_settlement_duration_seconds")
            .record(f64::from(i32::try_from(waited).unwrap_or(i32::MAX)) / 1e3);
    }
    for case in applied.cases {
        metrics::counter!("payment_cases_total", "kind" => case.name()).increment(1);
        tracing::warn!(order = %order.code, kind = case.name(), "a payment needs attention");
    }
    Ok(())
}

/// Returns whether the lookup fits no rule, so that a person should contact the wallet.
fn is_inconsistent(payment: &Payment, lookup: &PaymentLookup) -> bool {
    match lookup.status {
        ProviderStatus::Unclear => true,
        // The proof is missing or differs from the earlier one.
        ProviderStatus::Completed => {
            let changed = payment.transaction.is_some() && payment.transaction != lookup.transaction;
            lookup.amount.is_none() || lookup.transaction.is_none() || changed
        }
        // The wallet reported this payment as completed before.
        ProviderStatus::Over | ProviderStatus::Pending | ProviderStatus::Initiated => payment.state.is_settled(),
        ProviderStatus::Refunded | ProviderStatus::PartlyRefunded => false,
    }
}

/// Confirms a refund when the wallet shows it, no matter who requested it, and opens a case when it is overdue.
async fn check_refund(
    app: &App,
    connection: &mut PgConnection,
    order: &LockedOrder,
    payment: &Payment,
    lookup: Option<&PaymentLookup>,
) -> Result<(), SettlementError> {
    if !payment.state.is_settled() {
        return Ok(());
    }
    let status = lookup.map(|lookup| lookup.status);
    if status == Some(ProviderStatus::PartlyRefunded) {
        check_partial_refund(connection, order, payment).await?;
    }
    if status == Some(ProviderStatus::Refunded) {
        let waiting = [RefundState::Requested, RefundState::Sent, RefundState::Manual];
        payments::move_refund(connection, payment.id, RefundKind::Partial, &waiting, RefundState::Confirmed, order.now)
            .await?;
        let full = RefundKind::Full;
        if payments::move_refund(connection, payment.id, full, &waiting, RefundState::Confirmed, order.now).await? {
            let event = match payment.state {
                PaymentState::Paid => Some(Event::RefundConfirmed),
                PaymentState::Conflict => Some(Event::ConflictRefunded),
                _ => None,
            };
            if let Some(event) = event {
                orders::apply_event(app, connection, order, event, EventActor::System, None).await?;
            }
        } else if payment.refund.is_none() {
            orders::open_case_once(connection, order.id, CaseKind::RefundedOutside, order.now).await?;
        }
        return Ok(());
    }
    // A refund is not overdue while the wallet cannot be polled.
    if lookup.is_none() {
        return Ok(());
    }
    let is_late = |since: DateTime<Utc>| order.now - since > schedule::REFUND_CONFIRMATION_TIMEOUT;
    let part_since = payment.partial_refund.map(|refund| refund.since);
    for (kind, since) in [(RefundKind::Full, payment.refund_since), (RefundKind::Partial, part_since)] {
        let sent = [RefundState::Sent];
        if since.is_some_and(is_late)
            && payments::move_refund(connection, payment.id, kind, &sent, RefundState::Manual, order.now).await?
        {
            orders::open_case(connection, order.id, CaseKind::RefundFailed, order.now).await?;
        }
    }
    Ok(())
}

/// Confirms the refund of a part when the wallet shows that something was refunded. That can also be what somebody
/// refunded before ours was sent, or the rest of the payment; then the seller decides.
async fn check_partial_refund(
    connection: &mut PgConnection,
    order: &LockedOrder,
    payment: &Payment,
) -> Result<(), SettlementError> {
    if matches!(payment.refund, Some(RefundState::Sent | RefundState::Manual)) {
        return Ok(());
    }
    let part = RefundKind::Partial;
    let out = [RefundState::Sent, RefundState::Manual];
    if payments::move_refund(connection, payment.id, part, &out, RefundState::Confirmed, order.now).await? {
        return Ok(());
    }
    if payment.refund_state(part) == Some(RefundState::Requested) {
        // The state `manual` is reached through `sent`, whose time the schedule of the polls needs.
        payments::move_refund(connection, payment.id, part, &[RefundState::Requested], RefundState::Sent, order.now)
            .await?;
        payments::move_refund(connection, payment.id, part, &[RefundState::Sent], RefundState::Manual, order.now)
            .await?;
        orders::open_case(connection, order.id, CaseKind::RefundFailed, order.now).await?;
    }
    Ok(())
}

/// Ends the polling of a payment. An order that was never paid is cancelled; a payment that is still undecided becomes
/// a case.
async fn stop_polling(
    app: &App,
    connection: &mut PgConnection,
    order: OrderId,
    payment: PaymentId,
) -> Result<(), SettlementError> {
    let order = orders::lock(connection, order, &app.clock).await?.ok_or(OrderError::NotFound)?;
    let Some(known) = order.payments.iter().find(|known| known.id == payment) else { return Ok(()) };
    match known.state {
        PaymentState::Failed | PaymentState::Initiated if known.is_undecided() => {
            orders::open_case_once(connection, order.id, CaseKind::PendingLong, order.now).await?;
        }
        PaymentState::Failed => {
            let another = order.payments.iter().any(|other| other.next_check_at.is_some());
            if !another {
                orders::apply_event(app, connection, &order, Event::PaymentAbandoned, EventActor::System, None).await?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Polls a payment when it is due.
#[derive(Serialize, Deserialize)]
pub struct CheckPayment {
    pub payment: PaymentId,
}

impl CheckPayment {
    /// Schedules the next poll and enqueues its job; returns false when there is none.
    pub async fn schedule_next(
        connection: &mut PgConnection,
        payment: PaymentId,
        asked: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Result<bool, SettlementError> {
        let Some(next) = payments::schedule_next_poll(connection, payment, asked, now).await? else { return Ok(false) };
        jobs::enqueue_at(connection, &Self { payment }, &payment.to_string(), next).await?;
        Ok(true)
    }

    /// Enqueues the job again in case it was lost.
    pub async fn requeue(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        jobs::ensure_enqueued(connection, self, &self.payment.to_string()).await
    }
}

impl Job for CheckPayment {
    const NAME: &'static str = "orders.check_payment";

    async fn run(self, app: &App) -> Result<(), String> {
        poll_payment(app, self.payment, PollReason::Due).await.map(|_| ()).map_err(|error| error.to_string())
    }
}
