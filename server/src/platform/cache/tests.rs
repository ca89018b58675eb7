use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::compression::{COMPRESSION_PERMITS, MAX_INLINE_COMPRESSION_BYTES};
use super::*;

fn headers_with(name: http::header::HeaderName, value: &str) -> HeaderMap {
    HeaderMap::from_iter([(name, HeaderValue::try_from(value).unwrap())])
}

/// A failure to create a response; `true` if the database is the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Failure(bool);

impl CreationError for Failure {
    fn is_database_unavailable(&self) -> bool {
        self.0
    }
}

fn cache() -> ResponseCache {
    ResponseCache::new(watch::channel(true).1, Clock::default())
}

fn text(body: &'static str) -> CachedResponse {
    CachedResponse::new("/p", StatusCode::OK, "text/plain", body)
}

#[tokio::test]
async fn the_last_answer_is_sent_while_the_database_is_unavailable() {
    let (available, availability) = watch::channel(true);
    let cache = ResponseCache::new(availability, Clock::default());
    cache.set_listening(true);
    cache.get::<Failure, _>("/p", || async { Ok(text("last")) }).await.unwrap();
    cache.invalidate_all(CatalogueChange::Listing);

    let failed = cache.get("/p", || async { Err(Failure(true)) }).await.unwrap();
    let bug = cache.get("/p", || async { Err(Failure(false)) }).await;
    let unknown = cache.get("/q", || async { Err(Failure(true)) }).await;
    available.send(false).unwrap();
    let waiting = cache.get::<Failure, _>("/p", std::future::pending).await.unwrap();
    available.send(true).unwrap();
    let back = cache.get::<Failure, _>("/p", || async { Ok(text("new")) }).await.unwrap();

    assert_eq!((failed.body().as_ref(), waiting.body().as_ref()), (&b"last"[..], &b"last"[..]));
    assert_eq!((bug.unwrap_err(), unknown.unwrap_err()), (Failure(false), Failure(true)));
    assert_eq!(back.body().as_ref(), b"new");
}

#[tokio::test]
async fn an_old_answer_says_its_age() {
    let fresh = text("x").respond(&HeaderMap::new()).await;
    let old = text("x").aged(Duration::from_secs(90)).respond(&HeaderMap::new()).await;

    assert_eq!((fresh.headers().get(header::AGE), &old.headers()[header::AGE]), (None, &HeaderValue::from(90)));
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
    let cache = cache();
    cache.set_listening(true);
    let during = cache.clone();
    let old = cache
        .get::<Failure, _>("/p", || async move {
            during.invalidate_all(CatalogueChange::Detail); // the change arrives while the old rows are being read
            Ok(CachedResponse::new("/p", StatusCode::OK, "text/plain", "old"))
        })
        .await
        .unwrap();

    let next = cache
        .get::<Failure, _>("/p", || async { Ok(CachedResponse::new("/p", StatusCode::OK, "text/plain", "new")) })
        .await
        .unwrap();

    assert_eq!((old.body().as_ref(), next.body().as_ref()), (&b"old"[..], &b"new"[..]));
}

#[tokio::test]
async fn a_new_price_does_not_count_the_products_again() {
    let cache = cache();
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
    let cache = cache();
    let old = || text("old").aged(MAX_AGE_WHEN_DISCONNECTED);
    cache.get::<Failure, _>("/p", || async { Ok(old()) }).await.unwrap();

    let deaf = cache.get::<Failure, _>("/p", || async { Ok(text("new")) }).await.unwrap();

    assert_eq!(deaf.body().as_ref(), b"new");
    cache.set_listening(true);
    assert!(cache.may_serve_response(&old()), "one that hears of changes trusts it");
}
