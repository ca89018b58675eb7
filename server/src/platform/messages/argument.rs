//! The arguments of a message.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::platform::money::Paisa;

pub type Arguments = BTreeMap<Cow<'static, str>, Argument>;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Argument {
    Number(i64),
    Text(String),
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Argument {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for Argument {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Argument {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Argument {
    fn from(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<usize> for Argument {
    fn from(number: usize) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<Paisa> for Argument {
    /// In rupees, without '.00'. The text needs `{name, number}`, because the amount may be a decimal number.
    fn from(amount: Paisa) -> Self {
        if amount.0 % 100 == 0 { Self::Number(amount.0 / 100) } else { Self::Text(amount.short()) }
    }
}
