//! The endpoints under `/api/seller/`, and those under `/api/shop/` for the settings.

mod account;
mod audit;
mod counter_device;
mod invitations;
mod login;
mod members;
mod profile;
mod second_factor;
mod settings;

use utoipa_axum::router::OpenApiRouter;

use crate::platform::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(login::routes())
        .merge(account::routes())
        .merge(second_factor::routes())
        .merge(counter_device::routes())
        .merge(members::routes())
        .merge(invitations::routes())
        .merge(audit::routes())
        .merge(settings::routes())
}
