"""A document as the script of the page draws it: words, times, elements, and what became of them.

Lists have fixed places:

* the times of words: for each word the pause before it and its duration, in ms; a word that begins
  before the one before it ends has a negative pause;
* an element of the reference: its index, its labels, the words ``[start, end)`` over which it is
  drawn, 1 if it has no words of its own, its parent or -1;
* an element of the hypothesis: its label, the words over which it is drawn or -1, its parent or -1,
  its text if it has no words, its confidence if it has one;
* at each tolerance the candidates of each element of the reference: of its start, of its end, and
  its strict frontiers; ``null`` if it is exact on these words;
* and the cases of each system, those of the reference's elements before its insertions: hypothesis
  elements or -1, and classes; by the number of the case, costs other than 0, what explains it
  besides the elements, and placements other than at the strict frontiers; those unplaceable;
* a badge of a blame: the index of the reference element, its group, the cause, its outcome on
  reference words and on these, the words that were said and those that were heard.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...analysis.alignment import UNIT, in_step
from ...analysis.audit import Audit, AuditRow, SlotCase, counted_as
from ...analysis.blame import DELETED, MANUAL, MISHEARD, DocumentBlame
from ...documents.model import Document, Time
from ...measures import decimal


def scene(
    audits: Sequence[Sequence[Audit]], blames: Sequence[DocumentBlame | None]
) -> dict[str, object]:
    """The data of a document: at each tolerance its audit of each system."""
    first = audits[0][0]
    left, right = first.reference_words, first.hypothesis_words
    own, heard, is_timed = sides(first)
    is_projected = first.words.is_projected
    only = blames[0].cases if len(blames) == 1 and blames[0] else ()
    breaks = right.breaks if is_projected else right.breaks or left.breaks
    return {
        "id": first.id,
        "timed": is_timed,
        "ref": _words(left, own, left.breaks) if is_projected else None,
        "hyp": _words(right, heard, breaks),
        "hyps": [
            [_hypothesis(row, one.hypothesis_words) for row in one.hypotheses] for one in audits[0]
        ],
        "refs": [_reference(row, len(own)) for row in first.references],
        "views": [
            {
                "tolerance": at[0].words.tolerance,
                # null if it is exact on these words
                "candidates": [
                    [row.starts, row.ends, row.strict]
                    if is_projected or not len(row.starts) == 1 == len(row.ends)
                    else None
                    for row in at[0].references
                ],
                "cases": [_cases(each.cases) for each in at],
            }
            for at in audits
        ],
        "badges": [_badges(blame) for blame in blames],
        # the insertions on reference words, which have no place on the page's words
        "only": [[one.label, " ".join(one.words), one.time] for one in only if one.side == MANUAL],
    }


def sides(document: Audit) -> tuple[Sequence[Time], Sequence[Time], bool]:
    """The times of the words of both sides, and whether they are known or places only."""
    left, right = document.reference_words, document.hypothesis_words
    if not document.words.is_projected:
        times = left.times if right.times is None else right.times
        known = times is not None
        unit = [(UNIT * k, UNIT * k + UNIT) for k in range(len(right.words))]
        return (times or unit), (times or unit), known
    if left.times is not None and right.times is not None:
        return left.times, right.times, True
    assert document.words.through is not None  # a tolerance needs times
    return *in_step(document.words.through.align_documents(left, right).blocks), False


def _words(document: Document, times: Sequence[Time], breaks: Sequence[int]) -> dict[str, object]:
    steps, clock = [], 0
    for start, end in times:
        steps += [start - clock, end - start]
        clock = end
    return {"words": document.words, "times": steps, "breaks": breaks}


def _reference(row: AuditRow, size: int) -> list[object]:
    """An element; without words it is drawn over those between its candidates, ``size`` in all."""
    start, end = row.span or row.strict or (min(row.starts, default=0), max(row.ends, default=0))
    if row.span is None:
        start = min(start, size - 1)
        end = min(max(end, start + 1), size or -1)
    parent = -1 if row.parent is None else row.parent
    return [row.index, row.labels, start, end, int(row.span is None), parent]


def _hypothesis(row: AuditRow, document: Document) -> list[Any]:
    parent = -1 if row.parent is None else row.parent
    text = " ".join(row.words) if row.span is None else ""
    sure = document.elements[row.index].confidence if row.span else None
    known = () if sure is None else (sure,)
    return [row.label, *(row.span or (-1, -1)), parent, text, *known]


def _cases(cases: Sequence[SlotCase]) -> dict[str, object]:
    rows = [case.row for case in cases]
    whys = [
        case.row.why or (counted_as(case.row) if case.reference and case.hypothesis else "")
        for case in cases
    ]
    return {
        "hyps": [-1 if case.hypothesis is None else case.hypothesis.index for case in cases],
        "classes": [case.letter for case in cases],
        "costs": {k: decimal(row.cost) for k, row in enumerate(rows) if row.cost},
        "whys": {k: why for k, why in enumerate(whys) if why},
        "placed": {k: row.placement for k, row in enumerate(rows) if row.placement != row.strict},
        "lost": [k for k, case in enumerate(cases) if case.row.why is not None],
    }


def _badges(blame: DocumentBlame | None) -> list[list[Any]]:
    """The badges of the reference elements of a document."""
    found = []
    for case in () if blame is None else blame.cases:
        if case.is_reference:
            is_heard = case.cause in (DELETED, MISHEARD)
            words = [" ".join(side) if is_heard else "" for side in (case.words, case.heard)]
            outcomes = case.manual, case.recognised
            found.append([case.index, case.group, case.cause, *outcomes, *words])
    return found
