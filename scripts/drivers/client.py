"""The one HTTP client of the drivers: asyncio, HTTP/1.1, one kept connection, cookies."""

import asyncio
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

Cookies = dict[str, str]
# What a request ends with when no whole answer came; the caller decides what that means.
NO_ANSWER = (OSError, EOFError, asyncio.TimeoutError)


@dataclass
class Response:
    status: int
    body: bytes
    headers: list[tuple[str, str]] = field(default_factory=list)

    @property
    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            return {}

    @property
    def data(self) -> Any:
        found = self.json
        return found.get("data") if isinstance(found, dict) else None

    @property
    def kind(self) -> str:
        """'200', or the status with the code that the answer gives."""
        if self.status == 200:
            return "200"
        found = self.json
        return f"{self.status} {found.get('code', '?') if isinstance(found, dict) else '?'}"

    def __str__(self) -> str:
        return f"{self.status} {self.body[:200].decode(errors='replace')}"


@dataclass
class Form:
    """A multipart body; `file` is (name of the part, file name, bytes)."""

    fields: Mapping[str, str]
    file: tuple[str, str, bytes] | None = None
    boundary: str = field(default_factory=lambda: uuid.uuid4().hex)

    def encode(self) -> bytes:
        start = f'--{self.boundary}\r\ncontent-disposition: form-data; name="'
        parts = [f'{start}{name}"\r\n\r\n{value}\r\n'.encode() for name, value in self.fields.items()]
        if self.file:
            name, file_name, data = self.file
            kind = "content-type: application/octet-stream"
            parts += [f'{start}{name}"; filename="{file_name}"\r\n{kind}\r\n\r\n'.encode(), data, b"\r\n"]
        return b"".join(parts) + f"--{self.boundary}--\r\n".encode()


Body = bytes | Mapping[str, Any] | list[Any] | Form | None


def encode(body: Body) -> tuple[bytes, str]:
    """The bytes of a body and their content type."""
    if isinstance(body, Form):
        return body.encode(), f"multipart/form-data; boundary={body.boundary}"
    if isinstance(body, bytes):
        return body, "application/json"
    return (b"" if body is None else json.dumps(body).encode()), "application/json"


def keep_cookies(cookies: Cookies, headers: list[tuple[str, str]]) -> None:
    for name, value in headers:
        if name == "set-cookie":
            cookie, _, text = value.split(";")[0].partition("=")
            if text == "" or "max-age=0" in value.lower():
                cookies.pop(cookie, None)
            else:
                cookies[cookie] = text


class Client:
    """One connection, opened again when it was closed. `origin` is the address that the shop knows itself by."""

    def __init__(self, url: str, origin: str = "", cookies: Cookies | None = None, timeout: float = 120) -> None:
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 80
        self.origin, self.timeout = origin or url, timeout
        self.cookies: Cookies = {} if cookies is None else cookies
        # Browsers repeat a request on a connection that turns out to be closed; chaos drivers count the cut instead.
        self.repeats = True
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self.streams is None:
            self.streams = await asyncio.open_connection(self.host, self.port)
        return self.streams

    def close(self) -> None:
        if self.streams:
            self.streams[1].close()
        self.streams = None

    async def request(
        self,
        method: str,
        path: str,
        body: Body = None,
        cookies: Cookies | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Response:
        """Raises one of NO_ANSWER where no whole answer came."""
        jar = self.cookies if cookies is None else cookies
        data, kind = encode(body)
        sent = {
            "host": f"{self.host}:{self.port}",
            "origin": self.origin,
            "cookie": "; ".join(f"{name}={value}" for name, value in jar.items()),
            "content-type": kind,
            "content-length": str(len(data)),
            **(headers or {}),
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        try:
            response = await asyncio.wait_for(
                self._exchange(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + data), timeout or self.timeout
            )
        except BaseException:
            self.close()
            raise
        keep_cookies(jar, response.headers)
        return response

    async def must(self, method: str, path: str, body: Body = None, **more: Any) -> Any:
        """The data of an answer that has to be a success."""
        response = await self.request(method, path, body, **more)
        if response.status != 200:
            raise SystemExit(f"{method} {path}: {response}")
        return response.data if isinstance(response.json, dict) and "data" in response.json else response.json

    async def _exchange(self, request: bytes) -> Response:
        is_fresh = self.streams is None
        reader, writer = await self.open()
        try:
            writer.write(request)
            return await self._read(reader)
        except (ConnectionError, asyncio.IncompleteReadError) as error:
            self.close()
            has_begun = isinstance(error, asyncio.IncompleteReadError) and error.partial
            if is_fresh or not self.repeats or has_begun:
                raise
        reader, writer = await self.open()
        writer.write(request)
        return await self._read(reader)

    async def _read(self, reader: asyncio.StreamReader) -> Response:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = [
            (name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines[1:] if line)
        ]
        fields = dict(headers)
        if fields.get("transfer-encoding") == "chunked":
            data = b""
            while size := int(await reader.readline(), 16):
                data += (await reader.readexactly(size + 2))[:-2]
            await reader.readline()
        else:
            data = await reader.readexactly(int(fields.get("content-length", 0)))
        if fields.get("connection") == "close":
            self.close()
        return Response(int(lines[0].split()[1]), data, headers)
