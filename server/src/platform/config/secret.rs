//! Secret values, which are never printed.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::env_reader::EnvReader;

/// A value that `{:?}` does not print, so that it cannot reach a log line.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    pub fn new(value: String) -> Self {
        Self(value)
    }

    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// A key with an id, so that it can be replaced by another.
#[derive(Clone)]
pub struct TotpKey {
    id: String,
    bytes: [u8; 32],
}

impl TotpKey {
    pub const fn new(id: String, bytes: [u8; 32]) -> Self {
        Self { id, bytes }
    }

    /// Parses `TOTP_KEYS="k2:base64,k1:base64"`, with 32 bytes in each key.
    pub fn read_all(env: &mut EnvReader) -> Vec<Self> {
        let text = env.text_or("TOTP_KEYS", "");
        let mut keys = Vec::new();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let key = entry.split_once(':').and_then(|(id, key)| {
                let bytes = STANDARD.decode(key).ok()?.try_into().ok()?;
                let named = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
                named.then(|| Self::new(id.to_owned(), bytes))
            });
            match key {
                Some(key) => keys.push(key),
                // The message does not quote the entry, because it is a secret.
                None => env.add_problem("TOTP_KEYS: must be name:base64 pairs of 32-byte keys, separated by commas"),
            }
        }
        keys
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub const fn bytes(&self) -> &[u8; 32] {
        &self.bytes
    }
}

impl fmt::Debug for TotpKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:(secret)", self.id)
    }
}
