//! The cart and its quote. Owns the table `carts` and the function `remove_from_cart`, with which an order removes what
//! was bought.

mod contents;
mod http;
mod model;
mod quote;
mod store;

pub use http::routes;
pub use quote::{Quote, QuoteLine, quote, quote_with_coupon};
pub use store::remove_items;

use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::coupons::CouponError;
use crate::delivery::DeliveryError;
use crate::platform::api_error::ApiError;
use crate::platform::ids::UserId;
use crate::platform::messages::message;
use crate::platform::personal_data::{DbFuture, PersonalDataHook};

/// The largest quantity of one product.
pub const MAX_QUANTITY: i32 = 99;

#[derive(Debug, thiserror::Error)]
pub enum CartError {
    #[error("invalid cart")]
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

impl From<DeliveryError> for CartError {
    fn from(error: DeliveryError) -> Self {
        Self::Refused(error.into())
    }
}

impl From<CouponError> for CartError {
    fn from(error: CouponError) -> Self {
        Self::Refused(error.into())
    }
}

impl From<CartError> for ApiError {
    fn from(error: CartError) -> Self {
        match error {
            CartError::Invalid(most) => Self::invalid("cart_invalid", message!("api.cart.invalid", most = most)),
            CartError::Refused(refusal) => refusal,
            CartError::Db(cause) => Self::database(&cause),
        }
    }
}

/// The personal data that the cart holds.
pub const PERSONAL_DATA: PersonalDataHook = PersonalDataHook { name: "cart", export, erase };

fn export(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, Value> {
    Box::pin(async move { Ok(json!(store::load(connection, user).await?)) })
}

fn erase(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, ()> {
    Box::pin(async move { store::delete(connection, user).await })
}
