"""Values of combinatorial games: objects, games and jobs.

    >>> from seedbank import Value
    >>> Value("{1|-1}") + Value("{3|0}")
    Value('{4|2||+-1}')
    >>> Value("^") > 0
    True

A ``Value`` is a canonical form with the arithmetic, order and invariants of combinatorial game theory. ``game`` evaluates positions of
the games that ship, ``evaluate`` those of a game written in Python:

    >>> import seedbank
    >>> seedbank.game("sowing", play="partisan").value("312")
    Value('{0|-2}')

``run`` runs a job, ``read`` reads its rows. ``eval``, ``plan``, ``status``, ``mine``, ``report``, ``check`` and ``command`` are the
commands of the program ``seedbank``, which this package installs as well. They run in this process; Ctrl-C stops them.
"""

from ._commands import SeedbankError, check, command, eval, mine, plan, program, read, report, run, status, table
from ._games import Game, Move, Values, evaluate, game, write_moves
from ._native import Rows, Thermograph, Value

__all__ = [
    "Game",
    "Move",
    "Rows",
    "SeedbankError",
    "Thermograph",
    "Value",
    "Values",
    "check",
    "command",
    "eval",
    "evaluate",
    "game",
    "mine",
    "plan",
    "program",
    "read",
    "report",
    "run",
    "status",
    "table",
    "write_moves",
]
