//! People who asked to hear from the shop. Owns the table `subscribers`.

mod http;
mod store;

pub use http::routes;

use sqlx::PgPool;
use uuid::Uuid;

use crate::platform::api_error::ApiError;
use crate::platform::web::Language;

/// The longest address that mail can carry.
const MAX_EMAIL: usize = 254;

#[derive(Debug, thiserror::Error)]
pub enum NewsletterError {
    #[error("Email already exists or invalid email address")]
    Exists,
    #[error("Email already exists or invalid email address")]
    Invalid,
    #[error("newsletter database")]
    Db(#[from] sqlx::Error),
}

impl From<NewsletterError> for ApiError {
    fn from(error: NewsletterError) -> Self {
        match error {
            NewsletterError::Exists => Self::conflict("subscriber_exists", error),
            NewsletterError::Invalid => Self::invalid("email_invalid", error),
            NewsletterError::Db(cause) => Self::database(&cause),
        }
    }
}

/// Adds a subscriber once; which language the page was in is the language of the letters.
pub async fn subscribe(db: &PgPool, email: &str, language: Language) -> Result<String, NewsletterError> {
    let email = email.trim();
    if !looks_like_email(email) {
        return Err(NewsletterError::Invalid);
    }
    let added = store::insert(db, Uuid::now_v7(), email, language.code()).await?;
    if added { Ok(email.to_owned()) } else { Err(NewsletterError::Exists) }
}

/// What a browser's e-mail field accepts, and a dot in the host; only a letter that arrives proves more.
fn looks_like_email(email: &str) -> bool {
    let Some((name, host)) = email.rsplit_once('@') else { return false };
    let name_ok = !name.is_empty()
        && name.len() <= 64
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte));
    let host_ok = host.contains('.')
        && host.split('.').all(|label| {
            !label.is_empty()
                && label.len() <= 63
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        });
    email.len() <= MAX_EMAIL && name_ok && host_ok
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_from_a_slip() {
        for good in ["asha@example.com", "a.b+c@mail.example.com.np", "o'neil@example.org"] {
            assert!(looks_like_email(good), "{good}");
        }
        for bad in
            ["", "asha", "@example.com", "asha@", "asha@example", "a b@example.com", "asha@-x.com", "asha@x..com"]
        {
            assert!(!looks_like_email(bad), "{bad}");
        }
    }
}
