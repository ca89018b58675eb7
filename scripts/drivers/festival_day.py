"""A day before Dashain in a few minutes, on two instances: visits begin as often as the hour of the day says; a visit opens
pages and lists, searches in both scripts, and ends with an order and a look at it. Most pages are the same for everybody, so
that about nine of ten come from the cache. Some shoppers leave a page open that waits for events of their orders.

Every request has to succeed, every acknowledged order has to exist once, and who waits for events is told of the order. CPU is
that of the processes themselves. The pages are played once without orders first, so that the CPU of both can be told apart."""

import argparse
import asyncio
import random
import re
import time
import urllib.request
from collections import Counter
from itertools import accumulate
from urllib.parse import quote

from drivers.engine import Engine
from drivers.event_streams import EventStreams
from drivers.report import Report, becomes
from drivers.shop import Api, Lines, Product, Shop, Shopper, new_key, order_body

STACK = ["--instances", "2"]
SETTINGS = {"RUST_LOG": "warn"}
SHOPPERS, PRODUCTS = 80, 60
# Orders of each hour in Nepal, from midnight on. A sixth of them are placed between six and seven in the evening.
HOURS = [2, 1, 1, 1, 2, 6, 20, 34, 40, 38, 34, 32, 30, 28, 28, 34, 52, 80, 124, 78, 42, 22, 10, 5]
# How many lines a basket has.
BASKET = {1: 8, 2: 14, 3: 20, 4: 20, 5: 15, 6: 11, 8: 8, 12: 4}
WORDS = ["chamal", "rice", "dal", "दाल", "चामल", "tel", "तेल", "ghee", "घिउ", "masala", "मसला", "आलु", "chini", "चिनी"]
# Typed by few: parts of words, mistakes, and what the shop does not have.
RARE = ["cha", "basmti", "नुन", "jira", "जीरा", "sel roti", "सेल रोटी", "khasi", "खसी", "batti", "tika", "जमरा"]
# Of a hundred pages, those that differ from person to person or are seldom asked for.
RARE_PAGES = 10
STREAMS_OF_SHOPPER = 5
# Twice the time after which a stream asks whether its session still exists.
IDLE_SECONDS = 40


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--orders", type=int, default=400)
    parser.add_argument("--pages", type=int, default=60, help="of a visit")
    parser.add_argument("--seconds", type=int, default=240, help="how long the day lasts")
    parser.add_argument("--streams", type=int, default=400, help="pages that wait for events")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))


def arrivals(orders: int, seconds: float, chance: random.Random) -> list[float]:
    """When visits begin: drawn from the curve of the hours."""
    ends = list(accumulate(HOURS))
    made = []
    for _ in range(orders):
        drawn = chance.random() * ends[-1]
        hour = next(number for number, end in enumerate(ends) if drawn < end)
        part = 1 - (ends[hour] - drawn) / HOURS[hour]
        made.append((hour + part) / len(HOURS) * seconds)
    return sorted(made)


def metrics_of(address: str) -> Counter[str]:
    """Sums of the counters of catalogue calls. Those that the cache answers are counted and not timed; pages are always
    timed, so nothing tells where they came from."""
    with urllib.request.urlopen(address, timeout=30) as response:
        lines = response.read().decode().splitlines()
    sums = Counter[str]()
    for line in lines:
        if found := re.match(r'(\w+)\{.*route="/api/(?:product|category)/get_.*\} ([\d.e+]+)$', line):
            sums[found[1]] += int(float(found[2]))
    return sums


class Day:
    def __init__(self, shop: Shop, report: Report, options: argparse.Namespace) -> None:
        self.shop, self.report, self.options = shop, report, options
        self.chance = random.Random(options.seed)
        self.engine = Engine(shop, is_chaos=False, is_proxied=True)
        self.pages, self.late = 0, 0.0
        self.sent: set[tuple[str, str]] = set()
        self.acknowledged: dict[tuple[str, str], str] = {}
        self.streams = EventStreams(shop, report)
        # CPU in a second of a shop that nobody orders from, with all streams open.
        self.background: dict[str, float] = {}

    async def prepare(self) -> None:
        self.shoppers = await self.shop.shoppers(SHOPPERS)
        self.products = await self.shop.products([1_000_000] * PRODUCTS, [5_000 + 500 * n for n in range(PRODUCTS)])
        client = self.shop.client()
        self.categories = [row["slug"] for row in await client.must("GET", "/api/category/get_category_public")]
        listed = await client.must("GET", "/api/product/get_products?limit=100")
        client.close()
        self.listed = [(row["slug"], row["_id"]) for row in listed]
        lists = "/api/product/get_products?"
        self.popular = [
            *["/", "/products", "/categories", "/offers", "/api/category/get_category_public", f"{lists}limit=24"] * 3,
            *(f"{lists}category={quote(slug)}&limit=24" for slug in self.categories),
            *(f"/category/{quote(slug)}" for slug in self.categories),
            *(f"{lists}limit=24&search={quote(word)}" for word in WORDS),
            *(f"/api/product/get_product/{product}" for _, product in self.listed[:40]),
        ]

    # What people do.

    def draw_page(self) -> tuple[str, bool]:
        """A path, and whether it is the shopper's own."""
        if self.chance.randrange(100) >= RARE_PAGES:
            return self.chance.choice(self.popular), False
        ids = ",".join(product for _, product in self.chance.sample(self.listed, 6))
        lists = "/api/product/get_products?limit=24"
        kind = self.chance.randrange(5)
        if kind == 0:
            return "/api/order/get_order?limit=10", True
        if kind == 1:
            return "/api/cart/get_cart", True
        if kind == 2:
            return f"/api/product/get_products_by_ids?ids={ids}", False
        word = self.chance.choice(RARE) + self.chance.choice(["", " ", *"abcdefghijkl"])
        return f"{lists}&search={quote(word)}", False

    async def open_page(self, shopper: Shopper) -> None:
        path, is_own = self.draw_page()
        what = "own page" if is_own else "search" if "search=" in path else "page"
        await self.engine.call(what, {"200"}, "GET", path, cookies=shopper.cookies if is_own else None)
        self.pages += 1

    def draw_basket(self) -> Lines:
        size = self.chance.choices(list(BASKET), list(BASKET.values()))[0]
        chosen: list[Product] = self.chance.sample(self.products, size)
        return [(product, self.chance.choice([1, 1, 1, 2, 2, 3])) for product in chosen]

    async def visit(self, shopper: Shopper, at: float, began: float) -> None:
        """One page after the other, without time to read: what a day's shoppers do in a minute is done in a second."""
        await asyncio.sleep(max(0.0, began + at - time.monotonic()))
        self.late = max(self.late, time.monotonic() - began - at)
        for _ in range(self.options.pages):
            await self.open_page(shopper)
        key = new_key()
        self.sent.add((shopper.id, key))
        body = order_body(shopper, self.draw_basket())
        placed = await self.engine.call("order", {"200"}, "POST", Api.PLACE, body, shopper.cookies, key)
        if placed.status == 200:
            self.acknowledged[shopper.id, key] = placed.data["orderId"]
        await self.engine.call("own page", {"200"}, "GET", "/api/order/get_order?limit=10", cookies=shopper.cookies)
        self.pages += 1

    # What it costs.

    def cpu(self) -> dict[str, float]:
        names = {"server": ["server-0", "server-1"], "PostgreSQL": ["database"], "worker": ["worker-0"]}
        return {name: self.shop.stack.cpu(*processes) for name, processes in names.items()}

    async def cost_since(self, before: dict[str, float], began: float = 0.0) -> dict[str, float]:
        """Milliseconds; with a beginning, without what the shop would have used anyway."""
        # Backends that are just ending are counted nowhere: PostgreSQL takes a moment to add them to its own time.
        await asyncio.sleep(0.5)
        after, seconds = self.cpu(), time.monotonic() - began if began else 0.0
        return {name: (after[name] - before[name]) * 1000 - self.background.get(name, 0) * seconds for name in before}

    async def idle(self) -> dict[str, float]:
        before = self.cpu()
        await asyncio.sleep(IDLE_SECONDS)
        return await self.cost_since(before)

    async def measure_streams(self) -> None:
        """How much more an idle shop needs with pages that wait for events than with one at each instance."""
        self.open(0, 2)
        await becomes(lambda: self.streams.open_streams == 2, 30)
        quiet = await self.idle()
        self.open(2, self.options.streams)
        opened = await becomes(lambda: self.streams.open_streams == self.options.streams, 60)
        self.report.expect(opened, f"{self.streams.open_streams} of {self.options.streams} pages wait for events")
        busy = await self.idle()
        self.background = {name: cost / IDLE_SECONDS for name, cost in busy.items()}
        minutes = max(1, self.options.streams - 2) * IDLE_SECONDS / 60
        for name in ("server", "PostgreSQL"):
            self.report.figure(
                f"open event stream, CPU of {name} in a minute", (busy[name] - quiet[name]) / minutes, "ms"
            )

    def open(self, first: int, last: int) -> None:
        for number in range(first, last):
            shopper = self.shoppers[number // STREAMS_OF_SHOPPER % SHOPPERS]
            self.streams.open(shopper, number)

    async def measure_pages(self) -> dict[str, float]:
        """CPU of a page, without orders."""
        count = max(800, self.options.orders * self.options.pages // 5)
        for number in range(len(self.shop.instances)):
            client = self.shop.client(number)
            for path in set(self.popular):
                await client.must("GET", path)
            client.close()

        async def shopper(number: int) -> None:
            for _ in range(count // 8):
                await self.open_page(self.shoppers[number])

        # The first time warms what every connection and every statement is made of.
        for _ in range(2):
            before, began = self.cpu(), time.monotonic()
            await asyncio.gather(*(shopper(number) for number in range(8)))
            cost = await self.cost_since(before, began)
        self.pages = 0
        return {name: cost[name] / (count // 8 * 8) for name in ("server", "PostgreSQL")}

    async def play(self, cost_of_page: dict[str, float]) -> None:
        stack, options = self.shop.stack, self.options
        metrics = [f"http://{stack.settings[f'SERVER_{number}_METRICS']}/metrics" for number in (0, 1)]
        counted_before = sum((metrics_of(each) for each in metrics), Counter[str]())
        before, began = self.cpu(), time.monotonic()
        visits = arrivals(options.orders, options.seconds, self.chance)
        await asyncio.gather(
            *(self.visit(self.chance.choice(self.shoppers), at, began) for at in visits),
        )
        seconds, cost = time.monotonic() - began, await self.cost_since(before, began)
        counted = sum((metrics_of(each) for each in metrics), Counter[str]())
        counted.subtract(counted_before)
        all_requests, made = counted["http_requests_total"], counted["http_request_duration_seconds_count"]
        orders, report = len(self.acknowledged), self.report
        report.figure("pages", self.pages)
        report.figure("orders", orders)
        report.figure("duration of the day", seconds, "s")
        report.figure("latest start of a visit", self.late, "s")
        report.figure("catalogue calls from the cache", (all_requests - made) / max(1, all_requests) * 100, "%")
        report.figure("event streams open", self.streams.open_streams)
        for name, value in cost_of_page.items():
            report.figure(f"page, CPU of {name}", value, "ms")
        for name, value in cost.items():
            without_pages = value - self.pages * cost_of_page.get(name, 0)
            report.figure(f"order without its pages, CPU of {name}", without_pages / max(1, orders), "ms")
        report.figure("order with its pages, CPU of all", sum(cost.values()) / max(1, orders), "ms")

    async def finish(self) -> None:
        watched = {shopper.id for shopper in self.shoppers[: -(-self.options.streams // STREAMS_OF_SHOPPER)]}
        due = {(user, code) for (user, _), code in self.acknowledged.items() if user in watched}
        await becomes(lambda: due <= self.streams.told, 15)
        self.report.expect(
            due <= self.streams.told,
            f"{len(due - self.streams.told)} of {len(due)} orders were not told to an open page",
        )
        await self.streams.close()
        orders = self.shop.cash_orders_of(self.shoppers)
        self.report.expect(len(dict(orders)) == len(orders), "an order exists twice")
        self.report.expect(
            dict(orders) == self.acknowledged, f"{len(orders)} orders, {len(self.acknowledged)} acknowledged"
        )
        self.report.figure("failures", len(self.engine.wrong))


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    print(f"seed {options.seed}", flush=True)
    day = Day(shop, report, options)
    await day.prepare()
    await day.measure_streams()
    cost_of_page = await day.measure_pages()
    await day.play(cost_of_page)
    await day.finish()
    shop.expect_sound(report)
    day.engine.finish(report)
    for what in ("page", "search", "own page", "order"):
        report.times(what, day.engine.seconds[what])
