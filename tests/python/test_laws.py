"""The laws of `Value`, on all games born by day 3 and on seeded random ones, against games as tuples."""

from __future__ import annotations

import copy
import pickle
import random
import unittest
from fractions import Fraction
from itertools import product
from typing import Literal

from seedbank import Value

import reference
from reference import comparison, game_of, negative, random_game, total, value

NOTATIONS: tuple[Literal["cgsuite", "standard", "plain"], ...] = ("cgsuite", "standard", "plain")
DAY_2 = reference.born_by(2)
DAY_3 = reference.born_by(3)


class Laws(unittest.TestCase):
    def test_days_have_the_known_numbers_of_values(self) -> None:
        for day, games, known in [(2, DAY_2, 22), (3, DAY_3, 1474)]:
            values = {value(game) for game in games}
            self.assertEqual((len(games), len(values)), (known, known))
            self.assertEqual(max(form.birthday() for form in values), day)
        self.assertEqual({form for form in map(value, DAY_3) if form.birthday() <= 2}, set(map(value, DAY_2)))

    def test_values_born_by_day_2_are_a_partly_ordered_group(self) -> None:
        for a in DAY_2:
            for b in DAY_2:
                sum_ab = total(a, b)
                self.assertEqual(value(a) + value(b), value(sum_ab))
                self.assertEqual(value(a) + value(b), value(b) + value(a))
                for c in DAY_2:
                    self.assertEqual((value(a) + value(b)).compare(value(c)), comparison(sum_ab, c))
                    self.assertEqual((value(a) + value(b)) + value(c), value(a) + (value(b) + value(c)))

    def test_each_value_born_by_day_3(self) -> None:
        for game in DAY_3:
            form = value(game)
            with self.subTest(form):
                self.assertEqual(form - form, 0)
                self.assertEqual(form + 0, form)
                self.assertEqual(0 + form, form)
                self.assertEqual(0 - form, -form)
                self.assertEqual(-(-form), form)
                self.assertEqual(+form, form)
                self.assertEqual(-form, value(negative(game)))
                self.assertEqual(bool(form), comparison(game, reference.ZERO) != "=")
                whole = game_of(form)
                self.assertEqual(comparison(game, whole), "=")
                self.assertTrue(reference.is_canonical(whole))
                self.assertEqual(Value(form.left_options(), form.right_options()), form)
                self.assertEqual((form.left_stop(), form.right_stop()), reference.stops(whole))
                self.assertEqual(form.number(), reference.number(whole))
                self.assertTrue(form.right_stop() <= form.mean() <= form.left_stop())
                self.assertEqual(form.is_infinitesimal(), set(reference.stops(whole)) == {0})
                outcomes = {">": "L", "<": "R", "=": "P", "||": "N"}
                self.assertEqual(form.outcome(), outcomes[comparison(game, reference.ZERO)])

    def test_texts_and_copies_are_the_value(self) -> None:
        for form in map(value, DAY_3):
            with self.subTest(form):
                self.assertEqual(str(form), form.text())
                self.assertEqual(repr(form), f"Value('{form}')")
                for notation in NOTATIONS:
                    self.assertEqual(Value(form.text(notation)), form)
                for copied in [pickle.loads(pickle.dumps(form)), copy.copy(form), copy.deepcopy(form)]:
                    self.assertEqual((copied, hash(copied), str(copied)), (form, hash(form), str(form)))
        texts = {notation: {form.text(notation) for form in map(value, DAY_3)} for notation in NOTATIONS}
        self.assertEqual({len(found) for found in texts.values()}, {1474})

    def test_numbers_equal_and_hash_as_python_s_do(self) -> None:
        dice = random.Random(20)
        numbers = [Fraction(n, 2**k) for n, k in product(range(-40, 41), range(6))]
        numbers += [Fraction(dice.randrange(-(2**40), 2**40), 2 ** dice.randrange(20, 40)) for _ in range(200)]
        for number in numbers:
            form = Value(number)
            self.assertEqual(form, number)
            self.assertEqual(number, form)
            self.assertEqual(hash(form), hash(number))
            self.assertEqual(form.number(), number)
            if abs(number.numerator) <= 1_000_000:
                self.assertEqual(Value(str(number)), number)
            self.assertEqual((form + 1).number(), number + 1)
            self.assertEqual((1 - form).number(), 1 - number)
            if number.denominator == 1:
                self.assertEqual((form, hash(form)), (int(number), hash(int(number))))
        for a, b in [(dice.choice(numbers), dice.choice(numbers)) for _ in range(2000)]:
            below = a < b
            self.assertEqual((Value(a) < Value(b), Value(a) < b, a < Value(b), Value(b) > a), (below,) * 4)
            self.assertEqual((Value(a) + Value(b)).number(), a + b)

    def test_numbers_are_the_simplest_between_their_options(self) -> None:
        dice = random.Random(21)
        for _ in range(2000):
            low, high = sorted(Fraction(dice.randrange(-200, 200), 2 ** dice.randrange(6)) for _ in range(2))
            if low < high:
                self.assertEqual(Value([low], [high]).number(), reference.simplest(low, high))

    def test_100_000_random_comparisons(self) -> None:
        dice = random.Random(22)
        counts = dict.fromkeys(["<", "=", ">", "||"], 0)

        def check(found: Value, other: Value, expected: str) -> None:
            counts[expected] += 1
            self.assertEqual(found.compare(other), expected)
            shown = (found < other, found <= other, found == other, found >= other, found > other, found.confused(other))
            self.assertEqual(
                shown,
                (
                    expected == "<",
                    expected in "<=",
                    expected == "=",
                    expected in ">=",
                    expected == ">",
                    expected == "||",
                ),
            )

        for _ in range(70_000):
            a, b = dice.choice(DAY_3), dice.choice(DAY_3)
            check(value(a), value(b), comparison(a, b))
        for _ in range(15_000):
            a, b, c = dice.choice(DAY_3), dice.choice(DAY_2), dice.choice(DAY_2)
            check(value(a), value(b) + value(c), comparison(a, total(b, c)))
        for _ in range(15_000):
            a, b = random_game(dice, 3), random_game(dice, 3)
            check(value(a), value(b), comparison(a, b))
        self.assertEqual(sum(counts.values()), 100_000)
        self.assertGreater(min(counts.values()), 1000, counts)

    def test_random_sums_of_values_born_on_day_3(self) -> None:
        dice = random.Random(23)
        for _ in range(3000):
            a, b, c = (value(dice.choice(DAY_3)) for _ in range(3))
            self.assertEqual((a + b) + c, a + (b + c))
            self.assertEqual(a + b - b, a)
            self.assertEqual(a + b, b + a)
            self.assertEqual(-(a + b), -a - b)
            self.assertEqual((a + c).compare(b + c), a.compare(b))
            self.assertEqual((a + b).mean(), a.mean() + b.mean())
            self.assertLessEqual((a + b).temperature(), max(a.temperature(), b.temperature()))

    def test_multiples_and_heating_by_their_definitions(self) -> None:
        dice = random.Random(24)
        for game in dice.sample(DAY_3, 200):
            form = value(game)
            with self.subTest(form):
                added = Value(0)
                for n in range(5):
                    self.assertEqual((n * form, form * n, form * -n), (added, added, -added))
                    added = added + form
                # Moves gain the incentives, of which dominated ones are left out.
                for incentive in form.left_incentives():
                    self.assertIn(incentive, [option - form for option in form.left_options()])
                for incentive in form.right_incentives():
                    self.assertIn(incentive, [form - option for option in form.right_options()])
                if form.number() is None:
                    cooled = form.cool(Fraction(1, 2))
                    self.assertEqual(cooled.mean(), form.mean())
                    if form.temperature() > Fraction(1, 2):
                        self.assertEqual(cooled.temperature(), form.temperature() - Fraction(1, 2))


if __name__ == "__main__":
    unittest.main()
