"""Chaos test: online orders, each with a course of its own (paid, cancelled, paid late, paid twice, …), while the wallet
misbehaves and servers and workers are killed (kill -9) at random. In the end the wallet's ledger is compared with the
shop's tables, every rupee of it. The last payments are settled by real time: up to an hour after the last order.

The same seed gives the same orders, courses and faults; what meets what is up to the machine."""

import argparse
import asyncio
import random
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from drivers.client import NO_ANSWER, Client, Cookies, Response
from drivers.report import Report, becomes, counted, quantile
from drivers.shop import (
    CANCEL,
    PLACE,
    PLACE_ONLINE,
    SET_STATUS,
    VERIFY,
    Bill,
    Lines,
    Product,
    Shop,
    Shopper,
    new_key,
    order_body,
    pidx_of,
)

STACK = ["--copies", "2", "--workers", "2"]
SETTINGS = {"KHALTI_LINK_SECONDS": "60"}
AT_ONCE = 24
FAULTS = 0.15
KILL_EVERY = 2.5
UNAVAILABLE = {"503 online_payment_unavailable", "503 payment_pending", "503 busy", "503 unavailable"}
CLOSED = {"409 payment_not_completed", "409 payment_conflict", "409 payment_returned"}
VERIFY_KINDS = {"200", *CLOSED, *UNAVAILABLE}
# How often a course is taken, and how such an order may end.
COURSES = {
    "pay": (28, {"paid"}),
    "pay and close": (16, {"paid"}),
    "cancel": (6, {"failed"}),
    "cancel and close": (3, {"failed"}),
    "cancel, then pay the same link": (7, {"paid", "refunded"}),
    "pay two links": (8, {"paid", "refunded"}),
    "leave": (6, {"failed"}),
    "pay after the end": (6, {"paid", "refunded"}),
    "pending, then paid": (6, {"paid"}),
    "pay less": (2, {"conflict", "failed"}),
    "pay more": (2, {"conflict", "failed"}),
    "pay, seller cancels": (4, {"refunded"}),
    "pay, shopper cancels": (3, {"refunded"}),
    "shopper cancels, then pays": (3, {"refunded"}),
    "order anew, then pay the old link": (3, {"refunded"}),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--orders", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--patience", type=int, default=3600, help="seconds for the last payments to be settled")


@dataclass
class Purchase:
    """One order and everything that its shopper was told."""

    number: int
    shopper: Shopper
    course: str
    lines: Lines
    verifies: int
    pause: float
    other: int
    key: str = field(default_factory=new_key)
    id: str = ""
    links: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return Bill.of(self.lines).total


def draw(shoppers: list[Shopper], products: list[Product], seed: int) -> list[Purchase]:
    chance, drawn = random.Random(seed), []
    names, shares = list(COURSES), [share for share, _ in COURSES.values()]
    for number, shopper in enumerate(shoppers):
        # The first ones take each course in turn, so that a rare one is not missed by chance.
        course = names[number % len(names)] if number < 3 * len(names) else chance.choices(names, shares)[0]
        # The scarce products are for late payers: whether they get them is not for the seed to say.
        is_late = course in ("pay after the end", "cancel, then pay the same link")
        chosen = chance.sample(products if is_late else products[:20], chance.randint(1, 2))
        lines = [(product, chance.randint(1, 3)) for product in chosen]
        other = chance.randrange(len(shoppers))
        drawn.append(Purchase(number, shopper, course, lines, chance.randint(1, 5), chance.random(), other))
    return drawn


class Chaos:
    def __init__(
        self, shop: Shop, report: Report, purchases: list[Purchase], seller: Cookies, link_seconds: int
    ) -> None:
        self.shop, self.report, self.purchases, self.seller = shop, report, purchases, seller
        self.link_seconds = link_seconds
        self.kinds, self.cut, self.kills = Counter[str](), Counter[str](), Counter[str]()
        self.wrong: list[str] = []
        self.places = asyncio.Semaphore(AT_ONCE)
        self.pools: list[list[Client]] = [[] for _ in shop.instances]
        self.wallets: list[Client] = []

    async def once(
        self, instance: int, method: str, path: str, cookies: Cookies, body: Any, key: str = ""
    ) -> Response | None:
        """One request at one instance; None where no answer came."""
        pool = self.pools[instance % len(self.pools)]
        client = pool.pop() if pool else self.shop.client(instance)
        try:
            return await client.request(method, path, body, cookies, {"idempotency-key": key} if key else {})
        except NO_ANSWER as error:
            self.cut[type(error).__name__] += 1
            return None
        finally:
            pool.append(client)

    def check(self, what: str, response: Response, allowed: set[str]) -> None:
        self.kinds[f"{what} {response.kind}"] += 1
        if response.kind not in allowed:
            self.wrong.append(f"{what}: {response}")

    async def until(
        self, what: str, allowed: set[str], method: str, path: str, cookies: Cookies, body: Any, key: str = ""
    ) -> Response:
        """Asks one instance after the other, as a browser behind a proxy would, until one answers below 500."""
        for attempt in range(200):
            response = await self.once(attempt, method, path, cookies, body, key)
            if response is not None:
                self.check(what, response, allowed | UNAVAILABLE)
                if response.status < 500:
                    return response
            await asyncio.sleep(min(0.1 + attempt / 20, 2))
        raise SystemExit(f"{what}: no answer after 200 attempts")

    async def at_wallet(self, pidx: str, action: str, **body: Any) -> None:
        client = self.wallets.pop() if self.wallets else self.shop.wallet()
        await client.must("POST", f"/payments/{pidx}/{action}", body)
        self.wallets.append(client)

    def note_link(self, purchase: Purchase, response: Response) -> str | None:
        pidx = pidx_of(response)
        if pidx and pidx not in purchase.links:
            purchase.links.append(pidx)
        return pidx

    async def place(self, purchase: Purchase) -> str | None:
        body = order_body(purchase.shopper, purchase.lines, "Khalti")
        allowed = {"200", "409 out_of_stock"}
        response = await self.until(
            "place", allowed, "POST", PLACE_ONLINE, purchase.shopper.cookies, body, purchase.key
        )
        if response.status == 200:
            purchase.id = response.data["_id"]
        return self.note_link(purchase, response)

    async def verify(self, purchase: Purchase, pidx: str, times: int = 1) -> bool:
        """What the result page does, several times at once, with whatever an attacker may write beside it."""
        forged = self.purchases[purchase.other].id or "nobody"
        body = {"pidx": pidx, "txnId": f"forged-{purchase.number}", "purchase_order_id": forged}
        cookies = purchase.shopper.cookies
        asked = await asyncio.gather(*(self.once(number, "POST", VERIFY, cookies, body) for number in range(times)))
        replies = [response for response in asked if response is not None]
        for response in replies:
            self.check("verify", response, VERIFY_KINDS)
            purchase.told.append(response.kind)
        successes = {response.body: response.data for response in replies if response.status == 200}
        if len(successes) > 1:
            self.wrong.append(f"verify: {len(successes)} different answers to one payment: {list(successes)[:2]}")
        for data in successes.values():
            if (data["amountPaisa"], data["paymentMethod"]) != (purchase.total, "Khalti"):
                self.wrong.append(f"verify: {data}, but the order is of {purchase.total}")
        return bool(successes)

    async def cancel(self, purchase: Purchase, by_seller: bool = False) -> None:
        if by_seller:
            body = {"orderId": purchase.id, "status": "Cancelled"}
            await self.until("seller cancels", {"200"}, "PUT", SET_STATUS, self.seller, body)
        else:
            allowed = {"200", "409 too_late_to_cancel"}
            await self.until("cancel", allowed, "POST", CANCEL, purchase.shopper.cookies, {"orderId": purchase.id})

    async def expect_private(self, purchase: Purchase, pidx: str) -> None:
        """Nobody but its owner learns anything about a payment."""
        for shopper in (self.purchases[purchase.other].shopper, None):
            if shopper is not purchase.shopper:
                response = await self.once(
                    purchase.number, "POST", VERIFY, shopper.cookies if shopper else {}, {"pidx": pidx}
                )
                if response and (response.data or (shopper and response.kind != "404 payment_not_found")):
                    self.wrong.append(f"verify of somebody else's payment: {response}")

    async def take_course(self, purchase: Purchase) -> None:
        async with self.places:
            pidx = await self.place(purchase)
            if pidx:
                await asyncio.sleep(purchase.pause / 2)
                await self.begin(purchase, pidx)
                if purchase.number % 10 == 0:
                    await self.expect_private(purchase, pidx)
        if pidx:
            await self.go_on(purchase, pidx)

    async def begin(self, purchase: Purchase, pidx: str) -> None:
        """What happens while the shopper is at the wallet."""
        course, times = purchase.course, purchase.verifies
        if course in ("pay", "pay and close", "pay, seller cancels", "pay, shopper cancels"):
            await self.at_wallet(pidx, "pay")
            if course != "pay and close":
                await self.verify(purchase, pidx, times)
        elif course in ("cancel", "cancel and close", "cancel, then pay the same link", "pay two links"):
            await self.at_wallet(pidx, "cancel")
            if course != "cancel and close":
                await self.verify(purchase, pidx, times)
        elif course == "pending, then paid":
            await self.at_wallet(pidx, "pay", afterMs=int(self.link_seconds * 500 * purchase.pause))
            await self.verify(purchase, pidx)
        elif course in ("pay less", "pay more"):
            await self.at_wallet(pidx, "pay", amount=purchase.total + (100 if course == "pay more" else -100))
            await self.verify(purchase, pidx, times)
        elif course == "shopper cancels, then pays":
            await self.cancel(purchase)
            await self.at_wallet(pidx, "pay")
            await self.verify(purchase, pidx)
        elif course == "order anew, then pay the old link":
            body = order_body(purchase.shopper, purchase.lines)
            await self.until("order anew", {"200"}, "POST", PLACE, purchase.shopper.cookies, body, new_key())
            await self.at_wallet(pidx, "pay")

    async def go_on(self, purchase: Purchase, pidx: str) -> None:
        """What happens later, while others take their turn."""
        course, pause = purchase.course, purchase.pause
        if course in ("pay, seller cancels", "pay, shopper cancels"):
            await asyncio.sleep(pause)
            await self.cancel(purchase, by_seller=course == "pay, seller cancels")
        elif course == "cancel, then pay the same link":
            await asyncio.sleep(self.link_seconds * 0.7 * pause)
            await self.at_wallet(pidx, "pay")
        elif course == "pay after the end":
            await asyncio.sleep(self.link_seconds * (1.2 + pause))
            await self.at_wallet(pidx, "pay")
            await self.verify(purchase, pidx)
        elif course == "pay two links":
            second = None
            for _ in range(10):
                allowed, body = {"200", "409 not_payable", "409 out_of_stock"}, {"orderId": purchase.id}
                response = await self.until(
                    "pay_order", allowed, "POST", "/api/order/pay_order", purchase.shopper.cookies, body
                )
                second = self.note_link(purchase, response)
                if (second is not None and second != pidx) or response.status == 409:
                    break
                # The first link is still good as long as the shop does not know that it was cancelled.
                await asyncio.sleep(1)
                await self.verify(purchase, pidx)
            for each in {pidx, second} - {None}:
                await self.at_wallet(str(each), "pay")
            if second:
                await self.verify(purchase, second, purchase.verifies)

    async def kill(self, ended: asyncio.Event, seed: int) -> None:
        chance, stack = random.Random(seed + 1), self.shop.stack
        while not ended.is_set():
            await asyncio.sleep(KILL_EVERY * (0.5 + chance.random()))
            name = chance.choice(["server-0", "server-1", "worker-0", "worker-1"])
            await stack.do("kill", name)
            await stack.do("start", name)
            self.kills[name.split("-")[0]] += 1

    async def run(self, seed: int) -> None:
        wallet, ended = self.shop.wallet(), asyncio.Event()
        await wallet.must("POST", "/behave", {"seed": seed, "share": FAULTS, "ms": 1_000})
        killer = asyncio.create_task(self.kill(ended, seed))
        await asyncio.gather(*(self.take_course(purchase) for purchase in self.purchases))
        ended.set()
        await killer
        await wallet.must("POST", "/behave", {"share": 0})
        wallet.close()


@dataclass
class Payment:
    id: str
    order: str
    state: str
    amount: int
    received: int
    transaction: str
    settled_at: float
    refunds: Counter[str] = field(default_factory=Counter)


class Books:
    """The shop's tables and the wallet's ledger. The shop's are read first: what is closed there no longer changes."""

    def __init__(self, shop: Shop, ledger: dict[str, Any]) -> None:
        self.wallet: dict[str, Any] = ledger
        self.payments: dict[str, Payment] = {}
        self.by_order: dict[str, list[str]] = defaultdict(list)

    @classmethod
    async def read(cls, shop: Shop) -> "Books":
        psql, books = shop.stack.psql, cls(shop, {})
        by_id = {}
        fields = """pidx, id, about, state, amount_paisa, coalesce(received_paisa, 0), coalesce(transaction_id, '-'),
                    coalesce(extract(epoch FROM settled_at), 0)"""
        for pidx, id_, order, state, amount, received, transaction, at in psql(
            f"SELECT {fields} FROM payments WHERE pidx IS NOT NULL"
        ):
            payment = Payment(id_, order, state, int(amount), int(received), transaction, float(at))
            books.payments[pidx] = by_id[id_] = payment
            books.by_order[order].append(pidx)
        for id_, state, amount in psql("SELECT payment_id, state, amount_paisa FROM refunds"):
            by_id[id_].refunds[state] += int(amount)
        statement = "SELECT id, status, payment, total_paisa, stock FROM orders WHERE method = 'Khalti'"
        books.orders = {
            id_: (status, payment, int(total), stock) for id_, status, payment, total, stock in psql(statement)
        }
        client = shop.wallet()
        books.wallet = {each["pidx"]: each for each in await client.must("GET", "/payments")}
        client.close()
        return books

    orders: dict[str, tuple[str, str, int, str]]

    def open(self) -> list[str]:
        """Payments that the shop still has to do with, and orders that still hold stock."""
        found = [id_ for id_, (*_, stock) in self.orders.items() if stock == "held"]
        for pidx, payment in self.payments.items():
            is_moving = payment.state in ("created", "initiated") or {"requested", "sent"} & set(payment.refunds)
            is_unknown = payment.state == "failed" and self.wallet.get(pidx, {}).get("taken", 0) > 0
            if is_moving or is_unknown:
                found.append(pidx)
        return found

    def manual(self) -> list[str]:
        return [pidx for pidx, payment in self.payments.items() if "manual" in payment.refunds]

    def disagreements(self) -> list[str]:
        wrong = [f"{pidx}: the wallet does not know it" for pidx in self.payments.keys() - self.wallet.keys()]
        for pidx, theirs in self.wallet.items():
            ours = self.payments.get(pidx)
            if ours is None:
                # Created at the wallet, but the answer was lost: no page was shown, so nobody can have paid.
                if theirs["taken"]:
                    wrong.append(f"{pidx}: {theirs['taken']} paisa taken for a payment that the shop does not know")
            else:
                wrong += [f"{pidx}: {text}: {ours}, wallet {theirs}" for text in self.compare(ours, theirs)]
        for id_, (status, payment, total, _) in self.orders.items():
            mine = self.by_order.get(id_, [])
            placed = [pidx for pidx in mine if self.payments[pidx].state != "conflict" and pidx in self.wallet]
            kept = sum(self.wallet[pidx]["taken"] - self.wallet[pidx]["given_back"] for pidx in placed)
            manual = sum(self.payments[pidx].refunds["manual"] for pidx in mine)
            if kept - manual != (total if payment == "paid" else 0):
                wrong.append(
                    f"order {id_} is {payment}: {kept} kept, {manual} of it to be refunded by hand, total {total}"
                )
            if payment == "refund_due" and not manual:
                wrong.append(f"order {id_} waits for a refund that nobody works on")
            if payment == "paid" and status == "Order Placed":
                wrong.append(f"order {id_} is paid, but not confirmed")
        return wrong

    @staticmethod
    def compare(ours: Payment, theirs: dict[str, Any]) -> list[str]:
        taken, is_paid = theirs["taken"], ours.state in ("paid", "paid_extra")
        if taken == 0:
            fits = ours.state == "failed"
        elif taken == theirs["amount"]:
            fits = is_paid and ours.transaction == theirs["transaction_id"]
        else:
            fits = ours.state == "conflict"
        rules = {
            "the state does not fit": fits,
            "another amount was taken": taken == ours.received,
            "another amount was given back": theirs["given_back"] == ours.refunds["confirmed"],
            "another amount was asked for": theirs["amount"] == ours.amount,
            "paid, though the wallet never said so": not is_paid or theirs["told"].get(f"Completed {ours.amount}"),
            "paid twice and not given back": ours.state != "paid_extra" or {"confirmed", "manual"} & set(ours.refunds),
            "refunded more than once": theirs["refunds"] <= 1,
            "given back, but still open": "manual" not in ours.refunds or not theirs["given_back"],
        }
        return [text for text, holds in rules.items() if not holds]


async def settle(shop: Shop, report: Report, patience: int) -> Books:
    """Until every payment has come to its end."""
    books = await Books.read(shop)

    async def is_settled() -> bool:
        nonlocal books
        books = await Books.read(shop)
        return not books.open()

    await becomes(is_settled, patience, 5)
    left = books.open()
    report.expect(not left, f"{len(left)} payments or holds are still open after {patience} s: {left[:5]}")
    return books


async def refund_by_hand(shop: Shop, report: Report, books: Books, seller: Cookies) -> int:
    """Where the wallet lost a refund its staff makes it; every second wrong amount is given back by the seller."""
    client, wallet = shop.client(), shop.wallet()
    for pidx in books.manual():
        await wallet.must("POST", f"/payments/{pidx}/refund", {})
        body = {"orderId": books.payments[pidx].order}
        response = await client.request("POST", "/api/order/check_payment", body, seller)
        report.expect(response.status == 200, f"check_payment: {response}")
    wrong = [payment for payment in books.payments.values() if payment.state == "conflict" and not payment.refunds]
    for payment in wrong[::2]:
        response = await client.request("POST", "/api/order/refund_payment", {"paymentId": payment.id}, seller)
        report.expect(response.status == 200, f"refund_payment: {response}")
    client.close()
    wallet.close()
    return len(books.manual()) + len(wrong)


def expect_ends(report: Report, purchases: list[Purchase], books: Books) -> None:
    ends: dict[str, Counter[str]] = defaultdict(Counter)
    for purchase in purchases:
        if not purchase.id:
            continue
        if not report.expect(purchase.id in books.orders, f"order {purchase.id} was acknowledged and does not exist"):
            continue
        end, mine = books.orders[purchase.id][1], books.by_order.get(purchase.id, [])
        ends[purchase.course][end] += 1
        by_hand = any("manual" in books.payments[pidx].refunds for pidx in mine)
        allowed = COURSES[purchase.course][1] | ({"refund_due"} if by_hand else set())
        report.expect(end in allowed, f"'{purchase.course}' ends as {end}: {purchase}")
        is_success = "200" not in purchase.told or end in ("paid", "refund_due", "refunded")
        report.expect(is_success, f"'{purchase.course}' was told of success and is {end}")
        unknown = [pidx for pidx in purchase.links if pidx not in books.payments]
        report.expect(not unknown, f"shoppers were sent to payments that the shop does not know: {unknown}")
    for course, kinds in sorted(ends.items()):
        print(f"{course}: {counted(kinds)}")


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    print(f"seed {options.seed}", flush=True)
    link_seconds = int(shop.stack.settings().get("KHALTI_LINK_SECONDS", 3600))
    # One shopper each: a new order of the same products would replace an unpaid one.
    shoppers = await shop.shoppers(options.orders)
    stocks = [1_000_000] * 20 + [max(4, options.orders // 100)] * 4
    products = await shop.products(stocks, [2_000 + 1_375 * n for n in range(len(stocks))])
    seller = await shop.seller()
    chaos = Chaos(shop, report, draw(shoppers, products, options.seed), seller, link_seconds)
    started = time.monotonic()
    await chaos.run(options.seed)
    report.figure("orders per second", options.orders / (time.monotonic() - started), "1/s")
    books = await settle(shop, report, options.patience)
    if await refund_by_hand(shop, report, books, seller) and not report.problems:
        books = await settle(shop, report, options.patience)

    wrong = books.disagreements()
    report.expect(not wrong, f"{len(wrong)} disagreements between wallet and shop: {wrong[:5]}")
    expect_ends(report, chaos.purchases, books)
    report.expect(not chaos.wrong, f"{len(chaos.wrong)} answers that may not be: {chaos.wrong[:5]}")
    names = ", ".join(f"'{product.id}'" for product in products)
    sold = shop.stack.psql(
        f"""SELECT i.product_id, sum(i.quantity) FROM order_items i JOIN orders o ON o.id = i.order_id
            WHERE i.product_id IN ({names}) AND o.stock IN ('held', 'taken') GROUP BY 1"""
    )
    left, gone = shop.stock_of(products), {id_: int(units) for id_, units in sold}
    leaked = sum(
        abs(stock - left[each.id] - gone.get(each.id, 0)) for each, stock in zip(products, stocks, strict=True)
    )
    report.expect(leaked == 0, f"{leaked} units are neither in stock nor in an order")
    shop.expect_sound(report)

    print(f"answers: {counted(chaos.kinds)}; no answer: {counted(chaos.cut)}")
    wallet = shop.wallet()
    calls = await wallet.must("GET", "/calls")
    wallet.close()
    delays = [
        payment.settled_at - books.wallet[pidx]["transactions"][0]["at"] / 1000
        for pidx, payment in books.payments.items()
        if payment.state in ("paid", "paid_extra") and books.wallet[pidx]["transactions"]
    ]
    report.figure("kills", sum(chaos.kills.values()))
    report.figure("wallet calls", sum(call["calls"] for call in calls.values()))
    report.figure("wallet calls spoiled", sum(call["spoiled"] for call in calls.values()))
    report.figure("paid twice and refunded", sum(payment.state == "paid_extra" for payment in books.payments.values()))
    report.figure("payment known after p50", quantile(delays, 0.5), "s")
    report.figure("payment known after p99", quantile(delays, 0.99), "s")
