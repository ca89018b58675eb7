//! Commands of the command line that manage sellers.

use std::time::Duration;

use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::passwords::MIN_PASSWORD_LENGTH;
use super::{security_emails, store, totp, totp_secrets};
use crate::notifications::SecurityEmailKind;
use crate::platform::account_kind::AccountKind;
use crate::platform::permissions::Role;
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions;
use crate::platform::state::App;
use crate::platform::throttle;
use crate::platform::{contact, tokens};

/// A generated password expires after this time and can only be used to set a new one.
const TEMPORARY_PASSWORD_LIFETIME: Duration = Duration::from_hours(24);

#[derive(Debug, thiserror::Error)]
pub enum SellerCommandError {
    #[error("'{0}' is not a valid email address")]
    Email(String),
    #[error("the password must have at least {MIN_PASSWORD_LENGTH} characters and must not be easy to guess")]
    Password,
    #[error("a seller with this email address already exists")]
    Exists,
    #[error("no seller has this email address")]
    Unknown,
    #[error(transparent)]
    TotpSecret(#[from] totp_secrets::TotpSecretError),
    #[error("could not generate a random value")]
    Random,
    #[error(transparent)]
    Db(#[from] sqlx::Error),
}

/// The result of a command that sets a password: `password` is present if it was generated, and expires after
/// `TEMPORARY_PASSWORD_LIFETIME`.
pub struct GeneratedPassword {
    pub password: Option<String>,
}

pub async fn create(
    app: &App,
    email: &str,
    name: &str,
    role: Role,
    password: Option<String>,
) -> Result<GeneratedPassword, SellerCommandError> {
    let email = contact::parse_email(email).ok_or_else(|| SellerCommandError::Email(email.to_owned()))?;
    let (password, is_generated) = given_or_generated_password(password)?;
    let hash = hash_password(app, &password, &[&email, name]).await?;
    let (id, now) = (Uuid::now_v7(), app.clock.now());
    let mut tx = app.db.main.begin().await?;
    let new = store::NewMember { id, email: &email, name, role, password_hash: &hash };
    if !store::insert(&mut tx, &new, now).await? {
        return Err(SellerCommandError::Exists);
    }
    store::set_password_expiry(&mut tx, id, is_generated.then_some(TEMPORARY_PASSWORD_LIFETIME), now).await?;
    record(&mut tx, SecurityEventKind::SellerCreated, id).await?;
    tx.commit().await?;
    Ok(GeneratedPassword { password: is_generated.then_some(password) })
}

/// Sets a new password and ends all sessions and pending logins.
pub async fn reset_password(
    app: &App,
    email: &str,
    password: Option<String>,
) -> Result<GeneratedPassword, SellerCommandError> {
    let (password, is_generated) = given_or_generated_password(password)?;
    let hash = hash_password(app, &password, &[email]).await?;
    let now = app.clock.now();
    let mut tx = app.db.main.begin().await?;
    let seller = store::set_password(&mut tx, email, &hash, now).await?.ok_or(SellerCommandError::Unknown)?;
    store::set_password_expiry(&mut tx, seller, is_generated.then_some(TEMPORARY_PASSWORD_LIFETIME), now).await?;
    // This must happen before the known browsers are forgotten, because their failure counters are found by them.
    throttle::unlock(&mut tx, AccountKind::Seller, seller).await?;
    revoke_access(&mut tx, seller).await?;
    record(&mut tx, SecurityEventKind::PasswordChanged, seller).await?;
    security_emails::send_security_email(&mut tx, seller, SecurityEmailKind::SellerPasswordReset, String::new())
        .await?;
    tx.commit().await?;
    Ok(GeneratedPassword { password: is_generated.then_some(password) })
}

async fn record(connection: &mut PgConnection, what: SecurityEventKind, seller: Uuid) -> sqlx::Result<()> {
    security_log::record(connection, what, Actor::Operator, &seller.to_string(), &json!({})).await
}

/// Ends all sessions and pending logins.
async fn revoke_access(connection: &mut PgConnection, seller: Uuid) -> sqlx::Result<()> {
    store::delete_pending_logins(connection, seller).await?;
    sessions::end_all(connection, AccountKind::Seller, seller, None).await
}

/// Clears the failed attempts of a seller who is throttled or locked out; the password stays.
pub async fn unlock(app: &App, email: &str) -> Result<(), SellerCommandError> {
    let mut tx = app.db.main.begin().await?;
    let seller = store::find_by_email(&mut tx, email).await?.ok_or(SellerCommandError::Unknown)?;
    throttle::unlock(&mut tx, AccountKind::Seller, seller).await?;
    record(&mut tx, SecurityEventKind::SellerUnlocked, seller).await?;
    tx.commit().await?;
    Ok(())
}

/// Signs a seller out everywhere; the password stays. Returns how many sessions were ended, or `None` if no seller has
/// this address.
pub async fn end_sessions_by_email(app: &App, email: &str) -> sqlx::Result<Option<u64>> {
    let mut tx = app.db.main.begin().await?;
    let Some(seller) = store::find_by_email(&mut tx, email).await? else { return Ok(None) };
    store::delete_pending_logins(&mut tx, seller).await?;
    let ended = sessions::end_all_by(&mut tx, Actor::Operator, AccountKind::Seller, seller, None).await?;
    tx.commit().await?;
    Ok(Some(ended))
}

pub async fn disable(app: &App, email: &str) -> Result<(), SellerCommandError> {
    let mut tx = app.db.main.begin().await?;
    let seller = store::disable(&mut tx, email, app.clock.now()).await?.ok_or(SellerCommandError::Unknown)?;
    revoke_access(&mut tx, seller).await?;
    record(&mut tx, SecurityEventKind::SellerDisabled, seller).await?;
    tx.commit().await?;
    Ok(())
}

/// The seller's secrets for the second step, which are shown once.
pub struct SecondStepSetup {
    /// The URL that an authenticator app scans.
    pub otpauth_url: String,
    /// Each code can be used once, when the phone is lost.
    pub backup_codes: Vec<String>,
}

/// Makes a code from an authenticator app mandatory at login.
pub async fn require_second_step(app: &App, email: &str) -> Result<SecondStepSetup, SellerCommandError> {
    let (secret, otpauth_url) =
        totp::generate(&app.config.shop.brand, email).map_err(|_| SellerCommandError::Random)?;
    let (backup_codes, hashes) = totp::generate_hashed_backup_codes().map_err(|_| SellerCommandError::Random)?;
    let mut tx = app.db.main.begin().await?;
    let seller = store::find_by_email(&mut tx, email).await?.ok_or(SellerCommandError::Unknown)?;
    let encrypted = totp_secrets::encrypt(&app.config.totp_keys, seller, &secret)?;
    store::set_second_step(&mut tx, seller, Some(&encrypted), app.clock.now()).await?;
    store::replace_backup_codes(&mut tx, seller, &hashes).await?;
    revoke_access(&mut tx, seller).await?;
    record(&mut tx, SecurityEventKind::SecondStepOn, seller).await?;
    security_emails::send_security_email(&mut tx, seller, SecurityEmailKind::SellerSecondStep, String::new()).await?;
    tx.commit().await?;
    Ok(SecondStepSetup { otpauth_url, backup_codes })
}

/// Encrypts every TOTP secret with the first of `TOTP_KEYS`. Returns how many used another key or were not encrypted.
pub async fn rotate_keys(app: &App) -> Result<usize, SellerCommandError> {
    let keys = &app.config.totp_keys;
    let mut tx = app.db.main.begin().await?;
    let mut changed = 0;
    for (seller, stored) in store::list_totp_secrets(&mut tx).await? {
        if !totp_secrets::uses_current_key(keys, &stored) {
            let encrypted = totp_secrets::encrypt(keys, seller, &totp_secrets::decrypt(keys, seller, &stored)?)?;
            store::replace_totp_secret(&mut tx, seller, &encrypted).await?;
            changed += 1;
        }
    }
    tx.commit().await?;
    Ok(changed)
}

pub async fn remove_second_step(app: &App, email: &str) -> Result<(), SellerCommandError> {
    let mut tx = app.db.main.begin().await?;
    let seller = store::find_by_email(&mut tx, email).await?.ok_or(SellerCommandError::Unknown)?;
    store::set_second_step(&mut tx, seller, None, app.clock.now()).await?;
    store::replace_backup_codes(&mut tx, seller, &[]).await?;
    store::delete_pending_logins(&mut tx, seller).await?;
    record(&mut tx, SecurityEventKind::SecondStepOff, seller).await?;
    security_emails::send_security_email(&mut tx, seller, SecurityEmailKind::SellerSecondStep, String::new()).await?;
    tx.commit().await?;
    Ok(())
}

fn given_or_generated_password(password: Option<String>) -> Result<(String, bool), SellerCommandError> {
    match password {
        Some(password) if password.chars().count() < MIN_PASSWORD_LENGTH => Err(SellerCommandError::Password),
        Some(password) => Ok((password, false)),
        None => Ok((tokens::generate().map_err(|_| SellerCommandError::Random)?.chars().take(20).collect(), true)),
    }
}

async fn hash_password(app: &App, password: &str, about: &[&str]) -> Result<String, SellerCommandError> {
    app.passwords.hash_new(password, about).await.map_err(|_| SellerCommandError::Password)
}
