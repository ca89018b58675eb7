//! The real server on a real socket: slow clients, clients that disconnect, and shutdown.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use sqlx::PgPool;
use thunse::app;
use thunse::platform::serve;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};

use crate::support::{SHOP, TestShop};

/// No limit ends before the test, unless the test chooses a shorter one.
const PATIENT: [(&str, &str); 4] = [
    ("HEADER_READ_TIMEOUT_MS", "3600000"),
    ("BODY_READ_TIMEOUT_MS", "3600000"),
    ("HANDLER_TIMEOUT_MS", "3600000"),
    ("DRAIN_MS", "3600000"),
];

struct Running {
    shop: TestShop,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: tokio::task::JoinHandle<()>,
}

async fn start(db: PgPool, settings: &[(&str, &str)]) -> Running {
    start_with(db, settings, |router| router).await
}

/// Starts a server with a router that the test has changed.
async fn start_with(db: PgPool, settings: &[(&str, &str)], change: impl FnOnce(Router) -> Router) -> Running {
    let shop = TestShop::with(db, &[&PATIENT[..], settings].concat());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let app = shop.app.clone();
    let router = change(app::router(app.clone()));
    let ended = tokio::spawn(async move {
        serve::serve(app, listener, router, async {
            let _ = stopped.await;
        })
        .await;
    });
    Running { shop, address, stop, ended }
}

pub async fn read_all(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    // A connection that the server closes may end in an error; what was received before it counts.
    let _ = tokio::time::timeout(Duration::from_mins(1), stream.read_to_end(&mut text)).await.expect("never answered");
    String::from_utf8_lossy(&text).into_owned()
}

fn sign_up(email: &str) -> String {
    let body = format!("{{\"email\":\"{email}\"}}");
    format!(
        "POST /api/subscriber/add_subscriber HTTP/1.1\r\nhost: shop\r\norigin: {SHOP}\r\ncontent-type: application/json\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[sqlx::test]
async fn a_client_that_never_finishes_its_headers_is_cut_off(db: PgPool) {
    let running = start(db, &[("HEADER_READ_TIMEOUT_MS", "300")]).await;
    let mut slow = TcpStream::connect(running.address).await.unwrap();

    slow.write_all(b"GET / HTTP/1.1\r\nhost: shop\r\nx-slow: ").await.unwrap();

    // It returns when the server closes the connection.
    read_all(slow).await;
}

#[sqlx::test]
async fn a_client_that_never_finishes_its_body_is_refused(db: PgPool) {
    let running = start(db, &[("BODY_READ_TIMEOUT_MS", "300")]).await;
    let mut slow = TcpStream::connect(running.address).await.unwrap();
    let request = sign_up("asha@example.com");
    let (most, _) = request.split_at(request.len() - 5);

    slow.write_all(most.as_bytes()).await.unwrap();
    let answer = read_all(slow).await;

    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    assert!(answer.contains("\"success\":false"), "{answer}");
}

/// Sends when it is dropped.
struct Dropped(mpsc::UnboundedSender<()>);

impl Drop for Dropped {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

#[sqlx::test]
async fn a_client_that_leaves_does_not_stop_the_work(db: PgPool) {
    let (sender, mut noticed) = mpsc::unbounded_channel();
    let running = start_with(db, &[], |router| {
        router.layer(from_fn(move |request: Request, next: Next| {
            let waiting = Dropped(sender.clone());
            async move {
                let response = next.run(request).await;
                drop(waiting);
                response
            }
        }))
    })
    .await;
    let mut lock = running.shop.db.begin().await.unwrap();
    sqlx::query("LOCK TABLE subscribers IN EXCLUSIVE MODE").execute(&mut *lock).await.unwrap();

    let mut leaving = TcpStream::connect(running.address).await.unwrap();
    leaving.write_all(sign_up("asha@example.com").as_bytes()).await.unwrap();
    // The client disconnects while its insert waits for the table lock.
    wait_for_count(&running.shop.db, BLOCKED_STATEMENTS, 1).await;
    drop(leaving);
    // The server notices it, and no longer waits for the response, before the insert can go on.
    tokio::time::timeout(Duration::from_mins(1), noticed.recv()).await.expect("it still waits for the response");
    lock.rollback().await.unwrap();

    wait_for_count(&running.shop.db, "SELECT count(*) FROM subscribers", 1).await;
}

/// Counts the statements in this test's database that wait for a lock.
pub const BLOCKED_STATEMENTS: &str =
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

pub async fn wait_for_count(db: &PgPool, sql: &'static str, wanted: i64) {
    for _ in 0..1_200 {
        let found: i64 = sqlx::query_scalar(sql).fetch_one(db).await.unwrap();
        if found == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never: {sql} = {wanted}");
}

#[sqlx::test]
async fn a_stopping_server_still_answers(db: PgPool) {
    let running = start(db, &[]).await;
    let get = |path: &'static str| async move {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream
            .write_all(format!("GET {path} HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n").as_bytes())
            .await
            .unwrap();
        read_all(stream).await
    };
    assert!(get("/readyz").await.starts_with("HTTP/1.1 200"));

    running.stop.send(()).unwrap();
    while get("/readyz").await.starts_with("HTTP/1.1 200") {}

    assert!(get("/readyz").await.starts_with("HTTP/1.1 503"), "the proxy is told");
    assert!(get("/healthz").await.starts_with("HTTP/1.1 200"), "and shoppers are still served");
    assert!(!running.ended.is_finished());
}

#[sqlx::test]
async fn a_stopping_server_ends_after_a_while(db: PgPool) {
    let running = start(db, &[("DRAIN_MS", "50")]).await;

    running.stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_mins(1), running.ended).await.expect("it ends").unwrap();

    assert!(TcpStream::connect(running.address).await.is_err(), "nobody listens any more");
}

#[sqlx::test]
async fn an_answer_from_memory_is_the_answer_of_the_router(db: PgPool) {
    let running = start(db, &[]).await;
    thunse::demo::load_demo(&running.shop.db, &*running.shop.app.pictures).await.unwrap();
    let get = || async {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        let request = "GET /api/product/get_products?limit=3 HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).await.unwrap();
        let text = read_all(stream).await;
        let changing = ["x-request-id", "date"];
        let mut lines: Vec<String> = text
            .lines()
            .filter(|line| !changing.iter().any(|name| line.to_lowercase().starts_with(name)))
            .map(str::to_owned)
            .collect();
        // The order of headers has no meaning.
        lines.sort();
        lines
    };

    let (routed, cached) = (get().await, get().await);

    assert!(running.shop.app.cache.get_now("/api/product/get_products?limit=3").is_some(), "it is cached");
    assert_eq!(routed, cached);
    assert!(cached.iter().any(|line| line.contains("Jeera Masino Rice")));
}

/// A proxy treats a broken connection as a broken server, so a refused client must be able to send its whole request.
#[sqlx::test]
async fn a_refused_body_is_read_on_and_the_connection_stays_good(db: PgPool) {
    let running = start(db, &[]).await;
    let mut line = TcpStream::connect(running.address).await.unwrap();
    let large = "x".repeat(2 << 20);
    let refused = format!(
        "POST /api/subscriber/add_subscriber HTTP/1.1\r\nhost: shop\r\norigin: {SHOP}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{large}",
        large.len()
    );

    // The client can send the whole body, although the server has decided after 64 KB.
    line.write_all(refused.as_bytes()).await.unwrap();
    line.write_all(sign_up("after@example.com").as_bytes()).await.unwrap();

    let said = read_all(line).await;
    assert!(said.starts_with("HTTP/1.1 413"), "{said}");
    assert!(said.contains("HTTP/1.1 200"), "the next request on the same line is answered: {said}");
}
