//! Who a shopper is: registering, signing in (by password or through an identity provider), the profile, emails with
//! links, leaving. Owns the tables `users`, `user_identities`, `one_time_links`, `email_changes`, `openid_flows`,
//! `openid_identities`.
//!
//! A session itself is the platform's (`platform/sessions`): it knows a person's id and nothing else.

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

/// The one-line address of the profile follows the default of the address book.
pub async fn set_address(
    connection: &mut PgConnection,
    user: Uuid,
    line: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    store::set_address(connection, user, line, now).await
}

/// Who a shopper is to other rooms.
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

/// Which of these pictures are somebody's photo.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    store::pictures_in_use(db, keys).await
}

/// Deletes links and sign-ins whose time is over.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::delete_expired(db, now).await
}

/// The user as the contract shows it.
async fn load_user(connection: &mut PgConnection, id: Uuid) -> Result<User, AccountError> {
    // A session whose account is gone is no session.
    store::find(connection, id).await?.map(User::from).ok_or(AccountError::SignedOut)
}

/// Adds a row about an account to the security log, in the caller's transaction. Whoever opened a link of an email is a visitor.
async fn record(connection: &mut PgConnection, what: SecurityEventKind, by: Actor, user: Uuid) -> sqlx::Result<()> {
    security_log::record(connection, what, by, &user.to_string(), &json!({})).await
}

/// Ends every session of a person but one. Returns how many there were.
async fn end_sessions(connection: &mut PgConnection, by: Actor, user: Uuid, keep: Option<Uuid>) -> sqlx::Result<u64> {
    sessions::end_all_by(connection, by, AccountKind::Shopper, user, keep).await
}

/// Signs out everywhere, for somebody who fears that another person is in the account.
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

/// Signs one of the person's devices out. This very one needs no proof: that is a logout.
async fn sign_out_device(app: &App, session: &Session, device: Uuid) -> Result<(), AccountError> {
    if device != session.id {
        passwords::require_recent_login(app, session, app.clock.now()).await?;
    }
    let ended = sessions::end_one(&app.db.main, AccountKind::Shopper, session.person, device).await?;
    if ended { Ok(()) } else { Err(AccountError::SessionNotFound) }
}

/// The operator signs a shopper out everywhere. Returns how many sessions there were; None when nobody has this address.
pub async fn end_sessions_by_email(app: &App, email: &str) -> sqlx::Result<Option<u64>> {
    let Some(user) = store::find_credentials_by_email(&app.db.main, email).await? else { return Ok(None) };
    sign_out(app, Actor::Operator, user.id, app.clock.now()).await.map(Some)
}
