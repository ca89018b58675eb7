//! The public call under `/api/shop/`; the seller's calls are in the module `seller`, which writes the audit log.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ShopError;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::cache::CachedResponse;
use crate::platform::config::Rates;
use crate::platform::state::App;
use crate::platform::web::ApiResponse;

const RULES: &str = "/api/shop/get_rules";

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_rules))
}

/// What a cart is calculated with. The settings in every page have the same fields.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ShopRules {
    rates: Rates,
    /// A product with at most this many units counts as low in stock.
    low_stock: u32,
    /// Maximum number of different products in a cart.
    cart_lines: u32,
}

/// Get the current fees, tax and limits.
#[utoipa::path(
    get, path = "/api/shop/get_rules", tag = "shop",
    responses((status = 200, body = ApiResponse<ShopRules>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_rules(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let make = || async {
        let shop = super::load(&app).await?;
        let rules = ShopRules { rates: shop.rates, low_stock: shop.low_stock, cart_lines: shop.cart_lines };
        CachedResponse::json(RULES, &ApiResponse::ok(rules)).map_err(|_| ShopError::Unreadable)
    };
    let answer = app.cache.get(RULES, make).await?;
    Ok(answer.respond(&headers).await)
}
