//! The endpoints under `/api/address/`.

use axum::extract::{Path, State};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::address_book;
use super::model::{Address, AddressError, AddressInput};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Empty, Json, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(add_address))
        .routes(routes!(get_addresses))
        .routes(routes!(update_address))
        .routes(routes!(delete_address))
}

/// Add an address.
///
/// It becomes the default unless `isDefault` is `false`.
#[utoipa::path(
    post, path = "/api/address/add_address", tag = "addresses", security(("shopper" = [])), request_body = AddressInput,
    responses((status = 200, body = ApiResponse<Address>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_address(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(input): Json<AddressInput>,
) -> Result<PrivateResponse<Address>, ApiError> {
    let added = address_book::add_address(&app, session.person, input).await?;
    Ok(PrivateResponse::with_message(added, message!("api.addresses.added")))
}

/// List the addresses of the shopper, the default first.
#[utoipa::path(
    get, path = "/api/address/get_addresses", tag = "addresses", security(("shopper" = [])),
    responses((status = 200, body = ApiResponse<Vec<Address>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_addresses(
    State(app): State<App>,
    Shopper(session): Shopper,
) -> Result<PrivateResponse<Vec<Address>>, ApiError> {
    Ok(PrivateResponse::ok(address_book::list_addresses(&app, session.person).await?))
}

/// Update an address.
#[utoipa::path(
    put, path = "/api/address/update_address/{id}", tag = "addresses", security(("shopper" = [])), params(("id" = Uuid, Path)), request_body = AddressInput,
    responses((status = 200, body = ApiResponse<Address>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_address(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(id): Path<String>,
    Json(input): Json<AddressInput>,
) -> Result<PrivateResponse<Address>, ApiError> {
    let changed = address_book::update_address(&app, session.person, parse_id(&id)?, input).await?;
    Ok(PrivateResponse::with_message(changed, message!("api.addresses.updated")))
}

/// Delete an address.
///
/// If it was the default, the newest remaining address becomes the default.
#[utoipa::path(
    delete, path = "/api/address/delete_address/{id}", tag = "addresses", security(("shopper" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn delete_address(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(id): Path<String>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    address_book::delete_address(&app, session.person, parse_id(&id)?).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.addresses.deleted")))
}

fn parse_id(id: &str) -> Result<Uuid, AddressError> {
    id.parse().map_err(|_| AddressError::NotFound)
}
