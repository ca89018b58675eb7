//! Addresses as they are edited and as they are stored, and the errors of this module.

use uuid::Uuid;

use crate::platform::api_error::ApiError;
use crate::platform::contact::place_key;
use crate::platform::messages::message;

/// The fields that the shopper can edit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressInput {
    /// Name of the address, for example `Home`.
    pub address: String,
    pub phone: String,
    pub street: String,
    pub city: String,
    pub state: String,
    pub country: String,
    pub pincode: String,
    pub district: String,
    pub municipality: String,
    pub ward: String,
    pub landmark: String,
    /// A new address becomes the default unless this is `false`; a changed one becomes it only if this is `true`.
    pub is_default: Option<bool>,
}

#[derive(Debug, Clone)]
pub struct Address {
    pub id: Uuid,
    pub address: String,
    pub phone: String,
    pub street: String,
    pub city: String,
    pub state: String,
    pub country: String,
    pub pincode: String,
    pub district: String,
    pub municipality: String,
    pub ward: String,
    pub landmark: String,
    pub is_default: bool,
    /// The whole address as one line, as the profile and orders show it.
    pub line: String,
}

impl Address {
    /// The fields that the shopper can edit.
    pub fn to_input(&self) -> AddressInput {
        AddressInput {
            address: self.address.clone(),
            phone: self.phone.clone(),
            street: self.street.clone(),
            city: self.city.clone(),
            state: self.state.clone(),
            country: self.country.clone(),
            pincode: self.pincode.clone(),
            district: self.district.clone(),
            municipality: self.municipality.clone(),
            ward: self.ward.clone(),
            landmark: self.landmark.clone(),
            is_default: None,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    #[error("fields missing")]
    FieldsMissing,
    #[error("field too long")]
    FieldTooLong,
    #[error("link in text")]
    LinkInText,
    #[error("phone invalid")]
    PhoneInvalid,
    #[error("too many addresses")]
    TooMany,
    #[error("address not found")]
    NotFound,
    #[error("refused below")]
    Api(ApiError),
    #[error("addresses database")]
    Db(#[from] sqlx::Error),
}

impl From<ApiError> for AddressError {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl From<AddressError> for ApiError {
    fn from(error: AddressError) -> Self {
        match error {
            AddressError::FieldsMissing => Self::invalid("fields_missing", message!("api.fields_missing")),
            AddressError::FieldTooLong => Self::invalid("field_too_long", message!("api.field_too_long")),
            AddressError::LinkInText => Self::invalid("link_in_text", message!("api.link_in_text")),
            AddressError::PhoneInvalid => Self::invalid("phone_invalid", message!("api.phone_invalid")),
            AddressError::TooMany => Self::invalid("too_many_addresses", message!("api.addresses.too_many")),
            AddressError::NotFound => Self::not_found("address_not_found", message!("api.addresses.not_found")),
            AddressError::Api(refusal) => refusal,
            AddressError::Db(cause) => Self::database(&cause),
        }
    }
}

/// Formats the address as one line, without empty or repeated parts: `Baneshwor-10, near the temple, Kathmandu, Bagmati
/// 44600, Nepal`.
pub fn format_line(input: &AddressInput) -> String {
    let ward = if input.ward.is_empty() { String::new() } else { format!("Ward {}", input.ward) };
    let state = format!("{} {}", input.state, input.pincode);
    let mut parts: Vec<&str> = Vec::new();
    for part in [
        &input.street,
        &ward,
        &input.landmark,
        &input.municipality,
        &input.city,
        &input.district,
        state.trim(),
        &input.country,
    ] {
        if !part.is_empty() && !parts.iter().any(|there| place_key(there) == place_key(part)) {
            parts.push(part);
        }
    }
    parts.join(", ")
}
