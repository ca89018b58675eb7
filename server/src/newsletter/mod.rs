//! Newsletter subscriptions, and their list for the seller. Owns the table `subscribers`, which is independent of
//! shoppers' accounts.

mod http;
mod model;
mod store;
mod subscribers;

pub use http::routes;

use sqlx::PgPool;
use uuid::Uuid;

use crate::platform::api_error::ApiError;
use crate::platform::contact;
use crate::platform::language::Language;
use crate::platform::messages::message;

#[derive(Debug, thiserror::Error)]
pub enum NewsletterError {
    #[error("already subscribed")]
    Exists,
    #[error("invalid email address")]
    Invalid,
    #[error("bad cursor")]
    BadCursor,
    #[error("newsletter database")]
    Db(#[from] sqlx::Error),
}

impl From<NewsletterError> for ApiError {
    fn from(error: NewsletterError) -> Self {
        match error {
            NewsletterError::Exists => Self::conflict("subscriber_exists", message!("api.newsletter.refused")),
            NewsletterError::Invalid => Self::invalid("email_invalid", message!("api.newsletter.refused")),
            NewsletterError::BadCursor => Self::invalid("cursor_invalid", message!("api.cursor_invalid")),
            NewsletterError::Db(cause) => Self::database(&cause),
        }
    }
}

/// Adds a subscriber and stores the language of the page for later emails.
pub async fn subscribe(db: &PgPool, email: &str, language: Language) -> Result<String, NewsletterError> {
    let email = contact::parse_email(email).ok_or(NewsletterError::Invalid)?;
    let added = store::insert(db, Uuid::now_v7(), &email, language.code()).await?;
    if added { Ok(email) } else { Err(NewsletterError::Exists) }
}
