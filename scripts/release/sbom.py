"""`scripts/sbom FOLDER` writes what a release is made of: bills of materials in CycloneDX 1.5 for the server and the web app
(what is compiled or bundled, not what only builds or tests it), and one file with the licences of all of it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ("licen[cs]e*", "LICEN[CS]E*", "Licen[cs]e*", "COPYING*", "NOTICE*", "COPYRIGHT*")


class Component(NamedTuple):
    kind: str  # cargo or npm
    name: str
    version: str
    licence: str
    folder: Path

    @property
    def purl(self) -> str:
        return f"pkg:{self.kind}/{quote(self.name, safe='/')}@{quote(self.version)}"

    def as_json(self) -> dict[str, Any]:
        found = {"type": "library", "name": self.name, "version": self.version, "purl": self.purl, "bom-ref": self.purl}
        return {**found, "licenses": [{"expression": self.licence}]} if self.licence else dict(found)


def read(command: list[str], folder: Path) -> Any:
    return json.loads(subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout)


def crates(metadata: Any, root: str) -> list[Component]:
    """The crates that are compiled into the program: reached from it by dependencies that are not for tests or builds only."""
    packages = {each["id"]: each for each in metadata["packages"]}
    nodes = {each["id"]: each for each in metadata["resolve"]["nodes"]}
    todo = [each["id"] for each in metadata["packages"] if each["name"] == root]
    reached = set(todo)
    while todo:
        for dependency in nodes[todo.pop()]["deps"]:
            is_linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_linked and dependency["pkg"] not in reached:
                reached.add(dependency["pkg"])
                todo.append(dependency["pkg"])
    found = [packages[each] for each in reached if packages[each]["source"]]
    return sorted(
        Component("cargo", each["name"], each["version"], spdx(each["license"]), Path(each["manifest_path"]).parent)
        for each in found
    )


def spdx(licence: str | None) -> str:
    """Old crates write a slash for OR."""
    return (licence or "").replace("/", " OR ").replace("  ", " ")


def modules(lock: Any, web: Path) -> list[Component]:
    """The packages of the web app that are not for development only."""
    found = []
    for place, each in lock["packages"].items():
        if place and not each.get("dev") and (web / place).is_dir():
            name = place.rpartition("node_modules/")[2]
            found.append(Component("npm", name, each["version"], spdx(each.get("license")), web / place))
    return sorted(found)


def bill(name: str, version: str, components: list[Component]) -> dict[str, Any]:
    about = {"type": "application", "name": name, "version": version, "bom-ref": name}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": about},
        "components": [each.as_json() for each in components],
        "dependencies": [{"ref": name, "dependsOn": [each.purl for each in components]}],
    }


def licences(components: list[Component]) -> str:
    """Every licence text once, after the packages that it belongs to."""
    texts: dict[str, list[str]] = {}
    for each in components:
        files = sorted({file for pattern in TEXTS for file in each.folder.glob(pattern) if file.is_file()})
        for file in files:
            texts.setdefault(file.read_text(errors="replace").strip(), []).append(f"{each.name} {each.version}")
        if not files:
            texts.setdefault(f"(The package has no text of its licence: {each.licence or 'unknown'}.)", []).append(
                f"{each.name} {each.version}"
            )
    line = "=" * 100
    parts = [f"{line}\n{', '.join(sorted(set(names)))}\n{line}\n\n{text}\n" for text, names in texts.items()]
    return "What is part of Thunse and belongs to others, with its licences.\n\n" + "\n".join(parts)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    folder, web = Path(sys.argv[1]), ROOT / "web"
    folder.mkdir(parents=True, exist_ok=True)
    platform = ["--filter-platform", "x86_64-unknown-linux-gnu"]
    metadata = read(["cargo", "metadata", "--format-version=1", "--locked", *platform], ROOT)
    version = next(each["version"] for each in metadata["packages"] if each["name"] == "thunse")
    server, app = crates(metadata, "thunse"), modules(json.loads((web / "package-lock.json").read_text()), web)
    for name, components in (("thunse-server", server), ("thunse-web", app)):
        document = json.dumps(bill(name, version, components), indent=1)
        (folder / f"{name}.cdx.json").write_text(document + "\n")
    (folder / "LICENCES.txt").write_text(licences([*server, *app]))
    print(f"{len(server)} crates and {len(app)} packages of the web app")
    return 0


if __name__ == "__main__":
    sys.exit(main())
