//! Caches public responses in memory, with their compressed forms and a strong `ETag`.
//!
//! A response is cached for [`MAX_AGE`] at most, which bounds how old a stock figure can be, and every instance drops
//! its responses as soon as the database says that the catalogue changed (`cache_invalidation.rs`). What changes by the
//! clock, such as a coupon that ends, limits its response with [`CachedResponse::valid_until`]. Dropping means
//! replacing the whole cache with an empty one: a response that is being created during the change goes into the old
//! cache and is never read again.
//!
//! The last response to each request is stored for [`MAX_STALE_AGE`] beside the cache. It is sent, with its age, while
//! the database is unavailable: during a failover the shop can be browsed, and only buying waits.

mod compression;
mod response;

use std::any::Any;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use http::Uri;
use moka::future::Cache;
use tokio::sync::watch;

pub use compression::Encoding;
pub use response::{CacheHit, CachedResponse, MAX_AGE, short_hash};

use super::clock::Clock;

/// The limit while this instance is disconnected from NOTIFY and does not hear of changes.
const MAX_AGE_WHEN_DISCONNECTED: Duration = Duration::from_millis(800);
const MAX_BYTES: u64 = 96 * 1024 * 1024;
/// How old a response may be that is sent while the database is unavailable.
const MAX_STALE_AGE: Duration = Duration::from_hours(1);

type Responses = Cache<String, Arc<CachedResponse>>;

/// An error of creating a response. A stale response is sent instead if the database is the reason.
pub trait CreationError {
    fn is_database_unavailable(&self) -> bool;
}

#[derive(Clone)]
pub struct ResponseCache(Arc<Inner>);

struct Inner {
    responses: RwLock<Responses>,
    /// The last response to each request, whether or not it is outdated.
    last_responses: Responses,
    database_available: watch::Receiver<bool>,
    clock: Clock,
    values: Cache<&'static str, CachedValue>,
    /// Counts all changes; `listing_changes` counts only those of the set of products.
    all_changes: AtomicU64,
    listing_changes: AtomicU64,
    listening: AtomicBool,
    /// Returns the cache key of a public call.
    key: OnceLock<fn(&Uri) -> Option<String>>,
}

#[derive(Clone)]
struct CachedValue {
    value: Arc<dyn Any + Send + Sync>,
    generation: u64,
    created: Instant,
}

/// A change of the catalogue, as far as the cache distinguishes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatalogueChange {
    /// The text or the price of a product or a category changed.
    Detail,
    /// The set of products or their order changed. Counting them again is slow with a million products.
    Listing,
}

fn empty_responses(max_age: Duration) -> Responses {
    Cache::builder()
        .max_capacity(MAX_BYTES)
        .weigher(|request: &String, answer: &Arc<CachedResponse>| {
            u32::try_from(answer.body().len() * 2 + request.len() + 512).unwrap_or(u32::MAX)
        })
        .time_to_live(max_age)
        .build()
}

impl ResponseCache {
    pub fn new(database_available: watch::Receiver<bool>, clock: Clock) -> Self {
        Self(Arc::new(Inner {
            responses: RwLock::new(empty_responses(MAX_AGE)),
            last_responses: empty_responses(MAX_STALE_AGE),
            database_available,
            clock,
            values: Cache::builder().build(),
            all_changes: AtomicU64::new(0),
            listing_changes: AtomicU64::new(0),
            listening: AtomicBool::new(false),
            key: OnceLock::new(),
        }))
    }

    /// Returns the cached response to `request`, or creates it with `make`; concurrent callers wait for one creation.
    /// While the database is unavailable, it returns the last response, however outdated.
    pub async fn get<E, F>(&self, request: &str, make: impl FnOnce() -> F) -> Result<Arc<CachedResponse>, E>
    where
        F: Future<Output = Result<CachedResponse, E>>,
        E: CreationError + Send + Sync + 'static + Clone,
    {
        let responses = self.0.responses.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(answer) = responses.get(request).await {
            if self.may_serve_response(&answer) {
                return Ok(answer);
            }
            responses.invalidate(request).await;
        }
        let mut database_available = self.0.database_available.clone();
        let last = self.0.last_responses.get(request).await;
        let Some(last) = last else { return self.create(&responses, request, make).await };
        let created = tokio::select! {
            biased;
            // A database that does not answer would keep the reader waiting for a connection.
            Ok(_) = database_available.wait_for(|available| !available) => None,
            created = self.create(&responses, request, make) => Some(created),
        };
        match created {
            Some(Err(error)) if !error.is_database_unavailable() => Err(error),
            Some(Ok(answer)) => Ok(answer),
            Some(Err(_)) | None => {
                metrics::counter!("stale_responses_total").increment(1);
                Ok(last)
            }
        }
    }

    async fn create<E, F>(
        &self,
        responses: &Responses,
        request: &str,
        make: impl FnOnce() -> F,
    ) -> Result<Arc<CachedResponse>, E>
    where
        F: Future<Output = Result<CachedResponse, E>>,
        E: Send + Sync + 'static + Clone,
    {
        // Boxed, so that a cache hit, the common case, does not carry the size of the future that creates a response.
        let making = Box::pin(async {
            let answer = Arc::new(make().await?);
            self.0.last_responses.insert(request.to_owned(), Arc::clone(&answer)).await;
            Ok(answer)
        });
        Box::pin(responses.try_get_with(request.to_owned(), making)).await.map_err(|error: Arc<E>| (*error).clone())
    }

    /// Sets the function that returns the key of a public call. The key contains only parameters that the call knows,
    /// so that no visitor can bypass or fill the cache with other parameters.
    pub fn set_key_fn(&self, key: fn(&Uri) -> Option<String>) {
        // Every caller passes the same function, so the first one may stay.
        let _ = self.0.key.set(key);
    }

    /// The cache key of a public call; `None` for any other call and for an invalid one.
    pub fn key(&self, uri: &Uri) -> Option<String> {
        self.0.key.get().and_then(|key| key(uri))
    }

    /// The cached response to `request`, if it is available without waiting.
    pub fn get_now(&self, request: &str) -> Option<Arc<CachedResponse>> {
        let responses = self.0.responses.read().unwrap_or_else(PoisonError::into_inner);
        let lookup = pin!(responses.get(request));
        match lookup.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(found) => found.filter(|answer| self.may_serve_response(answer)),
            Poll::Pending => None,
        }
    }

    fn may_serve_response(&self, answer: &CachedResponse) -> bool {
        self.may_serve(answer.created()) && answer.ends_at().is_none_or(|end| self.0.clock.now() < end)
    }

    fn may_serve(&self, created: Instant) -> bool {
        self.is_listening() || created.elapsed() < MAX_AGE_WHEN_DISCONNECTED
    }

    /// A value from which many responses are created, cached until a change of this kind.
    pub async fn get_value<T, E, F>(
        &self,
        name: &'static str,
        invalidated_by: CatalogueChange,
        make: impl FnOnce() -> F,
    ) -> Result<Arc<T>, E>
    where
        T: Send + Sync + 'static,
        F: Future<Output = Result<T, E>>,
        E: Send + Sync + 'static + Clone,
    {
        let generation = match invalidated_by {
            CatalogueChange::Detail => self.0.all_changes.load(Ordering::Acquire),
            CatalogueChange::Listing => self.0.listing_changes.load(Ordering::Acquire),
        };
        if let Some(cached) = self.0.values.get(name).await
            && cached.generation == generation
            && self.may_serve(cached.created)
            && let Ok(value) = cached.value.downcast::<T>()
        {
            return Ok(value);
        }
        self.0.values.invalidate(name).await;
        let making = Box::pin(async {
            // The generation was read before the data, so a change in between makes this value outdated at once.
            make().await.map(|value| CachedValue { value: Arc::new(value), generation, created: Instant::now() })
        });
        let cached =
            Box::pin(self.0.values.try_get_with(name, making)).await.map_err(|error: Arc<E>| (*error).clone())?;
        match cached.value.downcast::<T>() {
            Ok(value) => Ok(value),
            // Two types under one name are a bug that the first test run finds.
            Err(_) => unreachable!("'{name}' names two kinds of value"),
        }
    }

    /// Drops all responses, because something that shoppers see has changed.
    pub fn invalidate_all(&self, change: CatalogueChange) {
        if change == CatalogueChange::Listing {
            self.0.listing_changes.fetch_add(1, Ordering::AcqRel);
        }
        self.0.all_changes.fetch_add(1, Ordering::AcqRel);
        *self.0.responses.write().unwrap_or_else(PoisonError::into_inner) = empty_responses(MAX_AGE);
    }

    /// The number of changes so far, including reconnections to the database.
    pub fn change_count(&self) -> u64 {
        self.0.all_changes.load(Ordering::Acquire)
    }

    pub fn set_listening(&self, listening: bool) {
        self.0.listening.store(listening, Ordering::Release);
    }

    pub fn is_listening(&self) -> bool {
        self.0.listening.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests;
