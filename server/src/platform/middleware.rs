//! The middleware around every request: limits, the CSRF check, time-outs, metrics, logs and headers.
//!
//! A handler that has to wait runs in its own task: a client that disconnects, or our own time-out, ends the waiting
//! and never the work, so a database step cannot be cut in half (sqlx 0.9.0 can hand a connection back inside an open
//! transaction when `begin` is cancelled; see `docs/decisions/009-request-handlers-in-their-own-task.md`).

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use hyper::body::Incoming;
use metrics::{Counter, Histogram};
use serde_json::json;
use tower_http::timeout::TimeoutBody;
use tracing::{Instrument, field};

use super::api_error::{ApiError, Cause, ErrorCode};
use super::cache::CacheHit;
use super::language::Language;
use super::security_log::{self, RequestOrigin, SecurityEventKind};
use super::sessions::describe_device;
use super::state::App;
use super::web::client_ip;
use super::{drain_body, form, headers, messages, traces};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const SLOW_REQUEST: Duration = Duration::from_millis(500);

const HSTS: HeaderValue = HeaderValue::from_static("max-age=63072000");
/// For an owner whose subdomains all use TLS and who wants the domain in the browsers' preload lists.
const HSTS_WITH_PRELOAD: HeaderValue = HeaderValue::from_static("max-age=63072000; includeSubDomains; preload");

/// Sets the language of the request, so that every message is in the reader's language.
pub async fn handle_request(State(app): State<App>, request: Request, next: Next) -> Response {
    let language = Language::from_headers(request.headers());
    messages::with_language(language, process_request(app, request, next, language)).await
}

async fn process_request(app: App, request: Request, next: Next, language: Language) -> Response {
    let started = Instant::now();
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let route = route_of(matched.as_ref());
    let method = request.method().clone();
    let id = request_id(request.headers());
    let request = with_body_timeout(request, app.config.http.body_read_timeout);
    let origin = request_origin(&app, &request, &id);

    // The request is counted before the work begins, so that a hundred requests at once do not all pass.
    let limited_address = is_public_read(&method, request.uri().path()).then(|| request_ip(&app, &request)).flatten();
    let over = limited_address.and_then(|address| app.limits.public_reads.take(address).err());
    let refusal = if method_label(&method).is_none() {
        Some(ApiError::method_unknown())
    } else if over.is_some() {
        over
    } else if is_cross_site(&app.config.public_url, &method, request.uri().path(), request.headers()) {
        Some(ApiError::cross_site())
    } else {
        injected_fault(request.headers())
    };
    // A picture over a slow connection takes longer to arrive than a handler may take.
    let is_form =
        request.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/"));
    let upload_time = if is_form { form::READ_TIMEOUT } else { Duration::ZERO };
    let called = method_label(&method).map(|method| (method, matched.clone()));
    let shop = app.clone();
    let work = async move {
        let response = match refusal {
            Some(refusal) => refusal.into_response(),
            None => next.run(request).await,
        };
        // This is part of the work, which a client that disconnects cannot cancel.
        let refused = response.extensions().get::<ErrorCode>().copied();
        if let (Some((method, route)), Some(ErrorCode(code))) = (called, refused) {
            log_refusal(&shop, method, route_of(route.as_ref()), response.status(), code).await;
        }
        response
    };
    // The span covers the handler's task as well, so that every line it logs names the request. Responses that
    // `respond_from_cache` sends have no span.
    let span = tracing::info_span!(
        "request",
        id = id.to_str().unwrap_or_default(),
        method = method_label(&method).unwrap_or("other"),
        route,
        user = field::Empty,
        seller = field::Empty
    );
    traces::start(&span, id.to_str().unwrap_or_default(), method_label(&method).unwrap_or("other"), route);
    let work = security_log::with_origin(origin, messages::with_language(language, work)).instrument(span.clone());
    let mut response = run_to_completion(work, app.config.http.handler_timeout + upload_time).await;

    if let Some(address) = limited_address
        && response.extensions().get::<CacheHit>().is_some()
    {
        app.limits.public_reads.credit_cached(address);
    }
    let elapsed = started.elapsed();
    let status = response.status();
    traces::set_status(&span, status);
    let method = method_label(&method).unwrap_or("other");
    with_request_metrics(route, method, status, |requests, seconds| {
        requests.increment(1);
        seconds.record(elapsed);
    });
    if status.is_server_error() || elapsed > SLOW_REQUEST {
        let cause = response.extensions_mut().remove::<Cause>();
        tracing::warn!(
            request = id.to_str().unwrap_or_default(),
            method,
            route,
            status = status.as_u16(),
            millis = elapsed.as_millis(),
            cause = cause.as_ref().map(|Cause(text)| text.as_str()),
            "slow or failed request"
        );
    } else {
        tracing::debug!(method, route, status = status.as_u16(), micros = elapsed.as_micros(), "request");
    }
    set_response_headers(&app, &mut response, id);
    response
}

fn route_of(matched: Option<&MatchedPath>) -> &str {
    matched.map_or("other", MatchedPath::as_str)
}

/// Returns what the security log records about the origin of a request.
fn request_origin(app: &App, request: &Request, id: &HeaderValue) -> RequestOrigin {
    let id = id.to_str().unwrap_or_default().to_owned();
    RequestOrigin::new(request_ip(app, request), describe_device(request.headers()), id)
}

/// Records denied access, reached limits and refused input, whichever module refused. Limits and input are recorded
/// once in a while, because the first call says as much as a thousand.
async fn log_refusal(app: &App, method: &str, route: &str, status: StatusCode, code: &'static str) {
    let (db, called, details) = (&app.db.main, &format!("{method} {route}"), json!({ "code": code }));
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            security_log::record_refusal_response(db, SecurityEventKind::AccessDenied, called, &details).await;
        }
        StatusCode::TOO_MANY_REQUESTS => {
            security_log::record_first_refusal_response(db, SecurityEventKind::LimitReached, called, &details).await;
        }
        StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNPROCESSABLE_ENTITY => {
            security_log::record_first_refusal_response(db, SecurityEventKind::InputRefused, called, &details).await;
        }
        _ => {}
    }
}

/// Lets a test ask for a failure that is hard to cause; release builds ignore it.
#[cfg(debug_assertions)]
fn injected_fault(headers: &HeaderMap) -> Option<ApiError> {
    match headers.get("x-test-fault")?.as_bytes() {
        b"500" => Some(ApiError::internal_silent()),
        b"503" => Some(ApiError::busy()),
        _ => None,
    }
}

#[cfg(not(debug_assertions))]
const fn injected_fault(_headers: &HeaderMap) -> Option<ApiError> {
    None
}

/// Sends a cached response without routing, so that the most frequent requests cost the least.
pub fn respond_from_cache(app: &App, request: &http::Request<Incoming>, peer: IpAddr) -> Option<Response> {
    if request.method() != Method::GET {
        return None;
    }
    let answer = app.cache.get_now(&app.cache.key(request.uri())?)?;
    let address = client_ip(app, request.headers(), Some(peer))?;
    let mut response = match app.limits.public_reads.take_cached(address) {
        Ok(()) => answer.respond_now(request.headers())?,
        Err(over) => over.into_response(),
    };
    // The request is counted but not timed, because reading the clock twice would be a noticeable part of the time.
    with_request_metrics(answer.route, "GET", response.status(), |requests, _| requests.increment(1));
    set_response_headers(app, &mut response, request_id(request.headers()));
    Some(response)
}

/// Whether a request is a public read that costs work: a page, a catalogue call or a sitemap. Files of the web app and
/// pictures are not, because they are sent as they are and a page loads dozens of them.
fn is_public_read(method: &Method, path: &str) -> bool {
    let free = ["/assets/", "/media/", "/healthz", "/readyz"];
    let public_calls = [
        "/api/product/get_product",
        "/api/category/get_category_public",
        "/api/policy/get_policy/",
        "/api/coupon/get_public_coupons",
    ];
    matches!(*method, Method::GET | Method::HEAD)
        && !free.iter().any(|start| path.starts_with(start))
        && (!path.starts_with("/api/") || public_calls.iter().any(|start| path.starts_with(start)))
}

fn request_ip(app: &App, request: &Request) -> Option<IpAddr> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    client_ip(app, request.headers(), peer)
}

/// Adds a read time-out to the body and drains what the handler leaves unread; GET and HEAD requests stay as they are.
fn with_body_timeout(request: Request, timeout: Duration) -> Request {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return request;
    }
    request.map(|body| drain_body::drain_on_drop(Body::new(TimeoutBody::new(timeout, body))))
}

/// Waits for `work` for up to `limit`; the work itself always runs to its end. Work that is ready at once, such as a
/// cached response, needs no task; work that has to wait continues in its own task, where a client that disconnects
/// cannot cancel it.
async fn run_to_completion(work: impl Future<Output = Response> + Send + 'static, limit: Duration) -> Response {
    let mut work = Box::pin(work);
    // No await between this first step and the spawn, so nothing can be dropped in between.
    let first =
        std::future::poll_fn(|context| Poll::Ready(catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context)))));
    match first.await {
        Ok(Poll::Ready(response)) => return response,
        Ok(Poll::Pending) => {}
        Err(_panic) => return panic_response(),
    }
    #[expect(clippy::disallowed_methods, reason = "this is the one place where request work is spawned")]
    let task = tokio::spawn(work);
    match tokio::time::timeout(limit, task).await {
        Ok(Ok(response)) => response,
        Ok(Err(_panic)) => panic_response(),
        Err(_elapsed) => ApiError::timed_out().into_response(),
    }
}

/// The panic hook has logged the place; the caller gets a plain internal error.
fn panic_response() -> Response {
    metrics::counter!("handler_panics_total").increment(1);
    ApiError::internal_silent().into_response()
}

thread_local! {
    /// Looking up a metric by its labels costs more than sending a cached response, so each thread caches its own.
    static REQUEST_METRICS: RefCell<HashMap<u64, (Counter, Histogram)>> = RefCell::default();
}
static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// The method as the metrics and the log name it. hyper accepts any token as a method, and a label that a visitor
/// chooses would be a series that lives as long as the process.
fn method_label(method: &Method) -> Option<&'static str> {
    Some(match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::PATCH => "PATCH",
        Method::OPTIONS => "OPTIONS",
        Method::TRACE => "TRACE",
        Method::CONNECT => "CONNECT",
        _ => return None,
    })
}

fn with_request_metrics(
    route: &str,
    method: &'static str,
    status: StatusCode,
    update: impl FnOnce(&Counter, &Histogram),
) {
    let key = HASHER.hash_one((route, method, status));
    REQUEST_METRICS.with_borrow_mut(|meters| {
        let (requests, seconds) = meters.entry(key).or_insert_with(|| {
            let labels =
                [("route", route.to_owned()), ("method", method.to_owned()), ("status", status.as_str().to_owned())];
            let requests = metrics::counter!("http_requests_total", &labels);
            (requests, metrics::histogram!("http_request_duration_seconds", "route" => route.to_owned()))
        });
        update(requests, seconds);
    });
}

/// The proxy's request id if it is well-formed, so that a request has one id in every log; otherwise a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    static RUN: LazyLock<u64> = LazyLock::new(|| HASHER.hash_one("this run of the program"));
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let sane = |value: &&HeaderValue| {
        (8..=64).contains(&value.len())
            && value.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    headers.get(&REQUEST_ID).filter(sane).cloned().unwrap_or_else(|| {
        let text = format!("{:016x}{:016x}", *RUN, NEXT.fetch_add(1, Ordering::Relaxed));
        HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("none"))
    })
}

/// A request that changes something must come from our own pages. Browsers say so in `Sec-Fetch-Site`, older ones in
/// `Origin`. A request with neither is refused, because browsers send multipart and plain-text forms to other sites
/// without asking them first. The calls of mail programs are the exception: a secret in their URL authorises them.
fn is_cross_site(public_url: &str, method: &Method, path: &str, headers: &HeaderMap) -> bool {
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) || is_one_click_unsubscribe(path) {
        return false;
    }
    match headers.get("sec-fetch-site") {
        Some(site) => site != "same-origin",
        None => headers.get(header::ORIGIN).is_none_or(|origin| origin != public_url),
    }
}

/// Mail programs post to these paths when a person turns emails off or leaves the newsletter (RFC 8058). Their handlers
/// read no cookie: the token in the URL is the permission.
fn is_one_click_unsubscribe(path: &str) -> bool {
    path == "/api/alerts/unsubscribe" || path.starts_with("/api/subscriber/unsubscribe/")
}

fn set_response_headers(app: &App, response: &mut Response, id: HeaderValue) {
    let unmodified = response.status() == StatusCode::NOT_MODIFIED;
    let headers = response.headers_mut();
    headers::set_security_headers(headers);
    if unmodified {
        headers::strip_body_headers(headers);
    }
    if app.config.public_url.starts_with("https:") {
        let policy = if app.config.hsts_preload { HSTS_WITH_PRELOAD } else { HSTS };
        headers.insert(header::STRICT_TRANSPORT_SECURITY, policy);
    }
    if app.is_shutting_down() {
        // This makes the proxy close its connections before we stop listening.
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    headers.insert(REQUEST_ID, id);
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use tokio::sync::oneshot;

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn only_our_own_pages_may_change_things() {
        let shop = "https://thunse.example";
        let forged =
            |pairs: &[(&'static str, &'static str)]| is_cross_site(shop, &Method::POST, "/api", &headers(pairs));

        assert!(!forged(&[("sec-fetch-site", "same-origin")]));
        assert!(!forged(&[("origin", "https://thunse.example")]));
        assert!(forged(&[("sec-fetch-site", "cross-site"), ("origin", "https://thunse.example")]));
        assert!(forged(&[("sec-fetch-site", "same-site")]));
        assert!(forged(&[("origin", "https://evil.example")]));
        assert!(forged(&[]));
        assert!(!is_cross_site(shop, &Method::GET, "/api", &HeaderMap::new()));
        for path in ["/api/alerts/unsubscribe", "/api/subscriber/unsubscribe/0190a0a0"] {
            assert!(!is_cross_site(shop, &Method::POST, path, &HeaderMap::new()), "{path}");
        }
        for path in ["/api/alerts/unsubscribe_device", "/api/subscriber/unsubscribe", "/api/subscriber/confirm"] {
            assert!(is_cross_site(shop, &Method::POST, path, &HeaderMap::new()), "{path}");
        }
    }

    #[test]
    fn a_strange_request_id_is_replaced() {
        let accepted = request_id(&headers(&[("x-request-id", "abc-12345678")]));
        let replaced = request_id(&headers(&[("x-request-id", "<script>alert(1)</script>")]));

        assert_eq!(accepted, "abc-12345678");
        assert_eq!(replaced.len(), 32);
    }

    /// Work that ends when it is told to, and reports that it ended.
    fn slow_work() -> (impl Future<Output = Response>, oneshot::Sender<()>, oneshot::Receiver<()>) {
        let (done, finished) = oneshot::channel();
        let (go_on, told) = oneshot::channel();
        let work = async move {
            told.await.unwrap();
            done.send(()).unwrap();
            Response::default()
        };
        (work, go_on, finished)
    }

    #[tokio::test]
    async fn a_time_out_ends_the_waiting_and_not_the_work() {
        let (work, go_on, finished) = slow_work();

        let response = run_to_completion(work, Duration::from_millis(10)).await;

        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        go_on.send(()).unwrap();
        finished.await.expect("the work went on");
    }

    #[tokio::test]
    async fn a_panic_at_once_or_later_is_an_internal_error() {
        let at_once = run_to_completion(async { panic!("a bug") }, Duration::from_hours(1)).await;
        let later = async {
            tokio::task::yield_now().await;
            panic!("a bug")
        };
        let later = run_to_completion(later, Duration::from_hours(1)).await;

        assert_eq!(at_once.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(later.status(), StatusCode::INTERNAL_SERVER_ERROR);
    }

    #[tokio::test]
    async fn a_client_that_leaves_ends_the_waiting_and_not_the_work() {
        let (work, go_on, finished) = slow_work();

        // The future is dropped midway, as hyper does when a connection closes.
        assert!(run_to_completion(work, Duration::from_hours(1)).now_or_never().is_none());

        go_on.send(()).unwrap();
        finished.await.expect("the work went on");
    }
}
