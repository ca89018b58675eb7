//! The photos of complaints. They are decoded like all uploads, but stored under keys that `/media/` does not serve:
//! only the shopper and the staff get them, through endpoints that check who asks.

use bytes::Bytes;
use uuid::Uuid;

use super::model::{ComplaintError, MAX_PHOTOS};
use super::store;
use crate::media::{self, PicturePurpose};
use crate::platform::ids::UserId;
use crate::platform::state::App;

/// Returns the keys of the stored photos.
pub async fn store_photos(app: &App, photos: Vec<Bytes>) -> Result<Vec<String>, ComplaintError> {
    let mut keys = Vec::new();
    for photo in photos.into_iter().take(MAX_PHOTOS) {
        keys.push(media::accept_private_upload(app, photo, PicturePurpose::Complaint).await?);
    }
    Ok(keys)
}

/// Reads a photo for its owner, or for the staff if there is no `owner`.
pub async fn read_photo(
    app: &App,
    owner: Option<UserId>,
    photo: Uuid,
    is_small: bool,
) -> Result<Bytes, ComplaintError> {
    let key = store::find_photo(&app.db.main, photo, owner).await?.ok_or(ComplaintError::PhotoNotFound)?;
    media::read_private_picture(app, &key, is_small).await?.ok_or(ComplaintError::PhotoNotFound)
}
