"""Documents as Praat TextGrids, to be opened beside the recording.

The tiers, from the top: the reference's words, its elements by depth and under them their classes,
the scored words, the hypothesis's elements and their classes. What has no place in time, such as a
mention that was not found, is named on a tier of its side's own, ``hyp without place``. What was
skipped, merged or made up in reading is said on a last one, ``notes``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..analysis.audit import HYPOTHESIS, REFERENCE, Audit, Row
from ..analysis.rates import AnyScore
from ..documents.model import Document
from ..errors import SerevalError, one_line
from ..formats.praat_write import Interval, Tier, apart, text_of
from ..formats.writers import file_name
from .audit_tables import everything
from .audit_text import Wanted
from .cases import LOST
from .text import read


def render(audits: Iterable[Audit], score: AnyScore, wanted: Wanted = everything) -> dict[str, str]:
    """A TextGrid for each document, by file name.

    Praat has no overlapping and no empty intervals. What overlaps the interval ahead of it goes
    to a further tier, ``asr (2)``; what begins and ends at one time is shown as 1 ms on a tier of
    its own, ``asr (no length)``. So nothing is lost, and every other interval has its own times.

    Args:
        score: of all documents; what it notes is said in each.
        wanted: the elements that are shown; the words always are.

    Raises:
        SerevalError: a side has no times.
    """
    notes = read(score)
    return {file_name(audit.id, ".TextGrid"): textgrid(audit, wanted, notes) for audit in audits}


def textgrid(audit: Audit, wanted: Wanted = everything, notes: Sequence[str] = ()) -> str:
    """One document in Praat's long text format.

    Args:
        notes: for its last tier.

    Raises:
        SerevalError: a side has no times.
    """
    tiers: list[Tier] = []
    shown = [row for row, partner in audit.with_partners() if wanted(row, partner)]
    for side, words, name, document in (
        (REFERENCE, "words", "ref", audit.reference_words),
        (HYPOTHESIS, "asr", "hyp", audit.hypothesis_words),
    ):
        tiers += apart(words, _words(document, side))
        rows = [row for row in shown if row.side == side and row.time is not None]
        for depth in sorted({row.depth for row in rows}):
            level = [row for row in rows if row.depth == depth]
            tiers += apart(f"{name} {depth}", _elements(level, lambda row: "|".join(row.labels)))
            tiers += apart(f"class {name} {depth}", _elements(level, _class))
        placeless = [row for row in shown if row.side == side and row.time is None]
        if placeless:
            tiers += apart(f"{name} without place", _placeless(placeless, document))
    if notes:
        tiers += apart("notes", [_over_all(" ".join(notes), audit.hypothesis_words)])
    return text_of(tiers)


def _words(document: Document, side: str) -> list[Interval]:
    if document.times is None:
        raise SerevalError(
            f"{document.id}: the {side} has no times, a TextGrid needs those of both sides"
        )
    return [
        Interval(*time, one_line(word))
        for time, word in zip(document.times, document.words, strict=True)
    ]


def _elements(rows: Iterable[Row], text: Callable[[Row], str]) -> list[Interval]:
    return [Interval(*row.time, one_line(text(row))) for row in rows if row.time is not None]


def _placeless(rows: Sequence[Row], document: Document) -> list[Interval]:
    """What stands nowhere in the recording, as mentions that were not found, said on all of it."""
    texts = [f"{row.label} “{' '.join(row.words)}” {_class(row)}" for row in rows]
    return [_over_all("; ".join(texts), document)]


def _over_all(text: str, document: Document) -> Interval:
    """A text from the first word to the last."""
    times = document.times or ()
    start = min((start for start, _ in times), default=0)
    end = max((end for _, end in times), default=0)
    return Interval(start, max(start + 1, end), one_line(text))


def _class(row: Row) -> str:
    """Its letter; an unplaceable one that counts is ``D unplaceable``; what is not all correct."""
    letter = [] if row.slot is None else [row.slot.value]
    wrong = {name: count for name, count in row.figures.items() if count != "COR"}
    named = [f"({', '.join(f'{name} {count}' for name, count in wrong.items())})"] if wrong else []
    lost = [LOST] if row.why is not None and row.side == REFERENCE else []
    return " ".join([*letter, *named, *lost])
