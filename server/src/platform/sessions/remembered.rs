//! Devices at the shop's counter: the session lives for a month, and instead of ending it locks itself after ten minutes
//! without a request, until the PIN is entered.

use std::time::Duration;

use chrono::{DateTime, Utc};
use http::HeaderValue;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::lifecycle::{record, renew};
use super::model::StaffSession;
use super::store;
use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::ApiError;
use crate::platform::passwords::Passwords;
use crate::platform::security_log::SecurityEventKind;

const REMEMBERED_FOR: Duration = Duration::from_hours(24 * 30);
/// This many wrong PINs in a row end the session, so that a full login is needed.
const MAX_PIN_FAILURES: i16 = 5;

/// Remembers the device of this session. The session gets a new token, because it can do more than before.
pub async fn remember_device(
    connection: &mut PgConnection,
    session: Uuid,
    pin_hash: &str,
    now: DateTime<Utc>,
) -> Result<Vec<HeaderValue>, ApiError> {
    let set = store::set_pin(connection, session, pin_hash, now + REMEMBERED_FOR).await;
    set.map_err(|error| ApiError::database(&error))?;
    renew(connection, AccountKind::Seller, session, now).await
}

/// Makes the session an ordinary one again.
pub async fn forget_device(
    connection: &mut PgConnection,
    session: Uuid,
    now: DateTime<Utc>,
) -> Result<Vec<HeaderValue>, ApiError> {
    let done = store::remove_pin(connection, session, AccountKind::Seller.lifetime().absolute, now).await;
    done.map_err(|error| ApiError::database(&error))?;
    renew(connection, AccountKind::Seller, session, now).await
}

/// Locks a remembered device now; returns false if it is not remembered.
pub async fn lock(connection: &mut PgConnection, session: Uuid) -> sqlx::Result<bool> {
    store::lock(connection, session).await
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnlockOutcome {
    Unlocked,
    WrongPin {
        attempts_left: i16,
    },
    /// The session was ended after too many wrong PINs, or the device is not remembered.
    Ended,
}

pub async fn unlock(
    db: &PgPool,
    passwords: &Passwords,
    session: &StaffSession,
    pin: &str,
    now: DateTime<Utc>,
) -> Result<UnlockOutcome, ApiError> {
    let database = |error: sqlx::Error| ApiError::database(&error);
    let Some((pin_hash, attempts)) = store::count_pin_attempt(db, session.id).await.map_err(database)? else {
        return Ok(UnlockOutcome::Ended);
    };
    if attempts <= MAX_PIN_FAILURES && passwords.verify(pin, Some(pin_hash)).await? {
        store::unlock(db, session.id, now).await.map_err(database)?;
        return Ok(UnlockOutcome::Unlocked);
    }
    let mut tx = db.begin().await.map_err(database)?;
    record(&mut tx, SecurityEventKind::PinFailed, AccountKind::Seller, session.person).await.map_err(database)?;
    if attempts >= MAX_PIN_FAILURES {
        store::end_one(&mut tx, AccountKind::Seller.name(), session.person, session.id).await.map_err(database)?;
        record(&mut tx, SecurityEventKind::SessionEnded, AccountKind::Seller, session.person)
            .await
            .map_err(database)?;
    }
    tx.commit().await.map_err(database)?;
    if attempts >= MAX_PIN_FAILURES {
        return Ok(UnlockOutcome::Ended);
    }
    Ok(UnlockOutcome::WrongPin { attempts_left: MAX_PIN_FAILURES - attempts })
}

/// Stores that this session has just proved the second factor.
pub async fn prove_second_factor(connection: &mut PgConnection, session: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    store::prove_second_factor(connection, session, now).await
}
