"""Load and chaos test: shoppers browse, place, repeat and cancel orders while two sellers set any status, reopen cancelled
orders and edit the same products from lists that are a moment old. --kills and --database-kills kill (kill -9) instances of
the server and PostgreSQL meanwhile; clients then repeat what got no response.

No invariant may break, no acknowledged order or edit may be lost or doubled, every edit is in the audit log, and no response
may come that is not allowed; a 503 is allowed only while processes are killed."""

import argparse
import asyncio
import random
from collections import Counter, defaultdict, deque
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from drivers.client import Body, Cookies, Form, Response
from drivers.engine import Engine
from drivers.report import Report, becomes, counted
from drivers.shop import STATUSES, Api, Lines, Shop, Shopper, new_key, order_body, sql_list

STACK = ["--instances", "2"]
PAGES = ["/", "/api/product/get_products", "/api/product/get_products?search=chamal", "/healthz"]
# Some sell out, so that sellers take out what shoppers have just bought.
FIRST_STOCK = [5] * 6 + [15] * 8 + [400] * 26
# How often each is done, and what may be answered.
ACTIONS: dict[str, tuple[int, set[str]]] = {
    "browse": (14, {"200"}),
    "place": (34, {"200", "409 out_of_stock", "409 price_changed"}),
    "replay": (12, {"200"}),
    "cancel": (9, {"200", "409 too_late_to_cancel"}),
    "status": (12, {"200"}),
    "reopen": (5, {"200"}),
    "edit": (14, {"200", "409 product_changed", "409 stock_changed"}),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=int, default=60, help="without kills")
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--kills", type=int, default=0, help="of an instance")
    parser.add_argument("--database-kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))


class Load:
    def __init__(self, shop: Shop, report: Report, options: argparse.Namespace) -> None:
        self.shop, self.report, self.chance = shop, report, random.Random(options.seed)
        self.engine = Engine(shop, is_chaos=bool(options.kills or options.database_kills))
        self.wrong, self.clients = self.engine.wrong, options.clients
        self.sent: set[tuple[str, str]] = set()
        self.acknowledged: dict[tuple[str, str], str] = {}
        self.placed: deque[tuple[Shopper, Lines, str, Response]] = deque(maxlen=3000)
        self.cancelled: deque[str] = deque(maxlen=300)
        # Acknowledged edits by slug: (field, value, version before), and differences of stock.
        self.edits: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        self.differences: dict[str, list[int]] = defaultdict(list)
        self.turn = 0

    async def prepare(self) -> None:
        self.shoppers = await self.shop.shoppers(60)
        prices = [20_000 + 1_000 * number for number in range(len(FIRST_STOCK))]
        self.products = await self.shop.products(FIRST_STOCK, prices)
        self.mark = self.products[0].slug.split("-")[1]
        self.sellers = [await self.shop.seller(), await self.shop.seller(is_new=True)]
        self.shown: list[dict[str, Any]] = []
        for seller in self.sellers:
            path = f"/api/product/get_seller_products?limit=100&search={quote('driver ' + self.mark)}"
            found = await self.shop.client().must("GET", path, cookies=seller)
            self.shown.append({each["slug"]: each for each in found})

    async def call(self, what: str, method: str, path: str, body: Body, cookies: Cookies, key: str = "") -> Response:
        return await self.engine.call(what, ACTIONS[what][1], method, path, body, cookies, key)

    def draw_order(self) -> tuple[Shopper, Lines]:
        # Each product as it is now: a seller may change the price, and a replay must send what was sent.
        chosen = [replace(product) for product in self.chance.sample(self.products, self.chance.randint(1, 3))]
        return self.chance.choice(self.shoppers), [(product, self.chance.randint(1, 2)) for product in chosen]

    async def browse(self) -> None:
        await self.call("browse", "GET", self.chance.choice(PAGES), None, {})

    async def place(self) -> None:
        (shopper, lines), key = self.draw_order(), new_key()
        body = order_body(shopper, lines)
        self.sent.add((shopper.id, key))
        response = await self.call("place", "POST", Api.PLACE, body, shopper.cookies, key)
        if response.status == 200:
            if response.data["total"] > body["totalAmount"]:
                self.wrong.append(f"place: charged {response.data['total']}, though {body['totalAmount']} was shown")
            self.acknowledged[shopper.id, key] = response.data["orderId"]
            self.placed.append((shopper, lines, key, response))

    async def replay(self) -> None:
        if self.placed:
            shopper, lines, key, previous = self.chance.choice(self.placed)
            response = await self.call("replay", "POST", Api.PLACE, order_body(shopper, lines), shopper.cookies, key)
            if response.body != previous.body:
                self.wrong.append(f"replay: {response} instead of {previous}")

    async def cancel(self) -> None:
        if self.placed:
            shopper, *_, response = self.chance.choice(self.placed)
            order = response.data["_id"]
            response = await self.call("cancel", "POST", Api.CANCEL, {"orderId": order}, shopper.cookies)
            if response.status == 200:
                self.cancelled.append(order)

    async def set_status(self, what: str, order: str, status: str) -> None:
        body, seller = {"orderId": order, "status": status}, self.chance.choice(self.sellers)
        await self.call(what, "PUT", Api.SET_STATUS, body, seller)
        if status == "Cancelled":
            self.cancelled.append(order)

    async def status(self) -> None:
        if self.placed:
            order = self.chance.choice(self.placed)[3].data["_id"]
            await self.set_status("status", order, self.chance.choice(STATUSES))

    async def reopen(self) -> None:
        if self.cancelled:
            await self.set_status("reopen", self.chance.choice(self.cancelled), self.chance.choice(STATUSES[:-1]))

    async def edit(self) -> None:
        """A new name, price or stock, based on what the seller saw last; after a conflict, on what he is shown."""
        self.turn += 1
        number, product = self.chance.randrange(2), self.chance.choice(self.products)
        shown, field = self.shown[number][product.slug], self.chance.choice(["name", "price", "stock"])
        # Every name and price is used once, so that it can be found again.
        price = f"{200 + self.turn // 100}.{self.turn % 100:02}"
        value = f"Driver {self.mark} edit {self.turn:06}" if field == "name" else price
        path, seller = f"/api/product/update_product/{quote(product.slug)}", self.sellers[number]
        for _ in range(20):
            stock, version = shown["stock"], shown["version"]
            difference = self.chance.choice([-8, -1, 3, 30]) if stock > 8 else 30
            fields = {field: value, "version": version}
            if field == "stock":
                fields = {"stock": str(stock + difference), "stockWas": str(stock)}
            allowed = ACTIONS["edit"][1]
            response = await self.engine.once("edit", allowed, "PUT", path, Form(fields), seller, instance=self.turn)
            # Without a response it is not repeated: it may have been made.
            if response is None or not response.data:
                return
            shown.update(response.data)
            if response.status == 200:
                if field == "stock":
                    self.differences[product.slug].append(difference)
                else:
                    self.edits[product.slug].append((field, value, version))
                # Now and then shoppers still see the old price.
                if field == "price" and self.chance.random() < 0.8:
                    product.price = round(response.data["price"] * 100)
                return

    async def run_until(self, is_over: asyncio.Event) -> None:
        names = [name for name, (share, _) in ACTIONS.items() for _ in range(share)]

        async def client() -> None:
            while not is_over.is_set():
                await getattr(self, self.chance.choice(names))()

        await asyncio.gather(*(client() for _ in range(self.clients)))

    async def run_for(self, seconds: float) -> None:
        is_over, deadlocks = asyncio.Event(), self.shop.deadlocks()
        asyncio.get_running_loop().call_later(seconds, is_over.set)
        await self.run_until(is_over)
        for what, times in self.engine.seconds.items():
            self.report.times(what, times)
        self.report.figure("deadlocks", self.shop.deadlocks() - deadlocks)

    async def kill(self, kills: int, database_kills: int) -> None:
        is_over, stack = asyncio.Event(), self.shop.stack

        async def more(count: int) -> None:
            """Until so many more orders are acknowledged, so that every kill falls into selling."""
            wanted = len(self.acknowledged) + count
            if not await becomes(lambda: len(self.acknowledged) >= wanted, 300, 0.02):
                raise SystemExit(f"no order is placed any more: {counted(self.engine.cut)}")

        async def chaos() -> None:
            await more(20)
            for name in ["server"] * kills + ["database"] * database_kills:
                victim = f"server-{self.chance.randrange(2)}" if name == "server" else name
                await asyncio.sleep(self.chance.random() / 5)
                await asyncio.to_thread(stack.kill, victim)
                if name == "server":
                    await more(5)
                await asyncio.to_thread(stack.start, victim)
                await more(10)
            is_over.set()

        await asyncio.gather(chaos(), self.run_until(is_over))

    def expect_orders(self) -> None:
        orders = self.shop.cash_orders_of(self.shoppers)
        existing = dict(orders)
        lost = [key for key, code in self.acknowledged.items() if existing.get(key) != code]
        self.report.expect(not lost, f"{len(lost)} acknowledged orders do not exist: {lost[:3]}")
        self.report.expect(len(existing) == len(orders), f"{len(orders)} orders for {len(existing)} keys")
        allowed = self.sent if self.engine.is_chaos else set(self.acknowledged)
        self.report.expect(set(existing) <= allowed, "there are orders that were not asked for")

    def expect_edits(self) -> None:
        """Compares acknowledged edits with the products, the stock ledger and the audit log."""
        psql, expect = self.shop.stack.psql, self.report.expect
        ids = sql_list([product.id for product in self.products])
        log: dict[str, list[str]] = defaultdict(list)
        statement = "SELECT object, translate(after, E'\\t\\n', '  ') FROM audit_log WHERE action LIKE 'product.%'"
        for object_, after in psql(f"{statement} AND action <> 'product.add' AND object IN ({ids}) ORDER BY id"):
            log[object_].append(after)
        fields = """id, slug, name, price_paisa, (SELECT coalesce(sum(delta), 0) FROM stock_movements m
                    WHERE m.product_id = p.id AND m.reason LIKE 'seller%')"""
        for id_, slug, name, paisa, by_sellers in psql(f"SELECT {fields} FROM products p WHERE id IN ({ids})"):
            edits, differences = self.edits[slug], self.differences[slug]
            for version, count in Counter(version for *_, version in edits).items():
                expect(count == 1, f"{slug}: {count} edits replaced the one version {version}")
            for field, now in (("name", name), ("price", f"{int(paisa) / 100:.2f}")):
                values = {value for kind, value, _ in edits if kind == field}
                # The log is written in the edit's transaction while the product is locked: its order is theirs.
                written = [value for after in log[id_] for value in values if value in after]
                expect(set(written) == values, f"{slug}: not in the audit log: {values - set(written)}")
                is_last = not written or written[-1] == now
                expect(is_last, f"the {field} of {slug} is {now}; the last edit in the log is {written[-1:]}")
            expected, count = sum(differences), len(edits) + len(differences)
            expect(int(by_sellers) == expected, f"{slug}: {expected} acknowledged, {by_sellers} in the stock ledger")
            expect(len(log[id_]) == count, f"{slug}: {count} edits acknowledged, {len(log[id_])} in the audit log")


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    print(f"seed {options.seed}", flush=True)
    load = Load(shop, report, options)
    await load.prepare()
    if load.engine.is_chaos:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            report.expect(shop.stack.one(f"SHOW {setting}") == "on", f"{setting} is off: orders may be lost")
        await load.kill(options.kills, options.database_kills)
    else:
        await load.run_for(options.seconds)
        load.expect_edits()
    load.expect_orders()
    shop.expect_sound(report)
    load.engine.finish(report)
    report.figure("orders", len(load.acknowledged))
    report.figure("edits", load.engine.kinds["edit"]["200"])
