//! The endpoints under `/api/address/`.

use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
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

/// An address as the form sends it: the contract's seven fields, and those that help a rider in Nepal.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AddressInput)]
struct AddressRequest {
    /// Name of the address, for example `Home`.
    #[serde(default)]
    address: String,
    #[serde(default)]
    phone: String,
    #[serde(default)]
    street: String,
    #[serde(default)]
    city: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    country: String,
    #[serde(default)]
    pincode: String,
    #[serde(default)]
    district: String,
    #[serde(default)]
    municipality: String,
    #[serde(default)]
    ward: String,
    #[serde(default)]
    landmark: String,
    /// A new address becomes the default unless this is `false`; a changed one becomes it only if this is `true`.
    is_default: Option<bool>,
}

impl From<AddressRequest> for AddressInput {
    fn from(body: AddressRequest) -> Self {
        Self {
            address: body.address,
            phone: body.phone,
            street: body.street,
            city: body.city,
            state: body.state,
            country: body.country,
            pincode: body.pincode,
            district: body.district,
            municipality: body.municipality,
            ward: body.ward,
            landmark: body.landmark,
            is_default: body.is_default,
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Address)]
pub struct AddressResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    address: String,
    phone: String,
    street: String,
    city: String,
    state: String,
    country: String,
    pincode: String,
    district: String,
    municipality: String,
    ward: String,
    landmark: String,
    is_default: bool,
    /// The whole address as one line, as the profile and orders show it.
    line: String,
}

impl From<Address> for AddressResponse {
    fn from(row: Address) -> Self {
        Self {
            id: row.id,
            address: row.address,
            phone: row.phone,
            street: row.street,
            city: row.city,
            state: row.state,
            country: row.country,
            pincode: row.pincode,
            district: row.district,
            municipality: row.municipality,
            ward: row.ward,
            landmark: row.landmark,
            is_default: row.is_default,
            line: row.line,
        }
    }
}

/// Add an address.
///
/// It becomes the default unless `isDefault` is `false`.
#[utoipa::path(
    post, path = "/api/address/add_address", tag = "addresses", security(("shopper" = [])), request_body = AddressRequest,
    responses((status = 200, body = ApiResponse<AddressResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_address(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<AddressRequest>,
) -> Result<PrivateResponse<AddressResponse>, ApiError> {
    let added = address_book::add_address(&app, session.person, body.into()).await?;
    Ok(PrivateResponse::with_message(added.into(), message!("api.addresses.added")))
}

/// List the addresses of the shopper, the default first.
#[utoipa::path(
    get, path = "/api/address/get_addresses", tag = "addresses", security(("shopper" = [])),
    responses((status = 200, body = ApiResponse<Vec<AddressResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_addresses(
    State(app): State<App>,
    Shopper(session): Shopper,
) -> Result<PrivateResponse<Vec<AddressResponse>>, ApiError> {
    let addresses = address_book::list_addresses(&app, session.person).await?;
    Ok(PrivateResponse::ok(addresses.into_iter().map(AddressResponse::from).collect()))
}

/// Update an address.
#[utoipa::path(
    put, path = "/api/address/update_address/{id}", tag = "addresses", security(("shopper" = [])), params(("id" = Uuid, Path)), request_body = AddressRequest,
    responses((status = 200, body = ApiResponse<AddressResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_address(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(id): Path<String>,
    Json(body): Json<AddressRequest>,
) -> Result<PrivateResponse<AddressResponse>, ApiError> {
    let changed = address_book::update_address(&app, session.person, parse_id(&id)?, body.into()).await?;
    Ok(PrivateResponse::with_message(changed.into(), message!("api.addresses.updated")))
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
