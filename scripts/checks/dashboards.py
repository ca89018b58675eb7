"""Writes the Grafana dashboards in ops/monitoring/grafana from the list of panels below: `python3 -m checks.dashboards` in
scripts/. The files are committed, because an operator copies them; scripts/check-ops compares them with this list."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks import ROOT

FOLDER = ROOT / "ops" / "monitoring" / "grafana"
COLUMNS, WIDTH, HEIGHT = 2, 12, 8


@dataclass(frozen=True)
class Panel:
    title: str
    unit: str
    queries: dict[str, str]  # the legend and its expression
    help: str = ""
    is_often_empty: bool = False  # a healthy shop, or one that has just been started, has nothing to show


@dataclass(frozen=True)
class Dashboard:
    uid: str
    title: str
    panels: tuple[Panel, ...]


def quantiles(metric: str, by: str = "") -> dict[str, str]:
    labels = f"le, {by}" if by else "le"
    legend = f"{{{{{by}}}}} " if by else ""
    return {
        f"{legend}p{round(part * 100)}": f"histogram_quantile({part}, sum by ({labels}) (rate({metric}_bucket[5m])))"
        for part in (0.5, 0.95, 0.99)
    }


def per_minute(metric: str, by: str) -> dict[str, str]:
    return {f"{{{{{by}}}}}": f"sum by ({by}) (rate({metric}[5m])) * 60"}


CHECKOUT = 'route=~"/api/order/place_order_(COD|online)"'

DASHBOARDS = (
    Dashboard(
        "thunse-shop",
        "Thunse: the shop",
        (
            Panel("Orders per hour", "short", {"{{method}}": "sum by (method) (increase(orders_placed_total[1h]))"}),
            Panel(
                "Value of the orders per hour",
                "currencyNPR",
                {"{{method}}": "sum by (method) (increase(orders_value_paisa_total[1h])) / 100"},
                "The totals of placed orders, before cancellations and refunds; the money report has the rest.",
            ),
            Panel(
                "Refused orders per hour",
                "short",
                {"{{reason}}": "sum by (reason) (increase(orders_refused_total[1h]))"},
                "'stock' means that a product ran out between the cart and the order.",
                is_often_empty=True,
            ),
            Panel("Failed checkouts", "percentunit", {"last 5 minutes": "thunse:checkout_errors:ratio_rate5m"}),
            Panel(
                "Payments that wait for the wallet",
                "short",
                {"payments": "max(payments_pending)"},
                "Payments whose outcome the shop still asks the wallet for.",
                is_often_empty=True,
            ),
            Panel("Time until a payment is settled", "s", quantiles("payment_settlement_duration_seconds")),
            Panel(
                "Messages to staff and shoppers per minute",
                "short",
                {"{{channel}} {{outcome}}": "sum by (channel, outcome) (rate(alerts_delivered_total[5m])) * 60"},
                is_often_empty=True,
            ),
            Panel("Payment cases per day", "short", {"{{kind}}": "sum by (kind) (increase(payment_cases_total[1d]))"},
                  is_often_empty=True),
        ),
    ),
    Dashboard(
        "thunse-service",
        "Thunse: the service",
        (
            Panel("Requests per second", "reqps", {"{{status}}": "sum by (status) (rate(http_requests_total[5m]))"}),
            Panel("Failed requests", "percentunit", {"last 5 minutes": "thunse:request_errors:ratio_rate5m"}),
            Panel("Time of a response", "s", quantiles("http_request_duration_seconds")),
            Panel(
                "Time of a checkout",
                "s",
                {
                    f"p{round(part * 100)}": "histogram_quantile("
                    f"{part}, sum by (le) (rate(http_request_duration_seconds_bucket{{{CHECKOUT}}}[5m])))"
                    for part in (0.5, 0.95, 0.99)
                },
            ),
            Panel(
                "Ten slowest routes, p95",
                "s",
                {
                    "{{route}}": "topk(10, histogram_quantile(0.95, sum by (le, route) "
                    "(rate(http_request_duration_seconds_bucket[5m]))))"
                },
            ),
            Panel(
                "Connections of the pools in use",
                "percentunit",
                {"{{pool}}": "max by (pool) (db_pool_in_use / db_pool_max_connections)"},
            ),
            Panel("Jobs that wait", "short", {"waiting": "max(jobs_waiting)", "dead": "max(jobs_dead)"}),
            Panel("Age of the oldest job that is due", "s", {"age": "max(jobs_oldest_due_seconds)"}),
            Panel(
                "Jobs per minute",
                "short",
                {"{{job}} {{outcome}}": "sum by (job, outcome) (rate(jobs_run_total[5m])) * 60"},
            ),
            Panel("Transactions retried per minute", "short", {"retries": "sum(rate(db_retries_total[5m])) * 60"},
                  is_often_empty=True),
        ),
    ),
    Dashboard(
        "thunse-parts",
        "Thunse: database, wallet and pictures",
        (
            Panel("Instances and workers that answer", "short", {"{{job}}": 'sum by (job) (up{job=~"thunse.*"})'}),
            Panel(
                "Database accepts writes",
                "bool_yes_no",
                {"{{instance}}": "database_available"},
                "As each instance sees it; 'no' on all of them during a failover.",
            ),
            Panel(
                "Responses from memory without a database",
                "short",
                {"per second": "sum(rate(stale_responses_total[5m]))"},
                is_often_empty=True,
            ),
            Panel("Invariants that are violated", "short", {"rows": "max(invariant_violations)"}, is_often_empty=True),
            Panel("Calls to the wallet per minute", "short",
                  {"{{op}} {{outcome}}": "sum by (op, outcome) (rate(khalti_requests_total[5m])) * 60"}),
            Panel("Time of the wallet's responses", "s", quantiles("khalti_request_duration_seconds", "op")),
            Panel("Wallet's circuit breaker is open", "bool_yes_no", {"{{instance}}": "khalti_breaker_open"},
                  is_often_empty=True),
            Panel("Pictures per minute", "short", per_minute("pictures_total", "outcome"), is_often_empty=True),
            Panel("Failed logins per minute", "short", per_minute("login_failed_total", "kind"), is_often_empty=True),
            Panel("Logins that had to wait, per minute", "short",
                  {"waited": "sum(rate(login_throttled_total[5m])) * 60"}, is_often_empty=True),
        ),
    ),
)  # fmt: skip


def panel_json(number: int, panel: Panel) -> dict[str, Any]:
    row, column = divmod(number, COLUMNS)
    source = {"type": "prometheus", "uid": "${datasource}"}
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": panel.title,
        "description": panel.help,
        "datasource": source,
        "gridPos": {"x": column * WIDTH, "y": row * HEIGHT, "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "targets": [
            {"refId": chr(ord("A") + index), "datasource": source, "expr": expression, "legendFormat": legend}
            for index, (legend, expression) in enumerate(panel.queries.items())
        ],
    }


def dashboard_json(dashboard: Dashboard) -> str:
    source = {"name": "datasource", "label": "Prometheus", "type": "datasource", "query": "prometheus"}
    content = {
        "uid": dashboard.uid,
        "title": dashboard.title,
        "tags": ["thunse"],
        "timezone": "Asia/Kathmandu",
        "schemaVersion": 39,
        "refresh": "1m",
        "time": {"from": "now-24h", "to": "now"},
        "templating": {"list": [source]},
        "panels": [panel_json(number, panel) for number, panel in enumerate(dashboard.panels)],
    }
    return json.dumps(content, indent=2) + "\n"


def files() -> dict[Path, str]:
    return {FOLDER / f"{dashboard.uid}.json": dashboard_json(dashboard) for dashboard in DASHBOARDS}


if __name__ == "__main__":
    for path, content in files().items():
        path.write_text(content)
