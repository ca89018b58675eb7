//! Signing in with email address and password.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use sqlx::PgConnection;

use super::model::UserRow;
use super::store::UserCredentials;
use super::{AccountError, load_user, store};
use crate::notifications::{self, Email, Recipient, SecurityEmailKind};
use crate::platform::account_kind::AccountKind;
use crate::platform::contact;
use crate::platform::ids::UserId;
use crate::platform::language::Language;
use crate::platform::sessions::{self, LoginKind};
use crate::platform::state::App;
use crate::platform::throttle::{self, ThrottleSubject};

/// Emails about new browsers are limited, because the owner of the address may never have registered the account.
const NEW_DEVICE_EMAILS_PER_HOUR: u32 = 3;

pub async fn sign_in(
    app: &App,
    email: &str,
    password: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<(UserRow, Vec<HeaderValue>), AccountError> {
    // The throttle must fold addresses as the database does, which is certain only for valid ones.
    let email = contact::parse_email(email).ok_or(AccountError::WrongCredentials)?;
    let now = app.clock.now();
    let known = store::find_credentials_by_email(&app.db.main, &email).await?;
    let (user, subject) = check_credentials(app, &email, known, password, from, headers, now).await?;

    let stronger = app.passwords.rehash_if_outdated(password, user.password_hash.as_deref()).await?;

    let alert = NewDeviceAlert::if_new(app, user.id, headers, now).await?;
    let mut tx = app.db.main.begin().await?;
    // The password may have been reset or the account deleted while the hash was being checked.
    if !store::lock_if_password_unchanged(&mut tx, user.id, user.password_hash.as_deref()).await? {
        return Err(AccountError::WrongCredentials);
    }
    if let Some(hash) = stronger {
        store::set_password(&mut tx, user.id, &hash, now).await?;
    }
    throttle::clear_failures(&mut tx, &subject).await?;
    if let Some(alert) = alert {
        alert.send(&mut tx).await?;
    }
    let cookies = sessions::begin(&mut tx, AccountKind::Shopper, user.id.0, headers, LoginKind::Fresh, now).await?;
    let user = load_user(&mut tx, user.id).await?;
    tx.commit().await?;
    Ok((user, cookies))
}

/// Checks the password, limited by the login throttle. An unknown address takes the same time, counts the same and gets
/// the same error.
pub async fn check_credentials(
    app: &App,
    email: &str,
    known: Option<UserCredentials>,
    password: &str,
    from: IpAddr,
    headers: &HeaderMap,
    now: DateTime<Utc>,
) -> Result<(UserCredentials, ThrottleSubject), AccountError> {
    let person = known.as_ref().map(|user| user.id.0);
    let subject = throttle::subject_for_login(app, AccountKind::Shopper, email, person, from, headers).await?;
    let attempt = throttle::check_attempt(&app.db.main, &subject, now).await?;
    let hash = known.as_ref().and_then(|user| user.password_hash.clone());
    let right = app.passwords.verify(password, hash).await?;
    match known {
        Some(user) if right => Ok((user, subject)),
        known => {
            throttle::record_failure(app, &subject, from).await;
            if let Some(user) = known.filter(|_| attempt.locks_account) {
                warn_owner(app, &user).await?;
            }
            Err(AccountError::WrongCredentials)
        }
    }
}

/// Tells the owner that failed logins have locked the account, which a password reset unlocks.
async fn warn_owner(app: &App, user: &UserCredentials) -> Result<(), AccountError> {
    let mut tx = app.db.main.begin().await?;
    notifications::send_email(&mut tx, &recipient(user), &Email::TooManyAttempts).await?;
    tx.commit().await?;
    Ok(())
}

/// An email to the owner about a login with a browser that is new to the account.
pub struct NewDeviceAlert {
    user: UserId,
    device: String,
}

impl NewDeviceAlert {
    /// Returns `None` for a known browser, and when the hourly limit is reached.
    pub async fn if_new(
        app: &App,
        user: UserId,
        headers: &HeaderMap,
        now: DateTime<Utc>,
    ) -> sqlx::Result<Option<Self>> {
        let known = match sessions::device_token_hash(headers) {
            Some(device) => sessions::is_known_device(&app.db.main, AccountKind::Shopper, user.0, &device).await?,
            None => false,
        };
        let (whom, hour) = (user.to_string(), Duration::from_hours(1));
        let tells = !known
            && throttle::is_within_limit(&app.db.main, "new_device", &whom, NEW_DEVICE_EMAILS_PER_HOUR, hour, now)
                .await?;
        Ok(tells.then(|| Self { user, device: sessions::describe_device(headers) }))
    }

    /// Sends the email when the caller's transaction commits. It is in the account's language, because the person who
    /// logged in may not be the owner.
    pub async fn send(self, connection: &mut PgConnection) -> sqlx::Result<()> {
        let Some(user) = store::find(connection, self.user).await? else { return Ok(()) };
        let language = Language::from_code(&user.language);
        let to = Recipient { email: user.email, name: user.name, language };
        let message = Email::Security { kind: SecurityEmailKind::NewDevice, device: self.device };
        notifications::send_email(connection, &to, &message).await
    }
}

pub fn recipient(user: &UserCredentials) -> Recipient {
    Recipient { email: user.email.clone(), name: user.name.clone(), language: Language::from_code(&user.language) }
}
