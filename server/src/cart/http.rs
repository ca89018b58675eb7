//! The endpoints under `/api/cart/`.

use std::collections::BTreeMap;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Quote;
use super::contents::{self, Cart, CouponQuote};
use super::model::CartItems;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::money::Paisa;
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, NoStore, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_cart)).routes(routes!(update_cart)).routes(routes!(quote_coupon))
}

/// The contract defines `data` as the map alone, so everything else is beside it.
#[derive(Serialize, utoipa::ToSchema)]
struct CartResponse {
    success: bool,
    message: &'static str,
    /// Quantities by product id.
    #[schema(value_type = BTreeMap<String, i32>)]
    data: CartItems,
    /// Products that were in the cart and are no longer sold.
    dropped: Vec<DroppedProduct>,
    quote: Quote,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DroppedProduct)]
struct DroppedProduct {
    #[serde(rename = "_id")]
    id: String,
    name: String,
    #[schema(required)]
    name_ne: Option<String>,
}

impl From<Cart> for CartResponse {
    fn from(cart: Cart) -> Self {
        let dropped = cart.dropped.into_iter();
        Self {
            success: true,
            message: "",
            data: cart.items,
            dropped: dropped
                .map(|gone| DroppedProduct { id: gone.id, name: gone.name, name_ne: gone.name_ne })
                .collect(),
            quote: cart.quote,
        }
    }
}

/// Get the shopper's cart.
///
/// Products that are no longer sold are left out of `data`.
#[utoipa::path(
    get, path = "/api/cart/get_cart", tag = "cart", security(("shopper" = [])),
    responses((status = 200, body = CartResponse), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_cart(State(app): State<App>, Shopper(session): Shopper) -> Result<NoStore<CartResponse>, ApiError> {
    Ok(NoStore(contents::load(&app, session.person).await?.into()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CartUpdate {
    /// Quantities by product id; 0 removes the product.
    #[schema(value_type = BTreeMap<String, i32>)]
    cart_items: CartItems,
}

/// Replace the shopper's cart.
#[utoipa::path(
    post, path = "/api/cart/update_cart", tag = "cart", security(("shopper" = [])), request_body = CartUpdate,
    responses((status = 200, body = CartResponse), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_cart(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<CartUpdate>,
) -> Result<NoStore<CartResponse>, ApiError> {
    Ok(NoStore(contents::save(&app, session.person, body.cart_items).await?.into()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CouponQuoteRequest {
    code: String,
    /// Quantities by product id.
    #[schema(value_type = BTreeMap<String, i32>)]
    cart_items: CartItems,
}

#[derive(Serialize, utoipa::ToSchema)]
struct CouponQuoteResponse {
    /// The code as the shop writes it.
    code: String,
    /// The unit prices with the coupon, by product id, in rupees.
    #[schema(value_type = BTreeMap<String, f64>)]
    prices: BTreeMap<String, Paisa>,
    quote: Quote,
}

impl From<CouponQuote> for CouponQuoteResponse {
    fn from(quoted: CouponQuote) -> Self {
        Self { code: quoted.code, prices: quoted.prices, quote: quoted.quote }
    }
}

/// Quote a cart with a coupon.
///
/// The cart is not changed. 409 `coupon_unknown`, `coupon_not_begun`, `coupon_ended`, `coupon_minimum`, `coupon_used` or
/// `coupon_unavailable` says why the coupon cannot be used.
#[utoipa::path(
    post, path = "/api/cart/quote_coupon", tag = "cart", security(("shopper" = [])), request_body = CouponQuoteRequest,
    responses((status = 200, body = ApiResponse<CouponQuoteResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn quote_coupon(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(request): Json<CouponQuoteRequest>,
) -> Result<PrivateResponse<CouponQuoteResponse>, ApiError> {
    let quoted = contents::quote_coupon(&app, session.person, &request.code, request.cart_items).await?;
    Ok(PrivateResponse::ok(quoted.into()))
}
