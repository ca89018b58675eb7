"""Chaos test: the disk of PostgreSQL, a small file system of its own, becomes full while shoppers place cash orders and
readers open pages. After a while the space is given back, and PostgreSQL is started again if it has ended. Prints what
shoppers and readers were answered before, meanwhile and afterwards. In the end every acknowledged order has to be there,
once, orders have to be taken again, and no invariant may be broken.

  --wal here     WAL and tables are on the full disk (the default): PostgreSQL cannot write WAL, and ends
  --wal apart    the WAL is on another disk: PostgreSQL goes on, and only what needs more space fails

Needs root."""

import argparse
import asyncio
import random
import time

from drivers import disk
from drivers.postgres import Postgres
from drivers.processes import is_running
from drivers.report import Report, becomes
from drivers.selling import SellingInPhases
from drivers.shop import Shop

STACK = ["--instances", "2", "--disk", "700"]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wal", choices=["here", "apart"], default="here")
    parser.add_argument(
        "--orders", type=int, default=200, help="acknowledged before the disk becomes full, and afterwards"
    )
    parser.add_argument("--seconds", type=int, default=40, help="how long the disk stays full")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))


def more_stack(options: argparse.Namespace) -> list[str]:
    return ["--wal-apart"] if options.wal == "apart" else []


class DiskFull(SellingInPhases):
    def __init__(self, shop: Shop, report: Report, options: argparse.Namespace) -> None:
        super().__init__(shop, report, f"WAL {options.wal}", options.seed)
        assert isinstance(shop.stack.postgres, Postgres), "this driver needs one PostgreSQL"
        self.options, self.postgres = options, shop.stack.postgres

    def refusals(self) -> int:
        answers = self.answers["full", "orders"]
        return answers.total() - answers["200"]

    async def fill_and_free(self) -> None:
        stack, folder = self.shop.stack, self.postgres.folder
        await self.more(self.options.orders)
        # With space for one more file of WAL, so that PostgreSQL meets the full disk while it sells.
        left = 0 if self.options.wal == "apart" else 20 * disk.MEGABYTE
        ballast, began, before = disk.fill(folder, left), time.monotonic(), len(self.acknowledged)
        self.phase = "full"
        if not await becomes(self.refusals, 300, 0.05):
            raise SystemExit(f"the disk was never full: {disk.free(folder)} bytes are left")
        self.figure("orders until the first was refused", len(self.acknowledged) - before)
        self.figure("time until the first was refused", time.monotonic() - began, "s")
        await asyncio.sleep(self.options.seconds)
        ballast.unlink()
        freed, self.phase = time.monotonic(), "after"
        has_ended = not is_running(self.postgres.pid) if (self.postgres.data / "postmaster.pid").exists() else True
        print(f"PostgreSQL has {'ended and is started again' if has_ended else 'gone on'}", flush=True)
        if has_ended:
            await asyncio.to_thread(stack.start, "database")
        await self.more(1)
        self.figure("from free space to the next order", time.monotonic() - freed, "s")
        await self.more(self.options.orders)
        self.is_over.set()


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    print(f"seed {options.seed}", flush=True)
    test = DiskFull(shop, report, options)
    await test.prepare()
    buyers = (test.buy(number) for number in range(options.clients))
    readers = (test.read(number) for number in range(len(shop.instances)))
    await asyncio.gather(test.fill_and_free(), *buyers, *readers)
    test.expect_orders()
    shop.expect_sound(report)
    test.expect_pages()
