"""The best mapping between a reference and a hypothesis, over all placements: exact, no beam.

**Problem** (definition, sections 2 and 3). Give every tag of the reference one of its candidate
frontiers, and pair reference elements with hypothesis elements one to one, so that the two spans
of a pair share a word and no nesting is inverted. Of all the ways to do both, find the one that a
*preference* puts first: the least cost, or the most exact pairs.

**State.** A cluster (see ``clusters``) is read frontier by frontier, as the segment-wise Viterbi
search of the paper (section 3.2). Written along the inline tags a placement is a chain of
non-decreasing frontiers, so what has been placed so far is a prefix of the tags. After each
frontier a state says

* ``placed``: how many tags have been placed; it determines which reference elements are open;
* one number for each open reference element, outermost first: *free*, and then whether it began
  where a hypothesis element began that is still open and free; or *spent*, that is paired with a
  hypothesis element that has closed already;
* one number for each open hypothesis element, outermost first: free or spent.

Pairs are chosen when the first of their two elements closes: before that nothing depends on them,
and afterwards the element that stays open need not remember its partner, but for rule 3.

**Nesting** (rule 3: no pairs (r1, h1), (r2, h2) with r1 an ancestor of r2 and h1 a descendant of
h2). When an element closes, the open elements of its own side are its ancestors. So all that a
spent element remembers of its closed partner is its *bound*: how many of the open elements of the
partner's side are ancestors of the partner. No descendant of the spent element may be paired with
one of those. They are the outermost ones, and as they close the bound shrinks.

**Two more rules** keep a little more. Under ``half`` (pairs share half the words of the longer one)
a pair may be made when its hypothesis element closes, but it holds only if its reference element
closes soon enough: the status of that element then carries the last frontier where it may. Under
``half``, and for a preference that asks which of two elements starts first (``as_lne``), a free
reference element always remembers where it began.

**Moves** at frontier ``k``: close reference elements that may end there, innermost first; close
hypothesis elements; open reference elements; open hypothesis elements. Closing a free element
either pairs it with a free open element of the other side (both cover the word before ``k``) or
leaves it alone: a deletion, an insertion. The ends of a pair agree just when the reference
element closes at a frontier where its partner is about to close.

**Why it is exact.** Every mapping with its placement is one sequence of moves. States that are
equal after the same frontier have the same continuations at the same weights, for later moves ask
for nothing else: which tags are left, who is free, whose start agrees, which bounds hold. So only
the better one is kept. Weights add up and compare as whole numbers.

**Cost.** Linear in the number of clusters; in a cluster, in the number of states, which grows with
the number of tags that can sit at one frontier and with the depth of nesting.

Same result as the exhaustive search written from the definition in ``tests/brute_force.py``.

Source: Galibert et al., IJCNLP 2011, sections 3.2 and 3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from operator import add

from .clusters import ALL, Cluster, Hypothesis, Solution, clusters
from .errors import SerevalError
from .model import Document, Reference, tags
from .score import PAIR, Costs, Nearness, Slot


@dataclass(frozen=True, slots=True)
class Mapping:
    """Which element answers which, and where the reference's tags were placed.

    Args:
        pairs: ``(reference element, hypothesis element)`` indices, by reference element.
        placement: chosen ``(start, end)`` frontiers of each reference element.
    """

    pairs: tuple[tuple[int, int], ...]
    placement: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """Which pairs a mapping may hold, whatever they cost.

    What may be paired and what a pair costs are two choices, kept apart (Kehler et al. 1998 show
    what comes of mixing them). Every mapping obeys rules 1 and 2 of the definition.

    Args:
        classes: the classes that a pair may have.
        half: whether the pair must share at least half the words of its longer span.
        nesting: whether rule 3 holds: no inversion of nesting.
    """

    classes: frozenset[Slot] = frozenset(PAIR.values())
    half: bool = False
    nesting: bool = True


PAIRINGS = {
    "word": Rules(),
    "half": Rules(half=True),
    "label": Rules(classes=frozenset(PAIR.values()) - {Slot.SPAN_AND_TYPE}),
}
"""Pairing rules by name: the pair shares a word (the definition's); half the words of its longer
span; or its label or its span is right."""

EXACT_PAIRS = Rules(classes=frozenset({Slot.CORRECT}), nesting=False)
"""The rules of precision and recall: exact pairs only, and rule 3 does not apply (section 3)."""


@dataclass(frozen=True, slots=True)
class Preference:
    """Which of two solutions comes first; all that the search knows about scoring.

    Args:
        C, S_S, S_T, S_ST, D, I: what a slot of each class adds to the sort key of a solution; the
            smallest key wins. Keys are of one length; all numbers but the first are 0, 1 or -1.
        share: what a type substitution takes off the first number for each level that is right.
        late_hypothesis, late_reference: what a pair adds besides if that element starts after its
            partner; ``None``: nothing.
    """

    C: tuple[int, ...]
    S_S: tuple[int, ...]
    S_T: tuple[int, ...]
    S_ST: tuple[int, ...]
    D: tuple[int, ...]
    I: tuple[int, ...]  # noqa: E741 - the definition's letter
    share: int = 0
    late_hypothesis: tuple[int, ...] | None = None
    late_reference: tuple[int, ...] | None = None

    def prefers_all_correct(self, *, neutral: bool = False) -> bool:
        """Whether nothing comes before a solution in which all is correct.

        Args:
            neutral: whether there are neutral elements, which cost nothing when left alone.
        """
        alone = tuple(map(add, self.D, self.I))
        return self.C < (uncharged(alone) if neutral else alone)

    def __getitem__(self, slot: Slot) -> tuple[int, ...]:
        key: tuple[int, ...] = getattr(self, slot.value)
        return key

    def of_pair(self, right: int, *, same_span: bool) -> tuple[int, ...]:
        """The key of a pair, by what is right of its label (see ``Hypothesis.right``)."""
        slot = PAIR[right == ALL, same_span]
        first, *others = self[slot]
        return first - (self.share * right if slot is Slot.TYPE else 0), *others


def uncharged(key: tuple[int, ...]) -> tuple[int, ...]:
    """The key of a neutral slot that is not correct: its class without the cost.

    >>> uncharged((2, 0, -1))
    (0, 0, -1)
    """
    return (0, *key[1:])


def cheapest(costs: Costs) -> Preference:
    """The score's preference: the least total cost, ties in the definition's order (section 3).

    >>> cheapest(Costs()).S_S[0], cheapest(Costs()).D[0]  # multiples of 1/2
    (1, 2)
    """
    return Preference(  # cost, then most C, most pairs, most S_S, most S_T; last, least shift
        C=(0, -1, -1, 0, 0),
        S_S=(costs.S_S, 0, -1, -1, 0),
        S_T=(costs.S_T, 0, -1, 0, -1),
        S_ST=(costs.S_ST, 0, -1, 0, 0),
        D=(costs.D, 0, 0, 0, 0),
        I=(costs.I, 0, 0, 0, 0),
        share=costs.share,
    )


def as_lne(costs: Costs) -> Preference:
    """The preference of LNE's program, which printed the Quaero and ETAPE figures.

    It charges an element that is not paired where it starts as unpaired, and does not give that
    back in its search when the element is paired with one that starts later. Among equals: fewest
    pairs, then the definition's order.

    >>> as_lne(Costs()).late_hypothesis[0] == Costs().D
    True
    """
    return Preference(  # charged cost, then fewest pairs, most C, most S_S, most S_T
        C=(0, 1, -1, 0, 0),
        S_S=(costs.S_S, 1, 0, -1, 0),
        S_T=(costs.S_T, 1, 0, 0, -1),
        S_ST=(costs.S_ST, 1, 0, 0, 0),
        D=(costs.D, 0, 0, 0, 0),
        I=(costs.I, 0, 0, 0, 0),
        share=costs.share,
        late_hypothesis=(costs.D, 0, 0, 0, 0),
        late_reference=(costs.I, 0, 0, 0, 0),
    )


MOST_CORRECT = Preference(C=(-1,), S_S=(0,), S_T=(0,), S_ST=(0,), D=(0,), I=(0,))
"""The preference of precision and recall: the most correct pairs (section 3)."""


def best_mapping(
    reference: Reference,
    hypothesis: Document,
    preference: Preference | None = None,
    rules: Rules | None = None,
    neutral: frozenset[str] = frozenset(),
    nearness: Nearness | None = None,
) -> Mapping:
    """The first of all mappings and placements in the order of a preference.

    Args:
        reference: on the words of the hypothesis; it must have a placement (see ``project``).
        hypothesis: a document on the same words.
        preference: ``cheapest(costs)``, by default with the default costs, or ``MOST_CORRECT``.
        rules: which pairs it may hold: one of ``PAIRINGS``, by default ``word``, the definition's;
            or ``EXACT_PAIRS``.
        neutral: labels that cost nothing: a slot of which either element has one as its own is
            weighed without its cost, whatever its class.
        nearness: how many levels of a label are right, for costs that are shared out by depth.

    Returns:
        Pairs and placement. Ties that the preference leaves are broken by a fixed rule.

    Raises:
        SerevalError: the two sides have different words, or the reference has no placement.

    >>> from sereval.model import tree
    >>> words = ("Jacques", "Chirac")
    >>> reference = Reference.exact(Document("d", words, tree([
    ...     ("pers.ind", 0, 2), ("name.first", 0, 1), ("name.last", 1, 2)])))
    >>> best_mapping(reference, Document("d", words, tree([("pers.ind", 0, 1)]))).pairs
    ((0, 0),)
    """
    if reference.words != hypothesis.words:
        raise SerevalError(f"{reference.id}: reference and hypothesis have different words")
    preference = preference or cheapest(Costs())
    rules = rules or PAIRINGS["word"]
    pairs: list[tuple[int, int]] = []
    places: list[list[int]] = [[0, 0] for _ in reference.elements]
    for origin, cluster in clusters(reference, hypothesis, neutral, nearness):
        solution = solve(cluster, preference, rules)
        pairs += ((r + origin.reference, h + origin.hypothesis) for r, h in solution.pairs)
        for (r, is_closing), k in zip(tags(cluster.parents), solution.frontiers, strict=True):
            places[r + origin.reference][is_closing] = k + origin.frontier
    return Mapping(tuple(sorted(pairs)), tuple((start, end) for start, end in places))


@lru_cache(maxsize=1 << 14)  # clusters of the same shape are many
def solve(cluster: Cluster, preference: Preference, rules: Rules) -> Solution:
    """The best solution of one cluster."""
    has_neutral = cluster.has_neutral
    return (
        (cluster.agreement() if preference.prefers_all_correct(neutral=has_neutral) else None)
        or cluster.strict_placement()
        or _Search(cluster, preference, rules).run()
    )


# A state is (placed, reference side, hypothesis side). On either side a spent element is negative
# (see _spent). A free one is FREE, or on the reference side 1 + the frontier where it began, if a
# hypothesis element that is open and free began there too, or if the rules ask for lengths.
FREE = 0
WIDTH = 24  # bits of a bound

State = tuple[int, tuple[int, ...], tuple[int, ...]]
Trace = tuple["Trace", int, int] | None  # the steps before, and (tag, frontier) or (~r, h)
Layer = dict[State, tuple[int, Trace]]


class _Search:
    """The moves on one cluster, with the sort keys packed into single weights."""

    def __init__(self, cluster: Cluster, preference: Preference, rules: Rules) -> None:
        self.tags = tags(cluster.parents)
        self.hypotheses = cluster.hypotheses
        self.strict = cluster.strict
        self.nesting = rules.nesting
        self.half = rules.half
        self.starts_matter = rules.half or preference.late_hypothesis is not None
        self.open: list[int] = []  # hypothesis elements, outermost first
        self.last = [candidates[-1] for candidates in cluster.candidates]
        self.ref_opens: dict[int, set[int]] = {}  # by frontier: tags that may open, or close, there
        self.ref_closes: dict[int, set[int]] = {}
        self.open_after: list[tuple[int, ...]] = [()]  # reference elements open after so many tags
        for place, (r, is_closing) in enumerate(self.tags):
            ancestors = self.open_after[-1]
            self.open_after.append(ancestors[:-1] if is_closing else (*ancestors, r))
            at = self.ref_closes if is_closing else self.ref_opens
            for k in cluster.candidates[place]:
                at.setdefault(k, set()).add(place)
        self.hyp_opens: dict[int, list[int]] = {}  # by frontier: elements, outermost first
        self.hyp_closes: dict[int, list[int]] = {}  # innermost first
        for h, hypothesis in enumerate(cluster.hypotheses):
            self.hyp_opens.setdefault(hypothesis.start, []).append(h)
        for h in reversed(range(len(cluster.hypotheses))):
            self.hyp_closes.setdefault(cluster.hypotheses[h].end, []).append(h)
        self._weigh(cluster, preference, rules)

    def _weigh(self, cluster: Cluster, preference: Preference, rules: Rules) -> None:
        """Pack keys into integers that add up and compare as the keys do, the shift last.

        With ``slots`` elements in all, two sums of a number that is 0 in some slots and in others
        all 1 or all -1 are at most ``slots`` apart, less than half the radix; so no sum of lower
        numbers outweighs a higher one.
        """
        most_shift = sum(
            max(abs(k - strict) for k in candidates)
            for candidates, strict in zip(cluster.candidates, cluster.strict, strict=True)
            if strict is not None
        )
        radix = 2 * (len(cluster.parents) + len(cluster.hypotheses)) + 2

        def weight(key: tuple[int, ...] | None) -> int:
            packed = 0
            for number in key or ():
                packed = packed * radix + number
            return packed * (most_shift + 1)

        self.late_hypothesis = weight(preference.late_hypothesis)
        self.late_reference = weight(preference.late_reference)
        self.neutral = frozenset(cluster.neutral)
        self.deletion = {False: weight(preference.D), True: weight(uncharged(preference.D))}
        self.insertion = {False: weight(preference.I), True: weight(uncharged(preference.I))}
        self.pair: dict[tuple[int, bool, bool], int | None] = {}
        rights = {ALL, 0, *(levels for h in cluster.hypotheses for _, levels in h.near)}
        for right, same_span in product(rights, (False, True)):
            slot = PAIR[right == ALL, same_span]
            key = preference.of_pair(right, same_span=same_span)
            free = key if slot is Slot.CORRECT else uncharged(key)
            for is_neutral, of in ((False, key), (True, free)):
                allowed = slot in rules.classes
                self.pair[right, same_span, is_neutral] = weight(of) if allowed else None

    def run(self) -> Solution:
        """The best solution of the cluster."""
        layer: Layer = {(0, (), ()): (0, None)}
        for k in sorted({*self.ref_opens, *self.ref_closes, *self.hyp_opens, *self.hyp_closes}):
            layer = self._close_references(layer, k)
            layer = self._close_hypotheses(layer, k)
            if k in self.ref_closes or k in self.hyp_closes:
                layer = self._forget(layer)
            layer = self._open_references(layer, k)
            layer = self._open_hypotheses(layer, k)
        ((_, trace),) = layer.values()
        pairs = []
        frontiers = [0] * len(self.tags)
        while trace is not None:
            trace, step, other = trace
            if step < 0:
                pairs.append((~step, other))
            else:
                frontiers[step] = other
        return Solution(tuple(pairs), tuple(frontiers))

    def _close_references(self, layer: Layer, k: int) -> Layer:
        """Place closing tags at ``k``, as many as may follow one another there."""
        closes = self.ref_closes.get(k)
        if not closes:
            return layer
        done: Layer = {}
        while layer:
            closed: Layer = {}
            for state, (weight, trace) in layer.items():
                placed = state[0]
                if placed not in closes:
                    _keep(done, state, weight, trace)
                    continue
                self._close_reference(closed, k, state, weight, trace)
                if self.last[placed] > k:
                    _keep(done, state, weight, trace)
            layer = closed
        return done

    def _close_reference(
        self, closed: Layer, k: int, state: State, weight: int, trace: Trace
    ) -> None:
        placed, refs, hyps = state
        r = self.tags[placed][0]
        outer, status = refs[:-1], refs[-1]
        weight += self._shift(placed, k)
        trace = (trace, placed, k)
        left = _clip(hyps, len(outer))
        if status < 0:
            if _may_close(status, k):
                _keep(closed, (placed + 1, outer, left), weight, trace)
            return
        neutral = r in self.neutral
        _keep(closed, (placed + 1, outer, left), weight + self.deletion[neutral], trace)
        spent = _spent(len(outer) if self.nesting else 0)
        for j in _eligible(outer, hyps):
            h = self.open[j]
            hypothesis = self.hypotheses[h]
            same_span = hypothesis.end == k and hypothesis.start + 1 == status
            free = neutral or hypothesis.is_neutral
            pair = self.pair[hypothesis.right(r), same_span, free]
            if pair is None:
                continue
            if not self.half or k <= _latest_half(status - 1, k, hypothesis):
                after = (placed + 1, outer, (*left[:j], spent, *left[j + 1 :]))
                pair += 0 if free else self._lateness(status, hypothesis)
                _keep(closed, after, weight + pair, (trace, ~r, h))

    def _close_hypotheses(self, layer: Layer, k: int) -> Layer:
        """Close the hypothesis elements that end at ``k``; any partner ends later."""
        closing = self.hyp_closes.get(k)
        if not closing:
            return layer
        for h in closing:
            closed: Layer = {}
            for state, (weight, trace) in layer.items():
                self._close_hypothesis(closed, h, state, weight, trace)
            layer = closed
            self.open.pop()
        return layer

    def _close_hypothesis(
        self, closed: Layer, h: int, state: State, weight: int, trace: Trace
    ) -> None:
        placed, refs, hyps = state
        outer, status = hyps[:-1], hyps[-1]
        left = _clip(refs, len(outer))
        if status < 0:
            _keep(closed, (placed, left, outer), weight, trace)
            return
        hypothesis = self.hypotheses[h]
        insertion = self.insertion[hypothesis.is_neutral]
        _keep(closed, (placed, left, outer), weight + insertion, trace)
        bound = len(outer) if self.nesting else 0
        for i in _eligible(outer, refs):
            r = self.open_after[placed][i]
            free = hypothesis.is_neutral or r in self.neutral
            pair = self.pair[hypothesis.right(r), False, free]
            latest = _latest_half(refs[i] - 1, hypothesis.end, hypothesis) if self.half else 0
            if pair is not None and latest >= 0:
                after = (placed, (*left[:i], _spent(bound, latest), *left[i + 1 :]), outer)
                pair += 0 if free else self._lateness(refs[i], hypothesis)
                _keep(closed, after, weight + pair, (trace, ~r, h))

    def _open_references(self, layer: Layer, k: int) -> Layer:
        """Place opening tags at ``k``; drop the states that have one which had to open here."""
        opens = self.ref_opens.get(k)
        if not opens:
            return layer
        begun = k + 1 if self.starts_matter or k in self.hyp_opens else FREE
        done: Layer = {}
        while layer:
            opened: Layer = {}
            for state, (weight, trace) in layer.items():
                placed, refs, hyps = state
                if placed in opens:
                    after = (placed + 1, (*refs, begun), hyps)
                    _keep(opened, after, weight + self._shift(placed, k), (trace, placed, k))
                if placed == len(self.last) or self.last[placed] > k:
                    _keep(done, state, weight, trace)
            layer = opened
        return done

    def _open_hypotheses(self, layer: Layer, k: int) -> Layer:
        opening = self.hyp_opens.get(k)
        if not opening:
            return layer
        self.open += opening
        fresh = (FREE,) * len(opening)
        return {(placed, refs, hyps + fresh): at for (placed, refs, hyps), at in layer.items()}

    def _forget(self, layer: Layer) -> Layer:
        """Merge the states that differ in nothing a later move asks for."""
        forgotten: Layer = {}
        starts = [self.hypotheses[h].start + 1 for h in self.open]
        for (placed, refs, hyps), (weight, trace) in layer.items():
            shared = {start for start, status in zip(starts, hyps, strict=True) if status == FREE}
            if not self.starts_matter:
                refs = tuple(s if s <= FREE or s in shared else FREE for s in refs)
            _keep(forgotten, (placed, _unbind(refs), _unbind(hyps)), weight, trace)
        return forgotten

    def _lateness(self, status: int, hypothesis: Hypothesis) -> int:
        """What a pair adds because its reference element, by its status, starts elsewhere."""
        if status == FREE or status == hypothesis.start + 1:  # FREE: starts do not matter
            return 0
        return self.late_hypothesis if status <= hypothesis.start else self.late_reference

    def _shift(self, place: int, k: int) -> int:
        strict = self.strict[place]
        return 0 if strict is None else abs(k - strict)


def _keep(layer: Layer, state: State, weight: int, trace: Trace) -> None:
    """Add a way to a state unless one as good is known; the first found stays."""
    known = layer.get(state)
    if known is None or weight < known[0]:
        layer[state] = weight, trace


def _spent(bound: int, latest: int = 0) -> int:
    """Status of a spent element: its bound and, if not 0, the last frontier where it may close."""
    return ~(latest << WIDTH | bound)


def _bound(status: int) -> int:
    return ~status & ((1 << WIDTH) - 1)


def _may_close(status: int, k: int) -> bool:
    """Whether a spent element may close at ``k``."""
    latest = ~status >> WIDTH
    return latest == 0 or k <= latest


def _latest_half(start: int, until: int, hypothesis: Hypothesis) -> int:
    """Where a reference element may end at the latest to share half the words of the longer span.

    Args:
        start: where it begins.
        until: the words before this frontier are all that the two can share.
        hypothesis: its partner.

    Returns:
        A frontier; -1 where what they share is less than half of the partner.
    """
    shared = until - max(start, hypothesis.start)
    return start + 2 * shared if 2 * shared >= hypothesis.end - hypothesis.start else -1


def _eligible(outer: tuple[int, ...], others: tuple[int, ...]) -> Iterator[int]:
    """Which free elements of the other side an element may be paired with under rule 3.

    Args:
        outer: statuses of the element's open ancestors, outermost first.
        others: statuses of the open elements of the other side.
    """
    bound = max((_bound(status) for status in outer if status < 0), default=0)
    for place, status in enumerate(others):
        if status < 0:
            if _bound(status) > len(outer):
                return  # what is inside this one may not answer to an ancestor of its partner
        elif place >= bound:
            yield place


def _clip(statuses: tuple[int, ...], depth: int) -> tuple[int, ...]:
    """Bounds when no more than ``depth`` elements of the other side are open."""
    if min(statuses, default=0) >= ~depth:
        return statuses
    return tuple(
        _spent(min(_bound(status), depth), ~status >> WIDTH) if status < 0 else status
        for status in statuses
    )


def _unbind(statuses: tuple[int, ...]) -> tuple[int, ...]:
    """Bounds that say no more than one further out, as 0."""
    if min(statuses, default=0) >= _spent(0):
        return statuses
    bound = 0
    kept = []
    for status in statuses:
        if status < 0 and _bound(status) <= bound:
            status = _spent(0, ~status >> WIDTH)
        elif status < 0:
            bound = _bound(status)
        kept.append(status)
    return tuple(kept)
