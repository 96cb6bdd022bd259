"""`Value` and `Thermograph`: known values, texts, errors."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import unittest
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import seedbank
from seedbank import Value


class KnownValues(unittest.TestCase):
    def test_one_value_has_many_ways_to_be_written(self) -> None:
        switch = Value("{1|-1}")
        for same in [Value("+-1"), Value({1}, {-1}), Value(["1"], ("-1",)), Value([Fraction(1)], iter([-1, -1])), Value(switch)]:
            self.assertEqual(same, switch)
        self.assertEqual(Value([], []), 0)
        self.assertEqual(Value(range(3), []), 3)
        self.assertEqual(Value([0], ["*"]), Value("^"))
        self.assertEqual(len({Value("*"), Value([0], [0]), Value("*") * 3, Value("*1")}), 1)
        self.assertEqual({Value("1/2"): "half"}[Value([0], [1])], "half")
        self.assertEqual({Fraction(1, 2): "half"}[Value("1/2")], "half")  # type: ignore[index]

    def test_stops_means_and_temperatures(self) -> None:
        half = Fraction(1, 2)
        for text, left, right, mean, temperature in [
            ("0", 0, 0, 0, -1),
            ("5", 5, 5, 5, -1),
            ("-3/4", -3 * half / 2, -3 * half / 2, -3 * half / 2, -half / 2),
            ("*", 0, 0, 0, 0),
            ("^", 0, 0, 0, 0),
            ("1*", 1, 1, 1, 0),
            ("{1|0}", 1, 0, half, half),
            ("+-1", 1, -1, 0, 1),
            ("{2|-1}", 2, -1, half, 3 * half),
            ("{4||2|0}", 4, 2, 5 * half, 3 * half),
            ("{+-4|-6}", -4, -6, -4, 2),
        ]:
            form = Value(text)
            with self.subTest(text):
                found = (form.left_stop(), form.right_stop(), form.mean(), form.temperature())
                self.assertEqual(found, (left, right, mean, temperature))
                self.assertTrue(all(type(number) is Fraction for number in found))

    def test_a_thermograph_has_the_corners_of_its_walls(self) -> None:
        # Left's wall of {4||2|0} is 4 - t; Right's is that of {2|0} moved by t: 2 until the mast of {2|0} begins at 1, then 1 + t.
        graph = Value("{4||2|0}").thermograph()
        self.assertEqual((graph.mean, graph.temperature), (Fraction(5, 2), Fraction(3, 2)))
        self.assertEqual(graph.left_wall, [(-1, 5), (Fraction(3, 2), Fraction(5, 2))])
        self.assertEqual(graph.right_wall[-1], (Fraction(3, 2), Fraction(5, 2)))
        self.assertEqual([graph.at(t) for t in (0, 1, Fraction(5, 4), 7)], [(4, 2), (3, 2), (Fraction(11, 4), Fraction(9, 4)), (Fraction(5, 2),) * 2])
        self.assertIn("<svg", graph.svg())
        self.assertIn("<style", graph._repr_svg_())
        self.assertEqual(repr(graph), "<Thermograph of {4||2|0}>")

    def test_the_calculator(self) -> None:
        self.assertEqual(Value("^^*").kind(), "number-up-star")
        self.assertEqual([Value(f"*{n}").nimber() for n in range(3)], [0, 1, 2])
        self.assertIsNone(Value("^").nimber())
        self.assertEqual(Value("3*2").number(), None)
        self.assertEqual((Value("^").birthday(), Value("1/2").birthday(), Value(7).birthday()), (2, 2, 7))
        self.assertEqual([Value(text).outcome() for text in ("^", "v", "*", "0")], ["L", "R", "N", "P"])
        self.assertEqual((Value("^").is_dicotic(), Value("1").is_dicotic()), (True, False))
        self.assertEqual([Value(text).atomic_weight() for text in ("^^", "v*", "*2", "+-1")], [2, -1, 0, None])
        self.assertEqual(Value("{3|-1}").cool(1), Value("{2|0}"))
        self.assertEqual(Value("{2|0}").heat(1), Value("{3|-1}"))
        self.assertEqual(Value("{3|-1}").cool(2), Value("1*"))
        self.assertEqual(Value("*").ordinal_sum("1"), Value("^*"))
        self.assertEqual(Value("1").norton("1*"), Value("1*"))
        self.assertEqual(Value("{2|^}").reduced(), Value("{2|0}"))
        self.assertEqual(Value("+-1").left_incentives(), [Value("{2|0}")])
        self.assertEqual(Value("^").compare("*"), "||")
        self.assertTrue(Value("^").confused("*"))
        self.assertEqual(Value("^^").text("standard"), "^2")
        self.assertEqual(Value("^").text("plain"), "{0|*}")
        self.assertEqual((Value("+-1").latex(), Value("+-1")._repr_latex_()), ("\\pm 1", "$\\pm 1$"))
        self.assertRegex(Value("^").digest(), "^[0-9a-f]{32}$")

    def test_long_texts_are_replaced_by_digests_where_none_is_asked_for(self) -> None:
        long = Value("0")
        for n in range(1, 12):
            long = long + Value([3**n], [-(3**n)])
        self.assertEqual(str(long), f"digest:{long.digest()}")
        self.assertEqual(repr(long), f"<Value digest:{long.digest()}>")
        with self.assertRaisesRegex(OverflowError, "more than 100 characters"):
            long.text(chars_max=100)
        # Copies need no text.
        self.assertEqual(pickle.loads(pickle.dumps(long)), long)


class Errors(unittest.TestCase):
    def refused(self, error: type[Exception], text: str, made: Callable[[], Any]) -> None:
        with self.assertRaises(error) as caught:
            made()
        self.assertIn(text, str(caught.exception))

    def test_texts_are_refused_with_the_place(self) -> None:
        for text, place in [
            ("", '"": character 1: expected a value'),
            ("{1|", '"{1|": character 4: expected a value'),
            ("1 $ 2", '"1 $ 2": character 3: expected'),
            ("0.5", "character"),
            ("1/3", "character"),
            ("{1|0", "found the end of the text"),
            ("{" * 1000, "nesting too large"),
        ]:
            with self.subTest(text):
                self.refused(ValueError, place, lambda: Value(text))
                self.refused(ValueError, place, lambda: Value([text], []))
                self.refused(ValueError, place, lambda: Value(0).compare(text))
        self.refused(ValueError, '"up" is no notation; accepted: standard, cgsuite, plain', lambda: Value(0).text("up"))  # type: ignore[arg-type]

    def test_floats_are_refused(self) -> None:
        value: Any = Value("^")
        for made in [
            lambda: Value(0.5),  # type: ignore[arg-type]
            lambda: Value([0.5], []),  # type: ignore[list-item]
            lambda: value + 0.5,
            lambda: 0.5 - value,
            lambda: value < 0.5,
            lambda: value.compare(0.5),
            lambda: value.cool(0.5),
            lambda: value.thermograph().at(0.5),
        ]:
            self.refused(TypeError, "is a float; write an exact number", made)
        self.assertNotEqual(Value("1/2"), 0.5)

    def test_other_objects_are_refused(self) -> None:
        value: Any = Value("^")
        for made in [lambda: value + "1", lambda: value + None, lambda: value < "1", lambda: value * value, lambda: value * Fraction(1, 2)]:
            self.assertRaises(TypeError, made)
        self.refused(TypeError, "is no value; write a Value", lambda: Value(None))  # type: ignore[arg-type]
        self.refused(TypeError, "the options of Left are a text", lambda: Value("1", ["2"]))
        self.refused(TypeError, "the options of Right are a text", lambda: Value([], "2"))
        self.refused(TypeError, "the options of Right are no list", lambda: Value([], 2))  # type: ignore[arg-type]
        self.assertNotEqual(value, "^")
        self.assertNotEqual(value, None)

    def test_numbers_that_are_no_games_or_too_large_are_refused(self) -> None:
        self.refused(ValueError, "its denominator must be a power of two", lambda: Value(Fraction(1, 3)))
        for wide in [lambda: Value(Fraction(1, 2**127)), lambda: Value(Fraction(1, 2**200)), lambda: Value(Fraction(2**127 + 1, 2))]:
            self.refused(ValueError, "its denominator must be a power of two up to 2^126", wide)
        self.assertEqual(Value(Fraction(1, 2**126)), Value(f"1/{2**126}"))
        for made in [lambda: Value(2**64), lambda: Value(0) + 2**64, lambda: Value(0) < -(2**64), lambda: Value("*") * 2**64]:
            self.refused(OverflowError, "does not fit in 64 bits", made)
        # A comparison for equality has an answer.
        self.assertNotEqual(Value(0), 2**64)
        self.assertNotEqual(Value(0), Fraction(1, 3))

    def test_numbers_beyond_127_bits_are_refused(self) -> None:
        fine = Value(Fraction(1, 2**62))
        for _ in range(64):
            fine = Value([0], [fine])
        self.assertEqual(fine, Fraction(1, 2**126))
        switch = Value([fine], [0])
        self.refused(OverflowError, "numbers of more than 119 bits", switch.mean)
        for made in [
            lambda: Value([0], [fine]),
            lambda: Value([-fine], [0]),
            lambda: Value([1], [1 + fine]),
            lambda: fine + 2,
            lambda: 2 * fine + Value("1000000"),
            lambda: (2**40 - 1) * fine - Value("1000000"),
            lambda: switch + Value("2*"),
            lambda: switch.cool(1),
        ]:
            self.refused(OverflowError, "bits", made)
        self.assertFalse(fine < 0)
        self.assertEqual(hash(fine), hash(Fraction(1, 2**126)))

    def test_operations_without_a_result_say_why(self) -> None:
        self.refused(ValueError, "the temperature -1 is negative", lambda: Value("^").cool(-1))
        self.refused(ValueError, "must be positive", lambda: Value("^").norton("*"))

    def test_an_error_of_a_command_can_be_pickled(self) -> None:
        error = pickle.loads(pickle.dumps(seedbank.SeedbankError(75, "stopped")))
        self.assertEqual((type(error), error.status, str(error)), (seedbank.SeedbankError, 75, "stopped"))


class Order(unittest.TestCase):
    def test_options_are_sorted_alike_in_every_process(self) -> None:
        session = (
            "import random, sys\n"
            "from seedbank import Value\n"
            "dice = random.Random(int(sys.argv[1]))\n"
            "texts = [f'{{{a},{b}|{c},{d}}}' for a in ('0', '^*', '{1|*}') for b in ('*', '*2') for c in ('v', '{0|-2}') for d in ('*', '+-1')]\n"
            "dice.shuffle(texts)\n"
            "made = {text: Value(text) for text in texts}\n"
            "for text in sorted(texts):\n"
            "    form = made[text]\n"
            "    print(form, form.left_options(), form.right_options(), form.left_incentives(), form.right_incentives(), form.digest())\n"
        )
        printed = {
            subprocess.run(
                [sys.executable, "-c", session, str(seed)],
                env={**os.environ, "PYTHONHASHSEED": str(seed)},
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            for seed in range(4)
        }
        self.assertEqual(len(printed), 1)
        self.assertEqual(len(printed.pop().splitlines()), 24)

    def test_threads_find_the_same_values(self) -> None:
        def found(seed: int) -> list[str]:
            values = [Value(f"{{{n + seed % 2}|{-n}}}") for n in range(1, 10)]
            total = Value(0)
            for value in values:
                total = total + value
            [row] = seedbank.eval("312", game="sowing", play="partisan")
            return [str(total), total.digest(), row["value"]]

        with ThreadPoolExecutor(4) as threads:
            results = list(threads.map(found, range(16)))
        self.assertEqual([results[n % 2] for n in range(16)], results)
        self.assertEqual([found(0), found(1)], results[:2])


if __name__ == "__main__":
    unittest.main()
