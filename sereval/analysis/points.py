"""The points of a sweep: tolerances in time or in words, extent tolerances, or confidences.

Here are also the counts of one document at all points: it is projected in several ways, such as at
several tolerances. The counts of each way equal those of ``evaluate``. The ways share work without
any loss:

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
  cheapest mapping has as many as any mapping could have (``mapping.best.exact_pairs``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from operator import add
from typing import NamedTuple

from ..documents.model import Document, Reference, ReferenceElement, seconds
from ..errors import SerevalError
from ..evaluation.evaluate import projection, score_document
from ..evaluation.settings import SEARCHES, Settings
from ..mapping.best import (
    EXACT_PAIRS,
    PAIRINGS,
    SMALL,
    Budget,
    Preference,
    kept,
    most_pairs,
    solve,
    state_budget,
)
from ..mapping.clusters import Cluster, Origin, clusters
from ..measures import PAIR, Costs, Counts, Slot
from ..projection import LONGEST, MOST_CANDIDATES, parse_duration
from ..schemes.measure import InWords, Measure, Value

MOST_POINTS = 1001
"""The most points of a sweep."""

MOST_WORDS = 999
"""The greatest tolerance in words."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What changes from point to point of a sweep."""

    name: str  # of the setting that changes, as headings and keys of reports have it
    # "s": points in ms; "w": tolerances in words; empty: numbers of words of another setting
    unit: str

    def text(self, point: int) -> str:
        """A point as signatures and options write it; one in time is in seconds."""
        return seconds(point) if self.unit == "s" else f"{point}{self.unit}"

    def span(self, first: int, last: int, before: str = "from", between: str = "to") -> str:
        """Two points in a sentence, or one, with their unit."""
        name = "" if self.name == TIME.name else f"{self.name} "
        shown = f"{before} {name}{self.text(first)} {between} {self.text(last)}"
        if first == last:
            shown = f"at {name}{self.text(first)}"
        return f"{shown} s" if self.unit == "s" else shown

    def grid_text(self, points: Sequence[int]) -> str:
        """All points as a signature writes them; equal points always give the same text."""
        steps = {after - before for before, after in pairwise(points)}
        if len(steps) == 1:
            return ":".join(map(self.text, (points[0], points[-1], *steps)))
        return ",".join(map(self.text, points))

    def along(
        self, measures: Sequence[Measure], points: Sequence[int]
    ) -> dict[Measure, list[Measure]]:
        """Measures, and each at each point."""
        if not any(one.family.takes(self.name) for one in measures):
            names = ", ".join(map(str, measures))
            raise SerevalError(f"no {self.name} changes {names}, expected another measure")
        for one in measures:
            if self.name in one.given:
                raise SerevalError(f"measure {one}, expected it without {self.name}")
        values: list[Value] = [(at, at) if self.unit == "s" else InWords(at) for at in points]
        return {one: [one.beside({self.name: value}) for value in values] for one in measures}


TIME = Axis("tolerance", "s")
WORDS = Axis("tolerance", "w")
EXTENT = Axis("extent", "")


def axis_of(points: Sequence[int]) -> Axis:
    """The axis of some tolerances."""
    return WORDS if isinstance(points[0], InWords) else TIME


def grid(text: str) -> tuple[int, ...]:
    """Parse tolerances from ``START:STOP:STEP`` or from a list.

    Args:
        text: numbers in seconds, or with the unit ``ms`` or ``s``; or numbers of words, with the
            unit ``w``. STOP is included where a step reaches it.

    Returns:
        Tolerances in ms, or in words, increasing.

    Raises:
        SerevalError: the text has neither form; a number is not a whole number of ms or of words;
            the step is less than 1 ms or one word; STOP is before START; the list does not
            increase; there are more than ``MOST_POINTS`` tolerances.

    >>> grid("0:0.1:0.05"), grid("0,100ms,0.3"), grid("0w:2w:1w")
    ((0, 50, 100), (0, 100, 300), (0, 1, 2))
    """
    if text.rstrip().endswith("w"):
        return tuple(map(InWords, _points(text, _words, WORDS.text)))
    found = _points(text, _whole, seconds)
    if found[-1] > LONGEST:
        raise SerevalError(f"found {text!r}, expected at most {LONGEST // 1000} s")
    return found


def extents(text: str) -> tuple[int, ...]:
    """Parse extent tolerances from ``START:STOP:STEP`` or from a list."""
    return _points(text, _number, EXTENT.text)


class Confidences(NamedTuple):
    """Thresholds of confidence: increasing, none for all that occur; and as signatures write them.

    >>> confidences("0:1:0.50"), confidences("all")
    (Confidences(points=(0.0, 0.5, 1.0), text='0:1:0.5'), Confidences(points=(), text='all'))
    """

    points: tuple[float, ...]
    text: str


def confidences(text: str) -> Confidences:
    """Parse thresholds from ``all``, ``START:STOP:STEP`` or a list."""
    if text.strip() == "all":
        return Confidences((), "all")
    found = _points(text, _millionths, lambda one: f"{one / MILLION:g}")
    shown = (":" if ":" in text else ",").join(
        f"{_millionths(part, 0) / MILLION:g}" for part in re.split("[:,]", text)
    )
    return Confidences(tuple(one / MILLION for one in found), shown)


MILLION = 10**6


def _millionths(text: str, least: int) -> int:
    """Parse a decimal from 0 to 1."""
    bare = text.strip()
    found = int(Decimal(bare) * MILLION) if re.fullmatch(r"[01](\.[0-9]{1,6})?", bare) else -1
    if not least <= found <= MILLION:
        raise SerevalError(f"found {bare!r}, expected all, or decimals from 0 to 1 such as 0.5")
    return found


def _points(
    text: str, parse: Callable[[str, int], int], shown: Callable[[int], str]
) -> tuple[int, ...]:
    """The points of a range or of a list."""
    if ":" not in text:
        points = tuple(parse(part, 0) for part in text.split(","))
        for before, after in pairwise(points):
            if after <= before:
                raise SerevalError(
                    f"found {shown(after)} after {shown(before)}, expected an increasing list"
                )
    else:
        parts = text.split(":")
        if len(parts) != 3:
            raise SerevalError(
                f"found {text!r}, expected START:STOP:STEP such as 0:1:0.05, "
                "or a list such as 0,0.1,0.3"
            )
        start, stop = parse(parts[0], 0), parse(parts[1], 0)
        step = parse(parts[2], 1)
        if stop < start:
            raise SerevalError(f"found {text!r}, expected a stop that is not before the start")
        points = tuple(range(start, stop + 1, step)[: MOST_POINTS + 1])
    if len(points) > MOST_POINTS:
        raise SerevalError(f"found {text!r}, expected at most {MOST_POINTS} tolerances")
    return points


def _whole(text: str, least: int) -> int:
    """Parse a duration in ms, without rounding: a rounded step would move all later points."""
    rounded = parse_duration(text)
    bare = text.strip()
    unit = 1 if bare.endswith("ms") else 1000
    exact = Fraction(Decimal(bare.removesuffix("ms").removesuffix("s").strip())) * unit
    if exact < least:
        raise SerevalError(f"found a step of {text.strip()!r}, expected 1 ms (0.001) or more")
    if exact != rounded:
        raise SerevalError(f"found {text.strip()!r}, expected whole milliseconds")
    return rounded


def _words(text: str, least: int) -> int:
    """Parse a number of words with its unit."""
    bare = text.strip()
    if not bare.endswith("w"):
        raise SerevalError(f"found {bare!r}, expected a number of words such as 1w")
    return _number(bare.removesuffix("w"), least)


def _number(text: str, least: int) -> int:
    """Parse a number of words."""
    bare = text.strip()
    if not re.fullmatch(r"[0-9]{1,3}", bare) or int(bare) < least:
        expected = f"a whole number of words from {least} to {MOST_WORDS}"
        raise SerevalError(f"found {bare!r}, expected {expected}")
    return int(bare)


TIMES = 4
"""The factor by which the limits of states and candidates for all ways exceed those for one way."""


def document_counts(
    reference: Document | Reference,
    hypothesis: Document,
    settings: Settings,
    tolerances: Sequence[int],
) -> list[Counts]:
    """The counts of one document at each tolerance."""
    projected: list[Reference] = []
    candidates, most = 0, TIMES * MOST_CANDIDATES
    for ms in tolerances:
        found, hypothesis = projection(reference, hypothesis, replace(settings, tolerance=(ms, ms)))
        of_element = [len(element.starts) + len(element.ends) for element in found.elements]
        candidates += sum(of_element)
        if candidates > most:
            widest = of_element.index(max(of_element))
            raise SerevalError(
                f"{found.id}: reference element {widest} ({found.elements[widest].label}) and "
                f"others fit at more than {most} frontiers at all tolerances, "
                "counted for each, expected fewer: fewer tolerances, or smaller ones"
            )
        projected.append(found)
    return Points(projected, hypothesis, Budget(0)).counts(settings)


class Points:
    """One document that is projected in several ways, cut into blocks."""

    def __init__(
        self,
        # once for each way; least work where the candidates of each contain those of the one
        # before, as with increasing tolerances
        projected: Sequence[Reference],
        hypothesis: Document,  # on the same words
        budget: Budget,  # the states that all ways share; its limit grows as needed
    ) -> None:
        self.projected, self.hypothesis, self.budget = projected, hypothesis, budget
        parts = [
            _Part(origin, point, loose(cluster))
            for point, reference in enumerate(projected)
            for origin, cluster in clusters(reference, hypothesis)
        ]
        self.blocks = [(block, self._stretches(block)) for block in _blocks(parts, len(projected))]
        self.exact: dict[Cluster, int] = {}

    def counts(self, settings: Settings) -> list[Counts]:
        """The counts of each way."""
        if settings.neutral or settings.is_bound:
            return [
                score_document(reference, self.hypothesis, settings, reference).counts
                for reference in self.projected
            ]
        elements = max(len(each.elements) for each in self.projected)
        most = TIMES * state_budget(elements + len(self.hypothesis.elements), settings.max_states)
        self.budget.limit = max(self.budget.limit, most)
        solve_one = solver(settings, self.budget, self.exact)

        def best(part: _Part) -> Tally:
            return solve_one(self.projected[part.point], part.origin, part.cluster)

        nothing = (0,) * (len(SEARCHES[settings.scheme](settings.costs).C) + len(NO_SLOT))
        tallies = [nothing] * len(self.projected)
        for block, stretches in self.blocks:
            tallies = [*map(plus, tallies, _along(block, stretches, best, nothing))]
        mentions = len(self.hypothesis.mentions or ())
        found = Counts(I=mentions, hyp=len(self.hypothesis.elements) + mentions)
        return [
            tallied(tally) + lost_counts(reference) + found
            for reference, tally in zip(self.projected, tallies, strict=True)
        ]

    def _stretches(self, block: Block) -> list[tuple[int, int]]:
        """The first and the last way of each run in which every placement stays possible."""
        every = [
            [
                element
                for part in parts
                for first in [part.origin.reference]
                for element in self.projected[part.point].elements[
                    first : first + len(part.cluster.parents)
                ]
            ]
            for parts in block
        ]
        cuts = [k for k in range(1, len(block)) if not _is_within(every[k - 1], every[k])]
        return [(first, after - 1) for first, after in pairwise([0, *cuts, len(block)])]


def _is_within(narrow: Sequence[ReferenceElement], wide: Sequence[ReferenceElement]) -> bool:
    """Whether each placement in one way is a placement of the same elements in another."""
    if narrow == wide:
        return True
    same, others = ([(one.source, one.labels) for one in of] for of in (narrow, wide))
    return same == others and all(
        {*a.starts} <= {*b.starts} and {*a.ends} <= {*b.ends}
        for a, b in zip(narrow, wide, strict=True)
    )


def ser(counts: Counts, costs: Costs) -> Fraction | None:
    """The exact slot error rate of some counts; ``None`` where there is no reference slot."""
    return counts.cost(costs) / counts.ref if counts.ref else None


Tally = tuple[int, ...]
"""The number of slots of each class in the order of ``Slot``, and the exact pairs. In those of a
best solution its sort key by a preference stands before them: equal keys have equal slots."""

_CORRECT = list(Slot).index(Slot.CORRECT) - len(Slot)  # counted from the end

NO_SLOT: Tally = (0,) * (len(Slot) + 1)


def plus(one: Tally, other: Tally) -> Tally:
    """The sum of two tallies."""
    return tuple(map(add, one, other))


def tallied(tally: Tally) -> Counts:
    """The counts of the clusters of a document, without those of its hypothesis's elements."""
    *slots, exact = tally[-len(NO_SLOT) :]
    row = {slot.value: number for slot, number in zip(Slot, slots, strict=True)}
    return Counts(**row, exact=exact, exact_hyp=exact)


def lost_counts(reference: Reference) -> Counts:
    """The counts of the unplaceable elements of a document."""
    missed = sum(lost.fate == "missed" for lost in reference.unplaceable)
    return Counts(D=missed, unplaceable=len(reference.unplaceable))


def loose(cluster: Cluster) -> Cluster:
    """A cluster without strict frontiers."""
    return cluster._replace(strict=(None,) * len(cluster.strict))


def solver(
    settings: Settings, budget: Budget, exact_of: dict[Cluster, int]
) -> Callable[[Reference, Origin, Cluster], Tally]:
    """What finds the best solution of a cluster of a document; ``exact_of`` keeps exact pairs."""
    limit = settings.max_states
    preference = SEARCHES[settings.scheme](settings.costs)
    search = kept(_answer, preference._replace(**PAIRINGS[settings.pairing]), limit)
    search_exact = kept(_answer, EXACT_PAIRS, limit)

    def best(reference: Reference, origin: Origin, cluster: Cluster) -> Tally:
        found = budget.answer(search, reference, origin, cluster).found
        exact = found[_CORRECT]
        is_most = cluster.size <= SMALL and exact == most_pairs(cluster)
        if settings.scheme == "quaero" and not is_most:
            if cluster not in exact_of:
                other = budget.answer(search_exact, reference, origin, cluster).found
                exact_of[cluster] = other[_CORRECT]
            exact = exact_of[cluster]
        return (*found, exact)

    return best


class _Part(NamedTuple):
    """A cluster, without strict frontiers, in one way: its position, and the number of the way."""

    origin: Origin
    point: int
    cluster: Cluster


Block = list[list[_Part]]
"""The clusters of one stretch of words in each way."""


def _blocks(parts: Iterable[_Part], ways: int) -> Iterator[Block]:
    """Cut a document at each frontier that no cluster of any way crosses."""
    block: Block = []
    reach = -1
    for part in sorted(parts, key=lambda part: (part.origin.frontier, part.point)):
        if part.origin.frontier >= reach:
            if block:
                yield block
            block = [[] for _ in range(ways)]
        block[part.point].append(part)
        ends = [each[-1] for each in part.cluster.candidates]
        last = max([*ends, *(other.end for other in part.cluster.hypotheses)])
        reach = max(reach, part.origin.frontier + last)
    if block:
        yield block


def _along(
    block: Block,
    stretches: Sequence[tuple[int, int]],
    best: Callable[[_Part], Tally],
    nothing: Tally,
) -> list[Tally]:
    """The tally of a block in each way; a way that its neighbours decide is skipped."""
    found: dict[int, Tally] = {}

    def at(point: int) -> Tally:
        if point not in found:
            found[point] = reduce(plus, map(best, block[point]), nothing)
        return found[point]

    left = [*reversed(stretches)]
    while left:  # a function that calls itself would keep the block until Python looks for garbage
        first, last = left.pop()
        if at(first) == at(last):  # then all points between them have the same key
            found.update(dict.fromkeys(range(first, last), found[first]))
        elif last - first > 1:
            middle = (first + last) // 2
            left += (middle, last), (first, middle)
    return [found[point] for point in range(len(block))]


class _Answer(NamedTuple):
    """The best solution of a cluster, and the number of states that the search met."""

    found: Tally  # without exact pairs
    states: int


def _answer(cluster: Cluster, preference: Preference, max_states: int) -> _Answer:
    """Find the sort key and the slots of the best solution of one cluster."""
    counts = dict.fromkeys(Slot, 0)
    states = 0
    late: list[Sequence[int]] = []
    counts[Slot.DELETION] = len(cluster.parents)
    counts[Slot.INSERTION] = len(cluster.hypotheses)
    if cluster.parents and cluster.hypotheses:
        solution = solve(cluster, preference, max_states)
        states = solution.states
        for r, h in solution.pairs:
            other, span = cluster.hypotheses[h], solution.placement[r]
            slot = PAIR[other.fits(r), span == (other.start, other.end)]
            for one, change in ((slot, 1), (Slot.DELETION, -1), (Slot.INSERTION, -1)):
                counts[one] += change
            if preference.late_hypothesis and span[0] < other.start:
                late.append(preference.late_hypothesis)
            elif preference.late_reference and span[0] > other.start:
                late.append(preference.late_reference)
    keys = (
        [number * count for number in getattr(preference, slot.value)]
        for slot, count in counts.items()
        if count
    )
    return _Answer((*map(sum, zip(*keys, *late, strict=True)), *counts.values()), states)
