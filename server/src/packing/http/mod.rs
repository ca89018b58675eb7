//! The endpoints under `/api/packing/`.

mod packing;
mod seller;
mod shopper;

use utoipa_axum::router::OpenApiRouter;

use crate::platform::state::App;

pub fn routes() -> OpenApiRouter<App> {
    shopper::routes().merge(seller::routes())
}
