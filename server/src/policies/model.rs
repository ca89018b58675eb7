//! The policy pages, their versions as they are stored, and the errors of this module.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::platform::api_error::ApiError;
use crate::platform::messages::message;
use crate::shop::ShopError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyKind {
    Privacy,
    Terms,
    Returns,
    Delivery,
    /// The text below the fixed part of the about page.
    About,
}

impl PolicyKind {
    pub const ALL: [Self; 5] = [Self::Privacy, Self::Terms, Self::Returns, Self::Delivery, Self::About];
    /// Those that a shopper agrees to by creating an account.
    pub const AGREED_TO: [Self; 2] = [Self::Privacy, Self::Terms];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Privacy => "privacy",
            Self::Terms => "terms",
            Self::Returns => "returns",
            Self::Delivery => "delivery",
            Self::About => "about",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A saved version. Without texts it is a reset to the template.
pub struct VersionRow {
    pub version: i32,
    pub text: Option<String>,
    pub text_ne: Option<String>,
    pub seller: Uuid,
    pub created_at: DateTime<Utc>,
}

/// A page with its current texts in Markdown.
pub struct PolicyPage {
    pub kind: PolicyKind,
    /// Zero until the page is edited for the first time.
    pub version: i32,
    pub updated_at: Option<DateTime<Utc>>,
    pub is_template: bool,
    pub text: String,
    pub text_ne: String,
}

pub struct Consent {
    pub page: String,
    pub version: i32,
    pub agreed_at: DateTime<Utc>,
}

#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    #[error("policy not found")]
    NotFound,
    #[error("text missing")]
    TextMissing,
    #[error("text too long")]
    TextTooLong,
    #[error("policy changed")]
    Changed,
    #[error("shop settings")]
    Shop(#[from] ShopError),
    #[error("policies database")]
    Db(#[from] sqlx::Error),
}

/// Longer than any policy needs, and two Nepali texts of this length fit into one request.
pub const MAX_TEXT_LENGTH: usize = 10_000;

impl From<PolicyError> for ApiError {
    fn from(error: PolicyError) -> Self {
        match error {
            PolicyError::NotFound => Self::not_found("policy_not_found", message!("api.policies.not_found")),
            PolicyError::TextMissing => Self::invalid("policy_text_missing", message!("api.policies.text_missing")),
            PolicyError::TextTooLong => {
                Self::invalid("policy_text_too_long", message!("api.text_too_long", longest = MAX_TEXT_LENGTH))
            }
            PolicyError::Changed => Self::conflict("policy_changed", message!("api.policies.changed")),
            PolicyError::Shop(cause) => cause.into(),
            PolicyError::Db(cause) => Self::database(&cause),
        }
    }
}
