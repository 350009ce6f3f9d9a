"""Writes claims.txt: what claims of the paper on Graph Nim come to on small boxes, counted from the paper alone.

    python3 claims.py > claims.txt

It shares no code with this repository: positions are solved by the rules, from small weights up, and each claim is written down from
its sentence. A line is the graph, the range of its weights, the claim, and how often it is right and wrong there.
"""

from functools import reduce
from itertools import combinations, product
from operator import xor

GRAPHS = {
    "F2": "AB BC CD DB", "G2": "AB AC AD BE", "G3": "AB BC CD DE", "G4": "AB BC CA DE", "H1": "AB BC CD EF", "H2": "AB BC DE EF",
    "I1": "AB BC DE FG", "I2": "AB CD EF GH", "F1": "AB BC CD DA", "G1": "AB AC AD AE", "H3": "AB AC AD EF",
}
EDGES = {name: edges.split() for name, edges in GRAPHS.items()}
NIM = ["AB", "CD", "EF"]


def moves(edges, weights):
    for vertex in sorted(set("".join(edges))):
        at = [e for e, edge in enumerate(edges) if vertex in edge]
        for left in product(*(range(weights[e] + 1) for e in at)):
            after = list(weights)
            for e, weight in zip(at, left):
                after[e] = weight
            if tuple(after) != weights:
                yield tuple(after)


def losing(edges, high):
    lost = set()
    for weights in sorted(product(range(high + 1), repeat=len(edges)), key=sum):
        if not any(after in lost for after in moves(edges, weights)):
            lost.add(weights)
    return lost


def stars(edges, weights):
    components = []
    for edge, weight in zip(edges, weights):
        joined = [c for c in components if c[0] & set(edge)]
        components = [c for c in components if c not in joined]
        components.append((set(edge).union(*(c[0] for c in joined)), weight + sum(c[1] for c in joined)))
    return [weight for _, weight in components]


def balanced(numbers):
    return reduce(xor, numbers, 0) == 0


def special(triangle, k):
    """Every (l, m, i) by Definition 4.5."""
    found = []
    for m in range(1, max(triangle) + 1):
        if m * (m + 1) <= 2 * k <= m * (m + 3):
            for i in range(1, m + 2):
                for l in range(max(triangle) + 1):
                    base = k + (m + 1) * l
                    if sorted(triangle) == sorted((base + 1, base + i, base + m + 2 - i)):
                        found.append((l, m, i))
    return found


def is_special(triangle):
    return any(special(triangle, k) for k in range(1, max(triangle) + 1))


def f(k):
    return k.bit_length() - 1


def parts(k, ab, cd):
    power = 2 ** (f(k) + 1)
    return divmod(ab, power), divmod(cd, power), power


def legal(edges, weights, removed):
    """The weights after a move, or None if it is none."""
    after = tuple(w - r for w, r in zip(weights, removed))
    ok = all(r >= 0 for r in removed) and all(w >= 0 for w in after) and sum(removed) > 0
    touched = [edges[e] for e, r in enumerate(removed) if r > 0]
    return after if ok and any(all(v in edge for edge in touched) for v in "".join(edges)) else None


def leads(name, weights, removed, there):
    after = legal(EDGES[name], weights, removed)
    return after is not None and there(after)


def move_4_3(w):
    ab, bc, cd, db = w
    if min(w) < 1 or (bc == db and cd == ab + bc):
        return None
    i, heavier = (db, 1) if bc > db else (bc, 3)
    removed = [0, 0, 0, 0]
    removed[heavier] = abs(bc - db)
    if cd >= i + ab:
        removed[2] = cd - (i + ab)
    else:
        removed[0] = ab - (cd - i)
    return leads("F2", w, removed, lambda a: a[1] == a[3] and a[2] == a[0] + a[1])


def move_4_4_g2(w):
    ab, ac, ad, be = w
    if min(w) < 1:
        return None
    there = lambda a: a[0] == 0 and a[1] + a[2] == a[3]
    if be >= ac + ad:
        return leads("G2", w, (ab, 0, 0, be - ac - ad), there)
    return any(leads("G2", w, (ab, x, ac + ad - be - x, 0), there) for x in range(ac + 1))


def move_4_4_g3(w):
    if min(w) < 1:
        return None
    there = lambda a: 0 in (a[1], a[2]) and (a[0] + a[1] == a[3] if a[2] == 0 else a[0] == a[2] + a[3])
    ab, bc, cd, de = w
    for ab, bc, cd, de, order in ((ab, bc, cd, de, (0, 1, 2, 3)), (de, cd, bc, ab, (3, 2, 1, 0))):
        if de >= ab + bc:
            removed = (0, 0, cd, de - ab - bc)
        elif ab + bc > de >= ab:
            removed = (0, ab + bc - de, cd, 0)
        else:
            continue
        return leads("G3", w, tuple(removed[e] for e in order), there)


def relabelled(w):
    """The triangle's weights in ascending order, and how to write a removal from them."""
    order = sorted(range(3), key=lambda e: w[e])
    def removal(low, middle, high, de):
        removed = [0, 0, 0, de]
        for e, r in zip(order, (low, middle, high)):
            removed[e] = r
        return tuple(removed)
    return [w[e] for e in order], removal


def a1(a):
    return a[3] >= 1 and bool(special(a[:3], a[3]))


def a2(a):
    return a[3] == sum(a[:3]) and len(set(a[:3])) > 1 and not is_special(a[:3])


def same(a):
    return a[3] == 0 and len(set(a[:3])) == 1


def move_d1(w):
    (low, middle, high), removal = relabelled(w)
    de = w[3]
    if min(w) < 1 or not low <= de <= middle + high:
        return None
    there = lambda a: 0 in a[:3] and sum(a[:3]) == a[3]
    if de <= low + high:
        return leads("G4", w, removal(0, middle, low + high - de, 0), there)
    return leads("G4", w, removal(low, middle + high - de, 0, 0), there)


def move_d3(w):
    weights, removal = relabelled(w)
    low, middle, high = weights
    k = w[3]
    if min(w) < 1 or k >= low or a1(w):
        return None
    (m,) = [m for m in range(1, k + 1) if m * (m + 1) <= 2 * k <= m * (m + 3)]
    split = [next((r, l) for l in range(x + 1) for r in range(1, m + 2) if x == k + r + (m + 1) * l) for x in weights]
    (r1, l1), (r2, l2), (r3, l3) = split
    if l1 == l2 == l3:
        l = l1
        if r1 == r2 == r3:
            removed = removal(0, 0, 0, k)
        elif m + 2 - r2 <= r3:
            removed = removal(r1 - 1, 0, r3 - (m + 2 - r2), 0)
        else:
            n = r2 + r3 - 2 * r1
            (other,) = [j for j in range(n * (n + 1) // 2, n * (n + 3) // 2 + 1) if (k + r1 - 1 + (m + 1) * l - j) % (n + 1) == 0]
            removed = removal(0, 0, 0, k - other)
    else:
        removed = removal(0, r2 - 1 + (m + 1) * (l2 - l1), high - (k + m + 2 - r1 + (m + 1) * l1), 0)
    return leads("G4", w, removed, lambda a: a1(a) or same(a))


def move_d5(w):
    (low, middle, high), removal = relabelled(w)
    de, total = w[3], sum(w[:3])
    if min(w) < 1 or de <= middle + high or de == total or is_special(w[:3]):
        return None
    if low == high:
        removed = removal(0, 0, 0, de)
    elif de > total:
        removed = removal(0, 0, 0, de - total)
    else:
        removed = removal(total - de, 0, 0, 0)
    return leads("G4", w, removed, lambda a: a2(a) or same(a))


def on_h1(w, removed, there):
    return leads("H1", w, removed, there)


def galaxy_of_three(a):
    return a[1] == 0 and balanced((a[0], a[2], a[3]))


def move_4_7(w):
    ab, bc, cd, ef = w
    if min(w) < 1:
        return None
    if ab <= ef <= ab + bc:
        return on_h1(w, (0, ab + bc - ef, cd, 0), lambda a: a[2] == 0 and a[0] + a[1] == a[3])
    if cd <= ef <= bc + cd:
        return on_h1(w, (ab, bc + cd - ef, 0, 0), lambda a: a[0] == 0 and a[1] + a[2] == a[3])


def move_4_8_1(w):
    ab, bc, cd, ef = w
    return on_h1(w, (0, bc, 0, 0), galaxy_of_three) if min(w) >= 1 and balanced((ab, cd, ef)) else None


def move_4_8_2(w):
    ab, bc, cd, ef = w
    if min(ab, cd, ef) < 1 or balanced((ab, cd, ef)):
        return None
    top = f(ab ^ cd ^ ef)
    if ab >> top & 1:
        return on_h1(w, (ab - (cd ^ ef), bc, 0, 0), galaxy_of_three)
    if cd >> top & 1:
        return on_h1(w, (0, bc, cd - (ab ^ ef), 0), galaxy_of_three)


def move_4_9_iii(w):
    ab, bc, cd, k = w
    if k < 1:
        return None
    (m1, l1), (m2, l2), _ = parts(k, ab, cd)
    if m1 != m2 or k not in (l1, l2) or not (min(l1, l2) > 0 or bc > 0):
        return None
    return on_h1(w, (0, bc, l2, 0) if k == l1 else (l1, bc, 0, 0), galaxy_of_three)


def move_4_11_a(w):
    ab, bc, cd, k = w
    if k < 1:
        return None
    (m1, l1), (m2, l2), power = parts(k, ab, cd)
    low = min(l1, l2)
    if m1 != m2 or low >= k or bc <= k - low:
        return None
    removed = (0, bc - (k - l1), l2, 0) if l1 <= l2 else (l1, bc - (k - l2), 0, 0)
    form = lambda a: any(sorted((a[0], a[2])) == sorted((power * m, power * m + k - s)) and a[1] == s for m in range(9) for s in range(1, k + 1))
    return on_h1(w, removed, form)


def move_4_12(w):
    ab, bc, cd, ef = w
    if ef:
        return None
    return on_h1(w, (ab - cd, bc, 0, 0) if ab >= cd else (0, bc, cd - ab, 0), lambda a: a[1] == 0 and a[0] == a[2])


def becomes(w, chosen, elements):
    ways = [(l, m, i) for l, m, i in (special(w[:3], w[3]) if min(w) >= 1 else []) if chosen(m, i)]
    return all(sorted(w[:3]) == sorted(e + (m + 1) * l for e in elements(w[3], m)) for l, m, i in ways) if ways else None


def section_4_1_m(w):
    k = w[3]
    return sum(m * (m + 1) <= 2 * k <= m * (m + 3) for m in range(1, k + 2)) == 1 if w[:3] == (1, 1, 1) and k >= 1 else None


def lemma_4_13(sums):
    for place, k in enumerate(sums):
        if k >= 1:
            (m1, l1), (m2, l2), _ = parts(k, *(s for other, s in enumerate(sums) if other != place))
            if m1 == m2 and l1 + l2 < k:
                return True
    return False


def count(name, high, claims):
    edges = NIM if name == "AB CD EF" else EDGES[name]
    lost = losing(edges, high) if any(needs for needs, _ in claims.values()) else set()
    for claim, (needs, says) in claims.items():
        totals = [0, 0]
        for weights in product(range(high + 1), repeat=len(edges)):
            said = says(weights)
            if said is not None:
                right = (("P" if weights in lost else "N") == said) if needs else said
                totals[not right] += 1
        print(name, f"0..={high}", claim, *totals, sep="\t")


def value(says):
    return True, says


def fact(says):
    return False, says


def graphs():
    """Text on figure 2 and figure 3, on every set of four edges on eight vertices."""
    pairs = ["".join(pair) for pair in combinations("ABCDEFGH", 2)]
    def invariant(edges):
        degree = {v: sum(v in e for e in edges) for v in "ABCDEFGH"}
        return tuple(sorted(tuple(sorted(degree[v] for v in e)) for e in edges)), tuple(sorted(stars(edges, [1] * 4)))
    # These invariants tell graphs with four edges apart.
    known = {invariant(edges): name for name, edges in EDGES.items()}
    assert len(known) == 11
    assert {invariant(edges) for edges in combinations(pairs, 4)} == set(known)
    galaxies, figure = [0, 0], [0, 0]
    for edges in combinations(pairs, 4):
        name = known[invariant(edges)]
        is_galaxy = all(any(all(v in e for e in reach(edge, edges)) for v in edge) for edge in edges)
        if name in ("G1", "H2", "H3", "I1", "I2"):
            galaxies[not is_galaxy] += 1
        figure[(name in ("F2", "G2", "G3", "G4", "H1")) != (not is_galaxy and name != "F1")] += 1
    print("sets of 4 edges", "8 vertices", "section-4-galaxies", *galaxies, sep="\t")
    print("sets of 4 edges", "8 vertices", "figure-3", *figure, sep="\t")


def reach(edge, edges):
    """The component of an edge."""
    found = {edge}
    while True:
        more = {e for e in edges if any(set(e) & set(other) for other in found)}
        if more == found:
            return found
        found = more


def main():
    print("# Made by claims.py, which says how. A line: the graph, its weights, the claim, and how often it is right and wrong there.")
    for name, high in (("I2", 4), ("AB CD EF", 7)):
        edges = NIM if name == "AB CD EF" else EDGES[name]
        count(name, high, {
            "thm-2.1": value(lambda w: ("P" if balanced(w) else "N") if min(w) >= 1 else None),
            "thm-2.3": value(lambda w: "P" if balanced(w) else "N"),
        })
    for name in ("I1", "H2"):
        count(name, 4, {"thm-2.3": value(lambda w: "P" if balanced(stars(EDGES[name], w)) else "N")})
    for name in ("I1", "AB CD EF"):
        edges = NIM if name == "AB CD EF" else EDGES[name]
        count(name, 5, {
            "lemma-4.13": value(lambda w: "N" if min(w) >= 1 and lemma_4_13(stars(edges, w)) else None),
            "lemma-4.13-as-used": value(lambda w: "N" if lemma_4_13(stars(edges, w)) else None),
        })
    count("F2", 6, {"thm-4.3-move": fact(move_4_3)})
    count("G2", 6, {"thm-4.4.g2-move": fact(move_4_4_g2)})
    count("G3", 6, {"thm-4.4.g3-move": fact(move_4_4_g3)})
    count("G4", 10, {
        "step-d1-move": fact(move_d1), "step-d3-move": fact(move_d3), "step-d5-move": fact(move_d5),
        "example-4.5.i-1": fact(lambda w: becomes(w, lambda m, i: i == 1, lambda k, m: (k + 1, k + 1, k + m + 1))),
        "example-4.5.middle-printed":
            fact(lambda w: becomes(w, lambda m, i: m % 2 == 0 and i == m / 2 + 1, lambda k, m: (k + 1, k + m + 1, k + m + 1))),
        "example-4.5.middle":
            fact(lambda w: becomes(w, lambda m, i: m % 2 == 0 and i == m / 2 + 1, lambda k, m: (k + 1, k + m // 2 + 1, k + m // 2 + 1))),
        "section-4.1-m": fact(section_4_1_m),
    })
    count("H1", 7, {
        "lemma-4.7-move": fact(move_4_7), "thm-4.8.1-move": fact(move_4_8_1), "thm-4.8.2-move": fact(move_4_8_2),
        "lemma-4.9.iii-move": fact(move_4_9_iii), "lemma-4.11.a-move": fact(move_4_11_a), "remark-4.12-move": fact(move_4_12),
        "lemma-4.11.b": value(lambda w: "N" if w[1] > w[3] else None),
    })
    graphs()


main()
