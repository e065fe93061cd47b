"""The exact search for the best solution of one cluster, frontier by frontier.

**State.** The search reads a cluster (see ``clusters``) frontier by frontier, as the segment-wise
Viterbi search of the paper does (section 3.2). In the order of the inline tags, a placement is a
sequence of frontiers that never decreases. So the tags that are placed so far are a prefix of all
tags. A state after a frontier holds

* ``placed``: the number of tags that are placed. It determines which reference elements are open.
* The status of each open reference element, outermost first. An element is *free*, or *spent* if
  its partner is a hypothesis element that has closed already. A free element remembers its start
  if a hypothesis element that is open and free started there too.
* The status of each open hypothesis element, outermost first: free or spent.

The search chooses a pair when the first of its two elements closes. No earlier move depends on the
pair. Of the later moves, only those that rule 3 restricts depend on the partner.

**Nesting.** Rule 3 forbids pairs (r1, h1) and (r2, h2) where r1 is an ancestor of r2 and h1 is a
descendant of h2. When an element closes, the open elements of its own side are its ancestors. So a
spent element remembers one number of its closed partner, the *bound*: how many of the open elements
of the partner's side are ancestors of the partner. These are the outermost ones. No descendant of
the spent element may be paired with them. The bound shrinks as they close.

**Two more rules** need more memory. Under ``half``, a pair must share half the words of its longer
element. If the hypothesis element closes first, the pair holds only if the reference element closes
soon enough, so the status of the reference element carries the last frontier where it may close.
Under ``half``, and for a preference that compares the starts of a pair (``as_lne``), every free
reference element remembers its start.

**Moves.** At a frontier ``k`` the search closes the reference elements that may end there,
innermost first; closes hypothesis elements; opens reference elements; opens hypothesis elements. A
free element that closes is paired with a free open element of the other side, or is left alone as a
deletion or an insertion. The two elements of such a pair both cover the word before ``k``. Their
ends agree if the reference element closes at the frontier where the hypothesis element closes next.

**Why it is exact.** Every mapping with its placement is one sequence of moves. Later moves depend
on the state alone: the tags that are left, the free elements, the starts that agree and the bounds.
So two equal states after the same frontier have the same continuations at the same weights,
and the search keeps the better one. Weights are integers that add up and compare.

**Bound.** Each hypothesis element has a price and each reference element has a due (see
``bounds``), a weight that it adds at least, with any partner or none. The *excess* of a state is
its weight so far, less the prices and dues of the elements that are settled. No move lowers the
excess. At the end, the excess is the weight of the solution less a number that is the same for all
solutions. So the search drops a state if a known solution has no more excess.

**Passes.** The first pass keeps states with no excess, at most ``WIDTH`` at a time; mostly it
reaches the end. If it does not, the second pass keeps the ``WIDTH`` states of least excess. Its
solution is the best one if no dropped state had less excess. Otherwise the last pass keeps every
state with less excess than that solution. If none of them reaches the end, the solution was best.

The result equals that of the exhaustive search ``brute_force`` in the tests, which is written from
the definition. It also equals that of the last pass alone, which drops nothing.

Source: Galibert et al., IJCNLP 2011, sections 3.2 and 3.3. The bound is that of A* search (Hart,
Nilsson and Raphael 1968), with the dual values of an assignment problem as estimates.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ..documents.model import depths
from ..errors import SerevalError
from .assignment import Matching
from .clusters import Cluster, Hypothesis, Origin, Solution, places_of_tags, tags_of

# --------------------------------------------------------------------- the weights and their bounds

# Lower bounds for the weight of the elements of a cluster: prices and dues.
#
# Each hypothesis element ``h`` has a *price*, and each reference element ``r`` a *due*, such that
#
#     the price of h is at most its insertion
#     the due of r is at most its deletion and its shift
#     the due of r is at most its pair with h and its shift, less the price of h, for every such h
#
# where the shift is that of the two tags of ``r``. So in every solution a pair weighs at
# least a due and a price, and an element in no pair weighs at least its due or its price. The
# elements that a search has not yet settled add at least the sum of their dues and prices.
#
# This holds for any prices, with the dues as minima. ``prices`` finds the prices with the highest
# sum over all elements. A due rises when the start of an element is known: there is a due before
# the element starts, one for a start together with a hypothesis element, and one for other starts.


class SearchWeights(NamedTuple):
    """The weights that the search minimises: integers that add up; a unit of shift weighs 1."""

    deletion: tuple[int, int]  # of an element in no pair, and of a neutral one, like ``insertion``
    insertion: tuple[int, int]
    # by (Hypothesis.fits, same span, one is neutral); None: not allowed, neutral or not
    pair: dict[tuple[bool, bool, bool], int | None]
    late_hypothesis: int = 0  # 0 or more, added if this element starts after its partner
    late_reference: int = 0
    # whether the start of the reference element changes the weight of a pair, or whether it is
    # allowed
    starts_matter: bool = False
    half: bool = False  # a pair must share half the words of its longer span
    nesting: bool = True  # whether rule 3 holds


class Dues:
    """The prices and dues of a cluster, whose candidates are each used by some placement."""

    def __init__(self, cluster: Cluster, weights: SearchWeights) -> None:
        hyp_starts = [h.start for h in cluster.hypotheses]
        neutral = frozenset(cluster.neutral)
        self.ending: list[int] = []  # the least shift of each end
        self.apart: list[int] = []
        self.unopened: list[int] = []
        self.together: dict[tuple[int, int], int] = {}
        pairs: list[dict[int, int]] = []  # of each reference element: the least weight of each pair
        # the least shift of its start, then with the shift of its end: its weight in no pair, in
        # pairs with different spans, and in pairs with the same span, with the shift of its start
        rows: list[tuple[int, int, dict[int, int], dict[int, tuple[int, int]]]] = []
        for r, (opening, closing) in enumerate(places_of_tags(cluster.parents)):
            starts, ends = cluster.candidates[opening], cluster.candidates[closing]
            strict_start, strict_end = cluster.strict[opening], cluster.strict[closing]
            beginning, ending = _least_shift(starts, strict_start), _least_shift(ends, strict_end)
            may_start, may_end = frozenset(starts), frozenset(ends)
            apart, together = dict[int, int](), dict[int, tuple[int, int]]()
            for h in _near(cluster, hyp_starts, starts[0], ends[-1]):
                hypothesis = cluster.hypotheses[h]
                fits = hypothesis.fits(r)
                free = hypothesis.is_neutral or r in neutral
                other, same = weights.pair[fits, False, free], weights.pair[fits, True, free]
                if other is not None:
                    apart[h] = other + ending
                if same is not None and hypothesis.start in may_start and hypothesis.end in may_end:
                    weight = same + _shift(hypothesis.end, strict_end)
                    together[h] = weight, _shift(hypothesis.start, strict_start)
            least = {h: beginning + weight for h, weight in apart.items()}
            for h, (weight, shift) in together.items():
                least[h] = min(least.get(h, weight + shift), weight + shift)
            pairs.append(least)
            rows.append((beginning, ending + weights.deletion[r in neutral], apart, together))
            self.ending.append(ending)
        self.price = Matching(
            pairs,
            [beginning + alone for beginning, alone, _, _ in rows],
            [weights.insertion[h.is_neutral] for h in cluster.hypotheses],
        ).of_columns
        for r, (beginning, alone, apart, together) in enumerate(rows):
            due_apart = min([alone, *(w - self.price[h] for h, w in apart.items())])
            unopened = beginning + due_apart
            for h, (weight, shift) in together.items():
                start = r, cluster.hypotheses[h].start
                due = min(self.together.get(start, due_apart), weight - self.price[h])
                self.together[start] = due
                unopened = min(unopened, shift + due)
            self.apart.append(due_apart)
            self.unopened.append(unopened)


def _near(cluster: Cluster, starts: list[int], first: int, last: int) -> Iterator[int]:
    """The hypothesis elements with a word between two frontiers; ``starts``: of all of them."""
    after = bisect_right(starts, first)
    yield from range(after, bisect_left(starts, last))
    h = after - 1 if after else None
    while h is not None:  # the last element that starts before, and its ancestors
        if cluster.hypotheses[h].end > first:
            yield h
        h = cluster.hypotheses[h].parent


def _shift(k: int, strict: int | None) -> int:
    return 0 if strict is None else abs(k - strict)


def _least_shift(candidates: tuple[int, ...], strict: int | None) -> int:
    """The shift of the candidate that is nearest to the strict frontier."""
    if strict is None:
        return 0
    after = bisect_left(candidates, strict)
    return min([abs(k - strict) for k in candidates[max(after - 1, 0) : after + 1]])


# ------------------------------------------------------------------------- the statuses of elements

# The status of an open element in a state of the search, as one integer.
#
# A *status* is all that the search must remember about an open element. The status of a free
# element is 1 + the frontier where the element began, or 0 (``FREE``) if its start does not matter.
# The status of a *spent* element is negative: its partner has closed already. It holds two numbers:
#
# * the *bound*: how many of the open elements of the other side are ancestors of the partner. They
#   are the outermost ones. Rule 3 forbids them to every descendant of the spent element;
# * the *latest* frontier where the element may close, or 0 if it may close anywhere.

FREE: Final = 0
"""Status of a free element whose start does not matter."""

BITS: Final = 24
"""How many bits of a spent status hold the bound."""

ALIKE = 1 << 12
"""How many results each cached function keeps; most sides of states are equal."""


def spent_status(bound: int, latest: int = 0) -> int:
    """Status of a spent element: its bound and, if not 0, the last frontier where it may close."""
    return ~(latest << BITS | bound)


def bound_of(status: int) -> int:
    """The bound of a spent status."""
    return ~status & ((1 << BITS) - 1)


@lru_cache(maxsize=ALIKE)
def eligible(outer: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    """The free elements of the other side that rule 3 lets an element pair with, by their place."""
    bound = max([bound_of(status) for status in outer if status < 0], default=0)
    found = []
    for place, status in enumerate(others):
        if status < 0:
            if bound_of(status) > len(outer):
                break  # nothing inside this element may pair with an ancestor of its partner
        elif place >= bound:
            found.append(place)
    return tuple(found)


def partners_of(refs: tuple[int, ...], hyps: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Each free element of one side with its ``eligible`` elements of the other side, as bits."""
    free = sum([1 << j for j, status in enumerate(hyps) if status >= 0])
    walls = [(j, bound_of(status)) for j, status in enumerate(hyps) if status < 0]
    wall = bound = 0
    for i, status in enumerate(refs):
        if status < 0:
            bound = max(bound, bound_of(status))
            continue
        while wall < len(walls) and walls[wall][1] <= i:
            wall += 1
        until = walls[wall][0] if wall < len(walls) else len(hyps)
        yield i, free & (1 << until) - 1 & -1 << bound


@lru_cache(maxsize=ALIKE)
def clip(statuses: tuple[int, ...], depth: int) -> tuple[int, ...]:
    """Lower every bound to at most ``depth``, the number of open elements of the other side."""
    if min(statuses, default=0) >= ~depth:
        return statuses
    return tuple(
        spent_status(min(bound_of(status), depth), ~status >> BITS) if status < 0 else status
        for status in statuses
    )


def loosen(statuses: list[int], others: list[int], then: int) -> tuple[int, ...]:
    """Lower every bound as far as it still forbids the same pairs."""
    is_inside = False  # whether a free one is further in
    for place in range(len(statuses) - 1, -1, -1):
        status = statuses[place]
        if status >= 0:
            is_inside = True
            continue
        bound = bound_of(status) if is_inside or place < then else 0
        while bound and others[bound - 1] < 0:
            bound -= 1
        statuses[place] = spent_status(bound, ~status >> BITS)
    return tuple(statuses)


@lru_cache(maxsize=ALIKE)
def unbind(statuses: tuple[int, ...]) -> tuple[int, ...]:
    """Set to 0 each bound that is no larger than the bound of an element further out."""
    if min(statuses, default=0) >= spent_status(0):
        return statuses
    bound = 0
    kept = []
    for status in statuses:
        if status < 0 and bound_of(status) <= bound:
            status = spent_status(0, ~status >> BITS)
        elif status < 0:
            bound = bound_of(status)
        kept.append(status)
    return tuple(kept)


# --------------------------------------------------------------------------------------- the search


class TooManyStates(SerevalError):
    """A search reached its limit; of a cluster, the argument is the limit."""

    parts: tuple[tuple[Origin, Cluster], ...] = ()  # from the outermost to the one searched


MAX_STATES = 1_000_000
"""The default limit of a search: how many states it may visit, and how many candidates it takes."""

WIDTH = 16
"""How many states a narrow pass keeps after each frontier."""

CROWDED = 256
"""How many states a narrow pass keeps between two moves at one frontier. A pass merges equal states
when there are more."""

AHEAD: tuple[tuple[int | None, float], ...] = ((WIDTH, 1), (WIDTH, math.inf))
"""The passes before the last one: how many states each keeps, and the excess that a state must be
below."""

MANY = 8
"""If more elements are open, the search leaves alone those that can no longer be paired."""

CROWD = 8
"""Pairs of an open reference element and an open hypothesis element that make a state count once
more against the limit: a state takes more work if more elements are open."""

State = tuple[int, tuple[int, ...], tuple[int, ...]]
"""``placed``, then the statuses of the reference side and of the hypothesis side."""

Trace = tuple[Any, int, int] | None
"""The trace of the steps before, then a tag with its frontier, or ``~r`` and ``h`` of a pair.

``Any`` is a trace too."""

Layer = dict[State, tuple[int, Trace]]  # the excess of each state, and how it was reached


def best_solution(
    cluster: Cluster,
    weights: SearchWeights,
    most_states: int,
) -> Solution:
    """The solution of least weight of a cluster."""
    search = _Search(cluster, weights, most_states)
    passes: Iterator[tuple[int | None, float]] = iter((*AHEAD, (None, math.inf)))
    found = None
    while found is None or found[0] > search.dropped:  # the last pass drops nothing, and finds one
        width, ceiling = next(passes)
        found = search.run(width, ceiling if found is None else found[0]) or found
    trace = found[1]
    pairs = []
    placement = [[0, 0] for _ in cluster.parents]
    while trace is not None:
        trace, step, other = trace
        if step < 0:
            pairs.append((~step, other))
        else:
            r, is_closing = search.tags[step]
            placement[r][is_closing] = other
    spans = tuple((start, end) for start, end in placement)
    visited = most_states // search.price - search.states_left
    return Solution(tuple(pairs), spans, search.price * visited)


class _Search:
    """The moves on one cluster, and the excess that each adds."""

    def __init__(
        self,
        cluster: Cluster,
        weights: SearchWeights,
        most_states: int,
    ) -> None:
        self.weights = weights
        self.most_states = most_states
        sides = cluster.parents, [other.parent for other in cluster.hypotheses]
        ours, theirs = (max(depths(parents), default=0) for parents in sides)
        self.is_deep = ours + theirs > MANY
        self.price = 1 + ours * theirs // CROWD  # how often a state counts
        self.states_left = most_states // self.price
        candidates = sum(map(len, cluster.candidates))
        if self.states_left < cluster.size or most_states < candidates:
            raise TooManyStates(most_states)
        self.dues = Dues(cluster, weights)
        self.neutral = frozenset(cluster.neutral)
        self.tags = tags_of(cluster.parents)
        self.candidates = [*cluster.candidates, (math.inf,)]  # that of a tag after the last
        self.last = [those[-1] for those in self.candidates]
        self.strict = cluster.strict
        self.closing = [closing for _, closing in places_of_tags(cluster.parents)]
        self.open_after: list[tuple[int, ...]] = [()]  # open reference elements, by tags placed
        self.ref_opens: dict[int, set[int]] = {}  # by frontier: tags that may open, or close, there
        self.ref_closes: dict[int, set[int]] = {}
        for place, (r, is_closing) in enumerate(self.tags):
            ancestors = self.open_after[-1]
            self.open_after.append(ancestors[:-1] if is_closing else (*ancestors, r))
            at = self.ref_closes if is_closing else self.ref_opens
            for k in cluster.candidates[place]:
                at.setdefault(k, set()).add(place)
        self.next_opening = [len(self.tags)]  # the next opening tag, by tags placed
        for place in range(len(self.tags) - 1, -1, -1):
            is_closing = self.tags[place][1]
            self.next_opening.append(self.next_opening[-1] if is_closing else place)
        self.next_opening.reverse()
        self.hypotheses = cluster.hypotheses
        self.open: list[int] = []  # hypothesis elements, outermost first
        self.hyp_opens: dict[int, list[int]] = {}  # by frontier: elements, outermost first
        self.hyp_closes: dict[int, list[int]] = {}  # innermost first
        for h, hypothesis in enumerate(cluster.hypotheses):
            self.hyp_opens.setdefault(hypothesis.start, []).append(h)
        for h in reversed(range(len(cluster.hypotheses))):
            self.hyp_closes.setdefault(cluster.hypotheses[h].end, []).append(h)
        self.hyp_starts = [*self.hyp_opens, math.inf]
        self.frontiers = sorted(
            {*self.ref_opens, *self.ref_closes, *self.hyp_opens, *self.hyp_closes}
        )

    def run(self, width: int | None, ceiling: float) -> tuple[int, Trace] | None:
        """Make one pass."""
        self.width, self.ceiling, self.dropped = width, ceiling, math.inf
        self.open = []
        layer: Layer = {(0, (), ()): (0, None)}
        for k in self.frontiers:
            if k in self.ref_closes or k in self.hyp_closes:
                closed = self._close_hypotheses(self._close_references(layer, k), k)
                if closed is not layer or self.is_deep:
                    layer = self._forget(closed, k)
            if k in self.ref_opens:
                layer = self._open_references(layer, k)
            if k in self.hyp_opens:
                opening = self.hyp_opens[k]
                self.open += opening
                fresh = (FREE,) * len(opening)
                layer = {
                    (placed, refs, hyps + fresh): at for (placed, refs, hyps), at in layer.items()
                }
            layer = self._narrow(layer)
        return next(iter(layer.values()), None)

    def _narrow(self, layer: Layer, least: int = 0) -> Layer:
        """Count the states, and keep as many of least excess as the pass may keep."""
        self.states_left -= len(layer)
        if self.states_left < 0:
            raise TooManyStates(self.most_states)
        width = self.width
        if width is not None and len(layer) > max(width, least):
            width = max(width, least)
            ranked = sorted(layer.items(), key=lambda item: item[1][0])
            self.dropped = min(self.dropped, ranked[width][1][0])
            layer = dict(ranked[:width])
        return layer

    def _keep(self, layer: Layer, state: State, excess: int, trace: Trace) -> None:
        """Add a state, unless it is known with as little excess or cannot win."""
        known = layer.get(state)
        if (known is None or excess < known[0]) and excess < self.ceiling:
            layer[state] = excess, trace

    def _due(self, r: int, status: int) -> int:
        """The due of an open free element."""
        return self.dues.together.get((r, status - 1), self.dues.apart[r])

    def _close_references(self, layer: Layer, k: int) -> Layer:
        """Place closing tags at ``k``, as many in a row as may stand there."""
        closes = self.ref_closes.get(k)
        if not closes or closes.isdisjoint([state[0] for state in layer]):
            return layer
        done: Layer = {}
        while layer:
            closed: Layer = {}
            for state, at in layer.items():
                placed = state[0]
                if placed in closes:
                    self._close_reference(closed, k, state, *at)
                    if self.last[placed] <= k:
                        continue
                known = done.get(state)
                if known is None or at[0] < known[0]:
                    done[state] = at
            layer = self._tidy(closed, k)
        return done

    def _close_reference(
        self, closed: Layer, k: int, state: State, excess: int, trace: Trace
    ) -> None:
        placed, refs, hyps = state
        r = self.tags[placed][0]
        outer, status = refs[:-1], refs[-1]
        strict = self.strict[placed]
        if strict is not None:
            excess += abs(k - strict)
        trace = (trace, placed, k)
        left = clip(hyps, len(outer))
        if status < 0:
            if (latest := ~status >> BITS) == 0 or k <= latest:
                excess -= self.dues.ending[r]
                self._keep(closed, (placed + 1, outer, left), excess, trace)
            return
        excess -= self._due(r, status)
        neutral = r in self.neutral
        alone = excess + self.weights.deletion[neutral]
        if alone < self.ceiling:
            self._keep(closed, (placed + 1, outer, left), alone, trace)
        spent = spent_status(len(outer) if self.weights.nesting else 0)
        for j in eligible(outer, hyps):
            h = self.open[j]
            hypothesis = self.hypotheses[h]
            same_span = hypothesis.end == k and hypothesis.start + 1 == status
            free = neutral or hypothesis.is_neutral
            pair = self.weights.pair[hypothesis.fits(r), same_span, free]
            if pair is None:
                continue
            pair += excess - self.dues.price[h]
            if pair >= self.ceiling:
                continue
            if not self.weights.half or k <= hypothesis.latest_half(status - 1, k):
                after = (placed + 1, outer, (*left[:j], spent, *left[j + 1 :]))
                pair += 0 if free else self._lateness(status, hypothesis)
                self._keep(closed, after, pair, (trace, ~r, h))

    def _close_hypotheses(self, layer: Layer, k: int) -> Layer:
        """Close the hypothesis elements that end at ``k``; each partner ends later."""
        closing = self.hyp_closes.get(k)
        if not closing:
            return layer
        for h in closing:
            closed: Layer = {}
            for state, (excess, trace) in layer.items():
                self._close_hypothesis(closed, h, state, excess, trace)
            self.open.pop()
            layer = self._tidy(closed, k)
        return layer

    def _close_hypothesis(
        self, closed: Layer, h: int, state: State, excess: int, trace: Trace
    ) -> None:
        placed, refs, hyps = state
        outer, status = hyps[:-1], hyps[-1]
        left = clip(refs, len(outer))
        if status < 0:
            self._keep(closed, (placed, left, outer), excess, trace)
            return
        hypothesis = self.hypotheses[h]
        excess -= self.dues.price[h]
        alone = excess + self.weights.insertion[hypothesis.is_neutral]
        if alone < self.ceiling:
            self._keep(closed, (placed, left, outer), alone, trace)
        bound = len(outer) if self.weights.nesting else 0
        for i in eligible(outer, refs):
            r = self.open_after[placed][i]
            free = hypothesis.is_neutral or r in self.neutral
            pair = self.weights.pair[hypothesis.fits(r), False, free]
            half = self.weights.half
            latest = hypothesis.latest_half(refs[i] - 1, hypothesis.end) if half else 0
            if pair is None or latest < 0:
                continue
            pair += excess + self.dues.ending[r] - self._due(r, refs[i])
            if pair < self.ceiling:
                after = (placed, (*left[:i], spent_status(bound, latest), *left[i + 1 :]), outer)
                pair += 0 if free else self._lateness(refs[i], hypothesis)
                self._keep(closed, after, pair, (trace, ~r, h))

    def _open_references(self, layer: Layer, k: int) -> Layer:
        """Place opening tags at ``k``; drop the states whose next tag can open nowhere later."""
        opens = self.ref_opens[k]
        those = {state[0] for state in layer}
        if opens.isdisjoint(those) and k < min(map(self.last.__getitem__, those), default=math.inf):
            return layer
        begun = k + 1 if self.weights.starts_matter or k in self.hyp_opens else FREE
        done: Layer = {}
        while layer:
            opened: Layer = {}
            for state, at in layer.items():
                placed, refs, hyps = state
                if placed in opens:
                    excess, trace = at
                    after = (placed + 1, (*refs, begun), hyps)
                    r = self.tags[placed][0]
                    excess += (
                        _shift(k, self.strict[placed]) + self._due(r, begun) - self.dues.unopened[r]
                    )
                    self._keep(opened, after, excess, (trace, placed, k))
                if self.last[placed] <= k:
                    continue
                known = done.get(state)
                if known is None or at[0] < known[0]:
                    done[state] = at
            layer = self._narrow(opened, CROWDED)
        return done

    def _tidy(self, layer: Layer, k: int) -> Layer:
        """Merge and narrow a layer between two moves at one frontier."""
        if len(layer) > CROWDED:
            layer = self._forget(layer, k, self.states_left)
        return self._narrow(layer, CROWDED)

    def _forget(self, layer: Layer, k: int, most: float = math.inf) -> Layer:
        """Merge states that no later move treats differently."""
        forgotten: Layer = {}
        forgets_starts = not self.weights.starts_matter
        starts = [self.hypotheses[h].start + 1 for h in self.open]
        for (placed, refs, hyps), (excess, trace) in layer.items():
            if len(refs) + len(hyps) > MANY:
                more, refs, hyps = self._give_up(placed, refs, hyps, k)
                excess += more
            if forgets_starts and refs and max(refs) > FREE:
                more, refs = self._forget_starts(placed, refs, starts, hyps)
                excess += more
            state = placed, unbind(refs), unbind(hyps)
            known = forgotten.get(state)
            if (known is None or excess < known[0]) and excess < self.ceiling:
                forgotten[state] = excess, trace
                if len(forgotten) > most:
                    raise TooManyStates(self.most_states)
        return forgotten

    def _forget_starts(
        self, placed: int, refs: tuple[int, ...], starts: Sequence[int], hyps: tuple[int, ...]
    ) -> tuple[int, tuple[int, ...]]:
        """Forget the starts at which no open free hypothesis element started."""
        shared = {start for start, status in zip(starts, hyps, strict=True) if status == FREE}
        more, kept = 0, list(refs)
        for i, r in enumerate(self.open_after[placed]):
            if refs[i] > FREE and refs[i] not in shared:
                more += self.dues.apart[r] - self._due(r, refs[i])
                kept[i] = FREE
        return more, tuple(kept)

    def _give_up(
        self, placed: int, refs: tuple[int, ...], hyps: tuple[int, ...], k: int
    ) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        """Leave alone, and mark as spent, the free elements that can no longer be paired."""
        open_refs = self.open_after[placed]
        live_refs = live_hyps = 0
        for i, partners in partners_of(refs, hyps):
            if partners:
                live_refs |= 1 << i
                live_hyps |= partners
        place = self.next_opening[placed]
        starts = self.candidates[place]
        ref_start, refs_then = starts[bisect_left(starts, k)], len(self.open_after[place])
        hyp_start = self.hyp_starts[bisect_left(self.hyp_starts, k)]
        more, left, right, hyps_then = 0, list(refs), list(hyps), 0
        for i, r in enumerate(open_refs):
            if refs[i] >= 0 and not live_refs >> i & 1 and self.last[self.closing[r]] <= hyp_start:
                alone = self.weights.deletion[r in self.neutral] + self.dues.ending[r]
                more += alone - self._due(r, refs[i])
                left[i] = spent_status(0)
        for j, h in enumerate(self.open):
            hypothesis = self.hypotheses[h]
            hyps_then += hypothesis.end > hyp_start
            if hyps[j] >= 0 and not live_hyps >> j & 1 and hypothesis.end <= ref_start:
                more += self.weights.insertion[hypothesis.is_neutral] - self.dues.price[h]
                right[j] = spent_status(0)
        refs = loosen(left, right, refs_then)
        return more, refs, loosen(right, left, hyps_then)

    def _lateness(self, status: int, hypothesis: Hypothesis) -> int:
        """The weight that a pair adds if its elements start at different frontiers."""
        if status == FREE or status == hypothesis.start + 1:  # FREE: starts do not matter
            return 0
        return (
            self.weights.late_hypothesis
            if status <= hypothesis.start
            else self.weights.late_reference
        )
