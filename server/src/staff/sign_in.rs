//! A seller's login: the password, and a code from an authenticator app (or a backup code) if the second step is on.
//!
//! With the second step on, a correct password alone clears no failed attempts: it creates a pending login, and the
//! counters of passwords and codes are cleared when the code is correct too.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use serde_json::json;
use sqlx::PgConnection;

use super::model::Profile;
use super::second_factor::consume_code;
use super::store::{LockedSeller, SellerCredentials};
use super::{SellerError, passwords, security_emails, store};
use crate::notifications::SecurityEmailKind;
use crate::platform::account_kind::AccountKind;
use crate::platform::language::Language;
use crate::platform::permissions::Role;
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions::{self, LoginKind};
use crate::platform::state::App;
use crate::platform::throttle::{self, ThrottleSubject};
use crate::platform::{contact, cookies, tokens};

/// Holds the token of this browser's pending login.
const PENDING_COOKIE: &str = "__Host-seller-login";
const PENDING_LOGIN_LIFETIME: Duration = Duration::from_mins(5);

pub enum LoginOutcome {
    Complete(Profile, Vec<HeaderValue>),
    /// A code is required; the cookie holds the token of the pending login.
    CodeRequired(Vec<HeaderValue>),
}

pub async fn sign_in(
    app: &App,
    email: &str,
    password: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<LoginOutcome, SellerError> {
    // The throttle must fold addresses as the database does, which is certain only for valid ones.
    let email = contact::parse_email(email).ok_or(SellerError::WrongCredentials)?;
    let now = app.clock.now();
    let known = store::find_credentials_by_email(&app.db.main, &email, now).await?;
    let person = known.as_ref().map(|seller| seller.id);
    let subject = throttle::subject_for_login(app, AccountKind::Seller, &email, person, from, headers).await?;
    let attempt = throttle::check_attempt(&app.db.main, &subject, now).await?;
    let hash = known.as_ref().map(|seller| seller.password_hash.clone());
    let right = app.passwords.verify(password, hash).await?;
    let seller = match known {
        Some(seller) if right && !seller.is_expired => seller,
        known => {
            throttle::record_failure(app, &subject, from).await;
            if let Some(seller) = known.as_ref().filter(|_| right) {
                passwords::record_expired_password(app, seller.id).await;
            }
            if let Some(seller) = known.filter(|_| attempt.locks_account) {
                security_emails::send_security_email_in_new_tx(app, seller.id, SecurityEmailKind::SellerLocked).await?;
            }
            return Err(SellerError::WrongCredentials);
        }
    };
    let stronger = app.passwords.rehash_if_outdated(password, Some(&seller.password_hash)).await?;

    let mut tx = app.db.main.begin().await?;
    // The seller may have been disabled or the password changed while the hash was being checked.
    let locked = store::lock(&mut tx, seller.id).await?;
    let is_same = |locked: &LockedSeller| {
        locked.password_hash == seller.password_hash && locked.has_second_step == seller.has_second_step()
    };
    let role = locked.filter(is_same).ok_or(SellerError::WrongCredentials)?.role;
    if let Some(hash) = stronger {
        store::replace_password_hash(&mut tx, seller.id, &hash).await?;
    }
    if seller.has_second_step() {
        let token = tokens::generate()?;
        store::insert_pending_login(&mut tx, &tokens::hash(&token), seller.id, PENDING_LOGIN_LIFETIME, now).await?;
        record(&mut tx, SecurityEventKind::CodeRequired, &seller).await?;
        tx.commit().await?;
        return Ok(LoginOutcome::CodeRequired(vec![cookies::http_only(
            PENDING_COOKIE,
            &token,
            PENDING_LOGIN_LIFETIME,
        )]));
    }
    throttle::clear_failures(&mut tx, &subject).await?;
    let cookies = begin_session(&mut tx, &seller, role, false, headers, now).await?;
    tx.commit().await?;
    Ok(LoginOutcome::Complete(seller.into(), cookies))
}

/// Completes the pending login of this browser with a code.
pub async fn submit_code(
    app: &App,
    code: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<(Profile, Vec<HeaderValue>), SellerError> {
    let pending = cookies::read(headers, PENDING_COOKIE).map(tokens::hash).ok_or(SellerError::NoPendingLogin)?;
    let now = app.clock.now();
    let seller = store::find_pending_login(&app.db.main, &pending, now).await?.ok_or(SellerError::NoPendingLogin)?;
    let subject =
        throttle::subject_for_login(app, AccountKind::Seller, &seller.email, Some(seller.id), from, headers).await?;
    let codes = ThrottleSubject::codes(AccountKind::Seller, seller.id);
    let attempt = throttle::check_attempt(&app.db.main, &codes, now).await?;

    let mut tx = app.db.main.begin().await?;
    let locked = store::lock(&mut tx, seller.id).await?.ok_or(SellerError::NoPendingLogin)?;
    if !consume_code(app, &mut tx, seller.id, seller.totp_secret.as_deref(), code, now).await? {
        tx.rollback().await?;
        throttle::record_failure(app, &codes, from).await;
        if attempt.locks_account {
            security_emails::send_security_email_in_new_tx(app, seller.id, SecurityEmailKind::SellerCodesLocked)
                .await?;
        }
        return Err(SellerError::WrongCode);
    }
    // A password reset deletes pending logins; it waits for the lock that this transaction holds.
    if !store::consume_pending_login(&mut tx, &pending, now).await? {
        return Err(SellerError::NoPendingLogin);
    }
    throttle::clear_failures(&mut tx, &subject).await?;
    throttle::clear_failures(&mut tx, &codes).await?;
    let mut cookies = begin_session(&mut tx, &seller, locked.role, true, headers, now).await?;
    tx.commit().await?;
    cookies.push(cookies::delete(PENDING_COOKIE));
    Ok((seller.into(), cookies))
}

/// Starts the session and emails the seller if the browser is new. The role was read under the lock that this
/// transaction holds, because a change of the role ends the sessions that there are.
async fn begin_session(
    tx: &mut PgConnection,
    seller: &SellerCredentials,
    role: Role,
    with_code: bool,
    headers: &HeaderMap,
    now: DateTime<Utc>,
) -> Result<Vec<HeaderValue>, SellerError> {
    let language = Language::from_headers(headers);
    store::set_language(tx, seller.id, language.code()).await?;
    if !sessions::is_known_browser(tx, AccountKind::Seller, seller.id, headers).await? {
        let device = sessions::describe_device(headers);
        security_emails::send_security_email(tx, seller.id, SecurityEmailKind::SellerNewDevice, device).await?;
    }
    let login = LoginKind::Staff { role, temporary_password: seller.is_temporary_password, with_code };
    Ok(sessions::begin(tx, AccountKind::Seller, seller.id, headers, login, now).await?)
}

async fn record(tx: &mut PgConnection, what: SecurityEventKind, seller: &SellerCredentials) -> sqlx::Result<()> {
    security_log::record(tx, what, Actor::Seller(seller.id), &seller.id.to_string(), &json!({})).await
}
