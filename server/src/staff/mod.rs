//! The people who work in the shop, whom the contract calls sellers, and the audit log. The first is created on the
//! command line, and every change that a member of staff makes is recorded (`record_audit_entry`). Owns the tables
//! `sellers`, `seller_pending_logins`, `seller_backup_codes`, `staff_invitations`, `staff_invitation_links` and
//! `audit_log`, and saves the settings of the `shop` module.

mod audit;
mod commands;
mod counter_device;
mod end_sessions;
mod http;
mod invitations;
mod members;
mod model;
mod passwords;
mod second_factor;
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
pub use invitations::SendInvitation;
pub use model::NewAuditEntry;
pub use store::{AuditLog, find_recipient};

use crate::notifications::Recipient;
use crate::platform::api_error::ApiError;
use crate::platform::messages::message;
use crate::platform::permissions::{Access, Permission, Role};

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
    /// Only an owner may do this.
    #[error("owner needed")]
    OwnerNeeded,
    #[error("the last owner")]
    LastOwner,
    /// A person's own role and access are changed by someone else.
    #[error("own account")]
    OwnAccount,
    #[error("member not found")]
    MemberNotFound,
    #[error("the email address belongs to a member already")]
    MemberExists,
    #[error("invitation not found")]
    InvitationNotFound,
    /// The link of an invitation was used, has expired or was revoked.
    #[error("invitation invalid")]
    InvitationInvalid,
    #[error("name invalid")]
    NameInvalid,
    #[error("email address invalid")]
    EmailInvalid,
    #[error("role invalid")]
    RoleInvalid,
    #[error("second factor needed")]
    SecondFactorNeeded,
    #[error("no second factor is set up")]
    SecondFactorMissing,
    /// The operator has set no key to encrypt secrets with.
    #[error("second factor unavailable")]
    SecondFactorUnavailable,
    #[error("no pending secret")]
    NoPendingSecret,
    #[error("PIN invalid")]
    PinInvalid,
    #[error("PIN weak")]
    PinWeak,
    #[error("wrong PIN")]
    WrongPin { attempts_left: i16 },
    #[error("device not remembered")]
    NotRemembered,
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
            SellerError::OwnerNeeded => Self::forbidden("not_allowed", message!("api.staff.not_allowed")),
            SellerError::LastOwner => Self::conflict("last_owner", message!("api.staff.last_owner")),
            SellerError::OwnAccount => Self::conflict("own_account", message!("api.staff.own_account")),
            SellerError::MemberNotFound => Self::not_found("member_not_found", message!("api.staff.member_not_found")),
            SellerError::MemberExists => Self::conflict("member_exists", message!("api.staff.member_exists")),
            SellerError::InvitationNotFound => {
                Self::not_found("invitation_not_found", message!("api.staff.invitation_not_found"))
            }
            SellerError::InvitationInvalid => {
                Self::not_found("invitation_invalid", message!("api.staff.invitation_invalid"))
            }
            SellerError::NameInvalid => Self::invalid("name_invalid", message!("api.staff.name_invalid")),
            SellerError::EmailInvalid => Self::invalid("email_invalid", message!("api.staff.email_invalid")),
            SellerError::RoleInvalid => Self::invalid("role_invalid", message!("api.staff.role_invalid")),
            SellerError::SecondFactorNeeded => {
                Self::forbidden("second_factor_needed", message!("api.staff.second_factor_needed"))
            }
            SellerError::SecondFactorMissing => {
                Self::conflict("second_factor_missing", message!("api.staff.second_factor_missing"))
            }
            SellerError::SecondFactorUnavailable => {
                Self::conflict("second_factor_unavailable", message!("api.staff.second_factor_unavailable"))
            }
            SellerError::NoPendingSecret => {
                Self::conflict("no_pending_secret", message!("api.staff.no_pending_secret"))
            }
            SellerError::PinInvalid => Self::invalid("pin_invalid", message!("api.staff.pin_invalid")),
            SellerError::PinWeak => Self::invalid("pin_weak", message!("api.staff.pin_weak")),
            SellerError::WrongPin { attempts_left } => {
                Self::forbidden("wrong_pin", message!("api.staff.wrong_pin", left = i64::from(attempts_left)))
                    .with_data(serde_json::json!({ "attemptsLeft": attempts_left }))
            }
            SellerError::NotRemembered => Self::conflict("not_remembered", message!("api.staff.not_remembered")),
            SellerError::SessionNotFound => Self::not_found("session_not_found", message!("api.session_not_found")),
            SellerError::SignedOut => crate::platform::sessions::signed_out_error(),
            SellerError::BadCursor => Self::invalid("cursor_invalid", message!("api.cursor_invalid")),
            SellerError::TotpSecret(cause) => Self::internal(&cause),
            SellerError::Refused(refusal) => refusal,
            SellerError::Db(cause) => Self::database(&cause),
        }
    }
}

/// Deletes invitations that nobody has accepted in time.
pub async fn delete_expired_invitations(db: &sqlx::PgPool, now: chrono::DateTime<chrono::Utc>) -> sqlx::Result<u64> {
    store::delete_expired_invitations(db, now).await
}

/// Returns the rider's name if they are active, and keeps them so until the transaction ends.
pub async fn hold_active_rider(connection: &mut sqlx::PgConnection, rider: uuid::Uuid) -> sqlx::Result<Option<String>> {
    store::hold_active(connection, rider, Role::Rider).await
}

/// Returns the id and the name of every active rider.
pub async fn list_active_riders(db: &sqlx::PgPool) -> sqlx::Result<Vec<(uuid::Uuid, String)>> {
    store::list_active(db, Role::Rider).await
}

/// Returns the names of these sellers by id.
pub async fn find_names(
    db: impl sqlx::PgExecutor<'_>,
    ids: &[uuid::Uuid],
) -> sqlx::Result<std::collections::HashMap<uuid::Uuid, String>> {
    Ok(store::find_names(db, ids).await?.into_iter().collect())
}

/// Returns the members of staff who have this permission and are not disabled.
pub async fn list_with_permission(
    connection: &mut sqlx::PgConnection,
    permission: Permission,
) -> sqlx::Result<Vec<uuid::Uuid>> {
    let roles = Role::ALL.into_iter().filter(|role| permission.access(*role) == Access::Allowed);
    let roles: Vec<String> = roles.map(|role| role.name().to_owned()).collect();
    store::list_ids_by_roles(connection, &roles).await
}

/// Returns where a member of staff gets emails, if they have this permission and are not disabled.
pub async fn find_with_permission(
    connection: &mut sqlx::PgConnection,
    id: uuid::Uuid,
    permission: Permission,
) -> sqlx::Result<Option<Recipient>> {
    if !list_with_permission(connection, permission).await?.contains(&id) {
        return Ok(None);
    }
    store::find_recipient(connection, id).await
}
