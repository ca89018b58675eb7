//! The endpoints under `/api/rider/`.

use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, NaiveDate, Utc};
use http::header;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::model::{OrderStop, Proof, RiderError, StopAction, StopEvent, StopOutcome, StopRefusal};
use super::{codes, photos, stops};
use crate::alerts::NotMetReason;
use crate::orders::OrderIdRequest;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::form::{Form, FormFields};
use crate::platform::ids::{OrderId, ProductId};
use crate::platform::messages::{self, Message};
use crate::platform::money::Paisa;
use crate::platform::permissions::{DeliverOwnOrders, ReadOrders};
use crate::platform::sessions::{Shopper, Staff};
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Empty, Json, PrivateResponse};
use crate::settlement::{self, DoorPayment};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(sync_stops))
        .routes(routes!(add_stop_photo))
        .routes(routes!(get_stop_photo))
        .routes(routes!(get_delivery_code))
        .routes(routes!(pay_at_door))
        .routes(routes!(check_door_payment))
        .routes(routes!(get_order_stops))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct SyncStopsRequest {
    /// In the order in which they happened, at most 100.
    events: Vec<StopEventRequest>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct StopEventRequest {
    /// Made on the phone; the same event is applied once.
    id: Uuid,
    /// The order's `_id`.
    #[schema(value_type = String, format = Uuid)]
    order_id: OrderId,
    /// `out`, `delivered`, `not_met` or `returned`.
    kind: String,
    /// When it happened, by the clock of the phone.
    at: DateTime<Utc>,
    /// The shopper's four digits; a delivery needs them or a photo.
    code: Option<String>,
    /// The id of a photo that was uploaded before.
    photo: Option<Uuid>,
    /// The cash that was collected, in rupees; without it, the amount to collect.
    collected: Option<f64>,
    /// Why the shopper was not met: `nobody_home`, `no_answer`, `wrong_address`, `refused` or `other`.
    reason: Option<String>,
    /// The next free window from this day on is booked for another attempt.
    day: Option<NaiveDate>,
    /// What came back at the door.
    #[serde(default)]
    items: Vec<DoorReturnItem>,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize, utoipa::ToSchema)]
struct DoorReturnItem {
    /// The product's `_id`.
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    quantity: i32,
}

const MAX_NOTE: usize = 500;

impl StopEventRequest {
    fn parse(self) -> Result<StopEvent, RiderError> {
        let action = match self.kind.as_str() {
            "out" => StopAction::Out,
            "delivered" => {
                let proof = match (self.code.filter(|code| !code.trim().is_empty()), self.photo) {
                    (Some(code), _) => Proof::Code(code),
                    (None, Some(photo)) => Proof::Photo(photo),
                    (None, None) => return Err(RiderError::EventMalformed),
                };
                let amount = |rupees| Paisa::from_json(rupees).ok_or(RiderError::EventMalformed);
                StopAction::Delivered { proof, collected: self.collected.map(amount).transpose()? }
            }
            "not_met" => {
                let reason = self.reason.as_deref().and_then(NotMetReason::from_name);
                StopAction::NotMet { reason: reason.ok_or(RiderError::EventMalformed)?, day: self.day }
            }
            "returned" => {
                StopAction::Returned { items: self.items.iter().map(|item| (item.product, item.quantity)).collect() }
            }
            _ => return Err(RiderError::EventMalformed),
        };
        if self.note.chars().count() > MAX_NOTE {
            return Err(RiderError::EventMalformed);
        }
        Ok(StopEvent { id: self.id, order: self.order_id, action, happened_at: self.at, note: self.note })
    }
}

#[derive(Serialize, utoipa::ToSchema)]
struct SyncStopsResponse {
    /// One for each event, in their order.
    results: Vec<StopEventResult>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct StopEventResult {
    id: Uuid,
    /// Whether the event was applied, now or before.
    ok: bool,
    /// Why it was refused: `not_yours`, `cancelled`, `already_delivered`, `code_wrong`, `code_locked`, `photo_missing`,
    /// `amount_invalid`, `items_invalid`, `window_full` or `id_reused`; empty if it was applied.
    code: &'static str,
    /// The same for people.
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    message: Option<Message>,
}

impl StopEventResult {
    fn new(id: Uuid, outcome: StopOutcome) -> Self {
        let code = outcome.map_or("", StopRefusal::name);
        Self { id, ok: outcome.is_none(), code, message: outcome.map(StopRefusal::message) }
    }
}

/// Apply the events that the rider's phone has recorded.
///
/// Each is applied once, however often it is sent, and gets the same result again.
#[utoipa::path(
    post, path = "/api/rider/sync", tag = "riders", security(("seller" = ["deliveries.own"])), request_body = SyncStopsRequest,
    responses((status = 200, body = ApiResponse<SyncStopsResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn sync_stops(
    State(app): State<App>,
    Staff(session, _): Staff<DeliverOwnOrders>,
    Json(body): Json<SyncStopsRequest>,
) -> Result<PrivateResponse<SyncStopsResponse>, ApiError> {
    let events = body.events.into_iter().map(StopEventRequest::parse).collect::<Result<Vec<_>, _>>()?;
    let outcomes = stops::apply_events(&app, session.person, &events).await?;
    let results = events.iter().zip(outcomes).map(|(event, outcome)| StopEventResult::new(event.id, outcome));
    Ok(PrivateResponse::ok(SyncStopsResponse { results: results.collect() }))
}

/// The form, sent as `multipart/form-data`.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the form")]
struct StopPhotoForm {
    /// Made on the phone; a repeated upload stores the photo once.
    id: Uuid,
    /// `_id` of the order.
    order: Uuid,
    #[schema(value_type = String, format = Binary)]
    photo: Vec<u8>,
}

const PHOTO_FIELDS: FormFields = FormFields { texts: &["id", "order"], files: &["photo"] };

/// Upload a photo that proves a delivery.
#[utoipa::path(
    post, path = "/api/rider/add_photo", tag = "riders", security(("seller" = ["deliveries.own"])),
    request_body(content = StopPhotoForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_stop_photo(
    State(app): State<App>,
    Staff(session, _): Staff<DeliverOwnOrders>,
    request: Request,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let mut form = Form::read(request, &PHOTO_FIELDS).await?;
    let id = form.text("id").parse().map_err(|_| RiderError::EventMalformed)?;
    let order = form.text("order").parse().map_err(|_| RiderError::OrderNotFound)?;
    let photo = form.take_file("photo").ok_or(RiderError::PhotoNeeded)?;
    photos::store_photo(&app, session.person, id, order, photo).await?;
    Ok(PrivateResponse::ok(Empty {}))
}

/// Get a photo that proves a delivery.
#[utoipa::path(
    get, path = "/api/rider/photo/{id}", tag = "riders", security(("seller" = ["orders.read"])), params(("id" = Uuid, Path)),
    responses((status = 200, content_type = "image/webp", body = String), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_stop_photo(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadOrders>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let id = id.parse().map_err(|_| RiderError::PhotoNotFound)?;
    let webp = photos::read_photo(&app, id).await?;
    let headers = [(header::CONTENT_TYPE, "image/webp"), (header::CACHE_CONTROL, "private, no-store")];
    Ok((headers, webp).into_response())
}

#[derive(Serialize, utoipa::ToSchema)]
struct DeliveryCode {
    /// Four digits.
    code: String,
}

/// Get the code with which the shopper confirms the delivery of an order that is on its way.
#[utoipa::path(
    get, path = "/api/rider/delivery_code/{id}", tag = "riders", security(("shopper" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, body = ApiResponse<DeliveryCode>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_delivery_code(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(id): Path<String>,
) -> Result<PrivateResponse<DeliveryCode>, ApiError> {
    let order = id.parse().map_err(|_| RiderError::OrderNotFound)?;
    let code = codes::find_own_code(&app, session.person, order).await?;
    Ok(PrivateResponse::ok(DeliveryCode { code }))
}

/// A payment with the wallet at the door.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct DoorPaymentResponse {
    /// The cash that is still to be collected, in rupees; 0 once the order is paid.
    #[schema(value_type = f64)]
    cash_to_collect: Paisa,
    /// The payment page, which the rider shows as a QR code; null once the order is paid.
    #[schema(required)]
    payment_url: Option<String>,
}

/// Get the payment page with which the shopper can pay a cash order at the door, or create one.
///
/// The order must be out for delivery by this rider. The call may be repeated: the page stays the same as long as it
/// can be paid and the amount has not changed.
#[utoipa::path(
    post, path = "/api/rider/pay_at_door", tag = "riders", security(("seller" = ["deliveries.own"])), request_body = OrderIdRequest,
    responses((status = 200, body = ApiResponse<DoorPaymentResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn pay_at_door(
    State(app): State<App>,
    Staff(session, _): Staff<DeliverOwnOrders>,
    Json(body): Json<OrderIdRequest>,
) -> Result<PrivateResponse<DoorPaymentResponse>, ApiError> {
    let DoorPayment { amount, url } = settlement::offer_door_payment(&app, session.person, body.parse()?).await?;
    Ok(PrivateResponse::ok(DoorPaymentResponse { cash_to_collect: amount, payment_url: url }))
}

/// Ask the wallet whether an order was paid at the door.
#[utoipa::path(
    post, path = "/api/rider/check_door_payment", tag = "riders", security(("seller" = ["deliveries.own"])), request_body = OrderIdRequest,
    responses((status = 200, body = ApiResponse<DoorPaymentResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn check_door_payment(
    State(app): State<App>,
    Staff(session, _): Staff<DeliverOwnOrders>,
    Json(body): Json<OrderIdRequest>,
) -> Result<PrivateResponse<DoorPaymentResponse>, ApiError> {
    let cash_to_collect = settlement::check_door_payment(&app, session.person, body.parse()?).await?;
    Ok(PrivateResponse::ok(DoorPaymentResponse { cash_to_collect, payment_url: None }))
}

/// What a rider recorded for an order.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct OrderStopResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    /// `out`, `delivered`, `not_met` or `returned`.
    kind: String,
    /// By the clock of the phone.
    at: DateTime<Utc>,
    /// Why the shopper was not met.
    #[schema(required)]
    reason: Option<String>,
    note: String,
    /// How a delivery was proved: `code` or `photo`.
    #[schema(required)]
    proof: Option<String>,
    /// The id of the photo; null if there is none or it was deleted.
    #[schema(required)]
    photo: Option<Uuid>,
}

impl From<OrderStop> for OrderStopResponse {
    fn from(stop: OrderStop) -> Self {
        let OrderStop { id, kind, happened_at, reason, note, proof, photo } = stop;
        Self { id, kind, at: happened_at, reason, note, proof, photo }
    }
}

/// List what riders recorded for an order, oldest first.
#[utoipa::path(
    get, path = "/api/rider/order_stops/{id}", tag = "riders", security(("seller" = ["orders.read"])), params(("id" = Uuid, Path)),
    responses((status = 200, body = ApiResponse<Vec<OrderStopResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_order_stops(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadOrders>,
    Path(id): Path<String>,
) -> Result<PrivateResponse<Vec<OrderStopResponse>>, ApiError> {
    let order = id.parse().map_err(|_| RiderError::OrderNotFound)?;
    let stops = stops::list_by_order(&app, order).await?;
    Ok(PrivateResponse::ok(stops.into_iter().map(OrderStopResponse::from).collect()))
}
