"""A real Prometheus that watches the shop of a driver, with the rules of ops/monitoring or others."""

import contextlib
import json
import subprocess
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from drivers.client import Client
from drivers.processes import free_ports
from drivers.report import ROOT, becomes
from drivers.shop import Shop
from drivers.stack import is_up

RULES = ROOT / "ops" / "monitoring" / "rules.yml"


def write_settings(shop: Shop, folder: Path, rules: str, more: Mapping[str, list[str]]) -> Path:
    """As ops/monitoring/prometheus.yml, with the addresses of this shop and a scrape every second."""
    known = shop.stack.settings
    targets = {
        "thunse": [value for key, value in known.items() if key.startswith("SERVER_") and key.endswith("_METRICS")],
        "thunse-worker": [
            value for key, value in known.items() if key.startswith("WORKER_") and key.endswith("_METRICS")
        ],
        **more,
    }
    (folder / "rules.yml").write_text(rules)
    content = {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(folder / "rules.yml")],
        "scrape_configs": [
            {"job_name": job, "static_configs": [{"targets": addresses}]} for job, addresses in targets.items()
        ],
    }
    path = folder / "prometheus.yml"
    path.write_text(json.dumps(content))  # YAML includes JSON
    return path


class Prometheus:
    def __init__(self, address: str) -> None:
        self.client = Client(address)

    @classmethod
    @contextlib.asynccontextmanager
    async def watching(
        cls, shop: Shop, rules: str, more: Mapping[str, list[str]] = MappingProxyType({})
    ) -> AsyncIterator["Prometheus"]:
        """`more` are jobs with the addresses that they ask besides."""
        (port,) = free_ports(1)
        with tempfile.TemporaryDirectory(prefix="thunse-prometheus-") as name:
            folder = Path(name)
            settings = write_settings(shop, folder, rules, more)
            command = ["prometheus", f"--config.file={settings}", f"--storage.tsdb.path={folder}/data"]
            command.append(f"--web.listen-address=127.0.0.1:{port}")
            with (folder / "log").open("w") as log:
                process = subprocess.Popen(command, stdout=log, stderr=log)
            try:
                address = f"http://127.0.0.1:{port}"
                if not await becomes(lambda: is_up(f"{address}/-/ready"), 60):
                    raise SystemExit(f"Prometheus does not start: {(folder / 'log').read_text()[-2000:]}")
                yield cls(address)
            finally:
                process.terminate()
                process.wait()

    async def ask(self, expression: str) -> dict[str, Any]:
        response = await self.client.request("GET", f"/api/v1/query?query={quote(expression, safe='')}")
        return dict(response.json)

    async def alerts(self) -> dict[str, str]:
        """The alerts that are pending or firing; one that has several series is firing if one of them is."""
        response = await self.client.request("GET", "/api/v1/alerts")
        found: dict[str, str] = {}
        for alert in response.json["data"]["alerts"]:
            name, state = alert["labels"]["alertname"], alert["state"]
            found[name] = "firing" if "firing" in (state, found.get(name)) else state
        return found
