//! One handler a page: which data it opens with, and what its head says.
#![expect(clippy::indexing_slicing, reason = "reading a JSON value by a name that is missing gives null")]

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::assets;
use super::head::{self, Head};
use super::phrases::phrase;
use super::view::{self, Around};
use crate::catalogue::{self, CatalogueError, CategoryOut, Envelope, ProductList, ShownOut, Sort, Wanted};
use crate::platform::answers::Answer;
use crate::platform::api_error::ApiError;
use crate::platform::config::Shop;
use crate::platform::sessions::Kind;
use crate::platform::state::App;
use crate::platform::web::Language;
use crate::shop;

/// The web app's page size; its first request and our first data must be the same request.
const PAGE: u16 = 24;
const CATEGORIES_CALL: &str = "/api/category/get_category_public";
/// The product picture as the templates and the React page size it.
const PRODUCT_PICTURE_SIZES: &str = "256px";
/// The browser takes the smallest picture there is; `web/src/features/media/picture.tsx` asks for the same.
const SMALLEST_PICTURE: &str = "1px";
/// What a browser sends whose owner has asked it to save data.
const SAVE_DATA: HeaderName = HeaderName::from_static("save-data");

/// Everything that a page's first HTML is made of.
struct Opening {
    status: StatusCode,
    /// Name of the template and of the route in the first data.
    route: &'static str,
    /// The React page, for its script.
    module: &'static str,
    /// Answers that the page would ask for first, by the address it would ask.
    responses: Map<String, Value>,
    /// What the template draws from.
    data: Value,
    title: String,
    description: String,
    canonical: Option<String>,
    image: Option<String>,
    structured: Vec<Value>,
    picture: Option<(String, &'static str)>,
    styles: &'static [String],
}

struct Visit<'a> {
    app: &'a App,
    shop: Arc<Shop>,
    language: Language,
    saver: bool,
}

impl Visit<'_> {
    fn say(&self, id: &'static str) -> &'static str {
        phrase(self.language, id)
    }

    fn brand(&self) -> &str {
        let shop = &self.shop;
        if self.language == Language::Nepali { &shop.brand_ne } else { &shop.brand }
    }

    fn tagline(&self) -> &str {
        let shop = &self.shop;
        if self.language == Language::Nepali { &shop.tagline_ne } else { &shop.tagline }
    }

    /// The name in the reader's language.
    fn name<'v>(&self, object: &'v Value, field: &str) -> &'v str {
        let nepali = object[format!("{field}Ne")].as_str().filter(|text| !text.is_empty());
        let english = object[field].as_str().unwrap_or_default();
        if self.language == Language::Nepali { nepali.unwrap_or(english) } else { english }
    }

    fn opening(&self, route: &'static str, module: &'static str, page: &str) -> Opening {
        Opening {
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
        }
    }
}

async fn categories_envelope(app: &App) -> Result<Value, CatalogueError> {
    let facts = catalogue::facts(app).await?;
    let data: Vec<CategoryOut> = facts.categories.iter().map(CategoryOut::from).collect();
    Ok(serde_json::to_value(Envelope { success: true, message: "", data })?)
}

async fn list_envelope(app: &App, wanted: &Wanted) -> Result<Value, CatalogueError> {
    Ok(serde_json::to_value(ProductList::from(catalogue::page(app, wanted).await?))?)
}

/// The address the web app asks for a list: keys in alphabetical order, defaults left out.
fn list_call(wanted: &Wanted) -> String {
    #[derive(Serialize)]
    struct Call<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        category: Option<&'a str>,
        limit: u16,
        #[serde(skip_serializing_if = "Option::is_none")]
        search: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        sort: Option<&'static str>,
    }
    let call = Call {
        category: wanted.category.as_deref(),
        limit: PAGE,
        search: wanted.search.as_deref(),
        sort: (wanted.sort != Sort::Featured).then(|| wanted.sort.name()),
    };
    format!("/api/product/get_products?{}", serde_urlencoded::to_string(call).unwrap_or_default())
}

pub async fn home(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    answer(&app, &headers, "/", QueryShown::default(), async |visit| {
        let wanted = Wanted { limit: Some(PAGE), ..Wanted::default() };
        let categories = categories_envelope(visit.app).await?;
        let list = list_envelope(visit.app, &wanted).await?;
        let mut opening = visit.opening("home", "src/pages/storefront/home-page.tsx", visit.say("home.title"));
        opening.canonical = Some("/".to_owned());
        opening.structured.push(head::organization(&visit.app.config, &visit.shop));
        opening.data = json!({
            "categories": categories["data"], "products": list["data"], "total": list["total"],
            "nextCursor": list["nextCursor"],
        });
        opening.responses.insert(CATEGORIES_CALL.to_owned(), categories);
        opening.responses.insert(list_call(&wanted), list);
        Ok(opening)
    })
    .await
}

#[derive(Debug, Default, Deserialize)]
pub struct ListQuery {
    #[serde(default)]
    search: String,
    #[serde(default)]
    category: String,
    #[serde(default)]
    sort: String,
}

impl ListQuery {
    /// A query that cannot be read shows the plain page rather than an error.
    fn read(query: Result<Query<Self>, QueryRejection>) -> Self {
        query.map(|Query(query)| query).unwrap_or_default()
    }

    /// What the page shows; an order that does not exist is the default one, as in the web app.
    fn wanted(&self) -> Wanted {
        let filled = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let sort = serde_json::from_value(Value::String(self.sort.clone())).unwrap_or_default();
        Wanted { search: filled(&self.search), category: filled(&self.category), sort, limit: Some(PAGE), cursor: None }
    }
}

pub async fn products(
    State(app): State<App>,
    headers: HeaderMap,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let wanted = ListQuery::read(query).wanted();
    let request = list_call(&wanted);
    let shown = QueryShown {
        search: wanted.search.as_deref().unwrap_or_default(),
        category: wanted.category.as_deref().unwrap_or_default(),
        sort: wanted.sort.name(),
    };
    answer(&app, &headers, &request, shown, async |visit| {
        let categories = categories_envelope(visit.app).await?;
        let list = list_envelope(visit.app, &wanted).await?;
        let mut opening =
            visit.opening("products", "src/pages/storefront/products-page.tsx", visit.say("nav.products"));
        // One address for the whole list; the endless variety of searches stays out of search engines.
        let plain = wanted.search.is_none() && wanted.category.is_none() && wanted.sort == Sort::Featured;
        opening.canonical = plain.then(|| "/products".to_owned());
        opening.data = json!({
            "categories": categories["data"], "products": list["data"], "matches": list["matches"],
            "similar": list["similar"],
            "total": list["total"], "totalCapped": list["totalCapped"], "nextCursor": list["nextCursor"],
        });
        opening.responses.insert(CATEGORIES_CALL.to_owned(), categories);
        opening.responses.insert(request.clone(), list);
        Ok(opening)
    })
    .await
}

pub async fn categories(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    answer(&app, &headers, "/categories", QueryShown::default(), async |visit| {
        let categories = categories_envelope(visit.app).await?;
        let title = visit.say("categories.title");
        let mut opening = visit.opening("categories", "src/pages/storefront/categories-page.tsx", title);
        opening.canonical = Some("/categories".to_owned());
        opening.data = json!({ "categories": categories["data"] });
        opening.responses.insert(CATEGORIES_CALL.to_owned(), categories);
        Ok(opening)
    })
    .await
}

pub async fn category(
    State(app): State<App>,
    headers: HeaderMap,
    Path(name): Path<String>,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let sort = ListQuery::read(query).wanted().sort;
    let request = format!("/category/{name}?sort={}", sort.name());
    let shown = QueryShown { sort: sort.name(), ..QueryShown::default() };
    answer(&app, &headers, &request, shown, async |visit| {
        let module = "src/pages/storefront/category-page.tsx";
        let categories = categories_envelope(visit.app).await?;
        let facts = catalogue::facts(visit.app).await?;
        let Some(found) = facts.category(&name) else {
            let mut opening = visit.opening("category", module, visit.say("category.notFound"));
            opening.status = StatusCode::NOT_FOUND;
            opening.data = json!({ "category": null, "categories": categories["data"], "products": [], "total": 0 });
            opening.responses.insert(CATEGORIES_CALL.to_owned(), categories);
            return Ok(opening);
        };
        let wanted = Wanted { category: Some(found.slug.clone()), sort, limit: Some(PAGE), ..Wanted::default() };
        let list = list_envelope(visit.app, &wanted).await?;
        let shown = serde_json::to_value(CategoryOut::from(found))?;
        let path = format!("/category/{}", found.slug);
        let mut opening = visit.opening("category", module, visit.name(&shown, "name"));
        let description = visit.name(&shown, "description");
        if !description.is_empty() {
            description.clone_into(&mut opening.description);
        }
        opening.image = shown["image"].as_str().map(str::to_owned);
        let steps = [
            (visit.say("nav.home"), "/".to_owned()),
            (visit.say("nav.categories"), "/categories".to_owned()),
            (visit.name(&shown, "name"), path.clone()),
        ];
        opening.structured.push(head::breadcrumbs(&visit.app.config, &steps));
        opening.canonical = Some(path);
        opening.data = json!({
            "category": shown, "categories": categories["data"], "products": list["data"],
            "total": list["total"], "nextCursor": list["nextCursor"],
        });
        opening.responses.insert(CATEGORIES_CALL.to_owned(), categories);
        opening.responses.insert(list_call(&wanted), list);
        Ok(opening)
    })
    .await
}

pub async fn product(
    State(app): State<App>,
    headers: HeaderMap,
    Path((category, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let request = format!("/product/{category}/{id}");
    answer(&app, &headers, &request, QueryShown::default(), async |visit| {
        let module = "src/pages/storefront/product-page.tsx";
        let shown = match catalogue::product(visit.app, &id).await {
            Ok(shown) => shown,
            Err(CatalogueError::ProductNotFound) => {
                let mut opening = visit.opening("product", module, visit.say("product.notFound"));
                opening.status = StatusCode::NOT_FOUND;
                opening.data = json!({ "product": null, "related": [] });
                return Ok(opening);
            }
            Err(error) => return Err(error),
        };
        let envelope = serde_json::to_value(Envelope { success: true, message: "", data: ShownOut::from(shown) })?;
        let product = &envelope["data"]["product"];
        let slug = product["categorySlug"].as_str().unwrap_or_default();
        let path = format!("/product/{slug}/{}", product["_id"].as_str().unwrap_or_default());
        let name = visit.name(product, "name");
        let mut opening = visit.opening("product", module, name);
        visit.name(product, "description").clone_into(&mut opening.description);
        opening.image = product["image"].as_str().map(str::to_owned);
        opening.picture = product["imageSet"].as_str().map(|set| (set.to_owned(), PRODUCT_PICTURE_SIZES));
        let steps = [
            (visit.say("nav.home"), "/".to_owned()),
            (visit.say("nav.categories"), "/categories".to_owned()),
            (visit.name(product, "category"), format!("/category/{slug}")),
            (name, path.clone()),
        ];
        opening.structured.push(head::product(&visit.app.config, product, &path));
        opening.structured.push(head::breadcrumbs(&visit.app.config, &steps));
        opening.data = json!({ "product": product, "related": envelope["data"]["related"] });
        opening.canonical = Some(path);
        opening.responses.insert(format!("/api/product/get_product/{id}"), envelope);
        Ok(opening)
    })
    .await
}

pub async fn offers(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    fixed(&app, &headers, "offers", "src/pages/storefront/offers-page.tsx", "nav.offers", Some("/offers")).await
}

pub async fn about(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    fixed(&app, &headers, "about", "src/pages/storefront/about-page.tsx", "about.title", Some("/about")).await
}

pub async fn cart(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    fixed(&app, &headers, "plain", "src/pages/storefront/cart-page.tsx", "cart.title", None).await
}

pub async fn orders(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    fixed(&app, &headers, "plain", "src/pages/storefront/orders-page.tsx", "nav.myOrders", None).await
}

/// Its address holds what the wallet said; no request of the page carries that along.
pub async fn payment(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let mut page =
        fixed(&app, &headers, "plain", "src/pages/storefront/payment-page.tsx", "paystate.title", None).await?;
    page.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(page)
}

pub async fn profile(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    fixed(&app, &headers, "plain", "src/pages/storefront/profile-page.tsx", "profile.title", None).await
}

pub async fn add_address(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    fixed(&app, &headers, "plain", "src/pages/storefront/add-address-page.tsx", "address.title", None).await
}

pub async fn reset_password(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    fixed(&app, &headers, "plain", "src/pages/storefront/reset-password-page.tsx", "resetPassword.title", None).await
}

pub async fn confirm_email(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    fixed(&app, &headers, "plain", "src/pages/storefront/confirm-email-page.tsx", "confirmEmail.title", None).await
}

pub async fn cancel_email_change(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let page = "src/pages/storefront/cancel-email-change-page.tsx";
    fixed(&app, &headers, "plain", page, "cancelEmail.title", None).await
}

/// The pages of the seller dashboard by the last part of their path, and what each is headed.
const SELLER_PAGES: [(&str, &str); 13] = [
    ("", "seller.list"),
    ("add_product", "seller.addNew"),
    ("import", "simp.title"),
    ("orders", "seller.orders"),
    ("delivery", "sdesk.sheet.title"),
    ("categories", "nav.categories"),
    ("overview", "seller.overview"),
    ("attention", "seller.attention"),
    ("money", "seller.money"),
    ("settings", "seller.settings"),
    ("newsletter", "seller.newsletter"),
    ("audit", "seller.audit"),
    ("security", "seller.security"),
];

/// The dashboard's frame for a browser that may have a seller session, the login for all others. Who it is the page asks.
pub async fn seller(
    State(app): State<App>,
    headers: HeaderMap,
    page: Option<Path<String>>,
) -> Result<Response, ApiError> {
    let module = "src/pages/seller/seller-frame.tsx";
    let page = page.map(|Path(page)| page).unwrap_or_default();
    // Unknown pages share one cached answer, so that no visitor can fill the memory with them.
    let (name, heading) = SELLER_PAGES.into_iter().find(|(name, _)| *name == page).unwrap_or(("?", "seller.title"));
    let signed_in = Kind::Seller.hinted(&headers);
    let request = format!("{} {name}", if signed_in { "seller" } else { "seller-login" });
    answer(&app, &headers, &request, QueryShown::default(), async |visit| {
        let template = if signed_in { "seller" } else { "seller-login" };
        let mut opening = visit.opening(template, module, visit.say("seller.title"));
        opening.styles = assets::page_styles(module);
        let place = format!("/seller/{name}");
        opening.data = json!({ "heading": visit.say(heading), "place": place.trim_end_matches('/') });
        Ok(opening)
    })
    .await
}

/// A page that opens without data.
async fn fixed(
    app: &App,
    headers: &HeaderMap,
    route: &'static str,
    module: &'static str,
    title: &'static str,
    canonical: Option<&'static str>,
) -> Result<Response, ApiError> {
    answer(app, headers, module, QueryShown::default(), async |visit| {
        let title = visit.say(title).replace("{brand}", visit.brand());
        let mut opening = visit.opening(route, module, &title);
        opening.canonical = canonical.map(str::to_owned);
        Ok(opening)
    })
    .await
}

/// What stands under the icon on a home screen is the shop's own name, as the seller has set it.
pub async fn manifest(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let Some(built) = assets::manifest() else {
        return Err(ApiError::not_found("file_not_found", "File not found"));
    };
    let make = async || {
        let shop = shop::current(&app).await;
        let mut manifest: Map<String, Value> = serde_json::from_slice(built)?;
        for (field, said) in [("name", &shop.brand), ("short_name", &shop.brand), ("description", &shop.tagline)] {
            manifest.insert(field.to_owned(), json!(said));
        }
        let body = serde_json::to_vec(&manifest)?;
        Ok::<_, CatalogueError>(Answer::new("manifest", StatusCode::OK, "application/manifest+json", body))
    };
    let answer: Arc<Answer> = app.answers.get("manifest", make).await?;
    Ok(answer.respond(&headers).await)
}

/// A file at the root, or the page that says there is nothing here.
pub async fn other(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    if let Some(file) = assets::at_root(uri.path(), &headers, &app.config) {
        return Ok(file);
    }
    // All unknown addresses share one kept answer, so that nobody can fill the memory with them.
    answer(&app, &headers, "nowhere", QueryShown::default(), async |visit| {
        let title = visit.say("shell.notFound.title");
        let mut opening = visit.opening("not-found", "src/pages/storefront/not-found-page.tsx", title);
        opening.status = StatusCode::NOT_FOUND;
        Ok(opening)
    })
    .await
}

/// The page's own query, as the template shows it.
struct QueryShown<'a> {
    search: &'a str,
    sort: &'a str,
    category: &'a str,
}

impl Default for QueryShown<'_> {
    fn default() -> Self {
        Self { search: "", sort: Sort::Featured.name(), category: "" }
    }
}

async fn answer(
    app: &App,
    headers: &HeaderMap,
    request: &str,
    shown: QueryShown<'_>,
    open: impl AsyncFnOnce(&Visit<'_>) -> Result<Opening, CatalogueError>,
) -> Result<Response, ApiError> {
    let language = Language::of(headers);
    let saver = headers.get(&SAVE_DATA).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"on"));
    let key = format!("page {}{} {request}", language.code(), if saver { " saver" } else { "" });
    let make = async || {
        let visit = Visit { app, shop: shop::current(app).await, language, saver };
        let opening = open(&visit).await?;
        Ok::<_, CatalogueError>(assemble(&visit, opening, &shown))
    };
    let answer: Arc<Answer> = app.answers.get(&key, make).await?;
    let mut page = answer.respond(headers).await;
    page.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding, cookie, save-data"));
    Ok(page)
}

fn assemble(visit: &Visit<'_>, opening: Opening, shown: &QueryShown<'_>) -> Answer {
    let Visit { app, ref shop, language, saver } = *visit;
    let path = opening.canonical.clone().unwrap_or_default();
    let around =
        Around { language, shop, path: &path, search: shown.search, sort: shown.sort, category: shown.category, saver };
    let first_view = view::render(opening.route, &around, &opening.data);
    let first_data = json!({
        "lang": language.code(),
        "route": opening.route,
        "settings": **shop,
        "responses": opening.responses,
    });
    let head = Head {
        title: opening.title,
        description: opening.description,
        canonical: opening.canonical,
        image: opening.image,
        structured: opening.structured,
        picture: opening.picture.map(|(set, sizes)| (set, if saver { SMALLEST_PICTURE } else { sizes })),
        styles: opening.styles,
        scripts: assets::page_scripts(opening.module),
    };
    let data =
        format!("<script type=\"application/json\" id=\"first-data\">{}</script>", head::script_json(&first_data));
    let html = assets::index()
        .replace("{{ lang }}", language.code())
        .replace("<!--head-->", &head.render(&app.config, &shop.brand))
        .replace("<!--first-view-->", &first_view)
        .replace("<!--first-data-->", &data);
    Answer::new(opening.route, opening.status, "text/html; charset=utf-8", html)
}
