//! Opens the picture store, puts pictures into it and deletes those that are not used.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{Attribute, Attributes, BackoffConfig, ClientOptions, ObjectStore, ObjectStoreExt};
use object_store::{PutOptions, PutPayload, RetryConfig};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Variant;
use crate::platform::config::PictureStore;
use crate::platform::hex;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// The limit for one request, and for all its retries together.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_RETRIES: usize = 2;
/// How much of a picture's SHA-256 is in its key: with 128 bits it is not feasible to make a second picture with the
/// same key.
const KEY_BYTES: usize = 16;
/// The number of keys in one query, each of which scans the products.
const BATCH_SIZE: usize = 10_000;

pub const CONTENT_TYPE: &str = "image/webp";
pub const CACHE_CONTROL: &str = "public, max-age=31536000, immutable";
const PRIVATE_CACHE_CONTROL: &str = "private, no-store";
/// The keys of private pictures begin with this, which is not hexadecimal.
const PRIVATE_PREFIX: &str = "private-";

/// Opens the store that the settings name.
pub fn open_store(store: &PictureStore) -> anyhow::Result<Arc<dyn ObjectStore>> {
    Ok(match store {
        PictureStore::Folder(folder) => {
            std::fs::create_dir_all(folder).context("MEDIA_DIR")?;
            Arc::new(LocalFileSystem::new_with_prefix(folder).context("MEDIA_DIR")?)
        }
        PictureStore::S3 { bucket, region, endpoint, access_key, secret_key } => {
            let http = endpoint.as_ref().is_some_and(|endpoint| endpoint.starts_with("http:"));
            let client = ClientOptions::new()
                .with_connect_timeout(CONNECT_TIMEOUT)
                .with_timeout(REQUEST_TIMEOUT)
                .with_allow_http(http);
            let retry = RetryConfig {
                backoff: BackoffConfig::default(),
                max_retries: MAX_RETRIES,
                retry_timeout: REQUEST_TIMEOUT,
            };
            let mut builder = AmazonS3Builder::new()
                .with_bucket_name(bucket)
                .with_region(region)
                .with_access_key_id(access_key)
                .with_secret_access_key(secret_key.reveal())
                .with_client_options(client)
                .with_retry(retry);
            if let Some(endpoint) = endpoint {
                builder = builder.with_endpoint(endpoint);
            }
            Arc::new(builder.build().context("S3_BUCKET")?)
        }
    })
}

/// Stores the variants (smallest first) and returns the picture's key. Storing a picture again is harmless and resets
/// its age for `sweep_pictures`.
pub async fn store_picture(store: &dyn ObjectStore, variants: Vec<Variant>) -> object_store::Result<String> {
    let largest = variants.last().map(|variant| variant.webp.as_slice()).unwrap_or_default();
    let mut key = hex::encode(Sha256::digest(largest).into_iter().take(KEY_BYTES));
    for variant in &variants {
        key.push('-');
        key.push_str(&variant.width.to_string());
    }
    for variant in variants {
        let path = Path::from(format!("{key}/{}.webp", variant.width));
        put_variant(store, &path, variant.webp.into(), CACHE_CONTROL).await?;
    }
    Ok(key)
}

/// Stores a private picture and returns its key. The key is random, so that knowing a picture does not help to find it,
/// and it contains characters that `/media/` refuses.
pub async fn store_private_picture(store: &dyn ObjectStore, variants: Vec<Variant>) -> object_store::Result<String> {
    let mut key = format!("{PRIVATE_PREFIX}{}", Uuid::new_v4().simple());
    for variant in &variants {
        key.push('-');
        key.push_str(&variant.width.to_string());
    }
    for variant in variants {
        let path = Path::from(format!("{key}/{}.webp", variant.width));
        put_variant(store, &path, variant.webp.into(), PRIVATE_CACHE_CONTROL).await?;
    }
    Ok(key)
}

/// Reads a private picture at its smallest or widest; `None` if it is not there.
pub async fn read_private_picture(
    store: &dyn ObjectStore,
    key: &str,
    is_small: bool,
) -> object_store::Result<Option<Bytes>> {
    let widths = key.strip_prefix(PRIVATE_PREFIX).unwrap_or_default().split('-').skip(1);
    let widths = widths.filter_map(|width| width.parse::<u32>().ok());
    let Some(width) = (if is_small { widths.min() } else { widths.max() }) else { return Ok(None) };
    match store.get(&Path::from(format!("{key}/{width}.webp"))).await {
        Ok(found) => found.bytes().await.map(Some),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns when a public picture was last stored; `None` if there is none with this key.
pub async fn find_upload_time(store: &dyn ObjectStore, key: &str) -> object_store::Result<Option<DateTime<Utc>>> {
    let mut parts = key.split('-');
    let is_hash = |hash: &str| hash.len() == 2 * KEY_BYTES && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let widths: Option<Vec<u32>> =
        if parts.next().is_some_and(is_hash) { parts.map(|width| width.parse().ok()).collect() } else { None };
    // The smallest is stored first, so that it is the oldest.
    let Some(width) = widths.and_then(|widths| widths.into_iter().min()) else { return Ok(None) };
    match store.head(&Path::from(format!("{key}/{width}.webp"))).await {
        Ok(found) => Ok(Some(found.last_modified)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A bucket that a CDN reads directly should send the same headers as we do; a folder cannot store them.
async fn put_variant(
    store: &dyn ObjectStore,
    path: &Path,
    webp: PutPayload,
    cache_control: &'static str,
) -> object_store::Result<()> {
    let attributes =
        Attributes::from_iter([(Attribute::ContentType, CONTENT_TYPE), (Attribute::CacheControl, cache_control)]);
    match store.put_opts(path, webp.clone(), PutOptions::from(attributes)).await {
        Err(object_store::Error::NotImplemented { .. }) => store.put(path, webp).await.map(|_| ()),
        done => done.map(|_| ()),
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    #[error("the picture store: {0}")]
    Store(#[from] object_store::Error),
    #[error("the database: {0}")]
    Db(#[from] sqlx::Error),
}

/// Deletes unused pictures that are older than `before` and returns how many. Newer ones are left alone, because a
/// picture is stored before the row that names it is committed.
pub async fn sweep_pictures<F, Fut>(
    store: &dyn ObjectStore,
    before: DateTime<Utc>,
    in_use: F,
) -> Result<u64, SweepError>
where
    F: Fn(Vec<String>) -> Fut,
    Fut: Future<Output = sqlx::Result<Vec<String>>>,
{
    let pictures = store.list_with_delimiter(None).await?.common_prefixes;
    let mut deleted = 0;
    for batch in pictures.chunks(BATCH_SIZE) {
        let used: HashSet<String> = in_use(batch.iter().map(Path::to_string).collect()).await?.into_iter().collect();
        for picture in batch.iter().filter(|picture| !used.contains(picture.as_ref())) {
            deleted += u64::from(delete_if_old(store, picture, before).await?);
        }
    }
    Ok(deleted)
}

/// The age is checked after the use, because a picture that was uploaded again in between is new by then.
async fn delete_if_old(store: &dyn ObjectStore, picture: &Path, before: DateTime<Utc>) -> object_store::Result<bool> {
    let files = store.list_with_delimiter(Some(picture)).await?.objects;
    if files.iter().any(|file| file.last_modified >= before) {
        return Ok(false);
    }
    for file in files {
        store.delete(&file.location).await?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    fn picture(byte: u8) -> Vec<Variant> {
        vec![Variant { width: 128, webp: vec![byte] }, Variant { width: 256, webp: vec![byte, 2] }]
    }

    #[tokio::test]
    async fn a_stored_picture_can_be_read_back_with_its_kind() {
        let store = InMemory::new();

        let key = store_picture(&store, picture(1)).await.unwrap();

        let read = store.get(&Path::from(format!("{key}/128.webp"))).await.unwrap();
        assert_eq!(read.attributes.get(&Attribute::ContentType).unwrap().as_ref(), "image/webp");
        assert_eq!(read.bytes().await.unwrap().as_ref(), [1]);
    }

    #[tokio::test]
    async fn a_private_picture_has_a_key_that_nobody_can_compute() {
        let store = InMemory::new();

        let (first, second) = (
            store_private_picture(&store, picture(1)).await.unwrap(),
            store_private_picture(&store, picture(1)).await.unwrap(),
        );

        assert_ne!(first, second);
        assert!(first.starts_with("private-") && first.ends_with("-128-256"), "{first}");
        let (small, wide) = (
            read_private_picture(&store, &first, true).await.unwrap(),
            read_private_picture(&store, &first, false).await.unwrap(),
        );
        assert_eq!((small.unwrap().as_ref(), wide.unwrap().as_ref()), (&[1][..], &[1, 2][..]));
        assert!(read_private_picture(&store, "0a1b-128-256", true).await.unwrap().is_none(), "a public key");
    }

    #[tokio::test]
    async fn only_old_pictures_that_nobody_refers_to_are_deleted() {
        let store = InMemory::new();
        let used = store_picture(&store, picture(1)).await.unwrap();
        let orphan = store_picture(&store, picture(2)).await.unwrap();
        let stored_at = async |path: String| store.head(&Path::from(path)).await.unwrap().last_modified;
        let last = stored_at(format!("{orphan}/256.webp")).await;
        // The store stamps pictures with the system's clock, so the next one is newer only once that has moved on.
        let (young, before) = loop {
            let young = store_picture(&store, picture(3)).await.unwrap();
            let first = stored_at(format!("{young}/128.webp")).await;
            if first > last {
                break (young, first);
            }
        };

        let deleted = sweep_pictures(&store, before, async |_| Ok(vec![used.clone()])).await.unwrap();

        assert_eq!(deleted, 1);
        for (key, there) in [(&used, true), (&orphan, false), (&young, true)] {
            assert_eq!(store.head(&Path::from(format!("{key}/256.webp"))).await.is_ok(), there, "{key}");
        }
    }

    #[tokio::test]
    async fn a_database_that_does_not_answer_deletes_nothing() {
        let store = InMemory::new();
        let key = store_picture(&store, picture(1)).await.unwrap();

        let failed = sweep_pictures(&store, DateTime::<Utc>::MAX_UTC, async |_| Err(sqlx::Error::PoolTimedOut)).await;

        assert!(matches!(failed, Err(SweepError::Db(_))));
        assert!(store.head(&Path::from(format!("{key}/256.webp"))).await.is_ok());
    }
}
