//! The errors of this module.

use serde_json::json;

use crate::platform::api_error::ApiError;
use crate::platform::messages::{Message, message};

#[derive(Debug, thiserror::Error)]
pub enum SeasonError {
    #[error("field {0} invalid")]
    Field(&'static str, Message),
    #[error("too many seasons")]
    TooMany,
    #[error("season not found")]
    NotFound,
    #[error("changed by somebody else")]
    Changed,
    #[error("seasons database")]
    Db(#[from] sqlx::Error),
}

impl From<SeasonError> for ApiError {
    fn from(error: SeasonError) -> Self {
        match error {
            SeasonError::Field(field, message) => {
                Self::invalid("field_invalid", message).with_data(json!({ "field": field }))
            }
            SeasonError::TooMany => Self::conflict("too_many_seasons", message!("api.seasons.too_many")),
            SeasonError::NotFound => Self::not_found("season_not_found", message!("api.seasons.not_found")),
            SeasonError::Changed => Self::conflict("season_changed", message!("api.seasons.changed")),
            SeasonError::Db(cause) => Self::database(&cause),
        }
    }
}
