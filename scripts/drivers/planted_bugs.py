"""Mutation check: plants bugs, one after the other, in a copy of the tree (never in this one) and runs the server tests that
must catch each of them (planted/*: `server:`). A bug that they miss is tried by its driver. Prints for each which suite
caught it; passes only if all are caught. PLANTED_DIR names a folder for the copy that stays, so that a second run need not
build everything again."""

import argparse
import filecmp
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from drivers.report import ROOT, Report
from drivers.stack import Stack

BUGS = Path(__file__).with_name("planted")
COPIED = [
    "Cargo.toml",
    "Cargo.lock",
    "clippy.toml",
    "server",
    "api",
    "tools",
    "scripts",
    "web/dist",
    "web/first-view",
    "web/src",
]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", action="append", default=[], help="the name or number of a bug; may be repeated")
    parser.add_argument("--check", action="store_true", help="only whether every bug still fits the source")
    parser.add_argument("--all-tests", action="store_true", help="run all server tests, not only those that are named")


@dataclass
class Bug:
    name: str
    what: str
    tests: list[str]
    driver: str
    edits: list[tuple[str, str, str]]  # file, text, its replacement

    @classmethod
    def read(cls, path: Path) -> "Bug":
        head, *parts = path.read_text().split("\n=== ")
        fields = dict(line.split(": ", 1) for line in head.splitlines())
        edits = []
        for part in parts:
            file, text = part.split("\n", 1)
            old, new = text.split("\n--- becomes\n")
            edits.append((file, old, new.rstrip("\n")))
        return cls(path.name, fields["what"], fields["server"].split(), fields.get("driver", ""), edits)

    def misfits(self, tree: Path) -> list[str]:
        counts = [
            (file, (tree / file).read_text().count(old) if (tree / file).exists() else 0) for file, old, _ in self.edits
        ]
        return [
            f"{self.name} fits {file} {count} times, not once: write it anew" for file, count in counts if count != 1
        ]

    def plant(self, tree: Path) -> None:
        for file, old, new in self.edits:
            (tree / file).write_text((tree / file).read_text().replace(old, new))


def all_bugs() -> list[Bug]:
    return [Bug.read(path) for path in sorted(BUGS.iterdir())]


def refresh(copy: Path) -> None:
    """Makes the copy equal to this tree; equal files are left alone, so that only what a bug changed is built anew."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *COPIED], cwd=ROOT, capture_output=True, text=True
    )
    names = [*listed.stdout.splitlines(), *(str(path.relative_to(ROOT)) for path in (ROOT / "web/dist").rglob("*"))]
    for name in names:
        source, target = ROOT / name, copy / name
        if source.is_file() and not (target.exists() and filecmp.cmp(source, target, shallow=False)):
            target.parent.mkdir(parents=True, exist_ok=True)
            # With a new time: cargo must see that the bug is gone again.
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
    # A file that is gone must go: migrations are read by folder.
    for path in (copy / "server").rglob("*"):
        if path.is_file() and not (ROOT / path.relative_to(copy)).exists():
            path.unlink()
    # The server embeds the web app; these tests do not open it, so an empty one will do.
    (copy / "web/dist").mkdir(parents=True, exist_ok=True)
    # What servers and workers of tests are started with is installed, not tracked.
    for folder in (".tools", "tools/identity/node_modules"):
        if not (copy / folder).exists():
            (copy / folder).symlink_to(ROOT / folder)


def server_tests(copy: Path, stack: Stack, names: list[str]) -> tuple[bool, list[str]]:
    """Whether the tests could be built, and the names of those that failed."""
    command = [
        "cargo",
        "nextest",
        "run",
        "--locked",
        "--no-fail-fast",
        "--status-level",
        "fail",
        "--failure-output",
        "never",
    ]
    env = {**os.environ, "DATABASE_URL": stack.env["ADMIN_DATABASE_URL"], "SQLX_OFFLINE": "false", "NO_COLOR": "1"}
    env.setdefault("CARGO_TARGET_DIR", str(copy / "target"))
    done = subprocess.run([*command, "--", *names], cwd=copy, env=env, capture_output=True, text=True)
    lines = [
        line.split() for line in done.stderr.splitlines() if line.split()[:1] in (["FAIL"], ["SIGABRT"], ["TIMEOUT"])
    ]
    failed = sorted({words[-1] for words in lines})
    if not failed and done.returncode:
        print(done.stderr[-3000:])
    return done.returncode == 0 or bool(failed), failed


def driver_fails(copy: Path, driver: str) -> bool:
    env = {**os.environ, "SQLX_OFFLINE": "true"}
    target = env.setdefault("CARGO_TARGET_DIR", str(copy / "target"))
    subprocess.run(["cargo", "build", "--locked", "--quiet"], cwd=copy, env=env, check=True)
    # Not the shop that runs already: it has no bug.
    env = {**env, "THUNSE_BINARY": f"{target}/debug/thunse", "STACK_DIR": f"{copy}/no-stack"}
    options = ["--orders", "100"] if driver == "paid-orders" else ["--seconds", "10"]
    return subprocess.run([ROOT / "scripts" / "drive", driver, *options], env=env, capture_output=True).returncode != 0


def run_alone(report: Report, options: argparse.Namespace) -> None:
    bugs = all_bugs()
    for bug in bugs:
        for text in bug.misfits(ROOT):
            report.expect(False, text)
    if options.check or report.problems:
        print(f"{len(bugs)} bugs, {len(report.problems)} misfits")
        return
    chosen = [
        bug for number, bug in enumerate(bugs, 1) if not options.only or {bug.name, str(number)} & set(options.only)
    ]
    work = Path(tempfile.mkdtemp(prefix="thunse-planted-"))
    copy, started = Path(os.environ.get("PLANTED_DIR") or work / "copy"), time.monotonic()
    copy.mkdir(parents=True, exist_ok=True)
    # Only its database is used: for the tests, and for the compiler to check changed queries against.
    stack = Stack.here([], {})
    by_server = by_driver = 0
    try:
        refresh(copy)
        named = sorted({test for bug in chosen for test in bug.tests})
        is_built, failed = server_tests(copy, stack, named)
        if not report.expect(is_built and not failed, f"without any bug these fail: {failed or 'the build'}"):
            return
        for bug in chosen:
            refresh(copy)
            bug.plant(copy)
            is_built, failed = server_tests(copy, stack, [] if options.all_tests else bug.tests)
            took = f"at {time.monotonic() - started:.0f} s"
            if not report.expect(is_built, f"{bug.name} does not compile"):
                continue
            if failed:
                by_server += 1
                print(f"caught by CI: {bug.name} ({bug.what}): {', '.join(failed)} ({took})", flush=True)
            elif bug.driver and driver_fails(copy, bug.driver):
                by_driver += 1
                print(f"caught by nightly: {bug.name} ({bug.what}): {bug.driver}", flush=True)
            else:
                report.expect(False, f"NOT CAUGHT: {bug.name} ({bug.what})")
    finally:
        stack.close()
        shutil.rmtree(work, ignore_errors=True)
    report.figure("planted", len(chosen))
    report.figure("caught by the server tests of CI", by_server)
    report.figure("caught by a driver only", by_driver)
