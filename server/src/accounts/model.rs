//! Users and their identities as they are stored, and the errors of this module.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::media;
use crate::platform::api_error::ApiError;
use crate::platform::ids::UserId;
use crate::platform::messages::message;
use crate::platform::sessions;

#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    #[error("fields missing")]
    FieldsMissing,
    #[error("field too long")]
    FieldTooLong,
    #[error("link in text")]
    LinkInText,
    #[error("name required")]
    NameRequired,
    #[error("email invalid")]
    EmailInvalid,
    #[error("phone invalid")]
    PhoneInvalid,
    #[error("phone unusable")]
    PhoneUnusable,
    #[error("codes by SMS are off")]
    PhoneDisabled,
    /// Also for an expired code and for one whose attempts are used up.
    #[error("wrong code")]
    WrongPhoneCode,
    #[error("address required")]
    AddressRequired,
    #[error("email taken")]
    EmailTaken,
    /// An unknown address and a wrong password get the same error.
    #[error("wrong credentials")]
    WrongCredentials,
    #[error("wrong password")]
    WrongPassword,
    #[error("fresh login needed")]
    FreshLoginNeeded,
    #[error("password needed")]
    PasswordNeeded,
    #[error("account changed")]
    AccountChanged,
    #[error("identity not found")]
    IdentityNotFound,
    #[error("this is the last login method")]
    LastLoginMethod,
    #[error("link invalid")]
    LinkInvalid,
    #[error("Google login failed")]
    GoogleFailed,
    #[error("Google login is off")]
    GoogleDisabled,
    #[error("link needed")]
    LinkNeeded,
    #[error("session not found")]
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
            AccountError::FieldsMissing => Self::invalid("fields_missing", message!("api.fields_missing")),
            AccountError::FieldTooLong => Self::invalid("field_too_long", message!("api.field_too_long")),
            AccountError::LinkInText => Self::invalid("link_in_text", message!("api.link_in_text")),
            AccountError::NameRequired => Self::invalid("name_required", message!("api.accounts.name_required")),
            AccountError::EmailInvalid => Self::invalid("email_invalid", message!("api.accounts.email_invalid")),
            AccountError::PhoneInvalid => Self::invalid("phone_invalid", message!("api.accounts.phone_invalid")),
            AccountError::PhoneUnusable => Self::invalid("phone_invalid", message!("api.phone_invalid")),
            AccountError::PhoneDisabled => Self::not_found("phone_disabled", message!("api.accounts.phone_disabled")),
            AccountError::WrongPhoneCode => Self::forbidden("wrong_code", message!("api.accounts.phone_code_wrong")),
            AccountError::AddressRequired => {
                Self::invalid("address_required", message!("api.accounts.address_required"))
            }
            AccountError::EmailTaken => Self::conflict("email_taken", message!("api.accounts.email_taken")),
            AccountError::WrongCredentials => {
                Self::unauthorized("wrong_credentials", message!("api.wrong_credentials"))
            }
            AccountError::WrongPassword => Self::forbidden("wrong_password", message!("api.wrong_password")),
            AccountError::FreshLoginNeeded => {
                Self::forbidden("fresh_login_needed", message!("api.accounts.fresh_login_needed"))
            }
            AccountError::PasswordNeeded => {
                Self::forbidden("password_needed", message!("api.accounts.password_needed"))
            }
            AccountError::AccountChanged => Self::conflict("account_changed", message!("api.accounts.account_changed")),
            AccountError::IdentityNotFound => {
                Self::not_found("identity_not_found", message!("api.accounts.identity_not_found"))
            }
            AccountError::LastLoginMethod => {
                Self::conflict("last_login_method", message!("api.accounts.last_login_method"))
            }
            AccountError::LinkInvalid => Self::invalid("link_invalid", message!("api.accounts.link_invalid")),
            AccountError::GoogleFailed => Self::unauthorized("google_failed", message!("api.accounts.google_failed")),
            AccountError::GoogleDisabled => {
                Self::not_found("google_disabled", message!("api.accounts.google_disabled"))
            }
            AccountError::LinkNeeded => Self::conflict("link_needed", message!("api.accounts.link_needed")),
            AccountError::SessionNotFound => Self::not_found("session_not_found", message!("api.session_not_found")),
            AccountError::SignedOut => sessions::signed_out_error(),
            AccountError::Refused(refusal) => refusal,
            AccountError::Db(cause) => Self::database(&cause),
        }
    }
}

pub struct LinkedIdentity {
    pub id: Uuid,
    /// The email address at the provider when the identity was linked; empty if it was not stored.
    pub email: String,
    pub linked_at: DateTime<Utc>,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the account")]
pub struct UserRow {
    pub id: UserId,
    pub email: String,
    pub email_confirmed: bool,
    pub pending_email: Option<String>,
    pub name: String,
    pub phone: String,
    pub phone_verified: bool,
    pub address: String,
    pub picture: Option<String>,
    pub has_password: bool,
    pub google: bool,
    pub language: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl UserRow {
    /// Returns whether a link sent to this address may confirm it: it must be the pending one, or the account's own
    /// unconfirmed one.
    pub fn may_confirm(&self, email: &str) -> bool {
        let pending = self.pending_email.as_deref().is_some_and(|pending| pending.eq_ignore_ascii_case(email));
        pending || (!self.email_confirmed && self.email.eq_ignore_ascii_case(email))
    }
}
