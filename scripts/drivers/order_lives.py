"""Chaos test: random lives of orders over two instances behind one address, while instances and workers are killed
(kill -9), with --database-kills PostgreSQL as well. An order is placed with cash or the wallet; paid, left, paid late or with
a wrong amount; cancelled by either side; packed with fewer or other goods, weighed, agreed to on the phone or on the order's
page; assigned to riders, dispatched, not met, brought back in part, paid with the wallet at the door, delivered with the
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
from typing import Any
from urllib.parse import parse_qs, urlsplit

from drivers import order_books, order_packing
from drivers.client import NO_RESPONSE
from drivers.engine import Engine
from drivers.order_life import EXEMPT, PRODUCTS, SCARCE, STEPS, Life, draw
from drivers.order_packing import Packing
from drivers.order_staff import Managers, Phone
from drivers.paid_orders import NOT_PAID, settle
from drivers.report import Report, counted
from drivers.shop import Api, Product, Shop, bill_of, order_body, pidx_of

STACK = ["--instances", "2", "--workers", "2"]
IDLE_SECONDS = 15
# What a debug build logs costs as much as what it does.
SETTINGS = {"KHALTI_LINK_SECONDS": "60", "RUST_LOG": "warn"}
AT_ONCE = 24
RIDERS = 6
LIVES_OF_SHOPPER = 50
# The wallet makes no page for less, in paisa.
LEAST_AT_WALLET = 1_000
KILL_SECONDS = 5.0
VICTIMS = ["server-0", "server-1", "worker-0", "worker-1"] * 4
BILL_SECONDS = 600
# A refund that was cut off by a kill becomes a case after 30 minutes.
HURRY = """UPDATE refunds SET sent_at = sent_at - interval '30 minutes'
           WHERE state = 'sent' AND now() - sent_at BETWEEN interval '3 minutes' AND interval '30 minutes'"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lives", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--minutes", type=int, default=1_000, help="after which no other life begins")
    parser.add_argument("--no-kills", action="store_true")
    parser.add_argument("--database-kills", action="store_true", help="PostgreSQL is killed as well")
    parser.add_argument(
        "--all-pay", action="store_true", help="nobody leaves or pays late, so that the end comes sooner"
    )
    parser.add_argument("--self-test", action="store_true", help="afterwards falsify rows, which has to be noticed")
    parser.add_argument(
        "--hurry", action="store_true", help="move the time of refunds that were cut off instead of waiting 30 minutes"
    )
    parser.add_argument("--settle-seconds", type=int, default=3600, help="for the last payments to be settled")


class World:
    """The shop with everybody who does something in it."""

    def __init__(
        self, shop: Shop, seller: dict[str, str], phones: list[Phone], engine: Engine, products: list[Product]
    ) -> None:
        self.shop, self.seller, self.phones, self.engine = shop, seller, phones, engine
        # Whether one with little stock can still replace another is not for the seed to say.
        self.replacements = products[SCARCE:]
        self.places, self.kills, self.ended = asyncio.Semaphore(AT_ONCE), Counter[str](), 0
        # A shopper does one thing at a time.
        self.busy: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.kills_database = False
        self.last_start = float("inf")
        # How much of what went wrong has been printed.
        self.told = 0
        self.link_seconds = int(shop.stack.settings["KHALTI_LINK_SECONDS"])

    async def live(self, life: Life) -> None:
        async with self.busy[life.shopper.id], self.places:
            if time.monotonic() > self.last_start:
                return
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

    async def pack(self, life: Life) -> None:
        shipping, is_cash = bill_of(life.lines)[1], life.method == "COD"
        agreed_by = life.chance.choices(["order", "call", "link"], [70, 12, 18])[0]
        packing = order_packing.draw(life.chance, life.lines, self.replacements)
        if agreed_by != "order" and life.chance.random() < 0.8:
            packing = order_packing.draw_dearer(life.chance, life.lines, self.replacements, life.total, shipping)
        body: dict[str, object] = {"orderId": life.id, "lines": [line.body for line in packing.lines]}
        body |= {"agreedOnPhoneWith": "Asha"} if agreed_by == "call" else {}
        accepted = await self.ask(life, packing, body) if agreed_by == "link" else 0
        agreed_by = "order" if agreed_by == "link" and not accepted else agreed_by
        packing.finish(life.lines, life.total, shipping, is_cash, agreed_by, accepted)
        response = await self.engine.call("pack", {"200"}, "POST", "/api/packing/finish", body, self.seller)
        life.packing = packing
        if (told := round(response.data["total"] * 100)) != packing.due:
            self.engine.wrong.append(f"pack of order {life.code}: {told} is due instead of {packing.due}")

    async def ask(self, life: Life, packing: Packing, body: dict[str, object]) -> int:
        """Asks the shopper about a higher price; returns what was agreed to, or 0."""
        shipping = bill_of(life.lines)[1]
        total = packing.cost(shipping, is_agreed=True)
        is_dearer = total > order_packing.agreed_by_order(life.lines, life.total, shipping)
        expected = "409 paid_online" if life.method != "COD" else "200" if is_dearer else "409 not_dearer"
        asked = await self.engine.call("ask", {expected}, "POST", "/api/packing/ask_question", body, self.seller)
        if asked.status != 200:
            return 0
        if (told := round(asked.data["total"] * 100)) != total:
            self.engine.wrong.append(f"question about order {life.code}: {told} instead of {total}")
        is_accepted = life.chance.random() < 0.7
        answer = {"orderId": life.id, "questionId": asked.data["_id"], "accepted": is_accepted}
        # A repeated request finds the question answered.
        allowed = {"200", "409 question_closed"} if self.engine.is_chaos else {"200"}
        path, cookies = "/api/packing/answer_question", life.shopper.cookies
        await self.engine.call("answer", allowed, "POST", path, answer, cookies)
        return total if is_accepted else 0

    async def pack_again(self, life: Life) -> None:
        """Somebody else packs the same order, otherwise or with the same result."""
        assert life.packing
        again = order_packing.draw(life.chance, life.lines, self.replacements)
        is_same = again.lines == life.packing.lines
        body = {"orderId": life.id, "lines": [line.body for line in again.lines]}
        allowed = {"200" if is_same else "409 already_packed"}
        await self.engine.call("pack again", allowed, "POST", "/api/packing/finish", body, self.seller)

    async def refund_conflict(self, life: Life) -> None:
        """The wallet took another amount than was asked for: the seller finds the case and gives the money back."""
        await self.check_paid(life, NOT_PAID)
        path = "/api/order/get_cases?limit=100"
        while True:
            found = await self.engine.call("cases", {"200"}, "GET", path, None, self.seller)
            # A kill may have left another attempt to pay this order.
            payments = [each for case in found.data for each in case["payments"] if each["pidx"] == life.link]
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
        """A credit note for what came back and was not paid for; what was paid online is still to be refunded."""
        is_owed_back = life.method != "COD" and life.retained != life.due
        if is_owed_back or not life.to_credit:
            return
        path, deadline = f"/api/billing/get_seller_order_bills?orderId={life.id}", time.monotonic() + BILL_SECONDS
        while True:
            # A worker makes the bill; and a note whose response was lost may have been made.
            found = await self.engine.call("bills", {"200"}, "GET", path, None, self.seller)
            bill: dict[str, Any] = next((each for each in found.data["documents"] if not each.get("corrects")), {})
            lines = {
                (each["name"], each["quantity"], round(each["amount"] * 100)): each for each in bill.get("lines", [])
            }
            if lines and lines[life.to_credit[0][0].on_bill]["credited"]:
                break
            if lines:
                credited = [
                    {"position": lines[line.on_bill]["position"], "quantity": units} for line, units in life.to_credit
                ]
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
        # Not all of it: that would be an order that was not delivered. What is in the bag twice has two prices.
        times = Counter(line.product.id for line in life.bag) + Counter(line.product.id for line, _ in life.back)
        several = [line for line in life.bag if times[line.product.id] == 1]
        chosen = life.chance.sample(several, min(len(several), life.chance.choice([1, 1, 2])))
        back = [(line, life.chance.randint(1, line.quantity)) for line in chosen]
        if sum(units for _, units in life.back + back) == sum(line.quantity for line in life.bag):
            line, units = back.pop()
            back += [(line, units - 1)] if units > 1 else []
        if not back:
            return
        items = [{"product": line.product.id, "quantity": units} for line, units in back]
        await self.record(life, kind="returned", items=items)
        life.back += back

    async def door_link(self, life: Life) -> None:
        """The rider shows the wallet's page; nothing changes until it is paid."""
        assert life.rider
        is_enough = life.due >= LEAST_AT_WALLET
        path, allowed = "/api/rider/pay_at_door", {"200" if is_enough else "409 not_payable"}
        response = await self.engine.call("door link", allowed, "POST", path, {"orderId": life.id}, life.rider.cookies)
        if not is_enough or response.status != 200:
            life.link = ""
            return
        if (told := round(response.data["cashToCollect"] * 100)) != life.due:
            self.engine.wrong.append(f"link at the door for order {life.code}: {told} instead of {life.due}")
        life.link = parse_qs(urlsplit(response.data["paymentUrl"]).query)["pidx"][0]
        life.link_amount = life.due

    async def pay_link(self, life: Life) -> None:
        """The shopper pays, and the rider sees that nothing is to be collected any more."""
        assert life.rider
        await self.at_wallet(life, "pay")
        life.paid += life.link_amount
        path, body = "/api/rider/check_door_payment", {"orderId": life.id}
        response = await self.engine.call("check door", {"200"}, "POST", path, body, life.rider.cookies)
        if response.data["cashToCollect"] != 0:
            self.engine.wrong.append(f"order {life.code} was paid at the door: {response}")

    async def pay_at_door(self, life: Life) -> None:
        if life.link:
            await self.pay_link(life)
            life.method, life.paid_at_door = "Khalti", life.link_amount

    async def pay_after_delivery(self, life: Life) -> None:
        """The cash was collected, so this is one payment too many."""
        if life.link:
            await self.pay_link(life)

    async def deliver(self, life: Life, collected: int | None = None) -> None:
        event: dict[str, Any] = {"kind": "delivered", "code": await self.delivery_code(life)}
        # Without an amount it is the one to collect.
        is_said = collected is not None or life.chance.random() < 0.5
        # Who was paid by the wallet and takes cash as well has more than the ledger says.
        if is_said and (life.method == "COD" or (life.paid_at_door and collected is not None)):
            event["collected"] = (life.due if collected is None else collected) / 100
        await self.record(life, **event)
        life.status, life.dispatched, life.was_delivered = "Delivered", True, True
        life.collected = life.due if collected is None else collected

    async def deliver_less(self, life: Life) -> None:
        await self.deliver(life, max(0, life.due - life.chance.randint(1, 5_000)))

    async def deliver_more(self, life: Life) -> None:
        await self.deliver(life, life.due + life.chance.randint(1, max(1, life.due)))

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


async def hurry(shop: Shop) -> None:
    while True:
        await asyncio.to_thread(shop.stack.psql, HURRY, "ADMIN_DATABASE_URL")
        await asyncio.sleep(20)


async def idle_cpu(shop: Shop, parts: dict[str, list[str]]) -> dict[str, float]:
    """CPU in a second while nothing is ordered: the share of it in a life depends on how many lives there are."""
    await asyncio.sleep(5)
    before = {name: shop.stack.cpu(*processes) for name, processes in parts.items()}
    await asyncio.sleep(IDLE_SECONDS)
    return {name: (shop.stack.cpu(*processes) - before[name]) / IDLE_SECONDS for name, processes in parts.items()}


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    print(f"seed {options.seed}", flush=True)
    started, seller = time.monotonic(), await shop.seller()
    shoppers = await shop.shoppers(max(AT_ONCE, options.lives // LIVES_OF_SHOPPER))
    stocks = [max(8, options.lives // 20)] * SCARCE + [1_000_000] * (PRODUCTS - SCARCE)
    chance = random.Random(options.seed)
    products = await shop.products(stocks, [chance.randint(1_000, 90_000) for _ in stocks], EXEMPT, STEPS)
    riders = await shop.riders(RIDERS, seller)
    engine = Engine(shop, is_chaos=not options.no_kills, is_proxied=True)
    phones = [Phone(engine, rider, cookies, options.seed + n) for n, (rider, cookies) in enumerate(riders)]
    managers = Managers(engine, seller, [phone.id for phone in phones], options.seed)
    world, lives = (
        World(shop, seller, phones, engine, products),
        draw(shoppers, products, options.lives, options.seed, options.all_pay),
    )
    world.kills_database = options.database_kills
    print(f"prepared in {time.monotonic() - started:.0f} s", flush=True)

    parts = {"server": ["server-0", "server-1"], "worker": shop.stack.names("worker"), "PostgreSQL": ["database"]}
    idle = await idle_cpu(shop, parts) if options.no_kills else {}
    started, is_over = time.monotonic(), asyncio.Event()
    cpu = {name: shop.stack.cpu(*processes) for name, processes in parts.items()}
    world.last_start = started + 60 * options.minutes
    helpers = [phone.run(is_over) for phone in phones] + [managers.run(is_over)]
    tasks = [asyncio.create_task(helper) for helper in helpers]
    tasks += [] if options.no_kills else [asyncio.create_task(world.kill(is_over, options.seed))]
    await asyncio.gather(*(world.live(life) for life in lives))
    is_over.set()
    await asyncio.gather(*tasks)
    await managers.close_all()
    seconds = time.monotonic() - started
    lived = sum(bool(life.id) for life in lives)
    report.figure("lives", lived)
    report.figure("lives per second", lived / seconds, "1/s")
    report.figure("steps", sum(len(life.steps) + 1 for life in lives if life.id))
    report.figure("kills", world.kills.total())
    if options.no_kills:
        # What a process used until it was killed is not known.
        for name, processes in parts.items():
            used = (shop.stack.cpu(*processes) - cpu[name] - idle[name] * seconds) * 1000 / max(1, lived)
            report.figure(f"life with its payment, packing, delivery and bill, CPU of {name}", used, "ms")
            report.figure(f"shop without orders, CPU of {name} in a second", idle[name] * 1000, "ms")
    print(f"kills: {counted(world.kills)}; steps: {counted(Counter(s for life in lives for s in life.steps))}")

    hurrying = asyncio.create_task(hurry(shop)) if options.hurry else None
    await settle(shop, report, options.settle_seconds)
    if hurrying:
        hurrying.cancel()
    books = order_books.Books(shop, lives, products, stocks, managers, phones)
    await books.expect_agreement(report)
    shop.expect_sound(report)
    engine.finish(report)
    await books.print_sums(report)
    if options.self_test:
        await books.expect_mistakes_seen(report)
