"""Measures the catalogue at size: query plans, CPU of a page beside its bare SQL, and of a cached page beside nginx with the
same bytes. Starts a shop of its own for each size. Fails when a search or list reads the whole table."""

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from drivers.client import Client, Response
from drivers.load import drive, pgbench
from drivers.observatory import free_ports
from drivers.report import ROOT, Report
from drivers.shop import Shop
from drivers.stack import Stack

PAGE = 24
NIL = "'00000000-0000-0000-0000-000000000000'"
# Above this many rows PostgreSQL has no reason to prefer a scan of the whole table.
LARGE = 100_000


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--products", type=int, nargs="+", default=[1000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=6)
    parser.add_argument("--plans", type=Path, help="write the whole plans to this file")


def query_text(*parts: str) -> str:
    """The very statement of the server, from its committed metadata."""
    for file in (ROOT / "server" / ".sqlx").glob("query-*.json"):
        text = str(json.loads(file.read_text())["query"])
        if all(part in text for part in parts):
            return text
    raise SystemExit(f"no query with {parts}")


def fill(text: str, *values: object) -> str:
    for index, value in reversed(list(enumerate(values, 1))):
        text = re.sub(rf"\${index}(?!\d)", str(value), text)
    return text


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


def start_nginx(work: Path, body: bytes) -> tuple[subprocess.Popen[bytes], str]:
    (work / "page.json").write_bytes(body)
    work.chmod(0o755)
    (port,) = free_ports(1)
    temporary = " ".join(
        f"{kind}_temp_path {work}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (work / "nginx.conf").write_text(
        f"daemon off; worker_processes 2; pid {work}/nginx.pid; error_log stderr crit; events {{ worker_connections 512; }}\n"
        f"http {{ access_log off; sendfile on; open_file_cache max=10; keepalive_requests 1000000; {temporary}\n"
        f"server {{ listen 127.0.0.1:{port}; root {work}; }} }}\n"
    )
    process = subprocess.Popen(["nginx", "-c", work / "nginx.conf", "-e", work / "nginx.err"])
    time.sleep(0.5)
    return process, f"http://127.0.0.1:{port}"


async def compare(shop: Shop, report: Report, size: int, options: argparse.Namespace, work: Path) -> None:
    stack, url = shop.stack, f"/api/product/get_products?limit={PAGE}"
    top = int(stack.one("SELECT max(position) FROM products"))
    page = query_text("(p.position, p.id) > ($1, $2) ORDER BY")
    script = work / "bare.sql"
    bare_sql = fill(page, ":position", NIL, PAGE + 1).replace("\n", " ")
    script.write_text(f"\\set position random(0, {max(1, top - PAGE)})\n{bare_sql};\n")

    async def uncached(client: Client) -> Response:
        """Pages from all over the list, each request another one, so that none is answered from the cache."""
        cursor = f"featured\n{NIL[1:-1]}\n{random.randrange(0, max(1, top - PAGE))}".encode().hex()
        return await client.request("GET", f"{url}&cursor={cursor}&n={random.getrandbits(64):x}")

    async def cached(client: Client) -> Response:
        return await client.request("GET", url)

    async def static(client: Client) -> Response:
        return await client.request("GET", "/page.json")

    client = shop.client()
    nginx, nginx_url = start_nginx(work, (await client.request("GET", url)).body)
    client.close()
    server, postgres, seconds = stack.pid("server-0"), stack.pid("postgres"), options.seconds
    found: dict[str, list[float]] = {"bare SQL": [], "page": [], "cached page": [], "nginx": []}
    try:
        for _ in range(options.rounds):
            bare = pgbench(stack.env["DATABASE_URL"], seconds, str(script), {"postgres": postgres})
            found["bare SQL"].append(bare.cpu["postgres"])
            pids = {"server": server, "postgres": postgres}
            found["page"].append(sum((await drive(shop.url, shop.url, seconds, pids, uncached)).cpu.values()))
            found["nginx"].append((await drive(nginx_url, "", seconds, {"nginx": nginx.pid}, static)).cpu["nginx"])
            found["cached page"].append(
                (await drive(shop.url, shop.url, seconds, {"server": server}, cached)).cpu["server"]
            )
    finally:
        nginx.terminate()
        nginx.wait()
    cpu = {name: statistics.median(values) for name, values in found.items()}
    for name, value in cpu.items():
        report.figure(f"{size} products, CPU of {name}", value, "ms")
    report.figure(f"{size} products, page / bare SQL", cpu["page"] / cpu["bare SQL"] if cpu["bare SQL"] else 0, "x")
    report.figure(
        f"{size} products, nginx / cached page", cpu["nginx"] / cpu["cached page"] if cpu["cached page"] else 0, "x"
    )


def run_alone(report: Report, options: argparse.Namespace) -> None:
    plans = []
    for size in options.products:
        settings = {"RUST_LOG": "warn", "PG_SHARED_BUFFERS": os.environ.get("PG_SHARED_BUFFERS", "2GB")}
        stack = Stack.here(["--release", "--seed", str(size)], settings, is_own=True)
        try:
            plans += explain(stack, report, size)
            with tempfile.TemporaryDirectory(prefix="thunse-bench-") as work:
                asyncio.run(compare(Shop(stack), report, size, options, Path(work)))
        finally:
            stack.close()
    if options.plans:
        options.plans.write_text("\n".join(plans))
