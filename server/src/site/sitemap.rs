//! Serves `sitemap.xml` and `robots.txt` for search engines. A million products take fifty sitemap files.

use std::fmt::Write;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};

use super::head::escape;
use crate::catalogue::{self, CatalogueError};
use crate::platform::api_error::ApiError;
use crate::platform::cache::CachedResponse;
use crate::platform::messages::message;
use crate::platform::state::App;

/// Products per file; the protocol allows 50,000 URLs.
const PRODUCTS_PER_FILE: i64 = 20_000;
const FIXED_PAGES: [&str; 9] =
    ["/", "/products", "/categories", "/offers", "/about", "/privacy", "/terms", "/returns", "/delivery-policy"];
const OPEN: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const XML: &str = "application/xml; charset=utf-8";
const NAMESPACE: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

pub async fn index(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let make = async || {
        let last = catalogue::find_last_position(&app).await?;
        let shop = escape(&app.config.public_url);
        let mut xml =
            format!("{OPEN}<sitemapindex {NAMESPACE}><sitemap><loc>{shop}/sitemaps/pages.xml</loc></sitemap>");
        for part in 0..=(last / PRODUCTS_PER_FILE) {
            // Writing to a String does not fail.
            let _ = write!(xml, "<sitemap><loc>{shop}/sitemaps/products-{part}.xml</loc></sitemap>");
        }
        xml.push_str("</sitemapindex>\n");
        Ok::<_, CatalogueError>(CachedResponse::new("/sitemap.xml", StatusCode::OK, XML, xml))
    };
    Ok(app.cache.get("/sitemap.xml", make).await?.respond(&headers).await)
}

pub async fn part(State(app): State<App>, headers: HeaderMap, Path(file): Path<String>) -> Result<Response, ApiError> {
    let number = file.strip_prefix("products-").and_then(|rest| rest.strip_suffix(".xml"));
    let number: Option<i64> =
        number.and_then(|number| number.parse().ok()).filter(|number| (0..1_000_000).contains(number));
    if number.is_none() && file != "pages.xml" {
        return Err(ApiError::not_found("file_not_found", message!("api.file_not_found")));
    }
    // The key has the parsed number, because `+1` and `01` name the same file.
    let key =
        number.map_or_else(|| "/sitemaps/pages.xml".to_owned(), |number| format!("/sitemaps/products-{number}.xml"));
    let make = async || {
        let xml = match number {
            None => pages(&app).await?,
            Some(number) => products(&app, number).await?,
        };
        Ok::<_, CatalogueError>(CachedResponse::new("/sitemaps/{file}", StatusCode::OK, XML, xml))
    };
    Ok(app.cache.get(&key, make).await?.respond(&headers).await)
}

async fn pages(app: &App) -> Result<String, CatalogueError> {
    let shop = escape(&app.config.public_url);
    let cached = catalogue::cached_categories(app).await?;
    let fixed = FIXED_PAGES.iter().map(|path| (*path).to_owned());
    let categories = cached.categories.iter().map(|category| format!("/category/{}", category.slug));
    let mut xml = format!("{OPEN}<urlset {NAMESPACE}>");
    for path in fixed.chain(categories) {
        let _ = write!(xml, "<url><loc>{shop}{}</loc></url>", escape(&path));
    }
    xml.push_str("</urlset>\n");
    Ok(xml)
}

async fn products(app: &App, number: i64) -> Result<String, CatalogueError> {
    let shop = escape(&app.config.public_url);
    let mut xml = format!("{OPEN}<urlset {NAMESPACE}>");
    for product in
        catalogue::list_sitemap_products(app, number * PRODUCTS_PER_FILE, (number + 1) * PRODUCTS_PER_FILE).await?
    {
        let _ = write!(
            xml,
            "<url><loc>{shop}/product/{}/{}</loc><lastmod>{}</lastmod></url>",
            escape(&product.category_slug),
            product.id,
            product.updated_at.format("%Y-%m-%d"),
        );
    }
    xml.push_str("</urlset>\n");
    Ok(xml)
}

pub async fn robots(State(app): State<App>) -> Response {
    let text = format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /cart\nDisallow: /orders\nDisallow: /favourites\n\
         Disallow: /profile\nDisallow: /payment\nDisallow: /seller\n\nSitemap: {}/sitemap.xml\n",
        app.config.public_url
    );
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}
