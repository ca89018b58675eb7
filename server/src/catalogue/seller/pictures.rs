//! The further pictures of a product. Each is uploaded on its own, and the form names them in their order.

use bytes::Bytes;

use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::Product;
use crate::media::{self, PicturePurpose};
use crate::platform::messages::message;
use crate::platform::state::App;

/// The most pictures of a product; the main picture counts.
pub const MAX_PICTURES: usize = 8;
const FIELD: &str = "moreImages";

/// Stores a picture for a product form and returns its key. If no product names it within a day, it is deleted.
pub async fn upload_picture(app: &App, file: Option<Bytes>) -> Result<String, CatalogueError> {
    let file = file.ok_or_else(|| CatalogueError::Field("image", message!("api.products.picture_required")))?;
    Ok(media::accept_upload(app, file, PicturePurpose::Product).await?)
}

/// The further pictures that a form names.
pub struct MorePictures {
    keys: Vec<String>,
    /// Those that were uploaded for this form; all others must belong to the product.
    uploaded: Vec<String>,
}

impl MorePictures {
    /// Reads keys that are separated by commas. A picture that the product `known` does not have must have been uploaded
    /// a short time ago, so that the cleanup does not delete it before the product names it.
    pub async fn read(app: &App, text: &str, known: Option<&Product>) -> Result<Self, CatalogueError> {
        let mut pictures = Self { keys: Vec::new(), uploaded: Vec::new() };
        for key in text.split(',').map(str::trim).filter(|key| !key.is_empty()) {
            if pictures.keys.iter().any(|other| other == key) {
                continue;
            }
            if pictures.keys.len() + 1 == MAX_PICTURES {
                let message = message!("api.products.pictures_too_many", most = MAX_PICTURES);
                return Err(CatalogueError::Field(FIELD, message));
            }
            if !known.is_some_and(|product| has_picture(product, key)) {
                if !media::is_fresh_upload(app, key).await? {
                    return Err(CatalogueError::Field(FIELD, message!("api.products.picture_expired")));
                }
                pictures.uploaded.push(key.to_owned());
            }
            pictures.keys.push(key.to_owned());
        }
        Ok(pictures)
    }

    /// Returns the keys for this product, which is locked; `None` if another seller has removed one of them meanwhile.
    pub fn keys_for(&self, product: &Product) -> Option<Vec<String>> {
        let is_there = |key: &String| self.uploaded.contains(key) || has_picture(product, key);
        self.keys.iter().all(is_there).then(|| self.keys.clone())
    }

    /// Returns the keys for a new product.
    pub fn into_keys(self) -> Vec<String> {
        self.keys
    }
}

fn has_picture(product: &Product, key: &str) -> bool {
    product.picture_key.as_deref() == Some(key) || product.more_picture_keys.iter().any(|own| own == key)
}
