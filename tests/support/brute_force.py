"""The definition of the score, executed naively: every placement times every mapping.

Written from the definition alone and sharing nothing with the package, to be compared with it.
Section numbers are those of the definition. All times are integer milliseconds.

Places where the text could be read in two ways, and the reading taken here:

* section 3, rule 3, with merged elements: only the host's own place in the tree matters, so what
  was below a merged element is not below its host;
* section 5, children of an element that was merged: their remaining parent is still the nearest
  *placed* ancestor, never the host, since a merged element was not placed;
* section 5, `merge`: "placed", "remaining parent" and "words as the walk placed it" are always
  those of the one walk, which is not run again. Merging into a host does not change whether it may
  be a host again; several elements merged into one are simply all united with it;
* section 5, `merge`: "no descendants of x" is said of the annotated tree, and top level (no
  remaining parent) counts as one and the same parent;
* section 5, `merge`: time shared is summed word by word, so overlapping words count twice;
* section 5, `merge`: the strict frontiers of x are the plain `phi` values, even when `phi` was
  excluded from its candidates (n for a start, 0 for an end);
* section 4: the end of an element is the end of its last word, even if an earlier one ends later;
* section 6, "`merge` is refused" without times: refused always, not only when it would matter.
"""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import comb, perm
from typing import Any, NamedTuple

Span = tuple[int, int]
Pair = tuple[int, int]
Costs = dict[str, Fraction]
Reference = list[Any]  # all RefEl, or all TimedEl if there is a Timing
DEFAULT_COSTS: Costs = {
    "S_S": Fraction(1, 2), "S_T": Fraction(1, 2), "S_ST": Fraction(1),
    "D": Fraction(1), "I": Fraction(1),
}  # fmt: skip


class RefEl(NamedTuple):
    """An element of a fuzzy reference: candidate frontiers, and strict ones if known."""

    labels: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    parent: int | None
    strict: Span | None = None


class HypEl(NamedTuple):
    """An element over the frontiers `[start, end)`."""

    label: str
    start: int
    end: int
    parent: int | None


class TimedEl(NamedTuple):
    """A reference element over the reference words `first … last`, both included."""

    label: str
    first: int
    last: int
    parent: int | None


class Timing(NamedTuple):
    """(start, end) of every word of each side, and the two tolerances."""

    ref: list[Span]
    asr: list[Span]
    tau_start: int
    tau_end: int


class Case(NamedTuple):
    """The arguments of `score_document`, and the number of words the hypothesis is on."""

    reference: Reference
    hypothesis: list[HypEl]
    costs: Costs
    policy: str
    timing: Timing | None
    words: int


# Sections 1 and 2 -------------------------------------------------------------------------------


def ancestors(parents: list[int | None], i: int) -> list[int]:
    """Parent, grandparent, … of element `i` (section 1)."""
    up = parents[i]
    return [] if up is None else [up, *ancestors(parents, up)]


def tags(parents: list[int | None]) -> list[tuple[int, bool]]:
    """The inline tags in document order, as (element, is it the opening tag) (section 2)."""
    written: list[tuple[int, bool]] = []
    still_open: list[int] = []
    for i, parent in enumerate(parents):
        while still_open and still_open[-1] != parent:
            written.append((still_open.pop(), False))
        if parent is not None and not still_open:
            raise ValueError(f"element {i} is not in document order")
        written.append((i, True))
        still_open.append(i)
    return written + [(i, False) for i in reversed(still_open)]


def placements(elements: list[RefEl]) -> Iterator[tuple[Span, ...]]:
    """Every placement of section 2, as one (start, end) per element."""
    order = tags([e.parent for e in elements])
    start, end = [0] * len(elements), [0] * len(elements)

    def choose(at: int, floor: int) -> Iterator[tuple[Span, ...]]:
        if at == len(order):
            yield tuple(zip(start, end, strict=True))
            return
        i, opening = order[at]
        for frontier in sorted(set(elements[i].starts if opening else elements[i].ends)):
            if frontier >= floor and (opening or frontier > start[i]):
                (start if opening else end)[i] = frontier
                yield from choose(at + 1, frontier)

    return choose(0, 0)


# Section 3 --------------------------------------------------------------------------------------


def classify(element: RefEl, span: Span, hyp: HypEl) -> str:
    """The class of a pair (section 3)."""
    same_span = span == (hyp.start, hyp.end)
    if hyp.label in element.labels:
        return "C" if same_span else "S_S"
    return "S_T" if same_span else "S_ST"


def mappings(
    elements: list[RefEl],
    spans: tuple[Span, ...],
    hypothesis: list[HypEl],
    *,
    exact: bool = False,
    pairing: str = "word",
) -> Iterator[list[Pair]]:
    """Every set of pairs that obeys the rules of section 3.

    With `exact`, every set of pairs of class C that obeys rules 1 and 2 only. With another
    `pairing` than the definition's, `half`: a pair shares at least half the words of its longer
    span; `label`: its label or its span is right.
    """
    above_r = [ancestors([e.parent for e in elements], r) for r in range(len(elements))]
    above_h = [ancestors([e.parent for e in hypothesis], h) for h in range(len(hypothesis))]

    def may_pair(r: int, h: int) -> bool:
        hyp = hypothesis[h]
        common = set(range(*spans[r])) & set(range(hyp.start, hyp.end))
        longer = max(spans[r][1] - spans[r][0], hyp.end - hyp.start)
        if pairing == "half" and 2 * len(common) < longer:
            return False
        if pairing == "label" and classify(elements[r], spans[r], hyp) == "S_ST":
            return False
        return bool(common) and (not exact or classify(elements[r], spans[r], hyp) == "C")

    def inverted(pairs: list[Pair]) -> bool:
        return any(r1 in above_r[r2] and h2 in above_h[h1] for r1, h1 in pairs for r2, h2 in pairs)

    def choose(r: int, pairs: list[Pair]) -> Iterator[list[Pair]]:
        if r == len(elements):
            if exact or not inverted(pairs):
                yield pairs
            return
        yield from choose(r + 1, pairs)
        for h in range(len(hypothesis)):
            if h not in [used for _, used in pairs] and may_pair(r, h):
                yield from choose(r + 1, [*pairs, (r, h)])

    return choose(0, [])


def shift(elements: list[RefEl], spans: tuple[Span, ...]) -> int:
    """Total distance of the chosen frontiers from the strict ones (section 3)."""
    moved = [(e.strict, s) for e, s in zip(elements, spans, strict=True) if e.strict is not None]
    return sum(abs(s[0] - strict[0]) + abs(s[1] - strict[1]) for strict, s in moved)


def best(
    elements: list[RefEl], hypothesis: list[HypEl], costs: Costs, pairing: str = "word"
) -> tuple[tuple[Fraction, int, int, int, int, int], dict[str, int]]:
    """The smallest key (cost, -C, -pairs, -S_S, -S_T, shift), and its counts (section 3)."""
    found = []
    for spans in placements(elements):
        moved = shift(elements, spans)
        for pairs in mappings(elements, spans, hypothesis, pairing=pairing):
            n = dict.fromkeys(["C", "S_S", "S_T", "S_ST"], 0)
            for r, h in pairs:
                n[classify(elements[r], spans[r], hypothesis[h])] += 1
            n["D"] = len(elements) - len(pairs)
            n["I"] = len(hypothesis) - len(pairs)
            cost = sum((costs[name] * n[name] for name in n if name != "C"), Fraction(0))
            key = (cost, -n["C"], -len(pairs), -n["S_S"], -n["S_T"], moved)
            found.append((key, n))
    key, n = min(found, key=lambda each: each[0])
    return key, n | {"Ref": len(elements), "Hyp": len(hypothesis), "shift": key[-1]}


def exact_correct(elements: list[RefEl], hypothesis: list[HypEl]) -> int:
    """`exact_C`: most pairs with accepted label and same span, of any placement (section 3)."""
    return max(
        len(pairs)
        for spans in placements(elements)
        for pairs in mappings(elements, spans, hypothesis, exact=True)
    )


# Section 4 --------------------------------------------------------------------------------------


def strict_frontier(t: int, asr: list[Span]) -> int:
    """`phi(t)`: the number of words whose doubled midpoint is below `2 t` (section 4)."""
    middles = [max(a + b for a, b in asr[: k + 1]) for k in range(len(asr))]
    return len([m for m in middles if m < 2 * t])


def start_candidates(t: int, asr: list[Span], tau: int) -> tuple[int, ...]:
    """`phi(t)` and every `k` with `|a[k] - t| <= tau`, less `n` (section 4)."""
    near = {k for k, (a, _) in enumerate(asr) if abs(a - t) <= tau}
    return tuple(sorted(({strict_frontier(t, asr)} | near) - {len(asr)}))


def end_candidates(t: int, asr: list[Span], tau: int) -> tuple[int, ...]:
    """`phi(t)` and every `k + 1` with `|b[k] - t| <= tau`, less 0 (section 4)."""
    near = {k + 1 for k, (_, b) in enumerate(asr) if abs(b - t) <= tau}
    return tuple(sorted(({strict_frontier(t, asr)} | near) - {0}))


# Section 5 --------------------------------------------------------------------------------------


def walk(elements: list[RefEl]) -> tuple[dict[int, Span], list[int]]:
    """The placed elements with the frontiers the walk gave them, and the unplaceable ones."""
    parents = [e.parent for e in elements]
    floor = 0
    floor_before: dict[int, int] = {}
    start: dict[int, int] = {}
    placed: dict[int, Span] = {}
    for i, opening in tags(parents):
        if opening:
            options = [f for f in elements[i].starts if f >= floor]
            if options:
                floor_before[i] = floor
                floor = start[i] = min(options)
        elif i in start:
            options = [f for f in elements[i].ends if f >= floor and f > start[i]]
            if options:
                floor = min(options)
                placed[i] = (start[i], floor)
            elif not any(i in ancestors(parents, other) for other in placed):
                floor = floor_before[i]
    return placed, [i for i in range(len(elements)) if i not in placed]


def united(host: RefEl, x: RefEl) -> RefEl:
    """`host` after `x` was merged into it (section 5)."""
    assert host.strict is not None
    assert x.strict is not None
    return RefEl(
        tuple(sorted({*host.labels, *x.labels})),
        tuple(sorted({*host.starts, *x.starts})),
        tuple(sorted({*host.ends, *x.ends})),
        host.parent,
        (min(host.strict[0], x.strict[0]), max(host.strict[1], x.strict[1])),
    )


def shared_time(words: Sequence[Span], t_start: int, t_end: int) -> int:
    """The time the words share with `[t_start, t_end)`, word by word (section 5)."""
    return sum(max(0, min(b, t_end) - max(a, t_start)) for a, b in words)


def reduced(
    elements: list[RefEl], policy: str, times: Sequence[Span] = (), asr: Sequence[Span] = ()
) -> tuple[list[RefEl], int, int]:
    """What remains, number unplaceable, number of these that are misses (section 5).

    Only `merge` looks at the time of each element and of each word of the hypothesis.
    """
    placed, unplaceable = walk(elements)
    above = [ancestors([e.parent for e in elements], i) for i in range(len(elements))]
    remaining_parent = [next((a for a in line if a in placed), None) for line in above]
    result = list(elements)
    for x in unplaceable if policy == "merge" else []:
        shared = {
            i: shared_time(asr[placed[i][0] : placed[i][1]], *times[x])
            for i in sorted(placed)
            if remaining_parent[i] == remaining_parent[x]
            and x not in above[i]
            and not any(i in above[j] for j in placed)
        }
        most = max(shared.values(), default=0)
        if most > 0:
            host = min(i for i in shared if shared[i] == most)
            result[host] = united(result[host], elements[x])
    kept = sorted(placed)
    new_index = {None: None} | {old: new for new, old in enumerate(kept)}
    remaining = [result[i]._replace(parent=new_index[remaining_parent[i]]) for i in kept]
    return remaining, len(unplaceable), len(unplaceable) if policy == "miss" else 0


def project(
    elements: list[TimedEl], ref_times: list[Span], asr_times: list[Span],
    tau_start: int, tau_end: int, policy: str,
) -> tuple[list[RefEl], int, int]:  # fmt: skip
    """Sections 4 and 5 for a timed reference; the result is that of `reduced`."""
    times = [(ref_times[e.first][0], ref_times[e.last][1]) for e in elements]
    fuzzy = [
        RefEl(
            (e.label,),
            start_candidates(t_start, asr_times, tau_start),
            end_candidates(t_end, asr_times, tau_end),
            e.parent,
            (strict_frontier(t_start, asr_times), strict_frontier(t_end, asr_times)),
        )
        for e, (t_start, t_end) in zip(elements, times, strict=True)
    ]
    return reduced(fuzzy, policy, times, asr_times)


def remaining_reference(
    reference: Reference, policy: str, timing: Timing | None
) -> tuple[list[RefEl], int, int]:
    """`reduced` or `project`, whichever the kind of reference asks for (section 6)."""
    if timing is not None:
        return project(reference, *timing, policy)
    if policy == "merge":
        raise ValueError("merge needs times")
    return reduced(reference, policy)


def score_document(
    reference: Reference,
    hypothesis: list[HypEl],
    costs: Costs = DEFAULT_COSTS,
    policy: str = "drop",
    timing: Timing | None = None,
) -> dict[str, int | Fraction]:
    """All counts of one document; the reference is of `TimedEl` if and only if timing is given."""
    elements, unplaceable, misses = remaining_reference(reference, policy, timing)
    key, counts = best(elements, hypothesis, costs)
    names = ["C", "S_S", "S_T", "S_ST", "D", "I", "Ref", "Hyp"]
    score: dict[str, int | Fraction] = {name: counts[name] for name in names}
    score["D"] += misses
    score["Ref"] += misses
    score["unplaceable"] = unplaceable
    score["cost"] = key[0] + misses * costs["D"]
    score["exact_C"] = exact_correct(elements, hypothesis)
    return score


# Random cases -----------------------------------------------------------------------------------

MOST_WORK = 4000  # placements times mappings of one case
SIZES = [0, 1, 2, 3, 3, 4, 4, 4]  # of a side, in elements
WORDS = [0, *[1, 2, 3, 4, 5] * 4]


def random_case(rng: random.Random) -> Case:
    """A small case of either kind; one that would take long, and most dull ones, are redrawn."""
    while True:
        case = random_timed(rng) if rng.random() < 0.5 else random_fuzzy(rng)
        elements, _, _ = remaining_reference(case.reference, case.policy, case.timing)
        possible = list(islice(placements(elements), MOST_WORK + 1))
        case = case._replace(hypothesis=random_hypothesis(rng, case.words, elements, possible))
        few, many = sorted([len(elements), len(case.hypothesis)])
        sets = sum(comb(few, k) * perm(many, k) for k in range(few + 1))
        dull = few == 0 or len(possible) == 1
        if len(possible) * sets <= MOST_WORK and not (dull and rng.random() < 0.6):
            return case


def random_forest(rng: random.Random, words: int, spans: list[HypEl], size: int) -> list[HypEl]:
    """`spans` and random ones up to `size`, less those that cross; equal spans nest either way."""
    chosen: list[HypEl] = []
    drawn = list(spans)
    while words and len(drawn) < 2 * size:
        s, e = sorted(rng.sample(range(words + 1), 2))
        e = rng.choice([e, s + 1])
        drawn.append(HypEl(rng.choice("aabc"), s, e, None))
        if rng.random() < 0.25:
            drawn.append(HypEl(rng.choice("aabc"), s, e, None))
    for new in drawn:
        crossing = [o for o in chosen if o.start < new.start < o.end < new.end]
        crossing += [o for o in chosen if new.start < o.start < new.end < o.end]
        if not crossing and len(chosen) < size:
            chosen.append(new)
    rng.shuffle(chosen)
    chosen.sort(key=lambda c: (c.start, -c.end))
    for i, c in enumerate(chosen):
        around = [j for j in range(i) if chosen[j].end >= c.end]
        chosen[i] = c._replace(parent=max(around, default=None))
    return chosen


def random_hypothesis(
    rng: random.Random, words: int, elements: list[RefEl], possible: list[tuple[Span, ...]]
) -> list[HypEl]:
    """Either made from one placement of the reference, with errors, or anything at all."""
    copies = []
    if rng.random() < 0.7:
        for element, (s, e) in zip(elements, rng.choice(possible), strict=True):
            if rng.random() < 0.25:
                s, e = sorted(rng.sample(range(words + 1), 2))
            if rng.random() < 0.9:
                label = rng.choice([*element.labels * 3, "a", "b", "c"])
                copies.append(HypEl(label, s, e, None))
    return random_forest(rng, words, copies, max(len(copies), rng.choice(SIZES)))


def random_costs(rng: random.Random) -> Costs:
    """The default costs or decimals that binary fractions cannot hold."""
    if rng.random() < 0.5:
        return DEFAULT_COSTS
    decimals = ["0", "0.1", "0.3", "0.5", "0.75", "1", "1.25", "2"]
    return {name: Fraction(rng.choice(decimals)) for name in DEFAULT_COSTS}


def random_fuzzy(rng: random.Random) -> Case:
    """One candidate per tag, or a few around it, or any sets (empty ones too) on any tree."""
    words, kind = rng.choice(WORDS), rng.choice(["single", "around", "around", "any"])
    elements: list[RefEl] = []
    forest = random_forest(rng, words, [], rng.choice(SIZES))
    for at in range(rng.choice(SIZES) if kind == "any" else len(forest)):
        extra = {"single": 0.0, "around": 0.4, "any": 0.6}[kind]
        starts = {k for k in range(words) if rng.random() < extra}
        ends = {k + 1 for k in range(words) if rng.random() < extra}
        parent, strict = None, None
        if kind != "any":
            _, s, e, parent = forest[at]
            starts, ends, strict = starts | {s}, ends | {e}, (s, e)
        elif at:
            line = ancestors([other.parent for other in elements], at - 1)
            parent = rng.choice([None, at - 1, at - 1, *line])
        if rng.random() < 0.3:
            s, e = sorted(rng.choices(range(words + 1), k=2))
            strict = rng.choice([None, (s, e)])
        labels = tuple(sorted({rng.choice("aabc") for _ in range(rng.choice([1, 1, 2, 3]))}))
        elements.append(RefEl(labels, tuple(sorted(starts)), tuple(sorted(ends)), parent, strict))
    return Case(elements, [], random_costs(rng), rng.choice(["drop", "miss"]), None, words)


def random_times(rng: random.Random, words: int) -> list[Span]:
    """Words ordered by start, some empty, some overlapping, some with a gap before them."""
    starts = sorted(5 * rng.randint(0, 6 * words) for _ in range(words))
    following = [*starts, 30 * words][1:]
    times = []
    for a, following_start in zip(starts, following, strict=True):
        b = max(a, following_start + rng.choice([-10, 0, 0, 0, 5, 20]))
        times.append((a, a if rng.random() < 0.1 else b))
    return times


def random_timed(rng: random.Random) -> Case:
    """A reference on words of its own; ASR words near those, or anywhere, or none at all."""
    ref = random_times(rng, rng.choice(WORDS))
    asr = random_times(rng, rng.choice(WORDS))
    if rng.random() < 0.8:
        asr = []
        for a, b in ref:
            a, b = max(0, a + rng.choice([-5, 0, 0, 5])), b + rng.choice([-5, 0, 0, 5])
            fate = rng.random()
            if fate < 0.4 and asr:
                asr[-1] = (asr[-1][0], max(b, asr[-1][1]))
            elif fate < 0.9:
                asr.append((a, max(a, b)))
        asr.sort()
    tau = rng.choice([0, 0, 5, 10, 20, 40])
    tau_end = tau if rng.random() < 0.7 else rng.choice([0, 5, 15, 40])
    one_a_word = [HypEl(rng.choice("aabc"), k, k + 1, None) for k in range(len(ref))]
    spans = rng.sample(one_a_word, len(ref)) if rng.random() < 0.5 else []
    forest = random_forest(rng, len(ref), spans[:3], rng.choice(SIZES))
    elements = [TimedEl(e.label, e.start, e.end - 1, e.parent) for e in forest]
    policy = rng.choice(["drop", "miss", "merge"])
    timing = Timing(ref, asr, tau, tau_end)
    return Case(elements, [], random_costs(rng), policy, timing, len(asr))
