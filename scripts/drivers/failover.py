"""Chaos test of the database cluster of ops/ha: shoppers place cash orders through two instances while the primary is
killed, again and again, and readers open pages that the instances have in memory. In the end every acknowledged order has
to be there, once, and no invariant may be broken.

  --fault kill        the primary and its Patroni are killed (the default)
  --fault postgres    only PostgreSQL is killed on the primary; Patroni stays and starts it again, or with
                      --primary-start-timeout 0 hands over to a standby
  --fault cut         the network of the primary is cut: nothing is closed, nothing answers (network namespaces; needs root)
  --fault switchover  a planned change of the primary
  --fault freeze      both standbys stop answering for a while: nothing may be acknowledged meanwhile
  --fault etcd        all etcd members are killed for a while: the primary must go on selling
  --fault control     asynchronous replication, and nothing is sent to the standbys any more before the kill: orders MUST be
                      lost, or this test could not see a loss

What it prints and never asserts: how long no order was acknowledged, how long an election took. --short is one fault with few
orders, which takes about a minute."""

import argparse
import asyncio
import itertools
import random
import signal
import time
from collections import Counter

from drivers.client import NO_RESPONSE
from drivers.cluster import NODES, Cluster
from drivers.engine import Engine
from drivers.processes import send
from drivers.report import Report, counted, quantile
from drivers.selling import PAGES, READ_EVERY, Selling
from drivers.shop import Api, Shop

STACK = ["--cluster", "--instances", "2"]
FROZEN_SECONDS = 20
FAULTS = ["kill", "postgres", "cut", "switchover", "freeze", "etcd", "control"]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fault", choices=FAULTS, default="kill")
    parser.add_argument("--times", type=int, default=10, help="how often the fault happens")
    parser.add_argument("--orders", type=int, default=1_000, help="acknowledged orders before each fault")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument(
        "--short",
        action="store_true",
        help="one fault, 100 orders before and after it, 4 clients, always the same baskets",
    )
    parser.add_argument("--primary-start-timeout", type=int, help="Patroni's setting of this name, in seconds")


def more_stack(options: argparse.Namespace) -> list[str]:
    """What the shop is started with besides."""
    return ["--network"] if options.fault == "cut" else []


class Failover(Selling):
    def __init__(self, shop: Shop, report: Report, options: argparse.Namespace) -> None:
        timeout = options.primary_start_timeout
        fault = options.fault if timeout is None else f"{options.fault} (primary_start_timeout {timeout})"
        super().__init__(shop, report, fault, options.seed)
        self.options = options
        assert isinstance(shop.stack.postgres, Cluster), "this driver needs a shop that was started with --cluster"
        self.cluster = shop.stack.postgres
        self.engine = Engine(shop, is_chaos=True)
        self.acknowledged_at: list[float] = []
        self.reads = Counter[str]()
        self.slow_reads: list[float] = []
        self.elections: list[float] = []
        self.first_timeline = self.timeline()
        self.gaps: list[float] = []
        self.returns: list[float] = []

    async def buy(self) -> None:
        while not self.is_over.is_set():
            shopper, key, body = self.draw()
            response = await self.engine.call("place", {"200"}, "POST", Api.PLACE, body, shopper.cookies, key)
            if response.status == 200:
                self.acknowledged[shopper.id, key] = response.data["orderId"]
                self.acknowledged_at.append(time.monotonic())

    async def read(self, number: int) -> None:
        client = self.shop.client(number)
        while not self.is_over.is_set():
            started = time.monotonic()
            for page in PAGES:
                try:
                    response = await client.request("GET", page)
                    self.reads[str(response.status)] += 1
                except NO_RESPONSE as error:
                    self.reads[type(error).__name__] += 1
            self.slow_reads.append(time.monotonic() - started)
            await asyncio.sleep(READ_EVERY)
        client.close()

    async def more(self, count: int) -> None:
        if not await self.sold(count, 3_600):
            raise SystemExit(f"no order is placed any more: {counted(self.engine.cut)}")

    async def break_things(self) -> None:
        faulted = None
        for number in range(self.options.times):
            await self.two_standbys(faulted)
            await self.more(self.options.orders)
            faulted = time.monotonic()
            await getattr(self, self.options.fault)()
            await self.more(20)
            gap = self.longest_gap(faulted)
            self.gaps.append(gap)
            election = f", primary after {self.elections[-1]:.1f} s" if self.elections else ""
            print(f"{self.options.fault} {number + 1}: no order for {gap:.1f} s{election}", flush=True)
        await self.two_standbys(faulted)
        await self.more(self.options.orders)
        self.is_over.set()

    async def two_standbys(self, faulted: float | None) -> None:
        await asyncio.to_thread(self.cluster.wait_healthy)
        if faulted is not None:
            self.returns.append(time.monotonic() - faulted)

    def longest_gap(self, since: float) -> float:
        times = [each for each in self.acknowledged_at if each > since - 5]
        return max((later - earlier for earlier, later in itertools.pairwise(times)), default=0.0)

    async def new_primary(self, since: float, former: int | None) -> None:
        def is_there() -> bool:
            return self.cluster.primary(besides=former) is not None

        await asyncio.to_thread(self.cluster.wait, "another primary", is_there)
        self.elections.append(time.monotonic() - since)

    async def kill(self) -> None:
        former, started = await asyncio.to_thread(self.cluster.primary), time.monotonic()
        assert former
        await asyncio.to_thread(self.cluster.kill_node, former)
        await self.new_primary(started, former)
        await self.more(1)
        await asyncio.to_thread(self.cluster.start_node, former)

    async def postgres(self) -> None:
        former, started = await asyncio.to_thread(self.cluster.primary), time.monotonic()
        assert former
        await asyncio.to_thread(self.cluster.kill_node, former, is_all=False)
        await asyncio.to_thread(self.cluster.wait, "a primary", self.cluster.accepts_connections)
        await self.more(1)
        now = await asyncio.to_thread(self.cluster.primary)
        print(f"the primary is {'the same' if now == former else 'another'} after {time.monotonic() - started:.1f} s")

    async def cut(self) -> None:
        network = self.cluster.network
        assert network, "this fault needs a shop that was started with --network"
        former, started = await asyncio.to_thread(self.cluster.primary), time.monotonic()
        assert former
        network.cut(former)
        await self.new_primary(started, former)
        await self.more(20)
        network.heal(former)

    async def switchover(self) -> None:
        former, started = await asyncio.to_thread(self.cluster.primary), time.monotonic()
        await asyncio.to_thread(self.cluster.switch_over)
        await self.new_primary(started, former)

    async def freeze(self) -> None:
        standbys = await asyncio.to_thread(self.cluster.standbys)
        frozen = [pid for node in standbys for pid in await asyncio.to_thread(self.cluster.freeze, node)]
        # What was under way at that moment may still be acknowledged.
        await asyncio.sleep(2)
        before = len(self.acknowledged)
        await asyncio.sleep(FROZEN_SECONDS)
        count = len(self.acknowledged) - before
        self.report.expect(count == 0, f"{count} orders were acknowledged that only one machine had")
        send(signal.SIGCONT, *frozen)

    async def etcd(self) -> None:
        pids = [self.cluster.pid_of(f"etcd-{node}") for node in NODES]
        send(signal.SIGKILL, *pids)
        primary = await asyncio.to_thread(self.cluster.primary)
        await asyncio.sleep(2 * FROZEN_SECONDS)
        await self.more(100)
        self.report.expect(self.cluster.primary() == primary, "the primary changed although only etcd was away")
        for node in NODES:
            await asyncio.to_thread(self.cluster.start_etcd, node)
        await asyncio.to_thread(self.cluster.wait, "etcd is back", self.cluster.etcd_is_healthy)

    async def set_control(self, is_control: bool) -> None:
        """Asynchronous replication, and time-outs that do not end a connection which sends nothing; or as in ops/ha."""
        mode = {"synchronous_mode": False if is_control else "quorum", "synchronous_mode_strict": not is_control}
        wait, lag = "10min" if is_control else "5s", 10**9 if is_control else 2**20
        timeouts = {"parameters": {"wal_sender_timeout": wait, "wal_receiver_timeout": wait}}
        self.cluster.configure(**mode, maximum_lag_on_failover=lag, postgresql=timeouts)

        def is_set() -> bool:
            admin, one = "ADMIN_DATABASE_URL", self.shop.stack.one
            names = one("SELECT current_setting('synchronous_standby_names') = ''", admin)
            return one("SHOW wal_sender_timeout", admin) == wait and (names == "t") == is_control

        await asyncio.to_thread(self.cluster.wait, "Patroni has changed the settings", is_set)

    async def control(self) -> None:
        former = await asyncio.to_thread(self.cluster.primary)
        assert former
        rows = self.shop.stack.psql("SELECT pid FROM pg_stat_replication", "ADMIN_DATABASE_URL")
        # The standbys themselves must not be frozen: what was sent to them would wait in their sockets, and after `ttl`
        # Patroni would no longer count them among those who may take over (/failsafe in etcd).
        send(signal.SIGSTOP, *(int(pid) for (pid,) in rows))
        before = len(self.acknowledged)
        await self.more(20)
        started = time.monotonic()
        await asyncio.to_thread(self.cluster.kill_node, former)
        print(f"{len(self.acknowledged) - before} orders were acknowledged after replication had stopped", flush=True)
        await self.new_primary(started, former)
        await self.more(1)
        await asyncio.to_thread(self.cluster.start_node, former)

    def timeline(self) -> int:
        """Each promotion begins a new one."""
        name = self.shop.stack.one("SELECT pg_walfile_name(pg_current_wal_lsn())", "ADMIN_DATABASE_URL")
        return int(name[:8], 16)

    def print_figures(self) -> None:
        if self.elections:
            self.figure("failovers that nothing caused", self.timeline() - self.first_timeline - len(self.elections))
        print(f"reads: {counted(self.reads)}")
        not_ok = self.reads.total() - self.reads["200"]
        self.figure("reads", self.reads.total())
        self.figure("reads that failed", not_ok)
        self.report.expect(not_ok == 0, f"{not_ok} of {self.reads.total()} reads of pages in memory failed")
        self.figure("slowest four reads", max(self.slow_reads, default=0), "s")
        for name, seconds in (
            ("gap between two orders", self.gaps),
            ("election", self.elections),
            ("two standbys again", self.returns),
        ):
            if seconds:
                self.figure(f"{name} p50", quantile(seconds, 0.5), "s")
                self.figure(f"{name} p90", quantile(seconds, 0.9), "s")
                self.figure(f"{name} max", max(seconds), "s")


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    if options.short:
        options.times, options.orders, options.clients, options.seed = 1, 100, 4, 1
    print(f"seed {options.seed}", flush=True)
    failover = Failover(shop, report, options)
    if options.primary_start_timeout is not None:
        failover.cluster.configure(primary_start_timeout=options.primary_start_timeout)
    if options.fault == "control":
        await failover.set_control(True)
    await failover.prepare()
    started = time.monotonic()
    buyers = (failover.buy() for _ in range(options.clients))
    readers = (failover.read(number) for number in range(len(shop.instances)))
    await asyncio.gather(failover.break_things(), *buyers, *readers)
    if options.fault == "control":
        await asyncio.to_thread(failover.cluster.wait_healthy)
        await failover.set_control(False)
    failover.figure("orders per second", len(failover.acknowledged) / (time.monotonic() - started), "1/s")
    await asyncio.to_thread(failover.cluster.wait_healthy)
    failover.expect_orders(is_loss_wanted=options.fault == "control")
    shop.expect_sound(report)
    failover.print_figures()
    failover.engine.finish(report)
