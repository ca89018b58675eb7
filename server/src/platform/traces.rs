//! Spans as traces of OpenTelemetry: a trace is a request with its statements, its calls to the wallet and the jobs that it
//! has queued. Its id is the request's id, so that a line of nginx's log or of ours leads to it.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{Span as _, SpanId, SpanKind, Status, TraceContextExt, TraceId, Tracer, TracerProvider};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{IdGenerator, RandomIdGenerator, SdkTracer, SdkTracerProvider};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

/// The field of a job's payload that names the span which has queued it, in the form of W3C Trace Context.
pub const PARENT_FIELD: &str = "traceparent";

static IS_EXPORTING: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The id of the trace that this thread is about to begin.
    static NEXT_TRACE: Cell<Option<TraceId>> = const { Cell::new(None) };
}

/// Whether spans go to a collector. Without one, nothing here costs anything.
pub fn is_exporting() -> bool {
    IS_EXPORTING.load(Ordering::Relaxed)
}

/// Gives a trace the id that `start` has set, and any other id at random.
#[derive(Debug, Default)]
pub struct TraceIds(RandomIdGenerator);

impl IdGenerator for TraceIds {
    fn new_trace_id(&self) -> TraceId {
        NEXT_TRACE.take().unwrap_or_else(|| self.0.new_trace_id())
    }

    fn new_span_id(&self) -> SpanId {
        self.0.new_span_id()
    }
}

/// Sends our own spans, the events in them, and a span for each statement.
pub fn layer<S>(provider: &SdkTracerProvider) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    IS_EXPORTING.store(true, Ordering::Relaxed);
    let spans = tracing_opentelemetry::layer().with_tracer(provider.tracer("thunse")).with_filter(filter_fn(is_ours));
    let statements = StatementSpans(provider.tracer("thunse"));
    spans.and_then(statements.with_filter(filter_fn(is_statement)))
}

/// The job engine logs every job's payload, with names, addresses and links, so its lines are left out. `worker.rs`
/// logs its own.
pub fn has_no_payload(event: &Metadata<'_>) -> bool {
    event.fields().field("payload").is_none()
}

/// Whether this is the event with which sqlx reports a statement.
fn is_statement(metadata: &Metadata<'_>) -> bool {
    metadata.target().split_once("::") == Some(("sqlx", "query"))
}

/// Libraries have spans too, which would only be in the way.
fn is_ours(metadata: &Metadata<'_>) -> bool {
    has_no_payload(metadata)
        && *metadata.level() <= Level::INFO
        && !is_statement(metadata)
        && (metadata.is_event() || metadata.target().starts_with("thunse"))
}

/// Begins the trace of a request.
pub fn start(span: &Span, request_id: &str, method: &str, route: &str) {
    if !is_exporting() {
        return;
    }
    // nginx's ids and ours have the form of a trace's id; another proxy's may not.
    if request_id.len() == 32 {
        NEXT_TRACE.set(TraceId::from_hex(request_id).ok().filter(|id| *id != TraceId::INVALID));
    }
    span.context().span().update_name(format!("{method} {route}"));
    NEXT_TRACE.set(None);
}

pub fn set_status(span: &Span, status: http::StatusCode) {
    if !is_exporting() {
        return;
    }
    span.set_attribute("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.set_status(Status::error(""));
    }
}

/// Names the current span for a job that is queued now.
pub fn parent_of_job() -> Option<String> {
    if !is_exporting() {
        return None;
    }
    let mut carrier = HashMap::new();
    TraceContextPropagator::new().inject(&mut carrier);
    carrier.remove(PARENT_FIELD)
}

/// Continues the trace that a job was queued in.
pub fn continue_in_job(span: &Span, parent: Option<String>, name: &'static str) {
    if !is_exporting() {
        return;
    }
    if let Some(parent) = parent {
        let carrier = HashMap::from([(PARENT_FIELD.to_owned(), parent)]);
        // This fails only for a span that has begun.
        let _ = span.set_parent(TraceContextPropagator::new().extract(&carrier));
    }
    span.context().span().update_name(name);
}

/// Makes a span of each statement, which sqlx reports when it has ended.
struct StatementSpans(SdkTracer);

impl<S: Subscriber> Layer<S> for StatementSpans {
    fn on_event(&self, event: &Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        let parent = Context::current();
        // The job engine looks for jobs all the time, on nobody's behalf.
        if !parent.has_active_span() {
            return;
        }
        let mut statement = Statement::default();
        event.record(&mut statement);
        let ended = opentelemetry::time::now();
        let text = if statement.text.is_empty() { statement.summary } else { statement.text };
        let verb = text.split_whitespace().next().unwrap_or("SQL").to_owned();
        // The text is that of the source; values are never part of it.
        let attributes = [
            KeyValue::new("db.system.name", "postgresql"),
            KeyValue::new("db.query.text", text),
            KeyValue::new("db.response.returned_rows", statement.rows),
        ];
        let span = self.0.span_builder(verb).with_kind(SpanKind::Client).with_attributes(attributes);
        let span = span.with_start_time(ended.checked_sub(statement.took).unwrap_or(ended));
        span.start_with_context(&self.0, &parent).end_with_timestamp(ended);
    }
}

#[derive(Default)]
struct Statement {
    summary: String,
    text: String,
    took: Duration,
    rows: i64,
}

impl Visit for Statement {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => value.clone_into(&mut self.summary),
            "db.statement" => value.trim().clone_into(&mut self.text),
            _ => {}
        }
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        if field.name() == "elapsed_secs" {
            self.took = Duration::try_from_secs_f64(value).unwrap_or_default();
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "rows_returned" {
            self.rows = i64::try_from(value).unwrap_or(i64::MAX);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}
