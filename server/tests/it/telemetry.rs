//! What a log line and a span say about the request or the job they belong to.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::telemetry;
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
