"""Orders in one table against orders partitioned by month, in a PostgreSQL of its own: the statements that place an order, list
a shopper's and the seller's orders, report a day and poll for events, each as the server sends it; VACUUM and index build of
everything against those of one month; the end of a closed month; sizes. CPU is the session's own (`/proc/self/schedstat`), so
that a busy machine does not matter much. Fails when both layouts do not give the same rows, or when a code can be used twice."""

import argparse
import hashlib
import json
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

from drivers.benchmark import query_text
from drivers.order_months import (
    DAY_MS,
    PRODUCTS,
    SESSION,
    SHOPPERS,
    Load,
    Month,
    Schema,
    execute,
    first_id,
    months_until,
    product_id,
    rows,
    shopper_id,
    shoppers_of,
)
from drivers.postgres import Postgres, run_psql
from drivers.report import Report
from drivers.stack import Stack, build

ONE, BY_MONTH = "one table", "by month"
PAGE = 10
SELLER_PAGE = 50
# The default of OPEN_COD_PER_PHONE.
PER_PHONE = 6
CPU = "split_part(pg_read_file('/proc/self/schedstat'), ' ', 1)::bigint"
SELECT_ORDERS = "o.if_unavailable\n               FROM orders o "
SETTINGS = {"PG_FSYNC": "off", "PG_SHARED_BUFFERS": "2GB", "PG_MAX_WAL_SIZE": "2GB"}
BOUNDED, PLANNED = ", with a first id", ", planned each time"
# platform/db: one plan for all arguments, except in the search pool, which lists by status use as well.
SERVER_PLANS, SEARCH_PLANS = "force_generic_plan", "force_custom_plan"
# No order is open for longer.
BOUND_DAYS = 90
EVENT_CHANGES = [
    ("WHERE id > $1 ORDER", "WHERE id > $1 AND order_id >= $3 ORDER"),
    ("ON o.id = e.order_id", "ON o.id = e.order_id AND o.id >= $3"),
    ("previous.order_id = e.order_id", "previous.order_id = e.order_id AND previous.order_id >= $3"),
]
# Nothing has to survive a crash; the WAL of tables that are loaded is not written.
CONFIGURATION = """
wal_level = minimal
max_wal_senders = 0
full_page_writes = off
synchronous_commit = off
autovacuum = off
maintenance_work_mem = 1GB
"""


def add_options(options: argparse.ArgumentParser) -> None:
    options.add_argument("--orders", type=int, default=200_000)
    options.add_argument(
        "--detail-months", type=int, default=36, help="load items and events of so many last months only"
    )
    options.add_argument(
        "--no-contact-index", action="store_true", help="without the index on parts of names and numbers"
    )
    options.add_argument("--layout", choices=[ONE, BY_MONTH], help="only this one, where both take too long")
    options.add_argument("--rounds", type=int, default=300, help="executions of each statement")
    options.add_argument("--plans", type=Path, help="write the plans to this file")


def text_of(value: object) -> str:
    """A value as an SQL literal."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"


def array_of(values: list[str]) -> str:
    return "{" + ",".join(values) + "}"


class Session:
    """One connection per call: prepares a statement, executes it for each list of arguments, and reads its CPU."""

    def __init__(self, url: str) -> None:
        self.url = url

    def run(
        self, statement: str, arguments: list[list[object]], warm: int = 10, plans: str = SERVER_PLANS
    ) -> tuple[float, str]:
        """CPU in milliseconds of one execution, and the plan of the last one, which is explained. The statement is prepared
        and planned as in the server's main pool."""
        calls = [f"EXECUTE s({', '.join(text_of(value) for value in row)});" for row in arguments]
        script = f"""SET jit = off;
SET plan_cache_mode = {plans};
\\o /dev/null
PREPARE s AS {statement};
{chr(10).join(calls[:warm])}
\\o
SELECT {CPU} AS before \\gset
\\o /dev/null
{chr(10).join(calls[warm:-1])}
\\o
SELECT ({CPU} - :before) / {len(calls) - warm - 1};
EXPLAIN (ANALYZE, BUFFERS, WAL, COSTS OFF, TIMING OFF) {calls[-1]}
"""
        lines = run_psql(self.url, "-f", "-", input=script).stdout.splitlines()
        return int(lines[0]) / 1e6, "\n".join(lines[1:])

    def answer(self, statement: str, arguments: list[object]) -> str:
        call = f"EXECUTE s({', '.join(text_of(value) for value in arguments)})"
        found = run_psql(self.url, "-f", "-", input=f"PREPARE s AS {statement};\n{call};\n").stdout
        # Not every statement says in which order.
        return "\n".join(sorted(found.splitlines()))

    def cost(self, statement: str) -> tuple[float, float]:
        """CPU and wall-clock seconds of one statement that is no query; VACUUM may not be in a transaction."""
        script = (
            f"{SESSION}\n\\o /dev/null\nSELECT {CPU} AS before \\gset\n{statement};\n\\o\nSELECT {CPU} - :before;\n"
        )
        started = time.monotonic()
        found = run_psql(self.url, "-f", "-", input=script).stdout.splitlines()
        return int(found[-1]) / 1e9, time.monotonic() - started


def buffers_of(plan: str) -> int:
    """Pages that the explained execution touched; those of planning follow in a line of their own."""
    found = re.search(r"Buffers: shared((?: (?:hit|read|dirtied|written)=\d+)+)", plan)
    return sum(int(number) for number in re.findall(r"(?:hit|read)=(\d+)", found[1])) if found else 0


class Statements:
    """The server's own statements with arguments of this shop."""

    def __init__(self, load: Load, rounds: int) -> None:
        self.load, self.rounds = load, rounds
        step = shoppers_of(load.orders) // SHOPPERS
        self.shoppers = [shopper_id(number * step) for number in range(SHOPPERS)]
        self.now = datetime.fromtimestamp(load.months[-1].filled_until / 1000, UTC)
        self.ms = load.months[-1].filled_until
        self.placed = dict.fromkeys(self.shoppers, 0)
        self.made = 0

    def repeated(self, make: Callable[[int], list[object]]) -> list[list[object]]:
        return [make(number) for number in range(self.rounds)]

    def shopper(self, number: int) -> str:
        # Neighbours are not asked for one after the other.
        return self.shoppers[number * 37 % SHOPPERS]

    def basket(self, number: int) -> list[str]:
        return [product_id((number * 7 + 331 * line) % PRODUCTS) for line in range(3)]

    def reading(self) -> dict[str, tuple[str, list[list[object]]]]:
        own = query_text(SELECT_ORDERS + "WHERE o.user_id = $1 AND o.id < $2 ORDER BY o.id DESC LIMIT $3")
        by_status = query_text("WHERE o.status = $4 AND o.id < $1")
        sales, hours = query_text('AS "to_collect!: Paisa"', "is_sale"), query_text("extract(hour FROM created_at")
        top, events = query_text("max(i.order_id::text)::uuid AS newest"), query_text("order_events WHERE id > $1")
        top_id, old_id = first_id(self.ms + DAY_MS), first_id(self.load.months[11].start)
        day, month = first_id(self.ms - 2 * DAY_MS), first_id(self.ms - 31 * DAY_MS)
        until, last = first_id(self.ms - DAY_MS), self.load.orders * 2 + 1
        snapshot = query_text('AS "unpaid_same_products!: Vec<OrderId>"')
        return {
            "place: what it depends on": (
                snapshot,
                self.repeated(
                    lambda n: [self.shopper(n), f"key-{n}", None, 32, array_of(self.basket(n)), self.now.isoformat()]
                ),
            ),
            "place: open cash orders of this phone": (
                query_text("phone_key(phone) = phone_key($2)"),
                self.repeated(lambda n: [self.shopper(n), f"98{n * 7919:08d}", PER_PHONE]),
            ),
            "history, first page": (own, self.repeated(lambda n: [self.shopper(n), top_id, PAGE + 1])),
            "history, two years ago": (own, self.repeated(lambda n: [self.shopper(n), old_id, PAGE + 1])),
            "seller's list, first page": (
                query_text(SELECT_ORDERS + "WHERE o.id < $1 AND ($2 OR"),
                self.repeated(lambda n: [top_id, False, SELLER_PAGE + 1]),
            ),
            "seller's list, delivered": (
                by_status,
                self.repeated(lambda n: [top_id, False, SELLER_PAGE + 1, "Delivered"]),
            ),
            "seller's list, shipped": (
                by_status,
                self.repeated(lambda n: [top_id, False, SELLER_PAGE + 1, "Order Shipped"]),
            ),
            "seller's list, a status without orders": (
                by_status,
                self.repeated(lambda n: [top_id, False, SELLER_PAGE + 1, "Nothing"]),
            ),
            "seller's list, cancelled two years ago": (
                by_status,
                self.repeated(lambda n: [old_id, False, SELLER_PAGE + 1, "Cancelled"]),
            ),
            "order by id": (
                query_text(SELECT_ORDERS + "WHERE o.id = $1"),
                self.repeated(lambda n: [self.some_order(n)]),
            ),
            "report of a day": (sales, [[day, until]] * 20),
            "report of thirty days": (sales, [[month, until]] * 13),
            "sales by hour of a day": (hours, [[day, until]] * 20),
            "best products of a day": (top, [[day, until, 10]] * 20),
            "poll for events, none": (events, self.repeated(lambda n: [last, "10 seconds"])),
            "poll for events, ten": (events, self.repeated(lambda n: [last - 10, "10 seconds"])),
        }

    def bounded(self) -> dict[str, tuple[str, list[list[object]]]]:
        """The same with a first id, so that PostgreSQL leaves older months out: as the server would have to ask."""
        since, year = first_id(self.ms - BOUND_DAYS * DAY_MS), first_id(self.ms - 365 * DAY_MS)
        changes = {
            "place: what it depends on": (
                [
                    ("WHERE user_id = $1 ORDER BY id DESC", "WHERE user_id = $1 AND id >= $7 ORDER BY id DESC"),
                    ("WHERE o.user_id = $1 AND", "WHERE o.user_id = $1 AND o.id >= $7 AND"),
                    ("WHERE i.order_id = o.id AND", "WHERE i.order_id = o.id AND i.order_id >= $7 AND"),
                ],
                since,
            ),
            "place: open cash orders of this phone": ([("user_id <> $1", "user_id <> $1 AND id >= $4")], since),
            "history, first page": ([("AND o.id < $2", "AND o.id < $2 AND o.id >= $4")], year),
            "seller's list, shipped": ([("AND o.id < $1", "AND o.id < $1 AND o.id >= $5")], since),
            "poll for events, none": (EVENT_CHANGES, since),
            "poll for events, ten": (EVENT_CHANGES, since),
        }
        asked, made = self.reading(), {}
        for name, (replacements, bound) in changes.items():
            statement, arguments = asked[name]
            for old, new in replacements:
                if old not in statement:
                    raise SystemExit(f"{name}: the statement has no {old}")
                statement = statement.replace(old, new)
            made[name + BOUNDED] = (statement, [[*row, bound] for row in arguments])
        return made

    def some_order(self, number: int) -> str:
        """The id of an order, computed as it was loaded."""
        month = self.load.months[number % len(self.load.months)]
        n = month.first + number * 7919 % max(1, month.orders)
        ms = month.start + (n - month.first) * (month.filled_until - month.start) // max(1, month.orders)
        text = f"{ms:012x}70008{n:015x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

    def placement(self) -> tuple[str, list[list[object]]]:
        return query_text("WITH counted AS ("), self.repeated(lambda _: self.new_order())

    def new_order(self) -> list[object]:
        self.made += 1
        at = self.now + timedelta(milliseconds=self.made)
        ms, shopper, products = int(at.timestamp() * 1000), self.shopper(self.made), self.basket(self.made)
        text = f"{ms:012x}7fff8{self.made:015x}"
        order = f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
        before, code = self.placed[shopper], f"ZZ{self.made:08d}"
        self.placed[shopper] += 1
        row = {
            **{"id": order, "code": code, "tracking": f"{code}NP", "method": "COD", "status": "Order Placed"},
            **{
                "payment": "cod_due",
                "stock": "taken",
                "subtotal_paisa": 37500,
                "taxable_paisa": 0,
                "tax_rate_bp": 1300,
            },
            **{"tax_paisa": 0, "fee_paisa": 2000, "free_above_paisa": 100_000, "shipping_paisa": 2000},
            **{"total_paisa": 39500, "vat_registered": True, "prices_include_tax": False, "weight_tolerance_bp": 1000},
            **{"recipient": "Sita Rai", "email": "", "phone": "9841234567", "address": "Baneshwor-10", "ward": "10"},
            **{"municipality": "Kathmandu", "landmark": "", "language": "ne", "delivery_date": f"{at:%Y-%m-%d}"},
            **{"note_shop": "", "note_rider": "", "created_at": at.isoformat()},
        }
        names, none = array_of(['"Basmati Rice"'] * 3), array_of(["NULL"] * 3)
        hashed = "\\x" + hashlib.sha256(code.encode()).hexdigest()
        first = [shopper, before, f"order-{self.made}", hashed, order, "{}", None, at.isoformat(), json.dumps(row)]
        items = [array_of(products), names, none, none, "{12500,12500,12500}", "{exempt,exempt,exempt}", "{1,1,1}"]
        return [*first, *items, none, none, none, "orders.email", "{}", 25, "{12500,12500,12500}", None, None, 0]


class Layout:
    """One of the two, in a database of its own."""

    def __init__(self, name: str, load: Load, report: Report, rounds: int) -> None:
        self.name, self.load, self.report = name, load, report
        self.session, self.statements = Session(load.url), Statements(load, rounds)
        self.figures: dict[str, float] = {}
        self.plans: list[str] = []
        self.results: dict[str, str] = {}

    def figure(self, name: str, value: float, unit: str) -> None:
        self.figures[f"{name}\t{unit}"] = value
        self.report.figure(f"{self.load.orders} orders, {name}, {self.name}", value, unit)

    def one(self, statement: str) -> str:
        return rows(self.load.url, statement)[0][0]

    def fill(self) -> None:
        started = time.monotonic()
        with ThreadPoolExecutor(2) as sessions:
            statements = list(self.load.one_table() if self.name == ONE else self.load.by_month())
            costs = dict(zip(statements, sessions.map(self.session.cost, statements), strict=True))
            built = {statement: cpu for statement, (cpu, _) in costs.items() if "order_codes" not in statement}
            own = next(cpu for statement, cpu in built.items() if "orders_of_user" in statement)
            self.figure("build the index orders_of_user, all months: CPU", own, "s")
            self.figure("build all indexes but the primary keys: CPU", sum(built.values()), "s")
            cleaned = sessions.map(self.session.cost, [f"VACUUM {table}" for table in self.leaves("orders")])
            self.figure("first VACUUM of orders: CPU", sum(cpu for cpu, _ in cleaned), "s")
            list(sessions.map(self.session.cost, ["VACUUM (ANALYZE) order_items", "VACUUM (ANALYZE) order_events"]))
            self.figure("ANALYZE of orders: CPU", self.session.cost("ANALYZE orders")[0], "s")
            self.session.cost("ANALYZE")
        print(f"{self.name}: loaded in {time.monotonic() - started:.0f} s", flush=True)

    def leaves(self, table: str) -> list[str]:
        """The tables that have rows: itself, or its partitions."""
        parts = rows(self.load.url, f"SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = '{table}'::regclass")
        return [part for (part,) in parts] or [table]

    def measure_sizes(self) -> None:
        names = ", ".join(f"('{table}'::regclass)" for table in self.leaves("orders"))
        for name, function in (("rows", "pg_table_size"), ("indexes", "pg_indexes_size")):
            size = int(self.one(f"SELECT sum({function}(leaf)) FROM (VALUES {names}) leaves (leaf)"))
            self.figure(f"size of orders, {name}", size / 1e9, "GB")
        if self.name == BY_MONTH:
            self.figure(
                "size of order_codes", int(self.one("SELECT pg_total_relation_size('order_codes')")) / 1e9, "GB"
            )
        newest = "orders" if self.name == ONE else f"orders_{self.load.months[-1].name}"
        size = int(self.one(f"SELECT pg_indexes_size('{newest}')"))
        self.figure("indexes that a new order is written to", size / 1e9, "GB")

    def measure_statements(self) -> None:
        for name, (statement, arguments) in self.statements.reading().items():
            is_by_status = name.startswith("seller's list, ") and name != "seller's list, first page"
            self.measure(name, statement, arguments, SEARCH_PLANS if is_by_status else SERVER_PLANS)
            self.results[name] = self.session.answer(statement, arguments[0])
            if name in ("place: what it depends on", "history, first page", "poll for events, none"):
                self.measure(name + PLANNED, statement, arguments, SEARCH_PLANS)
        if self.name == BY_MONTH:
            for name, (statement, arguments) in self.statements.bounded().items():
                self.measure(name, statement, arguments)
        self.measure("place: write it", *self.statements.placement())
        count = int(self.one("SELECT count(*) FROM orders WHERE code LIKE 'ZZ%'"))
        self.report.expect(
            count == self.statements.made, f"{self.name}: {count} of {self.statements.made} orders placed"
        )
        for kind in ("", *([BOUNDED] if self.name == BY_MONTH else [])):
            names = [
                f"place: what it depends on{kind}",
                f"place: open cash orders of this phone{kind}",
                "place: write it",
            ]
            cost = sum(self.figures[f"{name}: CPU\tms"] for name in names)
            self.figure(f"place an order, all three{kind}: CPU", cost, "ms")

    def measure(self, name: str, statement: str, arguments: list[list[object]], plans: str = SERVER_PLANS) -> None:
        cpu, plan = self.session.run(statement, arguments, plans=plans)
        self.figure(f"{name}: CPU", cpu, "ms")
        self.figure(f"{name}: pages", buffers_of(plan), "pages")
        self.plans.append(f"### {name}, {self.name}\n\n```\n{plan}\n```\n")

    def expect_unique_code(self) -> None:
        row = self.statements.new_order()
        first = str(row[8])
        row[8] = first.replace(json.loads(first)["code"], self.one("SELECT code FROM orders ORDER BY id LIMIT 1"))
        try:
            self.session.run(query_text("WITH counted AS ("), [row, row, row], warm=1)
            self.report.expect(False, f"{self.name}: the code of another month was accepted")
        except SystemExit as refused:
            self.report.expect("duplicate key value" in str(refused), f"{self.name}: {refused}")

    # Maintenance.

    def table_of(self, month: Month) -> str:
        return "orders" if self.name == ONE else f"orders_{month.name}"

    def measure_maintenance(self) -> None:
        month = self.load.months[-2]
        bounds = f"id >= '{first_id(month.start)}' AND id < '{first_id(month.end)}'"
        changed = "UPDATE orders SET rider_id = user_id WHERE " + bounds + " AND right(code, 2) < '03'"
        execute(self.load.url, changed)
        cpu, seconds = self.session.cost(f"VACUUM (INDEX_CLEANUP ON) {self.table_of(month)}")
        self.figure("VACUUM after changes in one month: CPU", cpu, "s")
        self.figure("VACUUM after changes in one month: time", seconds, "s")
        if self.name == BY_MONTH:
            index = self.one(
                f"""SELECT i.indexrelid::regclass FROM pg_index i JOIN pg_inherits h ON h.inhrelid = i.indexrelid
                    WHERE h.inhparent = 'orders_of_user'::regclass AND i.indrelid = '{self.table_of(month)}'::regclass"""
            )
            cpu, _ = self.session.cost(f"REINDEX INDEX {index}")
            self.figure("build the index orders_of_user, one month: CPU", cpu, "s")

    def measure_end_of_month(self) -> None:
        """The oldest month goes. In one table only a day of it is deleted, because a month would take its thirty times."""
        month = self.load.months[0]
        day = f"'{first_id(month.start)}' AND {{}} < '{first_id(month.start + DAY_MS)}'"
        if self.name == ONE:
            rows_of_day = int(self.one(f"SELECT count(*) FROM orders WHERE id >= {day.format('id')}"))
            deletes = [
                f"DELETE FROM {table} WHERE {key} >= {day.format(key)}"
                for table, key in (("order_events", "order_id"), ("order_items", "order_id"), ("orders", "id"))
            ]
            # With the foreign keys on: each of the tables that refer to orders is asked for each order.
            script = "SET session_replication_role = origin;\n" + ";\n".join(deletes)
            before = self.one("SELECT pg_current_wal_lsn()")
            cpu, _ = self.session.cost(script)
            wal = int(self.one(f"SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '{before}')::bigint"))
            self.figure("delete 1,000 closed orders: CPU", cpu / max(1, rows_of_day) * 1000, "s")
            self.figure("delete 1,000 closed orders: WAL", wal / max(1, rows_of_day) * 1000 / 1e6, "MB")
            return
        before = self.one("SELECT pg_current_wal_lsn()")
        refused = ""
        if rows(self.load.url, f"SELECT 1 FROM order_items_{month.name} LIMIT 1"):
            try:
                self.session.cost(f"ALTER TABLE orders DETACH PARTITION orders_{month.name}")
            except SystemExit as error:
                refused = str(error)
            self.report.expect("violates foreign key" in refused, f"orders went before their items: {refused}")
        parts = [f"{table}_{month.name}" for table in ("order_events", "order_items")]
        detach = [f"ALTER TABLE {part.removesuffix('_' + month.name)} DETACH PARTITION {part}" for part in parts]
        # A table that is detached keeps its foreign key, under a name that PostgreSQL chose.
        keys = rows(
            self.load.url,
            f"""SELECT conrelid::regclass, conname FROM pg_constraint WHERE contype = 'f'
                AND conrelid IN ({", ".join(f"'{part}'::regclass" for part in parts)}) AND confrelid = 'orders'::regclass""",
        )
        detach += [f"ALTER TABLE {part} DROP CONSTRAINT {key}" for part, key in keys]
        detach.append(f"ALTER TABLE orders DETACH PARTITION orders_{month.name}")
        cpu, seconds = self.session.cost(";\n".join(detach))
        self.figure(f"detach a month of {month.orders} orders: CPU", cpu, "s")
        self.figure(f"detach a month of {month.orders} orders: time", seconds, "s")
        names = ", ".join(f"{table}_{month.name}" for table in ("order_events", "order_items", "orders"))
        _, seconds = self.session.cost(f"DROP TABLE {names}")
        self.figure("drop the detached month: time", seconds, "s")
        wal = int(self.one(f"SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '{before}')::bigint"))
        self.figure("detach and drop a month: WAL", wal / 1e6, "MB")

    def all(self) -> None:
        self.fill()
        self.measure_sizes()
        self.measure_statements()
        self.expect_unique_code()
        self.measure_maintenance()
        self.measure_end_of_month()


def print_table(layouts: list[Layout]) -> None:
    first, second = (layout.figures for layout in layouts)
    print("\n| | one table | by month | ratio |\n|---|---|---|---|")
    for key in dict.fromkeys([*first, *second]):
        name, unit = key.split("\t")
        shown = [f"{figures[key]:.4g} {unit}" if key in figures else "–" for figures in (first, second)]
        ratio = f"{second[key] / first[key]:.2f}" if first.get(key) and key in second else "–"
        print(f"| {name} | {shown[0]} | {shown[1]} | {ratio} |")


def run_alone(report: Report, options: argparse.Namespace) -> None:
    stack = Stack.here(["--database-only"], SETTINGS, is_own=True)
    layouts: list[Layout] = []
    try:
        assert isinstance(stack.postgres, Postgres)
        stack.settings["BINARY"] = build(False)
        stack.run_binary(["migrate"], stack.env)
        stack.postgres.stop()
        stack.postgres.configure(CONFIGURATION)
        stack.postgres.start(int(stack.settings["POSTGRES_PORT"]))
        url = stack.env["ADMIN_DATABASE_URL"]
        place = url.rsplit("/", 1)[0]
        run_psql(f"{place}/postgres", "-c", "CREATE DATABASE months TEMPLATE thunse")
        now = datetime.now(UTC)
        months = months_until(now, options.orders)
        schema = Schema.of(url, not options.no_contact_index)
        open_from = int(now.timestamp() * 1000) - 2 * DAY_MS
        for name, database in ((ONE, "thunse"), (BY_MONTH, "months")):
            if options.layout not in (None, name):
                continue
            where = f"{place}/{database}"
            load = Load(months, options.orders, options.detail_months, where, schema, open_from)
            layouts.append(Layout(name, load, report, options.rounds))
            layouts[-1].all()
            run_psql(f"{place}/postgres", "-c", f"DROP DATABASE {database} WITH (FORCE)")
        for name, found in layouts[0].results.items():
            report.expect(layouts[-1].results[name] == found, f"{name}: the layouts give different rows")
        if not options.layout:
            print_table(layouts)
        if options.plans:
            options.plans.write_text("\n".join(plan for layout in layouts for plan in layout.plans))
    finally:
        stack.close()
