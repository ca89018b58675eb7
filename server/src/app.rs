//! Merges the routes of all modules into one router and adds the middleware.

use std::sync::OnceLock;

use axum::extract::State;
use axum::middleware;
use axum::routing::get;
use axum::{Extension, Router};
use http::StatusCode;
use utoipa::openapi::OpenApi as Document;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;

use crate::accounts::PersonalDataHooks;
use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::ApiError;
use crate::platform::messages::message;
use crate::platform::middleware::handle_request;
use crate::platform::state::App;
use crate::{
    accounts, addresses, alerts, billing, cart, cash, catalogue, complaints, coupons, delivery, inventory, media,
    newsletter, orders, packing, policies, reports, riders, seasons, settlement, shop, site, staff, wishlist,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Thunse",
        description = "The contract of the shop. Every answer is {success, message, data}; a failed one adds `code`."
    ),
    modifiers(&CookieSecurity)
)]
struct ApiDoc;

/// Declares the session cookies as security schemes. An operation that names one requires that session, and a test
/// calls every such operation without it.
struct CookieSecurity;

impl Modify for CookieSecurity {
    fn modify(&self, document: &mut Document) {
        let components = document.components.get_or_insert_default();
        for (name, kind) in [("shopper", AccountKind::Shopper), ("seller", AccountKind::Seller)] {
            let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(kind.cookie())));
            components.add_security_scheme(name, cookie);
        }
    }
}

/// The modules that store personal data besides the account itself.
pub const PERSONAL_DATA: PersonalDataHooks = PersonalDataHooks(&[
    addresses::PERSONAL_DATA,
    alerts::PERSONAL_DATA,
    cart::PERSONAL_DATA,
    orders::PERSONAL_DATA,
    policies::PERSONAL_DATA,
    complaints::PERSONAL_DATA,
    packing::PERSONAL_DATA,
    wishlist::PERSONAL_DATA,
    billing::PERSONAL_DATA,
]);

fn api() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(ApiDoc::openapi())
        .merge(catalogue::routes())
        .merge(newsletter::routes())
        .merge(shop::routes())
        .merge(
            accounts::routes()
                .layer(Extension(PERSONAL_DATA))
                .layer(Extension(addresses::DEFAULT_ADDRESS_HOOK))
                .layer(Extension(policies::CONSENT_HOOK)),
        )
        .merge(policies::routes())
        .merge(complaints::routes())
        .merge(addresses::routes())
        .merge(delivery::routes())
        .merge(inventory::routes())
        .merge(coupons::routes())
        .merge(seasons::routes())
        .merge(cart::routes())
        .merge(orders::routes())
        .merge(packing::routes())
        .merge(settlement::routes())
        .merge(billing::routes())
        .merge(cash::routes())
        .merge(riders::routes())
        .merge(reports::routes())
        .merge(staff::routes())
        .merge(alerts::routes())
        .merge(wishlist::routes())
}

/// The API document. `api/openapi.json` is a copy of it, and a test compares the two.
pub fn openapi() -> Document {
    let mut document = api().split_for_parts().1;
    // The version changes with the contract, not with a release of the crate.
    "1".clone_into(&mut document.info.version);
    document.info.license = None;
    document
}

/// Collecting the schemas of the API document takes most of the time to make a router, and tests make many. The compiler
/// includes whatever the initial value of a static uses, so it is set later: unit tests do not need the whole API.
static API: OnceLock<Router<App>> = OnceLock::new();

pub fn router(app: App) -> Router {
    app.cache.set_key_fn(catalogue::cache_key);
    Router::new()
        .merge(API.get_or_init(|| api().split_for_parts().0).clone())
        .route("/api/{*rest}", axum::routing::any(unknown_endpoint))
        .merge(media::routes())
        .merge(site::routes())
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .method_not_allowed_fallback(async || ApiError::method_not_allowed())
        .layer(middleware::from_fn_with_state(app.clone(), handle_request))
        .with_state(app)
}

async fn unknown_endpoint() -> ApiError {
    ApiError::not_found("unknown_endpoint", message!("api.unknown_endpoint"))
}

/// Succeeds while the process runs.
async fn healthz() -> &'static str {
    "alive"
}

/// Succeeds if the process should get requests: it is not shutting down, and the database accepts writes. It does not
/// need a connection of the pools, because an instance that is only busy must not lose its requests to others that are
/// just as busy.
async fn readyz(State(app): State<App>) -> Result<&'static str, (StatusCode, &'static str)> {
    if app.is_shutting_down() {
        return Err((StatusCode::SERVICE_UNAVAILABLE, "stopping"));
    }
    if app.database.check().await { Ok("ready") } else { Err((StatusCode::SERVICE_UNAVAILABLE, "no database")) }
}
