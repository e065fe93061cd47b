"""Carrying a reference onto the recogniser's words: through time, or through an alignment.

The reference was annotated on a clean transcript whose words have times from a forced alignment.
The recogniser's words have times of their own. Each tag of the reference gets the frontiers of
those words that lie within a tolerance of its time (definition, section 4), and elements for
which there is no room are taken out by a walk along the tags and treated by a policy (section 5).

            t_start − tau   t_start   t_start + tau
    ref  …  |───────────────┼───────────────|…          a[k]: start of ASR word k
    ASR  …  [ mais  ][  l' ][   acteur   ][ …           every k with a[k] inside may start it

Words without times are reached through an alignment of the two texts (``align``, ``phones``); from
the sets of frontiers on, nothing differs.

Source: Galibert et al., IJCNLP 2011, section 3.3.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from ..alignment.blocks import WordAlignment
from ..documents.model import (
    FATES,
    Document,
    Reference,
    ReferenceElement,
    Time,
    Unplaceable,
    seconds,
    tags,
)
from ..errors import SerevalError

MOST_CANDIDATES = 5_000_000
"""How many candidate frontiers all tags of a document may have together: some hundred MB."""


class Frontiers:
    """The frontiers of timed words, by time.

    Args:
        times: ``(start, end)`` of each word in ms, by increasing start.

    >>> asr = Frontiers([(167300, 167620), (167620, 167930), (167930, 168270)])
    >>> asr.strict(167600), asr.starts(167600, 300), asr.ends(167950, 300)  # "Benoît", figure 4
    (1, (0, 1), (2,))
    """

    def __init__(self, times: Sequence[Time]) -> None:
        self._n = len(times)
        self._numbers = list(range(self._n))  # the same objects for all, which there are many of
        self._middles = list(accumulate((a + b for a, b in times), max))  # doubled
        self._starts = [a for a, _ in times]
        ends = sorted((b, k + 1) for k, (_, b) in enumerate(times))  # words may overlap
        self._ends = [b for b, _ in ends]
        self._after = [k for _, k in ends]
        self._found: dict[tuple[int, int, int, bool], tuple[int, ...]] = {}

    def strict(self, time: int) -> int:
        """How many words have their middle before a time in ms: a word is where its middle lies."""
        return bisect_left(self._middles, 2 * time)

    def starts(self, time: int, tolerance: int) -> tuple[int, ...]:
        """Where an element that begins at ``time`` may start.

        Args:
            time: start of the element's first reference word, in ms.
            tolerance: in ms, on either side, inclusive; 0 is the strict projection.

        Returns:
            Increasing frontiers in ``0 … n-1``. Same set as ``{strict} | {k for k in range(n) if
            abs(a[k] - time) <= tolerance}`` less ``n``, without looking at every word.
        """
        low = bisect_left(self._starts, time - tolerance)
        high = bisect_right(self._starts, time + tolerance)
        return self._all(low, high, self.strict(time), is_end=False)

    def ends(self, time: int, tolerance: int) -> tuple[int, ...]:
        """Where an element that ends at ``time`` may end; as :meth:`starts`, in ``1 … n``."""
        low = bisect_left(self._ends, time - tolerance)
        high = bisect_right(self._ends, time + tolerance)
        return self._all(low, high, self.strict(time), is_end=True)

    def _all(self, low: int, high: int, strict: int, *, is_end: bool) -> tuple[int, ...]:
        """The frontiers of some words and the strict one; equal ones are the same object."""
        key = low, high, strict, is_end
        found = self._found.get(key)
        if found is None:
            if not is_end and low <= strict < high:
                found = tuple(self._numbers[low:high])
            else:
                numbers = self._after if is_end else self._numbers
                beyond = 0 if is_end else self._n
                found = tuple(sorted({*numbers[low:high], strict} - {beyond}))
            self._found[key] = found
        return found


def project(
    reference: Document,
    words: Document,
    *,
    tolerance: int | tuple[int, int],
    unplaceable: str = "drop",
    most_candidates: int = MOST_CANDIDATES,
) -> Reference:
    """Carry an annotated document onto other words through time.

    Args:
        reference: elements over words with times (from a forced alignment).
        words: the recogniser's words with their times; its elements are not looked at.
        tolerance: in ms, on either side of a frontier, inclusive; a pair for starts and for ends.
        unplaceable: what happens to elements without a place: ``drop``, ``miss`` or ``merge``.
        most_candidates: how many candidate frontiers all tags may have together.

    Returns:
        A reference on the words of ``words``, with at least one placement.

    Raises:
        SerevalError: a side has no times, a negative tolerance, an unknown policy, more candidates.

    >>> from sereval.documents.model import tree
    >>> clean = Document("d", ("du", "Budget"), times=((0, 300), (300, 800)),
    ...     elements=tree([("func", 0, 2), ("kind", 0, 1), ("name", 1, 2)]))
    >>> asr = Document("d", ("dubidget",), times=((0, 800),))
    >>> [e.labels for e in project(clean, asr, tolerance=100, unplaceable="merge").elements]
    [('func',), ('name', 'kind')]
    """
    start_tolerance, end_tolerance = both_tolerances(tolerance)
    if reference.times is None or words.times is None:
        side = "reference" if reference.times is None else "hypothesis"
        option = "--align" if side == "reference" else "--words"
        raise SerevalError(
            f"{reference.id}: the {side} has no times, a tolerance needs them: {option} reads some"
        )
    frontiers = Frontiers(words.times)
    spoken = _spoken(reference, words)
    places = (
        _Places(
            frontiers.starts(start, start_tolerance),
            frontiers.ends(end, end_tolerance),
            (frontiers.strict(start), frontiers.strict(end)),
        )
        for start, end in spoken
    )
    projection = f"tolerance:{described(tolerance)} unplaceable:{unplaceable}"
    fuzzy = _fuzzy(reference, words, places, most_candidates, projection)
    return _settle(fuzzy, unplaceable, spoken)


def project_aligned(
    reference: Document,
    words: Document,
    alignment: WordAlignment,
    *,
    tolerance: int = 0,
    unplaceable: str = "drop",
    most_candidates: int = MOST_CANDIDATES,
) -> Reference:
    """Carry an annotated document onto other words through an alignment of the words.

    A frontier may go wherever the alignment leaves its place open: anywhere between the last
    paired word before it and the first one after it. Strictly, an element starts before the image
    of its first paired word and ends after that of its last.

    Args:
        reference: elements over words; times are not asked for, but by ``merge``.
        words: the recogniser's words; its elements are not looked at.
        alignment: of the words of both, from ``align_text`` or ``align_phones``.
        tolerance: in words, on either side of what the alignment leaves open.
        unplaceable: what happens to elements without a place: ``drop``, ``miss`` or ``merge``.
        most_candidates: how many candidate frontiers all tags may have together.

    Returns:
        A reference on the words of ``words``, with at least one placement.

    Raises:
        SerevalError: the alignment is of other words, a negative tolerance, ``merge`` where a side
            has no times, an unknown policy.

    >>> from sereval.alignment.text import align_text
    >>> from sereval.documents.model import tree
    >>> clean = Document("d", ("le", "maire"), elements=tree([("func.ind", 1, 2)]))
    >>> asr = Document("d", ("le", "euh", "maire"))
    >>> [element] = project_aligned(clean, asr, align_text(clean.words, asr.words)).elements
    >>> element.starts, element.ends, element.strict
    ((1, 2), (3,), (2, 3))
    """
    n = len(words.words)
    if alignment.lengths != (len(reference.words), n):
        raise SerevalError(
            f"{reference.id}: the alignment is of {alignment.lengths} words, "
            f"expected {(len(reference.words), n)}"
        )
    if tolerance < 0:
        raise SerevalError(f"tolerance {tolerance} words, expected 0 or more")

    def reach(frontier: int, low: int, high: int) -> tuple[int, ...]:
        found = alignment.candidates(frontier)
        return tuple(
            range(max(low, found.start - tolerance), min(high, found.stop - 1 + tolerance) + 1)
        )

    places = (
        _Places(
            reach(element.start, 0, n - 1),
            reach(element.end, 1, n),
            (alignment.strict_start(element.start), alignment.strict_end(element.end)),
        )
        for element in reference.elements
    )
    projection = f"{alignment.how} tolerance:{tolerance}w unplaceable:{unplaceable}".strip()
    fuzzy = _fuzzy(reference, words, places, most_candidates, projection, alignment.slack)
    return _settle(fuzzy, unplaceable, _spoken(reference, words) if unplaceable == "merge" else ())


class _Places(NamedTuple):
    """Where an element may lie: candidates of its start and end, and its strict frontiers."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    strict: tuple[int, int]


def _fuzzy(
    reference: Document,
    words: Document,
    places: Iterable[_Places],
    most_candidates: int,
    projection: str,
    slack: int = 0,
) -> Reference:
    """The elements of a reference on other words, while there are not too many places for them.

    Args:
        places: of each element.
        projection, slack: as of ``Reference``.

    Raises:
        SerevalError: there are more places than ``most_candidates``.
    """
    kept: list[ReferenceElement] = []
    candidates = 0
    for element, (starts, ends, strict) in zip(reference.elements, places, strict=True):
        candidates += len(starts) + len(ends)
        if candidates > most_candidates:
            raise SerevalError(
                f"{reference.id}: reference element {len(kept)} ({element.label}) and those before "
                f"it fit at more than {most_candidates} frontiers, counted for each, expected "
                "fewer: a smaller tolerance"
            )
        labels = (element.label,)
        kept.append(
            ReferenceElement(labels, starts, ends, element.parent, strict, source=len(kept))
        )
    return Reference(
        reference.id,
        words.words,
        tuple(kept),
        times=words.times,
        projection=projection,
        slack=slack,
    )


def _spoken(reference: Document, words: Document) -> list[Time]:
    """Start and end of each element in ms, for the policy that asks for time."""
    if reference.times is None or words.times is None:
        side = "reference" if reference.times is None else "hypothesis"
        raise SerevalError(
            f"{reference.id}: the {side} has no times, merge needs them; expected drop or miss"
        )
    return [
        (reference.times[e.start][0], reference.times[e.end - 1][1]) for e in reference.elements
    ]


def both_tolerances(tolerance: int | tuple[int, int]) -> tuple[int, int]:
    """A tolerance of starts and one of ends, in ms.

    Raises:
        SerevalError: anything but one or two integers of 0 or more.

    >>> both_tolerances(300)
    (300, 300)
    """
    both = tolerance if isinstance(tolerance, tuple) else (tolerance, tolerance)
    if len(both) != 2 or any(type(ms) is not int or ms < 0 for ms in both):
        raise SerevalError(
            f"tolerance {tolerance!r}, expected integer ms of 0 or more, such as 300; "
            "two of them for starts and for ends"
        )
    return both


def described(tolerance: int | tuple[int, int] | None) -> str:
    """A tolerance in seconds, as signatures write it.

    >>> described(300), described((300, 500)), described(None)
    ('0.3', '0.3,0.5', 'none')
    """
    if tolerance is None:
        return "none"
    both = tolerance if isinstance(tolerance, tuple) else (tolerance,)
    return ",".join(map(seconds, dict.fromkeys(both)))


def place(reference: Reference, *, unplaceable: str = "drop") -> Reference:
    """Take the elements without a place out of a fuzzy reference that was read from a file.

    Args:
        reference: as read; it may have no placement.
        unplaceable: ``drop`` or ``miss``. Elements that the file itself says were taken out are
            treated alike, unless they were merged.

    Raises:
        SerevalError: ``merge``, which needs the times of the elements; an unknown policy.

    >>> du, budget = ReferenceElement(("kind",), (0,), ()), ReferenceElement(("name",), (0,), (1,))
    >>> [lost.fate for lost in place(Reference("d", ("Budget",), (du, budget))).unplaceable]
    ['dropped']
    """
    if unplaceable == "merge":
        raise SerevalError(
            f"{reference.id}: a fuzzy reference cannot be merged, its elements have no times; "
            "expected drop or miss"
        )
    numbered = tuple(replace(e, source=r) for r, e in enumerate(reference.elements))
    return _settle(replace(reference, elements=numbered), unplaceable, ())


def became(fates: Mapping[str, int]) -> str:
    """How many elements have no place and what became of them: said with every score.

    >>> became({}), became({"dropped": 2})
    ('0 unplaceable reference elements', '2 unplaceable reference elements: 2 dropped')
    """
    number = sum(fates.values())
    noun = f"{number} unplaceable reference element{'' if number == 1 else 's'}"
    each = ", ".join(f"{fates[fate]} {fate}" for fate in FATES if fates.get(fate))
    return f"{noun}: {each}" if each else noun


class Walk(NamedTuple):
    """What the walk along the tags found.

    ``spans``: start and end of each placed element, by index. ``blockers``: for each unplaceable
    one, in document order, the element whose tag stands in its way, or ``None`` where its own
    candidates leave it no word.
    """

    spans: dict[int, tuple[int, int]]
    blockers: dict[int, int | None]


def walk(elements: Sequence[ReferenceElement]) -> Walk:
    """Place each tag as early as it can be, and find the elements that have no place.

    This is the definition of *unplaceable* (section 5); it need not take out the fewest.

    >>> du, budget = ReferenceElement(("kind",), (0,), ()), ReferenceElement(("name",), (0,), (1,))
    >>> walk([du, budget])
    Walk(spans={1: (0, 1)}, blockers={0: None})
    """
    spans: dict[int, tuple[int, int]] = {}
    blockers: dict[int, int | None] = {}
    opened: dict[int, tuple[int, int | None, int]] = {}  # floor, setter and number placed before
    starts: dict[int, int] = {}
    floor = 0  # smallest frontier still allowed
    setter: int | None = None  # whose tag made it so
    for r, is_closing in tags([element.parent for element in elements]):
        if not is_closing:
            start = _first(elements[r].starts, floor)
            if start is None:
                blockers[r] = setter if elements[r].starts else None
                continue
            opened[r], starts[r] = (floor, setter, len(spans)), start
            floor, setter = start, r
        elif r in starts:
            end = _first(elements[r].ends, max(floor, starts[r] + 1))
            if end is not None:
                spans[r] = starts[r], end
                floor, setter = end, r
                continue
            before, before_setter, placed = opened[r]
            blocker = setter
            if setter == r:  # the words end before it starts: did something push its start?
                blocker = before_setter if starts[r] > elements[r].starts[0] else None
            blockers[r] = blocker if elements[r].ends else None
            if len(spans) == placed:  # no descendant was placed
                floor, setter = before, before_setter
    return Walk(spans, dict(sorted(blockers.items())))


def _first(candidates: Sequence[int], least: int) -> int | None:
    place = bisect_left(candidates, least)
    return candidates[place] if place < len(candidates) else None


def _settle(reference: Reference, policy: str, spoken: Sequence[Time]) -> Reference:
    """Walk, and let the policy say what becomes of the elements that have no place.

    Args:
        spoken: start and end of each element in the recording, in ms; only ``merge`` asks.
    """
    if policy not in POLICIES:
        raise SerevalError(f"unknown policy {policy!r}, expected one of {', '.join(POLICIES)}")
    return POLICIES[policy](reference, walk(reference.elements), spoken)


def _drop(reference: Reference, walked: Walk, _: Sequence[Time]) -> Reference:
    return _take_out(reference, walked, "dropped")


def _miss(reference: Reference, walked: Walk, _: Sequence[Time]) -> Reference:
    return _take_out(reference, walked, "missed")


def _take_out(reference: Reference, walked: Walk, fate: str) -> Reference:
    """Remove the unplaceable elements, and give their children to the nearest placed ancestor."""
    if not walked.blockers and all(lost.fate in (fate, "merged") for lost in reference.unplaceable):
        return reference
    place_of: dict[int | None, int | None] = {None: None}
    place_of |= {r: place for place, r in enumerate(sorted(walked.spans))}
    for r in walked.blockers:  # in document order, so that the parent of each is known
        place_of[r] = place_of[reference.elements[r].parent]

    def moved(element: ReferenceElement) -> ReferenceElement:
        return replace(element, parent=place_of[element.parent])

    elements = tuple(moved(reference.elements[r]) for r in sorted(walked.spans))
    earlier = (
        replace(lost, element=moved(lost.element), into=place_of[lost.into])
        if lost.fate == "merged"
        else replace(lost, element=moved(lost.element), fate=fate)
        for lost in reference.unplaceable
    )
    now = (
        Unplaceable(moved(reference.elements[r]), fate, blocker=blocker)
        for r, blocker in walked.blockers.items()
    )
    return replace(reference, elements=elements, unplaceable=(*earlier, *now))


def _merge(reference: Reference, walked: Walk, spoken: Sequence[Time]) -> Reference:
    """Merge each unplaceable element into the sibling leaf that took most of its time.

    A host has the same remaining parent, is no descendant, and has no placed descendants. Its
    words are those where the walk placed it, so that siblings share none.
    """
    taken = _take_out(reference, walked, "dropped")
    if not taken.unplaceable:
        return taken
    during = _words_by_time(taken.times or ())
    placed = sorted(walked.spans)
    leaves = set(range(len(placed))) - {element.parent for element in taken.elements}
    host_of = {
        (taken.elements[host].parent, k): host
        for host in sorted(leaves)
        for k in range(*walked.spans[placed[host]])
    }
    after = _after(reference.elements)
    elements = list(taken.elements)
    lost = []
    for x, unplaceable in zip(walked.blockers, taken.unplaceable, strict=True):
        shared: dict[int, int] = {}
        for k, ms in during(*spoken[x]):
            host = host_of.get((unplaceable.element.parent, k))
            if host is not None and not x < placed[host] < after[x]:
                shared[host] = shared.get(host, 0) + ms
        if shared:
            host = min(shared, key=lambda host: (-shared[host], host))
            elements[host] = _united(elements[host], unplaceable.element)
            unplaceable = replace(unplaceable, fate="merged", into=host)
        lost.append(unplaceable)
    return replace(taken, elements=tuple(elements), unplaceable=tuple(lost))


def _words_by_time(times: Sequence[Time]) -> Callable[[int, int], Iterator[tuple[int, int]]]:
    """A look-up of the words that share time with a segment, each with the ms it shares."""
    from intervaltree import IntervalTree  # only where elements are merged

    words = IntervalTree.from_tuples((a, b, k) for k, (a, b) in enumerate(times) if a < b)

    def during(start: int, end: int) -> Iterator[tuple[int, int]]:
        for a, b, k in words.overlap(start, end) if start < end else ():
            yield k, min(b, end) - max(a, start)

    return during


def _after(elements: Sequence[ReferenceElement]) -> list[int]:
    """Of each element, in document order, the first one after its last descendant."""
    after = list(range(1, len(elements) + 1))
    for r in range(len(elements) - 1, -1, -1):
        parent = elements[r].parent
        if parent is not None:
            after[parent] = max(after[parent], after[r])
    return after


def _united(host: ReferenceElement, x: ReferenceElement) -> ReferenceElement:
    """The host, accepting what either accepts: labels, candidates, and the wider strict span."""
    assert host.strict is not None  # what is projected has strict frontiers, and no other is merged
    assert x.strict is not None
    return replace(
        host,
        labels=tuple(dict.fromkeys(host.labels + x.labels)),
        starts=tuple(sorted({*host.starts, *x.starts})),
        ends=tuple(sorted({*host.ends, *x.ends})),
        strict=(min(host.strict[0], x.strict[0]), max(host.strict[1], x.strict[1])),
    )


Policy = Callable[[Reference, Walk, Sequence[Time]], Reference]

POLICIES: dict[str, Policy] = {"drop": _drop, "miss": _miss, "merge": _merge}
"""What becomes of unplaceable elements: the choices of the option, and what each one does."""
