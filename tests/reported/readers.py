"""Prints the rows of Parquet files as one reader sees them, in one form for all readers.

    readers.py READER FILE...

Prints the reader's version, then a JSON object for each row: bytes in hexadecimal, whole floats as integers, nulls for what is missing.
Readers that know no missing integers, such as pandas, thus print the same text as the others.
"""

import importlib
import json
import math
import sys


def with_pyarrow(path):
    import pyarrow.parquet

    return pyarrow.parquet.read_table(path).to_pylist()


def with_duckdb(path):
    import duckdb

    rows = duckdb.execute("SELECT * FROM read_parquet(?)", [path])
    names = [column[0] for column in rows.description]
    return [dict(zip(names, row)) for row in rows.fetchall()]


def with_polars(path):
    import polars

    return polars.read_parquet(path).to_dicts()


def with_pandas(path):
    import pandas

    return pandas.read_parquet(path, engine="pyarrow").to_dict("records")


def with_fastparquet(path):
    import fastparquet

    return fastparquet.ParquetFile(path).to_pandas().to_dict("records")


def with_datafusion(path):
    import datafusion

    return datafusion.SessionContext().read_parquet(path).to_pylist()


def plain(value):
    """Returns a value in the form of all readers."""
    if isinstance(value, bytes):
        return value.hex()
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    if isinstance(value, float):
        return None if math.isnan(value) else int(value) if value.is_integer() else value
    return value if isinstance(value, (str, int)) else None


def main():
    reader, *paths = sys.argv[1:]
    read = globals()[f"with_{reader}"]
    print(importlib.import_module(reader).__version__)
    for path in paths:
        for row in read(path):
            print(json.dumps({name: plain(value) for name, value in row.items()}, sort_keys=True))


if __name__ == "__main__":
    main()
