//! What the shopper wants on the bill: the name and the PAN of a company, until the bill is issued.

use super::model::{BillRequest, BillingError, MAX_TEXT_LENGTH, PAN_DIGITS};
use super::store;
use crate::orders;
use crate::platform::ids::{OrderId, UserId};
use crate::platform::numerals;
use crate::platform::state::App;

pub async fn set_buyer(
    app: &App,
    user: UserId,
    order: OrderId,
    name: &str,
    pan: &str,
) -> Result<BillRequest, BillingError> {
    let request = BillRequest { buyer_name: name.trim().to_owned(), buyer_pan: parse_pan(pan)? };
    if request.buyer_name.chars().count() > MAX_TEXT_LENGTH || request.buyer_name.chars().any(char::is_control) {
        return Err(BillingError::NameTooLong);
    }
    let mut tx = app.db.main.begin().await?;
    let locked = orders::lock(&mut tx, order, &app.clock).await?.filter(|locked| locked.user == user);
    let locked = locked.ok_or(BillingError::NotFound)?;
    if store::find_standing_bill(&mut tx, order).await?.is_some() {
        return Err(BillingError::AlreadyIssued);
    }
    store::save_request(&mut tx, order, user, &request, locked.now).await?;
    tx.commit().await?;
    Ok(request)
}

/// Accepts digits of either script, with spaces between them; an empty text removes the PAN.
fn parse_pan(text: &str) -> Result<String, BillingError> {
    let digits: String = numerals::to_latin_digits(text).chars().filter(|c| !c.is_whitespace()).collect();
    let is_valid = digits.is_empty() || (digits.len() == PAN_DIGITS && digits.chars().all(|c| c.is_ascii_digit()));
    if is_valid { Ok(digits) } else { Err(BillingError::PanInvalid) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pan_has_nine_digits_in_either_script() {
        assert_eq!(parse_pan(" 301 234 567 ").unwrap(), "301234567");
        assert_eq!(parse_pan("३०१२३४५६७").unwrap(), "301234567");
        assert_eq!(parse_pan("").unwrap(), "");
        for wrong in ["30123456", "3012345678", "30123456a"] {
            assert!(parse_pan(wrong).is_err(), "{wrong}");
        }
    }
}
