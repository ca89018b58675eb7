//! The endpoints under `/api/inventory/`.

mod counts;
mod receipts;
mod responses;
mod suppliers;
mod waste;

use utoipa_axum::router::OpenApiRouter;

use crate::platform::state::App;

pub fn routes() -> OpenApiRouter<App> {
    suppliers::routes().merge(receipts::routes()).merge(waste::routes()).merge(counts::routes())
}
