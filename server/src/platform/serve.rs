//! Accepts connections, and shuts down without dropping requests.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tower::Service;

use super::api_error::ApiError;
use super::config::HttpLimits;
use super::middleware;
use super::state::App;

/// How much of a body a connection may buffer before its handler reads it. hyper's default of 400 KB would be 40 MB for
/// a hundred uploads.
const MAX_BUFFER: usize = 64 * 1024;

/// Serves until `stop` resolves, then drains: it reports 'not ready' and goes on for a while so that the proxy stops
/// sending requests, stops accepting, lets running requests finish, and returns.
pub async fn serve(app: App, listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let limits = app.config.http.clone();
    let connections = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.header_read_timeout).max_buf_size(MAX_BUFFER);

    let drained = async {
        stop.await;
        app.start_shutdown();
        tracing::info!(drain = ?limits.drain, "stopping: no longer ready, still serving requests");
        tokio::time::sleep(limits.drain).await;
    };
    tokio::pin!(drained);
    loop {
        let (stream, peer) = tokio::select! {
            () = &mut drained => break,
            accepted = listener.accept() => match accepted {
                Ok(connection) => connection,
                Err(error) => {
                    // The process is usually out of file descriptors; a short wait lets some close.
                    tracing::warn!(%error, "could not accept a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        // Small responses must not wait for more data.
        let _ = stream.set_nodelay(true);
        let connection = http.serve_connection(TokioIo::new(stream), service(app.clone(), router.clone(), peer));
        let connection = connections.watch(connection);
        #[expect(
            clippy::disallowed_methods,
            reason = "one task a connection; requests get their own in middleware.rs"
        )]
        tokio::spawn(async move {
            // A client that disconnects or sends nonsense is not our error.
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    drop(listener);
    drain_connections(connections, &limits).await;
}

async fn drain_connections(connections: GracefulShutdown, limits: &HttpLimits) {
    let longest = limits.handler_timeout + Duration::from_secs(1);
    if tokio::time::timeout(longest, connections.shutdown()).await.is_err() {
        tracing::warn!("some connections were still open when the server stopped");
    }
}

/// Responds from the cache where possible; all other requests go through the router, with the client's address.
fn service(
    app: App,
    router: Router,
    peer: SocketAddr,
) -> impl hyper::service::Service<
    http::Request<Incoming>,
    Response = axum::response::Response,
    Error = Infallible,
    Future: Send + 'static,
> {
    service_fn(move |request: http::Request<Incoming>| {
        let cached = middleware::respond_from_cache(&app, &request, peer.ip());
        let routed = cached.is_none().then(|| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            router.clone().call(request)
        });
        async move {
            match (cached, routed) {
                (Some(response), _) => Ok(response),
                (None, Some(routed)) => routed.await,
                (None, None) => Ok(ApiError::internal_silent().into_response()),
            }
        }
    })
}

/// Resolves when the process is asked to stop.
pub async fn shutdown_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) {
        (Ok(mut terminate), Ok(mut interrupt)) => {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        }
        (Err(error), _) | (_, Err(error)) => {
            tracing::error!(%error, "could not listen for the stop signal; only SIGKILL will end this process");
            std::future::pending::<()>().await;
        }
    }
}
