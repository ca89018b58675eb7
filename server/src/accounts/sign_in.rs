//! Signing in with e-mail address and password.

use std::net::IpAddr;

use http::{HeaderMap, HeaderValue};

use super::store::Credentials;
use super::{AccountError, User, load, store};
use crate::notifications::{self, Letter, Recipient};
use crate::platform::guard::{self, Subject};
use crate::platform::sessions::{self, Kind};
use crate::platform::state::App;
use crate::platform::web::Language;

pub async fn sign_in(
    app: &App,
    email: &str,
    password: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<(User, Vec<HeaderValue>), AccountError> {
    let email = email.trim();
    let known = store::credentials(&app.db.main, email).await?;
    let (user, subject) = check(app, email, known, password, from, headers).await?;

    let mut tx = app.db.main.begin().await?;
    guard::forgive(&mut tx, &subject).await?;
    let cookies = sessions::begin(&mut tx, Kind::Shopper, user.id, headers).await?;
    let user = load(&mut tx, user.id).await?;
    tx.commit().await?;
    Ok((user, cookies))
}

/// Whether the password is right, at the pace that the guard allows. An unknown address costs the same time, counts the
/// same and gives the same answer.
pub async fn check(
    app: &App,
    email: &str,
    known: Option<Credentials>,
    password: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<(Credentials, Subject), AccountError> {
    let person = known.as_ref().map(|user| user.id);
    let subject = guard::subject_of(app, Kind::Shopper, email, person, from, headers).await?;
    let attempt = guard::attempt(&app.db.main, &subject).await?;
    let hash = known.as_ref().and_then(|user| user.password_hash.clone());
    let right = app.passwords.is_right(password, hash).await?;
    match known {
        Some(user) if right => Ok((user, subject)),
        known => {
            guard::note_failure(app, Kind::Shopper, from);
            if let Some(user) = known.filter(|_| attempt.closes) {
                warn_owner(app, &user).await?;
            }
            Err(AccountError::WrongCredentials)
        }
    }
}

/// The account is now closed to browsers that it does not know; its owner can open it by a new password.
async fn warn_owner(app: &App, user: &Credentials) -> Result<(), AccountError> {
    let mut tx = app.db.main.begin().await?;
    notifications::send(&mut tx, &recipient(user), &Letter::TooManyAttempts).await?;
    tx.commit().await?;
    Ok(())
}

pub fn recipient(user: &Credentials) -> Recipient {
    Recipient { email: user.email.clone(), name: user.name.clone(), language: Language::from_code(&user.language) }
}
