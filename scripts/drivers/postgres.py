"""A private PostgreSQL cluster: its own folder, port and superuser, nothing shared with the machine's own. PostgreSQL
refuses to run as root, so as root it runs as the `postgres` user of the Debian package."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drivers.processes import ended, family, is_running, send

ROOT = Path(__file__).resolve().parents[2]
IS_ROOT = os.geteuid() == 0
ROLES = ("migrate", "app", "backup", "admin")


def programs() -> Path:
    """The folder of the newest PostgreSQL."""
    for version in ("18", "17", "16", "15"):
        folder = Path(f"/usr/lib/postgresql/{version}/bin")
        if (folder / "initdb").exists():
            return folder
    raise SystemExit("no PostgreSQL 15 or newer found: run scripts/setup")


def run_psql(url: str, *words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    command = ["psql", "-q", "-X", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", url, *words]
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode:
        raise SystemExit(f"{done.stderr.strip()}\nin: {' '.join(words)[:300]}")
    return done


def create_database(port: int, superuser_password: str) -> None:
    """The roles and the empty database, made as an operator makes them; a role's password is its name."""
    passwords = {f"{role.upper()}_PASSWORD": f"thunse_{role}" for role in ROLES} | {"PGPASSWORD": superuser_password}
    url = f"postgres://postgres@127.0.0.1:{port}/postgres"
    run_psql(url, "-f", f"{ROOT}/ops/database.sql", env={**os.environ, **passwords})


class Postgres:
    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "data"
        # Whoever may connect to it at all is trusted.
        self.password = ""
        # What its programs find in their environment besides PATH.
        self.env: dict[str, str] = {}
        # Where the WAL is, if not beside the tables.
        self.wal: Path | None = None
        # The milliseconds that each flush takes longer, if it was started so that they can be changed.
        self.delay: Path | None = None

    def configure(self, text: str) -> None:
        """Adds lines to the settings; most need a restart."""
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(text)

    def run(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        user: dict[str, Any] = {"user": "postgres", "group": "postgres", "extra_groups": []} if IS_ROOT else {}
        command, env = (
            [f"{programs()}/{program}", "-D", f"{self.data}", *words],
            {"PATH": os.environ["PATH"], **self.env},
        )
        # No pipes: the server would hold them open for as long as it runs.
        with (self.folder / f"{program}.log").open("w+") as log:
            done = subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=env, cwd="/", **user)
            log.seek(0)
            return subprocess.CompletedProcess(command, done.returncode, log.read())

    def create(self, settings: Mapping[str, str], _ports: list[int]) -> None:
        own, words = [self.folder, *([self.wal] if self.wal else [])], [f"--waldir={self.wal}"] if self.wal else []
        for folder in own:
            folder.mkdir(parents=True, exist_ok=True)
            if IS_ROOT:
                shutil.chown(folder, "postgres", "postgres")
        done = self.run("initdb", "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", *words)
        if done.returncode:
            raise SystemExit(done.stdout)
        self.configure(f"""
listen_addresses = '127.0.0.1'
unix_socket_directories = '{self.folder}'
max_connections = 300
shared_buffers = {settings.get("PG_SHARED_BUFFERS") or "512MB"}
work_mem = 16MB
maintenance_work_mem = 512MB
max_wal_size = {settings.get("PG_MAX_WAL_SIZE") or "8GB"}
fsync = {settings.get("PG_FSYNC") or "on"}
random_page_cost = 1.1
jit = off
timezone = 'UTC'
""")

    def start(self, port: int) -> None:
        deadline = time.monotonic() + 120
        command = ("-o", f"-p {port}", "-l", f"{self.data}/server.log", "-w", "-t", "120", "start")
        # Until the memory that killed processes shared is released, PostgreSQL refuses to start.
        while (done := self.run("pg_ctl", *command)).returncode:
            if time.monotonic() > deadline:
                raise SystemExit(done.stdout + (self.data / "server.log").read_text()[-2000:])
            time.sleep(0.2)

    @property
    def pid(self) -> int:
        return int((self.data / "postmaster.pid").read_text().split("\n")[0])

    def stop(self) -> None:
        if (self.data / "postmaster.pid").exists() and is_running(self.pid):
            self.run("pg_ctl", "-m", "fast", "-w", "stop")

    def kill(self) -> None:
        # First it is stopped: a child that it forks meanwhile would survive, and hold the memory that they share.
        send(signal.SIGSTOP, self.pid)
        pids = list(family(self.pid))
        send(signal.SIGKILL, *pids)
        # A busy kernel takes its time to end a process with much memory.
        if not ended(pids, 60):
            raise SystemExit("PostgreSQL is still running")
