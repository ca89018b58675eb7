"""Fuzz test: schemathesis makes requests from the contract (api/openapi.json). No response may be a 5xx or have a status,
type or shape that the contract does not name. Once with a shopper's and a seller's session, without the calls that would
end it; once as a visitor, over all calls."""

import argparse
import json
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from drivers.client import Cookies
from drivers.report import ROOT, Report, counted
from drivers.shop import Shop

STACK: list[str] = []
SCHEMATHESIS = ROOT / ".tools" / "schemathesis" / "bin" / "schemathesis"
METHODS = ("get", "put", "post", "delete", "patch")
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
ENDS_SESSION = r"(/logout|/end_all|/user/delete|/password/change|/sessions/\{id\}|/order/live|/order/live_all)$"
# A known method must get a 405 where it does not belong; what an unknown one gets (501) is a server test.
CONFIG = '[phases.coverage]\nunexpected-methods = ["get", "put", "post", "delete", "patch"]\n'


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("requests", type=int, nargs="?", default=20_000, help="about so many")


def fuzz(shop: Shop, report: Report, name: str, examples: int, options: list[str]) -> int:
    work = Path(tempfile.mkdtemp(prefix="thunse-fuzz-"))
    (work / "schemathesis.toml").write_text(CONFIG)
    command = [str(SCHEMATHESIS), "--config-file", f"{work}/schemathesis.toml", "--no-color", "run", "api/openapi.json"]
    command += ["--url", shop.url, "--workers", "1", "--phases", "examples,coverage,fuzzing", "--checks", CHECKS]
    command += ["--max-examples", str(examples), "--seed", "20261115", "--no-shrink", "--continue-on-failure"]
    command += ["--request-timeout", "120", "--warnings", "off", "--suppress-health-check", "all"]
    command += ["--report", "ndjson", "--report-ndjson-path", f"{work}/events", "-H", f"Origin: {shop.url}", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    kinds, broken = Counter[str](), Counter[str]()
    for line in (work / "events").open():
        event = json.loads(line).get("ScenarioFinished")
        for status in re.findall(r'"status_code": ?(\d{3})', json.dumps(event["recorder"])) if event else []:
            kinds[status] += 1
            if status >= "500":
                broken[f"{event['recorder']['label']} {status}"] += 1
    print(f"as {name}: {counted(kinds)}")
    report.expect(not broken, f"as {name}: {counted(broken)}")
    text = done.stdout[max(done.stdout.find("= FAILURES"), done.stdout.find("= ERRORS"), 0) :]
    report.expect(done.returncode == 0, f"as {name}: schemathesis ends with {done.returncode}: {text[:20_000]}")
    shutil.rmtree(work)
    return sum(kinds.values())


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    paths = json.loads((ROOT / "api" / "openapi.json").read_text())["paths"]
    operations = sum(method in METHODS for path in paths.values() for method in path)
    shopper = (await shop.shoppers(1))[0]
    cookies: Cookies = {**shopper.cookies, **await shop.seller()}
    header = "Cookie: " + "; ".join(f"{name}={value}" for name, value in cookies.items())
    # Calls with few inputs have few examples; the others make up for them.
    examples = options.requests * 1.7 / operations
    # Streams do not end by themselves: they are asked for as a visitor only.
    signed_in = ["-H", header, "--exclude-path-regex", ENDS_SESSION]
    made = fuzz(shop, report, "shopper and seller", int(examples * 0.7) + 1, signed_in)
    made += fuzz(shop, report, "visitor", int(examples * 0.3) + 1, [])
    report.figure("requests", made)
    shop.expect_sound(report)
