"""Load test: shoppers place, repeat and cancel orders while the seller sets any status on any order, reopens cancelled
ones, edits stock and prices. No invariant may break and nobody may be answered with a 5xx."""

import argparse
import asyncio
import random
import time
from collections import Counter, deque
from dataclasses import replace
from typing import Any

from drivers.client import Client, Form
from drivers.report import Report, Tally
from drivers.shop import CANCEL, SET_STATUS, STATUSES, Lines, Shop, Shopper, new_key, order_body

STACK = ["--copies", "2"]
CLIENTS = 32
ALLOWED = {
    "place": {"200", "409 out_of_stock", "409 product_gone", "409 price_changed"},
    "replay": {"200"},
    "cancel": {"200", "409 too_late_to_cancel"},
    "status": {"200"},
    "reopen": {"200"},
    "edit": {"200", "409 stock_changed", "409 product_changed"},
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))


class Load:
    def __init__(self, shop: Shop, seed: int) -> None:
        self.shop, self.chance = shop, random.Random(seed)
        self.tally = Tally(ALLOWED)
        self.placed: deque[tuple[Shopper, Lines, str, bytes, str]] = deque(maxlen=3000)
        self.cancelled: deque[str] = deque(maxlen=300)

    async def prepare(self) -> None:
        self.shoppers = await self.shop.shoppers(60)
        # A few that sell out, and many that do not.
        self.products = await self.shop.products(
            [15] * 12 + [400] * 18, [(n * 1375) % 90_000 + 500 for n in range(1, 31)]
        )
        self.seller = await self.shop.seller()

    async def place(self, client: Client) -> None:
        shopper, key = self.chance.choice(self.shoppers), new_key()
        # Copies: the seller may change the price while the order is on its way, and a replay must send what was sent.
        chosen = [replace(product) for product in self.chance.sample(self.products, self.chance.randint(1, 3))]
        lines = [(product, self.chance.randint(1, 3)) for product in chosen]
        shown = order_body(shopper, lines)["totalAmount"]
        response = await self.tally.call("place", self.shop.place(client, shopper, lines, key))
        if response.status == 200:
            if response.data["total"] > shown:
                self.tally.wrong.append(f"place: charged {response.data['total']}, though {shown} was shown")
            self.placed.append((shopper, lines, key, response.body, response.data["_id"]))

    async def replay(self, client: Client) -> None:
        if self.placed:
            shopper, lines, key, earlier, _ = self.chance.choice(self.placed)
            response = await self.tally.call("replay", self.shop.place(client, shopper, lines, key))
            if response.body != earlier:
                self.tally.wrong.append(f"replay: {response} instead of {earlier[:200]!r}")

    async def cancel(self, client: Client) -> None:
        if self.placed:
            shopper, *_, order = self.chance.choice(self.placed)
            request = client.request("POST", CANCEL, {"orderId": order}, shopper.cookies)
            if (await self.tally.call("cancel", request)).status == 200:
                self.cancelled.append(order)

    async def set_status(self, client: Client, what: str, order: str, status: str) -> None:
        body = {"orderId": order, "status": status}
        await self.tally.call(what, client.request("PUT", SET_STATUS, body, self.seller))
        if status == "Cancelled":
            self.cancelled.append(order)

    async def status(self, client: Client) -> None:
        if self.placed:
            await self.set_status(client, "status", self.chance.choice(self.placed)[4], self.chance.choice(STATUSES))

    async def reopen(self, client: Client) -> None:
        if self.cancelled:
            await self.set_status(
                client, "reopen", self.chance.choice(self.cancelled), self.chance.choice(STATUSES[:-1])
            )

    async def edit(self, client: Client) -> None:
        """The seller reads a product and changes its price or its stock; now and then shoppers keep the old price."""
        product = self.chance.choice(self.products)
        seen: dict[str, Any] = await client.must(
            "GET", f"/api/product/get_seller_product/{product.slug}", cookies=self.seller
        )
        price = max(100, product.price + self.chance.choice([-700, -50, 50, 700]))
        stock = max(0, seen["stock"] + self.chance.randint(-20, 22))
        if changes_price := self.chance.random() < 0.35:
            fields = {"price": f"{price / 100:.2f}", "version": seen["version"]}
        else:
            fields = {"stock": str(stock), "stockWas": str(seen["stock"])}
        request = client.request("PUT", f"/api/product/update_product/{product.slug}", Form(fields), self.seller)
        response = await self.tally.call("edit", request)
        if changes_price and response.status == 200 and self.chance.random() < 0.8:
            product.price = price


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    load = Load(shop, options.seed)
    await load.prepare()
    actions = (
        [load.place] * 38
        + [load.replay] * 14
        + [load.cancel] * 10
        + [load.status] * 20
        + [load.reopen] * 6
        + [load.edit] * 12
    )
    before, started = shop.deadlocks(), time.monotonic()

    async def client(number: int) -> None:
        connection = shop.client(number)
        while time.monotonic() - started < options.seconds:
            await load.chance.choice(actions)(connection)
        connection.close()

    await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    acknowledged, orders = load.tally.count("place"), shop.orders_of(load.shoppers)
    report.expect(len(orders) == acknowledged, f"{acknowledged} orders were acknowledged, {len(orders)} exist")
    doubled = [key for key, count in Counter(key for _, key, _ in orders).items() if count > 1]
    report.expect(not doubled, f"keys with several orders: {doubled[:5]}")
    print(f"seed {options.seed}")
    load.tally.finish(report)
    report.figure("orders per second", acknowledged / options.seconds, "1/s")
    report.figure("deadlocks", shop.deadlocks() - before)
    shop.expect_sound(report)
