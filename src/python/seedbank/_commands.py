"""The commands of the program as functions, and the rows of results."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

from . import _native

# PERF: modules that few calls need are imported there, since the program starts with this package: 30 ms in place of 60 ms.

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]
    import polars
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

Path_ = str | os.PathLike[str]
# A spec's path, the name of a spec below jobs, or a spec.
Job = Path_ | dict[str, Any]


class ArrowStream(Protocol):
    """A column in chunks, by the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None, /) -> object:
        """Returns the capsule of a stream."""
        ...


class ArrowArray(Protocol):
    """A column, by the Arrow PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None, /) -> object:
        """Returns the capsules of a type and of an array."""
        ...


# One position, a list of them, or a column of a data frame.
Positions = str | Iterable[str] | ArrowStream | ArrowArray

# The folder of all results, unless another is named.
_OUT = "data/results"


class SeedbankError(Exception):
    """A command ended with an error, whose message this is.

    ``status`` is its exit status: 1 failed, 2 the command or a job spec is wrong, 4 a store or result is damaged, 75 stopped early
    by a time limit or because shards are missing.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[type[SeedbankError], tuple[int, str]]:
        # Copies go between processes, too.
        return type(self), (self.status, str(self))


def program() -> str:
    """Returns the path of the program: from this installation, or PATH. Raises FileNotFoundError if there is none."""
    import shutil
    import sysconfig

    installed = os.path.join(sysconfig.get_path("scripts"), "seedbank.exe" if os.name == "nt" else "seedbank")
    found = installed if os.path.exists(installed) else shutil.which("seedbank")
    if found is None:
        raise FileNotFoundError('no program seedbank; install it with "pip install ." from the top of its repository')
    return found


def _say(text: str) -> None:
    # Notebooks show sys.stderr.
    sys.stderr.write(text)
    sys.stderr.flush()


def _options(options: dict[str, Any]) -> list[str]:
    """Returns keyword arguments as options: ``time_limit="8h"`` is ``--time-limit=8h``, ``moves=True`` is ``--moves``."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        several: list[Any] = list(value) if isinstance(value, (list, tuple)) else [value]
        for one in several:
            if one is True:
                words.append(option)
            elif one is not None and one is not False:
                words.append(f"{option}={os.fspath(one) if isinstance(one, os.PathLike) else one}")
    return words


def _called(words: list[str], given: str = "", log: Callable[[str], object] | None = None) -> str:
    """Runs a command; returns its output."""
    # Without a log there is nobody to warn.
    quiet = [] if log else ["--quiet"]
    status, output, errors = _native.command([*words[:1], *quiet, *words[1:]], given, log)
    if status != 0:
        ended = f"seedbank {words[0]} ended with status {status}"
        raise SeedbankError(status, "\n".join(errors) or ended)
    return output


def _objects(words: list[str], given: str = "", log: Callable[[str], object] | None = None) -> list[dict[str, Any]]:
    """Runs a command with ``--json``; returns the objects that it prints."""
    import json

    return [json.loads(line) for line in _called([words[0], "--json", *words[1:]], given, log).splitlines()]


def _jobs(jobs: Iterable[Job]) -> tuple[list[str], str]:
    """Returns the jobs as arguments, and the standard input that holds the spec of one of them."""
    words: list[str] = []
    given = ""
    for job in jobs:
        if isinstance(job, dict):
            if given:
                raise ValueError("a command takes one spec that is a dict; write others to files")
            given = _native.spec_text(job)
            words.append("-")
        else:
            words.append(os.fspath(job))
    return words, given


def command(name: str, *arguments: str, **options: Any) -> str:
    """Runs a command of the program ``seedbank`` in this process, and returns its output.

    >>> import seedbank
    >>> print(seedbank.command("value", "^ + *", json=False).splitlines()[1])
    kind              number-up-star

    Keywords are its options: ``json=True`` is ``--json``, ``time_limit="8h"`` is ``--time-limit=8h``; a list gives an option several
    times. Progress and warnings go to ``sys.stderr``. One command runs at a time; a second one, in another thread, waits.

    Raises SeedbankError if it fails, and KeyboardInterrupt after Ctrl-C, once all values found are kept.
    """
    return _called([name, *_options(options), "--", *arguments], log=_say)


def eval(
    positions: Positions, *, game: str, play: str | None = None, progress: bool | None = None, **options: Any
) -> list[dict[str, Any]]:
    """Returns an object for each position: ``position``, ``value``, ``outcome``, ``mean``, ``temperature`` and others.

    ``positions`` are rows, patterns, grids, heaps or sums, as ``seedbank eval`` reads them: a text, a list of any length, or a column
    of texts or integers of a data frame. A column with the Arrow PyCapsule interface (pyarrow, Polars, pandas; a DuckDB query of one
    column) is read where it is, without an object for each position. ``game`` and ``play`` are its options ``--game`` and ``--play``. Further keywords are its other options:
    ``set=["n=1..=6"]``, ``code="0.77"``, ``moves=True``, ``rule=["last=occupied", "capture=[2]"]``. Exact numbers that do not fit in a
    float are None. An error names a position by its number as a line of standard input.

    With ``progress=True`` a line on standard error shows the progress every ten seconds, with ``False`` there is none; by default it
    is shown if standard error is a terminal.

    >>> import seedbank
    >>> [row["value"] for row in seedbank.eval(["312", "2111"], game="sowing", play="partisan")]
    ['{0|-2}', '1/2']

    Raises SeedbankError if a position or an option is wrong, and TypeError if a position is missing or the column is of another type.
    """
    try:
        given = _native.position_lines(positions)
    except ValueError as error:
        raise SeedbankError(2, str(error)) from None
    if not given:
        return []
    shows = sys.stderr.isatty() if progress is None else progress
    words = ["eval", *_options({"game": game, "play": play, **options}), "-"]
    return _objects(words, given, _say if shows else None)


def run(job: Job, **options: Any) -> dict[str, Any]:
    """Runs or resumes a job, and returns the object that ``seedbank run --json`` prints: ``job``, ``outcome``, ``rows``, ``seconds``, ...

    ``job`` is the path of a spec, a name below ``jobs``, or a spec itself: a dict such as
    ``{"name": "ones", "ruleset": {"game": "sowing", "play": "partisan"}, "family": {"pattern": "1^n", "n": "1..=9"}}``. Keywords
    are the options of ``seedbank run``: ``threads=2``, ``memory="16GiB"``, ``time_limit="8h"``, ``row_limit="60s"``, ``store=...``,
    ``out=...``. Progress goes to standard error.

    Raises SeedbankError if the job fails or its time limit ends it, and KeyboardInterrupt after Ctrl-C; run it again to resume.
    """
    jobs, given = _jobs([job])
    objects = _objects(["run", *_options(options), "--", *jobs], given, _say)
    return next(entry for entry in objects if "outcome" in entry)


def plan(job: Job, **options: Any) -> dict[str, Any]:
    """Returns the disk space, memory and, with ``measure=True``, the time that a job takes, as ``seedbank plan --json`` prints them."""
    jobs, given = _jobs([job])
    return _objects(["plan", *_options(options), "--", *jobs], given, _say)[0]


def status(*jobs: Job, **options: Any) -> list[dict[str, Any]]:
    """Returns an object for each job, by default for all that have begun: ``job``, ``state``, ``rows``, ``rows_total``, ..."""
    words, given = _jobs(jobs)
    return _objects(["status", *_options(options), "--", *words], given, _say)


def mine(*jobs: Job, **options: Any) -> list[dict[str, Any]]:
    """Returns the laws found in finished results, as ``seedbank mine --json`` prints them."""
    words, given = _jobs(jobs)
    return _objects(["mine", *_options(options), "--", *words], given, _say)


def check(*jobs: Job, **options: Any) -> list[dict[str, Any]]:
    """Compares finished results with the published values, as ``seedbank check --json`` does. Raises SeedbankError if some differ."""
    words, given = _jobs(jobs)
    return _objects(["check", *_options(options), "--", *words], given, _say)


def report(*jobs: Job, output: Path_ | None = None, **options: Any) -> None:
    """Writes finished results as one HTML page: to ``output``, or beside the result of a single job."""
    words, given = _jobs(jobs)
    _called(["report", *_options({"output": output, **options}), "--", *words], given, _say)


def table(job: Job, **options: Any) -> str:
    """Returns a finished result in the paper's layout, as ``seedbank table`` prints it: ``format="markdown"``, ``which=...``, ..."""
    jobs, given = _jobs([job])
    return _called(["table", *_options(options), "--", *jobs], given, _say)


def _folder(job: Job, out: Path_) -> str:
    if isinstance(job, dict):
        if "name" not in job:
            raise ValueError('the spec has no name; give it one: {"name": "my-job", ...}')
        name = str(job["name"])
    else:
        path = os.fspath(job)
        name = _native.job_name(path) if path.endswith(".toml") else os.path.basename(os.path.normpath(path))
    folder = os.path.join(out, name)
    if not os.path.isdir(folder):
        where = "" if os.fspath(out) == _OUT else f", out={os.fspath(out)!r}"
        shown = "..." if isinstance(job, dict) else repr(os.fspath(job))
        raise FileNotFoundError(f"{folder}: no result set; run the job first: seedbank.run({shown}{where})")
    return folder


@overload
def read(job: Job, table: str = ..., *, to: Literal["polars"] = ..., out: Path_ = ..., partial: bool = ...) -> polars.DataFrame: ...
@overload
def read(job: Job, table: str = ..., *, to: Literal["pandas"], out: Path_ = ..., partial: bool = ...) -> pandas.DataFrame: ...
@overload
def read(job: Job, table: str = ..., *, to: Literal["arrow"], out: Path_ = ..., partial: bool = ...) -> pyarrow.Table: ...
@overload
def read(job: Job, table: str = ..., *, to: Literal["rows"], out: Path_ = ..., partial: bool = ...) -> _native.Rows: ...
def read(job: Job, table: str = "parts", *, to: str = "polars", out: Path_ = _OUT, partial: bool = False) -> Any:
    """Returns the rows of a result, in the job's order.

    ``job`` is the path of a spec, a job's name, or a spec as a dict; ``out`` is the folder of all results. ``table`` is a folder of
    the result set: ``parts`` (the main table), ``forms``, ``laws``; searches for witnesses have ``census`` and ``witnesses``.

    ``to`` is ``"polars"`` or ``"pandas"`` for a data frame, ``"arrow"`` for a table of pyarrow, whose library must be installed, or
    ``"rows"`` for an Arrow stream, which these libraries and DuckDB take without copying.

    ``witnesses`` has the rows of every answer in the folder, with two columns before the others: ``answer``, the first digits of
    the digest of the job that asked, and ``bounds``, the space searched, in words. ``census`` has the sizes of all bounds
    together; restrict it by ``pots``, ``seeds``, ... to count within other bounds.

    With ``partial=True`` it reads what there is of an unfinished result; rows without a value say why in ``value_missing``.

    Raises FileNotFoundError if the job has no such table, and RuntimeError if it is not finished.
    """
    if to not in ("polars", "pandas", "arrow", "rows"):
        raise ValueError(f'to={to!r}: write "polars", "pandas", "arrow" or "rows"')
    rows = _native.rows(_folder(job, out), table, partial)
    if to == "rows":
        return rows
    if to == "polars":
        import polars

        return polars.DataFrame(rows)
    import pyarrow

    read: Any = pyarrow.table(rows)
    return read if to == "arrow" else read.to_pandas()
