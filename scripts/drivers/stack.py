"""The whole local shop: private PostgreSQL, picture folder, mailbox, identity provider, wallet, push service, SMS gateway,
servers and workers, migrated and seeded, with one seller.

  scripts/stack up [options]              starts it and prints KEY=value lines
  scripts/stack down                      ends exactly what `up` started
  scripts/stack env                       prints the lines again
  scripts/stack kill NAME | start NAME    kill -9, and up again where it was; NAME is server-0, server-1, …, worker-0,
                                          worker-1, …, worker (all of them), wallet or database

STACK_DIR names another folder for its state (default .stack), so that several shops can run side by side. THUNSE_BINARY
names a built binary, so that nothing is built. SHOP_PORT is the shop's port. KHALTI_LINK_SECONDS says how long the
wallet's pages live. Settings of the server in the environment are passed on to it."""

import argparse
import base64
import hashlib
import os
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path

from drivers import disk, nginx
from drivers.cluster import NAMES, Cluster
from drivers.network import Network
from drivers.postgres import ROOT, Postgres, create_database, run_psql
from drivers.processes import cpu_of, ended, free_ports, is_running, send

STATE = Path(os.environ.get("STACK_DIR") or ROOT / ".stack").absolute()
READY_SECONDS = 300
# The server's settings: what of the environment reaches its processes, also when they are started again.
KNOWN = set(re.findall(r"^#?([A-Z][A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.M))
DEFAULTS = {
    # A developer and a test suite come from one address; production keeps its own limits (decision 008).
    **{name: "100000" for name in KNOWN if "_PER_" in name},
    "READS_BURST": "100000",
    "OPEN_COD_ORDERS": "100000",
    "OPEN_COD_RUPEES": "10000000",
    # Cash orders that nobody confirms would be cancelled in the middle of a run that counts or shows them.
    "OPEN_COD_CONFIRM_MINUTES": "1440",
    "MAX_UNPAID_ORDERS": "1000",
    "HELD_PER_PRODUCT": "99",
    "KHALTI_LINK_SECONDS": "3600",
    "DRAIN_MS": "1000",
    "RUST_LOG": "info,sqlx=warn",
    # Of the demo shop: a real one has none until its owner sets them.
    "MAIL_FROM": "Thunse <hello@thunse.example>",
    "SHOP_PHONE": "+977 980-0000000",
    "SHOP_EMAIL": "hello@thunse.example",
    "SHOP_ADDRESS": "New Baneshwor, Kathmandu, Nepal",
    "SHOP_ADDRESS_NE": "नयाँ बानेश्वर, काठमाडौँ, नेपाल",
    "SHOP_SOCIAL": "Facebook=https://www.facebook.com/,Instagram=https://www.instagram.com/,TikTok=https://www.tiktok.com/",
}


def say(text: str) -> None:
    print(f"stack: {text}", file=sys.stderr, flush=True)


def key_of(name: str) -> str:
    """server-0 is SERVER_0 among settings and printed lines."""
    return "POSTGRES" if name == "database" else name.upper().replace("-", "_")


def is_up(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=10) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def build(is_release: bool) -> str:
    """The path of the server's binary; with a web app that is as new as its sources."""
    if binary := os.environ.get("THUNSE_BINARY"):
        return binary
    page, web = ROOT / "web/dist/index.html", ROOT / "web"
    sources = [web / "index.html", web / "package.json", web / "vite.config.ts"]
    sources += [path for folder in ("src", "public") for path in (web / folder).rglob("*") if path.is_file()]
    if not page.exists() or any(path.stat().st_mtime > page.stat().st_mtime for path in sources):
        say("building the web app")
        subprocess.run(["npm", "run", "--silent", "build"], cwd=web, check=True, stdout=sys.stderr)
    say("building the server")
    profile = ["--profile", "stack"] if is_release else []
    env = {**os.environ, "SQLX_OFFLINE": "true"}
    subprocess.run(
        ["cargo", "build", "--quiet", "--locked", *profile], cwd=ROOT, env=env, check=True, stdout=sys.stderr
    )
    return str(ROOT / "target" / ("stack" if is_release else "debug") / "thunse")


def parser() -> argparse.ArgumentParser:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("scripts/stack", description=__doc__, formatter_class=formatter)
    commands = parser.add_subparsers(dest="command")
    up = commands.add_parser("up")
    up.add_argument("--release", action="store_true", help="the optimised profile without LTO")
    up.add_argument("--seed", metavar="N", help="fill the shop up to N products")
    up.add_argument("--empty", action="store_true", help="no products")
    up.add_argument("--instances", type=int, default=1, metavar="N", help="N servers on one database behind nginx")
    up.add_argument("--workers", type=int, default=1, metavar="N")
    up.add_argument("--s3", action="store_true", help="pictures in a real S3 server")
    up.add_argument(
        "--cluster", action="store_true", help="PostgreSQL on three nodes under Patroni behind HAProxy (ops/ha)"
    )
    up.add_argument(
        "--network", action="store_true", help="each node of the cluster in a network namespace (needs root)"
    )
    up.add_argument("--disk", type=int, metavar="MB", help="PostgreSQL on a file system of its own (needs root)")
    up.add_argument("--slow-disk", action="store_true", help="the flushes of PostgreSQL can be made slow (needs gcc)")
    up.add_argument("--wal-apart", action="store_true", help="the WAL is not on that file system")
    up.add_argument("--database-only", action="store_true", help="an empty database with its roles, and nothing else")
    commands.add_parser("down")
    commands.add_parser("env")
    for name in ("kill", "start"):
        commands.add_parser(name).add_argument("name")
    return parser


class Stack:
    """A shop: its folder, what it printed (`env`) and what its processes are started with (`settings`)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # PostgreSQL runs as another user and its socket paths must be short, so data is not in the checkout.
        name = hashlib.sha256(str(folder).encode()).hexdigest()[:10]
        self.data = Path(tempfile.gettempdir()) / f"thunse-{name}"
        # `down` may be called with another TMPDIR than `up`.
        if (folder / "data").exists():
            self.data = Path((folder / "data").read_text())
        self.postgres: Postgres | Cluster = Postgres(self.data / "postgres")
        if (self.data / "cluster").exists():
            self.postgres = Cluster(self.data / "cluster")
        self.env: dict[str, str] = {}
        self.settings: dict[str, str] = {}
        self.own: Path | None = None
        if (folder / "env").exists():
            self.env = dict(line.split("=", 1) for line in (folder / "env").read_text().splitlines())
            words = shlex.split((folder / "settings").read_text())
            self.settings = dict(word.split("=", 1) for word in words if word != "export")

    @classmethod
    def here(cls, options: list[str], settings: Mapping[str, str], is_own: bool = False) -> "Stack":
        """The shop that runs in STACK_DIR, or else one of the caller's own, which `close` stops."""
        stack = cls(STATE)
        if is_own or not stack.env:
            own = Path(tempfile.mkdtemp(prefix="thunse-driver-"))
            own.chmod(0o755)
            stack = cls(own / "stack")
            stack.own = own
            stack.up(parser().parse_args(["up", *options]), settings)
        return stack

    def close(self) -> None:
        if self.own:
            self.down()
            shutil.rmtree(self.own, ignore_errors=True)

    # Processes.

    def spawn(self, name: str, command: list[str], env: Mapping[str, str] | None = None) -> None:
        """Starts a process in the background, in a session of its own; its number is written down for `down`."""
        with (self.folder / f"{name}.log").open("w") as log:
            process = subprocess.Popen(
                command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        (self.folder / f"{name}.pid").write_text(f"{process.pid}\n")

    def wait(self, name: str, is_ready: Callable[[], object]) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while not is_ready():
            if time.monotonic() > deadline or not is_running(self.pid(name)):
                log = (self.folder / f"{name}.log").read_text().splitlines()
                raise SystemExit("\n".join([f"{name} is not ready", *log[-20:]]))
            time.sleep(0.1)

    def spawn_helper(self, name: str, last: str, command: list[str]) -> dict[str, str]:
        """Starts a program of tools/; when it is ready, it has printed KEY=value lines, `last` at the end."""
        self.spawn(name, command)
        log = self.folder / f"{name}.log"
        self.wait(name, lambda: re.search(rf"^{last}=.*\n", log.read_text(), re.M))
        return dict(re.findall(r"^([A-Z0-9_]+)=(.*)$", log.read_text(), re.M))

    def spawn_wallet(self, port: str, *words: str) -> dict[str, str]:
        """The wallet keeps its ledger in a file, its port and its key: killed and started again it is the same one."""
        seconds = self.settings["KHALTI_LINK_SECONDS"]
        options = ["--ledger", f"{self.folder}/wallet.jsonl", "--link-seconds", seconds, "--port", port, *words]
        return self.spawn_helper("wallet", "KHALTI_SECRET_KEY", ["node", "tools/wallet/wallet.mjs", *options])

    def spawn_own(self, name: str) -> None:
        """A server or a worker, as the settings say."""
        command = "worker" if "worker" in name else "serve"
        addresses = {"METRICS_LISTEN": self.settings[f"{key_of(name)}_METRICS"]}
        addresses["LISTEN"] = self.settings.get(f"{key_of(name)}_LISTEN", "")
        self.spawn(name, [self.settings["BINARY"], command], self.process_env() | addresses)

    def wait_own(self, name: str) -> None:
        listen, metrics = (self.settings.get(f"{key_of(name)}_{what}") for what in ("LISTEN", "METRICS"))
        self.wait(name, lambda: is_up(f"http://{listen}/readyz" if listen else f"http://{metrics}/metrics"))

    def process_env(self) -> dict[str, str]:
        """The environment of the shop's own processes: pictures are in S3 only if the settings say so."""
        return {name: value for name, value in os.environ.items() if not name.startswith("S3_")} | self.settings

    def run_binary(self, words: list[str], more: Mapping[str, str], text: str = "") -> None:
        command, env = [self.settings["BINARY"], *words], {**self.process_env(), **more}
        done = subprocess.run(command, cwd=ROOT, env=env, input=text, text=True, capture_output=True)
        if done.returncode:
            raise SystemExit(f"thunse {words[0]}: {done.stdout}{done.stderr}")

    def create_seller(
        self, email: str, name: str, password: str, databases: Mapping[str, str], role: str = "owner"
    ) -> None:
        """Sellers come from the command line only."""
        words = ["seller", "create", "--email", email, "--name", name, "--role", role, "--password-stdin"]
        self.run_binary(words, databases, password)

    def pid(self, name: str) -> int:
        """Of server-0, worker-0, wallet, database … as it is now: a killed one is started with a new number."""
        return self.postgres.pid if name == "database" else int((self.folder / f"{name}.pid").read_text())

    def names(self, name: str) -> list[str]:
        """The name itself; of `worker` the names of all workers."""
        return sorted(path.stem for path in self.folder.glob("worker-*.pid")) if name == "worker" else [name]

    def kill(self, name: str) -> None:
        """What a power cut does to a process."""
        for each in self.names(name):
            if each == "database":
                self.postgres.kill()
                continue
            send(signal.SIGKILL, self.pid(each))
            if not ended([self.pid(each)], 60):
                raise SystemExit(f"{each} is still running")

    def start(self, name: str) -> None:
        for each in self.names(name):
            if each == "database":
                self.postgres.start(int(self.settings["POSTGRES_PORT"]))
            elif each == "wallet":
                url, key = self.settings["KHALTI_URL"], self.settings["KHALTI_SECRET_KEY"]
                self.spawn_wallet(url.rsplit(":", 1)[1], "--secret", key)
            else:
                self.spawn_own(each)
                self.wait_own(each)
            self.env[f"{key_of(each)}_PID"] = str(self.pid(each))
        self.save()

    # Up and down.

    def save(self) -> None:
        """Writes `settings` for a shell to source, where its data is, and `env` as it is printed."""
        quoted = (f"export {name}={shlex.quote(value)}\n" for name, value in self.settings.items())
        (self.folder / "settings").write_text("".join(quoted))
        (self.folder / "data").write_text(str(self.data))
        # In one step: another process may be reading it.
        (self.folder / "env.new").write_text("".join(f"{name}={value}\n" for name, value in self.env.items()))
        (self.folder / "env.new").replace(self.folder / "env")

    def down(self) -> None:
        # The proxy first, so that nothing is sent to a server that is ending; then servers and workers; then the helpers.
        files = {path.stem: path for path in self.folder.glob("*.pid")}
        own = [name for name in files if name.startswith(("proxy", "server-", "worker-"))]
        for names in (sorted(own), sorted(files.keys() - set(own))):
            pids = {name: self.pid(name) for name in names}
            send(signal.SIGTERM, *pids.values())
            ended(pids.values(), 60)
            for name, pid in pids.items():
                if is_running(pid):
                    say(f"{name} did not end by itself")
                    send(signal.SIGKILL, pid)
        self.postgres.stop()
        disk.unmount(self.data / "postgres")
        for folder in (self.folder, self.data):
            shutil.rmtree(folder, ignore_errors=True)

    def up(self, options: argparse.Namespace, overrides: Mapping[str, str]) -> None:
        binary = "" if options.database_only else build(options.release)
        for folder in (self.folder, self.data):
            shutil.rmtree(folder, ignore_errors=True)
        (self.data / "pictures").mkdir(parents=True)
        self.data.chmod(0o755)
        self.folder.mkdir(parents=True)
        try:
            self.bring_up(options, {**os.environ, **overrides}, binary)
        except BaseException:
            say("failed; stopping what was started")
            self.down()
            raise

    def bring_up(self, options: argparse.Namespace, given: Mapping[str, str], binary: str) -> None:
        # All at once: a second draw could give the same ports as long as nothing listens there.
        ports = free_ports(3 + options.instances * 2 + options.workers + len(NAMES))
        ports, for_cluster = ports[len(NAMES) :], ports[: len(NAMES)]
        pg_port, shop_port, wallet_port, *drawn = map(str, ports)
        if options.cluster:
            self.postgres = Cluster(self.data / "cluster")
            self.postgres.network = Network.unused() if options.network else None
        if options.disk and isinstance(self.postgres, Postgres):
            disk.mount(self.data / "postgres", options.disk)
            self.postgres.wal = self.data / "wal" if options.wal_apart else None
        if options.slow_disk and isinstance(self.postgres, Postgres):
            self.postgres.delay, self.postgres.env = disk.slow_flushes(self.data)
        shop_port = given.get("SHOP_PORT") or shop_port
        databases = self.start_database(given, int(pg_port), for_cluster)
        passed = {name for name in KNOWN if not name.startswith("S3_")} - databases.keys() | {"KHALTI_LINK_SECONDS"}
        self.settings = DEFAULTS | {name: value for name, value in given.items() if value and name in passed}
        self.settings |= {
            "DATABASE_URL": databases["DATABASE_URL"],
            "PUBLIC_URL": f"http://127.0.0.1:{shop_port}",
            "MEDIA_DIR": f"{self.data}/pictures",
            "TOTP_KEYS": "k1:" + base64.b64encode(secrets.token_bytes(32)).decode(),
            "BINARY": binary,
            "POSTGRES_PORT": pg_port,
        }
        if isinstance(self.postgres, Cluster):
            replica = f":{self.postgres.ports['replica']}/"
            self.settings["DATABASE_REPLICA_URL"] = databases["DATABASE_URL"].replace(f":{pg_port}/", replica)
        shop = {"SHOP_URL": self.settings["PUBLIC_URL"], "MEDIA_DIR": self.settings["MEDIA_DIR"]}
        self.env = {} if options.database_only else shop
        self.env |= databases | {"POSTGRES_PID": str(self.postgres.pid), "LOGS": str(self.folder)}
        if not options.database_only:
            self.env |= self.start_helpers(wallet_port, options.s3)
            self.env |= self.fill(databases, options.empty, options.seed)
            self.env |= self.start_shop(options.instances, options.workers, drawn, shop_port)
        self.save()

    def start_database(self, given: Mapping[str, str], port: int, more_ports: list[int]) -> dict[str, str]:
        self.postgres.create(given, more_ports)
        self.postgres.start(port)
        password = self.postgres.password
        create_database(port, password)
        place, roles = f"127.0.0.1:{port}/thunse", {"": "app", "MIGRATE_": "migrate", "SELLER_ADMIN_": "admin"}
        urls = {
            f"{name}DATABASE_URL": f"postgres://thunse_{role}:thunse_{role}@{place}" for name, role in roles.items()
        }
        # May do everything: tests make their own databases beside this one.
        return urls | {"ADMIN_DATABASE_URL": f"postgres://postgres{password and ':' + password}@{place}"}

    def start_helpers(self, wallet_port: str, has_s3: bool) -> dict[str, str]:
        python, callback = (
            str(ROOT / ".tools/python/bin/python"),
            f"{self.settings['PUBLIC_URL']}/api/user/google/callback",
        )
        mailbox = self.spawn_helper("mailbox", "HTTP_PORT", [python, "tools/mailbox/mailbox.py"])
        identity = ["node", "tools/identity/provider.mjs", "--redirect-uri", callback]
        helpers = self.spawn_helper("identity", "OPENID_CLIENT_SECRET", identity) | self.spawn_wallet(wallet_port)
        helpers |= self.spawn_helper("push", "PUSH_SERVICES", ["node", "tools/push/push.mjs"])
        helpers |= self.spawn_helper("sms", "SMS_TOKEN", ["node", "tools/sms/sms.mjs"])
        helpers["SMTP_URL"] = f"smtp://127.0.0.1:{mailbox['SMTP_PORT']}"
        if has_s3:
            helpers |= self.spawn_helper("s3", "S3_SECRET_KEY", ["tools/s3/serve", "--stay"])
        self.settings |= helpers
        printed = {"MAILBOX_URL": f"http://127.0.0.1:{mailbox['HTTP_PORT']}", "WALLET_PID": str(self.pid("wallet"))}
        printed |= {"S3_ENDPOINT": helpers["S3_ENDPOINT"], "S3_PID": str(self.pid("s3"))} if has_s3 else {}
        return printed | {
            name: helpers[name]
            for name in ("SMTP_URL", "OPENID_ISSUER", "KHALTI_URL", "KHALTI_SECRET_KEY", "PUSH_SERVICES", "SMS_URL")
        }

    def fill(self, databases: Mapping[str, str], is_empty: bool, products: str | None) -> dict[str, str]:
        """The schema, the demo shop and one seller."""
        self.run_binary(["migrate"], databases)
        if not is_empty:
            say("loading the demo shop")
            self.run_binary(["seed", *(["--products", products] if products else [])], databases)
            tables = "products, categories, stock_movements, search_vocabulary"
            run_psql(databases["MIGRATE_DATABASE_URL"], "-c", f"VACUUM (ANALYZE) {tables}")
        seller = {"SELLER_EMAIL": "seller@thunse.example", "SELLER_PASSWORD": secrets.token_hex(10)}
        self.create_seller(seller["SELLER_EMAIL"], "Sita", seller["SELLER_PASSWORD"], databases)
        return seller

    def start_shop(self, instances: int, workers: int, ports: list[str], shop_port: str) -> dict[str, str]:
        """One instance listens on the shop's port itself; several are behind the proxy."""
        printed, servers = {}, [f"server-{number}" for number in range(instances)]
        names = [*servers, *(f"worker-{number}" for number in range(workers))]
        addresses = [f"127.0.0.1:{ports.pop()}" for _ in servers] if instances > 1 else [f"127.0.0.1:{shop_port}"]
        for name, address in zip(servers, addresses, strict=True):
            self.settings[f"{key_of(name)}_LISTEN"] = address
            printed[f"{key_of(name)}_URL"] = f"http://{address}"
        if instances > 1:
            self.settings["TRUST_FORWARDED_FOR"] = "true"
        for name in names:
            self.settings[f"{key_of(name)}_METRICS"] = f"127.0.0.1:{ports.pop()}"
            self.spawn_own(name)
        for name in names:
            self.wait_own(name)
            printed[f"{key_of(name)}_PID"] = str(self.pid(name))
        if instances > 1:
            self.spawn("proxy", nginx.proxy(self.folder, shop_port, addresses))
            self.wait("proxy", lambda: is_up(f"http://127.0.0.1:{shop_port}/healthz"))
        metrics = {"METRICS_URL": "SERVER_0_METRICS", "WORKER_METRICS_URL": "WORKER_0_METRICS"}
        return printed | {name: f"http://{self.settings[setting]}/metrics" for name, setting in metrics.items()}

    # What a driver asks it.

    @property
    def instances(self) -> list[str]:
        return [self.env[key] for key in sorted(self.env) if key.startswith("SERVER_") and key.endswith("_URL")]

    def psql(self, statement: str, role: str = "DATABASE_URL", **variables: object) -> list[list[str]]:
        """One statement (or `@file`); its rows as lists of texts."""
        words = [word for name, value in variables.items() for word in ("-v", f"{name}={value}")]
        words += ["-f", statement[1:]] if statement.startswith("@") else ["-c", statement]
        lines = run_psql(self.env.get(role, role), *words).stdout.splitlines()
        return [line.split("\t") for line in lines if line]

    def one(self, statement: str, role: str = "DATABASE_URL") -> str:
        return self.psql(statement, role)[0][0]

    def cpu(self, *names: str) -> float:
        """CPU seconds of some processes and all below them."""
        return sum(cpu_of(self.pid(name)) for name in names)


def main(arguments: list[str]) -> int:
    options, stack = parser().parse_args(arguments), Stack(STATE)
    match options.command:
        case "up" if stack.env:
            say("already up")
        case "up":
            stack.up(options, {})
        case "down":
            say("down" if stack.folder.exists() else "nothing is up")
            stack.down()
        case "kill":
            stack.kill(options.name)
        case "start":
            stack.start(options.name)
        case None:
            parser().print_help()
            return 2
    if options.command in ("up", "env"):
        print((stack.folder / "env").read_text(), end="")
    return 0
