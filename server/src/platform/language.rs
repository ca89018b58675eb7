//! The two languages of the shop, and which of them a request asks for.

use serde::{Deserialize, Serialize};

use super::cookies;

/// The language that the shopper chose, from the cookie `__Host-lang` (formerly `lang`); English unless it says Nepali.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Language {
    #[serde(rename = "en")]
    English,
    #[serde(rename = "ne")]
    Nepali,
}

impl Language {
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Nepali => "ne",
        }
    }

    /// Reads a stored code; an unknown one means English.
    pub fn from_code(code: &str) -> Self {
        if code == "ne" { Self::Nepali } else { Self::English }
    }

    pub fn from_headers(headers: &http::HeaderMap) -> Self {
        Self::from_code(
            cookies::read(headers, "__Host-lang").or_else(|| cookies::read(headers, "lang")).unwrap_or_default(),
        )
    }
}
