//! The errors of this module; `mod.rs` maps each to a response.

use super::model::{Category, Product};
use super::seller::product_field::FieldError;
use crate::platform::api_error::ApiError;
use crate::platform::cache::CreationError;
use crate::platform::db::{self, RetryBackoff};
use crate::platform::messages::{Message, message};

/// A change that fails because of lock contention is tried this many times.
const MAX_ATTEMPTS: u32 = 5;

#[derive(Debug, Clone, thiserror::Error)]
pub enum CatalogueError {
    #[error("product not found")]
    ProductNotFound,
    #[error("bad cursor")]
    BadCursor,
    #[error("too many ids")]
    TooManyIds,
    #[error("too many duplicates")]
    TooManyDuplicates,
    #[error("sort invalid")]
    SortInvalid,
    /// The name of a form field and what is wrong with it.
    #[error("invalid field {0}")]
    Field(&'static str, Message),
    #[error("product changed")]
    ProductChanged(Box<Product>),
    #[error("stock changed")]
    StockChanged(Box<Product>),
    #[error("category not found")]
    CategoryNotFound,
    #[error("category changed")]
    CategoryChanged(Box<Category>),
    #[error("category name taken")]
    CategoryNameTaken,
    #[error("category in use")]
    CategoryInUse(i64),
    #[error("import not found")]
    ImportNotFound,
    #[error("import not ready")]
    ImportNotReady,
    /// A picture of an import cannot be stored now.
    #[error("pictures unavailable")]
    PicturesUnavailable,
    #[error("sale not found")]
    SaleNotFound,
    #[error("sale overlaps")]
    SaleOverlaps,
    #[error("refused below")]
    Api(ApiError),
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

impl CreationError for CatalogueError {
    fn is_database_unavailable(&self) -> bool {
        matches!(self, Self::Db(error) if db::is_unavailable(error))
    }
}

impl From<serde_json::Error> for CatalogueError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(std::sync::Arc::new(error))
    }
}

impl From<crate::media::MediaError> for CatalogueError {
    fn from(error: crate::media::MediaError) -> Self {
        Self::Api(error.into())
    }
}

impl From<Vec<FieldError>> for CatalogueError {
    /// Keeps only the first error, because a form shows one at a time.
    fn from(errors: Vec<FieldError>) -> Self {
        let first = errors.into_iter().next();
        first.map_or(Self::Field("", message!("api.fields_missing")), |error| {
            Self::Field(error.field.form_name(), error.message)
        })
    }
}

/// Repeats `work` on lock contention.
pub async fn retry_on_contention<T, Fut>(mut work: impl FnMut() -> Fut) -> Result<T, CatalogueError>
where
    Fut: Future<Output = Result<T, CatalogueError>>,
{
    let mut retries = RetryBackoff::new(MAX_ATTEMPTS);
    loop {
        match work().await {
            Err(CatalogueError::Db(error)) if db::is_contention(&error) && retries.wait().await => {}
            done => return done,
        }
    }
}
