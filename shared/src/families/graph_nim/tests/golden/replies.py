"""Writes replies.txt: what the answers to moves of the first player in sections 5 to 8 of the paper on Graph Nim come to on small boxes.

    python3 replies.py > replies.txt

It shares no code with this repository: positions are solved by the rules, from small weights up, and the answers are written down from
the paper, as what is left after them. A line is the claim, and how many losing positions of its kind have every move of a case answered
rightly, and how many not: a move that no case names, an answer that is no legal move, or one that does not lead to a losing position.
"""

from itertools import product

EDGES = {"F2": "AB BC CD DB".split(), "G4": "AB BC CA DE".split(), "H1": "AB BC CD EF".split()}
HIGH = {"F2": (6, 6, 12, 6), "G4": (10, 10, 10, 30), "H1": (21, 6, 29, 20)}
LOW = {"F2": 1, "G4": 1, "H1": 1}


def options(edges, w):
    seen = set()
    for vertex in sorted(set("".join(edges))):
        at = [e for e, edge in enumerate(edges) if vertex in edge]
        for left in product(*(range(w[e] + 1) for e in at)):
            after = list(w)
            for e, weight in zip(at, left):
                after[e] = weight
            seen.add(tuple(after))
    seen.discard(w)
    return seen


def is_move(edges, before, after):
    changed = [edge for edge, b, a in zip(edges, before, after) if a != b]
    return (all(0 <= a <= b for b, a in zip(before, after)) and changed != []
            and any(all(v in edge for edge in changed) for v in "".join(edges)))


def solve(edges, high):
    lost = set()
    for w in sorted(product(*(range(h + 1) for h in high)), key=sum):
        if not any(after in lost for after in options(edges, w)):
            lost.add(w)
    return lost


WIN = "P2 wins"
NONE = "no case names it"


def f(k):
    return k.bit_length() - 1


def table(value, choices, otherwise):
    return otherwise if value not in choices else choices[value]


# H1. A proof is about positions with AB = B + r, BC = s, CD = B + L, EF = K + 1, B = Mm: `when(K, s, L)` says about which; and it gives
# what P2 leaves, by the case. l, t and k are what P1 has left of CD (or AB) beyond B, of BC, and of EF.

def ef(x):
    return lambda o, B: o[:3] + (x,)


def ab(x, bc=None):
    return lambda o, B: (B + x, o[1] if bc is None else bc, o[2], o[3])


def cd(x, bc=None):
    return lambda o, B: (o[0], o[1] if bc is None else bc, B + x, o[3])


def bc(x):
    return lambda o, B: (o[0], x, o[2], o[3])


def low(answer):
    """Lemma 4.9 where P1 has left less than B, and Lemma 4.13, Theorem 2.3 or Theorem 4.8 where he has left nothing of BC."""
    return lambda K, s, L, l, t: WIN if l < 0 or t == 0 else answer(K, s, L, l, t)


def to_4_6(r, s, l, inside):
    """EF for AB = B + r, BC = s, CD = B + l by (4.5) where l + s - r is s..r-1 mod 2r, else by (4.6)."""
    return ef(l + s - r) if (l + s - r) % (2 * r) in range(s, r) else ef(l + s + r)


def cd_7_4(K, s, L, l, t):
    return WIN if l < 0 else ef(t + l) if t else ef(l)


def ef_7_4(K, s, L, k):
    return cd(k - s) if k >= s else cd(0, k) if k else WIN


def cd_7_6a(K, s, L, l, t):
    if l == K + 1 or t == 0 and l <= K:
        return WIN
    if l % 4 == 2 and l <= K + 1:
        return ef(l - 1)
    if l % 4 != 2 and l <= K - 3:
        return ef(l + 3)
    return ab(K - l) if l in (K - 1, K) else NONE


def ef_7_6a(K, s, L, k):
    if k in (0, 2, 3):
        return WIN
    return cd(1) if k == 4 else cd(k + 1) if k % 4 == 1 else cd(k - 3)


def ef_7_6b(is_read):
    def answer(K, s, L, k):
        if k in (K - 1, K):
            return ab(k + 1 - K)
        if k in (K - 2, 2):
            return WIN
        if k % 4 == 1:
            return cd(k + 1)
        if k >= 6 or k in (3, 4):
            return cd(k - 3)
        return WIN if is_read else NONE
    return answer


def beyond_2(l, t):
    """EF for AB = B + 2, BC = t, CD = B + l."""
    if l in (0, 1) or t >= 2:
        return ef(l + t + 2)
    return ef(l - 1) if l % 4 == 2 else ef(l + 3)


def beyond_4(l, t):
    """EF for AB = B + 4, BC = t, CD = B + l."""
    if l <= 3 or t >= 4:
        return ef(4 + t + l)
    return {1: ef(l - 3) if l % 8 in (4, 5, 6) else ef(l + 5), 2: ef(l - 2) if l % 8 in (4, 5) else ef(l + 6),
            3: ef(l - 1) if l % 8 == 4 else ef(l + 7)}[t]


def cd_8_9_1(K, s, L, l, t):
    i = K % 8
    if l < 0 or l == K + 1 or t == 0:
        return WIN
    if 7 <= l <= K - 5 and l % 8 in (0, 1, 2, 3, 7):
        return ef(l + 5)
    if l % 8 in (4, 5, 6):
        return ef(l - 3)
    known = {(K - 1, i): ab(1), (K, i): ab(0), (K - 2, 1): ab(2), (K - 2, 2): ab(2), (K - 3, 2): ab(3), (K + 2, 0): ab(3, 0),
             (K + 2, 1): ab(1, 0), (K + 3, 0): ab(2, 0)}
    return known.get((l, i), ef(l + 5) if l <= 3 else NONE)


def ef_8_9_1(K, s, L, k):
    if k in (0, 4):
        return WIN
    if k % 8 in (1, 2, 3):
        return cd(k + 3)
    return cd(k - 5)


def ef_8_9_2(K, s, L, k):
    i = K % 8
    if k in (0, 1, 2, 3, 4, K - 4):
        return WIN
    if k <= K - 8 and k % 8 in (1, 2, 3):
        return cd(k + 3)
    if k >= 12 and k % 8 in (0, 4, 5, 6, 7):
        return cd(k - 5)
    if (k, i) in ((K - 6, 7), (K - 5, 6), (K - 5, 7)):
        return WIN
    return ab(k + 3 - K) if k >= K - 3 else cd(k - 5) if k in (5, 6, 7, 8) else NONE


def cd_8_10_1(K, s, L, l, t):
    i = K % 8
    if l == K + 2:
        return ab(1, 0) if i == 1 else WIN if t == 0 else ef(K - 1) if t == 1 else ef(K)
    if l < 0 or l == K + 1:
        return WIN
    if l == K:
        return ab(0, 1) if t else WIN
    if t == 0:
        return WIN
    if l <= 3:
        return ef(4 + t + l)
    if t == 2:
        if l in (K - 4, K - 3, K - 2, K - 1) and l % 8 not in (4, 5):
            return ab(K - l - 1)
        return beyond_4(l, 2)
    if l in (K - 3, K - 2, K - 1) and l % 8 not in (4, 5, 6):
        return ab(K - l)
    return beyond_4(l, 1)


def ef_8_10_1(K, s, L, k):
    if k <= 5:
        return WIN
    return cd(k + 2) if k >= 10 and k % 8 in (2, 3) else cd(k - 6)


def ef_8_10_2(K, s, L, k):
    if k >= 12 and k % 8 in (0, 1, 4, 5, 6, 7):
        return cd(k - 6)
    if k == K - 6 and K % 8 == 0:
        return ab(1, 0)
    if 10 <= k <= K - 8 and k % 8 in (2, 3):
        return cd(k + 2)
    if k in (0, 1, 2, 3, 4, K - 5):
        return WIN
    if k >= K - 3:
        return ab(k - (K - 3))
    if k == K - 4:
        return ab(0, 1)
    return {5: cd(0, 1), 6: cd(1, 1), 8: cd(3, 1), 7: cd(1), 9: cd(3)}.get(k, NONE)


def bc_8_10_2(i_of_9):
    def answer(K, s, L, t):
        i = K % 8
        return WIN if t == 0 else ef(K) if i in (0, 4, 5, 6, 7) else ef(K - 8) if i == i_of_9 else NONE
    return answer


def cd_8_11_1(K, s, L, l, t):
    if l < 0 or l == K + 1 or t == 0:
        return WIN
    known = {(K, 1): ab(0, 1), (K, 2): ab(0, 1), (K, 3): ab(0, 1), (K - 1, 2): ab(0, 2), (K - 1, 3): ab(0, 2), (K - 1, 1): ab(1),
             (K - 2, t): ab(3 - t), (K - 3, t): ab(4 - t), (K - 4, 2): ab(3), (K - 4, 3): ab(2), (K - 4, 1): ef(K - 7),
             (K - 5, 3): ab(3), (K - 5, 2): ef(K - 7), (K - 5, 1): ef(K - 8)}
    return known.get((l, t)) or beyond_4(l, t)


def ef_8_11_1(K, s, L, k):
    if k <= 4:
        return WIN
    return cd(k + 1) if k % 8 == 3 else cd(k - 7) if k >= 7 else cd(0, k - 4)


def ef_8_11_2(K, s, L, k):
    if k in (0, 1, 2, 3, 4, K - 6):
        return WIN
    if k >= K - 3:
        return ab(3 + k - K)
    if k in (K - 5, K - 4):
        return ab(0, k + 6 - K)
    if k in (5, 6):
        return cd(0, k - 4)
    return cd(k + 1) if k % 8 == 3 else cd(k - 7)


def bc_8_11_2(K, s, L, t):
    i = K % 8
    if t == 0:
        return WIN
    if t == 2:
        return ef(K - 8) if i == 3 else ef(K)
    return ef(K - 9) if i in (3, 4) else ef(K - 1)


def wins(*_):
    return WIN


def chosen(by):
    return lambda K, s, L, x, *rest: by(x, *rest)


# The section, r, when, and the answers to moves on CD, AB, EF and BC.
H1 = [
    ("section-7.4-replies.a", 0, lambda K, s, L: L == 0 and s == K + 1,
     [wins, wins, lambda K, s, L, k: bc(k), lambda K, s, L, t: ef(t)]),
    ("section-7.4-replies.b", 0, lambda K, s, L: L >= 1 and s == K + 1 - L,
     [cd_7_4, wins, ef_7_4, lambda K, s, L, t: ef(L + t)]),
    ("section-8.5-replies", 1, lambda K, s, L: K >= 3 and L >= 1 and s == K - L,
     [low(lambda K, s, L, l, t: ef(t + l + 1)), low(lambda K, s, L, l, t: ef(t + L)),
      lambda K, s, L, k: cd(k - s - 1) if k >= s + 1 else WIN, lambda K, s, L, t: ef(L + t + 1) if t else WIN]),
    ("section-7.6-replies.a", 2, lambda K, s, L: s == 1 and K >= 4 and K % 4 == 0 and L == K + 2,
     [lambda K, s, L, l, t: WIN if l < 0 else cd_7_6a(K, s, L, l, t), low(lambda K, s, L, l, t: cd(K - l)), ef_7_6a, wins]),
    ("section-7.6-replies.b", 2, lambda K, s, L: s == 1 and K >= 6 and K % 4 and L == K - 2,
     [low(lambda K, s, L, l, t: beyond_2(l, 1)), low(lambda K, s, L, l, t: ef(K - 1 + l)), ef_7_6b(False), wins]),
    ("section-7.7-replies", 2, lambda K, s, L: K >= 6 and 2 <= L <= K - 3 and s == K - L - 1,
     [low(lambda K, s, L, l, t: beyond_2(l, t)), low(lambda K, s, L, l, t: ef(l + t + L)),
      lambda K, s, L, k: cd(L + k - K - 1) if k >= K - L + 1 else WIN, lambda K, s, L, t: beyond_2(L, t) if t else WIN]),
    ("section-8.8-replies", 3, lambda K, s, L: K >= 7 and 3 <= L <= K - 3 and s == K - L - 2,
     [low(lambda K, s, L, l, t: ef(3 + t + l)),
      low(lambda K, s, L, l, t: ef(L - 1) if (l, t, L % 4) == (2, 1, 2) else ef(l + t + L)),
      lambda K, s, L, k: cd(k + L - K - 1) if k >= K - L + 1 else WIN, lambda K, s, L, t: ef(3 + t + L) if t else WIN]),
    ("section-8.9.1-replies", 4, lambda K, s, L: s == 1 and K >= 8 and K % 8 in (0, 1, 2) and L == K + 4,
     [cd_8_9_1, wins, ef_8_9_1, wins]),
    ("section-8.9.2-replies", 4, lambda K, s, L: s == 1 and K >= 12 and K % 8 >= 3 and L == K - 4,
     [low(lambda K, s, L, l, t: beyond_4(l, t)), low(lambda K, s, L, l, t: ef(K - 5) if (l, K % 8) == (2, 6) else ef(K + l - 3)),
      ef_8_9_2, wins]),
    ("section-8.10.1-replies", 4, lambda K, s, L: s == 2 and K >= 9 and K % 8 in (1, 2) and L == K + 3,
     [cd_8_10_1, low(lambda K, s, L, l, t: cd(K + 1 - l - t)), ef_8_10_1, lambda K, s, L, t: ef(K) if t else WIN]),
    ("section-8.10.2-replies", 4, lambda K, s, L: s == 2 and K >= 12 and K % 8 not in (1, 2) and L == K - 5,
     [low(lambda K, s, L, l, t: beyond_4(l, t)),
      low(lambda K, s, L, l, t: ef(K - 6) if (l, t) == (2, 1) and K % 8 in (3, 7) else ef(K + l + t - 5)), ef_8_10_2, bc_8_10_2(1)]),
    ("section-8.11.1-replies", 4, lambda K, s, L: s == 3 and K >= 10 and K % 8 == 2 and L == K + 2,
     [cd_8_11_1, low(lambda K, s, L, l, t: cd(K + 1 - l - t)), ef_8_11_1, lambda K, s, L, t: ef(K - 2 + t) if t else WIN]),
    ("section-8.11.2-replies", 4, lambda K, s, L: s == 3 and K >= 12 and K % 8 != 2 and L == K - 6,
     [low(lambda K, s, L, l, t: beyond_4(l, t)),
      low(lambda K, s, L, l, t: ef(K - 7) if (l, t) == (2, 1) and K % 8 in (0, 4) else ef(K + l + t - 6)), ef_8_11_2, bc_8_11_2]),
    ("section-8.12-replies", 4, lambda K, s, L: K >= 12 and 4 <= L <= K - 7 and s == K - L - 3,
     [low(lambda K, s, L, l, t: beyond_4(l, t)), low(lambda K, s, L, l, t: ef(L - 1) if (l, t, L % 4) == (2, 1, 2) else ef(L + t + l)),
      lambda K, s, L, k: cd(k + L - K - 1) if k >= K - L + 1 else cd(0, k - 4) if k >= 5 else WIN,
      lambda K, s, L, t: beyond_4(L, t) if t else WIN]),
]
AS_READ = [("section-7.6-replies.b", 3, ef_7_6b(True)), ("section-8.10.2-replies", 4, bc_8_10_2(3))]


def base_8_9(K, s, L, k):
    return ab(k - 8) if k >= 8 else cd(k - 5) if k in (5, 6) else WIN


def base_8_10(K, s, L, k):
    return ab(k - 8) if k >= 8 else ab(0, 1) if k == 7 else cd(0, 1) if k == 5 else WIN


def unless_low(is_read, answer):
    return lambda K, s, L, l, t: (WIN if is_read else NONE) if l < 0 else WIN if t == 0 else answer(l, t)


# The base cases: r, (s, L, EF), and the answers.
BASES = [
    ("section-8.5-replies.base", 1, (1, 1, 3), [low(lambda K, s, L, l, t: ef(2)), low(lambda K, s, L, l, t: ef(2)),
                                              lambda K, s, L, k: {2: cd(0), 1: cd(0, 0), 0: WIN}[k], wins]),
    ("section-8.6-replies", 2, (1, 3, 6), [low(lambda K, s, L, l, t: ef(1) if l == 2 else ef(3 + l)), low(lambda K, s, L, l, t: ef(4 + l)),
                                         lambda K, s, L, k: ab(k - 4) if k >= 4 else bc(0) if k == 1 else WIN, wins]),
    ("section-8.7-replies", 2, (2, 2, 6), [low(lambda K, s, L, l, t: ef(t + l + 2))] * 2 + [
        lambda K, s, L, k: ab(k - 4) if k >= 4 else ab(0, 1) if k == 3 else WIN, lambda K, s, L, t: ef(1) if t else WIN]),
    ("section-8.8-replies.base", 3, (1, 3, 7), [low(lambda K, s, L, l, t: ef(4 + l))] * 2 + [
        lambda K, s, L, k: cd(k - 4) if k >= 4 else WIN, wins]),
    ("section-8.9-replies.base", 4, (1, 7, 12), [low(lambda K, s, L, l, t: beyond_4(l, 1)), low(lambda K, s, L, l, t: ef(8 + l)), base_8_9, wins]),
    ("section-8.10-replies.base", 4, (2, 6, 12), [
        low(lambda K, s, L, l, t: ef(l + t + 4) if l <= 3 else ef(t + l - 4)),
        low(lambda K, s, L, l, t: ef(5) if (l, t) == (2, 1) else ef(l + t + 6)), base_8_10, lambda K, s, L, t: ef(3) if t else WIN]),
]
for is_read in (False, True):
    suffix = "-as-read" if is_read else ""
    BASES.append(("section-8.11-replies.base" + suffix, 4, (3, 5, 12), [
        low(lambda K, s, L, l, t: ef(t) if l == 4 else ef(4 + l + t)), unless_low(is_read, lambda l, t: ef(5 + l + t)),
        lambda K, s, L, k: ab(k - 8) if k >= 8 else ab(0, k - 5) if k >= 6 else WIN, lambda K, s, L, t: ef(t + 1) if t else WIN]))
    BASES.append(("section-8.12-replies.base" + suffix, 4, (4, 4, 12), [unless_low(is_read, lambda l, t: ef(4 + l + t))] * 2 + [
        lambda K, s, L, k: cd(k - 8) if k >= 8 else cd(0, k - 4) if k >= 5 else WIN, lambda K, s, L, t: ef(t)]))


def kind(w, o):
    """1 to 4: P1 has moved on CD, on AB, on EF, or on BC alone."""
    return 1 if o[2] < w[2] else 2 if o[0] < w[0] else 3 if o[3] < w[3] else 4


def is_answered(graph, lost, o, after):
    if after == NONE:
        return False
    if after == WIN:
        return o not in lost
    return is_move(EDGES[graph], o, after) and after in lost


def on_h1(lost, w, r, answers, o):
    K, B = w[3] - 1, w[0] - r
    which = kind(w, o)
    left = [(o[2] - B, o[1]), (o[0] - B, o[1]), (o[3],), (o[1],)][which - 1]
    answer = answers[which - 1](K, w[1], w[2] - B, *left)
    return is_answered("H1", lost, o, answer(o, B) if callable(answer) else answer)


def positions(graph):
    return product(*(range(LOW[graph], high + 1) for high in HIGH[graph]))


def show(name, results):
    results = list(results)
    print(name, sum(results), len(results) - sum(results), sep="\t")


def h1(lost):
    fits = {r: [] for r in range(5)}
    for w in positions("H1"):
        M = 2 ** (f(w[3]) + 1)
        for r in fits:
            if w[0] >= r and (w[0] - r) % M == 0:
                fits[r].append(w)
    for name, r, when, answers in H1:
        ours = [w for w in fits[r] if when(w[3] - 1, w[1], w[2] - (w[0] - r))]
        for case in (1, 2, 3, 4):
            moves = {w: [o for o in options(EDGES["H1"], w) if kind(w, o) == case] for w in ours}
            show(f"{name}.{case}", (all(on_h1(lost, w, r, answers, o) for o in moves[w]) for w in ours if moves[w]))
            for read, of, other in AS_READ:
                if (read, of) == (name, case):
                    changed = answers[:case - 1] + [other] + answers[case:]
                    show(f"{name}.{case}-as-read", (all(on_h1(lost, w, r, changed, o) for o in moves[w]) for w in ours))
    for name, r, (s, L, k), answers in BASES:
        ours = [w for w in fits[r] if (w[1], w[2] - (w[0] - r), w[3]) == (s, L, k)]
        show(name, (all(on_h1(lost, w, r, answers, o) for o in options(EDGES["H1"], w)) for w in ours))


def lemma_4_11_b(lost):
    cases, moves = [], []
    for ab_, bc_, cd_, k in positions("H1"):
        if bc_ <= k:
            continue
        M = 2 ** (f(k) + 1)
        (m1, l1), (m2, l2) = divmod(ab_, M), divmod(cd_, M)
        cases.append(k >= ab_ or k >= cd_ or m1 != m2 or m1 == 0 or min(l1, l2) < k)
        if k < min(ab_, cd_) and m1 == m2 >= 1 and min(l1, l2) < k:
            rest = k - min(l1, l2)
            after = (ab_, rest, M * m2, k) if l1 <= l2 else (M * m1, rest, cd_, k)
            moves.append(is_move(EDGES["H1"], (ab_, bc_, cd_, k), after) and after in lost)
    show("lemma-4.11.b-cases", cases)
    show("lemma-4.11.b-move", moves)


# F2.

def f2(lost):
    ours = [w for w in positions("F2") if w[1] == w[3] and w[2] == w[0] + w[1]]
    big = [w for w in ours if w[2] >= 3]

    def first(w, o):
        j = min(o[1], o[3])
        return (o[0], j, j + o[0], j)

    def second(w, o):
        i, j, k = w[1], min(o[1], o[3]), o[2]
        return (k - j, j, k, j) if w[2] - k >= i - j else (o[0], j, w[2] - i + j, j)

    for case, answer, is_meant in ((1, first, lambda w, o: o[2] == w[2]), (2, second, lambda w, o: o[2] < w[2])):
        moves = {w: [o for o in options(EDGES["F2"], w) if is_meant(w, o)] for w in big}
        show(f"thm-4.3-replies.{case}", (all(is_answered("F2", lost, o, answer(w, o)) for o in moves[w]) for w in big))
    base = {(0, 1, 2, 1): (0, 1, 1, 1), (1, 0, 2, 1): (1, 0, 1, 0), (1, 1, 2, 0): (1, 0, 1, 0), (0, 0, 2, 1): (0, 0, 0, 0), (0, 1, 2, 0): (0, 0, 0, 0),
            (1, 0, 2, 0): (1, 0, 1, 0), (0, 0, 2, 0): (0, 0, 0, 0), (1, 1, 1, 1): (0, 1, 1, 1), (1, 1, 0, 1): (0, 0, 0, 0), (1, 0, 1, 1): (1, 0, 1, 0),
            (1, 1, 1, 0): (1, 0, 1, 0), (1, 0, 0, 1): (0, 0, 0, 0), (1, 1, 0, 0): (0, 0, 0, 0)}
    start = (1, 1, 2, 1)
    show("section-8.1-replies", [all(is_answered("F2", lost, o, base.get(o, NONE)) for o in options(EDGES["F2"], start))])


# G4.

def ways(triangle):
    """Every (k, l, m, i) by Definition 4.5."""
    found = []
    for m in range(1, max(triangle) + 1):
        for k in range(m * (m + 1) // 2, m * (m + 3) // 2 + 1):
            for l in range(max(triangle) + 1):
                for i in range(1, m + 2):
                    base = k + (m + 1) * l
                    if sorted(triangle) == sorted((base + 1, base + i, base + m + 2 - i)):
                        found.append((k, l, m, i))
    return found


def in_range(k):
    return next(m for m in range(1, k + 1) if m * (m + 1) <= 2 * k <= m * (m + 3))


def with_edges(o, changes):
    after = list(o)
    for e, weight in changes.items():
        after[e] = weight
    return tuple(after)


def g4(lost):
    triangles = [t for t in product(range(1, HIGH["G4"][0] + 1), repeat=3) if t[0] <= t[1] <= t[2]]
    special = {t: ways(t) for t in triangles}
    a1 = [(t, way) for t, found in special.items() for way in {w[:3]: w for w in found}.values() if way[0] <= HIGH["G4"][3]]
    show("section-6.2-cover", (m >= 2 or k == 1 for _, (k, l, m, _) in a1))
    induction = [(t + (way[0],), way) for t, way in a1 if way[2] >= 2]

    def unchanged_and_other(w, o, least):
        """The edge with the least weight, an edge that P1 left, and the third."""
        return [(e1, e3, 3 - e1 - e3) for e1 in range(3) if o[e1] == least and o[e1] < w[e1] for e3 in range(3) if e3 != e1 and o[e3] == w[e3]]

    def d2(case, w, way, o):
        K, L, top, _ = way
        M, least = top - 1, min(o[:3])
        if case == 1:
            m = o[1] + o[2] - 2 * w[0]
            k = next(k for k in range(m * (m + 1) // 2, m * (m + 3) // 2 + 1) if (w[0] - 1 - k) % (m + 1) == 0)
            return is_answered("G4", lost, o, o[:3] + (k,))
        if case == 2:
            r = next(r for r in range(1, M + 3) if (least - K - r) % (M + 2) == 0)
            l = (least - K - r) // (M + 2)
            tries = [with_edges(o, {e2: K + 1 + (M + 2) * l, e3: K + M + 3 - r + (M + 2) * l}) for _, e3, e2 in unchanged_and_other(w, o, least)]
        elif case == 3:
            tries = [with_edges(o, {e3: K - o[e1], e2: 0}) for e1, e3, e2 in unchanged_and_other(w, o, least)]
        else:
            k = o[3]
            if k == 0:
                return is_answered("G4", lost, o, WIN)
            m, i = in_range(k), w[1] - (K + (M + 2) * L)
            r = (K + (M + 2) * L - k) % (m + 1)
            if 2 * (r + 1) > m + i - M:
                tries = [(o[0], o[1] - (r + i - 1), o[2] - (2 * (1 + r) + M - i - m), k)]
            else:
                tries = [(o[0] - r, o[1], o[2] - (M - m + 1 + 2 * r), k)]
        return any(is_answered("G4", lost, o, after) for after in tries)

    def case_of(w, way, o):
        least = min(o[:3])
        return 4 if o[3] < w[3] else 1 if least == w[0] else 2 if least > way[0] else 3

    for case in (1, 2, 3, 4):
        results = []
        for w, way in induction:
            moves = [o for o in options(EDGES["G4"], w) if case_of(w, way, o) == case]
            results.append(all(d2(case, w, way, o) for o in moves))
        show(f"step-d2-replies.{case}", results)

    results = []
    for l in range(HIGH["G4"][0]):
        w = (2 + 2 * l, 2 + 2 * l, 3 + 2 * l, 1)
        if w[2] > HIGH["G4"][2]:
            break
        good = True
        for o in options(EDGES["G4"], w):
            least = min(o[:3])
            if o[3] == 0:
                answers = [(w[0], w[0], w[0], 0)]
            elif least == 0:
                answers = [WIN]
            elif least == w[0]:
                answers = [o[:3] + (0,)]
            else:
                i = (least - 2) // 2
                rest = (0, 0) if least == 1 else (2 + 2 * i, 3 + 2 * i) if least % 2 == 0 else (2 + 2 * i, 2 + 2 * i)
                answers = [with_edges(o, dict(zip(others, pair))) for e in range(3) if o[e] == least
                           for others in [[x for x in range(3) if x != e]] for pair in (rest, rest[::-1])]
            good &= any(is_answered("G4", lost, o, after) for after in answers)
        results.append(good)
    show("section-8.2-replies", results)

    a2 = [t + (sum(t),) for t, found in special.items() if not found and t[0] != t[2] and sum(t) >= 5 and sum(t) <= HIGH["G4"][3]]
    for case in (1, 2):
        results = []
        for w in a2:
            good = True
            for o in options(EDGES["G4"], w):
                if (o[3] < w[3]) != (case == 2):
                    continue
                if case == 1:
                    found = ways(o[:3])
                    after = o[:3] + (found[0][0] if found else 0 if o[0] == o[1] == o[2] else sum(o[:3]),)
                else:
                    after = WIN if o[3] <= w[1] + w[2] else (o[3] - w[1] - w[2],) + o[1:]
                good &= is_answered("G4", lost, o, after)
            results.append(good)
        show(f"step-d4-replies.{case}", results)
    start, good = (1, 1, 2, 4), True
    for o in options(EDGES["G4"], start):
        if o[3] == 4:
            after = WIN if min(o[:3]) == 0 else o[:3] + (0,)
        else:
            after = {3: (0, 1, 2, 3), 2: (0, 0, 2, 2), 1: (1, 0, 0, 1), 0: (1, 1, 1, 0)}[o[3]]
        good &= is_answered("G4", lost, o, after)
    show("section-8.3-replies", [good])


def main():
    print("# Made by replies.py, which says how. A line: the claim, and how often it is right and wrong.")
    f2(solve(EDGES["F2"], HIGH["F2"]))
    g4(solve(EDGES["G4"], HIGH["G4"]))
    lost = solve(EDGES["H1"], HIGH["H1"])
    lemma_4_11_b(lost)
    h1(lost)


main()
