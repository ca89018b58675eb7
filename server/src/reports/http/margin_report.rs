//! The endpoints of the margin report.

use axum::extract::State;
use axum::response::IntoResponse;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;
use crate::platform::permissions::{ExportMoneyReports, ReadMoneyReports};
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, PrivateResponse, Query, csv_headers};
use crate::reports::margin_report as report;
use crate::reports::model::{self, ReportError};

/// The response names the products with the highest revenue; the file names all.
const MAX_PRODUCTS: usize = 500;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(margin_report)).routes(routes!(margin_report_csv))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct MarginQuery {
    /// The first day in Kathmandu; the default is six days before the last.
    from: Option<NaiveDate>,
    /// The last day; the default is today. The range may have at most 31 days.
    to: Option<NaiveDate>,
}

/// Revenue without VAT and the cost of what was sold.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarginSums {
    /// The number of units that were sold.
    quantity: i64,
    #[schema(value_type = f64)]
    revenue: Paisa,
    /// What the units cost whose cost is known.
    #[schema(value_type = f64)]
    cost: Paisa,
    /// The revenue of the units whose cost is known, less that cost; null if no cost is known.
    #[schema(required, value_type = Option<f64>)]
    margin: Option<Paisa>,
    /// The margin in per cent of that revenue.
    #[schema(required, value_type = Option<f64>)]
    margin_percent: Option<Paisa>,
    quantity_without_cost: i64,
    #[schema(value_type = f64)]
    revenue_without_cost: Paisa,
}

#[derive(Serialize, utoipa::ToSchema)]
struct MarginDay {
    date: NaiveDate,
    #[serde(flatten)]
    sums: MarginSums,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarginProduct {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: ProductId,
    name: String,
    #[schema(required)]
    name_ne: Option<String>,
    #[serde(flatten)]
    sums: MarginSums,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarginReport {
    from: NaiveDate,
    to: NaiveDate,
    total: MarginSums,
    /// Every day of the range, including days without sales.
    days: Vec<MarginDay>,
    /// Those with the highest revenue first, at most 500.
    products: Vec<MarginProduct>,
}

impl From<model::MarginSums> for MarginSums {
    fn from(sums: model::MarginSums) -> Self {
        Self {
            quantity: sums.quantity,
            revenue: sums.revenue,
            cost: sums.cost,
            margin: sums.margin().map(Paisa),
            // Hundredths of a per cent are written like hundredths of a rupee.
            margin_percent: sums.margin_rate().map(Paisa),
            quantity_without_cost: sums.quantity_without_cost,
            revenue_without_cost: sums.revenue_without_cost,
        }
    }
}

impl From<model::MarginReport> for MarginReport {
    fn from(report: model::MarginReport) -> Self {
        let day = |day: model::MarginDay| MarginDay { date: day.date, sums: day.sums.into() };
        let product = |product: model::MarginProduct| MarginProduct {
            id: product.product_id,
            name: product.name,
            name_ne: product.name_ne,
            sums: product.sums.into(),
        };
        Self {
            from: report.from,
            to: report.to,
            total: report.total.into(),
            days: report.days.into_iter().map(day).collect(),
            products: report.products.into_iter().take(MAX_PRODUCTS).map(product).collect(),
        }
    }
}

/// Get the margin by day and by product.
#[utoipa::path(
    get, path = "/api/order/margin_report", tag = "orders", security(("seller" = ["reports.money"])), params(MarginQuery),
    responses((status = 200, body = ApiResponse<MarginReport>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn margin_report(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadMoneyReports>,
    Query(query): Query<MarginQuery>,
) -> Result<PrivateResponse<MarginReport>, ApiError> {
    Ok(PrivateResponse::ok(report::build_report(&app, query.from, query.to).await?.into()))
}

/// Download the margin of every product on every day as a CSV file.
#[utoipa::path(
    get, path = "/api/order/margin_report.csv", tag = "orders", security(("seller" = ["reports.export"])), params(MarginQuery),
    responses((status = 200, content_type = "text/csv", body = String), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn margin_report_csv(
    State(app): State<App>,
    Staff(session, _): Staff<ExportMoneyReports>,
    Query(query): Query<MarginQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let report = report::build_report(&app, query.from, query.to).await?;
    let who = Actor::Seller(session.person);
    let recorded =
        security_log::record_now(&app.db.main, SecurityEventKind::Exported, who, "margin_report.csv", &Value::Null);
    recorded.await.map_err(ReportError::from)?;
    Ok((csv_headers(&format!("margin-{}-{}.csv", report.from, report.to)), report.to_csv()))
}
