"""Compares the specification's statements (docs/spec-coverage.md) with the tests that say which of them they prove.

  scripts/check-spec          fails where a statement has no test, or a tag does not stand above a test that runs
  scripts/check-spec --list   each statement with its tests

A tag is a comment line directly above a test: `// spec: 4.cart.2, 4.cart.3`."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from checks import ROOT, finish, table_rows

LIST = "docs/spec-coverage.md"
# Where tests live. A tag anywhere else in these folders is a mistake.
FOLDERS = {
    "server/tests": r"\.rs$",
    "server/src": r"\.rs$",
    "web/src": r"\.test\.tsx?$",
    "e2e/tests": r"\.spec\.ts$",
    "tools/contract": r"^walk\.mjs$",
}
TAG = re.compile(r"\s*// ?spec: *(.*)$")
RUST_TEST = re.compile(r"\s*#\[(?:sqlx::test|tokio::test|test)\b")
SCRIPT_TEST = re.compile(r"\s*(?:(?:test|it)(?:\.(?:each|for))?|await step)\(")
DISABLED = re.compile(r"\s*(?:(?:test|it)\.(?:skip|fixme|only|todo|fails|skipIf|runIf)|x(?:test|it))\b")
# Anywhere in a file with tags: a group, or a test that gives up while it runs.
GIVES_UP = re.compile(r"\s*(?:(?:test\.)?describe(?:\.\w+)*|test|it)\.(?:skip|skipIf|runIf|fixme|only|todo|fails?)\b")
BLOCK_COMMENT = re.compile(r"^[ \t]*/\*.*?\*/", re.M | re.S)


class Coverage:
    def __init__(self, root: Path) -> None:
        self.root, self.tagged = root, 0
        self.problems: list[str] = []
        self.tests: dict[str, list[str]] = {}
        for number, (id_, *_) in table_rows(root / LIST):
            if re.fullmatch(r"`?[2-9]\.[\w.]+`?", id_):
                if id_.strip("`") in self.tests:
                    self.problems.append(f"{LIST}:{number}: {id_} is listed twice")
                self.tests[id_.strip("`")] = []
        if not self.tests:
            self.problems.append(f"{LIST}: no ids")
        for folder, pattern in FOLDERS.items():
            for path in sorted((root / folder).rglob("*")):
                is_source = path.suffix in (".rs", ".ts", ".tsx", ".mjs", ".js") and path.is_file()
                if is_source and "node_modules" not in path.parts:
                    self.read(path, re.search(pattern, path.name) is not None)
        missing = [id_ for id_, tests in self.tests.items() if not tests]
        self.problems += [f"{LIST}: no test says that it proves {id_}" for id_ in missing]
        proven = len(self.tests) - len(missing)
        self.figure = f"figure: spec coverage: {proven} of {len(self.tests)} ids, {self.tagged} tagged tests"

    def read(self, path: Path, holds_tests: bool) -> None:
        # Lines keep their numbers; a test in a block comment does not run.
        text = BLOCK_COMMENT.sub(lambda found: re.sub(r"[^\n]", "", found[0]), path.read_text())
        lines, name = text.split("\n"), str(path.relative_to(self.root))
        if not any(TAG.match(line) for line in lines):
            return
        if not holds_tests:
            self.problems.append(f"{name}: has a spec tag, but is no file of tests")
        for number, line in enumerate(lines, 1):
            if GIVES_UP.match(line):
                self.problems.append(f"{name}:{number}: disables tests in a file with spec tags")
        for at, ids in tags(lines):
            for id_ in (each for each in ids if each not in self.tests):
                self.problems.append(f"{name}:{at + 1}: there is no '{id_}' in {LIST}")
            if fault := fault_of(lines, at, path.suffix == ".rs"):
                self.problems.append(f"{name}:{at + 1}: the tag {', '.join(ids)} stands above {fault}")
                continue
            self.tagged += 1
            for id_ in dict.fromkeys(each for each in ids if each in self.tests):
                self.tests[id_].append(f"{name}:{at + 1}: {name_of(lines, at, path.suffix == '.rs')}")


def tags(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The index of each line that has tags directly above it, and the ids that they name."""
    ids: list[str] = []
    for at, line in enumerate([*lines, ""]):
        if tag := TAG.match(line):
            ids += [each.strip() for each in tag[1].split(",")]
        elif ids:
            yield at, ids
            ids = []


def fault_of(lines: list[str], at: int, is_rust: bool) -> str | None:
    if at >= len(lines) or not any(lines[at:]):
        return "nothing"
    if DISABLED.match(lines[at]):
        return "a test that is disabled"
    if not (RUST_TEST if is_rust else SCRIPT_TEST).match(lines[at]):
        return "something that is no test"
    if is_rust:
        # All attributes of the function, also one that stands above the tag.
        first = last = at
        while first > 0 and re.match(r"\s*(?:#\[|//)", lines[first - 1]):
            first -= 1
        while last < len(lines) and not re.search(r"\bfn \w+", lines[last]):
            last += 1
        if any(re.search(r"#\[(?:ignore|cfg_attr\(.*ignore)", line) for line in lines[first:last]):
            return "a test that is ignored"
    return None


def name_of(lines: list[str], at: int, is_rust: bool) -> str:
    text = "\n".join(lines[at : at + 60])
    if is_rust:
        found = re.search(r"\bfn (\w+)", text)
        return found[1] if found else "?"
    # `test.each([…])('name', …)` has its name behind the table; the others begin with it.
    behind = re.search(r"\)\(\s*['\"`]", text) if re.match(r"\s*\w+\.(?:each|for)\(", text) else None
    found = re.search(r"\(\s*(['\"`])((?:\\.|(?!\1).)*)\1", text[behind.start() if behind else 0 :], re.S)
    return found[2] if found else "?"


def main() -> int:
    coverage = Coverage(ROOT)
    if "--list" in sys.argv:
        for id_, tests in coverage.tests.items():
            print("\n    ".join([id_, *tests]))
    return finish("spec", coverage.problems, coverage.figure)


if __name__ == "__main__":
    sys.exit(main())
