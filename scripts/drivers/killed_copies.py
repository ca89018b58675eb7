"""Chaos test: instances of the server, and then PostgreSQL, are killed (kill -9) at random moments while orders are placed.
Every shopper repeats a request with the same key until it is answered. In the end every acknowledged order exists once."""

import argparse
import asyncio
import random
import time
from collections import Counter

from drivers.client import NO_ANSWER
from drivers.report import Report, counted
from drivers.shop import Shop, new_key

STACK = ["--copies", "2"]
CLIENTS = 16
FIRST_STOCK = 1_000_000


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kills", type=int, default=50, help="of an instance")
    parser.add_argument("--database-kills", type=int, default=10)


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    stack = shop.stack
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        report.expect(stack.one(f"SHOW {setting}") == "on", f"{setting} is off: a killed database may lose orders")
    shoppers, products = await shop.shoppers(40), await shop.products([FIRST_STOCK] * 20)
    failures, kinds = Counter[str](), Counter[str]()
    acknowledged: dict[tuple[str, str], str] = {}
    sent: set[tuple[str, str]] = set()
    ended, waits = asyncio.Event(), [0.0]

    async def client(number: int) -> None:
        connections = [shop.client(number), shop.client(number + 1)]
        for connection in connections:
            connection.repeats = False
        while not ended.is_set():
            shopper, key, attempt = random.choice(shoppers), new_key(), 0
            lines = [(product, 1) for product in random.sample(products, 2)]
            sent.add((shopper.id, key))
            started = time.monotonic()
            while True:
                try:
                    response = await shop.place(connections[attempt % 2], shopper, lines, key)
                except NO_ANSWER as error:
                    failures[type(error).__name__] += 1
                else:
                    kinds[response.kind] += 1
                    if response.status == 200:
                        acknowledged[shopper.id, key] = response.data["orderId"]
                    if response.status < 500:
                        report.expect(response.status == 200, f"refused: {response}")
                        break
                attempt += 1
                await asyncio.sleep(0.05)
            waits.append(time.monotonic() - started)
        for connection in connections:
            connection.close()

    async def more(count: int) -> None:
        """Until so many more orders are acknowledged, so that every kill falls into selling."""
        wanted, deadline = len(acknowledged) + count, time.monotonic() + 300
        while len(acknowledged) < wanted:
            if time.monotonic() > deadline:
                raise SystemExit(f"no order is placed any more: {counted(kinds)}; {counted(failures)}")
            await asyncio.sleep(0.02)

    async def chaos() -> None:
        await more(20)
        for _ in range(options.kills):
            name = f"server-{random.randrange(len(shop.instances))}"
            await asyncio.sleep(random.random() / 5)
            await stack.do("kill", name)
            await more(5)
            await stack.do("start", name)
            await more(5)
        for _ in range(options.database_kills):
            await asyncio.sleep(random.random() / 5)
            await stack.do("kill", "database")
            await asyncio.sleep(0.2)
            await stack.do("start", "database")
            await more(20)
        ended.set()

    await asyncio.gather(chaos(), *(client(number) for number in range(CLIENTS)))
    orders = shop.orders_of(shoppers)
    existing = {(user, key): code for user, key, code in orders}
    lost = [key for key, code in acknowledged.items() if existing.get(key) != code]
    report.expect(not lost, f"{len(lost)} acknowledged orders do not exist: {lost[:3]}")
    report.expect(len(existing) == len(orders), f"{len(orders)} orders for {len(existing)} keys")
    report.expect(set(existing) <= sent, "there are orders that nobody asked for")
    gone = sum(FIRST_STOCK - stock for stock in shop.stock_of(products).values())
    report.expect(gone == 2 * len(orders), f"{gone} units went for {len(orders)} orders of two")
    shop.expect_sound(report)
    print(f"answers: {counted(kinds)}; no answer: {counted(failures)}")
    report.figure("orders", len(acknowledged))
    report.figure("requests cut off", sum(failures.values()) + sum(n for kind, n in kinds.items() if kind[0] == "5"))
    report.figure("longest wait for an order", max(waits), "s")
