"""Repeats a test suite, to find tests that fail now and then. Begins no run after a failure, and keeps the failed run's log.

  --suite server     all server tests, on a PostgreSQL of their own for each run
  --suite browser    all browser tests, on a shop of their own for each run
  --suite ci         .ci/run in a new clone of the current commit

--load N keeps N busy processes beside it, so that everything is slow. --at-once N runs the suite N times side by side: each
is slower than alone, but no core waits. Prints each run's counts and seconds; --record appends them to
docs/figures/repeat.jsonl, where runs of several days add up."""

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
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
    parser.add_argument("--at-once", type=int, default=1, metavar="N", help="runs side by side")
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
    """The address of a cluster in which each test creates a database from a migrated template."""
    stack = Stack.here(["--database-only"], {"PG_FSYNC": "off", "PG_MAX_WAL_SIZE": "1GB"}, is_own=True)
    try:
        url = stack.env["ADMIN_DATABASE_URL"]
        template = {**os.environ, "MIGRATE_DATABASE_URL": f"{url.rpartition('/')[0]}/template1"}
        subprocess.run([build(is_release=False), "migrate"], cwd=ROOT, env=template, check=True, capture_output=True)
        yield url
    finally:
        stack.close()


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
                command, place = f"npx playwright test --output {folder}/results", ROOT / "e2e"
            case _:
                command, place = "bash .ci/run", folder / "thunse"
                subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(place)], check=True)
                subprocess.run(["git", "checkout", "--quiet", commit], cwd=place, check=True)
                env.pop("STACK_DIR")
        return subprocess.run(command.split(), cwd=place, env=env, stdout=output, stderr=subprocess.STDOUT).returncode


def timed_run(suite: str, commit: str, log: Path) -> tuple[int, float]:
    """How the suite ended, and after how many seconds."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="thunse-repeat-") as folder:
        Path(folder).chmod(0o755)
        status = run_suite(suite, commit, Path(folder), log)
    return status, time.monotonic() - started


def title(options: argparse.Namespace) -> str:
    together = f", {options.at_once} at once" if options.at_once > 1 else ""
    load = f" beside {options.load} busy processes" if options.load else ""
    return f"{options.suite}{together}{load}"


def note(report: Report, options: argparse.Namespace, number: int, log: Path, status: int, seconds: float) -> None:
    text = log.read_text(errors="replace")
    totals = [re.search(pattern, text) for pattern in TOTALS[options.suite]]
    passed = sum(int(found["passed"]) for found in totals if found)
    is_green = status == 0 and all(totals)
    report.figure(f"{title(options)}: passed tests", passed if is_green else 0)
    report.figure(f"{title(options)}: seconds", seconds, "s")
    if not report.expect(is_green, f"run {number} of {options.times} ended with {status}: {log}"):
        print(text[-6_000:])
        return
    print(f"run {number} of {options.times}: {passed} tests passed in {seconds:.0f} s", flush=True)
    print("".join(text.partition(STEP_TIMES)[1:]), end="", flush=True)
    log.unlink()


def run_alone(report: Report, options: argparse.Namespace) -> None:
    assert not (STATE / "env").exists() or options.suite == "ci", f"a shop runs in {STATE}; stop it first"
    # As in CI, the databases of the server tests are in memory.
    if options.suite == "server" and Path("/dev/shm").is_dir():
        tempfile.tempdir = "/dev/shm"
    running: dict[Future[tuple[int, float]], tuple[int, Path]] = {}
    numbers = iter(range(1, options.times + 1))
    with busy(options.load), ThreadPoolExecutor(options.at_once) as pool:
        while True:
            while len(running) < options.at_once and not report.problems and (number := next(numbers, None)):
                log = options.logs / f"repeat-{options.suite}-{number}.log"
                running[pool.submit(timed_run, options.suite, report.commit, log)] = number, log
            if not running:
                return
            for run in wait(running, return_when=FIRST_COMPLETED).done:
                note(report, options, *running.pop(run), *run.result())
