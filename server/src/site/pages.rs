//! The handlers of the catalogue's pages: each provides the page's first data and the content of its head.
#![expect(clippy::indexing_slicing, reason = "reading a JSON value by a name that is missing gives null")]

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::assets;
use super::head::{self, Head};
use super::view::{self, ViewContext};
use crate::catalogue::{
    self, CatalogueError, CategoryResponse, Envelope, OfferFilter, ProductFilter, ProductList, ProductSort,
    ProductWithRelatedResponse,
};
use crate::platform::api_error::ApiError;
use crate::platform::cache::CachedResponse;
use crate::platform::config::Shop;
use crate::platform::language::Language;
use crate::platform::messages;
use crate::platform::state::App;
use crate::seasons::{self, CurrentSeason, SeasonResponse};
use crate::{coupons, shop};

/// The web app's page size; its first request and our first data must be for the same URL.
const PAGE: u16 = 24;
const CATEGORIES_URL: &str = "/api/category/get_category_public";
/// The `sizes` of the product picture in the templates and on the React page.
const PRODUCT_PICTURE_SIZES: &str = "256px";
/// Makes the browser choose the smallest picture; `web/src/features/media/picture.tsx` uses the same value.
const SMALLEST_PICTURE: &str = "1px";
/// Browsers send this header if the visitor has turned data saving on.
const SAVE_DATA: HeaderName = HeaderName::from_static("save-data");

/// Everything that a page's first HTML is rendered from.
pub struct PageContent {
    pub status: StatusCode,
    /// The name of the template and of the route in the first data.
    route: &'static str,
    /// The source file of the React page, which determines its scripts.
    module: &'static str,
    /// The responses that the page would request first, by URL.
    pub responses: Map<String, Value>,
    /// The data for the template.
    pub data: Value,
    title: String,
    description: String,
    pub canonical: Option<String>,
    image: Option<String>,
    structured: Vec<Value>,
    picture: Option<(String, &'static str)>,
    pub styles: &'static [String],
    /// When the content changes by the clock.
    valid_until: Option<DateTime<Utc>>,
}

pub struct PageContext<'a> {
    pub app: &'a App,
    shop: Arc<Shop>,
    season: CurrentSeason,
    pub language: Language,
    save_data: bool,
}

impl PageContext<'_> {
    pub fn message(&self, id: &'static str) -> &'static str {
        messages::text_by_id(self.language, id)
    }

    pub fn brand(&self) -> &str {
        let shop = &self.shop;
        if self.language == Language::Nepali { &shop.brand_ne } else { &shop.brand }
    }

    fn tagline(&self) -> &str {
        let shop = &self.shop;
        if self.language == Language::Nepali { &shop.tagline_ne } else { &shop.tagline }
    }

    /// The field in the reader's language, or in English if it is not translated.
    fn name<'v>(&self, object: &'v Value, field: &str) -> &'v str {
        let nepali = object[format!("{field}Ne")].as_str().filter(|text| !text.is_empty());
        let english = object[field].as_str().unwrap_or_default();
        if self.language == Language::Nepali { nepali.unwrap_or(english) } else { english }
    }

    pub fn page_content(&self, route: &'static str, module: &'static str, page: &str) -> PageContent {
        PageContent {
            status: StatusCode::OK,
            route,
            module,
            responses: Map::new(),
            data: json!({}),
            title: format!("{page} – {}", self.brand()),
            description: self.tagline().to_owned(),
            canonical: None,
            image: None,
            structured: Vec::new(),
            picture: None,
            styles: &[],
            valid_until: None,
        }
    }
}

async fn fetch_categories(app: &App) -> Result<Value, CatalogueError> {
    let cached = catalogue::cached_categories(app).await?;
    let data: Vec<CategoryResponse> = cached.categories.iter().map(CategoryResponse::from).collect();
    Ok(serde_json::to_value(Envelope { success: true, message: "", data })?)
}

async fn fetch_products(app: &App, filter: &ProductFilter) -> Result<Value, CatalogueError> {
    Ok(serde_json::to_value(ProductList::from(catalogue::list_products(app, filter).await?))?)
}

/// The URL with which the web app requests a list: keys in alphabetical order, defaults left out.
fn list_url(filter: &ProductFilter) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Call<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        category: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        discounted: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        in_stock: Option<bool>,
        limit: u16,
        #[serde(skip_serializing_if = "Option::is_none")]
        max_price: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        min_price: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        search: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        sort: Option<&'static str>,
    }
    let call = Call {
        category: filter.category.as_deref(),
        discounted: filter.offer.discounted.then_some(true),
        in_stock: filter.offer.in_stock.then_some(true),
        limit: PAGE,
        max_price: filter.offer.max_price,
        min_price: filter.offer.min_price,
        search: filter.search.as_deref(),
        sort: (filter.sort != ProductSort::Featured).then(|| filter.sort.name()),
    };
    format!("/api/product/get_products?{}", serde_urlencoded::to_string(call).unwrap_or_default())
}

pub async fn home(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    respond(&app, &headers, "/", PageQuery::default(), async |context| {
        let filter = ProductFilter { limit: Some(PAGE), ..ProductFilter::default() };
        let categories = fetch_categories(context.app).await?;
        let list = fetch_products(context.app, &filter).await?;
        let mut content =
            context.page_content("home", "src/pages/storefront/home-page.tsx", context.message("home.title"));
        content.canonical = Some("/".to_owned());
        content.structured.push(head::organization(&context.app.config, &context.shop));
        content.data = view::list_data(&categories, &list);
        content.responses.insert(CATEGORIES_URL.to_owned(), categories);
        content.responses.insert(list_url(&filter), list);
        Ok(content)
    })
    .await
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListQuery {
    #[serde(default)]
    search: String,
    #[serde(default)]
    category: String,
    #[serde(default)]
    sort: String,
    #[serde(default)]
    min_price: Option<u32>,
    #[serde(default)]
    max_price: Option<u32>,
    #[serde(default)]
    in_stock: bool,
    #[serde(default)]
    discounted: bool,
}

impl ListQuery {
    /// A malformed query shows the plain page instead of an error.
    fn read(query: Result<Query<Self>, QueryRejection>) -> Self {
        query.map(|Query(query)| query).unwrap_or_default()
    }

    /// The filter of the page; an unknown sort order means the default one, as in the web app.
    fn to_filter(&self) -> ProductFilter {
        let filled = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let sort = ProductSort::from_name(&self.sort).unwrap_or_default();
        ProductFilter {
            search: filled(&self.search),
            category: filled(&self.category),
            offer: OfferFilter {
                min_price: self.min_price,
                max_price: self.max_price,
                in_stock: self.in_stock,
                discounted: self.discounted,
            },
            sort,
            limit: Some(PAGE),
            cursor: None,
        }
    }
}

pub async fn products(
    State(app): State<App>,
    headers: HeaderMap,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let filter = ListQuery::read(query).to_filter();
    let request = list_url(&filter);
    let shown = PageQuery {
        search: filter.search.as_deref().unwrap_or_default(),
        category: filter.category.as_deref().unwrap_or_default(),
        sort: filter.sort.name(),
    };
    respond(&app, &headers, &request, shown, async |context| {
        let categories = fetch_categories(context.app).await?;
        let list = fetch_products(context.app, &filter).await?;
        let mut content =
            context.page_content("products", "src/pages/storefront/products-page.tsx", context.message("nav.products"));
        // The plain list has one canonical URL; the endless variety of searches stays out of search engines.
        let plain = filter.search.is_none()
            && filter.category.is_none()
            && !filter.offer.is_set()
            && filter.sort == ProductSort::Featured;
        content.canonical = plain.then(|| "/products".to_owned());
        content.data = view::list_data(&categories, &list);
        // The first view keeps a line for the filters, which only the web app names.
        content.data["filtered"] = filter.offer.is_set().into();
        content.responses.insert(CATEGORIES_URL.to_owned(), categories);
        content.responses.insert(request.clone(), list);
        Ok(content)
    })
    .await
}

/// Lists the public coupons and the products on sale at a lower price, or says that offers are coming.
pub async fn offers(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    respond(&app, &headers, "/offers", PageQuery::default(), async |context| {
        let offer = OfferFilter { discounted: true, ..OfferFilter::default() };
        let filter = ProductFilter { offer, limit: Some(PAGE), ..ProductFilter::default() };
        let list = fetch_products(context.app, &filter).await?;
        let (public_coupons, valid_until) = coupons::load_public_coupons(context.app).await?;
        let public_coupons = serde_json::to_value(public_coupons)?;
        let module = "src/pages/storefront/offers-page.tsx";
        let mut content = context.page_content("offers", module, context.message("nav.offers"));
        content.canonical = Some("/offers".to_owned());
        content.valid_until = valid_until;
        if public_coupons["data"].as_array().is_some_and(|coupons| !coupons.is_empty()) {
            content.styles = assets::page_styles(module);
        }
        content.data = json!({ "products": list["data"], "coupons": public_coupons["data"] });
        content.responses.insert(list_url(&filter), list);
        content.responses.insert(coupons::PUBLIC_COUPONS.to_owned(), public_coupons);
        Ok(content)
    })
    .await
}

pub async fn categories(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    respond(&app, &headers, "/categories", PageQuery::default(), async |context| {
        let categories = fetch_categories(context.app).await?;
        let title = context.message("categories.title");
        let mut content = context.page_content("categories", "src/pages/storefront/categories-page.tsx", title);
        content.canonical = Some("/categories".to_owned());
        content.data = json!({ "categories": categories["data"] });
        content.responses.insert(CATEGORIES_URL.to_owned(), categories);
        Ok(content)
    })
    .await
}

pub async fn category(
    State(app): State<App>,
    headers: HeaderMap,
    Path(name): Path<String>,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let sort = ListQuery::read(query).to_filter().sort;
    let request = format!("/category/{name}?sort={}", sort.name());
    let shown = PageQuery { sort: sort.name(), ..PageQuery::default() };
    respond(&app, &headers, &request, shown, async |context| {
        let module = "src/pages/storefront/category-page.tsx";
        let categories = fetch_categories(context.app).await?;
        let cached = catalogue::cached_categories(context.app).await?;
        let Some(found) = cached.category(&name) else {
            let mut content = context.page_content("category", module, context.message("category.notFound"));
            content.status = StatusCode::NOT_FOUND;
            content.responses.insert(CATEGORIES_URL.to_owned(), categories);
            return Ok(content);
        };
        let filter =
            ProductFilter { category: Some(found.slug.clone()), sort, limit: Some(PAGE), ..ProductFilter::default() };
        let list = fetch_products(context.app, &filter).await?;
        let shown = serde_json::to_value(CategoryResponse::from(found))?;
        let path = format!("/category/{}", found.slug);
        let mut content = context.page_content("category", module, context.name(&shown, "name"));
        let description = context.name(&shown, "description");
        if !description.is_empty() {
            description.clone_into(&mut content.description);
        }
        content.image = shown["image"].as_str().map(str::to_owned);
        let steps = [
            (context.message("nav.home"), "/".to_owned()),
            (context.message("nav.categories"), "/categories".to_owned()),
            (context.name(&shown, "name"), path.clone()),
        ];
        content.structured.push(head::breadcrumbs(&context.app.config, &steps));
        content.canonical = Some(path);
        content.data = view::list_data(&categories, &list);
        content.data["category"] = shown;
        content.responses.insert(CATEGORIES_URL.to_owned(), categories);
        content.responses.insert(list_url(&filter), list);
        Ok(content)
    })
    .await
}

pub async fn product(
    State(app): State<App>,
    headers: HeaderMap,
    Path((category, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let request = format!("/product/{category}/{id}");
    respond(&app, &headers, &request, PageQuery::default(), async |context| {
        let module = "src/pages/storefront/product-page.tsx";
        let shown = match catalogue::get_product(context.app, &id).await {
            Ok(shown) => shown,
            Err(CatalogueError::ProductNotFound) => {
                let mut content = context.page_content("product", module, context.message("product.notFound"));
                content.status = StatusCode::NOT_FOUND;
                return Ok(content);
            }
            Err(error) => return Err(error),
        };
        let envelope = serde_json::to_value(Envelope {
            success: true,
            message: "",
            data: ProductWithRelatedResponse::from(shown),
        })?;
        let product = &envelope["data"]["product"];
        let slug = product["categorySlug"].as_str().unwrap_or_default();
        let path = format!("/product/{slug}/{}", product["_id"].as_str().unwrap_or_default());
        let name = context.name(product, "name");
        let mut content = context.page_content("product", module, name);
        context.name(product, "description").clone_into(&mut content.description);
        content.image = product["image"].as_str().map(str::to_owned);
        content.picture = product["imageSet"].as_str().map(|set| (set.to_owned(), PRODUCT_PICTURE_SIZES));
        let steps = [
            (context.message("nav.home"), "/".to_owned()),
            (context.message("nav.categories"), "/categories".to_owned()),
            (context.name(product, "category"), format!("/category/{slug}")),
            (name, path.clone()),
        ];
        content.structured.push(head::product(&context.app.config, product, &path));
        content.structured.push(head::breadcrumbs(&context.app.config, &steps));
        content.data = json!({ "product": product });
        content.canonical = Some(path);
        content.responses.insert(format!("/api/product/get_product/{id}"), envelope);
        Ok(content)
    })
    .await
}

/// The page's own query, as the template shows it.
pub struct PageQuery<'a> {
    search: &'a str,
    sort: &'a str,
    category: &'a str,
}

impl Default for PageQuery<'_> {
    fn default() -> Self {
        Self { search: "", sort: ProductSort::Featured.name(), category: "" }
    }
}

pub async fn respond(
    app: &App,
    headers: &HeaderMap,
    request: &str,
    shown: PageQuery<'_>,
    open: impl AsyncFnOnce(&PageContext<'_>) -> Result<PageContent, CatalogueError>,
) -> Result<Response, ApiError> {
    let language = Language::from_headers(headers);
    let save_data = headers.get(&SAVE_DATA).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"on"));
    let key = format!("page {}{} {request}", language.code(), if save_data { " save_data" } else { "" });
    let make = async || {
        let (shop, season) = (shop::load_or_last_known(app).await, seasons::load_current(app).await);
        let context = PageContext { app, shop, season, language, save_data };
        let content = open(&context).await?;
        Ok::<_, CatalogueError>(render_html(&context, content, &shown))
    };
    let answer: Arc<CachedResponse> = app.cache.get(&key, make).await?;
    let mut page = answer.respond(headers).await;
    page.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding, cookie, save-data"));
    Ok(page)
}

fn render_html(context: &PageContext<'_>, content: PageContent, shown: &PageQuery<'_>) -> CachedResponse {
    let PageContext { app, ref shop, ref season, language, save_data } = *context;
    let current_season = season.season.as_ref().map(SeasonResponse::from);
    let view_context = ViewContext {
        language,
        shop,
        season: current_season.as_ref(),
        search: shown.search,
        sort: shown.sort,
        category: shown.category,
        save_data,
    };
    let first_view = view::render(content.route, &view_context, &content.data);
    let first_data = json!({
        "lang": language.code(),
        "route": content.route,
        "settings": view::settings(shop, current_season.as_ref()),
        "responses": content.responses,
    });
    let head = Head {
        title: content.title,
        description: content.description,
        canonical: content.canonical,
        image: content.image,
        structured: content.structured,
        picture: content.picture.map(|(set, sizes)| (set, if save_data { SMALLEST_PICTURE } else { sizes })),
        styles: content.styles,
        scripts: assets::page_scripts(content.module, language),
    };
    let data =
        format!("<script type=\"application/json\" id=\"first-data\">{}</script>", head::script_json(&first_data));
    let html = assets::index()
        .replace("{{ lang }}", language.code())
        .replace("<!--head-->", &head.render(&app.config, &shop.brand))
        .replace("<!--first-view-->", &first_view)
        .replace("<!--first-data-->", &data);
    CachedResponse::new(content.route, content.status, "text/html; charset=utf-8", html)
        .valid_until(content.valid_until.into_iter().chain(season.valid_until).min())
}
