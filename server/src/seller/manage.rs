//! What the command line can do with sellers.

use uuid::Uuid;

use super::{second_step, store};
use crate::platform::sessions::{self, Kind};
use crate::platform::state::App;
use crate::platform::{contact, tokens};

/// A seller can do more harm than a shopper.
const SHORTEST_PASSWORD: usize = 12;
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
    #[error("no randomness")]
    Random,
    #[error(transparent)]
    Db(#[from] sqlx::Error),
}

/// The password, when the command made one up.
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
    if !store::insert(&app.db.main, Uuid::now_v7(), &email, name, &hash).await? {
        return Err(SellerCommandError::Exists);
    }
    Ok(Created { password: made_up.then_some(password) })
}

/// A new password; whoever was in is out.
pub async fn reset_password(app: &App, email: &str, password: Option<String>) -> Result<Created, SellerCommandError> {
    let (password, made_up) = chosen(password)?;
    let hash = kept(app, &password, &[email]).await?;
    let mut tx = app.db.main.begin().await?;
    let seller = store::set_password(&mut tx, email, &hash).await?.ok_or(SellerCommandError::Unknown)?;
    sessions::end_all(&mut tx, Kind::Seller, seller, None).await?;
    tx.commit().await?;
    Ok(Created { password: made_up.then_some(password) })
}

pub async fn disable(app: &App, email: &str) -> Result<(), SellerCommandError> {
    let mut tx = app.db.main.begin().await?;
    let seller = store::disable(&mut tx, email).await?.ok_or(SellerCommandError::Unknown)?;
    sessions::end_all(&mut tx, Kind::Seller, seller, None).await?;
    tx.commit().await?;
    Ok(())
}

/// From now on a code from an app is wanted too. Returns the address that the app reads.
pub async fn require_second_step(app: &App, email: &str) -> Result<String, SellerCommandError> {
    let mut bytes = [0_u8; SECRET_BYTES];
    getrandom::fill(&mut bytes).map_err(|_| SellerCommandError::Random)?;
    let (secret, address) =
        second_step::new_secret(&bytes, &app.config.shop.brand, email).ok_or(SellerCommandError::Random)?;
    let mut tx = app.db.main.begin().await?;
    let seller = store::set_second_step(&mut tx, email, Some(&secret)).await?.ok_or(SellerCommandError::Unknown)?;
    sessions::end_all(&mut tx, Kind::Seller, seller, None).await?;
    tx.commit().await?;
    Ok(address)
}

pub async fn remove_second_step(app: &App, email: &str) -> Result<(), SellerCommandError> {
    let mut tx = app.db.main.begin().await?;
    store::set_second_step(&mut tx, email, None).await?.ok_or(SellerCommandError::Unknown)?;
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
