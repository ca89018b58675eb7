"""Measures what an order costs: CPU of place_order_COD with three lines beside pgbench running the bare writes as one
statement, in turns; first with few orders in the tables, then with many. Starts a shop of its own for each."""

import argparse
import asyncio
import random
import re
import statistics
import tempfile
from pathlib import Path

from drivers.client import Client, Response
from drivers.load import drive, pgbench
from drivers.report import Report
from drivers.shop import Shop
from drivers.stack import Stack

PRODUCTS = 99
YEAR = Path(__file__).with_name("year.sql")
# The same rows that the server writes for one order, without any of its checks.
BARE = """\\set user random(1, {shoppers})
\\set key random(1, 9000000000000000)
\\set first random(1, {products} - 2)
WITH buyer AS (SELECT id FROM bench_shoppers WHERE n = :user),
shelf AS (
    SELECT p.id, p.name, p.name_ne, p.price_paisa, b.n - :first AS part FROM products p JOIN bench_products b ON b.id = p.id
    WHERE b.n BETWEEN :first AND :first + 2 AND p.stock >= 1 ORDER BY p.id FOR NO KEY UPDATE OF p
), sold AS (
    UPDATE products p SET stock = p.stock - 1 FROM shelf WHERE p.id = shelf.id RETURNING p.id
), made AS (
    INSERT INTO orders (id, code, tracking, user_id, method, status, payment, stock, subtotal_paisa, taxable_paisa, tax_percent,
        tax_paisa, shipping_paisa, total_paisa, recipient, email, phone, address, language, delivery_date)
    SELECT gen_random_uuid(), 'P' || :key, 'T' || :key, buyer.id, 'COD', 'Order Placed', 'cod_due', 'taken', 30000, 30000, 13,
        3900, 2000, 35900,
        'Bench Shopper', 'bench@example.com', '9841234567', 'Baneshwor-10, Kathmandu', 'en', current_date + 3
    FROM shelf, buyer GROUP BY buyer.id HAVING count(*) = 3 RETURNING id, user_id
), items AS (
    INSERT INTO order_items (order_id, product_id, position, name, name_ne, price_paisa, tax_class, quantity)
    SELECT made.id, shelf.id, shelf.part, shelf.name, shelf.name_ne, shelf.price_paisa, 'standard', 1 FROM made, shelf
), movements AS (
    INSERT INTO stock_movements (product_id, order_id, delta, reason) SELECT sold.id, made.id, -1, 'sale' FROM made, sold
), event AS (
    INSERT INTO order_events (order_id, status, actor) SELECT id, 'Order Placed', 'shopper' FROM made
), counted AS (
    INSERT INTO buyers (user_id, placed) SELECT user_id, 1 FROM made
    ON CONFLICT (user_id) DO UPDATE SET placed = buyers.placed + 1
), keyed AS (
    INSERT INTO idempotency_keys (user_id, key, request_hash, order_id, response)
    SELECT user_id, 'bare-' || :key, '\\x{hash}', id, '{answer}' FROM made
), job AS (
    INSERT INTO graphile_worker._private_jobs (task_id, payload, max_attempts) SELECT {task}, '{payload}', 10 FROM made
)
SELECT id FROM made;
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--orders", type=int, nargs="+", default=[10_000, 1_000_000])
    parser.add_argument("--shoppers", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=8)


def quoted(text: str) -> str:
    """For pgbench, to which a word after a colon is a variable, even within a text."""
    return re.sub(r":(?=\w)", ": ", text.replace("'", "''").replace("\n", " "))


async def measure(shop: Shop, report: Report, orders: int, options: argparse.Namespace) -> None:
    stack = shop.stack
    # Emails are no part of an order's cost; their jobs pile up on both sides alike.
    await stack.do("kill", "worker")
    stack.psql(f"@{YEAR}", "MIGRATE_DATABASE_URL", orders=orders, seed=0.5)
    shoppers, products = await shop.shoppers(options.shoppers), await shop.products([1_000_000] * PRODUCTS)
    for table, ids in (("shoppers", [each.id for each in shoppers]), ("products", [each.id for each in products])):
        values = ", ".join(f"({n}, '{id_}'::uuid)" for n, id_ in enumerate(ids, 1))
        create = f"CREATE TABLE bench_{table} (n int PRIMARY KEY, id uuid); GRANT SELECT ON bench_{table} TO thunse_app"
        stack.psql(f"{create}; INSERT INTO bench_{table} VALUES {values}", "ADMIN_DATABASE_URL")
    stack.psql("VACUUM (ANALYZE)", "ADMIN_DATABASE_URL")

    async def order(client: Client) -> Response:
        first = random.randrange(PRODUCTS - 2)
        return await shop.place(client, random.choice(shoppers), [(products[first + part], 1) for part in range(3)])

    client = shop.client()
    order_id = (await order(client)).data["_id"]
    client.close()
    stored = f"SELECT encode(request_hash, 'hex'), response FROM idempotency_keys WHERE order_id = '{order_id}'"
    hash_, answer = stack.psql(stored, "ADMIN_DATABASE_URL")[0]
    newest = "SELECT task_id, payload FROM graphile_worker._private_jobs ORDER BY id DESC LIMIT 1"
    task, payload = stack.psql(newest, "ADMIN_DATABASE_URL")[0]
    written = {"hash": hash_, "answer": quoted(answer), "task": task, "payload": quoted(payload)}
    postgres = {"postgres": stack.pid("postgres")}
    pairs = []
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(BARE.format(shoppers=len(shoppers), products=PRODUCTS, **written))
        script.flush()
        for _ in range(options.rounds):
            bare = pgbench(stack.env["DATABASE_URL"], options.seconds, script.name, postgres)
            pids = {"server": stack.pid("server-0"), **postgres}
            pairs.append((bare, await drive(shop.url, shop.url, options.seconds, pids, order)))
    bare_cpu = statistics.median(bare.cpu["postgres"] for bare, _ in pairs)
    cpu = statistics.median(sum(full.cpu.values()) for _, full in pairs)
    report.figure(f"{orders} orders: CPU of an order", cpu, "ms")
    report.figure(f"{orders} orders: CPU of the bare writes", bare_cpu, "ms")
    report.figure(f"{orders} orders: order / bare writes", cpu / bare_cpu if bare_cpu else 0, "x")
    report.figure(f"{orders} orders: orders per second", statistics.median(full.rate for _, full in pairs), "1/s")
    wanted, existing = sum(full.count for _, full in pairs) + 1, len(shop.orders_of(shoppers))
    bare_orders = int(stack.one("SELECT count(*) FROM idempotency_keys WHERE key LIKE 'bare-%'"))
    report.expect(
        existing == wanted + bare_orders, f"{wanted} orders were acknowledged, {existing - bare_orders} exist"
    )


def run_alone(report: Report, options: argparse.Namespace) -> None:
    for orders in options.orders:
        stack = Stack.here(["--release"], {"RUST_LOG": "warn", "PG_SHARED_BUFFERS": "2GB"}, is_own=True)
        try:
            asyncio.run(measure(Shop(stack), report, orders, options))
        finally:
            stack.close()
