//! The errors of this module.

use chrono::{DateTime, Utc};
use serde_json::json;

use crate::platform::api_error::ApiError;
use crate::platform::messages::{Message, message};
use crate::platform::money::Paisa;

#[derive(Debug, thiserror::Error)]
pub enum CouponError {
    #[error("unknown code")]
    Unknown,
    #[error("not begun")]
    NotBegun(DateTime<Utc>),
    #[error("ended")]
    Ended,
    #[error("below the minimum")]
    BelowMinimum { minimum: Paisa, missing: Paisa },
    #[error("used already")]
    UsedAlready,
    /// A seller has turned it off, or it is used up.
    #[error("no longer available")]
    Unavailable,
    #[error("field {0} invalid")]
    Field(&'static str, Message),
    #[error("code taken")]
    CodeTaken,
    #[error("coupon not found")]
    NotFound,
    #[error("changed by somebody else")]
    Changed,
    #[error("refused below")]
    Refused(ApiError),
    #[error("coupons database")]
    Db(#[from] sqlx::Error),
}

impl CouponError {
    pub const fn invalid_amount() -> Self {
        Self::Field("amount", message!("api.coupons.amount_invalid"))
    }
}

impl From<ApiError> for CouponError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<CouponError> for ApiError {
    fn from(error: CouponError) -> Self {
        match error {
            CouponError::Unknown => Self::conflict("coupon_unknown", message!("api.coupons.unknown")),
            CouponError::NotBegun(starts_at) => Self::conflict("coupon_not_begun", message!("api.coupons.not_begun"))
                .with_data(json!({ "startsAt": starts_at })),
            CouponError::Ended => Self::conflict("coupon_ended", message!("api.coupons.ended")),
            CouponError::BelowMinimum { minimum, missing } => {
                let message = message!("api.coupons.below_minimum", minimum = minimum, missing = missing);
                Self::conflict("coupon_minimum", message).with_data(json!({ "minimum": minimum, "missing": missing }))
            }
            CouponError::UsedAlready => Self::conflict("coupon_used", message!("api.coupons.used_already")),
            CouponError::Unavailable => Self::conflict("coupon_unavailable", message!("api.coupons.unavailable")),
            CouponError::Field(field, message) => {
                Self::invalid("field_invalid", message).with_data(json!({ "field": field }))
            }
            CouponError::CodeTaken => {
                Self::conflict("code_taken", message!("api.coupons.code_taken")).with_data(json!({ "field": "code" }))
            }
            CouponError::NotFound => Self::not_found("coupon_not_found", message!("api.coupons.not_found")),
            CouponError::Changed => Self::conflict("coupon_changed", message!("api.coupons.changed")),
            CouponError::Refused(refusal) => refusal,
            CouponError::Db(cause) => Self::database(&cause),
        }
    }
}
