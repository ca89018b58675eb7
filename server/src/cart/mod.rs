//! What a shopper means to buy, and what it would cost. Owns the table `carts` and the function `take_from_cart`, by
//! which an order takes what it has bought out of the cart.

mod basket;
mod http;
mod quote;
mod store;

pub use http::routes;
pub use quote::{Line, Quote, quote};
pub use store::take;

use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::platform::api_error::ApiError;
use crate::platform::personal::{Share, Work};

/// Of one product.
pub const MOST_OF_ONE: i32 = 99;

#[derive(Debug, thiserror::Error)]
pub enum CartError {
    #[error("A cart holds at most {0} products, 99 of each.")]
    Invalid(u32),
    #[error("refused below")]
    Refused(ApiError),
    #[error("cart database")]
    Db(#[from] sqlx::Error),
}

impl From<ApiError> for CartError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<CartError> for ApiError {
    fn from(error: CartError) -> Self {
        match error {
            CartError::Invalid(_) => Self::invalid("cart_invalid", error),
            CartError::Refused(refusal) => refusal,
            CartError::Db(cause) => Self::database(&cause),
        }
    }
}

/// What the cart knows of a person.
pub const PERSONAL: Share = Share { name: "cart", read, forget };

fn read(connection: &mut PgConnection, user: Uuid) -> Work<'_, Value> {
    Box::pin(async move { Ok(json!(store::load(connection, user).await?)) })
}

fn forget(connection: &mut PgConnection, user: Uuid) -> Work<'_, ()> {
    Box::pin(async move { store::delete(connection, user).await })
}
