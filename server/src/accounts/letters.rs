//! Letters with a link that works once: a forgotten password, an address to confirm.
//!
//! The secret stands behind `#` in the link, so that no server on the way and no log ever sees it.

use std::net::IpAddr;
use std::time::Duration;

use http::HeaderValue;
use sqlx::PgConnection;
use uuid::Uuid;

use super::sign_in::recipient;
use super::{AccountError, end_sessions, store};
use crate::notifications::{self, Letter, Recipient};
use crate::platform::guard::{self, Subject};
use crate::platform::sessions::{self, Kind, Session};
use crate::platform::state::App;
use crate::platform::web::Language;
use crate::platform::{contact, hex, tokens};

const RESET: &str = "reset_password";
const CONFIRM: &str = "confirm_email";
const RESET_LIFE: Duration = Duration::from_mins(30);
const CONFIRM_LIFE: Duration = Duration::from_hours(72);
/// Letters of one kind to one person within an hour.
const LETTERS_AN_HOUR: u32 = 3;
const HOUR: Duration = Duration::from_hours(1);

/// Sends the link that proves an address, as part of the caller's transaction.
pub async fn ask_to_confirm(
    app: &App,
    connection: &mut PgConnection,
    user: Uuid,
    email: &str,
    name: &str,
    language: Language,
) -> Result<(), AccountError> {
    let token = tokens::fresh()?;
    let link = store::Link { token: &tokens::hash(&token), purpose: CONFIRM, user, email, life: CONFIRM_LIFE };
    store::insert_link(connection, &link).await?;
    let to = Recipient { email: email.to_owned(), name: name.to_owned(), language };
    let link = format!("{}/confirm-email#token={token}", app.config.public_url);
    notifications::send(connection, &to, &Letter::ConfirmEmail { link }).await?;
    Ok(())
}

/// Sends the confirmation again: to the new address if one waits, else to the unconfirmed one.
pub async fn confirm_again(app: &App, user: Uuid) -> Result<(), AccountError> {
    guard::count(&app.db.main, "confirm", &user.to_string(), LETTERS_AN_HOUR, HOUR).await?;
    let mut tx = app.db.main.begin().await?;
    let row = store::find(&mut tx, user).await?.ok_or(AccountError::SignedOut)?;
    let language = Language::from_code(&row.language);
    let waiting = row.pending_email.or((!row.email_confirmed).then_some(row.email));
    if let Some(email) = waiting {
        ask_to_confirm(app, &mut tx, user, &email, &row.name, language).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The link was opened: the address is the person's.
pub async fn confirm(app: &App, token: &str) -> Result<String, AccountError> {
    let mut tx = app.db.main.begin().await?;
    let used = store::use_link(&mut tx, &tokens::hash(token), CONFIRM).await?.ok_or(AccountError::LinkInvalid)?;
    let before = store::find(&mut tx, used.user_id).await?.ok_or(AccountError::LinkInvalid)?;
    if !store::confirm_email(&mut tx, used.user_id, &used.email).await? {
        return Err(AccountError::EmailTaken);
    }
    if !before.email.eq_ignore_ascii_case(&used.email) {
        let language = Language::from_code(&before.language);
        let old = Recipient { email: before.email, name: before.name, language };
        notifications::send(&mut tx, &old, &Letter::EmailChanged).await?;
    }
    tx.commit().await?;
    Ok(used.email)
}

/// Asks for a letter to choose a new password. The answer is the same whether there is an account or not, and it does
/// not take longer in a way that could be measured: the letter is written by the worker.
pub async fn forgot(app: &App, email: &str, from: IpAddr) -> Result<(), AccountError> {
    let email = contact::email(email).ok_or(AccountError::EmailInvalid)?;
    app.limits.letters.check(from)?;
    let whom = hex::encode(tokens::hash(&email.to_lowercase()));
    guard::count(&app.db.main, "reset", &whom, LETTERS_AN_HOUR, HOUR).await?;
    let Some(user) = store::credentials(&app.db.main, &email).await? else { return Ok(()) };
    let token = tokens::fresh()?;
    let mut tx = app.db.main.begin().await?;
    let link = store::Link {
        token: &tokens::hash(&token),
        purpose: RESET,
        user: user.id,
        email: &user.email,
        life: RESET_LIFE,
    };
    store::insert_link(&mut tx, &link).await?;
    let link = format!("{}/reset-password#token={token}", app.config.public_url);
    notifications::send(&mut tx, &recipient(&user), &Letter::ResetPassword { link }).await?;
    tx.commit().await?;
    Ok(())
}

/// Sets a new password by the link of a letter. Whoever was in is out, and the address is proven by the way.
pub async fn reset(app: &App, token: &str, password: &str) -> Result<(), AccountError> {
    let link = tokens::hash(token);
    let known = store::whose_link(&app.db.main, &link, RESET).await?.ok_or(AccountError::LinkInvalid)?;
    // Before the transaction: hashing may wait for its turn, and nothing in the database should wait with it. A refusal
    // leaves the link good for a better password.
    let hash = app.passwords.keep(password, &[&known.name, &known.email, &known.phone]).await?;

    let mut tx = app.db.main.begin().await?;
    let used = store::use_link(&mut tx, &link, RESET).await?.ok_or(AccountError::LinkInvalid)?;
    let user = store::find(&mut tx, used.user_id).await?.ok_or(AccountError::LinkInvalid)?;
    if !user.email.eq_ignore_ascii_case(&used.email) {
        return Err(AccountError::LinkInvalid);
    }
    store::set_password(&mut tx, user.id, &hash).await?;
    store::confirm_email(&mut tx, user.id, &used.email).await?;
    end_sessions(&mut tx, user.id, None).await?;
    guard::forgive(&mut tx, &Subject::account(Kind::Shopper, &user.email)).await?;
    let language = Language::from_code(&user.language);
    let to = Recipient { email: user.email, name: user.name, language };
    notifications::send(&mut tx, &to, &Letter::PasswordChanged).await?;
    tx.commit().await?;
    Ok(())
}

/// Changes the password of a signed-in shopper; every other session ends and this one gets a new token.
pub async fn change_password(
    app: &App,
    session: &Session,
    current: &str,
    new: &str,
) -> Result<Vec<HeaderValue>, AccountError> {
    let user = store::credentials_of(&app.db.main, session.person).await?.ok_or(AccountError::SignedOut)?;
    prove(app, &user, current).await?;
    let hash = app.passwords.keep(new, &[&user.name, &user.email]).await?;

    let mut tx = app.db.main.begin().await?;
    store::set_password(&mut tx, user.id, &hash).await?;
    end_sessions(&mut tx, user.id, Some(session.id)).await?;
    let cookies = sessions::renew(&mut tx, Kind::Shopper, session.id).await?;
    notifications::send(&mut tx, &recipient(&user), &Letter::PasswordChanged).await?;
    tx.commit().await?;
    Ok(cookies)
}

/// A signed-in person gives the password again, at the guard's pace.
pub async fn prove(app: &App, user: &store::Credentials, password: &str) -> Result<(), AccountError> {
    let subject = Subject::known_device(Kind::Shopper, &user.email, b"signed in");
    guard::attempt(&app.db.main, &subject).await?;
    if !app.passwords.is_right(password, user.password_hash.clone()).await? {
        return Err(AccountError::WrongPassword);
    }
    let mut tx = app.db.main.begin().await?;
    guard::forgive(&mut tx, &subject).await?;
    tx.commit().await?;
    Ok(())
}
