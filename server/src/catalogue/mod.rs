//! Products, categories, search and stock. Owns the tables `categories`, `products`, `low_stock_products`,
//! `low_stock_threshold`, `stock_movements`, `search_vocabulary`, `imports`, `import_rows`, `import_pictures` and
//! `sale_prices`; no other module names them.

mod browse;
mod bulk_load;
mod error;
mod http;
mod import;
mod model;
mod sale_prices;
mod search_words;
mod seller;
mod stock;
mod store;

pub use browse::{
    CachedCategories, ProductFilter, ProductPage, ProductWithRelated, cached_categories, find_products, get_product,
    list_products,
};
pub use bulk_load::{add_products, add_search_words, copy_products, ensure_category};
pub use error::CatalogueError;
pub use http::{
    CategoryResponse, Envelope, ProductList, ProductResponse, ProductWithRelatedResponse, cache_key, routes,
};
pub use import::{ApplyImport, CheckImport, ImportJob, delete_old_imports};
pub use model::{
    Category, CopiedProduct, LowStockProduct, NewCategory, NewProduct, Offer, OfferFilter, Pack, Product,
    ProductDetails, ProductPlace, ProductSort, SitemapProduct, StockLevel, StockReason, TaxClass,
};
pub use sale_prices::ApplySalePrices;
pub use search_words::fold_words;
pub use seller::add::create_product;
pub use stock::{
    ProductQuantities, check_stock, find_offers, find_places, find_similar, list_lowest_stock, lock_products,
    lock_stock, move_stock, release_stock, retake_stock, return_units, sum_units_of_orders, take_units,
    write_off_units,
};

use serde_json::json;
use sqlx::PgConnection;

use crate::platform::api_error::ApiError;
use crate::platform::db;
use crate::platform::ids::ProductId;
use crate::platform::messages::message;
use crate::platform::state::App;

impl From<CatalogueError> for ApiError {
    fn from(error: CatalogueError) -> Self {
        // No `_` arm: a new failure must be given a status before it compiles.
        match error {
            CatalogueError::ProductNotFound => Self::not_found("product_not_found", message!("api.products.not_found")),
            CatalogueError::BadCursor => Self::invalid("cursor_invalid", message!("api.cursor_invalid")),
            CatalogueError::TooManyIds => Self::invalid("too_many_ids", message!("api.products.too_many_ids")),
            CatalogueError::TooManyDuplicates => Self::conflict("name_taken", message!("api.products.name_taken")),
            CatalogueError::SortInvalid => Self::invalid("sort_invalid", message!("api.products.sort_invalid")),
            CatalogueError::Field(field, message) => {
                Self::invalid("field_invalid", message).with_data(json!({ "field": field }))
            }
            CatalogueError::ProductChanged(ref product) => {
                Self::conflict("product_changed", message!("api.products.changed"))
                    .with_data(http::current_product_json(product))
            }
            CatalogueError::StockChanged(ref product) => {
                let message = message!("api.products.stock_changed", left = product.stock);
                Self::conflict("stock_changed", message).with_data(http::current_product_json(product))
            }
            CatalogueError::CategoryNotFound => {
                Self::not_found("category_not_found", message!("api.categories.not_found"))
            }
            CatalogueError::CategoryChanged(ref category) => {
                Self::conflict("category_changed", message!("api.categories.changed"))
                    .with_data(http::current_category_json(category))
            }
            CatalogueError::CategoryNameTaken => {
                Self::conflict("category_name_taken", message!("api.categories.name_taken"))
            }
            CatalogueError::CategoryInUse(products) => {
                let message = message!("api.categories.in_use", products = products);
                Self::conflict("category_in_use", message).with_data(json!({ "products": products }))
            }
            CatalogueError::ImportNotFound => Self::not_found("import_not_found", message!("imports.not_found")),
            CatalogueError::ImportNotReady => Self::conflict("import_not_ready", message!("imports.not_ready")),
            CatalogueError::PicturesUnavailable => {
                Self::unavailable("pictures_unavailable", message!("api.media.unavailable"))
            }
            CatalogueError::SaleNotFound => Self::not_found("sale_not_found", message!("api.sales.not_found")),
            CatalogueError::SaleOverlaps => Self::conflict("sale_overlaps", message!("api.sales.overlaps")),
            CatalogueError::Api(refusal) => refusal,
            // The category was deleted between choosing it and saving the product.
            CatalogueError::Db(cause) if db::constraint_name(&cause) == Some("products_category") => {
                Self::invalid("field_invalid", message!("api.products.category_deleted"))
                    .with_data(json!({ "field": "category" }))
            }
            CatalogueError::Db(cause) if db::constraint_name(&cause) == Some("products_barcode_unique") => {
                Self::conflict("barcode_taken", message!("api.products.barcode_taken"))
                    .with_data(json!({ "field": "barcode" }))
            }
            CatalogueError::Db(cause) => Self::database(&cause),
            CatalogueError::Json(cause) => Self::internal(&*cause),
        }
    }
}

/// Returns the last position of the catalogue, for the sitemap.
pub async fn find_last_position(app: &App) -> Result<i64, CatalogueError> {
    Ok(store::find_last_position(&app.db.main).await?)
}

pub async fn list_sitemap_products(app: &App, from: i64, to: i64) -> Result<Vec<SitemapProduct>, CatalogueError> {
    Ok(store::list_sitemap_products(&app.db.main, from, to).await?)
}

/// Finds at most `limit` products, including archived ones, whose name contains this text or whose search words in
/// either language include all its words.
pub async fn find_by_name(connection: &mut PgConnection, text: &str, limit: i64) -> sqlx::Result<Vec<ProductId>> {
    let words = search_words::fold_words(text);
    let words = (!words.is_empty()).then_some(words.as_slice());
    store::find_by_name(connection, &db::like_pattern(text), words, limit).await
}

/// Used by the cleanup of pictures.
pub async fn pictures_in_use(db: &sqlx::PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    store::pictures_in_use(db, keys).await
}
