"""That a manifest with a mistake is refused, and that ours have what a reviewer of a cluster asks for."""

import subprocess
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "ops" / "kubernetes"


class KubernetesTest(unittest.TestCase):
    def validate(self, text: str) -> int:
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(text)
            file.flush()
            command = ["kubernetes-validate", "--strict", "--quiet", "-k", "1.31", file.name]
            return subprocess.run(command, capture_output=True).returncode

    def test_a_mistake_is_refused(self) -> None:
        text = (FOLDER / "serve.yaml").read_text()

        self.assertEqual(self.validate(text), 0)
        self.assertNotEqual(self.validate(text.replace("readinessProbe:", "readynessProbe:")), 0)

    def test_every_file_belongs_to_the_kustomization(self) -> None:
        text = (FOLDER / "kustomization.yaml").read_text()
        names = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}

        self.assertEqual({name for name in names if f"  - {name}\n" not in text}, set())

    def test_every_container_is_confined(self) -> None:
        for name in ("serve", "worker", "migrate"):
            text = (FOLDER / f"{name}.yaml").read_text()
            for wanted in ("runAsNonRoot: true", "readOnlyRootFilesystem: true", "drop: [ALL]", "limits: { memory:"):
                self.assertIn(wanted, text, name)
