//! E-mail addresses and phone numbers as people type them.

use super::numerals;

/// The longest address that mail can carry.
const MAX_EMAIL: usize = 254;
const PHONE_DIGITS: usize = 10;

/// The address without the space around it, if a browser's e-mail field would accept it and its host has a dot; only a
/// letter that arrives proves more.
pub fn email(text: &str) -> Option<String> {
    let email = text.trim();
    let (name, host) = email.rsplit_once('@')?;
    let name_ok = !name.is_empty()
        && name.len() <= 64
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte));
    let host_ok = host.contains('.')
        && host.split('.').all(|label| {
            !label.is_empty()
                && label.len() <= 63
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        });
    (email.len() <= MAX_EMAIL && name_ok && host_ok).then(|| email.to_owned())
}

/// Ten digits, as the contract wants them: Nepali digits, spaces, dashes and Nepal's own prefix are taken as meant.
pub fn phone(text: &str) -> Option<String> {
    let digits: String =
        numerals::latin(text).chars().filter(|c| !(c.is_whitespace() || matches!(c, '-' | '(' | ')' | '.'))).collect();
    let number =
        digits.strip_prefix("+977").or_else(|| digits.strip_prefix("977").filter(|rest| rest.len() == PHONE_DIGITS));
    let number = number.unwrap_or(&digits);
    (number.len() == PHONE_DIGITS && number.bytes().all(|byte| byte.is_ascii_digit())).then(|| number.to_owned())
}

/// What somebody typed, on one line and with single spaces.
pub fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_from_a_slip() {
        for good in ["asha@example.com", "a.b+c@mail.example.com.np", "o'neil@example.org"] {
            assert_eq!(email(&format!(" {good} ")).as_deref(), Some(good));
        }
        for bad in
            ["", "asha", "@example.com", "asha@", "asha@example", "a b@example.com", "asha@-x.com", "asha@x..com"]
        {
            assert_eq!(email(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_phone_number_is_ten_digits_however_it_was_written() {
        for written in ["9801234567", "980-1234567", " 980 123 4567 ", "+977 9801234567", "9779801234567", "९८०१२३४५६७"]
        {
            assert_eq!(phone(written).as_deref(), Some("9801234567"), "{written}");
        }
        for bad in ["", "980123456", "98012345678", "98012345a7", "+1 9801234567", "+97798012345"] {
            assert_eq!(phone(bad), None, "{bad}");
        }
    }
}
