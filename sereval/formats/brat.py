"""Standoff annotation of brat: an ``.ann`` file counts the characters of the ``.txt`` beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from ..documents.checks import whole_number
from ..documents.model import Document, Element
from ..documents.words import Span
from ..errors import SerevalError
from .build import Notes, check_texts, check_words, document_of_annotations
from .file import Documents, File, quote
from .offsets import (
    Mark,
    Utf16Text,
    mark_of,
    note_undecided,
    unit_of,
    with_or_without_mark,
)

_SPAN = re.compile(r"(\S+) (\d+ \d+(?:;\d+ \d+)*)", re.ASCII)
_EXAMPLE = quote("T1\tpers 0 14\tJacques Chirac")
_ID = re.compile(r"\*|[TREAMN#]\S+")
_SKIPPED = {
    "R": "relations, skipped",
    "*": "equivalences, skipped",
    "E": "events, skipped",
    "A": "attributes, skipped",
    "M": "attributes, skipped",
    "N": "normalizations, skipped",
    "#": "notes, skipped",
}
_PIECES = {
    "hull": "annotations in pieces, read from the first piece to the last",
    "first": "annotations in pieces, read as their first piece",
    "pieces": "annotations in pieces, read as an element for each piece",
}


def read_brat(file: File) -> Documents:
    """
    brat's annotation stands beside the text, here `show.txt`:

    ```txt
    le président Jacques Chirac
    habite à Paris, 12
    ```

    `show.ann` gives the first character of each annotation and the one after its last:

    ```brat
    T1	pers.ind 13 27	Jacques Chirac
    T2	name.first 13 20	Jacques
    T3	loc 37 42	Paris
    R1	in Arg1:T1 Arg2:T3
    #1	AnnotatorNotes T3	or Dol?
    ```

    Characters are counted from 0: in Unicode code points, or [in UTF-16](#offsets) if only then the
    annotations have their quoted texts. A byte order mark at the start of the text counts, as brat
    counts it; if the quoted texts say otherwise, it does not. It is part of no word. Annotations
    cut words. A line break between words is the boundary of an utterance. The `.ann` may be empty,
    the text may not.

    * Each `T` line is an element, except the triggers that `E` lines name. These triggers are
      skipped, and so are the lines of relations (`R`, `*`), events (`E`), attributes (`A`, `M`),
      normalizations (`N`) and notes (`#`).
    * The text at the end of a `T` line must be the text at its offsets, apart from white space.
    * An annotation in **several pieces** (`0 2;8 16`) with more than white space between them is an
      error. With `--read discontinuous=hull` it extends from its first piece to its last; with
      `discontinuous=first` it is its first piece; with `discontinuous=pieces`, each piece is an
      element with its label, and so a slot of its own. Notes count such annotations and the
      additional elements, which `Ref` counts too. Pieces with only white space between them are one
      piece: so brat writes an annotation over a line end.

    If the text at the offsets is another one, the offsets may count bytes, or belong to another
    file. `--read texts=offsets` ignores the text column of such lines, and counts them.
    """
    yield None, with_or_without_mark(file, _document)


def _document(file: File) -> Document:
    text, notes = Utf16Text(file.beside), Notes()
    found: dict[str, Mark] = {}
    triggers: set[str] = set()
    with file.at() as here:
        for here.line, row in file.lines():
            id, *columns = row.rstrip("\r").split("\t")
            if not row.strip():
                continue
            if not columns or not _ID.fullmatch(id):
                raise _unknown(id, *columns)
            if id in found:
                raise SerevalError(f"{id} stands twice, the first on line {found[id].line}")
            if id[0] == "T":
                found[id] = _mark(file, text, id, columns, here.line, notes)
            else:
                notes.add(_SKIPPED[id[0]])
            if id[0] == "E":
                triggers.add(columns[0].split(" ")[0].rpartition(":")[2])
    kept = [mark for id, mark in found.items() if id not in triggers]
    notes.add("triggers of events, skipped", len(found) - len(kept))
    unit = unit_of(file, found.values())
    spans = [span for mark in kept for span in _spans(file, mark, unit, notes)]
    if unit is None:
        note_undecided(file, kept, notes)
    return document_of_annotations(file, file.id, text.text, spans, notes)


def _unknown(*columns: str) -> SerevalError:
    shown = quote("\t".join(columns))
    return SerevalError(f"found {shown}, expected a line such as {_EXAMPLE}")


def _mark(
    file: File, text: Utf16Text, id: str, columns: Sequence[str], line: int, notes: Notes
) -> Mark:
    """The annotation of a line, whose text must stand at its offsets in some unit."""
    match = _SPAN.fullmatch(columns[0])
    if len(columns) < 2 or match is None:
        raise _unknown(id, *columns)
    name = f"{id} ({match[1]})"
    try:
        numbers = [whole_number(number) for number in re.split("[ ;]", match[2])]
    except SerevalError as error:
        raise SerevalError(f"{name}: {error}") from None
    pieces = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    for start, end in pieces:
        if not start < end <= text.longest:
            raise SerevalError(
                f"{name} has the offsets {start} {end}, expected a start before an end within the "
                f"{text.longest} characters of the text"
            )
    for (_, end), (start, _) in pairwise(pieces):
        if start < end:
            raise SerevalError(
                f"{name} has a piece that starts at {start}, before the one ahead of it ends "
                f"({end})"
            )
    return mark_of(file, text, match[1], pieces, " ".join(columns[1:]), notes, line, name)


def _spans(file: File, mark: Mark, unit: str | None, notes: Notes) -> Iterator[Span]:
    """The stretches of the text that an annotation labels; mostly one."""
    text = mark.text.text
    joined: list[tuple[int, int]] = []
    for start, end in (mark.text.between(piece, unit) for piece in mark.pieces):
        if joined and not text[joined[-1][1] : start].strip():
            start, _ = joined.pop()
        joined.append((start, end))
    if len(joined) > 1:
        policy = file.policy("discontinuous")
        if policy == "refuse":
            raise file.error(
                f"{mark.name} is in {len(joined)} pieces, expected one; "
                f"{file.hint('discontinuous')}",
                mark.line,
            )
        choice = f"discontinuous={policy}"
        notes.add(_PIECES[policy], 1, choice, at=file.place(mark.name, mark.line))
        hull = joined[0][0], joined[-1][1]
        joined = {"hull": [hull], "first": joined[:1], "pieces": joined}[policy]
        notes.add("elements that are further pieces of an annotation", len(joined) - 1, choice)
    for start, end in joined:
        if not text[start:end].strip():
            raise file.error(f"{mark.name} is empty, expected words in it", mark.line)
        yield Span(mark.label, start, end, mark.line, mark.name)


def write_brat(document: Document, _: Notes) -> tuple[str, str]:
    """The text and the annotations beside it, without times."""
    check_words(document, "file of brat")
    check_texts(document.id, "file of brat", [element.label for element in document.elements])
    starts = list(accumulate((len(word) + 1 for word in document.words), initial=0))
    ends = ("\n" if k in document.breaks else " " for k in range(1, len(document.words)))
    text = "".join(map("".join, zip(document.words, (*ends, "\n"), strict=True)))
    lines = (_line(k, element, document, starts) for k, element in enumerate(document.elements, 1))
    return "".join(lines), text


def _line(number: int, element: Element, document: Document, starts: Sequence[int]) -> str:
    lines = [k for k in document.breaks if element.start < k < element.end]
    pieces = pairwise([element.start, *lines, element.end])
    offsets = ";".join(f"{starts[start]} {starts[end] - 1}" for start, end in pieces)
    covered = " ".join(document.words[element.start : element.end])
    return f"T{number}\t{element.label} {offsets}\t{covered}\n"
