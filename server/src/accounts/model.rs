//! A user in the contract's shape, and the errors of this module.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use super::store::UserRow;
use crate::media;
use crate::platform::api_error::ApiError;
use crate::platform::sessions;

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    pub email: String,
    /// URL of the photo, or `null`.
    #[schema(required)]
    pub image: Option<String>,
    /// `srcset` of the photo, or `null`.
    #[schema(required)]
    pub image_set: Option<String>,
    pub phone: String,
    pub address: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub email_confirmed: bool,
    /// New email address that has not been confirmed yet.
    pub pending_email: Option<String>,
    pub has_password: bool,
    /// Whether the account is linked to an identity at the provider.
    pub google: bool,
}

impl From<UserRow> for User {
    fn from(row: UserRow) -> Self {
        let picture = row.picture.as_deref().and_then(media::picture_urls);
        let (image, image_set) = picture.map(|picture| (picture.widest, picture.srcset)).unzip();
        Self {
            id: row.id,
            name: row.name,
            email: row.email,
            image,
            image_set,
            phone: row.phone,
            address: row.address,
            created_at: row.created_at,
            updated_at: row.updated_at,
            email_confirmed: row.email_confirmed,
            pending_email: row.pending_email,
            has_password: row.has_password,
            google: row.google,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    #[error("Please fill in all fields.")]
    FieldsMissing,
    #[error("Please keep it shorter.")]
    FieldTooLong,
    #[error("Please leave out web addresses. If it is not one, put a space after the dot.")]
    LinkInText,
    #[error("Name is required")]
    NameRequired,
    #[error("Valid email is required")]
    EmailInvalid,
    #[error("Valid 10-digit phone number is required")]
    PhoneInvalid,
    #[error("Please enter a phone number like 9801234567, 01-4412345 or +977 9801234567.")]
    PhoneUnusable,
    #[error("Address is required")]
    AddressRequired,
    #[error("This email already has an account. Please log in.")]
    EmailTaken,
    /// An unknown address and a wrong password get the same error.
    #[error("Wrong email or password.")]
    WrongCredentials,
    #[error("The current password is not right.")]
    WrongPassword,
    #[error("Please log in again to do this.")]
    FreshLoginNeeded,
    #[error("Please enter your current password to do this.")]
    PasswordNeeded,
    #[error("Your account was changed in another window. Please reload the page and try again.")]
    AccountChanged,
    #[error("This Google account is not linked any more.")]
    IdentityNotFound,
    #[error("This is the only way to log in to your account. Please choose a password first.")]
    LastLoginMethod,
    #[error("This link is no longer valid. Please ask for a new one.")]
    LinkInvalid,
    #[error("Google login failed.")]
    GoogleFailed,
    #[error("This shop has no sign-in with Google.")]
    GoogleDisabled,
    #[error("This email already has an account. Enter its password once to connect it with Google.")]
    LinkNeeded,
    #[error("This device is not signed in any more.")]
    SessionNotFound,
    #[error("signed out")]
    SignedOut,
    #[error("refused below")]
    Refused(ApiError),
    #[error("accounts database")]
    Db(#[from] sqlx::Error),
}

impl From<ApiError> for AccountError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<media::MediaError> for AccountError {
    fn from(error: media::MediaError) -> Self {
        Self::Refused(error.into())
    }
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::FieldsMissing => Self::invalid("fields_missing", error),
            AccountError::FieldTooLong => Self::invalid("field_too_long", error),
            AccountError::LinkInText => Self::invalid("link_in_text", error),
            AccountError::NameRequired => Self::invalid("name_required", error),
            AccountError::EmailInvalid => Self::invalid("email_invalid", error),
            AccountError::PhoneInvalid | AccountError::PhoneUnusable => Self::invalid("phone_invalid", error),
            AccountError::AddressRequired => Self::invalid("address_required", error),
            AccountError::EmailTaken => Self::conflict("email_taken", error),
            AccountError::WrongCredentials => Self::unauthorized("wrong_credentials", error),
            AccountError::WrongPassword => Self::forbidden("wrong_password", error),
            AccountError::FreshLoginNeeded => Self::forbidden("fresh_login_needed", error),
            AccountError::PasswordNeeded => Self::forbidden("password_needed", error),
            AccountError::AccountChanged => Self::conflict("account_changed", error),
            AccountError::IdentityNotFound => Self::not_found("identity_not_found", error),
            AccountError::LastLoginMethod => Self::conflict("last_login_method", error),
            AccountError::LinkInvalid => Self::invalid("link_invalid", error),
            AccountError::GoogleFailed => Self::unauthorized("google_failed", error),
            AccountError::GoogleDisabled => Self::not_found("google_disabled", error),
            AccountError::LinkNeeded => Self::conflict("link_needed", error),
            AccountError::SessionNotFound => Self::not_found("session_not_found", error),
            AccountError::SignedOut => sessions::signed_out_error(),
            AccountError::Refused(refusal) => refusal,
            AccountError::Db(cause) => Self::database(&cause),
        }
    }
}
