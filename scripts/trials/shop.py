"""The running shop as the trials see it: its addresses, its database, people who call it, its processes."""
import http.client
import json
import os
import secrets
import subprocess
import sys
import threading
import time
import urllib.request
import uuid
from urllib.parse import urlsplit

STATE = os.environ.get("STACK_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".stack"))
env = dict(line.strip().split("=", 1) for line in open(os.path.join(STATE, "env")))
copies = [env[key] for key in sorted(env) if key.startswith("SERVER_") and key.endswith("_URL")]

problems = []


def figure(text):
    print(f"figure: {text}", flush=True)


def expect(holds, text):
    """Notes what does not hold; `finish` fails the trial with all of it."""
    if not holds:
        problems.append(text)
        print(f"NOT SO: {text}", flush=True)
    return holds


def finish():
    for text in problems:
        print(f"failed: {text}")
    sys.exit(1 if problems else 0)


def sql(statement):
    """One statement; returns what it answers, a list of lines."""
    command = ["psql", "-q", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", env["DATABASE_URL"], "-c", statement]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def mailbox(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(env["MAILBOX_URL"] + path, data, {"content-type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def wallet(method, path, body=None):
    """What is said behind the wallet's counter (tools/wallet/README.md)."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(env["KHALTI_URL"] + path, data, {"content-type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def setting(name, default):
    """What the shop's processes were started with."""
    with open(os.path.join(STATE, "settings")) as lines:
        found = dict(line.removeprefix("export ").strip().split("=", 1) for line in lines)
    return found.get(name, default)


class Answer:
    def __init__(self, status, headers, data):
        self.status, self.headers, self.data = status, headers, data

    @property
    def json(self):
        return json.loads(self.data)

    @property
    def code(self):
        try:
            return self.json.get("code")
        except ValueError:
            return None


class Visitor:
    """Somebody with cookies and one connection, from one network address."""

    def __init__(self, url=None, address=None):
        self.url = url or env["SHOP_URL"]
        self.address = address
        self.cookies = {}
        self.connection = None

    def call(self, method, path, body=None, headers=None, timeout=60):
        sent = {"origin": env["SHOP_URL"], "cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        if self.address:
            sent["x-forwarded-for"] = self.address
        if isinstance(body, dict):
            body, sent["content-type"] = json.dumps(body).encode(), "application/json"
        sent.update(headers or {})
        for attempt in (1, 2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=timeout)
            try:
                self.connection.request(method, path, body, sent)
                answer = self.connection.getresponse()
                data = answer.read()
                break
            except (http.client.HTTPException, OSError):
                self.close()
                # A connection kept open may have been closed meanwhile; a new one has no such excuse.
                if attempt == 2:
                    raise
        if answer.headers.get("connection") == "close":
            self.close()
        for line in answer.headers.get_all("set-cookie") or []:
            name, value = line.split(";")[0].split("=", 1)
            if value == "" or "max-age=0" in line.lower():
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        return Answer(answer.status, answer.headers, data)

    def must(self, *arguments, **named):
        answer = self.call(*arguments, **named)
        if answer.status != 200:
            sys.exit(f"{arguments[:2]}: {answer.status} {answer.data[:300]}")
        return answer.json["data"]

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


def form(fields, file=None):
    """A multipart body and its type; `file` is (name of the part, file name, bytes)."""
    mark = uuid.uuid4().hex
    parts = [
        f'--{mark}\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode() for name, value in fields.items()
    ]
    if file:
        part, name, data = file
        head = f'--{mark}\r\ncontent-disposition: form-data; name="{part}"; filename="{name}"\r\ncontent-type: application/octet-stream\r\n\r\n'
        parts += [head.encode(), data, b"\r\n"]
    return b"".join(parts) + f"--{mark}--\r\n".encode(), {"content-type": f"multipart/form-data; boundary={mark}"}


def somebody():
    return {
        "name": "Trial Person",
        "email": f"trial-{uuid.uuid4()}@example.com",
        "password": "jholi-" + secrets.token_urlsafe(12),
        "phone": f"98{secrets.randbelow(90_000_000) + 10_000_000}",
    }


def register(person, visitor=None):
    visitor = visitor or Visitor()
    body, kind = form(person)
    visitor.must("POST", "/api/user/register", body, kind)
    return visitor


def many_people(count, like):
    """Accounts by the thousand, with the password of one that was registered: hashing each would take minutes."""
    mark = uuid.uuid4().hex[:8]
    sql(
        f"""INSERT INTO users (id, email, name, phone, password_hash, email_confirmed_at)
            SELECT gen_random_uuid(), 'crowd-{mark}-' || n || '@example.com', name, phone, password_hash, now()
            FROM users, generate_series(1, {count}) n WHERE email = '{like["email"]}'"""
    )
    return [f"crowd-{mark}-{n}@example.com" for n in range(1, count + 1)]


def process_status(pid, field):
    """A figure of /proc/<pid>/status, in kB where it is memory."""
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith(field + ":"):
                return int(line.split()[1])
    raise KeyError(field)


def children(pid):
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children") as names:
            found += names.read().split()
    return found


class Peak(threading.Thread):
    """Watches the memory of a process, in MB."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.most, self.ended = pid, 0, threading.Event()
        self.idle = process_status(pid, "VmRSS") / 1024
        self.start()

    def run(self):
        while not self.ended.wait(0.05):
            self.most = max(self.most, process_status(self.pid, "VmRSS") / 1024)

    def stop(self):
        self.ended.set()
        self.join()
        return self.most


def wait_until(holds, seconds, every=0.1):
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True
