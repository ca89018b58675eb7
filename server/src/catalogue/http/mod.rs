//! The endpoints of the catalogue: those for shoppers in this file, the seller's beside it.

mod import_export;
mod parameters;
mod responses;
mod sale_prices;
mod seller_categories;
mod seller_products;

use axum::extract::{Path, State};
use axum::response::Response;
use http::HeaderMap;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::parameters::SortParameter;
pub use self::responses::{CategoryResponse, Envelope, ProductList, ProductResponse, ProductWithRelatedResponse};
pub use self::seller_categories::current_category_json;
pub use self::seller_products::current_product_json;
use super::browse::{self, ProductFilter};
use super::error::CatalogueError;
use super::model::{OfferFilter, ProductSort};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::cache::CachedResponse;
use crate::platform::ids::ProductId;
use crate::platform::state::App;
use crate::platform::web::Query;

const MAX_IDS: usize = 100;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_products))
        .routes(routes!(get_product))
        .routes(routes!(get_products_by_ids))
        .routes(routes!(get_category_public))
        .merge(seller_products::routes())
        .merge(sale_prices::routes())
        .merge(seller_categories::routes())
        .merge(import_export::routes())
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct ProductQuery {
    /// Any part of the product's name; case-insensitive.
    search: Option<String>,
    /// Slug or name of a category; case-insensitive.
    category: Option<String>,
    /// Only products of at least this price, in whole rupees.
    min_price: Option<u32>,
    /// Only products of at most this price, in whole rupees.
    max_price: Option<u32>,
    /// Only products in stock.
    #[serde(default)]
    #[param(required = false)]
    in_stock: bool,
    /// Only products whose price is lower than before, because a sale runs.
    #[serde(default)]
    #[param(required = false)]
    discounted: bool,
    #[serde(default)]
    #[param(inline)]
    sort: SortParameter,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// At most 500, which is also the default.
    limit: Option<u16>,
}

impl From<ProductQuery> for ProductFilter {
    fn from(query: ProductQuery) -> Self {
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        Self {
            search: filled(query.search),
            category: filled(query.category),
            offer: OfferFilter {
                min_price: query.min_price,
                max_price: query.max_price,
                in_stock: query.in_stock,
                discounted: query.discounted,
            },
            sort: query.sort.into(),
            cursor: filled(query.cursor),
            limit: query.limit,
        }
    }
}

/// List or search products.
#[utoipa::path(
    get, path = "/api/product/get_products", tag = "catalogue", params(ProductQuery),
    responses((status = 200, body = ProductList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_products(
    State(app): State<App>,
    headers: HeaderMap,
    Query(query): Query<ProductQuery>,
) -> Result<Response, ApiError> {
    let filter = ProductFilter::from(query);
    let key = products_key(&filter);
    let make = async || {
        Ok(CachedResponse::json(GET_PRODUCTS, &ProductList::from(browse::list_products(&app, &filter).await?))?)
    };
    let answer = app.cache.get::<CatalogueError, _>(&key, make).await?;
    Ok(answer.respond(&headers).await)
}

/// Get a product and others of its category.
#[utoipa::path(
    get, path = "/api/product/get_product/{id}", tag = "catalogue", params(("id" = String, Path)),
    responses((status = 200, body = Envelope<ProductWithRelatedResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_product(State(app): State<App>, headers: HeaderMap, Path(id): Path<String>) -> Result<Response, ApiError> {
    let key = format!("{GET_PRODUCT}{id}");
    let make = async || {
        let detail = ProductWithRelatedResponse::from(browse::get_product(&app, &id).await?);
        Ok(CachedResponse::json("/api/product/get_product/{id}", &Envelope::of(detail))?)
    };
    Ok(app.cache.get::<CatalogueError, _>(&key, make).await?.respond(&headers).await)
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct IdsQuery {
    /// Product ids, separated by commas, at most 100.
    ids: String,
}

/// List the products with these ids that are on sale.
#[utoipa::path(
    get, path = "/api/product/get_products_by_ids", tag = "catalogue", params(IdsQuery),
    responses((status = 200, body = Envelope<Vec<ProductResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_products_by_ids(
    State(app): State<App>,
    headers: HeaderMap,
    Query(query): Query<IdsQuery>,
) -> Result<Response, ApiError> {
    let ids: Vec<ProductId> = query.ids.split(',').filter_map(|id| id.trim().parse().ok()).collect();
    if ids.len() > MAX_IDS {
        return Err(CatalogueError::TooManyIds.into());
    }
    // The response is not cached, because every cart has its own list and needs the current stock.
    let found = browse::find_products(&app, &ids).await?;
    let data: Vec<ProductResponse> = found.into_iter().map(ProductResponse::from).collect();
    let answer =
        CachedResponse::json("/api/product/get_products_by_ids", &Envelope::of(data)).map_err(CatalogueError::from)?;
    Ok(answer.respond(&headers).await)
}

/// List all categories for shoppers.
#[utoipa::path(
    get, path = "/api/category/get_category_public", tag = "catalogue",
    responses((status = 200, body = Envelope<Vec<CategoryResponse>>), (status = "5XX", body = ErrorBody)),
)]
async fn get_category_public(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let make = async || {
        let cached = browse::cached_categories(&app).await?;
        let data: Vec<CategoryResponse> = cached.categories.iter().map(CategoryResponse::from).collect();
        Ok(CachedResponse::json(GET_CATEGORIES, &Envelope::of(data))?)
    };
    Ok(app.cache.get::<CatalogueError, _>(GET_CATEGORIES, make).await?.respond(&headers).await)
}

const GET_PRODUCTS: &str = "/api/product/get_products";
const GET_PRODUCT: &str = "/api/product/get_product/";
const GET_CATEGORIES: &str = "/api/category/get_category_public";

/// Returns the cache key of a public call, made from the parameters that the call knows: any other parameter changes
/// neither the response nor the key.
pub fn cache_key(uri: &http::Uri) -> Option<String> {
    let path = uri.path();
    if path == GET_PRODUCTS {
        let query: ProductQuery = serde_urlencoded::from_str(uri.query().unwrap_or_default()).ok()?;
        return Some(products_key(&query.into()));
    }
    (path == GET_CATEGORIES || path.starts_with(GET_PRODUCT)).then(|| path.to_owned())
}

/// The key contains only what differs from a call without parameters, always in the same order and spelling.
fn products_key(filter: &ProductFilter) -> String {
    let ProductFilter { search, category, offer, sort, cursor, limit } = filter;
    let [min_price, max_price] = [offer.min_price, offer.max_price].map(|price| price.map(|price| price.to_string()));
    let limit = limit.filter(|limit| *limit < browse::MAX_PAGE_SIZE).map(|limit| limit.to_string());
    let sort = (*sort != ProductSort::default()).then(|| sort.name());
    let known = [
        ("search", search.as_deref()),
        ("category", category.as_deref()),
        ("minPrice", min_price.as_deref()),
        ("maxPrice", max_price.as_deref()),
        ("inStock", offer.in_stock.then_some("true")),
        ("discounted", offer.discounted.then_some("true")),
        ("sort", sort),
        ("cursor", cursor.as_deref()),
        ("limit", limit.as_deref()),
    ];
    let given: Vec<(&str, &str)> = known.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    // The values are encoded, so that none can pass for two parameters.
    match serde_urlencoded::to_string(&given) {
        Ok(query) if !query.is_empty() => format!("{GET_PRODUCTS}?{query}"),
        Ok(_) | Err(_) => GET_PRODUCTS.to_owned(),
    }
}
