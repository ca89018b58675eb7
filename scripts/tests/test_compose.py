"""That a mistake in the compose file is refused, and that all its containers of the shop are confined."""

import subprocess
import tempfile
import unittest
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "ops" / "compose.yaml"


class ComposeTest(unittest.TestCase):
    def validate(self, text: str) -> int:
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(text)
            file.flush()
            command = ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", file.name]
            return subprocess.run(command, capture_output=True).returncode

    def test_a_mistake_is_refused(self) -> None:
        text = FILE.read_text()

        self.assertEqual(self.validate(text), 0)
        self.assertNotEqual(self.validate(text.replace("healthcheck:", "healthchecks:")), 0)

    def test_a_container_of_the_shop_is_confined(self) -> None:
        text = FILE.read_text()
        shop = text[text.index("x-shop:") : text.index("x-serve:")]

        for wanted in ("read_only: true", "cap_drop: [ALL]", "no-new-privileges:true"):
            self.assertIn(wanted, shop)
