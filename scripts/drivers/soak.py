"""Soak test: a steady, moderate load for a long time. Visitors open pages and search, shoppers log in, order and look at their
orders, the seller delivers or cancels each order some minutes later, and pages that wait for events are opened and closed.

Once a minute it prints what could grow: the memory and open files of each process, the connections of PostgreSQL, the size and
the bloat of the tables that are written most, the oldest due job, and how long requests took. In the end it prints of each the
slope and the mean of the last quarter against that of the first. It fails only on correctness: a request that failed, an
order that was lost or not told to an open page, a process that has ended, a broken invariant.

  scripts/drive soak --minutes 480 --rate 20       the whole test: eight hours"""

import argparse
import asyncio
import os
import random
import statistics
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import quote

from drivers.engine import Engine
from drivers.event_streams import EventStreams
from drivers.festival_day import RARE, WORDS
from drivers.processes import family, is_running
from drivers.report import Report, becomes, quantile
from drivers.shop import PASSWORD, STATUSES, Api, Shop, Shopper, new_key, order_body

STACK = ["--instances", "2"]
SETTINGS = {"RUST_LOG": "warn"}
SHOPPERS, PRODUCTS = 40, 60
# Of these a page is open all the time, so that each of their orders has to be told to somebody.
WATCHED = 10
PROCESSES = ["server-0", "server-1", "worker-0", "proxy", "database"]
TABLES = ["orders", "order_items", "idempotency_keys", "sessions", "job_outbox", "graphile_worker._private_jobs"]
# How often each is done, of a hundred requests.
SHARES = {"page": 60, "search": 15, "own page": 10, "order": 10, "login": 1, "delivery": 4}
DELIVERED_AFTER = 120
STREAMS_CLOSED_AFTER = 90
# Requests that are under way at once; more are not sent, because the shop would only be overloaded.
MOST_AT_ONCE = 64

Sample = dict[str, float]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=8, help="requests in a second")
    parser.add_argument(
        "--streams", type=int, default=60, help="pages that wait for events and are closed after a while"
    )
    parser.add_argument("--every", type=float, default=60, help="seconds between two samples")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))


def memory(pid: int) -> float:
    """Megabytes. What processes share, as those of PostgreSQL do, is divided among them."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("Pss:")).split()[1]) / 1024


def slope(values: list[float]) -> float:
    """How much the values grow from one to the next, by the method of least squares."""
    return statistics.linear_regression(range(len(values)), values).slope if len(values) > 1 else 0.0


def quarters(values: list[float]) -> tuple[float, float]:
    """The means of the first and the last quarter."""
    size = max(1, len(values) // 4)
    return statistics.fmean(values[:size]), statistics.fmean(values[-size:])


class Soak:
    def __init__(self, shop: Shop, report: Report, options: argparse.Namespace) -> None:
        self.shop, self.report, self.options = shop, report, options
        self.chance, self.is_over = random.Random(options.seed), asyncio.Event()
        self.engine = Engine(shop, is_chaos=False, is_proxied=True)
        self.streams, self.lasting_streams = EventStreams(shop, report), EventStreams(shop, report)
        self.pids = {name: shop.stack.pid(name) for name in PROCESSES}
        self.acknowledged: dict[tuple[str, str], str] = {}
        self.undelivered: deque[tuple[float, str]] = deque()
        self.measured: dict[str, int] = defaultdict(int)
        self.samples: list[Sample] = []
        self.unsent, self.opened = 0, 0

    async def prepare(self) -> None:
        self.shop.stack.psql("CREATE EXTENSION IF NOT EXISTS pgstattuple", "ADMIN_DATABASE_URL")
        self.shoppers = await self.shop.shoppers(SHOPPERS)
        self.products = await self.shop.products([1_000_000] * PRODUCTS)
        self.seller = await self.shop.seller()
        client = self.shop.client()
        listed = await client.must("GET", "/api/product/get_products?limit=100")
        client.close()
        for number, shopper in enumerate(self.shoppers[:WATCHED]):
            self.lasting_streams.open(shopper, number)
        lists = "/api/product/get_products?limit=24"
        self.pages = ["/", "/products", "/categories", "/offers", lists]
        self.pages += [f"/api/product/get_product/{row['_id']}" for row in listed]

    # What people do.

    async def page(self) -> None:
        await self.engine.call("page", {"200"}, "GET", self.chance.choice(self.pages))

    async def search(self) -> None:
        word = self.chance.choice(WORDS) if self.chance.random() < 0.5 else self.chance.choice(RARE)
        word += self.chance.choice(["", " ", *"abcdefghijkl"])
        await self.engine.call("search", {"200"}, "GET", f"/api/product/get_products?limit=24&search={quote(word)}")

    async def own_page(self) -> None:
        path = self.chance.choice(["/api/order/get_order?limit=10", "/api/cart/get_cart"])
        await self.engine.call("own page", {"200"}, "GET", path, cookies=self.chance.choice(self.shoppers).cookies)

    async def order(self) -> None:
        number, key = self.chance.randrange(SHOPPERS), new_key()
        shopper = self.shoppers[number]
        lines = [(product, self.chance.randint(1, 3)) for product in self.chance.sample(self.products, 3)]
        placed = await self.engine.call(
            "order", {"200"}, "POST", Api.PLACE, order_body(shopper, lines), shopper.cookies, key
        )
        if placed.status == 200:
            self.acknowledged[shopper.id, key] = placed.data["orderId"]
            self.undelivered.append((time.monotonic() + DELIVERED_AFTER, placed.data["_id"]))

    async def login(self) -> None:
        """On another device, which is forgotten afterwards: its session stays until it ends by itself, or is ended."""
        shopper = self.chance.choice(self.shoppers)
        device = Shopper(shopper.id, shopper.email)
        body = {"email": shopper.email, "password": PASSWORD}
        await self.engine.call("login", {"200"}, "POST", "/api/user/login", body, device.cookies)
        if self.chance.random() < 0.5:
            await self.engine.call("logout", {"200"}, "POST", "/api/user/logout", cookies=device.cookies)

    async def delivery(self) -> None:
        """The seller delivers what was ordered a while ago, and cancels one order in ten."""
        orders = []
        while self.undelivered and self.undelivered[0][0] < time.monotonic():
            orders.append(self.undelivered.popleft()[1])
        for order in orders:
            statuses = STATUSES[1:5] if self.chance.random() < 0.9 else ["Cancelled"]
            for status in statuses:
                body = {"orderId": order, "status": status}
                await self.engine.call("delivery", {"200"}, "PUT", Api.SET_STATUS, body, self.seller)

    async def repeat(self, rate: float, action: Callable[[], Awaitable[None]]) -> None:
        """Begins an action so often in a second, at random moments, whether or not the one before has ended."""
        running = set[asyncio.Task[None]]()

        async def run() -> None:
            await action()

        while not self.is_over.is_set():
            await asyncio.sleep(self.chance.expovariate(rate))
            if sum(not task.done() for task in running) >= MOST_AT_ONCE:
                self.unsent += 1
                continue
            running = {task for task in running if not task.done() or task.exception()}
            running.add(asyncio.create_task(run()))
        await asyncio.gather(*running)

    async def change_streams(self) -> None:
        """Pages are opened a few at a time, and closed when there are enough younger ones."""
        count = self.options.streams
        while not self.is_over.is_set():
            for _ in range(max(1, count // 6)):
                self.streams.open(self.shoppers[WATCHED + self.opened % (SHOPPERS - WATCHED)], self.opened)
                self.opened += 1
            if len(self.streams.tasks) > count:
                await self.streams.close(len(self.streams.tasks) - count)
            await asyncio.sleep(STREAMS_CLOSED_AFTER / 6)

    # What could grow.

    def sizes(self) -> Sample:
        found: Sample = {}
        psql = self.shop.stack.psql
        for table in TABLES:
            sizes = f"pg_table_size('{table}'), pg_indexes_size('{table}')"
            statement = f"SELECT {sizes}, tuple_count, dead_tuple_percent + free_percent FROM pgstattuple('{table}')"
            size, indexes, rows, bloat = map(float, psql(statement, "ADMIN_DATABASE_URL")[0])
            name = table.rpartition(".")[2]
            found |= {f"{name}: table, KB": size / 1024, f"{name}: indexes, KB": indexes / 1024}
            found |= {f"{name}: rows": rows, f"{name}: dead or free, %": bloat}
        connections = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
        found["connections"] = float(self.shop.stack.one(connections, "ADMIN_DATABASE_URL"))
        oldest = (
            "SELECT coalesce(extract(epoch FROM now() - min(run_at)), 0) FROM graphile_worker.jobs WHERE run_at < now()"
        )
        found["oldest due job, s"] = float(self.shop.stack.one(oldest, "ADMIN_DATABASE_URL"))
        return found

    def sample(self) -> Sample:
        found: Sample = {}
        for name, pid in self.pids.items():
            if not is_running(pid) or self.shop.stack.pid(name) != pid:
                raise SystemExit(f"{name} has ended")
            pids, megabytes, files = [*family(pid)], 0.0, 0
            for each in pids:
                try:
                    megabytes += memory(each)
                    files += len(os.listdir(f"/proc/{each}/fd"))
                except (OSError, StopIteration):
                    continue  # One that has just ended.
            found |= {f"{name}: memory, MB": megabytes, f"{name}: open files": float(files)}
        return found | self.sizes()

    async def watch(self) -> None:
        began, number = time.monotonic(), 0
        while time.monotonic() - began < self.options.minutes * 60:
            await asyncio.sleep(max(0, began + (number + 1) * self.options.every - time.monotonic()))
            number += 1
            found = await asyncio.to_thread(self.sample)
            for what, seconds in self.engine.seconds.items():
                latest = seconds[self.measured[what] :]
                self.measured[what] = len(seconds)
                for part in (0.5, 0.95, 0.99) if latest else ():
                    found[f"{what}: p{part * 100:.0f}, ms"] = quantile(latest, part) * 1000
            self.samples.append(found)
            memories = ", ".join(f"{name} {found[f'{name}: memory, MB']:.1f}" for name in PROCESSES)
            print(
                f"{number * self.options.every / 60:.1f} min: {len(self.acknowledged)} orders; MB: {memories}; "
                f"{found['connections']:.0f} connections; order p95 {found.get('order: p95, ms', 0):.0f} ms",
                flush=True,
            )
        self.is_over.set()

    def print_growth(self) -> None:
        an_hour = 3600 / self.options.every
        names = list(dict.fromkeys(name for sample in self.samples for name in sample))
        for name in names:
            values = [sample[name] for sample in self.samples if name in sample]
            first, last = quarters(values)
            self.report.figure(f"{name}: first quarter", first)
            self.report.figure(f"{name}: last quarter", last)
            # The first quarter fills caches and pools.
            self.report.figure(
                f"{name}: slope after the first quarter", slope(values[len(values) // 4 :]) * an_hour, "/h"
            )

    async def finish(self) -> None:
        watched, told = {shopper.id for shopper in self.shoppers[:WATCHED]}, self.lasting_streams.told
        due = {(user, code) for (user, _), code in self.acknowledged.items() if user in watched}
        await becomes(lambda: due <= told, 15)
        self.report.expect(due <= told, f"{len(due - told)} of {len(due)} orders were not told to an open page")
        self.report.figure("pages opened that wait for events", self.opened)
        await self.streams.close()
        await self.lasting_streams.close()
        orders = self.shop.cash_orders_of(self.shoppers)
        self.report.expect(len(dict(orders)) == len(orders), "an order exists twice")
        self.report.expect(
            dict(orders) == self.acknowledged, f"{len(orders)} orders, {len(self.acknowledged)} acknowledged"
        )
        self.report.figure("orders", len(orders))
        self.report.figure("not sent, because too many were under way", self.unsent)


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    print(f"seed {options.seed}", flush=True)
    test = Soak(shop, report, options)
    await test.prepare()
    actions = [(name, getattr(test, name.replace(" ", "_"))) for name in SHARES]
    loads = (test.repeat(options.rate * SHARES[name] / 100, action) for name, action in actions)
    try:
        await asyncio.gather(test.watch(), test.change_streams(), *loads)
        await test.finish()
        shop.expect_sound(report)
        test.engine.finish(report)
    finally:
        # Hours of samples say something even if a request failed after them.
        test.print_growth()
