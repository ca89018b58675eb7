"""What the drivers stand on: the client, the bill, figures and their history, planted bugs, the drawing of courses."""

import asyncio
import contextlib
import io
import json
import random
import tempfile
import unittest
from pathlib import Path

from drivers import desk, paid_orders, uploads
from drivers.client import Client, Form, Response, keep_cookies
from drivers.planted_bugs import Bug
from drivers.report import History, Report, Tally, becomes, quantile
from drivers.shop import Bill, Product, Shopper, order_body, pidx_of


class FakeServer:
    """Answers each request with the next of some bytes; None closes the connection instead."""

    def __init__(self, *answers: bytes | None) -> None:
        self.answers, self.requests = list(answers), list[bytes]()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                self.requests.append(head + await reader.readexactly(length))
                answer = self.answers.pop(0)
                if answer is None:
                    break
                writer.write(answer)
        writer.close()

    async def client(self, test: unittest.TestCase) -> Client:
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        test.addCleanup(self.server.close)
        return Client(f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}", "http://shop.example")


OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nset-cookie: sid=abc; Path=/\r\n\r\n{}"
CHUNKED = b'HTTP/1.1 409 Conflict\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{"code":"\r\n6\r\nbusy"}\r\n0\r\n\r\n'


class ClientTest(unittest.IsolatedAsyncioTestCase):
    async def test_cookies_are_kept_and_sent(self) -> None:
        server = FakeServer(OK, OK)
        client = await server.client(self)

        await client.request("GET", "/first")
        await client.request("POST", "/second", {"a": 1}, headers={"idempotency-key": "k"})

        self.assertNotIn(b"sid=abc", server.requests[0])
        self.assertIn(b"cookie: sid=abc\r\n", server.requests[1])
        self.assertIn(b"origin: http://shop.example\r\n", server.requests[1])
        self.assertTrue(server.requests[1].endswith(b'idempotency-key: k\r\n\r\n{"a": 1}'))
        client.close()

    async def test_a_chunked_answer_is_read_whole(self) -> None:
        client = await FakeServer(CHUNKED).client(self)

        response = await client.request("GET", "/")

        self.assertEqual(response.kind, "409 busy")
        client.close()

    async def test_a_connection_that_was_closed_meanwhile_is_opened_again(self) -> None:
        server = FakeServer(OK, None, OK)
        client = await server.client(self)

        await client.request("GET", "/")
        response = await client.request("GET", "/again")

        self.assertEqual((response.status, len(server.requests)), (200, 3))
        client.close()

    async def test_a_cut_is_told_to_a_caller_that_counts_them(self) -> None:
        client = await FakeServer(OK, None, OK).client(self)
        client.repeats = False
        await client.request("GET", "/")

        with self.assertRaises((EOFError, OSError)):
            await client.request("GET", "/again")

    def test_an_ended_cookie_goes(self) -> None:
        cookies = {"sid": "abc", "other": "1"}

        keep_cookies(cookies, [("set-cookie", "sid=; Max-Age=0; Path=/"), ("date", "now")])

        self.assertEqual(cookies, {"other": "1"})

    def test_a_form_carries_fields_and_a_file(self) -> None:
        body = Form({"name": "Asha"}, ("image", "me.png", b"\x89PNG"), "mark").encode()

        self.assertIn(b'--mark\r\ncontent-disposition: form-data; name="name"\r\n\r\nAsha\r\n', body)
        self.assertIn(b'name="image"; filename="me.png"', body)
        self.assertTrue(body.endswith(b"\x89PNG\r\n--mark--\r\n"))


class ShopTest(unittest.TestCase):
    def test_a_bill_rounds_tax_and_ships_large_orders_free(self) -> None:
        rice = Product("1", "rice", 10_050)

        self.assertEqual(Bill.of([(rice, 1)]), Bill(1_307, 2_000, 13_357))
        self.assertEqual(Bill.of([(rice, 10)]).shipping, 0)

    def test_an_order_states_what_the_shopper_was_shown(self) -> None:
        body = order_body(Shopper("7", "asha@example.com"), [(Product("1", "rice", 10_000), 2)], "Khalti")

        self.assertEqual((body["totalAmount"], body["tax"], body["shippingFee"]), (246.0, 26.0, 20.0))
        self.assertEqual((body["items"], body["paymentMethod"]), ([{"id": "1", "quantity": 2}], "Khalti"))

    def test_the_payment_is_read_from_its_address(self) -> None:
        answer = {"data": {"payment_url": "http://wallet.example/?pidx=abc&x=1"}}

        self.assertEqual(pidx_of(Response(200, json.dumps(answer).encode())), "abc")
        self.assertIsNone(pidx_of(Response(503, json.dumps(answer).encode())))


class ReportTest(unittest.IsolatedAsyncioTestCase):
    def test_figures_have_a_history(self) -> None:
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()) as printed:
            report = Report("mixed-load", Path(name))
            for value in (100.0, 100.0, 150.0):
                report.figure("place p50", value, "ms")

            lines = History(Path(name)).lines()
            written = json.loads((Path(name) / "mixed-load.jsonl").read_text().splitlines()[-1])

        self.assertIn("figure: mixed-load: place p50: 150 ms", printed.getvalue())
        self.assertEqual(set(written), {"at", "commit", "driver", "name", "value", "unit"})
        self.assertEqual(lines[2], "| mixed-load | place p50 | 150 ms | 100 ms | +50 % | 3 |")

    async def test_an_answer_that_is_not_allowed_is_a_failure(self) -> None:
        async def answer(status: int) -> Response:
            return Response(status, b'{"code":"busy"}')

        tally, report = Tally({"place": {"200"}}), Report("test")
        with contextlib.redirect_stdout(io.StringIO()):
            await tally.call("place", answer(200))
            tally.finish(report)
            self.assertEqual(report.problems, [])
            await tally.call("place", answer(503))
            tally.finish(report)

        self.assertEqual(len(report.problems), 1)
        self.assertEqual(tally.kinds["place"], {"200": 1, "503 busy": 1})

    async def test_waiting_ends_when_it_holds_or_never_will(self) -> None:
        tries = iter([False, False, True])

        self.assertTrue(await becomes(lambda: next(tries), 60, 0))
        self.assertFalse(await becomes(lambda: False, 0, 0))

    def test_a_quantile_is_one_of_the_values(self) -> None:
        self.assertEqual([quantile([3, 1, 2], part) for part in (0.5, 0.99, 1)], [2, 3, 3])
        self.assertEqual(quantile([], 0.5), 0.0)


class DriversTest(unittest.TestCase):
    def test_every_course_is_taken_and_a_seed_repeats_them(self) -> None:
        shoppers = [Shopper(str(n), f"{n}@example.com") for n in range(60)]
        products = [Product(str(n), f"p{n}", 1_000) for n in range(24)]

        first, second = (paid_orders.draw(shoppers, products, 7) for _ in range(2))

        self.assertEqual({purchase.course for purchase in first}, set(paid_orders.COURSES))
        self.assertEqual([(p.course, p.lines, p.pause) for p in first], [(p.course, p.lines, p.pause) for p in second])

    def test_books_that_differ_are_seen(self) -> None:
        ours = paid_orders.Payment("1", "o", "paid", 500, 500, "t", 0.0)
        theirs = {
            "taken": 500,
            "given_back": 0,
            "amount": 500,
            "transaction_id": "t",
            "told": {"Completed 500": 1},
            "refunds": 0,
        }

        self.assertEqual(paid_orders.Books.compare(ours, theirs), [])
        changes: list[dict[str, object]] = [
            {"taken": 400},
            {"given_back": 1},
            {"transaction_id": "x"},
            {"told": {}},
            {"refunds": 2},
        ]
        for change in changes:
            self.assertTrue(paid_orders.Books.compare(ours, {**theirs, **change}), change)

    def test_a_bug_that_no_longer_fits_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            tree = Path(name)
            (tree / "bug").write_text(
                "what: it breaks\nserver: orders::a\n=== a.rs\nlet a = 1;\n--- becomes\nlet a = 2;\n"
            )
            (tree / "a.rs").write_text("fn main() {\nlet a = 1;\n}\n")
            bug = Bug.read(tree / "bug")

            self.assertEqual(bug.misfits(tree), [])
            bug.plant(tree)
            self.assertEqual((tree / "a.rs").read_text(), "fn main() {\nlet a = 2;\n}\n")
            self.assertEqual(len(bug.misfits(tree)), 1)

    def test_every_call_of_the_dashboard_has_a_name_of_its_own(self) -> None:
        names = [name for name, _, _ in desk.cases()]

        self.assertEqual(len(names), len(set(names)))

    def test_a_mutation_changes_a_picture_and_never_empties_it(self) -> None:
        chance = random.Random(1)

        for _ in range(500):
            self.assertTrue(uploads.mutated(b"x" * 41, chance))


if __name__ == "__main__":
    unittest.main()
