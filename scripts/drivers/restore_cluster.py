"""Restores the three machines of ops/ha to a moment with pgBackRest, as ops/pgbackrest/README.md says under Patroni.

The cluster archives with ops/pgbackrest/patroni.yml. An order that was placed before the moment is there, one right after it is
not, and a person who has left since is deleted again. The machine that is restored is not the one that was backed up; the other
two copy from it. Afterwards WAL is archived as before, and a backup is made on the new primary. Figures: how long it takes until
an order is acknowledged again."""

import argparse
import asyncio
import re
import shlex
import shutil
import subprocess
import time

from drivers import repository
from drivers.backup import Moment
from drivers.cluster import NODES, Cluster
from drivers.postgres import IS_ROOT, programs
from drivers.report import Report, becomes
from drivers.repository import OPS
from drivers.restored_shop import AS_POSTGRES, RestoredShop
from drivers.shop import Shop
from drivers.stack import Stack

# Debian's folder for sockets: patroni.yml names none.
SOCKETS = "/var/run/postgresql"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repository", choices=repository.KINDS, default=repository.KINDS[0])


class RestoreCluster(RestoredShop):
    def __init__(self, shop: Shop, report: Report, kind: str) -> None:
        super().__init__(shop, report)
        assert isinstance(self.stack.postgres, Cluster)
        self.cluster = self.stack.postgres
        self.folder = self.cluster.folder / "pgbackrest"
        # Machines have nothing in common but the repository.
        self.make_folders("", "repository", *(f"{name}-{node}" for name in ("log", "lock", "spool") for node in NODES))
        (self.folder / "pgbackrest.conf").write_text(repository.configuration(kind))
        shared = repository.settings(kind, self.folder, self.stack)
        for node in NODES:
            self.cluster.env[node] = {
                "PGBACKREST_CONFIG": f"{self.folder}/pgbackrest.conf",
                "PGBACKREST_PG1_PATH": f"{self.data(node)}",
                "PGBACKREST_PG1_PORT": str(self.port(node)),
                "PGBACKREST_PG1_SOCKET_PATH": SOCKETS,
                **{
                    f"PGBACKREST_{name.upper()}_PATH": f"{self.folder}/{name}-{node}"
                    for name in ("log", "lock", "spool")
                },
                **shared,
            }
        self.common_env = self.operator_env

    def make_folders(self, *names: str) -> None:
        for name in names:
            (self.folder / name).mkdir(mode=0o750)
            if IS_ROOT:
                shutil.chown(self.folder / name, "postgres", "postgres")

    def data(self, node: int) -> str:
        return f"{self.cluster.folder}/node-{node}/data"

    def port(self, node: int) -> int:
        return self.cluster.ports[f"postgres-{node}"]

    def work_on(self, node: int) -> None:
        """The operator's next commands run on this machine."""
        pg_ctl = [*AS_POSTGRES, f"{programs()}/pg_ctl", "-D", self.data(node), "-w", "-t", "600"]
        log = ["-l", f"{self.folder}/log-{node}/server.log", "-o", f"-p {self.port(node)}", "start"]
        self.operator_env = self.common_env | {
            **self.cluster.env[node],
            "DATABASE_START": shlex.join([*pg_ctl, *log]),
            "DATABASE_STOP": shlex.join([*pg_ctl, "-m", "fast", "stop"]),
            "PGHOST": SOCKETS,
            "PGPORT": str(self.port(node)),
        }

    def work_on_primary(self) -> None:
        primary = self.cluster.primary()
        assert primary
        self.work_on(primary)

    def is_backed_up_by_timer(self, node: int) -> bool:
        """What the condition of the service says on this machine."""
        unit = (OPS / "thunse-pgbackrest@.service").read_text()
        [condition] = re.findall("^ExecCondition=(.*)$", unit, re.MULTILINE)
        self.work_on(node)
        command = [*AS_POSTGRES, *shlex.split(condition.replace("$$", "$"))]
        return subprocess.run(command, env=self.operator_env, cwd="/").returncode == 0

    def stop_nodes(self) -> None:
        """The primary last: without a standby it acknowledges nothing."""
        primary = self.cluster.primary()
        for node in sorted(NODES, key=lambda each: each == primary):
            self.cluster.stop_node(node)

    def archive(self) -> None:
        self.backups.mkdir()
        self.stop_nodes()
        for node in NODES:
            self.cluster.start_node(node)
        self.cluster.wait_healthy()
        self.work_on_primary()
        self.pgbackrest("stanza-create")
        self.cluster.patronictl("edit-config", "thunse", "--apply", f"{OPS}/patroni.yml", "--force")
        self.cluster.patronictl("restart", "thunse", "--force")
        self.cluster.wait_healthy()
        self.work_on_primary()
        self.pgbackrest("check")

    def restore(self, target: str) -> int:
        """What ops/pgbackrest/README.md says under Patroni; returns the machine that was restored."""
        restored = self.cluster.standbys()[0]
        self.stop_nodes()
        self.cluster.patronictl("remove", "thunse", text="thunse\nYes I am aware\n")
        self.work_on(restored)
        print(self.run(OPS / "restore", "--to", target))
        self.run("bash", "-c", self.operator_env["DATABASE_STOP"])
        for node in NODES:
            if node != restored:
                shutil.rmtree(self.data(node))
        self.cluster.start_node(restored)
        self.cluster.wait("the restored machine is the primary", lambda: self.cluster.primary() == restored)
        for node in NODES:
            if node != restored:
                self.cluster.start_node(node)
        self.cluster.wait_healthy()
        return restored


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    test = RestoreCluster(shop, report, options.repository)
    await asyncio.to_thread(test.archive)
    await test.ready()
    [stays, leaves], [product] = await shop.shoppers(2), await shop.products([1_000_000])
    test.timed("full backup", "backup", "--type=full")
    # pgBackRest compares whole seconds: a backup that ends in the second of the moment is not used.
    await asyncio.sleep(1)
    first = await test.order(stays, product)
    moment = Moment(shop.env["MIGRATE_DATABASE_URL"])
    [target] = moment.ask("SELECT clock_timestamp()")
    moment.close()
    second = await test.order(stays, product)
    await test.leave(leaves)
    await test.processes("kill")

    began = time.monotonic()
    restored = await asyncio.to_thread(test.restore, target)
    codes = test.codes()
    report.expect(first in codes, "the order before the moment is not there")
    report.expect(second not in codes, "the order after the moment is there")
    test.delete_again()
    test.expect_left([leaves])
    await test.processes("start")
    await test.order(stays, product)
    report.figure("RTO to a moment", time.monotonic() - began, "s")

    test.work_on(restored)
    shown = test.stack.one("SHOW archive_mode", "ADMIN_DATABASE_URL")
    if report.expect(shown == "on", f"archive_mode is {shown} after the restore"):
        test.pgbackrest("check")
        test.timed("full backup after the restore", "backup", "--type=full")
    machines = [node for node in NODES if test.is_backed_up_by_timer(node)]
    report.expect(machines == [restored], f"the timers make a backup on {machines}, not on {restored}")
    # The next loss of a machine is survived as before.
    await asyncio.to_thread(test.cluster.switch_over)
    is_other = await becomes(lambda: test.cluster.primary() not in (None, restored), 60)
    report.expect(is_other, "no other machine becomes the primary")
    await test.ready()
    await test.order(stays, product)
    shop.expect_sound(report)


def run_alone(report: Report, options: argparse.Namespace) -> None:
    # Never the shop that runs in this checkout: its database is destroyed.
    stack = Stack.here(["--cluster"], {}, is_own=True)
    try:
        asyncio.run(run(Shop(stack), report, options))
    finally:
        stack.close()
