//! Every label of every metric has a bounded set of values, so that a visitor cannot add a series.

use std::collections::BTreeSet;
use std::path::Path;

use axum::body::Body;
use http::{Method, Request};
use metrics_exporter_prometheus::PrometheusBuilder;
use sqlx::PgPool;

use crate::architecture::sources;
use crate::support::{SHOP, TestShop};

/// The reason why the values of a label are bounded.
#[derive(Clone, Copy)]
enum Values {
    /// The label has only these values.
    Of(&'static [&'static str]),
    /// The value is `name()` of an enum, which matches to literals.
    Enum,
    /// The value is a route of the router, or `other`.
    Route,
    /// The value is a status code that a handler chose.
    Status,
    /// The value is the name of a kind of job.
    Job,
}

use Values::{Enum, Job, Of, Route, Status};

const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "other"];
const POOLS: &[&str] = &["main", "search", "browse"];
const OPERATIONS: &[&str] = &["initiate", "lookup", "refund"];

/// The name of a label, the expression that gives its value, and the bound of the value.
type Label = (&'static str, &'static str, Values);

/// Every metric with its labels. Before you add one, make sure that no visitor can choose a label's value.
const METRICS: &[(&str, &[Label])] = &[
    ("authz_denied_total", &[("route", "\"verify_khalti_payment\"", Of(&["verify_khalti_payment"]))]),
    ("catalogue_notifications_total", &[]),
    ("catalogue_listener_connected", &[]),
    ("csrf_rejected_total", &[]),
    ("database_available", &[]),
    ("db_pool_connections", &[("pool", "name", Of(POOLS))]),
    ("db_pool_in_use", &[("pool", "name", Of(POOLS))]),
    ("db_pool_max_connections", &[("pool", "name", Of(POOLS))]),
    ("db_retries_total", &[]),
    ("handler_panics_total", &[]),
    ("http_request_duration_seconds", &[("route", "route.to_owned()", Route)]),
    (
        "http_requests_total",
        &[
            ("route", "route.to_owned()", Route),
            ("method", "method.to_owned()", Of(METHODS)),
            ("status", "status.as_str().to_owned()", Status),
        ],
    ),
    ("invariant_check_duration_seconds", &[]),
    ("invariant_checked_timestamp_seconds", &[]),
    ("invariant_violations", &[]),
    (
        "alerts_delivered_total",
        &[("channel", "delivery.channel.name()", Enum), ("outcome", "outcome", Of(&["sent", "dropped", "failed"]))],
    ),
    ("jobs_dead", &[]),
    ("jobs_oldest_due_seconds", &[]),
    ("jobs_run_total", &[("job", "J::NAME", Job), ("outcome", "outcome", Of(&["done", "dead", "failed"]))]),
    ("jobs_waiting", &[]),
    ("khalti_breaker_open", &[]),
    ("khalti_request_duration_seconds", &[("op", "op", Of(OPERATIONS))]),
    ("khalti_requests_total", &[("op", "op", Of(OPERATIONS)), ("outcome", "outcome", Enum)]),
    ("login_failed_total", &[("kind", "subject.kind.name()", Enum)]),
    ("login_throttled_total", &[]),
    ("object_store_errors_total", &[]),
    ("openid_failed_total", &[]),
    ("orders_cancelled_unconfirmed_total", &[]),
    ("orders_placed_total", &[("method", "state.method.name()", Enum)]),
    (
        "orders_refused_total",
        &[("reason", "refusal.reason()", Of(&["stock", "price", "delivery", "limit", "busy", "other"]))],
    ),
    ("orders_value_paisa_total", &[("method", "state.method.name()", Enum)]),
    ("password_hashes_rejected_total", &[]),
    ("payment_cases_total", &[("kind", "case.name()", Enum)]),
    ("payment_settlement_duration_seconds", &[]),
    ("payments_pending", &[]),
    ("picture_store_duration_seconds", &[]),
    ("picture_worker_killed_total", &[("reason", "reason", Of(&["time", "crash"]))]),
    ("picture_worker_duration_seconds", &[]),
    ("pictures_total", &[("outcome", "outcome", Of(&["stored", "too_many_pixels", "undecodable", "failed"]))]),
    ("payment_poll_lag_seconds", &[]),
    ("security_events_dropped_total", &[]),
    ("replica_current", &[]),
    ("replica_reads_repeated_total", &[]),
    ("stale_responses_total", &[]),
    ("uploads_rejected_total", &[]),
    ("worker_restarts_total", &[]),
];

/// The name of a metric in the source code, with its labels and the expressions of their values.
type Found = (String, BTreeSet<(String, String)>);

/// Returns every `metrics::counter!`, `gauge!` and `histogram!` in a source text.
fn metrics_in(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for macro_name in ["metrics::counter!(", "metrics::gauge!(", "metrics::histogram!("] {
        for (at, _) in text.match_indices(macro_name) {
            let arguments = arguments_of(&text[at + macro_name.len()..]);
            let name = arguments[0].trim_matches('"').to_owned();
            let mut labels = BTreeSet::new();
            for argument in &arguments[1..] {
                if let Some((label, value)) = argument.split_once("=>") {
                    labels.insert((label.trim().trim_matches('"').to_owned(), value.trim().to_owned()));
                } else {
                    // The labels are in a list of pairs before the macro.
                    let list = text[..at].rsplit_once("let labels =").expect("labels stand in a list").1;
                    let list = list.trim_start().strip_prefix('[').expect("a list");
                    for pair in arguments_of(list).iter().filter(|pair| !pair.is_empty()) {
                        let parts = arguments_of(pair.strip_prefix('(').expect("a pair"));
                        labels.insert((parts[0].trim_matches('"').to_owned(), parts[1].clone()));
                    }
                }
            }
            found.push((name, labels));
        }
    }
    found
}

/// Returns the arguments up to the closing bracket.
fn arguments_of(text: &str) -> Vec<String> {
    let (mut depth, mut quoted, mut arguments) = (0, false, vec![String::new()]);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted && depth == 0 => break,
            ')' | ']' | '}' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                arguments.push(String::new());
                continue;
            }
            _ => {}
        }
        arguments.last_mut().unwrap().push(c);
    }
    arguments.iter().map(|argument| argument.trim().to_owned()).collect()
}

fn known() -> BTreeSet<Found> {
    let pair = |(label, source, _): &Label| ((*label).to_owned(), (*source).to_owned());
    METRICS.iter().map(|(name, labels)| ((*name).to_owned(), labels.iter().map(pair).collect())).collect()
}

#[test]
fn every_label_of_every_metric_has_a_bounded_source() {
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);
    let found: BTreeSet<Found> = files.iter().flat_map(|(_, text)| metrics_in(text)).collect();

    let added: Vec<_> = found.difference(&known()).cloned().collect();
    let gone: Vec<_> = known().difference(&found).cloned().collect();
    assert!(added.is_empty() && gone.is_empty(), "not in METRICS: {added:?}; not in the source: {gone:?}");
}

/// This tests the check itself: an unbounded label must be found.
#[test]
fn an_unbounded_label_is_found() {
    let text = r#"metrics::counter!("http_requests_total", "agent" => headers.get("x"), "a" => b).increment(1);"#;

    let found = metrics_in(text);

    let labels = [("agent", "headers.get(\"x\")"), ("a", "b")];
    let labels = labels.map(|(label, value)| (label.to_owned(), value.to_owned()));
    assert_eq!(found, [("http_requests_total".to_owned(), BTreeSet::from(labels))]);
    assert!(!known().contains(&found[0]));
}

#[test]
fn every_metric_is_described_with_its_labels() {
    let described = include_str!("../../../docs/LOGGING.md");
    for (name, labels) in METRICS {
        let labels: Vec<&str> = labels.iter().map(|(label, _, _)| *label).collect();
        let wanted = if labels.is_empty() { format!("`{name}`") } else { format!("`{name}{{{}}}`", labels.join(",")) };
        assert!(described.contains(&wanted), "docs/LOGGING.md does not describe {wanted}");
    }
    let names = described.split('`').filter(|part| part.ends_with("_total") || part.ends_with("_seconds"));
    for name in names {
        assert!(
            METRICS.iter().any(|(known, _)| *known == name),
            "docs/LOGGING.md describes {name}, which does not exist"
        );
    }
}

/// Parses the series of `/metrics`: names, and labels with their values.
fn series(rendered: &str) -> Vec<(String, Vec<(String, String)>)> {
    let lines = rendered.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let (name, labels) = line.rsplit_once(' ').unwrap().0.split_once('{').unwrap_or((line, ""));
            let labels = labels.trim_end_matches('}').split("\",").filter(|pair| !pair.is_empty());
            let labels = labels.map(|pair| {
                let (label, value) = pair.split_once("=\"").unwrap();
                (label.to_owned(), value.trim_end_matches('"').to_owned())
            });
            (name.to_owned(), labels.collect())
        })
        .collect()
}

fn is_bounded(values: Values, value: &str, routes: &str) -> bool {
    match values {
        Of(list) => list.contains(&value),
        Enum | Job => true,
        Route => value == "other" || routes.contains(&format!("\"{value}\"")),
        Status => value.len() == 3 && value.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

#[sqlx::test]
async fn what_a_visitor_sends_becomes_no_label(db: PgPool) {
    let recorder = PrometheusBuilder::new().build_recorder();
    let handle = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let shop = TestShop::demo(db).await;
    let methods = [Method::GET, Method::POST, Method::PUT, Method::TRACE, Method::from_bytes(b"BREW").unwrap()];
    for method in methods {
        for path in ["/", "/api/product/get_products?search=odd-word", "/odd-path", "/api/odd-call", "/product/odd/1"] {
            let request = Request::builder().method(method.clone()).uri(path).header("origin", SHOP);
            shop.send(request.header("user-agent", "odd-agent").body(Body::empty()).unwrap()).await;
        }
    }

    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);
    let routes: String = files.into_iter().map(|(_, text)| text).collect();
    let seen = series(&handle.render());
    assert!(seen.iter().any(|(name, _)| name == "http_requests_total"), "nothing was recorded");
    for (name, labels) in seen {
        let plain = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        let (_, known) = METRICS.iter().find(|(metric, _)| *metric == plain || *metric == name).expect(plain);
        for (label, value) in labels.iter().filter(|(label, _)| !["le", "quantile"].contains(&label.as_str())) {
            let (_, _, values) = known.iter().find(|(known, _, _)| known == label).expect(label);
            assert!(is_bounded(*values, value, &routes), "{name}{{{label}=\"{value}\"}}");
        }
    }
}

#[sqlx::test]
async fn a_thousand_methods_add_at_most_one_series(db: PgPool) {
    let recorder = PrometheusBuilder::new().build_recorder();
    let handle = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let shop = TestShop::new(db);
    let requests = || handle.render().lines().filter(|line| line.starts_with("http_requests_total")).count();
    shop.get("/healthz").await;
    let before = requests();

    for number in 0..1_000 {
        let method = Method::from_bytes(format!("BREW{number}").as_bytes()).unwrap();
        let request = Request::builder().method(method).uri("/healthz").body(Body::empty()).unwrap();
        let answer = shop.send(request).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (501, &"method_unknown".into()));
    }

    assert!(requests() <= before + 1, "{} series were added", requests() - before);
}
