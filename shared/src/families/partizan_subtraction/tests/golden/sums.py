"""Writes sums.txt: what Lemma A.19 (2) comes to for two heaps of one ruleset, counted from the paper alone.

    python3 sums.py > sums.txt

It shares no code with this repository: the sum of two heaps beside ups and a far star is played out. A line is how many heaps G have
aw(G+H) = aw(G) + aw(H) for every smaller or equal H, and how many not, where all of these weights are integers, on all rulesets with
1 <= a <= 3, a <= b <= 4, 0 <= tau < b and heaps 0 to 6.
"""

import sys
from functools import cache

sys.setrecursionlimit(100_000)
HEAPS = 6


@cache
def wins(left, a, b, tau, heaps, ups, x):
    low, high = (1, a) if left else (tau + 1, b)
    after = [(tuple(sorted(heaps[:i] + (n - k,) + heaps[i + 1:])), ups, x) for i, n in enumerate(heaps) for k in range(low, high + 1) if k <= n]
    after += [(heaps, ups, y) for y in range(x)]
    if ups > 0:
        after.append((heaps, ups - 1, x if left else x ^ 1))
    if ups < 0:
        after.append((heaps, ups + 1, x ^ 1 if left else x))
    return any(not wins(not left, a, b, tau, *one) for one in after)


def is_weight(a, b, tau, heaps, w):
    first = lambda left, ups: wins(left, a, b, tau, heaps, ups, 32)
    return first(True, 1 - w) and not first(False, 1 - w) and not first(True, -1 - w) and first(False, -1 - w)


def weight(a, b, tau, heaps):
    return next((w for w in range(-2 * HEAPS, 2 * HEAPS + 1) if is_weight(a, b, tau, heaps, w)), None)


def main():
    totals = [0, 0]
    for b in range(1, 5):
        for a in range(1, min(b, 3) + 1):
            for tau in range(b):
                known = [weight(a, b, tau, (n,)) for n in range(HEAPS + 1)]
                for n in range(HEAPS + 1):
                    pairs = [m for m in range(n + 1) if known[m] is not None]
                    if known[n] is not None and pairs:
                        totals[not all(is_weight(a, b, tau, (m, n), known[m] + known[n]) for m in pairs)] += 1
    print("# Made by sums.py, which says how. A line: the claim, and how often it is right and wrong.")
    print("lemma-a.19.2", *totals, sep="\t")


main()
