//! TOTP secrets, encrypted with a key that is not in the database (`TOTP_KEYS`), so that a stolen copy of the tables
//! cannot produce codes.
//!
//! A secret is stored as `key-id:base64(nonce || ciphertext || tag)` with AES-256-GCM and the seller's id as associated
//! data, so that it cannot be moved to another seller. The first key encrypts and all keys decrypt, so that a key can
//! be replaced (`thunse seller rotate-keys`).

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use uuid::Uuid;

use crate::platform::config::TotpKey;

#[derive(Debug, thiserror::Error)]
pub enum TotpSecretError {
    #[error("two-step login needs an encryption key: set TOTP_KEYS (see docs/how-to/manage-sellers.md)")]
    NoKey,
    #[error("a two-step login secret was encrypted with key '{0}', which is not in TOTP_KEYS")]
    UnknownKey(String),
    #[error("a two-step login secret could not be decrypted: the secret or its key was changed")]
    Damaged,
}

fn cipher(key: &TotpKey) -> Result<RandomizedNonceKey, TotpSecretError> {
    RandomizedNonceKey::new(&AES_256_GCM, key.bytes()).map_err(|_| TotpSecretError::Damaged)
}

pub fn encrypt(keys: &[TotpKey], seller: Uuid, secret: &str) -> Result<String, TotpSecretError> {
    let key = keys.first().ok_or(TotpSecretError::NoKey)?;
    let mut encrypted = secret.as_bytes().to_vec();
    let nonce = cipher(key)?
        .seal_in_place_append_tag(Aad::from(seller.as_bytes()), &mut encrypted)
        .map_err(|_| TotpSecretError::Damaged)?;
    let whole = [nonce.as_ref().as_slice(), &encrypted].concat();
    Ok(format!("{}:{}", key.id(), STANDARD_NO_PAD.encode(whole)))
}

/// A secret without a key id was stored before secrets were encrypted.
pub fn decrypt(keys: &[TotpKey], seller: Uuid, stored: &str) -> Result<String, TotpSecretError> {
    let Some((id, encrypted)) = stored.split_once(':') else { return Ok(stored.to_owned()) };
    let key = keys.iter().find(|key| key.id() == id).ok_or_else(|| TotpSecretError::UnknownKey(id.to_owned()))?;
    let whole = STANDARD_NO_PAD.decode(encrypted).map_err(|_| TotpSecretError::Damaged)?;
    let (nonce, encrypted) = whole.split_at_checked(NONCE_LEN).ok_or(TotpSecretError::Damaged)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| TotpSecretError::Damaged)?;
    let mut encrypted = encrypted.to_vec();
    let secret = cipher(key)?
        .open_in_place(nonce, Aad::from(seller.as_bytes()), &mut encrypted)
        .map_err(|_| TotpSecretError::Damaged)?;
    String::from_utf8(secret.to_vec()).map_err(|_| TotpSecretError::Damaged)
}

/// Returns whether the secret is encrypted with the first key.
pub fn uses_current_key(keys: &[TotpKey], stored: &str) -> bool {
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
        let stored = encrypt(std::slice::from_ref(&old), sita, "JBSWY3DP").unwrap();

        assert!(stored.starts_with("k1:") && !stored.contains("JBSWY3DP"), "{stored}");
        assert_ne!(stored, encrypt(std::slice::from_ref(&old), sita, "JBSWY3DP").unwrap());
        let both = [new, old];
        assert_eq!(decrypt(&both, sita, &stored).unwrap(), "JBSWY3DP");
        assert!(decrypt(&both, hari, &stored).is_err(), "moved to another seller");
        assert!(decrypt(&both[..1], sita, &stored).is_err(), "the key is gone");
        assert!(decrypt(&[key("k1", 3)], sita, &stored).is_err(), "another key of that name");
        assert!(
            !uses_current_key(&both, &stored) && uses_current_key(&both, &encrypt(&both, sita, "JBSWY3DP").unwrap())
        );
        assert_eq!(decrypt(&both, sita, "JBSWY3DP").unwrap(), "JBSWY3DP", "from before they were encrypted");
        assert!(encrypt(&[], sita, "JBSWY3DP").is_err());
    }
}
