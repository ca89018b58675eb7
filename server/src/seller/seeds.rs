//! Seeds of authenticator apps, encrypted with a key that is not in the database (`TOTP_KEYS`): a copy of the tables makes no codes.
//!
//! Stored as `key-id:base64(nonce || ciphertext || tag)`, AES-256-GCM, with the seller's id as associated data, so that a seed cannot be moved
//! to another seller. The first key encrypts; all of them decrypt, so that a key can be replaced (`thunse seller rotate-keys`).

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use uuid::Uuid;

use crate::platform::config::TotpKey;

#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    #[error("the second step needs a key: set TOTP_KEYS (docs/how-to/manage-sellers.md)")]
    NoKey,
    #[error("a seed was encrypted with the key '{0}', which TOTP_KEYS does not have")]
    UnknownKey(String),
    #[error("a seed does not decrypt: it was changed, or its key was")]
    Damaged,
}

fn cipher(key: &TotpKey) -> Result<RandomizedNonceKey, SeedError> {
    RandomizedNonceKey::new(&AES_256_GCM, key.bytes()).map_err(|_| SeedError::Damaged)
}

pub fn seal(keys: &[TotpKey], seller: Uuid, seed: &str) -> Result<String, SeedError> {
    let key = keys.first().ok_or(SeedError::NoKey)?;
    let mut sealed = seed.as_bytes().to_vec();
    let nonce = cipher(key)?
        .seal_in_place_append_tag(Aad::from(seller.as_bytes()), &mut sealed)
        .map_err(|_| SeedError::Damaged)?;
    let whole = [nonce.as_ref().as_slice(), &sealed].concat();
    Ok(format!("{}:{}", key.id(), STANDARD_NO_PAD.encode(whole)))
}

/// A seed without a key id is from before seeds were encrypted.
pub fn open(keys: &[TotpKey], seller: Uuid, stored: &str) -> Result<String, SeedError> {
    let Some((id, sealed)) = stored.split_once(':') else { return Ok(stored.to_owned()) };
    let key = keys.iter().find(|key| key.id() == id).ok_or_else(|| SeedError::UnknownKey(id.to_owned()))?;
    let whole = STANDARD_NO_PAD.decode(sealed).map_err(|_| SeedError::Damaged)?;
    let (nonce, sealed) = whole.split_at_checked(NONCE_LEN).ok_or(SeedError::Damaged)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| SeedError::Damaged)?;
    let mut sealed = sealed.to_vec();
    let seed =
        cipher(key)?.open_in_place(nonce, Aad::from(seller.as_bytes()), &mut sealed).map_err(|_| SeedError::Damaged)?;
    String::from_utf8(seed.to_vec()).map_err(|_| SeedError::Damaged)
}

/// Whether it is encrypted with the first key.
pub fn is_current(keys: &[TotpKey], stored: &str) -> bool {
    keys.first().is_some_and(|key| stored.split_once(':').is_some_and(|(id, _)| id == key.id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(id: &str, byte: u8) -> TotpKey {
        TotpKey::new(id.to_owned(), [byte; 32])
    }

    #[test]
    fn a_seed_opens_with_its_key_for_its_seller_and_not_otherwise() {
        let (old, new) = (key("k1", 1), key("k2", 2));
        let (sita, hari) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let stored = seal(std::slice::from_ref(&old), sita, "JBSWY3DP").unwrap();

        assert!(stored.starts_with("k1:") && !stored.contains("JBSWY3DP"), "{stored}");
        assert_ne!(stored, seal(std::slice::from_ref(&old), sita, "JBSWY3DP").unwrap());
        let both = [new, old];
        assert_eq!(open(&both, sita, &stored).unwrap(), "JBSWY3DP");
        assert!(open(&both, hari, &stored).is_err(), "moved to another seller");
        assert!(open(&both[..1], sita, &stored).is_err(), "the key is gone");
        assert!(open(&[key("k1", 3)], sita, &stored).is_err(), "another key of that name");
        assert!(!is_current(&both, &stored) && is_current(&both, &seal(&both, sita, "JBSWY3DP").unwrap()));
        assert_eq!(open(&both, sita, "JBSWY3DP").unwrap(), "JBSWY3DP", "from before they were encrypted");
        assert!(seal(&[], sita, "JBSWY3DP").is_err());
    }
}
