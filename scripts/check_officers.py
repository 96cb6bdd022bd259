#!/usr/bin/env python3
"""Finds nim-values of 0.37 again, from those of smaller heaps.

    scripts/check_officers.py data/results/octal-37-9 19737542..=19741542 999990000..=1000000000

The arguments are the folder of a finished job over the heaps of 0.37, and ranges of heaps of more than 81,254 tokens. A move takes
one token and leaves at most one heap, or takes two and leaves at most two. Call a value rare if an even number of its binary digits at
2, 4, 8, 32, 64, 128 and 256 are 1, and common otherwise. A sum is common if exactly one of its two terms is. The heaps of rare
value must be heap 0 and others of at most 20,626 tokens (for the heaps between these and a range, the job's result is trusted). Then
the least common value of no option needs them and the values of the 20,628 heaps before, and it is the nim-value if each rare number
below it is the value of an option, for which pairs of some more heaps suffice. Prints the number of heaps found again; a heap whose
value differs makes the exit status 1.

Takes a second for some thousand heaps.
"""

import re
import sys

import numpy
import pyarrow.compute
import pyarrow.dataset

MASK = 2 + 4 + 8 + 32 + 64 + 128 + 256
RARE_HEAP_MAX = 20_626
PAIRS = 20_000
MORE_PAIRS = 1_000_000
VALUES = numpy.arange(1024)


def is_rare(values):
    """Tells which values are rare."""
    bits = numpy.asarray(values) & MASK
    for shift in (8, 4, 2, 1):
        bits = bits ^ (bits >> shift)
    return bits & 1 == 0


def read(heaps, first, last):
    """Returns the nim-values of the heaps from first to last."""
    n = pyarrow.compute.field("n")
    table = heaps.to_table(columns=["n", "nim_value"], filter=(n >= first) & (n <= last))
    if len(table) != last - first + 1:
        sys.exit(f"the result lacks heaps of {first} to {last} tokens")
    return table["nim_value"].to_numpy().astype(numpy.int64)[numpy.argsort(table["n"].to_numpy())]


def sums(heaps, n, first, last):
    """Returns the values that a move leaves which takes two tokens of n and leaves a heap of first to last tokens and another."""
    return read(heaps, first, last) ^ read(heaps, n - 2 - last, n - 2 - first)[::-1]


def check(heaps, first, last):
    """Finds the values of a range again; returns their number, or exits."""
    start = read(heaps, 0, RARE_HEAP_MAX + PAIRS)
    rare = numpy.flatnonzero(is_rare(start))
    if first <= 2 * len(start) or rare[-1] > RARE_HEAP_MAX:
        sys.exit(f"heap {rare[-1]} has a rare value, or a range begins at {first}; ranges begin above {2 * len(start)}")
    smaller = numpy.arange(len(start))
    before = len(start) + 1
    values = read(heaps, first - before, last)
    for n in range(first, last + 1):
        at = n - first + before
        found = numpy.zeros(len(VALUES), bool)
        found[values[at - 2 - rare] ^ start[rare]] = True
        found[values[[at - 1, at - 2]]] = True
        value = VALUES[~is_rare(VALUES) & ~found][0]
        found[values[at - 2 - smaller] ^ start] = True
        least = len(start)
        while not found[:value].all() and least <= n // 2:
            found[sums(heaps, n, least, min(least + MORE_PAIRS, n // 2))] = True
            least += MORE_PAIRS
        if value != values[at] or not found[:value].all():
            sys.exit(f"heap {n}: {values[at]} in the result, {VALUES[~found][0]} found")
    return last - first + 1


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    heaps = pyarrow.dataset.dataset(f"{sys.argv[1]}/parts", format="parquet")
    ranges = []
    for text in sys.argv[2:]:
        if not re.fullmatch(r"\d+\.\.=\d+", text):
            sys.exit(f"{text} is no range of heaps, such as 999990000..=1000000000")
        ranges.append(map(int, text.split("..=")))
    print(sum(check(heaps, first, last) for first, last in ranges), "heaps have their values")


if __name__ == "__main__":
    main()
