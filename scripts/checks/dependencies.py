"""Whether docs/dependencies.md names exactly what is asked for: every crate of the server, every package of web/, e2e/ and
tools/, every Debian, npm and Python package that scripts/setup installs. The first column of its tables counts; what is in
parentheses there is a remark."""

import json
import re
import sys
import tomllib
from pathlib import Path

from checks import ROOT, finish, table_rows, tracked

DOCUMENT = "docs/dependencies.md"


def asked_for(root: Path) -> tuple[dict[str, str], set[str]]:
    """Every dependency with the file that asks for it; and versions of scripts/lib/tools.sh that nothing installs."""
    asked: dict[str, str] = {}
    own = set()
    files = tracked(root)
    for file in (name for name in files if name.startswith("server/") and name.endswith("Cargo.toml")):
        crate = tomllib.loads((root / file).read_text())
        own.add(crate["package"]["name"])
        for table in ("dependencies", "dev-dependencies", "build-dependencies"):
            asked |= dict.fromkeys(crate.get(table, {}), file)
    for file in (name for name in files if name.endswith("package.json")):
        package = json.loads((root / file).read_text())
        for table in ("dependencies", "devDependencies"):
            asked |= dict.fromkeys(package.get(table, {}), file)
    for words in re.findall(r"packages\+?=\(([^)]*)\)", (root / "scripts/setup").read_text()):
        asked |= dict.fromkeys(words.split(), "scripts/setup")
    pins = set(re.findall(r"^([A-Z]+_VERSION)=", (root / "scripts/lib/tools.sh").read_text(), re.M))
    for file in (name for name in files if name.startswith("scripts/") and Path(name).suffix in ("", ".sh")):
        for name, pin in re.findall(
            r"([a-z][a-z0-9-]*)(?:\[[a-z0-9]+\])?(?:==|@)\$\{?([A-Z]+_VERSION)", (root / file).read_text()
        ):
            asked[name] = file
            pins.discard(pin)
    return {name: file for name, file in asked.items() if name not in own}, pins


def main() -> int:
    asked, pins = asked_for(ROOT)
    named = set()
    for _, (cell, *_) in table_rows(ROOT / DOCUMENT):
        if not re.fullmatch(r"(From .*|Crate|Package)", cell):
            named |= {word.strip() for word in re.sub(r"\([^)]*\)", "", cell).split(",")}
    problems = [f"{name} ({file}) is not in {DOCUMENT}" for name, file in asked.items() if name not in named]
    problems += [f"{DOCUMENT} names {name}, which nothing asks for" for name in named - set(asked)]
    problems += [f"nothing is installed by {pin}" for pin in pins]
    return finish("dependencies", problems, f"dependencies: {len(asked)}, each with its reason")


if __name__ == "__main__":
    sys.exit(main())
