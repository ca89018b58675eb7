"""Soak test: thousands of mutated pictures and decompression bombs are uploaded. Each is answered in the contract's words,
and no decoding process is left behind; the server's memory is a figure. Single cases are server tests (media/hostile.rs)."""

import argparse
import asyncio
import random
from collections import Counter

from drivers import pictures
from drivers.client import Client, Form, Response
from drivers.report import Report, becomes
from drivers.shop import PHONE, Shop
from drivers.stack import children, memory_mb

STACK: list[str] = []
CLIENTS = 4
MESSAGES = (
    "Invalid file type. Please upload a JPEG, PNG, GIF, or WebP image.",
    "File is too large. Maximum size is 10MB.",
)
EXTREMES = [b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\0", b"\x80\0\0\0"]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mutations", type=int, nargs="?", default=10_000)


def mutated(seed: bytes, chance: random.Random) -> bytes:
    data = bytearray(seed)
    for _ in range(chance.randint(1, 12)):
        place, what = chance.randrange(len(data)), chance.random()
        if what < 0.6:
            data[place] = chance.randrange(256)
        elif what < 0.75 and len(data) > 40:
            del data[place : place + chance.randint(1, 20)]
        elif what < 0.9:
            data[place:place] = chance.randbytes(chance.randint(1, 20))
        else:
            data[place : place + 4] = chance.choice(EXTREMES)
    return bytes(data)


async def run(shop: Shop, report: Report, options: argparse.Namespace) -> None:
    shopper, server = (await shop.shoppers(1))[0], shop.stack.pid("server-0")
    fields = {"name": "Test Shopper", "email": shopper.email, "phone": PHONE, "address": "Lazimpat 2"}
    kinds, peak = Counter[str](), 0.0

    async def send(client: Client, name: str, data: bytes, may_pass: bool) -> Response:
        nonlocal peak
        form = Form(fields, ("image", "me.png", data))
        response = await client.request("PUT", "/api/user/updateProfile", form, shopper.cookies, timeout=120)
        kinds[response.kind] += 1
        peak = max(peak, memory_mb(server))
        is_refused = response.status in (413, 422) and response.json["message"] in MESSAGES
        report.expect(is_refused or (response.status == 200 and may_pass), f"{name}: {response}")
        return response

    async def client(number: int) -> None:
        connection, chance = shop.client(0), random.Random(number)
        seeds = [pictures.GIF, pictures.WEBP, pictures.png(24, 24)]
        for turn in range(number, options.mutations, CLIENTS):
            await send(connection, f"mutation {turn}", mutated(seeds[turn % len(seeds)], chance), True)
        connection.close()

    first = shop.client(0)
    await send(first, "an ordinary picture", pictures.png(64, 64), True)
    idle = memory_mb(server)
    for name, data, may_pass in pictures.bombs():
        await send(first, name, data, may_pass)
    await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    report.expect(await becomes(lambda: not children(server), 60), f"processes left behind: {children(server)}")
    profile = await first.must("GET", "/api/user/isAuth", cookies=shopper.cookies)
    report.expect(profile["address"] == "Lazimpat 2", "the profile is not what was saved last")
    print(kinds)
    report.figure("uploads", sum(kinds.values()))
    report.figure("passed", kinds["200"])
    report.figure("server memory, growth at most", peak - idle, "MB")
    first.close()
