"""Load test: two sellers edit the products that two hundred shoppers buy. Each seller works from a list that is a moment
old and retries on the conflict that he is shown. No acknowledged edit may be lost, stock must be the sum of its
movements, and every edit must be in the audit log."""

import argparse
import asyncio
import random
import time
from collections import Counter, defaultdict, deque
from typing import Any
from urllib.parse import quote

from drivers.client import Client, Cookies, Form, Response
from drivers.report import Report, Tally
from drivers.shop import CANCEL, Shop, Shopper

STACK = ["--copies", "2"]
# Some are nearly gone, so that sellers take out what shoppers have just bought.
FIRST_STOCK = [5] * 12 + [150] * 28
LIST_SECONDS = 1.5
ALLOWED = {
    "edit": {"200", "409 product_changed"},
    "stock": {"200", "409 stock_changed"},
    "place": {"200", "409 out_of_stock", "409 price_changed"},
    "cancel": {"200", "409 too_late_to_cancel"},
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--buyers", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))


class Load:
    def __init__(self, shop: Shop, options: argparse.Namespace) -> None:
        self.shop, self.seconds, self.chance = shop, options.seconds, random.Random(options.seed)
        self.tally, self.counter, self.given_up = Tally(ALLOWED), 0, 0
        # (slug, 'name' or 'price', value, version before), as acknowledged; and acknowledged differences of stock.
        self.edits: list[tuple[str, str, str, str]] = []
        self.differences: dict[str, list[int]] = defaultdict(list)

    async def prepare(self, buyers: int) -> None:
        self.shoppers = await self.shop.shoppers(buyers)
        self.products = await self.shop.products(FIRST_STOCK, [20_000 + 1_000 * n for n in range(len(FIRST_STOCK))])
        self.by_slug = {product.slug: product for product in self.products}
        self.mark = self.products[0].slug.split("-")[1]
        self.sellers = [await self.shop.seller(), await self.shop.seller(self.shop.another_seller())]
        self.ends_at = time.monotonic() + self.seconds

    async def put(self, client: Client, seller: Cookies, what: str, slug: str, fields: dict[str, str]) -> Response:
        request = client.request("PUT", f"/api/product/update_product/{quote(slug)}", Form(fields), seller)
        return await self.tally.call(what, request)

    async def edit(self, client: Client, seller: Cookies, product: dict[str, Any]) -> None:
        """A new name or price, based on the version that the seller saw; after a conflict on the one he is shown."""
        self.counter += 1
        field, slug = self.chance.choice(["name", "price"]), product["slug"]
        # Every value is used once, so that it can be found again.
        price = f"{self.chance.randrange(150, 700)}.{self.counter % 100:02}"
        value = f"Driver {self.mark} edit {self.counter}" if field == "name" else price
        for _ in range(20):
            version = product["version"]
            response = await self.put(client, seller, "edit", slug, {field: value, "version": version})
            if not response.data or response.data["version"] == version:
                self.tally.wrong.append(f"edit: no newer version than {version}: {response}")
                return
            product.update(response.data)
            if response.status == 200:
                self.edits.append((slug, field, value, version))
                if field == "price":
                    self.by_slug[slug].price = round(response.data["price"] * 100)
                return
        self.given_up += 1

    async def stock(self, client: Client, seller: Cookies, product: dict[str, Any]) -> None:
        """The difference to what the seller saw counts, not the number."""
        for _ in range(20):
            shown = product["stock"]
            wanted = max(1, shown + self.chance.randint(-8, 30))
            fields = {"stock": str(wanted), "stockWas": str(shown)}
            if wanted == shown:
                return
            response = await self.put(client, seller, "stock", product["slug"], fields)
            if response.data:
                product.update(response.data)
            if response.status == 200:
                self.differences[product["slug"]].append(wanted - shown)
                return
        self.given_up += 1

    async def sell(self, number: int, seller: Cookies) -> None:
        client, products, read_at = self.shop.client(number), {}, 0.0
        while time.monotonic() < self.ends_at:
            if time.monotonic() - read_at > LIST_SECONDS:
                path = f"/api/product/get_seller_products?limit=100&search={quote('driver ' + self.mark)}"
                found = await client.must("GET", path, cookies=seller)
                if len(found) != len(self.products):
                    self.tally.wrong.append(f"list: {len(found)} of {len(self.products)} products")
                    return
                products, read_at = {each["slug"]: each for each in found}, time.monotonic()
            act = self.edit if self.chance.random() < 0.65 else self.stock
            await act(client, seller, products[self.chance.choice(self.products).slug])
            await asyncio.sleep(self.chance.random() / 50)
        client.close()

    async def buy(self, number: int, shopper: Shopper) -> None:
        client, mine = self.shop.client(number), deque[str](maxlen=5)
        await asyncio.sleep(self.chance.random() * 2)
        while time.monotonic() < self.ends_at:
            if mine and self.chance.random() < 0.3:
                request = client.request("POST", CANCEL, {"orderId": mine.popleft()}, shopper.cookies)
                await self.tally.call("cancel", request)
            else:
                chosen = self.chance.sample(self.products, self.chance.randint(1, 3))
                lines = [(product, self.chance.randint(1, 2)) for product in chosen]
                response = await self.tally.call("place", self.shop.place(client, shopper, lines))
                if response.status == 200:
                    mine.append(response.data["_id"])
            await asyncio.sleep(1 + self.chance.random() * 3)
        client.close()

    def expect_nothing_lost(self, report: Report) -> None:
        """Holds acknowledged edits against the products, the ledger and the audit log."""
        psql = self.shop.stack.psql
        ids = ", ".join(f"'{product.id}'" for product in self.products)
        found = psql(f"SELECT slug, id, name, price_paisa, stock FROM products WHERE id IN ({ids})")
        log: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
        statement = "SELECT object, id, action, translate(after, E'\\t\\n', '  ') FROM audit_log"
        for object_, number, action, after in psql(f"{statement} WHERE object IN ({ids}) ORDER BY id"):
            log[object_].append((int(number), action, after))
        by_sellers, ledger = Counter[str](), Counter[str]()
        for id_, delta, is_seller in psql(
            f"SELECT product_id, delta, reason LIKE 'seller%' FROM stock_movements WHERE product_id IN ({ids})"
        ):
            ledger[id_] += int(delta)
            by_sellers[id_] += int(delta) if is_seller == "t" else 0
        for slug, id_, name, paisa, stock in found:
            mine = [each for each in self.edits if each[0] == slug]
            for version, count in Counter(version for *_, version in mine).items():
                report.expect(count == 1, f"{slug}: {count} edits replaced the one version {version}")
            for field, present in (("name", name), ("price", f"{int(paisa) / 100:.2f}")):
                values = {value for _, kind, value, _ in mine if kind == field}
                written = [(number, value) for number, _, after in log[id_] for value in values if value in after]
                missing = values - {value for _, value in written}
                report.expect(not missing, f"{slug}: edits of the {field} that are not in the audit log: {missing}")
                # The log is written in the edit's transaction while the product is locked: its order is theirs.
                if written and (last := max(written)[1]) != present:
                    report.expect(False, f"the {field} of {slug} is {present}; the last acknowledged edit said {last}")
            told = sum(self.differences[slug])
            report.expect(
                by_sellers[id_] == told, f"{slug}: differences of {told} acknowledged, {by_sellers[id_]} in the ledger"
            )
            report.expect(ledger[id_] == int(stock), f"{slug}: stock {stock}, movements {ledger[id_]}")
            logged = sum(action in ("product.stock", "product.update") for _, action, _ in log[id_])
            count = len(self.differences[slug]) + len(mine)
            report.expect(logged == count, f"{slug}: {count} edits acknowledged, {logged} in the audit log")


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    load = Load(shop, options)
    await load.prepare(options.buyers)
    before = shop.deadlocks()
    await asyncio.gather(
        *(load.sell(number, seller) for number, seller in enumerate(load.sellers)),
        *(load.buy(number, shopper) for number, shopper in enumerate(load.shoppers)),
    )
    acknowledged, orders = load.tally.count("place"), shop.orders_of(load.shoppers)
    report.expect(len(orders) == acknowledged, f"{acknowledged} orders were acknowledged, {len(orders)} exist")
    load.expect_nothing_lost(report)
    print(f"seed {options.seed}")
    load.tally.finish(report)
    report.figure("edits", len(load.edits) + sum(map(len, load.differences.values())))
    report.figure(
        "conflicts", load.tally.count("edit", "409 product_changed") + load.tally.count("stock", "409 stock_changed")
    )
    report.figure("edits given up after 20 conflicts", load.given_up)
    report.figure("deadlocks", shop.deadlocks() - before)
    shop.expect_sound(report)
