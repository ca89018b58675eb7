"""Whether the documents speak of what there is: every link leads to a file, every file and function that they name exists,
every just recipe that they name is one, and API.md lists exactly the calls of the contract."""

import json
import re
import sys
from pathlib import Path, PurePath

from checks import ROOT, finish, table_rows, tracked

NAMED_FILE = re.compile(r"[\w./-]+\.(rs|tsx?|mjs|py|sh|sql|json|service|timer|conf|yaml)")
NAMED_PATH = re.compile(r"(scripts|ops|tools|docs|server|web|e2e|api)/[\w./@-]+")


class Documents:
    def __init__(self, root: Path) -> None:
        self.root, self.problems, self.files = root, list[str](), tracked(root)
        # Also with every end of their paths: documents name most files without the folders above.
        folders = {str(parent) for name in self.files for parent in PurePath(name).parents}
        parts = [PurePath(name).parts for name in (*self.files, *folders)]
        self.known = {"/".join(path[start:]) for path in parts for start in range(len(path))}
        sources = [name for name in self.files if name.endswith((".rs", ".ts", ".tsx", ".mjs"))]
        self.sources = {f"/{name}": (root / name).read_text() for name in sources}
        self.recipes = set(re.findall(r"^([a-z][a-z0-9-]*)(?: [^:\n]*)?:$", (root / "justfile").read_text(), re.M))
        documents = [name for name in self.files if name.endswith(".md")]
        self.documents = [name for name in documents if not name.startswith("docs/decisions/000")]

    def check(self) -> list[str]:
        for name in self.documents:
            text = (self.root / name).read_text()
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
                if not re.match(r"[a-z]+:", target) and not (self.root / name).parent.joinpath(target).exists():
                    self.problems.append(f"{name}: the link {target} leads nowhere")
            # These speak of what was so when they were written.
            if not name.startswith("docs/decisions/") and name not in ("CHANGELOG.md", "docs/spec-coverage.md"):
                self.check_names(name, text)
        self.check_contract()
        return self.problems

    def check_names(self, name: str, text: str) -> None:
        for recipe in re.findall(r"`just ([a-z-]+)", text):
            if recipe not in self.recipes:
                self.problems.append(f"{name}: there is no recipe `just {recipe}`")
        for code in re.findall(r"`([^`\n]+)`", text):
            file, _, inside = code.partition("::")
            is_of_crate = name == "docs/dependencies.md" and "::" in code
            if file.startswith("/") or re.search(r"NNN|YYYY", file) or is_of_crate:
                continue  # a place on a server; a pattern
            if NAMED_FILE.fullmatch(file):
                if file not in self.known:
                    self.problems.append(f"{name}: there is no {file}")
                elif inside and not self.holds(rf"/{re.escape(file)}$", inside):
                    self.problems.append(f"{name}: {file} has no {inside}")
            elif NAMED_PATH.fullmatch(code):
                if code.rstrip("/") not in self.known and not re.search(r"/(dist|node_modules)\b", code):
                    self.problems.append(f"{name}: there is no {code}")
            elif re.fullmatch(r"[a-z_]+::[a-z_]+", code) and not self.holds(f"/{file}", inside):
                self.problems.append(f"{name}: nothing is called {code}")

    def holds(self, file: str, word: str) -> bool:
        """Whether a source whose path matches has this word."""
        texts = (text for path, text in self.sources.items() if re.search(file, path))
        return any(re.search(rf"\b{re.escape(word)}\b", text) for text in texts)

    def check_contract(self) -> None:
        """Each call of the contract is in API.md, and each that is there is in the contract."""
        paths = set(json.loads((self.root / "api" / "openapi.json").read_text())["paths"])
        rows = [cells for _, cells in table_rows(self.root / "docs" / "API.md") if cells[0].startswith("`")]
        for path in paths:
            words = path.removeprefix("/api/").split("/")
            # The last word that is not a parameter, and the part of the shop it belongs to.
            last = re.compile(rf"(?<!\w){re.escape([word for word in words if not word.startswith('{')][-1])}(?!\w)")
            if not any(f"/api/{words[0]}" in line and last.search(line) for line in map(" | ".join, rows)):
                self.problems.append(f"docs/API.md does not name {path}")
        known = {word for path in paths for word in re.split(r"[/{}]", path)}
        for cells in rows:
            for word in re.findall(r"(?<![\w.-])([a-zA-Z]+(?:_[a-zA-Z]+)+(?:\.csv)?)(?![\w.-])", cells[0]):
                if word not in known:
                    self.problems.append(f"docs/API.md names {word}, which is not in the contract")


def main() -> int:
    documents = Documents(ROOT)
    success = (
        f"docs: {len(documents.documents)} documents; links, files, functions, recipes and the contract's paths hold"
    )
    return finish("docs", documents.check(), success)


if __name__ == "__main__":
    sys.exit(main())
