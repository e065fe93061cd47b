"""Annotations that count the characters of a text beside or behind them, and those of brat.

JavaScript and Java count a character beyond U+FFFF, such as an emoji, as two (UTF-16); Python
counts it as one (a code point). A file counts in one unit, which the texts that its annotations
quote tell.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple

from ..documents.model import Document, whole_number
from ..documents.words import Characters, Span, cut
from ..errors import SerevalError, with_place
from .build import Notes, check_words, document_of_spans, lines_of, uncrossed_spans
from .file import Documents, File, quote

# --- units ---------------------------------------------------------------------------------------

CODE_POINTS, UTF16 = UNITS = ("code points", "UTF-16")
"""Units of characters; the first is the default."""

_WIDE = re.compile("[\U00010000-\U0010ffff]")


class Mark(NamedTuple):
    """An annotation, before the unit of its file is known."""

    label: str
    pieces: list[Characters]  # in the unit of the file
    quote: str | None  # the text that it quotes; None: none
    line: int | None
    name: str  # what messages call it
    confidence: float | None = None


class AnnotatedText:
    """A text and its annotations."""

    def __init__(self, file: File, id: str, text: str) -> None:
        rest = text.lstrip("\ufeff")
        self.text = " " * (len(text) - len(rest)) + rest
        wide = () if text.isascii() else _WIDE.finditer(text)
        self.halves = [one.start() + k for k, one in enumerate(wide, 1)]
        """Places in UTF-16 that are inside a character."""
        self.file, self.id, self.line, self.notes = file, id, file.here, Notes()
        self.marks: list[Mark] = []
        self.tokens: list[Characters] | None = None
        """Places of the words, in the unit of the annotations."""

    def between(self, span: Characters, unit: str | None) -> Characters:
        """A start and an end in code points."""
        if unit != UTF16:
            return span
        for place in span:
            if place in self.halves:
                raise SerevalError(
                    f"place {place} in UTF-16 is inside a character, expected its edge"
                )
        start, end = (place - bisect_left(self.halves, place) for place in span)
        return start, end

    def add(self, mark: Mark) -> None:
        """Add an annotation, which must be in the text."""
        before, longest = 0, len(self.text) + len(self.halves)  # in UTF-16, whose numbers are more
        for start, end in mark.pieces:
            if not before <= start < end <= longest:
                raise SerevalError(
                    f"{mark.name}: characters {start} to {end}, expected some of {before} to "
                    f"{longest}"
                )
            before = end
        self.marks.append(mark)

    def fits(self, mark: Mark, unit: str) -> bool:
        """Whether its quote is the text of its pieces; white space, which may vary, is ignored."""
        if mark.quote is None:
            return True
        try:
            pieces = [self.between(piece, unit) for piece in mark.pieces]
        except SerevalError:
            return False
        found = "".join(self.text[start:end] for start, end in pieces)
        return _bare(found) == _bare(mark.quote)

    def misfits(self, unit: str) -> list[Mark]:
        """The annotations whose quotes are not at their places in a unit."""
        return [one for one in self.marks if not self.fits(one, unit)]

    def ignore_quote(self, mark: Mark) -> None:
        """Refuse an annotation with another text than that at its place, or note it."""
        if self.file.policy("texts") == "refuse":
            found = " ".join(self.text[start:end] for start, end in mark.pieces)
            message = (
                f"{mark.name} has the text {quote(mark.quote or '')}, but at its offsets stands "
                f"{quote(found)}; are they of another text, or in another unit than characters? "
                f"{self.file.hint('texts')}"
            )
            raise self.file.error(message, mark.line)
        what = "annotations with another text than that at their offsets, read by the offsets"
        self.notes.add(what, 1, "texts=offsets", at=self.file.place(mark.name, mark.line))

    def spans(self, unit: str | None) -> Iterator[Span]:
        """The stretches of the text that the annotations label, in code points."""
        for mark in self.marks:
            joined: list[Characters] = []
            for start, end in (self.between(piece, unit) for piece in mark.pieces):
                if joined and not self.text[joined[-1][1] : start].strip():
                    start, _ = joined.pop()
                joined.append((start, end))
            for start, end in joined if len(joined) == 1 else self.chosen(mark, joined):
                yield Span(mark.label, start, end, mark.line, mark.name, mark.confidence)

    def chosen(self, mark: Mark, pieces: list[Characters]) -> list[Characters]:
        """The pieces of an annotation that become elements, by the policy ``discontinuous``."""
        policy, at = self.file.policy("discontinuous"), self.file.place(mark.name, mark.line)
        if policy == "refuse":
            hint = self.file.hint("discontinuous")
            message = f"{mark.name} is in {len(pieces)} pieces, expected one; {hint}"
            raise self.file.error(message, mark.line)
        choice, hull = f"discontinuous={policy}", (pieces[0][0], pieces[-1][1])
        what, kept = {
            "hull": ("from the first piece to the last", [hull]),
            "first": ("as their first piece", pieces[:1]),
            "pieces": ("as an element for each piece", pieces),
        }[policy]
        self.notes.add(f"annotations in pieces, read {what}", 1, choice, at=at)
        more = len(kept) - 1
        self.notes.add("elements that are further pieces of an annotation", more, choice)
        return kept


def _bare(text: str) -> str:
    return "".join(text.split()).replace("\ufeff", "")


def documents_of(file: File, texts: Sequence[AnnotatedText], unit: str | None = None) -> Documents:
    """The documents of a file's texts, by line; without ``unit``, quotes of annotations tell it."""
    wrong = [0, 0]  # without a character beyond U+FFFF all units are one
    if any(text.halves for text in texts):
        wrong = [sum(len(text.misfits(one)) for text in texts) for one in UNITS]
    is_decided = unit is not None or wrong[0] != wrong[1]
    unit = unit or UNITS[wrong[0] > wrong[1]]
    undecided = (
        "annotations behind characters beyond U+FFFF, read in code points, though UTF-16 is "
        "possible"
    )
    for text in texts:
        for mark in text.misfits(unit):
            text.ignore_quote(mark)
        for mark in () if is_decided else text.marks:
            if text.halves and mark.pieces[-1][1] >= text.halves[0]:
                text.notes.add(undecided, at=file.place(mark.name, mark.line))
        file.here = text.line
        spans = [*text.spans(unit)]
        tokens = text.tokens and [text.between(token, unit) for token in text.tokens]
        if tokens:
            frontiers = pairwise([(0, 0), *tokens, (len(text.text), 0)])
            gaps = (text.text[end:start].split() for (_, end), (start, _) in frontiers)
            lost = sum(len(run) for gap in gaps for run in gap)
            text.notes.add("characters of the text outside its tokens, skipped", lost)
        words = cut(text.text, spans, tokens)
        kept = uncrossed_spans(file, words.spans, text.notes)
        if len(kept) < len(spans):  # a dropped span cuts no word
            words = cut(text.text, [spans[k] for k in kept], tokens)
        breaks = words.breaks
        yield document_of_spans(file, text.id, words.words, words.spans, text.notes, breaks=breaks)


def document_beside(file: File, read: Callable[[File], AnnotatedText]) -> Documents:
    """The document of a file beside a text, whose byte order mark is a character."""
    found: list[AnnotatedText] = []
    for beside in dict.fromkeys((file.beside, file.beside.removeprefix("\ufeff"))):
        with suppress(SerevalError):
            found.append(read(replace(file, beside=beside)))
    # of both readings, that with fewer quotes that are not at their places is right
    best = min(found, key=lambda text: min(len(text.misfits(one)) for one in UNITS), default=None)
    return documents_of(file, [best or read(file)])


# --- brat ----------------------------------------------------------------------------------------

_SPAN = re.compile(r"(T\S+)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)\t(.*)", re.ASCII)
_OTHER = re.compile(r"(?:[REAMN#]\S+|\*)\t([^ \t]*)")
_EXAMPLE = quote("T1\tpers 0 14\tJacques Chirac")
_SKIPPED = {
    "R": "relations, skipped",
    "*": "equivalences, skipped",
    "E": "events, skipped",
    "A": "attributes, skipped",
    "M": "attributes, skipped",
    "N": "normalizations, skipped",
    "#": "notes, skipped",
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
    T1␉pers.ind 13 27␉Jacques Chirac
    T2␉name.first 13 20␉Jacques
    T3␉loc 37 42␉Paris
    R1␉in Arg1:T1 Arg2:T3
    #1␉AnnotatorNotes T3␉or Dol?
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
    return document_beside(file, _brat)


def _brat(file: File) -> AnnotatedText:
    text = AnnotatedText(file, file.id, file.beside)
    lines: dict[str, int | None] = {}
    triggers: set[str] = set()
    for row in file.lines():
        row = row.rstrip("\r")
        if span := _SPAN.fullmatch(row):
            if span[1] in lines:
                raise SerevalError(f"{span[1]} stands twice, the first on line {lines[span[1]]}")
            lines[span[1]] = file.here
            name = f"{span[1]} ({span[2]})"
            places = [with_place(name, whole_number, one) for one in re.split("[ ;]", span[3])]
            pieces = [*zip(places[::2], places[1::2], strict=True)]
            text.add(Mark(span[2], pieces, span[4], file.here, name))
        elif other := _OTHER.match(row):
            text.notes.add(_SKIPPED[row[0]])
            if row[0] == "E":
                triggers.add(other[1].rpartition(":")[2])
        elif row.strip():
            raise SerevalError(f"found {quote(row)}, expected a line such as {_EXAMPLE}")
    read = zip(lines, text.marks, strict=True)
    text.marks = [mark for id, mark in read if id not in triggers]
    text.notes.add("triggers of events, skipped", len(lines) - len(text.marks))
    return text


def write_brat(document: Document, _: Notes) -> tuple[str, str]:
    """The text and the annotations beside it, without times."""
    check_words(document, "file of brat", labels=r"\s")
    words, rows = document.words, list[str]()
    starts = [*accumulate((len(word) + 1 for word in words), initial=0)]
    for k, element in enumerate(document.elements, 1):
        inside = [at for at in document.breaks if element.start < at < element.end]
        pieces = pairwise([element.start, *inside, element.end])
        offsets = ";".join(f"{starts[start]} {starts[end] - 1}" for start, end in pieces)
        covered = " ".join(words[element.start : element.end])
        rows.append(f"T{k}\t{element.label} {offsets}\t{covered}\n")
    return "".join(rows), lines_of(document, words)
