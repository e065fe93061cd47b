"""The audit of a document as a Praat TextGrid, to open beside the recording.

The tiers are, from the top: the reference's words, the reference elements of each depth with their
classes below them, the scored words, the hypothesis elements with their classes. An element without
a time, such as a mention that was not found, is named on the tier ``ref without place`` or ``hyp
without place``. The last tier, ``notes``, has what the readers skipped, merged or interpolated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..analysis.audit import (
    HYPOTHESIS,
    REFERENCE,
    UNPLACEABLE,
    AnyScore,
    Audit,
    AuditRow,
    Wanted,
)
from ..documents.model import Document
from ..errors import SerevalError, one_line
from ..formats.build import file_name
from ..formats.praat import WrittenInterval, WrittenTier, apart, text_of


def render(audits: Iterable[Audit], score: AnyScore, wanted: Wanted) -> Iterator[tuple[str, str]]:
    """A TextGrid for each document, in Praat's long text format, after the name of its file."""
    notes = " ".join(map(one_line, score.notes))
    for audit in audits:
        tiers: list[WrittenTier] = []
        chosen = audit.only(wanted)
        for side, own, words, name, document in (
            (REFERENCE, chosen.references, "words", "ref", audit.reference_words),
            (HYPOTHESIS, chosen.hypotheses, "asr", "hyp", audit.hypothesis_words),
        ):
            tiers += apart(words, _words(document, side))
            for depth in sorted({row.depth for row in own if row.time is not None}):
                level = [row for row in own if row.depth == depth]
                labels = _elements(level, lambda row: "|".join(row.labels))
                tiers += apart(f"{name} {depth}", labels)
                tiers += apart(f"class {name} {depth}", _elements(level, _class))
            texts = [
                f"{row.label} “{' '.join(row.words)}” {_class(row)}"
                for row in own
                if row.time is None
            ]
            if texts:
                tiers += apart(f"{name} without place", [_over_all("; ".join(texts), document)])
        if notes:
            tiers += apart("notes", [_over_all(notes, audit.hypothesis_words)])
        yield file_name(audit.id, ".TextGrid"), text_of(tiers)


def _words(document: Document, side: str) -> list[WrittenInterval]:
    if document.times is None:
        raise SerevalError(
            f"{document.id}: the {side} has no times, a TextGrid needs those of both sides"
        )
    return [
        WrittenInterval(*time, one_line(word))
        for time, word in zip(document.times, document.words, strict=True)
    ]


def _elements(rows: Iterable[AuditRow], text: Callable[[AuditRow], str]) -> list[WrittenInterval]:
    return [WrittenInterval(*row.time, one_line(text(row))) for row in rows if row.time is not None]


def _over_all(text: str, document: Document) -> WrittenInterval:
    """A text in an interval from the first word to the last."""
    times = document.times or ()
    start = min((start for start, _ in times), default=0)
    end = max((end for _, end in times), default=0)
    return WrittenInterval(start, max(start + 1, end), one_line(text))


def _class(row: AuditRow) -> str:
    """The class, the figures that are not correct, and whether the element is unplaceable."""
    letter = [] if row.slot is None else [row.slot.value]
    wrong = {name: count for name, count in row.figures.items() if count != "COR"}
    named = [f"({', '.join(f'{name} {count}' for name, count in wrong.items())})"] if wrong else []
    lost = [UNPLACEABLE] if row.why is not None and row.side == REFERENCE else []
    return " ".join([*letter, *named, *lost])
