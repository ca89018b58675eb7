"""Chaos test: random lives of orders over two instances behind one address, while instances and workers are killed
(kill -9), with --database-kills PostgreSQL as well. An order is placed with cash or the wallet; paid, left, paid late or with
a wrong amount; cancelled by either side; assigned to riders, dispatched, not met, brought back in part, delivered with the
shopper's code over a phone that loses requests and responses; taken back, delivered again, cancelled after all. Managers
record floats, take cash in and close days meanwhile. Everything goes through the HTTP API.

In the end drivers/order_books.py compares what these people know with the shop's tables and the wallet's ledger. Orders that
nobody pays hold their stock for 16 minutes, so the end takes that long; with --all-pay there are none, and it takes three.
--self-test then falsifies one row after the other
and expects to be told. The same seed gives the same lives; what meets what is up to the machine."""

import argparse
import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from drivers import order_books
from drivers.client import NO_RESPONSE
from drivers.engine import Engine
from drivers.order_staff import Managers, Phone
from drivers.paid_orders import NOT_PAID, settle
from drivers.report import Report, counted
from drivers.shop import Api, Lines, Product, Shop, Shopper, bill_of, new_key, order_body, pidx_of

STACK = ["--instances", "2", "--workers", "2"]
SETTINGS = {"KHALTI_LINK_SECONDS": "60"}
AT_ONCE = 24
RIDERS = 6
LIVES_OF_SHOPPER = 25
PRODUCTS = 60
SCARCE = 4
KILL_SECONDS = 5.0
VICTIMS = ["server-0", "server-1", "worker-0", "worker-1"] * 4
BILL_SECONDS = 600


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lives", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--no-kills", action="store_true")
    parser.add_argument("--database-kills", action="store_true", help="PostgreSQL is killed as well")
    parser.add_argument(
        "--all-pay", action="store_true", help="nobody leaves or pays late, so that the end comes sooner"
    )
    parser.add_argument("--self-test", action="store_true", help="afterwards falsify rows, which has to be noticed")
    parser.add_argument("--settle-seconds", type=int, default=3600, help="for the last payments to be settled")


def draw_payment(chance: random.Random, all_pay: bool) -> tuple[list[str], bool]:
    """The steps of paying online, and whether the order is to be delivered afterwards."""
    ways: list[tuple[int, list[str], bool]] = [
        (55, ["pay", "verify"], True),
        (6, ["cancel_at_wallet", "second_link", "pay", "verify"], True),
        (0 if all_pay else 10, ["leave"], False),
        (0 if all_pay else 6, ["pay_late", "verify_late"], False),
        (4, ["pay_less", "refund_conflict"], False),
        (9, ["pay", "verify", "shopper_cancels"], False),
        (6, ["pay", "verify", "seller_cancels"], False),
        (4, ["shopper_cancels", "pay", "verify_late"], False),
    ]
    _, steps, is_delivered = chance.choices(ways, [share for share, *_ in ways])[0]
    return steps, is_delivered


def draw_delivery(chance: random.Random) -> list[str]:
    def maybe(share: float, *steps: str) -> list[str]:
        return list(steps) if chance.random() < share else []

    # Between payment and dispatch: packing an order with changes and weighing it belong here.
    steps = maybe(0.7, "confirm")
    if chance.random() < 0.06:
        return [*steps, "ship", "seller_delivers", *maybe(0.1, "seller_cancels")]
    steps += ["assign", *maybe(0.1, "assign"), *maybe(0.1, "ship")]
    steps += chance.choices([["out"], ["seller_out"]], [80, 20])[0]
    steps += (
        maybe(0.06, "cancel_too_late") + maybe(0.12, "not_met") + maybe(0.03, "not_met") + maybe(0.06, "wrong_code")
    )
    is_returned = chance.random() < 0.15
    steps += ["return_some"] if is_returned else []
    steps += chance.choices([["deliver"], ["deliver_less"], ["deliver_more"], ["seller_delivers"]], [84, 7, 5, 4])[0]
    steps += maybe(0.08, "take_back", "seller_delivers") + maybe(0.05, "take_back", "deliver")
    is_cancelled = chance.random() < 0.07
    steps += ["seller_cancels"] if is_cancelled else []
    return steps + (["credit_returned"] if is_returned and not is_cancelled else [])


def draw_steps(chance: random.Random, all_pay: bool) -> tuple[str, list[str]]:
    """The method of payment, and all that happens after the order is placed."""
    if chance.random() < 0.45:
        steps, is_delivered = draw_payment(chance, all_pay)
        return "Khalti", steps + (draw_delivery(chance) if is_delivered else [])
    cancels = chance.random()
    if cancels < 0.15:
        return "COD", ["shopper_cancels" if cancels < 0.1 else "seller_cancels"]
    return "COD", draw_delivery(chance)


@dataclass
class Life:
    """An order, what is to happen to it, and what those who made it happen know of it."""

    number: int
    shopper: Shopper
    lines: Lines
    method: str
    steps: list[str]
    chance: random.Random
    key: str = field(default_factory=new_key)
    id: str = ""
    code: str = ""
    link: str = ""
    status: str = "Order Placed"
    rider: Phone | None = None
    dispatched: bool = False
    was_delivered: bool = False
    paid: int = 0
    returned: int = 0
    returned_line: int = -1
    returned_units: int = 0
    is_credited: bool = False
    # The cash that somebody has; None while the order is not delivered.
    collected: int | None = None

    @property
    def total(self) -> int:
        return bill_of(self.lines)[2]

    @property
    def due(self) -> int:
        return self.total - self.returned


def draw(shoppers: list[Shopper], products: list[Product], lives: int, seed: int, all_pay: bool = False) -> list[Life]:
    drawn: list[Life] = []
    # What a shopper orders again replaces the unpaid order of the same products, so those left unpaid are not ordered again.
    unpaid: dict[str, set[str]] = {}
    for number in range(lives):
        chance = random.Random(f"{seed}/{number}")
        shopper = shoppers[number % len(shoppers)]
        method, steps = draw_steps(chance, all_pay)
        # Those with little stock are for cash: whether a late payer still gets them is not for the seed to say.
        taken = unpaid.setdefault(shopper.id, set())
        free = [each for each in (products if method == "COD" else products[SCARCE:]) if each.id not in taken]
        chosen = chance.sample(free, chance.randint(1, 4))
        if "leave" in steps or "pay_late" in steps:
            taken |= {product.id for product in chosen}
        lines = [(product, chance.randint(1, 5)) for product in chosen]
        drawn.append(Life(number, shopper, lines, method, steps, chance))
    return drawn


class World:
    """The shop with everybody who does something in it."""

    def __init__(self, shop: Shop, seller: dict[str, str], phones: list[Phone], engine: Engine) -> None:
        self.shop, self.seller, self.phones, self.engine = shop, seller, phones, engine
        self.places, self.kills, self.ended = asyncio.Semaphore(AT_ONCE), Counter[str](), 0
        # A shopper does one thing at a time.
        self.busy: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.kills_database = False
        # How much of what went wrong has been printed.
        self.told = 0
        self.link_seconds = int(shop.stack.settings["KHALTI_LINK_SECONDS"])

    async def live(self, life: Life) -> None:
        async with self.busy[life.shopper.id], self.places:
            body = order_body(life.shopper, life.lines, life.method)
            path = Api.PLACE if life.method == "COD" else Api.PLACE_ONLINE
            allowed, cookies = {"200", "409 out_of_stock"}, life.shopper.cookies
            response = await self.engine.call("place", allowed, "POST", path, body, cookies, life.key)
            if response.status != 200:
                return
            life.id, life.code, life.link = response.data["_id"], response.data["orderId"], pidx_of(response) or ""
            at_once = life.steps[: life.steps.index("pay_late")] if "pay_late" in life.steps else life.steps
            await self.take_steps(life, at_once)
        # Others take their turn while this one waits for the end of the link.
        await self.take_steps(life, life.steps[len(at_once) :])
        self.ended += 1
        if self.ended % 500 == 0:
            print(f"{self.ended} lives, kills: {counted(self.kills)}", flush=True)

    async def take_steps(self, life: Life, steps: list[str]) -> None:
        for step in steps:
            await asyncio.sleep(life.chance.random() / 10)
            action: Callable[[Life], Awaitable[None]] = getattr(self, step)
            try:
                await action(life)
            except (KeyError, TypeError) as error:
                self.engine.wrong.append(f"{step} of order {life.code}: a response that cannot be read: {error!r}")
            for text in self.engine.wrong[self.told :]:
                print(f"wrong: {text}", flush=True)
            self.told = len(self.engine.wrong)

    # The shopper.

    async def at_wallet(self, life: Life, action: str, **body: object) -> None:
        client = self.shop.wallet()
        while True:
            try:
                response = await client.request("POST", f"/payments/{life.link}/{action}", body)
                break
            except NO_RESPONSE:
                await asyncio.sleep(0.2)
        client.close()
        if response.status != 200:
            self.engine.wrong.append(f"{action} at the wallet: {response}")

    async def pay(self, life: Life) -> None:
        await self.at_wallet(life, "pay")
        life.paid = life.total

    async def pay_late(self, life: Life) -> None:
        await asyncio.sleep(self.link_seconds * (1.2 + life.chance.random()))
        await self.pay(life)

    async def pay_less(self, life: Life) -> None:
        await self.at_wallet(life, "pay", amount=life.total - 100)
        life.paid = life.total - 100

    async def leave(self, life: Life) -> None:
        """The page is closed, and nobody pays."""

    async def cancel_at_wallet(self, life: Life) -> None:
        await self.at_wallet(life, "cancel")
        await self.check_paid(life, NOT_PAID)

    async def second_link(self, life: Life) -> None:
        body, cookies = {"orderId": life.id}, life.shopper.cookies
        response = await self.engine.call("pay_order", {"200"}, "POST", "/api/order/pay_order", body, cookies)
        # The same link if the shop does not know yet that the first one was cancelled; it can still be paid.
        life.link = pidx_of(response) or life.link

    async def check_paid(self, life: Life, allowed: set[str]) -> bool:
        body, cookies = {"pidx": life.link}, life.shopper.cookies
        response = await self.engine.call("verify", allowed, "POST", Api.VERIFY, body, cookies)
        return response.status == 200

    async def verify(self, life: Life) -> None:
        await self.check_paid(life, {"200"})

    async def verify_late(self, life: Life) -> None:
        await self.check_paid(life, {"200", *NOT_PAID})

    async def shopper_cancels(self, life: Life) -> None:
        body, cookies = {"orderId": life.id}, life.shopper.cookies
        # A repeated request finds the order cancelled.
        await self.engine.call("cancel", {"200", "409 too_late_to_cancel"}, "POST", Api.CANCEL, body, cookies)
        life.status = "Cancelled"

    async def cancel_too_late(self, life: Life) -> None:
        body, cookies = {"orderId": life.id}, life.shopper.cookies
        await self.engine.call("cancel late", {"409 too_late_to_cancel"}, "POST", Api.CANCEL, body, cookies)

    # The seller.

    async def set_status(self, life: Life, status: str) -> None:
        body = {"orderId": life.id, "status": status}
        await self.engine.call("status", {"200"}, "PUT", Api.SET_STATUS, body, self.seller)
        life.status = status
        life.dispatched |= status not in ("Order Placed", "Order Confirmed", "Cancelled")
        life.collected = life.due if status == "Delivered" else None
        life.was_delivered |= status == "Delivered"

    async def confirm(self, life: Life) -> None:
        await self.set_status(life, "Order Confirmed")

    async def ship(self, life: Life) -> None:
        await self.set_status(life, "Order Shipped")

    async def seller_out(self, life: Life) -> None:
        await self.set_status(life, "Out for Delivery")

    async def take_back(self, life: Life) -> None:
        await self.set_status(life, "Out for Delivery")

    async def seller_delivers(self, life: Life) -> None:
        await self.set_status(life, "Delivered")

    async def seller_cancels(self, life: Life) -> None:
        await self.set_status(life, "Cancelled")

    async def assign(self, life: Life) -> None:
        life.rider = life.chance.choice(self.phones)
        body = {"orderIds": [life.id], "riderId": life.rider.id}
        await self.engine.call("assign", {"200"}, "PUT", "/api/order/assign_rider", body, self.seller)

    async def refund_conflict(self, life: Life) -> None:
        """The wallet took another amount than was asked for: the seller finds the case and gives the money back."""
        await self.check_paid(life, NOT_PAID)
        path = "/api/order/get_cases?limit=100"
        while True:
            found = await self.engine.call("cases", {"200"}, "GET", path, None, self.seller)
            payments = [each for case in found.data if case["order"]["_id"] == life.id for each in case["payments"]]
            if payments or not (cursor := found.json["nextCursor"]):
                break
            path = f"/api/order/get_cases?limit=100&cursor={cursor}"
        if not payments:
            self.engine.wrong.append(f"no case for order {life.code}, which was paid in part")
            return
        body = {"paymentId": payments[0]["_id"]}
        allowed = {"200", "409 not_refundable"}
        await self.engine.call("refund", allowed, "POST", "/api/order/refund_payment", body, self.seller)
        life.status = "Cancelled"

    async def credit_returned(self, life: Life) -> None:
        """A credit note for what came back from a cash order; what was paid online is still to be refunded."""
        if life.method != "COD" or not life.returned:
            return
        path, deadline = f"/api/billing/get_seller_order_bills?orderId={life.id}", time.monotonic() + BILL_SECONDS
        product, quantity = life.lines[life.returned_line]
        line_of_bill = (quantity, product.price * quantity)
        while True:
            # A worker makes the bill; and a note whose response was lost may have been made.
            found = await self.engine.call("bills", {"200"}, "GET", path, None, self.seller)
            bill: dict[str, Any] = next((each for each in found.data["documents"] if not each.get("corrects")), {})
            lines = {(line["quantity"], round(line["amount"] * 100)): line for line in bill.get("lines", [])}
            if lines and lines[line_of_bill]["credited"]:
                break
            if lines:
                credited = [{"position": lines[line_of_bill]["position"], "quantity": life.returned_units}]
                body = {"billId": bill["_id"], "lines": credited, "reason": "Came back from the door"}
                await self.engine.once("credit", {"200"}, "POST", "/api/billing/credit_bill", body, self.seller)
            elif time.monotonic() > deadline:
                self.engine.wrong.append(f"no bill of order {life.code} after {BILL_SECONDS} s")
                return
            await asyncio.sleep(0.5)
        life.is_credited = True

    # The rider.

    async def record(self, life: Life, expected: str = "", **event: object) -> None:
        assert life.rider
        code = await life.rider.record(life.id, event)
        if code != expected:
            self.engine.wrong.append(f"{event['kind']} of order {life.code}: '{code}' instead of '{expected}'")

    async def out(self, life: Life) -> None:
        await self.record(life, kind="out")
        life.status, life.dispatched = "Out for Delivery", True

    async def not_met(self, life: Life) -> None:
        reason = life.chance.choice(["nobody_home", "no_answer", "wrong_address", "refused", "other"])
        await self.record(life, kind="not_met", reason=reason)

    async def delivery_code(self, life: Life) -> str:
        path, cookies = f"/api/rider/delivery_code/{life.id}", life.shopper.cookies
        response = await self.engine.call("delivery code", {"200"}, "GET", path, None, cookies)
        return str(response.data["code"])

    async def wrong_code(self, life: Life) -> None:
        wrong = (int(await self.delivery_code(life)) + 1) % 10_000
        await self.record(life, "code_wrong", kind="delivered", code=f"{wrong:04}")

    async def return_some(self, life: Life) -> None:
        # Not all of it: that would be an order that was not delivered.
        several = [n for n, (_, quantity) in enumerate(life.lines) if quantity > 1 or len(life.lines) > 1]
        if not several:
            return
        life.returned_line = life.chance.choice(several)
        product, quantity = life.lines[life.returned_line]
        life.returned_units = life.chance.randint(1, quantity if len(life.lines) > 1 else quantity - 1)
        items = [{"product": product.id, "quantity": life.returned_units}]
        await self.record(life, kind="returned", items=items)
        value = product.price * life.returned_units
        life.returned = value + (value * 13 + 50) // 100

    async def deliver(self, life: Life, collected: int | None = None) -> None:
        event: dict[str, Any] = {"kind": "delivered", "code": await self.delivery_code(life)}
        # Without an amount it is the one to collect.
        if life.method == "COD" and (collected is not None or life.chance.random() < 0.5):
            event["collected"] = (life.due if collected is None else collected) / 100
        await self.record(life, **event)
        life.status, life.dispatched, life.was_delivered = "Delivered", True, True
        life.collected = life.due if collected is None else collected

    async def deliver_less(self, life: Life) -> None:
        await self.deliver(life, max(0, life.due - life.chance.randint(1, 5_000)))

    async def deliver_more(self, life: Life) -> None:
        await self.deliver(life, life.due + life.chance.randint(1, life.due))

    # What goes wrong meanwhile.

    async def kill(self, is_over: asyncio.Event, seed: int) -> None:
        chance, stack = random.Random(seed + 1), self.shop.stack
        while not is_over.is_set():
            await asyncio.sleep(KILL_SECONDS * (0.5 + chance.random()))
            name = chance.choice([*VICTIMS, "database"] if self.kills_database else VICTIMS)
            await asyncio.to_thread(stack.kill, name)
            await asyncio.sleep(chance.random())
            await asyncio.to_thread(stack.start, name)
            self.kills[name.split("-", 1)[0]] += 1


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    print(f"seed {options.seed}", flush=True)
    started, seller = time.monotonic(), await shop.seller()
    shoppers = await shop.shoppers(max(AT_ONCE, options.lives // LIVES_OF_SHOPPER))
    stocks = [max(8, options.lives // 20)] * SCARCE + [1_000_000] * (PRODUCTS - SCARCE)
    chance = random.Random(options.seed)
    products = await shop.products(stocks, [chance.randint(1_000, 90_000) for _ in stocks])
    riders = await shop.riders(RIDERS, seller)
    engine = Engine(shop, is_chaos=not options.no_kills, is_proxied=True)
    phones = [Phone(engine, rider, cookies, options.seed + n) for n, (rider, cookies) in enumerate(riders)]
    managers = Managers(engine, seller, [phone.id for phone in phones], options.seed)
    world, lives = (
        World(shop, seller, phones, engine),
        draw(shoppers, products, options.lives, options.seed, options.all_pay),
    )
    world.kills_database = options.database_kills
    print(f"prepared in {time.monotonic() - started:.0f} s", flush=True)

    started, is_over = time.monotonic(), asyncio.Event()
    helpers = [phone.run(is_over) for phone in phones] + [managers.run(is_over)]
    tasks = [asyncio.create_task(helper) for helper in helpers]
    tasks += [] if options.no_kills else [asyncio.create_task(world.kill(is_over, options.seed))]
    await asyncio.gather(*(world.live(life) for life in lives))
    is_over.set()
    await asyncio.gather(*tasks)
    await managers.close_all()
    seconds = time.monotonic() - started
    report.figure("lives", sum(bool(life.id) for life in lives))
    report.figure("lives per second", options.lives / seconds, "1/s")
    report.figure("steps", sum(len(life.steps) + 1 for life in lives if life.id))
    report.figure("kills", world.kills.total())
    print(f"kills: {counted(world.kills)}; steps: {counted(Counter(s for life in lives for s in life.steps))}")

    await settle(shop, report, options.settle_seconds)
    books = order_books.Books(shop, lives, products, stocks, managers, phones)
    await books.expect_agreement(report)
    shop.expect_sound(report)
    engine.finish(report)
    await books.print_sums(report)
    if options.self_test:
        await books.expect_mistakes_seen(report)
