//! What the command line can do with sellers.

use std::time::Duration;

use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::own_password::SHORTEST_PASSWORD;
use super::{notify, second_step, seeds, store};
use crate::notifications::SecurityNews;
use crate::platform::guard;
use crate::platform::security_log::{self, Actor, What};
use crate::platform::sessions::{self, Kind};
use crate::platform::state::App;
use crate::platform::{contact, tokens};

/// A password that was made up here is good for so long, and only for changing it.
const FIRST_PASSWORD_LIFE: Duration = Duration::from_hours(24);
const SECRET_BYTES: usize = 20;

#[derive(Debug, thiserror::Error)]
pub enum SellerCommandError {
    #[error("'{0}' is not an e-mail address")]
    Email(String),
    #[error("a seller's password has at least {SHORTEST_PASSWORD} characters and is not easy to guess")]
    Password,
    #[error("there is a seller with this address already")]
    Exists,
    #[error("there is no seller with this address")]
    Unknown,
    #[error(transparent)]
    Seed(#[from] seeds::SeedError),
    #[error("no randomness")]
    Random,
    #[error(transparent)]
    Db(#[from] sqlx::Error),
}

/// The password, when the command made one up: it has to be changed within `FIRST_PASSWORD_LIFE`.
pub struct Created {
    pub password: Option<String>,
}

pub async fn create(
    app: &App,
    email: &str,
    name: &str,
    password: Option<String>,
) -> Result<Created, SellerCommandError> {
    let email = contact::email(email).ok_or_else(|| SellerCommandError::Email(email.to_owned()))?;
    let (password, made_up) = chosen(password)?;
    let hash = kept(app, &password, &[&email, name]).await?;
    let (id, now) = (Uuid::now_v7(), app.clock.now());
    let mut tx = app.db.main.begin().await?;
    if !store::insert(&mut tx, id, &email, name, &hash, now).await? {
        return Err(SellerCommandError::Exists);
    }
    store::set_password_life(&mut tx, id, made_up.then_some(FIRST_PASSWORD_LIFE), now).await?;
    record(&mut tx, What::SellerCreated, id).await?;
    tx.commit().await?;
    Ok(Created { password: made_up.then_some(password) })
}

/// A new password; whoever was in is out.
pub async fn reset_password(app: &App, email: &str, password: Option<String>) -> Result<Created, SellerCommandError> {
    let (password, made_up) = chosen(password)?;
    let hash = kept(app, &password, &[email]).await?;
    let now = app.clock.now();
    let mut tx = app.db.main.begin().await?;
    let seller = store::set_password(&mut tx, email, &hash, now).await?.ok_or(SellerCommandError::Unknown)?;
    store::set_password_life(&mut tx, seller, made_up.then_some(FIRST_PASSWORD_LIFE), now).await?;
    // Before the known browsers are forgotten: their counters are found by them.
    guard::unlock(&mut tx, Kind::Seller, seller).await?;
    shut_out(&mut tx, seller).await?;
    record(&mut tx, What::PasswordChanged, seller).await?;
    notify::tell(&mut tx, seller, SecurityNews::SellerPassword, String::new()).await?;
    tx.commit().await?;
    Ok(Created { password: made_up.then_some(password) })
}

async fn record(connection: &mut PgConnection, what: What, seller: Uuid) -> sqlx::Result<()> {
    security_log::record(connection, what, Actor::Operator, &seller.to_string(), &json!({})).await
}

/// Whoever was in, or half in, is out.
async fn shut_out(connection: &mut PgConnection, seller: Uuid) -> sqlx::Result<()> {
    store::end_all_pending(connection, seller).await?;
    sessions::end_all(connection, Kind::Seller, seller, None).await
}

/// Lets a seller try again at once whose account was slowed or closed; the password stays.
pub async fn unlock(app: &App, email: &str) -> Result<(), SellerCommandError> {
    let mut tx = app.db.main.begin().await?;
    let seller = store::by_email(&mut tx, email).await?.ok_or(SellerCommandError::Unknown)?;
    guard::unlock(&mut tx, Kind::Seller, seller).await?;
    record(&mut tx, What::SellerUnlocked, seller).await?;
    tx.commit().await?;
    Ok(())
}

/// Signs a seller out everywhere; the password stays. Returns how many sessions there were; None when nobody has this address.
pub async fn end_sessions_of(app: &App, email: &str) -> sqlx::Result<Option<u64>> {
    let mut tx = app.db.main.begin().await?;
    let Some(seller) = store::by_email(&mut tx, email).await? else { return Ok(None) };
    store::end_all_pending(&mut tx, seller).await?;
    let ended = sessions::end_all_by(&mut tx, Actor::Operator, Kind::Seller, seller, None).await?;
    tx.commit().await?;
    Ok(Some(ended))
}

pub async fn disable(app: &App, email: &str) -> Result<(), SellerCommandError> {
    let mut tx = app.db.main.begin().await?;
    let seller = store::disable(&mut tx, email, app.clock.now()).await?.ok_or(SellerCommandError::Unknown)?;
    shut_out(&mut tx, seller).await?;
    record(&mut tx, What::SellerDisabled, seller).await?;
    tx.commit().await?;
    Ok(())
}

/// What the seller needs for the second step, shown once.
pub struct SecondStep {
    /// What an authenticator app reads.
    pub address: String,
    /// Each good once, when the phone is lost.
    pub backup_codes: Vec<String>,
}

/// From now on a code from an app is wanted too.
pub async fn require_second_step(app: &App, email: &str) -> Result<SecondStep, SellerCommandError> {
    let mut bytes = [0_u8; SECRET_BYTES];
    getrandom::fill(&mut bytes).map_err(|_| SellerCommandError::Random)?;
    let (secret, address) =
        second_step::new_secret(&bytes, &app.config.shop.brand, email).ok_or(SellerCommandError::Random)?;
    let backup_codes = second_step::new_backup_codes().map_err(|_| SellerCommandError::Random)?;
    let hashes: Vec<Vec<u8>> =
        backup_codes.iter().filter_map(|code| second_step::backup_code(code)).map(|code| tokens::hash(&code)).collect();
    let mut tx = app.db.main.begin().await?;
    let seller = store::by_email(&mut tx, email).await?.ok_or(SellerCommandError::Unknown)?;
    let sealed = seeds::seal(&app.config.totp_keys, seller, &secret)?;
    store::set_second_step(&mut tx, seller, Some(&sealed), app.clock.now()).await?;
    store::replace_backup_codes(&mut tx, seller, &hashes).await?;
    shut_out(&mut tx, seller).await?;
    record(&mut tx, What::SecondStepOn, seller).await?;
    notify::tell(&mut tx, seller, SecurityNews::SellerSecondStep, String::new()).await?;
    tx.commit().await?;
    Ok(SecondStep { address, backup_codes })
}

/// Encrypts every seed with the first of `TOTP_KEYS`. Returns how many were encrypted with another, or not at all.
pub async fn rotate_keys(app: &App) -> Result<usize, SellerCommandError> {
    let keys = &app.config.totp_keys;
    let mut tx = app.db.main.begin().await?;
    let mut changed = 0;
    for (seller, stored) in store::seeds(&mut tx).await? {
        if !seeds::is_current(keys, &stored) {
            let sealed = seeds::seal(keys, seller, &seeds::open(keys, seller, &stored)?)?;
            store::replace_seed(&mut tx, seller, &sealed).await?;
            changed += 1;
        }
    }
    tx.commit().await?;
    Ok(changed)
}

pub async fn remove_second_step(app: &App, email: &str) -> Result<(), SellerCommandError> {
    let mut tx = app.db.main.begin().await?;
    let seller = store::by_email(&mut tx, email).await?.ok_or(SellerCommandError::Unknown)?;
    store::set_second_step(&mut tx, seller, None, app.clock.now()).await?;
    store::replace_backup_codes(&mut tx, seller, &[]).await?;
    store::end_all_pending(&mut tx, seller).await?;
    record(&mut tx, What::SecondStepOff, seller).await?;
    notify::tell(&mut tx, seller, SecurityNews::SellerSecondStep, String::new()).await?;
    tx.commit().await?;
    Ok(())
}

fn chosen(password: Option<String>) -> Result<(String, bool), SellerCommandError> {
    match password {
        Some(password) if password.chars().count() < SHORTEST_PASSWORD => Err(SellerCommandError::Password),
        Some(password) => Ok((password, false)),
        None => Ok((tokens::fresh().map_err(|_| SellerCommandError::Random)?.chars().take(20).collect(), true)),
    }
}

async fn kept(app: &App, password: &str, about: &[&str]) -> Result<String, SellerCommandError> {
    app.passwords.keep(password, about).await.map_err(|_| SellerCommandError::Password)
}
