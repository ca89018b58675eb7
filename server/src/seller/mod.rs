//! Who may run the shop, and what they did: sellers are made on the command line, never through a page; every change at the desk
//! is noted (`note`). Owns the tables `sellers` and `audit_log`, and writes what the `shop` room says.

mod audit;
mod http;
mod manage;
mod second_step;
mod settings;
mod sign_in;
mod store;

pub use audit::{Deed, note, note_all};
pub use http::routes;
pub use manage::{
    Created, SellerCommandError, create, disable, remove_second_step, require_second_step, reset_password,
};

use crate::platform::api_error::ApiError;

#[derive(Debug, thiserror::Error)]
pub enum SellerError {
    #[error("Wrong email or password.")]
    WrongCredentials,
    /// The password was right; the code of the second step is missing.
    #[error("Second step needed")]
    SecondStep,
    #[error("This code is not right. Please try the next one.")]
    WrongCode,
    #[error("signed out")]
    SignedOut,
    #[error("This page link is out of date. Please start again from the first page.")]
    BadCursor,
    #[error("refused below")]
    Refused(ApiError),
    #[error("seller database")]
    Db(#[from] sqlx::Error),
}

impl From<ApiError> for SellerError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<SellerError> for ApiError {
    fn from(error: SellerError) -> Self {
        match error {
            SellerError::WrongCredentials => Self::unauthorized("wrong_credentials", error),
            SellerError::SecondStep => Self::unauthorized("second_step", error),
            SellerError::WrongCode => Self::unauthorized("wrong_code", error),
            SellerError::SignedOut => crate::platform::sessions::signed_out(),
            SellerError::BadCursor => Self::invalid("cursor_invalid", error),
            SellerError::Refused(refusal) => refusal,
            SellerError::Db(cause) => Self::database(&cause),
        }
    }
}

/// What people call these sellers.
pub async fn names(
    db: &sqlx::PgPool,
    ids: &[uuid::Uuid],
) -> sqlx::Result<std::collections::HashMap<uuid::Uuid, String>> {
    Ok(store::names(db, ids).await?.into_iter().collect())
}
