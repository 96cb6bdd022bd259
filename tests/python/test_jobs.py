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
import polars

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
            (["1", "1\n2"], "position 2: '1\\n2': a position is one line of text"),
            (["1\r2"], "position 1: '1\\r2': a position is one line of text"),
            (["1", " "], "position 2: ' ': a position is one line of text"),
            ([""], "position 1: ''"),
        ]:
            with self.subTest(positions), self.assertRaises(seedbank.SeedbankError) as caught:
                self.eval(*positions)
            self.assertEqual(caught.exception.status, 2)
            self.assertIn(text, str(caught.exception))

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


if __name__ == "__main__":
    unittest.main()
