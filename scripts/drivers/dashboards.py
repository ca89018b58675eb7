"""Asks a real Prometheus every query of the dashboards in ops/monitoring/grafana, while it watches a shop in which orders are
placed. A query that fails, or that finds nothing where a healthy shop has something, is a failure."""

import argparse
import asyncio
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from checks import dashboards

from drivers.client import Client
from drivers.processes import free_ports
from drivers.report import ROOT, Report, becomes
from drivers.shop import Api, Product, Shop, Shopper, new_key, order_body, pidx_of
from drivers.stack import is_up

STACK = ["--instances", "2"]
RULES_SECONDS = 15
SCRAPES = 4  # a rate needs two, and the recording rules another


def settings_of(shop: Shop, folder: Path) -> Path:
    """As ops/monitoring/prometheus.yml, with the addresses of this shop and a scrape every second."""
    known = shop.stack.settings
    targets = {
        "thunse": [value for key, value in known.items() if key.startswith("SERVER_") and key.endswith("_METRICS")],
        "thunse-worker": [
            value for key, value in known.items() if key.startswith("WORKER_") and key.endswith("_METRICS")
        ],
    }
    content = {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(ROOT / "ops" / "monitoring" / "rules.yml")],
        "scrape_configs": [
            {"job_name": job, "static_configs": [{"targets": addresses}]} for job, addresses in targets.items()
        ],
    }
    path = folder / "prometheus.yml"
    path.write_text(json.dumps(content))  # YAML includes JSON
    return path


async def ask(client: Client, expression: str) -> dict[str, Any]:
    response = await client.request("GET", f"/api/v1/query?query={quote(expression, safe='')}")
    return dict(response.json)


async def place_orders(shop: Shop, shopper: Shopper, product: Product) -> None:
    """One with cash, and one that is paid in the wallet."""
    client, wallet, lines = shop.client(), shop.wallet(), [(product, 1)]
    placed = [await shop.place(client, shopper, lines)]
    body = order_body(shopper, lines, "Khalti")
    placed.append(await client.request("POST", Api.PLACE_ONLINE, body, shopper.cookies, new_key()))
    pidx = pidx_of(placed[1])
    placed.append(await wallet.request("POST", f"/payments/{pidx}/pay", {}))
    placed.append(await client.request("POST", Api.VERIFY, {"pidx": pidx}, shopper.cookies))
    if refused := [str(response) for response in placed if response.status != 200]:
        raise SystemExit(f"an order failed: {refused}")
    client.close()
    wallet.close()


async def run(shop: Shop, report: Report, _options: argparse.Namespace) -> None:
    (port,) = free_ports(1)
    with tempfile.TemporaryDirectory(prefix="thunse-prometheus-") as name:
        folder = Path(name)
        command = ["prometheus", f"--config.file={settings_of(shop, folder)}", f"--storage.tsdb.path={folder}/data"]
        command.append(f"--web.listen-address=127.0.0.1:{port}")
        with (folder / "log").open("w") as log:
            prometheus = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            address = f"http://127.0.0.1:{port}"
            if not await becomes(lambda: is_up(f"{address}/-/ready"), 60):
                raise SystemExit(f"Prometheus does not start: {(folder / 'log').read_text()[-2000:]}")
            await check(shop, Client(address), report)
        finally:
            prometheus.terminate()
            prometheus.wait()


async def check(shop: Shop, client: Client, report: Report) -> None:
    (product,) = await shop.products([100])
    for shopper in await shop.shoppers(SCRAPES):
        await place_orders(shop, shopper, product)
        await asyncio.sleep(1.5)
    panels = [panel for dashboard in dashboards.DASHBOARDS for panel in dashboard.panels]
    queries = [(panel, expression) for panel in panels for expression in panel.queries.values()]
    empty = 0
    for panel, expression in queries:
        answer = await ask(client, expression)
        if not panel.is_often_empty and not answer.get("data", {}).get("result"):
            # Rules are evaluated in turn, the first time after a while.
            await asyncio.sleep(RULES_SECONDS)
            answer = await ask(client, expression)
        if not report.expect(answer["status"] == "success", f"{panel.title}: {answer.get('error')}"):
            continue
        is_empty = not answer["data"]["result"]
        empty += is_empty
        report.expect(not is_empty or panel.is_often_empty, f"{panel.title}: nothing for {expression}")
    report.figure("queries", len(queries))
    report.figure("of them without a value", empty)
