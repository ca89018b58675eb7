"""Tries the runbook of StandbyMissing on the cluster of ops/ha, whose nodes a real Prometheus asks: a standby is lost and comes
back, and one whose data cannot be used any more is copied anew. The commands are read from the page. The rules are those of
ops/monitoring with the durations divided by 60."""

import argparse
import asyncio
import re
import shlex
import shutil
import time
from functools import partial

from drivers.cluster import NODES, Cluster
from drivers.prometheus import RULES, Prometheus
from drivers.report import Report, becomes
from drivers.runbook_pages import PAGES, blocks, scaled
from drivers.shop import Shop

STACK = ["--cluster"]
ALERT, PAGE = "StandbyMissing", "standby-missing"
WAIT = 600


class StandbyMissing:
    def __init__(self, cluster: Cluster, report: Report, prometheus: Prometheus) -> None:
        self.cluster, self.report, self.prometheus = cluster, report, prometheus

    async def is_active(self) -> bool:
        return (await self.prometheus.alerts()).get(ALERT) == "firing"

    async def is_gone(self) -> bool:
        return ALERT not in await self.prometheus.alerts()

    async def appears(self, cause: str) -> None:
        began = time.monotonic()
        if self.report.expect(await becomes(self.is_active, WAIT), f"{ALERT} does not fire: {cause}"):
            print(f"{cause}: the alert fires after {time.monotonic() - began:.0f} s", flush=True)

    async def goes(self, repair: str) -> None:
        began = time.monotonic()
        if self.report.expect(await becomes(self.is_gone, WAIT), f"{ALERT} stays: {repair}"):
            print(f"{repair}: the alert is gone after {time.monotonic() - began:.0f} s", flush=True)
        await asyncio.to_thread(self.cluster.wait_healthy)

    def run_page(self, heading: str, text: str = "", **values: str) -> str:
        """The page's only command for Patroni below the heading; words such as NAME are replaced."""
        lines = [line for _, line in blocks((PAGES / f"{PAGE}.md").read_text(), heading)]
        [command] = [line for line in lines if line.startswith("thunse-patronictl ")]
        for name, value in values.items():
            command = re.sub(rf"\b{name}\b", value, command)
        printed = self.cluster.patronictl(*shlex.split(command)[1:], text=text)
        print(f"$ {command}\n{printed}", flush=True)
        return printed

    async def lost(self, node: int) -> None:
        self.cluster.kill_node(node)
        await self.appears("a standby is killed")
        printed = await asyncio.to_thread(self.run_page, "How to see it")
        self.report.expect(f"| database-{node} " not in printed, "a machine that is off is in the list")
        self.cluster.start_node(node)
        await self.goes("it is started")

    async def unusable(self, node: int) -> None:
        self.cluster.stop_node(node)
        shutil.rmtree(self.cluster.folder / f"node-{node}/data/pg_wal")
        self.cluster.start_node(node)
        await self.appears("a standby has lost its WAL")
        printed = await asyncio.to_thread(self.run_page, "How to see it")
        state = re.search(rf"database-{node} .*\b(starting|start failed|stopped)\b", printed)
        self.report.expect(state, "the page does not show the machine that cannot start")
        # The second answer is for the question whether to cancel a start that is in progress.
        await asyncio.to_thread(partial(self.run_page, "What to do", text="y\ny\n", NAME=f"database-{node}"))
        await self.goes("it is copied anew")


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    cluster = shop.stack.postgres
    assert isinstance(cluster, Cluster)
    targets = {"patroni": [cluster.address(f"rest-{node}") for node in NODES]}
    async with Prometheus.watching(shop, scaled(RULES.read_text()), targets) as prometheus:
        test = StandbyMissing(cluster, report, prometheus)
        # Longer than the rule waits.
        await asyncio.sleep(20)
        report.expect(await test.is_gone(), f"{ALERT} fires in a healthy cluster")
        await test.lost(cluster.standbys()[0])
        await test.unusable(cluster.standbys()[1])
    shop.expect_sound(report)
