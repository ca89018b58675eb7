"""Asks a real Prometheus every query of the dashboards in ops/monitoring/grafana, while it watches a shop in which orders are
placed. A query that fails, or that finds nothing where a healthy shop has something, is a failure."""

import argparse
import asyncio

from checks import dashboards

from drivers.prometheus import RULES, Prometheus
from drivers.report import Report
from drivers.shop import Api, Product, Shop, Shopper, new_key, order_body, pidx_of

STACK = ["--instances", "2"]
RULES_SECONDS = 15
SCRAPES = 4  # a rate needs two, and the recording rules another


async def place_orders(shop: Shop, shopper: Shopper, product: Product) -> None:
    """One with cash, and one that is paid in the wallet."""
    client, wallet, lines = shop.client(), shop.wallet(), [(product, 1)]
    placed = [await shop.place(client, shopper, lines)]
    body = order_body(shopper, lines, "Khalti")
    placed.append(await client.request("POST", Api.PLACE_ONLINE, body, shopper.cookies, new_key()))
    pidx = pidx_of(placed[1])
    placed.append(await wallet.request("POST", f"/payments/{pidx}/pay", {}))
    placed.append(await client.request("POST", Api.VERIFY, {"pidx": pidx}, shopper.cookies))
    if refused := [str(response) for response in placed if response.status != 200]:
        raise SystemExit(f"an order failed: {refused}")
    client.close()
    wallet.close()


async def run(shop: Shop, report: Report, _options: argparse.Namespace) -> None:
    async with Prometheus.watching(shop, RULES.read_text()) as prometheus:
        await check(shop, prometheus, report)


async def check(shop: Shop, prometheus: Prometheus, report: Report) -> None:
    (product,) = await shop.products([100])
    for shopper in await shop.shoppers(SCRAPES):
        await place_orders(shop, shopper, product)
        await asyncio.sleep(1.5)
    panels = [panel for dashboard in dashboards.DASHBOARDS for panel in dashboard.panels]
    queries = [(panel, expression) for panel in panels for expression in panel.queries.values()]
    empty = 0
    for panel, expression in queries:
        answer = await prometheus.ask(expression)
        if not panel.is_often_empty and not answer.get("data", {}).get("result"):
            # Rules are evaluated in turn, the first time after a while.
            await asyncio.sleep(RULES_SECONDS)
            answer = await prometheus.ask(expression)
        if not report.expect(answer["status"] == "success", f"{panel.title}: {answer.get('error')}"):
            continue
        is_empty = not answer["data"]["result"]
        empty += is_empty
        report.expect(not is_empty or panel.is_often_empty, f"{panel.title}: nothing for {expression}")
    report.figure("queries", len(queries))
    report.figure("of them without a value", empty)
