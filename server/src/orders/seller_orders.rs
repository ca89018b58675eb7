//! What the seller's order pages need besides the list: counts by status and bulk updates of the status.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::change;
use super::error::OrderError;
use super::store;
use super::transition::OrderStatus;
use crate::platform::messages::Message;
use crate::platform::sessions::StaffSession;
use crate::platform::state::App;

/// Orders of one status are counted up to this number.
const COUNT_CAP: i64 = 1_000;
/// The most orders whose status can be set in one request.
const MAX_BULK_ORDERS: usize = 100;
/// Orders that were not started by then are skipped, so that the caller still gets the results of the others.
const BULK_TIME_LIMIT: Duration = Duration::from_secs(8);

#[derive(Debug)]
pub struct OrderCounts {
    /// The six statuses in their usual order.
    pub counts: Vec<StatusCount>,
    pub all: CappedCount,
}

#[derive(Debug)]
pub struct StatusCount {
    pub status: OrderStatus,
    pub counted: CappedCount,
}

/// A count that stops at 1,000.
#[derive(Debug, Clone, Copy)]
pub struct CappedCount {
    pub count: i64,
    /// True when there are more than `count`.
    pub capped: bool,
}

impl CappedCount {
    fn of(count: i64) -> Self {
        Self { count: count.min(COUNT_CAP), capped: count > COUNT_CAP }
    }
}

pub async fn count_by_status(app: &App, with_unpaid: bool) -> Result<OrderCounts, OrderError> {
    let statuses: Vec<String> = OrderStatus::ALL.iter().map(|status| status.name().to_owned()).collect();
    let found = store::count_by_status(&app.db.main, &statuses, with_unpaid, COUNT_CAP + 1).await?;
    let all = CappedCount::of(found.iter().map(|(_, count)| count).sum());
    let count =
        |status: &OrderStatus| found.iter().find(|(name, _)| name == status.name()).map_or(0, |(_, count)| *count);
    let counts = OrderStatus::ALL
        .iter()
        .map(|status| StatusCount { status: *status, counted: CappedCount::of(count(status)) })
        .collect();
    Ok(OrderCounts { counts, all })
}

/// The result for one order of a bulk update.
pub struct BulkResult {
    /// The id as it was requested.
    pub id: String,
    /// What the seller should look at after this change, or why it failed.
    pub changed: Result<Vec<Message>, OrderError>,
}

/// Sets the status of each order separately, so that a failure does not affect the others.
pub async fn set_statuses(
    app: &App,
    by: &StaffSession,
    orders: &[String],
    status: OrderStatus,
) -> Result<Vec<BulkResult>, OrderError> {
    if orders.is_empty() || orders.len() > MAX_BULK_ORDERS {
        return Err(OrderError::TooManyAtOnce);
    }
    let (mut results, started) = (Vec::with_capacity(orders.len()), Instant::now());
    let mut seen = HashSet::new();
    for text in orders.iter().filter(|text| seen.insert(text.as_str())) {
        let changed = if started.elapsed() < BULK_TIME_LIMIT {
            set_one_status(app, by, text, status).await
        } else {
            Err(OrderError::NotTried)
        };
        results.push(BulkResult { id: text.clone(), changed });
    }
    Ok(results)
}

/// An order that already has the status is left as it is, because it needs no second timeline entry.
async fn set_one_status(
    app: &App,
    by: &StaffSession,
    order: &str,
    status: OrderStatus,
) -> Result<Vec<Message>, OrderError> {
    let order = order.parse().map_err(|_| OrderError::NotFound)?;
    let mut connection = app.db.main.acquire().await?;
    let known = store::find(&mut connection, order).await?.ok_or(OrderError::NotFound)?;
    drop(connection);
    if known.status == status.name() {
        return Ok(Vec::new());
    }
    Ok(change::set_status(app, by, order, Some(status), None).await?.warning)
}
