//! Secrets that are handed out once and stored only as a hash: session tokens, links in emails, states of a sign-in.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::api_error::ApiError;

/// 256 bits cannot be guessed, so a plain hash is safe to store.
const BYTES: usize = 32;

/// Generates a secret for a cookie or a URL.
pub fn generate() -> Result<String, ApiError> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| ApiError::internal(&error))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Characters that are not mistaken for one another, read aloud or from paper.
const CODE_ALPHABET: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Generates a code for people, of `length` characters: short, and not predictable from the one before.
pub fn generate_code(length: usize) -> Result<String, ApiError> {
    let mut code = String::with_capacity(length);
    while code.len() < length {
        let mut bytes = [0_u8; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| ApiError::internal(&error))?;
        // 240 is the largest multiple of 30 in a byte; higher values would make the first characters likelier.
        let letters =
            bytes.iter().filter(|byte| **byte < 240).filter_map(|byte| CODE_ALPHABET.get(usize::from(*byte) % 30));
        code.extend(letters.take(length - code.len()).map(|letter| char::from(*letter)));
    }
    Ok(code)
}

/// The form in which a secret is stored.
pub fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

/// The challenge that belongs to a PKCE verifier.
pub fn pkce_challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_long_and_never_the_same() {
        let (a, b) = (generate().unwrap(), generate().unwrap());

        assert_eq!(a.len(), 43);
        assert_ne!(a, b);
        assert_ne!(hash(&a), hash(&b));
    }

    #[test]
    fn numbers_for_people_hold_nothing_that_looks_like_something_else() {
        let code = generate_code(200).unwrap();

        assert_eq!(code.len(), 200);
        assert!(!code.contains(['0', 'O', '1', 'I', 'L', 'U']), "{code}");
        assert_ne!(generate_code(10).unwrap(), generate_code(10).unwrap());
    }

    #[test]
    fn the_challenge_is_the_one_of_the_standard() {
        // RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

        assert_eq!(pkce_challenge(verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }
}
