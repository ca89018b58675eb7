"""Checks of the checkout, each started by a script of its name (scripts/check-docs); and what they share."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def tracked(root: Path) -> list[str]:
    """The files of the checkout, with those not committed yet, without what git ignores and what is being deleted."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()
    return [name for name in listed if (root / name).is_file()]


def table_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of a document's Markdown tables: number of the line, and cells."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("|") and not re.fullmatch(r"[|\s:-]+", line):
            yield number, [cell.strip() for cell in line.strip().strip("|").split("|")]


def finish(name: str, problems: list[str], success: str) -> int:
    for problem in sorted(set(problems)):
        print(f"check-{name}: {problem}", file=sys.stderr)
    if not problems:
        print(success)
    return 1 if problems else 0
