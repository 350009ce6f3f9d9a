"""Writes canonical_forms.txt: canonical forms by pycgt 0.2.0 (PyPI, MIT licence), which shares no code with this repository.

    pip install pycgt==0.2.0
    python3 canonical_forms.py > canonical_forms.txt

A game is written as {LEFT|RIGHT} with its options between commas and in the order of their text, and the game without options
as 0. A line is `form`, a form as it comes, and its canonical form; or `sum`, two games, and the canonical form of their sum.
Fields are separated by tabs.
"""

import random
from functools import cache

from pycgt import ZERO, add, canonical, game

CHOICES = random.Random(20260101)


def braces(left, right):
    return "{" + ",".join(sorted(left)) + "|" + ",".join(sorted(right)) + "}" if left or right else "0"


@cache
def text(one):
    return braces([text(option) for option in one.left], [text(option) for option in one.right])


def some(games, most):
    return CHOICES.sample(games, CHOICES.randint(0, min(most, len(games))))


def form(left, right):
    """A form as it comes and its canonical form."""
    as_it_comes = braces([text(option) for option in left], [text(option) for option in right])
    return as_it_comes, canonical(game(left, right))


def main():
    print(f"# Made by canonical_forms.py, which says how: canonical forms by pycgt.")
    days = [[canonical(ZERO)]]
    for _ in range(2):
        born = days[-1]
        subsets = [[one for index, one in enumerate(born) if bits >> index & 1] for bits in range(1 << len(born))]
        found = {canonical(game(left, right)) for left in subsets for right in subsets}
        days.append(sorted(found, key=text))
    by_day_2 = days[2]
    assert len(by_day_2) == 22
    lines = {}
    by_day_3 = []
    while len(lines) < 2500:
        as_it_comes, value = form(some(by_day_2, 5), some(by_day_2, 5))
        lines["form", as_it_comes] = value
        by_day_3.append(value)
    by_day_3 = sorted(set(by_day_3), key=text)
    while len(lines) < 4000:
        as_it_comes, value = form(some(by_day_3, 3) + some(by_day_2, 2), some(by_day_3, 3) + some(by_day_2, 2))
        if len(as_it_comes) <= 120:
            lines["form", as_it_comes] = value
    while len(lines) < 5500:
        one, other = CHOICES.choice(by_day_3), CHOICES.choice(by_day_3)
        lines["sum", text(one), text(other)] = canonical(add(one, other))
    for words, value in sorted(lines.items()):
        if len(text(value)) <= 400:
            print("\t".join([*words, text(value)]))


main()
