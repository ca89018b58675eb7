//! Signing in with e-mail address and password.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use sqlx::PgConnection;
use uuid::Uuid;

use super::store::Credentials;
use super::{AccountError, User, load, store};
use crate::notifications::{self, Letter, Recipient, SecurityNews};
use crate::platform::contact;
use crate::platform::guard::{self, Subject};
use crate::platform::sessions::{self, Kind, Login};
use crate::platform::state::App;
use crate::platform::web::Language;

/// Emails about new browsers to one account within an hour: an address may belong to somebody who never asked for the account.
const NEW_DEVICES_PER_HOUR: u32 = 3;

pub async fn sign_in(
    app: &App,
    email: &str,
    password: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<(User, Vec<HeaderValue>), AccountError> {
    // The throttle counts addresses as the database folds them, which is only certain of valid ones.
    let email = contact::email(email).ok_or(AccountError::WrongCredentials)?;
    let now = app.clock.now();
    let known = store::credentials(&app.db.main, &email).await?;
    let (user, subject) = check(app, &email, known, password, from, headers, now).await?;

    let stronger = app.passwords.renew(password, user.password_hash.as_deref()).await?;

    let news = NewDevice::of(app, user.id, headers, now).await?;
    let mut tx = app.db.main.begin().await?;
    // Checking took a while: the password may have been reset, or the account deleted, since it was read.
    if !store::lock_with_password(&mut tx, user.id, user.password_hash.as_deref()).await? {
        return Err(AccountError::WrongCredentials);
    }
    if let Some(hash) = stronger {
        store::set_password(&mut tx, user.id, &hash, now).await?;
    }
    guard::forgive(&mut tx, &subject).await?;
    if let Some(news) = news {
        news.tell(&mut tx).await?;
    }
    let cookies = sessions::begin(&mut tx, Kind::Shopper, user.id, headers, Login::Fresh, now).await?;
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
    now: DateTime<Utc>,
) -> Result<(Credentials, Subject), AccountError> {
    let person = known.as_ref().map(|user| user.id);
    let subject = guard::subject_of(app, Kind::Shopper, email, person, from, headers).await?;
    let attempt = guard::attempt(&app.db.main, &subject, now).await?;
    let hash = known.as_ref().and_then(|user| user.password_hash.clone());
    let right = app.passwords.is_right(password, hash).await?;
    match known {
        Some(user) if right => Ok((user, subject)),
        known => {
            guard::note_failure(app, &subject, from).await;
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

/// A login with a browser that is new to the account, of which its owner is to hear.
pub struct NewDevice {
    user: Uuid,
    device: String,
}

impl NewDevice {
    /// None for a known browser, and when the owner has heard of several within the hour.
    pub async fn of(app: &App, user: Uuid, headers: &HeaderMap, now: DateTime<Utc>) -> sqlx::Result<Option<Self>> {
        let known = match sessions::device(headers) {
            Some(device) => sessions::is_known_device(&app.db.main, Kind::Shopper, user, &device).await?,
            None => false,
        };
        let (whom, hour) = (user.to_string(), Duration::from_hours(1));
        let tells =
            !known && guard::is_within(&app.db.main, "new_device", &whom, NEW_DEVICES_PER_HOUR, hour, now).await?;
        Ok(tells.then(|| Self { user, device: sessions::describe_device(headers) }))
    }

    /// Sends the email when the caller's transaction commits, in the account's language: whoever logged in may not be its owner.
    pub async fn tell(self, connection: &mut PgConnection) -> sqlx::Result<()> {
        let Some(user) = store::find(connection, self.user).await? else { return Ok(()) };
        let language = Language::from_code(&user.language);
        let to = Recipient { email: user.email, name: user.name, language };
        let letter = Letter::Security { news: SecurityNews::NewDevice, device: self.device };
        notifications::send(connection, &to, &letter).await
    }
}

pub fn recipient(user: &Credentials) -> Recipient {
    Recipient { email: user.email.clone(), name: user.name.clone(), language: Language::from_code(&user.language) }
}
