"""Mutation check: plants bugs, one after the other, in a copy of the tree (never in this one) and runs the server tests that
must catch each of them (planted/*: `server:`). Passes only if all are caught. A bug in an SQL function is planted in the
template of the tests' databases instead, so that nothing is built for it. PLANTED_DIR names a folder for a copy that stays,
so that a second run need not build everything again."""

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
from drivers.stack import Stack, build

BUGS = Path(__file__).with_name("planted")
# These files replace functions and can be run again.
SQL = "server/migrations/9999"
# All named tests are in the one integration test, so that nothing else need be built for each bug.
NEXTEST = "cargo nextest run --locked --test it --no-fail-fast --status-level fail --failure-output never --"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", action="append", default=[], help="the name or number of a bug; may be repeated")
    parser.add_argument("--check", action="store_true", help="only whether every bug still fits the source")
    parser.add_argument(
        "--together",
        action="store_true",
        help="plant the bugs at once, to build once; a test may then fail because of a bug that it is not named for",
    )
    parser.add_argument(
        "--all-tests", action="store_true", help="run all integration tests, not only those that are named"
    )


@dataclass
class Bug:
    name: str
    what: str
    tests: list[str]
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
        return cls(path.name, fields["what"], fields["server"].split(), edits)

    def misfits(self, tree: Path) -> list[str]:
        texts = {file: (tree / file).read_text() if (tree / file).exists() else "" for file, *_ in self.edits}
        counts = [(file, texts[file].count(old)) for file, old, _ in self.edits]
        wrong = [f"{self.name} fits {file} {count} times, not once" for file, count in counts if count != 1]
        fixed = [file for file, *_ in self.edits if file.endswith(".sql") and not file.startswith(SQL)]
        return wrong + [f"{self.name} changes {file}, which cannot be run again" for file in fixed]


def planted(bugs: list[Bug], tree: Path) -> dict[str, str]:
    """The files with the bugs, by name."""
    texts: dict[str, str] = {}
    for file, old, new in [edit for bug in bugs for edit in bug.edits]:
        texts[file] = texts.get(file, (tree / file).read_text()).replace(old, new)
    return texts


class Template:
    """The database that PostgreSQL copies for each test."""

    def __init__(self, stack: Stack) -> None:
        self.server = stack.env["ADMIN_DATABASE_URL"].rsplit("/", 1)[0]
        env = {**os.environ, "MIGRATE_DATABASE_URL": f"{self.server}/template1"}
        subprocess.run([build(False), "migrate"], env=env, check=True, capture_output=True)
        self.sql("CREATE DATABASE clean TEMPLATE template1", "postgres")

    def sql(self, text: str, database: str) -> None:
        psql = ["psql", "-q", "-X", "-v", "ON_ERROR_STOP=1", f"{self.server}/{database}"]
        subprocess.run(psql, input=text, text=True, check=True, stdout=subprocess.DEVNULL)

    def restore(self) -> None:
        self.sql(
            "ALTER DATABASE template1 IS_TEMPLATE false; DROP DATABASE template1; "
            "CREATE DATABASE template1 TEMPLATE clean IS_TEMPLATE true;",
            "postgres",
        )


def refresh(copy: Path) -> None:
    """Makes the copy equal to this tree; equal files are left alone, so that only what a bug changed is built anew."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.splitlines()
    for name in [*listed, *(str(path.relative_to(ROOT)) for path in (ROOT / "web/dist").rglob("*"))]:
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
    # Installed programs that tests start are not tracked.
    for folder in (".tools", "tools/identity/node_modules"):
        if not (copy / folder).exists():
            (copy / folder).symlink_to(ROOT / folder)


def server_tests(copy: Path, stack: Stack, names: list[str]) -> tuple[bool, list[str]]:
    """Whether the tests could be built, and the names of those that failed."""
    env = {**os.environ, "DATABASE_URL": stack.env["ADMIN_DATABASE_URL"], "SQLX_OFFLINE": "false", "NO_COLOR": "1"}
    env.setdefault("CARGO_TARGET_DIR", str(copy / "target"))
    done = subprocess.run([*NEXTEST.split(), *names], cwd=copy, env=env, capture_output=True, text=True)
    lines = [line.split() for line in done.stderr.splitlines() if line.strip()]
    failed = sorted({words[-1] for words in lines if words[0] in ("FAIL", "SIGABRT", "TIMEOUT")})
    if not failed and done.returncode:
        print(done.stderr[-3000:])
    return done.returncode == 0 or bool(failed), failed


def run_alone(report: Report, options: argparse.Namespace) -> None:
    bugs = [Bug.read(path) for path in sorted(BUGS.iterdir())]
    for text in [text for bug in bugs for text in bug.misfits(ROOT)]:
        report.expect(False, f"{text}: write it anew")
    if options.check or report.problems:
        print(f"{len(bugs)} bugs, {len(report.problems)} misfits")
        return
    only, started, caught = set(options.only), time.monotonic(), 0
    chosen = [bug for number, bug in enumerate(bugs, 1) if not only or {bug.name, str(number)} & only]
    work = Path(tempfile.mkdtemp(prefix="thunse-planted-"))
    copy = Path(os.environ.get("PLANTED_DIR") or work / "copy")
    copy.mkdir(parents=True, exist_ok=True)
    # Only its database is used: for the tests, and for the compiler to check changed queries against.
    stack = Stack.here([], {})
    try:
        template = Template(stack)
        refresh(copy)
        is_built, failed = server_tests(copy, stack, sorted({test for bug in chosen for test in bug.tests}))
        if not report.expect(is_built and not failed, f"without any bug these fail: {failed or 'the build'}"):
            return
        for group in [chosen] if options.together else [[bug] for bug in chosen]:
            refresh(copy)
            template.restore()
            for file, text in planted(group, copy).items():
                if file.startswith(SQL):
                    template.sql(text, "template1")
                else:
                    (copy / file).write_text(text)
            named = sorted({test for bug in group for test in bug.tests})
            is_built, failed = server_tests(copy, stack, [] if options.all_tests else named)
            if not report.expect(is_built, f"{[bug.name for bug in group]} does not compile"):
                continue
            for bug in group:
                catching = [test for test in failed if test in bug.tests] if options.together else failed
                caught += bool(catching)
                report.expect(catching, f"NOT CAUGHT: {bug.name} ({bug.what})")
                seconds = time.monotonic() - started
                print(f"{bug.name} ({bug.what}): caught by {catching or 'nothing'} (at {seconds:.0f} s)", flush=True)
    finally:
        stack.close()
        shutil.rmtree(work, ignore_errors=True)
    report.figure("planted", len(chosen))
    report.figure("caught by the server tests of CI", caught)
