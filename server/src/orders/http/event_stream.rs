//! The streams of order events, as server-sent events.

use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::StreamExt;
use http::{HeaderName, HeaderValue, header};
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::orders::event_stream::{self, EventHub, StreamEvent};
use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::{OrderId, UserId};
use crate::platform::permissions::ReadOrders;
use crate::platform::sessions::{Shopper, StaffOrLocked};
use crate::platform::state::App;

const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// This header tells nginx not to buffer the response.
const NO_BUFFER: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
const NO_STORE: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(stream_own_events))
        .routes(routes!(stream_all_events))
        .layer(Extension(EventHub::default()))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OrderEvent {
    #[serde(rename = "_id")]
    id: OrderId,
    order_id: String,
    status: String,
    /// The order is new to the seller.
    placed: bool,
}

fn to_sse(event: StreamEvent) -> Result<Event, axum::Error> {
    match event {
        StreamEvent::Reload => Ok(Event::default().event("reload").data("")),
        StreamEvent::Order(event) => {
            let payload =
                OrderEvent { id: event.order, order_id: event.code, status: event.status, placed: event.is_new };
            Event::default().event("order").json_data(payload)
        }
    }
}

fn respond(
    app: &App,
    hub: &EventHub,
    kind: AccountKind,
    session: Uuid,
    only: Option<UserId>,
) -> Result<impl IntoResponse + use<>, ApiError> {
    let events = event_stream::open_stream(app, hub, kind, session, only)?.map(to_sse);
    Ok(([NO_BUFFER, NO_STORE], Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))))
}

/// Stream events of the shopper's orders as server-sent events.
#[utoipa::path(
    get, path = "/api/order/live", tag = "orders", security(("shopper" = [])),
    responses((status = 200, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn stream_own_events(
    State(app): State<App>,
    Extension(hub): Extension<EventHub>,
    Shopper(session): Shopper,
) -> Result<impl IntoResponse, ApiError> {
    respond(&app, &hub, AccountKind::Shopper, session.id, Some(session.person))
}

/// Stream events of all orders to the seller as server-sent events.
///
/// A locked device gets them, too, because a new order must be heard at an unattended counter.
#[utoipa::path(
    get, path = "/api/order/live_all", tag = "orders", security(("seller" = ["orders.read"])),
    responses((status = 200, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn stream_all_events(
    State(app): State<App>,
    Extension(hub): Extension<EventHub>,
    StaffOrLocked(session, _): StaffOrLocked<ReadOrders>,
) -> Result<impl IntoResponse, ApiError> {
    respond(&app, &hub, AccountKind::Seller, session.id, None)
}
