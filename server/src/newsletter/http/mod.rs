//! The endpoints under `/api/subscriber/` and `/api/newsletter/`.

mod newsletters;
mod subscribers;

use utoipa_axum::router::OpenApiRouter;

use crate::platform::state::App;

pub fn routes() -> OpenApiRouter<App> {
    subscribers::routes().merge(newsletters::routes())
}
