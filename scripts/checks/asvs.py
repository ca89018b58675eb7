"""Checks docs/security/asvs.md, the verdicts on OWASP ASVS 5.0.0, against the standard's numbers and against the checkout.

scripts/check-asvs fails on a missing or doubled number, an unknown verdict, evidence that does not exist, or a wrong count;
scripts/check-asvs --counts prints the table of counts that belongs at the top of the document."""

import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from checks import ROOT, finish, table_rows, tracked

DOCUMENT = "docs/security/asvs.md"
VERDICTS = ["met", "not applicable", "deviation", "open"]
# How many requirements may be a deviation or open. The second number only ever goes down.
MOST = {"deviation": 5, "open": 0}
# The standard's level 1 and level 2 requirements: how many each section has. Their numbers have no gaps.
SECTIONS = """1.1: 2, 1.2: 9, 1.3: 11, 1.4: 3, 1.5: 2, 2.1: 3, 2.2: 3, 2.3: 4, 2.4: 1, 3.2: 2, 3.3: 4, 3.4: 6, 3.5: 5, 3.7: 2,
    4.1: 3, 4.2: 1, 4.3: 2, 4.4: 4, 5.1: 1, 5.2: 3, 5.3: 2, 5.4: 3, 6.1: 3, 6.2: 12, 6.3: 4, 6.4: 4, 6.5: 5, 6.6: 3, 6.8: 4,
    7.1: 3, 7.2: 4, 7.3: 2, 7.4: 5, 7.5: 2, 7.6: 2, 8.1: 2, 8.2: 3, 8.3: 1, 8.4: 1, 9.1: 3, 9.2: 4,
    10.1: 2, 10.2: 2, 10.3: 4, 10.4: 11, 10.5: 5, 10.6: 2, 10.7: 3, 11.1: 2, 11.2: 3, 11.3: 3, 11.4: 4, 11.5: 1, 11.6: 1,
    12.1: 3, 12.2: 2, 12.3: 4, 13.1: 1, 13.2: 5, 13.3: 2, 13.4: 5, 14.1: 2, 14.2: 4, 14.3: 3, 15.1: 3, 15.2: 3, 15.3: 7,
    16.1: 1, 16.2: 5, 16.3: 4, 16.4: 3, 16.5: 3, 17.1: 1, 17.2: 4, 17.3: 2"""
REQUIRED = [
    f"{section}.{number + 1}"
    for section, count in re.findall(r"(\d+\.\d+): (\d+)", SECTIONS)
    for number in range(int(count))
]
FILE = re.compile(
    r"(?!/).*\.(rs|tsx?|mjs|json|md|sql|toml|conf|service|timer|yaml|txt|lock|npmrc|py)$"
    r"|(docs|ops|scripts|server|web|e2e|tools|api|\.ci)/"
)


@dataclass
class Row:
    number: str
    line: int
    asks: str
    verdict: str
    evidence: str


class Document:
    def __init__(self, root: Path) -> None:
        self.root, self.problems, self.files = root, list[str](), tracked(root)
        self.lines = (root / DOCUMENT).read_text().splitlines()
        self.rows = []
        for line, (number, *cells) in table_rows(root / DOCUMENT):
            if re.fullmatch(r"\d+\.\d+\.\d+", number):
                if len(cells) != 3:
                    self.problems.append(f"{DOCUMENT}:{line}: {number} has {len(cells) + 1} cells instead of 4")
                self.rows.append(Row(number, line, *[*cells, "", "", ""][:3]))
        self.by_verdict = Counter(row.verdict for row in self.rows)

    def check(self) -> list[str]:
        numbers = Counter(row.number for row in self.rows)
        self.problems += [f"{DOCUMENT}: {number} is missing" for number in REQUIRED if number not in numbers]
        self.problems += [f"{DOCUMENT}: {number} is listed twice" for number, count in numbers.items() if count > 1]
        for row in self.rows:
            where = f"{DOCUMENT}:{row.line}: {row.number}"
            if row.number not in REQUIRED:
                self.problems.append(f"{where} is not a level 1 or 2 requirement of ASVS 5.0.0")
            if row.verdict not in VERDICTS:
                self.problems.append(f"{where} has the verdict '{row.verdict}'; known are {', '.join(VERDICTS)}")
            if not row.asks:
                self.problems.append(f"{where} does not say what it asks for")
            self.problems += [f"{where}{text}" for text in self.faults_of_evidence(row)]
        for verdict, most in MOST.items():
            if self.by_verdict[verdict] > most:
                text = f"{self.by_verdict[verdict]} requirements are '{verdict}'; at most {most} are allowed"
                self.problems.append(f"{DOCUMENT}: {text}")
        self.check_list("Open", "open")
        self.check_list("Deviations", "deviation")
        wrong = [line for line in self.counts()[2:] if line not in self.lines]
        self.problems += [f"{DOCUMENT}: the counts at the top should have the line {line}" for line in wrong]
        return self.problems

    def faults_of_evidence(self, row: Row) -> list[str]:
        found, named = [], 0
        for code in re.findall(r"`([^`]+)`", row.evidence):
            name, _, test = code.partition("::")
            if not re.fullmatch(r"[\w./@{}-]+", name) or not FILE.match(name):
                found += [f": '{code}' names no file"] if test else []
                continue
            named += 1
            folder = name.rstrip("/") + "/"
            files = [file for file in self.files if f"/{file}".endswith(f"/{name}") or file.startswith(folder)]
            if not files:
                found.append(f": there is no {name}")
            elif test and len(files) > 1:
                found.append(f": '{name}' is not one file but {len(files)}")
            elif test and not self.holds(files[0], test):
                found.append(f": {name} has no '{test}'")
        if row.verdict == "met" and not named:
            found.append(" is met, but names no file and no test")
        if row.verdict != "met" and len(row.evidence.split()) < 3:
            found.append(f" does not say why it is '{row.verdict}'")
        return found

    def holds(self, file: str, test: str) -> bool:
        text = (self.root / file).read_text()
        if file.endswith(".rs"):
            return re.search(rf"\b(?:fn|const|struct|enum|static) {re.escape(test)}\b", text) is not None
        return test in text

    def check_list(self, heading: str, verdict: str) -> None:
        """What is open or a deviation is also listed under its own heading at the top."""
        _, _, rest = "\n".join(self.lines).partition(f"\n## {heading}")
        listed = set(re.findall(r"^- \*\*(\d+\.\d+\.\d+)\*\*", rest.partition("\n## ")[0], re.M))
        wanted = {row.number for row in self.rows if row.verdict == verdict}
        for number in wanted - listed:
            self.problems.append(f"{DOCUMENT}: {number} is '{verdict}', but is not under '## {heading}'")
        for number in listed - wanted:
            self.problems.append(f"{DOCUMENT}: {number} is under '## {heading}', but its row does not say '{verdict}'")

    def counts(self) -> list[str]:
        lines = ["| Chapter | Requirements | Met | Not applicable | Deviation | Open |", "|---|---|---|---|---|---|"]
        chapters = dict.fromkeys(number.split(".")[0] for number in REQUIRED)
        for name, prefix in [*((f"V{chapter}", f"{chapter}.") for chapter in chapters), ("**All**", "")]:
            verdicts = Counter(row.verdict for row in self.rows if row.number.startswith(prefix))
            numbers = [verdicts[verdict] for verdict in VERDICTS]
            lines.append(f"| {name} | {sum(numbers)} | {' | '.join(map(str, numbers))} |")
        return lines


def main() -> int:
    document = Document(ROOT)
    if "--counts" in sys.argv:
        print("\n".join(document.counts()))
        return 0
    counts = ", ".join(f"{document.by_verdict[verdict]} {verdict}" for verdict in VERDICTS)
    success = f"figure: ASVS 5.0.0 levels 1 and 2: {len(document.rows)} requirements, {counts}"
    return finish("asvs", document.check(), success)


if __name__ == "__main__":
    sys.exit(main())
