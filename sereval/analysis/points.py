"""The counts of one document that is projected in several ways, such as at several tolerances.

The counts of each way equal those of ``evaluate``. The ways share work without any loss:

* The result holds only counts, and the shift only breaks ties between equal counts (definition,
  section 3). So clusters are solved without strict frontiers, and more of them are equal.
* A document is cut into *blocks*: no cluster of any tolerance crosses the edge of a block. The
  counts of the document at a tolerance are the sum of the counts of its blocks.
* Suppose that the same elements are placed at two tolerances, and that the candidates of the first
  are among those of the second. Then every solution at the first is possible at the second, and the
  best solution can only become better. So if the best solution of a block has the same sort key at
  both ends of a stretch of such tolerances, it has this key, and the same counts, at all of them.
  The tolerances in between need no search::

      tolerance   0 ──────── 0.5 ──────── 1          equal at 0.5 and 1: settled
      key         A            B          B          not at 0 and 0.5: search at 0.25, and so on

* The exact pairs that precision and recall count need no search of their own in a cluster whose
  cheapest mapping has as many as any mapping could have (``mapping.exact_pairs``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import add
from typing import NamedTuple

from ..documents.model import Document, Reference
from ..errors import SerevalError
from ..evaluation.evaluate import projection, score_projected
from ..evaluation.settings import SEARCHES, Settings
from ..mapping.best import (
    EXACT_PAIRS,
    MOST_CORRECT,
    PAIRINGS,
    SMALL,
    Budget,
    Preference,
    Rules,
    kept,
    most_pairs,
    solve,
    state_budget,
)
from ..mapping.clusters import ALL, Cluster, Origin, clusters
from ..measures.slots import PAIR, Counts, Nearness, Slot
from ..projection.project import MOST_CANDIDATES

TIMES = 4
"""The factor by which the limits of states and candidates for all ways exceed those for one way."""


def document_counts(
    reference: Document | Reference,
    hypothesis: Document,
    settings: Settings,
    tolerances: Sequence[int],
) -> list[Counts]:
    """The counts of one document at each tolerance.

    The counts equal ``score_document(…).counts`` at each tolerance.

    Args:
        reference, hypothesis: one document, with times on both sides.
        settings: all settings but the tolerance.
        tolerances: in ms, increasing.

    Raises:
        SerevalError: as ``projection``; the states of the searches, or the candidates, at all
            tolerances together are more than ``TIMES`` the limit for one tolerance.

    >>> from sereval import tree
    >>> times = (0, 200), (200, 400)
    >>> reference = Document("d", ("à", "Dol"), tree([("loc", 1, 2)]), times)
    >>> hypothesis = Document("d", ("à", "Dol"), tree([("loc", 0, 2)]), times)
    >>> [counts.C for counts in document_counts(reference, hypothesis, Settings(), [0, 200])]
    [0, 1]
    """
    projected: list[Reference] = []
    candidates = 0
    for ms in tolerances:
        way = replace(settings, tolerance=(ms, ms))
        projected.append(projection(reference, hypothesis, way)[0])
        candidates += _check_candidates(projected[-1], candidates, TIMES * MOST_CANDIDATES)
    return Points(projected, hypothesis, settings.nearness).counts(settings)


def _check_candidates(reference: Reference, before: int, limit: int) -> int:
    """Count the candidates of one projection, and check the limit for all projections together.

    Args:
        reference: the document, projected.
        before: the number of candidates of the earlier ways.
        limit: the most candidates that all ways together may have.

    Raises:
        SerevalError: the candidates so far exceed the limit.
    """
    of_element = [len(element.starts) + len(element.ends) for element in reference.elements]
    if before + sum(of_element) > limit:
        most = of_element.index(max(of_element))
        raise SerevalError(
            f"{reference.id}: reference element {most} ({reference.elements[most].label}) and "
            f"others fit at more than {limit} frontiers at all tolerances, "
            "counted for each, expected fewer: fewer tolerances, or smaller ones"
        )
    return sum(of_element)


class Points:
    """One document that is projected in several ways, cut into blocks.

    Args:
        projected: the reference on the hypothesis's words, once for each way. Ways whose candidates
            contain those of the way before, such as increasing tolerances, need least work.
        hypothesis: the hypothesis on the same words.
        nearness: the nearness of the settings that :meth:`counts` takes.
        budget: the states that all ways of the document share; its limit grows as needed.
    """

    def __init__(
        self,
        projected: Sequence[Reference],
        hypothesis: Document,
        nearness: Nearness | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.projected, self.hypothesis = projected, hypothesis
        self.budget = budget or Budget(0)
        self.hyp = len(hypothesis.elements)
        self.elements = max(len(reference.elements) for reference in projected) + self.hyp
        self.mentions = len(hypothesis.mentions or ())
        blocks = _blocks(projected, hypothesis, nearness)
        self.blocks = [(block, _stretches(block)) for block in blocks]
        self._exact: list[int] | None = None
        self._correct: dict[Cluster, int] = {}  # the exact pairs of a solution of each cluster

    def counts(self, settings: Settings) -> list[Counts]:
        """The counts of each way.

        Args:
            settings: costs, pairing rule, scheme, neutral labels, the placement of mentions and
                the limits of the searches; other settings are ignored. With neutral labels each way
                is scored by itself, because no sort key tells which slots are free; so are an upper
                bound and a placement of mentions, whose hypothesis is another one for each way.
        """
        if settings.neutral or settings.is_bound or settings.placement is not None:
            return [
                score_projected(reference, reference, self.hypothesis, settings).counts
                for reference in self.projected
            ]
        preference = SEARCHES[settings.scheme](settings.costs)
        limit = settings.max_states
        tallies = self._tallies(preference, PAIRINGS[settings.pairing], limit)
        exact = [tally[_CORRECT] for tally in tallies]
        if settings.scheme == "quaero":
            exact = self._most_exact(limit)
        points = zip(self.projected, tallies, exact, strict=True)
        return [_counts(*point, self.hyp, self.mentions) for point in points]

    def _most_exact(self, max_states: int) -> list[int]:
        """The greatest number of exact pairs of each way, which is the same for all settings."""
        if self._exact is None:
            search = self._search(MOST_CORRECT, EXACT_PAIRS, max_states)

            def of_part(part: _Part) -> Found:
                known = self._correct.get(part.cluster)
                if known is None or part.cluster.size > SMALL or known < most_pairs(part.cluster):
                    known = search(part)[1][_CORRECT]
                return (-known,), (known,)

            self._exact = [exact for (exact,) in self._sums(of_part, ((0,), (0,)))]
        return self._exact

    def _tallies(self, preference: Preference, rules: Rules, max_states: int) -> list[Tally]:
        search = self._search(preference, rules, max_states)

        def of_part(part: _Part) -> Found:
            found = search(part)
            self._correct[part.cluster] = found[1][_CORRECT]
            return found

        return self._sums(of_part, ((0,) * len(preference.C), NO_SLOT))

    def _search(
        self, preference: Preference, rules: Rules, max_states: int
    ) -> Callable[[_Part], Found]:
        """The function that finds the best solution of a cluster."""
        of_cluster: Callable[[Cluster], _Answer] = kept(_answer, preference, rules, max_states)
        limit = TIMES * state_budget(self.elements, max_states)
        self.budget.limit = max(self.budget.limit, limit)

        def search(part: _Part) -> Found:
            reference = self.projected[part.point]
            return self.budget.answer(of_cluster, reference, part.origin, part.cluster).found

        return search

    def _sums(self, of_part: Callable[[_Part], Found], nothing: Found) -> list[Tally]:
        """The sum over all blocks of each way."""
        sums = [nothing[1]] * len(self.projected)
        for block, stretches in self.blocks:
            sums = list(map(_plus, sums, _along(block, stretches, of_part, nothing)))
        return sums


Tally = tuple[int, ...]
"""The number of slots of each class in the order of ``Slot``, then the right levels of ``S_T``."""

NO_SLOT: Tally = (0,) * (len(Slot) + 1)

Found = tuple[tuple[int, ...], Tally]
"""The sort key of the best solution by a preference, and its slots. Equal keys have equal slots."""

_CORRECT = list(Slot).index(Slot.CORRECT)


def _plus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(add, one, other))


def _counts(reference: Reference, tally: Tally, exact: int, hyp: int, mentions: int) -> Counts:
    """The counts of a document: of its clusters, its unplaceable elements and its mentions."""
    names = (*(slot.value for slot in Slot), "right_levels")
    row = dict(zip(names, tally, strict=True))
    row["I"] += mentions
    row["D"] += sum(lost.fate == "missed" for lost in reference.unplaceable)
    lost = len(reference.unplaceable)
    return Counts(**row, hyp=hyp + mentions, exact=exact, exact_hyp=exact, unplaceable=lost)


class _Part(NamedTuple):
    """A cluster at one tolerance.

    Args:
        origin: the position of the cluster in the document.
        end: the last frontier of the cluster.
        point: the number of the tolerance, from 0.
        cluster: the cluster without strict frontiers.
        identities: the source and the labels of each reference element.
    """

    origin: Origin
    end: int
    point: int
    cluster: Cluster
    identities: tuple[tuple[int | None, tuple[str, ...]], ...]

    @property
    def candidates(self) -> Iterator[set[int]]:
        """The candidates of each tag, counted from the document's first frontier."""
        return (
            {self.origin.frontier + k for k in frontiers} for frontiers in self.cluster.candidates
        )


StretchClusters = list[list[_Part]]
"""The clusters of one stretch of words at each tolerance."""


def _parts(
    point: int,
    reference: Reference,
    hypothesis: Document,
    nearness: Nearness | None,
    alike: dict[Cluster, Cluster],
) -> Iterator[_Part]:
    """The clusters of one way; a cluster that equals one in ``alike`` becomes the same object."""
    for origin, cluster in clusters(reference, hypothesis, nearness=nearness):
        ends = [*(each[-1] for each in cluster.candidates), *(h.end for h in cluster.hypotheses)]
        first = origin.reference
        elements = reference.elements[first : first + len(cluster.parents)]
        cluster = cluster._replace(strict=(None,) * len(cluster.strict))
        yield _Part(
            origin,
            origin.frontier + max(ends),
            point,
            alike.setdefault(cluster, cluster),
            tuple((element.source, element.labels) for element in elements),
        )


def _blocks(
    projected: Sequence[Reference], hypothesis: Document, nearness: Nearness | None
) -> Iterator[StretchClusters]:
    """Cut a document at each frontier that no cluster of any tolerance crosses."""
    alike: dict[Cluster, Cluster] = {}
    parts = [
        part
        for point, reference in enumerate(projected)
        for part in _parts(point, reference, hypothesis, nearness, alike)
    ]
    parts.sort(key=lambda part: (part.origin.frontier, part.point))
    block: StretchClusters = []
    reach = -1
    for part in parts:
        if part.origin.frontier >= reach:
            if block:
                yield block
            block = [[] for _ in projected]
        block[part.point].append(part)
        reach = max(reach, part.end)
    if block:
        yield block


def _stretches(block: StretchClusters) -> list[tuple[int, int]]:
    """The first and the last point of each run in which every placement stays possible."""
    cuts = [k for k in range(1, len(block)) if not _is_within(block[k - 1], block[k])]
    return [(first, after - 1) for first, after in pairwise([0, *cuts, len(block)])]


def _is_within(narrow: list[_Part], wide: list[_Part]) -> bool:
    """Whether each placement at one tolerance is a placement of the same elements at another."""
    if [x for part in narrow for x in part.identities] != [
        x for part in wide for x in part.identities
    ]:
        return False
    if [(part.origin, part.cluster) for part in narrow] == [
        (part.origin, part.cluster) for part in wide
    ]:
        return True
    fewer = (frontiers for part in narrow for frontiers in part.candidates)
    more = (frontiers for part in wide for frontiers in part.candidates)
    return all(some <= others for some, others in zip(fewer, more, strict=True))


def _along(
    block: StretchClusters,
    stretches: Sequence[tuple[int, int]],
    of_part: Callable[[_Part], Found],
    nothing: Found,
) -> list[Tally]:
    """The tally of a block at each tolerance; a tolerance that its neighbours decide is skipped."""
    found: dict[int, Found] = {}

    def at(point: int) -> Found:
        if point not in found:
            key, tally = nothing
            for part in block[point]:
                more_key, more = of_part(part)
                key, tally = _plus(key, more_key), _plus(tally, more)
            found[point] = key, tally
        return found[point]

    left = [*reversed(stretches)]
    while left:  # a function that calls itself would keep the block until Python looks for garbage
        first, last = left.pop()
        if at(first) == at(last):  # then all points between them have the same key
            found.update(dict.fromkeys(range(first, last), found[first]))
        elif last - first > 1:
            middle = (first + last) // 2
            left += (middle, last), (first, middle)
    return [found[point][1] for point in range(len(block))]


class _Answer(NamedTuple):
    """The best solution of a cluster, and the number of states that the search met."""

    found: Found
    states: int


def _answer(cluster: Cluster, preference: Preference, rules: Rules, max_states: int) -> _Answer:
    """Find the sort key and the slots of the best solution of one cluster."""
    counts = dict.fromkeys(Slot, 0)
    levels = states = 0
    late: list[Sequence[int]] = []
    counts[Slot.DELETION] = len(cluster.parents)
    counts[Slot.INSERTION] = len(cluster.hypotheses)
    if cluster.parents and cluster.hypotheses:
        solution = solve(cluster, preference, rules, max_states)
        states = solution.states
        for r, h in solution.pairs:
            other, span = cluster.hypotheses[h], solution.placement[r]
            slot = PAIR[other.right(r) == ALL, span == (other.start, other.end)]
            levels += other.right(r) if slot is Slot.TYPE else 0
            for one, change in ((slot, 1), (Slot.DELETION, -1), (Slot.INSERTION, -1)):
                counts[one] += change
            if preference.late_hypothesis and span[0] < other.start:
                late.append(preference.late_hypothesis)
            elif preference.late_reference and span[0] > other.start:
                late.append(preference.late_reference)
    keys = ([number * count for number in preference.of(slot)] for slot, count in counts.items())
    first, *others = map(sum, zip(*keys, *late, strict=True))
    key = first - preference.share * levels, *others
    return _Answer((key, (*counts.values(), levels)), states)
