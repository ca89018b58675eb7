//! A cached response: its body, its compressed forms and their strong tags.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use super::compression::{self, Encoding};
use crate::platform::{headers, hex};

/// Stock in a response is never older than this, as long as the database is available.
pub const MAX_AGE: Duration = Duration::from_secs(15);
/// A smaller body fits into one network packet, so compressing it costs time and saves none.
const MIN_COMPRESSED_BYTES: usize = 1024;

/// Marks a response that came from memory and cost next to nothing; `rate_limit.rs` charges less for it.
#[derive(Debug, Clone, Copy)]
pub struct CacheHit;

#[derive(Debug)]
pub struct CachedResponse {
    /// The route that it answers, for the metrics of responses that are sent without routing.
    pub route: &'static str,
    status: StatusCode,
    /// The headers of every form of the response, built once.
    headers: HeaderMap,
    body: Bytes,
    etag: HeaderValue,
    /// The compressed forms, once they are needed; `None` for one that could not be made.
    brotli: OnceCell<Option<Encoded>>,
    gzip: OnceCell<Option<Encoded>>,
    created: Instant,
    /// When what it says changes by the clock.
    ends_at: Option<DateTime<Utc>>,
    /// Whether it has been sent before; from then on it counts as a cache hit.
    served: AtomicBool,
}

/// A compressed form. Its bytes differ, so its strong tag must differ too.
#[derive(Debug)]
struct Encoded {
    encoding: Encoding,
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
            ends_at: None,
            served: AtomicBool::new(false),
        }
    }

    pub fn json<T: serde::Serialize>(route: &'static str, value: &T) -> Result<Self, serde_json::Error> {
        Ok(Self::new(route, StatusCode::OK, "application/json", serde_json::to_vec(value)?))
    }

    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// Says when this response is out of date although nothing in the database has changed.
    #[must_use]
    pub fn valid_until(self, ends_at: Option<DateTime<Utc>>) -> Self {
        Self { ends_at, ..self }
    }

    pub const fn ends_at(&self) -> Option<DateTime<Utc>> {
        self.ends_at
    }

    #[cfg(test)]
    #[must_use]
    pub fn aged(mut self, age: Duration) -> Self {
        self.created -= age;
        self
    }

    pub const fn created(&self) -> Instant {
        self.created
    }

    /// Responds in the best encoding that the client accepts, or with 304 if the client already has the response.
    pub async fn respond(&self, request_headers: &HeaderMap) -> Response {
        let form = match self.choose_encoding(request_headers) {
            Some(Encoding::Brotli) => self.brotli.get_or_init(|| self.compress(Encoding::Brotli)).await.as_ref(),
            Some(Encoding::Gzip) => self.gzip.get_or_init(|| self.compress(Encoding::Gzip)).await.as_ref(),
            Some(Encoding::Zstd) | None => None,
        };
        self.build_response(request_headers, form)
    }

    /// Does the same without waiting; `None` if the body would have to be compressed first.
    pub fn respond_now(&self, request_headers: &HeaderMap) -> Option<Response> {
        let form = match self.choose_encoding(request_headers) {
            Some(Encoding::Brotli) => self.brotli.get()?.as_ref(),
            Some(Encoding::Gzip) => self.gzip.get()?.as_ref(),
            Some(Encoding::Zstd) | None => None,
        };
        Some(self.build_response(request_headers, form))
    }

    fn choose_encoding(&self, request_headers: &HeaderMap) -> Option<Encoding> {
        if self.body.len() < MIN_COMPRESSED_BYTES {
            return None;
        }
        Encoding::best(request_headers, &[Encoding::Brotli, Encoding::Gzip])
    }

    fn build_response(&self, request_headers: &HeaderMap, form: Option<&Encoded>) -> Response {
        let (body, etag) = form.map_or((&self.body, &self.etag), |form| (&form.body, &form.etag));
        let known = request_headers
            .get(header::IF_NONE_MATCH)
            .is_some_and(|tags| tags.as_bytes().split(|byte| *byte == b',').any(|tag| is_tag(tag, etag.as_bytes())));
        let unmodified = known && self.status == StatusCode::OK;
        let mut response = Response::new(if unmodified { Body::empty() } else { Body::from(body.clone()) });
        *response.status_mut() = if unmodified { StatusCode::NOT_MODIFIED } else { self.status };
        *response.headers_mut() = self.headers.clone();
        if let Some(form) = form {
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(form.encoding.name()));
            headers.insert(header::ETAG, form.etag.clone());
        }
        let age = self.created.elapsed();
        if age > MAX_AGE {
            response.headers_mut().insert(header::AGE, HeaderValue::from(age.as_secs()));
        }
        if unmodified {
            headers::strip_body_headers(response.headers_mut());
        }
        if self.served.swap(true, Ordering::Relaxed) {
            response.extensions_mut().insert(CacheHit);
        }
        response
    }

    async fn compress(&self, encoding: Encoding) -> Option<Encoded> {
        let body = compression::compress(encoding, &self.body).await?;
        let tag = self.etag.to_str().unwrap_or_default().trim_matches('"');
        Some(Encoded { encoding, body, etag: quoted(tag, encoding.name()) })
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

/// Enough of a SHA-256 to tell two responses apart.
pub fn short_hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes).into_iter().take(12))
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test]
    async fn a_body_that_cannot_be_compressed_is_sent_as_it_is() {
        let text = "x".repeat(4000);
        let answer = CachedResponse::new("/p", StatusCode::OK, "application/json", text.clone());
        answer.brotli.set(None).unwrap();
        let accepts_brotli = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static("br"))]);

        for response in [answer.respond(&accepts_brotli).await, answer.respond_now(&accepts_brotli).unwrap()] {
            assert_eq!(response.headers().get(header::CONTENT_ENCODING), None);
            assert_eq!(response.headers()[header::ETAG], answer.etag);
            assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), text);
        }
    }
}
