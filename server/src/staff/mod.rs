//! The people who work in the shop, whom the contract calls sellers, and the audit log. The first is created on the
//! command line, and every change that a member of staff makes is recorded (`record_audit_entry`). Owns the tables
//! `sellers`, `seller_pending_logins`, `seller_backup_codes` and `audit_log`, and saves the settings of the `shop`
//! module.

mod audit;
mod commands;
mod end_sessions;
mod http;
mod model;
mod passwords;
mod security_emails;
mod settings;
mod sign_in;
mod store;
mod totp;
mod totp_secrets;

pub use audit::{record_audit_entries, record_audit_entry};
pub use commands::{
    GeneratedPassword, SecondStepSetup, SellerCommandError, create, disable, end_sessions_by_email, remove_second_step,
    require_second_step, reset_password, rotate_keys, unlock,
};
pub use http::routes;
pub use model::NewAuditEntry;
pub use store::AuditLog;

use crate::platform::api_error::ApiError;
use crate::platform::messages::message;

#[derive(Debug, thiserror::Error)]
pub enum SellerError {
    #[error("wrong credentials")]
    WrongCredentials,
    /// The password was correct, but the code of the second step is missing.
    #[error("code required")]
    CodeRequired,
    #[error("wrong code")]
    WrongCode,
    /// A code was sent without a correct password before it, or more than five minutes after it.
    #[error("no pending login")]
    NoPendingLogin,
    #[error("wrong password")]
    WrongPassword,
    #[error("password needed")]
    PasswordNeeded,
    #[error("password too short")]
    PasswordShort,
    #[error("the new password is the current one")]
    PasswordSame,
    #[error("session not found")]
    SessionNotFound,
    #[error("signed out")]
    SignedOut,
    #[error("bad cursor")]
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
            SellerError::WrongCredentials => Self::unauthorized("wrong_credentials", message!("api.wrong_credentials")),
            SellerError::CodeRequired => Self::unauthorized("second_step", message!("api.sellers.code_required")),
            SellerError::WrongCode => Self::unauthorized("wrong_code", message!("api.sellers.wrong_code")),
            SellerError::NoPendingLogin => {
                Self::unauthorized("no_pending_login", message!("api.sellers.no_pending_login"))
            }
            SellerError::WrongPassword => Self::forbidden("wrong_password", message!("api.wrong_password")),
            SellerError::PasswordNeeded => Self::forbidden("password_needed", message!("api.sellers.password_needed")),
            SellerError::PasswordShort => Self::invalid("password_short", message!("api.sellers.password_short")),
            SellerError::PasswordSame => Self::invalid("password_same", message!("api.sellers.password_same")),
            SellerError::SessionNotFound => Self::not_found("session_not_found", message!("api.session_not_found")),
            SellerError::SignedOut => crate::platform::sessions::signed_out_error(),
            SellerError::BadCursor => Self::invalid("cursor_invalid", message!("api.cursor_invalid")),
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
