"""The best solution of one cluster: exact, frontier by frontier, without the ways that cannot win.

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

**What cannot win.** Each element has a price or a due (see ``dues``), which what is still to come
must at least add for it. The *excess* of a state is the weight so far, less the prices and dues of
the elements that it has settled. No move makes it smaller, and at the end it is the weight of the
solution less the same number for all solutions. So a state that has as much excess as a solution
that is known leads to none that is better, and is dropped.

**Passes.** A first pass keeps states without any excess, up to ``WIDTH`` of them at a time; mostly
that is enough to reach the end. Else a second one keeps those ``WIDTH`` of least excess. If none
that it dropped had less excess than the solution it found, that is the best. Else a last one keeps
every state with less excess than that; if none of them comes to the end, there is no better one.

Same result as the exhaustive search written from the definition in ``brute_force`` (tests); and
as the last pass alone, which then drops nothing.

Source: Galibert et al., IJCNLP 2011, sections 3.2 and 3.3; the bound is that of A* search, Hart,
Nilsson and Raphael 1968, with the dual values of an assignment as its estimate.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ..documents.model import tags
from ..errors import SerevalError
from .bounds import Dues, Weights
from .clusters import Cluster, Hypothesis, Origin, Solution


class TooManyStates(SerevalError):
    """The search of a cluster came to its limit."""

    def __init__(self, most_states: int) -> None:
        super().__init__(f"more than {most_states} states in a search")
        self.most_states = most_states
        self.parts: list[tuple[Origin, Cluster]] = []  # from the outermost to the one searched

    def within(self, origin: Origin, part: Cluster) -> None:
        """Say which part of a cluster it was; called from the innermost one outwards."""
        self.parts.insert(0, (origin, part))


MAX_STATES = 1_000_000
"""How many states a search may come upon, and how many candidates it may have, by default."""

WIDTH = 16
"""How many states a narrow pass keeps after each frontier."""

CROWDED = 256
"""How many states it keeps in the middle of a frontier; above that, equal states are merged."""

AHEAD: tuple[tuple[int | None, float], ...] = ((WIDTH, 1), (WIDTH, math.inf))
"""The passes ahead of the last one: how many states each keeps, and less than what excess."""

MANY = 8
"""With more open elements, those that nothing can be paired with any more are left alone."""

CROWD = 8
"""A state takes more work the more elements are open: it counts once, and once more for each so
many pairs of an open reference element and an open hypothesis element."""

# A state is (placed, reference side, hypothesis side). On either side a spent element is negative
# (see _spent). A free one is FREE, or on the reference side 1 + the frontier where it began, if a
# hypothesis element that is open and free began there too, or if starts matter.
FREE = 0
BITS = 24  # of a bound

ALIKE = 1 << 12
"""Of how many statuses of a side the consequences are kept; most sides are alike."""

State = tuple[int, tuple[int, ...], tuple[int, ...]]
Trace = tuple["Trace", int, int] | None  # the steps before, and (tag, frontier) or (~r, h)
Layer = dict[State, tuple[int, Trace]]  # the excess of each state, and how it was reached


def best_solution(
    cluster: Cluster,
    weights: Weights,
    most_states: int,
    ahead: Sequence[tuple[int | None, float]] = AHEAD,
    *,
    crowded: int = CROWDED,
    many: int = MANY,
) -> Solution:
    """The solution of a cluster that weighs least.

    Args:
        cluster: with candidates that some placement uses, for every tag.
        weights: of its slots.
        most_states: how many states the search may come upon.
        ahead: the passes ahead of the last one; none: no state is dropped. They decide about ties
            that the weights leave, and about nothing else.
        crowded, many: as ``CROWDED`` and ``MANY``; they too decide about ties only.

    Raises:
        TooManyStates: there are more.
    """
    search = _Search(cluster, weights, most_states, crowded, many)
    passes: Iterator[tuple[int | None, float]] = iter((*ahead, (None, math.inf)))
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
    return Solution(tuple(pairs), spans, search.spent)


class _Search:
    """The moves on one cluster, and what each adds to the excess."""

    def __init__(
        self,
        cluster: Cluster,
        weights: Weights,
        most_states: int,
        crowded: int = CROWDED,
        many: int = MANY,
    ) -> None:
        self.weights = weights
        self.crowded, self.many = crowded, many
        self.most_states = most_states
        self.price = 1 + cluster.open_together // CROWD  # how often a state counts
        self.states_left = most_states // self.price
        candidates = sum(map(len, cluster.candidates))
        if self.states_left < cluster.size or most_states < candidates:
            raise TooManyStates(most_states)
        self.dues = Dues(cluster, weights)
        self.neutral = frozenset(cluster.neutral)
        self.is_choosy = None in weights.pair.values()
        self.is_exact = all(
            weight is None for (_, same_span, _), weight in weights.pair.items() if not same_span
        )
        self.tags = tags(cluster.parents)
        self.candidates = cluster.candidates
        self.last = [candidates[-1] for candidates in cluster.candidates]
        self.strict = cluster.strict
        self.closing = [0] * len(cluster.parents)  # place of each closing tag among the tags
        self.open_after: list[tuple[int, ...]] = [()]  # reference elements open after so many tags
        self.ref_opens: dict[int, set[int]] = {}  # by frontier: tags that may open, or close, there
        self.ref_closes: dict[int, set[int]] = {}
        for place, (r, is_closing) in enumerate(self.tags):
            ancestors = self.open_after[-1]
            self.open_after.append(ancestors[:-1] if is_closing else (*ancestors, r))
            at = self.ref_closes if is_closing else self.ref_opens
            for k in cluster.candidates[place]:
                at.setdefault(k, set()).add(place)
            self.closing[r] = place
        self.next_opening: list[int | None] = [None]  # the next opening tag after so many tags
        for place in range(len(self.tags) - 1, -1, -1):
            is_closing = self.tags[place][1]
            self.next_opening.append(self.next_opening[-1] if is_closing else place)
        self.next_opening.reverse()
        self.hypotheses = cluster.hypotheses
        self.open: list[int] = []  # hypothesis elements, outermost first
        self.fitting: dict[tuple[int, int], int] = {}  # of an open element and its status
        self.hyp_opens: dict[int, list[int]] = {}  # by frontier: elements, outermost first
        self.hyp_closes: dict[int, list[int]] = {}  # innermost first
        for h, hypothesis in enumerate(cluster.hypotheses):
            self.hyp_opens.setdefault(hypothesis.start, []).append(h)
        for h in reversed(range(len(cluster.hypotheses))):
            self.hyp_closes.setdefault(cluster.hypotheses[h].end, []).append(h)
        self.hyp_starts = list(self.hyp_opens)

    @property
    def spent(self) -> int:
        """How many states it came upon so far, each as often as it counts."""
        return self.price * (self.most_states // self.price - self.states_left)

    def run(self, width: int | None, ceiling: float) -> tuple[int, Trace] | None:
        """One pass: the best solution among the states that are kept, if one comes to the end.

        Args:
            width: how many states are kept after each move, ``None``: all.
            ceiling: only states with less excess are kept.
        """
        self.width, self.ceiling, self.dropped = width, ceiling, math.inf
        self.open = []
        layer: Layer = {(0, (), ()): (0, None)}
        for k in sorted({*self.ref_opens, *self.ref_closes, *self.hyp_opens, *self.hyp_closes}):
            layer = self._close_references(layer, k)
            layer = self._close_hypotheses(layer, k)
            if k in self.ref_closes or k in self.hyp_closes:
                layer = self._forget(layer, k)
            layer = self._open_references(layer, k)
            layer = self._open_hypotheses(layer, k)
            layer = self._narrow(layer)
        return next(iter(layer.values()), None)

    def _narrow(self, layer: Layer, least: int = 0) -> Layer:
        """Count the states, and keep those of least excess, as many as the pass may keep."""
        self.states_left -= len(layer)
        if self.states_left < 0:
            raise TooManyStates(self.most_states)
        width = math.inf if self.width is None else max(self.width, least)
        if len(layer) > width:
            ranked = sorted(layer.items(), key=lambda item: item[1][0])
            self.dropped = min(self.dropped, ranked[int(width)][1][0])
            layer = dict(ranked[: int(width)])
        return layer

    def _keep(self, layer: Layer, state: State, excess: int, trace: Trace) -> None:
        """Add a way to a state unless one as good is known, or the state cannot win."""
        known = layer.get(state)
        if (known is None or excess < known[0]) and excess < self.ceiling:
            layer[state] = excess, trace

    def _due(self, r: int, status: int) -> int:
        """What is due of an open free element."""
        return self.dues.together.get((r, status - 1), self.dues.apart[r])

    def _close_references(self, layer: Layer, k: int) -> Layer:
        """Place closing tags at ``k``, as many as may follow one another there."""
        closes = self.ref_closes.get(k)
        if not closes:
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
        excess += self._shift(placed, k)
        trace = (trace, placed, k)
        left = _clip(hyps, len(outer))
        if status < 0:
            if _may_close(status, k):
                excess -= self.dues.ending[r]
                self._keep(closed, (placed + 1, outer, left), excess, trace)
            return
        excess -= self._due(r, status)
        neutral = r in self.neutral
        alone = excess + self.weights.deletion[neutral]
        if alone < self.ceiling:
            self._keep(closed, (placed + 1, outer, left), alone, trace)
        spent = _spent(len(outer) if self.weights.nesting else 0)
        for j in _eligible(outer, hyps):
            h = self.open[j]
            hypothesis = self.hypotheses[h]
            same_span = hypothesis.end == k and hypothesis.start + 1 == status
            free = neutral or hypothesis.is_neutral
            pair = self.weights.pair[hypothesis.right(r), same_span, free]
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
        """Close the hypothesis elements that end at ``k``; any partner ends later."""
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
        left = _clip(refs, len(outer))
        if status < 0:
            self._keep(closed, (placed, left, outer), excess, trace)
            return
        hypothesis = self.hypotheses[h]
        excess -= self.dues.price[h]
        alone = excess + self.weights.insertion[hypothesis.is_neutral]
        if alone < self.ceiling:
            self._keep(closed, (placed, left, outer), alone, trace)
        bound = len(outer) if self.weights.nesting else 0
        for i in _eligible(outer, refs):
            r = self.open_after[placed][i]
            free = hypothesis.is_neutral or r in self.neutral
            pair = self.weights.pair[hypothesis.right(r), False, free]
            half = self.weights.half
            latest = hypothesis.latest_half(refs[i] - 1, hypothesis.end) if half else 0
            if pair is None or latest < 0:
                continue
            pair += excess + self.dues.ending[r] - self._due(r, refs[i])
            if pair < self.ceiling:
                after = (placed, (*left[:i], _spent(bound, latest), *left[i + 1 :]), outer)
                pair += 0 if free else self._lateness(refs[i], hypothesis)
                self._keep(closed, after, pair, (trace, ~r, h))

    def _opening(self, placed: int, k: int, begun: int) -> int:
        """What the next tag adds to the excess, if it opens at ``k`` with a status."""
        r = self.tags[placed][0]
        return self._shift(placed, k) + self._due(r, begun) - self.dues.unopened[r]

    def _open_references(self, layer: Layer, k: int) -> Layer:
        """Place opening tags at ``k``; drop the states that have one which had to open here."""
        opens = self.ref_opens.get(k)
        if not opens:
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
                    excess += self._opening(placed, k, begun)
                    self._keep(opened, after, excess, (trace, placed, k))
                if placed < len(self.last) and self.last[placed] <= k:
                    continue
                known = done.get(state)
                if known is None or at[0] < known[0]:
                    done[state] = at
            layer = self._narrow(opened, self.crowded)
        return done

    def _open_hypotheses(self, layer: Layer, k: int) -> Layer:
        opening = self.hyp_opens.get(k)
        if not opening:
            return layer
        self.open += opening
        fresh = (FREE,) * len(opening)
        return {(placed, refs, hyps + fresh): at for (placed, refs, hyps), at in layer.items()}

    def _tidy(self, layer: Layer, k: int) -> Layer:
        """What is left of a layer in the middle of a frontier."""
        if len(layer) > self.crowded:
            layer = self._forget(layer, k, self.states_left)
        return self._narrow(layer, self.crowded)

    def _forget(self, layer: Layer, k: int, most: float = math.inf) -> Layer:
        """Merge the states that differ in nothing a later move asks for, ``most`` at most."""
        forgotten: Layer = {}
        self.fitting = {}
        forgets_starts = not self.weights.starts_matter
        starts = [self.hypotheses[h].start + 1 for h in self.open]
        for (placed, refs, hyps), (excess, trace) in layer.items():
            if len(refs) + len(hyps) > self.many:
                more, refs, hyps = self._give_up(placed, refs, hyps, k)
                excess += more
            if forgets_starts and max(refs, default=FREE) > FREE:
                more, refs = self._forget_starts(placed, refs, starts, hyps)
                excess += more
            state = placed, _unbind(refs), _unbind(hyps)
            known = forgotten.get(state)
            if (known is None or excess < known[0]) and excess < self.ceiling:
                forgotten[state] = excess, trace
                if len(forgotten) > most:
                    raise TooManyStates(self.most_states)
        return forgotten

    def _forget_starts(
        self, placed: int, refs: tuple[int, ...], starts: Sequence[int], hyps: tuple[int, ...]
    ) -> tuple[int, tuple[int, ...]]:
        """Forget starts that no open free hypothesis element has, and tell what that adds."""
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
        """Leave alone, and call spent, the free elements that nothing can be paired with any more.

        Returns:
            What that adds to the excess, and both sides with bounds that forbid something.
        """
        open_refs = self.open_after[placed]
        live_refs = live_hyps = 0
        for i, partners in _partners(refs, hyps):
            if self.is_choosy:
                partners &= self._fitting(open_refs[i], refs[i])
            if partners:
                live_refs |= 1 << i
                live_hyps |= partners
        ref_start, refs_then = self._next_reference(placed, k)
        hyp_start = self._next_hypothesis(k)
        more, left, right, hyps_then = 0, list(refs), list(hyps), 0
        for i, r in enumerate(open_refs):
            if refs[i] >= 0 and not live_refs >> i & 1 and self.last[self.closing[r]] <= hyp_start:
                alone = self.weights.deletion[r in self.neutral] + self.dues.ending[r]
                more += alone - self._due(r, refs[i])
                left[i] = _spent(0)
        for j, h in enumerate(self.open):
            hypothesis = self.hypotheses[h]
            hyps_then += hypothesis.end > hyp_start
            if hyps[j] >= 0 and not live_hyps >> j & 1 and hypothesis.end <= ref_start:
                more += self.weights.insertion[hypothesis.is_neutral] - self.dues.price[h]
                right[j] = _spent(0)
        refs = _loosen(left, right, refs_then)
        return more, refs, _loosen(right, left, hyps_then)

    def _fitting(self, r: int, status: int) -> int:
        """The open elements that one may be paired with, as bits; found once for a layer."""
        fitting = self.fitting.get((r, status))
        if fitting is None:
            bits = (1 << j for j, h in enumerate(self.open) if self._may_pair(r, h, status))
            fitting = self.fitting[r, status] = sum(bits)
        return fitting

    def _may_pair(self, r: int, h: int, status: int) -> bool:
        """Whether the rules let two open elements be paired, but for nesting."""
        hypothesis = self.hypotheses[h]
        right = hypothesis.right(r)
        pair = self.weights.pair  # of which those may be that may be where nothing is neutral
        return pair[right, False, False] is not None or (
            pair[right, True, False] is not None and status == hypothesis.start + 1
        )

    def _next_reference(self, placed: int, k: int) -> tuple[float, int]:
        """The first frontier where another reference element may open, and the depth it has."""
        place = self.next_opening[placed]
        if place is None or self.is_exact:
            return math.inf, 0
        those = self.candidates[place]
        return those[bisect_left(those, k)], len(self.open_after[place])

    def _next_hypothesis(self, k: int) -> float:
        """The first frontier where another hypothesis element opens."""
        after = bisect_left(self.hyp_starts, k)
        return (
            math.inf if after == len(self.hyp_starts) or self.is_exact else self.hyp_starts[after]
        )

    def _lateness(self, status: int, hypothesis: Hypothesis) -> int:
        """What a pair adds because its reference element, by its status, starts elsewhere."""
        if status == FREE or status == hypothesis.start + 1:  # FREE: starts do not matter
            return 0
        return (
            self.weights.late_hypothesis
            if status <= hypothesis.start
            else self.weights.late_reference
        )

    def _shift(self, place: int, k: int) -> int:
        strict = self.strict[place]
        return 0 if strict is None else abs(k - strict)


def _spent(bound: int, latest: int = 0) -> int:
    """Status of a spent element: its bound and, if not 0, the last frontier where it may close."""
    return ~(latest << BITS | bound)


def _bound(status: int) -> int:
    return ~status & ((1 << BITS) - 1)


def _may_close(status: int, k: int) -> bool:
    """Whether a spent element may close at ``k``."""
    latest = ~status >> BITS
    return latest == 0 or k <= latest


@lru_cache(maxsize=ALIKE)
def _eligible(outer: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    """Which free elements of the other side an element may be paired with under rule 3.

    Args:
        outer: statuses of the element's open ancestors, outermost first.
        others: statuses of the open elements of the other side.
    """
    bound = max([_bound(status) for status in outer if status < 0], default=0)
    found = []
    for place, status in enumerate(others):
        if status < 0:
            if _bound(status) > len(outer):
                break  # what is inside this one may not answer to an ancestor of its partner
        elif place >= bound:
            found.append(place)
    return tuple(found)


def _partners(refs: tuple[int, ...], hyps: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """For each free element of one side, those of the other that ``_eligible`` gives, as bits."""
    free = sum([1 << j for j, status in enumerate(hyps) if status >= 0])
    walls = [(j, _bound(status)) for j, status in enumerate(hyps) if status < 0]
    wall = bound = 0
    for i, status in enumerate(refs):
        if status < 0:
            bound = max(bound, _bound(status))
            continue
        while wall < len(walls) and walls[wall][1] <= i:
            wall += 1
        until = walls[wall][0] if wall < len(walls) else len(hyps)
        yield i, free & (1 << until) - 1 & -1 << bound


@lru_cache(maxsize=ALIKE)
def _clip(statuses: tuple[int, ...], depth: int) -> tuple[int, ...]:
    """Bounds when no more than ``depth`` elements of the other side are open."""
    if min(statuses, default=0) >= ~depth:
        return statuses
    return tuple(
        _spent(min(_bound(status), depth), ~status >> BITS) if status < 0 else status
        for status in statuses
    )


def _loosen(statuses: list[int], others: list[int], then: int) -> tuple[int, ...]:
    """Bounds no larger than they need be to forbid what they do.

    Args:
        statuses: of one side.
        others: of the other.
        then: how many of the first ones may have more elements open inside them.
    """
    is_inside = False  # whether a free one is further in
    for place in range(len(statuses) - 1, -1, -1):
        status = statuses[place]
        if status >= 0:
            is_inside = True
            continue
        bound = _bound(status) if is_inside or place < then else 0
        while bound and others[bound - 1] < 0:
            bound -= 1
        statuses[place] = _spent(bound, ~status >> BITS)
    return tuple(statuses)


@lru_cache(maxsize=ALIKE)
def _unbind(statuses: tuple[int, ...]) -> tuple[int, ...]:
    """Bounds that say no more than one further out, as 0."""
    if min(statuses, default=0) >= _spent(0):
        return statuses
    bound = 0
    kept = []
    for status in statuses:
        if status < 0 and _bound(status) <= bound:
            status = _spent(0, ~status >> BITS)
        elif status < 0:
            bound = _bound(status)
        kept.append(status)
    return tuple(kept)
