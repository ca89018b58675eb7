//! Which new orders the staff has opened. An order counts as opened when a member of staff has opened its details,
//! printed it or changed it; the list alone does not count, because it loads by itself.

use uuid::Uuid;

use super::error::OrderError;
use super::model::NotOpenedOrder;
use super::store;
use crate::platform::ids::OrderId;
use crate::platform::state::App;

/// The overview names this many; with more, the staff needs the list of orders anyway.
const MAX_LISTED: i64 = 20;
/// Not-opened orders are counted up to this number.
const COUNT_CAP: i64 = 1_000;
/// A page of the dashboard does not show more orders.
const MAX_OPENED_AT_ONCE: usize = 100;

pub struct NotOpened {
    /// Oldest first.
    pub orders: Vec<NotOpenedOrder>,
    /// At most 1,000.
    pub count: i64,
}

pub async fn list_not_opened(app: &App) -> Result<NotOpened, OrderError> {
    let orders = store::list_not_opened(&app.db.main, MAX_LISTED).await?;
    let count = store::count_not_opened(&app.db.main, COUNT_CAP).await?;
    Ok(NotOpened { orders, count })
}

/// Records who has opened these orders first. Ids of other orders are ignored.
pub async fn mark_opened(app: &App, seller: Uuid, orders: &[String]) -> Result<(), OrderError> {
    if orders.len() > MAX_OPENED_AT_ONCE {
        return Err(OrderError::TooManyAtOnce);
    }
    let ids: Vec<OrderId> = orders.iter().filter_map(|id| id.parse().ok()).collect();
    let mut connection = app.db.main.acquire().await?;
    Ok(store::mark_opened(&mut connection, &ids, seller, app.clock.now()).await?)
}
