#!/usr/bin/env python3
"""Writes a game as a file of moves, the input of seedbank jobs with game = "moves".

    python3 scripts/examples/moves.py clobber --all 5 xoxoxo > clobber.ndjson

writes all strips of Clobber of at most 5 squares, the strip xoxoxo, and every position that can
be reached from these: a line for each position, with the positions that Left and Right can move to.
The same command always writes the same bytes.

For a game of your own, write a function that takes the name of a position and returns two lists of
names, Left's options and Right's, and add a line to GAMES.
"""

import argparse
import itertools
import json
import sys


def replacements(strip, patterns):
    """Returns all strips in which one occurrence of a pattern is replaced by its counterpart."""
    return [
        strip[:start] + after + strip[start + len(before) :]
        for start in range(len(strip))
        for before, after in patterns.items()
        if strip.startswith(before, start)
    ]


def toads_and_frogs(strip):
    """Left moves a toad T to the right, Right a frog F to the left: to the next square if it is
    empty, or over one opponent to an empty square behind it."""
    return (
        replacements(strip, {"T.": ".T", "TF.": ".FT"}),
        replacements(strip, {".F": "F.", ".TF": "FT."}),
    )


def clobber(strip):
    """Left moves a stone x onto a neighbouring o, Right an o onto an x; the stone moved onto is
    removed."""
    return (
        replacements(strip, {"xo": ".x", "ox": "x."}),
        replacements(strip, {"xo": "o.", "ox": ".o"}),
    )


def hackenbush(stalk):
    """Left cuts a blue edge b or a green edge g of a stalk, Right a red edge r or a green one;
    everything above it falls, too. The ground is at the left; 0 is the ground alone."""

    def cuts(edges):
        return [stalk[:height] or "0" for height, edge in enumerate(stalk) if edge in edges]

    return cuts("bg"), cuts("rg")


def subtraction(left_set, right_set):
    """Left takes a number of tokens in one set from a heap, Right one in the other."""

    def options(heap):
        tokens = int(heap)
        return tuple(
            [str(tokens - taken) for taken in allowed if taken <= tokens]
            for allowed in (left_set, right_set)
        )

    return options


def colour(path, player, tint):
    """Returns all paths in which a player has coloured one vertex and tinted its neighbours.

    Both players may colour a vertex `.`, only Left one tinted `L`, only Right one tinted `R`, and
    nobody one that is coloured or tinted twice, `x`.
    """
    options = []
    for coloured, vertex in enumerate(path):
        if vertex in (".", player):
            vertices = list(path)
            vertices[coloured] = "x"
            for neighbour in (coloured - 1, coloured + 1):
                if 0 <= neighbour < len(path) and vertices[neighbour] != tint:
                    vertices[neighbour] = tint if vertices[neighbour] == "." else "x"
            options.append("".join(vertices))
    return options


def col(path):
    """Neighbours must have different colours: a vertex of Left's tints its neighbours R."""
    return colour(path, "L", "R"), colour(path, "R", "L")


def snort(path):
    """Neighbours must have the same colour: a vertex of Left's tints its neighbours L."""
    return colour(path, "L", "L"), colour(path, "R", "R")


# The games of words: the function that returns the options, and the letters of a position.
GAMES = {
    "toads-and-frogs": (toads_and_frogs, "TF."),
    "clobber": (clobber, "xo."),
    "hackenbush": (hackenbush, "brg"),
    "col": (col, ".LRx"),
    "snort": (snort, ".LRx"),
}


def with_followers(starts, options):
    """Yields each starting position and each of its followers once, with both lists of options."""
    positions = list(starts)
    seen = set(positions)
    # The list grows while it is read.
    for position in positions:
        # A position that several moves lead to is one option.
        left, right = (list(dict.fromkeys(moves)) for moves in options(position))
        yield position, left, right
        for option in left + right:
            if option not in seen:
                seen.add(option)
                positions.append(option)


def write(starts, options, file):
    """Writes a line for each position, in the order in which they are found."""
    for position, left, right in with_followers(starts, options):
        line = {"position": position, "left": left, "right": right}
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


def numbers(text):
    return sorted({int(number) for number in text.split(",")})


def main():
    parser = argparse.ArgumentParser(description="Writes a game as a file of moves.")
    games = parser.add_subparsers(dest="game", metavar="GAME", required=True)
    for name, (options, letters) in GAMES.items():
        game = games.add_parser(name, help=f"positions are words of the letters {letters}")
        game.add_argument("--all", type=int, metavar="N", help="all words of 1 to N letters")
        game.add_argument("starts", nargs="*", metavar="POSITION", help="single positions")
        game.set_defaults(options=options, letters=letters)
    game = games.add_parser("subtraction", help="a position is the number of tokens of a heap")
    for player in ("left", "right"):
        helped = f"the numbers that {player.capitalize()} may take, such as 1,3"
        game.add_argument(f"--{player}", type=numbers, required=True, metavar="SET", help=helped)
    helped = "all heaps of 0 to N tokens"
    game.add_argument("--all", type=int, required=True, metavar="N", help=helped)
    arguments = parser.parse_args()

    # The same bytes on every system.
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    if arguments.game == "subtraction":
        if min(arguments.left + arguments.right) < 1:
            parser.error("--left and --right: a move takes 1 token or more")
        starts = map(str, range(arguments.all + 1))
        write(starts, subtraction(arguments.left, arguments.right), sys.stdout)
        return
    if not arguments.starts and not arguments.all:
        parser.error(f"{arguments.game}: name a position, or all of at most N letters with --all N")
    for start in arguments.starts:
        if not start or set(start) - set(arguments.letters):
            parser.error(f"{start!r}: a position has only the letters {arguments.letters}")
    words = (
        "".join(word)
        for length in range(1, (arguments.all or 0) + 1)
        for word in itertools.product(arguments.letters, repeat=length)
    )
    starts = dict.fromkeys(itertools.chain(words, arguments.starts))
    write(starts, arguments.options, sys.stdout)


if __name__ == "__main__":
    main()
