//! The shopper's endpoints under `/api/wishlist`.

use axum::extract::{Path, State};
use axum::response::Response;
use http::HeaderMap;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::WishlistError;
use super::{buy_again, favourites, popular, stock_notices};
use crate::catalogue::{CatalogueError, Envelope, ProductResponse};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::cache::CachedResponse;
use crate::platform::ids::ProductId;
use crate::platform::messages::message;
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Empty, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_wishlist))
        .routes(routes!(get_buy_again))
        .routes(routes!(get_popular))
        .routes(routes!(add_favourite, remove_favourite))
        .routes(routes!(add_stock_notice, remove_stock_notice))
}

/// The ids of the products that a shopper has marked, newest first.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Wishlist)]
struct WishlistResponse {
    /// The favourites that are on sale.
    #[schema(value_type = Vec<String>, format = Uuid)]
    favourites: Vec<ProductId>,
    /// The products about which the shopper is told when they are in stock again.
    #[schema(value_type = Vec<String>, format = Uuid)]
    stock_notices: Vec<ProductId>,
}

fn parse_product(id: &str) -> Result<ProductId, WishlistError> {
    id.parse().map_err(|_| WishlistError::ProductNotFound)
}

/// List the shopper's favourites and the products that they wait for.
#[utoipa::path(
    get, path = "/api/wishlist", tag = "wishlist", security(("shopper" = [])),
    responses((status = 200, body = ApiResponse<WishlistResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_wishlist(
    State(app): State<App>,
    Shopper(session): Shopper,
) -> Result<PrivateResponse<WishlistResponse>, ApiError> {
    let favourites::Wishlist { favourites, stock_notices } = favourites::load(&app, session.person).await?;
    Ok(PrivateResponse::ok(WishlistResponse { favourites, stock_notices }))
}

/// List the products that the shopper has bought before and can buy again, most often bought first.
#[utoipa::path(
    get, path = "/api/wishlist/buy_again", tag = "wishlist", security(("shopper" = [])),
    responses((status = 200, body = ApiResponse<Vec<ProductResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_buy_again(
    State(app): State<App>,
    Shopper(session): Shopper,
) -> Result<PrivateResponse<Vec<ProductResponse>>, ApiError> {
    let products = buy_again::list(&app, session.person).await?;
    Ok(PrivateResponse::ok(products.into_iter().map(ProductResponse::from).collect()))
}

const GET_POPULAR: &str = "/api/wishlist/popular";

/// List the products in stock that most shoppers have bought in the last 14 days, at most 12.
///
/// A product that fewer than three shoppers have bought is not listed.
#[utoipa::path(
    get, path = "/api/wishlist/popular", tag = "wishlist",
    responses((status = 200, body = Envelope<Vec<ProductResponse>>), (status = "5XX", body = ErrorBody)),
)]
async fn get_popular(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let make = async || {
        let data: Vec<ProductResponse> = popular::list(&app).await?.into_iter().map(ProductResponse::from).collect();
        Ok(CachedResponse::json(GET_POPULAR, &Envelope::of(data))?)
    };
    Ok(app.cache.get::<CatalogueError, _>(GET_POPULAR, make).await?.respond(&headers).await)
}

/// Add a product to the shopper's favourites.
#[utoipa::path(
    put, path = "/api/wishlist/favourites/{product}", tag = "wishlist", security(("shopper" = [])),
    params(("product" = String, Path)),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_favourite(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(product): Path<String>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    favourites::add(&app, session.person, parse_product(&product)?).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.wishlist.favourite_added")))
}

/// Remove a product from the shopper's favourites.
#[utoipa::path(
    delete, path = "/api/wishlist/favourites/{product}", tag = "wishlist", security(("shopper" = [])),
    params(("product" = String, Path)),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn remove_favourite(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(product): Path<String>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    favourites::remove(&app, session.person, parse_product(&product)?).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.wishlist.favourite_removed")))
}

/// Ask to be told when a sold-out product is in stock again.
#[utoipa::path(
    put, path = "/api/wishlist/stock_notices/{product}", tag = "wishlist", security(("shopper" = [])),
    params(("product" = String, Path)),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_stock_notice(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(product): Path<String>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    stock_notices::add(&app, session.person, parse_product(&product)?).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.wishlist.notice_added")))
}

/// Withdraw the request to be told about a product.
#[utoipa::path(
    delete, path = "/api/wishlist/stock_notices/{product}", tag = "wishlist", security(("shopper" = [])),
    params(("product" = String, Path)),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn remove_stock_notice(
    State(app): State<App>,
    Shopper(session): Shopper,
    Path(product): Path<String>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    stock_notices::remove(&app, session.person, parse_product(&product)?).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.wishlist.notice_removed")))
}
