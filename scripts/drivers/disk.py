"""A small file system of its own, so that a full disk can be tried without filling the machine's (needs root), and a library
that makes the flushes of PostgreSQL slow."""

import contextlib
import os
import subprocess
from pathlib import Path

MEGABYTE = 2**20


def mount(folder: Path, megabytes: int) -> None:
    """An ext4 file system in a file beside the folder."""
    folder.mkdir(parents=True)
    image = folder.with_name(f"{folder.name}.ext4")
    with image.open("wb") as file:
        file.truncate(megabytes * MEGABYTE)
    # Nothing is reserved for root, whose programs would otherwise never see a full disk.
    for command in (["mkfs.ext4", "-q", "-m", "0", str(image)], ["mount", "-o", "loop", str(image), str(folder)]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{command[0]}: {done.stderr.strip()}: a file system of its own needs root")


def unmount(folder: Path) -> None:
    if folder.is_mount():
        subprocess.run(["umount", str(folder)], check=True)


def free(folder: Path) -> int:
    """The bytes that are left."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def fill(folder: Path, left: int) -> Path:
    """Takes all space but so many bytes, as a log of another program would; whoever deletes the file gives it back."""
    file = folder / "ballast"
    with file.open("wb") as opened:
        # The file system needs some of the free space for itself.
        os.posix_fallocate(opened.fileno(), 0, max(1, free(folder) - left - MEGABYTE))
        with contextlib.suppress(OSError):
            while free(folder) > left:
                opened.write(bytes(4096))
                opened.flush()
    return file


def slow_flushes(folder: Path) -> tuple[Path, dict[str, str]]:
    """The file that says by how many milliseconds a flush is slower, and the environment in which programs obey it.

    A slow device would need the kernel's device mapper, which not every machine has, and a limit of operations per second
    (io.max) gives no known delay. What PostgreSQL reads and writes without waiting for the disk stays as quick as it is."""
    library, delay = folder / "slow_disk.so", folder / "slow_disk.ms"
    command = ["gcc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(library)]
    done = subprocess.run([*command, str(Path(__file__).with_name("slow_disk.c"))], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"gcc: {done.stderr.strip()}")
    delay.write_text("0")
    return delay, {"LD_PRELOAD": str(library), "SLOW_DISK_FILE": str(delay)}
