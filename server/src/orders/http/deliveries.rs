//! Riders: assigning orders to them, and what a rider sees and does.

use axum::extract::State;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::order::{DeliveryHours, Order, parse_order_id};
use crate::orders::deliveries;
use crate::orders::error::OrderError;
use crate::orders::model::OrderDetails;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::{OrderId, ProductId};
use crate::platform::messages::message;
use crate::platform::money::Paisa;
use crate::platform::permissions::{AssignRiders, DeliverOwnOrders};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Empty, Json, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(assign_rider)).routes(routes!(get_my_deliveries))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct AssignRiderRequest {
    /// The orders' `_id`s, at most 100.
    order_ids: Vec<String>,
    /// The rider's `_id`; without it, the orders have no rider.
    rider_id: Option<Uuid>,
}

/// Assign orders to a rider.
#[utoipa::path(
    put, path = "/api/order/assign_rider", tag = "orders", request_body = AssignRiderRequest, security(("seller" = ["orders.assign_rider"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn assign_rider(
    State(app): State<App>,
    Staff(session, _): Staff<AssignRiders>,
    Json(body): Json<AssignRiderRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let orders = body.order_ids.iter().map(|id| parse_order_id(id)).collect::<Result<Vec<OrderId>, OrderError>>()?;
    deliveries::assign_rider(&app, session.person, &orders, body.rider_id).await?;
    let message = match body.rider_id {
        Some(_) => message!("api.orders.rider_assigned"),
        None => message!("api.orders.rider_removed"),
    };
    Ok(PrivateResponse::with_message(Empty {}, message))
}

/// An order as its rider sees it: where to, to whom, what, and how much cash.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct RiderDelivery {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: OrderId,
    order_id: String,
    status: String,
    delivery_date: NaiveDate,
    name: String,
    phone: String,
    address: String,
    municipality: String,
    ward: String,
    landmark: String,
    /// The hours in which the order is delivered, if a window was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    delivery_window: Option<DeliveryHours>,
    /// What the shopper wants the rider to know.
    note_rider: String,
    /// The cash that the rider must collect; 0 unless cash is still due.
    #[schema(value_type = f64)]
    cash_to_collect: Paisa,
    items: Vec<DeliveryItem>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeliveryItem {
    /// The id of the product.
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: ProductId,
    name: String,
    #[schema(required)]
    name_ne: Option<String>,
    quantity: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pack_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pack_label_ne: Option<String>,
}

impl From<OrderDetails> for RiderDelivery {
    fn from(details: OrderDetails) -> Self {
        let order = Order::from(details);
        let items = order.items.into_iter().map(|item| DeliveryItem {
            id: item.id,
            name: item.name,
            name_ne: item.name_ne,
            quantity: item.quantity,
            pack_label: item.pack_label,
            pack_label_ne: item.pack_label_ne,
        });
        Self {
            id: order.id,
            order_id: order.order_id,
            status: order.status,
            delivery_date: order.delivery_date,
            name: order.user_id.name,
            phone: order.user_id.phone,
            address: order.user_id.address,
            municipality: order.user_id.municipality,
            ward: order.user_id.ward,
            landmark: order.user_id.landmark,
            delivery_window: order.delivery_window,
            note_rider: order.note_rider,
            cash_to_collect: order.cash_to_collect,
            items: items.collect(),
        }
    }
}

/// List the orders that the rider has to deliver.
///
/// They are sorted by day, window and place; orders that were delivered within the last 12 hours come last.
#[utoipa::path(
    get, path = "/api/order/get_my_deliveries", tag = "orders", security(("seller" = ["deliveries.own"])),
    responses((status = 200, body = ApiResponse<Vec<RiderDelivery>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_my_deliveries(
    State(app): State<App>,
    Staff(session, _): Staff<DeliverOwnOrders>,
) -> Result<PrivateResponse<Vec<RiderDelivery>>, ApiError> {
    let orders = deliveries::list_own(&app, session.person).await?;
    Ok(PrivateResponse::ok(orders.into_iter().map(RiderDelivery::from).collect()))
}
