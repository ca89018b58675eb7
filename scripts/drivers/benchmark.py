"""Measures a shop at size, in a shop of its own (optimised build) for each: the plans of the catalogue's queries; CPU of the
server and of PostgreSQL for a page of the catalogue, the same page from the cache, and a cash order; and the time of every
list, search, filter, sort and count of the seller dashboard, with a year of orders (year.sql) in the tables. Fails when a
search or list of products reads the whole table, and when a response is not 200."""

import argparse
import asyncio
import json
import random
import re
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from urllib.parse import quote

from drivers.client import Client, Response
from drivers.report import ROOT, Report, quantile
from drivers.shop import STATUSES, Shop
from drivers.stack import Stack

CONNECTIONS = 16
PAGE = 24
NIL = "'00000000-0000-0000-0000-000000000000'"
# Above this many rows PostgreSQL has no reason to prefer a scan of the whole table.
LARGE = 100_000
PRODUCTS, ORDERS = "/api/product/get_seller_products?limit=50", "/api/order/get_orders"
COUNTS, AUDIT = "/api/order/get_order_counts", "/api/seller/get_audit"
SUBSCRIBERS = "/api/subscriber/get_subscribers"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--products", type=int, nargs="+", default=[1_000, 1_000_000])
    parser.add_argument("--orders", type=int, nargs="+", default=[10_000, 1_000_000], help="as many as of --products")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=6, help="of each kind of request, in each round")
    parser.add_argument("--calls", type=int, default=60, help="of each kind that the dashboard makes")
    parser.add_argument("--plans", type=Path, help="write the whole plans to this file")


# Plans.


def query_text(*parts: str) -> str:
    """The very statement of the server, from its committed metadata."""
    for file in (ROOT / "server" / ".sqlx").glob("query-*.json"):
        text = str(json.loads(file.read_text())["query"])
        if all(part in text for part in parts):
            return text
    raise SystemExit(f"no query with {parts}")


def fill(text: str, *values: object) -> str:
    return re.sub(r"\$(\d+)", lambda found: str(values[int(found[1]) - 1]), text)


def statements(stack: Stack) -> dict[str, str]:
    category = f"'{stack.one('SELECT id FROM categories ORDER BY position LIMIT 1')}'::uuid"
    middle = stack.one("SELECT coalesce(percentile_disc(0.5) WITHIN GROUP (ORDER BY position), 0) FROM products")
    page = query_text("(p.position, p.id) > ($1, $2) ORDER BY")
    search = query_text("(p.position, p.id) > ($1, $2) AND p.name_key LIKE $4 ORDER BY")
    by_category = query_text("(p.position, p.id) > ($1, $2) AND p.category_id = $4 ORDER BY")
    similar, near = query_text("p.search_words && $1"), query_text("search_vocabulary ORDER BY word <-> $1")
    return {
        "list, first page": fill(page, 0, NIL, PAGE + 1),
        "list, from the middle": fill(page, middle, NIL, PAGE + 1),
        "category": fill(by_category, 0, NIL, PAGE + 1, category),
        "search, common": fill(search, 0, NIL, PAGE + 1, "'%rice%'"),
        "search, rare": fill(search, 0, NIL, PAGE + 1, "'%marsi rice jumla%'"),
        "search, nothing": fill(search, 0, NIL, PAGE + 1, "'%zzyzx%'"),
        "search by another name": fill(similar, *["ARRAY['camal']"] * 4, "'%chamal%'", "NULL", 301),
        "similar words": fill(near, "'onoin'", "'%onoin%'"),
        "count of a search": fill(query_text("name_key LIKE $1 LIMIT $2) found"), "'%rice%'", 1001),
        "categories with counts": query_text("GROUP BY category_id"),
    }


def explain(stack: Stack, report: Report, size: int) -> list[str]:
    plans = []
    for name, statement in statements(stack).items():
        command = f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, COSTS OFF) {statement}"
        stack.psql(command)  # once to warm
        text = "\n".join(row[0] for row in stack.psql(command))
        found = re.search(r"Execution Time: ([\d.]+)", text)
        report.figure(f"{size} products, {name}", float(found[1]) if found else 0, "ms")
        is_scan = "Seq Scan on products" in text and "count" not in name
        report.expect(size < LARGE or not is_scan, f"{name} reads the whole table of {size} products")
        plans.append(f"### {name}, {size} products\n\n```\n{text}\n```\n")
    return plans


# CPU of requests: the load's own CPU does not count.


async def measure_cpu(shop: Shop, report: Report, size: str, options: argparse.Namespace) -> None:
    shoppers, products = await shop.shoppers(100), await shop.products([1_000_000] * 99)
    top, path = int(shop.stack.one("SELECT max(position) FROM products")), f"/api/product/get_products?limit={PAGE}"

    async def uncached_page(client: Client) -> Response:
        """Pages from all over the list, so that hardly one comes from the cache."""
        cursor = f"featured\n{NIL[1:-1]}\n{random.randrange(0, max(1, top - PAGE))}".encode().hex()
        return await client.request("GET", f"{path}&cursor={cursor}")

    async def cached_page(client: Client) -> Response:
        return await client.request("GET", path)

    async def order(client: Client) -> Response:
        return await shop.place(client, random.choice(shoppers), [(each, 1) for each in random.sample(products, 3)])

    async def load(request: Callable[[Client], Awaitable[Response]]) -> tuple[float, float]:
        """CPU milliseconds of a request, and requests per second."""
        before, count, started = shop.stack.cpu("server-0", "database"), 0, time.monotonic()

        async def connection() -> None:
            nonlocal count
            client = shop.client()
            while time.monotonic() < started + options.seconds:
                response = await request(client)
                report.expect(response.status == 200, f"under load: {response}")
                count += 1
            client.close()

        await asyncio.gather(*(connection() for _ in range(CONNECTIONS)))
        seconds = time.monotonic() - started
        # Backends that are just ending are counted nowhere: PostgreSQL takes a moment to add them to its own time.
        await asyncio.sleep(0.5)
        return (shop.stack.cpu("server-0", "database") - before) * 1000 / max(1, count), count / seconds

    for name, request in (("page", uncached_page), ("cached page", cached_page), ("order", order)):
        found = [await load(request) for _ in range(options.rounds)]
        report.figure(f"{size}, {name}: CPU", statistics.median(cpu for cpu, _ in found), "ms")
        report.figure(f"{size}, {name}: per second", statistics.median(rate for _, rate in found), "1/s")


# The dashboard.


def calls_of_dashboard(stack: Stack) -> list[str]:
    """Every list, filter, sort, count and kind of search; words that sellers would type are taken from the shop."""

    def one(column: str, table: str) -> str:
        return quote(stack.one(f"SELECT {column} FROM {table} ORDER BY md5({column}) LIMIT 1"))

    name, slug = one("name", "products"), one("slug", "products")
    code, phone = one("code", "orders"), one("phone", "orders")
    return [
        *(f"{PRODUCTS}&sort={sort}" for sort in ("newest", "name", "price_asc", "price_desc")),
        *(f"{PRODUCTS}&stock={stock}&sort={sort}" for stock in ("low", "out") for sort in ("stock", "name")),
        *(
            f"{PRODUCTS}&search={word}{more}"
            for word in ("rice", name, "veget", "ri", "zzyzx")
            for more in ("", "&sort=price_desc", "&stock=low&sort=stock", "&stock=out&sort=stock")
        ),
        f"/api/product/get_seller_product/{slug}?",
        "/api/category/get_categories?",
        *(f"{path}?{more}" for path in (ORDERS, COUNTS) for more in ("", "unpaid=true")),
        *(f"{ORDERS}?status={quote(status)}" for status in STATUSES),
        *(f"{ORDERS}?search={word}" for word in (code, code[:5], code[3:7], phone, phone[:6], "sita", name, "zzyzx")),
        *(f"{ORDERS}?search={word}&status=Cancelled" for word in ("sita", "rice")),
        *(f"/api/order/get_delivery_sheet?{more}" for more in ("", "late=false", f"date={date.today()}")),
        *(f"/api/order/get_{what}?days={days}" for what in ("overview", "top_products") for days in (1, 7, 30)),
        "/api/order/get_cases?",
        *(f"{AUDIT}?search={word}" for word in ("", "Sita", "product.update", "rice", code, "ri", "zzyzx")),
        *(f"{SUBSCRIBERS}?search={word}" for word in ("", "reader", "reader-77", "zzyzx")),
    ]


async def measure_dashboard(shop: Shop, report: Report, size: str, calls: int) -> None:
    client, slowest = shop.client(0, await shop.seller()), []
    print("| call | p50 ms | p95 ms | max ms |\n|---|---|---|---|")
    for path in calls_of_dashboard(shop.stack):
        times, cursor = [], ""
        for number in range(calls):
            started = time.perf_counter()
            response = await client.request("GET", f"{path}{cursor}")
            times.append((time.perf_counter() - started) * 1000)
            if not report.expect(response.status == 200, f"{path}: {response}"):
                break
            # The first half asks for the first page, the second half for the pages after it.
            following = response.json.get("nextCursor") if number >= calls // 2 else None
            cursor = f"&cursor={following}" if following else ""
        shown = (statistics.median(times), quantile(times, 0.95), max(times))
        slowest.append((shown[1], path))
        print(f"| `{path}` | {' | '.join(f'{value:.1f}' for value in shown)} |", flush=True)
    client.close()
    report.figure(f"{size}, dashboard, median of all p95", statistics.median(p95 for p95, _ in slowest), "ms")
    report.figure(f"{size}, dashboard, slowest p95", max(slowest)[0], "ms")


async def measure(stack: Stack, report: Report, orders: int, size: str, options: argparse.Namespace) -> None:
    # Emails and the worker's regular checks are no part of what is measured.
    stack.kill("worker")
    stack.psql(f"@{Path(__file__).with_name('year.sql')}", "MIGRATE_DATABASE_URL", orders=orders, seed=0.5)
    stack.psql("VACUUM (ANALYZE)", "ADMIN_DATABASE_URL")
    await measure_dashboard(Shop(stack), report, size, options.calls)
    await measure_cpu(Shop(stack), report, size, options)


def run_alone(report: Report, options: argparse.Namespace) -> None:
    plans = []
    for products, orders in zip(options.products, options.orders, strict=True):
        settings = {"RUST_LOG": "warn", "PG_SHARED_BUFFERS": "2GB"}
        stack = Stack.here(["--release", "--seed", str(products)], settings, is_own=True)
        try:
            plans += explain(stack, report, products)
            asyncio.run(measure(stack, report, orders, f"{products} products, {orders} orders", options))
        finally:
            stack.close()
    if options.plans:
        options.plans.write_text("\n".join(plans))
