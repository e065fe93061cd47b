"""Notes that a reader of the page makes on cases: their kinds, and the score without some of them.

A note is a line of JSON that the page exports: the document, the side and the index of an element,
its label and words, the kind of the note, and a text. The *case* of a note is the slot of its
element: a pair, a deletion or an insertion. The score without the cases whose reference is wrong
has the errors and the sizes of all other slots; nothing is mapped again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from ..documents.files import read_text
from ..errors import InputError, SerevalError
from ..formats.file import File, quote
from ..formats.records import each_line
from ..labels import digest
from ..measures import Errors
from ..render.report import Look, Report, counted, percent
from .audit import HYPOTHESIS, REFERENCE, AnyScore, AuditRow, audit

WRONG = "reference wrong"
KINDS = (WRONG, "label guide unclear", "other")

Place = tuple[str, str, int]
"""The document, the side and the index of an element."""


class CaseNote(NamedTuple):
    """A note on the case of an element."""

    place: Place
    label: str
    words: str
    kind: str


KEYS = ("document", "side", "index", "label", "words", "kind", "text")


def read_notes(path: str) -> list[CaseNote]:
    """The notes of a file that the page exported."""
    file, found = File(path, text=read_text(path)), []
    with file:
        for record in each_line(file):
            record.only(KEYS)
            texts = [record.string(name) for name in ("document", "side", "label", "kind")]
            document, side, label, kind = texts
            for name, value, known in (
                ("side", side, (REFERENCE, HYPOTHESIS)),
                ("kind", kind, KINDS),
            ):
                if value not in known:
                    raise SerevalError(f"{name} {value!r}, expected one of {', '.join(known)}")
            place = document, side, record.integer("index")
            found.append(CaseNote(place, label, record.text("words"), kind))
    return found


def with_notes(report: Report, score: AnyScore, notes: Sequence[CaseNote], path: str) -> Report:
    """The report of an audit with the notes of a file, and the score without wrong references."""
    left = _without(score, notes, path)
    kinds = Counter(note.kind for note in notes)
    marked = sorted({note.place for note in notes if note.kind == WRONG})
    ids = [" ".join(map(str, place)) for place in marked]
    signature = f"{score.signature}|without:{len(ids)}-{digest(ids)}"
    rate = score.rate
    value = rate.of(left)

    def text(look: Look) -> Iterator[str]:
        yield from report.text(look)
        named = ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS if kinds[kind])
        yield f"{counted(len(notes), 'note')}: {named or 'none'}"
        if ids:
            yield (
                f"{rate.short} without the {counted(len(ids), 'case')} of a wrong reference: "
                f"{percent(value)} %"
            )
            yield signature

    tables = dict(report.tables)
    for name, own in (
        ("case_notes", [(kind, kinds[kind]) for kind in KINDS]),
        ("without", [(len(ids), left.total, left.size, value, signature)]),
    ):
        tables[name] = tables[name]._replace(rows=own)
    return report._replace(text=text, tables=tables)


def _without(score: AnyScore, notes: Sequence[CaseNote], path: str) -> Errors:
    """The errors of the slots without those whose reference is wrong."""
    asked = {note.place: note for note in notes}
    wrong = {note.place for note in notes if note.kind == WRONG}
    errors, size = Fraction(0), Fraction(0)
    for one in audit(score):
        for case in one.cases:
            for element in case.rows:
                note = asked.pop(_key(element), None)
                words = " ".join(element.words)
                if note and (note.label not in element.labels or note.words not in ("", words)):
                    raise InputError(
                        f"note on {_text(note.place)}: the element is {element.label} "
                        f"{quote(words)}, expected {note.label} {quote(note.words)}: the notes are "
                        "of other files",
                        path=path,
                    )
            if wrong.isdisjoint(map(_key, case.rows)):
                errors += case.row.cost
                size += case.row.size
    if asked:
        raise InputError(
            f"note on {_text(min(asked))}: no such element, expected the files of the page",
            path=path,
        )
    return Errors(errors, size=size)


def _text(place: Place) -> str:
    return "{}, {} {}".format(*place)


def _key(row: AuditRow) -> Place:
    return row.document, row.side, row.index
