"""Load from this process, and the CPU time that it costs others: the load's own CPU does not count."""

import asyncio
import subprocess
import time
from collections.abc import Awaitable, Callable

from drivers.client import Client, Response
from drivers.stack import cpu_of

CLIENTS = 16
Request = Callable[[Client], Awaitable[Response]]


class Measured:
    """Requests or transactions, seconds, and CPU milliseconds per request of each named process."""

    def __init__(self, pids: dict[str, int]) -> None:
        self.pids, self.count = pids, 0
        self.before, self.started = {name: cpu_of(pid) for name, pid in pids.items()}, time.monotonic()

    def finish(self, count: int) -> "Measured":
        self.seconds = time.monotonic() - self.started
        # Backends that are just ending are in neither column: give their parent time to add them up.
        time.sleep(0.5)
        self.count = count
        used = {name: cpu_of(pid) - self.before[name] for name, pid in self.pids.items()}
        self.cpu = {name: value * 1000 / max(1, count) for name, value in used.items()}
        return self

    @property
    def rate(self) -> float:
        return self.count / self.seconds


async def drive(url: str, origin: str, seconds: float, pids: dict[str, int], request: Request) -> Measured:
    """Sixteen connections, each with one request after the other; an answer that is not 200 ends the driver."""
    measured, count = Measured(pids), 0
    ends_at = time.monotonic() + seconds

    async def client() -> None:
        nonlocal count
        connection = Client(url, origin)
        while time.monotonic() < ends_at:
            response = await request(connection)
            if response.status != 200:
                raise SystemExit(f"under load: {response}")
            count += 1
        connection.close()

    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    return measured.finish(count)


def pgbench(url: str, seconds: int, script: str, pids: dict[str, int]) -> Measured:
    command = ["pgbench", "-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "2", "-T", str(seconds), "-f", script, url]
    measured = Measured(pids)
    done = subprocess.run(command, capture_output=True, text=True)
    found = [line for line in done.stdout.splitlines() if "actually processed: " in line]
    if done.returncode or not found or "ERROR" in done.stderr:
        raise SystemExit(f"pgbench failed: {done.stdout}{done.stderr}")
    return measured.finish(int(found[0].split("actually processed: ")[1].split("/")[0]))
