"""The pages of docs/runbooks as commands: reads queries and commands from their code blocks and runs them against a shop, with
stand-ins for what a server has and a shop of a driver has not; and the rules with shorter durations."""

import asyncio
import os
import re
import shlex
import stat
from pathlib import Path

from drivers.processes import is_running
from drivers.prometheus import Prometheus
from drivers.report import ROOT, Report
from drivers.stack import Stack

PAGES = ROOT / "docs" / "runbooks"
FACTOR = 60
WEEK = "2m"
UNITS = {"thunse-serve@8080": "server-0", "thunse-serve@8081": "server-1", "thunse-worker": "worker-0"}
STAND_INS = {
    "sudo": 'shift 2\nexec "$@"',
    "thunse": 'exec "$BINARY" "$@"',
    "thunse-doctor": 'exec "$BINARY" doctor "$@"',
    # Only the options that the pages use and that do not change what is found: lines have no priority, so -p finds nothing.
    "journalctl": """unit= lines=+0
while [ $# -gt 0 ]; do
  case $1 in
    -u) unit=$2; shift 2 ;;
    -n) lines=$2; shift 2 ;;
    --since) shift 2 ;;
    *) echo "unknown option $1" >&2; exit 2 ;;
  esac
done
case $unit in
  'thunse-serve@*') cat "$LOGS"/server-*.log | tail -n "$lines" ;;
  thunse-worker) cat "$LOGS"/worker-*.log | tail -n "$lines" ;;
  *) echo "unknown unit $unit" >&2; exit 2 ;;
esac""",
}


def scaled(rules: str) -> str:
    """The rules with durations of seconds instead of minutes."""

    def shorter(found: re.Match[str]) -> str:
        seconds = int(found[2]) * {"m": 60, "h": 3600}[found[3]] // FACTOR
        return f"{found[1]}{seconds}s"

    rules = rules.replace("offset 1w", f"offset {WEEK}")
    rules = re.sub(r"(\bfor: |\[|\boffset )(\d+)([mh])\b", shorter, rules.replace(f"offset {WEEK}", "offset WEEK"))
    rules = rules.replace("offset WEEK", f"offset {WEEK}")
    return re.sub(r"(invariant_checked_timestamp_seconds\) > )3600", rf"\g<1>{3600 // FACTOR}", rules)


def blocks(text: str, heading: str) -> list[tuple[str, str]]:
    """The lines in the code blocks below a heading of a page, with the language of their block."""
    section = re.split(r"^## ", text, flags=re.M)
    (chosen,) = [part for part in section if part.startswith(f"{heading}\n")]
    found = re.findall(r"^```(\w+)\n(.*?)^```$", chosen, re.M | re.S)
    return [(language, line) for language, lines in found for line in lines.splitlines() if line]


class Pages:
    def __init__(self, stack: Stack, report: Report, prometheus: Prometheus, folder: Path) -> None:
        self.stack, self.report, self.prometheus, self.folder = stack, report, prometheus, folder
        self.seen = ""  # what the commands of the pages of a scenario printed
        for name, text in STAND_INS.items():
            path = folder / name
            path.write_text(f"#!/usr/bin/env bash\n{text}\n")
            path.chmod(path.stat().st_mode | stat.S_IXUSR)

    async def systemctl(self, line: str) -> str:
        """What systemd would do: it restarts also what does not run."""
        _, action, *units = shlex.split(line)
        names = [
            name for unit, name in UNITS.items() if any(re.fullmatch(each.replace("*", ".*"), unit) for each in units)
        ]
        if action not in ("status", "restart") or not names:
            raise SystemExit(f"no stand-in for: {line}")
        if action == "status":
            return "".join(f"{name}: {'active' if is_running(self.stack.pid(name)) else 'failed'}\n" for name in names)
        for name in names:
            if is_running(self.stack.pid(name)):
                await asyncio.to_thread(self.stack.kill, name)
        for name in names:
            await asyncio.to_thread(self.stack.start, name)
        return ""

    async def run_command(self, line: str) -> str:
        """What it prints. Only psql and thunse must succeed: that another command fails may be what it shows."""
        if line.startswith("systemctl "):
            return await self.systemctl(line)
        listens = self.stack.settings["SERVER_0_LISTEN"], self.stack.settings["SERVER_1_LISTEN"]
        places = {"127.0.0.1:8080": listens[0], "127.0.0.1:8081": listens[1]}
        places["https://khalti.com/"] = f"{self.stack.settings['KHALTI_URL']}/"
        command = line
        for old, new in places.items():
            command = command.replace(old, new)
        env = self.stack.process_env() | {"PATH": f"{self.folder}:{os.environ['PATH']}", "LOGS": str(self.stack.folder)}
        env |= {"PGHOST": "127.0.0.1", "PGPORT": self.stack.settings["POSTGRES_PORT"], "PGUSER": "postgres"}
        shell = await asyncio.create_subprocess_exec(
            *("bash", "-c", f"set -o pipefail; {command}"),
            env=env,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            output, _ = await asyncio.wait_for(shell.communicate(), 120)
        except TimeoutError:
            shell.kill()
            output = b"(no answer within two minutes)"
        printed = output.decode(errors="replace")
        must_succeed = re.search(r"\bpsql |\bthunse ", line)
        self.report.expect(not must_succeed or shell.returncode == 0, f"{line}: {printed[-500:]}")
        return printed

    async def run_query(self, line: str) -> str:
        """One line for each series, or nothing."""
        answer = await self.prometheus.ask(line)
        if not self.report.expect(answer["status"] == "success", f"{line}: {answer.get('error')}"):
            return ""
        lines = (
            f"{{{', '.join(f'{name}={text}' for name, text in sorted(series['metric'].items()))}}} {series['value'][1]}"
            for series in answer["data"]["result"]
        )
        return "".join(f"{line}\n" for line in lines)

    async def see(self, page: str) -> str:
        printed = ""
        for language, line in blocks((PAGES / f"{page}.md").read_text(), "How to see it"):
            answer = await (self.run_query(line) if language == "promql" else self.run_command(line))
            self.report.expect(answer or language != "promql", f"{page}: nothing for {line}")
            printed += f"$ {line}\n{answer}"
        return printed

    async def do(self, page: str, pattern: str, **values: str) -> None:
        """The command of 'What to do' that has the pattern; words such as PID are replaced."""
        lines = [
            line for _, line in blocks((PAGES / f"{page}.md").read_text(), "What to do") if re.search(pattern, line)
        ]
        if not self.report.expect(lines, f"{page}: 'What to do' has no command with {pattern}"):
            return
        for line in lines[:1]:
            command = line
            for name, value in values.items():
                command = re.sub(rf"\b{name}\b", value, command)
            print(f"  does: {command}", flush=True)
            print("".join(f"    {each}\n" for each in (await self.run_command(command)).splitlines()[-5:]), end="")

    async def end_blocker(self, page: str) -> None:
        """The first session that the page's query shows."""
        found = re.search(r"^-+\+.*\n +(\d+) \|", self.seen.split("pg_blocking_pids")[-1], re.M)
        if self.report.expect(found, f"{page} shows no session that the others wait for"):
            assert found
            await self.do(page, "pg_terminate_backend", PID=found[1])
