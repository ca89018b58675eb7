//! Complaints as they are stored, and the errors of this module.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::media::MediaError;
use crate::platform::api_error::ApiError;
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::messages::message;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Damaged,
    Missing,
    Wrong,
    Late,
    Quality,
    Other,
}

impl Reason {
    const ALL: [Self; 6] = [Self::Damaged, Self::Missing, Self::Wrong, Self::Late, Self::Quality, Self::Other];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::Missing => "missing",
            Self::Wrong => "wrong",
            Self::Late => "late",
            Self::Quality => "quality",
            Self::Other => "other",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// Whether the complaint is about products, and not about the order as a whole.
    pub const fn is_about_products(self) -> bool {
        !matches!(self, Self::Late | Self::Other)
    }
}

/// What the shopper asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestedRemedy {
    Refund,
    Replacement,
    Answer,
}

impl RequestedRemedy {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Refund => "refund",
            Self::Replacement => "replacement",
            Self::Answer => "answer",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Refund, Self::Replacement, Self::Answer].into_iter().find(|remedy| remedy.name() == name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Accepted,
    Partly,
    Refused,
}

impl Outcome {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Partly => "partly",
            Self::Refused => "refused",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Accepted, Self::Partly, Self::Refused].into_iter().find(|outcome| outcome.name() == name)
    }
}

pub struct ComplaintRow {
    pub id: Uuid,
    pub code: String,
    pub order_id: OrderId,
    pub user_id: UserId,
    pub reason: String,
    pub remedy: String,
    pub text: String,
    /// `open`, or the name of the outcome.
    pub state: String,
    pub outcome_text: String,
    pub created_at: DateTime<Utc>,
    pub due_at: DateTime<Utc>,
    pub decided_at: Option<DateTime<Utc>>,
}

pub struct ComplaintItem {
    pub complaint_id: Uuid,
    pub product_id: ProductId,
    pub name: String,
    pub name_ne: Option<String>,
    pub quantity: i32,
}

pub struct ComplaintPhoto {
    pub id: Uuid,
    pub complaint_id: Uuid,
}

pub struct ComplaintMessage {
    pub id: Uuid,
    pub complaint_id: Uuid,
    /// `None` if the shopper wrote it.
    pub seller: Option<Uuid>,
    pub text: String,
    pub created_at: DateTime<Utc>,
}

/// A complaint with everything that belongs to it.
pub struct Complaint {
    pub row: ComplaintRow,
    pub items: Vec<ComplaintItem>,
    pub photos: Vec<ComplaintPhoto>,
    pub messages: Vec<ComplaintMessage>,
    pub order: ComplaintOrder,
}

/// What a complaint shows of its order. The customer's details are empty once the account is deleted.
#[derive(Clone, Default)]
pub struct ComplaintOrder {
    pub code: String,
    pub status: String,
    pub customer: String,
    pub phone: String,
}

pub const MAX_TEXT_LENGTH: usize = 2_000;
pub const MAX_PHOTOS: usize = 4;

#[derive(Debug, thiserror::Error)]
pub enum ComplaintError {
    #[error("order not found")]
    OrderNotFound,
    #[error("order cancelled")]
    OrderCancelled,
    #[error("too many complaints about one order")]
    TooMany,
    #[error("invalid choice")]
    InvalidChoice,
    #[error("items missing")]
    ItemsMissing,
    #[error("items do not fit the order")]
    ItemsInvalid,
    #[error("text missing")]
    TextMissing,
    #[error("text too long")]
    TextTooLong,
    #[error("complaint not found")]
    NotFound,
    #[error("already decided")]
    AlreadyDecided,
    #[error("photo not found")]
    PhotoNotFound,
    #[error("bad cursor")]
    BadCursor,
    #[error("refused below")]
    Refused(ApiError),
    #[error("complaints database")]
    Db(#[from] sqlx::Error),
}

impl From<ApiError> for ComplaintError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<MediaError> for ComplaintError {
    fn from(error: MediaError) -> Self {
        Self::Refused(error.into())
    }
}

impl From<ComplaintError> for ApiError {
    fn from(error: ComplaintError) -> Self {
        match error {
            ComplaintError::OrderNotFound => Self::not_found("order_not_found", message!("api.orders.not_found")),
            ComplaintError::OrderCancelled => {
                Self::conflict("order_cancelled", message!("api.complaints.order_cancelled"))
            }
            ComplaintError::TooMany => Self::conflict("too_many_complaints", message!("api.complaints.too_many")),
            ComplaintError::InvalidChoice => Self::invalid("complaint_invalid", message!("api.complaints.invalid")),
            ComplaintError::ItemsMissing => {
                Self::invalid("complaint_items_missing", message!("api.complaints.items_missing"))
            }
            ComplaintError::ItemsInvalid => {
                Self::invalid("complaint_items_invalid", message!("api.complaints.items_invalid"))
            }
            ComplaintError::TextMissing => {
                Self::invalid("complaint_text_missing", message!("api.complaints.text_missing"))
            }
            ComplaintError::TextTooLong => {
                Self::invalid("complaint_text_too_long", message!("api.text_too_long", longest = MAX_TEXT_LENGTH))
            }
            ComplaintError::NotFound => Self::not_found("complaint_not_found", message!("api.complaints.not_found")),
            ComplaintError::AlreadyDecided => {
                Self::conflict("complaint_decided", message!("api.complaints.already_decided"))
            }
            ComplaintError::PhotoNotFound => Self::not_found("picture_not_found", message!("api.media.not_found")),
            ComplaintError::BadCursor => Self::invalid("cursor_invalid", message!("api.cursor_invalid")),
            ComplaintError::Refused(refusal) => refusal,
            ComplaintError::Db(cause) => Self::database(&cause),
        }
    }
}

/// Trims a text that a person wrote and checks its length.
pub fn check_text(text: &str) -> Result<&str, ComplaintError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ComplaintError::TextMissing);
    }
    if text.chars().count() > MAX_TEXT_LENGTH { Err(ComplaintError::TextTooLong) } else { Ok(text) }
}
