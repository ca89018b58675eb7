//! The calls below `/api/address/`.

use axum::extract::{Path, State};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::book::{self, Entry};
use super::{Address, AddressError};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{Done, Json, Private, Reply};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(add_address))
        .routes(routes!(get_addresses))
        .routes(routes!(update_address))
        .routes(routes!(delete_address))
}

/// Add an address; it becomes the default.
#[utoipa::path(
    post, path = "/api/address/add_address", tag = "addresses", security(("shopper" = [])), request_body = Entry,
    responses((status = 200, body = Reply<Address>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_address(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(entry): Json<Entry>,
) -> Result<Private<Address>, ApiError> {
    let added = book::add(&app, session.person, entry).await?;
    Ok(Private::with(added, "Address added successfully!"))
}

/// The address book, the default first.
#[utoipa::path(
    get, path = "/api/address/get_addresses", tag = "addresses", security(("shopper" = [])),
    responses((status = 200, body = Reply<Vec<Address>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_addresses(State(app): State<App>, Shopper(session): Shopper) -> Result<Private<Vec<Address>>, ApiError> {
    Ok(Private::ok(book::list(&app, session.person).await?))
}

/// Change an address.
#[utoipa::path(
    put, path = "/api/address/update_address/{id}", tag = "addresses", security(("shopper" = [])), params(("id" = Uuid, Path)), request_body = Entry,
    responses((status = 200, body = Reply<Address>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_address(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(id): Path<String>,
    Json(entry): Json<Entry>,
) -> Result<Private<Address>, ApiError> {
    let changed = book::change(&app, session.person, parse(&id)?, entry).await?;
    Ok(Private::with(changed, "Address updated successfully!"))
}

/// Delete an address; the newest of the others becomes the default.
#[utoipa::path(
    delete, path = "/api/address/delete_address/{id}", tag = "addresses", security(("shopper" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn delete_address(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(id): Path<String>,
) -> Result<Private<Done>, ApiError> {
    book::remove(&app, session.person, parse(&id)?).await?;
    Ok(Private::with(Done {}, "Address deleted successfully!"))
}

fn parse(id: &str) -> Result<Uuid, AddressError> {
    id.parse().map_err(|_| AddressError::NotFound)
}
