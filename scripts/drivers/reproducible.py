"""Builds the current commit twice with scripts/build-release, in new checkouts in folders with different names, and compares
the programs byte by byte. Prints what differs: the sections of the file, and the texts that only one of them has.
REPRODUCIBLE_DIR names a folder for the two checkouts, which then stay."""

import argparse
import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

from drivers.report import ROOT, Report

NAMES = ("first", "second-checkout")
SHOWN = 20


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", default="release", help="of Cargo.toml")


def run(command: list[str], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def built(checkout: Path, profile: str) -> Path:
    if not checkout.exists():
        run(["git", "clone", "--quiet", str(ROOT), str(checkout)], ROOT)
        run(["scripts/setup", "--run"], checkout)
    subprocess.run(["scripts/build-release", profile], cwd=checkout, check=True)
    return checkout / "target" / profile / "thunse"


def section_sizes(program: Path) -> dict[str, str]:
    lines = run(["size", "-A", str(program)], program.parent).splitlines()
    return {fields[0]: fields[1] for fields in map(str.split, lines) if len(fields) == 3}


def differences(programs: list[Path]) -> list[str]:
    """What to look at first."""
    one, other = (section_sizes(program) for program in programs)
    found = [f"{name}: {one.get(name)} and {other.get(name)} bytes" for name in one if one[name] != other.get(name)]
    texts = [set(run(["strings", "-n", "8", str(program)], program.parent).splitlines()) for program in programs]
    for name, only in zip(NAMES, (texts[0] - texts[1], texts[1] - texts[0]), strict=True):
        found += [f"only in {name}: {text[:120]}" for text in sorted(only, key=len, reverse=True)[:SHOWN]]
    return found


def run_alone(report: Report, options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(os.environ.get("REPRODUCIBLE_DIR") or temporary)
        programs = [built(folder / name, options.profile) for name in NAMES]
        contents = [program.read_bytes() for program in programs]
        for name, content in zip(NAMES, contents, strict=True):
            print(f"{name}: {len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}", flush=True)
        if not report.expect(contents[0] == contents[1], "two builds of one commit differ"):
            print("\n".join(differences(programs)))
