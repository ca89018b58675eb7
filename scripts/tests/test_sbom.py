"""That a bill of materials names what is shipped, and nothing else."""

import tempfile
import unittest
from pathlib import Path

from release.sbom import Component, bill, crates, licences, modules


def package(name: str, source: str | None = "registry") -> dict[str, object]:
    licence = "MIT/Apache-2.0"
    return {
        "id": name,
        "name": name,
        "version": "1.0.0",
        "license": licence,
        "source": source,
        "manifest_path": "/x/C.toml",
    }


def node(name: str, **dependencies: str | None) -> dict[str, object]:
    deps = [{"pkg": each, "dep_kinds": [{"kind": kind}]} for each, kind in dependencies.items()]
    return {"id": name, "deps": deps}


class SbomTest(unittest.TestCase):
    def test_crates_that_only_test_or_build_are_left_out(self) -> None:
        names = ["axum", "http", "cc", "proptest"]
        nodes = [node("thunse", axum=None, cc="build", proptest="dev"), node("axum", http=None)]
        nodes += [node("http"), node("cc"), node("proptest")]
        packages = [package("thunse", None), *map(package, names)]

        found = crates({"packages": packages, "resolve": {"nodes": nodes}}, "thunse")

        self.assertEqual([each.name for each in found], ["axum", "http"])
        self.assertEqual(found[0].licence, "MIT OR Apache-2.0")
        document = bill("thunse-server", "0.1.0", found)
        self.assertEqual(
            [each["purl"] for each in document["components"]], ["pkg:cargo/axum@1.0.0", "pkg:cargo/http@1.0.0"]
        )

    def test_packages_of_the_web_app_without_those_for_development(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            web = Path(folder)
            for name in ("react", "@lingui/core", "vite"):
                (web / "node_modules" / name).mkdir(parents=True)
            (web / "node_modules/react/LICENSE").write_text("Permission is hereby granted")
            each = {"version": "2.0.0", "license": "MIT"}
            lock = {
                "": {},
                "node_modules/react": each,
                "node_modules/@lingui/core": each,
                "node_modules/vite": {**each, "dev": True},
            }

            found = modules({"packages": lock}, web)
            text = licences(found)

        self.assertEqual([each.purl for each in found], ["pkg:npm/%40lingui/core@2.0.0", "pkg:npm/react@2.0.0"])
        self.assertIn("react 2.0.0\n", text)
        self.assertIn("Permission is hereby granted", text)
        self.assertIn("has no text of its licence: MIT", text)

    def test_a_component_without_a_licence_has_no_empty_one(self) -> None:
        self.assertNotIn("licenses", Component("npm", "a", "1", "", Path("/")).as_json())
