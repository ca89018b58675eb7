//! Jobs that run every minute and every night for unpaid orders and payments. They also catch what a lost job would
//! leave undone.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::error::SettlementError;
use super::pay;
use super::settle::{self, CheckPayment, PollReason};
use crate::orders::transition::{Event, Stock};
use crate::orders::{self, EventActor, SendRefund};
use crate::payments::{self, PaymentState, schedule};
use crate::platform::fail_point::fail_point;
use crate::platform::ids::{OrderId, PaymentId};
use crate::platform::jobs::{self, Job};
use crate::platform::state::App;
use crate::platform::telemetry;

/// One run handles this many rows of each kind; the next run is a minute later.
const BATCH_SIZE: i64 = 2_000;
/// Settled payments are compared with the wallet every night for this long.
const RECONCILED_PERIOD: TimeDelta = TimeDelta::days(3);
/// The nightly lookups are spread over this time.
const RECONCILE_SPREAD_SECONDS: i64 = 3_600;

/// Ends expired holds, cancels unconfirmed and long unpaid orders, abandons unstarted payments, and enqueues lost jobs
/// again.
#[derive(Serialize, Deserialize)]
pub struct MaintainPayments {}

impl Job for MaintainPayments {
    const NAME: &'static str = "orders.maintain_payments";

    async fn run(self, app: &App) -> Result<(), String> {
        maintain_payments(app).await.map_err(|error| error.to_string())
    }
}

async fn maintain_payments(app: &App) -> Result<(), SettlementError> {
    let (db, now) = (&app.db.main, app.clock.now());
    for order in orders::find_expired_holds(db, BATCH_SIZE, now).await? {
        // An order that fails must not block the others.
        if let Err(error) = release_expired_hold(app, order).await {
            tracing::warn!(%error, "could not release a stock hold; retrying in a minute");
        }
    }
    orders::cancel_unconfirmed(app, BATCH_SIZE).await?;
    for payment in payments::find_never_started(db, now - schedule::INITIAL_HOLD, BATCH_SIZE).await? {
        if let Err(error) = abandon_unstarted(app, payment).await {
            tracing::warn!(%error, "could not abandon a payment without a link; retrying in a minute");
        }
    }
    for order in orders::find_long_unpaid(db, now - schedule::UNPAID_ENDS_AFTER, BATCH_SIZE).await? {
        if let Err(error) = cancel_unpaid(app, order).await {
            tracing::warn!(%error, "could not cancel an unpaid order; retrying in a minute");
        }
    }
    let late = now - schedule::POLL_OVERDUE_AFTER;
    let overdue = payments::find_overdue(db, late, BATCH_SIZE).await?;
    let unsent = payments::find_unsent_refunds(db, late - schedule::REFUND_DELAY, BATCH_SIZE).await?;
    let (late, open) = payments::measure_lag(db, now).await?;
    let mut connection = db.acquire().await?;
    for payment in &overdue {
        CheckPayment { payment: *payment }.requeue(&mut connection).await?;
        fail_point!(app, "settlement.maintenance.lookup_queued");
    }
    for refund in unsent {
        SendRefund { refund }.requeue(&mut connection).await?;
        fail_point!(app, "settlement.maintenance.refund_queued");
    }
    if !overdue.is_empty() {
        tracing::warn!(count = overdue.len(), "payment polls are overdue");
    }
    metrics::gauge!("payment_poll_lag_seconds").set(late);
    metrics::gauge!("payments_pending").set(telemetry::to_gauge(open));
    Ok(())
}

async fn release_expired_hold(app: &App, order: OrderId) -> Result<(), SettlementError> {
    let mut tx = app.db.main.begin().await?;
    let Some(order) = orders::lock(&mut tx, order, &app.clock).await? else { return Ok(()) };
    // While a payment page is being made, `abandon_unstarted` ends the payment and the hold in one transaction. Otherwise the
    // page could be given out in between, and be paid when nothing is held any more.
    let is_starting = order.payments.iter().any(|payment| payment.state == PaymentState::Created);
    if order.state.stock == Stock::Held && order.hold_ends_at.is_some_and(|ends| ends < order.now) && !is_starting {
        orders::apply_event(app, &mut tx, &order, Event::HoldExpired, EventActor::System, None).await?;
        fail_point!(app, "settlement.maintenance.before_hold_commit");
        tx.commit().await?;
        fail_point!(app, "settlement.maintenance.hold_ended");
    }
    Ok(())
}

/// Cancels an order that was never paid, unless one of its payments is still polled or being started.
async fn cancel_unpaid(app: &App, order: OrderId) -> Result<(), SettlementError> {
    let mut tx = app.db.main.begin().await?;
    let Some(order) = orders::lock(&mut tx, order, &app.clock).await? else { return Ok(()) };
    if order.payments.iter().all(|payment| payment.next_check_at.is_none() && payment.state != PaymentState::Created) {
        orders::apply_event(app, &mut tx, &order, Event::PaymentAbandoned, EventActor::System, None).await?;
        fail_point!(app, "settlement.maintenance.before_unpaid_commit");
        tx.commit().await?;
        fail_point!(app, "settlement.maintenance.unpaid_ended");
    }
    Ok(())
}

async fn abandon_unstarted(app: &App, payment: PaymentId) -> Result<(), SettlementError> {
    let mut tx = app.db.main.begin().await?;
    let Some(known) = payments::find(&mut tx, payment).await? else { return Ok(()) };
    let Some(order) = orders::lock(&mut tx, OrderId(known.subject_id), &app.clock).await? else { return Ok(()) };
    pay::abandon_payment(app, &mut tx, &order, &known).await?;
    fail_point!(app, "settlement.maintenance.before_abandon_commit");
    tx.commit().await?;
    fail_point!(app, "settlement.maintenance.abandoned");
    Ok(())
}

/// Compares recently settled payments with the wallet once more, every night.
#[derive(Serialize, Deserialize)]
pub struct ReconcilePayments {}

impl Job for ReconcilePayments {
    const NAME: &'static str = "orders.reconcile_payments";

    async fn run(self, app: &App) -> Result<(), String> {
        let asked = async {
            let now = app.clock.now();
            let settled = payments::find_settled_since(&app.db.main, now - RECONCILED_PERIOD).await?;
            let mut connection = app.db.main.acquire().await?;
            for (place, payment) in (0_i64..).zip(&settled) {
                let at = now + TimeDelta::seconds(place % RECONCILE_SPREAD_SECONDS);
                jobs::enqueue_at(&mut connection, &ReconcilePayment { payment: *payment }, &payment.to_string(), at)
                    .await?;
            }
            Ok::<_, sqlx::Error>(settled.len())
        };
        let asked = asked.await.map_err(|error| error.to_string())?;
        tracing::info!(asked, "comparing recent payments with the wallet");
        Ok(())
    }
}

/// Polls one settled payment.
#[derive(Serialize, Deserialize)]
pub struct ReconcilePayment {
    payment: PaymentId,
}

impl Job for ReconcilePayment {
    const NAME: &'static str = "orders.reconcile_payment";

    async fn run(self, app: &App) -> Result<(), String> {
        let polled = settle::poll_payment(app, self.payment, PollReason::Recheck).await;
        polled.map(|_| ()).map_err(|error| error.to_string())
    }
}
