//! The money received, refunded and still due, by day in Kathmandu, and the differences between our records and the
//! latest status at the wallet.

use std::collections::{BTreeMap, HashMap};

use chrono::{Datelike, Days, NaiveDate};
use uuid::Uuid;

use super::model::{Discrepancy, MoneyReport, MoneyReportDay, MoneyTotals, ReportError, RiderCashLine, YEARS};
use super::store;
use crate::cash::{self, RiderCashDay};
use crate::payments::{self, Payment, RefundState};
use crate::platform::clock::{self, start_of_nepal_day};
use crate::platform::csv_format::format_row;
use crate::platform::ids::OrderId;
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::staff;

const MAX_DAYS: i64 = 92;
const DEFAULT_DAYS: u64 = 7;
const MAX_DISCREPANCIES: i64 = 200;

pub async fn build_report(
    app: &App,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
) -> Result<MoneyReport, ReportError> {
    let mut connection = app.db.main.acquire().await?;
    let to = to.unwrap_or_else(|| clock::nepal_date(app.clock.now()));
    if !YEARS.contains(&to.year()) {
        return Err(ReportError::DaysInvalid);
    }
    let (from, after) = (from.unwrap_or(to - Days::new(DEFAULT_DAYS - 1)), to + Days::new(1));
    if !YEARS.contains(&from.year()) || !(1..=MAX_DAYS).contains(&(after - from).num_days()) {
        return Err(ReportError::DaysInvalid);
    }
    let mut days: BTreeMap<NaiveDate, MoneyTotals> =
        from.iter_days().take_while(|day| *day <= to).map(|day| (day, MoneyTotals::default())).collect();
    for flow in payments::sum_flows_by_day(&mut connection, start_of_nepal_day(from), start_of_nepal_day(after)).await?
    {
        let sums = days.entry(flow.day).or_default();
        (sums.paid, sums.refunded) = (flow.received, flow.refunded);
    }
    for due in
        store::sum_receivables_by_day(&mut connection, start_of_nepal_day(from), start_of_nepal_day(after)).await?
    {
        let sums = days.entry(due.day).or_default();
        (sums.awaiting, sums.cash_to_collect, sums.cash_collected) = (due.awaiting, due.to_collect, due.collected);
    }
    let total = days.values().fold(MoneyTotals::default(), |all, day| MoneyTotals {
        paid: all.paid + day.paid,
        refunded: all.refunded + day.refunded,
        awaiting: all.awaiting + day.awaiting,
        cash_to_collect: all.cash_to_collect + day.cash_to_collect,
        cash_collected: all.cash_collected + day.cash_collected,
    });
    let cash = cash::sum_by_day(&mut connection, start_of_nepal_day(from), start_of_nepal_day(after)).await?;
    let people: Vec<Uuid> = cash.iter().filter_map(|day| day.rider).collect();
    let names = staff::find_names(&mut *connection, &people).await?;
    let rider = |day: &RiderCashDay| day.rider.and_then(|rider| names.get(&rider).cloned()).unwrap_or_default();
    let riders = cash.into_iter().map(|cash| RiderCashLine { rider: rider(&cash), cash }).collect();
    let different = payments::find_discrepancies(&mut connection, MAX_DISCREPANCIES).await?;
    let orders: Vec<OrderId> = different.iter().map(|payment| OrderId(payment.subject_id)).collect();
    let codes: HashMap<OrderId, String> = store::find_codes(&mut connection, &orders).await?.into_iter().collect();
    let differences = different.into_iter().map(|payment| to_discrepancy(payment, &codes));
    let days = days.into_iter().map(|(date, sums)| MoneyReportDay { date, sums });
    Ok(MoneyReport { from, to, days: days.collect(), total, riders, differences: differences.collect() })
}

fn to_discrepancy(payment: Payment, codes: &HashMap<OrderId, String>) -> Discrepancy {
    let refund = payment.refund.filter(|state| *state != RefundState::Confirmed).map(RefundState::name);
    Discrepancy {
        order: OrderId(payment.subject_id),
        code: codes.get(&OrderId(payment.subject_id)).cloned().unwrap_or_default(),
        payment: payment.id,
        ours: refund.unwrap_or(payment.state.name()),
        wallet: payment.raw_status.unwrap_or_default(),
        amount: payment.amount,
        received: payment.received,
        since: payment.settled_at.or(payment.started_at).unwrap_or(payment.created_at),
    }
}

impl MoneyReport {
    /// Formats the days, their totals and the differences as CSV.
    pub fn to_csv(&self) -> String {
        let mut text = format_row(["date", "paid", "refunded", "awaiting", "cash to collect", "cash collected"]);
        let days = self.days.iter().map(|day| (day.date.to_string(), day.sums));
        for (name, sums) in days.chain([("total".to_owned(), self.total)]) {
            let figures = sums.columns().map(Paisa::two_decimals);
            text += &format_row(std::iter::once(name.as_str()).chain(figures.iter().map(String::as_str)));
        }
        text += "\r\n";
        text += &format_row(["date", "rider", "collected", "handed in", "missing"]);
        for RiderCashLine { cash, rider } in &self.riders {
            let [collected, handed_in, missing] =
                [cash.collected, cash.handed_in, cash.missing].map(Paisa::signed_decimals);
            let rider = if rider.is_empty() { "till" } else { rider.as_str() };
            text += &format_row([cash.day.to_string().as_str(), rider, &collected, &handed_in, &missing]);
        }
        text += "\r\n";
        text += &format_row(["order", "our record", "the wallet says", "amount", "received", "since"]);
        for Discrepancy { code, ours, wallet, amount, received, since, .. } in &self.differences {
            let (amount, received) = (amount.two_decimals(), received.map(Paisa::two_decimals).unwrap_or_default());
            text += &format_row([code.as_str(), ours, wallet, &amount, &received, &since.to_rfc3339()]);
        }
        text
    }
}
