//! Sellers and their audit log. Sellers are created on the command line only, never through a page, and every change
//! that they make is recorded (`record_audit_entry`). Owns the tables `sellers`, `seller_pending_logins`,
//! `seller_backup_codes` and `audit_log`, and saves the settings of the `shop` module.

mod audit;
mod commands;
mod end_sessions;
mod http;
mod passwords;
mod security_emails;
mod settings;
mod sign_in;
mod store;
mod totp;
mod totp_secrets;

pub use audit::{NewAuditEntry, record_audit_entries, record_audit_entry};
pub use commands::{
    GeneratedPassword, SecondStepSetup, SellerCommandError, create, disable, end_sessions_by_email, remove_second_step,
    require_second_step, reset_password, rotate_keys, unlock,
};
pub use http::routes;

pub use store::AuditLog;

use crate::platform::api_error::ApiError;

#[derive(Debug, thiserror::Error)]
pub enum SellerError {
    #[error("Wrong email or password.")]
    WrongCredentials,
    /// The password was correct, but the code of the second step is missing.
    #[error("Second step needed")]
    CodeRequired,
    #[error(
        "This code is not right. Please enter the one that your app shows now, and check that your phone sets its time automatically."
    )]
    WrongCode,
    /// A code was sent without a correct password before it, or more than five minutes after it.
    #[error("Please enter your email and password again.")]
    NoPendingLogin,
    #[error("The current password is not right.")]
    WrongPassword,
    #[error("Please enter your password to do this.")]
    PasswordNeeded,
    #[error("Please choose a password of at least 12 characters.")]
    PasswordShort,
    #[error("Please choose a password other than the current one.")]
    PasswordSame,
    #[error("This device is not signed in any more.")]
    SessionNotFound,
    #[error("signed out")]
    SignedOut,
    #[error("This page link is out of date. Please start again from the first page.")]
    BadCursor,
    #[error(transparent)]
    TotpSecret(#[from] totp_secrets::TotpSecretError),
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
            SellerError::CodeRequired => Self::unauthorized("second_step", error),
            SellerError::WrongCode => Self::unauthorized("wrong_code", error),
            SellerError::NoPendingLogin => Self::unauthorized("no_pending_login", error),
            SellerError::WrongPassword => Self::forbidden("wrong_password", error),
            SellerError::PasswordNeeded => Self::forbidden("password_needed", error),
            SellerError::PasswordShort => Self::invalid("password_short", error),
            SellerError::PasswordSame => Self::invalid("password_same", error),
            SellerError::SessionNotFound => Self::not_found("session_not_found", error),
            SellerError::SignedOut => crate::platform::sessions::signed_out_error(),
            SellerError::BadCursor => Self::invalid("cursor_invalid", error),
            SellerError::TotpSecret(cause) => Self::internal(&cause),
            SellerError::Refused(refusal) => refusal,
            SellerError::Db(cause) => Self::database(&cause),
        }
    }
}

/// Returns the names of these sellers by id.
pub async fn find_names(
    db: &sqlx::PgPool,
    ids: &[uuid::Uuid],
) -> sqlx::Result<std::collections::HashMap<uuid::Uuid, String>> {
    Ok(store::find_names(db, ids).await?.into_iter().collect())
}
