"""Values of combinatorial games, computed by the program ``seedbank`` in this package.

    >>> import seedbank
    >>> [row["value"] for row in seedbank.eval(["312", "2111"], game="sowing", play="partisan")]
    ['{0|-2}', '1/2']

``eval`` evaluates single positions, ``run`` runs a job, ``read`` reads its rows. ``program`` returns the path of the program, for
its other commands: ``subprocess.run([seedbank.program(), "table", "table-5"])``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["SeedbankError", "eval", "program", "read", "run"]

Path_ = str | os.PathLike[str]

# The folder of all results, unless another is named.
_OUT = "data/results"


class SeedbankError(Exception):
    """The program ended with an error, whose message this is.

    ``status`` is its exit status: 1 failed, 2 the command or a job spec is wrong, 4 a store or result is damaged, 75 interrupted
    by a time limit or a signal such as SIGTERM, 130 interrupted by Ctrl-C.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def program() -> str:
    """Returns the path of the program: from the environment variable SEEDBANK, this installation, or PATH.

    Raises FileNotFoundError if there is none.
    """
    installed = Path(sysconfig.get_path("scripts")) / ("seedbank.exe" if os.name == "nt" else "seedbank")
    found = os.environ.get("SEEDBANK") or (str(installed) if installed.exists() else shutil.which("seedbank"))
    if found is None:
        raise FileNotFoundError('no program seedbank; install it with "pip install ." from the top of its repository')
    return found


def _objects(command: str, status: int, printed: str, told: str) -> list[dict[str, Any]]:
    """Returns the objects that a command printed. Raises SeedbankError with its error if it ended with one."""
    if status != 0:
        lines = told.splitlines()
        first = next((number for number, line in enumerate(lines) if line.startswith("error")), len(lines))
        ends = {75: ", stopped by a time limit or a signal", 130: ", stopped by Ctrl-C"}
        ended = f"seedbank {command} ended with status {status}{ends.get(status, '')}"
        raise SeedbankError(status, "\n".join(lines[first:]).strip() or ended)
    return [json.loads(line) for line in printed.splitlines()]


def _options(options: dict[str, Any]) -> list[str]:
    """Returns keyword arguments as options: ``time_limit="8h"`` is ``--time-limit=8h``, ``moves=True`` is ``--moves``."""
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                words.append(option)
            elif one is not None and one is not False:
                words.append(f"{option}={os.fspath(one) if isinstance(one, os.PathLike) else one}")
    return words


def _shown(words: list[str], given: str, shows: bool, *, errors: bool) -> tuple[int, str, str]:
    """Runs a command with lines of standard input. Returns its status and what it printed on both streams.

    With ``shows``, what it prints on standard error appears on ``sys.stderr``, too; its error only with ``errors``.
    """
    told: list[str] = []
    is_error = False
    # In files, the other two streams never wait for this process.
    with tempfile.TemporaryFile("w+", encoding="utf-8") as fed, tempfile.TemporaryFile("w+", encoding="utf-8") as printed:
        fed.write(given)
        fed.seek(0)
        with subprocess.Popen(words, stdin=fed, stdout=printed, stderr=subprocess.PIPE, text=True, encoding="utf-8") as process:
            # Notebooks show what goes to sys.stderr.
            for line in process.stderr or ():
                told.append(line)
                is_error = is_error or line.startswith("error")
                if shows and (errors or not is_error):
                    sys.stderr.write(line)
                    sys.stderr.flush()
        printed.seek(0)
        return process.returncode, printed.read(), "".join(told)


def eval(
    positions: str | Iterable[str], *, game: str, play: str | None = None, progress: bool | None = None, **options: Any
) -> list[dict[str, Any]]:
    """Returns an object for each position: ``position``, ``value``, ``outcome``, ``mean``, ``temperature`` and others.

    ``positions`` are rows, patterns, grids, heaps or sums, as ``seedbank eval`` reads them. ``game`` and ``play`` are its options
    ``--game`` and ``--play``. Further keywords are its other options: ``set=["n=1..=6"]``, ``code="0.77"``, ``moves=True``,
    ``rule=["last=occupied", "capture=[2]"]``. Exact numbers that do not fit in a float are None. An error names a position by its number
    as a line of standard input.

    With ``progress=True`` a line on standard error shows the progress every ten seconds, with ``False`` there is none; by default it
    is shown if standard error is a terminal.

    Raises SeedbankError if a position or an option is wrong.
    """
    given = [positions] if isinstance(positions, str) else list(positions)
    for number, text in enumerate(given, 1):
        if len(text.splitlines()) != 1 or not text.strip():
            raise SeedbankError(2, f"position {number}: {text!r}: a position is one line of text")
    if not given:
        return []
    shows = sys.stderr.isatty() if progress is None else progress
    quiet = [] if shows else ["--quiet"]
    words = [program(), "eval", "--json", *quiet, *_options({"game": game, "play": play, **options}), "-"]
    return _objects("eval", *_shown(words, "\n".join(given), shows, errors=False))


def run(job: Path_, **options: Any) -> dict[str, Any]:
    """Runs or resumes a job, and returns the object that ``seedbank run --json`` prints: ``job``, ``outcome``, ``rows``, ``seconds``, ...

    ``job`` is the path of a spec, or a name below ``jobs``. Keywords are the options of ``seedbank run``: ``threads=2``,
    ``memory="16GiB"``, ``time_limit="8h"``, ``row_limit="60s"``, ``store=...``, ``out=...``. Progress goes to standard error.

    Raises SeedbankError if the job fails or is interrupted; run it again to resume.
    """
    words = [program(), "run", "--json", *_options(options), "--", os.fspath(job)]
    objects = _objects("run", *_shown(words, "", True, errors=True))
    return next(entry for entry in objects if "outcome" in entry)


# The files of a table, as src/files/durable/layout.rs names them; others are the user's.
_PART = re.compile(r"(part-([0-9]{5,}|p[0-9]{3,}-s[0-9]{4,}|r[0-9]{13,})|answer-[0-9a-f]+)\.parquet")


def _folder(job: Path_, out: Path_) -> Path:
    path = Path(job)
    name = tomllib.loads(path.read_text(encoding="utf-8-sig"))["name"] if path.suffix == ".toml" else path.name
    folder = Path(out) / name
    if not folder.is_dir():
        where = "" if os.fspath(out) == _OUT else f", out={os.fspath(out)!r}"
        raise FileNotFoundError(f"{folder}: no result set; run the job first: seedbank.run({os.fspath(job)!r}{where})")
    return folder


def _record(folder: Path, file: Path) -> Path:
    return folder / "records" / f"{file.stem}.json"


def _answer(folder: Path, file: str) -> dict[str, str]:
    """Returns the answer that a file of witnesses belongs to, and the bounds of its space, which the record of the answer states."""
    record = json.loads(_record(folder, Path(file)).read_text(encoding="utf-8"))
    return {"answer": Path(file).stem.removeprefix("answer-"), "bounds": record["body"]["bounds"]}


@overload
def read(job: Path_, table: str = ..., *, to: Literal["polars"] = ..., out: Path_ = ..., partial: bool = ...) -> polars.DataFrame: ...
@overload
def read(job: Path_, table: str = ..., *, to: Literal["pandas"], out: Path_ = ..., partial: bool = ...) -> pandas.DataFrame: ...
@overload
def read(job: Path_, table: str = ..., *, to: Literal["arrow"], out: Path_ = ..., partial: bool = ...) -> pyarrow.Table: ...
def read(job: Path_, table: str = "parts", *, to: str = "polars", out: Path_ = _OUT, partial: bool = False) -> Any:
    """Returns the rows of a result, in the job's order, as a data frame of Polars or pandas or a table of Arrow.

    ``job`` is the path of a spec or a job's name, ``out`` the folder of all results. ``table`` is a folder of the result set:
    ``parts`` (the main table), ``forms``, ``laws``; searches for witnesses have ``census`` and ``witnesses``.

    ``witnesses`` has the rows of every answer in the folder, with two columns before the others: ``answer``, the first digits of
    the digest of the job that asked, and ``bounds``, the space searched, in words. ``census`` has the sizes of all bounds
    together; restrict it by ``pots``, ``seeds``, ... to count within other bounds.

    With ``partial=True`` it reads what there is of an unfinished result; rows without a value say why in ``value_missing``.

    Raises FileNotFoundError if the job has no such table, and RuntimeError if it is not finished. The library that
    ``to`` names must be installed.
    """
    folder = _folder(job, out)
    paths = [path for path in (folder / table).glob("*.parquet") if _PART.fullmatch(path.name)]
    if table == "witnesses":
        # An answer counts once it has a record.
        paths = [path for path in paths if _record(folder, path).exists()]
    files = sorted(map(str, paths))
    if not files:
        tables = sorted(path.parent.name for path in folder.glob("*/*.parquet") if _PART.fullmatch(path.name))
        raise FileNotFoundError(f"{folder}: no table {table!r}; there are {', '.join(dict.fromkeys(tables)) or 'none'}")
    if table == "parts" and not partial and not (folder / "manifest.json").exists():
        raise RuntimeError(f"{folder}: the job is not finished; run it again to resume, or read with partial=True")
    if to == "polars":
        import polars

        if table != "witnesses":
            return polars.read_parquet(files, glob=False)
        frames = [
            polars.read_parquet(file, glob=False).select(
                *(polars.lit(text).alias(name) for name, text in _answer(folder, file).items()), polars.all()
            )
            for file in files
        ]
        return polars.concat(frames, how="diagonal")
    if to in ("pandas", "arrow"):
        import pyarrow
        import pyarrow.parquet

        if table != "witnesses":
            rows = pyarrow.parquet.read_table(files)
        else:
            tables = []
            for file in files:
                rows = pyarrow.parquet.read_table(file)
                for place, (name, text) in enumerate(_answer(folder, file).items()):
                    rows = rows.add_column(place, name, pyarrow.array([text] * len(rows), pyarrow.string()))
                tables.append(rows)
            rows = pyarrow.concat_tables(tables, promote_options="default")
        return rows if to == "arrow" else rows.to_pandas()
    raise ValueError(f'to={to!r}: write "polars", "pandas" or "arrow"')
