//! A device at the counter that is remembered for 30 days and locks itself with a PIN.

use std::net::IpAddr;

use http::HeaderValue;
use sqlx::PgConnection;

use super::audit::record_audit_entry;
use super::model::NewAuditEntry;
use super::{SellerError, passwords};
use crate::platform::sessions::{self, StaffSession, UnlockOutcome};
use crate::platform::state::App;

const MIN_PIN_LENGTH: usize = 4;
const MAX_PIN_LENGTH: usize = 8;

/// Refuses what is not a PIN, and those that are tried first: one digit repeated, and digits in a row.
fn check_pin(pin: &str) -> Result<(), SellerError> {
    let is_pin = (MIN_PIN_LENGTH..=MAX_PIN_LENGTH).contains(&pin.len()) && pin.bytes().all(|c| c.is_ascii_digit());
    if !is_pin {
        return Err(SellerError::PinInvalid);
    }
    let steps = pin.bytes().zip(pin.bytes().skip(1)).map(|(one, next)| i16::from(next) - i16::from(one));
    let steps: Vec<i16> = steps.collect();
    let is_regular = [-1, 0, 1].iter().any(|step| steps.iter().all(|other| other == step));
    if is_regular { Err(SellerError::PinWeak) } else { Ok(()) }
}

/// Remembers the device of this session. It requires a recent login or the password.
pub async fn remember(
    app: &App,
    session: &StaffSession,
    pin: &str,
    password: Option<&str>,
    from: IpAddr,
) -> Result<Vec<HeaderValue>, SellerError> {
    check_pin(pin)?;
    passwords::require_recent_login(app, session, password, from).await?;
    let pin_hash = app.passwords.hash_code(pin).await?;
    let mut tx = app.db.main.begin().await?;
    let cookies = sessions::remember_device(&mut tx, session.id, &pin_hash, app.clock.now()).await?;
    record(&mut tx, session, "account.remember_device").await?;
    tx.commit().await?;
    Ok(cookies)
}

pub async fn forget(app: &App, session: &StaffSession) -> Result<Vec<HeaderValue>, SellerError> {
    let mut tx = app.db.main.begin().await?;
    let cookies = sessions::forget_device(&mut tx, session.id, app.clock.now()).await?;
    record(&mut tx, session, "account.forget_device").await?;
    tx.commit().await?;
    Ok(cookies)
}

/// Locks the device now.
pub async fn lock(app: &App, session: &StaffSession) -> Result<(), SellerError> {
    let mut tx = app.db.main.begin().await?;
    if !sessions::lock(&mut tx, session.id).await? {
        return Err(SellerError::NotRemembered);
    }
    tx.commit().await?;
    Ok(())
}

pub async fn unlock(app: &App, session: &StaffSession, pin: &str) -> Result<(), SellerError> {
    match sessions::unlock(&app.db.main, &app.passwords, session, pin, app.clock.now()).await? {
        UnlockOutcome::Unlocked => Ok(()),
        UnlockOutcome::WrongPin { attempts_left } => Err(SellerError::WrongPin { attempts_left }),
        UnlockOutcome::Ended if !session.is_remembered() => Err(SellerError::NotRemembered),
        UnlockOutcome::Ended => Err(SellerError::SignedOut),
    }
}

async fn record(connection: &mut PgConnection, session: &StaffSession, action: &str) -> sqlx::Result<()> {
    let object = session.id.to_string();
    let (seller, about, before, after) = (session.person, "", "", "");
    let audit_entry = NewAuditEntry { seller, action, object: &object, about, before, after };
    record_audit_entry(connection, &audit_entry).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_is_digits_that_are_not_tried_first() {
        for fine in ["2580", "8192", "14142135", "1124"] {
            assert!(check_pin(fine).is_ok(), "{fine}");
        }
        for (pin, weak) in
            [("1111", true), ("1234", true), ("87654321", true), ("123", false), ("123456789", false), ("12a4", false)]
        {
            assert!(matches!(check_pin(pin), Err(SellerError::PinWeak)) == weak && check_pin(pin).is_err(), "{pin}");
        }
    }
}
