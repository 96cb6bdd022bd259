"""Games written in Python against slow evaluations, and the games that ship."""

from __future__ import annotations

import contextlib
import io
import random
import tempfile
import time
import unittest
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import seedbank
from seedbank import Value

Options = dict[int, list[int]]


class Partisan:
    """A game on a graph. Counts the calls for each position."""

    def __init__(self, left: Options, right: Options) -> None:
        self.moves = (left, right)
        self.calls: list[tuple[int, int]] = []

    def left(self, position: int) -> list[int]:
        self.calls.append((0, position))
        return self.moves[0][position]

    def right(self, position: int) -> Iterator[int]:
        self.calls.append((1, position))
        return iter(self.moves[1][position])


class Impartial:
    def __init__(self, moves: Options) -> None:
        self.moves = moves

    def options(self, position: int) -> tuple[int, ...]:
        return tuple(self.moves[position])


class Nim:
    """Positions are any objects that can be keys: here tuples of heaps."""

    def options(self, heaps: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
        for place, heap in enumerate(heaps):
            for left in range(heap):
                yield tuple(sorted((*heaps[:place], left, *heaps[place + 1 :])))


def random_moves(dice: random.Random, size: int, loopy: bool) -> Options:
    """Returns moves to smaller positions, or to any."""
    return {n: [dice.randrange(size if loopy else n) for _ in range(dice.randrange(4)) if loopy or n] for n in range(size)}


def mex(numbers: set[int]) -> int:
    return next(n for n in range(len(numbers) + 1) if n not in numbers)


def endings(moves: tuple[Options, Options]) -> dict[tuple[int, int], str]:
    """Returns how play ends for the player who moves, by value iteration: wins and losses spread until none is new."""
    found: dict[tuple[int, int], str] = {}
    while True:
        new = dict(found)
        for player in (0, 1):
            for position, options in moves[player].items():
                answers = [found.get((1 - player, option)) for option in options]
                if "loss" in answers:
                    new[player, position] = "win"
                elif all(answer == "win" for answer in answers):
                    new[player, position] = "loss"
        if new == found:
            return found
        found = new


def reached(start: Iterable[int], moves: tuple[Options, ...]) -> set[int]:
    found, open_ = set(start), list(start)
    while open_:
        position = open_.pop()
        for option in (option for side in moves for option in side[position]):
            if option not in found:
                found.add(option)
                open_.append(option)
    return found


class OwnGames(unittest.TestCase):
    def test_partisan_games_have_the_values_of_their_options(self) -> None:
        dice = random.Random(30)
        for _ in range(40):
            left, right = (random_moves(dice, 12, loopy=False) for _ in range(2))
            start = dice.sample(range(12), 3)
            game = Partisan(left, right)
            values = seedbank.evaluate(game, start)

            @cache
            def slow(position: int) -> Value:
                return Value([slow(option) for option in left[position]], [slow(option) for option in right[position]])

            self.assertEqual(dict(values), {position: slow(position) for position in reached(start, (left, right))})
            self.assertEqual(len(values), len(set(values)))
            self.assertEqual(sorted(game.calls), sorted((side, position) for side in (0, 1) for position in values))
            for position in values:
                self.assertEqual(values.outcome(position), slow(position).outcome())

    def test_the_value_of_a_sum_is_the_sum_of_the_values(self) -> None:
        dice = random.Random(31)
        for _ in range(5):
            left, right = (random_moves(dice, 8, loopy=False) for _ in range(2))

            class Sums:
                def left(self, pair: tuple[int, int]) -> list[tuple[int, int]]:
                    return self.moves(pair, left)

                def right(self, pair: tuple[int, int]) -> list[tuple[int, int]]:
                    return self.moves(pair, right)

                def moves(self, pair: tuple[int, int], side: Options) -> list[tuple[int, int]]:
                    a, b = pair
                    return [(option, b) for option in side[a]] + [(a, option) for option in side[b]]

            alone = seedbank.evaluate(Partisan(left, right), range(8))
            for pair, value in seedbank.evaluate(Sums(), [(7, 6), (5, 7)]).items():
                self.assertEqual(value, alone[pair[0]] + alone[pair[1]])  # type: ignore[operator]

    def test_impartial_games_have_the_smallest_nimber_that_no_option_has(self) -> None:
        dice = random.Random(32)
        for _ in range(40):
            moves = random_moves(dice, 40, loopy=False)
            values = seedbank.evaluate(Impartial(moves), range(40))

            @cache
            def slow(position: int) -> int:
                return mex({slow(option) for option in moves[position]})

            self.assertEqual(dict(values), {n: Value(f"*{slow(n)}") for n in values})
            self.assertEqual([values.outcome(n) for n in range(40)], ["N" if slow(n) else "P" for n in range(40)])
        nim = seedbank.evaluate(Nim(), [(3, 5, 6), (1, 2, 7)])
        for heaps, value in nim.items():
            nimber = 0
            for heap in heaps:
                nimber ^= heap
            self.assertEqual(value, Value(f"*{nimber}"))

    def test_loopy_games_have_the_endings_of_value_iteration(self) -> None:
        dice = random.Random(33)
        draws = 0
        for _ in range(60):
            moves = random_moves(dice, 10, loopy=True), random_moves(dice, 10, loopy=True)
            values = seedbank.evaluate(Partisan(*moves), range(10))
            expected = endings(moves)
            for position in range(10):
                slow = tuple(expected.get((player, position), "draw") for player in (0, 1))
                self.assertEqual(values.endings(position), slow)
                draws += "draw" in slow
                classes = {("win", "loss"): "L", ("loss", "win"): "R", ("win", "win"): "N", ("loss", "loss"): "P"}
                value = values[position]
                if value is not None:
                    self.assertEqual(value.endings(), slow)
                    self.assertTrue(value.is_loopy() or slow in classes)
                if slow in classes:
                    self.assertEqual(values.outcome(position), classes[slow])
            both = seedbank.evaluate(Impartial(moves[0]), range(10))
            expected = endings((moves[0], moves[0]))
            for position in range(10):
                self.assertEqual(both.endings(position), (expected.get((0, position), "draw"),) * 2)
        self.assertGreater(draws, 50)

    def test_positions_without_an_end_to_their_play_have_loopy_values(self) -> None:
        moves = {0: [1], 1: [0], 2: [3], 3: []}
        values = seedbank.evaluate(Partisan(moves, moves), [0, 2])
        self.assertEqual(dict(values), {0: Value("dud"), 1: Value("dud"), 2: Value("*"), 3: Value(0)})
        self.assertIsNone(values.outcome(0))
        self.assertEqual(seedbank.evaluate(Impartial(moves), [0])[0], Value("oo()"))

    def test_mistakes_are_named(self) -> None:
        class Nothing:
            def options(self, position: int) -> Any:
                return None

        class Failing:
            def options(self, position: int) -> list[int]:
                raise RuntimeError("mine")

        class Unhashable:
            def options(self, position: Any) -> list[Any]:
                return [[position]]

        game: Any
        for game, error, text in [
            (object(), TypeError, "object has no moves; give it methods left and right, or options"),
            (Nothing(), TypeError, "the options of 5 are no list but None"),
            (Failing(), RuntimeError, "mine"),
            (Unhashable(), TypeError, "unhashable"),
        ]:
            with self.subTest(text), self.assertRaisesRegex(error, text):
                seedbank.evaluate(game, [5])
        with self.assertRaisesRegex(ValueError, "memory=.lots.: write a size"):
            seedbank.evaluate(Nim(), [(1,)], memory="lots")
        with self.assertRaisesRegex(MemoryError, "more than the budget of 1; give more with memory="):
            seedbank.evaluate(Nim(), [(1,)], memory=1)
        self.assertRaises(KeyError, lambda: seedbank.evaluate(Nim(), [(1,)])[(2,)])
        self.assertEqual(len(seedbank.evaluate(Nim(), [])), 0)

    def test_long_chains_of_positions_are_valued(self) -> None:
        chain = Partisan({n: [n - 1] if n else [] for n in range(100_001)}, {n: [] for n in range(100_001)})
        self.assertEqual(seedbank.evaluate(chain, [100_000])[100_000], 100_000)


class Files(unittest.TestCase):
    def test_moves_are_read_back(self) -> None:
        dice = random.Random(34)
        with tempfile.TemporaryDirectory() as folder:
            for number, ending in enumerate(["ndjson", "csv", "ndjson"]):
                loopy = number == 2
                path = Path(folder) / f"odd [1] {number}.{ending}"
                game = Partisan(random_moves(dice, 12, loopy), random_moves(dice, 12, loopy))
                values = seedbank.evaluate(game, range(12))
                self.assertEqual(seedbank.write_moves(game, range(12), path, name=lambda n: f"p{n}"), 12)
                read = seedbank.game("moves", play="partisan", file=path)
                self.assertEqual(read.values(f"p{n}" for n in range(12)), [values[n] for n in range(12)])
                self.assertEqual([read.outcome(f"p{n}") for n in range(12)], [values.outcome(n) for n in range(12)])
            path = Path(folder) / "nim.ndjson"
            self.assertEqual(seedbank.write_moves(Nim(), [(1, 2)], path, name=lambda heaps: "-".join(map(str, heaps))), 5)
            nim = seedbank.game("moves", play="impartial", file=path)
            self.assertEqual(nim.value("1-2"), Value("*3"))
            self.assertEqual({move.option for move in nim.moves("1-2")}, {"0-2", "0-1", "1-1"})
            before = path.read_bytes()
            with self.assertRaisesRegex(ValueError, "are both named 'x'"):
                seedbank.write_moves(Nim(), [(1, 2)], path, name=lambda heaps: "x")
            self.assertEqual(path.read_bytes(), before)
            with self.assertRaisesRegex(OSError, "nowhere"):
                seedbank.write_moves(Nim(), [(1, 2)], Path(folder) / "nowhere" / "nim.ndjson")


class ShippedGames(unittest.TestCase):
    def test_values_moves_and_outcomes(self) -> None:
        sowing = seedbank.game("sowing", play="partisan")
        self.assertEqual(sowing.values(["312", "2111"]), [Value("{0|-2}"), Value("1/2")])
        self.assertEqual(sowing.outcome("312"), Value("{0|-2}").outcome())
        moves = sowing.moves("312")
        self.assertEqual({(move.player, str(move.value)) for move in moves}, {("left", "0"), ("right", "-2"), ("right", "0")})
        self.assertTrue(all(move.row["player"] == move.player for move in moves))
        self.assertEqual(seedbank.game("octal", code="0.77").value("12"), Value("*4"))
        self.assertEqual(seedbank.game("sowing", play="impartial").value("312"), Value("*1"))
        self.assertIsNone(seedbank.game("kalah").value("1 0 0 / 1 0 0"))
        rows = seedbank.game("row-rules", play="partisan", rule="last=any", pots=6)
        self.assertEqual(rows.value("2112"), Value("7/2 & -1"))

    def test_a_wrong_position_is_named(self) -> None:
        with self.assertRaisesRegex(seedbank.SeedbankError, "line 2: \"1x\"") as caught:
            seedbank.game("sowing", play="partisan").values(["1", "1x"])
        self.assertEqual(caught.exception.status, 2)


class Progress(unittest.TestCase):
    def test_it_is_shown_where_it_is_asked_for(self) -> None:
        class Slow:
            """The moves of a thousand positions take longer than ten seconds."""

            def options(self, n: int) -> list[int]:
                time.sleep(0.01)
                return [n - 1] if n else []

        with contextlib.redirect_stderr(io.StringIO()) as shown:
            seedbank.evaluate(Slow(), [1100], progress=True)
        self.assertRegex(shown.getvalue(), r"^evaluate: 1025 positions found, the moves of 1024 known\n$")


if __name__ == "__main__":
    unittest.main()
