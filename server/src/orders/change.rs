//! Changing an order: what `transition` decides, written in one transaction.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::follow;
use super::letters::TellShopper;
use super::model::{Order, OrderError, Reader, patiently};
use super::refunds::SendRefund;
use super::store::{self, Locked};
use super::transition::{
    AttemptEnds, Case, Effect, Event, Label, Lookup, Method, Outcome, Payment as Money, Refund, State, Stock,
    transition,
};
use crate::catalogue::{self, Units};
use crate::payments::{self, Payment, PaymentState, RefundState, Said, schedule};
use crate::platform::clock::Clock;
use crate::platform::fail_point::fail_point;
use crate::platform::jobs;
use crate::platform::state::App;
use crate::seller;

/// How often a change is tried when somebody else is in the way.
const TRIES: u32 = 3;

/// Who caused a line of the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    Shopper,
    Seller,
    System,
}

impl Actor {
    const fn name(self) -> &'static str {
        match self {
            Self::Shopper => "shopper",
            Self::Seller => "seller",
            Self::System => "system",
        }
    }
}

pub struct Changed {
    pub order: Order,
    /// What somebody should look at now, for the one who caused it.
    pub warning: String,
}

/// The seller sets any label at any time, or a new day of delivery, or both.
pub async fn set_status(
    app: &App,
    seller: Uuid,
    order: Uuid,
    label: Option<Label>,
    delivery_date: Option<NaiveDate>,
) -> Result<Changed, OrderError> {
    patiently(TRIES, || try_set_status(app, seller, order, label, delivery_date)).await
}

async fn try_set_status(
    app: &App,
    seller: Uuid,
    order: Uuid,
    label: Option<Label>,
    delivery_date: Option<NaiveDate>,
) -> Result<Changed, OrderError> {
    let mut tx = app.db.main.begin().await?;
    let locked = lock(&mut tx, order, &app.clock).await?.ok_or(OrderError::NotFound)?;
    let object = order.to_string();
    let mut cases = Vec::new();
    if let Some(label) = label {
        cases = seller_sets(app, &mut tx, &locked, seller, label).await?;
    }
    if let Some(date) = delivery_date {
        let before = store::set_delivery_date(&mut tx, order, date, locked.now).await?.to_string();
        let after = date.to_string();
        let deed = seller::Deed {
            seller,
            action: "order.delivery_date",
            object: &object,
            about: &locked.code,
            before: &before,
            after: &after,
        };
        seller::note(&mut tx, &deed).await?;
    }
    fail_point!(app, "orders.change.before_status_commit");
    let shown = show(&mut tx, order, Reader::Seller).await?;
    tx.commit().await?;
    fail_point!(app, "orders.change.status_committed");
    Ok(Changed { order: shown, warning: cases.into_iter().map(warning).collect::<Vec<_>>().join(" ") })
}

/// The shopper changes his mind before the order is sent.
pub async fn cancel(app: &App, user: Uuid, order: Uuid) -> Result<Order, OrderError> {
    patiently(TRIES, || try_cancel(app, user, order)).await
}

async fn try_cancel(app: &App, user: Uuid, order: Uuid) -> Result<Order, OrderError> {
    let mut tx = app.db.main.begin().await?;
    let locked = lock(&mut tx, order, &app.clock).await?.filter(|locked| locked.user == user);
    let locked = locked.ok_or(OrderError::NotFound)?;
    step(app, &mut tx, &locked, Event::ShopperCancels, Actor::Shopper, None).await?;
    fail_point!(app, "orders.change.before_cancel_commit");
    let shown = show(&mut tx, order, Reader::Shopper).await?;
    tx.commit().await?;
    fail_point!(app, "orders.change.cancel_committed");
    Ok(shown)
}

/// The label, with its row in the audit log.
pub async fn seller_sets(
    app: &App,
    connection: &mut PgConnection,
    order: &Locked,
    seller: Uuid,
    label: Label,
) -> Result<Vec<Case>, OrderError> {
    let stepped = step(app, connection, order, Event::SellerSets(label), Actor::Seller, None).await?;
    let (object, before) = (order.id.to_string(), order.state.label.name());
    let deed = seller::Deed {
        seller,
        action: "order.status",
        object: &object,
        about: &order.code,
        before,
        after: label.name(),
    };
    seller::note(connection, &deed).await?;
    fail_point!(app, "orders.change.audited");
    Ok(stepped.cases)
}

pub async fn show(connection: &mut PgConnection, order: Uuid, reader: Reader) -> Result<Order, OrderError> {
    let row = store::find(connection, order).await?.ok_or(OrderError::NotFound)?;
    follow::whole(connection, vec![row], reader).await?.pop().ok_or(OrderError::NotFound)
}

/// An order that nobody else changes until the transaction ends, and with it all tries to pay for it.
pub async fn lock(connection: &mut PgConnection, order: Uuid, clock: &Clock) -> sqlx::Result<Option<Locked>> {
    let Some(mut locked) = store::lock(connection, order, clock).await? else { return Ok(None) };
    if locked.state.method == Method::Online {
        locked.payments = payments::of(connection, &[order]).await?;
        let paid = locked.payments.iter().find(|payment| payment.state == PaymentState::Paid);
        locked.state.refund = match paid.and_then(|payment| payment.refund) {
            None | Some(RefundState::Withdrawn) => Refund::None,
            Some(RefundState::Requested) => Refund::Requested,
            Some(RefundState::Sent | RefundState::Confirmed | RefundState::Manual) => Refund::Sent,
        };
    }
    Ok(Some(locked))
}

/// The payment that an event is about, and what the wallet has just said of it.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub payment: &'a Payment,
    pub said: Option<&'a Said>,
}

pub struct Stepped {
    pub state: State,
    /// What was opened for somebody to look at.
    pub cases: Vec<Case>,
}

/// Lets `event` happen to a locked order.
pub async fn step(
    app: &App,
    connection: &mut PgConnection,
    order: &Locked,
    event: Event,
    actor: Actor,
    subject: Option<Subject<'_>>,
) -> Result<Stepped, OrderError> {
    let before = order.state;
    // Only an order without units can want them again; the others leave the shelf alone.
    let (mut wanted, mut goods_there) = (Units::default(), false);
    if matches!(before.stock, Stock::Returned | Stock::Short) && may_take(event) {
        wanted = store::units(connection, order.id).await?;
        goods_there = catalogue::holds(connection, &wanted).await?;
    }
    let Outcome { mut state, effects } = transition(before, event, goods_there)?;
    if state.label == Label::Cancelled && nobody_can_pay(order) {
        // Cancelled before there was a link: there is nothing to wait for.
        state = transition(state, Event::NotInitiated, goods_there)?.state;
    }
    let mut cases = Vec::new();
    if state.payment != before.payment && !effects.iter().any(|effect| matches!(effect, Effect::Note(_))) {
        store::add_money_event(connection, order.id, state.label).await?;
    }
    for effect in effects {
        match effect {
            Effect::Note(label) => store::add_event(connection, order.id, label, actor.name()).await?,
            Effect::GiveBack => catalogue::give_back(connection, order.id, why_back(event)).await?,
            Effect::TakeAgain => catalogue::take_again(connection, order.id, &wanted).await?,
            Effect::Open(case) => {
                store::open_case(connection, order.id, case, order.now).await?;
                cases.push(case);
            }
            Effect::EndAttempt(end) => end_attempt(connection, end, subject, order.now).await?,
            Effect::RequestRefund => request_refund(connection, order, subject).await?,
            Effect::WithdrawRefund => {
                let paid = order.payments.iter().find(|payment| payment.state == PaymentState::Paid);
                let paid = paid.ok_or(OrderError::Muddled("a refund to withdraw, and no payment"))?;
                let open = [RefundState::Requested];
                if !payments::move_refund(connection, paid.id, &open, RefundState::Withdrawn, order.now).await? {
                    return Err(OrderError::Muddled("a refund to withdraw, and it is gone"));
                }
            }
        }
        fail_point!(app, "orders.change.effect_written");
    }
    store::set_state(connection, order.id, &state, order.now).await?;
    fail_point!(app, "orders.change.state_stored");
    if let Some(letter) = TellShopper::about(order.id, event, before, state) {
        jobs::enqueue(connection, &letter).await?;
        fail_point!(app, "orders.change.email_queued");
    }
    Ok(Stepped { state, cases })
}

/// Only these can want goods that went back to the shelf.
const fn may_take(event: Event) -> bool {
    match event {
        Event::SellerSets(_) | Event::PaysAgain | Event::WalletSays(Lookup::Completed, _) => true,
        Event::ShopperCancels
        | Event::WalletSays(..)
        | Event::HoldEnded
        | Event::NotInitiated
        | Event::GivenUp
        | Event::NotConfirmed
        | Event::RefundConfirmed
        | Event::ConflictReturned => false,
    }
}

/// For the ledger.
const fn why_back(event: Event) -> &'static str {
    match event {
        Event::SellerSets(_) | Event::ShopperCancels => "order cancelled",
        Event::NotConfirmed => "order not confirmed",
        _ => "order not paid",
    }
}

/// It waits for money, and there is no link through which any could come.
fn nobody_can_pay(order: &Locked) -> bool {
    order.state.payment == Money::Awaiting
        && order.payments.iter().all(|payment| payment.state == PaymentState::Abandoned)
}

async fn end_attempt(
    connection: &mut PgConnection,
    end: AttemptEnds,
    subject: Option<Subject<'_>>,
    now: DateTime<Utc>,
) -> Result<(), OrderError> {
    // An order may lose its hold before there is any attempt.
    let Some(Subject { payment, said }) = subject else { return Ok(()) };
    let amount = said.and_then(|said| said.amount);
    let transaction = said.and_then(|said| said.transaction.as_deref());
    let (state, received, transaction) = match end {
        AttemptEnds::Paid => (PaymentState::Paid, amount, transaction),
        AttemptEnds::PaidExtra => (PaymentState::PaidExtra, amount, transaction),
        AttemptEnds::Conflict => {
            // A transaction that belongs to another payment stays that one's.
            let anothers = match transaction {
                Some(id) => payments::is_anothers(connection, id, payment.id).await?,
                None => false,
            };
            (PaymentState::Conflict, amount, transaction.filter(|_| !anothers))
        }
        AttemptEnds::Failed => (PaymentState::Failed, None, None),
        AttemptEnds::Abandoned => (PaymentState::Abandoned, None, None),
    };
    Ok(payments::end(connection, payment.id, state, received, transaction, now).await?)
}

/// The money of the payment in question, or else of the one that paid the order.
async fn request_refund(
    connection: &mut PgConnection,
    order: &Locked,
    subject: Option<Subject<'_>>,
) -> Result<(), OrderError> {
    let paid = order.payments.iter().find(|payment| payment.state == PaymentState::Paid);
    let payment = subject.map(|subject| subject.payment).or(paid);
    let payment = payment.ok_or(OrderError::Muddled("money to give back, and no payment"))?;
    let refund = payments::request_refund(connection, payment.id, order.now).await?;
    Ok(SendRefund { refund }.at(connection, order.now + schedule::REFUND_WAITS).await?)
}

/// For the seller, in words.
const fn warning(case: Case) -> &'static str {
    match case {
        Case::CancelledAfterDispatch => "The goods are on their way: expect them back, and count them in by hand.",
        Case::ReopenedWithoutStock => "The shelf no longer has what this order needs.",
        Case::ReopenedAfterRefund => "The money has been given back, or is on its way: see Needs attention.",
        Case::ReopenedUnpaid => "This order has not been paid.",
        Case::ShippedUnpaid => "This order is being sent although it has not been paid.",
        Case::AmountMismatch => "The wallet speaks of another amount.",
        Case::TransactionReused => "The wallet names a transaction that paid something else.",
        Case::PaidTwice => "This order was paid twice.",
        Case::LatePayment => "The money came too late and goes back.",
        Case::RefundedOutside => "The wallet has given the money back without us.",
        Case::PendingLong => "The wallet has not decided about a payment for long.",
        Case::WalletUnclear => "The wallet says something that we do not understand.",
        Case::WalletUnknownPayment => "The wallet does not know a payment that it made.",
        Case::RefundFailed => "A refund did not arrive.",
    }
}
