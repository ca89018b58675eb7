//! The seller's overview: sales of today, or of the last 7 or 30 days in Kathmandu.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use moka::future::Cache;

use super::model::{HourlySales, Overview, OverviewDay, OverviewFigures, OverviewHour, ProductSales, ReportError};
use super::store;
use crate::platform::clock::{self, start_of_nepal_day};
use crate::platform::config::Config;
use crate::platform::money::Paisa;
use crate::platform::state::{App, AppComponent};

const TOP: i64 = 10;
/// At a million orders a year, adding up a month takes a tenth of a second, and adding up its order items takes
/// several. Results are cached this long, so that a dashboard that stays open costs little.
const OVERVIEW_TTL: Duration = Duration::from_secs(10);
const TOP_PRODUCTS_TTL: Duration = Duration::from_mins(1);

struct DateRange {
    first: NaiveDate,
    last: NaiveDate,
    begins: DateTime<Utc>,
    ends: DateTime<Utc>,
    now: DateTime<Utc>,
}

/// The last `days` days, including today.
fn last_days(app: &App, days: u16) -> Result<DateRange, ReportError> {
    if ![1, 7, 30].contains(&days) {
        return Err(ReportError::PeriodInvalid);
    }
    let now = app.clock.now();
    let last = clock::nepal_date(now);
    let first = last - Days::new(u64::from(days) - 1);
    let after = last.checked_add_days(Days::new(1)).ok_or(ReportError::PeriodInvalid)?;
    Ok(DateRange { first, last, begins: start_of_nepal_day(first), ends: start_of_nepal_day(after), now })
}

/// Returns an overview that is at most ten seconds old.
pub async fn overview(app: &App, days: u16) -> Result<Arc<Overview>, ReportError> {
    let cache = app.component::<OverviewCache>();
    if let Some(known) = cache.overviews.get(&days).await {
        return Ok(known);
    }
    let made = Arc::new(make_overview(app, days).await?);
    cache.overviews.insert(days, Arc::clone(&made)).await;
    Ok(made)
}

async fn make_overview(app: &App, days: u16) -> Result<Overview, ReportError> {
    let DateRange { first, last, begins, ends, now } = last_days(app, days)?;
    let mut by_day: BTreeMap<NaiveDate, OverviewDay> = first
        .iter_days()
        .take_while(|day| *day <= last)
        .map(|date| (date, OverviewDay { date, orders: 0, revenue: Paisa::ZERO }))
        .collect();
    let mut figures = OverviewFigures::default();
    for day in store::sum_sales_by_day(&app.db.main, begins, ends).await? {
        figures.orders += day.orders;
        figures.revenue = figures.revenue + day.revenue;
        figures.cash_to_collect = figures.cash_to_collect + day.to_collect;
        figures.paid_online = figures.paid_online + day.paid_online;
        figures.cancelled += day.cancelled;
        by_day.insert(day.day, OverviewDay { date: day.day, orders: day.orders, revenue: day.revenue });
    }
    if figures.orders > 0 {
        figures.average_basket = figures.revenue.scale(1, figures.orders);
    }
    let hours = if days == 1 { compare_hours(app, begins, ends).await? } else { Vec::new() };
    Ok(Overview { from: first, to: last, made_at: now, figures, days: by_day.into_values().collect(), hours })
}

/// The orders of a day by hour, beside those of the same weekday a week earlier.
async fn compare_hours(
    app: &App,
    begins: DateTime<Utc>,
    ends: DateTime<Utc>,
) -> Result<Vec<OverviewHour>, ReportError> {
    let week = TimeDelta::weeks(1);
    let today = store::count_sales_by_hour(&app.db.main, begins, ends).await?;
    let last_week = store::count_sales_by_hour(&app.db.main, begins - week, ends - week).await?;
    let orders_of =
        |sales: &[HourlySales], hour: i32| sales.iter().find(|sale| sale.hour == hour).map_or(0, |sale| sale.orders);
    let compare = |hour: i32| OverviewHour {
        hour,
        orders: orders_of(&today, hour),
        orders_last_week: orders_of(&last_week, hour),
    };
    Ok((0..24).map(compare).collect())
}

/// Results that are expensive to compute at a million orders, by the number of days.
struct OverviewCache {
    overviews: Cache<u16, Arc<Overview>>,
    top_products: Cache<u16, Arc<Vec<ProductSales>>>,
}

impl AppComponent for OverviewCache {
    fn new(_config: &Config) -> Self {
        let overviews = Cache::builder().time_to_live(OVERVIEW_TTL).build();
        Self { overviews, top_products: Cache::builder().time_to_live(TOP_PRODUCTS_TTL).build() }
    }
}

/// Returns the best-selling products; the list is at most a minute old.
pub async fn top_products(app: &App, days: u16) -> Result<Arc<Vec<ProductSales>>, ReportError> {
    let cache = app.component::<OverviewCache>();
    if let Some(known) = cache.top_products.get(&days).await {
        return Ok(known);
    }
    let DateRange { begins, ends, .. } = last_days(app, days)?;
    let products = Arc::new(store::list_top_products(&app.db.main, begins, ends, TOP).await?);
    cache.top_products.insert(days, Arc::clone(&products)).await;
    Ok(products)
}
