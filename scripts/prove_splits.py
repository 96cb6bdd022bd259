#!/usr/bin/env python3
"""Proves that rows of partisan Sowing split at every long gap.

    scripts/prove_splits.py [--seedbank PROGRAM] [--pots P] [--seeds S]

Takes every pair of rows u and w with at most P pots and S seeds. Let s be the larger of their numbers of seeds. Proves that
`u 0^n w` has the value of u + w for all n >= s. Prints the number of pairs proved and each pair not proved; any such pair makes
the exit status 1.
"""

import argparse
import itertools
import subprocess
import sys


def rows(pots, seeds):
    """Returns the rows without an empty pot at an end."""
    for length in range(1, pots + 1):
        for row in itertools.product(range(min(seeds, 9) + 1), repeat=length):
            if row[0] and row[-1] and sum(row) <= seeds:
                yield row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seedbank", default="target/release/seedbank", help="the program")
    parser.add_argument("--pots", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=5)
    args = parser.parse_args()
    of = ["--quiet", "--game", "sowing", "--play", "partisan"]
    pairs = list(itertools.product(rows(args.pots, args.seeds), repeat=2))
    gaps = [max(sum(u), sum(w)) for u, w in pairs]
    texts = [["".join(map(str, row)) for row in pair] for pair in pairs]
    positions = "\n".join(u + "0" * gap + w for (u, w), gap in zip(texts, gaps))
    evaluated = subprocess.run(
        [args.seedbank, "eval", *of, "-"], input=positions, capture_output=True, text=True, check=True
    )
    values = [line.split(" = ", 1)[1] for line in evaluated.stdout.splitlines()]
    proved = 0
    for (u, w), gap, value in zip(texts, gaps, values):
        claim = [f"{u} 0^n {w}", "--value", value, "--least", f"n={gap}"]
        answer = subprocess.run([args.seedbank, "prove", *of, *claim], capture_output=True, text=True)
        proved += answer.returncode == 0
        if answer.returncode:
            print(answer.stdout or answer.stderr)
    print(f"{proved} of {len(pairs)} proved")
    sys.exit(proved < len(pairs))


if __name__ == "__main__":
    main()
