//! The orders desk beside the list itself: counts for its chips, one status for many orders, the sheet that riders take along.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use chrono::{Days, NaiveDate};
use serde::Serialize;
use uuid::Uuid;

use super::change;
use super::model::OrderError;
use super::store::{self, Stop};
use super::transition::Label;
use crate::platform::api_error::ApiError;
use crate::platform::clock;
use crate::platform::money::Paisa;
use crate::platform::sentences;
use crate::platform::state::App;

/// Orders of one status are counted this far.
const COUNT_CAP: i64 = 1_000;
/// Orders whose status is set at once.
const MOST_AT_ONCE: usize = 100;
/// What is not begun by then is left: the caller must hear what became of the others.
const PATIENCE: Duration = Duration::from_secs(8);
/// Orders on one sheet.
const MOST_ON_SHEET: i64 = 500;
/// How far back an order that was not delivered is still looked for.
const LATE_DAYS: u64 = 30;

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OrderCounts {
    /// The six, in their order.
    pub counts: Vec<StatusCount>,
    pub all: Counted,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct StatusCount {
    pub status: &'static str,
    #[serde(flatten)]
    pub counted: Counted,
}

/// Counted up to 1,000.
#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
pub struct Counted {
    pub count: i64,
    /// There are more.
    pub capped: bool,
}

impl Counted {
    fn of(count: i64) -> Self {
        Self { count: count.min(COUNT_CAP), capped: count > COUNT_CAP }
    }
}

pub async fn counts(app: &App, with_unpaid: bool) -> Result<OrderCounts, OrderError> {
    let labels: Vec<String> = Label::ALL.iter().map(|label| label.name().to_owned()).collect();
    let found = store::count_by_label(&app.db.main, &labels, with_unpaid, COUNT_CAP + 1).await?;
    let all = Counted::of(found.iter().map(|(_, count)| count).sum());
    let count = |label: &Label| found.iter().find(|(name, _)| name == label.name()).map_or(0, |(_, count)| *count);
    let counts = Label::ALL
        .iter()
        .map(|label| StatusCount { status: label.name(), counted: Counted::of(count(label)) })
        .collect();
    Ok(OrderCounts { counts, all })
}

/// What became of one of many.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OneOfMany {
    #[serde(rename = "_id")]
    pub id: String,
    pub ok: bool,
    /// For people: why not.
    #[serde(serialize_with = "sentences::for_the_reader")]
    pub message: String,
    /// What somebody should look at now; mostly empty.
    #[serde(serialize_with = "sentences::for_the_reader")]
    pub warning: String,
}

/// Each order by itself: one that cannot be changed does not keep the others.
pub async fn set_statuses(
    app: &App,
    seller: Uuid,
    orders: &[String],
    label: Label,
) -> Result<Vec<OneOfMany>, OrderError> {
    if orders.is_empty() || orders.len() > MOST_AT_ONCE {
        return Err(OrderError::TooManyAtOnce);
    }
    let (mut results, started) = (Vec::with_capacity(orders.len()), Instant::now());
    let mut seen = HashSet::new();
    for text in orders.iter().filter(|text| seen.insert(text.as_str())) {
        let changed = if started.elapsed() < PATIENCE {
            set_one(app, seller, text, label).await
        } else {
            Err(OrderError::NotTried)
        };
        let (ok, message, warning) = match changed {
            Ok(warning) => (true, String::new(), warning),
            Err(error) => (false, ApiError::from(error).told(), String::new()),
        };
        results.push(OneOfMany { id: text.clone(), ok, message, warning });
    }
    Ok(results)
}

/// An order that has the status already is left as it is: it needs no second line in its timeline.
async fn set_one(app: &App, seller: Uuid, order: &str, label: Label) -> Result<String, OrderError> {
    let order = order.parse().map_err(|_| OrderError::NotFound)?;
    let mut connection = app.db.main.acquire().await?;
    let known = store::find(&mut connection, order).await?.ok_or(OrderError::NotFound)?;
    drop(connection);
    if known.label == label.name() {
        return Ok(String::new());
    }
    Ok(change::set_status(app, seller, order, Some(label), None).await?.warning)
}

/// Where riders go on a day.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliverySheet {
    pub date: NaiveDate,
    pub stops: Vec<Place>,
    pub orders: usize,
    #[schema(value_type = f64)]
    pub cash: Paisa,
    /// There are more than fit.
    pub capped: bool,
}

/// What goes to one ward.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = DeliveryPlace)]
pub struct Place {
    pub municipality: String,
    pub ward: String,
    pub orders: Vec<ToDeliver>,
    #[schema(value_type = f64)]
    pub cash: Paisa,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToDeliver {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub order_id: String,
    pub name: String,
    pub phone: String,
    pub address: String,
    pub landmark: String,
    pub status: String,
    /// Units in it.
    pub items: i64,
    #[schema(value_type = f64)]
    pub cash_to_collect: Paisa,
    pub payment_method: String,
    pub delivery_date: NaiveDate,
}

/// The labels that a sheet may be about.
const UNDERWAY: [Label; 4] = [Label::Placed, Label::Confirmed, Label::Shipped, Label::OutForDelivery];

/// What is to be delivered on a day, and what should have been before.
pub async fn delivery_sheet(
    app: &App,
    date: Option<NaiveDate>,
    labels: &[Label],
    with_late: bool,
) -> Result<DeliverySheet, OrderError> {
    if labels.iter().any(|label| !UNDERWAY.contains(label)) {
        return Err(OrderError::StatusInvalid);
    }
    let mut connection = app.db.main.acquire().await?;
    let date = date.unwrap_or_else(|| clock::day(app.clock.now()));
    if !(2000..=2200).contains(&chrono::Datelike::year(&date)) {
        return Err(OrderError::DateInvalid);
    }
    let from = if with_late { date - Days::new(LATE_DAYS) } else { date };
    let names: Vec<String> = labels.iter().map(|label| label.name().to_owned()).collect();
    let mut stops = store::to_deliver(&mut connection, from, date, &names, MOST_ON_SHEET + 1).await?;
    let most = usize::try_from(MOST_ON_SHEET).unwrap_or(usize::MAX);
    let capped = stops.len() > most;
    stops.truncate(most);
    let orders = stops.len();
    let wards = by_ward(stops);
    Ok(DeliverySheet { date, orders, cash: wards.iter().map(|ward| ward.cash).sum(), stops: wards, capped })
}

fn by_ward(stops: Vec<Stop>) -> Vec<Place> {
    // Wards are numbers, mostly; 2 comes before 10.
    let mut wards: BTreeMap<(String, u32, String), Vec<ToDeliver>> = BTreeMap::new();
    for stop in stops {
        let number = stop.ward.trim().parse().unwrap_or(u32::MAX);
        wards.entry((stop.municipality, number, stop.ward)).or_default().push(ToDeliver {
            id: stop.id,
            order_id: stop.code,
            name: stop.recipient,
            phone: stop.phone,
            address: stop.address,
            landmark: stop.landmark,
            status: stop.label,
            items: stop.items,
            cash_to_collect: stop.cash,
            payment_method: stop.method,
            delivery_date: stop.delivery_date,
        });
    }
    let ward = |((municipality, _, ward), orders): ((String, u32, String), Vec<ToDeliver>)| {
        let cash = orders.iter().map(|order| order.cash_to_collect).sum();
        Place { municipality, ward, orders, cash }
    };
    wards.into_iter().map(ward).collect()
}
