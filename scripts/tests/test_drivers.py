"""What the drivers stand on: the client, the bill, figures and their history, planted bugs, the drawing of courses."""

import argparse
import asyncio
import contextlib
import io
import json
import os
import random
import signal
import socket
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, cast
from unittest import mock

from drivers import __main__, failover, order_books, order_life, order_lives, order_packing, paid_orders, repeat
from drivers.client import NO_RESPONSE, Client, Response
from drivers.engine import Engine
from drivers.order_packing import LinePacking, Packing
from drivers.order_staff import Phone
from drivers.planted_bugs import Bug, planted
from drivers.report import Report, quantile, summary
from drivers.runbook_pages import blocks, scaled
from drivers.shop import Product, Shopper, bill_of, order_body
from drivers.stack import Stack

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nset-cookie: sid=abc; Path=/\r\n\r\n{}"
ENDED = OK.replace(b"sid=abc", b"sid=; Max-Age=0")


class ClientTest(unittest.IsolatedAsyncioTestCase):
    def client(self, *replies: bytes) -> Client:
        """Of a server that answers with these bytes, one after the other; empty ones close the connection instead."""
        server, waiting, self.requests = socket.create_server(("127.0.0.1", 0)), list(replies), list[bytes]()

        def serve() -> None:
            while waiting:
                connection, _ = server.accept()
                with connection:
                    while waiting and (request := connection.recv(10_000)):
                        self.requests.append(request)
                        connection.sendall(reply := waiting.pop(0))
                        if not reply:
                            break

        threading.Thread(target=serve, daemon=True).start()
        client = Client(f"http://127.0.0.1:{server.getsockname()[1]}", "http://shop.example")
        self.addCleanup(server.close)
        self.addCleanup(client.close)
        return client

    async def test_cookies_are_stored_sent_and_ended(self) -> None:
        client = self.client(OK, ENDED)

        await client.request("GET", "/first")
        await client.request("GET", "/second", key="k")

        self.assertNotIn(b"sid=abc", self.requests[0])
        for line in (b"cookie: sid=abc\r\n", b"origin: http://shop.example\r\n", b"idempotency-key: k\r\n"):
            self.assertIn(line, self.requests[1])
        self.assertEqual(client.cookies, {})

    async def test_a_connection_that_was_closed_meanwhile_is_opened_again(self) -> None:
        client = self.client(OK, b"", OK)

        await client.request("GET", "/")
        response = await client.request("GET", "/again")

        self.assertEqual((response.status, len(self.requests)), (200, 3))

    async def test_a_cut_is_told_to_a_caller_that_counts_them(self) -> None:
        client = self.client(OK, b"")
        client.repeats = False
        await client.request("GET", "/")

        with self.assertRaises(NO_RESPONSE):
            await client.request("GET", "/again")


class DriversTest(unittest.IsolatedAsyncioTestCase):
    def folder(self) -> Path:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Path(folder.name)

    def test_an_order_states_what_the_shopper_was_shown(self) -> None:
        rice = Product("1", "rice", 10_050)
        body = order_body(Shopper("7", "asha@example.com"), [(Product("1", "rice", 10_000), 2)], "Khalti")

        self.assertEqual(bill_of([(rice, 1)]), (1_307, 2_000, 13_357))
        self.assertEqual(bill_of([(rice, 10)])[1], 0)
        self.assertEqual((body["totalAmount"], body["tax"], body["shippingFee"]), (246.0, 26.0, 20.0))

    def test_figures_have_a_history(self) -> None:
        folder = self.folder()
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            for value in (100.0, 100.0, 150.0):
                Report("mixed-load", folder).figure("place p50", value, "ms")

        self.assertIn("figure: mixed-load: place p50: 150 ms", printed.getvalue())
        self.assertEqual(summary(folder)[2], "| mixed-load | place p50 | 150 ms | 100 ms | +50 % | 3 |")
        self.assertEqual([quantile([3, 1, 2], part) for part in (0.5, 0.99, 1)], [2, 3, 3])

    def test_a_driver_that_is_told_to_end_stops_the_shop_that_it_has_started(self) -> None:
        async def run(*_: object) -> None:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(60)

        stack = mock.Mock()
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))
        with (
            mock.patch.object(sys, "argv", ["drive", "failover"]),
            mock.patch.object(failover, "run", run),
            mock.patch.object(Stack, "here", return_value=stack),
            mock.patch.object(__main__, "Shop"),
            self.assertRaises(SystemExit),
        ):
            __main__.main()

        stack.close.assert_called_once()

    def test_suites_run_side_by_side_and_no_run_begins_after_a_failure(self) -> None:
        both_run, ended = threading.Barrier(2), iter([0, 0, 1, 1, 0, 0])

        def run_suite(_suite: str, _commit: str, _folder: Path, log: Path) -> int:
            both_run.wait(timeout=60)
            log.write_text(
                "Summary [1.0s] 901 tests run: 901 passed\nbrowser tests passed: 112 passed, 0 flaky, 0 failed, 0 skipped"
            )
            return next(ended)

        report, folder = Report("repeat"), self.folder()
        options = argparse.Namespace(suite="ci", times=6, at_once=2, load=0, logs=folder)
        with (
            mock.patch.object(repeat, "run_suite", run_suite),
            contextlib.redirect_stdout(io.StringIO()) as printed,
        ):
            repeat.run_alone(report, options)

        self.assertEqual(len(report.problems), 2)
        self.assertEqual(printed.getvalue().count("figure: repeat: ci, 2 at once: seconds"), 4)
        self.assertEqual(printed.getvalue().count("1013 tests passed"), 2)
        self.assertEqual(len(list(folder.iterdir())), 2)

    def test_what_a_stack_has_written_down_is_read_again(self) -> None:
        stack = Stack(self.folder())
        stack.env, stack.settings = {"SHOP_URL": "http://a=b"}, {"SHOP_ADDRESS_NE": "नयाँ 'बानेश्वर', नेपाल", "EMPTY": ""}
        stack.save()

        self.assertEqual((Stack(stack.folder).env, Stack(stack.folder).settings), (stack.env, stack.settings))

    def test_the_data_of_a_stack_is_found_with_another_folder_for_temporary_files(self) -> None:
        stack = Stack(self.folder())
        stack.save()

        with mock.patch.object(tempfile, "tempdir", "/elsewhere"):
            self.assertEqual(Stack(stack.folder).data, stack.data)

    def test_every_course_is_taken_and_a_seed_repeats_them(self) -> None:
        shoppers = [Shopper(str(n), f"{n}@example.com") for n in range(60)]
        products = [Product(str(n), f"p{n}", 1_000) for n in range(24)]

        first, second = (paid_orders.draw(shoppers, products, 7) for _ in range(2))

        self.assertEqual({purchase.course for purchase in first}, set(paid_orders.COURSES))
        self.assertEqual([(p.course, p.lines, p.pause) for p in first], [(p.course, p.lines, p.pause) for p in second])

    def test_every_step_is_part_of_some_life_and_a_seed_repeats_them(self) -> None:
        shoppers = [Shopper(str(n), f"{n}@example.com") for n in range(40)]
        products = [Product(str(n), f"p{n}", 1_000) for n in range(order_life.PRODUCTS)]

        first, second = (order_life.draw(shoppers, products, 1_000, 7) for _ in range(2))

        steps = {step for life in first for step in life.steps}
        self.assertEqual({step for step in steps if not hasattr(order_lives.World, step)}, set())
        self.assertLess({"leave", "pay_late", "refund_conflict", "credit_returned", "take_back", "not_met"}, steps)
        self.assertLess({"pack", "pack_again", "door_link", "pay_at_door", "pay_after_delivery"}, steps)
        self.assertEqual([(life.steps, life.lines) for life in first], [(life.steps, life.lines) for life in second])

    def test_what_is_left_unpaid_is_not_ordered_again_by_the_same_shopper(self) -> None:
        products = [Product(str(n), f"p{n}", 1_000) for n in range(order_life.PRODUCTS)]
        unpaid = set[str]()

        for life in order_life.draw([Shopper("1", "asha@example.com")], products, 25, 7):
            chosen = {product.id for product, _ in life.lines}
            self.assertEqual(chosen & unpaid, set())
            unpaid |= chosen if {"leave", "pay_late"} & set(life.steps) else set()

    def packed(self, *lines: LinePacking, is_cash: bool = True, agreed_by: str = "order", accepted: int = 0) -> Packing:
        """The packing of an order of these lines."""
        ordered = [(line.product, line.ordered) for line in lines]
        packing, (_, shipping, total) = Packing(list(lines)), bill_of(ordered)
        packing.finish(ordered, total, shipping, is_cash, agreed_by, accepted)
        return packing

    def test_fewer_goods_cost_less_and_a_waived_delivery_fee_stays_waived(self) -> None:
        rice, oil = Product("1", "rice", 50_000), Product("2", "oil", 20_000)

        packing = self.packed(LinePacking(rice, 2, 1, 0, "not_wanted"), LinePacking(oil, 1, 0, 0, "damaged"))

        self.assertEqual((packing.due, packing.lost), (56_500, [(oil, 1)]))
        self.assertEqual(
            packing.adjustments, [["1", 2, 1, "not_wanted", None, None, None], ["2", 1, 0, "damaged", None, None, None]]
        )

    def test_a_replacement_costs_more_only_if_the_shopper_agrees(self) -> None:
        rice, honey = Product("1", "rice", 10_000), Product("2", "honey", 15_000)
        line = LinePacking(rice, 2, 0, 0, "not_available", honey, 2)

        self.assertEqual(self.packed(line).due, 24_600)
        self.assertEqual(self.packed(line, agreed_by="call").due, 35_900)
        self.assertEqual(self.packed(line, agreed_by="link", accepted=30_000).due, 30_000)
        self.assertEqual(self.packed(line, is_cash=False, agreed_by="call").due, 24_600)
        self.assertEqual(
            self.packed(line, agreed_by="call").adjustments, [["1", 2, 0, "not_available", "2", 2, 15_000]]
        )

    def test_a_weighed_line_costs_what_it_weighs_up_to_the_tolerance(self) -> None:
        potatoes = Product("1", "potatoes", 3_250, is_taxed=False, step_grams=500)

        lighter, heavier, far_heavier = (
            self.packed(LinePacking(potatoes, 4, 4, grams)) for grams in (1_901, 2_100, 3_000)
        )

        self.assertEqual(lighter.weights, [["1", 1_901, 12_357]])
        self.assertEqual([packing.due for packing in (lighter, heavier, far_heavier)], [14_357, 15_650, 16_300])
        self.assertEqual(self.packed(LinePacking(potatoes, 4, 4, 3_000), is_cash=False).due, 15_000)
        self.assertEqual([order_packing.value_of([(lighter.bag[0], units)]) for units in (1, 4)], [3_089, 12_357])

    def test_the_tax_of_what_comes_back_is_rounded_once(self) -> None:
        bag = self.packed(
            LinePacking(Product("1", "salt", 1_004), 2, 2), LinePacking(Product("2", "tea", 1_004), 1, 1)
        ).bag

        self.assertEqual(order_packing.value_of([(bag[0], 1)]), 1_135)
        self.assertEqual(order_packing.value_of([(bag[0], 1), (bag[1], 1)]), 2_269)

    def test_the_books_expect_what_was_packed_and_what_came_back(self) -> None:
        rice = Product("1", "rice", 10_000)
        life = order_life.Life(0, Shopper("7", "asha@example.com"), [(rice, 3)], "Khalti", [], random.Random(7))
        life.paid, life.status, life.packing = (
            life.total,
            "Delivered",
            self.packed(LinePacking(rice, 3, 2, 0, "damaged")),
        )

        row = order_books.row_of(life)

        self.assertEqual((row["total"], row["amount_due"], row["retained"]), (35_900, 24_600, 24_600))
        self.assertEqual((row["items"], row["lost"]), ([{"id": "1", "quantity": 2}], [{"id": "1", "quantity": 1}]))
        life.status = "Cancelled"
        self.assertEqual(
            (order_books.row_of(life)["retained"], order_books.row_of(life)["payments"]), (0, ["refunded"])
        )

    def test_something_of_every_order_is_packed(self) -> None:
        products = [Product(str(n), f"p{n}", 1_000, step_grams=n % 2 * 500) for n in range(8)]
        lines = [(products[0], 1), (products[1], 2)]

        for seed in range(200):
            packing = order_packing.draw(random.Random(seed), lines, products)

            self.assertTrue(self.packed(*packing.lines).bag)
            self.assertTrue(
                all(bool(line.grams) == bool(line.product.step_grams and line.packed) for line in packing.lines)
            )

    async def test_a_phone_delivers_every_event_once_although_its_connection_loses_half(self) -> None:
        applied, requests = dict[str, str](), 0

        class Shop:
            def __init__(self) -> None:
                self.wrong = list[str]()

            async def call(self, *words: Any) -> Response:
                nonlocal requests
                requests += 1
                results = [{"id": event["id"], "code": ""} for event in words[4]["events"]]
                for event in words[4]["events"]:
                    applied.setdefault(event["id"], event["orderId"])
                return Response(200, json.dumps({"data": {"results": results}}).encode())

        shop, is_over = Shop(), asyncio.Event()
        phone = Phone(cast(Engine, shop), "hari", {}, 7)
        running = asyncio.create_task(phone.run(is_over))
        codes = await asyncio.gather(*(phone.record(str(n), {"kind": "out"}) for n in range(20)))
        is_over.set()
        await running

        self.assertEqual((codes, sorted(map(int, applied.values()))), ([""] * 20, list(range(20))))
        self.assertGreater(requests, 20 // 8)
        self.assertEqual(shop.wrong, [])

    def test_a_bug_that_no_longer_fits_is_named(self) -> None:
        tree = self.folder()
        (tree / "bug").write_text("what: it breaks\nserver: orders::a\n=== a.rs\nlet a = 1;\n--- becomes\nlet a = 2;\n")
        (tree / "a.rs").write_text("fn main() {\nlet a = 1;\n}\n")
        bug = Bug.read(tree / "bug")

        self.assertEqual(bug.misfits(tree), [])
        self.assertEqual(planted([bug], tree), {"a.rs": "fn main() {\nlet a = 2;\n}\n"})
        (tree / "a.rs").write_text(planted([bug], tree)["a.rs"])
        self.assertEqual(len(bug.misfits(tree)), 1)

    def test_two_bugs_in_one_file_are_planted_together(self) -> None:
        tree = self.folder()
        (tree / "a.rs").write_text("let a = 1;\nlet b = 1;\n")
        bugs = [Bug(each, "it breaks", [], [("a.rs", f"let {each} = 1;", f"let {each} = 2;")]) for each in ("a", "b")]

        self.assertEqual(planted(bugs, tree), {"a.rs": "let a = 2;\nlet b = 2;\n"})


class RunbooksTest(unittest.TestCase):
    def test_durations_of_rules_are_shorter_and_names_stay(self) -> None:
        rule = "record: a:rate5m\nexpr: increase(b[1h] offset 1w) > 3 unless b offset 10m\nfor: 15m\n"

        found = scaled(rule)

        self.assertEqual(
            found, "record: a:rate5m\nexpr: increase(b[60s] offset 2m) > 3 unless b offset 10s\nfor: 15s\n"
        )

    def test_lines_of_a_page_belong_to_their_heading(self) -> None:
        page = "# A\n\n## See\n\n```promql\nup\nmax(up)\n```\n\n## Do\n\n```sh\ntrue\n```\n"

        self.assertEqual(blocks(page, "See"), [("promql", "up"), ("promql", "max(up)")])
        self.assertEqual(blocks(page, "Do"), [("sh", "true")])
