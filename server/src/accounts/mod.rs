//! Shopper accounts: registration, sign-in (by password or through an identity provider), the profile, emails with
//! one-time links, and account deletion. Owns the tables `users`, `user_identities`, `one_time_links`, `email_changes`,
//! `openid_flows` and `openid_identities`.
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
mod profile;
mod register;
mod sign_in;
mod store;

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

pub use delete_account::PersonalDataHooks;
pub use http::routes;
pub use links::{SendLink, create_confirm_link};
pub use model::{AccountError, User};
pub use profile::{DefaultAddressHook, DefaultAddressUpdate};

use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions::{self, AccountKind, Session};
use crate::platform::state::App;

/// Sets the profile's one-line address, which always equals the default entry of the address book.
pub async fn set_address(
    connection: &mut PgConnection,
    user: Uuid,
    line: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    store::set_address(connection, user, line, now).await
}

/// The contact details of a shopper for other modules.
pub struct UserContact {
    pub name: String,
    pub email: String,
    pub email_confirmed: bool,
    pub phone: String,
}

pub async fn find_contact(connection: &mut PgConnection, user: Uuid) -> sqlx::Result<Option<UserContact>> {
    let found = store::find(connection, user).await?;
    Ok(found.map(|row| UserContact {
        name: row.name,
        email: row.email,
        email_confirmed: row.email_confirmed,
        phone: row.phone,
    }))
}

/// Returns those of the given picture keys that are a shopper's photo.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    store::pictures_in_use(db, keys).await
}

/// Deletes expired links, email changes and provider sign-ins.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::delete_expired(db, now).await
}

/// Loads the user in the contract's shape.
async fn load_user(connection: &mut PgConnection, id: Uuid) -> Result<User, AccountError> {
    // A session whose account was deleted counts as signed out.
    store::find(connection, id).await?.map(User::from).ok_or(AccountError::SignedOut)
}

/// Adds an entry about an account to the security log, in the caller's transaction. A request made with a link from an
/// email is recorded as a visitor's.
async fn record(connection: &mut PgConnection, what: SecurityEventKind, by: Actor, user: Uuid) -> sqlx::Result<()> {
    security_log::record(connection, what, by, &user.to_string(), &json!({})).await
}

/// Ends all sessions of a shopper except `keep`. Returns how many were ended.
async fn end_sessions(connection: &mut PgConnection, by: Actor, user: Uuid, keep: Option<Uuid>) -> sqlx::Result<u64> {
    sessions::end_all_by(connection, by, AccountKind::Shopper, user, keep).await
}

/// Signs the shopper out everywhere, for the case that another person has access to the account.
async fn sign_out_everywhere(app: &App, session: &Session) -> Result<(), AccountError> {
    let now = app.clock.now();
    passwords::require_recent_login(app, session, now).await?;
    sign_out(app, Actor::Shopper(session.person), session.person, now).await?;
    Ok(())
}

async fn sign_out(app: &App, by: Actor, user: Uuid, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let mut tx = app.db.main.begin().await?;
    store::lock(&mut tx, user).await?;
    links::revoke_pending_links(&mut tx, by, user, now).await?;
    let ended = end_sessions(&mut tx, by, user, None).await?;
    tx.commit().await?;
    Ok(ended)
}

/// Signs out one of the shopper's devices. The current one needs no recent login, because ending it is an ordinary
/// logout.
async fn sign_out_device(app: &App, session: &Session, device: Uuid) -> Result<(), AccountError> {
    if device != session.id {
        passwords::require_recent_login(app, session, app.clock.now()).await?;
    }
    let ended = sessions::end_one(&app.db.main, AccountKind::Shopper, session.person, device).await?;
    if ended { Ok(()) } else { Err(AccountError::SessionNotFound) }
}

/// Signs a shopper out everywhere on behalf of the operator. Returns how many sessions were ended, or `None` if no
/// account has this address.
pub async fn end_sessions_by_email(app: &App, email: &str) -> sqlx::Result<Option<u64>> {
    let Some(user) = store::find_credentials_by_email(&app.db.main, email).await? else { return Ok(None) };
    sign_out(app, Actor::Operator, user.id, app.clock.now()).await.map(Some)
}
