//! The calls below `/api/user/`.

mod google;
mod letters;
mod profile;
mod session;

use utoipa_axum::router::OpenApiRouter;

use crate::platform::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(session::routes())
        .merge(profile::routes())
        .merge(letters::routes())
        .merge(google::routes())
}
