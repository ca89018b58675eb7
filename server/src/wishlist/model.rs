//! Rows of the wishlist, its limits and its errors.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::catalogue::CatalogueError;
use crate::platform::api_error::ApiError;
use crate::platform::ids::{ProductId, UserId};
use crate::platform::messages::message;

/// The most favourites of a shopper.
pub const MAX_FAVOURITES: i64 = 500;
/// The most products that a shopper can wait for at a time.
pub const MAX_NOTICES: i64 = 50;

#[derive(Debug, thiserror::Error)]
pub enum WishlistError {
    #[error("product not found")]
    ProductNotFound,
    #[error("product in stock")]
    ProductInStock,
    #[error("too many favourites")]
    TooManyFavourites,
    #[error("too many stock notices")]
    TooManyNotices,
    #[error("refused below")]
    Refused(ApiError),
    #[error("wishlist database")]
    Db(#[from] sqlx::Error),
}

impl From<ApiError> for WishlistError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<CatalogueError> for WishlistError {
    fn from(error: CatalogueError) -> Self {
        Self::Refused(error.into())
    }
}

impl From<WishlistError> for ApiError {
    fn from(error: WishlistError) -> Self {
        match error {
            WishlistError::ProductNotFound => Self::not_found("product_not_found", message!("api.products.not_found")),
            WishlistError::ProductInStock => {
                Self::conflict("product_in_stock", message!("api.wishlist.product_in_stock"))
            }
            WishlistError::TooManyFavourites => Self::conflict(
                "too_many_favourites",
                message!("api.wishlist.too_many_favourites", most = MAX_FAVOURITES),
            ),
            WishlistError::TooManyNotices => {
                Self::conflict("too_many_notices", message!("api.wishlist.too_many_notices", most = MAX_NOTICES))
            }
            WishlistError::Refused(refusal) => refusal,
            WishlistError::Db(cause) => Self::database(&cause),
        }
    }
}

/// A product that a shopper has marked, and when.
pub struct MarkedProduct {
    pub product: ProductId,
    pub created_at: DateTime<Utc>,
}

/// A shopper who is to be told that a product is in stock again.
pub struct StockNotice {
    pub id: Uuid,
    pub user: UserId,
}
