//! The endpoints under `/api/complaint/`.

mod complaint;
mod seller;
mod shopper;

use utoipa_axum::router::OpenApiRouter;

pub use complaint::ComplaintResponse;

use crate::platform::state::App;

pub fn routes() -> OpenApiRouter<App> {
    shopper::routes().merge(seller::routes())
}
