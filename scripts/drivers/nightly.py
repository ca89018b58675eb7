"""Everything that measures speed, load and long runs, and needs a quiet machine for hours. Goes on after a failed step, lists
the failures at the end and exits 1 if there are any: steps fail on correctness only. Figures are appended to
docs/figures/*.jsonl; scripts/figures summarises them."""

import argparse
import os
import re
import subprocess
import time
from dataclasses import dataclass, field

from drivers.failover import FAULTS
from drivers.report import HISTORY, ROOT, Report, folder_of
from drivers.stack import Stack

DRIVERS = ["paid-orders", "fuzz-api", "observatory", "dashboards", "backup", "benchmark", "planted-bugs"]
NEXTEST = "cargo nextest run --locked --no-fail-fast --status-level fail"


@dataclass
class Step:
    command: str
    folder: str = "."
    env: dict[str, str] = field(default_factory=dict)
    stack: list[str] | None = None  # what `scripts/stack up` gets; None where the command starts its own


STEPS = {
    "histories": Step(f"{NEXTEST} random_histories", env={"SQLX_OFFLINE": "true", "HISTORIES": "1000000"}, stack=[]),
    "picture-mutations": Step(
        f"{NEXTEST} mutated", env={"SQLX_OFFLINE": "true", "PICTURE_MUTATIONS": "10000"}, stack=[]
    ),
    "component-tests-late-answers": Step("npm test", "web", {"LATE_MS": "300"}),
    "component-tests-stalled": Step("npm test", "web", {"STALL_MS": "1000"}),
    "journeys-slow-browser": Step("npx playwright test", "e2e", {"SLOW_MO": "250"}),
    "layout-shift": Step("npm run --silent layout-shift", "e2e"),
    "visual-check": Step("npm run --silent visual-check", "e2e", stack=["--instances", "2"]),
    "lighthouse": Step("npm run --silent lighthouse", "e2e", stack=["--release"]),
    "mixed-load": Step("scripts/drive mixed-load"),
    "killed-instances": Step("scripts/drive mixed-load --kills 50 --database-kills 10"),
    "order-lives": Step("scripts/drive order-lives --lives 10000 --database-kills --self-test"),
    "failover": Step("scripts/drive failover --times 10 --orders 10000"),
    "replica": Step("scripts/drive replica"),
    **{f"failover-{fault}": Step(f"scripts/drive failover --fault {fault} --times 3") for fault in FAULTS[1:]},
    # Longer than archive_timeout, so that the loss of the disk costs what it can cost.
    "restore-point": Step("scripts/drive restore-point --orders 100000 --selling 70 --up-to 60 --losses 3"),
    "restore-point-folder": Step("scripts/drive restore-point --repository folder"),
    "restore-cluster": Step("scripts/drive restore-cluster"),
    "package": Step("scripts/drive package"),
    "reproducible": Step("scripts/drive reproducible"),
    "image": Step("scripts/drive image"),
    "runbook-standby": Step("scripts/drive runbook-standby"),
    "runbooks": Step("scripts/drive runbooks"),
    "rolling-upgrade": Step("scripts/drive rolling-upgrade"),
    "disk-full": Step("scripts/drive disk-full"),
    "disk-full-tables": Step("scripts/drive disk-full --wal apart"),
    "slow-disk": Step("scripts/drive slow-disk"),
    "soak": Step("scripts/drive soak --minutes 60"),
    "festival-day": Step("scripts/drive festival-day --orders 150 --seconds 120"),
    "partitions": Step("scripts/drive partitions"),
    "repeat-server": Step("scripts/drive repeat --suite server --times 20 --load 2"),
    "repeat-browser": Step("scripts/drive repeat --suite browser --times 20 --load 2"),
    **{name: Step(f"scripts/drive {name}") for name in DRIVERS},
}


def run(step: Step, report: Report) -> bool:
    # Each step gets a shop of its own, or none: a shop that runs in this checkout is left alone.
    env = {**os.environ, "FIGURES_DIR": str(report.folder), "STACK_DIR": "/nonexistent", **step.env}
    stack = None if step.stack is None else Stack.here(step.stack, {}, is_own=True)
    if stack:
        env |= {**stack.env, "PUBLIC_URL": stack.env["SHOP_URL"], "DATABASE_URL": stack.env["ADMIN_DATABASE_URL"]}
        env["STACK_DIR"] = str(stack.folder)
    elif step.folder == "e2e":
        env.pop("STACK_DIR")
    try:
        command, folder = step.command.split(), ROOT / step.folder
        process = subprocess.Popen(command, cwd=folder, env=env, text=True, stdout=subprocess.PIPE)
        assert process.stdout
        for line in process.stdout:
            print(line, end="", flush=True)
            # Drivers record their figures themselves; other commands print a sentence with its number.
            found = re.match(r"figure: (.+?):? (-?[\d.]+)\b", line)
            if found and command[0] != "scripts/drive":
                report.figure(found[1], float(found[2].rstrip(".")))
        return process.wait() == 0
    finally:
        if stack:
            stack.close()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("scripts/nightly", description=__doc__)
    parser.add_argument("--only", action="append", choices=STEPS, default=[], help="may be repeated")
    parser.add_argument("--list", action="store_true", help="the steps' names")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(STEPS))
        return 0
    failed, names, report = [], options.only or list(STEPS), Report("nightly", folder_of(True) or HISTORY)
    for name in names:
        print(f"\n=== {name}", flush=True)
        started = time.monotonic()
        try:
            holds = run(STEPS[name], report)
        except (OSError, SystemExit, subprocess.CalledProcessError) as error:
            print(error)
            holds = False
        report.figure(f"{name}: seconds", time.monotonic() - started, "s")
        failed += [] if holds else [name]
    print(f"\nnightly: {len(failed)} of {len(names)} steps failed" + "".join(f"\n  {name}" for name in failed))
    return 1 if failed else 0
