//! Changing an order: what `transition` decides, written in one transaction.

use chrono::NaiveDate;
use sqlx::PgConnection;
use uuid::Uuid;

use super::letters::TellShopper;
use super::model::{Order, OrderError, Reader};
use super::store::{self, Locked};
use super::transition::{Case, Effect, Event, Label, Outcome, Stock, transition};
use super::{follow, letters};
use crate::catalogue::{self, Units};
use crate::platform::db::Patience;
use crate::platform::jobs;
use crate::platform::state::App;
use crate::seller;

/// How often a change is tried when somebody else is in the way.
const TRIES: u32 = 3;

/// Who caused a line of the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Actor {
    Shopper,
    Seller,
}

impl Actor {
    const fn name(self) -> &'static str {
        match self {
            Self::Shopper => "shopper",
            Self::Seller => "seller",
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
    let mut patience = Patience::of(TRIES);
    loop {
        match try_set_status(app, seller, order, label, delivery_date).await {
            Err(error) if error.is_contention() && patience.again().await => {}
            done => return done,
        }
    }
}

async fn try_set_status(
    app: &App,
    seller: Uuid,
    order: Uuid,
    label: Option<Label>,
    delivery_date: Option<NaiveDate>,
) -> Result<Changed, OrderError> {
    let mut tx = app.db.main.begin().await?;
    let locked = store::lock(&mut tx, order).await?.ok_or(OrderError::NotFound)?;
    let object = order.to_string();
    let mut cases = Vec::new();
    if let Some(label) = label {
        cases = step(&mut tx, &locked, Event::SellerSets(label), Actor::Seller).await?;
        let (before, after) = (locked.state.label.name(), label.name());
        let deed = seller::Deed { seller, action: "order.status", object: &object, before, after };
        seller::note(&mut tx, &deed).await?;
    }
    if let Some(date) = delivery_date {
        let before = store::set_delivery_date(&mut tx, order, date).await?.to_string();
        let after = date.to_string();
        let deed =
            seller::Deed { seller, action: "order.delivery_date", object: &object, before: &before, after: &after };
        seller::note(&mut tx, &deed).await?;
    }
    let shown = show(&mut tx, order, Reader::Seller).await?;
    tx.commit().await?;
    Ok(Changed { order: shown, warning: cases.into_iter().map(warning).collect::<Vec<_>>().join(" ") })
}

/// The shopper changes his mind before the order is sent.
pub async fn cancel(app: &App, user: Uuid, order: Uuid) -> Result<Order, OrderError> {
    let mut patience = Patience::of(TRIES);
    loop {
        match try_cancel(app, user, order).await {
            Err(error) if error.is_contention() && patience.again().await => {}
            done => return done,
        }
    }
}

async fn try_cancel(app: &App, user: Uuid, order: Uuid) -> Result<Order, OrderError> {
    let mut tx = app.db.main.begin().await?;
    let locked = store::lock(&mut tx, order).await?.filter(|locked| locked.user == user);
    let locked = locked.ok_or(OrderError::NotFound)?;
    step(&mut tx, &locked, Event::ShopperCancels, Actor::Shopper).await?;
    let shown = show(&mut tx, order, Reader::Shopper).await?;
    tx.commit().await?;
    Ok(shown)
}

async fn show(connection: &mut PgConnection, order: Uuid, reader: Reader) -> Result<Order, OrderError> {
    let row = store::find(connection, order).await?.ok_or(OrderError::NotFound)?;
    follow::whole(connection, vec![row], reader).await?.pop().ok_or(OrderError::NotFound)
}

/// Lets `event` happen to a locked order. Returns the cases that it opened.
async fn step(
    connection: &mut PgConnection,
    order: &Locked,
    event: Event,
    actor: Actor,
) -> Result<Vec<Case>, OrderError> {
    let before = order.state;
    // Only an order without units can want them again; the others leave the shelf alone.
    let (mut wanted, mut goods_there) = (Units::default(), false);
    if matches!(before.stock, Stock::Returned | Stock::Short) {
        wanted = store::units(connection, order.id).await?;
        goods_there = catalogue::holds(connection, &wanted).await?;
    }
    let Outcome { state, effects } = transition(before, event, goods_there)?;
    let mut cases = Vec::new();
    for effect in effects {
        match effect {
            Effect::Note(label) => store::add_event(connection, order.id, label, actor.name()).await?,
            Effect::GiveBack => catalogue::give_back(connection, order.id, "order cancelled").await?,
            Effect::TakeAgain => catalogue::take_again(connection, order.id, &wanted).await?,
            Effect::Open(case) => {
                store::open_case(connection, order.id, case).await?;
                cases.push(case);
            }
            // Only an order that a wallet has paid has these, and there is no wallet yet.
            Effect::EndAttempt(_) | Effect::RequestRefund | Effect::WithdrawRefund => {
                return Err(OrderError::NoOnlinePayment);
            }
        }
    }
    store::set_state(connection, order.id, &state).await?;
    if state.label != before.label && letters::news(state.label).is_some() {
        jobs::enqueue(connection, &TellShopper::new(order.id, state.label)).await?;
    }
    Ok(cases)
}

/// For the seller, in words.
const fn warning(case: Case) -> &'static str {
    match case {
        Case::CancelledAfterDispatch => "The goods are on their way: expect them back, and count them in by hand.",
        Case::ReopenedWithoutStock => "The shelf no longer has what this order needs.",
        Case::ReopenedAfterRefund => "The money has already been given back.",
        Case::ReopenedUnpaid => "This order has not been paid.",
        Case::ShippedUnpaid => "This order is being sent although it has not been paid.",
        Case::AmountMismatch => "The wallet speaks of another amount.",
        Case::PaidTwice => "This order was paid twice.",
    }
}
