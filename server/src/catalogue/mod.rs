//! Products, categories, search and stock. Owns the tables `categories`, `products`, `stock_movements` and
//! `search_vocabulary`; nobody else names them.

mod add;
mod browse;
mod demo;
mod http;
mod model;
mod search_words;
mod shelf;
mod store;

pub use add::{Draft, add_product};
pub use browse::{Facts, Page, Shown, Wanted, facts, page, product};
pub use demo::{load as load_demo, load_many as load_large_demo};
pub use http::{CategoryOut, Envelope, ProductList, ProductOut, ShownOut, routes};
pub use model::{Category, Offer, Product, Sort, TaxClass};
pub use shelf::{Wanted as Units, give_back, holds, lock_products, offers, take_again};

use crate::platform::api_error::ApiError;
use crate::platform::state::App;

#[derive(Debug, Clone, thiserror::Error)]
pub enum CatalogueError {
    #[error("Product not found")]
    ProductNotFound,
    #[error("This page link is out of date. Please start again from the first page.")]
    BadCursor,
    #[error("Please ask for fewer products at once.")]
    TooManyIds,
    #[error("Too many products share this name. Please choose another.")]
    TooManyTwins,
    #[error("catalogue database")]
    Db(#[source] std::sync::Arc<sqlx::Error>),
    #[error("catalogue answer")]
    Json(#[source] std::sync::Arc<serde_json::Error>),
}

impl From<sqlx::Error> for CatalogueError {
    fn from(error: sqlx::Error) -> Self {
        Self::Db(std::sync::Arc::new(error))
    }
}

impl From<serde_json::Error> for CatalogueError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(std::sync::Arc::new(error))
    }
}

impl From<CatalogueError> for ApiError {
    fn from(error: CatalogueError) -> Self {
        // No `_` arm: a new failure must be given a status before it compiles.
        match error {
            CatalogueError::ProductNotFound => Self::not_found("product_not_found", error),
            CatalogueError::BadCursor => Self::invalid("cursor_invalid", error),
            CatalogueError::TooManyIds => Self::invalid("too_many_ids", error),
            CatalogueError::TooManyTwins => Self::conflict("name_taken", error),
            CatalogueError::Db(cause) => Self::database(&cause),
            CatalogueError::Json(cause) => Self::internal(&*cause),
        }
    }
}

/// For the sitemap: how far positions go, and what is listed in a range of them.
pub async fn last_position(app: &App) -> Result<i64, CatalogueError> {
    Ok(store::last_position(&app.db.main).await?)
}

pub async fn listed_between(app: &App, from: i64, to: i64) -> Result<Vec<store::Listed>, CatalogueError> {
    Ok(store::listed_between(&app.db.main, from, to).await?)
}

/// For the sweep of pictures.
pub async fn pictures_in_use(db: &sqlx::PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    store::pictures_in_use(db, keys).await
}
