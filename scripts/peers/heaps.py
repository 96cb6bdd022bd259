#!/usr/bin/env python3
"""Races seedbank against ogsolve for the nim-values of heaps, both on one thread.

    scripts/peers/heaps.py --ogsolve PROGRAM [--seedbank PROGRAM] [CODE:HEAP ...]

For each code the script prints the processor seconds of both programs for the heaps up to HEAP: of seedbank for a whole job, which
writes its rows, and of ogsolve for the faster of its modes rc2 and rc2s. The nim-values of the last heap must agree.
scripts/peers.md tells how to get ogsolve.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

HEAPS = [
    "0.104:1000000",
    "0.106:1000000",
    "0.324:1000000",
    "0.126:400000",
    "0.764:100000",
    "0.564:300000",
    "0.007:1000000",
]

JOB = """name = "race"
[ruleset]
game = "octal"
code = "{code}"
[family]
heaps = "0..={heap}"
"""


def timed(command: list[str | Path]) -> tuple[float, str]:
    """Runs a command, and returns its processor time in seconds and its standard output."""

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return used() - before, run.stdout


def ogsolve(program: Path, code: str, heap: str) -> tuple[float, str]:
    """Returns the processor time of the faster mode, and the nim-value of the heap."""
    runs = [timed([program, "-m", mode, "-n", heap, code]) for mode in ["rc2", "rc2s"]]
    seconds, text = min(runs)
    found = re.search(rf"nimber of {heap}: (\d+)", text)
    assert found, text
    return seconds, found[1]


def seedbank(program: Path, code: str, heap: str) -> tuple[float, str]:
    """Returns the processor time of a job, and the nim-value of the heap."""
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder, "race.toml")
        spec.write_text(JOB.format(code=code, heap=heap))
        folders = ["--store", Path(folder, "store"), "--out", Path(folder, "out")]
        seconds, _ = timed([program, "run", spec, "--threads", "1", *folders])
        shown = subprocess.run(
            [program, "export", spec, "--out", Path(folder, "out"), "--format", "csv", "--column", "n", "--column", "value"],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        n, value = shown.stdout.splitlines()[-1].split(",")
        assert n == heap, shown.stdout[-80:]
        return seconds, value.lstrip("*") or "1"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heaps", nargs="*", metavar="CODE:HEAP", default=HEAPS)
    parser.add_argument("--ogsolve", type=Path, required=True)
    parser.add_argument("--seedbank", type=Path, default=ROOT / "target/release/seedbank")
    options = parser.parse_args()
    print("| code | heaps | seedbank | ogsolve | ratio |\n|---|---|---|---|---|", flush=True)
    for race in options.heaps:
        code, heap = race.split(":")
        ours, value = seedbank(options.seedbank, code, heap)
        theirs, other = ogsolve(options.ogsolve, code, heap)
        if value != other:
            sys.exit(f"{code}, heap {heap}: seedbank finds {value}, ogsolve {other}")
        print(f"| {code} | {heap} | {ours:.2f} s | {theirs:.2f} s | {theirs / ours:.1f} |", flush=True)


if __name__ == "__main__":
    main()
