//! The endpoints of the overview of sales.

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::media;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;
use crate::platform::permissions::ReadMoneyReports;
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, PrivateResponse, Query};
use crate::reports::model::{self, ProductSales};
use crate::reports::overview;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_overview)).routes(routes!(get_top_products))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct PeriodQuery {
    /// 1, 7 or 30 days including today; the default is 7.
    days: Option<u16>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Overview {
    from: NaiveDate,
    to: NaiveDate,
    made_at: DateTime<Utc>,
    figures: OverviewFigures,
    /// Every day of the period, including days without orders.
    days: Vec<OverviewDay>,
    /// With `days=1`, the 24 hours of today in Nepal; otherwise empty.
    hours: Vec<OverviewHour>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct OverviewHour {
    /// 0 to 23.
    hour: i32,
    orders: i64,
    /// The orders in the same hour of the same weekday last week.
    orders_last_week: i64,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OverviewFigures)]
struct OverviewFigures {
    /// The number of orders, without cancelled and unpaid online orders.
    orders: i64,
    #[schema(value_type = f64)]
    revenue: Paisa,
    #[schema(value_type = f64)]
    average_basket: Paisa,
    #[schema(value_type = f64)]
    cash_to_collect: Paisa,
    #[schema(value_type = f64)]
    paid_online: Paisa,
    cancelled: i64,
}

#[derive(Serialize, utoipa::ToSchema)]
struct OverviewDay {
    date: NaiveDate,
    orders: i64,
    #[schema(value_type = f64)]
    revenue: Paisa,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct TopProduct {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: ProductId,
    name: String,
    #[schema(required)]
    name_ne: Option<String>,
    #[schema(required)]
    image: Option<String>,
    quantity: i64,
    #[schema(value_type = f64)]
    revenue: Paisa,
}

impl From<&model::Overview> for Overview {
    fn from(overview: &model::Overview) -> Self {
        let figures = overview.figures;
        let hour = |hour: &model::OverviewHour| OverviewHour {
            hour: hour.hour,
            orders: hour.orders,
            orders_last_week: hour.orders_last_week,
        };
        let day = |day: &model::OverviewDay| OverviewDay { date: day.date, orders: day.orders, revenue: day.revenue };
        Self {
            from: overview.from,
            to: overview.to,
            made_at: overview.made_at,
            figures: OverviewFigures {
                orders: figures.orders,
                revenue: figures.revenue,
                average_basket: figures.average_basket,
                cash_to_collect: figures.cash_to_collect,
                paid_online: figures.paid_online,
                cancelled: figures.cancelled,
            },
            days: overview.days.iter().map(day).collect(),
            hours: overview.hours.iter().map(hour).collect(),
        }
    }
}

impl From<&ProductSales> for TopProduct {
    fn from(sold: &ProductSales) -> Self {
        Self {
            id: sold.product_id,
            name: sold.name.clone(),
            name_ne: sold.name_ne.clone(),
            image: sold.picture_key.as_deref().and_then(media::picture_urls).map(|picture| picture.widest),
            quantity: sold.quantity,
            revenue: sold.revenue,
        }
    }
}

/// Get the seller's overview of recent sales.
///
/// The figures are at most ten seconds old.
#[utoipa::path(
    get, path = "/api/order/get_overview", tag = "orders", security(("seller" = ["reports.money"])), params(PeriodQuery),
    responses((status = 200, body = ApiResponse<Overview>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_overview(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadMoneyReports>,
    Query(query): Query<PeriodQuery>,
) -> Result<PrivateResponse<Overview>, ApiError> {
    let made = overview::overview(&app, query.days.unwrap_or(7)).await?;
    Ok(PrivateResponse::ok(made.as_ref().into()))
}

/// List the best-selling products for the seller.
///
/// The list is at most a minute old.
#[utoipa::path(
    get, path = "/api/order/get_top_products", tag = "orders", security(("seller" = ["reports.money"])), params(PeriodQuery),
    responses((status = 200, body = ApiResponse<Vec<TopProduct>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_top_products(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadMoneyReports>,
    Query(query): Query<PeriodQuery>,
) -> Result<PrivateResponse<Vec<TopProduct>>, ApiError> {
    let best = overview::top_products(&app, query.days.unwrap_or(7)).await?;
    Ok(PrivateResponse::ok(best.iter().map(TopProduct::from).collect()))
}
