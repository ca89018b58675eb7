"""What a driver found: expectations that fail it, and figures that never do. The history of figures is in docs/figures."""

import argparse
import asyncio
import json
import math
import os
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Awaitable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from drivers.client import Response

ROOT = Path(__file__).resolve().parents[2]
HISTORY = ROOT / "docs" / "figures"


def quantile(values: Iterable[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[max(0, min(len(ordered) - 1, math.ceil(part * len(ordered)) - 1))] if ordered else 0.0


def counted(kinds: Counter[str]) -> str:
    return ", ".join(f"{count} x {kind}" for kind, count in kinds.most_common()) or "none"


class Report:
    def __init__(self, driver: str, folder: Path | None = None) -> None:
        self.driver, self.folder = driver, folder
        self.problems: list[str] = []
        self.commit = ""

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
            if not self.commit:
                command = ["git", "rev-parse", "--short", "HEAD"]
                self.commit = (
                    subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip() or "unknown"
                )
            self.folder.mkdir(parents=True, exist_ok=True)
            at = datetime.now(UTC).isoformat(timespec="seconds")
            line = {"at": at, "commit": self.commit, "driver": self.driver, "name": name, "value": value, "unit": unit}
            with (self.folder / f"{self.driver}.jsonl").open("a") as file:
                file.write(json.dumps(line) + "\n")

    def times(self, name: str, seconds: list[float]) -> None:
        if seconds:
            self.figure(f"{name} p50", statistics.median(seconds) * 1000, "ms")
            self.figure(f"{name} p99", quantile(seconds, 0.99) * 1000, "ms")


class Tally:
    """Counts and times answers by what was asked for; an answer that is not among the allowed ones is a failure."""

    def __init__(self, allowed: dict[str, set[str]]) -> None:
        self.allowed = allowed
        self.kinds: dict[str, Counter[str]] = {what: Counter() for what in allowed}
        self.seconds: dict[str, list[float]] = {what: [] for what in allowed}
        self.wrong: list[str] = []

    async def call(self, what: str, request: Awaitable[Response]) -> Response:
        started = time.monotonic()
        response = await request
        self.seconds[what].append(time.monotonic() - started)
        self.kinds[what][response.kind] += 1
        if response.kind not in self.allowed[what]:
            self.wrong.append(f"{what}: {response}")
        return response

    def count(self, what: str, kind: str = "200") -> int:
        return self.kinds[what][kind]

    def finish(self, report: Report) -> None:
        report.expect(not self.wrong, f"{len(self.wrong)} answers that may not be: {self.wrong[:5]}")
        for what, kinds in self.kinds.items():
            print(f"{what}: {counted(kinds)}")
            report.times(what, self.seconds[what])
        report.figure("calls", sum(sum(kinds.values()) for kinds in self.kinds.values()))


class History:
    """What earlier runs have found: the last value, the median of the last ten, and how far the last is from it."""

    def __init__(self, folder: Path = HISTORY) -> None:
        self.values: dict[tuple[str, str], list[float]] = {}
        self.units: dict[tuple[str, str], str] = {}
        for path in sorted(folder.glob("*.jsonl")):
            for line in path.read_text().splitlines():
                found = json.loads(line)
                key = (str(found["driver"]), str(found["name"]))
                self.values.setdefault(key, []).append(float(found["value"]))
                self.units[key] = str(found["unit"])

    def lines(self) -> list[str]:
        out = ["| driver | figure | last | median of 10 | change | runs |", "|---|---|---|---|---|---|"]
        for (driver, name), values in self.values.items():
            middle = statistics.median(values[-10:])
            change = f"{(values[-1] / middle - 1) * 100:+.0f} %" if middle else "-"
            unit = self.units[driver, name]
            out.append(f"| {driver} | {name} | {values[-1]:g} {unit} | {middle:g} {unit} | {change} | {len(values)} |")
        return out


def folder_of(options: argparse.Namespace) -> Path | None:
    named = os.environ.get("FIGURES_DIR")
    return Path(named) if named else HISTORY if options.record else None


async def becomes(holds: object, seconds: float, every: float = 0.2) -> bool:
    """Whether a condition (a function, plain or async) comes to hold within so many seconds."""
    assert callable(holds)
    deadline = time.monotonic() + seconds
    while True:
        found = holds()
        if await found if asyncio.iscoroutine(found) else found:
            return True
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(every)
