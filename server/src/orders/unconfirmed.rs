//! Cash orders whose shopper had to confirm the email address and did not do so in time.

use super::change::{self, EventActor};
use super::error::OrderError;
use super::store;
use super::transition::Event;
use crate::platform::fail_point::fail_point;
use crate::platform::ids::OrderId;
use crate::platform::state::App;

/// Cancels up to `limit` orders that were not confirmed in time.
pub async fn cancel_unconfirmed(app: &App, limit: i64) -> sqlx::Result<()> {
    for order in store::find_unconfirmed(&app.db.main, limit, app.clock.now()).await? {
        // An order that fails must not block the others.
        if let Err(error) = cancel(app, order).await {
            tracing::warn!(%error, "could not cancel an unconfirmed order; retrying in a minute");
        }
    }
    Ok(())
}

/// Checks the deadline again under the lock, because the shopper may have just confirmed, or the seller may have just
/// changed the order.
async fn cancel(app: &App, order: OrderId) -> Result<(), OrderError> {
    let mut tx = app.db.main.begin().await?;
    let Some(order) = change::lock(&mut tx, order, &app.clock).await? else { return Ok(()) };
    if order.confirm_by.is_some_and(|ends| ends < order.now) {
        change::apply_event(app, &mut tx, &order, Event::ConfirmationExpired, EventActor::System, None).await?;
        fail_point!(app, "orders.unconfirmed.before_commit");
        tx.commit().await?;
        fail_point!(app, "orders.unconfirmed.cancelled");
        metrics::counter!("orders_cancelled_unconfirmed_total").increment(1);
    }
    Ok(())
}
