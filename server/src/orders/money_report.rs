//! What came in, what went back and what is still to come, by day in Kathmandu, and where our record and the wallet's
//! last words differ.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Days, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

use super::model::OrderError;
use super::store;
use crate::payments::{self, Payment, RefundState};
use crate::platform::clock::{self, begins};
use crate::platform::money::Paisa;
use crate::platform::spreadsheet::line;
use crate::platform::state::App;

const MOST_DAYS: i64 = 92;
const USUAL_DAYS: u64 = 7;
const MOST_DIFFERENCES: i64 = 200;

#[derive(Debug, Clone, Copy, Default, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sums {
    /// Came through the wallet on that day.
    #[schema(value_type = f64)]
    pub paid: Paisa,
    /// Went back through the wallet on that day.
    #[schema(value_type = f64)]
    pub refunded: Paisa,
    /// Of orders placed on that day: not paid yet.
    #[schema(value_type = f64)]
    pub awaiting: Paisa,
    #[schema(value_type = f64)]
    pub cash_to_collect: Paisa,
    #[schema(value_type = f64)]
    pub cash_collected: Paisa,
}

impl Sums {
    fn columns(self) -> [Paisa; 5] {
        [self.paid, self.refunded, self.awaiting, self.cash_to_collect, self.cash_collected]
    }
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Day {
    pub date: NaiveDate,
    #[serde(flatten)]
    pub sums: Sums,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MoneyReport {
    pub from: NaiveDate,
    pub to: NaiveDate,
    pub days: Vec<Day>,
    pub total: Sums,
    /// Of all days; the newest first, at most 200.
    pub differences: Vec<Difference>,
}

/// Our record and the wallet's last words do not fit.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    pub order: NamedOrder,
    pub payment_id: Uuid,
    /// The state of the payment, or of its refund while that is on its way.
    pub ours: &'static str,
    pub wallet: String,
    #[schema(value_type = f64)]
    pub amount: Paisa,
    #[schema(required, value_type = Option<f64>)]
    pub received: Option<Paisa>,
    pub since: DateTime<Utc>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedOrder {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub order_id: String,
}

pub async fn report(app: &App, from: Option<NaiveDate>, to: Option<NaiveDate>) -> Result<MoneyReport, OrderError> {
    let mut connection = app.db.main.acquire().await?;
    let to = to.unwrap_or_else(|| clock::day(app.clock.now()));
    let from = from.unwrap_or(to - Days::new(USUAL_DAYS - 1));
    let after = to.checked_add_days(Days::new(1)).ok_or(OrderError::DaysInvalid)?;
    let count = (after - from).num_days();
    // Years that the database's calendar does not have are not asked for.
    if !(1..=MOST_DAYS).contains(&count) || !(2000..=2200).contains(&chrono::Datelike::year(&from)) {
        return Err(OrderError::DaysInvalid);
    }
    let mut days: BTreeMap<NaiveDate, Sums> =
        from.iter_days().take_while(|day| *day <= to).map(|day| (day, Sums::default())).collect();
    for flow in payments::flows(&mut connection, begins(from), begins(after)).await? {
        let sums = days.entry(flow.day).or_default();
        (sums.paid, sums.refunded) = (flow.received, flow.refunded);
    }
    for due in store::due_by_day(&mut connection, begins(from), begins(after)).await? {
        let sums = days.entry(due.day).or_default();
        (sums.awaiting, sums.cash_to_collect, sums.cash_collected) = (due.awaiting, due.to_collect, due.collected);
    }
    let total = days.values().fold(Sums::default(), |all, day| Sums {
        paid: all.paid + day.paid,
        refunded: all.refunded + day.refunded,
        awaiting: all.awaiting + day.awaiting,
        cash_to_collect: all.cash_to_collect + day.cash_to_collect,
        cash_collected: all.cash_collected + day.cash_collected,
    });
    let different = payments::differences(&mut connection, MOST_DIFFERENCES).await?;
    let orders: Vec<Uuid> = different.iter().map(|payment| payment.about).collect();
    let codes: HashMap<Uuid, String> = store::codes(&mut connection, &orders).await?.into_iter().collect();
    let differences = different.into_iter().map(|payment| difference(payment, &codes));
    let days = days.into_iter().map(|(date, sums)| Day { date, sums });
    Ok(MoneyReport { from, to, days: days.collect(), total, differences: differences.collect() })
}

fn difference(payment: Payment, codes: &HashMap<Uuid, String>) -> Difference {
    let refund = payment.refund.filter(|state| *state != RefundState::Confirmed).map(RefundState::name);
    let order_id = codes.get(&payment.about).cloned().unwrap_or_default();
    Difference {
        order: NamedOrder { id: payment.about, order_id },
        payment_id: payment.id,
        ours: refund.unwrap_or(payment.state.name()),
        wallet: payment.said.unwrap_or_default(),
        amount: payment.amount,
        received: payment.received,
        since: payment.settled_at.or(payment.started_at).unwrap_or(payment.created_at),
    }
}

impl MoneyReport {
    /// For a spreadsheet: the days, their sum, and what differs.
    pub fn to_csv(&self) -> String {
        let mut text = line(["date", "paid", "refunded", "awaiting", "cash to collect", "cash collected"]);
        let days = self.days.iter().map(|day| (day.date.to_string(), day.sums));
        for (name, sums) in days.chain([("total".to_owned(), self.total)]) {
            let figures = sums.columns().map(Paisa::two_decimals);
            text += &line(std::iter::once(name.as_str()).chain(figures.iter().map(String::as_str)));
        }
        text += "\r\n";
        text += &line(["order", "our record", "the wallet says", "amount", "received", "since"]);
        for Difference { order, ours, wallet, amount, received, since, .. } in &self.differences {
            let (amount, received) = (amount.two_decimals(), received.map(Paisa::two_decimals).unwrap_or_default());
            text += &line([order.order_id.as_str(), ours, wallet, &amount, &received, &since.to_rfc3339()]);
        }
        text
    }
}
