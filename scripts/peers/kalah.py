#!/usr/bin/env python3
"""Races seedbank against Irving's kalah for the margins of starting positions of Kalah, both on one thread.

    scripts/peers/kalah.py --kalah SOURCE [--seedbank PROGRAM] [PITS,SEEDS ...]

SOURCE is a clone of the other program. The script builds a copy for each number of pits in a temporary folder. It prints the
processor seconds of both programs: of kalah with the best of four databases of endgames, including the time to build it. The margins
must agree. scripts/peers.md tells how to get kalah.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

RACES = ["4,4", "4,5", "4,6", "5,3", "5,4", "6,2", "6,3"]

FLAGS = "CFLAGS=-O3 -march=native -fgnu89-inline -fcommon -w"

# The seeds of the positions in the databases, and the binary logarithm of the entries in the table of transpositions.
DATABASES = [6, 8, 10, 12]
TABLE = 22


def timed(command: list[str | Path], folder: Path | None = None, text: str = "") -> tuple[float, str]:
    """Runs a command, and returns its processor time in seconds and its standard output."""

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    run = subprocess.run(command, check=True, cwd=folder, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return used() - before, run.stdout


def built(source: Path, pits: str, folder: Path) -> Path:
    """Builds the program for a number of pits, unless that was done before."""
    copy = folder / pits
    if not copy.exists():
        shutil.copytree(source, copy)
        parameters = copy / "params.h"
        text = parameters.read_text()
        parameters.write_text(re.sub(r"#define PITS \d+", f"#define PITS {pits}", text))
        for program in [*copy.glob("*.o"), copy / "kalah-s", copy / "generator"]:
            program.unlink(missing_ok=True)
        subprocess.run(["make", "serial", FLAGS], check=True, cwd=copy, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return copy


def kalah(program: Path, seeds: str, database: int) -> tuple[float, int]:
    """Returns the processor time with a database, and the margin."""
    (program / "endgame.dat").unlink(missing_ok=True)
    before, _ = timed(["./generator"], program, f"4\nc {database}\ns\nq\n")
    search, text = timed(["./kalah-s", "-v", "-t", str(TABLE), "-e", str(database), "s", seeds], program)
    found = re.findall(r"^Move: .* r (-?\d+)", text, re.MULTILINE)
    assert found, text
    return before + search, int(found[-1])


def seedbank(program: Path, pits: str, seeds: str) -> tuple[float, int]:
    """Returns the processor time and the margin."""
    side = " ".join([seeds] * int(pits))
    seconds, text = timed([program, "eval", "--game", "kalah", "--threads", "1", f"{side} / {side}"])
    return seconds, int(text.split("=")[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("races", nargs="*", metavar="PITS,SEEDS", default=RACES)
    parser.add_argument("--kalah", type=Path, required=True)
    parser.add_argument("--seedbank", type=Path, default=ROOT / "target/release/seedbank")
    options = parser.parse_args()
    print("| pits, seeds | margin | seedbank | kalah | ratio |\n|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for race in options.races:
            pits, seeds = race.split(",")
            program = built(options.kalah, pits, Path(folder))
            ours, margin = seedbank(options.seedbank, pits, seeds)
            theirs, other = min(kalah(program, seeds, database) for database in DATABASES)
            if margin != other:
                sys.exit(f"({race}): seedbank finds {margin}, kalah {other}")
            print(f"| {race} | {margin} | {ours:.2f} s | {theirs:.2f} s | {theirs / ours:.1f} |", flush=True)


if __name__ == "__main__":
    main()
