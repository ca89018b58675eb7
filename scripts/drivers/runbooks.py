"""Tries the runbooks: causes the trouble of each alert in a real shop, waits until a real Prometheus reports the alert, runs
what the page's 'How to see it' says, then what 'What to do' says, and waits until the alert is gone. An alert that does not
appear or does not clear, and a query of a page that fails or does not show the trouble, are failures.

Queries and commands are read from the code blocks of docs/runbooks, so a page that is wrong fails. `systemctl`, `sudo`,
`journalctl`, `thunse` and `thunse-doctor` are stand-ins for this shop, which has no systemd; everything else is run as it is.

The rules are those of ops/monitoring with the durations divided by 60, a minute being a second; a week, in which orders are
compared, is two minutes. Thresholds stay as they are, but for the age of the last check of the invariants, which is a
duration, too. docs/runbooks/README.md says what was tried by hand, because it needs exporters or a broken machine."""

import argparse
import asyncio
import contextlib
import re
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from drivers.client import NO_RESPONSE
from drivers.prometheus import RULES, Prometheus
from drivers.report import Report, becomes
from drivers.runbook_pages import UNITS, Pages, scaled
from drivers.shop import Api, Product, Shop, Shopper, new_key, order_body, pidx_of

STACK = ["--instances", "2"]
# A few buyers who wait for a lock hold all connections of an instance.
SETTINGS = {"DATABASE_MAX_CONNECTIONS": "8"}
# Seconds, at most, for an alert to appear and to clear: a slow check of the invariants is followed by a long pause.
WAIT = 600
BUYERS = 16
# What has no exporter here, and what depends on how long the shop has run.
ALWAYS = {"BackupOld", "DatabaseDown", "InvariantCheckOld", "NoOrders"}
Step = Callable[[], Awaitable[None]]


async def nothing() -> None:
    pass


@dataclass
class Scenario:
    """`cause` starts the trouble, `keep` goes on with it until it has been seen, and `repair` ends it."""

    alerts: dict[str, list[str]]  # of each page
    shows: dict[str, list[str]]  # patterns of each page, all of which must be in what its commands print
    cause: Step
    repair: Step
    keep: Step = nothing


class Runbooks:
    def __init__(self, shop: Shop, report: Report, prometheus: Prometheus, folder: Path) -> None:
        self.shop, self.stack, self.report, self.prometheus = shop, shop.stack, report, prometheus
        self.pages = Pages(shop.stack, report, prometheus, folder)
        self.sessions = list[subprocess.Popen[str]]()
        self.buyers: list[Shopper] = []
        self.product: Product

    async def prepare(self) -> None:
        self.buyers = await self.shop.shoppers(BUYERS)
        (self.product,) = await self.shop.products([100_000])
        for buyer in self.buyers:
            await self.buy(buyer)

    # What people and programs do.

    async def buy(self, buyer: Shopper, method: str = "COD", number: int = 0) -> str:
        """The status of the attempt, or why there was none."""
        client, path = self.shop.client(number), Api.PLACE if method == "COD" else Api.PLACE_ONLINE
        try:
            body = order_body(buyer, [(self.product, 1)], method)
            return (await client.request("POST", path, body, buyer.cookies, new_key())).kind
        except NO_RESPONSE as error:
            return type(error).__name__
        finally:
            client.close()

    async def buy_everywhere(self) -> None:
        await asyncio.gather(*(self.buy(buyer) for buyer in self.buyers))

    async def buy_online(self) -> None:
        """Each instance has its own circuit breaker."""
        await asyncio.gather(*(self.buy(self.buyers[number], "Khalti", number) for number in range(2)))

    async def log_in(self, email: str) -> None:
        client = self.shop.client()
        with contextlib.suppress(*NO_RESPONSE):
            await client.request("POST", "/api/user/login", {"email": email, "password": "not-the-password"})
        client.close()

    async def request_email(self) -> None:
        client = self.shop.client()
        await client.must("POST", "/api/user/password/forgot", {"email": self.buyers[0].email})
        client.close()

    def admin(self, statement: str) -> list[list[str]]:
        return self.stack.psql(statement, "ADMIN_DATABASE_URL")

    def queue(self, job: str) -> None:
        """Runs a job now that runs every few minutes; one is enough, however often this is called."""
        key = f"runbooks {job}"
        with contextlib.suppress(SystemExit):
            self.admin(f"SELECT FROM graphile_worker.add_job('{job}', job_key => '{key}')")

    async def check_invariants(self) -> None:
        self.queue("maintenance.check_invariants")
        await asyncio.sleep(1)

    async def maintain_payments(self) -> None:
        self.queue("orders.maintain_payments")
        await asyncio.sleep(1)

    def open_psql(self, statement: str) -> None:
        """Somebody's psql, with a transaction that is neither committed nor rolled back."""
        command = ["psql", "-q", "-X", "-v", "ON_ERROR_STOP=1", self.shop.env["ADMIN_DATABASE_URL"]]
        session = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.sessions.append(session)
        assert session.stdin and session.stdout
        session.stdin.write(f"BEGIN;\n{statement};\n\\echo open\n")
        session.stdin.flush()
        while "open" not in (line := session.stdout.readline()):
            if not line:
                raise SystemExit(f"psql has ended: {statement}")

    async def kill(self, *names: str) -> None:
        for name in names:
            await asyncio.to_thread(self.stack.kill, name)

    async def start(self, *names: str) -> None:
        for name in names:
            await asyncio.to_thread(self.stack.start, name)

    def set_mail(self, mode: str) -> None:
        url = f"{self.shop.env['MAILBOX_URL']}/mode"
        subprocess.run(["curl", "-sS", "--fail", "-o", "/dev/null", "--data", mode, url], check=True)

    # A scenario.

    async def is_active(self, alert: str) -> bool:
        return alert in await self.prometheus.alerts()

    async def is_gone(self, alert: str) -> bool:
        return alert not in await self.prometheus.alerts()

    async def keep_going(self, step: Step, is_seen: asyncio.Event) -> None:
        """Each step to its end: one that stops the database also starts it."""
        while not is_seen.is_set():
            await step()
            await asyncio.sleep(0.2)

    async def run_scenario(self, scenario: Scenario) -> None:
        names = [alert for alerts in scenario.alerts.values() for alert in alerts]
        print(f"\n== {', '.join(names)}", flush=True)
        for name in names:
            self.report.expect(await becomes(partial(self.is_gone, name), WAIT), f"{name} is there without a cause")
        began = time.monotonic()
        await scenario.cause()
        is_seen = asyncio.Event()
        keeping = asyncio.create_task(self.keep_going(scenario.keep, is_seen))
        for name in names:
            is_there = await becomes(partial(self.is_active, name), WAIT)
            state = (await self.prometheus.alerts()).get(name, "not any more")
            if self.report.expect(is_there, f"{name} does not appear"):
                print(f"{name}: {state} after {time.monotonic() - began:.0f} s", flush=True)
        self.pages.seen = ""
        for page in scenario.alerts:
            printed = await self.pages.see(page)
            self.pages.seen += printed
            print("".join(f"  {line[:200]}\n" for line in printed.splitlines()[:40]), end="", flush=True)
            for pattern in scenario.shows.get(page, []):
                self.report.expect(re.search(pattern, printed, re.M), f"{page} does not show {pattern}")
        is_seen.set()
        await keeping
        repaired = time.monotonic()
        await scenario.repair()
        for name in names:
            is_gone = await becomes(partial(self.is_gone, name), WAIT)
            if self.report.expect(is_gone, f"{name} stays after the repair"):
                print(f"{name}: gone {time.monotonic() - repaired:.0f} s after the repair began", flush=True)

    def end(self) -> None:
        for session in self.sessions:
            session.kill()
            session.wait()

    # The troubles.

    def one_instance(self) -> Scenario:
        return Scenario(
            {"instance-down": ["InstanceDown"]},
            {"instance-down": [r"^\{.*job=thunse\} 0$", "server-1: failed", "(?i)connect"]},
            lambda: self.kill("server-1"),
            lambda: self.pages.do("instance-down", "restart thunse-serve@8081"),
        )

    def all_instances(self) -> Scenario:
        async def repair() -> None:
            for port in (8080, 8081):
                await self.pages.do("instance-down", f"restart thunse-serve@{port}")

        return Scenario(
            {"instance-down": ["NoInstance", "InstanceDown"]},
            {"instance-down": ["server-0: failed", "server-1: failed"]},
            lambda: self.kill("server-0", "server-1"),
            repair,
        )

    def worker(self) -> Scenario:
        return Scenario(
            {"worker-down": ["WorkerDown"]},
            {"worker-down": [r"job=thunse-worker\} 0$", "worker-0: failed"]},
            lambda: self.kill("worker"),
            lambda: self.pages.do("worker-down", "restart thunse-worker"),
        )

    def worker_restarts(self) -> Scenario:
        async def restart_database() -> None:
            await self.kill("database")
            await asyncio.sleep(3)
            await self.start("database")
            await asyncio.sleep(5)

        return Scenario(
            {"worker-down": ["WorkerRestarts"]},
            {"worker-down": [r"^\{\} [3-9]"]},
            restart_database,
            nothing,
            restart_database,
        )

    def lock(self) -> Scenario:
        async def cause() -> None:
            self.open_psql(f"UPDATE products SET stock = stock WHERE id = '{self.product.id}'")

        blocked = [r"\| idle in transaction ", r"\{\d+\}"]
        return Scenario(
            {
                "database-pool-full": ["DatabasePoolFull"],
                "checkout-slow": ["CheckoutSlow"],
                "request-errors": ["RequestErrorsFast"],
                "checkout-errors": ["CheckoutErrorsFast", "CheckoutErrorsSlow"],
            },
            {
                "database-pool-full": [r"pool=main\} (1|0\.9\d*)$", *blocked],
                "checkout-slow": [r"place_order_COD\} ([3-9]|1\d)", *blocked],
                "request-errors": ["status=503"],
                "checkout-errors": [r"status=503\} [0-9.]*[1-9]"],
            },
            cause,
            lambda: self.pages.end_blocker("database-pool-full"),
            self.buy_everywhere,
        )

    def invariant(self) -> Scenario:
        async def cause() -> None:
            self.admin(f"UPDATE products SET stock = stock + 1 WHERE id = '{self.product.id}'")

        async def checked_again() -> bool:
            await self.pages.do("invariant-violated", "check_invariants")
            return await self.is_gone("InvariantViolated")

        async def repair() -> None:
            await self.pages.do("invariant-violated", "UPDATE products", ID=self.product.id)
            await becomes(checked_again, WAIT, 5)

        return Scenario(
            {"invariant-violated": ["InvariantViolated"]},
            {"invariant-violated": [self.product.id]},
            cause,
            repair,
            self.check_invariants,
        )

    def invariant_check(self) -> Scenario:
        async def cause() -> None:
            await self.check_invariants()
            self.open_psql("LOCK TABLE stock_movements")

        async def repair() -> None:
            await self.pages.end_blocker("invariant-check-old")
            await self.pages.do("invariant-check-old", "jobs retry --dead")

        return Scenario(
            {"invariant-check-old": ["InvariantCheckOld"]},
            {"invariant-check-old": [r"job=thunse-worker\} [6-9]\d", r"\| idle in transaction ", "lock timeout"]},
            cause,
            repair,
            self.check_invariants,
        )

    def payment_polls(self) -> Scenario:
        async def cause() -> None:
            buyer, client = self.buyers[0], self.shop.client()
            body = order_body(buyer, [(self.product, 1)], "Khalti")
            placed = await client.request("POST", Api.PLACE_ONLINE, body, buyer.cookies, new_key())
            client.close()
            where = f"WHERE pidx = '{pidx_of(placed)}'"
            # The first poll is due after a minute and late two minutes later; that is not waited for.
            self.admin(f"UPDATE payments SET next_check_at = now() - interval '150 seconds' {where}")
            self.open_psql(f"SELECT FROM orders WHERE id = (SELECT subject_id FROM payments {where}) FOR UPDATE")

        async def repair() -> None:
            await self.pages.end_blocker("payment-polls-late")
            await becomes(self.polls_are_in_time, WAIT, 1)

        return Scenario(
            {"payment-polls-late": ["PaymentPollsLate"]},
            {"payment-polls-late": [r"\| initiated \|", r"\| idle in transaction ", "__name__=payments_pending"]},
            cause,
            repair,
            self.maintain_payments,
        )

    async def polls_are_in_time(self) -> bool:
        await self.maintain_payments()
        return await self.is_gone("PaymentPollsLate")

    def wallet_key(self) -> Scenario:
        key = f"live_secret_key_{new_key()}"

        async def cause() -> None:
            # The owner has made a new key at Khalti.
            await self.kill("wallet")
            self.stack.spawn_wallet(self.stack.settings["KHALTI_URL"].rsplit(":", 1)[1], "--secret", key)

        async def repair() -> None:
            self.stack.settings["KHALTI_SECRET_KEY"] = key
            self.stack.save()
            for unit in UNITS:
                await self.pages.do("wallet-rejects-key", f"restart {unit}")
            await self.pages.do("wallet-rejects-key", "thunse-doctor")
            status = await self.buy(self.buyers[0], "Khalti")
            self.report.expect(status == "200", f"an online order after the right key: {status}")

        return Scenario(
            {"wallet-rejects-key": ["WalletRejectsKey"]},
            {"wallet-rejects-key": [r"outcome=unauthorized\} [1-9]", "(?i)failed +wallet"]},
            cause,
            repair,
            self.buy_online,
        )

    def wallet_away(self) -> Scenario:
        return Scenario(
            {"wallet-unavailable": ["WalletUnavailable"]},
            {"wallet-unavailable": ["outcome=unreachable", r"khalti_breaker_open.* 1$", "(?i)failed +wallet"]},
            lambda: self.kill("wallet"),
            lambda: self.start("wallet"),
            self.buy_online,
        )

    def dead_jobs(self) -> Scenario:
        async def cause() -> None:
            self.set_mail('{"accept": false, "refusal": 550}')
            for _ in range(2):
                await self.request_email()

        async def keep() -> None:
            await asyncio.sleep(1)

        async def repair() -> None:
            self.set_mail('{"accept": true, "refusal": 451}')
            found = re.findall(r"^ *(\d+) \| [a-z_.]+ \|", self.pages.seen, re.M)
            if self.report.expect(len(found) > 1, "jobs-dead shows fewer than two jobs"):
                await self.pages.do("jobs-dead", "jobs drop", ID=found[0])
            for number in found[1:]:
                await self.pages.do("jobs-dead", "jobs retry", ID=number)

        return Scenario({"jobs-dead": ["JobsDead"]}, {"jobs-dead": ["550"]}, cause, repair, keep)

    def late_jobs(self) -> Scenario:
        async def cause() -> None:
            self.url = self.stack.settings.pop("SMTP_URL")
            await self.kill("worker")
            await self.start("worker")
            await self.request_email()

        async def keep() -> None:
            # Five minutes are not waited for.
            where = "WHERE attempts = 0 AND run_at > now() - interval '5 minutes'"
            self.admin(f"UPDATE graphile_worker._private_jobs SET run_at = run_at - interval '6 minutes' {where}")
            await asyncio.sleep(1)

        async def repair() -> None:
            self.stack.settings["SMTP_URL"] = self.url
            self.stack.save()
            await self.pages.do("jobs-late", "restart thunse-worker")

        return Scenario(
            {"jobs-late": ["JobsLate"]},
            {"jobs-late": ["accounts.send_link", r"jobs_waiting.* [1-9]"]},
            cause,
            repair,
            keep,
        )

    def listener(self) -> Scenario:
        async def cause() -> None:
            self.admin("ALTER ROLE thunse_app CONNECTION LIMIT 1")
            self.admin("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'thunse_app'")

        async def repair() -> None:
            await self.pages.do("catalogue-listener-disconnected", "CONNECTION LIMIT")

        return Scenario(
            {"catalogue-listener-disconnected": ["CatalogueListenerDisconnected"]},
            {"catalogue-listener-disconnected": [r"job=thunse\} 0$", r"thunse_app +\| +1 \|", "no connection left"]},
            cause,
            repair,
        )

    def pictures(self) -> Scenario:
        folder = Path(self.stack.settings["MEDIA_DIR"])
        away = folder.with_name("pictures-away")
        key = self.stack.one("SELECT picture_key FROM products WHERE picture_key IS NOT NULL LIMIT 1")

        async def cause() -> None:
            folder.rename(away)
            folder.write_text("no folder")

        async def keep() -> None:
            client = self.shop.client()
            width = key.split("-")[1]
            await client.request("GET", f"/media/{key}/{width}.webp")
            client.close()

        async def repair() -> None:
            folder.unlink()
            away.rename(folder)

        return Scenario(
            {"pictures-not-stored": ["PicturesNotStored"]},
            {"pictures-not-stored": [r"route=/media.*status=503", "pictures_unavailable", "(?i)failed +pictures"]},
            cause,
            repair,
            keep,
        )

    def logins(self) -> Scenario:
        async def keep() -> None:
            emails = [f"nobody-{new_key()}@example.com" for _ in range(3)] + [self.buyers[-1].email] * 8
            for email in emails:
                await self.log_in(email)

        return Scenario(
            {"logins-attacked": ["LoginsAttacked", "SecurityEventsDropped"]},
            {"logins-attacked": [r"kind=\w+\} [1-9]", r"127\.0\.0\.1 \| login\.(failed|throttled)"]},
            nothing,
            nothing,
            keep,
        )

    def no_orders(self) -> Scenario:
        async def cause() -> None:
            for _ in range(2):
                await self.buy_everywhere()

        async def repair() -> None:
            status = await self.buy(self.buyers[0])
            self.report.expect(status == "200", f"an order: {status}")

        return Scenario({"no-orders": ["NoOrders"]}, {"no-orders": ["place_order_COD"]}, cause, repair)


# Each is a method of the class. The last one begins with orders and needs two minutes without any.
NAMES = [
    *("one-instance", "all-instances", "worker", "invariant", "invariant-check", "lock", "payment-polls", "wallet-key"),
    *("wallet-away", "dead-jobs", "late-jobs", "pictures", "logins", "listener", "worker-restarts", "no-orders"),
]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", action="append", choices=NAMES, default=[], help="may be repeated")


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="thunse-runbooks-") as name:
        async with Prometheus.watching(shop, scaled(RULES.read_text())) as prometheus:
            runbooks = Runbooks(shop, report, prometheus, Path(name))
            await runbooks.prepare()
            # Long enough for every rule to have been evaluated with the metrics of a healthy shop.
            await asyncio.sleep(15)
            unwanted = {name: state for name, state in (await prometheus.alerts()).items() if name not in ALWAYS}
            report.expect(not unwanted, f"alerts of a healthy shop: {unwanted}")
            try:
                for scenario in options.only or NAMES:
                    await runbooks.run_scenario(getattr(runbooks, scenario.replace("-", "_"))())
            finally:
                runbooks.end()
            shop.expect_sound(report)
            report.figure("scenarios", len(options.only or NAMES))
