"""Measures the seller's dashboard at size: every list, search, filter, sort and count, in a shop with a year of orders
(year.sql). Prints a table and the slowest calls; fails when an answer is not 200."""

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Iterator
from datetime import date, timedelta
from urllib.parse import quote, urlencode

from drivers.checkout_cost import YEAR
from drivers.client import Client
from drivers.report import Report, quantile
from drivers.shop import STATUSES, Shop
from drivers.stack import Stack

PRODUCTS, ORDERS = "/api/product/get_seller_products", "/api/order/get_orders"
AUDIT, READERS, SHEET = "/api/seller/get_audit", "/api/subscriber/get_subscribers", "/api/order/get_delivery_sheet"
PAGES = ", pages 2 to 61"
# (name, path, query); a value that begins with @ is drawn from the group of terms with that name, call by call.
Case = tuple[str, str, dict[str, str]]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--products", type=int, default=1_000_000)
    parser.add_argument("--orders", type=int, default=1_000_000)
    parser.add_argument("--calls", type=int, default=60)
    parser.add_argument("--only", default="", help="calls whose name has this in it")


def write_year(stack: Stack, orders: int) -> None:
    stack.psql(f"@{YEAR}", "MIGRATE_DATABASE_URL", orders=orders, seed=0.5)
    stack.psql("VACUUM (ANALYZE)", "ADMIN_DATABASE_URL")


def terms(stack: Stack) -> dict[str, list[str]]:
    """Words that sellers would type, taken from what the shop has."""

    def find(statement: str) -> list[str]:
        return [row[0] for row in stack.psql(statement)]

    codes = find("SELECT code FROM orders ORDER BY md5(code) LIMIT 60")
    newest = find("SELECT code FROM orders ORDER BY id DESC LIMIT 60")
    phones = find("SELECT phone FROM orders ORDER BY md5(code) LIMIT 60")
    return {
        "names": find("SELECT name FROM products WHERE archived_at IS NULL ORDER BY md5(slug) LIMIT 60"),
        "slugs": find("SELECT slug FROM products WHERE archived_at IS NULL ORDER BY md5(slug || 'x') LIMIT 60"),
        "common": ["rice", "RICE", "oil", "dal", "tea", "masala", "flour", "jumla", "organic", "mustard"],
        "categories": find("SELECT lower(left(name, 5)) FROM categories ORDER BY position LIMIT 12"),
        "short": ["ri", "oi", "da", "a", "te", "e", "sa", "g", "mu", "z"],
        "codes": codes,
        "code-starts": [code[:5].lower() for code in codes],
        "code-middles": [code[3:7] for code in codes],
        "new-middles": [code[3:7].lower() for code in newest],
        "new-letters": [code[3:5].lower() for code in newest],
        "new-starts": [code[:4] for code in newest],
        "phones": phones,
        "phone-starts": [phone[:6] for phone in phones],
        "people": ["sita", "Maya", "karki", "thapa", "RAM BAHADUR"],
        "days": [(date.today() - timedelta(days=n)).isoformat() for n in range(30)],
        "seller": find("SELECT name FROM sellers ORDER BY created_at LIMIT 1"),
        "readers": [f"reader-{random.randrange(1, 100_000)}@" for _ in range(60)],
        "nothing": [f"zzyzx{n}" for n in range(60)],
    }


def cases() -> Iterator[Case]:
    for sort in ("newest", "name", "price_asc", "price_desc"):
        yield f"products by {sort}", PRODUCTS, {"sort": sort}
        yield f"products by {sort}{PAGES}", PRODUCTS, {"sort": sort}
    for stock in ("low", "out"):
        for sort in ("stock", "newest", "name", "price_asc"):
            yield f"products {stock} by {sort}", PRODUCTS, {"stock": stock, "sort": sort}
        yield f"products {stock}{PAGES}", PRODUCTS, {"stock": stock, "sort": "stock"}
    for group in ("common", "names", "categories", "short", "nothing"):
        search = {"search": f"@{group}"}
        yield f"products, search {group}", PRODUCTS, search
        yield f"products, search {group}, by price", PRODUCTS, {**search, "sort": "price_desc"}
        yield f"products, search {group}, low", PRODUCTS, {**search, "stock": "low", "sort": "stock"}
        yield f"products, search {group}, out", PRODUCTS, {**search, "stock": "out", "sort": "stock"}
    yield f"products, search rice{PAGES}", PRODUCTS, {"search": "rice"}
    yield "one product", "/api/product/get_seller_product/@slugs", {}
    yield "categories with counts", "/api/category/get_categories", {}
    yield "imports", "/api/product/get_imports", {}
    yield "orders", ORDERS, {}
    yield "orders with unpaid ones", ORDERS, {"unpaid": "true"}
    yield f"orders{PAGES}", ORDERS, {}
    for status in STATUSES:
        yield f"orders, {status}", ORDERS, {"status": status}
    for status in ("Delivered", "Cancelled"):
        yield f"orders, {status}{PAGES}", ORDERS, {"status": status}
    groups = (
        "codes",
        "code-starts",
        "new-middles",
        "new-letters",
        "people",
        "phones",
        "phone-starts",
        "names",
        "nothing",
    )
    for group in groups:
        yield f"orders, search {group}", ORDERS, {"search": f"@{group}"}
    yield "orders, search a status", ORDERS, {"search": "deliv"}
    yield "orders, search people, Cancelled", ORDERS, {"search": "@people", "status": "Cancelled"}
    yield "orders, search common, Cancelled", ORDERS, {"search": "@common", "status": "Cancelled"}
    yield "orders, search new-starts, Order Placed", ORDERS, {"search": "@new-starts", "status": "Order Placed"}
    yield "orders, search code-middles, Delivered", ORDERS, {"search": "@code-middles", "status": "Delivered"}
    yield "counts by status", "/api/order/get_order_counts", {}
    yield "counts by status with unpaid ones", "/api/order/get_order_counts", {"unpaid": "true"}
    yield "delivery sheet", SHEET, {}
    yield "delivery sheet without late ones", SHEET, {"late": "false"}
    yield "delivery sheet of a day, all open", SHEET, {"date": "@days", "status": ",".join(STATUSES[:4])}
    for days in ("1", "7", "30"):
        yield f"overview, {days} days", "/api/order/get_overview", {"days": days}
        yield f"top products, {days} days", "/api/order/get_top_products", {"days": days}
    yield "needs attention", "/api/order/get_cases", {}
    yield "audit log", AUDIT, {}
    yield f"audit log{PAGES}", AUDIT, {}
    for word in ("@seller", "product.update", "shop.settings", "@common", "@names", "@codes", "@short", "@nothing"):
        yield f"audit log, search {word.lstrip('@')}", AUDIT, {"search": word}
    yield f"audit log, search product.stock{PAGES}", AUDIT, {"search": "product.stock"}
    yield "subscribers", READERS, {}
    yield f"subscribers{PAGES}", READERS, {}
    for word in ("reader", "@readers", "1@", "@nothing"):
        yield f"subscribers, search {word.lstrip('@')}", READERS, {"search": word}


async def measure(client: Client, case: Case, known: dict[str, list[str]], calls: int) -> tuple[list[float], str]:
    """Milliseconds of each call, and what went wrong."""
    name, path, query = case
    times, cursor = [], ""

    def drawn(value: str, number: int) -> str:
        group = known.get(value[1:], []) if value.startswith("@") else []
        return group[number % len(group)] if group else value

    for number in range(calls):
        base, _, parameter = path.partition("@")
        fields = {key: drawn(value, number) for key, value in query.items()}
        fields |= {"limit": "50"} if path == PRODUCTS else {}
        if name.endswith(PAGES):
            if not cursor:
                cursor = (await client.request("GET", f"{path}?{urlencode(fields)}")).json.get("nextCursor") or ""
                if not cursor:
                    break
            fields["cursor"] = cursor
        address = base + (quote(drawn(f"@{parameter}", number)) if parameter else "") + "?" + urlencode(fields)
        started = time.perf_counter()
        response = await client.request("GET", address, timeout=120)
        times.append((time.perf_counter() - started) * 1000)
        if response.status != 200:
            return times, f"{address}: {response}"
        if name.endswith(PAGES):
            cursor = response.json.get("nextCursor") or ""
    return times, ""


async def measure_all(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    # What the worker checks every few minutes would read the whole year; nothing that is measured needs it.
    await shop.stack.do("kill", "worker")
    write_year(shop.stack, options.orders)
    client, known = shop.client(0, await shop.seller()), terms(shop.stack)
    rows, pids = [], ("server-0", "postgres")
    print("| call | p50 ms | p95 ms | max ms | CPU of the server ms | of PostgreSQL ms |\n|---|---|---|---|---|---|")
    for case in cases():
        if options.only in case[0]:
            before = [shop.stack.cpu(name) for name in pids]
            times, wrong = await measure(client, case, known, options.calls)
            report.expect(not wrong, wrong)
            cpu = [
                (shop.stack.cpu(name) - was) * 1000 / max(1, len(times)) for name, was in zip(pids, before, strict=True)
            ]
            if times:
                p95 = quantile(times, 0.95)
                rows.append((p95, case[0]))
                shown = (statistics.median(times), p95, max(times), *cpu)
                print(f"| {case[0]} | {' | '.join(f'{value:.1f}' for value in shown)} |", flush=True)
    client.close()
    report.figure("kinds of calls", len(rows))
    report.figure("median of all p95", statistics.median(p95 for p95, _ in rows), "ms")
    for p95, name in sorted(rows, reverse=True)[:5]:
        report.figure(f"p95 of {name}", p95, "ms")


def run_alone(report: Report, options: argparse.Namespace) -> None:
    settings = {"RUST_LOG": "warn", "PG_SHARED_BUFFERS": "2GB"}
    stack = Stack.here(["--release", "--seed", str(options.products)], settings, is_own=True)
    try:
        asyncio.run(measure_all(Shop(stack), report, options))
    finally:
        stack.close()
