//! Renders the first HTML of the pages, with head, first data and a simple first view, so that a product page needs no
//! second round trip to paint, and serves the files of the built web app. It is above the other modules.

mod assets;
mod head;
mod pages;
mod security_txt;
mod sitemap;
mod view;

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
        .route("/about", get(pages::about))
        .route("/cart", get(pages::cart))
        .route("/orders", get(pages::orders))
        .route("/payment", get(pages::payment))
        .route("/profile", get(pages::profile))
        .route("/add_address", get(pages::add_address))
        .route("/reset-password", get(pages::reset_password))
        .route("/confirm-email", get(pages::confirm_email))
        .route("/cancel-email-change", get(pages::cancel_email_change))
        .route("/seller", get(pages::seller))
        .route("/seller/{page}", get(pages::seller))
        .route("/sitemap.xml", get(sitemap::index))
        .route("/sitemaps/{file}", get(sitemap::part))
        .route("/robots.txt", get(sitemap::robots))
        .route("/.well-known/security.txt", get(security_txt::security_txt))
        .route("/manifest.webmanifest", get(pages::manifest))
        .route("/assets/{*file}", get(assets::hashed_asset))
        .fallback(get(pages::fallback))
}
