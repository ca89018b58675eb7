//! Codes of the second step: TOTP (RFC 6238) from an authenticator app, and backup codes. Each can be used once.

use totp_rs::{Algorithm, Secret, TOTP};

use crate::platform::api_error::ApiError;
use crate::platform::tokens;

const BACKUP_CODE_COUNT: usize = 10;
/// 24 characters in groups of four have 117 random bits; from 112 bits on, a plain hash is enough (ASVS 6.5.2).
const BACKUP_CODE_LENGTH: usize = 24;

const SECRET_BYTES: usize = 20;
const DIGITS: usize = 6;
const STEP_SECONDS: u64 = 30;
/// Codes of other time steps are refused, so that a code seen over the seller's shoulder is valid for half a minute at
/// most (ASVS 6.5.5).
const SKEW: u8 = 0;

fn totp(secret: &str, shop: &str, email: &str) -> Option<TOTP> {
    let secret = Secret::Encoded(secret.to_owned()).to_bytes().ok()?;
    TOTP::new(Algorithm::SHA1, DIGITS, SKEW, STEP_SECONDS, secret, Some(shop.to_owned()), email.to_owned()).ok()
}

/// Generates a random secret; see `generate_secret`.
pub fn generate(shop: &str, email: &str) -> Result<(String, String), ApiError> {
    let mut bytes = [0_u8; SECRET_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| ApiError::internal(&error))?;
    generate_secret(&bytes, shop, email).ok_or_else(ApiError::internal_silent)
}

/// Returns a new secret (base32) and the `otpauth` URL for an authenticator app.
fn generate_secret(bytes: &[u8], shop: &str, email: &str) -> Option<(String, String)> {
    let Secret::Encoded(secret) = Secret::Raw(bytes.to_vec()).to_encoded() else { return None };
    let address = totp(&secret, &shop.replace(':', " "), email)?.get_url();
    Some((secret, address))
}

/// Generates the backup codes in their printed form, and their hashes.
pub fn generate_hashed_backup_codes() -> Result<(Vec<String>, Vec<Vec<u8>>), ApiError> {
    let codes = generate_backup_codes()?;
    let hashes = codes.iter().filter_map(|code| normalize_backup_code(code)).map(|code| tokens::hash(&code)).collect();
    Ok((codes, hashes))
}

fn generate_backup_codes() -> Result<Vec<String>, ApiError> {
    (0..BACKUP_CODE_COUNT)
        .map(|_| {
            let code: Vec<char> = tokens::generate_code(BACKUP_CODE_LENGTH)?.chars().collect();
            let groups: Vec<String> = code.chunks(4).map(|group| group.iter().collect()).collect();
            Ok(groups.join("-"))
        })
        .collect()
}

/// Returns a typed backup code in the form that is hashed, or `None` if its length is wrong.
pub fn normalize_backup_code(typed: &str) -> Option<String> {
    let code: String = typed.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect();
    (code.len() == BACKUP_CODE_LENGTH).then_some(code)
}

/// Returns the time step of `now` if the code belongs to it.
pub fn matching_step(secret: &str, code: &str, now: u64) -> Option<i64> {
    let right = totp(secret, "", "")?.check(code.trim(), now);
    right.then(|| i64::try_from(now / STEP_SECONDS).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_good_in_its_own_half_minute_only() {
        let (secret, address) = generate_secret(&[7; 20], "Thunse", "sita@example.com").unwrap();
        assert!(address.starts_with("otpauth://totp/Thunse:sita"), "{address}");
        let now = 1_800_000_000;
        let code = totp(&secret, "", "").unwrap().generate(now);

        assert_eq!(matching_step(&secret, &code, now), Some(60_000_000));
        assert_eq!(matching_step(&secret, &code, now + 29), Some(60_000_000));
        assert_eq!(matching_step(&secret, &code, now + 30), None, "the half minute after");
        assert_eq!(matching_step(&secret, &code, now - 1), None, "the half minute before");
        assert_eq!(matching_step(&secret, "000000", now), None);
    }

    #[test]
    fn a_backup_code_is_read_however_it_was_typed() {
        let codes = generate_backup_codes().unwrap();
        assert_eq!(codes.len(), 10);
        let plain = codes[0].replace('-', "");
        assert_eq!(plain.len(), 24);
        for typed in [codes[0].clone(), plain.to_lowercase(), codes[0].replace('-', " ")] {
            assert_eq!(normalize_backup_code(&typed), Some(plain.clone()), "{typed}");
        }
        assert_eq!(normalize_backup_code("123456"), None);
    }
}
