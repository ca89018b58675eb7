//! The endpoints of the money report.

use axum::extract::State;
use axum::response::IntoResponse;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::{OrderId, PaymentId};
use crate::platform::money::Paisa;
use crate::platform::permissions::{ExportMoneyReports, ReadMoneyReports};
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, PrivateResponse, Query, csv_headers};
use crate::reports::model::{self, ReportError};
use crate::reports::money_report as report;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(money_report)).routes(routes!(money_report_csv))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct DateRangeQuery {
    /// The first day in Kathmandu; the default is six days before the last.
    from: Option<NaiveDate>,
    /// The last day; the default is today. The range may have at most 92 days.
    to: Option<NaiveDate>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct MoneyTotals {
    /// Received through the wallet on that day.
    #[schema(value_type = f64)]
    paid: Paisa,
    /// Refunded through the wallet on that day.
    #[schema(value_type = f64)]
    refunded: Paisa,
    /// Not paid yet, for online orders placed on that day.
    #[schema(value_type = f64)]
    awaiting: Paisa,
    #[schema(value_type = f64)]
    cash_to_collect: Paisa,
    #[schema(value_type = f64)]
    cash_collected: Paisa,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct MoneyReportDay {
    date: NaiveDate,
    #[serde(flatten)]
    sums: MoneyTotals,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct MoneyReport {
    from: NaiveDate,
    to: NaiveDate,
    days: Vec<MoneyReportDay>,
    total: MoneyTotals,
    /// Cash by day and rider, as the cash ledger has it.
    riders: Vec<RiderCashDay>,
    /// Differences of all days, newest first, at most 200.
    differences: Vec<Discrepancy>,
}

/// The cash of a rider on a day.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct RiderCashDay {
    date: NaiveDate,
    /// The rider's name; empty for cash that went straight into the till.
    rider: String,
    #[schema(value_type = f64)]
    collected: Paisa,
    #[schema(value_type = f64)]
    handed_in: Paisa,
    /// Negative if there was too much.
    #[schema(value_type = f64)]
    missing: Paisa,
}

impl From<model::RiderCashLine> for RiderCashDay {
    fn from(line: model::RiderCashLine) -> Self {
        let model::RiderCashLine { cash, rider } = line;
        let (collected, handed_in, missing) = (cash.collected, cash.handed_in, cash.missing);
        Self { date: cash.day, rider, collected, handed_in, missing }
    }
}

/// A payment for which our record and the latest status at the wallet differ.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Discrepancy {
    order: OrderReference,
    #[schema(value_type = String, format = Uuid)]
    payment_id: PaymentId,
    /// The state of the payment, or of its refund until that is confirmed.
    ours: &'static str,
    wallet: String,
    #[schema(value_type = f64)]
    amount: Paisa,
    #[schema(required, value_type = Option<f64>)]
    received: Option<Paisa>,
    since: DateTime<Utc>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct OrderReference {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: OrderId,
    order_id: String,
}

impl From<model::MoneyTotals> for MoneyTotals {
    fn from(sums: model::MoneyTotals) -> Self {
        Self {
            paid: sums.paid,
            refunded: sums.refunded,
            awaiting: sums.awaiting,
            cash_to_collect: sums.cash_to_collect,
            cash_collected: sums.cash_collected,
        }
    }
}

impl From<model::MoneyReport> for MoneyReport {
    fn from(report: model::MoneyReport) -> Self {
        let day = |day: model::MoneyReportDay| MoneyReportDay { date: day.date, sums: day.sums.into() };
        Self {
            from: report.from,
            to: report.to,
            days: report.days.into_iter().map(day).collect(),
            total: report.total.into(),
            riders: report.riders.into_iter().map(RiderCashDay::from).collect(),
            differences: report.differences.into_iter().map(Discrepancy::from).collect(),
        }
    }
}

impl From<model::Discrepancy> for Discrepancy {
    fn from(found: model::Discrepancy) -> Self {
        Self {
            order: OrderReference { id: found.order, order_id: found.code },
            payment_id: found.payment,
            ours: found.ours,
            wallet: found.wallet,
            amount: found.amount,
            received: found.received,
            since: found.since,
        }
    }
}

/// Get money by day, and differences between our records and the wallet.
#[utoipa::path(
    get, path = "/api/order/money_report", tag = "orders", security(("seller" = ["reports.money"])), params(DateRangeQuery),
    responses((status = 200, body = ApiResponse<MoneyReport>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn money_report(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadMoneyReports>,
    Query(query): Query<DateRangeQuery>,
) -> Result<PrivateResponse<MoneyReport>, ApiError> {
    Ok(PrivateResponse::ok(report::build_report(&app, query.from, query.to).await?.into()))
}

/// Download the money report as a CSV file.
#[utoipa::path(
    get, path = "/api/order/money_report.csv", tag = "orders", security(("seller" = ["reports.export"])), params(DateRangeQuery),
    responses((status = 200, content_type = "text/csv", body = String), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn money_report_csv(
    State(app): State<App>,
    Staff(session, _): Staff<ExportMoneyReports>,
    Query(query): Query<DateRangeQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let report = report::build_report(&app, query.from, query.to).await?;
    let who = Actor::Seller(session.person);
    let recorded =
        security_log::record_now(&app.db.main, SecurityEventKind::Exported, who, "money_report.csv", &Value::Null);
    recorded.await.map_err(ReportError::from)?;
    Ok((csv_headers(&format!("money-{}-{}.csv", report.from, report.to)), report.to_csv()))
}
