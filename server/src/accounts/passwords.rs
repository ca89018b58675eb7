//! Passwords and addresses that are changed by a link in an email.
//!
//! The secret stands behind `#` in the link, so that no server on the way and no log ever sees it.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use uuid::Uuid;

use super::links::{self, CONFIRM_EMAIL, LinkRequest, RESET_PASSWORD, revoke_pending_links};
use super::sign_in::recipient;
use super::{AccountError, end_sessions, record, store};
use crate::notifications::{self, Email, Recipient};
use crate::platform::security_log::{Actor, SecurityEventKind};
use crate::platform::sessions::{self, AccountKind, Session};
use crate::platform::state::App;
use crate::platform::throttle::{self, ThrottleSubject};
use crate::platform::web::Language;
use crate::platform::{contact, hex, tokens};

/// Emails of one kind to one person within an hour.
const EMAILS_PER_HOUR: u32 = 3;
const HOUR: Duration = Duration::from_hours(1);

/// One more confirmation email for this account, whichever call asks for it.
pub async fn check_confirmation_limit(app: &App, user: Uuid, now: DateTime<Utc>) -> Result<(), AccountError> {
    throttle::check_limit(&app.db.main, "confirm", &user.to_string(), EMAILS_PER_HOUR, HOUR, now).await?;
    Ok(())
}

/// Sends the confirmation again: to the new address if one waits, else to the unconfirmed one.
pub async fn resend_confirmation(app: &App, user: Uuid) -> Result<(), AccountError> {
    check_confirmation_limit(app, user, app.clock.now()).await?;
    let mut tx = app.db.main.begin().await?;
    let row = store::find(&mut tx, user).await?.ok_or(AccountError::SignedOut)?;
    let waiting = row.pending_email.or((!row.email_confirmed).then_some(row.email));
    if let Some(email) = waiting {
        links::send_link(&mut tx, LinkRequest::ConfirmEmail { user, email }).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The link was opened: the address is the person's, if it is still the one that waits to be confirmed.
pub async fn confirm_email(app: &App, token: &str) -> Result<String, AccountError> {
    let now = app.clock.now();
    let token = tokens::hash(token);
    let mut tx = app.db.main.begin().await?;
    let user = store::lock_link_owner(&mut tx, &token, CONFIRM_EMAIL, now).await?.ok_or(AccountError::LinkInvalid)?;
    let used = store::consume_link(&mut tx, &token, CONFIRM_EMAIL, now).await?.ok_or(AccountError::LinkInvalid)?;
    let before = store::find(&mut tx, user).await?.ok_or(AccountError::LinkInvalid)?;
    if !before.may_confirm(&used.email) {
        return Err(AccountError::LinkInvalid);
    }
    if !store::confirm_email(&mut tx, user, &used.email, now).await? {
        return Err(AccountError::EmailTaken);
    }
    store::delete_links(&mut tx, user, &[CONFIRM_EMAIL]).await?;
    if !before.email.eq_ignore_ascii_case(&used.email) {
        // A link that was sent to the former address must not open the account any more.
        store::delete_links(&mut tx, user, &[RESET_PASSWORD]).await?;
        record(&mut tx, SecurityEventKind::EmailChanged, Actor::Visitor, user).await?;
        let language = Language::from_code(&before.language);
        let old = Recipient { email: before.email, name: before.name, language };
        notifications::send_email(&mut tx, &old, &Email::EmailChanged).await?;
    }
    tx.commit().await?;
    Ok(used.email)
}

/// Asks for an email to choose a new password. Known and unknown addresses get the same answer and cost the same work:
/// the worker finds out whether there is an account.
pub async fn request_password_reset(app: &App, email: &str, from: IpAddr) -> Result<(), AccountError> {
    let email = contact::parse_email(email).ok_or(AccountError::EmailInvalid)?;
    app.limits.emails.check(from)?;
    let whom = hex::encode(tokens::hash(&email.to_lowercase()));
    throttle::check_limit(&app.db.main, "reset", &whom, EMAILS_PER_HOUR, HOUR, app.clock.now()).await?;
    let mut tx = app.db.main.begin().await?;
    links::send_link(&mut tx, LinkRequest::ResetPassword { email }).await?;
    tx.commit().await?;
    Ok(())
}

/// Sets a new password by the link of an email. Whoever was in is out, and the address is proven by the way.
pub async fn reset_password(app: &App, token: &str, password: &str) -> Result<(), AccountError> {
    let now = app.clock.now();
    let link = tokens::hash(token);
    let known =
        store::find_link_owner(&app.db.main, &link, RESET_PASSWORD, now).await?.ok_or(AccountError::LinkInvalid)?;
    // Before the transaction: hashing may wait for its turn, and nothing in the database should wait with it. A refusal
    // leaves the link good for a better password.
    let hash = app.passwords.hash_new(password, &[&known.name, &known.email, &known.phone]).await?;

    let mut tx = app.db.main.begin().await?;
    let user = store::lock_link_owner(&mut tx, &link, RESET_PASSWORD, now).await?.ok_or(AccountError::LinkInvalid)?;
    let used = store::consume_link(&mut tx, &link, RESET_PASSWORD, now).await?.ok_or(AccountError::LinkInvalid)?;
    let user = store::find(&mut tx, user).await?.ok_or(AccountError::LinkInvalid)?;
    if !user.email.eq_ignore_ascii_case(&used.email) {
        return Err(AccountError::LinkInvalid);
    }
    store::set_password(&mut tx, user.id, &hash, now).await?;
    record(&mut tx, SecurityEventKind::PasswordChanged, Actor::Visitor, user.id).await?;
    store::confirm_email(&mut tx, user.id, &used.email, now).await?;
    revoke_pending_links(&mut tx, Actor::Visitor, user.id, now).await?;
    // Whoever had the account before may have linked an identity of his own.
    if store::remove_other_identities(&mut tx, user.id, &used.email).await? {
        record(&mut tx, SecurityEventKind::IdentityRemoved, Actor::Visitor, user.id).await?;
    }
    end_sessions(&mut tx, Actor::Visitor, user.id, None).await?;
    throttle::clear_failures(&mut tx, &ThrottleSubject::account(AccountKind::Shopper, user.id)).await?;
    let language = Language::from_code(&user.language);
    let to = Recipient { email: user.email, name: user.name, language };
    notifications::send_email(&mut tx, &to, &Email::PasswordChanged).await?;
    tx.commit().await?;
    Ok(())
}

/// Changes the password of a signed-in shopper; every other session ends and this one gets a new token.
pub async fn change_password(
    app: &App,
    session: &Session,
    current: &str,
    new: &str,
    headers: &HeaderMap,
) -> Result<Vec<HeaderValue>, AccountError> {
    let now = app.clock.now();
    let user = store::find_credentials(&app.db.main, session.person).await?.ok_or(AccountError::SignedOut)?;
    verify_password(app, &user, current, now).await?;
    let hash = app.passwords.hash_new(new, &[&user.name, &user.email]).await?;

    let mut tx = app.db.main.begin().await?;
    // A reset may have come between; then the password that was given is no longer the right one.
    if !store::lock_if_password_unchanged(&mut tx, user.id, user.password_hash.as_deref()).await? {
        return Err(AccountError::WrongPassword);
    }
    let by = Actor::Shopper(user.id);
    store::set_password(&mut tx, user.id, &hash, now).await?;
    record(&mut tx, SecurityEventKind::PasswordChanged, by, user.id).await?;
    revoke_pending_links(&mut tx, by, user.id, now).await?;
    end_sessions(&mut tx, by, user.id, Some(session.id)).await?;
    // Its next login is no login with a new browser.
    sessions::remember_browser(&mut tx, AccountKind::Shopper, user.id, headers, now).await?;
    let cookies = sessions::renew(&mut tx, AccountKind::Shopper, session.id, now).await?;
    notifications::send_email(&mut tx, &recipient(&user), &Email::PasswordChanged).await?;
    tx.commit().await?;
    Ok(cookies)
}

/// A signed-in person gives the password again, at the guard's pace.
pub async fn verify_password(
    app: &App,
    user: &store::UserCredentials,
    password: &str,
    now: DateTime<Utc>,
) -> Result<(), AccountError> {
    let subject = ThrottleSubject::known_device(AccountKind::Shopper, user.id, b"signed in");
    throttle::check_attempt(&app.db.main, &subject, now).await?;
    if !app.passwords.verify(password, user.password_hash.clone()).await? {
        return Err(AccountError::WrongPassword);
    }
    let mut tx = app.db.main.begin().await?;
    throttle::clear_failures(&mut tx, &subject).await?;
    tx.commit().await?;
    Ok(())
}

/// The password once more: the session counts as a new login and gets a new token.
pub async fn reauthenticate(app: &App, session: &Session, password: &str) -> Result<Vec<HeaderValue>, AccountError> {
    let now = app.clock.now();
    let user = store::find_credentials(&app.db.main, session.person).await?.ok_or(AccountError::SignedOut)?;
    verify_password(app, &user, password, now).await?;
    let mut tx = app.db.main.begin().await?;
    // A reset may have come between.
    if !store::lock_if_password_unchanged(&mut tx, user.id, user.password_hash.as_deref()).await? {
        return Err(AccountError::WrongPassword);
    }
    let cookies = sessions::renew(&mut tx, AccountKind::Shopper, session.id, now).await?;
    tx.commit().await?;
    Ok(cookies)
}

/// What only the person may do who has just shown who they are.
pub async fn require_recent_login(app: &App, session: &Session, now: DateTime<Utc>) -> Result<(), AccountError> {
    let user = store::find_credentials(&app.db.main, session.person).await?.ok_or(AccountError::SignedOut)?;
    require_recent_login_or_password(app, session, &user, None, now).await
}

/// What changes the keys of an account wants: a login within the last minutes, or the password again.
pub async fn require_recent_login_or_password(
    app: &App,
    session: &Session,
    user: &store::UserCredentials,
    password: Option<&str>,
    now: DateTime<Utc>,
) -> Result<(), AccountError> {
    match password.filter(|password| !password.is_empty()) {
        _ if session.is_fresh => Ok(()),
        Some(password) if user.password_hash.is_some() => verify_password(app, user, password, now).await,
        _ if user.password_hash.is_some() => Err(AccountError::PasswordNeeded),
        _ => Err(AccountError::FreshLoginNeeded),
    }
}
