"""How ops/upgrade takes an instance out of nginx and puts it back."""

import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

OPS = Path(__file__).resolve().parents[2] / "ops"


class ProxyTest(unittest.TestCase):
    def set_instance(self, file: Path, port: int, state: str) -> int:
        """How nginx's master process ended, which is told to read its settings again; here it is none, and ends."""
        # A child inherits that a signal is ignored, which nohup does to this one.
        ignored = signal.signal(signal.SIGHUP, signal.SIG_DFL)
        master = subprocess.Popen(["sleep", "60"])
        signal.signal(signal.SIGHUP, ignored)
        env = {**os.environ, "NGINX_INSTANCES": str(file), "NGINX_PID": str(master.pid)}
        command = f'. "{OPS}/lib/proxy.sh"; set_instance {port} {state}'
        subprocess.run(["bash", "-euc", command], env=env, check=True)
        master.terminate()
        return master.wait(60)

    def test_one_instance_is_taken_out_and_put_back(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "instances.conf"
            text = (OPS / "nginx-instances.conf").read_text()
            file.write_text(text)

            endings = [self.set_instance(file, 8080, "down") for _ in range(2)]
            lines = [line for line in file.read_text().splitlines() if line.startswith("server ")]

            self.assertEqual([line.endswith(" down;") for line in lines], [True, False])
            self.assertEqual(endings, [-1, -1])
            self.set_instance(file, 8080, "up")
            self.assertEqual(file.read_text(), text)

    def test_without_nginx_nothing_happens(self) -> None:
        self.assertEqual(self.set_instance(Path("/nonexistent/instances.conf"), 8080, "down"), -15)
