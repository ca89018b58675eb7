//! The pages as the first HTML: head, first data and a simple first view, so that a product page needs no second
//! round trip to paint; and the files of the built web app. Stands above the rooms.

mod assets;
mod head;
mod pages;
mod phrases;
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
        .route("/sitemap.xml", get(sitemap::index))
        .route("/sitemaps/{file}", get(sitemap::part))
        .route("/robots.txt", get(sitemap::robots))
        .route("/assets/{*file}", get(assets::hashed))
        .fallback(get(pages::other))
}
