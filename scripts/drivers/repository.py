"""The repository that pgBackRest backs up to, with the lines of ops/pgbackrest/pgbackrest.conf: a folder, or an S3 server that
speaks TLS with a certificate of its own authority."""

import json
import re
import secrets
import subprocess
from collections.abc import Callable
from pathlib import Path

from drivers.report import ROOT, Report
from drivers.stack import Stack

OPS = ROOT / "ops" / "pgbackrest"
KINDS = ["s3", "folder"]
# How every file begins that pgBackRest has encrypted.
ENCRYPTED = b"Salted__"


def configuration(kind: str) -> str:
    """The file as an operator edits it: for S3 the line with the folder goes, and the lines below it count."""
    text = (OPS / "pgbackrest.conf").read_text()
    return (
        text
        if kind == "folder"
        else re.sub(r"^#(repo1-)", r"\1", re.sub(r"^repo1-path=.*\n", "", text, flags=re.M), flags=re.M)
    )


def settings(kind: str, folder: Path, stack: Stack) -> dict[str, str]:
    """What differs from the file on this machine; starts the S3 server."""
    own = {"CIPHER_PASS": secrets.token_urlsafe(48)}
    if kind == "folder":
        own["PATH"] = f"{folder}/repository"
    else:
        certificate, key = folder / "s3.crt", folder / "s3.key"
        command = (
            "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
        )
        files = ["-keyout", str(key), "-out", str(certificate)]
        subprocess.run([*command.split(), *files], check=True, capture_output=True)
        certificate.chmod(0o644)
        server = stack.spawn_helper(
            "s3", "S3_SECRET_KEY", ["tools/s3/serve", "--stay", "--tls", str(certificate), str(key)]
        )
        own |= {
            "S3_BUCKET": server["S3_BUCKET"],
            "S3_ENDPOINT": "localhost",
            "S3_REGION": "us-east-1",
            "S3_KEY": server["S3_ACCESS_KEY"],
            "S3_KEY_SECRET": server["S3_SECRET_KEY"],
            "STORAGE_PORT": server["S3_TLS_PORT"],
            "STORAGE_CA_FILE": str(certificate),
        }
    return {f"PGBACKREST_REPO1_{name}": value for name, value in own.items()}


def expect_certificate_checked(command: list[str], env: dict[str, str], report: Report) -> None:
    """A server whose certificate is not of the authority that was named gets nothing."""
    wrong = {**env, "PGBACKREST_REPO1_STORAGE_CA_FILE": "/etc/ssl/certs/ca-certificates.crt"}
    done = subprocess.run([*command, "repo-ls"], env=wrong, cwd="/", capture_output=True, text=True)
    is_refused = done.returncode != 0 and "unable to verify certificate" in done.stdout + done.stderr
    report.expect(is_refused, f"a server with another certificate was accepted: {done.stdout}{done.stderr}")


def expect_encrypted(run: Callable[..., bytes], report: Report) -> None:
    """Nothing in the repository can be read without the passphrase."""
    found = json.loads(run("repo-ls", "--recurse", "--output=json"))
    files = [name for name, entry in found.items() if entry["type"] == "file"]
    # All of them would take minutes: each is fetched by a process of its own.
    some = [*(name for name in files if ".info" in name or "manifest" in name), *files[:: max(1, len(files) // 20)]]
    plain = [name for name in some if not run("repo-get", "--raw", name).startswith(ENCRYPTED)]
    report.expect(not plain, f"these files are not encrypted: {plain}")
    report.figure("files in the repository", len(files))
    report.figure("size of the repository", sum(found[name].get("size", 0) for name in files) / 2**20, "MB")


def expect_rotation(run: Callable[..., bytes], report: Report) -> None:
    """When a full backup goes, so do the differential ones after it and the WAL before the next; thirty days are not awaited."""
    before = backups(run)
    run("--repo1-retention-full-type=count", "--repo1-retention-full=1", "expire")
    left = backups(run)
    report.expect(len(before) > 1 and left == before[-1:], f"of the backups {before} these are left: {left}")
    [stanza] = json.loads(run("info", "--output=json"))
    oldest = stanza["archive"][-1]["min"]
    needed = stanza["backup"][-1]["archive"]["start"]
    report.expect(oldest == needed, f"the oldest WAL is {oldest}, and {needed} is the oldest that is needed")


def backups(run: Callable[..., bytes]) -> list[str]:
    [stanza] = json.loads(run("info", "--output=json"))
    return [backup["label"] for backup in stanza["backup"]]
