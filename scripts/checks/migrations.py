"""Whether the previous version of the shop can go on selling while a migration runs, and afterwards: squawk's rules on
statements that hold long locks, rewrite tables or break the code that is still running, and two of our own. Each finding is
corrected, or is listed with its reason in scripts/checks/migrations.txt."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from checks import ROOT, finish

MIGRATIONS, EXCEPTIONS = "server/migrations", "scripts/checks/migrations.txt"
# Functions, triggers and views, which are replaced as a whole (decision 061).
FIRST_REPEATABLE = 99_999_999_999_900
# Migrations before this one were written before the rule; each has run on every installation, or runs on an empty one.
FIRST_WITH_LOCK_TIMEOUT = 20_261_120_000_000
NOT_OURS = {
    "prefer-robust-stmts": "a migration is one transaction and runs once, so nothing is ever half there",
    "require-statement-timeout": "the lock is what others wait for; validating a constraint may take its time",
    "prefer-bigint-over-int": "the type follows from what is counted",
    "prefer-bigint-over-smallint": "the type follows from what is counted",
    "prefer-identity": "ids are uuids",
    "ban-drop-constraint": "the running version loses nothing when a rule is dropped",
}
NO_TRANSACTION = "-- no-transaction"
# A text, a dollar-quoted body or a comment is one token, so that a semicolon in it ends nothing.
TOKEN = re.compile(r"(\$\w*\$).*?\1|'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/|;|[^$';/-]+|.", re.S)


class Finding(NamedTuple):
    file: str
    rule: str
    line: int
    text: str


def version_of(file: str) -> int:
    return int(file.split("_", maxsplit=1)[0])


def statements(sql: str) -> list[tuple[int, str]]:
    """The statements without comments and texts, each with the number of its first line."""
    found, line, start, words = list[tuple[int, str]](), 1, 0, ""
    for token in TOKEN.finditer(sql):
        text = token[0]
        if text == ";":
            found.append((start, words.strip()))
            start, words = 0, ""
        elif not text.startswith(("--", "/*")):
            if text.strip() and not start:
                start = line + text[: len(text) - len(text.lstrip())].count("\n")
            words += "''" if text.startswith(("'", "$")) and len(text) > 1 else text
        line += text.count("\n")
    return found + ([(start, words.strip())] if words.strip() else [])


def own_findings(file: str, sql: str) -> list[Finding]:
    found, altered = list[Finding](), set[str]()
    listed = statements(sql)
    if sql.startswith(NO_TRANSACTION) and len(listed) > 1:
        text = "without a transaction, a failure after the first statement leaves half a migration: one file for each"
        found.append(Finding(file, "one-statement-without-transaction", listed[1][0], text))
    for line, statement in listed:
        if table := re.match(r"ALTER TABLE (?:ONLY )?(?:IF EXISTS )?(\w+)", statement, re.I):
            altered.add(table[1].lower())
        changed = re.match(r"(?:UPDATE|DELETE FROM) (?:ONLY )?(\w+)", statement, re.I)
        if changed and changed[1].lower() in altered:
            text = f"rows of {changed[1]} are changed while its exclusive lock is held: do it in a migration of its own"
            found.append(Finding(file, "rows-changed-under-exclusive-lock", line, text))
    return found


def squawk(folder: Path, files: list[str], is_transaction: bool) -> list[Finding]:
    if not files:
        return []
    command = ["squawk", "--reporter=json", "--pg-version=15", f"--exclude={','.join(NOT_OURS)}"]
    command += ["--assume-in-transaction"] if is_transaction else []
    done = subprocess.run([*command, *files], cwd=folder, capture_output=True, text=True)
    # It exits with 1 where it finds something.
    if not done.stdout.strip().startswith("["):
        raise SystemExit(f"check-migrations: squawk: {done.stderr}")
    return [
        Finding(each["file"], each["rule_name"], each["line"] + 1, each["message"]) for each in json.loads(done.stdout)
    ]


def findings(folder: Path) -> list[Finding]:
    files = sorted(path.name for path in folder.glob("*.sql") if version_of(path.name) < FIRST_REPEATABLE)
    texts = {file: (folder / file).read_text() for file in files}
    outside = [file for file in files if texts[file].startswith(NO_TRANSACTION)]
    found = squawk(folder, [file for file in files if file not in outside], True)
    # Without a transaction nothing but an index is made, and that waits without making others wait.
    found = [each for each in found if not is_before_lock_timeout(each)]
    found += [each for each in squawk(folder, outside, False) if each.rule != "require-lock-timeout"]
    return found + [each for file in files for each in own_findings(file, texts[file])]


def is_before_lock_timeout(finding: Finding) -> bool:
    return finding.rule == "require-lock-timeout" and version_of(finding.file) < FIRST_WITH_LOCK_TIMEOUT


def exceptions(path: Path) -> dict[tuple[str, str], str]:
    """(file, rule) and the reason of each line that is no comment."""
    lines = [line.split(maxsplit=2) for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {(parts[0], parts[1]): parts[2] if len(parts) == 3 else "" for parts in lines}


def problems(root: Path) -> list[str]:
    found, allowed = findings(root / MIGRATIONS), exceptions(root / EXCEPTIONS)
    listed = [f"{MIGRATIONS}/{f.file}:{f.line}: {f.rule}: {f.text}" for f in found if (f.file, f.rule) not in allowed]
    listed += [f"{EXCEPTIONS}: {file} {rule} has no reason" for (file, rule), reason in allowed.items() if not reason]
    unused = allowed.keys() - {(each.file, each.rule) for each in found}
    return listed + [f"{EXCEPTIONS}: {file} does not break {rule} (any more)" for file, rule in unused]


def main() -> int:
    count = len(list((ROOT / MIGRATIONS).glob("*.sql")))
    return finish("migrations", problems(ROOT), f"migrations: {count} files; the previous version can go on meanwhile")


if __name__ == "__main__":
    sys.exit(main())
