"""What packing an order means, as the people of drivers/order_lives.py reckon it: the rules of decisions 079 and 080, written
once more."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from drivers.shop import Lines, Product

FREE_ABOVE = 100_000
# In per cent: how much heavier than ordered weighed goods may be charged.
TOLERANCE = 10
REASONS = ["not_available", "damaged", "not_wanted"]
Amounts = list[tuple[Product, int]]


@dataclass(frozen=True)
class BagLine:
    """Some units in the bag and what they cost together, in paisa and without tax."""

    product: Product
    quantity: int
    amount: int
    is_weighed: bool = False

    @property
    def on_bill(self) -> tuple[str, int, int]:
        """The name, quantity and amount on the bill, where weighed goods are one unit."""
        return self.product.name, 1 if self.is_weighed else self.quantity, self.amount


@dataclass(frozen=True)
class LinePacking:
    """What the packer says about a line of the order."""

    product: Product
    ordered: int
    packed: int
    grams: int = 0
    reason: str = ""
    replacement: Product | None = None
    units: int = 0

    @property
    def missing(self) -> int:
        return self.ordered - self.packed

    @property
    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"product": self.product.id, "packed": self.packed}
        body |= {"grams": self.grams} if self.grams else {}
        body |= {"reason": self.reason} if self.reason else {}
        return body | (
            {"replacement": {"product": self.replacement.id, "quantity": self.units}} if self.replacement else {}
        )

    def price_of_replacement(self, is_agreed: bool) -> int:
        """Unless the shopper agreed to more, a replacement costs no more than the units that it replaces."""
        assert self.replacement
        most = self.product.price * self.missing // self.units
        return self.replacement.price if is_agreed else min(self.replacement.price, most)

    def bag(self, is_agreed: bool) -> list[BagLine]:
        product, lines = self.product, list[BagLine]()
        if self.packed and product.step_grams:
            by_weight = (product.price * self.grams * 2 + product.step_grams) // (2 * product.step_grams)
            lines.append(BagLine(product, self.packed, min(by_weight, most_for(product, self.packed)), True))
        elif self.packed:
            lines.append(BagLine(product, self.packed, product.price * self.packed))
        if self.replacement:
            amount = self.price_of_replacement(is_agreed) * self.units
            lines.append(BagLine(self.replacement, self.units, amount))
        return lines


@dataclass
class Packing:
    """What was packed, and what the shopper owes for it."""

    lines: list[LinePacking]
    # 'order', 'link' or 'call'.
    agreed_by: str = "order"
    due: int = 0
    bag: list[BagLine] = field(default_factory=list)

    @property
    def lost(self) -> list[tuple[Product, int]]:
        """Units that are neither in the order nor in the shop."""
        return [(line.product, line.missing) for line in self.lines if line.missing and line.reason != "not_wanted"]

    @property
    def adjustments(self) -> list[list[Any]]:
        """As order_adjustments has them, by product."""
        is_agreed = self.agreed_by != "order"
        rows = [
            [line.product.id, line.ordered, line.packed, line.reason]
            + (
                [line.replacement.id, line.units, line.price_of_replacement(is_agreed)]
                if line.replacement
                else [None, None, None]
            )
            for line in self.lines
            if line.missing
        ]
        return sorted(rows, key=lambda row: str(row[0]))

    @property
    def weights(self) -> list[list[Any]]:
        """As packed_weights has them, by product."""
        grams = {line.product.id: line.grams for line in self.lines}
        rows = [[line.product.id, grams[line.product.id], line.amount] for line in self.bag if line.is_weighed]
        return sorted(rows, key=lambda row: str(row[0]))

    def cost(self, shipping: int, is_agreed: bool) -> int:
        bag = [part for line in self.lines for part in line.bag(is_agreed)]
        return cost([(part.product, part.amount) for part in bag], shipping)

    def finish(self, lines: Lines, total: int, shipping: int, is_cash: bool, agreed_by: str, accepted: int) -> None:
        """`lines` and `total` are those of the order, `accepted` is what the shopper agreed to on the order's page."""
        # What was paid online is paid, so nobody agrees to more.
        self.agreed_by = agreed_by if is_cash else "order"
        is_agreed = self.agreed_by != "order"
        self.bag = [part for line in self.lines for part in line.bag(is_agreed)]
        now, most = self.cost(shipping, is_agreed), agreed_by_order(lines, total, shipping) if is_cash else total
        self.due = now if self.agreed_by == "call" else min(now, max(most, accepted))


def tax_of(amount: int) -> int:
    return (amount * 13 + 50) // 100


def value_of(back: list[tuple[BagLine, int]]) -> int:
    """What came back from the door with tax, which is rounded once."""
    goods = [(line.product, line.amount * units // line.quantity) for line, units in back]
    return sum(amount for _, amount in goods) + tax_of(sum(amount for product, amount in goods if product.is_taxed))


def cost(amounts: Amounts, shipping: int) -> int:
    """What goods cost with tax and delivery, where the order was placed with this delivery fee."""
    goods = sum(amount for _, amount in amounts)
    taxed = sum(amount for product, amount in amounts if product.is_taxed)
    return goods + tax_of(taxed) + (0 if goods > FREE_ABOVE else shipping)


def most_for(product: Product, units: int) -> int:
    """The most that is charged for some units of a product that is sold by weight."""
    return product.price * units * (100 + TOLERANCE) // 100


def agreed_by_order(lines: Lines, total: int, shipping: int) -> int:
    """What the shopper agreed to by placing a cash order."""
    most = [
        (product, most_for(product, units) if product.step_grams else product.price * units) for product, units in lines
    ]
    return max(total, cost(most, shipping))


def draw_line(chance: random.Random, product: Product, ordered: int, others: Iterable[Product]) -> LinePacking:
    packed = ordered if chance.random() < 0.6 else chance.randint(0, ordered - 1)
    grams = 0
    if product.step_grams and packed:
        # As ordered, a little lighter or heavier, or far too heavy.
        share = chance.choice([1.0, chance.uniform(0.8, 1.0), chance.uniform(1.0, 1.1), chance.uniform(1.1, 1.5)])
        grams = max(1, round(product.step_grams * packed * share))
    if packed == ordered:
        return LinePacking(product, ordered, packed, grams)
    reason = chance.choice(REASONS)
    if chance.random() < 0.5:
        return LinePacking(product, ordered, packed, grams, reason)
    replacement = chance.choice([other for other in others if other.id != product.id])
    return LinePacking(product, ordered, packed, grams, reason, replacement, chance.randint(1, 4))


def draw_dearer(chance: random.Random, lines: Lines, others: list[Product], total: int, shipping: int) -> Packing:
    """One that the shopper has to agree to, if it is found soon."""
    most = agreed_by_order(lines, total, shipping)
    drawn = [draw(chance, lines, others) for _ in range(8)]
    return next((each for each in drawn if each.cost(shipping, is_agreed=True) > most), drawn[0])


def draw(chance: random.Random, lines: Lines, others: list[Product]) -> Packing:
    """`others` are the products that may replace one; those of the order are among them."""
    while True:
        packing = Packing([draw_line(chance, product, quantity, others) for product, quantity in lines])
        # An order of which nothing is packed is cancelled instead.
        if any(line.packed or line.replacement for line in packing.lines):
            return packing
