"""What the drivers that restore the shop have in common: the operator's commands, shoppers who order and leave, and what the
database says afterwards."""

import asyncio
import os
import subprocess
import time
from pathlib import Path

from drivers.backup import SUMS
from drivers.client import NO_RESPONSE, Client, Form
from drivers.postgres import IS_ROOT
from drivers.report import Report, becomes
from drivers.shop import PASSWORD, PHONE, Product, Shop, Shopper

PROCESSES = ["server-0", "worker"]
AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if IS_ROOT else []


class RestoredShop:
    def __init__(self, shop: Shop, report: Report) -> None:
        self.shop, self.report, self.stack = shop, report, shop.stack
        self.backups, self.media = self.stack.data / "backups", Path(shop.env["MEDIA_DIR"])
        # The environment of the operator's commands.
        self.operator_env = {
            **os.environ,
            "BACKUP_DIR": f"{self.backups}",
            "MEDIA_DIR": f"{self.media}",
            "MIGRATE_DATABASE_URL": shop.env["MIGRATE_DATABASE_URL"],
        }

    # What an operator does.

    def run(self, *command: str | Path) -> str:
        done = subprocess.run(command, env=self.operator_env, cwd="/", capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
        return done.stdout

    def pgbackrest(self, *words: str) -> bytes:
        # Of the commands that read the repository's own files, none knows a stanza.
        stanza = [] if words[0].startswith("repo-") else ["--stanza=thunse"]
        command = [*AS_POSTGRES, "pgbackrest", *stanza, *words]
        done = subprocess.run(command, env=self.operator_env, cwd="/", capture_output=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}: {(done.stdout + done.stderr).decode(errors='replace')}")
        return done.stdout

    def timed(self, name: str, *command: str) -> None:
        began = time.monotonic()
        self.pgbackrest(*command) if command[0] == "backup" else self.run(*command)
        self.report.figure(name, time.monotonic() - began, "s")

    def delete_again(self) -> None:
        self.stack.run_binary(["accounts", "delete-again"], {}, (self.backups / "deleted-accounts").read_text())

    async def processes(self, action: str) -> None:
        for name in PROCESSES:
            await asyncio.to_thread(self.stack.kill if action == "kill" else self.stack.start, name)
        if action == "kill":
            connected = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'thunse' AND pid <> pg_backend_pid()"
            await becomes(lambda: self.stack.one(connected, "ADMIN_DATABASE_URL") == "0", 60)

    # What shoppers do.

    async def ready(self) -> None:
        async def is_ready() -> bool:
            try:
                return (await self.shop.client().request("GET", "/readyz")).status == 200
            except NO_RESPONSE:
                return False

        self.report.expect(await becomes(is_ready, 60), "the shop is not ready")

    async def order(self, shopper: Shopper, product: Product) -> str:
        response = await self.shop.place(self.shop.client(), shopper, [(product, 1)])
        self.report.expect(response.status == 200, f"an order was answered {response}")
        return str((response.data or {}).get("orderId"))

    async def photo(self, client: Client, shopper: Shopper, picture: bytes) -> str:
        fields = {"name": "Test Shopper", "email": shopper.email, "phone": PHONE, "address": "Lazimpat 2"}
        form = Form(fields, ("image", "me.gif", picture))
        data = await client.must("PUT", "/api/user/updateProfile", form, cookies=shopper.cookies)
        return str(data["image"])

    async def leave(self, shopper: Shopper) -> None:
        await self.shop.client().must("POST", "/api/user/delete", {"password": PASSWORD}, shopper.cookies)

    # What the database says.

    def codes(self) -> set[str]:
        return {row[0] for row in self.stack.psql("SELECT code FROM orders")}

    def sums(self) -> dict[str, list[str]]:
        owner = "MIGRATE_DATABASE_URL"
        return {table: sums for table, *sums in self.stack.psql(self.stack.one(SUMS, owner), owner)}

    def expect_left(self, shoppers: list[Shopper]) -> None:
        emails = ", ".join(f"'{shopper.email}'" for shopper in shoppers)
        found = self.stack.one(f"SELECT count(*) FROM users WHERE email IN ({emails})")
        self.report.expect(found == "0", f"{found} people who have left are there again")
        self.shop.expect_sound(self.report)
