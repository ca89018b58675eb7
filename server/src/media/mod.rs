//! Pictures: how they are taken in, where they are kept and how they are served. Owns the object store (a folder in
//! development, S3 in production) and the addresses below `/media/`.
//!
//! A picture's key is made from its content and names its widths (`<hash>-128-256`), so an address never changes
//! its bytes and may be kept for ever, and a `srcset` needs no look-up.

mod decode;
mod http;
mod sandbox;
mod sniff;
mod storage;
mod worker_process;

use std::time::{Duration, Instant};

use bytes::Bytes;

pub use decode::run_picture_worker;
pub use http::routes;
pub use storage::{SweepError, open_store, store_picture, sweep_pictures};
pub use worker_process::{count_active_uploads, log_sandbox};

use crate::platform::api_error::ApiError;
use crate::platform::form::MAX_FILE;
use crate::platform::messages::message;
use crate::platform::state::App;

/// For keeping all widths of a picture together.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);

/// A picture at one width, already WebP.
pub struct Variant {
    pub width: u32,
    pub webp: Vec<u8>,
}

/// What a picture is for decides its widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum PicturePurpose {
    /// Cut to a square.
    Avatar,
    Product,
    Category,
}

impl PicturePurpose {
    /// As the worker process is told.
    const fn name(self) -> &'static str {
        match self {
            Self::Avatar => "avatar",
            Self::Product => "product",
            Self::Category => "category",
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    #[error("unsupported image type")]
    Type,
    #[error("file too large")]
    TooLarge,
    /// A photo of 40 megapixels, or a bomb; the contract has this sentence for what is too much.
    #[error("too many pixels")]
    TooManyPixels,
    #[error("too many uploads at once")]
    Busy,
    #[error("the image store is unavailable")]
    Unavailable(#[source] object_store::Error),
    #[error("the picture worker: {0}")]
    Worker(String),
}

impl From<MediaError> for ApiError {
    fn from(error: MediaError) -> Self {
        match &error {
            MediaError::Type => Self::invalid("image_type", message!("api.media.type_invalid")),
            MediaError::TooLarge => Self::payload_too_large("image_size", message!("api.media.too_large")),
            MediaError::TooManyPixels => Self::invalid("image_pixels", message!("api.media.too_large")),
            MediaError::Busy => Self::unavailable("busy", message!("api.media.busy")),
            MediaError::Unavailable(_) => {
                Self::unavailable("pictures_unavailable", message!("api.media.unavailable")).with_cause(&error)
            }
            MediaError::Worker(_) => Self::internal(&error),
        }
    }
}

/// Takes a picture that somebody sent, keeps it in our own widths and returns its key. The key goes into a row after
/// that, so a row never names a picture that is not there; a picture without a row is swept away.
pub async fn accept_upload(app: &App, upload: Bytes, purpose: PicturePurpose) -> Result<String, MediaError> {
    if upload.len() > MAX_FILE {
        return Err(MediaError::TooLarge);
    }
    // What can be refused by looking costs no process.
    sniff::sniff_format(&upload)?;
    let variants = worker_process::resize_picture(app.config.pictures.worker.as_deref(), upload, purpose).await?;
    let started = Instant::now();
    let stored = tokio::time::timeout(STORE_TIMEOUT, store_picture(&*app.pictures, variants)).await;
    metrics::histogram!("picture_store_duration_seconds").record(started.elapsed());
    let stored = stored
        .unwrap_or_else(|elapsed| Err(object_store::Error::Generic { store: "pictures", source: Box::new(elapsed) }));
    stored.map_err(|error| {
        metrics::counter!("object_store_errors_total").increment(1);
        MediaError::Unavailable(error)
    })
}

/// The addresses of a picture: the widest one, and all of them for `srcset`.
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
