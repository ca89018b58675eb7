"""Runs MDN's HTTP Observatory against the shop as the public would meet it: an instance that knows its address is https,
behind nginx with ops/nginx.conf and a certificate made for this run. Anything below A+ is a failure."""

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

from drivers.client import NO_ANSWER, Client
from drivers.report import ROOT, Report, becomes
from drivers.shop import Shop

STACK: list[str] = []
HOST = "shop.example"
SCANNER = ROOT / "tools" / "observatory" / "node_modules" / "@mdn" / "mdn-http-observatory"


def add_options(_parser: argparse.ArgumentParser) -> None:
    """There are none."""


def free_ports(count: int) -> list[int]:
    servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(server.getsockname()[1]) for server in servers]
    for server in servers:
        server.close()
    return ports


def nginx_config(work: Path, shop_port: int, http: int, https: int) -> str:
    """ops/nginx.conf itself, with this machine's ports and places."""
    temporary = " ".join(
        f"{kind}_temp_path {work}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    text = (ROOT / "ops" / "nginx.conf").read_text()
    for old, new in (
        (r"^user .*", "daemon off; error_log stderr warn;"),
        (r"^pid .*", f"pid {work}/nginx.pid;"),
        (r"^http \{", f"http {{ {temporary}"),
        (r"^.*listen \[::\].*\n", ""),
        (r"^.*127\.0\.0\.1:8081.*\n", ""),
        (r"127\.0\.0\.1:8080", f"127.0.0.1:{shop_port}"),
        (r"listen 443", f"listen 127.0.0.1:{https}"),
        (r"listen 80", f"listen 127.0.0.1:{http}"),
        (r"/etc/letsencrypt/live/shop.example/fullchain.pem", f"{work}/certificate.pem"),
        (r"/etc/letsencrypt/live/shop.example/privkey.pem", f"{work}/key.pem"),
        (r"/var/log/nginx/thunse.log", f"{work}/access.txt"),
        (r"/etc/nginx/snippets/thunse-proxy.conf", f"{ROOT}/ops/nginx-proxy.conf"),
    ):
        text = re.sub(old, new, text, flags=re.M)
    return text


async def run(shop: Shop, report: Report, _options: argparse.Namespace) -> None:
    work = Path(tempfile.mkdtemp(prefix="thunse-observatory-"))
    http, https, port, metrics = free_ports(4)
    settings = shop.stack.settings()
    addresses = {
        "PUBLIC_URL": f"https://{HOST}",
        "LISTEN": f"127.0.0.1:{port}",
        "METRICS_LISTEN": f"127.0.0.1:{metrics}",
    }
    certificate = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", f"{work}/key.pem"]
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    subprocess.run([*command, *certificate, "-out", work / "certificate.pem"], check=True, capture_output=True)
    (work / "nginx.conf").write_text(nginx_config(work, port, http, https))
    # The list of sites that browsers know in advance would be fetched by the install scripts; ours is not on it.
    (SCANNER / "conf" / "hsts-preload.json").write_text("{}\n")
    log = (work / "log").open("w")
    server = subprocess.Popen(
        [settings["BINARY"], "serve"], env={**os.environ, **settings, **addresses}, stdout=log, stderr=log
    )
    nginx = subprocess.Popen(["nginx", "-c", work / "nginx.conf", "-e", work / "nginx.log"], stdout=log, stderr=log)

    async def is_ready() -> bool:
        try:
            return (await Client(f"http://127.0.0.1:{port}").request("GET", "/readyz")).status == 200
        except NO_ANSWER:
            return False

    try:
        if not await becomes(is_ready, 60):
            raise SystemExit(f"the instance is not ready: {(work / 'log').read_text()[-2000:]}")
        env = {"SHOP_HOST": HOST, "HTTP_PORT": str(http), "HTTPS_PORT": str(https)}
        env["NODE_EXTRA_CA_CERTS"] = f"{work}/certificate.pem"
        command = [
            "node",
            "--import",
            "./tools/observatory/to-this-machine.mjs",
            str(SCANNER / "src" / "scan.js"),
            HOST,
        ]
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, **env}, capture_output=True, text=True)
    finally:
        for process in (nginx, server):
            process.terminate()
            process.wait()
    if done.returncode or "error" in (found := json.loads(done.stdout)):
        raise SystemExit(
            f"the scan failed: {done.stdout[-1000:]}{done.stderr[-1000:]}{(work / 'log').read_text()[-1000:]}"
        )
    for name, test in found["tests"].items():
        print(f"{'ok  ' if test['pass'] else 'FAIL'} {name}: {test['result']} ({test['scoreModifier']})")
    report.expect(found["scan"]["grade"] == "A+", f"the grade is {found['scan']['grade']}")
    shutil.rmtree(work)
    report.figure("score", found["scan"]["score"])
