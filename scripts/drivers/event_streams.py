"""Pages that are open and wait for events of their shoppers' orders."""

import asyncio
import json
import time
from urllib.parse import urlsplit

from drivers.report import Report
from drivers.shop import Shop, Shopper

# The shop ends a stream after ten minutes, so that whoever opens it again is authenticated again.
LEAST_SECONDS = 9 * 60


class EventStreams:
    def __init__(self, shop: Shop, report: Report) -> None:
        self.shop, self.report = shop, report
        self.told: set[tuple[str, str]] = set()  # shopper's id, order code
        self.tasks: list[asyncio.Task[None]] = []
        self.open_streams = 0

    def open(self, shopper: Shopper, number: int) -> None:
        self.tasks.append(asyncio.create_task(self.wait_for_events(shopper, number)))

    async def wait_for_events(self, shopper: Shopper, number: int) -> None:
        """A page that is open: it opens the stream again when the shop ends it."""
        is_again, began = False, time.monotonic()
        while await self.read_stream(shopper, number, is_again):
            age, is_again, began = time.monotonic() - began, True, time.monotonic()
            self.report.expect(age > LEAST_SECONDS, f"the shop ended an open page after {age:.0f} s")

    async def read_orders(self, shopper: Shopper, number: int) -> None:
        """What happened between two streams."""
        client = self.shop.client(number)
        orders = await client.must("GET", "/api/order/get_order?limit=50", cookies=shopper.cookies)
        self.told |= {(shopper.id, order["orderId"]) for order in orders}
        client.close()

    async def read_stream(self, shopper: Shopper, number: int, is_again: bool) -> bool:
        """Reads until the shop ends the stream; whether it was opened at all."""
        address = urlsplit(self.shop.instances[number % len(self.shop.instances)])
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        cookies = "; ".join(f"{name}={value}" for name, value in shopper.cookies.items())
        head = f"GET /api/order/live HTTP/1.1\r\nhost: {address.netloc}\r\naccept: text/event-stream\r\ncookie: {cookies}\r\n\r\n"
        writer.write(head.encode())
        is_open = False
        try:
            status = await reader.readline()
            if not self.report.expect(b" 200 " in status, f"a page that waits for events: {status!r}"):
                return False
            self.open_streams, is_open = self.open_streams + 1, True
            if is_again:
                await self.read_orders(shopper, number)
            while line := await reader.readline():
                if line.startswith(b"data:") and b"{" in line:
                    self.told.add((shopper.id, json.loads(line[5:])["orderId"]))
            return True
        finally:
            self.open_streams -= is_open
            writer.close()

    async def close(self, count: int | None = None) -> None:
        """Closes those that have been open for longest, or all; a page that gave up or failed is a failure."""
        closing = self.tasks[:count]
        del self.tasks[:count]
        for task in closing:
            task.cancel()
        for end in await asyncio.gather(*closing, return_exceptions=True):
            self.report.expect(isinstance(end, asyncio.CancelledError), f"an open page ended: {end!r}")
