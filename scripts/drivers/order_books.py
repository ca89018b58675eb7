"""What the people of drivers/order_lives.py know, compared with the shop's tables and the wallet's ledger: every paisa of
wallet, cash, bills and refunds, every unit of stock and every bill number. The comparison is written in SQL and uses none of
the shop's functions and views."""

import json
from typing import TYPE_CHECKING, Any

from drivers.order_staff import Managers, Phone
from drivers.paid_orders import PROBLEMS, read_books
from drivers.report import Report, becomes
from drivers.shop import Product, Shop

if TYPE_CHECKING:
    from drivers.order_life import Life

BILL_SECONDS = 300
# Each life with what the shop's tables and the wallet say about its order.
LIVES = """,
lives AS (
    SELECT * FROM jsonb_to_recordset(pg_read_file('{lives}')::jsonb) AS l (
        id uuid, key text, shopper uuid, code text, method text, total bigint, status text, payments text[], has_units boolean,
        paid bigint, returned bigint, due bigint, collected bigint, collector uuid, was_delivered boolean, is_credited boolean,
        amount_due bigint, retained bigint, is_packed boolean, agreed_by text, adjustments jsonb, weights jsonb)
), cash AS (
    SELECT t.order_id AS id, sum(amount_paisa) FILTER (WHERE account IN ('till', 'rider')) AS cash,
           sum(amount_paisa) FILTER (WHERE account = 'differences') AS differences,
           -sum(amount_paisa) FILTER (WHERE account = 'sales') AS sold,
           (array_agg(t.rider_id ORDER BY t.id DESC) FILTER (WHERE t.kind = 'collected'))[1] AS collector
    FROM cash_transactions t JOIN cash_entries e ON e.transaction_id = t.id WHERE t.order_id IS NOT NULL GROUP BY 1
), billed AS (
    SELECT order_id AS id, count(*) AS bills, sum(total_paisa) AS billed FROM bills GROUP BY 1
), credited AS (
    SELECT b.order_id AS id, sum(c.total_paisa) AS credited FROM credit_notes c JOIN bills b ON b.id = c.bill_id GROUP BY 1
), online AS (
    SELECT shop.subject_id AS id, sum(taken) AS taken, sum(given_back) AS given_back, sum(left_to_people) AS left_to_people
    FROM shop JOIN wallet USING (pidx) GROUP BY 1
), goods AS (
    SELECT order_id AS id, sum(value_paisa) AS returned FROM door_returns GROUP BY 1
), adjusted AS (
    SELECT order_id AS id, jsonb_agg(jsonb_build_array(product_id, quantity_before, quantity_after, reason, replacement_id,
                                                       replacement_quantity, replacement_price_paisa)
                                     ORDER BY product_id::text COLLATE "C") AS their_adjustments
    FROM order_adjustments GROUP BY 1
), weighed AS (
    SELECT order_id AS id, jsonb_agg(jsonb_build_array(product_id, grams, amount_paisa)
                                     ORDER BY product_id::text COLLATE "C") AS their_weights
    FROM packed_weights GROUP BY 1
), known AS (
    SELECT l.*, o.id IS NOT NULL AS is_there, o.code AS their_code, o.method AS their_method, o.total_paisa AS their_total,
           o.status AS their_status, o.payment AS payment, o.stock IN ('held', 'taken') AS their_units,
           o.user_id AS their_shopper, coalesce(cash.cash, 0) AS cash, coalesce(cash.sold, 0) AS sold,
           coalesce(cash.differences, 0) AS differences, cash.collector AS their_collector, coalesce(bills, 0) AS bills,
           coalesce(billed, 0) AS billed, coalesce(credited, 0) AS credited, coalesce(taken, 0) AS taken,
           coalesce(given_back, 0) AS given_back, coalesce(left_to_people, 0) AS left_to_people,
           coalesce(goods.returned, 0) AS their_returned, o.amount_due_paisa, p.agreed_by AS their_agreement,
           p.due_paisa AS packed_due, coalesce(their_adjustments, '[]') AS their_adjustments,
           coalesce(their_weights, '[]') AS their_weights
    FROM lives l LEFT JOIN orders o USING (id) LEFT JOIN cash USING (id) LEFT JOIN billed USING (id)
    LEFT JOIN credited USING (id) LEFT JOIN online USING (id) LEFT JOIN goods USING (id)
    LEFT JOIN order_packings p ON p.order_id = l.id LEFT JOIN adjusted USING (id) LEFT JOIN weighed USING (id)
)"""
DISAGREEMENTS = """
SELECT id, problem, to_jsonb(known) FROM known CROSS JOIN LATERAL (VALUES
    ('an acknowledged order does not exist', NOT is_there),
    ('another order has its key', NOT EXISTS (SELECT FROM idempotency_keys k WHERE k.order_id = known.id
                                              AND k.user_id = shopper AND k.key::text = known.key)),
    ('code, method, shopper or total', (code, method, shopper, total) <> (their_code, their_method, their_shopper, their_total)),
    ('status', status <> their_status AND status <> ''),
    -- Where a refund was cut off by a kill, a person has to make it.
    ('payment', payment <> ALL (payments)
                AND NOT (payment = 'refund_due' AND left_to_people > 0 AND 'refunded' = ANY (payments))),
    ('units', has_units <> their_units),
    ('amount due', amount_due_paisa IS DISTINCT FROM CASE WHEN is_packed THEN amount_due END
                   OR packed_due IS DISTINCT FROM amount_due_paisa),
    ('how the price was agreed', agreed_by IS DISTINCT FROM their_agreement),
    ('what was packed otherwise', adjustments <> their_adjustments),
    ('what was weighed', weights <> their_weights),
    ('what came back from the door', returned <> their_returned),
    ('cash that was collected', cash <> coalesce(collected, 0)),
    ('who collected it', collected > 0 AND collector IS DISTINCT FROM their_collector),
    ('sold for', sold <> CASE WHEN collected IS NULL THEN 0 ELSE due END),
    ('difference between due and collected', differences <> CASE WHEN collected IS NULL THEN 0 ELSE due - collected END),
    ('taken by the wallet', taken <> paid),
    ('left after refunds', taken - given_back - left_to_people
                           <> coalesce(retained, CASE payment WHEN 'paid' THEN total ELSE 0 END)),
    ('a delivered order has a bill', bills = 0 AND their_status = 'Delivered'),
    ('an order that was never delivered has none', bills > 0 AND NOT was_delivered),
    ('billed', billed <> bills * amount_due),
    ('billed less credited is what was sold', billed - credited <> CASE
        WHEN their_status <> 'Delivered' THEN CASE WHEN their_status = 'Cancelled' THEN 0 ELSE billed END
        WHEN is_credited THEN due ELSE amount_due END)
) AS rule (problem, is_broken) WHERE is_broken"""
# Orders of these shoppers that nobody remembers.
UNKNOWN = """
SELECT o.id, 'nobody knows this order', o.code FROM orders o
WHERE o.user_id IN (SELECT shopper FROM lives) AND NOT EXISTS (SELECT FROM lives l WHERE l.id = o.id)"""
NUMBERS = """
SELECT fiscal_year || ' ' || series, 'bill numbers', format('%s numbers, %s to %s', count(*), min(number), max(number)) FROM (
    SELECT fiscal_year, outlet, series, number FROM bills
    UNION ALL SELECT fiscal_year, outlet, series, number FROM credit_notes) n
GROUP BY fiscal_year, outlet, series
HAVING count(DISTINCT number) <> max(number) OR count(*) <> max(number) OR min(number) <> 1"""
STOCK = """
WITH lives AS (
    SELECT life, o.stock IN ('held', 'taken') AS has_units
    FROM jsonb_array_elements(pg_read_file('{lives}')::jsonb) life JOIN orders o ON o.id = (life ->> 'id')::uuid
), moved AS (
    SELECT item ->> 'id' AS id, sum((item ->> 'quantity')::bigint) FILTER (WHERE has_units) AS in_orders, 0 AS lost
    FROM lives CROSS JOIN jsonb_array_elements(life -> 'items') item GROUP BY 1
    UNION ALL SELECT item ->> 'id', 0, sum((item ->> 'quantity')::bigint)
    FROM lives CROSS JOIN jsonb_array_elements(life -> 'lost') item GROUP BY 1
)
SELECT id, 'stock', format('%s at first, %s in orders, %s lost, %s left', first, in_orders, lost, stock)
FROM jsonb_to_recordset('{stock}'::jsonb) AS s (id uuid, first bigint) JOIN products p USING (id)
CROSS JOIN LATERAL (SELECT coalesce(sum(m.in_orders), 0) AS in_orders, coalesce(sum(m.lost), 0) AS lost
                    FROM moved m WHERE m.id = p.id::text) sums
WHERE first - in_orders - lost <> stock"""
EVENTS = """
SELECT coalesce(e.id, s.id), 'event of a stop', format('told %s, stored %s', e.code, s.refusal)
FROM jsonb_to_recordset(pg_read_file('{events}')::jsonb) AS e (id uuid, code text) FULL JOIN stop_events s USING (id)
WHERE e.code IS DISTINCT FROM s.refusal"""
TILL = """
SELECT 'all riders', 'cash', format('in the ledger %s, floats %s, differences %s; known %s, %s and %s', ledger, floats, missing,
                                    {collected} - {differences} - closed, {floats}, {differences} + closed + {short})
FROM (SELECT coalesce(sum(amount_paisa) FILTER (WHERE account IN ('till', 'rider', 'float')), 0) AS ledger,
             coalesce(sum(amount_paisa) FILTER (WHERE account = 'float'), 0) AS floats,
             coalesce(sum(amount_paisa) FILTER (WHERE account = 'differences'), 0) AS missing FROM cash_entries) entries,
     (SELECT coalesce(sum(expected_paisa - counted_paisa), 0) AS closed, count(*) AS days FROM cash_settlements) settlements
WHERE ledger <> {collected} - {differences} - closed OR floats <> {floats} OR missing <> {differences} + closed + {short}
   OR days NOT BETWEEN {settled} AND {tried}
UNION ALL SELECT rider_id::text, 'carries cash after the last day was closed', sum(amount_paisa)::text
FROM cash_entries WHERE account = 'rider' GROUP BY rider_id HAVING sum(amount_paisa) <> 0"""
# A worker makes bills and the credit notes of cancelled orders.
WITHOUT_BILL = """
SELECT o.id FROM orders o
LEFT JOIN (SELECT b.order_id, sum(b.total_paisa - coalesce(c.total, 0)) AS left_over FROM bills b
           LEFT JOIN (SELECT bill_id, sum(total_paisa) AS total FROM credit_notes GROUP BY 1) c ON c.bill_id = b.id
           GROUP BY 1) b ON b.order_id = o.id
WHERE (o.status = 'Delivered' AND b.order_id IS NULL) OR (o.status = 'Cancelled' AND b.left_over > 0) LIMIT 1"""
SUMS = """
SELECT count(*), sum(taken), sum(given_back), sum(cash), sum(billed), sum(credited), sum(bills) FROM known"""
# Each is made with '+' and undone with '-', while the triggers of the tables are off.
MISTAKES = {
    "a paisa of cash": """UPDATE cash_entries SET amount_paisa = amount_paisa {sign} CASE WHEN amount_paisa > 0 THEN 1 ELSE -1 END
        WHERE transaction_id = (SELECT min(id) FROM cash_transactions WHERE kind = 'collected')""",
    "a bill number": """UPDATE bills SET number = number {sign} 1000000
        WHERE id = (SELECT min(id::text)::uuid FROM bills)""",
    "a paisa of a credit note": """UPDATE credit_notes
        SET total_paisa = total_paisa {sign} 1, delivery_paisa = delivery_paisa {sign} 1
        WHERE id = (SELECT min(id::text)::uuid FROM credit_notes)""",
    "a unit of stock": "UPDATE products SET stock = stock {sign} 1 WHERE id = '{product}'",
    "a paisa of a refund": """UPDATE refunds SET amount_paisa = amount_paisa {sign} 1
        WHERE id = (SELECT min(id::text)::uuid FROM refunds WHERE state = 'confirmed')""",
    "a unit of an adjustment": """UPDATE order_adjustments SET quantity_before = quantity_before {sign} 1
        WHERE (order_id, product_id) = (SELECT order_id, product_id FROM order_adjustments ORDER BY 1, 2 LIMIT 1)""",
    "a gram of a weight": """UPDATE packed_weights SET grams = grams {sign} 1
        WHERE (order_id, product_id) = (SELECT order_id, product_id FROM packed_weights ORDER BY 1, 2 LIMIT 1)""",
    "a paisa of what is due": """UPDATE orders SET amount_due_paisa = amount_due_paisa {sign} 1
        WHERE id = (SELECT min(order_id::text)::uuid FROM order_packings)""",
    "what came back": """UPDATE door_returns SET value_paisa = value_paisa {sign} 1
        WHERE id = (SELECT min(id::text)::uuid FROM door_returns)""",
    "the answer to a phone": """UPDATE stop_events
        SET is_applied = '{sign}' = '-', refusal = CASE '{sign}' WHEN '+' THEN 'cancelled' ELSE '' END
        WHERE id = (SELECT min(id::text)::uuid FROM stop_events WHERE refusal IN ('', 'cancelled'))""",
}


def payments_of(life: "Life") -> list[str]:
    """How the payment of an order may have ended."""
    if life.method == "COD":
        return [{"Cancelled": "cod_void", "Delivered": "cod_collected"}.get(life.status, "cod_due")]
    if life.paid == 0 or "pay_less" in life.steps:
        return ["failed"]
    if "pay_late" in life.steps:
        return ["paid", "refunded"]
    return ["refunded"] if life.status == "Cancelled" else ["paid"]


def row_of(life: "Life") -> dict[str, Any]:
    # Late payers may find the goods gone and get their money back.
    is_open = "pay_late" in life.steps
    is_unpaid = life.method != "COD" and life.paid == 0
    is_back = is_unpaid or (life.status == "Cancelled" and not life.dispatched)
    is_cash, packing = life.method == "COD", life.packing
    return {
        **{"id": life.id, "key": life.key, "shopper": life.shopper.id, "code": life.code, "method": life.method},
        **{"total": life.total, "status": "" if is_open or is_unpaid else life.status, "payments": payments_of(life)},
        **{
            "has_units": None if is_open else not is_back,
            "paid": life.paid,
            "returned": life.returned,
            "due": life.due,
        },
        "collected": life.collected if is_cash else None,
        "collector": life.rider.id if life.rider else None,
        **{"was_delivered": life.was_delivered, "is_credited": life.is_credited, "retained": life.retained},
        **{"amount_due": life.amount_due, "is_packed": packing is not None},
        "agreed_by": packing.agreed_by if packing else None,
        "adjustments": packing.adjustments if packing else [],
        "weights": packing.weights if packing else [],
        "items": [{"id": line.product.id, "quantity": line.quantity} for line in life.bag],
        "lost": [{"id": product.id, "quantity": units} for product, units in (packing.lost if packing else [])],
    }


class Books:
    def __init__(
        self,
        shop: Shop,
        lives: list["Life"],
        products: list[Product],
        stocks: list[int],
        managers: Managers,
        phones: list[Phone],
    ) -> None:
        self.shop, self.lives = shop, [life for life in lives if life.id]
        self.managers = managers
        self.file, self.events = shop.stack.data / "lives.json", shop.stack.data / "events.json"
        self.file.write_text(json.dumps([row_of(life) for life in self.lives]))
        told = [{"id": id_, "code": code} for phone in phones for id_, code in phone.told.items()]
        self.events.write_text(json.dumps(told))
        first = [{"id": product.id, "first": stock} for product, stock in zip(products, stocks, strict=True)]
        self.stock, self.product = json.dumps(first), products[-1].id

    def till(self) -> str:
        """What the managers and riders counted themselves."""
        known, managers = (
            [life for life in self.lives if life.method == "COD" and life.collected is not None],
            self.managers,
        )
        return TILL.format(
            collected=sum(life.collected or 0 for life in known),
            short=sum(life.due - (life.collected or 0) for life in known),
            differences=managers.differences,
            floats=managers.floats,
            settled=managers.settled,
            tried=managers.tried_to_settle,
        )

    async def disagreements(self, left_out: str = "") -> list[list[str]]:
        """`left_out` is a payment that the wallet's ledger is read without."""
        found = []
        for query in (PROBLEMS, LIVES.format(lives=self.file) + DISAGREEMENTS, LIVES.format(lives=self.file) + UNKNOWN):
            found += await read_books(self.shop, query, left_out)
        queries = (
            NUMBERS,
            STOCK.format(stock=self.stock, lives=self.file),
            EVENTS.format(events=self.events),
            self.till(),
        )
        for query in queries:
            found += self.shop.stack.psql(query, "ADMIN_DATABASE_URL")
        return found

    def has_all_bills(self) -> bool:
        return not self.shop.stack.psql(WITHOUT_BILL)

    async def expect_agreement(self, report: Report) -> None:
        await becomes(self.has_all_bills, BILL_SECONDS, 2)
        found = await self.disagreements()
        for row in found[:50]:
            print(f"disagreement: {' | '.join(row)}", flush=True)
        report.expect(not found, f"{len(found)} disagreements: {[row[:2] for row in found[:9]]}")

    async def print_sums(self, report: Report) -> None:
        row = (await read_books(self.shop, LIVES.format(lives=self.file) + SUMS))[0]
        lives, taken, given_back, cash, billed, credited, bills = (int(value or 0) for value in row)
        rupees = {"taken by the wallet": taken, "given back by the wallet": given_back, "cash": cash}
        for name, paisa in (rupees | {"billed": billed, "credited": credited}).items():
            report.figure(f"{name}", paisa / 100, "Rs")
        report.figure("bills", bills)
        report.figure("orders compared", lives)

    async def expect_mistakes_seen(self, report: Report) -> None:
        """Falsifies one row after the other, and undoes it: each has to be noticed, or this driver could not fail."""
        before = await self.disagreements()
        for name, template in MISTAKES.items():
            if not report.expect(self.falsify(template, "+"), f"{name}: there is none; more lives are needed"):
                continue
            during = await self.disagreements()
            self.falsify(template, "-")
            report.expect(len(during) > len(before), f"nobody noticed that {name} is wrong")
            report.expect(await self.disagreements() == before, f"{name} was not put right again")
        paid = self.shop.stack.one("SELECT pidx FROM payments WHERE state = 'paid' ORDER BY id LIMIT 1")
        report.expect(await self.disagreements(paid), "nobody noticed that the wallet's ledger lacks a payment")
        print(f"{len(MISTAKES) + 1} mistakes were made and noticed")

    def falsify(self, template: str, sign: str) -> bool:
        """Whether there was a row to change."""
        statement = template.format(sign=sign, product=self.product)
        statement = f"SET session_replication_role = replica; {statement} RETURNING true"
        return bool(self.shop.stack.psql(statement, "ADMIN_DATABASE_URL"))
