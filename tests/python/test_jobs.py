"""Jobs and single positions: what functions return, which files they read, and what they refuse."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import duckdb
import pandas  # type: ignore[import-untyped, unused-ignore]
import polars
import pyarrow  # type: ignore[import-untyped, unused-ignore]

import seedbank

ONES: dict[str, Any] = {
    "name": "ones",
    "ruleset": {"game": "sowing", "play": "partisan"},
    "family": {"pattern": "1^n", "n": "1..=6"},
}


class InFolder(unittest.TestCase):
    """Tests in a folder of their own."""

    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.enterContext(contextlib.chdir(folder))
        self.enterContext(contextlib.redirect_stderr(io.StringIO()))

    def message(self, error: type[Exception], made: Callable[[], Any]) -> str:
        with self.assertRaises(error) as caught:
            made()
        return str(caught.exception)


class Jobs(InFolder):
    def test_a_dict_is_a_spec(self) -> None:
        finished = seedbank.run(ONES)
        self.assertEqual((finished["job"], finished["outcome"], finished["rows"]), ("ones", "finished", 6))
        self.assertEqual(seedbank.run(ONES)["outcome"], "already-finished")
        [status] = seedbank.status(ONES)
        self.assertEqual((status["job"], status["state"], status["rows"]), ("ones", "finished", 6))
        self.assertEqual(seedbank.plan(ONES)["rows"], 6)
        [mined] = seedbank.mine(ONES)
        self.assertEqual(mined["entries"], 6)
        self.assertIn("1", seedbank.table(ONES, format="markdown"))
        seedbank.report(ONES, output="page.html")
        self.assertIn("<svg", Path("page.html").read_text())
        # The same job, as a file.
        Path("jobs").mkdir()
        Path("jobs/ones.toml").write_text(seedbank._native.spec_text(ONES))
        same: list[str | Path] = ["jobs/ones.toml", Path("jobs/ones.toml"), "ones"]
        for job in same:
            self.assertEqual(seedbank.run(job)["outcome"], "already-finished")
            self.assertEqual(len(seedbank.read(job)), 6)

    def test_rows_are_the_same_to_all_readers(self) -> None:
        seedbank.run(ONES)
        texts = [row["value"] for row in seedbank.eval([f"1^{n}" for n in range(1, 7)], game="sowing", play="partisan")]
        frame = seedbank.read(ONES)
        self.assertIsInstance(frame, polars.DataFrame)
        self.assertEqual(frame["value"].to_list(), texts)
        self.assertEqual(list(seedbank.read(ONES, to="pandas")["value"]), texts)
        self.assertEqual(seedbank.read(ONES, to="arrow")["value"].to_pylist(), texts)
        rows = seedbank.read(ONES, to="rows")
        self.assertEqual((len(rows), rows.columns), (6, frame.columns))
        for _ in range(2):
            # A stream can be taken again.
            self.assertEqual(polars.DataFrame(rows)["value"].to_list(), texts)
        with duckdb.connect() as connection:
            found = connection.execute("SELECT value FROM rows ORDER BY n").fetchall()
        self.assertEqual(found, [(text,) for text in texts])
        forms = seedbank.read(ONES, "forms", to="arrow")
        self.assertGreaterEqual(len(forms), len(set(texts)))

    def test_brackets_in_a_path_are_no_pattern(self) -> None:
        out = Path("odd [1]*?") / "out"
        seedbank.run(ONES, out=out, store="s [2]")
        self.assertEqual(len(seedbank.read(ONES, out=out)), 6)
        self.assertEqual(seedbank.status(ONES, out=str(out))[0]["state"], "finished")

    def test_files_that_are_not_the_program_s_are_no_rows(self) -> None:
        seedbank.run(ONES)
        parts = Path("data/results/ones/parts")
        for name in ["._part-00000.parquet", ".DS_Store", ".part-00000.parquet", "part-00000.parquet.tmp", "notes.txt"]:
            (parts / name).write_bytes(b"junk")
        (parts / "._x").write_bytes(b"junk")
        self.assertEqual(len(seedbank.read(ONES)), 6)
        self.assertEqual(seedbank.run(ONES)["outcome"], "already-finished")

    def test_a_byte_order_mark_is_no_position(self) -> None:
        Path("positions.txt").write_bytes("\ufeff312\r\n2111\r\n".encode())
        job = {**ONES, "name": "listed", "family": {"file": "positions.txt"}}
        self.assertEqual(seedbank.run(job)["rows"], 2)
        self.assertEqual(seedbank.read(job)["position"].to_list(), ["312", "2111"])
        [row] = seedbank.eval("\ufeff312", game="sowing", play="partisan")
        self.assertEqual(row["value"], "{0|-2}")
        # Nor part of a spec, whose lines may end as Windows' do.
        text = seedbank._native.spec_text(ONES).replace("\n", "\r\n")
        Path("ones.toml").write_bytes(f"\ufeff{text}".encode())
        self.assertEqual(seedbank.run("ones.toml")["rows"], len(seedbank.read("ones.toml")))

    def test_the_working_folder_is_the_caller_s(self) -> None:
        Path("there").mkdir()
        with contextlib.chdir("there"):
            seedbank.run(ONES)
        self.assertTrue(Path("there/data/results/ones/manifest.json").exists())
        self.assertFalse(Path("data").exists())

    def test_an_unfinished_result_is_read_on_request(self) -> None:
        seedbank.run(ONES, row_limit="20 positions")
        message = self.message(RuntimeError, lambda: seedbank.read(ONES))
        self.assertIn("data/results/ones: the job is not finished; run it again to resume, or read with partial=True", message)
        rows = seedbank.read(ONES, partial=True)
        self.assertEqual(len(rows), 6)
        self.assertIn("limit", rows["value_missing"].to_list())

    def test_mistakes_are_named(self) -> None:
        message = self.message(seedbank.SeedbankError, lambda: seedbank.run({**ONES, "colour": "red"}))
        self.assertIn("colour: unknown key; accepted: name, title", message)
        other = {**ONES, "family": {"pattern": "1^k", "n": "1..=5"}}
        self.assertIn("family.pattern", self.message(seedbank.SeedbankError, lambda: seedbank.run(other)))
        self.assertIn("--nonsense", self.message(seedbank.SeedbankError, lambda: seedbank.run(ONES, nonsense=True)))
        wrong: list[tuple[dict[Any, Any], str]] = [
            ({"name": None}, "the spec, name: <class 'NoneType'> has no form in a spec"),
            ({"family": {"pattern": object()}}, "the spec, family, pattern: <class 'object'>"),
            ({5: "five"}, "the spec: the key 5 is no text"),
        ]
        for spec, text in wrong:
            self.assertIn(text, self.message(TypeError, lambda: seedbank.run(spec)))
        self.assertIn("one spec that is a dict", self.message(ValueError, lambda: seedbank.status(ONES, ONES)))
        self.assertIn("run the job first", self.message(FileNotFoundError, lambda: seedbank.read(ONES)))
        self.assertIn("the spec has no name", self.message(ValueError, lambda: seedbank.read({})))
        to: Any = "excel"
        self.assertIn('write "polars"', self.message(ValueError, lambda: seedbank.read(ONES, to=to)))
        seedbank.run(ONES)
        message = self.message(FileNotFoundError, lambda: seedbank.read(ONES, "census"))
        self.assertIn('no table "census"; there are forms, parts', message)
        # A call after a failing one works.
        self.assertEqual(len(seedbank.read(ONES)), 6)

    def test_a_failed_command_has_a_status_and_hinders_no_other(self) -> None:
        for words, status in [(("nonsense",), 2), (("value", "{1|"), 2), (("run", "no-such-job"), 2)]:
            with self.subTest(words), self.assertRaises(seedbank.SeedbankError) as caught:
                seedbank.command(*words)
            self.assertEqual(caught.exception.status, status)
            self.assertTrue(str(caught.exception))
            self.assertEqual(seedbank.command("value", "^ + *").splitlines()[0].split(), ["value", "^*"])
        self.assertEqual(json.loads(seedbank.command("value", "+-1", json=True))["temperature"], "1")


class ShippedJobs(InFolder):
    def test_a_copy_of_the_jobs_is_run_by_name(self) -> None:
        self.assertIn("copied to ./jobs", seedbank.command("init"))
        self.assertEqual(seedbank.run("table-5", threads=1)["rows"], 100)
        self.assertEqual(seedbank.read("jobs/table-5.toml")["value"][0], "0")
        seedbank.check("table-5")
        self.assertIn("Table 5", seedbank.table("table-5"))
        self.assertIn("run the job first", self.message(FileNotFoundError, lambda: seedbank.read("table-1")))

    def test_answers_of_a_search_say_of_which_bounds_they_are(self) -> None:
        for pots in [3, 4]:
            search = {
                "name": "found",
                "ruleset": {"game": "sowing", "play": "impartial"},
                "family": {"all": {"pots_max": pots}},
                "witness": {"each": "nim_value", "fewest": "pots"},
            }
            seedbank.run(search, threads=1)
        rows = seedbank.read("found", "witnesses")
        for pots in [3, 4]:
            self.assertIn(f"all positions with at most {pots} pots and any number of seeds", rows["bounds"].to_list())
        self.assertEqual(rows["answer"].n_unique(), 2)
        for found in [seedbank.read("found", "witnesses", to="pandas"), seedbank.read("found", "witnesses", to="arrow")]:
            self.assertEqual([str(text) for text in found["bounds"]], rows["bounds"].to_list())


class Eval(InFolder):
    def eval(self, *positions: str, **options: Any) -> list[dict[str, Any]]:
        return seedbank.eval(positions, game="sowing", play="partisan", **options)

    def test_lists_of_any_length(self) -> None:
        self.assertEqual(self.eval(), [])
        self.assertEqual(seedbank.eval(iter([]), game="sowing", play="partisan"), [])
        self.assertEqual([row["value"] for row in self.eval("312", "2111")], ["{0|-2}", "1/2"])
        many = [f"{n % 4}{n // 4 % 4}{n // 16 % 4}" for n in range(60_000)]
        rows = self.eval(*many)
        self.assertEqual([row["position"] for row in rows[:5]], [row["position"] for row in rows[64:69]])
        self.assertEqual([row["value"] for row in rows[:64]] * 2, [row["value"] for row in rows[-96 - 64 : -96 + 64]])
        self.assertEqual(len(rows), 60_000)
        column = polars.DataFrame({"position": ["312", "2111"]})["position"]
        self.assertEqual(len(seedbank.eval(column, game="sowing", play="partisan")), 2)

    def test_options_are_keywords(self) -> None:
        rows = self.eval("1^n", set=["n=1..=3"])
        self.assertEqual(len(rows), 3)
        [row] = self.eval("312", moves=True)
        self.assertEqual(len(row["moves"]), 3)
        [row] = seedbank.eval("12", game="octal", code="0.77")
        self.assertEqual(row["nim_value"], 4)

    def test_wrong_positions_are_named_by_their_number(self) -> None:
        for positions, text in [
            (["1", "1x"], 'line 2: "1x"'),
            (["1", "1\n2"], 'position 2: "1\\n2": a position is one line of text'),
            (["1\r2"], 'position 1: "1\\r2": a position is one line of text'),
            (["1", " "], 'position 2: " ": a position is one line of text'),
            ([""], 'position 1: ""'),
        ]:
            with self.subTest(positions), self.assertRaises(seedbank.SeedbankError) as caught:
                self.eval(*positions)
            self.assertEqual(caught.exception.status, 2)
            self.assertIn(text, str(caught.exception))

    def test_a_file_s_lines_are_positions(self) -> None:
        self.assertEqual([row["position"] for row in self.eval("312\n", "2111\r\n")], ["312", "2111"])

    def test_progress_is_shown_on_a_terminal_or_on_request(self) -> None:
        class Terminal(io.StringIO):
            def isatty(self) -> bool:
                return True

        def command(arguments: list[str], given: str, log: Callable[[str], object] | None) -> tuple[int, str, list[str]]:
            self.assertEqual("--quiet" in arguments, log is None)
            if log:
                log(" INFO eval: half\n")
            return 0, json.dumps({"position": given}) + "\n", []

        stream: io.StringIO
        for stream, progress, shown in [
            (io.StringIO(), None, False),
            (io.StringIO(), True, True),
            (Terminal(), None, True),
            (Terminal(), False, False),
        ]:
            with contextlib.redirect_stderr(stream), mock.patch.object(seedbank._native, "command", command):
                self.assertEqual(self.eval("312", progress=progress), [{"position": "312"}])
            self.assertEqual(stream.getvalue(), " INFO eval: half\n" if shown else "")


class Columns(InFolder):
    """Columns of data frames, in every form in which libraries hand them out."""

    TEXTS = ["312", "2111", "1^5", "a position of more than twelve characters", "312", "0"]

    def lines(self, column: Any) -> list[str]:
        return seedbank._native.position_lines(column).splitlines()

    def columns(self) -> dict[str, Any]:
        texts = self.TEXTS
        return {
            "string": pyarrow.array(texts),
            "large": pyarrow.array(texts, pyarrow.large_string()),
            "view": pyarrow.array(texts, pyarrow.string_view()),
            "numbered": pyarrow.array(texts).dictionary_encode(),
            "slice": pyarrow.array(["x", *texts, "y"])[1:-1],
            "chunks": pyarrow.chunked_array([texts[:2], [], texts[2:]]),
            "numbered slice": pyarrow.chunked_array([["x", *texts]]).dictionary_encode()[1:],
            "table": pyarrow.table({"position": texts}),
            "batch": pyarrow.record_batch({"position": texts}),
            "polars": polars.Series(texts),
            "polars frame": polars.DataFrame({"position": texts}),
            "polars chunks": polars.concat([polars.Series(texts[:4]), polars.Series(texts[4:])], rechunk=False),
            "polars categories": polars.Series(texts, dtype=polars.Categorical),
            "pandas": pandas.Series(texts),
            "pandas objects": pandas.Series(texts, dtype=object),
            "pandas categories": pandas.Series(texts, dtype="category"),
            "duckdb": duckdb.from_arrow(pyarrow.table({"position": texts})),
        }

    def test_all_libraries_hand_out_the_same_positions(self) -> None:
        class Column:
            """A column that cannot be iterated."""

            def __init__(self, name: str, column: Any) -> None:
                setattr(self, name, getattr(column, name))

        for name, column in self.columns().items():
            with self.subTest(name):
                self.assertEqual(self.lines(column), self.TEXTS)
                interface = "__arrow_c_stream__" if hasattr(column, "__arrow_c_stream__") else "__arrow_c_array__"
                self.assertEqual(self.lines(Column(interface, column)), self.TEXTS)

    def test_integers_are_positions(self) -> None:
        numbers = [312, 0, 2**63 - 1]
        texts = ["312", "0", "9223372036854775807"]
        columns: list[Any] = [numbers, pyarrow.array(numbers), polars.Series(numbers, dtype=polars.UInt64), pandas.Series(numbers)]
        for column in columns:
            self.assertEqual(self.lines(column), texts)

    def test_columns_are_evaluated(self) -> None:
        game = seedbank.game("sowing", play="partisan")
        texts = ["312", "2111", "1^5"] * 1000
        values = game.values(texts)
        columns: list[Any] = [pyarrow.array(texts), polars.Series(texts), pandas.Series(texts)]
        for column in columns:
            self.assertEqual(game.values(column), values)
        self.assertEqual(seedbank.eval(polars.Series([], dtype=polars.String), game="sowing"), [])
        self.assertEqual(seedbank.eval(polars.Series([]), game="sowing"), [])

    def test_an_object_without_a_common_type_is_iterated(self) -> None:
        mixed: list[Any] = ["312", 21]
        with self.assertRaises(pyarrow.ArrowException):
            pyarrow.chunked_array(pandas.Series(mixed, dtype=object))
        self.assertEqual(self.lines(pandas.Series(mixed, dtype=object)), ["312", "21"])

    def test_missing_positions_are_named(self) -> None:
        texts = ["312", None, "2111"]
        columns: list[Any] = [
            texts,
            pyarrow.array(texts),
            pyarrow.chunked_array([texts[:1], texts[1:]]),
            pyarrow.array(texts).dictionary_encode(),
            pyarrow.DictionaryArray.from_arrays([0, 1], ["312", None]),
            polars.Series(texts),
            pandas.Series(texts),
            pandas.Series(texts, dtype=object),
            polars.Series([312, None]),
        ]
        for column in columns:
            message = self.message(TypeError, lambda: seedbank.eval(column, game="sowing", play="partisan"))
            self.assertEqual(message, "position 2 is missing; drop the rows without a position")

    def test_other_columns_are_refused(self) -> None:
        refused: list[tuple[Any, str]] = [
            (pyarrow.array([0.5]), "the positions are a column of type Float64; pass texts or integers"),
            (polars.Series([[1, 2]]), "the positions are a column of type "),
            (pandas.Series([True]), "the positions are a column of type Boolean"),
            (polars.DataFrame({"a": ["312"], "b": [1]}), "the positions are a table with the columns a, b; pass one of these"),
            (312, "'int' object is not iterable"),
        ]
        for column, text in refused:
            self.assertIn(text, self.message(TypeError, lambda: self.lines(column)))

    def test_wrong_texts_of_a_column_are_named_by_their_number(self) -> None:
        for texts, text in [(["1", "1\n2"], 'position 2: "1\\n2": a position is one line of text'), (["1", "1x"], 'line 2: "1x"')]:
            columns: list[Any] = [pyarrow.array(texts), polars.Series(texts)]
            for column in columns:
                message = self.message(seedbank.SeedbankError, lambda: seedbank.eval(column, game="sowing", play="partisan"))
                self.assertIn(text, message)

    def test_buffers_that_are_no_column_of_texts_are_refused(self) -> None:
        offsets = pyarrow.array([0, 1, 2], pyarrow.int32()).buffers()[1]
        falling = pyarrow.array([0, 2, 1], pyarrow.int32()).buffers()[1]
        invalid = pyarrow.Array.from_buffers(pyarrow.string(), 2, [None, offsets, pyarrow.py_buffer(b"\xff3")])
        beyond = pyarrow.Array.from_buffers(pyarrow.string(), 2, [None, falling, pyarrow.py_buffer(b"12")])
        for column in [invalid, beyond]:
            message = self.message(seedbank.SeedbankError, lambda: seedbank.eval(column, game="sowing", play="partisan"))
            self.assertIn("the column of positions cannot be read: ", message)


if __name__ == "__main__":
    unittest.main()
