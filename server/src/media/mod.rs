//! Uploads, stores and serves pictures. Owns the object store (a folder in development, S3 in production) and the URLs
//! under `/media/`.
//!
//! A picture's key is derived from its content and lists its widths (`<hash>-128-256`). The bytes behind a URL
//! therefore never change and may be cached for ever, and a `srcset` needs no lookup.

mod decode;
mod http;
mod model;
mod sandbox;
mod sniff;
mod storage;
mod worker_process;

use std::time::{Duration, Instant};

use bytes::Bytes;

pub use decode::run_picture_worker;
pub use http::routes;
pub use model::{MediaError, PicturePurpose, Variant};
pub use storage::{SweepError, open_store, store_picture, sweep_pictures};
pub use worker_process::{count_active_uploads, log_sandbox};

use crate::platform::form::MAX_FILE;
use crate::platform::state::App;

/// The time limit for storing all widths of a picture.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);
/// Half of the time after which the cleanup deletes an unused picture.
const MAX_UPLOAD_AGE: Duration = Duration::from_hours(12);

/// Resizes and stores an uploaded picture and returns its key. The caller stores the key afterwards, so a row never
/// names a missing picture; a picture without a row is deleted later.
pub async fn accept_upload(app: &App, upload: Bytes, purpose: PicturePurpose) -> Result<String, MediaError> {
    let variants = resize_upload(app, upload, purpose).await?;
    store_in_time(store_picture(&*app.pictures, variants)).await
}

/// Whether this is the key of a public picture that was uploaded within the last hours, so that a row which names it soon
/// is written before the picture counts as unused and old.
pub async fn is_fresh_upload(app: &App, key: &str) -> Result<bool, MediaError> {
    let uploaded_at = store_in_time(storage::find_upload_time(&*app.pictures, key)).await?;
    Ok(uploaded_at.is_some_and(|at| at >= app.clock.now() - MAX_UPLOAD_AGE))
}

/// Like `accept_upload`, for a picture that only some people may see: `/media/` does not serve it, and the caller
/// decides who gets it from `read_private_picture`.
pub async fn accept_private_upload(app: &App, upload: Bytes, purpose: PicturePurpose) -> Result<String, MediaError> {
    let variants = resize_upload(app, upload, purpose).await?;
    store_in_time(storage::store_private_picture(&*app.pictures, variants)).await
}

/// Returns a private picture as WebP; `None` if it is not there.
pub async fn read_private_picture(app: &App, key: &str, is_small: bool) -> Result<Option<Bytes>, MediaError> {
    store_in_time(storage::read_private_picture(&*app.pictures, key, is_small)).await
}

async fn resize_upload(app: &App, upload: Bytes, purpose: PicturePurpose) -> Result<Vec<Variant>, MediaError> {
    if upload.len() > MAX_FILE {
        return Err(MediaError::TooLarge);
    }
    // This refuses other files without starting a process.
    sniff::sniff_format(&upload)?;
    worker_process::resize_picture(&app.config.pictures, upload, purpose).await
}

/// Limits and measures the time that the picture store takes.
async fn store_in_time<T>(work: impl Future<Output = object_store::Result<T>>) -> Result<T, MediaError> {
    let started = Instant::now();
    let stored = tokio::time::timeout(STORE_TIMEOUT, work).await;
    metrics::histogram!("picture_store_duration_seconds").record(started.elapsed());
    let stored = stored
        .unwrap_or_else(|elapsed| Err(object_store::Error::Generic { store: "pictures", source: Box::new(elapsed) }));
    stored.map_err(|error| {
        metrics::counter!("object_store_errors_total").increment(1);
        MediaError::Unavailable(error)
    })
}

/// The URLs of a picture: that of the widest variant, and all of them for `srcset`.
pub struct PictureUrls {
    pub widest: String,
    pub srcset: String,
}

pub fn picture_urls(key: &str) -> Option<PictureUrls> {
    let widths: Vec<u32> = key.split('-').skip(1).map(|width| width.parse().ok()).collect::<Option<_>>()?;
    let widest = widths.iter().max()?;
    let srcset: Vec<String> = widths.iter().map(|width| format!("/media/{key}/{width}.webp {width}w")).collect();
    Some(PictureUrls { widest: format!("/media/{key}/{widest}.webp"), srcset: srcset.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_says_where_every_width_is() {
        let urls = picture_urls("0a1b-128-256").unwrap();

        assert_eq!(urls.widest, "/media/0a1b-128-256/256.webp");
        assert_eq!(urls.srcset, "/media/0a1b-128-256/128.webp 128w, /media/0a1b-128-256/256.webp 256w");
    }
}
