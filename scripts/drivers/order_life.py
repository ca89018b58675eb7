"""The lives of drivers/order_lives.py: what is to happen to an order, and what those who made it happen know of it."""

import random
from dataclasses import dataclass, field

from drivers.order_packing import BagLine, Packing, value_of
from drivers.order_staff import Phone
from drivers.shop import Lines, Product, Shopper, bill_of, new_key

# With fewer of them orders wait for each other.
PRODUCTS = 100
# The first products have little stock; the next are exempt from tax; these are sold by weight, in steps of so many grams.
SCARCE = 4
EXEMPT = range(4, 26)
STEPS = {number: 50 * (1 + number % 20) for number in range(16, 46)}


def draw_payment(chance: random.Random, all_pay: bool) -> tuple[list[str], bool]:
    """The steps of paying online, and whether the order is to be delivered afterwards."""
    ways: list[tuple[int, list[str], bool]] = [
        (55, ["pay", "verify"], True),
        (6, ["cancel_at_wallet", "second_link", "pay", "verify"], True),
        (0 if all_pay else 10, ["leave"], False),
        (0 if all_pay else 6, ["pay_late", "verify_late"], False),
        (4, ["pay_less", "refund_conflict"], False),
        (6, ["pay", "verify", "shopper_cancels"], False),
        (3, ["pay", "verify", "pack", "shopper_cancels"], False),
        (4, ["pay", "verify", "seller_cancels"], False),
        (2, ["pay", "verify", "pack", "seller_cancels"], False),
        (4, ["shopper_cancels", "pay", "verify_late"], False),
    ]
    _, steps, is_delivered = chance.choices(ways, [share for share, *_ in ways])[0]
    return steps, is_delivered


def draw_door(chance: random.Random, is_cash: bool) -> tuple[list[str], list[str], list[str]]:
    """What the wallet has to do at the door: before goods come back, before the delivery and after it."""
    if not is_cash or chance.random() > 0.2:
        return [], [], []
    pays = ["pay_at_door"]
    return chance.choices(
        [
            ([], ["door_link", *pays], []),
            (["door_link", *pays], [], []),
            # The link is of the amount before goods came back.
            (["door_link"], pays, []),
            (["door_link"], ["door_link", *pays], []),
            ([], ["door_link"], []),
            ([], ["door_link"], ["pay_after_delivery"]),
        ],
        [6, 2, 1, 1, 2, 2],
    )[0]


def draw_delivery(chance: random.Random, is_cash: bool) -> list[str]:
    def maybe(share: float, *steps: str) -> list[str]:
        return list(steps) if chance.random() < share else []

    is_packed = chance.random() < 0.6
    # The first cash order of a shopper is packed only when it is confirmed.
    steps = maybe(1.0 if is_packed and is_cash else 0.7, "confirm")
    steps += ["pack", *maybe(0.1, "pack_again")] if is_packed else []
    if chance.random() < 0.06:
        return [*steps, "ship", "seller_delivers", *maybe(0.1, "seller_cancels")]
    steps += ["assign", *maybe(0.1, "assign"), *maybe(0.1, "ship")]
    steps += chance.choices([["out"], ["seller_out"]], [80, 20])[0]
    steps += (
        maybe(0.06, "cancel_too_late") + maybe(0.12, "not_met") + maybe(0.03, "not_met") + maybe(0.06, "wrong_code")
    )
    is_returned = chance.random() < 0.15
    before, then, after = draw_door(chance, is_cash)
    steps += before + (["return_some", *maybe(0.2, "return_some")] if is_returned else []) + then
    steps += chance.choices([["deliver"], ["deliver_less"], ["deliver_more"], ["seller_delivers"]], [84, 7, 5, 4])[0]
    steps += after
    steps += maybe(0.08, "take_back", "seller_delivers") + maybe(0.05, "take_back", "deliver")
    is_cancelled = chance.random() < 0.07
    steps += ["seller_cancels"] if is_cancelled else []
    return steps + (["credit_returned"] if is_returned and not is_cancelled else [])


def draw_steps(chance: random.Random, all_pay: bool) -> tuple[str, list[str]]:
    """The method of payment, and all that happens after the order is placed."""
    if chance.random() < 0.45:
        steps, is_delivered = draw_payment(chance, all_pay)
        return "Khalti", steps + (draw_delivery(chance, False) if is_delivered else [])
    cancels = chance.random()
    if cancels < 0.15:
        steps = ["confirm", "pack"] if chance.random() < 0.3 else []
        return "COD", [*steps, "shopper_cancels" if cancels < 0.1 else "seller_cancels"]
    return "COD", draw_delivery(chance, True)


@dataclass
class Life:
    """An order, what is to happen to it, and what those who made it happen know of it."""

    number: int
    shopper: Shopper
    lines: Lines
    method: str
    steps: list[str]
    chance: random.Random
    key: str = field(default_factory=new_key)
    id: str = ""
    code: str = ""
    link: str = ""
    status: str = "Order Placed"
    rider: Phone | None = None
    dispatched: bool = False
    was_delivered: bool = False
    packing: Packing | None = None
    # What the wallet took, the amount of the link, and what the link at the door took.
    paid: int = 0
    link_amount: int = 0
    paid_at_door: int = 0
    # The units that came back from the door.
    back: list[tuple[BagLine, int]] = field(default_factory=list)
    is_credited: bool = False
    # The cash that somebody has; None while the order is not delivered.
    collected: int | None = None

    @property
    def total(self) -> int:
        return bill_of(self.lines)[2]

    @property
    def bag(self) -> list[BagLine]:
        """What is on its way: as ordered, unless the order was packed."""
        as_ordered = [BagLine(product, units, product.price * units) for product, units in self.lines]
        return self.packing.bag if self.packing else as_ordered

    @property
    def amount_due(self) -> int:
        return self.packing.due if self.packing else self.total

    @property
    def returned(self) -> int:
        """What was not charged in full is not given back in full."""
        return min(value_of(self.back), self.amount_due)

    @property
    def to_credit(self) -> list[tuple[BagLine, int]]:
        """The units of the bill, where a weighed line is one, that a credit note takes back; empty if none can."""
        if value_of(self.back) > self.amount_due or any(
            line.is_weighed and units < line.quantity for line, units in self.back
        ):
            return []
        return [(line, 1 if line.is_weighed else units) for line, units in self.back]

    @property
    def due(self) -> int:
        """The cash to collect."""
        return self.amount_due - self.returned

    @property
    def retained(self) -> int | None:
        """What the wallet does not give back; None where late payers may find the goods gone."""
        if "pay_late" in self.steps:
            return None
        if self.method == "COD" or self.status == "Cancelled" or not self.paid or "pay_less" in self.steps:
            return 0
        return self.paid_at_door or self.amount_due


def draw(shoppers: list[Shopper], products: list[Product], lives: int, seed: int, all_pay: bool = False) -> list[Life]:
    drawn: list[Life] = []
    # What a shopper orders again replaces the unpaid order of the same products, so those left unpaid are not ordered again.
    unpaid: dict[str, set[str]] = {}
    for number in range(lives):
        chance = random.Random(f"{seed}/{number}")
        shopper = shoppers[number % len(shoppers)]
        method, steps = draw_steps(chance, all_pay)
        # Those with little stock are for cash: whether a late payer still gets them is not for the seed to say.
        taken = unpaid.setdefault(shopper.id, set())
        free = [each for each in (products if method == "COD" else products[SCARCE:]) if each.id not in taken]
        chosen = chance.sample(free, chance.randint(1, 4))
        if "leave" in steps or "pay_late" in steps:
            taken |= {product.id for product in chosen}
        lines = [(product, chance.randint(1, 5)) for product in chosen]
        drawn.append(Life(number, shopper, lines, method, steps, chance))
    return drawn
