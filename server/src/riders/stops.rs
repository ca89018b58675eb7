//! Applies the events of a rider's phone, each once and in a transaction of its own.

use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{Proof, RiderError, StopAction, StopEvent, StopOutcome, StopRefusal};
use super::{codes, store};
use crate::delivery::{self, DeliveryRules};
use crate::orders::transition::OrderStatus;
use crate::orders::{self, LockedOrder, OrderError};
use crate::platform::clock;
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::platform::tokens;

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
        let applying =
            orders::retry_on_contention(MAX_ATTEMPTS, RiderError::is_contention, || try_apply(app, rider, event));
        outcomes.push(applying.await?);
    }
    Ok(outcomes)
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
            order.collected = *collected;
            OrderStatus::Delivered
        }
        StopAction::NotMet { day, .. } => return reschedule(connection, rules, rider, &order, *day).await,
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

/// Books the next free window from `day` on, or moves an order without a window to that day.
async fn reschedule(
    connection: &mut PgConnection,
    rules: &DeliveryRules,
    rider: Uuid,
    order: &LockedOrder,
    day: Option<chrono::NaiveDate>,
) -> Result<StopOutcome, RiderError> {
    let (now, today) = (order.now, clock::nepal_date(order.now));
    let from = day.filter(|day| *day >= today);
    let slot = match order.delivery_window {
        None => None,
        Some(window) => match delivery::find_other_slot(connection, rules, window, from, now).await? {
            Some(slot) => Some(slot),
            None => return Ok(Some(StopRefusal::WindowFull)),
        },
    };
    let tomorrow = today + chrono::Days::new(1);
    let day = slot.map_or_else(|| rules.first_open_day(from.unwrap_or(tomorrow)), |slot| slot.day);
    match orders::reschedule(connection, order, rider, day, slot).await {
        Ok(()) => Ok(None),
        Err(OrderError::DeliveryFullSince) => Err(RiderError::Raced),
        Err(error) => Err(error.into()),
    }
}
