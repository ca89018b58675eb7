"""The life of the Debian package in a new Debian: it is installed, set up, serves over TLS, takes an order, is upgraded while
readers go on, is examined by `thunse doctor`, and purged. The root is made by mmdebstrap from the machine's own package
sources and has a network of its own, so that every program listens where it would on a server. There is no systemd in it: the
driver starts what the units say, as their users and with their secrets. Needs root."""

import argparse
import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from drivers.client import Client, Form
from drivers.processes import ended, family, send
from drivers.report import ROOT, Report
from drivers.shop import PASSWORD, PHONE, Api, Product, Shopper, new_key, order_body
from drivers.stack import build

PACKAGES = "postgresql,nginx-light,systemd,openssl,ca-certificates,curl"
DOMAIN, PORTS = "shop.example", (8080, 8081)
SOURCES = ("/etc/apt/sources.list", "/etc/apt/sources.list.d/debian.sources")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--root", type=Path, help="a root that mmdebstrap has made before, as a tar file")
    parser.add_argument("--order", help=argparse.SUPPRESS)


class Machine:
    """A Debian of its own, as far as its programs can tell."""

    def __init__(self, folder: Path, tar: Path | None) -> None:
        self.folder, self.root = folder, folder / "root"
        self.root.mkdir()
        if tar:
            subprocess.run(["tar", "-xf", tar, "-C", self.root], check=True)
        else:
            sources = [each for each in SOURCES if Path(each).exists()]
            command = ["mmdebstrap", "--variant=minbase", "--mode=root", "--quiet", f"--include={PACKAGES}"]
            options = [f"--aptopt={each}" for each in Path("/etc/apt/apt.conf.d").glob("99*")]
            subprocess.run([*command, *options, "bookworm", self.root, *sources], check=True)
        hold = "mount --rbind /dev $0/dev && mount -t proc proc $0/proc && ip link set lo up && echo ready && exec sleep 1d"
        command = ["unshare", "--net", "--mount", "sh", "-c", hold, str(self.root)]
        self.holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        if not self.holder.stdout or self.holder.stdout.readline() != "ready\n":
            raise SystemExit("no namespaces: this driver needs root")
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def enter(self, *namespaces: str) -> list[str]:
        return ["nsenter", f"--target={self.holder.pid}", *(f"--{each}" for each in namespaces)]

    def command(self, *words: str) -> list[str]:
        return [*self.enter("net", "mount"), "chroot", str(self.root), *words]

    def run(self, *words: str, text: str = "", env: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            self.command(*words), input=text, env={**self.clean(), **(env or {})}, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    @staticmethod
    def clean() -> dict[str, str]:
        return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}

    def unit(self, name: str, words: list[str] | None = None) -> tuple[list[str], dict[str, str]]:
        """The command and the environment that systemd would give a unit; other words replace those of the program."""
        base, _, instance = name.partition("@")
        file = self.root / f"usr/lib/systemd/system/{base}{'@' if instance else ''}.service"
        lines = [line.split("=", 1) for line in file.read_text().replace("%i", instance).splitlines() if "=" in line]
        values = {key: value for key, value in lines if not key.startswith("#")}
        env = dict(re.findall(r"([A-Z_]+)=(\S+)", values.get("Environment", "")))
        if settings := values.get("EnvironmentFile"):
            env |= dict(re.findall(r"^([A-Z0-9_]+)=(.*)$", (self.root / settings[1:]).read_text(), re.M))
        user, groups = values["User"], values.get("SupplementaryGroups", "")
        passed = self.root / "run/credentials" / name
        shutil.rmtree(passed, ignore_errors=True)
        passed.mkdir(parents=True)
        prefix, _, folder = values["LoadCredential"].partition(":")
        for secret in (self.root / folder[1:]).iterdir():
            shutil.copy(secret, passed / f"{prefix}_{secret.name}")
        self.run("chown", "-R", user, f"/run/credentials/{name}")
        env["CREDENTIALS_DIRECTORY"] = f"/run/credentials/{name}"
        as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--no-new-privs"]
        as_user += [f"--groups={groups}"] if groups else ["--clear-groups"]
        program = values["ExecStart"].split()
        return [*as_user, *([program[0], *words] if words else program)], env

    def start(self, name: str) -> None:
        words, env = self.unit(name)
        with (self.folder / f"{name}.log").open("w") as log:
            command, env = self.command(*words), {**self.clean(), **env}
            self.processes[name] = subprocess.Popen(command, env=env, stdout=log, stderr=log)

    def stop(self, name: str) -> None:
        self.processes[name].send_signal(signal.SIGTERM)
        self.processes.pop(name).wait(60)

    def curl(self, url: str) -> str:
        """The status of an address, with the certificate checked."""
        return self.run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "20", url)

    def wait_ready(self, port: int) -> None:
        deadline = time.monotonic() + 120
        probe = ["curl", "-s", "-f", "-o", "/dev/null", f"http://127.0.0.1:{port}/readyz"]
        while subprocess.run(self.command(*probe), env=self.clean()).returncode:
            if time.monotonic() > deadline:
                log = (self.folder / f"thunse-serve@{port}.log").read_text()
                raise SystemExit(f"the instance on port {port} is not ready:\n{log[-2000:]}")
            time.sleep(0.2)

    def close(self) -> None:
        pids = [pid for process in self.processes.values() for pid in family(process.pid)]
        for path in (self.root / "run/nginx.pid", *self.root.glob("var/lib/postgresql/*/main/postmaster.pid")):
            pids += list(family(int(path.read_text().split()[0]))) if path.exists() else []
        send(signal.SIGTERM, *pids)
        if not ended(pids, 30):
            send(signal.SIGKILL, *pids)
        self.holder.kill()
        self.holder.wait()


def make_package(binary: str, version: str, folder: Path) -> str:
    command = [str(ROOT / "scripts" / "package"), binary, version, str(folder)]
    env = {**os.environ, "COMPRESSION": "none"}
    return subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def install(machine: Machine, package: str) -> None:
    shutil.copy(package, machine.root / "tmp")
    machine.run("dpkg", "--install", f"/tmp/{Path(package).name}")


def set_up_proxy(machine: Machine) -> None:
    """As ops/README.md says, with a certificate of our own that this machine trusts."""
    machine.run("sh", "-c", f"echo 127.0.0.1 {DOMAIN} >>/etc/hosts")
    live = f"/etc/letsencrypt/live/{DOMAIN}"
    machine.run("mkdir", "-p", live, "/etc/nginx/snippets")
    names = ["-subj", f"/CN={DOMAIN}", "-addext", f"subjectAltName=DNS:{DOMAIN}", "-days", "2", "-nodes"]
    files = ["-keyout", f"{live}/privkey.pem", "-out", f"{live}/fullchain.pem"]
    machine.run("openssl", "req", "-x509", "-newkey", "rsa:2048", *names, *files)
    machine.run("cp", f"{live}/fullchain.pem", "/usr/local/share/ca-certificates/shop.crt")
    machine.run("update-ca-certificates")
    machine.run("cp", "/usr/lib/thunse/ops/nginx.conf", "/etc/nginx/nginx.conf")
    machine.run("cp", "/usr/lib/thunse/ops/nginx-proxy.conf", "/etc/nginx/snippets/thunse-proxy.conf")
    machine.run("cp", "/usr/lib/thunse/ops/nginx-instances.conf", "/etc/nginx/snippets/thunse-instances.conf")
    # A server that goes into the background would hold the pipes of its output open.
    machine.run("sh", "-c", "nginx >/dev/null 2>&1")


def sql(machine: Machine, statement: str) -> list[str]:
    words = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "psql", "-XAtq", "-F", "\t", "thunse"]
    return machine.run(*words, "-c", statement).splitlines()


def order(machine: Machine) -> str:
    """Places an order in the machine's network, and returns its code."""
    product = sql(
        machine, "SELECT id, slug, price_paisa FROM products WHERE tax_class = 'standard' AND stock > 9 LIMIT 1"
    )
    command = [*machine.enter("net"), sys.executable, "-B", "-m", "drivers", "package", "--order", product[0]]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")}, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"an order failed: {done.stdout}{done.stderr}")
    return done.stdout.strip()


async def place(line: str) -> None:
    identifier, slug, price = line.split("\t")
    client = Client(f"http://127.0.0.1:{PORTS[0]}", f"https://{DOMAIN}")
    email = f"asha-{new_key()[:8]}@example.com"
    fields = {"name": "Test Shopper", "email": email, "phone": PHONE, "password": PASSWORD}
    user = await client.must("POST", "/api/user/register", Form(fields))
    lines = [(Product(identifier, slug, int(price)), 1)]
    body = order_body(Shopper(user["_id"], email), lines)
    response = await client.request("POST", Api.PLACE, body, key=new_key())
    if response.status != 200:
        raise SystemExit(str(response))
    print(response.data["orderId"])


def examine(machine: Machine, report: Report, unit: str) -> None:
    """What `thunse doctor` says of this installation."""
    doctor, env = machine.unit(unit, ["doctor", "--json"])
    findings = json.loads(machine.run(*doctor, env=env))
    wrong = [each for each in findings if each["verdict"] == "failed"]
    report.expect(not wrong, f"thunse doctor finds {wrong}")
    checked = {each["check"] for each in findings if each["verdict"] == "ok"}
    report.expect({"database", "grants", "pictures", "tls"} <= checked, f"thunse doctor passes only {checked}")


def live(machine: Machine, report: Report, packages: list[str]) -> None:
    first, second = packages
    began = time.monotonic()
    install(machine, first)
    mode = machine.run("stat", "-c", "%a %U", "/etc/thunse/credentials", "/var/lib/thunse/pictures").splitlines()
    report.expect(mode == ["700 root", "2770 thunse-serve"], f"the folders of the package are {mode}")
    machine.run("sh", "-c", "pg_ctlcluster $(pg_lsclusters -h | cut -d ' ' -f 1,2) start")
    owner = ["--owner-email", f"sita@{DOMAIN}", "--owner-name", "Sita"]
    printed = machine.run("thunse-setup", "--yes", "--domain", DOMAIN, *owner)
    report.expect("password: " in printed, f"thunse-setup does not print the owner's password: {printed}")
    machine.run("thunse-setup", "--yes")
    names = [*(f"thunse-serve@{port}" for port in PORTS), "thunse-worker"]
    seed, env = machine.unit("thunse-worker", ["seed"])
    machine.run(*seed, env=env)
    set_up_proxy(machine)
    for name in names:
        machine.start(name)
    for port in PORTS:
        machine.wait_ready(port)
    report.figure("from a bare machine to a shop", time.monotonic() - began, "s")
    status = machine.curl(f"https://{DOMAIN}/")
    report.expect(status == "200", f"the shop answers {status} over TLS")
    before = order(machine)

    edited = "# A change of the operator.\n"
    with (machine.root / "etc/thunse/env").open("a") as file:
        file.write(edited)
    install(machine, second)
    report.expect(
        edited in (machine.root / "etc/thunse/env").read_text(), "the upgrade has lost the operator's settings"
    )
    migrate, env = machine.unit("thunse-migrate")
    machine.run(*migrate, env=env)
    for port in PORTS:
        machine.stop(f"thunse-serve@{port}")
        status = machine.curl(f"https://{DOMAIN}/")
        report.expect(status == "200", f"while port {port} is upgraded, the shop answers {status}")
        machine.start(f"thunse-serve@{port}")
        machine.wait_ready(port)
    version = machine.run("dpkg-query", "-W", "-f", "${Version}", "thunse")
    report.expect(version == "0.1.1", f"the upgrade has installed {version}")
    after = order(machine)
    codes = sql(machine, "SELECT code FROM orders")
    report.expect({before, after} <= set(codes), f"{before} and {after} are not both in {codes}")

    examine(machine, report, names[0])
    for name in names:
        machine.stop(name)
    machine.run("dpkg", "--purge", "thunse")
    left = [path for path in ("etc/thunse", "var/lib/thunse", "usr/bin/thunse") if (machine.root / path).exists()]
    users = re.findall(r"^thunse\S*", (machine.root / "etc/passwd").read_text(), re.M)
    report.expect(not left and not users, f"purging has left {left} {users}")
    report.expect(len(sql(machine, "SELECT code FROM orders")) == len(codes), "purging has changed the database")


def run_alone(report: Report, options: argparse.Namespace) -> None:
    if options.order:
        asyncio.run(place(options.order))
        return
    with tempfile.TemporaryDirectory(prefix="thunse-package-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        packages = [make_package(build(True), version, folder) for version in ("0.1.0", "0.1.1")]
        report.figure("size of the package", Path(packages[0]).stat().st_size / 1e6, "MB")
        machine = Machine(folder, options.root)
        try:
            live(machine, report, packages)
        finally:
            machine.close()
