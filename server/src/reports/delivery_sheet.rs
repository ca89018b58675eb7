//! The delivery sheet: the orders that riders deliver on a day, by municipality and ward.

use std::collections::BTreeMap;

use chrono::{Datelike, Days, NaiveDate};

use super::model::{DeliveryArea, DeliveryRow, DeliverySheet, ReportError, YEARS};
use super::store;
use crate::orders::transition::OrderStatus;
use crate::platform::clock;
use crate::platform::state::App;

/// The most orders on one delivery sheet.
const MAX_SHEET_ORDERS: i64 = 500;
/// A delivery sheet can include undelivered orders of this many previous days.
const LATE_DAYS: u64 = 30;
/// The statuses that a delivery sheet can include.
const UNDELIVERED: [OrderStatus; 4] =
    [OrderStatus::Placed, OrderStatus::Confirmed, OrderStatus::Shipped, OrderStatus::OutForDelivery];

/// Lists the orders to deliver on a day and, if `with_late` is set, earlier orders that were not delivered.
pub async fn delivery_sheet(
    app: &App,
    date: Option<NaiveDate>,
    statuses: &[OrderStatus],
    with_late: bool,
) -> Result<DeliverySheet, ReportError> {
    if statuses.iter().any(|status| !UNDELIVERED.contains(status)) {
        return Err(ReportError::StatusInvalid);
    }
    let mut connection = app.db.main.acquire().await?;
    let date = date.unwrap_or_else(|| clock::nepal_date(app.clock.now()));
    if !YEARS.contains(&date.year()) {
        return Err(ReportError::DateInvalid);
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
    let mut wards: BTreeMap<(String, u32, String), Vec<DeliveryRow>> = BTreeMap::new();
    for stop in stops {
        let number = stop.ward.trim().parse().unwrap_or(u32::MAX);
        wards.entry((stop.municipality.clone(), number, stop.ward.clone())).or_default().push(stop);
    }
    let area = |((municipality, _, ward), mut orders): ((String, u32, String), Vec<DeliveryRow>)| {
        // The riders deliver window by window; orders without one keep their order and come last.
        orders.sort_by_key(|order| (order.delivery_starts.is_none(), order.delivery_starts));
        let cash = orders.iter().map(|order| order.cash).sum();
        DeliveryArea { municipality, ward, orders, cash }
    };
    wards.into_iter().map(area).collect()
}
