"""The words, elements and cases of a document as the page's script reads them.

The script computes the drawing (``templates/scale.js``, ``templates/draw.js``), so a document
stands on the page as data: its words and their times, its elements, and what became of them. The
data are lists, because they are the greatest part of a page:

* words: a text with a space between words, or a list if a word has a space in it;
* times: a text of numbers of base 36. A number is a word of so many ms; a number with a sign moves
  the clock before it;
* an element of the reference: its index, its label or labels, the words ``[start, end)`` over which
  it is drawn, its parent, the candidates of its start and of its end, its strict frontiers, its
  placement. Without a placement it stands at the strict frontiers, and without these at its only
  candidates;
* an element of the hypothesis: its label, the words over which it is drawn, its parent, and the
  words of a mention without a place;
* a case: the position of its reference element, or -1; then the answer of each system: the index
  of the hypothesis element that is correct, or a list of that index or -1, the number of the class,
  the cost, the reason, 1 if it is unplaceable, and the badge of a blame. A system has no answer to
  the insertion of another.

What has its default value at the end of a list is left out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ...alignment.blocks import Block
from ...analysis.audit import Audit, AuditRow
from ...documents.crossing import Span
from ...documents.model import Document, Time
from ...evaluation.settings import ByWords
from ...measures.slots import decimal
from ..cases import NAMES, SlotCase
from .blame import CAUSE_NUMBERS, GROUP_NUMBERS, Badge

UNIT = 1000
"""The duration of a word without a time, in ms."""

CLASSES = {letter: number for number, letter in enumerate(NAMES)}
"""The number of each class."""

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class PageSides(NamedTuple):
    """The times of both sides, and what they stand for.

    Args:
        reference, hypothesis: the time of each word.
        is_projected: whether each side has words of its own.
        is_timed: whether the times are known; if not, they are places only.
    """

    reference: Sequence[Time]
    hypothesis: Sequence[Time]
    is_projected: bool
    is_timed: bool

    @classmethod
    def of(cls, document: Audit) -> PageSides:
        """The times of a document."""
        left, right = document.reference_words, document.hypothesis_words
        known = [side.times is not None for side in (left, right)]
        if not document.words.is_projected:
            times = _own_times(left if right.times is None else right)
            return cls(times, times, is_projected=False, is_timed=any(known))
        both = _both_times(left, right, document.words.through)
        return cls(*both, is_projected=True, is_timed=all(known))


def _own_times(document: Document) -> Sequence[Time]:
    """The times of the words; without times each word lasts one unit."""
    if document.times is not None:
        return document.times
    return [(UNIT * k, UNIT * k + UNIT) for k in range(len(document.words))]


def _both_times(
    left: Document, right: Document, through: ByWords | None
) -> tuple[Sequence[Time], Sequence[Time]]:
    """The times of both sides if their words differ: from the documents, or from the alignment."""
    if left.times is not None and right.times is not None:
        return left.times, right.times
    assert through is not None  # a tolerance needs times
    return in_step(through.align_documents(left, right).blocks)


def in_step(blocks: Sequence[Block]) -> tuple[list[Time], list[Time]]:
    """Times for the aligned words of two sides without times: the words of a block share its time.

    A block lasts one unit for each word of its longer side. The words of its other side divide that
    time equally.

    >>> in_step([Block((0, 0), (0, 1), "insertion"), Block((0, 2), (1, 2), "substitution")])
    ([(1000, 2000), (2000, 3000)], [(0, 1000), (1000, 3000)])
    """
    both: tuple[list[Time], list[Time]] = ([], [])
    at = 0
    for block in blocks:
        counts = [end - start for start, end in (block.ref, block.hyp)]
        lasts = UNIT * max(counts)
        for times, count in zip(both, counts, strict=True):
            edges = [at + lasts * k // max(count, 1) for k in range(count + 1)]
            times += zip(edges, edges[1:], strict=False)
        at += lasts
    return both


class SystemView(NamedTuple):
    """What the page shows of a system in a document.

    Args:
        audit: the audit of the document.
        cases: its cases.
        reasons: the reason for the class of each case, by its name.
        badges: the badge of each case of a blame, by its name.
    """

    audit: Audit
    cases: Sequence[SlotCase]
    reasons: Mapping[str, str]
    badges: Mapping[str, Badge]


def in_order(cases: Iterable[SlotCase], sides: PageSides) -> list[SlotCase]:
    """Cases by the time at which they are drawn; at one time, reference elements come first."""
    return sorted(cases, key=lambda case: _key(case, sides))


def _key(case: SlotCase, sides: PageSides) -> tuple[int, bool, int]:
    is_insertion = case.reference is None
    times = sides.hypothesis if is_insertion else sides.reference
    start, _ = _drawn(case.row, len(times))
    return times[start][0] if start >= 0 else 0, is_insertion, case.row.index


def scene(
    settings: Sequence[Sequence[SystemView]], sides: PageSides, labels: Mapping[str, int]
) -> dict[str, Any]:
    """The data of a document.

    Args:
        settings: for each setting of the tolerance, the view of each system, all on the same words.
        sides: the times of the words.
        labels: the number of each label.
    """
    first = settings[0][0].audit
    left, right = first.reference_words, first.hypothesis_words
    found: dict[str, Any] = {
        "timed": sides.is_timed,
        "hyp": _words(right, sides.hypothesis),
        "hyps": [
            [_hypothesis(row, labels) for row in view.audit.hypotheses] for view in settings[0]
        ],
        "views": [_view(views, sides, labels) for views in settings],
    }
    if sides.is_projected:
        found["ref"] = _words(left, sides.reference)
    elif left.breaks and not right.breaks:
        found["hyp"]["breaks"] = left.breaks
    return found


def _view(
    views: Sequence[SystemView], sides: PageSides, labels: Mapping[str, int]
) -> dict[str, Any]:
    """The reference elements as they were placed, and the cases of all systems."""
    references = views[0].audit.references
    position = {row.index: k for k, row in enumerate(references)}
    size = len(sides.reference)
    merged = _merged([view.cases for view in views])
    merged.sort(key=lambda cases: _key(next(filter(None, cases)), sides))
    return {
        "tolerance": views[0].audit.words.tolerance,
        "refs": [_reference(row, size, labels, sides) for row in references],
        "cases": [
            [
                _position(cases, position),
                *(
                    None if case is None else _answer(case, view)
                    for case, view in zip(cases, views, strict=True)
                ),
            ]
            for cases in merged
        ],
    }


def _merged(systems: Sequence[Sequence[SlotCase]]) -> list[list[SlotCase | None]]:
    """The cases of all systems: one for each reference element, and one for equal insertions."""
    found: dict[tuple[object, ...], list[SlotCase | None]] = {}
    for number, cases in enumerate(systems):
        seen: Counter[tuple[object, ...]] = Counter()
        for case in cases:
            row = case.row
            key: tuple[object, ...] = (row.index,)
            if case.reference is None:
                key = row.label, row.span, row.words
            seen[key] += 1
            slots = found.setdefault((*key, seen[key]), [None] * len(systems))
            slots[number] = case
    return list(found.values())


def _position(cases: Sequence[SlotCase | None], position: Mapping[int, int]) -> int:
    reference = next(filter(None, cases)).reference
    return -1 if reference is None else position[reference.index]


def _words(document: Document, times: Sequence[Time]) -> dict[str, Any]:
    words = document.words
    has_space = any(" " in word for word in words)
    return {
        "words": list(words) if has_space else " ".join(words),
        "times": written(times),
        "breaks": document.breaks,
    }


def written(times: Sequence[Time]) -> str:
    """The times of words as a text.

    >>> written([(0, 300), (300, 400), (900, 1000), (950, 1100)])
    '8c 2s +dw 2s -1e 46'
    """
    parts: list[str] = []
    clock = 0
    for start, end in times:
        if start > clock:
            parts.append(f"+{_digits(start - clock)}")
        elif start < clock:
            parts.append(f"-{_digits(clock - start)}")
        parts.append(_digits(end - start))
        clock = end
    return " ".join(parts)


@lru_cache(maxsize=1 << 13)  # the times of a page are many, the lengths of words few
def _digits(number: int) -> str:
    """A number that is not negative, in base 36."""
    found = ""
    while number or not found:
        number, digit = divmod(number, 36)
        found = DIGITS[digit] + found
    return found


def _label(row: AuditRow, labels: Mapping[str, int]) -> int | list[int]:
    numbers = [labels[label] for label in row.labels]
    return numbers[0] if len(numbers) == 1 else numbers


def _reference(row: AuditRow, size: int, labels: Mapping[str, int], sides: PageSides) -> list[Any]:
    """An element of the reference; one that is exact on these words has no candidates."""
    start, end = _drawn(row, size)
    found: list[Any] = [row.index, _label(row, labels), start, end, _or(row.parent)]
    starts, ends = row.starts, row.ends
    is_exact = len(starts) == 1 == len(ends)
    if not (starts or ends) or (is_exact and not sides.is_projected):
        return found
    found += [side[0] if len(side) == 1 else list(side) for side in (starts, ends)]
    if row.strict != row.placement or row.strict is None:
        return [*found, row.strict or 0, row.placement or 0]
    return found if is_exact and row.strict == (starts[0], ends[0]) else [*found, row.strict]


def _hypothesis(row: AuditRow, labels: Mapping[str, int]) -> list[Any]:
    found = [_label(row, labels), *(row.span or (-1, -1)), _or(row.parent)]
    return found if row.span is not None else [*found, " ".join(row.words)]


def _drawn(row: AuditRow, size: int) -> Span:
    """The words over which an element is drawn; without words, those between its candidates.

    An element that is drawn although it has no words has the negative of its end, -1 - end.
    """
    if row.span is not None:
        return row.span
    if not size:
        return -1, -1
    start, end = row.strict or (min(row.starts, default=0), max(row.ends, default=0))
    start = min(start, size - 1)
    return start, -1 - min(max(end, start + 1), size)


def _or(number: int | None) -> int:
    return -1 if number is None else number


def _answer(case: SlotCase, view: SystemView) -> int | list[Any]:
    """What became of a case; a correct element without a reason is only its partner."""
    reason, badge = view.reasons[case.name], view.badges.get(case.name)
    hypothesis = -1 if case.hypothesis is None else case.hypothesis.index
    found = [
        hypothesis,
        CLASSES[case.letter],
        decimal(case.row.cost),
        reason,
        int(case.is_unplaceable),
        None if badge is None else _badge(badge),
    ]
    while not found[-1]:
        found.pop()
    if badge is None and case.letter == "C" and not reason:
        return hypothesis
    return found


def _badge(badge: Badge) -> list[Any]:
    """The numbers of its group and cause, both classes, and what was said and heard."""
    cause = -1 if badge.cause is None else CAUSE_NUMBERS[badge.cause]
    both = [CLASSES.get(letter, -1) for letter in (badge.manual, badge.recognised)]
    heard = [badge.said, badge.heard] if badge.said else []
    return [GROUP_NUMBERS[badge.group], cause, *both, *heard]


def embedded(data: object) -> str:
    """Data as JSON that can stand in an HTML page.

    >>> embedded(["</script>", 1])
    '["\\\\u003c/script>",1]'
    """
    found = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return found.replace("<", "\\u003c")
