//! Logs, spans and metrics. Logs are JSON lines, one per failure where it is handled, with ids only: never an email
//! address, a phone number, an address, a token or a body.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::net::TcpListener;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use super::state::App;
use super::traces::{self, TraceIds, has_no_payload};

const BUCKETS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 0.8, 3.0, 15.0];
/// A payment may take an hour, and it is promised that the shop notices it within 90 s.
const SETTLEMENT_BUCKETS: [f64; 10] = [5.0, 15.0, 30.0, 60.0, 90.0, 180.0, 600.0, 1_800.0, 3_600.0, 7_200.0];

const UPKEEP: Duration = Duration::from_secs(5);

/// Sends the last spans when it is dropped.
#[must_use]
pub struct Telemetry(Option<SdkTracerProvider>);

impl Drop for Telemetry {
    fn drop(&mut self) {
        if let Some(Err(error)) = self.0.as_ref().map(SdkTracerProvider::shutdown) {
            tracing::warn!(%error, "the last spans were not exported");
        }
    }
}

/// Starts the log and, if `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector, exports spans over OTLP.
pub fn init_logging() -> anyhow::Result<Telemetry> {
    let filter = EnvFilter::try_from_env("RUST_LOG").unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    let provider = if std::env::var_os("OTEL_EXPORTER_OTLP_ENDPOINT").is_some_and(|endpoint| !endpoint.is_empty()) {
        let exporter = SpanExporter::builder().with_http().build()?;
        let resource = Resource::builder().with_service_name("thunse").build();
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource);
        Some(provider.with_id_generator(TraceIds::default()).build())
    } else {
        None
    };
    match &provider {
        Some(provider) => {
            // `RUST_LOG` is about the log: a quiet log must not silence the traces.
            let log = log_layer(std::io::stderr).with_filter(filter);
            tracing_subscriber::registry().with(log).with(traces::layer(provider)).init();
        }
        None => tracing_subscriber::registry().with(filter).with(log_layer(std::io::stderr)).init(),
    }
    Ok(Telemetry(provider))
}

/// Writes JSON lines that name the request or the job they belong to.
pub fn log_layer<S, W>(writer: W) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + 'static,
{
    let lines = tracing_subscriber::fmt::layer().json().flatten_event(true).with_current_span(true);
    lines.with_span_list(false).with_writer(writer).with_filter(filter_fn(has_no_payload))
}

pub fn init_metrics() -> anyhow::Result<PrometheusHandle> {
    Ok(PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS)?
        .set_buckets_for_metric(Matcher::Full("payment_settlement_duration_seconds".to_owned()), &SETTLEMENT_BUCKETS)?
        .install_recorder()?)
}

/// Serves `/metrics` on its own port, which must stay private.
pub async fn serve_metrics(address: SocketAddr, handle: PrometheusHandle, app: App) -> std::io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    // Samples accumulate until they are sorted into their buckets, which must happen even if no one reads the metrics.
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
    for (name, pool) in [("main", &app.db.main), ("search", &app.db.search), ("browse", &app.db.browse)] {
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        let max = pool.options().get_max_connections();
        metrics::gauge!("db_pool_max_connections", "pool" => name).set(f64::from(max));
        metrics::gauge!("db_pool_connections", "pool" => name).set(f64::from(pool.size()));
        metrics::gauge!("db_pool_in_use", "pool" => name).set(f64::from(pool.size().saturating_sub(idle)));
    }
    metrics::gauge!("catalogue_listener_connected").set(if app.cache.is_listening() { 1.0 } else { 0.0 });
}

/// Converts a count to the value of a gauge.
pub fn to_gauge(number: i64) -> f64 {
    f64::from(i32::try_from(number).unwrap_or(i32::MAX))
}
