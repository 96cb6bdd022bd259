#!/usr/bin/env python3
"""Finds the nim-values of the rows H_1 to H_N of impartial Sowing, from the rules alone.

    scripts/check_nimbers.py 7

`data/reference/FINDINGS.md` defines H_n and proves that its nim-value is (n + 3)/2 for odd n and 1 for even n. Here the proof only guesses
values. A guess is verified from the guesses of the options, which are verified in turn: no option has the value guessed, and some
option has each smaller value. An option with a greater guess has another value, because it has an option with the value guessed. So
few followers are visited. H_7 takes some seconds.
"""

import sys


def row(n):
    """Returns the number of pots of H_n, its arrows, and the seeds of all pots that are not full."""
    arrows = [2 * n * (n + i - 1) + 1 for i in range(1, n + 1)]
    pots = {0: 1} | {a: a for a in arrows} | {a + n: 0 for a in arrows[:-1]}
    return arrows[-1] + 1, arrows, tuple(sorted(pots.items()))


def options(pots, length):
    """Yields the position after each legal move: the last seed falls into a full pot or into one that holds seeds."""
    seeds = dict(pots)
    for pot, count in pots:
        for step in (1, -1) if count else ():
            last = pot + step * count
            if 0 <= last < length and seeds.get(last, 1):
                yield tuple((p, 0 if p == pot else s + (0 < (p - pot) * step <= count)) for p, s in pots)


def guess(pots, arrows):
    """Returns the nim-value of a follower by the proof."""
    live = sum(pot in arrows and count == pot for pot, count in pots)
    dead = sum(pot in arrows and count > pot for pot, count in pots)
    debris = sum(0 < count < pot for pot, count in pots)
    if not pots[0][1]:
        return debris % 2
    if live and (live + dead + debris) % 2:
        return live // 2 + 2
    return 1 - debris % 2


def verified(n):
    """Returns the nim-value of H_n and the number of positions visited."""
    length, arrows, start = row(n)
    seen, left = set(), [start]
    while left:
        pots = left.pop()
        if pots in seen:
            continue
        seen.add(pots)
        value, smaller = guess(pots, arrows), set()
        for option in options(pots, length):
            found = guess(option, arrows)
            assert found != value, (n, pots)
            if found < value:
                smaller.add(found)
                left.append(option)
            else:
                replies = [reply for reply in options(option, length) if guess(reply, arrows) == value]
                left.append(min(replies, key=lambda reply: sum(0 < count <= pot for pot, count in reply) + reply[0][1]))
        assert len(smaller) == value, (n, pots)
    return guess(start, arrows), len(seen)


def main():
    for n in range(1, int(sys.argv[1]) + 1):
        value, visited = verified(n)
        print(f"H_{n} = {value}, {visited} positions visited")


if __name__ == "__main__":
    main()
