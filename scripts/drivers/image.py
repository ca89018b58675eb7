"""The container image: it is built from ops/Dockerfile by `scripts/image`, and a container of it serves the database of a
running shop, confined as ops/compose.yaml says: an unprivileged user, a read-only root, no capabilities, no new privileges.
It has to become ready, show the home page, store a picture and take an order; its health check has to tell a ready instance
from one that is stopping; nothing may be written to its root; and SIGTERM has to end it in order. Needs root."""

import argparse
import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any

from drivers.client import NO_RESPONSE, Client, Form
from drivers.processes import ended, free_ports, send
from drivers.report import ROOT, Report, becomes
from drivers.shop import Shop
from drivers.stack import KNOWN

# A debug build reads the web app from the checkout instead of containing it.
STACK = ["--release"]
USER = 10001
PICTURE = ROOT / "server/seed/pictures/almonds-384.webp"
PICTURES = "/var/lib/thunse/pictures"
# What a debug build reads.
SOURCES = ("data", "web", "server/seed")
# As Docker mounts them.
MOUNTS: list[tuple[str, str, str, list[str]]] = [
    ("/proc", "proc", "proc", ["nosuid", "noexec", "nodev"]),
    ("/dev", "tmpfs", "tmpfs", ["nosuid", "mode=755", "size=64k"]),
    ("/tmp", "tmpfs", "tmpfs", ["nosuid", "nodev", "mode=1777", "size=64m"]),
]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base", type=Path, help="a Debian that mmdebstrap has made before, as a tar file")
    parser.add_argument("--checkout", type=Path, help="where THUNSE_BINARY was built, if it is a debug build")


def build(binary: str, folder: Path, base: Path | None) -> Path:
    command = [str(ROOT / "scripts" / "image"), binary, "0.1.0", str(folder)]
    env = {**os.environ, **({"BASE": str(base.absolute())} if base else {})}
    return Path(subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout.strip())


def unpack(archive: Path, root: Path) -> dict[str, Any]:
    """The settings of the image; its files go to a folder."""
    with tarfile.open(archive) as image:

        def document(name: str) -> Any:
            member = image.extractfile(name)
            assert member
            return json.load(member)

        manifest = document("manifest.json")[0]
        image.extractall(root.parent / "layers", filter="data")
        for layer in manifest["Layers"]:
            subprocess.run(["tar", "-xf", root.parent / "layers" / layer, "-C", root], check=True)
        config: dict[str, Any] = document(manifest["Config"])["config"]
        return config


class Container:
    """A process of the image under runc, in the machine's own network."""

    def __init__(
        self, folder: Path, image: dict[str, Any], words: list[str], env: dict[str, str], binds: dict[str, Path]
    ) -> None:
        self.folder, self.name = folder, f"thunse-{folder.name}-{words[0]}"
        bundle = folder / words[0]
        bundle.mkdir()
        settings = dict(line.split("=", 1) for line in image["Env"]) | env
        mounts: list[dict[str, object]] = [
            dict(zip(("destination", "type", "source", "options"), each, strict=True)) for each in MOUNTS
        ]
        for place, source in binds.items():
            options = ["bind", "nosuid", "nodev", "rw" if place == PICTURES else "ro"]
            mounts.append({"destination": place, "type": "bind", "source": str(source), "options": options})
        user, _, group = image["User"].partition(":")
        config = {
            "ociVersion": "1.0.2",
            "process": {
                "user": {"uid": int(user), "gid": int(group)},
                "args": [*image["Entrypoint"], *words],
                "env": [f"{name}={value}" for name, value in settings.items()],
                "cwd": image.get("WorkingDir") or "/",
                "capabilities": {},
                "noNewPrivileges": True,
            },
            "root": {"path": str(folder / "root"), "readonly": True},
            "mounts": mounts,
            "linux": {"namespaces": [{"type": kind} for kind in ("pid", "ipc", "uts", "mount")]},
        }
        (bundle / "config.json").write_text(json.dumps(config))
        self.log = folder / f"{words[0]}.log"
        with self.log.open("w") as log:
            command = [*self.runc("run"), "--bundle", str(bundle), self.name]
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def runc(self, command: str) -> list[str]:
        return ["runc", f"--root={self.folder}/runc", command]

    @property
    def pid(self) -> int:
        state = subprocess.run([*self.runc("state"), self.name], check=True, capture_output=True, text=True)
        return int(json.loads(state.stdout)["pid"])

    def run(self, *words: str, user: int = USER) -> subprocess.CompletedProcess[str]:
        command = [*self.runc("exec"), "--no-new-privs", f"--user={user}:{user}", self.name, *words]
        return subprocess.run(command, capture_output=True, text=True)

    def close(self) -> None:
        if self.process.poll() is None:
            send(signal.SIGKILL, self.pid)
            self.process.wait(30)


def status_of(pid: int) -> dict[str, str]:
    """What the kernel says of a process: its user, capabilities and so on."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: " ".join(value.split()) for name, _, value in (line.partition(":") for line in lines)}


def expect_confined(container: Container, report: Report) -> None:
    found = status_of(container.pid)
    wanted = {"Uid": " ".join([str(USER)] * 4), "CapEff": "0" * 16, "CapBnd": "0" * 16, "NoNewPrivs": "1"}
    for name, value in wanted.items():
        report.expect(found[name] == value, f"{name} of the container's process is {found[name]} instead of {value}")
    for user in (USER, 0):
        done = container.run("bash", "-c", "echo x >/etc/nsswitch.conf", user=user)
        is_refused = done.returncode != 0 and "Read-only file system" in done.stderr
        report.expect(is_refused, f"user {user} can write to the root: {done}")
    done = container.run("bash", "-c", f"echo x >/tmp/x && echo x >{PICTURES}/x")
    report.expect(done.returncode == 0, f"/tmp or the pictures cannot be written: {done}")


async def use(shop: Shop, url: str, pictures: Path, report: Report) -> None:
    """What a visitor, a seller and a shopper do."""
    client = Client(url, shop.url)
    home = await client.request("GET", "/")
    scripts = re.findall(r'src="(/assets/[^"]+)"', home.body.decode())
    report.expect(scripts, "the web app is not in the image")
    for path in ("/", "/products", "/api/product/get_products", *scripts):
        response = await client.request("GET", path)
        report.expect(response.status == 200, f"{path}: {response}")
    (shopper,), (product,) = await shop.shoppers(1), await shop.products([10])
    path, seller = f"/api/product/update_product/{product.slug}", await shop.seller()
    data = Form({}, ("image", PICTURE.name, PICTURE.read_bytes()))
    response = await client.request("PUT", path, data, seller)
    stored = [file for file in pictures.rglob("*") if file.is_file() and file.stat().st_size > 100]
    report.expect(response.status == 200 and stored, f"a picture was not stored ({stored}): {response}")
    response = await shop.place(client, shopper, [(product, 2)])
    report.expect(response.status == 200, f"an order was refused: {response}")
    codes = [code for _, code in shop.cash_orders_of([shopper])]
    report.expect(codes == [(response.data or {}).get("orderId")], f"the database has the orders {codes}")
    client.close()


async def stop(container: Container, url: str, port: str, health: list[str], report: Report) -> None:
    """SIGTERM: first no longer ready but still serving, then ended."""
    done = container.run(*health, port)
    report.expect(done.returncode == 0, f"the health check of a ready instance fails: {done}")
    report.expect(
        container.run(*health, "1").returncode != 0, "the health check passes on a port where nothing listens"
    )
    pid, began = container.pid, time.monotonic()
    send(signal.SIGTERM, pid)
    client = Client(url)
    statuses = [(await client.request("GET", path)).status for path in ("/readyz", "/")]
    report.expect(statuses == [503, 200], f"a stopping instance answers {statuses} to /readyz and /")
    report.expect(container.run(*health, port).returncode != 0, "the health check of a stopping instance passes")
    client.close()
    is_ended = await asyncio.to_thread(ended, [pid], 30)
    code = container.process.wait(30) if is_ended else None
    report.expect(code == 0, f"the container ended with {code} after SIGTERM")
    report.figure("from SIGTERM to the end, with 3 s of draining", time.monotonic() - began, "s")


async def live(shop: Shop, folder: Path, image: dict[str, Any], report: Report, checkout: Path | None) -> None:
    pictures, stack = folder / "pictures", shop.stack
    pictures.mkdir()
    shutil.chown(pictures, USER, USER)
    listen, metrics = free_ports(2)
    settings = {name: value for name, value in stack.settings.items() if name in KNOWN and not name.startswith("S3_")}
    settings |= {"LISTEN": f"127.0.0.1:{listen}", "METRICS_LISTEN": f"127.0.0.1:{metrics}", "MEDIA_DIR": PICTURES}
    settings |= {"DRAIN_MS": "3000"}
    binds = {PICTURES: pictures} | {str(checkout / part): checkout / part for part in SOURCES if checkout}
    database = {"MIGRATE_DATABASE_URL": stack.env["MIGRATE_DATABASE_URL"]}
    migrate = Container(folder, image, ["migrate"], database, binds)
    code = await asyncio.to_thread(migrate.process.wait, 300)
    report.expect(code == 0, f"migrate ended with {code}: {migrate.log.read_text()}")

    url, health, began = f"http://127.0.0.1:{listen}", image["Healthcheck"]["Test"][1:], time.monotonic()
    container = Container(folder, image, image["Cmd"], settings, binds)
    try:

        async def is_ready() -> bool:
            try:
                return (await Client(url).request("GET", "/readyz")).status == 200
            except NO_RESPONSE:
                return False

        if not await becomes(is_ready, 120):
            raise SystemExit(f"the container is not ready:\n{container.log.read_text()[-2000:]}")
        report.figure("from start to ready", time.monotonic() - began, "s")
        expect_confined(container, report)
        await use(shop, url, pictures, report)
        await stop(container, url, str(listen), health, report)
    finally:
        container.close()
    shop.expect_sound(report)


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="thunse-image-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "root").mkdir()
        began = time.monotonic()
        archive = await asyncio.to_thread(build, shop.stack.settings["BINARY"], folder, options.base)
        report.figure("building", time.monotonic() - began, "s")
        image = unpack(archive, folder / "root")
        size = sum(file.stat().st_size for file in (folder / "root").rglob("*") if not file.is_symlink())
        binary = (folder / "root/usr/local/bin/thunse").stat().st_size
        report.figure("size", size / 1e6, "MB")
        report.figure("size without the binary", (size - binary) / 1e6, "MB")
        labels = {label.rpartition(".")[2]: value for label, value in image["Labels"].items()}
        report.expect(labels.get("version") and labels.get("revision"), f"the image has the labels {labels}")
        await live(shop, folder, image, report, options.checkout)
