"""Processes and ports of this machine."""

import os
import random
import signal
import socket
import sys
import time
from collections.abc import Iterable
from pathlib import Path

HZ = os.sysconf("SC_CLK_TCK")


def is_free(port: int) -> bool:
    with socket.socket() as server:
        try:
            server.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_ports(count: int) -> list[int]:
    """Different free ports, below those that the system lends to outgoing connections: a server that was killed starts
    again where it was, and a client of some other server could meanwhile have been lent that port."""
    lent = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    # Where the system lends nearly all of them, the usual ones are as good as any.
    below = lent if lent > 17_000 else 32_768
    found = filter(is_free, random.sample(range(15_000, below), 1_000))
    return [next(found) for _ in range(count)]


def stat_of(pid: int | str) -> list[str] | None:
    """The fields of /proc/PID/stat after the command: state, parent, …"""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return text[text.rindex(")") + 2 :].split()


def is_running(pid: int) -> bool:
    """A process that has ended stays listed until its parent asks for its exit code; that one does not count."""
    fields = stat_of(pid)
    return fields is not None and fields[0] != "Z"


def ended(pids: Iterable[int], seconds: float) -> bool:
    """Waits until none of the processes runs."""
    deadline = time.monotonic() + seconds
    while left := [pid for pid in pids if is_running(pid)]:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return not left


def send(signal_: signal.Signals, *pids: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, signal_)
        except ProcessLookupError:
            continue


def family(root: int) -> dict[int, int]:
    """A process and all below it, with their clock ticks, ended children included."""
    table = {int(entry): stat_of(entry) for entry in os.listdir("/proc") if entry.isdigit()}
    found, todo = {}, [root]
    while todo:
        pid = todo.pop()
        if fields := table.get(pid):
            found[pid] = sum(map(int, fields[11:15]))
            todo += [child for child, theirs in table.items() if theirs and int(theirs[1]) == pid]
    return found


def cpu_of(root: int) -> float:
    """CPU seconds of a process and all below it: on a shared machine wall-clock rates say little."""
    return sum(family(root).values()) / HZ


if __name__ == "__main__":
    print(*free_ports(int(sys.argv[1])))
