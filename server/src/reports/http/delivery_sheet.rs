//! The endpoint of the delivery sheet.

use axum::extract::State;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::orders::transition::OrderStatus;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::OrderId;
use crate::platform::money::Paisa;
use crate::platform::permissions::ReadOrders;
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, PrivateResponse, Query};
use crate::reports::delivery_sheet;
use crate::reports::model::{self, DeliveryRow, ReportError};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_delivery_sheet))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct DeliverySheetQuery {
    /// The delivery date; the default is today in Kathmandu.
    date: Option<NaiveDate>,
    /// Statuses, separated by commas; the default is confirmed, shipped and out for delivery.
    status: Option<String>,
    /// Whether to include undelivered orders of the previous 30 days; the default is true.
    late: Option<bool>,
}

/// The orders to deliver on a day.
#[derive(Serialize, utoipa::ToSchema)]
struct DeliverySheet {
    date: NaiveDate,
    stops: Vec<DeliveryArea>,
    orders: usize,
    #[schema(value_type = f64)]
    cash: Paisa,
    /// True when there are more orders than fit on the sheet.
    capped: bool,
}

/// The orders for one ward.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = DeliveryArea)]
struct DeliveryArea {
    municipality: String,
    ward: String,
    orders: Vec<DeliveryOrder>,
    #[schema(value_type = f64)]
    cash: Paisa,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeliveryOrder {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: OrderId,
    order_id: String,
    name: String,
    phone: String,
    address: String,
    landmark: String,
    status: String,
    /// The number of units in the order.
    items: i64,
    #[schema(value_type = f64)]
    cash_to_collect: Paisa,
    payment_method: String,
    delivery_date: NaiveDate,
    /// The hours of the delivery window, such as `07:00–09:00`; absent if the order has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    delivery_hours: Option<String>,
    /// What the shopper wants the rider to know.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    note_rider: String,
}

impl From<model::DeliverySheet> for DeliverySheet {
    fn from(sheet: model::DeliverySheet) -> Self {
        Self {
            date: sheet.date,
            stops: sheet.stops.into_iter().map(DeliveryArea::from).collect(),
            orders: sheet.orders,
            cash: sheet.cash,
            capped: sheet.capped,
        }
    }
}

impl From<model::DeliveryArea> for DeliveryArea {
    fn from(area: model::DeliveryArea) -> Self {
        Self {
            municipality: area.municipality,
            ward: area.ward,
            orders: area.orders.into_iter().map(DeliveryOrder::from).collect(),
            cash: area.cash,
        }
    }
}

impl From<DeliveryRow> for DeliveryOrder {
    fn from(order: DeliveryRow) -> Self {
        Self {
            id: order.id,
            order_id: order.code,
            name: order.recipient,
            phone: order.phone,
            address: order.address,
            landmark: order.landmark,
            status: order.status,
            items: order.items,
            cash_to_collect: order.cash,
            payment_method: order.method,
            delivery_date: order.delivery_date,
            delivery_hours: order
                .delivery_starts
                .zip(order.delivery_ends)
                .map(|(starts, ends)| format!("{}–{}", starts.format("%H:%M"), ends.format("%H:%M"))),
            note_rider: order.note_rider,
        }
    }
}

/// Get the delivery sheet of a day, by municipality and ward.
#[utoipa::path(
    get, path = "/api/order/get_delivery_sheet", tag = "orders", security(("seller" = ["orders.read"])), params(DeliverySheetQuery),
    responses((status = 200, body = ApiResponse<DeliverySheet>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_delivery_sheet(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadOrders>,
    Query(query): Query<DeliverySheetQuery>,
) -> Result<PrivateResponse<DeliverySheet>, ApiError> {
    let statuses = match query.status.as_deref().filter(|status| !status.is_empty()) {
        None => vec![OrderStatus::Confirmed, OrderStatus::Shipped, OrderStatus::OutForDelivery],
        Some(list) => list.split(',').map(parse_status).collect::<Result<_, _>>()?,
    };
    let sheet = delivery_sheet::delivery_sheet(&app, query.date, &statuses, query.late.unwrap_or(true)).await?;
    Ok(PrivateResponse::ok(sheet.into()))
}

fn parse_status(status: &str) -> Result<OrderStatus, ReportError> {
    OrderStatus::from_name(status.trim()).ok_or(ReportError::StatusInvalid)
}
