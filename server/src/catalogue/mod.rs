//! Products, categories, search and stock. Owns the tables `categories`, `products`, `scarce_products`, `scarce_limit`,
//! `stock_movements`, `search_vocabulary`, `imports` and `import_rows`; nobody else names them.

mod add;
mod arrange;
mod browse;
mod demo;
mod desk;
mod edit;
mod entry;
mod http;
mod import;
mod model;
mod search_words;
mod sheet;
mod shelf;
mod store;

pub use add::put_on_sale;
pub use browse::{Facts, Page, Shown, Wanted, facts, page, product};
pub use demo::{load as load_demo, load_many as load_large_demo};
pub use entry::Entry;
pub use http::{CategoryOut, Envelope, ProductList, ProductOut, ShownOut, cache_key, routes};
pub use import::{ApplyImport, CheckImport, tidy};
pub use model::{Category, Offer, Product, Sort, TaxClass};
pub use shelf::{Wanted as Units, give_back, holds, lock_products, offers, take_again};

use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::platform::api_error::ApiError;
use crate::platform::db::{self, Patience};
use crate::platform::state::App;

/// How often a change is tried when somebody else is in the way.
const TRIES: u32 = 5;

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
    #[error("Products can be put in this order only among those that run out.")]
    SortInvalid,
    /// A form's field, by its name, and what is wrong with it.
    #[error("{1}")]
    Field(&'static str, String),
    #[error("Somebody else has changed this product since you opened it.")]
    ProductChanged(Box<Product>),
    #[error("The stock has changed meanwhile: {} left. Please enter it again.", .0.stock)]
    StockChanged(Box<Product>),
    #[error("Category not found")]
    CategoryNotFound,
    #[error("Somebody else has changed this category since you opened it.")]
    CategoryChanged(Box<Category>),
    #[error("Another category has this name.")]
    CategoryNameTaken,
    #[error("{}", in_use(*.0))]
    CategoryInUse(i64),
    #[error("Import not found")]
    ImportNotFound,
    #[error("This file cannot be applied now.")]
    ImportNotReady,
    #[error("refused below")]
    Below(ApiError),
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

impl From<crate::media::MediaError> for CatalogueError {
    fn from(error: crate::media::MediaError) -> Self {
        Self::Below(error.into())
    }
}

impl From<Vec<entry::Fault>> for CatalogueError {
    /// One at a time: a form shows where to begin.
    fn from(faults: Vec<entry::Fault>) -> Self {
        let first = faults.into_iter().next();
        first.map_or(Self::Field("", String::new()), |fault| Self::Field(fault.field.form(), fault.message))
    }
}

impl CatalogueError {
    fn field(name: &'static str, message: &str) -> Self {
        Self::Field(name, message.to_owned())
    }
}

fn in_use(products: i64) -> String {
    if products == 1 {
        "1 product uses this category.".to_owned()
    } else {
        format!("{products} products use this category.")
    }
}

/// Tries again when somebody else was in the way.
async fn patiently<T, Done>(mut work: impl FnMut() -> Done) -> Result<T, CatalogueError>
where
    Done: Future<Output = Result<T, CatalogueError>>,
{
    let mut patience = Patience::of(TRIES);
    loop {
        match work().await {
            Err(CatalogueError::Db(error)) if db::is_contention(&error) && patience.again().await => {}
            done => return done,
        }
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
            CatalogueError::SortInvalid => Self::invalid("sort_invalid", error),
            CatalogueError::Field(field, ref message) => {
                Self::invalid("field_invalid", message).with_data(json!({ "field": field }))
            }
            CatalogueError::ProductChanged(ref product) => {
                Self::conflict("product_changed", &error).with_data(http::fresh(product))
            }
            CatalogueError::StockChanged(ref product) => {
                Self::conflict("stock_changed", &error).with_data(http::fresh(product))
            }
            CatalogueError::CategoryNotFound => Self::not_found("category_not_found", error),
            CatalogueError::CategoryChanged(ref category) => {
                Self::conflict("category_changed", &error).with_data(http::fresh_category(category))
            }
            CatalogueError::CategoryNameTaken => Self::conflict("category_name_taken", error),
            CatalogueError::CategoryInUse(products) => {
                Self::conflict("category_in_use", error).with_data(json!({ "products": products }))
            }
            CatalogueError::ImportNotFound => Self::not_found("import_not_found", error),
            CatalogueError::ImportNotReady => Self::conflict("import_not_ready", error),
            CatalogueError::Below(refusal) => refusal,
            // A category that went away in the moment between choosing and saving.
            CatalogueError::Db(cause) if db::constraint_of(&cause) == Some("products_category") => {
                Self::invalid("field_invalid", "This category is gone.").with_data(json!({ "field": "category" }))
            }
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

/// Products, also archived ones, that have this text in their name, or all its words in what they are called in either
/// language; at most `limit`.
pub async fn find_by_name(connection: &mut PgConnection, text: &str, limit: i64) -> sqlx::Result<Vec<Uuid>> {
    let words = search_words::words(text);
    let words = (!words.is_empty()).then_some(words.as_slice());
    store::find_by_name(connection, &db::containing(text), words, limit).await
}

/// For the sweep of pictures.
pub async fn pictures_in_use(db: &sqlx::PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    store::pictures_in_use(db, keys).await
}
