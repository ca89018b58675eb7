"""Selling while the database has a fault: shoppers place cash orders and remember what was acknowledged, and pages that the
instances have in memory are opened. In the end every acknowledged order has to be there, once."""

import asyncio
import random
from typing import Any

from drivers.report import Report, becomes
from drivers.shop import Shop, Shopper, new_key, order_body

SHOPPERS = 40
PRODUCTS = 30
# Pages that every shopper opens; the instances have answered each before the first fault.
PAGES = ["/", "/products", "/categories", "/api/product/get_products?limit=24"]
READ_EVERY = 0.2


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
        return shopper, key, order_body(shopper, [(product, 1) for product in self.chance.sample(self.products, 2)])

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
