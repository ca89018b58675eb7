"""The shop that a driver works against, and its processes. Wraps scripts/stack."""

import asyncio
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from drivers.report import ROOT

HZ = os.sysconf("SC_CLK_TCK")


class Stack:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env: dict[str, str] = {}
        self.own: Path | None = None

    @classmethod
    def here(cls, options: list[str], settings: Mapping[str, str], is_own: bool = False) -> "Stack":
        """The shop that runs in STACK_DIR, or else one of the driver's own, which `close` stops."""
        folder = Path(os.environ.get("STACK_DIR") or ROOT / ".stack")
        if is_own or not (folder / "env").exists():
            own = Path(tempfile.mkdtemp(prefix="thunse-driver-"))
            own.chmod(0o755)
            stack = cls(own / "stack")
            stack.own = own
            stack.call("up", *options, **settings)
        else:
            stack = cls(folder)
        stack.read()
        return stack

    def read(self) -> None:
        lines = (self.folder / "env").read_text().splitlines()
        self.env = dict(line.split("=", 1) for line in lines)

    def call(self, *words: str, **settings: str) -> None:
        env = {**os.environ, **settings, "STACK_DIR": str(self.folder)}
        subprocess.run([ROOT / "scripts" / "stack", *words], env=env, check=True, stdout=subprocess.DEVNULL)

    async def do(self, *words: str) -> None:
        """`kill NAME` or `start NAME`, while others go on."""
        await asyncio.to_thread(self.call, *words)

    def close(self) -> None:
        if self.own:
            self.call("down")
            shutil.rmtree(self.own, ignore_errors=True)

    @property
    def instances(self) -> list[str]:
        return [self.env[key] for key in sorted(self.env) if key.startswith("SERVER_") and key.endswith("_URL")]

    def pid(self, name: str) -> int:
        """Of server-0, worker-0, wallet … as it is now: `start` gives a killed one a new number."""
        if name == "postgres":
            return int(self.env["POSTGRES_PID"])
        return int((self.folder / f"{name}.pid").read_text())

    def settings(self) -> dict[str, str]:
        """What the shop's processes were started with; the file is written for a shell, so its values are quoted."""
        words = [shlex.split(line.removeprefix("export "))[0] for line in (self.folder / "settings").open()]
        return dict(word.split("=", 1) for word in words)

    def psql(self, statement: str, role: str = "DATABASE_URL", **variables: object) -> list[list[str]]:
        """One statement (or `@file`); its rows as lists of texts."""
        named = [word for name, value in variables.items() for word in ("-v", f"{name}={value}")]
        command = [
            "psql",
            "-q",
            "-X",
            "-A",
            "-t",
            "-F",
            "\t",
            "-v",
            "ON_ERROR_STOP=1",
            *named,
            self.env.get(role, role),
        ]
        command += ["-f", statement[1:]] if statement.startswith("@") else ["-c", statement]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{done.stderr.strip()}\nin: {statement[:300]}")
        return [line.split("\t") for line in done.stdout.splitlines() if line]

    def one(self, statement: str, role: str = "DATABASE_URL") -> str:
        return self.psql(statement, role)[0][0]

    def cpu(self, name: str) -> float:
        return cpu_of(self.pid(name))


def processes() -> dict[int, tuple[int, int]]:
    """Each process with its parent and its clock ticks, ended children included."""
    table = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                text = Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue
            fields = text[text.rindex(")") + 2 :].split()
            table[int(entry)] = (int(fields[1]), sum(map(int, fields[11:15])))
    return table


def cpu_of(root: int) -> float:
    """CPU seconds of a process and all below it: on a shared machine wall-clock rates say little."""
    table, total, todo = processes(), 0, [root]
    while todo:
        pid = todo.pop()
        if pid in table:
            total += table[pid][1]
            todo += [child for child, (parent, _) in table.items() if parent == pid]
    return total / HZ


def children(pid: int) -> list[int]:
    return [child for child, (parent, _) in processes().items() if parent == pid]


def memory_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0
