//! What a log line and a span say about the request or the job they belong to.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_sdk::trace::SdkTracerProvider;
use prost::Message;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::telemetry;
use thunse::platform::traces::{self, TraceIds};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tracing_subscriber::layer::SubscriberExt;

use crate::orders::{asha, order_request, with_field};
use crate::support::wallet::Wallet;
use crate::support::{GENEROUS_LIMITS, TestShop, queue};

/// What was logged in this test.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Write::write(&mut *self.0.lock().unwrap(), bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Lines {
    fn with_message(&self, message: &str) -> Value {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        let line = text.lines().find(|line| line.contains(message)).unwrap_or_else(|| panic!("no {message:?}: {text}"));
        serde_json::from_str(line).unwrap()
    }
}

/// A test's runtime has one thread, so a subscriber of this thread sees all of its tasks.
fn capture() -> (Lines, tracing::subscriber::DefaultGuard) {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::registry().with(telemetry::log_layer(move || writer.clone()));
    (lines, tracing::subscriber::set_default(subscriber))
}

#[sqlx::test]
async fn a_log_line_of_a_wallet_call_names_its_request_and_its_job(db: PgPool) {
    let wallet = Wallet::start();
    let settings = [&GENEROUS_LIMITS[..], &wallet.settings()[..]].concat();
    let (shop, category) = TestShop::with_category_and(db, &settings).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let asha = asha(&shop).await;
    let order = with_field(order_request(&rice, 1, 585.0), "paymentMethod", json!("Khalti"));
    let user: String = sqlx::query_scalar("SELECT id::text FROM users").fetch_one(&shop.db).await.unwrap();
    let (lines, _guard) = capture();
    wallet.misbehave("initiate", "error", 1).await;

    let refused = asha.place_online_order(Some("k"), &order).await;

    let line = lines.with_message("a wallet call failed");
    assert_eq!(line["span"]["name"], "request", "{line}");
    assert_eq!(line["span"]["id"], refused.header("x-request-id"));
    assert_eq!(line["span"]["route"], "/api/order/place_order_online");
    assert_eq!(line["span"]["user"], user);

    asha.place_online_order(Some("l"), &order).await;
    let (lines, _guard) = capture();
    wallet.misbehave("lookup", "error", 1).await;
    shop.advance_time(chrono::TimeDelta::minutes(2)).await;

    let line = lines.with_message("a wallet call failed");
    assert_eq!((&line["span"]["job"], &line["span"]["attempt"]), (&json!("orders.check_payment"), &json!(1)), "{line}");
}

#[sqlx::test]
async fn spans_go_to_a_collector_where_one_is_named(db: PgPool) {
    let collector = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", collector.local_addr().unwrap());
    let (shop, _) = TestShop::with_category(db).await;
    queue::add_job(&shop.db, "maintenance.delete_expired", &json!({})).await;
    let received = tokio::spawn(async move {
        let (mut connection, _) = collector.accept().await.unwrap();
        let mut request = Vec::new();
        let mut part = vec![0; 64 * 1024];
        while !String::from_utf8_lossy(&request).contains("maintenance.delete_expired") {
            let length = connection.read(&mut part).await.unwrap();
            assert!(length > 0, "{}", String::from_utf8_lossy(&request));
            request.extend_from_slice(&part[..length]);
        }
        connection.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.unwrap();
        String::from_utf8_lossy(&request).into_owned()
    });
    let mut command =
        shop.command(&["worker", "--once"], &[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint), ("RUST_LOG", "info")]).await;

    let done = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();

    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let received = tokio::time::timeout(Duration::from_mins(1), received).await.unwrap().unwrap();
    assert!(received.starts_with("POST /v1/traces"), "{received}");
    assert!(received.contains("thunse"), "{received}");
}

/// A collector that keeps what it receives.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Span>>>);

impl Collector {
    /// Listens on a thread of its own, as the exporter does: the test's runtime has one thread.
    fn start(&self) -> String {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let spans = Arc::clone(&self.0);
        let receive = post(async move |body: Bytes| {
            let request = ExportTraceServiceRequest::decode(body).unwrap();
            let scopes = request.resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
            spans.lock().unwrap().extend(scopes.flat_map(|scope| scope.spans));
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        std::thread::spawn(move || {
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener).unwrap();
                axum::serve(listener, Router::new().route("/v1/traces", receive)).await.unwrap();
            });
        });
        format!("http://{address}/v1/traces")
    }

    fn trace(&self, id: &str) -> Vec<Span> {
        let id = hex(id);
        self.0.lock().unwrap().iter().filter(|span| span.trace_id == id).cloned().collect()
    }
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

fn attribute<'a>(span: &'a Span, name: &str) -> &'a str {
    let found =
        span.attributes.iter().find(|each| each.key == name).and_then(|each| each.value.as_ref()?.value.as_ref());
    match found {
        Some(any_value::Value::StringValue(text)) => text,
        other => panic!("{name} of {span:?} is {other:?}"),
    }
}

#[sqlx::test]
async fn one_trace_has_a_request_its_statements_its_wallet_call_and_its_jobs(db: PgPool) {
    let wallet = Wallet::start();
    let settings = [&GENEROUS_LIMITS[..], &wallet.settings()[..]].concat();
    let (shop, category) = TestShop::with_category_and(db, &settings).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let asha = asha(&shop).await;
    let order = with_field(order_request(&rice, 1, 585.0), "paymentMethod", json!("Khalti"));
    let collector = Collector::default();
    let endpoint = collector.start();
    // Its HTTP client may not be made in an async task.
    let exporter =
        tokio::task::spawn_blocking(|| SpanExporter::builder().with_http().with_endpoint(endpoint).build().unwrap());
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter.await.unwrap());
    let provider = provider.with_id_generator(TraceIds::default()).build();
    let subscriber = tracing_subscriber::registry().with(traces::layer(&provider));
    let guard = tracing::subscriber::set_default(subscriber);

    let placed = asha.place_online_order(Some("k"), &order).await;
    let other = asha.get("/api/user/isAuth").await;
    shop.advance_time(chrono::TimeDelta::minutes(2)).await;
    drop(guard);
    tokio::task::spawn_blocking(move || provider.shutdown().unwrap()).await.unwrap();

    assert_eq!((placed.status.as_u16(), other.status.as_u16()), (200, 200), "{}", placed.text);
    let spans = collector.trace(placed.header("x-request-id"));
    let named = |name: &str| spans.iter().filter(|span| span.name == name).collect::<Vec<_>>();
    let below = |parent: &Span| spans.iter().filter(|span| span.parent_span_id == parent.span_id).collect::<Vec<_>>();
    let [request] = named("POST /api/order/place_order_online")[..] else { panic!("{spans:#?}") };
    assert!(request.parent_span_id.is_empty(), "{request:?}");
    assert_eq!(attribute(request, "id"), placed.header("x-request-id"));
    let insert = below(request).into_iter().find(|span| {
        span.attributes.iter().any(|each| each.key == "db.query.text")
            && attribute(span, "db.query.text").contains("INSERT INTO orders")
    });
    let insert = insert.unwrap_or_else(|| panic!("{spans:#?}"));
    assert!(request.start_time_unix_nano <= insert.start_time_unix_nano, "{insert:?}");
    assert!(insert.end_time_unix_nano <= request.end_time_unix_nano, "{insert:?}");
    let initiate = below(request).into_iter().find(|span| span.name == "wallet").unwrap();
    assert_eq!((attribute(initiate, "op"), attribute(initiate, "outcome")), ("initiate", "ok"));
    let job = below(request).into_iter().find(|span| span.name == "orders.check_payment").unwrap();
    assert!(job.start_time_unix_nano >= request.end_time_unix_nano, "{job:?}");
    let lookup = below(job).into_iter().find(|span| span.name == "wallet").unwrap();
    assert_eq!(attribute(lookup, "op"), "lookup");
    assert!(below(job).iter().any(|span| span.name == "SELECT"), "{spans:#?}");

    let ids = spans.iter().map(|span| &span.span_id).collect::<Vec<_>>();
    let orphans = spans.iter().filter(|span| !span.parent_span_id.is_empty() && !ids.contains(&&span.parent_span_id));
    assert_eq!(orphans.count(), 0, "{spans:#?}");
    let others = collector.trace(other.header("x-request-id"));
    assert!(others.iter().any(|span| span.name == "GET /api/user/isAuth"), "{others:#?}");
    // Values are not part of a statement's text.
    let all = format!("{:?}", collector.0.lock().unwrap());
    assert!(!all.contains("asha@") && !all.contains("9801234567"), "{all}");
    shop.assert_invariants_hold().await;
}
