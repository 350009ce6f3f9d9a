"""Writes heaps.txt: canonical forms of heaps by pycgt 0.2.0 (PyPI, MIT licence), which shares no code with this repository.

    pip install pycgt==0.2.0
    python3 heaps.py > heaps.txt

A line is Left's numbers, Right's numbers, the heap, and its canonical form as {LEFT|RIGHT} with the options between commas and in
the order of their text; the game without options is 0. Fields are separated by tabs. Forms of more than 400 characters are left
out.
"""

from functools import cache

from pycgt import canonical, game

RULESETS = [((range(1, a + 1)), range(tau + 1, b + 1)) for b in range(2, 9) for a in range(1, b + 1) for tau in range(b)]
RULESETS += [([1, 4, 6], range(2, 10)), ([2, 3], [1, 5]), ([1, 2], [1, 5]), ([3, 7], [2, 4, 5]), ([1, 2, 4, 6], [1, 3, 6])]


@cache
def text(one):
    left, right = (",".join(sorted(text(option) for option in side)) for side in (one.left, one.right))
    return "{" + left + "|" + right + "}" if left or right else "0"


def main():
    print("# Made by heaps.py, which says how: canonical forms of heaps by pycgt.")
    for left, right in RULESETS:
        heaps = []
        for heap in range(15):
            options = ([heaps[heap - number] for number in side if number <= heap] for side in (left, right))
            heaps.append(canonical(game(*options)))
            if len(text(heaps[heap])) <= 400:
                print(",".join(map(str, left)), ",".join(map(str, right)), heap, text(heaps[heap]), sep="\t")


main()
