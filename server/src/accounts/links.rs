//! One-time links in emails. A job contains the purpose and the recipient; the worker generates the token when it sends
//! the email. The queue therefore never contains a token, and a request does the same work whether an account exists or
//! not.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{AccountError, record, store};
use crate::notifications::{self, Email, Recipient};
use crate::platform::ids::UserId;
use crate::platform::jobs::{self, Job};
use crate::platform::language::Language;
use crate::platform::security_log::{Actor, SecurityEventKind};
use crate::platform::state::App;
use crate::platform::tokens;

pub const RESET_PASSWORD: &str = "reset_password";
pub const CONFIRM_EMAIL: &str = "confirm_email";
pub const CANCEL_EMAIL_CHANGE: &str = "cancel_email_change";
const RESET_PASSWORD_LIFETIME: Duration = Duration::from_mins(30);
const CONFIRM_EMAIL_LIFETIME: Duration = Duration::from_hours(72);
const CANCEL_EMAIL_CHANGE_LIFETIME: Duration = Duration::from_hours(72);

/// The purpose of an email with a one-time link.
#[derive(Serialize, Deserialize)]
#[serde(tag = "purpose", rename_all = "snake_case")]
pub enum LinkRequest {
    ConfirmEmail {
        user: UserId,
        email: String,
    },
    /// Contains the address as it was typed; the worker finds out whether it has an account.
    ResetPassword {
        email: String,
    },
    /// Is sent to the address that the change replaces.
    CancelEmailChange {
        change: Uuid,
    },
}

/// Sends the email when the caller's transaction commits.
pub async fn send_link(connection: &mut PgConnection, request: LinkRequest) -> sqlx::Result<()> {
    jobs::enqueue(connection, &SendLink { id: Uuid::now_v7(), request }).await
}

#[derive(Serialize, Deserialize)]
pub struct SendLink {
    /// Becomes the Message-ID, so that it is the same on every run of the job.
    id: Uuid,
    #[serde(flatten)]
    request: LinkRequest,
}

impl Job for SendLink {
    const NAME: &'static str = "accounts.send_link";

    /// The job may run twice. Mail programs hide a second email with the same Message-ID, so the token of the first run
    /// must stay valid.
    async fn run(self, app: &App) -> Result<(), String> {
        let token = tokens::generate().map_err(|_| "no random numbers".to_owned())?;
        let minted = mint_link(app, &self, &token, app.clock.now()).await.map_err(|error| error.to_string())?;
        // The account may have been deleted or the request cancelled since the job was queued.
        let Some((to, message)) = minted else { return Ok(()) };
        notifications::deliver_email(app, self.id, &to, &message).await
    }
}

async fn mint_link(
    app: &App,
    job: &SendLink,
    token: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<(Recipient, Email)>> {
    let address = |page: &str| format!("{}/{page}#token={token}", app.config.public_url);
    let mut tx = app.db.main.begin().await?;
    // Each arm locks the account, so that no link is created after a password change has deleted them all.
    let (user, email, message) = match &job.request {
        LinkRequest::ConfirmEmail { user, email } => {
            let user = store::lock(&mut tx, *user).await?.filter(|user| user.may_confirm(email));
            let Some(user) = user else { return Ok(None) };
            (user, email.clone(), Email::ConfirmEmail { link: address("confirm-email") })
        }
        LinkRequest::ResetPassword { email } => {
            let Some(user) = store::lock_by_email(&mut tx, email).await? else { return Ok(None) };
            let email = user.email.clone();
            (user, email, Email::ResetPassword { link: address("reset-password") })
        }
        LinkRequest::CancelEmailChange { change } => {
            let Some(owner) = store::find_email_change_owner(&mut tx, *change).await? else { return Ok(None) };
            let Some(user) = store::lock(&mut tx, owner).await? else { return Ok(None) };
            // The change is read under the lock, because cancelling an earlier change deletes this one.
            let Some(change) = store::find_email_change(&mut tx, *change).await? else { return Ok(None) };
            let message = Email::EmailChanging { new_email: change.new_email, link: address("cancel-email-change") };
            (user, change.old_email, message)
        }
    };
    let (purpose, lifetime, change) = match &job.request {
        LinkRequest::ConfirmEmail { .. } => (CONFIRM_EMAIL, CONFIRM_EMAIL_LIFETIME, None),
        LinkRequest::ResetPassword { .. } => (RESET_PASSWORD, RESET_PASSWORD_LIFETIME, None),
        LinkRequest::CancelEmailChange { change } => (CANCEL_EMAIL_CHANGE, CANCEL_EMAIL_CHANGE_LIFETIME, Some(*change)),
    };
    let link = store::NewLink {
        token: &tokens::hash(token),
        purpose,
        user: user.id,
        email: &email,
        expires_at: now + lifetime,
        message: job.id,
        change,
    };
    store::replace_link(&mut tx, &link).await?;
    tx.commit().await?;
    Ok(Some((Recipient { email, name: user.name, language: Language::from_code(&user.language) }, message)))
}

/// Creates a link that confirms the account's address, for an email that another module's job sends. Earlier links stay
/// valid.
pub async fn create_confirm_link(
    app: &App,
    connection: &mut PgConnection,
    user: UserId,
    email: &str,
    now: DateTime<Utc>,
) -> Result<String, AccountError> {
    let token = tokens::generate()?;
    let link = store::NewLink {
        token: &tokens::hash(&token),
        purpose: CONFIRM_EMAIL,
        user,
        email,
        expires_at: now + CONFIRM_EMAIL_LIFETIME,
        message: Uuid::now_v7(),
        change: None,
    };
    store::insert_link(connection, &link).await?;
    Ok(format!("{}/confirm-email#token={token}", app.config.public_url))
}

/// Deletes the links that could still change the account's address or password, and clears the pending address. Links
/// that cancel a change stay, because they belong to the owner of the former address, who may need them to recover the
/// account.
pub async fn revoke_pending_links(
    connection: &mut PgConnection,
    by: Actor,
    user: UserId,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    if store::clear_pending_email(connection, user, now).await? {
        record(connection, SecurityEventKind::EmailChangeCancelled, by, user).await?;
    }
    store::delete_links(connection, user, &[CONFIRM_EMAIL, RESET_PASSWORD]).await
}
