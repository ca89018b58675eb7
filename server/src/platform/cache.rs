//! Caches public responses in memory, with their compressed forms and a strong `ETag`.
//!
//! A response is cached for [`MAX_AGE`] at most, which bounds how old a stock figure can be, and every instance drops
//! its responses as soon as the database says that the catalogue changed (`cache_invalidation.rs`). Dropping means
//! replacing the whole cache with an empty one: a response that is being created during the change goes into the old
//! cache and is never read again.

use std::any::Any;
use std::future::Future;
use std::io::Write;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use moka::future::Cache;
use sha2::{Digest, Sha256};
use tokio::sync::{OnceCell, Semaphore};

use super::{headers, hex};

/// Stock in a response is never older than this.
pub const MAX_AGE: Duration = Duration::from_secs(15);
/// The limit while this instance is disconnected from NOTIFY and does not hear of changes.
const MAX_AGE_WHEN_DISCONNECTED: Duration = Duration::from_millis(800);
const MAX_BYTES: u64 = 96 * 1024 * 1024;
/// A smaller body fits into one network packet, so compressing it costs time and saves none.
const MIN_COMPRESSED_BYTES: usize = 1024;
/// A body of up to this size is compressed on the request's own thread, because handing it to another one costs as
/// much.
const MAX_INLINE_COMPRESSION_BYTES: usize = 4 * 1024;
/// A flood of large responses may use every core, but not hundreds of threads.
static COMPRESSION_PERMITS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(1, std::num::NonZero::get)));

type Responses = Cache<String, Arc<CachedResponse>>;

#[derive(Clone)]
pub struct ResponseCache(Arc<Inner>);

struct Inner {
    responses: RwLock<Responses>,
    values: Cache<&'static str, CachedValue>,
    /// Counts all changes; `listing_changes` counts only those of the set of products.
    all_changes: AtomicU64,
    listing_changes: AtomicU64,
    listening: AtomicBool,
    /// Returns the cache key of a public call.
    key: OnceLock<fn(&Uri) -> Option<String>>,
}

/// Marks a response that came from memory and cost next to nothing; `rate_limit.rs` charges less for it.
#[derive(Debug, Clone, Copy)]
pub struct CacheHit;

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

impl Default for ResponseCache {
    fn default() -> Self {
        Self(Arc::new(Inner {
            responses: RwLock::new(empty_responses()),
            values: Cache::builder().build(),
            all_changes: AtomicU64::new(0),
            listing_changes: AtomicU64::new(0),
            listening: AtomicBool::new(false),
            key: OnceLock::new(),
        }))
    }
}

fn empty_responses() -> Responses {
    Cache::builder()
        .max_capacity(MAX_BYTES)
        .weigher(|request: &String, answer: &Arc<CachedResponse>| {
            u32::try_from(answer.body.len() * 2 + request.len() + 512).unwrap_or(u32::MAX)
        })
        .time_to_live(MAX_AGE)
        .build()
}

impl ResponseCache {
    /// Returns the cached response to `request`, or creates it with `make`; concurrent callers wait for one creation.
    pub async fn get<E, F>(&self, request: &str, make: impl FnOnce() -> F) -> Result<Arc<CachedResponse>, E>
    where
        F: Future<Output = Result<CachedResponse, E>>,
        E: Send + Sync + 'static + Clone,
    {
        let responses = self.0.responses.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(answer) = responses.get(request).await {
            if self.may_serve(answer.created) {
                return Ok(answer);
            }
            responses.invalidate(request).await;
        }
        // Boxed, so that a cache hit, the common case, does not carry the size of the future that creates a response.
        let making = Box::pin(async { make().await.map(Arc::new) });
        Box::pin(responses.try_get_with(request.to_owned(), making)).await.map_err(|error| (*error).clone())
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
            Poll::Ready(found) => found.filter(|answer| self.may_serve(answer.created)),
            Poll::Pending => None,
        }
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
        *self.0.responses.write().unwrap_or_else(PoisonError::into_inner) = empty_responses();
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

#[derive(Debug)]
pub struct CachedResponse {
    /// The route that it answers, for the metrics of responses that are sent without routing.
    pub route: &'static str,
    status: StatusCode,
    /// The headers of every form of the response, built once.
    headers: HeaderMap,
    body: Bytes,
    etag: HeaderValue,
    brotli: OnceCell<Encoded>,
    gzip: OnceCell<Encoded>,
    created: Instant,
    /// Whether it has been sent before; from then on it counts as a cache hit.
    served: AtomicBool,
}

/// A compressed form. Its bytes differ, so its strong tag must differ too.
#[derive(Debug)]
struct Encoded {
    body: Bytes,
    etag: HeaderValue,
}

impl CachedResponse {
    pub fn new(route: &'static str, status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let etag = quoted(&short_hash(&body), "");
        let mut headers = HeaderMap::with_capacity(HEADER_CAPACITY);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding, cookie"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::ETAG, etag.clone());
        headers::set_security_headers(&mut headers);
        Self {
            route,
            status,
            headers,
            body,
            etag,
            brotli: OnceCell::new(),
            gzip: OnceCell::new(),
            created: Instant::now(),
            served: AtomicBool::new(false),
        }
    }

    pub fn json<T: serde::Serialize>(route: &'static str, value: &T) -> Result<Self, serde_json::Error> {
        Ok(Self::new(route, StatusCode::OK, "application/json", serde_json::to_vec(value)?))
    }

    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// Responds in the best encoding that the client accepts, or with 304 if the client already has the response.
    pub async fn respond(&self, request_headers: &HeaderMap) -> Response {
        let encoding = self.choose_encoding(request_headers);
        let form = match encoding {
            Some(Encoding::Brotli) => Some(self.brotli.get_or_init(|| self.compress(Encoding::Brotli)).await),
            Some(Encoding::Gzip) => Some(self.gzip.get_or_init(|| self.compress(Encoding::Gzip)).await),
            Some(Encoding::Zstd) | None => None,
        };
        self.build_response(request_headers, form, encoding)
    }

    /// Does the same without waiting; `None` if the body would have to be compressed first.
    pub fn respond_now(&self, request_headers: &HeaderMap) -> Option<Response> {
        let encoding = self.choose_encoding(request_headers);
        let form = match encoding {
            Some(Encoding::Brotli) => Some(self.brotli.get()?),
            Some(Encoding::Gzip) => Some(self.gzip.get()?),
            Some(Encoding::Zstd) | None => None,
        };
        Some(self.build_response(request_headers, form, encoding))
    }

    fn choose_encoding(&self, request_headers: &HeaderMap) -> Option<Encoding> {
        if self.body.len() < MIN_COMPRESSED_BYTES {
            return None;
        }
        Encoding::best(request_headers, &[Encoding::Brotli, Encoding::Gzip])
    }

    fn build_response(
        &self,
        request_headers: &HeaderMap,
        form: Option<&Encoded>,
        encoding: Option<Encoding>,
    ) -> Response {
        let (body, etag) = form.map_or((&self.body, &self.etag), |form| (&form.body, &form.etag));
        let known = request_headers
            .get(header::IF_NONE_MATCH)
            .is_some_and(|tags| tags.as_bytes().split(|byte| *byte == b',').any(|tag| is_tag(tag, etag.as_bytes())));
        let unmodified = known && self.status == StatusCode::OK;
        let mut response = Response::new(if unmodified { Body::empty() } else { Body::from(body.clone()) });
        *response.status_mut() = if unmodified { StatusCode::NOT_MODIFIED } else { self.status };
        *response.headers_mut() = self.headers.clone();
        if let Some(encoding) = encoding {
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
            headers.insert(header::ETAG, etag.clone());
        }
        if unmodified {
            headers::strip_body_headers(response.headers_mut());
        }
        if self.served.swap(true, Ordering::Relaxed) {
            response.extensions_mut().insert(CacheHit);
        }
        response
    }

    /// Compresses a small body at once, and a large one on a thread that no request waits behind.
    async fn compress(&self, encoding: Encoding) -> Encoded {
        let body = self.body.clone();
        let work = move || if encoding == Encoding::Brotli { brotli(&body) } else { gzip(&body) };
        if self.body.len() <= MAX_INLINE_COMPRESSION_BYTES {
            return self.compressed(encoding, work());
        }
        // The semaphore is never closed.
        let _turn = COMPRESSION_PERMITS.acquire().await;
        match tokio::task::spawn_blocking(work).await {
            Ok(compressed) => self.compressed(encoding, compressed),
            Err(error) => {
                tracing::error!(%error, "could not compress a response");
                self.compressed(encoding, Bytes::new())
            }
        }
    }

    fn compressed(&self, encoding: Encoding, body: Bytes) -> Encoded {
        let tag = self.etag.to_str().unwrap_or_default().trim_matches('"');
        Encoded { body, etag: quoted(tag, encoding.name()) }
    }
}

/// Enough for all headers of a response, including those that the middleware adds, so that the map never grows.
const HEADER_CAPACITY: usize = 16;

fn quoted(tag: &str, suffix: &str) -> HeaderValue {
    let text = if suffix.is_empty() { format!("\"{tag}\"") } else { format!("\"{tag}-{suffix}\"") };
    // Hexadecimal digits and the name of an encoding always make a valid header value.
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("\"\""))
}

fn is_tag(candidate: &[u8], etag: &[u8]) -> bool {
    let candidate = candidate.trim_ascii();
    candidate.strip_prefix(b"W/").unwrap_or(candidate) == etag
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Brotli,
    Zstd,
    Gzip,
}

impl Encoding {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    /// The first of `offered` that the client accepts (`;q=0` means that it does not).
    pub fn best(request_headers: &HeaderMap, offered: &[Self]) -> Option<Self> {
        let accepted = request_headers.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
        offered.iter().copied().find(|encoding| {
            accepted.split(',').any(|item| {
                let mut parts = item.split(';');
                let name = parts.next().unwrap_or_default().trim();
                let refused = parts.any(|part| {
                    part.trim().strip_prefix("q=").is_some_and(|q| q.trim().parse::<f32>().is_ok_and(|q| q <= 0.0))
                });
                name.eq_ignore_ascii_case(encoding.name()) && !refused
            })
        })
    }
}

/// Enough of a SHA-256 to tell two responses apart.
pub fn short_hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes).into_iter().take(12))
}

/// Quality 5 is within a few percent of the best for JSON of this size, in a twentieth of the time.
fn brotli(body: &[u8]) -> Bytes {
    let mut out = Vec::with_capacity(body.len() / 4);
    let params = brotli::enc::BrotliEncoderParams { quality: 5, size_hint: body.len(), ..Default::default() };
    match brotli::BrotliCompress(&mut std::io::Cursor::new(body), &mut out, &params) {
        Ok(_) => out.into(),
        Err(error) => {
            // Writing to memory does not fail, so this is not expected to happen.
            tracing::error!(%error, "could not compress a response");
            Bytes::new()
        }
    }
}

fn gzip(body: &[u8]) -> Bytes {
    let mut encoder = flate2::write::GzEncoder::new(Vec::with_capacity(body.len() / 4), flate2::Compression::new(6));
    match encoder.write_all(body).and_then(|()| encoder.finish()) {
        Ok(out) => out.into(),
        Err(error) => {
            tracing::error!(%error, "could not compress a response");
            Bytes::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers_with(name: http::header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::try_from(value).unwrap())])
    }

    #[test]
    fn a_refused_encoding_is_not_used() {
        let headers = headers_with(header::ACCEPT_ENCODING, "br;q=0, gzip;q=0.5");

        assert_eq!(Encoding::best(&headers, &[Encoding::Brotli, Encoding::Gzip]), Some(Encoding::Gzip));
        assert_eq!(Encoding::best(&HeaderMap::new(), &[Encoding::Brotli]), None);
    }

    #[tokio::test]
    async fn the_asker_that_has_it_gets_a_304() {
        let answer = CachedResponse::new("/p", StatusCode::OK, "application/json", "x".repeat(4000));
        let first = answer.respond(&headers_with(header::ACCEPT_ENCODING, "br")).await;
        let tag = first.headers()[header::ETAG].to_str().unwrap().to_owned();
        let mut again = headers_with(header::ACCEPT_ENCODING, "br");
        again.insert(header::IF_NONE_MATCH, HeaderValue::try_from(&tag).unwrap());

        assert_eq!(answer.respond(&again).await.status(), StatusCode::NOT_MODIFIED);
        // Another encoding is another sequence of bytes, so a strong tag must differ.
        again.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        assert_eq!(answer.respond(&again).await.status(), StatusCode::OK);
    }

    /// Compressing 150 KB takes ten milliseconds, for which all requests behind it on the same thread would wait.
    #[tokio::test]
    async fn a_large_answer_is_compressed_on_another_thread() {
        let answer =
            CachedResponse::new("/p", StatusCode::OK, "application/json", "x".repeat(MAX_INLINE_COMPRESSION_BYTES + 1));
        let request_headers = headers_with(header::ACCEPT_ENCODING, "br");
        let mut responding = pin!(answer.respond(&request_headers));
        // Without a permit no other thread can have finished before the first poll returns.
        let permits = COMPRESSION_PERMITS.available_permits();
        let all_permits = COMPRESSION_PERMITS.acquire_many(u32::try_from(permits).unwrap()).await.unwrap();

        let first = responding.as_mut().poll(&mut Context::from_waker(Waker::noop()));

        assert!(first.is_pending(), "it was compressed here");
        assert!(answer.respond_now(&request_headers).is_none(), "what is not compressed yet is not sent at once");
        drop(all_permits);
        let response = responding.await;
        assert_eq!(response.headers()[header::CONTENT_ENCODING], "br");
        assert!(response.extensions().get::<CacheHit>().is_none());
        let again = answer.respond_now(&request_headers).expect("now it is ready");
        assert!(again.extensions().get::<CacheHit>().is_some());
    }

    #[tokio::test]
    async fn an_answer_made_across_a_change_is_never_served_again() {
        let cache = ResponseCache::default();
        cache.set_listening(true);
        let during = cache.clone();
        let old = cache
            .get::<(), _>("/p", || async move {
                during.invalidate_all(CatalogueChange::Detail); // the change arrives while the old rows are being read
                Ok(CachedResponse::new("/p", StatusCode::OK, "text/plain", "old"))
            })
            .await
            .unwrap();

        let next = cache
            .get::<(), _>("/p", || async { Ok(CachedResponse::new("/p", StatusCode::OK, "text/plain", "new")) })
            .await
            .unwrap();

        assert_eq!((old.body().as_ref(), next.body().as_ref()), (&b"old"[..], &b"new"[..]));
    }

    #[tokio::test]
    async fn a_new_price_does_not_count_the_products_again() {
        let cache = ResponseCache::default();
        cache.set_listening(true);
        let count = |number: i32| move || async move { Ok::<_, ()>(number) };
        cache.get_value("count", CatalogueChange::Listing, count(1)).await.unwrap();

        cache.invalidate_all(CatalogueChange::Detail);
        let after_price = *cache.get_value("count", CatalogueChange::Listing, count(2)).await.unwrap();
        cache.invalidate_all(CatalogueChange::Listing);
        let after_arrival = *cache.get_value("count", CatalogueChange::Listing, count(3)).await.unwrap();

        assert_eq!((after_price, after_arrival), (1, 3));
    }

    #[tokio::test]
    async fn a_deaf_server_does_not_trust_its_memory() {
        let cache = ResponseCache::default();
        let make = |text: &'static str| {
            move || async move { Ok::<_, ()>(CachedResponse::new("/p", StatusCode::OK, "text/plain", text)) }
        };
        cache.get("/p", make("old")).await.unwrap();
        tokio::time::sleep(MAX_AGE_WHEN_DISCONNECTED + Duration::from_millis(50)).await;

        assert_eq!(cache.get("/p", make("new")).await.unwrap().body().as_ref(), b"new");
    }
}
