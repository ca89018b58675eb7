//! Shopper accounts: registration, sign-in (by password or through an identity provider), the profile, emails with
//! one-time links, and account deletion. Owns the tables `users`, `user_identities`, `one_time_links`, `phone_codes`,
//! `email_changes`, `openid_flows` and `openid_identities`.
//!
//! Sessions belong to `platform/sessions`, which knows a person only by id.

mod delete_account;
mod email_change;
mod google;
mod http;
mod identities;
mod links;
mod model;
mod passwords;
mod phone_codes;
mod profile;
mod register;
mod sign_in;
mod sign_out;
mod store;

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

pub use delete_account::{PersonalDataHooks, repeat_deletions};
pub use http::routes;
pub use links::{SendLink, create_confirm_link};
pub use model::AccountError;
pub use phone_codes::SendPhoneCode;
pub use profile::{DefaultAddressHook, DefaultAddressUpdate};
pub use register::ConsentHook;
pub use sign_out::end_sessions_by_email;

use model::UserRow;

use crate::platform::account_kind::AccountKind;
use crate::platform::ids::UserId;
use crate::platform::language::Language;
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions;

/// Sets the profile's one-line address, which always equals the default entry of the address book.
pub async fn set_address(
    connection: &mut PgConnection,
    user: UserId,
    line: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    store::set_address(connection, user, line, now).await
}

/// Locks a shopper's row until the transaction ends, so that changes of what belongs to it happen one at a time.
pub async fn lock_user(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    store::lock_user(connection, user).await
}

/// The contact details of a shopper for other modules.
pub struct UserContact {
    pub name: String,
    pub email: String,
    pub email_confirmed: bool,
    pub phone: String,
    pub language: Language,
}

pub async fn find_contact(connection: &mut PgConnection, user: UserId) -> sqlx::Result<Option<UserContact>> {
    let found = store::find(connection, user).await?;
    Ok(found.map(|row| UserContact {
        name: row.name,
        email: row.email,
        email_confirmed: row.email_confirmed,
        phone: row.phone,
        language: Language::from_code(&row.language),
    }))
}

/// Returns whether a shopper has confirmed the phone number by a code.
pub async fn has_verified_phone(connection: &mut PgConnection, user: UserId) -> sqlx::Result<bool> {
    store::has_verified_phone(connection, user).await
}

/// Returns those of the given picture keys that are a shopper's photo.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    store::pictures_in_use(db, keys).await
}

/// Deletes expired links, email changes and provider sign-ins.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::delete_expired(db, now).await
}

async fn load_user(connection: &mut PgConnection, id: UserId) -> Result<UserRow, AccountError> {
    // A session whose account was deleted counts as signed out.
    store::find(connection, id).await?.ok_or(AccountError::SignedOut)
}

/// Adds an entry about an account to the security log, in the caller's transaction. A request made with a link from an
/// email is recorded as a visitor's.
async fn record(connection: &mut PgConnection, what: SecurityEventKind, by: Actor, user: UserId) -> sqlx::Result<()> {
    security_log::record(connection, what, by, &user.to_string(), &json!({})).await
}

/// Ends all sessions of a shopper except `keep`. Returns how many were ended.
async fn end_sessions(connection: &mut PgConnection, by: Actor, user: UserId, keep: Option<Uuid>) -> sqlx::Result<u64> {
    sessions::end_all_by(connection, by, AccountKind::Shopper, user.0, keep).await
}
