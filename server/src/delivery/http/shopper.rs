//! The endpoint for shoppers: what can be chosen at an address.

use axum::extract::State;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::responses::DeliveryOptionsResponse;
use crate::addresses::{self, AddressError};
use crate::delivery::error::DeliveryError;
use crate::delivery::model::Place;
use crate::delivery::options;
use crate::delivery::rules::load_rules;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, PrivateResponse, Query};
use crate::shop;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_options))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct OptionsQuery {
    /// The id of an address book entry, instead of the other parameters.
    address_id: Option<String>,
    #[serde(default)]
    district: String,
    #[serde(default)]
    municipality: String,
    #[serde(default)]
    ward: String,
}

/// Get the fee, the days and the windows at an address.
#[utoipa::path(
    get, path = "/api/delivery/options", tag = "delivery", security(("shopper" = [])), params(OptionsQuery),
    responses((status = 200, body = ApiResponse<DeliveryOptionsResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_options(
    State(app): State<App>,
    Shopper(session): Shopper,
    Query(query): Query<OptionsQuery>,
) -> Result<PrivateResponse<DeliveryOptionsResponse>, ApiError> {
    let shop = shop::load(&app).await?;
    let rules = load_rules(&app).await?;
    let mut connection = app.db.main.acquire().await.map_err(DeliveryError::from)?;
    let place = match query.address_id {
        Some(id) => {
            let id = id.parse().map_err(|_| AddressError::NotFound)?;
            let found = addresses::find_address(&mut connection, session.person, id).await;
            (&found.map_err(DeliveryError::from)?.ok_or(AddressError::NotFound)?).into()
        }
        None => Place { district: query.district, municipality: query.municipality, ward: query.ward },
    };
    let found = options::load_options(&mut connection, &rules, &shop, &place, app.clock.now()).await?;
    Ok(PrivateResponse::ok(found.into()))
}
