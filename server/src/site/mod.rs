//! Renders the first HTML of the pages, with head, first data and a simple first view, so that a product page needs no
//! second round trip to paint, and serves the files of the built web app. It is above the other modules.

mod assets;
mod head;
mod pages;
mod policy_pages;
mod security_txt;
mod sitemap;
mod static_pages;
mod view;
#[cfg(test)]
mod view_fixtures;

use axum::Router;
use axum::routing::get;

use crate::platform::state::App;

pub fn routes() -> Router<App> {
    Router::new()
        .route("/", get(pages::home))
        .route("/products", get(pages::products))
        .route("/categories", get(pages::categories))
        .route("/category/{category}", get(pages::category))
        .route("/product/{category}/{id}", get(pages::product))
        .route("/offers", get(pages::offers))
        .route("/about", get(policy_pages::about))
        .route("/privacy", get(policy_pages::privacy))
        .route("/terms", get(policy_pages::terms))
        .route("/returns", get(policy_pages::returns))
        .route("/delivery-policy", get(policy_pages::delivery))
        .route("/cart", get(static_pages::cart))
        .route("/orders", get(static_pages::orders))
        .route("/favourites", get(static_pages::favourites))
        .route("/payment", get(static_pages::payment))
        .route("/profile", get(static_pages::profile))
        .route("/add_address", get(static_pages::add_address))
        .route("/reset-password", get(static_pages::reset_password))
        .route("/confirm-email", get(static_pages::confirm_email))
        .route("/cancel-email-change", get(static_pages::cancel_email_change))
        .route("/unsubscribe", get(static_pages::unsubscribe))
        .route("/newsletter/confirm", get(static_pages::confirm_newsletter))
        .route("/newsletter/unsubscribe", get(static_pages::unsubscribe_newsletter))
        .route("/complaints/{id}", get(static_pages::complaint))
        .route("/seller", get(static_pages::seller))
        .route("/seller/{page}", get(static_pages::seller))
        .route("/seller/complaints/{id}", get(static_pages::seller_complaint))
        .route("/sitemap.xml", get(sitemap::index))
        .route("/sitemaps/{file}", get(sitemap::part))
        .route("/robots.txt", get(sitemap::robots))
        .route("/.well-known/security.txt", get(security_txt::security_txt))
        .route("/manifest.webmanifest", get(static_pages::manifest))
        .route("/assets/{*file}", get(assets::hashed_asset))
        .fallback(get(static_pages::fallback))
}
