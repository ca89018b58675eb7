"""Chaos test: the disk of PostgreSQL becomes slow while shoppers place cash orders and readers open pages. Each flush takes
longer by so many milliseconds, one delay after the other, and in the end none. Prints what shoppers and readers were answered,
and after how long, before, with each delay, and afterwards. In the end every acknowledged order has to be there, once, orders
have to be taken as before, and no invariant may be broken."""

import argparse
import asyncio
import random
import time

from drivers.postgres import Postgres
from drivers.report import Report, counted, quantile
from drivers.selling import SellingInPhases
from drivers.shop import Shop

STACK = ["--instances", "2", "--slow-disk"]
READERS = 8
# What was sent while the disk was slow is answered by then.
RECOVERY_SECONDS = 12


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--delays", default="50,500,5000", help="of each flush, in milliseconds, one after the other")
    parser.add_argument("--seconds", type=int, default=40, help="of each phase")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))


class SlowDisk(SellingInPhases):
    def __init__(self, shop: Shop, report: Report, options: argparse.Namespace) -> None:
        super().__init__(shop, report, f"{options.clients} clients", options.seed)
        assert isinstance(shop.stack.postgres, Postgres), "this driver needs one PostgreSQL"
        assert shop.stack.postgres.delay, "this driver needs a shop that was started with --slow-disk"
        self.options, self.delay = options, shop.stack.postgres.delay
        self.lasted: dict[str, float] = {}

    async def sell_with(self, milliseconds: int, phase: str) -> None:
        self.delay.write_text(str(milliseconds))
        self.phase, began = phase, time.monotonic()
        await asyncio.sleep(self.options.seconds)
        self.lasted[phase] = time.monotonic() - began

    async def slow_down(self) -> None:
        delays = [int(each) for each in self.options.delays.split(",")]
        await self.sell_with(0, "before")
        for milliseconds in delays:
            await self.sell_with(milliseconds, f"{milliseconds} ms")
        began = time.monotonic()
        self.delay.write_text("0")
        # An answer counts for the phase in which it comes: here also for what was sent while the disk was slow.
        self.phase = "recovery"
        await self.more(1)
        self.figure("from a quick disk to the next order", time.monotonic() - began, "s")
        await asyncio.sleep(RECOVERY_SECONDS)
        self.lasted[self.phase] = time.monotonic() - began
        await self.sell_with(0, "after")
        self.is_over.set()

    def print_figures(self) -> None:
        for phase, lasted in self.lasted.items():
            orders = self.answers[phase, "orders"]
            self.figure(f"{phase}: orders in a second", orders["200"] / lasted)
            self.figure(f"{phase}: orders refused", orders.total() - orders["200"])
            for what in ("orders", "pages in memory", "new searches", "new lists", "own orders"):
                for part in (0.5, 0.95, 0.99, 1):
                    name = "longest" if part == 1 else f"p{part * 100:.0f}"
                    self.figure(f"{phase}: {what} {name}", quantile(self.seconds[phase, what], part) * 1000, "ms")

    def expect_recovery(self) -> None:
        kinds = self.answers["after", "orders"]
        self.report.expect(kinds["200"], "no order is taken after the disk was slow")
        # Shoppers who want the same product at once are asked to try again, with any disk.
        refused = kinds.total() - kinds["200"] - kinds["503 busy"]
        self.report.expect(not refused, f"after the disk was slow orders are refused: {counted(kinds)}")


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    print(f"seed {options.seed}", flush=True)
    for setting in ("fsync", "synchronous_commit"):
        report.expect(shop.stack.one(f"SHOW {setting}") == "on", f"{setting} is off: no order waits for the disk")
    test = SlowDisk(shop, report, options)
    await test.prepare()
    buyers = (test.buy(number) for number in range(options.clients))
    readers = (test.read(number) for number in range(READERS))
    await asyncio.gather(test.slow_down(), *buyers, *readers)
    test.expect_orders()
    shop.expect_sound(report)
    test.expect_pages()
    test.expect_recovery()
    test.print_figures()
