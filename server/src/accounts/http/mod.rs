//! The endpoints under `/api/user/`.

mod google;
mod passwords;
mod phone;
mod profile;
mod responses;
mod session;

use utoipa_axum::router::OpenApiRouter;

use crate::platform::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(session::routes())
        .merge(profile::routes())
        .merge(passwords::routes())
        .merge(google::routes())
        .merge(phone::routes())
}
