"""Shoppers, products and orders, made through the API, and what the database must say afterwards."""

import asyncio
import resource
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from drivers.client import Client, Cookies, Form, Response
from drivers.report import Report
from drivers.stack import Stack

STATUSES = ["Order Placed", "Order Confirmed", "Order Shipped", "Out for Delivery", "Delivered", "Cancelled"]
PHONE = "9841234567"
PASSWORD = "jholi-full-of-tarkari-42"


class Api:
    """The paths of the calls that several drivers make."""

    PLACE = "/api/order/place_order_COD"
    PLACE_ONLINE = "/api/order/place_order_online"
    VERIFY = "/api/order/verify_khalti_payment"
    CANCEL = "/api/order/cancel_order"
    SET_STATUS = "/api/order/update_order_status"


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
    name: str = ""
    is_taxed: bool = True
    # What a unit weighs as expected, if the product is sold by weight.
    step_grams: int = 0


Lines = list[tuple[Product, int]]


def bill_of(lines: Lines) -> tuple[int, int, int]:
    """Tax, shipping and total of a cart in paisa: the same rule as the shop's, written once more."""
    subtotal = sum(product.price * quantity for product, quantity in lines)
    taxed = sum(product.price * quantity for product, quantity in lines if product.is_taxed)
    tax, shipping = (taxed * 13 + 50) // 100, 0 if subtotal > 100_000 else 2_000
    return tax, shipping, subtotal + tax + shipping


def order_body(shopper: Shopper, lines: Lines, method: str = "COD") -> dict[str, Any]:
    tax, shipping, total = bill_of(lines)
    return {
        "items": [{"id": product.id, "quantity": quantity} for product, quantity in lines],
        **{"totalAmount": total / 100, "shippingFee": shipping / 100, "tax": tax / 100, "paymentMethod": method},
        **{"name": "Test Shopper", "email": shopper.email, "phone": PHONE, "address": "Baneshwor-10, Kathmandu"},
    }


def new_key() -> str:
    return str(uuid.uuid4())


def sql_list(ids: list[str]) -> str:
    return ", ".join(f"'{each}'" for each in ids)


def pidx_of(response: Response) -> str | None:
    """The wallet's name for the payment that a response sends the shopper to."""
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
                fields = {
                    "name": "Test Shopper",
                    "email": email,
                    "phone": PHONE,
                    "password": PASSWORD,
                }
                client = self.client(number)
                data = await client.must("POST", "/api/user/register", Form(fields))
                client.close()
                return Shopper(data["_id"], email, client.cookies)

        return await asyncio.gather(*(register(number) for number in range(count)))

    async def seller(self, is_new: bool = False) -> Cookies:
        """A session of the stack's seller, or of a new one with the same password."""
        email, password = self.env["SELLER_EMAIL"], self.env["SELLER_PASSWORD"]
        if is_new:
            email = f"seller-{uuid.uuid4()}@thunse.example"
            self.stack.create_seller(email, "Gita", password, self.env)
        client = self.client()
        await client.must("POST", "/api/seller/login", {"email": email, "password": password})
        client.close()
        return client.cookies

    async def riders(self, count: int, seller: Cookies) -> list[tuple[str, Cookies]]:
        """New riders: their ids and sessions."""
        mark, password, made = uuid.uuid4().hex[:8], self.env["SELLER_PASSWORD"], []
        for number in range(count):
            name, email = f"Hari {mark} {number}", f"rider-{mark}-{number}@thunse.example"
            self.stack.create_seller(email, name, password, self.env, "rider")
            client = self.client(number)
            await client.must("POST", "/api/seller/login", {"email": email, "password": password})
            client.close()
            made.append((name, client.cookies))
        client = self.client(0, seller)
        ids = {rider["name"]: rider["_id"] for rider in await client.must("GET", "/api/seller/riders")}
        client.close()
        return [(ids[name], cookies) for name, cookies in made]

    async def products(
        self,
        stocks: list[int],
        prices: list[int] | None = None,
        exempt: Collection[int] = (),
        steps: Mapping[int, int] | None = None,
    ) -> list[Product]:
        """Added by the seller; prices in paisa, Rs 100 unless they are given. `exempt` are the numbers of those without tax,
        `steps` the grams of a unit of those that are sold by weight."""
        mark = uuid.uuid4().hex[:8]
        client = self.client(0, await self.seller())
        category = (await client.must("GET", "/api/category/get_categories"))[0]["name"]
        made = []
        for number, stock in enumerate(stocks):
            price = prices[number] if prices else 10_000
            fields = {"name": f"Driver {mark} {number}", "nameNe": f"परीक्षण {mark} {number}", "category": category}
            fields |= {"price": f"{price / 100:.2f}", "stock": str(stock), "description": "For a load test"}
            fields |= {"taxClass": "exempt"} if number in exempt else {}
            step = (steps or {}).get(number, 0)
            fields |= {"unitAmount": str(step), "unitMeasure": "g", "soldByWeight": "yes"} if step else {}
            data = await client.must("POST", "/api/product/add_product", Form(fields))
            made.append(Product(data["_id"], data["slug"], price, fields["name"], number not in exempt, step))
        client.close()
        return made

    async def place(self, client: Client, shopper: Shopper, lines: Lines) -> Response:
        return await client.request("POST", Api.PLACE, order_body(shopper, lines), shopper.cookies, new_key())

    # What the database says.

    def expect_sound(self, report: Report) -> None:
        broken = self.stack.psql("SELECT invariant, what, detail FROM invariant_violations LIMIT 20")
        report.expect(not broken, f"invariants are broken: {broken[:5]}")

    def cash_orders_of(self, shoppers: list[Shopper]) -> list[tuple[tuple[str, str], str]]:
        """((shopper's id, idempotency key), order code) of every cash order that these shoppers placed."""
        rows = self.stack.psql(
            f"""SELECT o.user_id, coalesce(k.key::text, '-'), o.code
                FROM orders o LEFT JOIN idempotency_keys k ON k.order_id = o.id
                WHERE o.method = 'COD' AND o.user_id IN ({sql_list([shopper.id for shopper in shoppers])})"""
        )
        return [((user, key), code) for user, key, code in rows]

    def deadlocks(self) -> int:
        return int(self.stack.one("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
