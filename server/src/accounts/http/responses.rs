//! The response bodies that several endpoints, or the data export, share.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::accounts::model::{LinkedIdentity, UserRow};
use crate::media;
use crate::platform::ids::UserId;

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the account")]
pub struct UserResponse {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: UserId,
    name: String,
    email: String,
    /// URL of the photo, or `null`.
    #[schema(required)]
    image: Option<String>,
    /// `srcset` of the photo, or `null`.
    #[schema(required)]
    image_set: Option<String>,
    phone: String,
    /// Whether the phone number was confirmed by a code.
    phone_verified: bool,
    address: String,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    email_confirmed: bool,
    /// New email address that has not been confirmed yet.
    pending_email: Option<String>,
    has_password: bool,
    /// Whether the account is linked to an identity at the provider.
    google: bool,
}

impl From<UserRow> for UserResponse {
    fn from(row: UserRow) -> Self {
        let picture = row.picture.as_deref().and_then(media::picture_urls);
        let (image, image_set) = picture.map(|picture| (picture.widest, picture.srcset)).unzip();
        Self {
            id: row.id,
            name: row.name,
            email: row.email,
            image,
            image_set,
            phone: row.phone,
            phone_verified: row.phone_verified,
            address: row.address,
            created_at: row.created_at,
            updated_at: row.updated_at,
            email_confirmed: row.email_confirmed,
            pending_email: row.pending_email,
            has_password: row.has_password,
            google: row.google,
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LinkedIdentity)]
pub struct LinkedIdentityResponse {
    id: Uuid,
    /// The email address at the provider when the identity was linked; empty if it was not stored.
    email: String,
    linked_at: DateTime<Utc>,
}

impl From<LinkedIdentity> for LinkedIdentityResponse {
    fn from(row: LinkedIdentity) -> Self {
        Self { id: row.id, email: row.email, linked_at: row.linked_at }
    }
}
