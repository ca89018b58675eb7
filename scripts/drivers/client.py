"""The one HTTP client of the drivers: cookies, forms, and one connection that stays open; each request runs in a thread."""

import asyncio
import http.client
import json
import uuid
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

Cookies = dict[str, str]
# What a request ends with when no whole response came; the caller decides what that means.
NO_RESPONSE = (OSError, http.client.HTTPException)
THREADS = ThreadPoolExecutor(256)


@dataclass
class Response:
    status: int
    body: bytes

    @property
    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            return {}

    @property
    def data(self) -> Any:
        return self.json.get("data") if isinstance(self.json, dict) else None

    @property
    def kind(self) -> str:
        """'200', or the status with the code that the response gives."""
        code = self.json.get("code", "?") if isinstance(self.json, dict) else "?"
        return "200" if self.status == 200 else f"{self.status} {code}"

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


Body = Mapping[str, Any] | Form | None


class Client:
    """One connection, opened again when it was closed. `origin` is the address that the shop knows itself by."""

    def __init__(self, url: str, origin: str = "", cookies: Cookies | None = None) -> None:
        self.connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=120)
        self.origin, self.cookies = origin or url, {} if cookies is None else cookies
        # Browsers send a request again on a connection that turns out to be closed; chaos tests count it instead.
        self.repeats = True

    def close(self) -> None:
        self.connection.close()

    async def request(
        self, method: str, path: str, body: Body = None, cookies: Cookies | None = None, key: str = ""
    ) -> Response:
        """Raises one of NO_RESPONSE where no whole response came. `key` is the idempotency key."""
        jar = self.cookies if cookies is None else cookies
        headers = {"origin": self.origin, "cookie": "; ".join(f"{name}={value}" for name, value in jar.items())}
        headers["content-type"] = "application/json"
        if isinstance(body, Form):
            headers["content-type"], data = f"multipart/form-data; boundary={body.boundary}", body.encode()
        else:
            data = b"" if body is None else json.dumps(body).encode()
        if key:
            headers["idempotency-key"] = key
        loop = asyncio.get_running_loop()
        response, set_cookies = await loop.run_in_executor(THREADS, self.exchange, method, path, data, headers)
        for line in set_cookies:
            name, _, value = line.split(";")[0].partition("=")
            jar[name] = value
            if value == "" or "max-age=0" in line.lower():
                del jar[name]
        return response

    async def must(self, method: str, path: str, body: Body = None, cookies: Cookies | None = None) -> Any:
        """The data of a response that has to be a success."""
        response = await self.request(method, path, body, cookies)
        if response.status != 200:
            raise SystemExit(f"{method} {path}: {response}")
        return response.data if isinstance(response.json, dict) and "data" in response.json else response.json

    def exchange(self, method: str, path: str, data: bytes, headers: dict[str, str]) -> tuple[Response, list[str]]:
        was_open = self.connection.sock is not None
        try:
            self.connection.request(method, path, data, headers)
            found = self.connection.getresponse()
            return Response(found.status, found.read()), found.headers.get_all("set-cookie", [])
        except ConnectionError:
            self.connection.close()
            if not was_open or not self.repeats:
                raise
            return self.exchange(method, path, data, headers)
        except BaseException:
            self.connection.close()
            raise
