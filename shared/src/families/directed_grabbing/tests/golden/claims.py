"""Writes claims.txt: what claims of the paper on directed grabbing come to, counted from the paper alone.

    python3 claims.py > claims.txt

It shares no code with this repository. Unions of paths are those with 1 to 5 vertices in all and weights 0 to 2, each once; val is found
by playing. On grids each strategy is played against every move, on sets of cells, and A-good configurations are all that there are. A
line is the space, the claim, and how often it is right and wrong there; a claim about a grid is counted once for each grid.
"""

from functools import cache
from itertools import combinations_with_replacement, product


@cache
def val(paths):
    """Paths as tuples of weights from the sink on, in any order."""
    best = None
    for place, path in enumerate(paths):
        rest = paths[:place] + ((path[1:],) if path[1:] else ()) + paths[place + 1:]
        found = path[0] - val(tuple(sorted(rest)))
        best = found if best is None else max(best, found)
    return best or 0


def unions(vertices, weights, least=()):
    if vertices == 0:
        yield ()
    for length in range(1, vertices + 1):
        for path in product(weights, repeat=length):
            if (length, path) >= (len(least), least):
                for rest in unions(vertices - length, weights, path):
                    yield (path, *rest)


def lemma_1(paths):
    value = val(tuple(sorted(paths)))
    total = sum(map(sum, paths))
    for p, path in enumerate(paths):
        for v, weight in enumerate(path):
            for d in range(0, total + 4):
                raised = path[:v] + (weight + d,) + path[v + 1:]
                if abs(val(tuple(sorted(paths[:p] + (raised,) + paths[p + 1:]))) - value) > d:
                    return False
    return True


def rises(path):
    return [i for i in range(1, len(path)) if path[i] >= path[i - 1]]


def applies(choose):
    def claim(paths):
        chosen = [(path, choose(rises(path))) for path in paths if rises(path)]
        if not chosen:
            return None
        return all(i == len(path) - 1 or all(path[j] <= path[i] for j in range(i, len(path))) for path, i in chosen)
    return claim


def increasing(paths):
    for path in paths:
        while rises(path):
            i = rises(path)[0]
            if i == len(path) - 1:
                path = path[:i - 1]
            else:
                path = path[:i - 1] + (path[i - 1] + path[i + 1] - path[i],) + path[i + 2:]
        if any(path[i] >= path[i - 1] for i in range(1, len(path))):
            return False
    return True


# Grids: a position is the set of cells that are left.

def sinks(left):
    return [(i, j) for i, j in left if (i - 1, j) not in left and (i, j - 1) not in left]


def strategy(speaks, target, answer):
    def claim(p, q):
        if not speaks(p, q):
            return None
        whole = frozenset(product(range(1, p + 1), range(1, q + 1)))
        start = whole - {(1, 1)} if p * q % 2 else whole
        seen, waiting = {start}, [start]
        while waiting:
            left = waiting.pop()
            for cell in sinks(left):
                reply = answer(*cell)
                after = left - {cell}
                if target(*cell) or reply not in sinks(after):
                    return False
                after -= {reply}
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return True
    return claim


def odd(n):
    return n % 2 == 1


STRATEGIES = {
    "strategy-c-even": strategy(lambda p, q: not odd(q), lambda i, j: not odd(j), lambda i, j: (i, j + 1) if odd(j) else None),
    "strategy-r-even": strategy(lambda p, q: not odd(p), lambda i, j: not odd(i), lambda i, j: (i + 1, j) if odd(i) else None),
    "strategy-c-odd-0": strategy(
        lambda p, q: not odd(p) and odd(q), lambda i, j: j == 1 and not odd(i) or odd(j) and j >= 3,
        lambda i, j: (i + 1, 1) if j == 1 and odd(i) else (i, j + 1) if not odd(j) else None),
    "strategy-r-odd-0": strategy(
        lambda p, q: odd(p) and not odd(q), lambda i, j: i == 1 and not odd(j) or odd(i) and i >= 3,
        lambda i, j: (1, j + 1) if i == 1 and odd(j) else (i + 1, j) if not odd(i) else None),
    "strategy-c-odd-1": strategy(
        lambda p, q: odd(p * q), lambda i, j: j == 1 and odd(i) or odd(j) and j >= 3,
        lambda i, j: (i + 1, 1) if j == 1 and not odd(i) else (i, j + 1) if not odd(j) else None),
    "strategy-r-odd-1": strategy(
        lambda p, q: odd(p * q), lambda i, j: i == 1 and odd(j) or odd(i) and i >= 3,
        lambda i, j: (1, j + 1) if i == 1 and not odd(j) else (i + 1, j) if not odd(i) else None),
}


def ways_to_be_good(r):
    """Every i_0; r[0] is r_1."""
    at = lambda i: r[i - 1]
    p = len(r)
    return [i0 for i0 in range((p + 1) // 2)
            if all(at(2 * i - 1) == at(2 * i) for i in range(1, i0 + 1)) and at(2 * i0 + 1) % 2 == 0
            and all(odd(at(i)) for i in range(2 * i0 + 2, p + 1))]


def good_ones(p, q):
    for r in combinations_with_replacement(range(q + 1), p):
        if odd(p * q - sum(r)):
            for i0 in ways_to_be_good(r):
                yield r, i0


def takes(r, i):
    """r after a removal from row i, or None."""
    before = r[i - 2] if i >= 2 else 0
    return r[:i - 1] + (r[i - 1] - 1,) + r[i:] if 1 <= i <= len(r) and r[i - 1] > before else None


def good_first(p, q):
    return 0 in ways_to_be_good((q - 1,) + (q,) * (p - 1)) if odd(p * q) else None


def good_safe(p, q):
    if not odd(p * q):
        return None
    return all(not (i % 2 == 0 and (q + 1 - r[i - 1]) % 2 == 0) for r, _ in good_ones(p, q) for i in range(1, p + 1) if takes(r, i))


def good_answers(p, q):
    if not odd(p * q):
        return None
    for r, i0 in good_ones(p, q):
        row = lambda i: r[i - 1] if i else 0
        for i in range(1, p + 1):
            after = takes(r, i)
            if after is None:
                continue
            if i <= 2 * i0:
                answered = i + 1
            elif row(i) > row(i - 1) + 1:
                answered = i
            elif i == 2 * i0 + 1:
                answered = 2 * next(k for k in range(p) if row(2 * k + 1) == row(2 * k + 2) == row(i) - 1) + 1
            elif i == 2 * i0 + 2:
                answered = i + 1
            else:
                return False
            last = takes(after, answered)
            if last is None or not ways_to_be_good(last):
                return False
    return True


def main():
    print("# Made by claims.py, which says how. A line: the space, the claim, and how often it is right and wrong there.")
    paths = [one for n in range(1, 6) for one in unions(n, range(3))]
    claims = {"lemma-1": lemma_1, "algorithm-applies-smallest": applies(min), "algorithm-applies-largest": applies(max),
              "algorithm-increasing": increasing}
    for name, claim in claims.items():
        said = [claim(one) for one in paths]
        print("paths 1..=5 0..=2", name, said.count(True), said.count(False), sep="\t")
    claims = dict(STRATEGIES, **{"good-first": good_first, "good-safe": good_safe, "good-answers": good_answers})
    for name, claim in claims.items():
        said = [claim(p, q) for p in range(1, 6) for q in range(1, 4)]
        print("grids 1..=5 1..=3", name, said.count(True), said.count(False), sep="\t")


main()
