"""Writes claims.txt: what the sentences of the paper's text and its tables come to on small rulesets, counted from the paper alone.

    python3 claims.py > claims.txt

It shares no code with this repository. Games are pairs of sets of games, compared by the definition and brought to canonical form by
taking dominated options away and bypassing reversible ones; outcomes beside ups and a far star are found by playing the sum out. A line
is the claim, and how often it is right and wrong on all rulesets with 1 <= a <= 4, a <= b <= 7, 0 <= tau < b and heaps 0 to 24.
"""

import sys
from functools import cache

sys.setrecursionlimit(100_000)

HEAPS = 24
RULESETS = [(a, b, tau) for b in range(1, 8) for a in range(1, min(b, 4) + 1) for tau in range(b)]


# Games.

@cache
def at_most(g, h):
    return not any(at_most(h, x) for x in g[0]) and not any(at_most(x, g) for x in h[1])


@cache
def canonical(left, right):
    left, right = set(left), set(right)
    while True:
        g = (frozenset(left), frozenset(right))
        for x in left:
            through = next((y for y in x[1] if at_most(y, g)), None)
            if any(x != y and at_most(x, y) for y in left) or through is not None:
                dominated = any(x != y and at_most(x, y) for y in left)
                left = left - {x} | (set() if dominated else set(through[0]))
                break
        else:
            for x in right:
                through = next((y for y in x[0] if at_most(g, y)), None)
                if any(x != y and at_most(y, x) for y in right) or through is not None:
                    dominated = any(x != y and at_most(y, x) for y in right)
                    right = right - {x} | (set() if dominated else set(through[1]))
                    break
            else:
                return g


@cache
def heap(a, b, tau, n):
    rest = lambda low, high: frozenset(heap(a, b, tau, n - k) for k in range(low, high + 1) if k <= n)
    return canonical(rest(1, a), rest(tau + 1, b))


ZERO = (frozenset(), frozenset())


def integer(k):
    return (frozenset({integer(k - 1)}), frozenset()) if k else ZERO


def nimber(k):
    options = frozenset(nimber(j) for j in range(k))
    return options, options


# Outcomes of heaps, alone and beside k ups and the nimber x: an up is {0|*}, a down {*|0}.

@cache
def wins(left, a, b, tau, n, ups=0, x=0):
    """Whether the player who moves wins; `left` says who."""
    low, high = (1, a) if left else (tau + 1, b)
    after = [(n - k, ups, x) for k in range(low, high + 1) if k <= n] + [(n, ups, y) for y in range(x)]
    if ups > 0:
        after.append((n, ups - 1, x if left else x ^ 1))
    if ups < 0:
        after.append((n, ups + 1, x ^ 1 if left else x))
    return any(not wins(not left, a, b, tau, *one) for one in after)


def outcome(a, b, tau, n, ups=0, x=0):
    return {(True, True): "N", (True, False): "L", (False, True): "R", (False, False): "P"}[
        wins(True, a, b, tau, n, ups, x), wins(False, a, b, tau, n, ups, x)]


def beside(a, b, tau, n, ups):
    # A power of 2 beyond the birthday of the rest: no last star leads from it to a small nimber.
    return outcome(a, b, tau, n, ups, 64)


@cache
def weight(a, b, tau, n):
    """The atomic weight where it is an integer, by Definition A.17 and Theorem A.16."""
    for w in range(-HEAPS, HEAPS + 1):
        if beside(a, b, tau, n, 1 - w) == "L" and beside(a, b, tau, n, -1 - w) == "R":
            return w
    return None


# Numbers of a ruleset.

def last(a, b, tau):
    return (b - a) // (b - a - tau)


def onset(a, b, tau):
    return last(a, b, tau) * (a + tau + 1)


def ceil(n, d):
    return -(-n // d)


def full(a, b, tau):
    return tau == 0 and a < b


def truncated(a, b, tau):
    return tau >= 1 and a < b


def block(a, b, tau, j):
    return [outcome(a, b, tau, n) for n in range((j - 1) * (b + 1) + 1, j * (b + 1) + 1)]


def begins(a, b, tau, n):
    """The block that begins at a heap, where tau < b-a."""
    return (n - 1) // (b + 1) + 1 if truncated(a, b, tau) and tau < b - a and n >= 1 and (n - 1) % (b + 1) == 0 else None


def shrink(letter, sign, is_meant):
    def claim(a, b, tau, n):
        j = begins(a, b, tau, n)
        if j is None or not is_meant(j, last(a, b, tau)):
            return None
        return block(a, b, tau, j + 1).count(letter) - block(a, b, tau, j).count(letter) == sign * (b - a - tau)
    return claim


def first_block(a, b, tau, n):
    if begins(a, b, tau, n) != 1:
        return None
    letters = block(a, b, tau, 1)
    return letters[:tau] == ["L"] * tau and letters.count("L") == tau


def last_block(a, b, tau, n):
    j = begins(a, b, tau, n)
    if j is None or j > last(a, b, tau):
        return None
    return (block(a, b, tau, j).count("L") < b - a - tau) == (j == last(a, b, tau))


def dominance(a, b, tau, n):
    if not truncated(a, b, tau) or tau != b - a or n:
        return None
    letters = "".join(outcome(a, b, tau, k) for k in range(6 * (b + 1)))
    period = next(p for p in range(1, 3 * (b + 1)) if letters[p:] == letters[:-p])
    return "L" in letters[:period] and "R" not in letters[:period]


@cache
def left_moves(g):
    return 0 if g == ZERO else min((1 + left_moves(x) for x in g[0]), default=10**9)


@cache
def right_any_time(g):
    return (g == ZERO or ZERO in g[1]) and all(right_any_time(x) for x in g[0])


def moves_1(a, b, tau, n):
    g = heap(a, b, tau, n)
    return left_moves(g) == ceil(n, a) and right_any_time(g) if full(a, b, tau) else None


def delay(a, b, tau, n):
    if not full(a, b, tau) or n == 0:
        return None
    left, right = heap(a, b, tau, n)
    return ZERO in right and (ZERO in left) == (n <= a)


def fewest(a, n, rest):
    """The fewest moves of Left in a row that leave at most `rest`."""
    sizes, moves = {n}, 0
    while min(sizes) > rest:
        sizes, moves = {max(size - k, 0) for size in sizes for k in range(1, a + 1)}, moves + 1
    return moves


def moves_4(a, b, tau, n):
    return fewest(a, n, a) == ceil(n - a, a) == ceil(n, a) - 1 if full(a, b, tau) and n > a else None


def moves_6(a, b, tau, n):
    if not truncated(a, b, tau) or tau >= b - a or n < onset(a, b, tau):
        return None
    r = onset(a, b, tau)
    return fewest(a, n, r - 1) == ceil(n - (r - 1), a) == (n - r) // a + 1


def low_onset(a, b, tau, n):
    if not truncated(a, b, tau) or 2 * tau >= b - a or n:
        return None
    return last(a, b, tau) == 1 and onset(a, b, tau) == a + tau + 1


def forms(a, b, tau, n):
    if not truncated(a, b, tau) or tau != b - a:
        return None
    return heap(a, b, tau, n) in {heap(a, b, tau, k) for k in range(b + 1)}


def right_options(a, b, tau, n):
    if (a, b, tau, n) != (5, 6, 1, 0):
        return None
    return any(heap(a, b, tau, k)[1] - {ZERO} for k in range(15))


def far(hypothesis, ups, letter):
    def claim(*at):
        return beside(*at, ups(*at)) == letter if hypothesis(*at) else None
    return claim


def both(*claims):
    def claim(*at):
        said = [one(*at) for one in claims]
        return None if None in said else all(said)
    return claim


def f(a, b, tau, n):
    return ceil(n, a) - 1


def w(a, b, tau, n):
    return (n - (a + tau + 1)) // a


def is_1_2(a, b, tau, n):
    return full(a, b, tau) and n >= 1


def is_1_5(a, b, tau, n):
    return truncated(a, b, tau) and 2 * tau < b - a and n >= a + tau + 1


def is_nimber(a, b, tau, n):
    return tau == 0 and n <= a


# Tables 1, 3, 4 and 5 as they are printed.

TABLE_1 = {(3, 5): ["0", "0,*", "0,*,*2", "0", "0", "0", "0"], (4, 7): ["0", "0,*", "0,*,*2", "0,*,*2,*3", "0", "0", "0"],
           (2, 7): ["0", "0,*", "0", "0", "0", "0", "0"]}
TABLE_3 = ["0", "1", "2", "3", "4", "{4|0}", "{4,{4|0}|0}", "{4,{4,{4|0}|0}|0}"] * 2
RED = {1: 5, 2: 12, 3: 28}


def read(text):
    """The options of a list as it is printed, and what is left of the text."""
    games = []
    while text and text[0] not in "|}":
        text = text.lstrip(",")
        if text[0] == "{":
            left, text = read(text[1:])
            right, text = read(text[1:])
            games.append((left, right))
            text = text[1:]
        else:
            word = text.split(",")[0].split("|")[0].split("}")[0]
            games.append(nimber(int(word[1:] or 1)) if word[0] == "*" else integer(int(word)))
            text = text[len(word):]
    assert len(set(games)) == len(games)
    return frozenset(games), text


def table_1(a, b, tau, n):
    if tau or (a, b) not in TABLE_1 or not 1 <= n <= 7:
        return None
    return heap(a, b, tau, n)[1] == read(TABLE_1[a, b][n - 1])[0]


def table_3(a, b, tau, n):
    return {heap(a, b, tau, n)} == set(read(TABLE_3[n])[0]) if (a, b, tau) == (3, 7, 4) and n < 16 else None


def table_4_red(a, b, tau, n):
    if (a, b) != (3, 7) or not 1 <= tau <= 4 or not 1 <= n <= 34:
        return None
    is_red = n >= RED.get(tau, 99)
    return is_red == all(outcome(a, b, tau, k) == "R" for k in range(n, 35))


# What relates heaps to each other, and what appendix A says.

def sets(a, b, tau):
    return range(1, a + 1), range(tau + 1, b + 1)


def after(a, b, tau, n):
    """The heaps that Left and Right may leave."""
    return [[n - k for k in some if k <= n] for some in sets(a, b, tau)]


def trichotomy(a, b, tau, n):
    if not truncated(a, b, tau) or n:
        return None
    late = {outcome(a, b, tau, k) for k in range(150, 150 + 4 * (b + 1))}
    return late == {"R"} if tau < b - a else late == {"L"} if tau > b - a else late not in ({"L"}, {"R"})


def move_3_3(a, b, tau, n):
    if not full(a, b, tau) or n <= a:
        return None
    return n <= b or outcome(a, b, tau, n - 1) in "RP" and n - 1 >= b


def moves_1_3_1(a, b, tau, n):
    if not truncated(a, b, tau) or tau <= b - a or n < b + 1:
        return None
    left, right = after(a, b, tau, n)
    if n == b + 1:
        return tau in left and b + 1 - tau > 1 and outcome(a, b, tau, tau) == "L" and all(1 <= m < a for m in right)
    return outcome(a, b, tau, n - 1) == "L" and all(outcome(a, b, tau, m) in "LN" for m in right)


def moves_1_3_2(a, b, tau, n):
    if not truncated(a, b, tau) or tau != b - a or n <= b:
        return None
    left, right = after(a, b, tau, n)
    says = lambda heaps, letters: all(outcome(a, b, tau, m) in letters for m in heaps)
    t = n % (b + 1)
    if t == 0:
        return says(left, "N") and says(right, "LN")
    if t <= tau:
        return says(right, "LN") and all(m % (b + 1) >= 2 for m in right) and says([n - 1], "LP")
    return n - t in right and says([n - t], "P") and n - t + tau in left and says([n - t + tau], "L")


def replies_1_4(a, b, tau, n):
    if not truncated(a, b, tau) or tau != b - a or n:
        return None
    left, right = sets(a, b, tau)
    return {b + 1 - k for k in left} <= set(right) and {b + 1 - k for k in right} <= set(left)


def ends(a, b, tau, k):
    """L, N, R and P of a block."""
    return (k - 1) * (b + 1) + 1, k * (a + tau + 1) - a, k * (a + tau + 1), k * (b + 1)


def low_level(a, b, tau):
    return truncated(a, b, tau) and tau < b - a


def numbers_5_5(a, b, tau, n):
    """Right and wrong, or None where there is no block."""
    if not low_level(a, b, tau) or n or last(a, b, tau) < 3:
        return None
    at = [None] + [ends(a, b, tau, k) for k in range(1, last(a, b, tau))]
    return all(at[k][0] - b > at[k - 1][0] and at[k][1] - tau - 1 == at[k - 1][2] and at[k][3] - b >= at[k][0] and at[k][3] - a >= at[k][1]
               for k in range(2, last(a, b, tau)))


def moves_5_5(a, b, tau, n):
    if not low_level(a, b, tau) or not b + 1 < n <= (last(a, b, tau) - 1) * (b + 1):
        return None
    k = next(k for k in range(1, n + 1) if ends(a, b, tau, k)[0] <= n <= ends(a, b, tau, k)[3])
    (_, N, _, _), (_, _, R, P) = ends(a, b, tau, k), ends(a, b, tau, k - 1)
    left, right = after(a, b, tau, n)
    of = lambda m: outcome(a, b, tau, m)
    return {"L": lambda: of(n - 1) in "LP",
            "N": lambda: N - 1 in left and of(N - 1) == "L" and R in right and of(R) == "R",
            "R": lambda: any(R <= m <= P and of(m) in "RP" for m in right),
            "P": lambda: all(of(m) in "NR" for m in left) and all(of(m) in "LN" for m in right)}[of(n)]()


def equation_10(a, b, tau, n):
    k = n // (b + 1)
    if not low_level(a, b, tau) or n == 0 or n % (b + 1) or k >= last(a, b, tau):
        return None
    return k * (b - a - tau) <= tau and n - tau - 1 < k * (a + tau + 1)


def equation_15(a, b, tau, n):
    if not low_level(a, b, tau) or n != last(a, b, tau) * (b + 1):
        return None
    gap = n - onset(a, b, tau)
    return gap == last(a, b, tau) * (b - a - tau) and tau < gap < b


def move_5_7(a, b, tau, n):
    if not low_level(a, b, tau) or n < last(a, b, tau) * (b + 1):
        return None
    removed = last(a, b, tau) * (b + 1) - onset(a, b, tau)
    return tau < removed <= b and outcome(a, b, tau, n - removed) == "R"


def of_w(says):
    def claim(a, b, tau, n):
        return says(a, tau, n, lambda m: w(a, b, tau, m)) if truncated(a, b, tau) and 2 * tau < b - a else None
    return claim


@cache
def wins_negative(left, a, b, tau, n, ups, x):
    """The same of minus a heap: Left removes what Right may."""
    low, high = (tau + 1, b) if left else (1, a)
    after = [(n - k, ups, x) for k in range(low, high + 1) if k <= n] + [(n, ups, y) for y in range(x)]
    if ups > 0:
        after.append((n, ups - 1, x if left else x ^ 1))
    if ups < 0:
        after.append((n, ups + 1, x ^ 1 if left else x))
    return any(not wins_negative(not left, a, b, tau, *one) for one in after)


def negative(a, b, tau, n):
    known = weight(a, b, tau, n)
    if known is None:
        return None
    is_won = lambda left, ups: wins_negative(left, a, b, tau, n, ups, 64)
    return is_won(True, known + 1) and not is_won(False, known + 1) and not is_won(True, known - 1) and is_won(False, known - 1)


def theorem_a_21(a, b, tau, n):
    if tau or n == 0:
        return None
    left, right = [[weight(a, b, tau, m) for m in some] for some in after(a, b, tau, n)]
    x, y = max(left) - 2 + 1, min(right) + 2 - 1
    of = beside(a, b, tau, n, 0)
    return x <= y and weight(a, b, tau, n) == {"L": y, "R": x, "N": 0}[of]


def ahead(least, is_meant, letters):
    def claim(a, b, tau, n):
        known = weight(a, b, tau, n)
        if known is None or not is_meant(abs(known), least):
            return None
        return outcome(a, b, tau, n) in letters[known < 0]
    return claim


CLAIMS = {
    "section-1-trichotomy": trichotomy, "prop-3.3-move": move_3_3, "section-5.1-moves": moves_1_3_1, "section-5.2-moves": moves_1_3_2,
    "section-5.2-replies": replies_1_4, "section-5.3-numbers": numbers_5_5, "section-5.3-moves": moves_5_5, "equation-10": equation_10,
    "equation-15": equation_15, "section-5.3-last-move": move_5_7,
    "equation-19": of_w(lambda a, tau, n, w: w(n) == w(n - a) + 1),
    "equation-20": of_w(lambda a, tau, n, w: all(w(n) >= w(n - j) for j in range(1, n + 1)) if n else None),
    "equation-21": of_w(lambda a, tau, n, w: [w(n)] == [k for k in range(-99, 99) if (k + 1) * a + tau + 1 <= n <= (k + 2) * a + tau]),
    "lemma-a.19.1": negative, "thm-a.21": theorem_a_21,
    "thm-a.22.1": ahead(1, lambda known, least: known == least, ("LN", "RN")),
    "thm-a.22.2": ahead(2, lambda known, least: known >= least, ("L", "R")),
    "thm-2.1": lambda a, b, tau, n: heap(a, b, tau, n) == nimber(n % (a + 1)) if tau == 0 and a == b and n >= 1 else None,
    "obs-3.7": lambda a, b, tau, n: heap(a, b, tau, n) == heap(a, b + 1, tau, n) if full(a, b, tau) and n >= 1 else None,
    "table-1": table_1, "table-3": table_3, "table-4-red": table_4_red,
    "section-1-moves": moves_1, "section-1-delay": delay, "section-2-dominance": dominance, "section-4-moves": moves_4,
    "thm-1.2-proof.1": far(is_1_2, lambda *at: f(*at) + 1, "L"), "thm-1.2-proof.2": far(is_1_2, lambda *at: f(*at) - 1, "R"),
    "section-5.2-forms": forms, "section-5.2-right-options": right_options, "section-5.3-first": first_block,
    "section-5.3-fewer-l": shrink("L", -1, lambda j, last: j < last),
    "section-5.3-more-r-printed": shrink("R", 1, lambda j, last: j < last),
    "section-5.3-more-r": shrink("R", 1, lambda j, last: j + 1 < last),
    "section-5.3-last": last_block, "section-6-onset": low_onset, "section-6-moves": moves_6,
    "thm-1.5-proof.1": far(is_1_5, lambda *at: w(*at) + 1, "L"), "thm-1.5-proof.2": far(is_1_5, lambda *at: w(*at) - 1, "R"),
    "lemma-a.20": lambda *at: weight(*at) == 0 if is_nimber(*at) else None,
    "lemma-a.20-printed": both(far(is_nimber, lambda *at: 1, "L"), far(is_nimber, lambda *at: 1, "R")),
    "lemma-a.20-proof": both(far(is_nimber, lambda *at: 1, "L"), far(is_nimber, lambda *at: -1, "R")),
}


def main():
    print("# Made by claims.py, which says how. A line: the claim, and how often it is right and wrong.")
    for name, claim in CLAIMS.items():
        totals = [0, 0]
        for ruleset in RULESETS:
            for n in range(HEAPS + 1):
                said = claim(*ruleset, n)
                if said is not None:
                    totals[not said] += 1
        print(name, *totals, sep="\t")


main()
