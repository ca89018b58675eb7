#!/usr/bin/env python3
"""A mailbox for tests and development: takes every message over SMTP, keeps it in memory and shows it over HTTP.

  mailbox.py [--smtp-port N] [--http-port N] [--refuse]     port 0, the default, is any free one

When both ports answer, it prints SMTP_PORT=… and HTTP_PORT=… on standard output. It ends on SIGTERM, or when its
standard input closes and --with-parent was given, so that a test that is killed leaves no mailbox behind.

  GET    /                    the emails, newest first, for people; /message/<id> one of them
  GET    /emails?to=a@b       JSON, newest last; without `to` all: id, to, from, subject, text, html, headers, at
  GET    /recipients          JSON: how many emails each address has
  DELETE /emails              deletes all of them
  GET    /mode                {"accept": true, "delayMs": 0, "refusal": 451}
  POST   /mode                changes it: accept false answers the status `refusal` to every message (550: for good),
                              delayMs makes each one slow
"""

import argparse
import asyncio
import html
import json
import signal
import sys
import threading
from collections import Counter
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default as modern
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from aiosmtpd.smtp import SMTP, Envelope, Session

# An email or a mode, as it is shown in JSON.
Json = dict[str, Any]

emails: list[Json] = []
numbers = iter(range(1, sys.maxsize))
mode: Json = {"accept": True, "delayMs": 0, "refusal": 451}
lock = threading.Lock()


def read(envelope: Envelope) -> Json:
    content = envelope.original_content or b""
    message = message_from_bytes(content, policy=modern)
    parts = {"plain": "", "html": ""}
    for kind in parts:
        body = message.get_body(preferencelist=(kind,))
        if body is not None:
            parts[kind] = body.get_content()
    return {
        "id": next(numbers),
        "to": list(envelope.rcpt_tos),
        "from": envelope.mail_from,
        "subject": str(message["subject"] or ""),
        "text": parts["plain"],
        "html": parts["html"],
        "attachments": [
            {"name": part.get_filename(), "type": part.get_content_type(), "bytes": len(part.get_content())}
            for part in message.iter_attachments()
        ],
        "headers": {name.lower(): str(value) for name, value in message.items()},
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
    }


def refusal() -> str:
    return f"{mode['refusal']} 4.3.2 The mailbox is closed"


class Postman:
    """What aiosmtpd calls for each step of a message."""

    async def handle_MAIL(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not mode["accept"]:
            return refusal()
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        await asyncio.sleep(mode["delayMs"] / 1000)
        if not mode["accept"]:
            return refusal()
        message = read(envelope)
        with lock:
            emails.append(message)
        return "250 OK"


def listing() -> str:
    with lock:
        rows = "".join(
            f'<li><time>{message["at"]}</time> <a href="/message/{message["id"]}">{html.escape(message["subject"])}</a>'
            f" to {html.escape(', '.join(message['to']))}</li>"
            for message in reversed(emails)
        )
    return page(
        "Mailbox", f"<h1>Mailbox</h1><ol reversed>{rows}</ol>" if rows else "<h1>Mailbox</h1><p>No emails yet.</p>"
    )


def one(message: Json) -> str:
    headers = "".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>" for name, value in message["headers"].items()
    )
    # The email's HTML is in a sandboxed frame, which can neither run scripts nor access this page.
    frame = (
        f'<iframe sandbox="allow-popups" title="HTML" src="/message/{message["id"]}/html"></iframe>'
        if message["html"]
        else ""
    )
    text = html.escape(message["text"])
    return page(message["subject"], f'<p><a href="/">Mailbox</a></p><dl>{headers}</dl><pre>{text}</pre>{frame}')


def page(title: str, body: str) -> str:
    style = (
        "body{font:16px/1.5 sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}"
        "pre{white-space:pre-wrap;border:1px solid #ccc;padding:1rem}iframe{width:100%;height:40rem;border:1px solid #ccc}"
        "dt{font-weight:bold}dd{margin:0 0 .5rem}"
    )
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title><style>{style}</style>{body}'


class Api(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        place = url.path.strip("/").split("/")
        if url.path == "/":
            self.answer(200, listing(), "text/html; charset=utf-8")
        elif url.path == "/emails":
            wanted = parse_qs(url.query).get("to", [""])[0]
            with lock:
                found = [each for each in emails if not wanted or wanted.lower() in (to.lower() for to in each["to"])]
            self.answer(200, found)
        elif url.path == "/recipients":
            with lock:
                self.answer(200, Counter(to for each in emails for to in each["to"]))
        elif url.path == "/mode":
            self.answer(200, mode)
        elif place[0] == "message" and len(place) in (2, 3):
            with lock:
                message = next((each for each in emails if str(each["id"]) == place[1]), None)
            if message is None:
                self.answer(404, {"error": "no such message"})
            else:
                self.answer(200, message["html"] if place[2:] == ["html"] else one(message), "text/html; charset=utf-8")
        else:
            self.answer(404, {"error": "not found"})

    def do_DELETE(self) -> None:
        if self.path != "/emails":
            return self.answer(404, {"error": "not found"})
        with lock:
            emails.clear()
        self.answer(200, {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path != "/mode":
            return self.answer(404, {"error": "not found"})
        try:
            wanted = json.loads(body)
        except ValueError:
            return self.answer(400, {"error": "not JSON"})
        if not isinstance(wanted, dict) or not set(wanted) <= set(mode):
            return self.answer(400, {"error": f"knows only {', '.join(mode)}"})
        mode.update(wanted)
        self.answer(200, mode)

    def answer(self, status: int, body: Any, kind: str = "application/json") -> None:
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


async def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--smtp-port", type=int, default=0)
    options.add_argument("--http-port", type=int, default=0)
    options.add_argument("--refuse", action="store_true", help="start with accept false")
    options.add_argument("--with-parent", action="store_true", help="end when standard input closes")
    chosen = options.parse_args()
    mode["accept"] = not chosen.refuse

    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, ended.set)
    smtp = await loop.create_server(
        lambda: SMTP(Postman(), enable_SMTPUTF8=True, hostname="mailbox.example", loop=loop),
        "127.0.0.1",
        chosen.smtp_port,
    )
    web = Server(("127.0.0.1", chosen.http_port), Api)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    if chosen.with_parent:

        def watch() -> None:
            sys.stdin.buffer.read()
            loop.call_soon_threadsafe(ended.set)

        threading.Thread(target=watch, daemon=True).start()
    print(f"SMTP_PORT={smtp.sockets[0].getsockname()[1]}\nHTTP_PORT={web.server_address[1]}", flush=True)
    await ended.wait()
    smtp.close()
    web.shutdown()


asyncio.run(main())
