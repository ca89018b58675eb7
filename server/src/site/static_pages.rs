//! The handlers of the pages that open without data of the catalogue: static pages, the seller dashboard, the web app's
//! manifest and the page for unknown URLs.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use serde_json::{Map, Value, json};

use super::assets;
use super::pages::{PageQuery, respond};
use crate::catalogue::CatalogueError;
use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::ApiError;
use crate::platform::cache::CachedResponse;
use crate::platform::messages::{self, message};
use crate::platform::state::App;
use crate::shop;

pub async fn cart(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    static_page(&app, &headers, "plain", "src/pages/storefront/cart-page.tsx", "cart.title").await
}

pub async fn orders(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    static_page(&app, &headers, "plain", "src/pages/storefront/orders-page.tsx", "nav.myOrders").await
}

pub async fn favourites(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    static_page(&app, &headers, "plain", "src/pages/storefront/favourites-page.tsx", "favourites.title").await
}

/// The wallet adds its result to the URL of this page, so the page's requests must not send the URL as a referrer.
pub async fn payment(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let mut page =
        static_page(&app, &headers, "plain", "src/pages/storefront/payment-page.tsx", "payment.title").await?;
    page.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(page)
}

pub async fn profile(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    static_page(&app, &headers, "plain", "src/pages/storefront/profile-page.tsx", "profile.title").await
}

pub async fn add_address(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    static_page(&app, &headers, "plain", "src/pages/storefront/add-address-page.tsx", "address.title").await
}

pub async fn reset_password(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    static_page(&app, &headers, "plain", "src/pages/storefront/reset-password-page.tsx", "resetPassword.title").await
}

pub async fn confirm_email(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    static_page(&app, &headers, "plain", "src/pages/storefront/confirm-email-page.tsx", "confirmEmail.title").await
}

pub async fn cancel_email_change(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let page = "src/pages/storefront/cancel-email-change-page.tsx";
    static_page(&app, &headers, "plain", page, "cancelEmail.title").await
}

pub async fn unsubscribe(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    static_page(&app, &headers, "plain", "src/pages/storefront/unsubscribe-page.tsx", "unsubscribe.title").await
}

pub async fn confirm_newsletter(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let page = "src/pages/storefront/confirm-newsletter-page.tsx";
    static_page(&app, &headers, "plain", page, "newsletterLink.confirmTitle").await
}

pub async fn unsubscribe_newsletter(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let page = "src/pages/storefront/newsletter-unsubscribe-page.tsx";
    static_page(&app, &headers, "plain", page, "newsletterLink.unsubscribeTitle").await
}

pub async fn complaint(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    static_page(&app, &headers, "plain", "src/pages/storefront/complaint-page.tsx", "complaints.title").await
}

/// The pages of the seller dashboard by the last part of their path, and the message id of each heading.
const SELLER_PAGES: [(&str, &str); 27] = [
    ("", "seller.nav.products"),
    ("add_product", "seller.nav.addProduct"),
    ("import", "seller.imports.title"),
    ("orders", "seller.nav.orders"),
    ("packing", "seller.nav.packing"),
    ("delivery", "seller.delivery.title"),
    ("delivery-zones", "seller.nav.deliveryZones"),
    ("deliveries", "seller.nav.deliveries"),
    ("categories", "nav.categories"),
    ("coupons", "seller.nav.coupons"),
    ("seasons", "seller.nav.seasons"),
    ("overview", "seller.nav.overview"),
    ("attention", "seller.nav.attention"),
    ("money", "seller.nav.money"),
    ("bills", "seller.bills.title"),
    ("cash", "seller.nav.cash"),
    ("margin", "seller.margin.title"),
    ("stock", "seller.nav.stock"),
    ("settings", "seller.nav.settings"),
    ("newsletter", "seller.nav.newsletter"),
    ("audit", "seller.nav.audit"),
    ("policies", "seller.nav.policies"),
    ("complaints", "complaints.title"),
    ("security", "seller.nav.security"),
    ("staff", "seller.nav.staff"),
    ("join", "seller.join.title"),
    ("alerts", "seller.nav.alerts"),
];

/// Serves the frame of the dashboard to a browser that may have a seller session, and the login to all others. The page
/// itself asks who is signed in.
pub async fn seller(
    State(app): State<App>,
    headers: HeaderMap,
    page: Option<Path<String>>,
) -> Result<Response, ApiError> {
    seller_page(&app, &headers, &page.map(|Path(page)| page).unwrap_or_default()).await
}

pub async fn seller_complaint(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    seller_page(&app, &headers, "complaints").await
}

async fn seller_page(app: &App, headers: &HeaderMap, page: &str) -> Result<Response, ApiError> {
    let module = "src/pages/seller/seller-layout.tsx";
    // Unknown pages share one cached response, so that no visitor can fill the memory with them.
    let (name, heading) = SELLER_PAGES.into_iter().find(|(name, _)| *name == page).unwrap_or(("?", "seller.title"));
    // The invited person has no account yet, whoever else uses this browser.
    let signed_in = name != "join" && AccountKind::Seller.has_hint_cookie(headers);
    let heading = if signed_in || name == "join" { heading } else { "seller.login.title" };
    let request = format!("{} {name}", if signed_in { "seller" } else { "seller-login" });
    respond(app, headers, &request, PageQuery::default(), async |context| {
        let template = if signed_in { "seller" } else { "seller-login" };
        let mut content = context.page_content(template, module, context.message("seller.title"));
        content.styles = assets::page_styles(module);
        let place = format!("/seller/{name}");
        content.data = json!({ "heading": context.message(heading), "place": place.trim_end_matches('/') });
        Ok(content)
    })
    .await
}

/// Serves a page that opens without data.
async fn static_page(
    app: &App,
    headers: &HeaderMap,
    route: &'static str,
    module: &'static str,
    title: &'static str,
) -> Result<Response, ApiError> {
    respond(app, headers, module, PageQuery::default(), async |context| {
        let arguments = [("brand".into(), context.brand().into())].into();
        let title = messages::render_by_id(context.language, title, &arguments);
        Ok(context.page_content(route, module, &title))
    })
    .await
}

/// The name under the icon on a home screen is the shop's own, as the seller has set it.
pub async fn manifest(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let Some(built) = assets::manifest() else {
        return Err(ApiError::not_found("file_not_found", message!("api.file_not_found")));
    };
    let make = async || {
        let shop = shop::load_or_last_known(&app).await;
        let mut manifest: Map<String, Value> = serde_json::from_slice(built)?;
        for (field, said) in [("name", &shop.brand), ("short_name", &shop.brand), ("description", &shop.tagline)] {
            manifest.insert(field.to_owned(), json!(said));
        }
        let body = serde_json::to_vec(&manifest)?;
        Ok::<_, CatalogueError>(CachedResponse::new("manifest", StatusCode::OK, "application/manifest+json", body))
    };
    let answer: Arc<CachedResponse> = app.cache.get("manifest", make).await?;
    Ok(answer.respond(&headers).await)
}

/// Serves a file at the root, or the 'not found' page.
pub async fn fallback(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    if let Some(file) = assets::root_file(uri.path(), &headers, &app.config) {
        return Ok(file);
    }
    // All unknown URLs share one cached response, so that no visitor can fill the memory with them.
    respond(&app, &headers, "nowhere", PageQuery::default(), async |context| {
        let title = context.message("shell.notFound.title");
        let mut content = context.page_content("not-found", "src/pages/storefront/not-found-page.tsx", title);
        content.status = StatusCode::NOT_FOUND;
        Ok(content)
    })
    .await
}
