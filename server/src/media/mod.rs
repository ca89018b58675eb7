//! Pictures: where they are kept and how they are served. Owns the object store (a folder in development, S3 in
//! production) and the addresses below `/media/`.
//!
//! A picture's key is made from its content and names its widths (`<hash>-128-256`), so an address never changes
//! its bytes and may be kept for ever, and a `srcset` needs no look-up.

mod http;

use std::sync::Arc;

use anyhow::Context;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};

pub use http::routes;

use crate::platform::answers::short_hash;
use crate::platform::config::PictureStore;

/// The store that the settings name.
pub fn open(store: &PictureStore) -> anyhow::Result<Arc<dyn ObjectStore>> {
    Ok(match store {
        PictureStore::Folder(folder) => {
            std::fs::create_dir_all(folder).context("MEDIA_DIR")?;
            Arc::new(LocalFileSystem::new_with_prefix(folder).context("MEDIA_DIR")?)
        }
        PictureStore::S3 { bucket, region, endpoint, access_key, secret_key } => {
            let mut builder = AmazonS3Builder::new()
                .with_bucket_name(bucket)
                .with_region(region)
                .with_access_key_id(access_key)
                .with_secret_access_key(secret_key.reveal());
            if let Some(endpoint) = endpoint {
                builder = builder.with_endpoint(endpoint).with_allow_http(endpoint.starts_with("http:"));
            }
            Arc::new(builder.build().context("S3_BUCKET")?)
        }
    })
}

/// A picture at one width, already WebP.
pub struct Variant {
    pub width: u32,
    pub webp: Vec<u8>,
}

/// Keeps a picture in its widths (smallest first) and returns its key. Keeping it twice is harmless.
pub async fn keep(store: &dyn ObjectStore, variants: Vec<Variant>) -> object_store::Result<String> {
    let largest = variants.last().map(|variant| variant.webp.as_slice()).unwrap_or_default();
    let mut key = short_hash(largest);
    for variant in &variants {
        key.push('-');
        key.push_str(&variant.width.to_string());
    }
    for variant in variants {
        let path = Path::from(format!("{key}/{}.webp", variant.width));
        store.put(&path, PutPayload::from(variant.webp)).await?;
    }
    Ok(key)
}

/// The addresses of a picture: the widest one, and all of them for `srcset`.
pub struct Addresses {
    pub widest: String,
    pub set: String,
}

pub fn addresses(key: &str) -> Option<Addresses> {
    let widths: Vec<u32> = key.split('-').skip(1).map(|width| width.parse().ok()).collect::<Option<_>>()?;
    let widest = widths.iter().max()?;
    let set: Vec<String> = widths.iter().map(|width| format!("/media/{key}/{width}.webp {width}w")).collect();
    Some(Addresses { widest: format!("/media/{key}/{widest}.webp"), set: set.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_says_where_every_width_is() {
        let addresses = addresses("0a1b-128-256").unwrap();

        assert_eq!(addresses.widest, "/media/0a1b-128-256/256.webp");
        assert_eq!(addresses.set, "/media/0a1b-128-256/128.webp 128w, /media/0a1b-128-256/256.webp 256w");
    }

    #[tokio::test]
    async fn a_kept_picture_can_be_read_back() {
        let store = object_store::memory::InMemory::new();
        let variants = vec![Variant { width: 128, webp: vec![1] }, Variant { width: 256, webp: vec![2] }];

        let key = keep(&store, variants).await.unwrap();

        let read = store.get(&Path::from(format!("{key}/128.webp"))).await.unwrap().bytes().await.unwrap();
        assert_eq!(read.as_ref(), [1]);
    }
}
