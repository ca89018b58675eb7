"""What the figures of docs/SCALE.md stand on: the months of orders, the arrivals of a day, the reading of plans."""

import random
import unittest
from datetime import UTC, datetime
from itertools import pairwise
from uuid import UUID

from drivers import festival_day, partitions
from drivers.order_months import MONTHS, first_id, months_until

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)


class ScaleTest(unittest.TestCase):
    def test_months_follow_one_another_and_share_all_orders(self) -> None:
        months = months_until(NOW, 1_000_003)

        self.assertEqual((len(months), months[0].name, months[-1].name), (MONTHS, "2023_12", "2026_11"))
        self.assertEqual(sum(month.orders for month in months), 1_000_003)
        for month, following in pairwise(months):
            self.assertEqual((month.end, month.first + month.orders), (following.start, following.first))
        self.assertEqual(months[-1].filled_until, int(NOW.timestamp() * 1000))
        self.assertGreater(months[-2].orders, months[-3].orders)

    def test_the_first_id_of_a_moment_is_not_above_any_id_of_it(self) -> None:
        at = int(NOW.timestamp() * 1000)

        self.assertEqual(UUID(first_id(at)).int >> 80, at)
        self.assertLess(first_id(at), f"{at >> 16:08x}-{at & 0xFFFF:04x}-7000-8000-000000000001")
        self.assertLess(f"{at >> 16:08x}-{at & 0xFFFF:04x}-7fff-bfff-ffffffffffff", first_id(at + 1))

    def test_values_are_literals_and_pages_of_a_plan_are_added(self) -> None:
        plan = "Limit\n  Buffers: shared hit=12 read=3 dirtied=2\n  ->  Append\n        Buffers: shared hit=9\n"

        self.assertEqual(
            [partitions.text_of(value) for value in (None, True, 7, "it's")], ["NULL", "true", "7", "'it''s'"]
        )
        self.assertEqual((partitions.buffers_of(plan), partitions.buffers_of("Result\n")), (15, 0))

    def test_a_sixth_of_a_festival_day_comes_in_its_busiest_hour(self) -> None:
        drawn = festival_day.arrivals(20_000, 240, random.Random(7))
        hours = [sum(int(at // 10) == hour for at in drawn) for hour in range(24)]

        self.assertEqual((drawn, len(drawn)), (sorted(drawn), 20_000))
        self.assertTrue(drawn[0] >= 0 and drawn[-1] < 240)
        self.assertEqual(hours.index(max(hours)), 18)
        self.assertAlmostEqual(max(hours) / 20_000, 1 / 6, delta=0.01)
