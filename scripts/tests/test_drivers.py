"""What the drivers stand on: the client, the bill, figures and their history, planted bugs, the drawing of courses."""

import asyncio
import contextlib
import io
import json
import socket
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, cast

from drivers import order_lives, paid_orders
from drivers.client import NO_RESPONSE, Client, Response
from drivers.engine import Engine
from drivers.order_staff import Phone
from drivers.planted_bugs import Bug
from drivers.report import Report, quantile, summary
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

    def test_what_a_stack_has_written_down_is_read_again(self) -> None:
        stack = Stack(self.folder())
        stack.env, stack.settings = {"SHOP_URL": "http://a=b"}, {"SHOP_ADDRESS_NE": "नयाँ 'बानेश्वर', नेपाल", "EMPTY": ""}
        stack.save()

        self.assertEqual((Stack(stack.folder).env, Stack(stack.folder).settings), (stack.env, stack.settings))

    def test_every_course_is_taken_and_a_seed_repeats_them(self) -> None:
        shoppers = [Shopper(str(n), f"{n}@example.com") for n in range(60)]
        products = [Product(str(n), f"p{n}", 1_000) for n in range(24)]

        first, second = (paid_orders.draw(shoppers, products, 7) for _ in range(2))

        self.assertEqual({purchase.course for purchase in first}, set(paid_orders.COURSES))
        self.assertEqual([(p.course, p.lines, p.pause) for p in first], [(p.course, p.lines, p.pause) for p in second])

    def test_every_step_is_part_of_some_life_and_a_seed_repeats_them(self) -> None:
        shoppers = [Shopper(str(n), f"{n}@example.com") for n in range(40)]
        products = [Product(str(n), f"p{n}", 1_000) for n in range(order_lives.PRODUCTS)]

        first, second = (order_lives.draw(shoppers, products, 1_000, 7) for _ in range(2))

        steps = {step for life in first for step in life.steps}
        self.assertEqual({step for step in steps if not hasattr(order_lives.World, step)}, set())
        self.assertLess({"leave", "pay_late", "refund_conflict", "credit_returned", "take_back", "not_met"}, steps)
        self.assertEqual([(life.steps, life.lines) for life in first], [(life.steps, life.lines) for life in second])

    def test_what_is_left_unpaid_is_not_ordered_again_by_the_same_shopper(self) -> None:
        products = [Product(str(n), f"p{n}", 1_000) for n in range(order_lives.PRODUCTS)]
        unpaid = set[str]()

        for life in order_lives.draw([Shopper("1", "asha@example.com")], products, 25, 7):
            chosen = {product.id for product, _ in life.lines}
            self.assertEqual(chosen & unpaid, set())
            unpaid |= chosen if {"leave", "pay_late"} & set(life.steps) else set()

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
        bug.plant(tree)
        self.assertEqual((tree / "a.rs").read_text(), "fn main() {\nlet a = 2;\n}\n")
        self.assertEqual(len(bug.misfits(tree)), 1)
