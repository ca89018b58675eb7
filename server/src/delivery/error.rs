//! The errors of this module.

use std::sync::Arc;

use serde_json::{Value, json};

use super::http::responses::{DeliveryOptionsResponse, ZoneResponse};
use super::model::Zone;
use super::offer::DeliveryOptions;
use crate::addresses::AddressError;
use crate::platform::api_error::ApiError;
use crate::platform::db;
use crate::platform::messages::{Message, message};
use crate::platform::money::Paisa;

#[derive(Debug, Clone, thiserror::Error)]
pub enum DeliveryError {
    /// `places` names the zones in the reader's language.
    #[error("outside all zones")]
    Outside { places: String, options: Box<DeliveryOptions> },
    #[error("address incomplete")]
    AddressIncomplete(Box<DeliveryOptions>),
    #[error("below the minimum order")]
    BelowMinimum { minimum: Paisa, missing: Paisa, options: Box<DeliveryOptions> },
    #[error("no free place")]
    Full(Box<DeliveryOptions>),
    #[error("window closed")]
    Closed(Box<DeliveryOptions>),
    #[error("field {0} invalid")]
    Field(String, Message),
    #[error("area taken")]
    AreaTaken { place: String, ward: i16, zone: String },
    #[error("zone not found")]
    ZoneNotFound,
    #[error("zone changed")]
    ZoneChanged(Box<Zone>),
    #[error("already closed")]
    AlreadyClosed,
    #[error("closed day not found")]
    ClosedDayNotFound,
    #[error("refused below")]
    Refused(ApiError),
    #[error("delivery database")]
    Db(Arc<sqlx::Error>),
}

impl DeliveryError {
    /// Returns whether the error was caused by lock contention, so that a retry may succeed.
    pub fn is_contention(&self) -> bool {
        matches!(self, Self::Db(error) if db::is_contention(error))
    }
}

impl From<sqlx::Error> for DeliveryError {
    fn from(error: sqlx::Error) -> Self {
        Self::Db(Arc::new(error))
    }
}

impl From<ApiError> for DeliveryError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<AddressError> for DeliveryError {
    fn from(error: AddressError) -> Self {
        Self::Refused(error.into())
    }
}

/// The current options, so that the page can offer the next ones.
fn current(options: DeliveryOptions) -> Value {
    json!({ "delivery": DeliveryOptionsResponse::from(options) })
}

impl From<DeliveryError> for ApiError {
    fn from(error: DeliveryError) -> Self {
        match error {
            DeliveryError::Outside { places, options } => {
                Self::conflict("outside_zones", message!("api.delivery.outside", places = places))
                    .with_data(current(*options))
            }
            DeliveryError::AddressIncomplete(options) => {
                Self::invalid("address_incomplete", message!("api.delivery.address_incomplete"))
                    .with_data(current(*options))
            }
            DeliveryError::BelowMinimum { minimum, missing, options } => {
                let message = message!("api.delivery.below_minimum", minimum = minimum, missing = missing);
                Self::conflict("below_minimum", message).with_data(current(*options))
            }
            DeliveryError::Full(options) => {
                Self::conflict("delivery_full", message!("api.delivery.full")).with_data(current(*options))
            }
            DeliveryError::Closed(options) => {
                Self::conflict("delivery_closed", message!("api.delivery.closed")).with_data(current(*options))
            }
            DeliveryError::Field(field, message) => {
                Self::invalid("field_invalid", message).with_data(json!({ "field": field }))
            }
            DeliveryError::AreaTaken { place, ward, zone } => {
                let message = message!("api.delivery.area_taken", place = place, ward = i32::from(ward), zone = zone);
                Self::conflict("area_taken", message).with_data(json!({ "field": "areas" }))
            }
            DeliveryError::ZoneNotFound => Self::not_found("zone_not_found", message!("api.delivery.zone_not_found")),
            DeliveryError::ZoneChanged(zone) => {
                let current = json!(ZoneResponse::from(*zone));
                Self::conflict("zone_changed", message!("api.delivery.zone_changed")).with_data(current)
            }
            DeliveryError::AlreadyClosed => Self::conflict("already_closed", message!("api.delivery.already_closed")),
            DeliveryError::ClosedDayNotFound => {
                Self::not_found("closed_day_not_found", message!("api.delivery.closed_day_not_found"))
            }
            DeliveryError::Refused(refusal) => refusal,
            DeliveryError::Db(cause) => Self::database(&cause),
        }
    }
}
