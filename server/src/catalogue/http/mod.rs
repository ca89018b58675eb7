//! The endpoints of the catalogue with their request and response types: those for shoppers in this file, the seller's
//! beside it. The contract's names (`_id`, `totalproducts`) are defined here.

mod import_export;
mod seller;

use axum::extract::{Path, State};
use axum::response::Response;
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub use self::seller::{current_category_json, current_product_json};
use super::CatalogueError;
use super::browse::{self, ProductFilter, ProductPage, ProductWithRelated};
use super::model::{Category, Product, ProductSort, TaxClass};
use crate::media;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::cache::CachedResponse;
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::platform::web::Query;

const MAX_IDS: usize = 100;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_products))
        .routes(routes!(get_product))
        .routes(routes!(get_products_by_ids))
        .routes(routes!(get_category_public))
        .merge(seller::routes())
        .merge(import_export::routes())
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Product)]
pub struct ProductResponse {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The same as `_id`.
    #[serde(rename = "id")]
    pub same_id: Uuid,
    pub slug: String,
    pub name: String,
    #[schema(required)]
    pub name_ne: Option<String>,
    pub description: String,
    #[schema(required)]
    pub description_ne: Option<String>,
    /// The name of its category.
    pub category: String,
    #[schema(required)]
    pub category_ne: Option<String>,
    pub category_slug: String,
    /// Rupees, at most two decimals.
    #[schema(value_type = f64)]
    pub price: Paisa,
    #[schema(inline)]
    pub tax_class: TaxClass,
    #[schema(required)]
    pub image: Option<String>,
    /// The value of the attribute `srcset`.
    #[schema(required)]
    pub image_set: Option<String>,
    pub tags: Vec<String>,
    pub tags_ne: Vec<String>,
    pub rating: Tenths,
    pub reviews: i32,
    pub stock: i32,
    #[schema(required)]
    pub unit: Option<UnitResponse>,
    #[schema(required)]
    pub unit_price: Option<UnitPriceResponse>,
}

/// A number with one decimal.
#[derive(Debug, Clone, Copy, utoipa::ToSchema)]
#[schema(value_type = f64)]
pub struct Tenths(i16);

impl Serialize for Tenths {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 10.0)
    }
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Unit)]
pub struct UnitResponse {
    pub amount: f64,
    pub measure: String,
    pub label: String,
    #[schema(required)]
    pub label_ne: Option<String>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = UnitPrice)]
pub struct UnitPriceResponse {
    #[schema(value_type = f64)]
    pub price: Paisa,
    /// `kg`, `l` or `piece`.
    pub per: &'static str,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Category)]
pub struct CategoryResponse {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    #[schema(required)]
    pub name_ne: Option<String>,
    pub slug: String,
    pub description: String,
    #[schema(required)]
    pub description_ne: Option<String>,
    #[schema(required)]
    pub image: Option<String>,
    #[schema(required)]
    pub image_set: Option<String>,
    #[schema(required)]
    pub icon: Option<String>,
    #[serde(rename = "totalproducts")]
    pub total_products: i64,
}

/// The envelope of public responses.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Envelope<T> {
    pub success: bool,
    pub message: &'static str,
    pub data: T,
}

impl<T> Envelope<T> {
    fn of(data: T) -> Self {
        Self { success: true, message: "", data }
    }
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductList {
    pub success: bool,
    pub message: &'static str,
    /// The products on sale; with `search`, exactly those whose name contains the text, regardless of case.
    pub data: Vec<ProductResponse>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
    /// The number of products in `data` and `matches` over all pages.
    pub total: i64,
    /// True when counting stopped because there are more than `total`.
    pub total_capped: bool,
    /// In a search, after the last of `data`: products found by their Nepali name, an alias, a tag or a Romanised
    /// spelling.
    pub matches: Vec<ProductResponse>,
    /// Products that a typing error may have meant; only on the first page of a search, if it holds all of `data`.
    pub similar: Vec<ProductResponse>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = ProductWithRelated)]
pub struct ProductWithRelatedResponse {
    pub product: ProductResponse,
    pub related: Vec<ProductResponse>,
}

impl From<Product> for ProductResponse {
    fn from(product: Product) -> Self {
        let picture = product.picture_key.as_deref().and_then(media::picture_urls);
        let unit_price = product.unit_price().map(|(price, per)| UnitPriceResponse { price, per });
        let unit = match (product.pack_milli, product.pack_measure, product.pack_label) {
            (Some(milli), Some(measure), Some(label)) => Some(UnitResponse {
                amount: f64::from(milli) / 1000.0,
                measure,
                label,
                label_ne: product.pack_label_ne,
            }),
            _ => None,
        };
        let (image, image_set) = picture.map(|picture| (picture.widest, picture.srcset)).unzip();
        Self {
            id: product.id,
            same_id: product.id,
            slug: product.slug,
            name: product.name,
            name_ne: product.name_ne,
            description: product.description,
            description_ne: product.description_ne,
            category: product.category,
            category_ne: product.category_ne,
            category_slug: product.category_slug,
            price: product.price,
            tax_class: product.tax_class,
            image,
            image_set,
            tags: product.tags,
            tags_ne: product.tags_ne,
            rating: Tenths(product.rating_tenths),
            reviews: product.reviews,
            stock: product.stock,
            unit,
            unit_price,
        }
    }
}

impl From<&Category> for CategoryResponse {
    fn from(category: &Category) -> Self {
        let picture = category.picture_key.as_deref().and_then(media::picture_urls);
        let icon = category.icon_key.as_deref().and_then(media::picture_urls);
        let (image, image_set) = picture.map(|picture| (picture.widest, picture.srcset)).unzip();
        Self {
            id: category.id,
            name: category.name.clone(),
            name_ne: category.name_ne.clone(),
            slug: category.slug.clone(),
            description: category.description.clone(),
            description_ne: category.description_ne.clone(),
            image,
            image_set,
            icon: icon.map(|icon| icon.widest),
            total_products: category.products,
        }
    }
}

impl From<ProductPage> for ProductList {
    fn from(page: ProductPage) -> Self {
        Self {
            success: true,
            message: "",
            data: page.products.into_iter().map(ProductResponse::from).collect(),
            next_cursor: page.next_cursor,
            total: page.total,
            total_capped: page.total_capped,
            matches: page.matches.into_iter().map(ProductResponse::from).collect(),
            similar: page.similar.into_iter().map(ProductResponse::from).collect(),
        }
    }
}

impl From<ProductWithRelated> for ProductWithRelatedResponse {
    fn from(detail: ProductWithRelated) -> Self {
        Self {
            product: detail.product.into(),
            related: detail.related.into_iter().map(ProductResponse::from).collect(),
        }
    }
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct ProductQuery {
    /// Any part of the product's name; case-insensitive.
    search: Option<String>,
    /// Slug or name of a category; case-insensitive.
    category: Option<String>,
    #[serde(default)]
    #[param(inline)]
    sort: ProductSort,
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
            sort: query.sort,
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
    let ids: Vec<Uuid> = query.ids.split(',').filter_map(|id| id.trim().parse().ok()).collect();
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
    let ProductFilter { search, category, sort, cursor, limit } = filter;
    let limit = limit.filter(|limit| *limit < browse::MAX_PAGE_SIZE).map(|limit| limit.to_string());
    let sort = (*sort != ProductSort::default()).then(|| sort.name());
    let known = [
        ("search", search.as_deref()),
        ("category", category.as_deref()),
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
