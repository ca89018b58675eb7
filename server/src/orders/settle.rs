//! Acting on what the wallet says, exactly once. The shopper's page, the worker's looks, the seller's button and the
//! nightly check all come through `look`, and everything that any of them learns through `apply`.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::change::{self, Actor, Subject};
use super::model::{OrderError, patiently};
use super::store::{self, Locked};
use super::transition::{Attempt, Case, Event, Lookup, Payment as Money};
use crate::cart;
use crate::payments::{self, Asker, Payment, PaymentState, RefundState, Said, Status, Wallet, WalletError, schedule};
use crate::platform::fail_point::fail_point;
use crate::platform::jobs::{self, Job};
use crate::platform::state::App;

const TRIES: u32 = 5;
/// What a clear answer settles by itself.
const UNCLEAR: [Case; 3] = [Case::WalletUnclear, Case::PendingLong, Case::WalletUnknownPayment];

/// Why somebody looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The shopper's page, which came at this time: an answer to a question that was asked since then is his as well.
    Verify(DateTime<Utc>),
    /// It is time.
    Due,
    /// A person wants to know, or it is night: even what is settled is asked about.
    Again,
}

/// A payment as it is after a look.
pub struct Looked {
    pub payment: Payment,
    /// The wallet has answered, or need not be asked. Otherwise nothing is known but what was known before.
    pub is_certain: bool,
}

/// Asks the wallet about a payment, unless there is nothing to learn, and acts on the answer.
pub async fn look(app: &App, id: Uuid, why: Why) -> Result<Looked, OrderError> {
    let wallet = app.part::<Wallet>();
    let _turn = wallet.turn(id).await;
    let known = find(app, id).await?;
    let Some(pidx) = known.pidx.as_deref().filter(|_| is_worth_asking(&known, why)) else {
        return Ok(Looked { payment: known, is_certain: true });
    };
    let asker = if why == Why::Due { Asker::Worker } else { Asker::Shopper };
    let asked_at = app.clock.now();
    fail_point!(app, "orders.settle.before_lookup");
    let said = wallet.confirm(pidx, asker).await;
    fail_point!(app, "orders.settle.wallet_answered");
    patiently(TRIES, || apply(app, id, asked_at, &said)).await?;
    Ok(Looked { payment: find(app, id).await?, is_certain: said.is_ok() })
}

async fn find(app: &App, id: Uuid) -> Result<Payment, OrderError> {
    let mut connection = app.db.main.acquire().await?;
    payments::find(&mut connection, id).await?.ok_or(OrderError::PaymentNotFound)
}

fn is_worth_asking(payment: &Payment, why: Why) -> bool {
    let refund_is_out = matches!(payment.refund, Some(RefundState::Sent | RefundState::Manual));
    let open = !payment.state.is_settled();
    match why {
        Why::Verify(arrived) => open && payment.looked_at.is_none_or(|asked| asked < arrived),
        Why::Due => open || refund_is_out,
        Why::Again => true,
    }
}

/// What the wallet's words mean for this payment.
async fn read(connection: &mut PgConnection, payment: &Payment, said: &Said) -> Result<Lookup, OrderError> {
    Ok(match (said.status, said.amount, said.transaction.as_deref()) {
        (Status::Completed, Some(amount), Some(_)) if amount != payment.amount => Lookup::CompletedOtherAmount,
        (Status::Completed, Some(_), Some(transaction)) => {
            if payments::is_anothers(connection, transaction, payment.id).await? {
                Lookup::CompletedTwin
            } else {
                Lookup::Completed
            }
        }
        (Status::Over, ..) => Lookup::Over,
        (Status::Refunded, ..) => Lookup::GivenBack,
        // Completed without an amount or a transaction is no proof of anything.
        (Status::Completed | Status::Pending | Status::Initiated | Status::Unclear, ..) => Lookup::Open,
    })
}

fn attempt(order: &Locked, payment: &Payment) -> Attempt {
    let others = || order.payments.iter().filter(|other| other.id != payment.id);
    if payment.state.is_settled() {
        Attempt::Settled
    } else if others().any(|other| other.state == PaymentState::Paid) {
        Attempt::OpenBesidePaid
    } else if others().any(|other| matches!(other.state, PaymentState::Created | PaymentState::Initiated)) {
        Attempt::OpenBesideOpen
    } else {
        Attempt::Open
    }
}

/// One transaction: the wallet's words as evidence, what they change, and when to look again. Hearing the same twice
/// changes nothing the second time.
async fn apply(
    app: &App,
    id: Uuid,
    asked_at: DateTime<Utc>,
    said: &Result<Said, WalletError>,
) -> Result<(), OrderError> {
    let mut tx = app.db.main.begin().await?;
    let about = payments::find(&mut tx, id).await?.ok_or(OrderError::PaymentNotFound)?.about;
    // The order first, then what belongs to it: everybody locks in this way.
    let mut order = change::lock(&mut tx, about, &app.clock).await?.ok_or(OrderError::NotFound)?;
    let payment = payments::lock(&mut tx, id).await?.ok_or(OrderError::PaymentNotFound)?;
    fail_point!(app, "orders.settle.locked");
    // Somebody asked later and was answered sooner: what is older than that says nothing, but for money.
    let is_overtaken = payment.looked_at.is_some_and(|later| later > asked_at);
    match said {
        Ok(said) if is_overtaken && !matches!(said.status, Status::Completed | Status::Refunded) => {}
        Ok(said) => hear(app, &mut tx, &mut order, &payment, said).await?,
        Err(WalletError::Unknown) => {
            tracing::error!(payment = %id, "the wallet does not know a payment that it made: is this the right wallet?");
            store::open_case_once(&mut tx, order.id, Case::WalletUnknownPayment, order.now).await?;
        }
        Err(_) => {}
    }
    fail_point!(app, "orders.settle.answer_applied");
    watch_refund(app, &mut tx, &order, &payment, said.as_ref().ok()).await?;
    fail_point!(app, "orders.settle.refund_watched");
    let was_answered = matches!(said, Ok(_) | Err(WalletError::Unknown));
    if !CheckPayment::plan(&mut tx, id, was_answered.then_some(asked_at), order.now).await? {
        stop_looking(app, &mut tx, about, id).await?;
    }
    fail_point!(app, "orders.settle.before_commit");
    tx.commit().await?;
    fail_point!(app, "orders.settle.committed");
    Ok(())
}

async fn hear(
    app: &App,
    connection: &mut PgConnection,
    order: &mut Locked,
    payment: &Payment,
    said: &Said,
) -> Result<(), OrderError> {
    let is_new = payments::heard(connection, payment.id, said, order.now).await?;
    fail_point!(app, "orders.settle.evidence_stored");
    let lookup = read(connection, payment, said).await?;
    let attempt = attempt(order, payment);
    if is_new && is_odd(payment, said) {
        store::open_case(connection, order.id, Case::WalletUnclear, order.now).await?;
    }
    let pending_long = said.status == Status::Pending
        && !payment.state.is_settled()
        && payment.started_at.is_some_and(|started| order.now - started > schedule::PENDING_IS_LONG);
    if pending_long {
        store::open_case_once(connection, order.id, Case::PendingLong, order.now).await?;
    }
    // Most looks learn nothing: they leave the order and the shelf alone.
    let known_no = payment.state == PaymentState::Failed && matches!(lookup, Lookup::Over | Lookup::GivenBack);
    if lookup == Lookup::Open || attempt == Attempt::Settled || (known_no && !is_new) {
        return Ok(());
    }
    let event = Event::WalletSays(lookup, attempt);
    let subject = Subject { payment, said: Some(said) };
    let before = order.state.payment;
    let stepped = change::step(app, connection, order, event, Actor::System, Some(subject)).await?;
    order.state = stepped.state;
    fail_point!(app, "orders.settle.order_changed");
    if lookup == Lookup::Completed {
        // Whatever was unclear about it is clear now.
        store::close_cases(connection, order.id, &UNCLEAR, order.now).await?;
    }
    if stepped.state.payment == Money::Paid && before != Money::Paid {
        let bought = store::units(connection, order.id).await?;
        cart::take(connection, order.user, &bought.ids, &bought.quantities).await?;
        fail_point!(app, "orders.settle.cart_emptied");
        let waited = payment.started_at.map_or(0, |started| (order.now - started).num_milliseconds());
        metrics::histogram!("payment_settle_seconds")
            .record(f64::from(i32::try_from(waited).unwrap_or(i32::MAX)) / 1e3);
    }
    for case in stepped.cases {
        metrics::counter!("payment_cases_total", "kind" => case.name()).increment(1);
        tracing::warn!(order = %order.code, kind = case.name(), "a payment needs somebody's attention");
    }
    Ok(())
}

/// Words that fit no rule: a person should ask the wallet.
fn is_odd(payment: &Payment, said: &Said) -> bool {
    match said.status {
        Status::Unclear => true,
        // Without proof, or with another one than before.
        Status::Completed => {
            let changed = payment.transaction.is_some() && payment.transaction != said.transaction;
            said.amount.is_none() || said.transaction.is_none() || changed
        }
        // It has called this payment completed before.
        Status::Over | Status::Pending | Status::Initiated => payment.state.is_settled(),
        Status::Refunded => false,
    }
}

/// A refund is believed when the wallet shows it, whoever asked for it.
async fn watch_refund(
    app: &App,
    connection: &mut PgConnection,
    order: &Locked,
    payment: &Payment,
    said: Option<&Said>,
) -> Result<(), OrderError> {
    if !payment.state.is_settled() {
        return Ok(());
    }
    if said.is_some_and(|said| said.status == Status::Refunded) {
        let waiting = [RefundState::Requested, RefundState::Sent, RefundState::Manual];
        if payments::move_refund(connection, payment.id, &waiting, RefundState::Confirmed, order.now).await? {
            let event = match payment.state {
                PaymentState::Paid => Some(Event::RefundConfirmed),
                PaymentState::Conflict => Some(Event::ConflictReturned),
                _ => None,
            };
            if let Some(event) = event {
                change::step(app, connection, order, event, Actor::System, None).await?;
            }
        } else if payment.refund.is_none() {
            store::open_case_once(connection, order.id, Case::RefundedOutside, order.now).await?;
        }
        return Ok(());
    }
    // As long as nobody can look, nothing is overdue.
    let overdue = said.is_some()
        && payment.refund == Some(RefundState::Sent)
        && payment.refund_since.is_some_and(|since| order.now - since > schedule::REFUND_SHOWS_WITHIN);
    if overdue {
        payments::move_refund(connection, payment.id, &[RefundState::Sent], RefundState::Manual, order.now).await?;
        store::open_case(connection, order.id, Case::RefundFailed, order.now).await?;
    }
    Ok(())
}

/// Nothing more will be learnt. An order that was never paid ends; one that nobody knows about becomes a case.
async fn stop_looking(app: &App, connection: &mut PgConnection, order: Uuid, payment: Uuid) -> Result<(), OrderError> {
    let order = change::lock(connection, order, &app.clock).await?.ok_or(OrderError::NotFound)?;
    let Some(known) = order.payments.iter().find(|known| known.id == payment) else { return Ok(()) };
    match known.state {
        PaymentState::Failed | PaymentState::Initiated if known.is_undecided() => {
            store::open_case_once(connection, order.id, Case::PendingLong, order.now).await?;
        }
        PaymentState::Failed => {
            let another = order.payments.iter().any(|other| other.next_check_at.is_some());
            if !another {
                change::step(app, connection, &order, Event::GivenUp, Actor::System, None).await?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// One look at a payment, when it is time.
#[derive(Serialize, Deserialize)]
pub struct CheckPayment {
    pub payment: Uuid,
}

impl CheckPayment {
    /// Plans the next look and asks for its job; false when there is none.
    pub async fn plan(
        connection: &mut PgConnection,
        payment: Uuid,
        asked: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Result<bool, OrderError> {
        let Some(next) = payments::plan(connection, payment, asked, now).await? else { return Ok(false) };
        jobs::enqueue_at(connection, &Self { payment }, &payment.to_string(), next).await?;
        Ok(true)
    }

    /// Asks for the job again, should it be lost.
    pub async fn again(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        jobs::enqueue_again(connection, self, &self.payment.to_string()).await
    }
}

impl Job for CheckPayment {
    const NAME: &'static str = "orders.check_payment";

    async fn run(self, app: &App) -> Result<(), String> {
        look(app, self.payment, Why::Due).await.map(|_| ()).map_err(|error| error.to_string())
    }
}
