//! Logs and metrics. Logs are JSON, one line a failure where it is handled, ids only: never an e-mail address,
//! a phone number, an address, a token or a body.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::state::App;

const BUCKETS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 0.8, 3.0, 15.0];

const UPKEEP: Duration = Duration::from_secs(5);

pub fn init_logging() {
    let filter = EnvFilter::try_from_env("RUST_LOG").unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    let lines = tracing_subscriber::fmt::layer().json().flatten_event(true).with_writer(std::io::stderr);
    // The job engine writes with every job what it is about: names, addresses, links. `worker.rs` writes its own lines.
    let lines = lines.with_filter(filter_fn(|event| event.fields().field("payload").is_none()));
    tracing_subscriber::registry().with(filter).with(lines).init();
}

pub fn init_metrics() -> anyhow::Result<PrometheusHandle> {
    Ok(PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS)?
        .install_recorder()?)
}

/// `/metrics` on its own port, which stays private.
pub async fn serve_metrics(address: SocketAddr, handle: PrometheusHandle, app: App) -> std::io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    // Timings pile up until they are sorted into their buckets; nobody may be asking for them.
    let upkeep_handle = handle.clone();
    let upkeep = async move {
        let mut every = tokio::time::interval(UPKEEP);
        loop {
            every.tick().await;
            upkeep_handle.run_upkeep();
        }
    };
    let router = Router::new().route(
        "/metrics",
        get(move || {
            let (handle, app) = (handle.clone(), app.clone());
            async move {
                record_pool_metrics(&app);
                handle.render()
            }
        }),
    );
    tokio::select! {
        ended = axum::serve(listener, router) => ended,
        () = upkeep => Ok(()),
    }
}

fn record_pool_metrics(app: &App) {
    for (name, pool) in [("main", &app.db.main), ("search", &app.db.search)] {
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        metrics::gauge!("db_pool_connections", "pool" => name).set(f64::from(pool.size()));
        metrics::gauge!("db_pool_in_use", "pool" => name).set(f64::from(pool.size().saturating_sub(idle)));
    }
    metrics::gauge!("catalogue_listener_connected").set(if app.cache.is_listening() { 1.0 } else { 0.0 });
}

/// A count as a gauge takes it.
pub fn to_gauge(number: i64) -> f64 {
    f64::from(i32::try_from(number).unwrap_or(i32::MAX))
}
