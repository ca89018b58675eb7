"""Repeats a test suite, to find tests that fail now and then. Stops at the first failure and keeps its log.

  --suite server     all server tests, on a PostgreSQL of their own for each run
  --suite browser    all browser tests, on a shop of their own for each run
  --suite ci         .ci/run in a new clone of the current commit

--load N keeps N busy processes beside it, so that everything is slow. Prints each run's counts and seconds; --record
appends them to docs/figures/repeat.jsonl, where runs of several days add up."""

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from drivers.report import ROOT, Report
from drivers.stack import STATE, Stack, build

NEXTEST = "cargo nextest run --locked --cargo-quiet --no-fail-fast --status-level fail --failure-output final"
# What each suite says of itself in its last lines.
SERVER = r"Summary .*?(?P<passed>\d+) passed"
BROWSER = r"browser tests passed: (?P<passed>\d+) passed, 0 flaky, 0 failed, 0 skipped"
# What the last lines of .ci/run begin with.
STEP_TIMES = "---- time of each step"
TOTALS = {"server": [SERVER], "browser": [BROWSER], "ci": [SERVER, BROWSER]}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--suite", choices=TOTALS, default="server")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--load", type=int, default=0, metavar="N", help="busy processes beside it")
    parser.add_argument(
        "--logs", type=Path, default=Path(tempfile.gettempdir()), help="where the log of a failure goes"
    )


@contextlib.contextmanager
def busy(count: int) -> Iterator[None]:
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


@contextlib.contextmanager
def server_database() -> Iterator[str]:
    """The address of a cluster in which each test creates a database from a migrated template, in memory as in CI."""
    tempfile.tempdir = "/dev/shm" if Path("/dev/shm").is_dir() else None
    stack = Stack.here(["--database-only"], {"PG_FSYNC": "off", "PG_MAX_WAL_SIZE": "1GB"}, is_own=True)
    try:
        url = stack.env["ADMIN_DATABASE_URL"]
        template = {**os.environ, "MIGRATE_DATABASE_URL": f"{url.rpartition('/')[0]}/template1"}
        subprocess.run([build(is_release=False), "migrate"], cwd=ROOT, env=template, check=True, capture_output=True)
        yield url
    finally:
        stack.close()
        tempfile.tempdir = None


def run_suite(suite: str, commit: str, folder: Path, log: Path) -> int:
    # A shop that runs in this checkout is left alone.
    env = {name: value for name, value in os.environ.items() if name not in ("SHOP_URL", "DATABASE_URL")}
    env |= {"SQLX_OFFLINE": "true", "STACK_DIR": str(folder / "stack")}
    with contextlib.ExitStack() as parts:
        output = parts.enter_context(log.open("w"))
        match suite:
            case "server":
                env["DATABASE_URL"] = parts.enter_context(server_database())
                command, place = NEXTEST, ROOT
            case "browser":
                env |= {"CI": "true", "THUNSE_BINARY": build(is_release=False)}
                command, place = "npx playwright test", ROOT / "e2e"
            case _:
                command, place = "bash .ci/run", folder / "thunse"
                subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(place)], check=True)
                subprocess.run(["git", "checkout", "--quiet", commit], cwd=place, check=True)
                env.pop("STACK_DIR")
        return subprocess.run(command.split(), cwd=place, env=env, stdout=output, stderr=subprocess.STDOUT).returncode


def run_alone(report: Report, options: argparse.Namespace) -> None:
    assert not (STATE / "env").exists() or options.suite == "ci", f"a shop runs in {STATE}; stop it first"
    name = options.suite + (f" beside {options.load} busy processes" if options.load else "")
    with busy(options.load):
        for number in range(options.times):
            log, started = options.logs / f"repeat-{options.suite}-{number + 1}.log", time.monotonic()
            with tempfile.TemporaryDirectory(prefix="thunse-repeat-") as folder:
                Path(folder).chmod(0o755)
                status = run_suite(options.suite, report.commit, Path(folder), log)
            seconds, text = time.monotonic() - started, log.read_text(errors="replace")
            totals = [re.search(pattern, text) for pattern in TOTALS[options.suite]]
            passed = sum(int(found["passed"]) for found in totals if found)
            is_green = status == 0 and all(totals)
            report.figure(f"{name}: passed tests", passed if is_green else 0)
            report.figure(f"{name}: seconds", seconds, "s")
            if not report.expect(is_green, f"run {number + 1} of {options.times} ended with {status}: {log}"):
                print(text[-6_000:])
                return
            print(f"run {number + 1} of {options.times}: {passed} tests passed in {seconds:.0f} s", flush=True)
            print("".join(text.partition(STEP_TIMES)[1:]), end="", flush=True)
            log.unlink()
