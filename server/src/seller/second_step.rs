//! The second step of a seller's login: a code from an app (TOTP, RFC 6238), each good once.

use totp_rs::{Algorithm, Secret, TOTP};

const DIGITS: usize = 6;
const STEP_SECONDS: u64 = 30;
/// A code of the step before or after is taken too: phones' clocks are a little off.
const SKEW: u8 = 1;

fn codes(secret: &str, shop: &str, email: &str) -> Option<TOTP> {
    let secret = Secret::Encoded(secret.to_owned()).to_bytes().ok()?;
    TOTP::new(Algorithm::SHA1, DIGITS, SKEW, STEP_SECONDS, secret, Some(shop.to_owned()), email.to_owned()).ok()
}

/// A new secret (base32) and the address that an authenticator app reads it from.
pub fn new_secret(bytes: &[u8], shop: &str, email: &str) -> Option<(String, String)> {
    let Secret::Encoded(secret) = Secret::Raw(bytes.to_vec()).to_encoded() else { return None };
    let address = codes(&secret, &shop.replace(':', " "), email)?.get_url();
    Some((secret, address))
}

/// The time step whose code this is, if it is one of now's.
pub fn step_of(secret: &str, code: &str, now: u64) -> Option<i64> {
    let codes = codes(secret, "", "")?;
    let code = code.trim();
    [0, 1, -1].into_iter().find_map(|shift: i64| {
        let at = now.checked_add_signed(shift * i64::try_from(STEP_SECONDS).ok()?)?;
        (codes.generate(at) == code).then(|| i64::try_from(at / STEP_SECONDS).ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_good_a_step_early_or_late_and_no_longer() {
        let (secret, address) = new_secret(&[7; 20], "Thunse", "sita@example.com").unwrap();
        assert!(address.starts_with("otpauth://totp/Thunse:sita"), "{address}");
        let now = 1_800_000_000;
        let code = codes(&secret, "", "").unwrap().generate(now);

        assert_eq!(step_of(&secret, &code, now), Some(60_000_000));
        assert_eq!(step_of(&secret, &code, now + 30), Some(60_000_000));
        assert_eq!(step_of(&secret, &code, now + 90), None);
        assert_eq!(step_of(&secret, "000000", now), None);
    }
}
