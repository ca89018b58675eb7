"""Many buyers at once: people, goods and the seller as rows, calls over asyncio, and what must hold afterwards."""
import asyncio
import hashlib
import json
import math
import resource
import statistics
import subprocess
import sys
import uuid
from collections import Counter
from urllib.parse import urlsplit

from shop import Visitor, copies, env, expect, figure

PLACE = "/api/order/place_order_COD"
PLACE_ONLINE = "/api/order/place_order_online"
STATUSES = ["Order Placed", "Order Confirmed", "Order Shipped", "Out for Delivery", "Delivered", "Cancelled"]
ADDRESS = "Baneshwor-10, Kathmandu"


def rows(statement):
    """One statement; its answer as a list of lists of texts."""
    command = ["psql", "-q", "-X", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", env["DATABASE_URL"], "-c", statement]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stderr.strip()}\nin: {statement[:300]}")
    return [line.split("\t") for line in done.stdout.splitlines() if line]


def one(statement):
    return rows(statement)[0][0]


class Person:
    """An account with a session of its own, made as rows: registering by the thousand would be an hour of Argon2."""

    def __init__(self, id_, email, token):
        self.id, self.email, self.cookie = id_, email, f"__Host-sid={token}"


def people(count):
    mark = uuid.uuid4().hex[:10]
    token = "substr(encode(sha256(convert_to('%s-' || n, 'UTF8')), 'hex'), 1, 43)" % mark
    rows(
        f"""WITH made AS (
                INSERT INTO users (id, email, name, phone, address, email_confirmed_at)
                SELECT gen_random_uuid(), 'crowd-{mark}-' || n || '@example.com', 'Trial Person', '9841234567', '{ADDRESS}', now()
                FROM generate_series(1, {count}) n RETURNING id, email)
            INSERT INTO sessions (id, kind, person, token_hash, expires_at)
            SELECT gen_random_uuid(), 'shopper', made.id, sha256(convert_to({token}, 'UTF8')), now() + interval '1 day'
            FROM made JOIN generate_series(1, {count}) n ON made.email = 'crowd-{mark}-' || n || '@example.com'"""
    )
    found = dict(rows(f"SELECT email, id FROM users WHERE email LIKE 'crowd-{mark}-%'"))
    made = []
    for n in range(1, count + 1):
        email = f"crowd-{mark}-{n}@example.com"
        made.append(Person(found[email], email, hashlib.sha256(f"{mark}-{n}".encode()).hexdigest()[:43]))
    return made


class Thing:
    def __init__(self, id_, price, slug=""):
        self.id, self.price, self.slug = id_, price, slug


def goods(stocks, price=10_000):
    """Products of this trial alone, each with that stock; `price` in paisa, a number or one for each."""
    mark = uuid.uuid4().hex[:10]
    prices = price if isinstance(price, list) else [price] * len(stocks)
    values = ", ".join(f"({n}, {stock}, {cost})" for n, (stock, cost) in enumerate(zip(stocks, prices)))
    rows(
        f"""WITH wanted (n, stock, price) AS (VALUES {values}), made AS (
                INSERT INTO products (id, category_id, slug, name, name_ne, price_paisa, stock)
                SELECT gen_random_uuid(), (SELECT id FROM categories ORDER BY position LIMIT 1), 'trial-{mark}-' || n, 'Trial {mark} ' || n,
                       'परीक्षण ' || n, price, stock FROM wanted RETURNING id, stock)
            INSERT INTO stock_movements (product_id, delta, reason) SELECT id, stock, 'first stock' FROM made WHERE stock <> 0"""
    )
    found = dict(rows(f"SELECT slug, id FROM products WHERE slug LIKE 'trial-{mark}-%'"))
    return [Thing(found[slug], cost, slug) for slug, cost in ((f"trial-{mark}-{n}", cost) for n, cost in enumerate(prices))]


def bill(lines):
    """The figures of a cart, [(thing, quantity)], in paisa: the same rule as the shop's, written once more."""
    subtotal = sum(thing.price * quantity for thing, quantity in lines)
    tax = (subtotal * 13 + 50) // 100
    shipping = 0 if subtotal > 100_000 else 2_000
    return subtotal, tax, shipping, subtotal + tax + shipping


def order_body(person, lines, **other):
    _, tax, shipping, total = bill(lines)
    body = {
        "items": [{"id": thing.id, "quantity": quantity} for thing, quantity in lines],
        "address": ADDRESS, "totalAmount": total / 100, "shippingFee": shipping / 100, "tax": tax / 100, "paymentMethod": "COD",
        "name": "Trial Person", "email": person.email, "phone": "9841234567",
    }  # fmt: skip
    return json.dumps({**body, **other}).encode()


class Reply:
    def __init__(self, status, data):
        self.status, self.data = status, data

    @property
    def json(self):
        try:
            return json.loads(self.data)
        except ValueError:
            return {}

    @property
    def kind(self):
        """'200', or the status with the code that the answer gives."""
        return str(self.status) if self.status == 200 else f"{self.status} {self.json.get('code', '?')}"


class Line:
    """One connection to one copy of the server, opened again when it was closed."""

    def __init__(self, url, timeout=30):
        self.host, self.port = urlsplit(url).hostname, urlsplit(url).port
        self.timeout, self.reader, self.writer = timeout, None, None
        # Whether a kept connection that turns out to be closed is opened again without a word, as browsers do.
        self.reopens = True

    async def open(self):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port)

    def close(self):
        if self.writer:
            self.writer.close()
        self.reader = self.writer = None

    async def call(self, method, path, cookie="", body=b"", key=None, authorization=None, kind="application/json"):
        """Raises OSError, EOFError or TimeoutError where no whole answer came; the caller decides what that means."""
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: {self.host}:{self.port}\r\norigin: {env['SHOP_URL']}\r\ncookie: {cookie}\r\n"
            f"content-type: {kind}\r\ncontent-length: {len(body)}\r\n" + (f"idempotency-key: {key}\r\n" if key else "")
            + (f"authorization: {authorization}\r\n" if authorization else "")
        )
        try:
            return await asyncio.wait_for(self._send(f"{head}\r\n".encode() + body), self.timeout)
        except BaseException:
            self.close()
            raise

    async def _send(self, request):
        fresh = self.writer is None
        await self.open()
        try:
            self.writer.write(request)
            return await self._read()
        except (ConnectionError, asyncio.IncompleteReadError) as error:
            self.close()
            # A kept connection may have been closed meanwhile: nothing was read of an answer, and a key makes a repeat safe.
            if fresh or not self.reopens or getattr(error, "partial", b""):
                raise
        await self.open()
        self.writer.write(request)
        return await self._read()

    async def _read(self):
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        if fields.get("transfer-encoding") == "chunked":
            data = b""
            while size := int(await self.reader.readline(), 16):
                data += (await self.reader.readexactly(size + 2))[:-2]
            await self.reader.readline()
        else:
            data = await self.reader.readexactly(int(fields.get("content-length", 0)))
        if fields.get("connection") == "close":
            self.close()
        return Reply(int(head[0].split()[1]), data)

    async def place(self, person, body, key):
        return await self.call("POST", PLACE, person.cookie, body, key)


def another_seller():
    """The e-mail address of a seller with the password of the one that scripts/stack has made; they come from the command line only."""
    email = f"seller-{uuid.uuid4()}@thunse.example"
    rows(
        f"""INSERT INTO sellers (id, email, name, password_hash)
            SELECT gen_random_uuid(), '{email}', 'Gita', password_hash FROM sellers WHERE email = '{env["SELLER_EMAIL"]}'"""
    )
    return email


def seller_cookie(email=None):
    visitor = Visitor()
    visitor.must("POST", "/api/seller/login", {"email": email or env["SELLER_EMAIL"], "password": env["SELLER_PASSWORD"]})
    return f"__Host-ssid={visitor.cookies['__Host-ssid']}"


class Desk:
    """One psql that stays open: what the seller's product calls will do, by the catalogue's own rule."""

    async def open(self):
        command = ["psql", "-q", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", env["DATABASE_URL"]]
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
        return self

    async def do(self, statement):
        self.process.stdin.write(f"{statement};\n\\echo done\n".encode())
        while (line := await self.process.stdout.readline()) != b"done\n":
            if not line:
                sys.exit(f"psql ended at: {statement}")

    async def change_stock(self, thing, delta):
        await self.do(
            f"""WITH was AS (SELECT id, stock FROM products WHERE id = '{thing.id}' FOR NO KEY UPDATE),
                     changed AS (UPDATE products p SET stock = greatest(0, was.stock + {delta}) FROM was WHERE p.id = was.id
                                 RETURNING p.id, p.stock - was.stock AS delta)
                INSERT INTO stock_movements (product_id, delta, reason) SELECT id, delta, 'seller set' FROM changed WHERE delta <> 0"""
        )

    async def close(self):
        self.process.stdin.close()
        await self.process.wait()


def violations():
    return rows("SELECT invariant, what, detail FROM invariant_violations LIMIT 20")


def expect_sound():
    """Nothing that the shop promises itself is broken."""
    broken = violations()
    expect(not broken, f"invariants are broken: {broken[:5]}")


def placed_by(crowd):
    """(user id, key, order's id, orderId) of everything that these people placed."""
    names = ", ".join(f"'{person.id}'" for person in crowd)
    return rows(
        f"""SELECT o.user_id, coalesce(p.key::text, '-'), o.id, o.code FROM orders o LEFT JOIN placings p ON p.order_id = o.id
            WHERE o.user_id IN ({names})"""
    )


def stock_of(thing):
    return int(one(f"SELECT stock FROM products WHERE id = '{thing.id}'"))


def deadlocks():
    return int(one("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))


def quantile(times, part):
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, math.ceil(part * len(ordered)) - 1)] if ordered else 0.0


def spread(times):
    return f"p50 {statistics.median(times) * 1000:.0f} ms, p99 {quantile(times, 0.99) * 1000:.0f} ms"


def said(kinds: Counter):
    return ", ".join(f"{count} x {kind}" for kind, count in kinds.most_common())


def many_files():
    """A connection for every buyer is more than a shell allows at first."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65_536) if most > 0 else 65_536, most))


def is_short(argv):
    return "--short" in argv


def new_key():
    return str(uuid.uuid4())


def line_to(number):
    return Line(copies[number % len(copies)])


__all__ = [name for name in dir() if not name.startswith("_")]
assert figure  # what the trials print with, offered from here too
