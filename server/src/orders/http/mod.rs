//! The endpoints under `/api/order/` that place, show and change orders.

mod deliveries;
mod event_stream;
mod order;
mod placement;
mod seller;
mod shopper;

use utoipa_axum::router::OpenApiRouter;

pub use order::{DeliveryHours, Order, OrderIdRequest};
pub use placement::{PlaceOrderRequest, Receipt, idempotency_key};

use crate::platform::state::App;

pub fn routes() -> OpenApiRouter<App> {
    placement::routes()
        .merge(shopper::routes())
        .merge(seller::routes())
        .merge(deliveries::routes())
        .merge(event_stream::routes())
}
