//! A seller's login: the password, and a code from an app (or a backup code) where the second step is switched on.
//!
//! A right password alone forgives nothing: it becomes a pending login, and both throttles are forgiven when the code was right too.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use serde_json::json;
use sqlx::PgConnection;

use super::store::{Credentials, Locked, Profile};
use super::{SellerError, notify, own_password, second_step, seeds, store};
use crate::notifications::SecurityNews;
use crate::platform::guard::{self, Subject};
use crate::platform::security_log::{self, Actor, What};
use crate::platform::sessions::{self, Kind, Login};
use crate::platform::state::App;
use crate::platform::web::Language;
use crate::platform::{contact, cookies, tokens};

/// Names the pending login of this browser.
const PENDING_COOKIE: &str = "__Host-seller-login";
const PENDING_LIFE: Duration = Duration::from_mins(5);

/// What a right password leads to.
pub enum SignedIn {
    Whole(Profile, Vec<HeaderValue>),
    /// The code is missing; the cookies name the pending login.
    CodeWanted(Vec<HeaderValue>),
}

pub async fn sign_in(
    app: &App,
    email: &str,
    password: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<SignedIn, SellerError> {
    // The throttle counts addresses as the database folds them, which is only certain of valid ones.
    let email = contact::email(email).ok_or(SellerError::WrongCredentials)?;
    let now = app.clock.now();
    let known = store::credentials(&app.db.main, &email, now).await?;
    let person = known.as_ref().map(|seller| seller.id);
    let subject = guard::subject_of(app, Kind::Seller, &email, person, from, headers).await?;
    let attempt = guard::attempt(&app.db.main, &subject, now).await?;
    let hash = known.as_ref().map(|seller| seller.password_hash.clone());
    let right = app.passwords.is_right(password, hash).await?;
    let seller = match known {
        Some(seller) if right && !seller.is_expired => seller,
        known => {
            guard::note_failure(app, &subject, from).await;
            if let Some(seller) = known.as_ref().filter(|_| right) {
                own_password::note_expired(app, seller.id).await;
            }
            if let Some(seller) = known.filter(|_| attempt.closes) {
                notify::warn(app, seller.id, SecurityNews::SellerClosed).await?;
            }
            return Err(SellerError::WrongCredentials);
        }
    };
    let stronger = app.passwords.renew(password, Some(&seller.password_hash)).await?;

    let mut tx = app.db.main.begin().await?;
    // Checking took a while: the seller may have been disabled, or got another password, since it was read.
    let locked = store::lock(&mut tx, seller.id).await?;
    let is_same = |locked: Locked| {
        locked.password_hash == seller.password_hash && locked.has_second_step == seller.has_second_step()
    };
    if !locked.is_some_and(is_same) {
        return Err(SellerError::WrongCredentials);
    }
    if let Some(hash) = stronger {
        store::replace_hash(&mut tx, seller.id, &hash).await?;
    }
    if seller.has_second_step() {
        let token = tokens::fresh()?;
        store::begin_pending(&mut tx, &tokens::hash(&token), seller.id, PENDING_LIFE, now).await?;
        record(&mut tx, What::CodeWanted, &seller).await?;
        tx.commit().await?;
        return Ok(SignedIn::CodeWanted(vec![cookies::secret(PENDING_COOKIE, &token, PENDING_LIFE)]));
    }
    guard::forgive(&mut tx, &subject).await?;
    let cookies = begin(&mut tx, &seller, headers, now).await?;
    tx.commit().await?;
    Ok(SignedIn::Whole(seller.into(), cookies))
}

/// The second step of the login that is pending in this browser.
pub async fn finish(
    app: &App,
    code: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<(Profile, Vec<HeaderValue>), SellerError> {
    let pending = cookies::read(headers, PENDING_COOKIE).map(tokens::hash).ok_or(SellerError::NoPendingLogin)?;
    let now = app.clock.now();
    let seller = store::pending(&app.db.main, &pending, now).await?.ok_or(SellerError::NoPendingLogin)?;
    let subject = guard::subject_of(app, Kind::Seller, &seller.email, Some(seller.id), from, headers).await?;
    let codes = Subject::codes(Kind::Seller, seller.id);
    let attempt = guard::attempt(&app.db.main, &codes, now).await?;

    let mut tx = app.db.main.begin().await?;
    store::lock(&mut tx, seller.id).await?.ok_or(SellerError::NoPendingLogin)?;
    if !uses_up(app, &mut tx, &seller, code, now).await? {
        tx.rollback().await?;
        guard::note_failure(app, &codes, from).await;
        if attempt.closes {
            notify::warn(app, seller.id, SecurityNews::SellerCodesClosed).await?;
        }
        return Err(SellerError::WrongCode);
    }
    // A reset of the password deletes pending logins, and waits for the lock that this transaction holds.
    if !store::end_pending(&mut tx, &pending, now).await? {
        return Err(SellerError::NoPendingLogin);
    }
    guard::forgive(&mut tx, &subject).await?;
    guard::forgive(&mut tx, &codes).await?;
    let mut cookies = begin(&mut tx, &seller, headers, now).await?;
    tx.commit().await?;
    cookies.push(cookies::gone(PENDING_COOKIE));
    Ok((seller.into(), cookies))
}

/// Whether the code is right and was never used; it is used now.
async fn uses_up(
    app: &App,
    tx: &mut PgConnection,
    seller: &Credentials,
    code: &str,
    now: DateTime<Utc>,
) -> Result<bool, SellerError> {
    if let Some(backup) = second_step::backup_code(code) {
        let used = store::use_backup_code(tx, seller.id, &tokens::hash(&backup), now).await?;
        if used {
            record(tx, What::BackupCodeUsed, seller).await?;
        }
        return Ok(used);
    }
    let Some(secret) = &seller.totp_secret else { return Ok(false) };
    let seed = seeds::open(&app.config.totp_keys, seller.id, secret)?;
    match second_step::step_of(&seed, code, u64::try_from(now.timestamp()).unwrap_or_default()) {
        Some(step) => Ok(store::use_step(tx, seller.id, step).await?),
        None => Ok(false),
    }
}

/// Begins the session, and tells the seller when the browser is new.
async fn begin(
    tx: &mut PgConnection,
    seller: &Credentials,
    headers: &HeaderMap,
    now: DateTime<Utc>,
) -> Result<Vec<HeaderValue>, SellerError> {
    let language = Language::of(headers);
    store::set_language(tx, seller.id, language.code()).await?;
    if !sessions::is_known_browser(tx, Kind::Seller, seller.id, headers).await? {
        let device = sessions::describe_device(headers);
        notify::tell(tx, seller.id, SecurityNews::SellerNewDevice, device).await?;
    }
    let login = if seller.is_first_password { Login::FirstPassword } else { Login::Fresh };
    Ok(sessions::begin(tx, Kind::Seller, seller.id, headers, login, now).await?)
}

async fn record(tx: &mut PgConnection, what: What, seller: &Credentials) -> sqlx::Result<()> {
    security_log::record(tx, what, Actor::Seller(seller.id), &seller.id.to_string(), &json!({})).await
}
