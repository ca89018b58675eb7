//! Jobs that alert the staff about new orders and shoppers about changes. A job holds only the order's id and what
//! happened, and `alerts` decides who is told over which channels.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::store;
use super::transition::{FinancialStatus, Method, OrderStatus, State};
use crate::alerts::{self, Alert, OrderAlert};
use crate::platform::ids::OrderId;
use crate::platform::jobs::{self, Job};
use crate::platform::state::App;

/// An order that nobody has opened by then is announced once more.
const REPEAT_AFTER: Duration = Duration::from_mins(10);

/// Tells the staff about a new order. The statement that writes a cash order queues it by its name, with the order's id
/// only.
#[derive(Serialize, Deserialize)]
pub struct AlertStaff {
    order: OrderId,
    /// Whether this is the repetition for an order that nobody has opened.
    #[serde(default)]
    again: bool,
}

impl AlertStaff {
    /// Returns the alert about an online order that has just been paid. Until then the staff does not see it.
    pub fn if_paid(order: OrderId, before: State, after: State) -> Option<Self> {
        let is_new = before.method == Method::Online
            && before.payment != FinancialStatus::Paid
            && after.payment == FinancialStatus::Paid
            && after.status != OrderStatus::Cancelled;
        is_new.then_some(Self { order, again: false })
    }
}

impl Job for AlertStaff {
    const NAME: &'static str = "orders.alert_staff";

    async fn run(self, app: &App) -> Result<(), String> {
        let failed = |error: sqlx::Error| error.to_string();
        let mut tx = app.db.main.begin().await.map_err(failed)?;
        let Some(order) = store::find_for_alert(&mut tx, self.order).await.map_err(failed)? else { return Ok(()) };
        if !order.is_waiting || (self.again && order.is_opened) {
            return Ok(());
        }
        let (event, alert) = if self.again {
            ("order_not_opened", Alert::OrderNotOpened { code: order.code, total: order.total })
        } else {
            ("order_placed", Alert::NewOrder { code: order.code, total: order.total })
        };
        alerts::alert_staff(app, &mut tx, &format!("{event}:{}", self.order), &alert).await.map_err(failed)?;
        if !self.again {
            let again = Self { order: self.order, again: true };
            let key = self.order.to_string();
            jobs::enqueue_at(&mut tx, &again, &key, app.clock.now() + REPEAT_AFTER).await.map_err(failed)?;
        }
        tx.commit().await.map_err(failed)
    }
}

/// Tells the shopper's browsers that the status of an order has changed.
#[derive(Serialize, Deserialize)]
pub struct AlertShopper {
    /// Tells this change from another to the same status, however often the job runs.
    id: Uuid,
    order: OrderId,
    change: OrderAlert,
}

impl AlertShopper {
    /// Returns the alert about a change, if there is one. Shoppers are not told what they did themselves, nor about an
    /// unpaid order that was cancelled.
    pub fn for_change(order: OrderId, by_shopper: bool, before: State, after: State) -> Option<Self> {
        let unpaid = matches!(after.payment, FinancialStatus::Awaiting | FinancialStatus::Failed);
        if after.status == before.status || by_shopper || unpaid {
            return None;
        }
        let change = match after.status {
            OrderStatus::Placed => return None,
            OrderStatus::Confirmed => OrderAlert::Confirmed,
            OrderStatus::Shipped => OrderAlert::Shipped,
            OrderStatus::OutForDelivery => OrderAlert::OutForDelivery,
            OrderStatus::Delivered => OrderAlert::Delivered,
            OrderStatus::Cancelled => OrderAlert::Cancelled,
        };
        Some(Self { id: Uuid::now_v7(), order, change })
    }
}

impl Job for AlertShopper {
    const NAME: &'static str = "orders.alert_shopper";

    async fn run(self, app: &App) -> Result<(), String> {
        let failed = |error: sqlx::Error| error.to_string();
        let mut tx = app.db.main.begin().await.map_err(failed)?;
        let Some(order) = store::find(&mut tx, self.order).await.map_err(failed)? else { return Ok(()) };
        let alert = Alert::OrderChanged { code: order.code, change: self.change };
        let event = format!("order_changed:{}", self.id);
        alerts::alert_shopper(app, &mut tx, order.user_id, &event, &alert).await.map_err(failed)?;
        tx.commit().await.map_err(failed)
    }
}
