//! Changing and verifying passwords, resetting them with a link, and confirming email addresses.
//!
//! The token is in the fragment of the link (after `#`), so that no server on the way and no log ever sees it.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};

use super::links::{self, CONFIRM_EMAIL, LinkRequest, RESET_PASSWORD, revoke_pending_links};
use super::sign_in::recipient;
use super::{AccountError, end_sessions, record, store};
use crate::notifications::{self, Email, Recipient};
use crate::platform::account_kind::AccountKind;
use crate::platform::ids::UserId;
use crate::platform::language::Language;
use crate::platform::security_log::{Actor, SecurityEventKind};
use crate::platform::sessions::{self, Session};
use crate::platform::state::App;
use crate::platform::throttle::{self, ThrottleSubject};
use crate::platform::{contact, hex, tokens};

/// The limit applies to each kind of email and each recipient.
const EMAILS_PER_HOUR: u32 = 3;
const HOUR: Duration = Duration::from_hours(1);

/// Counts one more confirmation email for this account and fails if there are too many, whichever call sends it.
pub async fn check_confirmation_limit(app: &App, user: UserId, now: DateTime<Utc>) -> Result<(), AccountError> {
    throttle::check_limit(&app.db.main, "confirm", &user.to_string(), EMAILS_PER_HOUR, HOUR, now).await?;
    Ok(())
}

/// Sends the confirmation email again: to the pending address if there is one, otherwise to an unconfirmed current one.
pub async fn resend_confirmation(app: &App, user: UserId) -> Result<(), AccountError> {
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

/// Confirms the address of the link, if it is still pending or unconfirmed.
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
        // A reset link that was sent to the former address must no longer open the account.
        store::delete_links(&mut tx, user, &[RESET_PASSWORD]).await?;
        record(&mut tx, SecurityEventKind::EmailChanged, Actor::Visitor, user).await?;
        let language = Language::from_code(&before.language);
        let old = Recipient { email: before.email, name: before.name, language };
        notifications::send_email(&mut tx, &old, &Email::EmailChanged).await?;
    }
    tx.commit().await?;
    Ok(used.email)
}

/// Requests an email with a reset link. Known and unknown addresses get the same response and cost the same work,
/// because the worker finds out whether there is an account.
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

/// Sets a new password with the link from an email. All sessions end, and the address is confirmed because the link was
/// sent there.
pub async fn reset_password(app: &App, token: &str, password: &str) -> Result<(), AccountError> {
    let now = app.clock.now();
    let link = tokens::hash(token);
    let known =
        store::find_link_owner(&app.db.main, &link, RESET_PASSWORD, now).await?.ok_or(AccountError::LinkInvalid)?;
    // Hashing may have to wait for its turn, so it happens before the transaction, which would wait with it. If the new
    // password is refused, the link stays valid for another try.
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
    // An intruder may have linked an identity under another address.
    if store::remove_other_identities(&mut tx, user.id, &used.email).await? {
        record(&mut tx, SecurityEventKind::IdentityRemoved, Actor::Visitor, user.id).await?;
    }
    end_sessions(&mut tx, Actor::Visitor, user.id, None).await?;
    throttle::clear_failures(&mut tx, &ThrottleSubject::account(AccountKind::Shopper, user.id.0)).await?;
    let language = Language::from_code(&user.language);
    let to = Recipient { email: user.email, name: user.name, language };
    notifications::send_email(&mut tx, &to, &Email::PasswordChanged).await?;
    tx.commit().await?;
    Ok(())
}

/// Changes the password of a signed-in shopper. All other sessions end, and this one gets a new token.
pub async fn change_password(
    app: &App,
    session: &Session<UserId>,
    current: &str,
    new: &str,
    headers: &HeaderMap,
) -> Result<Vec<HeaderValue>, AccountError> {
    let now = app.clock.now();
    let user = store::find_credentials(&app.db.main, session.person).await?.ok_or(AccountError::SignedOut)?;
    verify_password(app, &user, current, now).await?;
    let hash = app.passwords.hash_new(new, &[&user.name, &user.email]).await?;

    let mut tx = app.db.main.begin().await?;
    // A reset may have replaced the password since it was verified.
    if !store::lock_if_password_unchanged(&mut tx, user.id, user.password_hash.as_deref()).await? {
        return Err(AccountError::WrongPassword);
    }
    let by = Actor::Shopper(user.id);
    store::set_password(&mut tx, user.id, &hash, now).await?;
    record(&mut tx, SecurityEventKind::PasswordChanged, by, user.id).await?;
    revoke_pending_links(&mut tx, by, user.id, now).await?;
    end_sessions(&mut tx, by, user.id, Some(session.id)).await?;
    // Ending sessions forgets all browsers, and the next login with this one must not be reported as a new device.
    sessions::remember_browser(&mut tx, AccountKind::Shopper, user.id.0, headers, now).await?;
    let cookies = sessions::renew(&mut tx, AccountKind::Shopper, session.id, now).await?;
    notifications::send_email(&mut tx, &recipient(&user), &Email::PasswordChanged).await?;
    tx.commit().await?;
    Ok(cookies)
}

/// Verifies the password of a signed-in shopper; the login throttle limits the attempts.
pub async fn verify_password(
    app: &App,
    user: &store::UserCredentials,
    password: &str,
    now: DateTime<Utc>,
) -> Result<(), AccountError> {
    let subject = ThrottleSubject::known_device(AccountKind::Shopper, user.id.0, b"signed in");
    throttle::check_attempt(&app.db.main, &subject, now).await?;
    if !app.passwords.verify(password, user.password_hash.clone()).await? {
        return Err(AccountError::WrongPassword);
    }
    let mut tx = app.db.main.begin().await?;
    throttle::clear_failures(&mut tx, &subject).await?;
    tx.commit().await?;
    Ok(())
}

/// Verifies the password again, after which the session counts as a new login and gets a new token.
pub async fn reauthenticate(
    app: &App,
    session: &Session<UserId>,
    password: &str,
) -> Result<Vec<HeaderValue>, AccountError> {
    let now = app.clock.now();
    let user = store::find_credentials(&app.db.main, session.person).await?.ok_or(AccountError::SignedOut)?;
    verify_password(app, &user, password, now).await?;
    let mut tx = app.db.main.begin().await?;
    // A reset may have replaced the password since it was verified.
    if !store::lock_if_password_unchanged(&mut tx, user.id, user.password_hash.as_deref()).await? {
        return Err(AccountError::WrongPassword);
    }
    let cookies = sessions::renew(&mut tx, AccountKind::Shopper, session.id, now).await?;
    tx.commit().await?;
    Ok(cookies)
}

/// Fails unless the shopper logged in or verified the password within the last minutes.
pub async fn require_recent_login(
    app: &App,
    session: &Session<UserId>,
    now: DateTime<Utc>,
) -> Result<(), AccountError> {
    let user = store::find_credentials(&app.db.main, session.person).await?.ok_or(AccountError::SignedOut)?;
    require_recent_login_or_password(app, session, &user, None, now).await
}

/// Fails unless the shopper logged in within the last minutes or sends the correct password; changes of credentials
/// require this.
pub async fn require_recent_login_or_password(
    app: &App,
    session: &Session<UserId>,
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
