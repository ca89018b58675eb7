"""Configurations of nginx: the proxy in front of several instances, and ops/nginx.conf itself on this machine."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROXY = """daemon off;
worker_processes 2;
pid {folder}/nginx.pid-file;
error_log stderr warn;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  {temporary}
  upstream shop {{
    {servers}
    keepalive 32;
    keepalive_timeout 5s;
  }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://shop;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Request-Id $request_id;
      proxy_connect_timeout 1s;
      proxy_next_upstream error timeout;
      client_max_body_size 11m;
    }}
  }}
}}
"""


def command(folder: Path, text: str) -> list[str]:
    (folder / "nginx.conf").write_text(text)
    return ["nginx", "-c", f"{folder}/nginx.conf", "-e", f"{folder}/nginx.err"]


def temporary(folder: Path) -> str:
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return " ".join(f"{kind}_temp_path {folder}/nginx-{kind};" for kind in kinds)


def proxy(folder: Path, port: str, addresses: list[str]) -> list[str]:
    """The command of a proxy in front of these instances."""
    servers = "\n    ".join(f"server {address} max_fails=1 fail_timeout=1s;" for address in addresses)
    return command(folder, PROXY.format(folder=folder, temporary=temporary(folder), servers=servers, port=port))


def instances_file(folder: Path) -> Path:
    return folder / "instances.conf"


def local(folder: Path, addresses: list[str], replacements: list[tuple[str, str]]) -> list[str]:
    """The command of nginx with ops/nginx.conf, but for the places of files, the instances and what else is replaced."""
    text = (ROOT / "ops" / "nginx.conf").read_text()
    lines = (f"server {address} max_fails=1 fail_timeout=1s;\n" for address in addresses)
    instances_file(folder).write_text("".join(lines))
    for old, new in (
        *replacements,
        (r"^user .*", "daemon off;"),
        (r"^pid .*", f"pid {folder}/nginx.pid;"),
        (r"^http \{", f"http {{ {temporary(folder)}"),
        (r"^.*listen \[::\].*\n", ""),
        (r"/etc/nginx/snippets/thunse-instances.conf", str(instances_file(folder))),
        (r"/etc/letsencrypt/live/shop.example", str(folder)),
        (r"/var/(log|lib)/nginx", str(folder)),
        (r"/etc/nginx/snippets/thunse-proxy.conf", f"{ROOT}/ops/nginx-proxy.conf"),
    ):
        text = re.sub(old, new, text, flags=re.M)
    return command(folder, text)


def without_tls(folder: Path, port: str, addresses: list[str]) -> list[str]:
    """The proxy of ops/nginx.conf in front of these instances, for clients on this machine."""
    plain = [(r"listen 443 ssl http2", f"listen 127.0.0.1:{port}"), (r"^ +ssl_.*\n", "")]
    # The second server only sends browsers to the first.
    return local(folder, addresses, [*plain, (r"^  server \{\n    listen 80;(.*\n)*?  \}\n", "")])


def public(folder: Path, shop_port: int, http: int, https: int, host: str = "shop.example") -> list[str]:
    """The proxy of ops/nginx.conf, with a certificate of its own."""
    certificate = (
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={host} -addext subjectAltName=DNS:{host}"
    )
    files = ["-keyout", f"{folder}/privkey.pem", "-out", f"{folder}/fullchain.pem"]
    subprocess.run([*certificate.split(), *files], check=True, capture_output=True)
    ports = [(r"listen 443", f"listen 127.0.0.1:{https}"), (r"listen 80", f"listen 127.0.0.1:{http}")]
    return local(folder, [f"127.0.0.1:{shop_port}"], ports)


if __name__ == "__main__":
    shop_port, http, https = map(int, sys.argv[2:])
    public(Path(sys.argv[1]), shop_port, http, https)
