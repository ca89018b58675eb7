"""Measures what paying online costs beside the wallet's own time, and how late the shop polls payments when thousands are
open at real minutes. Fails when verifies of one payment that come at once are answered differently or settle it twice."""

import argparse
import asyncio
import time

from drivers.client import Client, Response
from drivers.report import Report, becomes, quantile
from drivers.shop import VERIFY, Product, Shop, Shopper, pidx_of

STACK = ["--copies", "2", "--workers", "2"]
AT_ONCE = 50


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--open", type=int, default=2000, help="payments that are open at once")


async def timed(request: "asyncio.Future[Response] | object") -> tuple[Response, float]:
    started = time.perf_counter()
    response: Response = await request  # type: ignore[misc]
    return response, time.perf_counter() - started


class Cost:
    def __init__(self, shop: Shop, report: Report, shoppers: list[Shopper], products: list[Product]) -> None:
        self.shop, self.report, self.shoppers, self.products = shop, report, shoppers, products
        self.client, self.wallet = shop.client(), shop.wallet()

    async def place_online(self, number: int, client: Client | None = None) -> tuple[Response, float]:
        """Products and quantities differ from call to call: an unpaid order of the same ones would be replaced."""
        shopper, place = self.shoppers[number % len(self.shoppers)], number // len(self.shoppers)
        lines = [(self.products[place % len(self.products)], 1 + place // len(self.products) % 90)]
        response, took = await timed(self.shop.place_online(client or self.client, shopper, lines))
        if response.status != 200:
            raise SystemExit(f"place_order_online: {response}")
        return response, took

    async def one_after_the_other(self, rounds: int) -> None:
        times: dict[str, list[float]] = {"cash": [], "online": [], "verify": [], "verify again": []}
        for number in range(rounds):
            shopper = self.shoppers[number % len(self.shoppers)]
            _, took = await timed(self.shop.place(self.client, shopper, [(self.products[number % 20], 1)]))
            times["cash"].append(took)
            response, took = await self.place_online(number)
            pidx = pidx_of(response)
            paid = await self.wallet.must("POST", f"/payments/{pidx}/pay", {})
            times["online"].append(took - paid["ms"]["initiate"] / 1000)
            body = {"pidx": pidx, "txnId": paid["transaction_id"]}
            first, took = await timed(self.client.request("POST", VERIFY, body, shopper.cookies))
            self.report.expect(first.status == 200, f"verify: {first}")
            before = await self.wallet.must("GET", f"/payments/{pidx}")
            times["verify"].append(took - before["ms"]["lookup"] / 1000)
            again, took = await timed(self.client.request("POST", VERIFY, body, shopper.cookies))
            times["verify again"].append(took)
            self.report.expect(again.body == first.body, f"verify again: {again} instead of {first}")
            after = await self.wallet.must("GET", f"/payments/{pidx}")
            self.report.expect(after["told"] == before["told"], "the wallet was asked again about a settled payment")
        for name, seconds in times.items():
            self.report.times(name, seconds)

    async def at_once(self, number: int) -> None:
        """Many verifies of one payment, at all instances."""
        response, _ = await self.place_online(number)
        order, pidx, shopper = response.data["_id"], pidx_of(response), self.shoppers[number % len(self.shoppers)]
        await self.wallet.must("POST", f"/payments/{pidx}/pay", {})
        clients = [self.shop.client(each) for each in range(AT_ONCE)]
        requests = (client.request("POST", VERIFY, {"pidx": pidx}, shopper.cookies) for client in clients)
        replies = await asyncio.gather(*requests)
        bodies = {each.body for each in replies}
        self.report.expect(len(bodies) == 1 and replies[0].status == 200, f"{AT_ONCE} verifies: {sorted(bodies)[:3]}")
        statement = f"SELECT count(*) FROM order_events WHERE order_id = '{order}' AND status = 'Order Confirmed'"
        settled = self.shop.stack.one(statement)
        self.report.expect(settled == "1", f"one payment was settled {settled} times")
        for client in clients:
            client.close()

    async def polled(self, count: int, first: int) -> None:
        """How long after its planned time each of many open payments is polled."""
        clients = [self.shop.client(number) for number in range(8)]

        async def place(client: Client, start: int) -> list[str]:
            numbers = range(first + start, first + count, len(clients))
            return [response.data["_id"] for response, _ in [await self.place_online(n, client) for n in numbers]]

        placed = await asyncio.gather(*(place(client, start) for start, client in enumerate(clients)))
        orders = {order for part in placed for order in part}
        planned: dict[str, float] = {}
        late: dict[str, float] = {}

        def read() -> bool:
            fields = (
                "id, subject_id, extract(epoch FROM next_check_at), coalesce(extract(epoch FROM last_checked_at), 0)"
            )
            for id_, order, due, polled_at in self.shop.stack.psql(
                f"SELECT {fields} FROM payments WHERE state = 'initiated' AND next_check_at IS NOT NULL"
            ):
                if order in orders:
                    if float(polled_at) and id_ in planned:
                        late.setdefault(id_, max(0.0, float(polled_at) - planned[id_]))
                    elif not float(polled_at):
                        planned[id_] = float(due)
            return len(late) >= len(orders)

        polled = await becomes(read, 600, 2)
        self.report.expect(polled, f"{len(orders) - len(late)} of {len(orders)} open payments were not polled")
        self.report.figure("open payments", len(orders))
        self.report.figure("polled late p50", quantile(late.values(), 0.5), "s")
        self.report.figure("polled late p99", quantile(late.values(), 0.99), "s")


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    cost = Cost(shop, report, await shop.shoppers(40), await shop.products([1_000_000] * 60))
    await cost.one_after_the_other(options.rounds)
    for number in range(5):
        await cost.at_once(options.rounds + number)
    await cost.polled(options.open, options.rounds + 5)
    shop.expect_sound(report)
