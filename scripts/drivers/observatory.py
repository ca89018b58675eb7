"""Runs MDN's HTTP Observatory against the shop as the public would meet it: an instance that knows its address is https,
behind nginx with ops/nginx.conf and a certificate made for this run. Anything below A+ is a failure."""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from drivers import nginx
from drivers.processes import free_ports
from drivers.report import ROOT, Report, becomes
from drivers.shop import Shop
from drivers.stack import is_up

STACK: list[str] = []
HOST = "shop.example"
SCANNER = ROOT / "tools" / "observatory" / "node_modules" / "@mdn" / "mdn-http-observatory"


async def scan(shop: Shop, work: Path) -> dict[str, Any]:
    http, https, port, metrics = free_ports(4)
    addresses = {"LISTEN": f"127.0.0.1:{port}", "METRICS_LISTEN": f"127.0.0.1:{metrics}"}
    env = {**shop.stack.process_env(), **addresses, "PUBLIC_URL": f"https://{HOST}"}
    # The list of sites that browsers know in advance would be fetched by the install scripts; ours is not on it.
    (SCANNER / "conf" / "hsts-preload.json").write_text("{}\n")
    log = (work / "log").open("w")
    server = subprocess.Popen([env["BINARY"], "serve"], env=env, stdout=log, stderr=log)
    proxy = subprocess.Popen(nginx.public(work, port, http, https, HOST), stdout=log, stderr=log)
    try:
        if not await becomes(lambda: is_up(f"http://127.0.0.1:{port}/readyz"), 120):
            raise SystemExit(f"the instance is not ready: {(work / 'log').read_text()[-2000:]}")
        redirect = {"SHOP_HOST": HOST, "HTTP_PORT": str(http), "HTTPS_PORT": str(https)}
        env = {**os.environ, **redirect, "NODE_EXTRA_CA_CERTS": f"{work}/fullchain.pem"}
        command = [
            "node",
            "--import",
            "./tools/observatory/to-this-machine.mjs",
            str(SCANNER / "src" / "scan.js"),
            HOST,
        ]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    finally:
        for process in (proxy, server):
            process.terminate()
            process.wait()
    if done.returncode or "error" in (found := json.loads(done.stdout)):
        raise SystemExit(f"the scan failed: {done.stdout[-1000:]}{done.stderr}{(work / 'log').read_text()[-1000:]}")
    return dict(found)


async def run(shop: Shop, report: Report, _options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="thunse-observatory-") as name:
        found = await scan(shop, Path(name))
    for name, test in found["tests"].items():
        print(f"{'ok  ' if test['pass'] else 'FAIL'} {name}: {test['result']} ({test['scoreModifier']})")
    grade, score = found["scan"]["grade"], found["scan"]["score"]
    report.expect(grade == "A+", f"the grade is {grade}")
    report.figure("score", score)
