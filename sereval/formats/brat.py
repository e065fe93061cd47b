"""Standoff annotation of brat: an ``.ann`` file counts the characters of the ``.txt`` beside it.

``T1<tab>pers 0 14<tab>Jacques Chirac``

White space separates the words of the text. An annotation that begins or ends inside a word cuts
it, as a tag in running text does. The spans determine the tree.

Source: brat's manual, "standoff format".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ..documents.characters import Stretch
from ..documents.checks import whole_number
from ..documents.model import Document, Element, Reference
from ..documents.notes import Note, Place, count_notes
from ..errors import InputError, SerevalError
from .crossing import annotate_text, place_at
from .file import File as Source
from .file import quote
from .inline import check_writable, is_unreadable
from .utf16 import CODE_POINTS, UNITS, Mark, Utf16Text, undecided, unit_of, with_or_without_mark
from .writers import WrittenFiles, exact, lost_of

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
_TRIGGERS = "triggers of events, skipped"
_PIECES = {
    "hull": "annotations in pieces, read from the first piece to the last",
    "first": "annotations in pieces, read as their first piece",
    "pieces": "annotations in pieces, read as an element for each piece",
}
_ADDED = "elements that are further pieces of an annotation"


@dataclass(frozen=True, slots=True)
class _Annotation:
    """A label over characters of the text, in one or several pieces."""

    id: str
    label: str
    pieces: tuple[tuple[int, int], ...]
    line: int

    def __str__(self) -> str:
        return f"{self.id} ({self.label})"


def read_brat(source: Source) -> list[tuple[int | None, Document]]:
    """The document of a file of annotations and the text beside it.

    Three policies apply. ``discontinuous``: an annotation in several pieces is an error
    (``refuse``), lasts from the first piece to the last (``hull``), is its ``first`` piece, or is
    an element for each of its ``pieces``, because an element has one span (definition, section 1).
    ``crossing``: annotations that cross are an error, or ``drop`` drops the one of the later line.
    ``equal``: of annotations on the same words, the outer one is on the earlier line
    (``appearance``); if the policy names a grammar, the outer one has the label that comes first in
    ``source.options.labels``.

    Args:
        source: the file; the document takes its id. ``source.beside`` is the text.

    Returns:
        One document, without a line of its own. Its ``breaks`` are the line breaks of the text.

    Raises:
        InputError: a line of an unknown kind; an id that occurs twice; offsets outside the text or
            out of order; a quoted text that does not stand at its offsets; no word between the
            offsets; pieces and crossings, by policy.

    >>> [(_, dol)] = read_brat(Source("a.ann", text="T1\\tloc 2 5\\tDol", beside="à Dol, hier"))
    >>> dol.words, dol.elements
    (('à', 'Dol', ',', 'hier'), (Element(label='loc', start=1, end=2, parent=None),))
    """
    return [(None, with_or_without_mark(source, _document))]


def _document(source: Source) -> Document:
    reader = _Reader(source)
    for line, text in source.lines():
        if text.strip():
            reader.read_line(line, text.rstrip("\r"))
    return reader.document()


class _Reader:
    """The annotations that have been read of one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = Utf16Text(source.beside)
        self.marks: dict[str, Mark] = {}  # by id
        self.found: dict[str, _Annotation] = {}
        self.triggers: set[str] = set()
        self.skipped: Counter[str] = Counter()  # by what a note says
        self.pieces: list[Place] = []  # of the annotations in several pieces

    def read_line(self, line: int, text: str) -> None:
        id, *columns = text.split("\t")
        if not columns or not _ID.fullmatch(id):
            raise self.source.error(
                f"found {quote(text)}, expected a line such as {_EXAMPLE}", line
            )
        if id[0] != "T":
            self.skipped[_SKIPPED[id[0]]] += 1
            if id[0] == "E":
                self.triggers.add(columns[0].split(" ")[0].rpartition(":")[2])
            return
        annotation = self.annotation(line, id, columns)
        other = self.found.setdefault(id, annotation)
        if other is not annotation:
            raise self.source.error(f"{id} stands twice, the first on line {other.line}", line)

    def annotation(self, line: int, id: str, columns: Sequence[str]) -> _Annotation:
        match = _SPAN.fullmatch(columns[0])
        if len(columns) < 2 or match is None:
            shown = quote("\t".join((id, *columns)))
            raise self.source.error(f"found {shown}, expected a line such as {_EXAMPLE}", line)
        try:
            pieces = tuple(
                (whole_number(start), whole_number(end))
                for start, end in (piece.split(" ") for piece in match[2].split(";"))
            )
        except SerevalError as error:
            raise self.source.error(f"{id} ({match[1]}): {error}", line) from None
        annotation = _Annotation(id, match[1], pieces, line)
        for start, end in pieces:
            if not start < end <= self.text.longest:
                raise self.source.error(
                    f"{annotation} has the offsets {start} {end}, expected a start before an end "
                    f"within the {self.text.longest} characters of the text",
                    line,
                )
        for (_, end), (start, _) in pairwise(pieces):
            if start < end:
                raise self.source.error(
                    f"{annotation} has a piece that starts at {start}, before the one ahead of it "
                    f"ends ({end})",
                    line,
                )
        self.mark(annotation, " ".join(columns[1:]))
        return annotation

    def mark(self, annotation: _Annotation, text: str) -> None:
        """Refuse an annotation whose text does not stand at its offsets in any unit.

        White space does not count.
        """
        mark = Mark(self.text, annotation.pieces, text, self.place(annotation))
        if not any(map(mark.fits, UNITS)):
            covered = [self.text.text[start:end] for start, end in annotation.pieces]
            raise self.source.error(
                f"{annotation} has the text {quote(text)}, but at its offsets stands "
                f"{quote(' '.join(covered))}; are they of another text, or in another unit than "
                "characters?",
                annotation.line,
            )
        self.marks[annotation.id] = mark

    def document(self) -> Document:
        kept = [one for one in self.found.values() if one.id not in self.triggers]
        self.skipped[_TRIGGERS] += len(self.found) - len(kept)
        unit = unit_of(self.marks.values())
        policy = self.source.policy("discontinuous")
        stretches = [
            (one, stretch) for one in kept for stretch in self.stretches(one, unit or CODE_POINTS)
        ]
        choice = f"discontinuous={policy}"
        pieces = Note(_PIECES.get(policy, ""), len(self.pieces), choice, tuple(self.pieces))
        added = count_notes({_ADDED: len(stretches) - len(kept)}, choice)
        return annotate_text(
            self.source,
            self.source.id,
            self.text.text,
            [stretch for _, stretch in stretches],
            lambda k: self.place(stretches[k][0]),
            lambda k, other: self.crossing(stretches[k][0], stretches[other][0]),
            notes=(
                *count_notes(self.skipped),
                *([pieces] if self.pieces else []),
                *added,
                *undecided((self.marks[one.id] for one in kept), unit),
            ),
        )

    def stretches(self, annotation: _Annotation, unit: str) -> list[Stretch]:
        """The stretches of the text that an annotation labels; mostly one.

        Two pieces with nothing but white space between them are one piece.
        """
        text = self.text.text
        first, *others = (self.text.between(piece, unit) for piece in annotation.pieces)
        joined = [first]
        for start, end in others:
            if text[joined[-1][1] : start].strip():
                joined.append((start, end))
            else:
                joined[-1] = joined[-1][0], end
        if len(joined) > 1:
            policy = self.source.policy("discontinuous")
            if policy == "refuse":
                raise self.source.error(
                    f"{annotation} is in {len(joined)} pieces, expected one; "
                    f"{self.source.hint('discontinuous')}",
                    annotation.line,
                )
            self.pieces.append(self.place(annotation))
            hull = joined[0][0], joined[-1][1]
            joined = {"hull": [hull], "first": joined[:1], "pieces": joined}[policy]
        for start, end in joined:
            if not text[start:end].strip():
                raise self.source.error(
                    f"{annotation} is empty, expected words in it", annotation.line
                )
        return [Stretch(annotation.label, *piece, annotation.line) for piece in joined]

    def crossing(self, *both: _Annotation) -> InputError:
        earlier, later = sorted(both, key=lambda one: one.line)
        return self.source.error(
            f"{later} crosses {earlier} of line {earlier.line}, expected one in the other or "
            f"apart; {self.source.hint('crossing')}",
            later.line,
        )

    def place(self, annotation: _Annotation) -> Place:
        return place_at(self.source, annotation.id, annotation.line)


# --- writing -------------------------------------------------------------------------------------


def write_brat(document: Document | Reference) -> WrittenFiles:
    """The two files of a document, and notes on what they do not hold."""
    found = exact(document)
    text, annotations = write(found)
    return WrittenFiles({".ann": annotations, ".txt": text}, count_notes(lost_of(found)))


def write(document: Document) -> tuple[str, str]:
    """A document as a text and the annotations beside it, without its times.

    An annotation over a line end is written in pieces, one for each line, as brat requires.

    Args:
        document: a document with at least one word.

    Returns:
        The text and the annotations.

    Raises:
        SerevalError: the format cannot hold the document: it has no word, or white space in a word
            or label.

    >>> write(Document("d", ("à", "Dol"), (Element("loc", 1, 2),)))
    ('à Dol\\n', 'T1\\tloc 2 5\\tDol\\n')
    """
    check_writable(document)
    for element in document.elements:
        if element.label.split() != [element.label] or is_unreadable(element.label):
            raise SerevalError(
                f"{document.id}: label {quote(element.label)}, expected no white space in it"
            )
    starts = list(accumulate((len(word) + 1 for word in document.words), initial=0))
    text = "".join(
        f"{word}{chr(10) if k in document.breaks else ' '}"
        for k, word in enumerate(document.words, 1)
    )
    return f"{text[:-1]}\n", "".join(
        _line(number, element, document, starts)
        for number, element in enumerate(document.elements, 1)
    )


def _line(number: int, element: Element, document: Document, starts: Sequence[int]) -> str:
    lines = [k for k in document.breaks if element.start < k < element.end]
    pieces = pairwise([element.start, *lines, element.end])
    offsets = ";".join(f"{starts[start]} {starts[end] - 1}" for start, end in pieces)
    covered = " ".join(document.words[element.start : element.end])
    return f"T{number}\t{element.label} {offsets}\t{covered}\n"
