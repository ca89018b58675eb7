//! The second factor of one's own account: setting it up, and proving it again before a sensitive change.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::audit::record_audit_entry;
use super::model::NewAuditEntry;
use super::{SellerError, passwords, security_emails, store, totp, totp_secrets};
use crate::notifications::SecurityEmailKind;
use crate::platform::account_kind::AccountKind;
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions::{self, StaffSession};
use crate::platform::state::App;
use crate::platform::throttle::{self, ThrottleSubject};
use crate::platform::tokens;

/// The secret of an authenticator app, which is shown until it is confirmed.
pub struct PendingSecret {
    pub secret: String,
    pub otpauth_url: String,
}

/// Creates a secret that `confirm_setup` makes valid. It requires a recent login or the password; a factor that is set
/// up already can only be replaced by someone who has just proved it.
pub async fn start_setup(
    app: &App,
    session: &StaffSession,
    password: Option<&str>,
    from: IpAddr,
) -> Result<PendingSecret, SellerError> {
    let profile = store::find(&app.db.main, session.person).await?.ok_or(SellerError::SignedOut)?;
    if profile.has_second_step && !session.has_fresh_second_factor() {
        return Err(SellerError::SecondFactorNeeded);
    }
    passwords::require_recent_login(app, session, password, from).await?;
    let (secret, otpauth_url) = totp::generate(&app.config.shop.brand, &profile.email)?;
    let encrypted = match totp_secrets::encrypt(&app.config.totp_keys, session.person, &secret) {
        Err(totp_secrets::TotpSecretError::NoKey) => return Err(SellerError::SecondFactorUnavailable),
        encrypted => encrypted?,
    };
    let mut tx = app.db.main.begin().await?;
    store::lock(&mut tx, session.person).await?.ok_or(SellerError::SignedOut)?;
    store::set_pending_secret(&mut tx, session.person, &encrypted).await?;
    tx.commit().await?;
    Ok(PendingSecret { secret, otpauth_url })
}

/// Confirms the pending secret with a code. All other sessions end, and this one gets a new token. Returns the backup
/// codes, which are shown once.
pub async fn confirm_setup(
    app: &App,
    session: &StaffSession,
    code: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<(Vec<String>, Vec<HeaderValue>), SellerError> {
    let (seller, now) = (session.person, app.clock.now());
    let codes = ThrottleSubject::codes(AccountKind::Seller, seller);
    throttle::check_attempt(&app.db.main, &codes, now).await?;
    let (backup_codes, hashes) = totp::generate_hashed_backup_codes()?;
    let mut tx = app.db.main.begin().await?;
    let secrets = store::lock_totp_secrets(&mut tx, seller).await?.ok_or(SellerError::SignedOut)?;
    if secrets.secret.is_some() && !session.has_fresh_second_factor() {
        return Err(SellerError::SecondFactorNeeded);
    }
    let pending = secrets.pending.ok_or(SellerError::NoPendingSecret)?;
    let secret = totp_secrets::decrypt(&app.config.totp_keys, seller, &pending)?;
    let Some(step) = totp::matching_step(&secret, code, unix_time(now)) else {
        tx.rollback().await?;
        throttle::record_failure(app, &codes, from).await;
        return Err(SellerError::WrongCode);
    };
    store::set_second_step(&mut tx, seller, Some(&pending), now).await?;
    store::consume_totp_step(&mut tx, seller, step).await?;
    store::replace_backup_codes(&mut tx, seller, &hashes).await?;
    throttle::clear_failures(&mut tx, &codes).await?;
    store::delete_pending_logins(&mut tx, seller).await?;
    sessions::end_all(&mut tx, AccountKind::Seller, seller, Some(session.id)).await?;
    sessions::remember_browser(&mut tx, AccountKind::Seller, seller, headers, now).await?;
    sessions::prove_second_factor(&mut tx, session.id, now).await?;
    let cookies = sessions::renew(&mut tx, AccountKind::Seller, session.id, now).await?;
    let object = seller.to_string();
    security_log::record(&mut tx, SecurityEventKind::SecondStepOn, Actor::Seller(seller), &object, &json!({})).await?;
    let name = store::find_recipient(&mut tx, seller).await?.map(|to| to.name).unwrap_or_default();
    let audit_entry =
        NewAuditEntry { seller, action: "account.second_factor", object: &object, about: &name, before: "", after: "" };
    record_audit_entry(&mut tx, &audit_entry).await?;
    let device = sessions::describe_device(headers);
    security_emails::send_security_email(&mut tx, seller, SecurityEmailKind::SellerSecondStep, device).await?;
    tx.commit().await?;
    Ok((backup_codes, cookies))
}

/// Proves the second factor again, so that sensitive calls are allowed for ten minutes.
pub async fn step_up(app: &App, session: &StaffSession, code: &str, from: IpAddr) -> Result<(), SellerError> {
    let (seller, now) = (session.person, app.clock.now());
    let codes = ThrottleSubject::codes(AccountKind::Seller, seller);
    let attempt = throttle::check_attempt(&app.db.main, &codes, now).await?;
    let mut tx = app.db.main.begin().await?;
    let secrets = store::lock_totp_secrets(&mut tx, seller).await?.ok_or(SellerError::SignedOut)?;
    let secret = secrets.secret.ok_or(SellerError::SecondFactorMissing)?;
    if !consume_code(app, &mut tx, seller, Some(&secret), code, now).await? {
        tx.rollback().await?;
        throttle::record_failure(app, &codes, from).await;
        if attempt.locks_account {
            security_emails::send_security_email_in_new_tx(app, seller, SecurityEmailKind::SellerCodesLocked).await?;
        }
        return Err(SellerError::WrongCode);
    }
    throttle::clear_failures(&mut tx, &codes).await?;
    sessions::prove_second_factor(&mut tx, session.id, now).await?;
    let object = seller.to_string();
    security_log::record(&mut tx, SecurityEventKind::SecondFactorProved, Actor::Seller(seller), &object, &json!({}))
        .await?;
    tx.commit().await?;
    Ok(())
}

/// Uses up the code. Returns false if it is wrong or was used before.
pub async fn consume_code(
    app: &App,
    tx: &mut PgConnection,
    seller: Uuid,
    secret: Option<&str>,
    code: &str,
    now: DateTime<Utc>,
) -> Result<bool, SellerError> {
    if let Some(backup) = totp::normalize_backup_code(code) {
        let used = store::consume_backup_code(tx, seller, &tokens::hash(&backup), now).await?;
        if used {
            let what = SecurityEventKind::BackupCodeUsed;
            security_log::record(tx, what, Actor::Seller(seller), &seller.to_string(), &json!({})).await?;
        }
        return Ok(used);
    }
    let Some(secret) = secret else { return Ok(false) };
    let secret = totp_secrets::decrypt(&app.config.totp_keys, seller, secret)?;
    match totp::matching_step(&secret, code, unix_time(now)) {
        Some(step) => Ok(store::consume_totp_step(tx, seller, step).await?),
        None => Ok(false),
    }
}

fn unix_time(now: DateTime<Utc>) -> u64 {
    u64::try_from(now.timestamp()).unwrap_or_default()
}
