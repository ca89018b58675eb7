"""Restores the shop to a moment with pgBackRest, as ops/pgbackrest describes it, and to its last dump with ops/restore.

An order that was placed before the moment is there, one that was placed right after it is not, and every table is, row for
row, what it was; pictures that were deleted since are back; people who have left since are deleted again. Then the database
and its disk are lost while the shop sells, at a random moment, and the newest state is restored. Nothing in the repository
can be read without its passphrase, and old backups go with their WAL. Figures: how long each way takes until an order is
acknowledged again (RTO), and how much of what was acknowledged is lost (RPO): by each loss, and by one that would have come at
any second of the selling before it."""

import argparse
import asyncio
import random
import shlex
import shutil
import subprocess
import time
from pathlib import Path

from drivers import repository
from drivers.backup import PICTURE, SUMS, Moment
from drivers.postgres import IS_ROOT, Postgres, programs
from drivers.report import ROOT, Report, becomes, quantile
from drivers.repository import OPS
from drivers.restored_shop import AS_POSTGRES, PROCESSES, RestoredShop
from drivers.shop import PASSWORD, Product, Shop, Shopper
from drivers.stack import Stack


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--orders", type=int, default=0, help="fill the shop with so many orders of a past year first")
    parser.add_argument("--selling", type=float, default=10, help="seconds of selling before the database is lost")
    parser.add_argument("--up-to", type=float, default=0, help="up to so many seconds more, at random")
    parser.add_argument("--losses", type=int, default=1, help="how often the database and its disk are lost")
    parser.add_argument("--repository", choices=repository.KINDS, default=repository.KINDS[0])
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))


class RestorePoint(RestoredShop):
    def __init__(self, shop: Shop, report: Report, options: argparse.Namespace) -> None:
        super().__init__(shop, report)
        self.options = options
        assert isinstance(self.stack.postgres, Postgres)
        self.postgres, self.port = self.stack.postgres, self.stack.settings["POSTGRES_PORT"]
        self.folder = self.postgres.folder / "pgbackrest"
        self.make_folders()
        pg_ctl = [*AS_POSTGRES, f"{programs()}/pg_ctl", "-D", str(self.postgres.data), "-w", "-t", "600"]
        log = ["-l", f"{self.folder}/server.log", "-o", f"-p {self.port}", "start"]
        self.env = {
            "PGBACKREST_CONFIG": f"{self.folder}/pgbackrest.conf",
            "PGBACKREST_PG1_PATH": f"{self.postgres.data}",
            "PGBACKREST_PG1_PORT": self.port,
            "PGBACKREST_PG1_SOCKET_PATH": f"{self.postgres.folder}",
            **repository.settings(options.repository, self.folder, self.stack),
            **{f"PGBACKREST_{name}_PATH": f"{self.folder}/{name.lower()}" for name in ("LOG", "LOCK", "SPOOL")},
        }
        self.dumped_at = 0.0
        self.operator_env |= {
            **self.env,
            "DATABASE_START": shlex.join([*pg_ctl, *log]),
            "DATABASE_STOP": shlex.join([*pg_ctl, "-m", "fast", "stop"]),
            "PGHOST": f"{self.postgres.folder}",
            "PGPORT": self.port,
        }

    def make_folders(self) -> None:
        for name in ("", "repository", "log", "lock", "spool"):
            (self.folder / name).mkdir(mode=0o750)
            if IS_ROOT:
                shutil.chown(self.folder / name, "postgres", "postgres")

    def archive(self) -> None:
        """Archiving is switched on, as ops/pgbackrest/README.md says."""
        self.backups.mkdir()
        # PostgreSQL's user may not read the checkout.
        (self.folder / "pgbackrest.conf").write_text(repository.configuration(self.options.repository))
        self.postgres.env = self.env
        self.postgres.stop()
        self.postgres.configure((OPS / "postgresql.conf").read_text())
        self.pgbackrest("--no-online", "stanza-create")
        self.postgres.start(int(self.port))
        self.pgbackrest("check")


async def to_a_moment(test: RestorePoint, shoppers: list[Shopper], product: Product) -> None:
    shop, report, client = test.shop, test.report, test.shop.client()
    stays, left_before, leaves_after, *_ = shoppers
    await test.leave(left_before)
    test.timed("full backup", "backup", "--type=full")
    await test.order(stays, product)
    test.timed("differential backup", "backup", "--type=diff")
    address = await test.photo(client, stays, PICTURE)
    photo = (await client.request("GET", address)).body
    test.dumped_at = time.monotonic()
    test.timed("ops/backup", str(ROOT / "ops" / "backup"))
    # Its jobs would write between the two orders.
    test.stack.kill("worker")

    first, first_at = await test.order(stays, product), time.monotonic()
    moment = Moment(shop.env["MIGRATE_DATABASE_URL"])
    [target] = moment.ask("SELECT clock_timestamp()")
    second = await test.order(stays, product)
    report.figure("time between the two orders", time.monotonic() - first_at, "s")
    lines = moment.ask(test.stack.one(SUMS, "MIGRATE_DATABASE_URL"))
    wanted = {table: sums for table, *sums in (line.split("\t") for line in lines)}
    moment.close()

    await test.leave(leaves_after)
    await test.photo(client, stays, PICTURE.replace(b"\xff\x00\x00", b"\x00\xff\x00"))
    # As the nightly cleanup does with a picture that no row has named for a day.
    for file in test.media.glob(f"{address.split('/')[2]}/*"):
        file.unlink()
    test.stack.start("worker")
    await test.order(stays, product)
    refused = subprocess.run([OPS / "restore"], env=test.operator_env, capture_output=True, text=True)
    is_refused = refused.returncode == 1 and "connections are open" in refused.stderr
    report.expect(is_refused, f"a restore under a running shop ended with {refused.returncode}: {refused.stderr}")

    await test.processes("kill")
    began = time.monotonic()
    print(test.run(OPS / "restore", "--to", target))
    report.expect(test.sums() == wanted, "the tables are not what they were at that moment")
    codes = test.codes()
    report.expect(first in codes, "the order before the moment is not there")
    report.expect(second not in codes, "the order after the moment is there")
    email = f"SELECT count(*) FROM users WHERE email = '{leaves_after.email}'"
    report.expect(test.stack.one(email) == "1", "the restore was to bring back a person who has left since")
    test.run(ROOT / "ops" / "restore", "--pictures")
    test.delete_again()
    test.expect_left([left_before, leaves_after])
    await test.processes("start")
    await test.order(stays, product)
    report.figure("RTO to a moment", time.monotonic() - began, "s")
    report.expect((await client.request("GET", address)).body == photo, "the photo is not what it was")
    attempt = {"email": leaves_after.email, "password": PASSWORD}
    response = await client.request("POST", "/api/user/login", attempt, {})
    report.expect(response.status == 401, f"a person who has left was answered {response}")
    client.close()


class Archived:
    """Up to which moment everything that was written is in the repository, asked once a second; at first all of it is."""

    def __init__(self, stack: Stack) -> None:
        self.stack, self.written, self.exposed = stack, [(time.monotonic(), 0)], list[float]()

    def ask(self) -> None:
        now = time.monotonic()
        position, segment = self.stack.psql(
            "SELECT pg_current_wal_insert_lsn() - '0/0', last_archived_wal FROM pg_stat_archiver", "ADMIN_DATABASE_URL"
        )[0]
        self.written.append((now, int(position)))
        # A segment's name is its timeline and the number of its 16 MB, in two parts.
        end = (int(segment[8:16], 16) << 32) + (int(segment[16:24], 16) + 1 << 24)
        self.exposed.append(now - max(at for at, lsn in self.written if lsn <= end))

    async def watch(self, is_over: asyncio.Event) -> None:
        while not is_over.is_set():
            await asyncio.to_thread(self.ask)
            await asyncio.sleep(1)


async def lost_disk(test: RestorePoint, shopper: Shopper, product: Product, seconds: float) -> None:
    report, stack, acknowledged = test.report, test.stack, dict[str, float]()
    archived = "SELECT count(*) FROM pg_stat_archiver WHERE last_archived_wal >= '{}'"
    certain = await test.order(shopper, product)
    segment = stack.one("SELECT pg_walfile_name(pg_switch_wal())", "ADMIN_DATABASE_URL")
    is_archived = archived.format(segment)
    report.expect(await becomes(lambda: stack.one(is_archived) == "1", 60), f"{segment} is not archived")
    archive, is_over = Archived(stack), asyncio.Event()
    watching = asyncio.create_task(archive.watch(is_over))
    began = time.monotonic()
    while time.monotonic() < began + seconds:
        acknowledged[await test.order(shopper, product)] = time.monotonic()
    is_over.set()
    await watching
    lost_at = time.monotonic()
    stack.kill("database")
    for name in PROCESSES:
        stack.kill(name)
    shutil.rmtree(test.postgres.data)
    test.postgres.data.mkdir(mode=0o700)
    if IS_ROOT:
        shutil.chown(test.postgres.data, "postgres", "postgres")
    print(test.run(OPS / "restore"))
    await test.processes("start")
    await test.order(shopper, product)
    report.figure("RTO after a lost disk", time.monotonic() - lost_at, "s")
    codes = test.codes()
    report.expect(certain in codes, "an order whose WAL was archived is lost")
    restored = [at for code, at in acknowledged.items() if code in codes]
    report.figure("acknowledged before the disk was lost", len(acknowledged))
    report.figure("of these lost", len(acknowledged) - len(restored))
    newest = max(restored, default=began)
    gone = [code for code, at in acknowledged.items() if at < newest and code not in codes]
    report.expect(not gone, f"{len(gone)} orders are lost that are older than one that is there")
    report.figure("RPO of this loss", lost_at - newest, "s")
    for name, part in (("p50", 0.5), ("p90", 0.9), ("max", 1.0)):
        report.figure(f"RPO if it had been lost at any second {name}", quantile(archive.exposed, part), "s")
    test.shop.expect_sound(report)


async def small_way(test: RestorePoint, shoppers: list[Shopper], product: Product) -> None:
    """The dump of the beginning is restored; both people have left since, or before."""
    lost, there = await test.order(shoppers[0], product), test.codes()
    await test.processes("kill")
    began = time.monotonic()
    test.run(ROOT / "ops" / "restore", "latest", "--replace")
    report, codes = test.report, test.codes()
    report.expect(lost not in codes and codes < there, "an order after the dump is there")
    report.figure("RPO of this ops/restore", began - test.dumped_at, "s")
    report.figure("orders since the dump, lost", len(there - codes))
    test.delete_again()
    test.expect_left(shoppers[1:3])
    await test.processes("start")
    await test.order(shoppers[0], product)
    report.figure("RTO of ops/restore", time.monotonic() - began, "s")


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    print(f"seed {options.seed}", flush=True)
    test, chance = RestorePoint(shop, report, options), random.Random(options.seed)
    if options.orders:
        year = f"@{Path(__file__).with_name('year.sql')}"
        shop.stack.psql(year, "MIGRATE_DATABASE_URL", orders=options.orders, seed=0.5)
    test.archive()
    await test.ready()
    shoppers, [product] = await shop.shoppers(3), await shop.products([1_000_000])
    await to_a_moment(test, shoppers, product)
    # As `restore` says at its end.
    test.timed("full backup after the restore", "backup", "--type=full")
    if options.repository == "s3":
        repository.expect_certificate_checked([*AS_POSTGRES, "pgbackrest"], test.operator_env, report)
    repository.expect_encrypted(test.pgbackrest, report)
    repository.expect_rotation(test.pgbackrest, report)
    for _ in range(options.losses):
        await lost_disk(test, shoppers[0], product, options.selling + chance.uniform(0, options.up_to))
    await small_way(test, shoppers, product)


def run_alone(report: Report, options: argparse.Namespace) -> None:
    # Never the shop that runs in this checkout: its database gets another configuration and is destroyed.
    stack = Stack.here([], {}, is_own=True)
    try:
        asyncio.run(run(Shop(stack), report, options))
    finally:
        stack.close()
