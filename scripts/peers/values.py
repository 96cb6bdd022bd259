"""Measures sums and comparisons of values, beside other programs, and games that are written in Python.

    python3 -m venv peers && peers/bin/pip install pycgt ogdoad
    .venv/bin/python scripts/peers/values.py --peers peers/bin/python

Random values of birthday 4 are added and compared. Each program runs in a process of its own, which makes the same values from their
options, finds the sum of each pair once, as a canonical form, and then compares as many other pairs. The time to make the values is
not counted. The programs must find the same number of pairs of each order, and sums with the same birthdays.

ogdoad is under the AGPL and pycgt under the MIT licence; nothing else in this repository uses either. Without --peers, or where one
is not installed, the table has seedbank alone.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PROGRAMS = ["seedbank", "pycgt", "ogdoad"]
BIRTHDAY = 4


# What each program calls its functions: a value from lists of options, a sum, the order, the birthday.
def seedbank() -> tuple[Callable[..., Any], ...]:
    from seedbank import Value

    return Value, lambda g, h: g + h, lambda g, h: g.compare(h), lambda g: g.birthday()


def pycgt() -> tuple[Callable[..., Any], ...]:
    import pycgt

    game = pycgt.Game
    return game.of, lambda g, h: g + h, lambda g, h: str(pycgt.compare(g, h)), pycgt.birthday


def ogdoad() -> tuple[Callable[..., Any], ...]:
    import ogdoad

    orders = {(True, True): "=", (True, False): "<", (False, True): ">", (False, False): "||"}
    # Its sums are games with all options; seedbank's and pycgt's are canonical forms.
    return ogdoad.Game.of, lambda g, h: (g + h).canonical(), lambda g, h: orders[g.le(h), h.le(g)], lambda g: g.birthday()


def named(program: str) -> str:
    """Returns the name of a program and its version."""
    try:
        return f"{program} {version(program)}"
    except PackageNotFoundError:
        # It is not installed: PYTHONPATH names it.
        return program


def work(program: str) -> None:
    """Reads values and pairs, and prints the times of a program."""
    of, add, compare, birthday = globals()[program]()
    given = json.load(sys.stdin)
    values: list[Any] = []
    for left, right in given["forms"]:
        values.append(of([values[n] for n in left], [values[n] for n in right]))
    pairs = [(values[g], values[h]) for g, h in given["pairs"]]
    begun = time.perf_counter()
    sums = [add(g, h) for g, h in pairs]
    added = time.perf_counter()
    orders = [compare(pairs[n - 1][0], h) for n, (_, h) in enumerate(pairs)]
    ended = time.perf_counter()
    print(
        json.dumps(
            {
                "name": named(program),
                "sums": added - begun,
                "comparisons": ended - added,
                "found": [sorted(Counter(orders).items()), sorted(Counter(map(birthday, sums)).items())],
            }
        )
    )


def random_values(pairs: int, seed: int) -> dict[str, Any]:
    """Returns forms, each by the places of its options among those before it, and pairs of forms of birthday 4."""
    from seedbank import Value

    dice = random.Random(seed)
    forms: list[tuple[list[int], list[int]]] = []
    places: dict[Value, int] = {}

    def place(value: Value) -> int:
        if value not in places:
            form = [place(g) for g in value.left_options()], [place(g) for g in value.right_options()]
            places[value] = len(forms)
            forms.append(form)
        return places[value]

    def draw(day: int) -> Value:
        if day == 0:
            return Value(0)
        sides = ([draw(dice.randrange(day)) for _ in range(dice.choice((0, 1, 2, 2, 3)))] for _ in range(2))
        return Value(*sides)

    def born() -> int:
        while (value := draw(BIRTHDAY)).birthday() != BIRTHDAY:
            pass
        return place(value)

    return {"pairs": [(born(), born()) for _ in range(pairs)], "forms": forms}


def compared(pairs: int, peers: str | None, seed: int) -> None:
    given = json.dumps(random_values(pairs, seed))
    print(f"{pairs} pairs of random values of birthday {BIRTHDAY}, seed {seed}; Python {platform.python_version()}, {platform.machine()}\n")
    print(f"{'program':<16}{'sums/s':>12}{'seedbank is':>14}{'comparisons/s':>16}{'seedbank is':>14}")
    first: dict[str, Any] | None = None
    for program in PROGRAMS:
        python = sys.executable if program == "seedbank" else peers
        if python is None:
            continue
        ended = subprocess.run([python, __file__, "--work", program], input=given, capture_output=True, text=True)
        if ended.returncode:
            print(f"{program:<16}{ended.stderr.strip().splitlines()[-1]}")
            continue
        found = json.loads(ended.stdout)
        first = first or found
        if found["found"] != first["found"]:
            raise SystemExit(f"{program} finds {found['found']}, seedbank {first['found']}")
        cells = [f"{found['name']:<16}"]
        for work, width in [("sums", 12), ("comparisons", 16)]:
            cells.append(f"{pairs / found[work]:>{width},.0f}{found[work] / first[work]:>11,.1f} x ")
        print("".join(cells))


class Clobber:
    """Strips of stones: a stone takes a neighbour of the other colour."""

    def moves(self, strip: str, taken: str, by: str) -> Iterator[str]:
        for pair, after in ((by + taken, "." + by), (taken + by, by + ".")):
            place = strip.find(pair)
            while place >= 0:
                yield strip[:place] + after + strip[place + 2 :]
                place = strip.find(pair, place + 1)

    def left(self, strip: str) -> Iterator[str]:
        return self.moves(strip, "x", "o")

    def right(self, strip: str) -> Iterator[str]:
        return self.moves(strip, "o", "x")


class Heaps:
    """Two heaps, of which one loses one, two or three."""

    def options(self, heaps: tuple[int, int]) -> list[tuple[int, int]]:
        a, b = heaps
        return [(a - k, b) for k in range(1, min(a, 3) + 1)] + [(a, b - k) for k in range(1, min(b, 3) + 1)]


def evaluated(scale: int) -> None:
    from seedbank import evaluate

    print(f"\n{'game in Python':<16}{'positions':>12}{'moves alone s':>16}{'evaluate s':>14}{'positions/s beyond its moves':>32}")
    strips = 4 + scale
    game: Any
    start: Any
    for name, game, start in [("two heaps", Heaps(), (100 * scale, 100 * scale)), ("Clobber", Clobber(), "ox" * strips)]:
        begun = time.perf_counter()
        values = evaluate(game, [start], progress=False)
        seconds = time.perf_counter() - begun
        moves = [game.options] if hasattr(game, "options") else [game.left, game.right]
        positions = list(values)
        begun = time.perf_counter()
        for position in positions:
            for options in moves:
                for _ in options(position):
                    pass
        alone = time.perf_counter() - begun
        print(f"{name:<16}{len(values):>12,}{alone:>16.3f}{seconds:>14.3f}{len(values) / (seconds - alone):>32,.0f}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--peers", metavar="PYTHON", help="an interpreter that has pycgt and ogdoad")
    arguments.add_argument("--pairs", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--scale", type=int, default=4, help="the size of the games in Python (default 4)")
    arguments.add_argument("--work", choices=PROGRAMS, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.work:
        work(given.work)
    else:
        compared(given.pairs, given.peers, given.seed)
        evaluated(given.scale)


if __name__ == "__main__":
    main()
