"""Measures what a flood past the response cache costs: CPU of the server for `get_products?x=random` beside the same call
from the cache. The two take turns; the median of the rounds counts."""

import argparse
import random
import statistics

from drivers.report import Report
from drivers.shop import Shop
from drivers.stack import cpu_of

STACK: list[str] = []
PATH = "/api/product/get_products"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    client, server = shop.client(), shop.stack.pid("server-0")

    async def flood(is_random: bool) -> float:
        before = cpu_of(server)
        for _ in range(options.requests):
            path = f"{PATH}?x={random.getrandbits(64):x}" if is_random else PATH
            response = await client.request("GET", path, headers={"accept-encoding": "br"})
            report.expect(response.status == 200, f"{path}: {response.status}")
        return (cpu_of(server) - before) / int(options.requests) * 1000

    await flood(False)
    rounds = [(await flood(False), await flood(True)) for _ in range(options.rounds)]
    cached, bypassing = (statistics.median(values) for values in zip(*rounds, strict=True))
    report.figure("cached, server CPU", cached, "ms")
    report.figure("random query, server CPU", bypassing, "ms")
    report.figure("random query / cached", bypassing / cached if cached else 0, "x")
    client.close()
