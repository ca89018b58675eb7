"""Chaos test: the wallet refuses every connection, then accepts them and never answers. Browsing and cash on delivery go
on without an error; who wants to pay online is refused, and no stock stays held for an order that cannot be paid; when the
wallet is back, online payment is back by itself. How slow each becomes is a figure."""

import argparse
import asyncio
import os
import random
import signal
import time

from drivers.client import Client, Response
from drivers.report import Report, Tally, becomes, quantile
from drivers.shop import VERIFY, Shop, pidx_of

STACK = ["--copies", "2"]
REFUSAL = "503 online_payment_unavailable"
# A shopper's new order may replace one of his own whose payment page is just being made.
ONLINE, ONLINE_AWAY = {"200", "409 not_payable"}, {REFUSAL, "409 not_payable"}
# How many clients of each kind, and how many seconds apart each of them calls.
CLIENTS = {"browse": (4, 0.05), "cash": (3, 0.05), "online": (14, 0.7)}
PAGES = ["/", "/api/product/get_products", "/api/product/get_products?search=chamal", "/healthz"]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=int, default=600, help="how long the wallet is away, each way")


class Load:
    def __init__(self, shop: Shop, report: Report) -> None:
        self.shop, self.report = shop, report

    async def prepare(self) -> None:
        self.shoppers, self.products = await self.shop.shoppers(60), await self.shop.products([1_000_000] * 40)

    async def online(self, client: Client, number: int) -> Response:
        # Other products at each call: an unpaid order of the same ones would be given its link again.
        shopper = self.shoppers[number % len(self.shoppers)]
        lines = [(product, random.randint(1, 5)) for product in random.sample(self.products, 3)]
        return await self.shop.place_online(client, shopper, lines)

    async def phase(self, name: str, seconds: float, online: set[str]) -> None:
        tally = Tally({"browse": {"200"}, "cash": {"200"}, "online": online})
        ends_at = time.monotonic() + seconds

        async def client(number: int, kind: str, pace: float) -> None:
            connection, turn = self.shop.client(number), number
            while (now := time.monotonic()) < ends_at:
                turn += 13
                shopper = self.shoppers[turn % len(self.shoppers)]
                if kind == "browse":
                    request = connection.request("GET", random.choice(PAGES))
                elif kind == "cash":
                    request = self.shop.place(connection, shopper, [(random.choice(self.products), 1)])
                else:
                    request = self.online(connection, turn)
                await tally.call(kind, request)
                await asyncio.sleep(max(0.0, pace - (time.monotonic() - now)))
            connection.close()

        kinds = [(kind, pace) for kind, (count, pace) in CLIENTS.items() for _ in range(count)]
        await asyncio.gather(*(client(number, kind, pace) for number, (kind, pace) in enumerate(kinds)))
        self.report.expect(not tally.wrong, f"{name}: {len(tally.wrong)} answers that may not be: {tally.wrong[:5]}")
        for kind in CLIENTS:
            self.report.times(f"{name}, {kind}", tally.seconds[kind])
        self.report.figure(f"{name}, online longest", quantile(tally.seconds["online"], 1), "s")

    async def expect_back(self, name: str) -> None:
        """Every instance takes online orders again, and nothing is held for an order that cannot be paid."""

        async def is_back() -> bool:
            clients = [self.shop.client(number) for number in range(len(self.shop.instances))]
            replies = [await self.online(client, random.randrange(1000)) for client in clients]
            for client in clients:
                client.close()
            return all(response.status == 200 for response in replies)

        started = time.monotonic()
        self.report.expect(await becomes(is_back, 300, 0.5), f"{name}: online payment does not come back")
        self.report.figure(f"{name}, online payment back after", time.monotonic() - started, "s")
        held = """SELECT count(*) FROM orders o WHERE o.stock = 'held'
                  AND NOT EXISTS (SELECT FROM payments p WHERE p.subject_id = o.id AND p.state = 'initiated')"""
        freed = await becomes(lambda: self.shop.stack.one(held) == "0", 300)
        self.report.expect(freed, f"{name}: orders that cannot be paid hold stock")


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    load, stack = Load(shop, report), shop.stack
    await load.prepare()
    await load.phase("before", min(options.seconds, 60), ONLINE)

    await stack.do("kill", "wallet")
    await load.phase("refusing", options.seconds, ONLINE_AWAY)
    await stack.do("start", "wallet")
    await load.expect_back("refusing")

    # One shopper has paid just before, and returns to the shop while the wallet is silent.
    client, wallet, shopper = shop.client(), shop.wallet(), load.shoppers[0]
    pidx = pidx_of(await load.online(client, 0))
    await wallet.must("POST", f"/payments/{pidx}/pay", {})
    wallet.close()
    os.kill(stack.pid("wallet"), signal.SIGSTOP)
    try:
        await load.phase("hanging", options.seconds, ONLINE_AWAY)
        started = time.monotonic()
        response = await client.request("POST", VERIFY, {"pidx": pidx, "txnId": "x"}, shopper.cookies)
        report.figure("hanging, verify", time.monotonic() - started, "s")
        report.expect(response.kind in ("503 payment_pending", "200"), f"verify while the wallet hangs: {response}")
    finally:
        os.kill(stack.pid("wallet"), signal.SIGCONT)
    await load.expect_back("hanging")

    async def is_settled() -> bool:
        return (await client.request("POST", VERIFY, {"pidx": pidx, "txnId": "x"}, shopper.cookies)).status == 200

    report.expect(await becomes(is_settled, 300, 0.5), "a payment from before the wallet fell silent is not settled")
    client.close()
    shop.expect_sound(report)
