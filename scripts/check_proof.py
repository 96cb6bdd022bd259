#!/usr/bin/env python3
"""Checks certificates of theorems about rows of pots, and shares nothing with the program that finds and checks them.

    scripts/check_proof.py FILE...

Prints for each file "proved" and its theorem, or "not checked" and why. The exit status is 0 where all are proved, else 1.

What a certificate says. It names a game, Sowing, Atomic Wari or `row-rules` with rules such as `last=occupied`, and how it is
played, and makes claims: that all rows of a pattern, such as `(10)^m 03 (01)^n` for m, n >= 0, have a value, or one that is at
most or at least that, which may depend on m and n. One or several of the claims are the theorem. The rules are those of
`seedbank help sowing`: see `Rules` and `Proof.sow`.

What is checked, of each claim g <= u among all claims "at most". "At least" is the same with players and ends exchanged.

 1. After each move of Left in g, to x, there is a claim x <= w with w less than u or confused with it, or Right has a move
    from x to some y with a claim y <= w and w <= u.
 2. For each right option r of u, Right has a move from g to some y with a claim y <= w and w <= r.

Why that is a proof. Play ends: the docs of the rules in `src/games/game` prove it. So we may assume the claims for all followers
of a row g. We show g <= u: that Left loses g - u if she moves first. If she moves to x - u, then in the first
case of 1 x <= w, w is less than u or confused with it, and Right wins x - u by moving first; in the second he moves to y - u,
where y <= w <= u, and Left is to move and loses. If she moves to g - r, he moves to y - r, where y <= w <= r. By induction all
claims are true. An integer n >= 0 has no right option, and n < 0 has n + 1 alone; braces are games as they are written.

How it is checked for all rows of a pattern at once. A row is a word in which some words are repeated x, y, ... times
(`Repeated`). The names stand for any numbers from 0 on, and each stands in one place. The proof is one by cases:

 - A move begins in a pot that is written, or in one of a repeated word, with x copies before it and y behind it. Where seeds
   reach a repeated word, it is absent, or one copy is written out before the rest. `Proof.moves` finds all moves so.
 - An answer is a move that needs no cases. If none suffices, a name x is divided into 0 and x + 1, with one more copy written
   out (`Proof.is_answered`). After some such divisions the checker gives up.
 - A row is in a pattern if it can be spelt like that from left to right, perhaps with pots beyond its ends. If w begins with
   q, w^x q is q v^x, where v is w with q at its other end; a repeated word of the pattern is spelt by repeated words and by
   pots. Each name of the pattern is then a sum of names of the row and a number (`spell`).
 - Values are compared by the definition of their order, with one choice of an option for all numbers. A sum c + ax + by + ...
   is at least 0 for all x, y, ... >= 0 if and only if no coefficient is negative (`Linear.is_natural`).

Each step may miss an answer that there is, and none finds one that there is not: what is found holds for all numbers.
"""

import re
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

VERSIONS = {"sowing": 1, "atomic-wari": 1, "row-rules": 1}  # The rules that `Proof.sow` knows.
FULL = -1  # A pot that nobody can ever sow from, whatever it receives.
DIVISIONS = 3  # How often each name is divided into cases.
SECONDS = 300  # How long the claims of a certificate may take.
LEAST_MAX = 1000  # The greatest least count.
POTS_MAX = 10_000  # The most pots of a pattern.
INTEGER_MAX = 1_000_000  # The greatest number of a value.
SIZE_MAX = 10_000  # The most options of a constant, those of options included.


class NotChecked(Exception):
    """Why a certificate is not found to be a proof."""


def need(condition: object, why: str) -> None:
    if not condition:
        raise NotChecked(why)


# Values: integers in terms of names, and games of such.
@dataclass(frozen=True)
class Linear:
    """An integer: a constant and multiples of names, which are sorted and not 0."""

    constant: int
    terms: tuple[tuple[str, int], ...] = ()

    def plus(self, other: "Linear", times: int = 1) -> "Linear":
        terms = dict(self.terms)
        for name, factor in other.terms:
            terms[name] = terms.get(name, 0) + times * factor
        found = tuple(sorted((name, factor) for name, factor in terms.items() if factor))
        return Linear(self.constant + times * other.constant, found)

    def is_natural(self, given: "Linear | None" = None) -> bool:
        """Returns whether it is at least 0 for all numbers from 0 on for which the given integer is at least 0, too."""
        is_so = self.constant >= 0 and all(factor > 0 for _, factor in self.terms)
        return is_so or given is not None and self.plus(given, -1).is_natural()


@dataclass(frozen=True)
class Game:
    """Left's and Right's options."""

    left: tuple["Value", ...]
    right: tuple["Value", ...]


Value = Linear | Game
Given = Linear | None
Case = tuple[tuple[str, Linear], ...]  # What stands for names, to be put in their places one after the other.
ZERO, ONE = Linear(0), Linear(1)


def named(name: str) -> Linear:
    return Linear(0, ((name, 1),))


def negative(value: Value) -> Value:
    if isinstance(value, Linear):
        return ZERO.plus(value, -1)
    return Game(*(tuple(map(negative, side)) for side in (value.right, value.left)))


def put(value: Value, case: Case) -> Value:
    """Returns the value with integers in the places of names, one after the other."""
    if isinstance(value, Game):
        return Game(*(tuple(put(option, case) for option in side) for side in (value.left, value.right)))
    for name, integer in case:
        factor = dict(value.terms).get(name, 0)
        value = value.plus(named(name), -factor).plus(integer, factor)
    return value


def right_options(value: Value, given: Given = None, always: bool = True) -> tuple[Value, ...]:
    """Returns Right's options: those that he has for all numbers, or those that he has for any."""
    if isinstance(value, Game):
        return value.right
    exists = negative(value).plus(ONE, -1).is_natural(given) if always else not value.is_natural(given)
    return (value.plus(ONE),) if exists else ()


def left_options(value: Value, given: Given = None, always: bool = True) -> tuple[Value, ...]:
    return tuple(map(negative, right_options(negative(value), given, always)))


@lru_cache(maxsize=1 << 18)
def is_at_most(a: Value, b: Value, given: Given = None) -> bool:
    """Returns whether a <= b for all numbers, or False where that is not found."""
    if isinstance(a, Linear) and isinstance(b, Linear):
        return b.plus(a, -1).is_natural(given)
    is_kept = all(is_less_or_confused(option, b, given) for option in left_options(a, given, False))
    return is_kept and all(is_less_or_confused(a, option, given) for option in right_options(b, given, False))


@lru_cache(maxsize=1 << 18)
def is_less_or_confused(a: Value, b: Value, given: Given = None) -> bool:
    """Returns whether a is less than b or confused with it for all numbers, or False where that is not found."""
    if isinstance(a, Linear) and isinstance(b, Linear):
        return b.plus(a, -1).plus(ONE, -1).is_natural(given)
    has_move = any(is_at_most(option, b, given) for option in right_options(a, given))
    return has_move or any(is_at_most(a, option, given) for option in left_options(b, given))


def ups(n: int, star: int) -> Value:
    """Returns n ups and a nimber."""
    if n < 0:
        return negative(ups(-n, star))
    less = tuple(ups(0, k) for k in range(star))
    if n == 0:
        return Game(less, less) if star else ZERO
    return Game((ZERO, ups(0, 1)), (ZERO,)) if n == star == 1 else Game((ZERO,), (ups(n - 1, star ^ 1),))


def is_constant(value: Value) -> bool:
    return not value.terms if isinstance(value, Linear) else all(map(is_constant, value.left + value.right))


def size(value: Value) -> int:
    return 1 if isinstance(value, Linear) else 1 + sum(map(size, value.left + value.right))


@lru_cache(maxsize=1 << 16)
def without_reversible(options: tuple[Value, ...], game: Game) -> tuple[Value, ...]:
    """Returns options of Left, those that Right reverses replaced by Left's options after his answer."""
    for at, option in enumerate(options):
        for answer in right_options(option):
            if is_at_most(answer, game):
                return without_reversible(options[:at] + left_options(answer) + options[at + 1 :], game)
    return options


def without_dominated(options: tuple[Value, ...]) -> tuple[Value, ...]:
    """Returns the options of Left that are not at most another one."""
    kept: list[Value] = []
    for option in options:
        if not any(is_at_most(option, other) for other in kept):
            kept = [other for other in kept if not is_at_most(other, option)] + [option]
    return tuple(kept)


def canonical(game: Game) -> Value:
    """Returns the canonical form of a game without names, whose options are canonical."""
    need(size(game) <= SIZE_MAX, f"a constant has more than {SIZE_MAX} options")
    turned = negative(game)
    left = without_dominated(without_reversible(game.left, game))
    right = without_dominated(without_reversible(turned.left, turned))
    # Nobody but one has an option, if any: that is an integer.
    if not right and (not left or isinstance(left[0], Linear)):
        return left[0].plus(ONE) if left else ZERO
    if not left and isinstance(right[0], Linear):
        return negative(right[0].plus(ONE))
    return Game(left, tuple(map(negative, right)))


def shifted(value: Value, integer: Linear) -> Value:
    """Returns the sum of an integer and a game that is no integer: the integer is added to all options."""
    if isinstance(value, Linear):
        return value.plus(integer)
    return Game(*(tuple(shifted(option, integer) for option in side) for side in (value.left, value.right)))


def plus(a: Value, b: Value) -> Value:
    """Returns the canonical sum of two canonical forms."""
    if isinstance(b, Linear):
        return shifted(a, b)
    if isinstance(a, Linear):
        return shifted(b, a)
    need(size(a) * size(b) <= SIZE_MAX, "a sum of constants is too large")
    left = tuple(plus(option, b) for option in a.left) + tuple(plus(a, option) for option in b.left)
    right = tuple(plus(option, b) for option in a.right) + tuple(plus(a, option) for option in b.right)
    return canonical(Game(left, right))


def dyadic(numerator: int, denominator: int) -> Value:
    while denominator > 1 and numerator % 2 == 0:
        numerator, denominator = numerator // 2, denominator // 2
    if denominator == 1:
        return Linear(numerator)
    return Game((dyadic(numerator - 1, denominator),), (dyadic(numerator + 1, denominator),))


def power_of_up(n: int, is_sum: bool) -> Value:
    """Returns up-nth, or the sum of the first n powers of up."""
    total, last = ZERO, ZERO
    for _ in range(n):
        last = canonical(Game((ZERO,), (plus(ups(0, 1), negative(total)),)))
        total = plus(total, last)
    return total if is_sum else last


LITERAL = re.compile(
    r"(?:(?P<factor>\d{0,7})(?P<name>[a-df-uw-z])(?![0-9a-uw-zA-Z])|(?P<integer>\d{1,7})(?:/(?P<denominator>\d{1,31}))?)?"
    r"(?P<times>\.(?=[v^↑↓⇑⇓]))?(?:(?P<arrows>\^+|v+|↑+|↓+|⇑+|⇓+)(?:(?<![v^↑↓][v^↑↓])(?<=[v^↑↓])"
    r"(?:(?P<ups>\d{1,3})|<(?P<power>\d{1,2})>|\[(?P<sum>\d{1,2})\]))?)?(?P<star>\*(?P<nimber>\d{0,3}))?"
)


class Reader:
    """Reads a value in terms of names: in the notation of values, names are integers.

    A part without names is brought to its canonical form, and a part with names is the game that is written.
    """

    def __init__(self, text: str, names: set[str]):
        self.text, self.names, self.at = text, names, 0

    def refuse(self) -> NotChecked:
        return NotChecked(f"the value {self.text!r} is not read from character {self.at + 1} on")

    def take(self, what: str, blanks: str = r"\s*") -> str | None:
        """Takes what a regular expression describes, after blanks."""
        found = re.compile(f"{blanks}({what})").match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found and found[1]

    def require(self, what: str) -> None:
        if self.take(what) is None:
            raise self.refuse()

    def whole(self) -> Value:
        value = self.sum()
        self.require("$")
        need(size(value) <= SIZE_MAX, f"the value {self.text!r} has more than {SIZE_MAX} options")
        return value

    def sum(self) -> Value:
        value = self.term(True)
        while sign := self.take(r"\+(?!-)|[-−]"):
            term = self.term(False)
            term = term if sign == "+" else negative(term)
            if is_constant(value) and is_constant(term):
                value = plus(value, term)
            elif isinstance(value, Linear) and isinstance(term, Linear):
                value = value.plus(term)
            else:
                raise self.refuse()
        return value

    def term(self, is_first: bool) -> Value:
        if self.take("[-−]"):
            self.take("")
            if is_first and re.match(r"\d|[a-df-uw-z]", self.text[self.at :]):
                return self.literal(True)
            return negative(self.term(False))
        if self.take(r"\("):
            value = self.sum()
            self.require(r"\)")
            return value
        if self.take("{"):
            lists, bars = self.braces()
            return self.divided(lists, bars)
        if self.take(r"\+-|±"):
            return self.symmetric()
        self.take("")
        return self.literal(False)

    def symmetric(self) -> Value:
        """Reads Left's options, which are the negatives of Right's."""
        if self.take("{"):
            lists, bars = self.braces()
            options = (self.divided(lists, bars),) if bars else tuple(lists[0])
        else:
            self.take("")
            found = LITERAL.match(self.text, self.at)
            is_number, has_more = found[0][:1].isdigit() or found["name"], found["arrows"] or found["star"]
            is_tiny = found.end() < len(self.text) and self.text[found.end()] in "TM"
            is_composed = has_more or is_tiny if is_number else found["arrows"] and found["star"]
            if is_composed or self.take("(?=[-−])"):
                raise self.refuse()
            options = (self.term(False),)
        return self.game(options, tuple(map(negative, options)))

    def braces(self) -> tuple[list[list[Value]], list[int]]:
        """Returns lists of options up to the closing brace, and the lengths of the runs of bars between them."""
        lists: list[list[Value]] = [[]]
        bars: list[int] = []
        while True:
            if self.take(r"(?=[|}])") is None:
                lists[-1].append(self.sum())
                while self.take(","):
                    lists[-1].append(self.sum())
            if self.take("}"):
                return lists, bars
            run = self.take(r"\|+")
            if run is None:
                raise self.refuse()
            bars.append(len(run))
            lists.append([])

    def divided(self, lists: list[list[Value]], bars: list[int]) -> Value:
        """Returns the game of lists of options, which the longest run of bars divides into two sides."""
        if bars.count(max(bars, default=0)) != 1:
            raise self.refuse()
        at, sides = bars.index(max(bars)), []
        for options, runs in ((lists[: at + 1], bars[:at]), (lists[at + 1 :], bars[at + 1 :])):
            sides.append((self.divided(options, runs),) if runs else tuple(options[0]))
        return self.game(*sides)

    def game(self, left: tuple[Value, ...], right: tuple[Value, ...]) -> Value:
        game = Game(left, right)
        return canonical(game) if is_constant(game) else game

    def literal(self, is_negative: bool) -> Value:
        """Reads a number with ups, a power of up and a nimber, or with a tiny or miny."""
        found = LITERAL.match(self.text, self.at)
        start, self.at = self.at, found.end()
        name, denominator = found["name"], int(found["denominator"] or 1)
        count = int((found["factor"] or 1) if name else (found["integer"] or 0)) * (-1 if is_negative else 1)
        is_read = abs(count) <= INTEGER_MAX * denominator and denominator.bit_count() == 1 and denominator <= 1 << 100
        is_read = is_read and (name is None or name in self.names)
        is_tiny = self.take("Tiny|Miny", "") if not found["arrows"] and not found["star"] else None
        if not is_read or not (found[0] or is_tiny):
            self.at = start
            raise self.refuse()
        number = Linear(0).plus(named(name), count) if name else dyadic(count, denominator)
        if is_tiny:
            self.require(r"\(")
            threat = negative(self.sum())
            self.require(r"\)")
            tiny = self.game((ZERO,), (self.game((ZERO,), (threat,)),))
            tiny = tiny if is_tiny == "Tiny" else negative(tiny)
            return plus(number, tiny) if found[0] else tiny
        arrows, star = found["arrows"] or "", int(found["nimber"] or 1) if found["star"] else 0
        times = len(arrows) * int(found["ups"] or 1) * (-1 if arrows[:1] in ("v", "↓", "⇓") else 1)
        times *= 2 if arrows[:1] in ("⇑", "⇓") else 1
        if found["times"]:
            if name or found["denominator"] or found["power"] or found["sum"]:
                raise self.refuse()
            times, number = times * count, ZERO
        if abs(times) > 255 or star > 8:
            raise self.refuse()
        power = found["power"] or found["sum"]
        if power is None:
            rest = ups(times, star)
        else:
            rest = power_of_up(int(power), found["sum"] is not None)
            rest = plus(rest if times > 0 else negative(rest), ups(0, star))
        if isinstance(number, Game) and isinstance(rest, Game):
            return translated(rest, number)
        return shifted(rest, number) if isinstance(number, Linear) else number


def translated(value: Value, number: Value) -> Value:
    """Returns the sum of a number and an infinitesimal: the number is added to all options, as the integer 0 is."""
    if value == ZERO:
        return number
    return Game(*(tuple(translated(option, number) for option in side) for side in (value.left, value.right)))


# Rows: pots and repeated words, between ends beyond which all pots are empty, or full.
@dataclass(frozen=True)
class Repeated:
    """A word of pots that stands as often as a name says."""

    word: tuple[int, ...]
    name: str


Row = tuple[int | Repeated, ...]


def mirror(row: Row) -> Row:
    return tuple(piece if isinstance(piece, int) else Repeated(piece.word[::-1], piece.name) for piece in row[::-1])


def take(row: Row, pot: int) -> Row | None:
    """Returns the row without its first pot, if that is this one for all numbers."""
    at = next((at for at, piece in enumerate(row) if isinstance(piece, int)), -1)
    if at < 0 or row[at] != pot or any(piece.word[0] != pot for piece in row[:at]):
        return None
    return tuple(Repeated(piece.word[1:] + (pot,), piece.name) for piece in row[:at]) + row[at + 1 :]


def leftmost(row: Row) -> Row:
    """Returns the row with its repeated words as far to the left as they can be written."""
    pieces: list[int | Repeated] = []
    for piece in row:
        pieces.append(piece)
        at = len(pieces) - 1
        while at > 0 and isinstance(piece, Repeated) and pieces[at - 1] == piece.word[-1]:
            piece = Repeated(piece.word[-1:] + piece.word[:-1], piece.name)
            pieces[at - 1 : at + 1] = [piece, piece.word[0]]
            at -= 1
    return tuple(pieces)


def without_end(row: Row, end: int) -> Row:
    """Returns the row without the pots at its left that are like those beyond its end."""
    start = 0
    while start < len(row) and (row[start] == end or names_of(row[start : start + 1]) and {*row[start].word} == {end}):
        start += 1
    return row[start:]


def spell(row: Row, pattern: Row, end: int) -> Iterator[Case]:
    """Returns ways to read a row, and pots beyond its right end, as a pattern: what each name of the pattern is."""
    if not pattern:
        if not without_end(row, end):
            yield ()
        return
    first, rest, count = pattern[0], pattern[1:], ZERO
    left: Row | None = row
    if isinstance(first, int):
        left = take(row, first)
        yield from () if left is None else spell(left, rest, end)
        return
    while left is not None:
        for others in spell(left, rest, end):
            yield ((first.name, count), *others)
        piece = left[0] if left else None
        times = len(piece.word) // len(first.word) if isinstance(piece, Repeated) else 0
        if times and piece.word == first.word * times:
            count, left = count.plus(named(piece.name), times), left[1:]
        else:
            count = count.plus(ONE)
            for pot in first.word:
                left = None if left is None else take(left, pot)


def names_of(row: Row) -> list[str]:
    return [piece.name for piece in row if isinstance(piece, Repeated)]


def show(row: Row) -> str:
    texts = (f" ({show(piece.word)})^{piece.name} " if isinstance(piece, Repeated) else str(piece) for piece in row)
    return "".join("e" if text == str(FULL) else text if len(text) != 2 else f"[{text}]" for text in texts).strip()


ANY = frozenset(range(251))  # All numbers of seeds of a pot.


@dataclass(frozen=True)
class Rules:
    """How seeds are sown on an endless row: the switches of `row-rules`."""

    pot_min: int = 1
    first: str = "next"
    last: frozenset[int] = ANY
    laps: str = "single"
    landing: bool = False
    capture: frozenset[int] = frozenset()
    chain: bool = False

    def end(self) -> bool:
        """Returns whether play is known to end."""
        is_cut = 1 not in self.last or 2 in self.capture
        has_one_lap = self.laps == "single" and not self.landing
        return 0 not in self.last or (self.first == "origin" and self.pot_min > 1 and has_one_lap and is_cut)


SOWING = Rules(last=ANY - {0})
ATOMIC_WARI = Rules(pot_min=2, first="origin", capture=frozenset({2, 3}), chain=True)


def read_rules(text: object) -> Rules:
    """Returns rules by their text, such as `pot_min=2,first=origin,capture=2-3,chain`."""
    need(isinstance(text, str), "rules are a string")
    switches: dict[str, object] = {}
    for switch in text.split(",") if text != "default" else []:
        key, _, value = switch.partition("=")
        sets = {"none": frozenset(), "any": ANY, "occupied": ANY - {0}}
        runs = [tuple(map(int, run.split("-"))) for run in re.findall(r"\d{1,3}(?:-\d{1,3})?", value)]
        if switch in ("first=origin", "laps=multiple"):
            read: object = value
        elif switch in ("landing", "chain"):
            read = True
        elif key == "pot_min":
            read = runs[0][0] if runs else 0
        else:
            read = sets.get(value, ANY.intersection(n for run in runs for n in range(run[0], run[-1] + 1)))
        written = "+".join("-".join(map(str, run)) for run in runs) or value
        is_read = key in Rules.__dataclass_fields__ and key not in switches and read and value == written
        need(is_read or switch == "last=none", f"the rules {text!r} are not read")
        switches[key] = read
    rules = Rules(**switches)
    need(rules.end(), f"play by the rules {text!r} need not end")
    return rules


@dataclass(frozen=True)
class Claim:
    """That all rows of a pattern, between ends, are worth at most a bound."""

    text: str
    row: Row
    ends: tuple[int, int]
    bound: Value


class Proof:
    """Claims about rows between the same ends, and whether they prove one another."""

    def __init__(self, rules: Rules, play: str, ends: tuple[int, int], claims: list[Claim]):
        self.rules, self.play, self.ends, self.claims = rules, play, ends, claims
        self.deadline = time.monotonic() + SECONDS
        self.bounds: dict[Row, list[Value]] = {}

    def check(self, claim: Claim) -> None:
        for case, after in self.moves(claim.row, "left"):
            found = self.is_answered(after, put(claim.bound, case), None, True, names_of(after) * DIVISIONS)
            need(found, f"{claim.text}: no answer is found to a move to {show(after)}")
        given = negative(claim.bound).plus(ONE, -1) if isinstance(claim.bound, Linear) else None
        for option in right_options(claim.bound, None, False):
            found = self.is_answered(claim.row, option, given, False, names_of(claim.row) * DIVISIONS)
            need(found, f"{claim.text}: no answer is found to a move in the value")

    def is_answered(self, row: Row, goal: Value, given: Given, has_moved: bool, names: list[str]) -> bool:
        """Returns whether Right, to move, has an answer for all numbers for which the given integer is at least 0.

        Left has moved in the row, or in the value. The names may yet be divided into cases, from the first on.
        """
        if given is not None and negative(given).plus(ONE, -1).is_natural():
            return True  # Left's move in the value is none.
        if has_moved and any(is_less_or_confused(bound, goal, given) for bound in self.known(row)):
            return True
        for case, after in self.moves(row, "right"):
            if not case and any(is_at_most(bound, goal, given) for bound in self.known(after)):
                return True
        names = [name for name in names if name in names_of(row)]
        if not names:
            return False
        name, *left = names
        at = next(at for at, piece in enumerate(row) if isinstance(piece, Repeated) and piece.name == name)
        copy = (*row[at].word, row[at]) if left.count(name) % 2 else (row[at], *row[at].word)
        for instead, case in ((copy, ((name, named(name).plus(ONE)),)), ((), ((name, ZERO),))):
            then = row[:at] + instead + row[at + 1 :]
            where = None if given is None else put(given, case)
            if not self.is_answered(then, put(goal, case), where, has_moved, left):
                return False
        return True

    def sow(self, row: Row, at: int, end: int, case: Case) -> Iterator[tuple[Case, Row]]:
        """Sows a pot to the right, if that is a move. Returns all cases of what the names stand for, and the row then.

        All seeds go one by one into the pots behind, or the first into the pot itself, and the last one into a pot that holds a
        number of `last`. By `landing` a seed takes the seeds of an occupied pot and itself away. Then the last pot is emptied if
        it holds a number of `capture`, and by `chain` so are the pots sown before it, up to the first that does not.
        """
        rules, kept = self.rules, int(self.rules.first == "origin")
        last = at + row[at] - kept
        # A move of several laps would end in an empty pot, which is illegal wherever play ends.
        if row[at] < rules.pot_min or last <= at or (rules.laps == "multiple" and not rules.landing):
            return
        need(time.monotonic() < self.deadline, f"that takes more than {SECONDS} seconds")
        for place, piece in enumerate(row[at + 1 : last + 1], at + 1):
            if isinstance(piece, Repeated):
                yield from self.sow(row[:place] + row[place + 1 :], at, end, (*case, (piece.name, ZERO)))
                one = (*case, (piece.name, named(piece.name).plus(ONE)))
                yield from self.sow(row[:place] + piece.word + row[place:], at, end, one)
                return
        pots = list(row) + [end] * (last + 1 - len(row))
        if pots[last] != FULL and pots[last] not in rules.last:
            return
        pots[at] = kept
        for place in range(at + 1, last + 1):
            is_taken = rules.landing and pots[place] > 0
            pots[place] = 0 if is_taken else pots[place] + (pots[place] != FULL)
        while last > at - kept and pots[last] in rules.capture:
            pots[last] = 0
            last = last - 1 if rules.chain else -1
        yield case, tuple(pots)

    def moves(self, row: Row, player: str) -> Iterator[tuple[Case, Row]]:
        """Returns all moves of a player in all cases: Left sows to the right, Right to the left, impartially both do both."""
        for sower, turn, end in (("left", tuple, self.ends[1]), ("right", mirror, self.ends[0])):
            start = turn(row)
            for at, piece in enumerate(start if self.play == "impartial" or sower == player else ()):
                divided, places, case = start, range(at, at + 1), ()
                if isinstance(piece, Repeated):
                    behind = Repeated(piece.word, piece.name + "'")
                    divided = start[: at + 1] + piece.word + (behind,) + start[at + 1 :]
                    places = range(at + 1, at + 1 + len(piece.word))
                    case = ((piece.name, named(piece.name).plus(named(behind.name)).plus(ONE)),)
                for place in places:
                    yield from ((case, turn(after)) for case, after in self.sow(divided, place, end, case))

    def known(self, row: Row) -> list[Value]:
        """Returns the bounds that claims give to a row."""
        if row in self.bounds:
            return self.bounds[row]
        found = self.bounds[row] = []
        core = mirror(without_end(mirror(without_end(row, self.ends[0])), self.ends[1]))
        for claim in self.claims:
            # As many pots beyond the ends as the pattern can have before and behind what the row has.
            beyond = sum(1 if isinstance(piece, int) else len(piece.word) for piece in claim.row)
            rest: Row | None = leftmost(self.ends[:1] * beyond + core + self.ends[1:] * beyond)
            while rest is not None:
                need(time.monotonic() < self.deadline, f"that takes more than {SECONDS} seconds")
                for case in spell(rest, claim.row, self.ends[1]):
                    # A name of the pattern may also be a name of the row, which is another.
                    other = put(claim.bound, tuple((name, named("." + name)) for name, _ in case))
                    found.append(put(other, tuple(("." + name, integer) for name, integer in case)))
                rest = take(rest, self.ends[0])
        return found


def read_pattern(text: str, least: dict[str, int]) -> tuple[Row, tuple[int, int], dict[str, Linear]]:
    """Returns a pattern's row, with names from 0 on, its ends, and what its variables are in terms of the names."""
    found = re.fullmatch(r"\s*(\.\.\.e)?((?:(?!e\.\.\.).)*)(e\.\.\.)?\s*", text)
    rest = found[2].strip() if found else "."
    groups: list[list[int | Repeated]] = [[]]
    variables: dict[str, Linear] = {}
    token = r"(?:(\()|(?:\)|(\d|e|\[\d{1,2}\]))(?:\s*\^\s*(?:(\d{1,3})(?!\d)|([a-df-uw-z])([+-]\d{1,3}(?!\d))?))?)\s*"
    while (piece := re.match(token, rest)) and (rest[0] != ")" or len(groups) > 1):
        rest = rest[piece.end() :]
        if piece[1]:
            need(not rest.startswith(")"), f"the pattern {text!r} has an empty group")
            groups.append([])
            continue
        unit = [FULL if piece[2] == "e" else int(piece[2].strip("[]"))] if piece[2] else groups.pop()
        if name := piece[4]:
            need(unit, f"the pattern {text!r} has a group without pots")
            count = least.get(name, 0) + int(piece[5] or 0)
            is_read = name not in variables and 0 <= count <= LEAST_MAX and not names_of(tuple(unit))
            need(is_read, f"the exponent {name} of the pattern {text!r} is not read")
            variables[name] = named(name).plus(Linear(least.get(name, 0)))
            unit = unit * count + [Repeated(tuple(unit), name)]
        groups[-1] += unit * int(piece[3] or 1)
        need(len(groups[-1]) <= POTS_MAX, f"the pattern {text!r} has more than {POTS_MAX} pots")
    row = tuple(groups[0])
    is_read = text.strip() and not rest and len(groups) == 1 and sorted(names_of(row)) == sorted(variables)
    need(is_read, f"the pattern {text!r} is not read")
    return row, (FULL if found[1] else 0, FULL if found[3] else 0), variables


def read_claim(section: object, kind: str) -> tuple[str, Claim]:
    """Returns what a section says: the key of its value, and the claim that its rows are at most that."""
    keys = set(section) if isinstance(section, dict) else set()
    relations = keys & {"value", "at_most", "at_least"}
    is_one = len(relations) == 1 and {"rows"} <= keys <= {"rows", "least"} | relations
    need(is_one, f"a claim has rows, least, and one of value, at_most and at_least, not {sorted(keys)}")
    relation = relations.pop()
    rows, written, least = section["rows"], section[relation], section.get("least", {})
    are_read = isinstance(rows, str) and isinstance(written, str) and isinstance(least, dict)
    need(are_read, "rows and values are strings, and least is a table")
    are_read = all(type(number) is int and 0 <= number <= LEAST_MAX for number in least.values())
    need(are_read, f"{rows}: least values are from 0 to {LEAST_MAX}")
    row, ends, variables = read_pattern(rows, least)
    need(least.keys() <= variables.keys(), f"{rows}: a least value is of no variable")
    pots = {pot for piece in row for pot in ([piece] if isinstance(piece, int) else piece.word)}
    need(kind == "sowing" or FULL not in pots | {*ends}, f"{rows}: the game has no full pots")
    bound = put(Reader(written, set(variables)).whole(), tuple(variables.items()))
    sign = {"value": "=", "at_most": "<=", "at_least": ">="}[relation]
    where = ", ".join(f"{name} >= {number}" for name, number in least.items())
    return relation, Claim(f"{rows} {sign} {written}" + (f" for {where}" if where else ""), row, ends, bound)


def check(path: str) -> str:
    """Returns the theorem that a certificate proves."""
    with open(path, encoding="utf-8-sig") as file:
        certificate = tomllib.loads(file.read())
    kind, play, version = (certificate.get(key) for key in ("game", "play", "version"))
    theorem, others = certificate.get("theorem"), certificate.get("claim", [])
    unknown = certificate.keys() - {"title", "source", "game", "version", "play", "theorem", "claim"}
    if kind == "row-rules":
        unknown -= {"rules"}
    need(not unknown, f"unknown keys {sorted(unknown)}")
    need(all(isinstance(certificate.get(key, ""), str) for key in ("title", "source")), "title and source are strings")
    need(play in ("partisan", "impartial"), f"play is partisan or impartial, not {play!r}")
    is_known = (kind, version) in [*VERSIONS.items()] and type(version) is int
    need(is_known, f"rules of version {version!r} of {kind!r} are not known")
    rules = {"sowing": SOWING, "atomic-wari": ATOMIC_WARI}.get(kind) or read_rules(certificate.get("rules"))
    need(isinstance(theorem, list) and theorem and isinstance(others, list), "there are no sections [[theorem]]")
    claims = [read_claim(section, kind) for section in theorem + others]
    at_most = [claim for about, claim in claims if about != "at_least"]
    at_least = [claim for about, claim in claims if about != "at_most"]
    exchanged = (Claim(each.text, mirror(each.row), each.ends[::-1], negative(each.bound)) for each in at_least)
    for side in (at_most, [*exchanged]):
        for ends in dict.fromkeys(claim.ends for claim in side):
            proof = Proof(rules, play, ends, [claim for claim in side if claim.ends == ends])
            for claim in proof.claims:
                proof.check(claim)
    return "; ".join(claim.text for _, claim in claims[: len(theorem)])


def main(paths: list[str]) -> int:
    failed = 0
    for path in paths:
        try:
            print(f"{path}: proved: {check(path)}")
        except (NotChecked, OSError, ValueError, RecursionError) as why:
            failed = 1
            print(f"{path}: not checked: {why}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if sys.argv[1:] else "usage: scripts/check_proof.py FILE...")
