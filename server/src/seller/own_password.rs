//! A seller's own password: changing it, and giving it again before something delicate.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use serde_json::json;
use uuid::Uuid;

use super::store::OwnPassword;
use super::{SellerError, notify, store};
use crate::notifications::SecurityNews;
use crate::platform::guard::{self, Subject};
use crate::platform::security_log::{self, Actor, What};
use crate::platform::sessions::{self, Kind, Session};
use crate::platform::state::App;

/// A seller can do more harm than a shopper.
pub const SHORTEST_PASSWORD: usize = 12;

/// Changes the password of a signed-in seller; every other session ends and this one gets a new token.
pub async fn change(
    app: &App,
    session: &Session,
    current: &str,
    new: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<Vec<HeaderValue>, SellerError> {
    let now = app.clock.now();
    let seller = prove(app, session.person, current, from, now).await?;
    if new.chars().count() < SHORTEST_PASSWORD {
        return Err(SellerError::PasswordShort);
    }
    // A first password must not become the seller's own.
    if app.passwords.is_right(new, Some(seller.password_hash.clone())).await? {
        return Err(SellerError::PasswordSame);
    }
    let hash = app.passwords.keep(new, &[&seller.email, &seller.name]).await?;

    let mut tx = app.db.main.begin().await?;
    // A reset may have come between; then the password that was given is no longer the right one.
    let locked = store::lock(&mut tx, seller.id).await?;
    if locked.is_none_or(|locked| locked.password_hash != seller.password_hash) {
        return Err(SellerError::WrongPassword);
    }
    store::choose_password(&mut tx, seller.id, &hash, now).await?;
    store::end_all_pending(&mut tx, seller.id).await?;
    sessions::end_all(&mut tx, Kind::Seller, seller.id, Some(session.id)).await?;
    let cookies = sessions::renew(&mut tx, Kind::Seller, session.id, now).await?;
    let who = Actor::Seller(seller.id);
    security_log::record(&mut tx, What::PasswordChanged, who, &seller.id.to_string(), &json!({})).await?;
    let device = sessions::describe_device(headers);
    notify::tell(&mut tx, seller.id, SecurityNews::SellerPasswordChanged, device).await?;
    tx.commit().await?;
    Ok(cookies)
}

/// A signed-in seller gives the password again, at the throttle's pace.
pub async fn prove(
    app: &App,
    seller: Uuid,
    password: &str,
    from: IpAddr,
    now: DateTime<Utc>,
) -> Result<OwnPassword, SellerError> {
    let seller = store::own_password(&app.db.main, seller, now).await?.ok_or(SellerError::SignedOut)?;
    let subject = Subject::signed_in(Kind::Seller, seller.id);
    let attempt = guard::attempt(&app.db.main, &subject, now).await?;
    let right = app.passwords.is_right(password, Some(seller.password_hash.clone())).await?;
    if !right || seller.is_expired {
        guard::note_failure(app, &subject, from).await;
        if right {
            note_expired(app, seller.id).await;
        }
        if attempt.closes {
            notify::warn(app, seller.id, SecurityNews::SellerClosed).await?;
        }
        return Err(SellerError::WrongPassword);
    }
    let mut tx = app.db.main.begin().await?;
    guard::forgive(&mut tx, &subject).await?;
    tx.commit().await?;
    Ok(seller)
}

/// The answer does not tell that the password was right; the operator should find it out.
pub async fn note_expired(app: &App, seller: Uuid) {
    let about = seller.to_string();
    security_log::record_refusal(&app.db.main, What::PasswordExpired, Actor::Visitor, &about, &json!({})).await;
}
