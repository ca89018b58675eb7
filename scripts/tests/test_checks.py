"""That check-spec, check-asvs and the check of the alerts find each fault that is planted in a small tree."""

import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

from checks import asvs, dashboards, monitoring, spec

LIST = "| id | what must hold |\n|---|---|\n| 2.door.1 | it opens |\n| 2.door.2 | it shuts |\n"
DOOR = "import { test } from 'vitest'\n\n// spec: 2.door.1\ntest('a door opens', () => {\n  open()\n})\n"
SHUT = "// spec: 2.door.2\n#[sqlx::test]\nasync fn a_door_shuts(pool: PgPool) {\n    shut(pool).await;\n}\n"
MET = "`server/tests/door.rs::a_door_is_locked`"
Rows = dict[str, tuple[str, str]]


class TreeTest(unittest.TestCase):
    def tree(self, files: dict[str, str]) -> Path:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            (Path(folder.name) / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder.name) / name).write_text(text)
        return Path(folder.name)


class SpecTest(TreeTest):
    def coverage(self, list_: str = LIST, door: str = DOOR, shut: str = SHUT, **more: str) -> spec.Coverage:
        files = {"docs/spec-coverage.md": list_, "web/src/door.test.ts": door, "server/tests/it/door.rs": shut}
        return spec.Coverage(self.tree(files | {f"web/src/{name}.ts": text for name, text in more.items()}))

    def refused(self, reason: str, **tree: str) -> None:
        self.assertRegex("\n".join(self.coverage(**tree).problems), reason)

    def test_a_tree_in_which_every_statement_has_its_test_passes(self) -> None:
        coverage = self.coverage()

        self.assertEqual(coverage.problems, [])
        self.assertIn("2 of 2 ids, 2 tagged tests", coverage.figure)
        self.assertEqual(coverage.tests["2.door.1"], ["web/src/door.test.ts:4: a door opens"])
        self.assertEqual(coverage.tests["2.door.2"], ["server/tests/it/door.rs:2: a_door_shuts"])

    def test_a_test_that_was_removed_is_missed(self) -> None:
        self.refused(r"no test says that it proves 2\.door\.2", shut="")
        self.refused("stands above nothing", door=DOOR.split("test('a door", maxsplit=1)[0])
        self.refused("something that is no test", door=DOOR.replace("test('a door", "prepare('a door"))

    def test_tags_and_statements_fit(self) -> None:
        self.refused(r"there is no '2\.door\.9'", door=DOOR.replace("2.door.1", "2.door.1, 2.door.9"))
        self.refused(r"2\.door\.1 is listed twice", list_=f"{LIST}| 2.door.1 | it opens again |\n")
        self.refused("no file of tests", door_without_tests=DOOR)

    def test_a_disabled_test_proves_nothing(self) -> None:
        for off in ("test.skip(", "test.only(", "test.fixme(", "test.todo(", "it.skip("):
            self.refused("is disabled", door=DOOR.replace("test(", off))
        for gives_up in ("test.fixme()", "test.skip(!isPhone(page), 'phones only')", "test.fail()"):
            self.refused("disables tests", door=DOOR.replace("open()", gives_up))
        for group in ("describe.skip", "test.describe.fixme", "describe.skipIf(true)", "test.describe.only"):
            self.refused("disables tests", door=f"{group}('doors', () => {{\n{DOOR}}})\n")

    def test_an_ignored_or_commented_rust_test_proves_nothing(self) -> None:
        self.refused("ignored", shut=SHUT.replace("async fn", "#[ignore]\nasync fn"))
        self.refused("ignored", shut=f'#[ignore = "later"]\n{SHUT}')
        self.refused(r"no test says that it proves 2\.door\.2", shut=f"/*\n{SHUT}*/\n")
        self.refused("something that is no test", shut=SHUT.replace("#[sqlx", "// #[sqlx"))


class AsvsTest(TreeTest):
    def check(self, changed: Rows, edit: tuple[str, str] = ("", ""), more: str = "") -> str:
        """The problems of a document in which everything is met, but for what `changed` says, with right counts."""
        rows = {number: changed.get(number, ("met", MET)) for number in asvs.REQUIRED}
        lists = {verdict: [f"- **{n}** because" for n in rows if rows[n][0] == verdict] for verdict in asvs.VERDICTS}
        table = [f"| {number} | a lock | {verdict} | {evidence} |" for number, (verdict, evidence) in rows.items()]
        parts = [
            "# ASVS",
            "COUNTS",
            "## Open",
            *lists["open"],
            "## Deviations",
            *lists["deviation"],
            "## Rows",
            *table,
            more,
        ]
        test = "#[test]\nfn a_door_is_locked() {}\n"
        root = self.tree({"server/tests/door.rs": test, asvs.DOCUMENT: "\n".join(parts).replace(*edit)})
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
        counts = "\n".join(asvs.Document(root).counts()).replace(*edit)
        (root / asvs.DOCUMENT).write_text((root / asvs.DOCUMENT).read_text().replace("COUNTS", counts))
        return "\n".join(asvs.Document(root).check())

    def refused(self, reason: str, changed: Rows, edit: tuple[str, str] = ("", ""), more: str = "") -> None:
        self.assertRegex(self.check(changed, edit, more), reason)

    def test_a_whole_document_passes(self) -> None:
        self.assertEqual(len(set(asvs.REQUIRED)), 253)
        self.assertEqual(self.check({"17.1.1": ("not applicable", "there is no TURN server")}), "")

    def test_every_number_is_there_once_and_is_one_of_the_standard(self) -> None:
        row = f"| 6.2.4 | a lock | met | {MET} |"
        self.refused(r"6\.2\.4 is missing", {}, (row, ""))
        self.refused(r"6\.2\.4 is listed twice", {}, more=row)
        # 6.3.5 is a level 3 requirement.
        self.refused(r"6\.3\.5 is not a level 1 or 2 requirement", {}, more=row.replace("6.2.4", "6.3.5"))

    def test_verdicts_have_their_evidence(self) -> None:
        self.refused(r"1\.1\.1 has the verdict 'partly'", {"1.1.1": ("partly", MET)})
        self.refused(r"1\.1\.1 is met, but names no file", {"1.1.1": ("met", "we are careful")})
        self.refused(r"there is no server/tests/window\.rs", {"1.1.1": ("met", "`server/tests/window.rs`")})
        self.refused(r"door\.rs has no 'a_door_is_open'", {"1.1.1": ("met", "`door.rs::a_door_is_open`")})
        self.refused(r"1\.1\.1 does not say why", {"1.1.1": ("not applicable", "–")})

    def test_deviations_and_open_requirements_are_few_and_listed(self) -> None:
        deviations: Rows = dict.fromkeys(asvs.REQUIRED[:6], ("deviation", "it is done another way"))
        self.refused("6 requirements are 'deviation'; at most 5", deviations)
        self.assertEqual(self.check({**deviations, "1.1.1": ("met", MET)}), "")
        unfinished: Rows = {"1.1.1": ("open", "nobody has done it")}
        self.refused("1 requirements are 'open'; at most 0", unfinished)
        with patch.dict(asvs.MOST, {"open": 1}):
            self.assertEqual(self.check(unfinished), "")
            self.refused(r"1\.1\.1 is 'open', but is not under", unfinished, ("- **1.1.1** because", ""))
        listed = ("## Deviations", "## Deviations\n- **1.1.2** because")
        self.refused(r"1\.1\.2 is under '## Deviations', but", {}, listed)

    def test_the_counts_at_the_top_are_right(self) -> None:
        self.refused("the counts at the top", {}, ("| V6 | 35 | 35 |", "| V6 | 35 | 36 |"))


RULE = """      - alert: DoorOpen
        expr: 'max(door_open) by (house) > 0'
        annotations:
          runbook: docs/runbooks/door-open.md
"""
RULE_TESTS = "  - name: DoorOpen fires\n  - name: DoorOpen is silent\n"


class MonitoringTest(TreeTest):
    DASHBOARDS = (dashboards.Dashboard("doors", "Doors", (dashboards.Panel("Open", "short", {"": "max(door_open)"}),)),)

    def problems(self, **changed: str) -> list[str]:
        files = {
            monitoring.RULES: RULE,
            monitoring.TESTS[0]: RULE_TESTS,
            monitoring.TESTS[1]: "",
            monitoring.METRICS: "| `door_open{house}` | doors |",
            "docs/runbooks/door-open.md": "Alerts: `DoorOpen`",
        }
        return monitoring.problems(self.tree(files | changed), self.DASHBOARDS)

    def test_alerts_that_are_in_order_are_accepted(self) -> None:
        self.assertEqual(self.problems(), [])

    def test_an_alert_on_a_metric_that_does_not_exist_is_found(self) -> None:
        unknown = ": there is no metric door_open"
        self.assertEqual(
            self.problems(**{monitoring.METRICS: ""}),
            [f"{monitoring.RULES}{unknown}", f"dashboard panel 'Open'{unknown}"],
        )

    def test_a_dashboard_that_is_out_of_date_is_found(self) -> None:
        root = self.tree({"grafana/doors.json": "old", "grafana/windows.json": "{}"})
        files = {root / "grafana" / "doors.json": dashboards.dashboard_json(self.DASHBOARDS[0])}
        self.assertEqual(len(monitoring.outdated(files)), 2)
        for path, content in files.items():
            path.write_text(content)
        (root / "grafana" / "windows.json").unlink()
        self.assertEqual(monitoring.outdated(files), [])

    def test_an_alert_without_tests_is_found(self) -> None:
        self.assertEqual(len(self.problems(**{monitoring.TESTS[0]: ""})), 2)

    def test_an_alert_without_a_page_and_a_page_without_an_alert_are_found(self) -> None:
        self.assertEqual(len(self.problems(**{monitoring.RULES: RULE.replace("door-open", "window-open")})), 2)
        self.assertEqual(len(self.problems(**{"docs/runbooks/door-open.md": "Alerts: `WindowOpen`"})), 1)
