"""A use of all that the package exports: checked by mypy and pyright, and run."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import seedbank
from seedbank import Game, Move, Rows, SeedbankError, Thermograph, Value, Values

if TYPE_CHECKING:
    import polars


def calculated() -> None:
    value: Value = Value("{2|-1}") + 1 - Fraction(1, 2) + Value([Value("^"), 1], ["*", Fraction(3, 2)])
    value = 2 * -value - value * 3
    mean: Fraction = value.mean()
    graph: Thermograph = value.thermograph()
    walls: list[tuple[Fraction, Fraction]] = graph.left_wall + graph.right_wall
    weight: Value | None = Value("^^").atomic_weight()
    options: list[Value] = value.left_options() + value.right_incentives()
    assert graph.mean == mean and walls and weight == 2 and options
    assert (value <= 5) == (value.compare(5) in "<=") and not value.confused(value)
    numbers: dict[Value, int] = {option: option.birthday() for option in options}
    assert len(numbers) == len(set(options))


class Subtraction:
    """Left takes one or four, Right two or three."""

    def left(self, n: int) -> list[int]:
        return [n - k for k in (1, 4) if k <= n]

    def right(self, n: int) -> list[int]:
        return [n - k for k in (2, 3) if k <= n]


class Nim:
    """Positions are pairs of heaps."""

    def options(self, heaps: tuple[int, int]) -> list[tuple[int, int]]:
        a, b = heaps
        return [(less, b) for less in range(a)] + [(a, less) for less in range(b)]


def evaluated(folder: Path) -> None:
    values: Values[int] = seedbank.evaluate(Subtraction(), [4])
    four: Value | None = values[4]
    outcome: str | None = values.outcome(4)
    endings: tuple[str, str] = values.endings(4)
    assert four == Fraction(1, 2) and outcome == "L" and endings == ("win", "loss")
    nim: Values[tuple[int, int]] = seedbank.evaluate(Nim(), [(2, 3)], memory="1GiB", progress=False)
    assert nim[2, 3] == Value("*")
    written: int = seedbank.write_moves(Subtraction(), [4], folder / "moves.ndjson", name=lambda n: f"n{n}")
    game: Game = seedbank.game("moves", play="partisan", file=folder / "moves.ndjson")
    moves: list[Move] = game.moves("n4")
    assert written == 5 and game.value("n4") == four and len(moves) == 4


def computed(folder: Path) -> None:
    spec: dict[str, Any] = {
        "name": "pairs",
        "ruleset": {"game": "atomic-wari", "play": "partisan"},
        "family": {"pattern": "x y", "x": "1..=4", "y": "1..=4"},
    }
    out = folder / "results"
    finished: dict[str, Any] = seedbank.run(spec, out=out, store=folder / "store")
    frame: polars.DataFrame = seedbank.read(spec, out=out)
    rows: Rows = seedbank.read(spec, out=out, to="rows")
    assert finished["rows"] == len(frame) == len(rows) == 16
    laws: list[dict[str, Any]] = seedbank.mine(spec, out=out)
    assert laws and seedbank.status(spec, out=out)[0]["state"] == "finished"
    try:
        seedbank.eval("1x", game="sowing", play="partisan")
    except SeedbankError as error:
        status: int = error.status
        assert status == 2


if __name__ == "__main__":
    calculated()
    with tempfile.TemporaryDirectory() as scratch:
        evaluated(Path(scratch))
        computed(Path(scratch))
