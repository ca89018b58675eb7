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
from collections import Counter, defaultdict

from drivers import disk
from drivers.client import NO_RESPONSE, Response
from drivers.postgres import Postgres
from drivers.processes import is_running
from drivers.report import Report, becomes, counted
from drivers.selling import PAGES, READ_EVERY, Selling
from drivers.shop import Api, Shop

STACK = ["--instances", "2", "--disk", "700"]
PAUSE = 0.5


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


class DiskFull(Selling):
    def __init__(self, shop: Shop, report: Report, options: argparse.Namespace) -> None:
        super().__init__(shop, report, f"WAL {options.wal}", options.seed)
        assert isinstance(shop.stack.postgres, Postgres), "this driver needs one PostgreSQL"
        self.options, self.postgres, self.phase = options, shop.stack.postgres, "before"
        self.answers: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    def count(self, what: str, found: Response | BaseException) -> None:
        kind = found.kind if isinstance(found, Response) else type(found).__name__
        self.answers[self.phase, what][kind.removesuffix(" ?")] += 1

    async def buy(self, number: int) -> None:
        """One order after the other; one that is not acknowledged is repeated with its key, as the web app does it."""
        while not self.is_over.is_set():
            shopper, key, body = self.draw()
            while not self.is_over.is_set():
                number += 1
                client = self.shop.client(number, shopper.cookies)
                try:
                    response = await client.request("POST", Api.PLACE, body, key=key)
                except NO_RESPONSE as error:
                    self.count("orders", error)
                else:
                    self.count("orders", response)
                    if response.status == 200:
                        self.acknowledged[shopper.id, key] = response.data["orderId"]
                        break
                finally:
                    client.close()
                await asyncio.sleep(PAUSE)

    async def read(self, number: int) -> None:
        client = self.shop.client(number)
        while not self.is_over.is_set():
            # Nobody has searched for this before.
            search = f"/api/product/get_products?search=chamal%20{self.chance.randrange(10**6)}"
            for what, page in (*(("pages in memory", page) for page in PAGES), ("new searches", search)):
                try:
                    self.count(what, await client.request("GET", page))
                except NO_RESPONSE as error:
                    self.count(what, error)
            await asyncio.sleep(READ_EVERY)
        client.close()

    async def more(self, count: int) -> None:
        if not await self.sold(count, 300):
            raise SystemExit(f"no order is placed any more: {counted(self.answers[self.phase, 'orders'])}")

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

    def expect_pages(self) -> None:
        for (phase, what), kinds in sorted(self.answers.items(), key=lambda each: each[0][1]):
            print(f"{what}, {phase}: {counted(kinds)}")
        for phase in ("before", "full", "after"):
            kinds = self.answers[phase, "pages in memory"]
            failed = kinds.total() - kinds["200"]
            self.report.expect(failed == 0, f"{phase}: {failed} of {kinds.total()} reads of pages in memory failed")


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
