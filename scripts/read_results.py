#!/usr/bin/env python3
"""Reads a result set of seedbank with pyarrow, DuckDB, Polars or pandas: an example to start from.

    scripts/read_results.py data/results/table-5
    scripts/read_results.py data/results/table-5 --with duckdb --hottest 5
    scripts/read_results.py data/results/table-5 --json

A result set is a folder of Parquet files, so each reader needs one line: a glob over parts/. The functions below answer
the same three questions with each reader: how many positions have each kind of value, which positions are the hottest, and
which form belongs to a value_digest. A complete result set has a manifest.json; without it, rows are missing.

Needs: python3 -m venv .venv && .venv/bin/pip install -r scripts/requirements.txt
"""

import argparse
import json
import sys
from pathlib import Path


def with_pyarrow(folder, hottest):
    """Counts kinds and finds the hottest positions with pyarrow."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(folder / "parts", columns=["position", "value", "kind", "temperature", "value_digest"])
    kinds = pc.value_counts(table["kind"].combine_chunks().cast("string"))
    known = table.filter(pc.is_valid(table["temperature"]))
    order = [("temperature", "descending"), ("position", "ascending")]
    rows = known.sort_by(order).slice(0, hottest).to_pylist()
    return {
        "rows": table.num_rows,
        "kinds": {entry["values"]: entry["counts"] for entry in kinds.to_pylist()},
        "hottest": [[row["position"], row["value"], row["temperature"]] for row in rows],
        "forms": pq.read_table(folder / "forms", columns=["value_digest"]).num_rows,
    }


def with_duckdb(folder, hottest):
    """Counts kinds and finds the hottest positions with DuckDB, in SQL."""
    import duckdb

    parts, forms = str(folder / "parts/*.parquet"), str(folder / "forms/*.parquet")
    with duckdb.connect() as db:
        kinds = db.execute("SELECT kind, count(*) FROM read_parquet(?) GROUP BY ALL", [parts]).fetchall()
        rows = db.execute(
            "SELECT position, value, temperature FROM read_parquet(?) WHERE temperature IS NOT NULL "
            "ORDER BY temperature DESC, position LIMIT ?",
            [parts, hottest],
        ).fetchall()
        [form_rows] = db.execute("SELECT count(*) FROM read_parquet(?)", [forms]).fetchone()
    return {
        "rows": sum(count for _, count in kinds),
        "kinds": dict(kinds),
        "hottest": [list(row) for row in rows],
        "forms": form_rows,
    }


def with_polars(folder, hottest):
    """Counts kinds and finds the hottest positions with Polars, lazily."""
    import polars as pl

    positions = pl.scan_parquet(folder / "parts/*.parquet").with_columns(pl.col("kind").cast(pl.String))
    kinds = positions.group_by("kind").len().collect()
    rows = (
        positions.filter(pl.col("temperature").is_not_null())
        .sort(["temperature", "position"], descending=[True, False])
        .head(hottest)
        .select("position", "value", "temperature")
        .collect()
    )
    return {
        "rows": kinds["len"].sum(),
        "kinds": dict(kinds.iter_rows()),
        "hottest": [list(row) for row in rows.iter_rows()],
        "forms": pl.scan_parquet(folder / "forms/*.parquet").select(pl.len()).collect().item(),
    }


def with_pandas(folder, hottest):
    """Counts kinds and finds the hottest positions with pandas."""
    import pandas as pd

    table = pd.read_parquet(folder / "parts")
    kinds = table["kind"].astype(str).value_counts()
    order = table.dropna(subset=["temperature"]).sort_values(["temperature", "position"], ascending=[False, True])
    rows = order.head(hottest)[["position", "value", "temperature"]].astype(object)
    rows = rows.where(rows.notna(), None)
    return {
        "rows": len(table),
        "kinds": {kind: int(count) for kind, count in kinds.items()},
        "hottest": rows.to_numpy().tolist(),
        "forms": len(pd.read_parquet(folder / "forms")),
    }


READERS = {
    "pyarrow": with_pyarrow,
    "duckdb": with_duckdb,
    "polars": with_polars,
    "pandas": with_pandas,
}


def provenance(folder):
    """Returns the provenance in the metadata of the first part, and the meaning of its columns."""
    import pyarrow.parquet as pq

    first = min((folder / "parts").glob("*.parquet"))
    entries = pq.read_metadata(first).metadata or {}
    ours = {key.decode(): value.decode() for key, value in entries.items() if key.startswith(b"seedbank.")}
    columns = json.loads(ours.pop("seedbank.columns"))
    return {
        "provenance": {key.removeprefix("seedbank."): value for key, value in ours.items()},
        "columns": {column["name"]: column["meaning"] for column in columns},
    }


def show(name, answer):
    """Prints one reader's answers as text."""
    print(f"{name}: {answer['rows']} positions, {answer['forms']} rows of forms")
    for kind, count in sorted(answer["kinds"].items(), key=lambda item: (-item[1], item[0])):
        print(f"  {count:>12}  {kind}")
    for position, value, temperature in answer["hottest"]:
        print(f"  {position} = {'(see forms)' if value is None else value}, temperature {temperature}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the result set, data/results/<job>")
    parser.add_argument("--with", dest="reader", choices=[*READERS, "all"], default="duckdb")
    parser.add_argument("--hottest", type=int, default=10, help="how many of the hottest positions to list")
    parser.add_argument("--json", action="store_true", help="one object: readers' answers, provenance, columns")
    arguments = parser.parse_args()
    folder = arguments.folder
    if not (folder / "parts").is_dir():
        parser.error(f"{folder} has no folder parts: expected a result set, as `seedbank run` writes it")
    if not (folder / "manifest.json").exists():
        print(f"{folder} is incomplete: run the job again to resume", file=sys.stderr)
    if not any((folder / "parts").glob("*.parquet")):
        sys.exit(f"{folder} has no finished part yet")
    names = READERS if arguments.reader == "all" else [arguments.reader]
    answers = {name: READERS[name](folder, arguments.hottest) for name in names}
    if arguments.json:
        json.dump({"readers": answers, **provenance(folder)}, sys.stdout)
        print()
        return
    for name, answer in answers.items():
        show(name, answer)


if __name__ == "__main__":
    main()
