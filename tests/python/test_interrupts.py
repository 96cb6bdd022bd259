"""Ctrl-C stops long work within two seconds, and what comes after works."""

from __future__ import annotations

import contextlib
import io
import os
import random
import signal
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from functools import reduce
from pathlib import Path

import seedbank
from seedbank import Value

SECONDS = 2
# Other tests may keep the processors busy meanwhile.
TRIES = 3

State = tuple[int, tuple[tuple[int, ...], ...]]


class Sum:
    """A number and some games {a||b|c}, whose sums have long canonical forms."""

    def moves(self, state: State, side: int) -> list[State]:
        total, games = state
        options: list[State] = []
        if total:
            options = [(total - 1, games)] if side == 0 < total else [(total + 1, games)] if side == 1 and total < 0 else []
        for place, game in enumerate(games):
            others = games[:place] + games[place + 1 :]
            if len(game) == 3 and side == 1:
                options.append((total, (*others, game[1:])))
            else:
                options.append((total + game[side], others))
        return options

    def left(self, state: State) -> list[State]:
        return self.moves(state, 0)

    def right(self, state: State) -> list[State]:
        return self.moves(state, 1)


class Endless:
    def options(self, n: int) -> list[int]:
        return [n + 1]


def sum_of_hot_games() -> Value:
    dice = random.Random(1)
    games = [f"{{{dice.randrange(20)}||{dice.randrange(20) - 20}|{-20 - dice.randrange(100)}}}" for _ in range(40)]
    return reduce(lambda total, game: total + Value(game), games, Value(0))


class Interrupts(unittest.TestCase):
    def check(self, work: Callable[[], object], after: float = 0.5) -> None:
        late = []
        for _ in range(TRIES):
            threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            begun = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                work()
                # The signal may come just now.
                time.sleep(after)
                self.fail("the work ended before Ctrl-C")
            late.append(time.monotonic() - begun - after)
            # Nothing is left of the interrupt.
            self.assertEqual(Value("^") + Value("*"), Value("^*"))
            self.assertEqual(seedbank.eval("2111", game="sowing", play="partisan")[0]["value"], "1/2")
            if late[-1] < SECONDS:
                return
        self.fail(f"the interrupts took {late} s")

    def test_sums(self) -> None:
        self.check(sum_of_hot_games)

    def test_sums_of_loopy_values(self) -> None:
        self.check(lambda: (Value("^<on>") + Value("{over|-1}") + Value("upon")) * 1000)

    def test_positions_of_a_game_in_python(self) -> None:
        self.check(lambda: seedbank.evaluate(Endless(), [0]))

    def test_values_of_a_game_in_python(self) -> None:
        dice = random.Random(5)
        games = tuple((dice.randrange(30, 90), dice.randrange(-5, 5), -dice.randrange(30, 90)) for _ in range(5))
        graph, _ = seedbank._games._explored(Sum(), [(0, games)], None, False)
        self.check(lambda: graph.values(None), after=0.2)

    def test_eval(self) -> None:
        self.check(lambda: seedbank.eval("1^16", game="sowing", play="partisan"))

    def test_run_keeps_what_was_found(self) -> None:
        job = {
            "name": "ones",
            "ruleset": {"game": "sowing", "play": "partisan"},
            "family": {"pattern": "1^n", "n": "1..=16"},
        }
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as said:
            out, store = Path(folder) / "out", Path(folder) / "store"
            self.check(lambda: seedbank.run(job, out=out, store=store), after=2)
            self.assertIn("stopping within seconds", said.getvalue())
            [status] = seedbank.status(job, out=out)
            self.assertNotEqual(status["state"], "finished")
            with self.assertRaises(seedbank.SeedbankError) as caught:
                seedbank.run(job, out=out, store=store, time_limit="1s")
            self.assertEqual(caught.exception.status, 75)


if __name__ == "__main__":
    unittest.main()
