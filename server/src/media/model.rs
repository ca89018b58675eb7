//! The types that the files of this module share, and its errors.

use crate::platform::api_error::ApiError;
use crate::platform::messages::message;

/// A picture at one width, encoded as WebP.
pub struct Variant {
    pub width: u32,
    pub webp: Vec<u8>,
}

/// The purpose of a picture determines its widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum PicturePurpose {
    /// An avatar is cropped to a square.
    Avatar,
    Product,
    Category,
    /// A photo of a complaint or a delivery, which is private.
    Complaint,
}

impl PicturePurpose {
    /// The argument that the worker process gets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Avatar => "avatar",
            Self::Product => "product",
            Self::Category => "category",
            Self::Complaint => "complaint",
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    #[error("unsupported image type")]
    Type,
    #[error("file too large")]
    TooLarge,
    /// The picture has too many pixels and may be a decompression bomb. The contract has one message for everything
    /// that is too large.
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
