//! What happens to unpaid orders and payments by themselves, every minute and every night: the net below all alarms.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::change::{self, Actor};
use super::model::OrderError;
use super::refunds::SendRefund;
use super::settle::{self, CheckPayment, Why};
use super::transition::{Event, Stock};
use super::{pay, store};
use crate::payments::{self, PaymentState, schedule};
use crate::platform::fail_point::fail_point;
use crate::platform::jobs::{self, Job};
use crate::platform::state::App;
use crate::platform::telemetry;

/// In one round; the next is a minute away.
const AT_A_TIME: i64 = 2_000;
/// Settled payments are held against the wallet once more for so many nights.
const NIGHTS: TimeDelta = TimeDelta::days(3);
/// What is asked at night is spread over this long.
const NIGHT: i64 = 3_600;

/// Ends holds, and sets alarms again that were lost with a worker.
#[derive(Serialize, Deserialize)]
pub struct LookAfterPayments {}

impl Job for LookAfterPayments {
    const NAME: &'static str = "orders.look_after_payments";

    async fn run(self, app: &App) -> Result<(), String> {
        look_after(app).await.map_err(|error| error.to_string())
    }
}

async fn look_after(app: &App) -> Result<(), OrderError> {
    let (db, now) = (&app.db.main, app.clock.now());
    for order in store::ended_holds(db, AT_A_TIME, now).await? {
        // One order in the way of others must not keep them.
        if let Err(error) = end_hold(app, order).await {
            tracing::warn!(%error, "a hold could not be ended; it is tried again in a minute");
        }
    }
    for order in store::not_confirmed(db, AT_A_TIME, now).await? {
        if let Err(error) = end_unconfirmed(app, order).await {
            tracing::warn!(%error, "an unconfirmed order could not be cancelled; it is tried again in a minute");
        }
    }
    for payment in payments::never_started(db, now - schedule::HOLD_AT_FIRST, AT_A_TIME).await? {
        if let Err(error) = abandon(app, payment).await {
            tracing::warn!(%error, "a payment without a link could not be ended; it is tried again in a minute");
        }
    }
    for order in store::long_unpaid(db, now - schedule::UNPAID_ENDS_AFTER, AT_A_TIME).await? {
        if let Err(error) = give_up(app, order).await {
            tracing::warn!(%error, "an unpaid order could not be ended; it is tried again in a minute");
        }
    }
    let late = now - schedule::FORGOTTEN_AFTER;
    let forgotten = payments::forgotten(db, late, AT_A_TIME).await?;
    let unsent = payments::unsent_refunds(db, late - schedule::REFUND_WAITS, AT_A_TIME).await?;
    let (late, open) = payments::lag(db, now).await?;
    let mut connection = db.acquire().await?;
    for payment in &forgotten {
        CheckPayment { payment: *payment }.again(&mut connection).await?;
        fail_point!(app, "orders.maintenance.lookup_queued");
    }
    for refund in unsent {
        SendRefund { refund }.again(&mut connection).await?;
        fail_point!(app, "orders.maintenance.refund_queued");
    }
    if !forgotten.is_empty() {
        tracing::warn!(count = forgotten.len(), "looks at payments are late");
    }
    metrics::gauge!("poller_lag_seconds").set(late);
    metrics::gauge!("payments_watched").set(telemetry::count(open));
    Ok(())
}

async fn end_hold(app: &App, order: Uuid) -> Result<(), OrderError> {
    let mut tx = app.db.main.begin().await?;
    let Some(order) = change::lock(&mut tx, order, &app.clock).await? else { return Ok(()) };
    if order.state.stock == Stock::Held && order.hold_ends_at.is_some_and(|ends| ends < order.now) {
        change::step(app, &mut tx, &order, Event::HoldEnded, Actor::System, None).await?;
        fail_point!(app, "orders.maintenance.before_hold_commit");
        tx.commit().await?;
        fail_point!(app, "orders.maintenance.hold_ended");
    }
    Ok(())
}

/// The buyer may have confirmed, or the seller may have seen to it, at this very moment: the lock decides.
async fn end_unconfirmed(app: &App, order: Uuid) -> Result<(), OrderError> {
    let mut tx = app.db.main.begin().await?;
    let Some(order) = change::lock(&mut tx, order, &app.clock).await? else { return Ok(()) };
    if order.confirm_by.is_some_and(|ends| ends < order.now) {
        change::step(app, &mut tx, &order, Event::NotConfirmed, Actor::System, None).await?;
        fail_point!(app, "orders.maintenance.before_unconfirmed_commit");
        tx.commit().await?;
        fail_point!(app, "orders.maintenance.unconfirmed_ended");
        metrics::counter!("orders_not_confirmed_total").increment(1);
    }
    Ok(())
}

/// Nobody has paid it, and nothing is known to be on its way.
async fn give_up(app: &App, order: Uuid) -> Result<(), OrderError> {
    let mut tx = app.db.main.begin().await?;
    let Some(order) = change::lock(&mut tx, order, &app.clock).await? else { return Ok(()) };
    if order.payments.iter().all(|payment| payment.next_check_at.is_none() && payment.state != PaymentState::Created) {
        change::step(app, &mut tx, &order, Event::GivenUp, Actor::System, None).await?;
        fail_point!(app, "orders.maintenance.before_unpaid_commit");
        tx.commit().await?;
        fail_point!(app, "orders.maintenance.unpaid_ended");
    }
    Ok(())
}

async fn abandon(app: &App, payment: Uuid) -> Result<(), OrderError> {
    let mut tx = app.db.main.begin().await?;
    let Some(known) = payments::find(&mut tx, payment).await? else { return Ok(()) };
    let Some(order) = change::lock(&mut tx, known.about, &app.clock).await? else { return Ok(()) };
    pay::give_up(app, &mut tx, &order, &known).await?;
    fail_point!(app, "orders.maintenance.before_abandon_commit");
    tx.commit().await?;
    fail_point!(app, "orders.maintenance.abandoned");
    Ok(())
}

/// Every night: what was settled in the last days is held against the wallet's own words once more.
#[derive(Serialize, Deserialize)]
pub struct CompareWithWallet {}

impl Job for CompareWithWallet {
    const NAME: &'static str = "orders.compare_with_wallet";

    async fn run(self, app: &App) -> Result<(), String> {
        let asked = async {
            let now = app.clock.now();
            let settled = payments::settled_since(&app.db.main, now - NIGHTS).await?;
            let mut connection = app.db.main.acquire().await?;
            for (place, payment) in (0_i64..).zip(&settled) {
                let at = now + TimeDelta::seconds(place % NIGHT);
                jobs::enqueue_at(&mut connection, &AskAgain { payment: *payment }, &payment.to_string(), at).await?;
            }
            Ok::<_, sqlx::Error>(settled.len())
        };
        let asked = asked.await.map_err(|error| error.to_string())?;
        tracing::info!(asked, "payments of the last days are compared with the wallet");
        Ok(())
    }
}

/// Asks about a payment that is settled.
#[derive(Serialize, Deserialize)]
pub struct AskAgain {
    payment: Uuid,
}

impl Job for AskAgain {
    const NAME: &'static str = "orders.ask_again";

    async fn run(self, app: &App) -> Result<(), String> {
        let looked = settle::look(app, self.payment, Why::Again).await;
        looked.map(|_| ()).map_err(|error| error.to_string())
    }
}
