"""A PostgreSQL of its own with standbys that copy it, for a server test: prints PRIMARY_PORT, and STANDBY_0_PORT and
STANDBY_0_PID of each standby, STANDBYS at last. Serves until its standard input closes, and leaves nothing behind. Its data is in
memory if there is enough of it, and is not flushed, because it is thrown away.

  python3 -m drivers.standby [COUNT]"""

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from drivers import disk
from drivers.postgres import IS_ROOT, Postgres, create_database
from drivers.processes import free_ports

MEMORY = Path("/dev/shm")
SETTINGS = {"PG_SHARED_BUFFERS": "32MB", "PG_MAX_WAL_SIZE": "1GB", "PG_FSYNC": "off"}


def copy(primary_port: int, standby: Postgres) -> None:
    standby.folder.mkdir()
    if IS_ROOT:
        shutil.chown(standby.folder, "postgres", "postgres")
    source = f"host=127.0.0.1 port={primary_port} user=postgres"
    done = standby.run("pg_basebackup", "--write-recovery-conf", "--checkpoint=fast", "--no-sync", f"--dbname={source}")
    if done.returncode:
        raise SystemExit(done.stdout)
    standby.configure(f"unix_socket_directories = '{standby.folder}'\n")


def serve(folder: Path, count: int) -> None:
    primary, *standbys = (Postgres(folder / str(number)) for number in range(count + 1))
    primary_port, *ports = free_ports(count + 1)
    try:
        primary.create(SETTINGS, [])
        primary.configure("wal_keep_size = 512MB\n")
        primary.start(primary_port)
        create_database(primary_port, "")
        print(f"PRIMARY_PORT={primary_port}", flush=True)
        for number, (standby, port) in enumerate(zip(standbys, ports, strict=True)):
            copy(primary_port, standby)
            standby.start(port)
            print(f"STANDBY_{number}_PORT={port}\nSTANDBY_{number}_PID={standby.pid}", flush=True)
        print(f"STANDBYS={count}", flush=True)
        sys.stdin.read()
    finally:
        # A clean end would take longer, and nobody reads the data again.
        for each in (*standbys, primary):
            if (each.data / "postmaster.pid").exists():
                each.run("pg_ctl", "-m", "immediate", "-w", "stop")


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    has_space = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and disk.free(MEMORY) > 2048 * disk.MEGABYTE
    folder = Path(tempfile.mkdtemp(prefix="thunse-standby-", dir=MEMORY if has_space else None))
    folder.chmod(0o755)
    try:
        serve(folder, int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
