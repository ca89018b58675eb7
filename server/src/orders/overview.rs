//! How the shop is doing: today, and the last 7 or 30 days in Kathmandu.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Days, NaiveDate, Utc};
use moka::future::Cache;
use serde::Serialize;
use uuid::Uuid;

use super::model::OrderError;
use super::store;
use crate::media;
use crate::platform::clock::{self, begins};
use crate::platform::config::Config;
use crate::platform::money::Paisa;
use crate::platform::state::{App, Part};

const TOP: i64 = 10;
/// Adding up a month takes a tenth of a second at a million orders a year, and every line of it several: answers are kept this
/// long, so that a desk that stays open costs little.
const OVERVIEW_KEPT: Duration = Duration::from_secs(10);
const BEST_KEPT: Duration = Duration::from_mins(1);

#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    pub from: NaiveDate,
    pub to: NaiveDate,
    pub made_at: DateTime<Utc>,
    pub figures: Figures,
    /// Every day, also those without orders.
    pub days: Vec<OverviewDay>,
}

#[derive(Debug, Clone, Copy, Default, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OverviewFigures)]
pub struct Figures {
    /// Neither cancelled nor waiting for their money.
    pub orders: i64,
    #[schema(value_type = f64)]
    pub revenue: Paisa,
    #[schema(value_type = f64)]
    pub average_basket: Paisa,
    #[schema(value_type = f64)]
    pub cash_to_collect: Paisa,
    #[schema(value_type = f64)]
    pub paid_online: Paisa,
    pub cancelled: i64,
}

#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct OverviewDay {
    pub date: NaiveDate,
    pub orders: i64,
    #[schema(value_type = f64)]
    pub revenue: Paisa,
}

#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TopProduct {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    #[schema(required)]
    pub name_ne: Option<String>,
    #[schema(required)]
    pub image: Option<String>,
    pub quantity: i64,
    #[schema(value_type = f64)]
    pub revenue: Paisa,
}

struct Range {
    first: NaiveDate,
    last: NaiveDate,
    begins: DateTime<Utc>,
    ends: DateTime<Utc>,
    now: DateTime<Utc>,
}

/// The last so many days, today among them.
fn range(app: &App, days: u16) -> Result<Range, OrderError> {
    if ![1, 7, 30].contains(&days) {
        return Err(OrderError::PeriodInvalid);
    }
    let now = app.clock.now();
    let last = clock::day(now);
    let first = last - Days::new(u64::from(days) - 1);
    let after = last.checked_add_days(Days::new(1)).ok_or(OrderError::PeriodInvalid)?;
    Ok(Range { first, last, begins: begins(first), ends: begins(after), now })
}

/// Up to ten seconds old.
pub async fn overview(app: &App, days: u16) -> Result<Arc<Overview>, OrderError> {
    let kept = app.part::<Kept>();
    if let Some(known) = kept.overviews.get(&days).await {
        return Ok(known);
    }
    let made = Arc::new(make_overview(app, days).await?);
    kept.overviews.insert(days, Arc::clone(&made)).await;
    Ok(made)
}

async fn make_overview(app: &App, days: u16) -> Result<Overview, OrderError> {
    let Range { first, last, begins, ends, now } = range(app, days)?;
    let mut by_day: BTreeMap<NaiveDate, OverviewDay> = first
        .iter_days()
        .take_while(|day| *day <= last)
        .map(|date| (date, OverviewDay { date, orders: 0, revenue: Paisa::ZERO }))
        .collect();
    let mut figures = Figures::default();
    for day in store::sales_by_day(&app.db.main, begins, ends).await? {
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
    Ok(Overview { from: first, to: last, made_at: now, figures, days: by_day.into_values().collect() })
}

/// Answers that are dear to make at a million orders, by the number of days.
struct Kept {
    overviews: Cache<u16, Arc<Overview>>,
    best: Cache<u16, Arc<Vec<TopProduct>>>,
}

impl Part for Kept {
    fn new(_config: &Config) -> Self {
        let overviews = Cache::builder().time_to_live(OVERVIEW_KEPT).build();
        Self { overviews, best: Cache::builder().time_to_live(BEST_KEPT).build() }
    }
}

pub async fn top_products(app: &App, days: u16) -> Result<Arc<Vec<TopProduct>>, OrderError> {
    let kept = app.part::<Kept>();
    if let Some(known) = kept.best.get(&days).await {
        return Ok(known);
    }
    let Range { begins, ends, .. } = range(app, days)?;
    let sold = store::best_sold(&app.db.main, begins, ends, TOP).await?;
    let products = sold.into_iter().map(|sold| TopProduct {
        id: sold.product_id,
        name: sold.name,
        name_ne: sold.name_ne,
        image: sold.picture_key.as_deref().and_then(media::addresses).map(|picture| picture.widest),
        quantity: sold.quantity,
        revenue: sold.revenue,
    });
    let products = Arc::new(products.collect::<Vec<_>>());
    kept.best.insert(days, Arc::clone(&products)).await;
    Ok(products)
}
