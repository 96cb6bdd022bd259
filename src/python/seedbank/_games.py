"""Games: those that ship, by name, and those that are written in Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from . import _native
from ._commands import Positions, _say, eval as _eval
from ._native import Value

Position = TypeVar("Position", bound=Hashable)
_Position = TypeVar("_Position", bound=Hashable, contravariant=True)


class Move(NamedTuple):
    """A move of a position: the option it leads to and its value."""

    option: str
    """The option, as ``Game.value`` reads it."""
    player: str | None
    """``"left"`` or ``"right"``, or None if both players have the move."""
    value: Value | None
    """The value of the option; None if it has none."""
    wins: bool | None
    """Whether the move wins, if the game says so."""
    row: dict[str, Any]
    """All that ``seedbank eval --moves --json`` prints of the move."""


def _value(row: dict[str, Any]) -> Value | None:
    text = row.get("value")
    if text is not None:
        return Value(text)
    nim_value = row.get("nim_value")
    return None if nim_value is None else Value.star(nim_value)


class Game(NamedTuple):
    """A game that ships, with a way of playing and its rules; see ``game``."""

    name: str
    play: str | None
    options: dict[str, Any]

    def rows(self, positions: Positions, **options: Any) -> list[dict[str, Any]]:
        """Returns what ``seedbank.eval`` returns."""
        return _eval(positions, game=self.name, play=self.play, **self.options, **options)

    def value(self, position: str) -> Value | None:
        """Returns the value of a position, or None if it has none: the game is scored, or play need not end and no value was found."""
        [value] = self.values([position])
        return value

    def values(self, positions: Positions) -> list[Value | None]:
        """Returns the values of positions, a list or a column as in ``eval``. They are evaluated together: quicker than one by one."""
        whole = {"full": True} if self.play else {}
        return [_value(row) for row in self.rows(positions, **whole)]

    def moves(self, position: str) -> list[Move]:
        """Returns the moves of a position with the values of the options."""
        whole = {"full": True} if self.play else {}
        [row] = self.rows([position], moves=True, **whole)
        return [
            Move(
                option=move.get("leaves") or move.get("position"),
                player=move.get("player"),
                value=_value(move),
                wins=move.get("wins"),
                row=move,
            )
            for move in row["moves"]
        ]

    def outcome(self, position: str) -> str | None:
        """Returns who wins: ``"L"``, ``"R"``, ``"N"`` (the next player) or ``"P"`` (the previous one); None if a player can only draw."""
        [row] = self.rows([position])
        return row["outcome"] if "outcome" in row else row.get("normal")


def game(name: str, play: str | None = None, **options: Any) -> Game:
    """Returns a game by its name, such as ``sowing``, ``atomic-wari``, ``octal``, ``row-rules`` or ``moves``.

    ``play`` is ``"partisan"`` or ``"impartial"`` for games that have both. Keywords are the options of ``seedbank eval``:
    ``code="0.77"``, ``pots=6``, ``rule=["last=occupied", "capture=[2]"]``, ``file="moves.ndjson"``.

    >>> import seedbank
    >>> wari = seedbank.game("atomic-wari", play="partisan")
    >>> wari.values(["12", "23"])
    [Value('*'), Value('{*,^|0,*}')]
    >>> [(move.player, move.option, str(move.value)) for move in seedbank.game("sowing", play="partisan").moves("312")]
    [('left', '303', '0'), ('right', '402', '-2'), ('right', '420', '0')]
    >>> seedbank.game("octal", code="0.77").value("12")
    Value('*4')
    """
    return Game(name, play, options)


class PartisanGame(Protocol[_Position]):
    """A game whose players have moves of their own."""

    def left(self, position: _Position, /) -> Iterable[Any]:
        """Returns Left's options."""
        ...

    def right(self, position: _Position, /) -> Iterable[Any]:
        """Returns Right's options."""
        ...


class ImpartialGame(Protocol[_Position]):
    """A game whose players have the same moves."""

    def options(self, position: _Position, /) -> Iterable[Any]:
        """Returns the options of both players."""
        ...


class Values(Mapping[Position, "Value | None"], Generic[Position]):
    """The values of positions and of all their followers; None where play need not end and no value was found.

    A mapping from positions, in the order in which they were found.
    """

    def __init__(self, found: _native.GraphValues) -> None:
        self._found = found

    def __getitem__(self, position: Position) -> Value | None:
        return self._found[position]

    def __iter__(self) -> Iterator[Position]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def outcome(self, position: Position) -> str | None:
        """Returns who wins: ``"L"``, ``"R"``, ``"N"`` (the next player) or ``"P"`` (the previous one); None if a player can only draw."""
        return self._found.outcome(position)

    def endings(self, position: Position) -> tuple[str, str]:
        """Returns ``"win"``, ``"loss"`` or ``"draw"`` for Left when Left begins, and for Right when Right does."""
        left, right = self._found.endings(position)
        return left, right


def _explored(
    game: PartisanGame[Position] | ImpartialGame[Position],
    positions: Iterable[Position],
    memory: int | str | None,
    progress: bool | None,
) -> tuple[_native.Graph, bool]:
    given: Any = game
    if hasattr(given, "left") and hasattr(given, "right"):
        moves: list[Callable[[Any], Iterable[Any]]] = [given.left, given.right]
    elif hasattr(given, "options"):
        moves = [given.options]
    else:
        raise TypeError(f"{type(game).__name__} has no moves; give it methods left and right, or options for an impartial game")
    shows = sys.stderr.isatty() if progress is None else progress

    def report(found: int, done: int) -> None:
        _say(f"evaluate: {found} positions found, the moves of {done} known\n")

    return _native.explore(positions, moves, memory, report if shows else None), shows


def evaluate(
    game: PartisanGame[Position] | ImpartialGame[Position],
    positions: Iterable[Position],
    *,
    memory: int | str | None = None,
    progress: bool | None = None,
) -> Values[Position]:
    """Returns the values of positions of a game of your own, and of all their followers.

    ``game`` has methods ``left(position)`` and ``right(position)``, or ``options(position)`` if both players have the same moves. Each
    returns positions: any objects that can be keys of a dict. Each method is called once a position.

    >>> import seedbank
    >>> class Subtraction:
    ...     def left(self, n):
    ...         return [n - k for k in (1, 4) if k <= n]
    ...     def right(self, n):
    ...         return [n - k for k in (2, 3) if k <= n]
    >>> values = seedbank.evaluate(Subtraction(), [5])
    >>> [str(values[n]) for n in range(6)]
    ['0', '1', '{1|0}', 'Miny(1)', '1/2', '{1|0,{1|0}}']

    ``memory`` is the most that the process may take, such as ``"8GiB"``; by default three quarters of what is free. With
    ``progress=True`` a line on standard error shows the progress every ten seconds; by default it is shown if standard error is a
    terminal. Memory: about 120 bytes a position with two moves, the positions themselves and their canonical forms.

    Raises MemoryError if the budget does not suffice, and KeyboardInterrupt after Ctrl-C.
    """
    graph, shows = _explored(game, positions, memory, progress)

    def report(valued: str) -> None:
        _say(f"evaluate: {valued} of {len(graph)} positions valued\n")

    return Values(graph.values(report if shows else None))


def write_moves(
    game: PartisanGame[Position] | ImpartialGame[Position],
    positions: Iterable[Position],
    path: str | os.PathLike[str],
    *,
    name: Callable[[Position], str] = str,
    memory: int | str | None = None,
    progress: bool | None = None,
) -> int:
    """Writes positions and all their followers, with their moves, to a file for jobs with ``game = "moves"``; returns their number.

    ``game`` is as for ``evaluate``. ``name`` returns the name of a position in the file. The file is NDJSON, or CSV if its name ends
    with ``.csv``, and is written whole or not at all.

    Raises ValueError if two positions have one name.
    """
    graph, _ = _explored(game, positions, memory, progress)
    graph.write(path, name)
    return len(graph)
