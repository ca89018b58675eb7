"""Selling while the database has a fault: shoppers place cash orders and remember what was acknowledged, and pages that the
instances have in memory are opened. In the end every acknowledged order has to be there, once."""

import asyncio
import random
import time
from collections import Counter, defaultdict
from typing import Any

from drivers.client import NO_RESPONSE, Response
from drivers.report import Report, becomes, counted
from drivers.shop import Api, Shop, Shopper, new_key, order_body

SHOPPERS = 40
PRODUCTS = 30
# Pages that every shopper opens; the instances have answered each before the first fault.
PAGES = ["/", "/products", "/categories", "/api/product/get_products?limit=24"]
READ_EVERY = 0.2
PAUSE = 0.5


class Selling:
    def __init__(self, shop: Shop, report: Report, name: str, seed: int) -> None:
        self.shop, self.report, self.name = shop, report, name
        self.chance, self.is_over = random.Random(seed), asyncio.Event()
        self.acknowledged: dict[tuple[str, str], str] = {}
        self.sent: set[tuple[str, str]] = set()

    async def prepare(self) -> None:
        self.shoppers = await self.shop.shoppers(SHOPPERS)
        self.products = await self.shop.products([1_000_000] * PRODUCTS)
        for number in range(len(self.shop.instances)):
            for page in PAGES:
                response = await self.shop.client(number).request("GET", page)
                self.report.expect(response.status == 200, f"{page}: {response}")

    def figure(self, name: str, value: float, unit: str = "") -> None:
        self.report.figure(f"{self.name}: {name}", value, unit)

    def draw(self) -> tuple[Shopper, str, dict[str, Any]]:
        """Somebody's next order and its key."""
        shopper, key = self.chance.choice(self.shoppers), new_key()
        self.sent.add((shopper.id, key))
        body = order_body(shopper, [(product, 1) for product in self.chance.sample(self.products, 2)])
        # As in a shop: of a phone number that all share, the server would have to look through 100,000 open orders.
        body["phone"] = f"984{self.chance.randrange(10**7):07}"
        return shopper, key, body

    async def sold(self, count: int, seconds: float) -> bool:
        """Until so many more orders are acknowledged, so that every fault falls into selling."""
        wanted = len(self.acknowledged) + count
        return await becomes(lambda: len(self.acknowledged) >= wanted, seconds, 0.05)

    def expect_orders(self, is_loss_wanted: bool = False) -> None:
        orders = self.shop.cash_orders_of(self.shoppers)
        existing = dict(orders)
        lost = [key for key, code in self.acknowledged.items() if existing.get(key) != code]
        self.figure("acknowledged", len(self.acknowledged))
        self.figure("lost", len(lost))
        self.figure("doubled", len(orders) - len(existing))
        self.report.expect(len(existing) == len(orders), f"{len(orders)} orders for {len(existing)} keys")
        self.report.expect(set(existing) <= self.sent, "there are orders that were not asked for")
        if is_loss_wanted:
            self.report.expect(lost, "no acknowledged order was lost: this test cannot see a loss")
        else:
            self.report.expect(not lost, f"{len(lost)} acknowledged orders do not exist: {lost[:3]}")


class SellingInPhases(Selling):
    """Counts what shoppers and readers are answered in each phase of a fault, and after how long."""

    def __init__(self, shop: Shop, report: Report, name: str, seed: int) -> None:
        super().__init__(shop, report, name, seed)
        self.phase = "before"
        self.phases: list[str] = []
        self.answers: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        # Of a request that got no response as well.
        self.seconds: dict[tuple[str, str], list[float]] = defaultdict(list)

    def count(self, what: str, found: Response | BaseException, seconds: float) -> None:
        kind = found.kind if isinstance(found, Response) else type(found).__name__
        if self.phase not in self.phases:
            self.phases.append(self.phase)
        self.answers[self.phase, what][kind.removesuffix(" ?")] += 1
        self.seconds[self.phase, what].append(seconds)

    async def buy(self, number: int) -> None:
        """One order after the other; one that is not acknowledged is repeated with its key, as the web app does it."""
        while not self.is_over.is_set():
            shopper, key, body = self.draw()
            while not self.is_over.is_set():
                number += 1
                client, began = self.shop.client(number, shopper.cookies), time.monotonic()
                try:
                    response = await client.request("POST", Api.PLACE, body, key=key)
                except NO_RESPONSE as error:
                    self.count("orders", error, time.monotonic() - began)
                else:
                    self.count("orders", response, time.monotonic() - began)
                    if response.status == 200:
                        self.acknowledged[shopper.id, key] = response.data["orderId"]
                        break
                finally:
                    client.close()
                await asyncio.sleep(PAUSE)

    def draw_pages(self) -> list[tuple[str, str, Shopper | None]]:
        """What is asked for, its path, and by whom if not by anybody."""
        ids = ",".join(product.id for product in self.chance.sample(self.products, 6))
        return [
            *(("pages in memory", page, None) for page in PAGES),
            # Nobody has asked for these before.
            ("new searches", f"/api/product/get_products?search=chamal%20{self.chance.randrange(10**6)}", None),
            ("new lists", f"/api/product/get_products_by_ids?ids={ids}", None),
            ("own orders", "/api/order/get_order?limit=10", self.chance.choice(self.shoppers)),
        ]

    async def read(self, number: int) -> None:
        client = self.shop.client(number)
        while not self.is_over.is_set():
            for what, page, shopper in self.draw_pages():
                began = time.monotonic()
                try:
                    response = await client.request("GET", page, cookies=shopper.cookies if shopper else {})
                    self.count(what, response, time.monotonic() - began)
                except NO_RESPONSE as error:
                    self.count(what, error, time.monotonic() - began)
            await asyncio.sleep(READ_EVERY)
        client.close()

    async def more(self, count: int) -> None:
        if not await self.sold(count, 300):
            raise SystemExit(f"no order is placed any more: {counted(self.answers[self.phase, 'orders'])}")

    def expect_pages(self) -> None:
        for (phase, what), kinds in sorted(self.answers.items(), key=lambda each: each[0][1]):
            print(f"{what}, {phase}: {counted(kinds)}")
        for phase in self.phases:
            kinds = self.answers[phase, "pages in memory"]
            failed = kinds.total() - kinds["200"]
            self.report.expect(failed == 0, f"{phase}: {failed} of {kinds.total()} reads of pages in memory failed")
