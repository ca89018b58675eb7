//! Subscribers and newsletters as they are stored, and the errors of this module.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::platform::api_error::ApiError;
use crate::platform::clock;
use crate::platform::messages::message;

pub struct Subscriber {
    pub id: Uuid,
    pub email: String,
    pub language: String,
    pub created_at: DateTime<Utc>,
    pub confirmed_at: Option<DateTime<Utc>>,
}

/// A newsletter with its progress.
pub struct Newsletter {
    pub id: Uuid,
    /// `draft`, `sending`, `paused`, `sent` or `cancelled`.
    pub state: String,
    pub subject: String,
    pub subject_ne: String,
    pub body: String,
    pub body_ne: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    pub queued: i64,
    pub sent: i64,
    pub failed: i64,
    pub unsubscribed: i64,
}

/// What counts for the promise on the form, 'at most once a week'.
pub struct Promise {
    pub is_another_open: bool,
    pub last_sent_at: Option<DateTime<Utc>>,
}

pub const MAX_SUBJECT_LENGTH: usize = 150;
/// Two Nepali texts of this length fit into one request.
pub const MAX_BODY_LENGTH: usize = 9_000;

#[derive(Debug, thiserror::Error)]
pub enum NewsletterError {
    #[error("already subscribed")]
    Exists,
    #[error("invalid email address")]
    Invalid,
    #[error("bad cursor")]
    BadCursor,
    #[error("link invalid")]
    LinkInvalid,
    #[error("newsletter not found")]
    NotFound,
    #[error("text missing")]
    TextMissing,
    #[error("subject too long")]
    SubjectTooLong,
    #[error("body too long")]
    BodyTooLong,
    #[error("the newsletter is in another state")]
    WrongState,
    #[error("no subscribers")]
    NoSubscribers,
    #[error("another newsletter is not finished")]
    AnotherOpen,
    #[error("too soon")]
    TooSoon(DateTime<Utc>),
    #[error("refused below")]
    Refused(ApiError),
    #[error("newsletter database")]
    Db(#[from] sqlx::Error),
}

impl From<ApiError> for NewsletterError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<NewsletterError> for ApiError {
    fn from(error: NewsletterError) -> Self {
        match error {
            NewsletterError::Exists => Self::conflict("subscriber_exists", message!("api.newsletter.refused")),
            NewsletterError::Invalid => Self::invalid("email_invalid", message!("api.newsletter.refused")),
            NewsletterError::BadCursor => Self::invalid("cursor_invalid", message!("api.cursor_invalid")),
            NewsletterError::LinkInvalid => Self::not_found("link_invalid", message!("api.newsletter.link_invalid")),
            NewsletterError::NotFound => Self::not_found("newsletter_not_found", message!("api.newsletter.not_found")),
            NewsletterError::TextMissing => {
                Self::invalid("newsletter_text_missing", message!("api.newsletter.text_missing"))
            }
            NewsletterError::SubjectTooLong => Self::invalid(
                "newsletter_subject_too_long",
                message!("api.text_too_long", longest = MAX_SUBJECT_LENGTH),
            ),
            NewsletterError::BodyTooLong => {
                Self::invalid("newsletter_body_too_long", message!("api.text_too_long", longest = MAX_BODY_LENGTH))
            }
            NewsletterError::WrongState => Self::conflict("newsletter_state", message!("api.newsletter.wrong_state")),
            NewsletterError::NoSubscribers => {
                Self::conflict("no_subscribers", message!("api.newsletter.no_subscribers"))
            }
            NewsletterError::AnotherOpen => Self::conflict("newsletter_open", message!("api.newsletter.another_open")),
            NewsletterError::TooSoon(next) => {
                let at = clock::to_nepal_time(next).format("%Y-%m-%d %H:%M").to_string();
                Self::conflict("newsletter_too_soon", message!("api.newsletter.too_soon", at = at))
            }
            NewsletterError::Refused(refusal) => refusal,
            NewsletterError::Db(cause) => Self::database(&cause),
        }
    }
}
