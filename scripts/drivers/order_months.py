"""Millions of orders over 36 months for `partitions`: in the shop's own tables, and in the same tables partitioned by month.

The id of an order begins with its time, so a range of ids is a month, and the partition key is the primary key itself."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from drivers.postgres import run_psql

MONTHS = 36
PRODUCTS = 1_000
# Shoppers of whom the statements ask; other orders belong to accounts without a row, which no statement reads.
SHOPPERS = 200
TABLES = ("orders", "order_items", "order_events")
DAY_MS = 86_400_000
# Its own sessions build one index at a time, so that all CPU is in the session that is measured.
SESSION = """SET client_min_messages = warning; SET session_replication_role = replica;
SET max_parallel_maintenance_workers = 0; SET work_mem = '256MB';"""

# A code is unique in the whole shop, which no index over partitions can promise.
CODES = """
CREATE TABLE order_codes (code text COLLATE "C" PRIMARY KEY, order_id uuid NOT NULL);
CREATE FUNCTION claim_order_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO order_codes (code, order_id) VALUES (NEW.code, NEW.id);
    RETURN NULL;
END $$;
"""
CODE_TRIGGER = """CREATE TRIGGER orders_code_unique AFTER INSERT ON orders
    FOR EACH ROW EXECUTE FUNCTION claim_order_code()"""


def first_id(ms: int) -> str:
    """The smallest id that an order of this millisecond can have."""
    text = f"{ms:012x}{0:020x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def shopper_id(number: int) -> str:
    return f"00000000-0000-7000-8000-{number:012x}"


def product_id(number: int) -> str:
    return f"00000000-0000-7000-9000-{number:012x}"


@dataclass
class Month:
    name: str  # 2026_11
    start: int  # both in milliseconds since 1970
    end: int
    first: int  # number of its first order
    orders: int
    filled_until: int  # the last of its orders is earlier than this

    @property
    def bounds(self) -> str:
        return f"FROM ('{first_id(self.start)}') TO ('{first_id(self.end)}')"


def months_until(now: datetime, orders: int) -> list[Month]:
    """The shop doubles within the three years, and October is the month before Dashain. The last month is not over."""
    starts = []
    for back in range(MONTHS - 1, -2, -1):
        number = now.year * 12 + now.month - 1 - back
        starts.append(datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC))
    weights = []
    for number, start in enumerate(starts[:-1]):
        until = min(now, starts[number + 1])
        part = (until - start) / (starts[number + 1] - start)
        weights.append((1 + number / MONTHS) * (1.6 if start.month == 10 else 1) * part)
    counts = [int(orders * weight / sum(weights)) for weight in weights]
    counts[0] += orders - sum(counts)
    made, first = [], 1
    for number, count in enumerate(counts):
        begin, end = (int(each.timestamp() * 1000) for each in starts[number : number + 2])
        made.append(Month(f"{starts[number]:%Y_%m}", begin, end, first, count, min(end, int(now.timestamp() * 1000))))
        first += count
    return made


def shoppers_of(orders: int) -> int:
    return max(SHOPPERS, orders // 20)


def drawn(month: Month, orders: int, open_from: int) -> str:
    """The orders of a month as a subquery: number, time, id, shopper and two numbers that look random."""
    length = month.filled_until - month.start
    return f"""(
        SELECT n, ms, h1, h2, ms >= {open_from} AS is_open, to_timestamp(ms / 1000.0) AS at,
               (lpad(to_hex(ms), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid AS id,
               lpad(upper(to_hex(n * 433494437 & 1099511627775)), 10, '0') AS code,
               floor(power((h1 & 2147483647) / 2147483648.0::float8, 1.3) * {shoppers_of(orders)})::bigint AS who
        FROM (SELECT n::bigint, {month.start} + ((n - {month.first}) * {length}::bigint / {max(1, month.orders)}) AS ms,
                     hashint8(n)::bigint AS h1, hashint8(n + 77777777777)::bigint & 2147483647 AS h2
              FROM generate_series({month.first}::bigint, {month.first + month.orders - 1}) n) numbered) d"""


def insert_orders(table: str, month: Month, orders: int, open_from: int) -> str:
    """About one order in twenty is cancelled, three in four are paid in cash, those of the last two days are open."""
    return f"""INSERT INTO {table} (id, code, tracking, user_id, method, status, payment, stock, dispatched, subtotal_paisa,
            taxable_paisa, tax_paisa, shipping_paisa, total_paisa, recipient, email, phone, address, municipality, ward,
            language, delivery_date, created_at, updated_at)
        SELECT id, code, reverse(code) || 'NP', ('00000000-0000-7000-8000-' || lpad(to_hex(who), 12, '0'))::uuid, method, status,
               CASE WHEN method = 'COD' THEN CASE status WHEN 'Cancelled' THEN 'cod_void' WHEN 'Delivered' THEN 'cod_collected'
                         ELSE 'cod_due' END WHEN status = 'Cancelled' THEN 'failed' ELSE 'paid' END,
               CASE status WHEN 'Cancelled' THEN 'returned' ELSE 'taken' END, status = 'Delivered',
               subtotal, 0, 0, shipping, subtotal + shipping, 'Sita Rai', '', '98' || lpad((who % 100000000)::text, 8, '0'),
               'Baneshwor-10', 'Kathmandu', '10', 'ne', at::date + 1, at, at
        FROM (SELECT *, 5000 + h2 % 195000 AS subtotal, CASE WHEN 5000 + h2 % 195000 > 100000 THEN 0 ELSE 2000 END AS shipping,
                     CASE WHEN h2 % 4 = 0 THEN 'Khalti' ELSE 'COD' END AS method,
                     CASE WHEN is_open THEN (ARRAY['Order Placed', 'Order Confirmed', 'Order Shipped', 'Out for Delivery'])
                                            [1 + h2 % 4]
                          WHEN h2 % 20 = 7 THEN 'Cancelled' ELSE 'Delivered' END AS status
              FROM {drawn(month, orders, open_from)}) decided"""


def insert_items(table: str, month: Month, orders: int, open_from: int) -> str:
    """Two of each order; a few products are in most baskets."""
    return f"""INSERT INTO {table} (order_id, product_id, position, name, name_ne, price_paisa, tax_class, quantity)
        SELECT id, ('00000000-0000-7000-9000-' ||
                    lpad(to_hex(line * 500 + (power(h2 / 2147483648.0::float8, 3) * 500)::int % 500), 12, '0'))::uuid, line,
               'Basmati Rice 5 kg', 'बासमती चामल ५ केजी', 12500, 'exempt', 1 + h2 % 3
        FROM {drawn(month, orders, open_from)} CROSS JOIN generate_series(0, 1) line"""


def insert_events(table: str, month: Month, orders: int, open_from: int) -> str:
    """Two of each order, numbered in the order of time."""
    return f"""INSERT INTO {table} (id, order_id, status, actor, at) OVERRIDING SYSTEM VALUE
        SELECT n * 2 + step, id, CASE WHEN step = 0 THEN 'Order Placed' WHEN is_open THEN 'Order Confirmed' ELSE 'Delivered' END,
               CASE step WHEN 0 THEN 'shopper' ELSE 'seller' END, at + step * interval '3 hours'
        FROM {drawn(month, orders, open_from)} CROSS JOIN generate_series(0, 1) step"""


INSERTS = {"orders": insert_orders, "order_items": insert_items, "order_events": insert_events}


@dataclass
class Schema:
    """What the three tables consist of, so that it can be taken away for loading and made again."""

    checks: list[str]
    keys: list[str]
    foreign_keys: list[str]
    indexes: dict[str, tuple[str, str]]  # name: table, definition
    functions: list[str]  # that take a row of one of the tables
    views: list[str]

    @classmethod
    def of(cls, url: str, is_contact_indexed: bool) -> "Schema":
        names = ", ".join(f"'{table}'::regclass" for table in TABLES)
        constraints = rows(
            url,
            f"""SELECT contype, format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
                       replace(replace(pg_get_constraintdef(oid), ' NOT VALID', ''), E'\\n', ' ')), conname, conrelid::regclass
                FROM pg_constraint WHERE (conrelid IN ({names}) OR confrelid IN ({names})) ORDER BY oid""",
        )
        indexes = rows(
            url,
            f"""SELECT indexrelid::regclass, indrelid::regclass, pg_get_indexdef(indexrelid) FROM pg_index
                WHERE indrelid IN ({names}) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
                ORDER BY 2, 1""",
        )
        functions = rows(
            url,
            f"""SELECT replace(pg_get_functiondef(p.oid), E'\\n', chr(31)) FROM pg_proc p JOIN pg_class c
                ON c.reltype = ANY (p.proargtypes) WHERE c.oid IN ({names}) AND p.prokind = 'f'""",
        )
        views = rows(
            url,
            """SELECT replace(format('CREATE OR REPLACE VIEW %s AS %s', oid::regclass, pg_get_viewdef(oid)), E'\\n', ' ')
               FROM pg_class WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace ORDER BY oid""",
        )
        return cls(
            [text for kind, text, *_ in constraints if kind == "c"],
            [text for kind, text, *_ in constraints if kind in "pu"],
            [text for kind, text, *_ in constraints if kind == "f"],
            {name: (table, text) for name, table, text in indexes if is_contact_indexed or "gin" not in text},
            [text.replace(chr(31), "\n") for (text,) in functions],
            [text for (text,) in views],
        )


def rows(url: str, statement: str) -> list[list[str]]:
    return [line.split("\t") for line in run_psql(url, "-c", statement).stdout.splitlines() if line]


def execute(url: str, *statements: str) -> None:
    """In one session and one transaction: the WAL of a table that is made in the same one is not written."""
    run_psql(url, "-f", "-", input=f"{SESSION}\nBEGIN;\n" + ";\n".join(statements) + ";\nCOMMIT;\n")


@dataclass
class Load:
    months: list[Month]
    orders: int
    detail_months: int  # of so many of the last months the items and events are loaded
    url: str
    schema: Schema
    open_from: int

    @property
    def detailed(self) -> list[Month]:
        return self.months[-self.detail_months :]

    def insert(self, table: str, into: str, month: Month) -> str:
        return INSERTS[table](into, month, self.orders, self.open_from)

    def goods_and_shoppers(self) -> list[str]:
        many, step = shoppers_of(self.orders), shoppers_of(self.orders) // SHOPPERS
        return [
            "INSERT INTO categories (id, name, slug) VALUES ('00000000-0000-7000-a000-000000000000', 'Rice', 'rice')"
            " ON CONFLICT DO NOTHING",
            f"""INSERT INTO products (id, category_id, slug, name, price_paisa, tax_class, stock)
            SELECT ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, '00000000-0000-7000-a000-000000000000',
                   'product-' || n, 'Product ' || n, 12500, 'exempt', 1000000 FROM generate_series(0, {PRODUCTS - 1}) n""",
            f"""INSERT INTO users (id, email, name, email_confirmed_at)
            SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'shopper-' || n || '@example.com', 'Sita Rai',
                   now() FROM generate_series(0, {many - 1}, {step}) n""",
            "INSERT INTO buyers (user_id, placed) SELECT id, 0 FROM users",
        ]

    def drop_extras(self) -> list[str]:
        names = (text.split()[5] for text in self.schema.checks if text.startswith("ALTER TABLE orders "))
        return [
            *(f"DROP INDEX IF EXISTS {name}" for name in self.all_indexes()),
            *(f"ALTER TABLE orders DROP CONSTRAINT {name}" for name in names),
        ]

    def all_indexes(self) -> list[str]:
        return [
            name
            for (name,) in rows(
                self.url,
                """SELECT indexrelid::regclass FROM pg_index WHERE indrelid IN
                   ('orders'::regclass, 'order_items'::regclass, 'order_events'::regclass)
                   AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)""",
            )
        ]

    def checks_again(self) -> list[str]:
        return [f"{text} NOT VALID" for text in self.schema.checks if text.startswith("ALTER TABLE orders ")]

    # The shop's own tables.

    def one_table(self) -> Iterator[str]:
        """Loads; yields the statements that are still to be run one by one, because they are measured."""
        execute(self.url, *self.drop_extras(), "ALTER TABLE orders DROP CONSTRAINT orders_code_unique")
        execute(self.url, *self.goods_and_shoppers())
        inserts = [self.insert("orders", "orders", month) for month in self.months]
        execute(self.url, "TRUNCATE orders CASCADE", *inserts)
        for table in TABLES[1:]:
            execute(
                self.url, f"TRUNCATE {table} CASCADE", *(self.insert(table, table, month) for month in self.detailed)
            )
        execute(self.url, *self.checks_again(), self.after_events())
        yield "ALTER TABLE orders ADD CONSTRAINT orders_code_unique UNIQUE (code)"
        yield from (text for _, text in self.schema.indexes.values())

    def after_events(self) -> str:
        return "SELECT setval(pg_get_serial_sequence('order_events', 'id'), max(id)) FROM order_events"

    # The same, partitioned by month.

    def by_month(self) -> Iterator[str]:
        execute(self.url, *self.make_partitioned())
        execute(self.url, *self.goods_and_shoppers())
        for table in TABLES:
            names = ((f"{table}_{month.name}", month.bounds) for month in self.months)
            execute(self.url, *(f"CREATE TABLE {name} PARTITION OF {table} FOR VALUES {part}" for name, part in names))
        # Two at a time: each month is a table of its own.
        with ThreadPoolExecutor(2) as sessions:
            list(sessions.map(partial(self.fill_month, "orders"), self.months))
            for table in TABLES[1:]:
                list(sessions.map(partial(self.fill_month, table), self.detailed))
        last = "SELECT setval('order_events_number', max(id)) FROM order_events"
        execute(self.url, *self.checks_again(), last, CODE_TRIGGER)
        yield """BEGIN; TRUNCATE order_codes; ALTER TABLE order_codes DROP CONSTRAINT order_codes_pkey;
            INSERT INTO order_codes (code, order_id) SELECT code, id FROM orders;
            ALTER TABLE order_codes ADD CONSTRAINT order_codes_pkey PRIMARY KEY (code); COMMIT"""
        # Part of the primary key of the events by now.
        yield from (text for name, (_, text) in self.schema.indexes.items() if name != "order_events_of_order")
        yield "CREATE INDEX order_events_by_number ON order_events (id)"

    def fill_month(self, table: str, month: Month) -> None:
        execute(self.url, self.insert(table, f"{table}_{month.name}", month))

    def make_partitioned(self) -> list[str]:
        keys = [text for text in self.schema.keys if "order_events_pkey" not in text and "code_unique" not in text]
        return [
            *(
                f"CREATE TABLE new_{table} (LIKE {table} INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY RANGE ({key})"
                for table, key in zip(TABLES, ("id", "order_id", "order_id"), strict=True)
            ),
            *(f"DROP TABLE {table} CASCADE" for table in reversed(TABLES)),
            *(f"ALTER TABLE new_{table} RENAME TO {table}" for table in TABLES),
            "CREATE SEQUENCE order_events_number",
            "ALTER TABLE order_events ALTER id SET DEFAULT nextval('order_events_number')",
            *keys,
            "ALTER TABLE order_events ADD CONSTRAINT order_events_pkey PRIMARY KEY (order_id, id)",
            *(text for text in self.schema.checks if not text.startswith("ALTER TABLE orders ")),
            *self.schema.foreign_keys,
            *self.schema.functions,
            *self.schema.views,
            "GRANT SELECT, INSERT, UPDATE ON orders, order_items, order_events TO thunse_app",
            CODES.strip().removesuffix(";"),
        ]
