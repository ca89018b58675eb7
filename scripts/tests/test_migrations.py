"""That each rule of check-migrations can fail, and that what it recommends passes."""

from checks import migrations

from tests.test_checks import TreeTest

NAME = "20261201000000_change.sql"
TIMEOUT = "SET LOCAL lock_timeout = '3s';\n"
# What may not be done to a table that is there, by the rule that says so.
REFUSED = {
    "changing-column-type": "ALTER TABLE orders ALTER COLUMN code TYPE integer;",
    "adding-field-with-default": "ALTER TABLE orders ADD COLUMN token uuid DEFAULT gen_random_uuid();",
    "adding-required-field": "ALTER TABLE orders ADD COLUMN city text NOT NULL;",
    "adding-not-nullable-field": "ALTER TABLE orders ALTER COLUMN city SET NOT NULL;",
    "require-concurrent-index-creation": "CREATE INDEX orders_by_city ON orders (city);",
    "require-concurrent-index-deletion": "DROP INDEX orders_by_city;",
    "constraint-missing-not-valid": "ALTER TABLE orders ADD CONSTRAINT orders_city CHECK (city <> '');",
    "adding-foreign-key-constraint": "ALTER TABLE orders ADD CONSTRAINT of_city FOREIGN KEY (city) REFERENCES cities (id);",
    "disallowed-unique-constraint": "ALTER TABLE orders ADD CONSTRAINT orders_code UNIQUE (code);",
    "ban-drop-column": "ALTER TABLE orders DROP COLUMN city;",
    "ban-drop-table": "DROP TABLE carts;",
    "renaming-column": "ALTER TABLE orders RENAME COLUMN city TO town;",
    "renaming-table": "ALTER TABLE orders RENAME TO purchases;",
    "ban-truncate-cascade": "TRUNCATE orders CASCADE;",
    "rows-changed-under-exclusive-lock": "ALTER TABLE orders ADD COLUMN city text;\nUPDATE orders SET city = 'a;b';",
}
ACCEPTED = [
    "ALTER TABLE orders ADD COLUMN city text NOT NULL DEFAULT '';",
    "ALTER TABLE orders ADD CONSTRAINT orders_city CHECK (city <> '') NOT VALID;",
    "ALTER TABLE orders VALIDATE CONSTRAINT orders_city;",
    "CREATE TABLE cities (id uuid PRIMARY KEY, name text);\nCREATE INDEX cities_by_name ON cities (name);",
    "ALTER TABLE carts ADD COLUMN city text;\nUPDATE orders SET city = '' WHERE city IS NULL;",
]


class MigrationsTest(TreeTest):
    def problems(self, sql: str, exceptions: str = "", name: str = NAME) -> list[str]:
        return migrations.problems(
            self.tree({f"{migrations.MIGRATIONS}/{name}": sql, migrations.EXCEPTIONS: exceptions})
        )

    def test_each_rule_refuses_what_it_is_about(self) -> None:
        for rule, sql in REFUSED.items():
            with self.subTest(rule):
                self.assertIn(f" {rule}: ", "\n".join(self.problems(TIMEOUT + sql)))

    def test_what_holds_no_long_lock_is_accepted(self) -> None:
        for sql in ACCEPTED:
            with self.subTest(sql):
                self.assertEqual(self.problems(TIMEOUT + sql), [])

    def test_a_lock_is_waited_for_briefly(self) -> None:
        sql = "ALTER TABLE orders ADD COLUMN city text;"

        self.assertIn(" require-lock-timeout: ", "\n".join(self.problems(sql)))
        self.assertEqual(self.problems(sql, name="20261118000000_before_the_rule.sql"), [])

    def test_without_a_transaction_there_is_one_statement(self) -> None:
        one = "-- no-transaction\nCREATE INDEX CONCURRENTLY orders_by_city ON orders (city);\n"

        self.assertEqual(self.problems(one), [])
        two = self.problems(f"{one}CREATE INDEX CONCURRENTLY orders_by_name ON orders (name);\n")
        self.assertRegex("\n".join(two), r":3: one-statement-without-transaction: ")

    def test_an_exception_has_a_reason_and_a_finding(self) -> None:
        sql, rule = TIMEOUT + REFUSED["ban-drop-column"], f"{NAME} ban-drop-column"

        self.assertEqual(self.problems(sql, f"# contract\n{rule} no release since 1.4 reads it\n"), [])
        self.assertIn("has no reason", "\n".join(self.problems(sql, f"{rule}\n")))
        self.assertIn("does not break", "\n".join(self.problems(TIMEOUT, f"{rule} it was dropped\n")))

    def test_functions_that_are_replaced_as_a_whole_are_not_read(self) -> None:
        self.assertEqual(self.problems(REFUSED["ban-drop-table"], name="99999999999910_catalogue.sql"), [])
