//! Changing and verifying a seller's own password.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use serde_json::json;
use uuid::Uuid;

use super::audit::record_audit_entry;
use super::model::NewAuditEntry;
use super::store::SellerPassword;
use super::{SellerError, security_emails, store};
use crate::notifications::SecurityEmailKind;
use crate::platform::account_kind::AccountKind;
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions::{self, StaffSession};
use crate::platform::state::App;
use crate::platform::throttle::{self, ThrottleSubject};

/// The minimum is higher than for shoppers, because a seller's account can do more harm.
pub const MIN_PASSWORD_LENGTH: usize = 12;

/// Changes the password of a signed-in seller. All other sessions end, and this one gets a new token.
pub async fn change_password(
    app: &App,
    session: &StaffSession,
    current: &str,
    new: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<Vec<HeaderValue>, SellerError> {
    let now = app.clock.now();
    let seller = verify_password(app, session.person, current, from, now).await?;
    if new.chars().count() < MIN_PASSWORD_LENGTH {
        return Err(SellerError::PasswordShort);
    }
    // A temporary password must not be chosen as the permanent one.
    if app.passwords.verify(new, Some(seller.password_hash.clone())).await? {
        return Err(SellerError::PasswordSame);
    }
    let hash = app.passwords.hash_new(new, &[&seller.email, &seller.name]).await?;

    let mut tx = app.db.main.begin().await?;
    // A reset may have replaced the password since it was verified.
    let locked = store::lock(&mut tx, seller.id).await?;
    if locked.is_none_or(|locked| locked.password_hash != seller.password_hash) {
        return Err(SellerError::WrongPassword);
    }
    store::set_chosen_password(&mut tx, seller.id, &hash, now).await?;
    store::delete_pending_logins(&mut tx, seller.id).await?;
    sessions::end_all(&mut tx, AccountKind::Seller, seller.id, Some(session.id)).await?;
    let cookies = sessions::renew(&mut tx, AccountKind::Seller, session.id, now).await?;
    let who = Actor::Seller(seller.id);
    let object = seller.id.to_string();
    security_log::record(&mut tx, SecurityEventKind::PasswordChanged, who, &object, &json!({})).await?;
    let (action, about, before, after) = ("account.password", "", "", "");
    let audit_entry = NewAuditEntry { seller: seller.id, action, object: &object, about, before, after };
    record_audit_entry(&mut tx, &audit_entry).await?;
    let device = sessions::describe_device(headers);
    security_emails::send_security_email(&mut tx, seller.id, SecurityEmailKind::SellerPasswordChanged, device).await?;
    tx.commit().await?;
    Ok(cookies)
}

/// Requires a recent login or the password, so that a stranger at an unattended dashboard cannot take the account over.
pub async fn require_recent_login(
    app: &App,
    session: &StaffSession,
    password: Option<&str>,
    from: IpAddr,
) -> Result<(), SellerError> {
    if session.is_fresh {
        return Ok(());
    }
    let password = password.filter(|password| !password.is_empty()).ok_or(SellerError::PasswordNeeded)?;
    verify_password(app, session.person, password, from, app.clock.now()).await?;
    Ok(())
}

/// Verifies the password of a signed-in seller; the login throttle limits the attempts.
pub async fn verify_password(
    app: &App,
    seller: Uuid,
    password: &str,
    from: IpAddr,
    now: DateTime<Utc>,
) -> Result<SellerPassword, SellerError> {
    let seller = store::find_password(&app.db.main, seller, now).await?.ok_or(SellerError::SignedOut)?;
    let subject = ThrottleSubject::signed_in(AccountKind::Seller, seller.id);
    let attempt = throttle::check_attempt(&app.db.main, &subject, now).await?;
    let right = app.passwords.verify(password, Some(seller.password_hash.clone())).await?;
    if !right || seller.is_expired {
        throttle::record_failure(app, &subject, from).await;
        if right {
            record_expired_password(app, seller.id).await;
        }
        if attempt.locks_account {
            security_emails::send_security_email_in_new_tx(app, seller.id, SecurityEmailKind::SellerLocked).await?;
        }
        return Err(SellerError::WrongPassword);
    }
    let mut tx = app.db.main.begin().await?;
    throttle::clear_failures(&mut tx, &subject).await?;
    tx.commit().await?;
    Ok(seller)
}

/// Records that a correct but expired password was used. The response does not say so, but the operator should find
/// out.
pub async fn record_expired_password(app: &App, seller: Uuid) {
    let about = seller.to_string();
    security_log::record_refusal(&app.db.main, SecurityEventKind::PasswordExpired, Actor::Visitor, &about, &json!({}))
        .await;
}
