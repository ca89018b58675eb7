//! Applies the events of a rider's phone, each once and in a transaction of its own.

use chrono::{Days, NaiveDate};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{OrderStop, Proof, RiderError, StopAction, StopEvent, StopOutcome, StopRefusal};
use super::{codes, store};
use crate::alerts::{self, Alert};
use crate::delivery::{self, DeliveryRules, Slot};
use crate::orders::transition::{CaseKind, FinancialStatus, OrderStatus};
use crate::orders::{self, LockedOrder, OrderError};
use crate::platform::clock;
use crate::platform::ids::OrderId;
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::platform::tokens;
use crate::settlement;

const MAX_EVENTS: usize = 100;
const MAX_ATTEMPTS: u32 = 3;

/// Applies the events in their order and returns what became of each. An event that arrived before gets the stored
/// outcome. An error means that the events from this one on were not applied; the phone sends them again.
pub async fn apply_events(app: &App, rider: Uuid, events: &[StopEvent]) -> Result<Vec<StopOutcome>, RiderError> {
    if events.len() > MAX_EVENTS {
        return Err(RiderError::TooManyEvents);
    }
    let mut outcomes = Vec::with_capacity(events.len());
    for event in events {
        if matches!(event.action, StopAction::Delivered { .. }) {
            check_wallet(app, event.order).await;
        }
        let applying =
            orders::retry_on_contention(MAX_ATTEMPTS, RiderError::is_contention, || try_apply(app, rider, event));
        outcomes.push(applying.await?);
    }
    Ok(outcomes)
}

/// What the wallet has just paid at the door is not collected in cash. A wallet that does not answer delays nothing: if
/// it reports the payment later, that payment is refunded.
async fn check_wallet(app: &App, order: OrderId) {
    if let Err(error) = settlement::poll_open_payments(app, order).await {
        tracing::warn!(%error, "could not ask the wallet before a delivery was recorded");
    }
}

/// Lists what was applied to an order, oldest first.
pub async fn list_by_order(app: &App, order: OrderId) -> Result<Vec<OrderStop>, RiderError> {
    let mut connection = app.db.main.acquire().await?;
    Ok(store::list_by_order(&mut connection, order).await?)
}

/// The same event with other contents is another event.
fn hash_request(event: &StopEvent) -> Vec<u8> {
    tokens::hash(&format!("{} {:?} {}", event.order, event.action, event.note))
}

async fn try_apply(app: &App, rider: Uuid, event: &StopEvent) -> Result<StopOutcome, RiderError> {
    // Loading them may need a connection of its own.
    let rules = delivery::load_rules(app).await?;
    let mut tx = app.db.main.begin().await?;
    // The order is locked first, so that the same event cannot be applied by two requests.
    let locked = orders::lock(&mut tx, event.order, &app.clock).await?;
    let hash = hash_request(event);
    if let Some(stored) = store::find_event(&mut tx, event.id).await? {
        let is_same = stored.rider == rider && stored.request_hash == hash;
        return Ok(if is_same { StopRefusal::from_name(&stored.refusal) } else { Some(StopRefusal::IdReused) });
    }
    let outcome = match locked.filter(|order| order.rider == Some(rider)) {
        None => Some(StopRefusal::NotYours),
        Some(order) => apply_to_order(app, &mut tx, &rules, rider, event, order).await?,
    };
    if !store::insert_event(&mut tx, event, rider, &hash, outcome, app.clock.now()).await? {
        return Err(RiderError::Raced);
    }
    tx.commit().await?;
    Ok(outcome)
}

/// A refusal writes nothing to the order.
async fn apply_to_order(
    app: &App,
    connection: &mut PgConnection,
    rules: &DeliveryRules,
    rider: Uuid,
    event: &StopEvent,
    mut order: LockedOrder,
) -> Result<StopOutcome, RiderError> {
    match order.state.status {
        OrderStatus::Cancelled => return Ok(Some(StopRefusal::Cancelled)),
        OrderStatus::Delivered => return Ok(Some(StopRefusal::AlreadyDelivered)),
        OrderStatus::Placed | OrderStatus::Confirmed | OrderStatus::Shipped | OrderStatus::OutForDelivery => {}
    }
    let status = match &event.action {
        StopAction::Out => OrderStatus::OutForDelivery,
        StopAction::Delivered { proof, collected } => {
            if let Some(refusal) = check_proof(connection, rider, &order, proof).await? {
                return Ok(Some(refusal));
            }
            if collected.is_some_and(|collected| !is_plausible(collected, &order)) {
                return Ok(Some(StopRefusal::AmountInvalid));
            }
            if order.state.payment == FinancialStatus::Paid && collected.is_some_and(|cash| cash > Paisa::ZERO) {
                orders::open_case_once(connection, order.id, CaseKind::CashAndWallet, order.now).await?;
            }
            order.collected = *collected;
            OrderStatus::Delivered
        }
        StopAction::NotMet { day, reason } => {
            let (day, slot) = match reschedule(connection, rules, rider, &order, *day).await? {
                Ok(next) => next,
                Err(refusal) => return Ok(Some(refusal)),
            };
            let hours = slot.map(|slot| (slot.starts, slot.ends));
            let alert = Alert::NotMet { code: order.code, reason: *reason, day, hours };
            let what = format!("not_met:{}", event.id);
            alerts::alert_shopper(app, connection, order.user, &what, &alert).await?;
            return Ok(None);
        }
        StopAction::Returned { items } => {
            return match orders::return_at_door(connection, &order, items).await {
                Ok(()) => Ok(None),
                Err(OrderError::ItemsInvalid(_)) => Ok(Some(StopRefusal::ItemsInvalid)),
                Err(error) => Err(error.into()),
            };
        }
    };
    if order.state.status != status {
        orders::set_status_as_seller(app, connection, &order, rider, status).await?;
    }
    Ok(None)
}

/// More than twice what is due is a typing mistake.
fn is_plausible(collected: Paisa, order: &LockedOrder) -> bool {
    (0..=order.due.0 * 2).contains(&collected.0)
}

async fn check_proof(
    connection: &mut PgConnection,
    rider: Uuid,
    order: &LockedOrder,
    proof: &Proof,
) -> Result<StopOutcome, RiderError> {
    match proof {
        Proof::Code(typed) => codes::check_code(connection, order.id, typed).await,
        Proof::Photo(photo) => {
            let is_stored = store::has_photo(connection, *photo, rider, order.id).await?;
            Ok((!is_stored).then_some(StopRefusal::PhotoMissing))
        }
    }
}

/// Books the next free window from `day` on, or moves an order without a window to that day. Returns the next attempt,
/// or why there is none.
async fn reschedule(
    connection: &mut PgConnection,
    rules: &DeliveryRules,
    rider: Uuid,
    order: &LockedOrder,
    day: Option<NaiveDate>,
) -> Result<Result<(NaiveDate, Option<Slot>), StopRefusal>, RiderError> {
    let (now, today) = (order.now, clock::nepal_date(order.now));
    let from = day.filter(|day| *day >= today);
    let slot = match order.delivery_window {
        None => None,
        Some(window) => match delivery::find_other_slot(connection, rules, window, from, now).await? {
            Some(slot) => Some(slot),
            None => return Ok(Err(StopRefusal::WindowFull)),
        },
    };
    let tomorrow = today + Days::new(1);
    let day = slot.map_or_else(|| rules.first_open_day(from.unwrap_or(tomorrow)), |slot| slot.day);
    match orders::reschedule(connection, order, rider, day, slot).await {
        Ok(()) => Ok(Ok((day, slot))),
        Err(OrderError::DeliveryFullSince) => Err(RiderError::Raced),
        Err(error) => Err(error.into()),
    }
}
