"""Chaos test: online orders, each with a course of its own (paid, cancelled, paid late, paid twice, …), while the wallet
misbehaves or is away, and servers and workers are killed (kill -9) at random. In the end the wallet's ledger is compared
with the shop's payments, every rupee of it; what orders, stock and refunds must be is in the view of invariants. The last
payments are settled by real time: up to an hour after the last order.

The same seed gives the same orders, courses and faults; what meets what is up to the machine."""

import argparse
import asyncio
import json
import os
import random
import signal
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from drivers.client import NO_RESPONSE, Cookies, Response
from drivers.engine import Engine
from drivers.report import Report, becomes, counted
from drivers.shop import Api, Lines, Product, Shop, Shopper, bill_of, new_key, order_body, pidx_of

STACK = ["--instances", "2", "--workers", "2"]
SETTINGS = {"KHALTI_LINK_SECONDS": "60"}
AT_ONCE = 24
FAULTS = 0.15
KILL_SECONDS = 2.5
# Now and then the wallet refuses every connection, or accepts them and does not answer, for so many seconds.
WALLET_SECONDS = 10
VICTIMS = [*["server-0", "server-1", "worker-0", "worker-1"] * 4, "wallet", "hanging wallet"]
NOT_PAID = {"409 payment_not_completed", "409 payment_conflict", "409 payment_returned"}
# How often a course is taken; its steps, those after the bar while others take their turn; and how such
# an order may end.
COURSES = {
    "pay": (28, "pay verify", {"paid"}),
    "pay and close": (16, "pay", {"paid"}),
    "cancel": (6, "cancel verify", {"failed"}),
    "cancel and close": (3, "cancel", {"failed"}),
    "cancel, then pay the same link": (7, "cancel verify | wait_before_end pay", {"paid", "refunded"}),
    "pay two links": (8, "cancel verify | second_link pay verify", {"paid", "refunded"}),
    "leave": (6, "", {"failed"}),
    "pay after the end": (6, "| wait_past_end pay verify", {"paid", "refunded"}),
    "pending, then paid": (6, "pay_later verify", {"paid"}),
    "pay less": (2, "pay_less verify", {"conflict", "failed"}),
    "pay more": (2, "pay_more verify", {"conflict", "failed"}),
    "pay, seller cancels": (4, "pay verify | seller_cancels", {"refunded"}),
    "pay, shopper cancels": (3, "pay verify | shopper_cancels", {"refunded"}),
    "shopper cancels, then pays": (3, "shopper_cancels pay verify", {"refunded"}),
    "order anew, then pay the old link": (3, "order_anew pay", {"refunded"}),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--orders", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--settle-seconds", type=int, default=3600, help="for the last payments to be settled")


@dataclass
class Purchase:
    """One order and the responses that its shopper got."""

    number: int
    shopper: Shopper
    course: str
    lines: Lines
    verifies: int
    pause: float
    key: str = field(default_factory=new_key)
    id: str = ""
    links: list[str] = field(default_factory=list)
    responses: set[str] = field(default_factory=set)

    @property
    def total(self) -> int:
        return bill_of(self.lines)[2]


def draw(shoppers: list[Shopper], products: list[Product], seed: int) -> list[Purchase]:
    chance, drawn = random.Random(seed), []
    names, shares = list(COURSES), [share for share, *_ in COURSES.values()]
    for number, shopper in enumerate(shoppers):
        # The first ones take each course in turn, so that a rare one is not missed by chance.
        course = names[number % len(names)] if number < 3 * len(names) else chance.choices(names, shares)[0]
        # Products with little stock are for late payers: whether they get them is not for the seed to say.
        is_late = course in ("pay after the end", "cancel, then pay the same link")
        chosen = chance.sample(products if is_late else products[:20], chance.randint(1, 2))
        lines = [(product, chance.randint(1, 3)) for product in chosen]
        drawn.append(Purchase(number, shopper, course, lines, chance.randint(1, 5), chance.random()))
    return drawn


class Chaos:
    def __init__(self, shop: Shop, purchases: list[Purchase], seller: Cookies) -> None:
        self.shop, self.purchases, self.seller = shop, purchases, seller
        self.engine, self.places, self.kills = Engine(shop, is_chaos=True), asyncio.Semaphore(AT_ONCE), 0
        self.link_seconds = int(shop.stack.settings["KHALTI_LINK_SECONDS"])

    async def take_course(self, purchase: Purchase) -> None:
        at_once, _, later = COURSES[purchase.course][1].partition("|")
        async with self.places:
            body = order_body(purchase.shopper, purchase.lines, "Khalti")
            allowed, cookies = {"200", "409 out_of_stock"}, purchase.shopper.cookies
            response = await self.engine.call("place", allowed, "POST", Api.PLACE_ONLINE, body, cookies, purchase.key)
            if response.status != 200:
                return
            purchase.id = response.data["_id"]
            self.note_link(purchase, response)
            await asyncio.sleep(purchase.pause / 2)
            await self.take_steps(purchase, at_once)
        await asyncio.sleep(purchase.pause)
        await self.take_steps(purchase, later)

    async def take_steps(self, purchase: Purchase, steps: str) -> None:
        order, cookies, call = {"orderId": purchase.id}, purchase.shopper.cookies, self.engine.call
        for step in steps.split():
            match step:
                case "pay" | "cancel":
                    await self.at_wallet(purchase, step)
                case "pay_less" | "pay_more":
                    await self.at_wallet(purchase, "pay", amount=purchase.total + (100 if step == "pay_more" else -100))
                case "pay_later":
                    await self.at_wallet(purchase, "pay", afterMs=int(self.link_seconds * 500 * purchase.pause))
                case "wait_before_end":
                    await asyncio.sleep(self.link_seconds * 0.7 * purchase.pause)
                case "wait_past_end":
                    await asyncio.sleep(self.link_seconds * (1.2 + purchase.pause))
                case "verify":
                    await self.verify(purchase)
                case "second_link":
                    await self.second_link(purchase)
                case "shopper_cancels":
                    await call(step, {"200", "409 too_late_to_cancel"}, "POST", Api.CANCEL, order, cookies)
                case "seller_cancels":
                    await call(step, {"200"}, "PUT", Api.SET_STATUS, {**order, "status": "Cancelled"}, self.seller)
                case "order_anew":
                    body = order_body(purchase.shopper, purchase.lines)
                    await call(step, {"200"}, "POST", Api.PLACE, body, cookies, new_key())
                case _:
                    raise ValueError(step)

    @staticmethod
    def note_link(purchase: Purchase, response: Response) -> None:
        pidx = pidx_of(response)
        if pidx and pidx not in purchase.links:
            purchase.links.append(pidx)

    async def at_wallet(self, purchase: Purchase, action: str, **body: object) -> None:
        """What the shopper does on the wallet's page, for each link; again, where the wallet was just killed."""
        client = self.shop.wallet()
        for pidx in purchase.links:
            response, is_again = None, False
            while response is None:
                try:
                    response = await client.request("POST", f"/payments/{pidx}/{action}", body)
                except NO_RESPONSE:
                    is_again = True
                    await asyncio.sleep(0.2)
            if response.status != 200 and not is_again:
                self.engine.wrong.append(f"{action} at the wallet: {response}")
        client.close()

    async def verify(self, purchase: Purchase) -> None:
        """What the result page does, several times at once, with forged fields beside the payment's name."""
        other = self.purchases[purchase.number // 2].id or "none"
        body = {"pidx": purchase.links[-1], "txnId": f"forged-{purchase.number}", "purchase_order_id": other}
        allowed, cookies = {"200", *NOT_PAID}, purchase.shopper.cookies
        requests = (
            self.engine.once("verify", allowed, "POST", Api.VERIFY, body, cookies, instance=number)
            for number in range(purchase.verifies)
        )
        replies = [response for response in await asyncio.gather(*requests) if response]
        purchase.responses |= {response.kind for response in replies}
        successes = {response.body: response.data for response in replies if response.status == 200}
        if len(successes) > 1:
            self.engine.wrong.append(f"verify: different responses to one payment: {list(successes)[:2]}")
        for data in successes.values():
            if (data["amountPaisa"], data["paymentMethod"]) != (purchase.total, "Khalti"):
                self.engine.wrong.append(f"verify: {data}, but the order is of {purchase.total}")

    async def second_link(self, purchase: Purchase) -> None:
        allowed, body = {"200", "409 not_payable", "409 out_of_stock"}, {"orderId": purchase.id}
        for _ in range(10):
            path, cookies = "/api/order/pay_order", purchase.shopper.cookies
            response = await self.engine.call("pay_order", allowed, "POST", path, body, cookies)
            self.note_link(purchase, response)
            if len(purchase.links) > 1 or response.status == 409:
                break
            # The first link is still good as long as the shop does not know that it was cancelled.
            await asyncio.sleep(1)
            await self.verify(purchase)

    async def kill(self, is_over: asyncio.Event, seed: int) -> None:
        chance, stack = random.Random(seed + 1), self.shop.stack
        while not is_over.is_set():
            await asyncio.sleep(KILL_SECONDS * (0.5 + chance.random()))
            name = chance.choice(VICTIMS)
            if name == "hanging wallet":
                os.kill(stack.pid("wallet"), signal.SIGSTOP)
                await asyncio.sleep(WALLET_SECONDS)
                os.kill(stack.pid("wallet"), signal.SIGCONT)
                continue
            await asyncio.to_thread(stack.kill, name)
            await asyncio.sleep(WALLET_SECONDS if name == "wallet" else 0)
            await asyncio.to_thread(stack.start, name)
            self.kills += 1
            if name == "wallet":
                await self.spoil(seed + self.kills, FAULTS)

    async def spoil(self, seed: int, share: float) -> None:
        """From now on the wallet spoils so large a share of its answers."""
        wallet = self.shop.wallet()
        await wallet.must("POST", "/behave", {"seed": seed, "share": share, "ms": 1_000})
        wallet.close()

    async def run(self, seed: int) -> None:
        is_over = asyncio.Event()
        await self.spoil(seed, FAULTS)
        killer = asyncio.create_task(self.kill(is_over, seed))
        await asyncio.gather(*(self.take_course(purchase) for purchase in self.purchases))
        is_over.set()
        await killer
        await self.spoil(seed, 0)


# The shop's payments beside the wallet's ledger.
BOOKS = """
WITH wallet AS (
    SELECT * FROM jsonb_to_recordset(pg_read_file('{ledger}')::jsonb)
        AS w (pidx text, amount bigint, taken bigint, given_back bigint, refunds integer, transaction_id text, told jsonb)
), shop AS (
    SELECT p.pidx, p.subject_id, p.state, p.amount_paisa AS amount, coalesce(p.received_paisa, 0) AS received, p.transaction_id,
           coalesce(sum(r.amount_paisa) FILTER (WHERE r.state = 'confirmed'), 0) AS confirmed,
           coalesce(bool_or(r.state = 'manual'), false) AS by_hand,
           coalesce(sum(r.amount_paisa) FILTER (WHERE r.state = 'manual'), 0) AS left_to_people, count(r.id) AS parts,
           coalesce(bool_or(r.state IN ('requested', 'sent')), false) AS refunding
    FROM payments p LEFT JOIN refunds r ON r.payment_id = p.id WHERE p.pidx IS NOT NULL GROUP BY p.id
)"""
# What still has to come to its end.
OPEN = """
SELECT 'payment', pidx FROM shop LEFT JOIN wallet USING (pidx)
WHERE shop.state IN ('created', 'initiated') OR refunding OR (shop.state = 'failed' AND taken > 0)
UNION ALL SELECT 'order', id::text FROM orders WHERE method = 'Khalti' AND stock = 'held'"""
# Without money, a payment that only the wallet knows is no problem: its response was lost, and no page was shown.
PROBLEMS = """
SELECT coalesce(shop.pidx, wallet.pidx), problem, to_jsonb(shop), to_jsonb(wallet)
FROM shop FULL JOIN wallet ON wallet.pidx = shop.pidx
CROSS JOIN LATERAL (VALUES
    ('the wallet does not know it', wallet.pidx IS NULL),
    ('money was taken for a payment that the shop does not know', shop.pidx IS NULL AND taken > 0),
    ('the state does not fit', NOT CASE
        WHEN taken = 0 THEN state = 'failed'
        WHEN taken = wallet.amount THEN state IN ('paid', 'paid_extra') AND shop.transaction_id = wallet.transaction_id
        ELSE state = 'conflict' END),
    ('another amount was asked for', wallet.amount <> shop.amount),
    ('another amount was taken', taken <> received),
    ('another amount was given back', given_back <> confirmed),
    ('paid, though the wallet never said so', state IN ('paid', 'paid_extra') AND NOT told ? ('Completed ' || shop.amount)),
    -- A packed order that is cancelled later gets its money back in two parts.
    ('refunded more than once', refunds > greatest(parts, 1)),
    ('given back, but still to be refunded by hand', by_hand AND given_back > confirmed)
) AS rule (problem, is_broken) WHERE is_broken"""
# How each order ended, whether a refund waits for a person, and the payments that the shop knows.
ENDS = """
SELECT o.id, o.payment, coalesce(bool_or(by_hand), false), coalesce(string_agg(pidx, ' '), '')
FROM orders o LEFT JOIN shop ON subject_id = o.id WHERE o.method = 'Khalti' GROUP BY o.id"""


async def read_books(shop: Shop, query: str, left_out: str = "") -> list[list[str]]:
    """`left_out` is a payment that the wallet's ledger is read without, to see whether it is missed."""
    wallet, file = shop.wallet(), shop.stack.data / "wallet.json"
    payments = await wallet.must("GET", "/payments")
    file.write_text(json.dumps([payment for payment in payments if payment["pidx"] != left_out]))
    wallet.close()
    return shop.stack.psql(BOOKS.format(ledger=file) + query, "ADMIN_DATABASE_URL")


async def settle(shop: Shop, report: Report, seconds: int) -> None:
    """Waits until every payment has come to its end."""

    async def is_settled() -> bool:
        return not await read_books(shop, OPEN)

    if not await becomes(is_settled, seconds, 5):
        report.expect(False, f"still open after {seconds} s: {(await read_books(shop, OPEN))[:5]}")


async def expect_ends(shop: Shop, report: Report, purchases: list[Purchase]) -> None:
    ends: dict[str, Counter[str]] = defaultdict(Counter)
    rows = {id_: (end, by_hand == "t", known.split()) for id_, end, by_hand, known in await read_books(shop, ENDS)}
    for purchase in (each for each in purchases if each.id):
        if not report.expect(purchase.id in rows, f"order {purchase.id} was acknowledged and does not exist"):
            continue
        end, by_hand, known = rows[purchase.id]
        ends[purchase.course][end] += 1
        allowed = COURSES[purchase.course][2] | ({"refund_due"} if by_hand else set())
        report.expect(end in allowed, f"'{purchase.course}' ends as {end}: {purchase}")
        is_success = "200" not in purchase.responses or end in ("paid", "refund_due", "refunded")
        report.expect(is_success, f"'{purchase.course}' got a success and is {end}")
        report.expect(set(purchase.links) <= set(known), f"a shopper was sent to an unknown payment: {purchase}")
    for course, kinds in sorted(ends.items()):
        print(f"{course}: {counted(kinds)}")


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    print(f"seed {options.seed}", flush=True)
    # One shopper each: a new order of the same products would replace an unpaid one.
    shoppers = await shop.shoppers(options.orders)
    stocks = [1_000_000] * 20 + [max(4, options.orders // 100)] * 4
    products = await shop.products(stocks, [2_000 + 1_375 * n for n in range(len(stocks))])
    chaos = Chaos(shop, draw(shoppers, products, options.seed), await shop.seller())
    started = time.monotonic()
    await chaos.run(options.seed)
    report.figure("orders per second", options.orders / (time.monotonic() - started), "1/s")
    await settle(shop, report, options.settle_seconds)
    problems = await read_books(shop, PROBLEMS)
    report.expect(not problems, f"{len(problems)} disagreements between wallet and shop: {problems[:5]}")
    await expect_ends(shop, report, chaos.purchases)
    shop.expect_sound(report)
    chaos.engine.finish(report)
    report.figure("kills", chaos.kills)
