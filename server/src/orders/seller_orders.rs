//! What the seller's order pages need besides the list: counts by status, bulk updates of the status and the delivery
//! sheet for riders.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use chrono::{Days, NaiveDate};
use serde::Serialize;
use uuid::Uuid;

use super::change;
use super::model::OrderError;
use super::store::{self, DeliveryRow};
use super::transition::OrderStatus;
use crate::platform::api_error::ApiError;
use crate::platform::clock;
use crate::platform::messages::{self, Message};
use crate::platform::money::Paisa;
use crate::platform::state::App;

/// Orders of one status are counted up to this number.
const COUNT_CAP: i64 = 1_000;
/// The most orders whose status can be set in one request.
const MAX_BULK_ORDERS: usize = 100;
/// Orders that were not started by then are skipped, so that the caller still gets the results of the others.
const BULK_TIME_LIMIT: Duration = Duration::from_secs(8);
/// The most orders on one delivery sheet.
const MAX_SHEET_ORDERS: i64 = 500;
/// A delivery sheet can include undelivered orders of this many previous days.
const LATE_DAYS: u64 = 30;

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OrderCounts {
    /// The six statuses in their usual order.
    pub counts: Vec<StatusCount>,
    pub all: CappedCount,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct StatusCount {
    pub status: &'static str,
    #[serde(flatten)]
    pub counted: CappedCount,
}

/// A count that stops at 1,000.
#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
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
        .map(|status| StatusCount { status: status.name(), counted: CappedCount::of(count(status)) })
        .collect();
    Ok(OrderCounts { counts, all })
}

/// The result for one order of a bulk update.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct BulkResult {
    #[serde(rename = "_id")]
    pub id: String,
    pub ok: bool,
    /// Why the update failed, for people to read.
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    pub message: Vec<Message>,
    /// What the seller should look at after this change; usually empty.
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    pub warning: Vec<Message>,
}

/// Sets the status of each order separately, so that a failure does not affect the others.
pub async fn set_statuses(
    app: &App,
    seller: Uuid,
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
            set_one_status(app, seller, text, status).await
        } else {
            Err(OrderError::NotTried)
        };
        let (ok, message, warning) = match changed {
            Ok(warning) => (true, Vec::new(), warning),
            Err(error) => (false, ApiError::from(error).into_message(), Vec::new()),
        };
        results.push(BulkResult { id: text.clone(), ok, message, warning });
    }
    Ok(results)
}

/// An order that already has the status is left as it is, because it needs no second timeline entry.
async fn set_one_status(app: &App, seller: Uuid, order: &str, status: OrderStatus) -> Result<Vec<Message>, OrderError> {
    let order = order.parse().map_err(|_| OrderError::NotFound)?;
    let mut connection = app.db.main.acquire().await?;
    let known = store::find(&mut connection, order).await?.ok_or(OrderError::NotFound)?;
    drop(connection);
    if known.status == status.name() {
        return Ok(Vec::new());
    }
    Ok(change::set_status(app, seller, order, Some(status), None).await?.warning)
}

/// The orders to deliver on a day.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliverySheet {
    pub date: NaiveDate,
    pub stops: Vec<DeliveryArea>,
    pub orders: usize,
    #[schema(value_type = f64)]
    pub cash: Paisa,
    /// True when there are more orders than fit on the sheet.
    pub capped: bool,
}

/// The orders for one ward.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = DeliveryArea)]
pub struct DeliveryArea {
    pub municipality: String,
    pub ward: String,
    pub orders: Vec<DeliveryOrder>,
    #[schema(value_type = f64)]
    pub cash: Paisa,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryOrder {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub order_id: String,
    pub name: String,
    pub phone: String,
    pub address: String,
    pub landmark: String,
    pub status: String,
    /// The number of units in the order.
    pub items: i64,
    #[schema(value_type = f64)]
    pub cash_to_collect: Paisa,
    pub payment_method: String,
    pub delivery_date: NaiveDate,
}

/// The statuses that a delivery sheet can include.
const UNDELIVERED: [OrderStatus; 4] =
    [OrderStatus::Placed, OrderStatus::Confirmed, OrderStatus::Shipped, OrderStatus::OutForDelivery];

/// Lists the orders to deliver on a day and, if `with_late` is set, earlier orders that were not delivered.
pub async fn delivery_sheet(
    app: &App,
    date: Option<NaiveDate>,
    statuses: &[OrderStatus],
    with_late: bool,
) -> Result<DeliverySheet, OrderError> {
    if statuses.iter().any(|status| !UNDELIVERED.contains(status)) {
        return Err(OrderError::StatusInvalid);
    }
    let mut connection = app.db.main.acquire().await?;
    let date = date.unwrap_or_else(|| clock::nepal_date(app.clock.now()));
    if !(2000..=2200).contains(&chrono::Datelike::year(&date)) {
        return Err(OrderError::DateInvalid);
    }
    let from = if with_late { date - Days::new(LATE_DAYS) } else { date };
    let names: Vec<String> = statuses.iter().map(|status| status.name().to_owned()).collect();
    let mut stops = store::list_to_deliver(&mut connection, from, date, &names, MAX_SHEET_ORDERS + 1).await?;
    let most = usize::try_from(MAX_SHEET_ORDERS).unwrap_or(usize::MAX);
    let capped = stops.len() > most;
    stops.truncate(most);
    let orders = stops.len();
    let wards = group_by_ward(stops);
    Ok(DeliverySheet { date, orders, cash: wards.iter().map(|ward| ward.cash).sum(), stops: wards, capped })
}

fn group_by_ward(stops: Vec<DeliveryRow>) -> Vec<DeliveryArea> {
    // Most wards are numbers, and 2 must come before 10.
    let mut wards: BTreeMap<(String, u32, String), Vec<DeliveryOrder>> = BTreeMap::new();
    for stop in stops {
        let number = stop.ward.trim().parse().unwrap_or(u32::MAX);
        wards.entry((stop.municipality, number, stop.ward)).or_default().push(DeliveryOrder {
            id: stop.id,
            order_id: stop.code,
            name: stop.recipient,
            phone: stop.phone,
            address: stop.address,
            landmark: stop.landmark,
            status: stop.status,
            items: stop.items,
            cash_to_collect: stop.cash,
            payment_method: stop.method,
            delivery_date: stop.delivery_date,
        });
    }
    let ward = |((municipality, _, ward), orders): ((String, u32, String), Vec<DeliveryOrder>)| {
        let cash = orders.iter().map(|order| order.cash_to_collect).sum();
        DeliveryArea { municipality, ward, orders, cash }
    };
    wards.into_iter().map(ward).collect()
}
