//! Photos that prove a delivery. The phone names a photo, so that a repeated upload stores it once.

use bytes::Bytes;
use uuid::Uuid;

use super::model::RiderError;
use super::store;
use crate::media::{self, PicturePurpose};
use crate::orders;
use crate::platform::ids::OrderId;
use crate::platform::state::App;

pub async fn store_photo(app: &App, rider: Uuid, id: Uuid, order: OrderId, photo: Bytes) -> Result<(), RiderError> {
    let mut connection = app.db.main.acquire().await?;
    if store::has_photo(&mut connection, id, rider, order).await? {
        return Ok(());
    }
    if orders::find_rider(&mut connection, order).await? != Some(rider) {
        return Err(RiderError::OrderNotFound);
    }
    drop(connection);
    let picture = media::accept_private_upload(app, photo, PicturePurpose::Complaint).await?;
    let mut connection = app.db.main.acquire().await?;
    Ok(store::insert_photo(&mut connection, id, rider, order, &picture, app.clock.now()).await?)
}

/// Reads a photo for the staff.
pub async fn read_photo(app: &App, photo: Uuid) -> Result<Bytes, RiderError> {
    let mut connection = app.db.main.acquire().await?;
    let key = store::find_photo(&mut connection, photo).await?.ok_or(RiderError::PhotoNotFound)?;
    drop(connection);
    media::read_private_picture(app, &key, false).await?.ok_or(RiderError::PhotoNotFound)
}
