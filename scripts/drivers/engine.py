"""What load and chaos tests share: requests to all instances, repeated while processes are killed, and counted."""

import asyncio
import time
from collections import Counter, defaultdict

from drivers.client import NO_RESPONSE, Body, Client, Cookies, Response
from drivers.report import Report, counted
from drivers.shop import Shop


class Engine:
    """`is_chaos`: processes are being killed, so a request may get no response or a 503 and is then repeated; `is_proxied`:
    requests go to the address that the shop is known by, whose proxy answers 502 or 504 when an instance was killed;
    `repeats`: a request on a connection that turns out to be closed is sent again, as browsers do it."""

    def __init__(self, shop: Shop, is_chaos: bool, is_proxied: bool = False, repeats: bool | None = None) -> None:
        self.shop, self.is_chaos = shop, is_chaos
        self.repeats = not is_chaos if repeats is None else repeats
        self.addresses = [shop.url] if is_proxied else shop.instances
        self.unavailable = {502, 503, 504} if is_proxied else {503}
        self.kinds: dict[str, Counter[str]] = defaultdict(Counter)
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.cut, self.wrong = Counter[str](), list[str]()
        self.turn = 0
        self.pools: list[list[Client]] = [[] for _ in self.addresses]

    async def once(
        self,
        what: str,
        allowed: set[str],
        method: str,
        path: str,
        body: Body = None,
        cookies: Cookies | None = None,
        key: str = "",
        instance: int = 0,
    ) -> Response | None:
        """One request at one instance; None where it would have to be repeated."""
        number = instance % len(self.pools)
        pool, address = self.pools[number], self.addresses[number]
        client, started = pool.pop() if pool else Client(address, self.shop.url), time.monotonic()
        client.repeats = self.repeats
        try:
            response = await client.request(method, path, body, {} if cookies is None else cookies, key)
        except NO_RESPONSE as error:
            self.cut[type(error).__name__] += 1
            if not self.is_chaos:
                self.wrong.append(f"{what}: no response: {error!r}")
            return None
        finally:
            pool.append(client)
        if self.is_chaos and response.status in self.unavailable:
            self.cut[response.kind] += 1
            return None
        self.kinds[what][response.kind] += 1
        self.seconds[what].append(time.monotonic() - started)
        if response.kind not in allowed:
            self.wrong.append(f"{what} {path}: {response}")
        return response

    async def call(
        self,
        what: str,
        allowed: set[str],
        method: str,
        path: str,
        body: Body = None,
        cookies: Cookies | None = None,
        key: str = "",
    ) -> Response:
        """Asks one instance after the other, as a browser behind a proxy would, until one answers."""
        for attempt in range(300):
            self.turn += 1
            response = await self.once(what, allowed, method, path, body, cookies, key, self.turn)
            if response:
                return response
            if not self.is_chaos:
                break
            await asyncio.sleep(min(0.05 + attempt / 20, 2))
        raise SystemExit(f"{what}: no response: {counted(self.cut)}")

    def finish(self, report: Report) -> None:
        for connection in (each for pool in self.pools for each in pool):
            connection.close()
        for what, kinds in self.kinds.items():
            print(f"{what}: {counted(kinds)}")
        print(f"repeated: {counted(self.cut)}")
        report.expect(not self.wrong, f"{len(self.wrong)} responses that are not allowed: {self.wrong[:5]}")
        report.figure("calls", sum(kinds.total() for kinds in self.kinds.values()))
        report.figure("calls that were cut off", self.cut.total())
