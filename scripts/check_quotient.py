#!/usr/bin/env python3
"""Checks certificates of misère quotients of heap games, and shares nothing with the program that finds and checks them.

    scripts/check_quotient.py FILE...

A file has a certificate on each line, as `seedbank quotient CODE --certificate` prints it. The script prints for each "proved" and the
quotient, or "not checked" and why. The exit status is 0 where all are proved, else 1.

What a certificate says. It names a heap game, and gives a finite monoid by the product of each element with each generator (element 0 is the
identity), some elements as the P-portion, and the element phi(h) of each heap h, with a period from a preperiod on. It claims: the next
player loses a sum of heaps, if the last player to move loses, just if the product of their elements is in the P-portion; and sums with
different elements are told apart by some sum that is added to both. So the monoid is the misère quotient of the game.

What is checked.

 1. The products with generators do not depend on their order, and reach every element. So they define a commutative monoid: the product of
    x and y is x times the generators that lead to y. Each generator is phi of a heap.
 2. No two elements have the same set of multiples in the P-portion.
 3. Element 0 is not in the P-portion, and heaps without moves have element 0.
 4. For each heap h, option h' and element z: z phi(h) and z phi(h') are not both in the P-portion.
 5. For each sum of heaps in which there is a move, and whose product is not in the P-portion, some option's product is.

Why that is a proof. A sum without moves is won by the player to move, and has element 0, outside the P-portion. By 4 no option of a sum in
the P-portion is in it, and such a sum has an option; by 5 a sum outside, with a move, has an option in it. So by induction over play the
P-portion is right, and by 2 no two elements can be the same.

How 5 is checked for all sums. A sum is represented by its product q and the set D of its options' products. The pair of X + Y is
(q(X) q(Y), q(X) D(Y) and q(Y) D(X)). Only finitely many pairs occur; all are found from that of the empty sum by adding heaps. Two kinds of
pairs satisfy 5 and need not be extended, since their extensions satisfy it, too:

 - q z in the P-portion or D z with an element in it, for each z: then also for each multiple of z.
 - A pair whose D contains that of a pair that is extended, with the same q: what wins from the one wins from the other.

Why finitely many heaps suffice. Let a move take at most k tokens and leave at most t heaps, n0 be the preperiod but at least 1, p the period,
and n >= t n0 + (t - 1) p + k. Of the heaps that a move leaves of n + p, one is at least n0 + p, for else they would have at most
t (n0 + p - 1) < n + p - k tokens. With p tokens less it has the same element, and the result is an option of n. Likewise, a heap of at
least n0 is left of n, and p more tokens make an option of n + p. So n + p has the options of n, up to phi, and needs no check of its own.
"""

import json
import sys
from functools import lru_cache
from itertools import combinations

ELEMENTS_MAX = 4096  # The most elements of a monoid.
HEAPS_MAX = 1_000_000  # The largest heap that a check needs.
PAIRS_MAX = 1_000_000  # The most pairs that are extended.
KEYS = ["format", "game", "generators", "products", "p_portion", "phi", "preperiod", "period"]


class NotChecked(Exception):
    """Why a certificate is not found to be a proof."""


def need(condition, why):
    if not condition:
        raise NotChecked(why)


def read_rules(game):
    """Returns for each number of tokens that may be taken the numbers of heaps that may be left, by the text of a game."""
    need(isinstance(game, str), "the game is no text")
    if game.startswith("subtraction(") and game.endswith(")"):
        numbers = game[len("subtraction(") : -1].split(",")
        need(all(number.isdecimal() and number.isascii() and int(number) > 0 for number in numbers), f"{game!r} is no game")
        return {int(number): {0, 1} for number in numbers}
    whole, point, digits = game.partition(".")
    need(point and len(whole) == 1 and all(digit in "0123456789ABCDEF" for digit in whole + digits), f"{game!r} is no code")
    rules = {taken: {parts for parts in range(4) if int(digit, 16) >> parts & 1} for taken, digit in enumerate(whole + digits)}
    need(not rules[0] & {0, 1}, f"{game!r}: a move changes something")
    return {taken: parts for taken, parts in rules.items() if parts}


def options(rules, heap):
    """Yields the heaps that each move leaves of a heap."""
    for taken, parts in rules.items():
        left = heap - taken
        if 0 in parts and left == 0:
            yield ()
        if 1 in parts and left > 0:
            yield (left,)
        if 2 in parts:
            yield from ((a, left - a) for a in range(1, left // 2 + 1))
        if 3 in parts:
            yield from ((a, b, left - a - b) for a in range(1, left // 3 + 1) for b in range(a, (left - a) // 2 + 1))


class Monoid:
    """A finite commutative monoid with a P-portion. A set of elements is a number with a bit for each."""

    def __init__(self, by_generator, p_portion):
        self.order, generators = len(by_generator), range(len(by_generator[0]))
        for x in range(self.order):
            for g, h in combinations(generators, 2):
                is_same = by_generator[by_generator[x][g]][h] == by_generator[by_generator[x][h]][g]
                need(is_same, f"element {x} times generators {g} and {h} depends on their order")
        words, found = {0: []}, [0]
        for x in found:
            for g in generators:
                y = by_generator[x][g]
                if y not in words:
                    words[y] = [*words[x], g]
                    found.append(y)
        need(len(words) == self.order, "some element is no product of generators")
        self.products = []
        for x in range(self.order):
            row = []
            for y in range(self.order):
                product = x
                for g in words[y]:
                    product = by_generator[product][g]
                row.append(product)
            self.products.append(row)
        self.p = sum(1 << x for x in p_portion)

    @lru_cache(maxsize=None)
    def times(self, elements, x):
        """Returns the products of x and each of some elements."""
        products = 0
        while elements:
            least = elements & -elements
            products |= 1 << self.products[x][least.bit_length() - 1]
            elements ^= least
        return products

    def is_p(self, x):
        return self.p >> x & 1 == 1

    @lru_cache(maxsize=None)
    def contexts(self, elements):
        """Returns the elements by which some of these elements have a multiple in the P-portion."""
        return sum(1 << z for z in range(self.order) if self.times(elements, z) & self.p)


def check_all_sums(monoid, heaps):
    """Checks 5 for all sums of heaps, given by their element and the set of those of their options."""
    every = (1 << monoid.order) - 1
    extended, queue = {}, [(0, 0)]
    for q, d in queue:
        for x, e in heaps:
            product = monoid.products[q][x]
            after = monoid.times(d, x) | monoid.times(e, q)
            need(monoid.is_p(product) or after & monoid.p, "a sum outside the P-portion has no option in it")
            is_complete = monoid.contexts(1 << product) | monoid.contexts(after) == every
            known = extended.setdefault(product, [])
            if is_complete or any(other & ~after == 0 for other in known):
                continue
            known.append(after)
            queue.append((product, after))
            need(len(queue) <= PAIRS_MAX, f"more than {PAIRS_MAX} pairs")


def check(text):
    """Returns what a certificate proves."""
    certificate = json.loads(text)
    need(isinstance(certificate, dict) and sorted(certificate) == sorted(KEYS), f"a certificate has the keys {', '.join(KEYS)}")
    need(certificate["format"] == "misere-quotient-1", "the format is not misere-quotient-1")
    game, generators, products, p_portion, phi, preperiod, period = (certificate[key] for key in KEYS[1:])
    rules = read_rules(game)

    def are_numbers(numbers, end):
        return isinstance(numbers, list) and all(type(number) is int and 0 <= number < end for number in numbers)

    need(isinstance(products, list) and 0 < len(products) <= ELEMENTS_MAX, f"there are 1 to {ELEMENTS_MAX} elements")
    order = len(products)
    need(are_numbers([preperiod, period], HEAPS_MAX) and period > 0, "there is no preperiod and period")
    need(are_numbers(phi, order) and len(phi) == preperiod + period and phi[0] == 0, "phi has other heaps than to the end of the first period")
    need(are_numbers(generators, len(phi)), "phi lists not all generators")
    need(all(are_numbers(row, order) and len(row) == len(generators) for row in products), "a product is no element")
    need(are_numbers(p_portion, order) and p_portion == sorted(set(p_portion)), "the P-portion is no ascending list of elements")
    need(products[0] == [phi[heap] for heap in generators], "a generator is not the element of its heap")

    monoid = Monoid(products, p_portion)
    need(len({monoid.contexts(1 << x) for x in range(order)}) == order, "two elements are not told apart")

    parts, taken = max((max(parts) for parts in rules.values()), default=1) or 1, max(rules, default=0)
    bound = parts * max(preperiod, 1) + (parts - 1) * period + taken
    need(bound + period <= HEAPS_MAX, f"the check needs heaps above {HEAPS_MAX}")
    element = [phi[heap] if heap < preperiod else phi[preperiod + (heap - preperiod) % period] for heap in range(bound + period)]
    heaps = {}
    for heap, x in enumerate(element):
        after = 0
        for option in options(rules, heap):
            product = 0
            for part in option:
                product = monoid.products[product][element[part]]
            after |= 1 << product
        need(after or x == 0, f"heap {heap} has no move, and its element is not 0")
        need(not monoid.contexts(1 << x) & monoid.contexts(after), f"heap {heap} and an option of it would both be P-positions")
        if after:
            heaps[x, after] = None
    need(not monoid.is_p(0), "the empty sum would be a P-position")
    check_all_sums(monoid, list(heaps))
    return f"{game}: quotient of order {order}, {len(p_portion)} in the P-portion, preperiod {preperiod}, period {period}"


def main(paths):
    failed = 0
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                lines = [line for line in file if line.strip()]
        except (OSError, ValueError) as why:
            failed = 1
            print(f"{path}: not checked: {why}")
            continue
        for number, line in enumerate(lines, 1):
            try:
                print(f"{path}:{number}: proved: {check(line)}")
            except (NotChecked, ValueError, RecursionError) as why:
                failed = 1
                print(f"{path}:{number}: not checked: {why}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if sys.argv[1:] else "usage: scripts/check_quotient.py FILE...")
