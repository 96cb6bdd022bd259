"""Games as plain tuples, and their arithmetic by definition: slow and obvious, for comparison.

A game is a pair of tuples: Left's options and Right's. Nothing is simplified, so equal values may be different games.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

from seedbank import Value

Game = tuple[Any, Any]

ZERO: Game = ((), ())


@cache
def negative(game: Game) -> Game:
    left, right = game
    return tuple(map(negative, right)), tuple(map(negative, left))


@cache
def total(a: Game, b: Game) -> Game:
    """Returns the sum, with a move in either component."""

    def moves(side: int) -> tuple[Game, ...]:
        return (*(total(option, b) for option in a[side]), *(total(a, option) for option in b[side]))

    return moves(0), moves(1)


@cache
def wins_second(a: Game, b: Game) -> bool:
    """Returns whether Left wins a + b if Right begins. The sum itself is not built."""
    for x, y in ((a, b), (b, a)):
        for option in x[1]:
            if not any(wins_second(answer, y) for answer in option[0]) and not any(wins_second(option, answer) for answer in y[0]):
                return False
    return True


@cache
def at_least(a: Game, b: Game) -> bool:
    """Returns whether a >= b: Left wins a - b if Right begins."""
    return wins_second(a, negative(b))


def comparison(a: Game, b: Game) -> str:
    return {(True, True): "=", (True, False): ">", (False, True): "<", (False, False): "||"}[at_least(a, b), at_least(b, a)]


@cache
def value(game: Game) -> Value:
    """Returns what the package makes of a game."""
    left, right = game
    return Value([value(option) for option in left], [value(option) for option in right])


@cache
def game_of(form: Value) -> Game:
    """Returns a canonical form as a game."""
    return tuple(map(game_of, form.left_options())), tuple(map(game_of, form.right_options()))


def is_canonical(game: Game) -> bool:
    """Returns whether no option of a game or of its followers is dominated or reversible."""

    def is_simple(options: tuple[Game, ...], side: int) -> bool:
        def at_least_for(a: Game, b: Game) -> bool:
            return at_least(a, b) if side == 0 else at_least(b, a)

        dominated = any(a is not b and at_least_for(a, b) for a in options for b in options)
        reversible = any(at_least_for(game, answer) for option in options for answer in option[1 - side])
        return not dominated and not reversible

    return all(is_simple(game[side], side) and all(map(is_canonical, game[side])) for side in (0, 1))


@cache
def number(game: Game) -> Fraction | None:
    """Returns the number that a canonical form is, or None."""
    left, right = ([found for found in map(number, options) if found is not None] for options in game)
    if (len(left), len(right)) != (len(game[0]), len(game[1])):
        return None
    low, high = max(left, default=None), min(right, default=None)
    if low is not None and high is not None and low >= high:
        return None
    return simplest(low, high)


def simplest(low: Fraction | None, high: Fraction | None) -> Fraction:
    """Returns the number of earliest birthday between two."""
    if (low is None or low < 0) and (high is None or high > 0):
        return Fraction(0)
    if low is None or low < 0:
        assert high is not None
        return -simplest(-high, None if low is None else -low)
    denominator = 1
    while True:
        found = Fraction(low * denominator // 1 + 1, denominator)
        if high is None or found < high:
            return found
        denominator *= 2


@cache
def stops(game: Game) -> tuple[Fraction, Fraction]:
    """Returns the stops of a canonical form when Left begins and when Right does."""
    here = number(game)
    if here is not None:
        return here, here
    return max(stops(option)[1] for option in game[0]), min(stops(option)[0] for option in game[1])


def antichains(games: list[Game]) -> list[tuple[Game, ...]]:
    """Returns the sets of games of which none is at least another."""
    comparable = {(a, b) for a in games for b in games if at_least(a, b) or at_least(b, a)}
    found: list[tuple[Game, ...]] = [()]
    for game in games:
        found += [(*chain, game) for chain in found if all((game, other) not in comparable for other in chain)]
    return found


def born_by(day: int) -> list[Game]:
    """Returns a game of each value born by a day. Of its options none dominates another; some may be reversible."""
    games = [ZERO]
    for _ in range(day):
        sides = antichains(games)
        found: list[Game] = []
        # Few games are compared: values that differ in outcome or in some sums differ.
        groups: dict[tuple[str, ...], list[Game]] = {}
        for left in sides:
            for right in sides:
                game = (left, right)
                alike = groups.setdefault(tuple(comparison(game, other) for other in games), [])
                if not any(at_least(game, other) and at_least(other, game) for other in alike):
                    alike.append(game)
                    found.append(game)
        games = found
    return games


def random_game(dice: random.Random, depth: int) -> Game:
    """Returns a game with at most two options a side, reversible and dominated ones among them."""
    if depth == 0:
        return ZERO

    def options() -> tuple[Game, ...]:
        return tuple(random_game(dice, depth - 1 - dice.randrange(2) if depth > 1 else 0) for _ in range(dice.choice((0, 1, 1, 2))))

    return options(), options()
