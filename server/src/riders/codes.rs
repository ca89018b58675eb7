//! The four digits with which a shopper confirms a delivery. The shopper sees them once the order is on its way; the
//! rider does not.

use sqlx::PgConnection;

use super::model::{RiderError, StopRefusal};
use super::store;
use crate::orders;
use crate::orders::transition::OrderStatus;
use crate::platform::ids::{OrderId, UserId};
use crate::platform::numerals;
use crate::platform::state::App;

/// Four digits are few, so that few attempts are allowed; afterwards a photo is needed.
const MAX_ATTEMPTS: i32 = 5;
const LENGTH: usize = 4;

fn generate() -> Result<String, getrandom::Error> {
    let mut code = String::with_capacity(LENGTH);
    while code.len() < LENGTH {
        let mut byte = [0_u8; 1];
        getrandom::fill(&mut byte)?;
        // 250 is the largest multiple of ten in a byte.
        let [byte] = byte;
        if byte < 250 {
            code.push(char::from(b'0' + byte % 10));
        }
    }
    Ok(code)
}

async fn find_or_create(connection: &mut PgConnection, order: OrderId) -> Result<(String, i32), RiderError> {
    let new = generate().map_err(|_| RiderError::Raced)?;
    Ok(store::find_or_create_code(connection, order, &new).await?)
}

/// Returns the code of the shopper's own order that is out for delivery.
pub async fn find_own_code(app: &App, user: UserId, order: OrderId) -> Result<String, RiderError> {
    let mut tx = app.db.main.begin().await?;
    let found = orders::find(&mut tx, order).await?;
    let found = found.filter(|found| found.user_id == user).ok_or(RiderError::OrderNotFound)?;
    if found.status != OrderStatus::OutForDelivery.name() {
        return Err(RiderError::NoCode);
    }
    let (code, _) = find_or_create(&mut tx, order).await?;
    tx.commit().await?;
    Ok(code)
}

/// Checks the code that the rider typed, and counts a wrong one.
pub async fn check_code(
    connection: &mut PgConnection,
    order: OrderId,
    typed: &str,
) -> Result<Option<StopRefusal>, RiderError> {
    let (code, attempts) = find_or_create(connection, order).await?;
    if attempts >= MAX_ATTEMPTS {
        return Ok(Some(StopRefusal::CodeLocked));
    }
    if numerals::to_latin_digits(typed.trim()) != code {
        store::count_attempt(connection, order).await?;
        return Ok(Some(StopRefusal::CodeWrong));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_four_digits_and_all_digits_occur() {
        let codes: String = (0..200).map(|_| generate().unwrap()).collect();

        assert_eq!(codes.len(), 800);
        assert!(('0'..='9').all(|digit| codes.contains(digit)));
    }
}
