"""Whether the alerts can be trusted: each rule of ops/monitoring/rules.yml uses only metrics that exist (docs/LOGGING.md lists
ours, and server/tests/it/metrics.rs compares that list with the code), has a test in which it fires and one in which it is
silent, and has a page in docs/runbooks; and each page belongs to an alert. The dashboards use only metrics that exist, too, and
their files are those that scripts/checks/dashboards.py writes."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from checks import ROOT, dashboards, finish

RULES, METRICS = "ops/monitoring/rules.yml", "docs/LOGGING.md"
TESTS = ("ops/monitoring/rules.test.yml", "ops/monitoring/rules-week.test.yml")
RUNBOOKS = "docs/runbooks"
# Metrics of Prometheus, its exporters and ops/backup.
FOREIGN = {
    "up",
    "pg_stat_archiver_failed_count",
    "pg_up",
    "patroni_postgres_streaming",
    "probe_success",
    "probe_ssl_earliest_cert_expiry",
    "node_filesystem_avail_bytes",
    "node_filesystem_size_bytes",
    "node_time_seconds",
    "node_timex_offset_seconds",
    "thunse_backup_timestamp_seconds",
}
WORDS = {"absent", "abs", "and", "by", "histogram_quantile", "increase", "max", "min", "offset", "on", "or"}
WORDS |= {"rate", "sum", "time", "timestamp", "topk", "unless", "vector", "le"}


def metrics_of(expression: str) -> set[str]:
    """The names in an expression that are no function, label or duration."""
    plain = re.sub(r"\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)|\boffset \w+|thunse:[\w:]+", " ", expression)
    return set(re.findall(r"\b[a-z][a-z0-9_]*\b", plain)) - WORDS


def problems(root: Path, shown: Sequence[dashboards.Dashboard] = dashboards.DASHBOARDS) -> list[str]:
    rules = (root / RULES).read_text()
    tests = "".join((root / file).read_text() for file in TESTS)
    ours = set(re.findall(r"`([a-z_]+)(?:\{[^}]*\})?`", (root / METRICS).read_text()))
    known = ours | {f"{name}_bucket" for name in ours} | FOREIGN
    found = []
    for expression in re.findall(r"^ +expr: '(.*)'$", rules, re.M):
        found += [f"{RULES}: there is no metric {name}" for name in sorted(metrics_of(expression) - known)]
    for panel in [panel for dashboard in shown for panel in dashboard.panels]:
        unknown = set().union(*map(metrics_of, panel.queries.values())) - known
        found += [f"dashboard panel '{panel.title}': there is no metric {name}" for name in sorted(unknown)]
    pages = set()
    for alert, rest in re.findall(r"- alert: (\w+)\n((?: {8,}.*\n)+)", rules):
        for wanted in ("fires", "is silent"):
            if f"- name: {alert} {wanted}\n" not in tests:
                found.append(f"{RULES}: no test in which {alert} {wanted}")
        page = re.search(r"runbook: (\S+)", rest)
        if not page or not (root / page[1]).is_file():
            found.append(f"{RULES}: {alert} has no page in {RUNBOOKS}")
        elif f"`{alert}`" not in (root / page[1]).read_text():
            found.append(f"{page[1]} does not name {alert}")
        pages.add(page[1] if page else "")
    for file in sorted((root / RUNBOOKS).glob("*.md")):
        name = file.relative_to(root).as_posix()
        if file.name != "README.md" and name not in pages:
            found.append(f"{name} belongs to no alert")
    return found


def outdated(files: dict[Path, str]) -> list[str]:
    """Dashboards whose file is not what the list of panels says."""
    folders = {path.parent for path in files}
    found = {path for folder in folders for path in folder.glob("*.json")}
    return [
        f"{path.name} is out of date: run python3 -m checks.dashboards in scripts/"
        for path in sorted(found | set(files))
        if not path.is_file() or path.read_text() != files.get(path)
    ]


def main() -> int:
    found = problems(ROOT) + outdated(dashboards.files())
    return finish("ops", found, "alerts: each is tested and has a runbook; dashboards: each metric exists")


if __name__ == "__main__":
    sys.exit(main())
