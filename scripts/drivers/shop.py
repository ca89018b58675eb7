"""Shoppers, products and orders, made through the API, and what the database must say afterwards."""

import asyncio
import os
import resource
import subprocess
import uuid
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from drivers.client import Client, Cookies, Form, Response
from drivers.report import Report
from drivers.stack import Stack

PLACE = "/api/order/place_order_COD"
PLACE_ONLINE = "/api/order/place_order_online"
VERIFY = "/api/order/verify_khalti_payment"
CANCEL = "/api/order/cancel_order"
SET_STATUS = "/api/order/update_order_status"
STATUSES = ["Order Placed", "Order Confirmed", "Order Shipped", "Out for Delivery", "Delivered", "Cancelled"]
ADDRESS = "Baneshwor-10, Kathmandu"
PHONE = "9841234567"
PASSWORD = "jholi-full-of-tarkari-42"


@dataclass
class Shopper:
    id: str
    email: str
    cookies: Cookies = field(default_factory=dict)


@dataclass
class Product:
    id: str
    slug: str
    price: int  # in paisa

    def __hash__(self) -> int:
        return hash(self.id)


Lines = list[tuple[Product, int]]


@dataclass
class Bill:
    """The figures of a cart in paisa: the same rule as the shop's, written once more."""

    tax: int
    shipping: int
    total: int

    @classmethod
    def of(cls, lines: Lines) -> "Bill":
        subtotal = sum(product.price * quantity for product, quantity in lines)
        tax = (subtotal * 13 + 50) // 100
        shipping = 0 if subtotal > 100_000 else 2_000
        return cls(tax, shipping, subtotal + tax + shipping)


def order_body(shopper: Shopper, lines: Lines, method: str = "COD") -> dict[str, Any]:
    bill = Bill.of(lines)
    return {
        "items": [{"id": product.id, "quantity": quantity} for product, quantity in lines],
        "totalAmount": bill.total / 100,
        "shippingFee": bill.shipping / 100,
        "tax": bill.tax / 100,
        "paymentMethod": method,
        **{"name": "Test Shopper", "email": shopper.email, "phone": PHONE, "address": ADDRESS},
    }


def new_key() -> str:
    return str(uuid.uuid4())


def pidx_of(response: Response) -> str | None:
    """The wallet's name for the payment that an answer sends the shopper to."""
    address = (response.data or {}).get("payment_url") if response.status == 200 else None
    return parse_qs(urlsplit(address).query)["pidx"][0] if address else None


class Shop:
    def __init__(self, stack: Stack) -> None:
        self.stack, self.instances = stack, stack.instances
        self.url, self.env = stack.env["SHOP_URL"], stack.env
        # A connection for every shopper is more than a shell allows at first.
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65_536) if most > 0 else 65_536, most))

    def client(self, number: int = 0, cookies: Cookies | None = None) -> Client:
        """A connection to one of the instances, past the proxy."""
        return Client(self.instances[number % len(self.instances)], self.url, cookies)

    def wallet(self) -> Client:
        return Client(self.env["KHALTI_URL"])

    async def shoppers(self, count: int) -> list[Shopper]:
        """Registered as browsers do it, a few at a time: each costs the server a password hash."""
        mark, places = uuid.uuid4().hex[:10], asyncio.Semaphore(4)

        async def register(number: int) -> Shopper:
            async with places:
                email = f"driver-{mark}-{number}@example.com"
                fields = {"name": "Test Shopper", "email": email, "password": PASSWORD, "phone": PHONE}
                client = self.client(number)
                data = await client.must("POST", "/api/user/register", Form(fields))
                client.close()
                return Shopper(data["_id"], email, client.cookies)

        return await asyncio.gather(*(register(number) for number in range(count)))

    async def seller(self, email: str | None = None) -> Cookies:
        client = self.client()
        body = {"email": email or self.env["SELLER_EMAIL"], "password": self.env["SELLER_PASSWORD"]}
        await client.must("POST", "/api/seller/login", body)
        client.close()
        return client.cookies

    def another_seller(self) -> str:
        """The email address of a new seller; sellers come from the command line only."""
        email = f"seller-{uuid.uuid4()}@thunse.example"
        admin = {"SELLER_ADMIN_DATABASE_URL": self.env["SELLER_ADMIN_DATABASE_URL"]}
        settings = self.stack.settings()
        command = [settings["BINARY"], "seller", "create", "--email", email, "--name", "Gita", "--password-stdin"]
        secret = self.env["SELLER_PASSWORD"]
        subprocess.run(
            command, env={**os.environ, **settings, **admin}, input=secret, text=True, check=True, capture_output=True
        )
        return email

    async def products(self, stocks: list[int], prices: list[int] | None = None) -> list[Product]:
        """Added by the seller; prices in paisa, Rs 100 unless they are given."""
        mark = uuid.uuid4().hex[:8]
        client = self.client(0, await self.seller())
        category = (await client.must("GET", "/api/category/get_categories"))[0]["name"]
        made = []
        for number, stock in enumerate(stocks):
            price = prices[number] if prices else 10_000
            fields = {"name": f"Driver {mark} {number}", "nameNe": f"परीक्षण {mark} {number}", "category": category}
            fields |= {"price": f"{price / 100:.2f}", "stock": str(stock), "description": "For a load test"}
            data = await client.must("POST", "/api/product/add_product", Form(fields))
            made.append(Product(data["_id"], data["slug"], price))
        client.close()
        return made

    async def place(self, client: Client, shopper: Shopper, lines: Lines, key: str | None = None) -> Response:
        headers = {"idempotency-key": key or new_key()}
        return await client.request("POST", PLACE, order_body(shopper, lines), shopper.cookies, headers)

    async def place_online(self, client: Client, shopper: Shopper, lines: Lines, key: str | None = None) -> Response:
        headers = {"idempotency-key": key or new_key()}
        return await client.request(
            "POST", PLACE_ONLINE, order_body(shopper, lines, "Khalti"), shopper.cookies, headers
        )

    # What the database says.

    def violations(self) -> list[list[str]]:
        return self.stack.psql("SELECT invariant, what, detail FROM invariant_violations LIMIT 20")

    def expect_sound(self, report: Report) -> None:
        broken = self.violations()
        report.expect(not broken, f"invariants are broken: {broken[:5]}")

    def orders_of(self, shoppers: list[Shopper]) -> list[tuple[str, str, str]]:
        """(shopper's id, idempotency key, orderId) of everything that these shoppers placed."""
        names = ", ".join(f"'{shopper.id}'" for shopper in shoppers)
        rows = self.stack.psql(
            f"""SELECT o.user_id, coalesce(p.key::text, '-'), o.code
                FROM orders o LEFT JOIN idempotency_keys p ON p.order_id = o.id
                WHERE o.user_id IN ({names})"""
        )
        return [(user, key, code) for user, key, code in rows]

    def stock_of(self, products: list[Product]) -> dict[str, int]:
        names = ", ".join(f"'{product.id}'" for product in products)
        return {
            id_: int(stock) for id_, stock in self.stack.psql(f"SELECT id, stock FROM products WHERE id IN ({names})")
        }

    def deadlocks(self) -> int:
        return int(self.stack.one("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
