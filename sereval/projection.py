"""Projection of a reference onto the recogniser's words, through time or through an alignment.

The reference is annotated on a clean transcript whose words have times from a forced alignment. The
recogniser's words have times of their own. Each tag of the reference gets as candidates the
frontiers of the recogniser's words within a tolerance of its time (definition, section 4). A walk
along the tags finds the elements that have no place, and a policy treats them (section 5).

            t_start − tau   t_start   t_start + tau
    ref  …  |───────────────┼───────────────|…          a[k]: start of ASR word k
    ASR  …  [ mais  ][  l' ][   acteur   ][ …           every k with a[k] inside may start it

Without times, an alignment of the two texts (``alignment.text``, ``alignment.phones``) gives the
candidates. All later steps are the same.

Source: Galibert et al., IJCNLP 2011, section 3.3.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache, partial
from itertools import accumulate
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .documents.model import (
    FATES,
    Document,
    Element,
    Reference,
    ReferenceElement,
    Time,
    Unplaceable,
    changed,
    cut_short,
    seconds,
    tags,
    unchecked,
)
from .documents.words import sharing
from .errors import SerevalError, with_place
from .formats.build import milliseconds, number

if TYPE_CHECKING:
    from .alignment.blocks import WordAlignment


MOST_CANDIDATES = 5_000_000
"""How many candidate frontiers all tags of a document may have together: a few hundred MB."""


class Frontiers:
    """The frontiers of timed words, by time in ms; the words come by increasing start."""

    def __init__(self, times: Sequence[Time]) -> None:
        n = len(times)
        self._middles = list(accumulate([a + b for a, b in times], max))  # doubled
        ends = [b for _, b in times]
        order = sorted(range(n), key=ends.__getitem__)  # words may overlap
        # the times of words in order, the frontier of each, and the one where no tag can stand;
        # frontiers are shared objects, because there are many candidates
        self._sides = {
            "starts": ([a for a, _ in times], list(range(n)), n),
            "ends": ([ends[k] for k in order], [k + 1 for k in order], 0),
        }

    def strict(self, time: int) -> int:
        """The strict frontier of a time: the number of words whose middle is before it."""
        return bisect_left(self._middles, 2 * time)

    def near(self, side: str, time: int, tolerance: int) -> tuple[int, ...]:
        """The candidates for the ``starts`` or the ``ends`` of an element that does so then."""
        edges, frontiers, beyond = self._sides[side]
        low = bisect_left(edges, time - tolerance)
        high = bisect_right(edges, time + tolerance)
        return tuple(sorted({*frontiers[low:high], self.strict(time)} - {beyond}))


_frontiers = lru_cache(maxsize=2)(Frontiers)
"""Those of some times; a sweep projects onto the same words again and again."""


def project(
    reference: Document,
    words: Document,
    *,
    tolerance: Tolerance,
    unplaceable: str = "drop",
) -> Reference:
    """Project an annotated document onto other words through time (definition, section 4).

    Args:
        reference: elements on words with times (from a forced alignment).
        words: the recogniser's words with their times; its elements are ignored.
        tolerance: in seconds, on either side of a frontier, inclusive; a pair for starts and for
            ends. ``0.3``, ``"0.3"`` and ``"300ms"`` are the same.
        unplaceable: policy for elements without a place: ``drop``, ``miss`` or ``merge``.

    Returns:
        A reference on the words of ``words``, with at least one placement.

    Raises:
        SerevalError: a side has no times; no tolerance or a negative one; an unknown policy; too
            many candidates.

    >>> from sereval.documents.model import tree
    >>> clean = Document("d", ("du", "Budget"), times=((0, 300), (300, 800)),
    ...     elements=tree([("func", 0, 2), ("kind", 0, 1), ("name", 1, 2)]))
    >>> asr = Document("d", ("dubidget",), times=((0, 800),))
    >>> [e.labels for e in project(clean, asr, tolerance=0.1, unplaceable="merge").elements]
    [('func',), ('name', 'kind')]
    """
    both = tolerance_of(tolerance)
    return project_ms(reference, words, both, unplaceable)


def project_ms(
    reference: Document,
    words: Document,
    tolerance: tuple[int, int],
    unplaceable: str,
) -> Reference:
    """As :func:`project`, with the tolerances of starts and of ends in ms."""
    spoken, heard = _times_of(reference, words, "a tolerance")
    frontiers = _frontiers(heard)
    places = (
        (
            frontiers.near("starts", start, tolerance[0]),
            frontiers.near("ends", end, tolerance[1]),
            (frontiers.strict(start), frontiers.strict(end)),
        )
        for start, end in spoken
    )
    projection = f"tolerance:{tolerance_text(tolerance)} unplaceable:{unplaceable}"
    return _settle(_fuzzy(reference, words, places, projection), unplaceable, spoken)


def project_aligned(
    reference: Document,
    words: Document,
    alignment: WordAlignment,
    *,
    tolerance: int = 0,
    unplaceable: str = "drop",
) -> Reference:
    """Project an annotated document onto other words through an alignment of the words.

    The candidates of a frontier are all frontiers between the last paired word before it and the
    first paired word after it. An element's strict start is before the image of its first paired
    word, and its strict end after the image of its last paired word.

    Args:
        reference: elements on words; only ``merge`` needs their times.
        words: the recogniser's words; its elements are ignored.
        alignment: the alignment of their words, from ``align_text`` or ``align_phones``.
        tolerance: in words, on either side of the frontiers that the alignment leaves open.
        unplaceable: policy for elements without a place: ``drop``, ``miss`` or ``merge``.

    Returns:
        A reference on the words of ``words``, with at least one placement.

    Raises:
        SerevalError: the alignment has other numbers of words; a negative tolerance; ``merge`` if a
            side has no times; an unknown policy; too many candidates.

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

    def places_of(element: Element) -> _Places:
        low, high, strict_start, _ = alignment.places(element.start)
        first, last, _, strict_end = alignment.places(element.end)
        starts = range(max(0, low - tolerance), min(n - 1, high + tolerance) + 1)
        ends = range(max(1, first - tolerance), min(n, last + tolerance) + 1)
        return tuple(starts), tuple(ends), (strict_start, strict_end)

    places = map(places_of, reference.elements)
    projection = f"{alignment.how} tolerance:{tolerance}w unplaceable:{unplaceable}".strip()
    fuzzy = _fuzzy(reference, words, places, projection, alignment.slack)
    spoken = _times_of(reference, words, "merge")[0] if unplaceable == "merge" else ()
    return _settle(fuzzy, unplaceable, spoken)


_Places = tuple[tuple[int, ...], tuple[int, ...], tuple[int, int]]
"""The candidates for the start and the end of an element, and its strict frontiers."""


def _fuzzy(
    reference: Document,
    words: Document,
    places: Iterable[_Places],
    projection: str,
    slack: int = 0,
) -> Reference:
    """A fuzzy reference, before elements without a place are treated."""
    kept: list[ReferenceElement] = []
    candidates = 0
    for element, (starts, ends, strict) in zip(reference.elements, places, strict=True):
        candidates += len(starts) + len(ends)
        if candidates > MOST_CANDIDATES:
            raise SerevalError(
                f"{reference.id}: reference element {len(kept)} ({element.label}) and those before "
                f"it fit at more than {MOST_CANDIDATES} frontiers, counted for each, expected "
                "fewer: a smaller tolerance"
            )
        labels = (element.label,)
        kept.append(
            ReferenceElement(labels, starts, ends, element.parent, strict, source=len(kept))
        )
    return unchecked(
        Reference,
        id=reference.id,
        words=words.words,
        elements=tuple(kept),
        times=words.times,
        projection=projection,
        slack=slack,
    )


def _times_of(reference: Document, words: Document, what: str) -> tuple[list[Time], Sequence[Time]]:
    """The start and the end of each element, and of each word, in ms; ``what`` needs them."""
    ours, theirs = reference.times, words.times
    if ours is None or theirs is None:
        side, option = ("reference", "--align") if ours is None else ("hypothesis", "--words")
        raise SerevalError(
            f"{reference.id}: the {side} has no times, {what} needs them: {option} reads some"
        )
    return [(ours[e.start][0], ours[e.end - 1][1]) for e in reference.elements], theirs


Tolerance: TypeAlias = float | str | Sequence[float | str]
"""A tolerance as a user gives it: seconds (``0.3``), a text (``"0.3"``, ``"300ms"``), or two of
them, for starts and for ends."""

LONGEST = 60_000
"""The longest tolerance, in ms; a longer one is a mistake about the unit."""


def tolerance_of(tolerance: Tolerance) -> tuple[int, int]:
    """The tolerances of starts and of ends, in ms."""
    return with_place("tolerance", lambda: tolerance_pair(duration_text(tolerance)))


_DURATION = r"\s*(\S*?)\s*(ms|s)?\s*"


def parse_duration(text: str) -> int:
    """A duration in ms, from ``0.3``, ``0.3s`` or ``300ms``."""
    match = re.fullmatch(_DURATION, text)
    try:
        value = number(match[1] if match else text)
    except SerevalError:
        raise SerevalError(
            f"found {text!r}, expected a duration such as 0.3 (in seconds), 0.3s or 300ms"
        ) from None
    if value < 0:
        raise SerevalError(f"found {text!r}, expected a duration that is not negative")
    return milliseconds(value, 1000 if match and match[2] == "ms" else 1)


def duration_text(value: Any) -> str:
    """The text of one duration or of several, as the command line takes them."""
    # A whole number but 0 is refused: it could be meant as milliseconds.
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and value:
        return ",".join(map(duration_text, value))
    is_whole = isinstance(value, Integral) and (isinstance(value, bool) or value != 0)
    if is_whole or not isinstance(value, Real | Decimal):
        raise SerevalError(
            f"found {cut_short(value)}, expected seconds such as 0.3 or 1.0, or a text with a unit "
            "such as '300ms'"
        )
    return f"{format(float(value), '.15g')}s"


def tolerance_pair(text: str) -> tuple[int, int]:
    """Parse one duration or two: the tolerances of starts and of ends, in ms."""
    if re.fullmatch(r"\s*0,[0-9]+\s*", text):  # a decimal comma would be a pair in silence
        raise SerevalError(
            f"found {text!r}, expected {text.strip().replace(',', '.')}; "
            f"or, if two are meant, {'s,'.join(text.strip().split(','))}s"
        )
    durations = [parse_duration(part) for part in text.split(",")]
    if max(durations) > LONGEST:
        raise SerevalError(
            f"found {text!r}, expected at most {seconds(LONGEST)} s; milliseconds are 300ms"
        )
    if len(durations) > 2:
        raise SerevalError(f"found {text!r}, expected one duration, or two: START,END")
    return durations[0], durations[-1]


def tolerance_text(tolerance: tuple[int, int] | None) -> str:
    """A tolerance in seconds, as in signatures."""
    return "none" if tolerance is None else ",".join(map(seconds, dict.fromkeys(tolerance)))


def place(reference: Reference, *, unplaceable: str = "drop") -> Reference:
    """Treat the elements without a place of a fuzzy reference that was read from a file."""
    if unplaceable == "merge":
        raise SerevalError(
            f"{reference.id}: a fuzzy reference cannot be merged, its elements have no times; "
            "expected drop or miss"
        )
    numbered = tuple(replace(e, source=r) for r, e in enumerate(reference.elements))
    return _settle(replace(reference, elements=numbered), unplaceable, ())


def fates_text(fates: Mapping[str, int]) -> str:
    """The text of all reports about unplaceable elements: their number and their fates."""
    number = sum(fates.values())
    noun = f"{number} unplaceable reference element{'' if number == 1 else 's'}"
    each = ", ".join(f"{fates[fate]} {fate}" for fate in FATES if fates.get(fate))
    return f"{noun}: {each}" if each else noun


class Walk(NamedTuple):
    """The result of the walk along the tags."""

    spans: dict[int, tuple[int, int]]  # of each placed element, by index
    # by unplaceable element, in document order, the element whose tag is in its way; None: its own
    # candidates leave it no word
    blockers: dict[int, int | None]


def walk(elements: Sequence[ReferenceElement]) -> Walk:
    """Place each tag as early as possible, and find the elements that have no place."""
    # This is the definition of *unplaceable* (section 5). It does not always find the smallest set
    # of elements to take out.
    spans: dict[int, tuple[int, int]] = {}
    blockers: dict[int, int | None] = {}
    opened: dict[int, tuple[int, int | None, int]] = {}  # floor, setter and number placed before
    starts: dict[int, int] = {}
    floor = 0  # smallest frontier that is still allowed
    setter: int | None = None  # the element whose tag set the floor
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
    """Find the elements without a place, and treat them by a policy."""
    if policy not in POLICIES:
        raise SerevalError(f"unknown policy {policy!r}, expected one of {', '.join(POLICIES)}")
    return POLICIES[policy](reference, walk(reference.elements), spoken)


def _take_out(
    reference: Reference, walked: Walk, _: Sequence[Time] = (), *, fate: str
) -> Reference:
    """Remove the unplaceable elements, and give their children to the nearest placed ancestor."""
    if not walked.blockers and all(lost.fate in (fate, "merged") for lost in reference.unplaceable):
        return reference
    place_of: dict[int | None, int | None] = {None: None}
    place_of |= {r: place for place, r in enumerate(sorted(walked.spans))}
    for r in walked.blockers:  # in document order, so that the parent of each is known
        place_of[r] = place_of[reference.elements[r].parent]

    def moved(element: ReferenceElement) -> ReferenceElement:
        parent = place_of[element.parent]
        return element if parent == element.parent else replace(element, parent=parent)

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
    return changed(reference, elements=elements, unplaceable=(*earlier, *now))


def _merge(reference: Reference, walked: Walk, spoken: Sequence[Time]) -> Reference:
    """Merge each unplaceable element into the sibling leaf that has most of its time."""
    # A host has the same remaining parent, is no descendant of the element, and has no placed
    # descendants. Its words are those where the walk placed it, so siblings share no words.
    taken = _take_out(reference, walked, fate="dropped")
    if not taken.unplaceable:
        return taken
    words = sharing(taken.times or ())
    placed = sorted(walked.spans)
    leaves = set(range(len(placed))) - {element.parent for element in taken.elements}
    host_of = {
        (taken.elements[host].parent, k): host
        for host in sorted(leaves)
        for k in range(*walked.spans[placed[host]])
    }
    elements = list(taken.elements)
    lost = []
    for x, unplaceable in zip(walked.blockers, taken.unplaceable, strict=True):
        shared: dict[int, int] = {}
        for k, ms in words(spoken[x]):
            host = host_of.get((unplaceable.element.parent, k))
            if host is not None and not _is_below(reference.elements, placed[host], x):
                shared[host] = shared.get(host, 0) + ms
        if shared:
            host = min(shared, key=lambda host: (-shared[host], host))
            elements[host] = _unite(elements[host], unplaceable.element)
            unplaceable = replace(unplaceable, fate="merged", into=host)
        lost.append(unplaceable)
    return replace(taken, elements=tuple(elements), unplaceable=tuple(lost))


def _is_below(elements: Sequence[ReferenceElement], r: int | None, x: int) -> bool:
    """Whether an element is another one or one of its descendants."""
    while r is not None and r > x:
        r = elements[r].parent
    return r == x


def _unite(host: ReferenceElement, x: ReferenceElement) -> ReferenceElement:
    """The host with the labels and candidates of both elements, and the wider strict span."""
    assert host.strict is not None  # only projected elements are merged; they have strict frontiers
    assert x.strict is not None
    return replace(
        host,
        labels=tuple(dict.fromkeys(host.labels + x.labels)),
        starts=tuple(sorted({*host.starts, *x.starts})),
        ends=tuple(sorted({*host.ends, *x.ends})),
        strict=(min(host.strict[0], x.strict[0]), max(host.strict[1], x.strict[1])),
    )


POLICIES: dict[str, Callable[[Reference, Walk, Sequence[Time]], Reference]] = {
    "drop": partial(_take_out, fate="dropped"),
    "miss": partial(_take_out, fate="missed"),
    "merge": _merge,
}
"""The policies for unplaceable elements, by name."""
