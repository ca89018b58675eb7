"""Riders with their phones, and managers who count cash, for drivers/order_lives.py."""

import asyncio
import random
from datetime import UTC, datetime
from typing import Any

from drivers.client import Cookies
from drivers.engine import Engine
from drivers.shop import new_key

LOST_REQUESTS = 0.15
LOST_RESPONSES = 0.15
REPEATED = 0.1
MANAGER_SECONDS = 2.0


class Phone:
    """Events wait in a queue and are sent in batches over a connection that loses requests and responses."""

    def __init__(self, engine: Engine, rider: str, cookies: Cookies, seed: int) -> None:
        self.engine, self.id, self.cookies = engine, rider, cookies
        self.chance = random.Random(seed)
        self.waiting: list[tuple[dict[str, Any], asyncio.Future[str]]] = []
        # What each event was answered with, by its id.
        self.told: dict[str, str] = {}

    async def record(self, order: str, event: dict[str, object]) -> str:
        """Waits until the event has arrived; empty, or why it was refused."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.waiting.append(({"id": new_key(), "orderId": order, "at": at, **event}, answer))
        return await answer

    async def send(self, events: list[dict[str, Any]]) -> list[str]:
        response = await self.engine.call("sync", {"200"}, "POST", "/api/rider/sync", {"events": events}, self.cookies)
        results = response.data["results"] if response.status == 200 else []
        if [result["id"] for result in results] != [event["id"] for event in events]:
            self.engine.wrong.append(f"sync: {response} to {events}")
            return ["?"] * len(events)
        for result in results:
            before = self.told.setdefault(result["id"], result["code"])
            if before != result["code"]:
                self.engine.wrong.append(f"sync: first '{before}', then '{result['code']}': {result['id']}")
        return [str(result["code"]) for result in results]

    async def run(self, is_over: asyncio.Event) -> None:
        while not is_over.is_set():
            await asyncio.sleep(0.05)
            batch, luck = self.waiting[: self.chance.randint(1, 8)], self.chance.random()
            # A request that is lost is never sent.
            if not batch or luck < LOST_REQUESTS:
                continue
            codes = await self.send([event for event, _ in batch])
            if luck < LOST_REQUESTS + LOST_RESPONSES:
                continue
            if luck > 1 - REPEATED:
                await self.send([event for event, _ in batch])
            for (_, answer), code in zip(batch, codes, strict=True):
                answer.set_result(code)
            del self.waiting[: len(batch)]


class Managers:
    """Record floats, cash that riders hand in and differences, and close days; they know what they recorded."""

    def __init__(self, engine: Engine, cookies: Cookies, riders: list[str], seed: int) -> None:
        self.engine, self.cookies, self.riders, self.chance = engine, cookies, riders, random.Random(seed + 2)
        # In paisa: floats that riders have, and differences beside those of closed days.
        self.floats = self.differences = 0
        self.settled, self.tried_to_settle = 0, 0

    async def cash_of(self, rider: str) -> tuple[int, int]:
        """What a rider carries for orders, and the float."""
        path = "/api/cash/get_riders"
        response = await self.engine.call("riders' cash", {"200"}, "GET", path, None, self.cookies)
        found = next(each for each in response.data if each["_id"] == rider)
        return round(found["balance"] * 100), round(found["float"] * 100)

    async def record(self, rider: str, kind: str, amount: int, note: str = "") -> None:
        body = {"riderId": rider, "kind": kind, "amount": amount / 100, "note": note, "key": new_key()}
        for _ in range(2 if self.chance.random() < REPEATED else 1):
            await self.engine.call("record cash", {"200"}, "POST", "/api/cash/record", body, self.cookies)
        self.floats += {"float_given": amount, "float_returned": -amount}.get(kind, 0)
        self.differences += amount if kind == "difference" else 0

    async def settle(self, rider: str, expected: int, counted: int) -> bool:
        """One attempt: another sale may have changed the balance, and without a response it may have been done."""
        note = "" if counted == expected else "counted twice"
        body = {"riderId": rider, "expected": expected / 100, "counted": counted / 100, "note": note}
        allowed = {"200", "409 balance_changed"}
        self.tried_to_settle += 1
        response = await self.engine.once("settle", allowed, "POST", "/api/cash/settle", body, self.cookies)
        self.settled += response is not None and response.status == 200
        return response is not None and response.status == 200

    async def act(self) -> None:
        rider = self.chance.choice(self.riders)
        balance, float_ = await self.cash_of(rider)
        match self.chance.choice(["float", "hand_in", "hand_in", "difference", "settle"]):
            case "float" if float_ > 0:
                await self.record(rider, "float_returned", self.chance.randint(1, float_))
            case "float":
                await self.record(rider, "float_given", self.chance.randint(1, 500_000))
            case "hand_in" if balance > 0:
                await self.record(rider, "handed_in", self.chance.randint(1, balance))
            case "difference":
                await self.record(
                    rider, "difference", self.chance.choice([-1, 1]) * self.chance.randint(1, 2_000), "miscounted"
                )
            case "settle" if balance >= 0:
                await self.settle(rider, balance, max(0, balance - self.chance.choice([0, 0, 0, 1, 10_050])))

    async def run(self, is_over: asyncio.Event) -> None:
        while not is_over.is_set():
            await asyncio.sleep(MANAGER_SECONDS * self.chance.random())
            await self.act()

    async def close_all(self) -> None:
        """At the end everybody hands in what is left."""
        for rider in self.riders:
            while (balance := (await self.cash_of(rider))[0]) != 0:
                if balance < 0:
                    # More was handed in than collected, after an order was taken back.
                    await self.record(rider, "difference", balance, "given back to the rider")
                else:
                    await self.settle(rider, balance, balance)
