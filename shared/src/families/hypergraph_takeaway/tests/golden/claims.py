"""Writes claims.txt: what the claims of the paper on take-away games come to, counted from the paper alone.

    python3 claims.py > claims.txt

It shares no code with this repository. A hypergraph is a set of vertices and a set of hyperedges; Grundy values are found by the
rules of the game and nothing else. Members of the family are found among all graphs on the vertices of X, up to isomorphism by the
least relabelling of small ones, or by their components where there are many. A line is the space, the claim, and how often it is
right and wrong there.
"""

from functools import cache
from itertools import combinations, permutations


@cache
def grundy(vertices, edges):
    options = {grundy(vertices - {v}, frozenset(e for e in edges if v not in e)) for v in vertices}
    options |= {grundy(vertices, edges - {e}) for e in edges}
    return next(g for g in range(len(options) + 1) if g not in options)


def least(count, edges):
    return min(tuple(sorted(tuple(sorted(order[v] for v in e)) for e in edges)) for order in permutations(range(count)))


def hypergraphs(count, smallest):
    """One hypergraph of each isomorphism class."""
    sets = [frozenset(c) for size in range(smallest, count + 1) for c in combinations(range(count), size)]
    seen = set()
    for word in range(1 << len(sets)):
        edges = frozenset(s for place, s in enumerate(sets) if word >> place & 1)
        key = least(count, edges)
        if key not in seen:
            seen.add(key)
            yield frozenset(range(count)), edges


def has_marked_coloring(vertices, edges):
    subsets = (set(c) for size in range(len(vertices) + 1) for c in combinations(vertices, size))
    return any(all(len(e & m) % 2 == 1 for e in edges) for m in subsets)


def count(space, positions, claims):
    totals = {name: [0, 0] for name in claims}
    for position in positions:
        for name, claim in claims.items():
            says = claim(position)
            if says is not None:
                totals[name][not says] += 1
    for name, (held, refuted) in totals.items():
        print(space, name, held, refuted, sep="\t")


def theorem_2_4(position):
    vertices, edges = position
    if any(len(e) % 2 == 0 for e in edges):
        return None
    printed = {(0, 0): 0, (1, 0): 1, (1, 1): 2, (0, 1): 3}
    return grundy(*position) == printed[len(vertices) % 2, len(edges) % 2]


def theorem_2_8(position):
    vertices, edges = position
    if any(len(e) % 2 for e in edges) or not has_marked_coloring(vertices, edges):
        return None
    return grundy(*position) == len(vertices) % 2 + 2 * (len(edges) % 2)


def graphs(order, least_part=(1, 0)):
    """Multisets of paths and cycles with so many vertices: (vertices, is a cycle), ascending."""
    if order == 0:
        yield ()
    kinds = [(n, c) for n in range(1, order + 1) for c in (0, 1) if not c or n >= 3]
    for kind in kinds:
        if kind >= least_part:
            for rest in graphs(order - kind[0], kind):
                yield (kind, *rest)


def member(parts):
    """|V(X)|, |E(Y)| and the number of vertices in A, B and C, from the graph itself."""
    edges, first = [], 0
    for n, cycle in parts:
        edges += [(v, v + 1) for v in range(first, first + n - 1)] + ([(first, first + n - 1)] if cycle else [])
        first += n
    degree = [sum(v in e for e in edges) for v in range(first)]
    assert max(degree, default=0) <= 2 and len(set(edges)) == len(edges)
    return first, len(edges), degree.count(1), degree.count(2), degree.count(0)


def parts_graph(parts):
    """The edges {u,v} of the hyperedges {S,u,v}, and |V(X)|."""
    edges, first = [], 0
    for n, cycle in parts:
        edges += [(v, v + 1) for v in range(first, first + n - 1)] + ([(first, first + n - 1)] if cycle else [])
        first += n
    return edges, first


@cache
def impartial(x_stands, s_stands, singles, parts):
    """The Grundy value of X (if it stands) on all vertices in `singles` and `parts`, with S: `parts` are paths and cycles of at least two
    vertices, as (vertices, is a cycle), ascending; without S they fall apart."""
    def normal(singles, parts):
        return singles + sum(1 for n, c in parts if n == 1), tuple(sorted((n, c) for n, c in parts if n > 1))

    values = set()
    if not s_stands:
        assert not parts
        # Vertices, and X on them if it stands.
        if singles:
            values.add(impartial(False, False, singles - 1, ()))
        if x_stands:
            values.add(impartial(False, False, singles, ()))
        return next(g for g in range(len(values) + 1) if g not in values)
    values.add(impartial(x_stands, False, singles + sum(n for n, _ in parts), ()))
    if x_stands:
        values.add(impartial(False, True, singles, parts))
    if singles:
        values.add(impartial(False, True, singles - 1, parts))
    for place, (n, cycle) in enumerate(parts):
        others = parts[:place] + parts[place + 1:]
        cut = [((n, 0),)] if cycle else [((k, 0), (n - k, 0)) for k in range(1, n)]
        values |= {impartial(x_stands, True, *normal(singles, others + pieces)) for pieces in cut}
        lost = [((n - 1, 0),)] if cycle else [tuple((k, 0) for k in (k, n - 1 - k) if k) for k in range(n)]
        values |= {impartial(False, True, *normal(singles, others + pieces)) for pieces in lost}
    return next(g for g in range(len(values) + 1) if g not in values)


def told(parts):
    """What the options of a member are, each with its Grundy value: S, A, B, C, X, and ("Y", its group)."""
    standing = tuple(sorted((n, c) for n, c in parts if n > 1))
    singles = sum(1 for n, _ in parts if n == 1)
    split = lambda pieces: (singles + sum(1 for n, c in pieces if n == 1), tuple(sorted((n, c) for n, c in pieces if n > 1)))
    found = [("S", impartial(True, False, sum(n for n, _ in parts), ())), ("X", impartial(False, True, singles, standing))]
    if singles:
        found.append(("C", impartial(False, True, singles - 1, standing)))
    for place, (n, cycle) in enumerate(standing):
        others = standing[:place] + standing[place + 1:]
        for k in range(1 if cycle else n):
            pieces = ((n - 1, 0),) if cycle else tuple((m, 0) for m in (k, n - 1 - k) if m)
            found.append(("B" if cycle or 0 < k < n - 1 else "A", impartial(False, True, *split(others + pieces))))
        for k in ([0] if cycle else range(1, n)):
            pieces = ((n, 0),) if cycle else ((k, 0), (n - k, 0))
            rest = others + pieces + ((1, 0),) * singles
            found.append((("Y", group(member(rest)) if member(rest)[1] else None), impartial(True, True, *split(others + pieces))))
    return found


def cases(hypothesis, values):
    def claim(parts):
        one = member(parts)
        if not hypothesis(one[1], group(one)):
            return None
        return all(value == values[kind if isinstance(kind, str) else "Y"] for kind, value in told(parts)
                   if (kind if isinstance(kind, str) else "Y") in values)
    return claim


def case_6(parts):
    if member(parts)[1] % 2 == 0 or member(parts)[1] == 1:
        return None
    return all(kind[1] in (1, 3, 4, 5) and value == (0 if kind[1] == 1 else 4) for kind, value in told(parts) if kind[0] == "Y")


def mex(*values):
    return next(g for g in range(9) if g not in values)


SEVEN, EIGHT = dict(S=2, A=0, B=3, C=3, X=2), dict(S=2, A=3, B=0, C=0, X=1, Y=1)
OPTIONS = {
    "thm-7-kinds": lambda parts: member(parts)[0] % 2 == 0,
    "thm-7-mex": lambda parts: [mex(2, 0, 2, 3), mex(2, 3, 1, 1), mex(2, 3, 0, 1, 1), mex(2, 0, 3, 2, 4), mex(2, 0, 1, 1)] == [1, 0, 4, 1, 3],
    "thm-7-base-options": cases(lambda y, g: y == 1, dict(SEVEN, Y=3)),
    "thm-7-options": cases(lambda y, g: y % 2 and y > 1, SEVEN), "thm-7-case-6": case_6,
    "thm-8-base-options": cases(lambda y, g: y == 2 and g in (3, 4, 5), EIGHT),
    "thm-8-options": cases(lambda y, g: y % 2 == 0 and y > 2 and g in (3, 4, 5), EIGHT),
    "thm-9-base-options": cases(lambda y, g: y == 2 and g == 1, EIGHT), "thm-9-options": cases(lambda y, g: y % 2 == 0 and y > 2 and g == 1, EIGHT),
    "thm-10-options": cases(lambda y, g: y % 2 == 0 and g == 2, EIGHT),
}


def group(one):
    kinds = "".join(name for name, number in zip("ABC", one[2:]) if number)
    return {"A": 1, "B": 2, "AB": 3, "AC": 4, "ABC": 5}.get(kinds)


def if_(hypothesis, statement):
    return statement if hypothesis else None


FIGURE_3 = [(2, 1, 2, 0, 0), (4, 2, 2, 1, 1), (6, 3, 2, 2, 2), (8, 4, 8, 0, 0)]
MEMBERS = {
    "section-1-neither": lambda m: m[0] % 2 == 0 and m[1] > 0,
    "figure-3": lambda m: if_(m in FIGURE_3, True),
    "lemma-1": lambda m: m[4] < m[0],
    "lemma-2": lambda m: if_(m[3] == m[0], m[1] == m[0]),
    "lemma-3": lambda m: if_(m[3] == m[0], m[1] >= 4),
    "lemma-4": lambda m: not (m[2] == 0 and m[3] and m[4]),
    "lemma-5": lambda m: if_(m[2] and m[3] and not m[4], m[1] >= 3),
    "lemma-5-case-3": lambda m: if_(m[1] == 2 and m[2] and m[3], m[2:4] == (2, 1)),
    "lemma-6": lambda m: group(m) is not None,
    "lemma-6.ii": lambda m: if_(group(m) == 2, m[1] % 2 == 0),
    "remark-6.a": lambda m: if_(group(m) in (1, 3, 4, 5), m[2] > 0),
    "remark-6.a-as-used": lambda m: if_(group(m) != 2, m[2] > 0),
    "remark-6.b": lambda m: if_(group(m) in (3, 4, 5), m[3] + m[4] > 0),
    "thm-7-vertices": lambda m: (m[0] + 1) % 2 == 1,
    "thm-7-base": lambda m: if_(m[1] == 1, group(m) in (1, 4) and m[2] == 2),
    "thm-7-step": lambda m: if_(m[1] > 1 and m[1] % 2, group(m) in (1, 3, 4, 5)),
}


def main():
    print("# Made by claims.py, which says how. A line: the space, the claim, and how often it is right and wrong there.")
    small = [h for n in range(1, 5) for h in hypergraphs(n, 1)]
    count("all 1..=4 smallest 1", small, {"thm-2.4": theorem_2_4, "thm-2.8": theorem_2_8})
    members = [member(parts) for order in range(2, 15, 2) for parts in graphs(order) if any(part != (1, 0) for part in parts)]
    greatest = {order: max(m[1] for m in members if m[0] == order) for order in range(2, 15, 2)}
    claims = dict(MEMBERS, **{"remark-2": lambda m: if_(m[1] == greatest[m[0]], m[1] == m[0])})
    count("members 2..=14", members, claims)
    count("members 2..=8", [parts for order in range(2, 9, 2) for parts in graphs(order) if any(part != (1, 0) for part in parts)], OPTIONS)


main()
