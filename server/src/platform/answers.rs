//! Public answers kept ready in memory: the bytes, their compressed forms and a strong `ETag`.
//!
//! An answer is kept for [`MAX_AGE`] at most, which bounds how old a stock figure can be, and dropped on every
//! copy of the server as soon as the database says that the catalogue changed (`changes.rs`). Dropping means
//! putting an empty shelf in place of the full one: an answer that was being made while the change arrived is put
//! on the old shelf and never read again.

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

/// Stock in an answer is never older than this.
pub const MAX_AGE: Duration = Duration::from_secs(15);
/// While the database cannot tell us about changes, we look this often ourselves.
const MAX_AGE_WHEN_DEAF: Duration = Duration::from_millis(800);
const MAX_BYTES: u64 = 96 * 1024 * 1024;
/// Smaller than one network packet: compressing costs time and saves none.
const WORTH_COMPRESSING: usize = 1024;
/// Compressed where the request is: for so few bytes handing the work to another thread costs as much as doing it.
const COMPRESSED_AT_ONCE: usize = 4 * 1024;
/// A flood of large answers may use every core, but not hundreds of threads.
static COMPRESSING: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(1, std::num::NonZero::get)));

type Shelf = Cache<String, Arc<Answer>>;

#[derive(Clone)]
pub struct Answers(Arc<Inner>);

struct Inner {
    shelf: RwLock<Shelf>,
    values: Cache<&'static str, Kept>,
    /// Counts changes of any kind, and those that put a product on a shelf or take it off.
    any_change: AtomicU64,
    range_change: AtomicU64,
    listening: AtomicBool,
    /// Gives the cache key of a public call.
    key: OnceLock<fn(&Uri) -> Option<String>>,
}

/// The answer was in memory, which costs next to nothing: `rate_limit.rs` counts it accordingly.
#[derive(Debug, Clone, Copy)]
pub struct Cached;

#[derive(Clone)]
struct Kept {
    value: Arc<dyn Any + Send + Sync>,
    generation: u64,
    made: Instant,
}

/// What has changed, as far as it matters for what is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// What a product or category says: a price, a name.
    Detail,
    /// Which products there are, and where they stand. Counting them anew is costly at a million.
    Range,
}

impl Default for Answers {
    fn default() -> Self {
        Self(Arc::new(Inner {
            shelf: RwLock::new(empty_shelf()),
            values: Cache::builder().build(),
            any_change: AtomicU64::new(0),
            range_change: AtomicU64::new(0),
            listening: AtomicBool::new(false),
            key: OnceLock::new(),
        }))
    }
}

fn empty_shelf() -> Shelf {
    Cache::builder()
        .max_capacity(MAX_BYTES)
        .weigher(|request: &String, answer: &Arc<Answer>| {
            u32::try_from(answer.body.len() * 2 + request.len() + 512).unwrap_or(u32::MAX)
        })
        .time_to_live(MAX_AGE)
        .build()
}

impl Answers {
    /// The kept answer to `request`, or the one that `make` makes; many askers at once wait for one making.
    pub async fn get<E, F>(&self, request: &str, make: impl FnOnce() -> F) -> Result<Arc<Answer>, E>
    where
        F: Future<Output = Result<Answer, E>>,
        E: Send + Sync + 'static + Clone,
    {
        let shelf = self.0.shelf.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(answer) = shelf.get(request).await {
            if self.may_serve(answer.made) {
                return Ok(answer);
            }
            shelf.invalidate(request).await;
        }
        // Boxed: a kept answer, the common case, should not carry the room that making one takes.
        let making = Box::pin(async { make().await.map(Arc::new) });
        Box::pin(shelf.try_get_with(request.to_owned(), making)).await.map_err(|error| (*error).clone())
    }

    /// Says how the key of a public call is found. It comes from the parameters that the call knows, so that no visitor can
    /// get past the cache, or fill it, with parameters of his own.
    pub fn set_key(&self, key: fn(&Uri) -> Option<String>) {
        // The same function each time; the first one stays.
        let _ = self.0.key.set(key);
    }

    /// The key of a public call; none when it is no such call, or not a valid one.
    pub fn key(&self, uri: &Uri) -> Option<String> {
        self.0.key.get().and_then(|key| key(uri))
    }

    /// The kept answer to `request`, if it can be had without waiting.
    pub fn ready(&self, request: &str) -> Option<Arc<Answer>> {
        let shelf = self.0.shelf.read().unwrap_or_else(PoisonError::into_inner);
        let looking = pin!(shelf.get(request));
        match looking.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(found) => found.filter(|answer| self.may_serve(answer.made)),
            Poll::Pending => None,
        }
    }

    fn may_serve(&self, made: Instant) -> bool {
        self.is_listening() || made.elapsed() < MAX_AGE_WHEN_DEAF
    }

    /// A value that many answers are made from, kept until a change of this kind.
    pub async fn value<T, E, F>(
        &self,
        name: &'static str,
        dropped_by: Change,
        make: impl FnOnce() -> F,
    ) -> Result<Arc<T>, E>
    where
        T: Send + Sync + 'static,
        F: Future<Output = Result<T, E>>,
        E: Send + Sync + 'static + Clone,
    {
        let generation = match dropped_by {
            Change::Detail => self.0.any_change.load(Ordering::Acquire),
            Change::Range => self.0.range_change.load(Ordering::Acquire),
        };
        if let Some(kept) = self.0.values.get(name).await
            && kept.generation == generation
            && self.may_serve(kept.made)
            && let Ok(value) = kept.value.downcast::<T>()
        {
            return Ok(value);
        }
        self.0.values.invalidate(name).await;
        let making = Box::pin(async {
            // The generation from before reading: a change that arrives meanwhile makes this one old at once.
            make().await.map(|value| Kept { value: Arc::new(value), generation, made: Instant::now() })
        });
        let kept =
            Box::pin(self.0.values.try_get_with(name, making)).await.map_err(|error: Arc<E>| (*error).clone())?;
        match kept.value.downcast::<T>() {
            Ok(value) => Ok(value),
            // Two kinds of value under one name is a bug that the first test run shows.
            Err(_) => unreachable!("'{name}' names two kinds of value"),
        }
    }

    /// Something that shoppers see has changed.
    pub fn drop_all(&self, change: Change) {
        if change == Change::Range {
            self.0.range_change.fetch_add(1, Ordering::AcqRel);
        }
        self.0.any_change.fetch_add(1, Ordering::AcqRel);
        *self.0.shelf.write().unwrap_or_else(PoisonError::into_inner) = empty_shelf();
    }

    /// How many changes were heard of so far.
    pub fn changes(&self) -> u64 {
        self.0.any_change.load(Ordering::Acquire)
    }

    pub fn set_listening(&self, listening: bool) {
        self.0.listening.store(listening, Ordering::Release);
    }

    pub fn is_listening(&self) -> bool {
        self.0.listening.load(Ordering::Acquire)
    }
}

#[derive(Debug)]
pub struct Answer {
    /// The route it answers, for the metrics of answers that are sent without routing.
    pub route: &'static str,
    status: StatusCode,
    /// What it is sent with, put together once.
    head: HeaderMap,
    body: Bytes,
    etag: HeaderValue,
    brotli: OnceCell<Encoded>,
    gzip: OnceCell<Encoded>,
    made: Instant,
    /// Somebody has had it before.
    served: AtomicBool,
}

/// A compressed form and its own tag: other bytes, so a strong tag must differ.
#[derive(Debug)]
struct Encoded {
    body: Bytes,
    etag: HeaderValue,
}

impl Answer {
    pub fn new(route: &'static str, status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let etag = quoted(&short_hash(&body), "");
        let mut head = HeaderMap::with_capacity(ANSWER_HEADERS);
        head.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        head.insert(header::VARY, HeaderValue::from_static("accept-encoding, cookie"));
        head.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        head.insert(header::ETAG, etag.clone());
        headers::dress(&mut head);
        Self {
            route,
            status,
            head,
            body,
            etag,
            brotli: OnceCell::new(),
            gzip: OnceCell::new(),
            made: Instant::now(),
            served: AtomicBool::new(false),
        }
    }

    pub fn json<T: serde::Serialize>(route: &'static str, value: &T) -> Result<Self, serde_json::Error> {
        Ok(Self::new(route, StatusCode::OK, "application/json", serde_json::to_vec(value)?))
    }

    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// The answer in the best form that the asker takes, or 304 when the asker already has it.
    pub async fn respond(&self, asked: &HeaderMap) -> Response {
        let wanted = self.wanted(asked);
        let form = match wanted {
            Some(Encoding::Brotli) => Some(self.brotli.get_or_init(|| self.compress(Encoding::Brotli)).await),
            Some(Encoding::Gzip) => Some(self.gzip.get_or_init(|| self.compress(Encoding::Gzip)).await),
            Some(Encoding::Zstd) | None => None,
        };
        self.send(asked, form, wanted)
    }

    /// The same without waiting: none when it would have to be compressed first.
    pub fn respond_now(&self, asked: &HeaderMap) -> Option<Response> {
        let wanted = self.wanted(asked);
        let form = match wanted {
            Some(Encoding::Brotli) => Some(self.brotli.get()?),
            Some(Encoding::Gzip) => Some(self.gzip.get()?),
            Some(Encoding::Zstd) | None => None,
        };
        Some(self.send(asked, form, wanted))
    }

    fn wanted(&self, asked: &HeaderMap) -> Option<Encoding> {
        if self.body.len() < WORTH_COMPRESSING {
            return None;
        }
        Encoding::best(asked, &[Encoding::Brotli, Encoding::Gzip])
    }

    fn send(&self, asked: &HeaderMap, form: Option<&Encoded>, encoding: Option<Encoding>) -> Response {
        let (body, etag) = form.map_or((&self.body, &self.etag), |form| (&form.body, &form.etag));
        let known = asked
            .get(header::IF_NONE_MATCH)
            .is_some_and(|tags| tags.as_bytes().split(|byte| *byte == b',').any(|tag| is_tag(tag, etag.as_bytes())));
        let unmodified = known && self.status == StatusCode::OK;
        let mut response = Response::new(if unmodified { Body::empty() } else { Body::from(body.clone()) });
        *response.status_mut() = if unmodified { StatusCode::NOT_MODIFIED } else { self.status };
        *response.headers_mut() = self.head.clone();
        if let Some(encoding) = encoding {
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
            headers.insert(header::ETAG, etag.clone());
        }
        if unmodified {
            headers::undress_unmodified(response.headers_mut());
        }
        if self.served.swap(true, Ordering::Relaxed) {
            response.extensions_mut().insert(Cached);
        }
        response
    }

    /// Compresses the body once, on a thread that no request waits behind.
    async fn compress(&self, encoding: Encoding) -> Encoded {
        let body = self.body.clone();
        let work = move || if encoding == Encoding::Brotli { brotli(&body) } else { gzip(&body) };
        if self.body.len() <= COMPRESSED_AT_ONCE {
            return self.compressed(encoding, work());
        }
        // The semaphore is never closed.
        let _turn = COMPRESSING.acquire().await;
        match tokio::task::spawn_blocking(work).await {
            Ok(compressed) => self.compressed(encoding, compressed),
            Err(error) => {
                tracing::error!(%error, "an answer could not be compressed");
                self.compressed(encoding, Bytes::new())
            }
        }
    }

    fn compressed(&self, encoding: Encoding, body: Bytes) -> Encoded {
        let tag = self.etag.to_str().unwrap_or_default().trim_matches('"');
        Encoded { body, etag: quoted(tag, encoding.name()) }
    }
}

/// Room for all headers of an answer, those that the edge adds included, so that the map never grows.
const ANSWER_HEADERS: usize = 16;

fn quoted(tag: &str, suffix: &str) -> HeaderValue {
    let text = if suffix.is_empty() { format!("\"{tag}\"") } else { format!("\"{tag}-{suffix}\"") };
    // Hexadecimal digits and letters: always a header value.
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

    /// The first of `offered` that the asker takes (`;q=0` is a refusal).
    pub fn best(asked: &HeaderMap, offered: &[Self]) -> Option<Self> {
        let accepted = asked.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
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

/// Enough of a SHA-256 to tell two answers apart.
pub fn short_hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes).into_iter().take(12))
}

/// Quality 5: within a few percent of the best for JSON of this size, at a twentieth of the time.
fn brotli(body: &[u8]) -> Bytes {
    let mut out = Vec::with_capacity(body.len() / 4);
    let params = brotli::enc::BrotliEncoderParams { quality: 5, size_hint: body.len(), ..Default::default() };
    match brotli::BrotliCompress(&mut std::io::Cursor::new(body), &mut out, &params) {
        Ok(_) => out.into(),
        Err(error) => {
            // Writing to memory does not fail; an empty stream would, so say so instead of sending one.
            tracing::error!(%error, "an answer could not be compressed");
            Bytes::new()
        }
    }
}

fn gzip(body: &[u8]) -> Bytes {
    let mut encoder = flate2::write::GzEncoder::new(Vec::with_capacity(body.len() / 4), flate2::Compression::new(6));
    match encoder.write_all(body).and_then(|()| encoder.finish()) {
        Ok(out) => out.into(),
        Err(error) => {
            tracing::error!(%error, "an answer could not be compressed");
            Bytes::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(name: http::header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::try_from(value).unwrap())])
    }

    #[test]
    fn a_refused_encoding_is_not_used() {
        let headers = asking(header::ACCEPT_ENCODING, "br;q=0, gzip;q=0.5");

        assert_eq!(Encoding::best(&headers, &[Encoding::Brotli, Encoding::Gzip]), Some(Encoding::Gzip));
        assert_eq!(Encoding::best(&HeaderMap::new(), &[Encoding::Brotli]), None);
    }

    #[tokio::test]
    async fn the_asker_that_has_it_gets_a_304() {
        let answer = Answer::new("/p", StatusCode::OK, "application/json", "x".repeat(4000));
        let first = answer.respond(&asking(header::ACCEPT_ENCODING, "br")).await;
        let tag = first.headers()[header::ETAG].to_str().unwrap().to_owned();
        let mut again = asking(header::ACCEPT_ENCODING, "br");
        again.insert(header::IF_NONE_MATCH, HeaderValue::try_from(&tag).unwrap());

        assert_eq!(answer.respond(&again).await.status(), StatusCode::NOT_MODIFIED);
        // Another encoding is another sequence of bytes, so a strong tag must differ.
        again.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        assert_eq!(answer.respond(&again).await.status(), StatusCode::OK);
    }

    /// Compressing 150 KB takes ten milliseconds: on a thread that answers requests, everybody behind it would wait.
    #[tokio::test]
    async fn a_large_answer_is_compressed_on_another_thread() {
        let answer = Answer::new("/p", StatusCode::OK, "application/json", "x".repeat(COMPRESSED_AT_ONCE + 1));
        let asked = asking(header::ACCEPT_ENCODING, "br");
        let mut responding = pin!(answer.respond(&asked));

        let first = responding.as_mut().poll(&mut Context::from_waker(Waker::noop()));

        assert!(first.is_pending(), "it was compressed here");
        assert!(answer.respond_now(&asked).is_none(), "what is not compressed yet is not sent at once");
        let response = responding.await;
        assert_eq!(response.headers()[header::CONTENT_ENCODING], "br");
        assert!(response.extensions().get::<Cached>().is_none());
        let again = answer.respond_now(&asked).expect("now it is ready");
        assert!(again.extensions().get::<Cached>().is_some());
    }

    #[tokio::test]
    async fn an_answer_made_across_a_change_is_never_served_again() {
        let answers = Answers::default();
        answers.set_listening(true);
        let during = answers.clone();
        let old = answers
            .get::<(), _>("/p", || async move {
                during.drop_all(Change::Detail); // the change arrives while the old rows are being read
                Ok(Answer::new("/p", StatusCode::OK, "text/plain", "old"))
            })
            .await
            .unwrap();

        let next = answers
            .get::<(), _>("/p", || async { Ok(Answer::new("/p", StatusCode::OK, "text/plain", "new")) })
            .await
            .unwrap();

        assert_eq!((old.body().as_ref(), next.body().as_ref()), (&b"old"[..], &b"new"[..]));
    }

    #[tokio::test]
    async fn a_new_price_does_not_count_the_products_again() {
        let answers = Answers::default();
        answers.set_listening(true);
        let count = |number: i32| move || async move { Ok::<_, ()>(number) };
        answers.value("count", Change::Range, count(1)).await.unwrap();

        answers.drop_all(Change::Detail);
        let after_price = *answers.value("count", Change::Range, count(2)).await.unwrap();
        answers.drop_all(Change::Range);
        let after_arrival = *answers.value("count", Change::Range, count(3)).await.unwrap();

        assert_eq!((after_price, after_arrival), (1, 3));
    }

    #[tokio::test]
    async fn a_deaf_server_does_not_trust_its_memory() {
        let answers = Answers::default();
        let make = |text: &'static str| {
            move || async move { Ok::<_, ()>(Answer::new("/p", StatusCode::OK, "text/plain", text)) }
        };
        answers.get("/p", make("old")).await.unwrap();
        tokio::time::sleep(MAX_AGE_WHEN_DEAF + Duration::from_millis(50)).await;

        assert_eq!(answers.get("/p", make("new")).await.unwrap().body().as_ref(), b"new");
    }
}
