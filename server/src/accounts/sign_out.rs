//! Signing out: one device, all of them, or all of them on behalf of the operator.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{AccountError, end_sessions, links, passwords, store};
use crate::platform::account_kind::AccountKind;
use crate::platform::ids::UserId;
use crate::platform::security_log::Actor;
use crate::platform::sessions::{self, Session};
use crate::platform::state::App;

/// Signs the shopper out everywhere, for the case that another person has access to the account.
pub async fn sign_out_everywhere(app: &App, session: &Session<UserId>) -> Result<(), AccountError> {
    let now = app.clock.now();
    passwords::require_recent_login(app, session, now).await?;
    sign_out(app, Actor::Shopper(session.person), session.person, now).await?;
    Ok(())
}

async fn sign_out(app: &App, by: Actor, user: UserId, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let mut tx = app.db.main.begin().await?;
    store::lock(&mut tx, user).await?;
    links::revoke_pending_links(&mut tx, by, user, now).await?;
    let ended = end_sessions(&mut tx, by, user, None).await?;
    tx.commit().await?;
    Ok(ended)
}

/// Signs out one of the shopper's devices. The current one needs no recent login, because ending it is an ordinary
/// logout.
pub async fn sign_out_device(app: &App, session: &Session<UserId>, device: Uuid) -> Result<(), AccountError> {
    if device != session.id {
        passwords::require_recent_login(app, session, app.clock.now()).await?;
    }
    let ended = sessions::end_one(&app.db.main, AccountKind::Shopper, session.person.0, device).await?;
    if ended { Ok(()) } else { Err(AccountError::SessionNotFound) }
}

/// Signs a shopper out everywhere on behalf of the operator. Returns how many sessions were ended, or `None` if no
/// account has this address.
pub async fn end_sessions_by_email(app: &App, email: &str) -> sqlx::Result<Option<u64>> {
    let Some(user) = store::find_credentials_by_email(&app.db.main, email).await? else { return Ok(None) };
    sign_out(app, Actor::Operator, user.id, app.clock.now()).await.map(Some)
}
