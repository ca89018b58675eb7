"""Reads of the catalogue on the standbys of ops/ha. Lists that nobody has asked for before are read through two instances,
while prices change, the standbys stop replaying, and one of them is killed. A price that one instance has shown must never
be followed by an older one there, every change must show within a few seconds, and no read may fail. Prints how many of the
reads the standbys have answered."""

import argparse
import asyncio
import itertools
import signal
import time
from pathlib import Path

from drivers.cluster import Cluster
from drivers.processes import send
from drivers.report import Report, becomes
from drivers.shop import Product, Shop

STACK = ["--cluster", "--instances", "2"]
# Far above what a notification takes on a busy machine, and below the 15 s for which a response is cached.
SHOWN_SECONDS = 10


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reads", type=int, default=300, help="lists that are read in each part")
    parser.add_argument("--changes", type=int, default=50, help="prices that are changed")


class Reading:
    def __init__(self, shop: Shop, report: Report) -> None:
        self.shop, self.report = shop, report
        assert isinstance(shop.stack.postgres, Cluster), "this driver needs a shop that was started with --cluster"
        self.cluster = shop.stack.postgres
        self.clients = [shop.client(number) for number in range(len(shop.instances))]
        self.numbers = itertools.count(1)

    def on_node(self, node: int, statement: str) -> list[list[str]]:
        address = (
            self.shop.env["ADMIN_DATABASE_URL"].rpartition("@")[0] + f"@{self.cluster.address(f'postgres-{node}')}"
        )
        return self.shop.stack.psql(statement, f"{address}/thunse")

    def scans(self) -> tuple[int, int]:
        """How often the products were looked up on the primary and on the standbys that are running."""
        primary, counts = self.cluster.primary(), {}
        for node in self.cluster.running():
            statement = "SELECT seq_scan + idx_scan FROM pg_stat_user_tables WHERE relname = 'products'"
            counts[node] = int(self.on_node(node, statement)[0][0])
        return counts.get(primary or 0, 0), sum(count for node, count in counts.items() if node != primary)

    async def price(self, instance: int, product: Product) -> float:
        """The price in a list that is not cached: nobody has used this maximum before."""
        path = (
            f"/api/product/get_products?search={product.name.replace(' ', '%20')}&maxPrice={10**6 + next(self.numbers)}"
        )
        response = await self.clients[instance].request("GET", path)
        self.report.expect(response.status == 200, f"a list was answered with {response}")
        return float(response.data[0]["price"]) if response.status == 200 and response.data else 0.0

    async def read(self, count: int, product: Product, what: str) -> float:
        # Statistics are sent at the end of a transaction, but at most once a second.
        await asyncio.sleep(2)
        before = self.scans()
        for number in range(count):
            await self.price(number % len(self.clients), product)
        await asyncio.sleep(2)
        primary, standbys = (now - then for now, then in zip(self.scans(), before, strict=True))
        share = standbys / max(1, primary + standbys) * 100
        self.report.figure(f"{what}: share of the lookups on standbys", share, "%")
        return share

    async def change(self, product: Product, paisa: int) -> float:
        """Changes the price; the seconds until both instances show it."""
        self.shop.stack.psql(
            f"UPDATE products SET price_paisa = {paisa} WHERE slug = '{product.slug}'", "MIGRATE_DATABASE_URL"
        )
        began = time.monotonic()
        for instance in range(len(self.clients)):

            async def is_shown(instance: int = instance) -> bool:
                return await self.price(instance, product) == paisa / 100

            shown = await becomes(is_shown, SHOWN_SECONDS, 0)
            self.report.expect(
                shown, f"instance {instance} does not show a price of {paisa / 100} after {SHOWN_SECONDS} s"
            )
        took = time.monotonic() - began
        for instance in (*range(len(self.clients)),) * 5:
            price = await self.price(instance, product)
            self.report.expect(price == paisa / 100, f"instance {instance} showed {paisa / 100}, and then {price}")
        return took

    def replaying(self) -> list[int]:
        """The process of each standby that replays WAL; Patroni would end a pause that PostgreSQL is asked for."""
        pids = [pid for node in self.cluster.standbys() for pid in self.cluster.processes(node, is_all=False)]
        return [pid for pid in pids if b"startup" in Path(f"/proc/{pid}/cmdline").read_bytes()]


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    test = Reading(shop, report)
    product = (await shop.products([100]))[0]
    await test.change(product, 10_100)
    share = await test.read(options.reads, product, "nothing changes")
    report.expect(share > 0, "standbys have answered none of the lookups")
    took = [await test.change(product, 10_200 + number) for number in range(options.changes)]
    report.times("a changed price is shown", took)
    replaying = test.replaying()
    report.expect(len(replaying) == 2, f"{len(replaying)} standbys replay WAL")
    send(signal.SIGSTOP, *replaying)
    await test.change(product, 20_000)
    share = await test.read(options.reads, product, "standbys that do not replay")
    report.expect(share == 0, f"standbys that do not replay have answered {share:.0f} % of the lookups")
    send(signal.SIGCONT, *replaying)
    await asyncio.to_thread(test.cluster.wait_healthy)
    test.cluster.kill_node(test.cluster.standbys()[0])
    await test.change(product, 30_000)
    await test.read(options.reads, product, "one standby killed")
    shop.expect_sound(report)
