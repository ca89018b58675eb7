"""Rolling upgrade under load: shoppers and sellers do what they do in `mixed-load`, through the proxy of ops/nginx.conf, and
visitors open the home page with all of its files, while the two instances are replaced one after the other: SIGTERM, which
lets them finish what they do, then another version in the same place, and the next one when it is ready. The first time, the
database is migrated before. Then it goes back to the first version, and so on.

  THUNSE_BINARY=OLD scripts/drive rolling-upgrade --to NEW    between two versions
  scripts/drive rolling-upgrade                               from a version to itself

No request may fail, no acknowledged order or edit may be lost or doubled, and no invariant may be broken."""

import argparse
import asyncio
import os
import random
import re
import signal
import subprocess
import time
from collections import Counter
from urllib.parse import urlsplit

from drivers import nginx
from drivers.engine import Engine
from drivers.mixed_load import Load
from drivers.processes import ended, send
from drivers.report import ROOT, Report, counted, quantile
from drivers.shop import Shop
from drivers.stack import is_up, key_of

STACK = ["--instances", "2"]
# The server's default, instead of the shorter time of a developer's shop.
SETTINGS = {"DRAIN_MS": "5000"}
VISITORS, VISIT_EVERY = 3, 0.5
SERVERS = ("server-0", "server-1")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", metavar="BINARY", help="the other version; the same one unless it is given")
    parser.add_argument("--times", type=int, default=20, help="how often both instances are replaced")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.set_defaults(kills=0, database_kills=0)


class Upgrade:
    def __init__(self, shop: Shop, report: Report, options: argparse.Namespace) -> None:
        self.shop, self.report, self.times = shop, report, options.times
        self.load = Load(shop, report, options)
        # Requests that fail are counted and repeated, so that one failure does not end the run.
        self.engine = self.load.engine = Engine(shop, is_chaos=True, is_proxied=True, repeats=True)
        self.load.wrong = self.engine.wrong
        first = shop.stack.settings["BINARY"]
        self.versions = [options.to or first, first]
        self.is_over = asyncio.Event()
        self.replaced: list[float] = []
        self.builds = Counter[str]()

    def start_proxy(self) -> None:
        """The proxy of a server takes the place of a developer's."""
        stack, folder = self.shop.stack, self.shop.stack.folder / "public-proxy"
        folder.mkdir()
        send(signal.SIGTERM, stack.pid("proxy"))
        ended([stack.pid("proxy")], 30)
        port, addresses = str(urlsplit(self.shop.url).port), [urlsplit(url).netloc for url in self.shop.instances]
        stack.spawn("proxy", nginx.without_tls(folder, port, addresses))
        stack.wait("proxy", lambda: is_up(f"{self.shop.url}/healthz"))

    def set_instance(self, name: str, state: str) -> None:
        """As ops/upgrade tells nginx."""
        stack, port = self.shop.stack, str(urlsplit(self.shop.stack.env[f"{key_of(name)}_URL"]).port)
        file, pid = nginx.instances_file(stack.folder / "public-proxy"), stack.pid("proxy")
        command = f'. "{ROOT}/ops/lib/proxy.sh"; set_instance {port} {state}'
        env = {**os.environ, "NGINX_INSTANCES": str(file), "NGINX_PID": str(pid)}
        subprocess.run(["bash", "-euc", command], env=env, check=True)

    async def visit(self) -> None:
        """The home page and the files it names; while two versions run, the page can be of one and the request for a file
        go to the other."""
        while not self.is_over.is_set():
            page = await self.engine.call("visit", {"200"}, "GET", "/")
            files = sorted(set(re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.body.decode())))
            self.builds[" ".join(files)] += 1
            for file in files:
                await self.engine.call("file", {"200"}, "GET", file)
            await asyncio.sleep(VISIT_EVERY)

    def replace(self, name: str, binary: str) -> None:
        stack, began = self.shop.stack, time.monotonic()
        pid = stack.pid(name)
        self.set_instance(name, "down")
        send(signal.SIGTERM, pid)
        self.report.expect(ended([pid], 600), f"{name} did not end within ten minutes")
        stack.settings["BINARY"] = binary
        stack.start(name)
        self.set_instance(name, "up")
        self.replaced.append(time.monotonic() - began)

    async def upgrade(self) -> None:
        stack = self.shop.stack
        stack.settings["BINARY"] = self.versions[0]
        began = time.monotonic()
        await asyncio.to_thread(stack.run_binary, ["migrate"], stack.env)
        self.report.figure("migrating", time.monotonic() - began, "s")
        for number in range(self.times):
            for name in SERVERS:
                await asyncio.to_thread(self.replace, name, self.versions[number % 2])
            failed = self.engine.cut.total() + len(self.engine.wrong)
            print(f"{number + 1}: {len(self.load.acknowledged)} orders, {failed} failed requests", flush=True)
        self.is_over.set()


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    print(f"seed {options.seed}", flush=True)
    upgrade = Upgrade(shop, report, options)
    upgrade.start_proxy()
    await upgrade.load.prepare()
    visitors = (upgrade.visit() for _ in range(VISITORS))
    began = time.monotonic()
    await asyncio.gather(upgrade.upgrade(), upgrade.load.run_until(upgrade.is_over), *visitors)
    seconds, engine = time.monotonic() - began, upgrade.engine
    cut = engine.cut.total()
    report.expect(cut == 0, f"{cut} requests failed: {counted(engine.cut)}")
    if options.to:
        report.expect(len(upgrade.builds) == 2, f"visitors saw not two versions but {counted(upgrade.builds)}")
    upgrade.load.expect_orders()
    upgrade.load.expect_edits()
    shop.expect_sound(report)
    engine.finish(report)
    report.figure("upgrades of both instances", options.times)
    report.figure("orders", len(upgrade.load.acknowledged))
    report.figure("requests per second", sum(map(len, engine.seconds.values())) / seconds, "1/s")
    report.figure("replacing an instance p50", quantile(upgrade.replaced, 0.5), "s")
    report.figure("replacing an instance max", max(upgrade.replaced), "s")
    for what in ("place", "browse", "visit"):
        report.times(what, engine.seconds[what])
