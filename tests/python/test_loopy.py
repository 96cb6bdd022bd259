"""Loopy values: against play of sums of graphs by value iteration, which shares nothing with them; pickles, threads, errors."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
import unittest
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import seedbank
from seedbank import Value

Moves = list[tuple[list[int], list[int]]]

OUTCOMES = {("win", "loss"): "L", ("loss", "win"): "R", ("win", "win"): "N", ("loss", "loss"): "P"}


class Graph:
    def __init__(self, moves: Moves) -> None:
        self.moves = moves

    def left(self, node: int) -> list[int]:
        return self.moves[node][0]

    def right(self, node: int) -> list[int]:
        return self.moves[node][1]


class Both:
    def __init__(self, options: list[list[int]]) -> None:
        self.moves = options

    def options(self, node: int) -> list[int]:
        return self.moves[node]


def random_graph(dice: random.Random, size: int) -> Moves:
    return [([dice.randrange(size) for _ in range(dice.randrange(3))], [dice.randrange(size) for _ in range(dice.randrange(3))]) for _ in range(size)]


def negative(moves: Moves) -> Moves:
    return [(right, left) for left, right in moves]


def total(g: Moves, h: Moves) -> Moves:
    """The sum, whose position (a, b) is a * len(h) + b."""
    return [
        (
            [x * len(h) + b for x in g[a][0]] + [a * len(h) + y for y in h[b][0]],
            [x * len(h) + b for x in g[a][1]] + [a * len(h) + y for y in h[b][1]],
        )
        for a in range(len(g))
        for b in range(len(h))
    ]


def endings(moves: Moves) -> list[tuple[str, str]]:
    """Looks one move further until nothing changes."""
    found = [["draw", "draw"] for _ in moves]
    while True:
        before = [list(pair) for pair in found]
        for node, options in enumerate(moves):
            for player in (0, 1):
                replies = [before[option][1 - player] for option in options[player]]
                if "loss" in replies:
                    found[node][player] = "win"
                elif all(reply == "win" for reply in replies):
                    found[node][player] = "loss"
        if found == before:
            return [(left, right) for left, right in found]


class AgainstPlay(unittest.TestCase):
    def test_sums_differences_and_multiples_end_as_their_moves_do(self) -> None:
        dice = random.Random(71)
        loopy = draws = 0
        for _ in range(150):
            g, h = random_graph(dice, 4), random_graph(dice, 4)
            of_g, of_h = seedbank.evaluate(Graph(g), range(4)), seedbank.evaluate(Graph(h), range(4))
            plus, minus, twice = endings(total(g, h)), endings(total(g, negative(h))), endings(total(total(g, g), h))
            for a in range(4):
                self.assertEqual(of_g.endings(a), endings(g)[a])
                for b in range(4):
                    left, right = of_g[a], of_h[b]
                    if left is None or right is None:
                        continue
                    loopy += left.is_loopy() + right.is_loopy()
                    for value, ends in [
                        (left + right, plus[a * 4 + b]),
                        (left - right, minus[a * 4 + b]),
                        (2 * left + right, twice[(a * 4 + a) * 4 + b]),
                    ]:
                        self.assertEqual(value.endings(), ends)
                        self.assertEqual(value.outcome(), OUTCOMES.get(ends))
                        draws += "draw" in ends
        self.assertGreater(loopy, 1000)
        self.assertGreater(draws, 1000)

    def test_the_order_is_that_of_survival(self) -> None:
        dice = random.Random(72)
        compared = {"<": 0, "=": 0, ">": 0, "||": 0}
        for _ in range(1000):
            g, h = random_graph(dice, 4), random_graph(dice, 4)
            x, y = seedbank.evaluate(Graph(g), [0])[0], seedbank.evaluate(Graph(h), [0])[0]
            if x is None or y is None or not x.is_stopper() or not y.is_stopper():
                continue
            # For stoppers g >= h holds just where Left, moving second, survives g - h.
            left_first, right_first = endings(total(g, negative(h)))[0]
            at_least, at_most = right_first != "win", left_first != "win"
            self.assertEqual((x >= y, x <= y), (at_least, at_most))
            self.assertEqual((x > y, x < y), (at_least and not at_most, at_most and not at_least))
            self.assertEqual((x == y, x.confused(y)), (at_least and at_most, not at_least and not at_most))
            if x == y:
                self.assertEqual(hash(x), hash(y))
            compared[x.compare(y)] += 1
        self.assertGreater(min(compared.values()), 3, compared)

    def test_values_are_those_of_their_options_and_texts(self) -> None:
        dice = random.Random(73)
        stoppers = 0
        for _ in range(150):
            moves = random_graph(dice, 4)
            for value in seedbank.evaluate(Graph(moves), range(4)).values():
                if value is None:
                    continue
                self.assertEqual(Value(str(value)), value)
                for copied in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), -(-value), +value):
                    self.assertEqual((copied, hash(copied), copied.digest()), (value, hash(value), value.digest()))
                self.assertEqual(value.is_stopper(), value.onside() == value.offside())
                if value.is_stopper():
                    self.assertEqual(Value(value.left_options(), value.right_options()), value)
                    stoppers += value.is_loopy()
        self.assertGreater(stoppers, 30)

    def test_impartial_values_end_as_their_moves_do(self) -> None:
        dice = random.Random(74)
        infinite = 0
        for _ in range(100):
            g, h = ([[dice.randrange(5) for _ in range(dice.randrange(3))] for _ in range(5)] for _ in range(2))
            of_g, of_h = seedbank.evaluate(Both(g), range(5)), seedbank.evaluate(Both(h), range(5))
            ends = endings(total([(list(o), list(o)) for o in g], [(list(o), list(o)) for o in h]))
            for a in range(5):
                for b in range(5):
                    left, right = of_g[a], of_h[b]
                    assert left is not None and right is not None
                    self.assertEqual((left + right).endings(), ends[a * 5 + b])
                    self.assertEqual(left - right, left + right)
                    infinite += left.is_loopy()
                self.assertEqual(pickle.loads(pickle.dumps(of_g[a])), of_g[a])
        self.assertGreater(infinite, 500)


class KnownValues(unittest.TestCase):
    def test_names_and_laws(self) -> None:
        on, over, upon, dud = map(Value, ("on", "over", "upon", "dud"))
        self.assertEqual({Value("a{a|}"), Value("{pass|}"), on, on + 1}, {on})
        self.assertEqual(str(on - on), "dud")
        self.assertEqual((on + over, dud + over, over + over), (on, dud, over))
        self.assertEqual(10**12 * over, over)
        self.assertEqual(upon * 3, upon + upon + upon)
        self.assertEqual(2 - over, Value("2under"))
        self.assertEqual(over - over + 0, Value("over & under"))
        self.assertEqual((over > 0, over < Fraction(1, 1024), upon < over, upon.confused("*"), over.compare("^")), (True, True, True, True, ">"))
        self.assertEqual((dud.onside(), dud.offside(), Value(3).onside()), (on, Value("off"), 3))
        self.assertEqual((dud.is_stopper(), on.is_stopper(), Value("^").is_stopper()), (False, True, True))
        self.assertEqual((on.is_loopy(), Value("^").is_loopy(), Value("a{0|a} - over + over").is_loopy()), (True, False, True))
        self.assertEqual((on.kind(), on.number(), on.nimber(), bool(on)), ("loopy", None, None, True))
        self.assertEqual(Value("tis").endings(), ("draw", "loss"))
        self.assertEqual(Value("1/2").endings(), ("win", "loss"))
        self.assertEqual((Value(1).ordinal_sum("off"), Value("off").ordinal_sum(1)), (over, Value("off")))
        self.assertEqual((on.latex(), over._repr_latex_()), ("\\mathbf{on}", "$\\mathbf{over}$"))
        self.assertEqual((over.is_infinitesimal(), Value("1over").is_infinitesimal()), (True, False))
        self.assertEqual(repr(Value([over + 7, 7], [1])), "Value('{7over|1}')")

    def test_stops_means_and_temperatures(self) -> None:
        hot = Value("{7over|1}")
        self.assertEqual((hot.left_stop(), hot.right_stop(), hot.mean(), hot.temperature()), (Value("7over"), 1, 4, 3))
        threat = Value("{on|0||-5}")
        self.assertEqual((Value("over").mean(), threat.mean(), threat.temperature()), (0, 0, 5))
        self.assertEqual(Value("on").left_stop(), Value("on"))

    def test_infinite_nim_values(self) -> None:
        oo = Value("oo(0,2)")
        self.assertEqual({oo, Value("oo(2,0)"), Value(" oo( 0 , 2 ) "), oo + 0, oo - 0, -oo}, {oo})
        self.assertEqual((oo + Value("*2"), oo + oo, oo * 2, 0 * oo), (oo, Value("oo()"), Value("oo()"), 0))
        self.assertEqual(str(oo + Value("*")), "oo(1,3)")
        self.assertEqual((oo.outcome(), Value("oo(1)").outcome(), Value("oo()").endings()), ("N", None, ("draw", "draw")))
        self.assertEqual((oo.compare(oo), oo == 0, oo != Value("dud")), ("=", False, True))
        self.assertEqual(oo.latex(), "\\infty(0,2)")


class Errors(unittest.TestCase):
    def refused(self, error: type[Exception], text: str, made: Callable[[], Any]) -> None:
        with self.assertRaises(error) as caught:
            made()
        self.assertIn(text, str(caught.exception))

    def test_what_is_not_defined_is_named(self) -> None:
        on, dud, oo = Value("on"), Value("dud"), Value("oo(0)")
        for name in ("thermograph", "atomic_weight", "reduced", "birthday", "is_dicotic", "left_incentives", "right_incentives"):
            for value in (on, dud, oo):
                self.refused(ValueError, f"{value} is loopy, and only short values have ", getattr(value, name))
        for made in [lambda: on.cool(1), lambda: on.heat(1), lambda: Value(1).heat(on), lambda: on.norton("^"), lambda: Value("^").norton("over")]:
            self.refused(ValueError, " is loopy, and only short values ", made)
        for name in ("left_options", "right_options", "left_stop", "mean", "temperature", "is_infinitesimal"):
            self.refused(ValueError, "dud is no stopper, and only short values and stoppers have ", getattr(dud, name))
            self.refused(ValueError, "oo(0) is a value of impartial play", getattr(oo, name))
        self.refused(ValueError, "on has no mean: its walls meet at no number", on.mean)
        self.refused(ValueError, "has no temperature", Value("{on|0||-5|off}").temperature)
        self.refused(ValueError, "the base of an ordinal sum must be a stopper", lambda: dud.ordinal_sum(1))
        for wrong in [lambda: oo < 0, lambda: oo + Value("^"), lambda: oo + on, lambda: Value([oo], []), oo.onside]:
            self.refused(ValueError, "oo(0) is a value of impartial play", wrong)
        self.refused(ValueError, "write the nim-values", lambda: Value("oo(0,x)"))
        self.refused(OverflowError, "it takes more than 3000000 steps", lambda: Value("100.upon - 100.upon"))
        self.refused(ValueError, "a Norton product of a loopy game is not defined", lambda: Value("over.^"))
        self.refused(OverflowError, "more than 3 characters", lambda: Value("over").text(chars_max=3))


class Processes(unittest.TestCase):
    def test_pickles_and_texts_are_read_by_other_processes(self) -> None:
        values = [Value(text) for text in ("on", "+-(5over)", "a{0||||0|||a|*||*}", "1 & 0", "{0|^<on>||v<on>} & over", "oo(0,2)", "^")]
        session = (
            "import pickle, sys\n"
            "from seedbank import Value\n"
            "Value('upon'), Value('a{0|{0||||0,*2|||a|0||0}||0}')\n"
            "for value in pickle.loads(sys.stdin.buffer.read()):\n"
            "    print(value, value.digest(), value == Value(str(value)))\n"
        )
        printed = subprocess.run(
            [sys.executable, "-c", session], input=pickle.dumps(values), env=os.environ, check=True, capture_output=True
        ).stdout.decode()
        self.assertEqual(printed.splitlines(), [f"{value} {value.digest()} True" for value in values])

    def test_threads_find_the_same_values(self) -> None:
        def found(seed: int) -> tuple[str, str]:
            value = Value("upon") * (12 + seed % 2) + Value([Value("over") + seed % 2], [-1])
            return str(value), value.digest()

        with ThreadPoolExecutor(4) as threads:
            results = list(threads.map(found, range(16)))
        self.assertEqual([results[n % 2] for n in range(16)], results)
        self.assertEqual([found(0), found(1)], results[:2])


if __name__ == "__main__":
    unittest.main()
