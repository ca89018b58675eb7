"""What a driver found: expectations that fail it, and figures that never do. The history of figures is in docs/figures."""

import asyncio
import json
import math
import os
import statistics
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HISTORY = ROOT / "docs" / "figures"


def quantile(values: Iterable[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[max(0, min(len(ordered) - 1, math.ceil(part * len(ordered)) - 1))] if ordered else 0.0


def counted(kinds: Counter[str]) -> str:
    return ", ".join(f"{count} x {kind}" for kind, count in kinds.most_common()) or "none"


def folder_of(is_recorded: bool) -> Path | None:
    """Where figures are appended, if they are."""
    named = os.environ.get("FIGURES_DIR")
    return Path(named) if named else HISTORY if is_recorded else None


class Report:
    def __init__(self, driver: str, folder: Path | None = None) -> None:
        self.driver, self.folder = driver, folder
        # What is checked out at the start is what was built; a long driver may see later commits.
        command = ["git", "rev-parse", "--short", "HEAD"]
        self.commit = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip() or "unknown"
        self.problems: list[str] = []

    def expect(self, holds: object, text: str) -> bool:
        """Notes what does not hold; the driver fails with all of it at the end."""
        if not holds:
            self.problems.append(text)
            print(f"FAILED: {text}", flush=True)
        return bool(holds)

    def figure(self, name: str, value: float, unit: str = "") -> None:
        value = round(value, 4)
        print(f"figure: {self.driver}: {name}: {value:g} {unit}".rstrip(), flush=True)
        if self.folder:
            at = datetime.now(UTC).isoformat(timespec="seconds")
            line = {"at": at, "commit": self.commit, "driver": self.driver, "name": name, "value": value, "unit": unit}
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / f"{self.driver}.jsonl").open("a") as file:
                file.write(json.dumps(line) + "\n")

    def times(self, name: str, seconds: list[float]) -> None:
        if seconds:
            self.figure(f"{name} p50", statistics.median(seconds) * 1000, "ms")
            self.figure(f"{name} p99", quantile(seconds, 0.99) * 1000, "ms")


def summary(folder: Path) -> list[str]:
    """Of each figure the last value, the median of the last ten, and how far the last is from it."""
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for path in sorted(folder.glob("*.jsonl")):
        for line in map(json.loads, path.read_text().splitlines()):
            found[line["driver"], line["name"], line["unit"]].append(float(line["value"]))
    lines = ["| driver | figure | last | median of 10 | change | runs |", "|---|---|---|---|---|---|"]
    for (driver, name, unit), values in found.items():
        middle = statistics.median(values[-10:])
        change = f"{(values[-1] / middle - 1) * 100:+.0f} %" if middle else "-"
        lines.append(f"| {driver} | {name} | {values[-1]:g} {unit} | {middle:g} {unit} | {change} | {len(values)} |")
    return lines


def main(arguments: list[str]) -> int:
    print("\n".join(summary(Path(arguments[0]) if arguments else HISTORY)))
    return 0


async def becomes(holds: Callable[[], object], seconds: float, every: float = 0.2) -> bool:
    """Whether a condition (a function, plain or async) comes to hold within so many seconds."""
    deadline = time.monotonic() + seconds
    while True:
        found = holds()
        if await found if asyncio.iscoroutine(found) else found:
            return True
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(every)
