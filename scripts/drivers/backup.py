"""The shop is backed up while it sells, destroyed and restored; its instances and workers are killed and started again.
What comes back is, row for row, what there was at the moment of the dump; sessions, pictures and the next order work. A
damaged backup, a full database and a running shop are refused, and change nothing."""

import argparse
import asyncio
import base64
import os
import shlex
import shutil
import subprocess
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from drivers.client import Form
from drivers.postgres import create_database
from drivers.report import ROOT, Report, becomes
from drivers.shop import PHONE, Shop

STACK: list[str] = []
CLIENTS = 4
ORDERS_AROUND = 30
PICTURE = base64.b64decode("R0lGODlhEAAIAPAAAP8AAAAAACH5BAAAAAAALAAAAAAQAAgAAAIKhI+py+0Po5ysAAA7")
SUMS = """SELECT string_agg(format('SELECT %L, count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) FROM %I.%I t',
                                   schemaname || '.' || tablename, schemaname, tablename), ' UNION ALL ')
          FROM pg_tables WHERE schemaname IN ('public', 'graphile_worker')"""


class CommandLines:
    """The programs of PostgreSQL that ops/backup and ops/restore start, in a folder to put before PATH: each notes its
    command line, which everybody on the machine can read, and starts the real program."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.lines = folder / "programs", folder / "command-lines"
        self.folder.mkdir()
        for name in ("pg_dump", "pg_restore", "psql"):
            program = self.folder / name
            note = f"printf '%s\n' \"$0 $*\" >>{shlex.quote(str(self.lines))}"
            program.write_text(f'#!/bin/sh\n{note}\nexec {shutil.which(name)} "$@"\n')
            program.chmod(0o755)

    def check(self, report: Report, secret: str) -> None:
        lines = self.lines.read_text().splitlines()
        for program in self.folder.iterdir():
            report.expect(any(line.startswith(f"{program} ") for line in lines), f"{program.name} was never started")
        with_secret = [line for line in lines if secret in line]
        report.expect(not with_secret, f"the password stood on a command line: {with_secret}")


class Moment:
    """A transaction that goes on seeing the database as it was, and lets the dump see the same."""

    def __init__(self, url: str) -> None:
        command = ["psql", "-q", "-X", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", url]
        self.psql = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = self.ask("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT pg_export_snapshot()")[0]

    def ask(self, statement: str) -> list[str]:
        assert self.psql.stdin and self.psql.stdout
        self.psql.stdin.write(f"{statement};\n\\echo done\n")
        self.psql.stdin.flush()
        lines = []
        while (line := self.psql.stdout.readline()) != "done\n":
            if not line:
                raise SystemExit(f"psql ended at: {statement[:200]}")
            lines.append(line.rstrip("\n"))
        return lines

    def close(self) -> None:
        assert self.psql.stdin
        self.psql.stdin.close()
        self.psql.wait()


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def day_ago(days: int, hour: str) -> str:
    return time.strftime(f"%Y-%m-%dT{hour}0000Z", time.gmtime(time.time() - days * 86_400))


class Disaster:
    def __init__(self, shop: Shop, report: Report, folder: Path, programs: Path) -> None:
        self.shop, self.report, self.folder, self.psql = shop, report, folder, shop.stack.psql
        self.media = Path(shop.env["MEDIA_DIR"])
        database = urlsplit(shop.env["MIGRATE_DATABASE_URL"])
        # The stack's cluster accepts any password; this one is easy to find again on a command line.
        self.secret = uuid.uuid4().hex
        self.owner = f"postgres://thunse_migrate:{self.secret}@{database.hostname}:{database.port}/thunse"
        self.admin = shop.env["ADMIN_DATABASE_URL"].rsplit("/", 1)[0] + "/postgres"
        self.reader = self.owner.replace("thunse_migrate:", "thunse_backup:")
        self.env = {**os.environ, "MIGRATE_DATABASE_URL": self.owner, "BACKUP_DATABASE_URL": self.reader}
        self.env |= {"BACKUP_DIR": str(folder), "MEDIA_DIR": str(self.media), "S3_BUCKET": ""}
        self.env["PATH"] = f"{programs}:{os.environ['PATH']}"

    def ops(self, name: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([ROOT / "ops" / name, *words], env={**self.env, **more}, capture_output=True, text=True)

    def expect_refused(self, why: str, text: str, *words: str) -> None:
        done = self.ops("restore", *words)
        is_refused = done.returncode == 1 and text in done.stderr
        self.report.expect(is_refused, f"{why}: ended with {done.returncode}: {done.stderr[-300:]}")

    def sums(self) -> dict[str, list[str]]:
        rows = self.psql(self.psql(SUMS, self.owner)[0][0], self.owner)
        return {table: sums for table, *sums in rows}

    async def processes(self, action: str) -> None:
        act = self.shop.stack.kill if action == "kill" else self.shop.stack.start
        for name in [*(f"server-{number}" for number in range(len(self.shop.instances))), "worker"]:
            await asyncio.to_thread(act, name)

    async def back_up_while_selling(self, shoppers: list[Any], products: list[Any]) -> None:
        ended, acknowledged = asyncio.Event(), list[str]()

        async def client(number: int) -> None:
            connection = self.shop.client(number)
            while not ended.is_set():
                shopper = shoppers[(number + len(acknowledged)) % len(shoppers)]
                response = await self.shop.place(connection, shopper, [(products[number % 5], 1)])
                if not self.report.expect(response.status == 200, f"an order was answered {response}"):
                    break
                acknowledged.append(response.data["orderId"])
            connection.close()

        selling = [asyncio.create_task(client(number)) for number in range(CLIENTS)]
        await becomes(lambda: len(acknowledged) >= ORDERS_AROUND, 120)
        self.certain = list(acknowledged)
        moment = await asyncio.to_thread(Moment, self.owner)
        lines = await asyncio.to_thread(moment.ask, self.psql(SUMS, self.owner)[0][0])
        self.wanted = {table: sums for table, *sums in (line.split("\t") for line in lines)}
        before, began = len(acknowledged), time.monotonic()
        done = await asyncio.to_thread(lambda: self.ops("backup", BACKUP_SNAPSHOT=moment.name))
        self.report.figure("backup", time.monotonic() - began, "s")
        self.report.figure("orders placed during the backup", len(acknowledged) - before)
        await becomes(lambda: len(acknowledged) >= before + ORDERS_AROUND, 120)
        ended.set()
        await asyncio.gather(*selling)
        moment.close()
        if done.returncode:
            raise SystemExit(f"ops/backup failed: {done.stderr}")
        self.made, self.stored = Path(done.stdout.strip()), files_below(self.media)
        self.report.expect(self.sums() != self.wanted, "the database has not changed since the dump")

    def destroy(self) -> None:
        self.psql("DROP DATABASE thunse WITH (FORCE)", self.admin)
        shutil.rmtree(self.media)
        create_database(urlsplit(self.admin).port or 0, "")

    def expect_damage_refused(self) -> None:
        """A changed byte in the dump; a dump that is cut short under right sums; a changed byte in a picture."""
        broken = self.folder / "broken"
        shutil.copytree(self.made, broken)
        dump = broken / "database.dump"
        whole = dump.read_bytes()
        half = len(whole) // 2
        dump.write_bytes(whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1 :])
        self.expect_refused("a changed byte", "is damaged", str(broken))
        dump.write_bytes(whole[:half])
        with (broken / "SHA256SUMS").open("w") as sums:
            command = ["sha256sum", "database.dump", "pictures.sha256", "about"]
            subprocess.run(command, cwd=broken, stdout=sums, check=True)
        self.expect_refused("a dump that is cut short", "cannot be read", str(broken))
        shutil.rmtree(broken)
        name = sorted(self.stored)[0]
        saved = self.folder / "pictures" / name
        saved.write_bytes(b"x" + self.stored[name][1:])
        self.expect_refused("a changed picture", "missing or damaged", str(self.made))
        saved.write_bytes(self.stored[name])
        tables = self.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", self.owner)[0][0]
        self.report.expect(tables == "0" and not self.media.exists(), "a refused backup has left something behind")

    def restore(self, *words: str) -> None:
        began = time.monotonic()
        done = self.ops("restore", *words)
        if done.returncode:
            raise SystemExit(f"ops/restore failed: {done.stderr}")
        self.report.figure(f"restore {' '.join(words[1:])}".strip(), time.monotonic() - began, "s")
        got = self.sums()
        different = [table for table in {**self.wanted, **got} if self.wanted.get(table) != got.get(table)]
        self.report.expect(not different, f"restored {words}: these tables differ: {different}")
        self.report.expect(files_below(self.media) == self.stored, "the pictures are not what they were")
        self.shop.expect_sound(self.report)

    def expect_rotation(self) -> None:
        """All backups of two days stay, then the last of each day for thirty; pictures go with the last that names them."""
        names = (day_ago(1, "01"), day_ago(1, "02"), day_ago(5, "03"), day_ago(5, "04"), day_ago(31, "05"))
        for name in names:
            shutil.copytree(self.made, self.folder / name)
        old = self.folder / "pictures" / "gone-320"
        old.mkdir()
        (old / "320.webp").write_bytes(b"of long ago")
        with (self.folder / names[-1] / "pictures.sha256").open("a") as sums:
            sums.write(f"{'0' * 64}  gone-320/320.webp\n")
        done = self.ops("backup")
        self.report.expect(done.returncode == 0, f"the second backup failed: {done.stderr}")
        left = {name for name in names if (self.folder / name).exists()}
        self.report.expect(
            left == {names[0], names[1], names[3]} and self.made.exists(), f"the wrong backups went; left: {left}"
        )
        self.report.expect(files_below(self.folder / "pictures") == self.stored, "the wrong pictures went")
        entries = sorted(os.listdir(self.folder))
        done = self.ops("backup", BACKUP_DATABASE_URL=self.reader.rsplit("/", 1)[0] + "/nowhere")
        is_clean = done.returncode != 0 and sorted(os.listdir(self.folder)) == entries
        self.report.expect(is_clean, "a backup that failed has left something behind")


async def run(shop: Shop, report: Report, _options: argparse.Namespace) -> None:
    if "S3_PID" in shop.env:
        raise SystemExit("pictures in a folder are wanted: start the shop without --s3")
    shoppers, products = await shop.shoppers(10), await shop.products([1_000_000] * 5)
    shopper, client = shoppers[0], shop.client()
    fields = {"name": "Test Shopper", "email": shopper.email, "phone": PHONE, "address": "Lazimpat 2"}
    form = Form(fields, ("image", "me.gif", PICTURE))
    photo = (await client.must("PUT", "/api/user/updateProfile", form, cookies=shopper.cookies))["image"]
    photo_before = (await client.request("GET", photo)).body

    with tempfile.TemporaryDirectory(prefix="thunse-backup-") as name:
        folder = Path(name) / "backups"
        folder.mkdir()
        command_lines = CommandLines(Path(name))
        disaster = Disaster(shop, report, folder, command_lines.folder)
        await disaster.back_up_while_selling(shoppers, products)
        orders = shop.stack.one("SELECT count(*) FROM orders")
        disaster.expect_refused("a restore over a full database", "is not empty", str(disaster.made))
        disaster.expect_refused(
            "a restore under a running shop", "connections are open", str(disaster.made), "--replace"
        )
        report.expect(
            shop.stack.one("SELECT count(*) FROM orders") == orders, "a refused restore has changed the orders"
        )

        await disaster.processes("kill")
        disaster.destroy()
        disaster.expect_damage_refused()
        disaster.restore(str(disaster.made))
        existing = {row[0] for row in shop.stack.psql("SELECT code FROM orders")}
        report.expect(set(disaster.certain) <= existing, "orders from before the dump do not exist")

        await disaster.processes("start")
        profile = await client.must("GET", "/api/user/isAuth", cookies=shopper.cookies)
        report.expect(profile["email"] == shopper.email, "a shopper is no longer signed in")
        report.expect((await client.request("GET", photo)).body == photo_before, "the photo is not served")
        response = await shop.place(client, shopper, [(products[0], 1)])
        report.expect(response.status == 200, f"an order after the restore: {response}")
        emails = """SELECT count(*) + (SELECT count(*) FROM job_outbox) FROM graphile_worker.jobs
                    WHERE task_identifier = 'orders.send_email' AND run_at <= now() AND attempts = 0"""
        sent = await becomes(lambda: shop.stack.one(emails, disaster.owner) == "0", 120)
        report.expect(sent, "the worker does not send the emails")

        await disaster.processes("kill")
        connected = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'thunse'"
        await becomes(lambda: shop.stack.one(connected, disaster.admin) == "0", 60)
        disaster.restore("latest", "--replace")
        command_lines.check(report, disaster.secret)
        await disaster.processes("start")
        disaster.expect_rotation()
        report.figure("rows", sum(int(sums[0]) for sums in disaster.wanted.values()))
    client.close()
