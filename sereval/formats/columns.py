"""Columns: a word a line with its tags, as in CoNLL, EVALITA and HIPE.

Tabs part the columns, or white space in a file without tabs; an empty line parts sentences or
programmes. How files are laid out is in ``table``. Of several columns of tags each is a level of
one tree: the elements of all of them are nested by their spans, and of equal spans the one whose
column was named first is around the other.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from ..documents.model import Document, Element, Reference, depths, tree
from ..documents.notes import Note, Place, count_notes
from ..documents.tags import (
    OUTSIDE,
    SCHEMES,
    Phrase,
    Tags,
    detect,
    foreign,
    misplaced_note,
    plain_phrases,
    spelt,
)
from ..errors import SerevalError
from .crossing import place_at, without_crossings
from .rows import DOCSTART, Part
from .source import DETECT, Source, quote
from .table import HEADER, NOTHING, Table, breaks, level_names, table
from .writers import BREAKS, Written, exact, lost_of


def parse(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a file of columns.

    Args:
        source: the file. its option ``columns`` names the columns of tags, the outermost first, or
            gives their numbers from 1; if none are named, those called ``LEVEL-1`` and so on, or
            the last one. Its policies: ``tags``,
            the scheme of all of them, or ``detect``, each column says its own
            (:func:`sereval.documents.tags.detect`); ``crossing``: two elements that cross are an
            error, or the one of the later column is ``drop``ped.

    Returns:
        A document for each programme (``evalita``), each ``-DOCSTART-`` (``conll``; its id is the
        file's with a number) or each ``document_id`` (``hipe``), else one with the file's id, with
        the line where it begins. Empty lines inside a document are its ``breaks``. Its notes say
        what the tags were taken for, and count those that are misplaced, which are read as
        conlleval reads them. A document of one column has its ``tags``.

    Raises:
        InputError: another number of columns than on the first line; columns that are not there; a
            tag of another scheme; a programme that is taken up again after another; elements that
            cross, by policy.

    >>> [(line, show)] = parse(Source("a.iob", "a", "Davide show B-PER\\nRebellin show I-PER"))
    >>> line, show.id, show.words, show.elements
    (1, 'show', ('Davide', 'Rebellin'), (Element(label='PER', start=0, end=2, parent=None),))
    >>> show.tags.tags, show.tags.scheme, show.tags.is_detected
    (('B-PER', 'I-PER'), 'iob2', True)
    """
    found = table(source)
    levels = [_levels(found, k) for k in found.chosen()]
    return [
        (line, _document(found, id, parts, of_one))
        for (line, id, parts), *of_one in zip(found.groups, *levels, strict=True)
    ]


class _Level(NamedTuple):
    """One column of tags of a document; ``k``: which one."""

    k: int
    tags: Tags
    phrases: Sequence[Phrase]


def _levels(found: Table, k: int) -> list[_Level]:
    """One column of tags of each document."""
    policy = found.source.policy("tags")
    scheme = None if policy == DETECT else policy
    rows = [(_column(found, parts, k), tuple(breaks(parts))) for _, _, parts in found.groups]
    known = [plain_phrases(*row) for row in rows]
    if found.is_bare:
        named = "none"
    elif scheme in (None, "iob2") and None not in known:  # as nearly all are
        named = "iob2"
    else:
        named = _scheme(found, k, scheme)
        known = [None] * len(known)
    is_detected = scheme is None and not found.is_bare
    read = (Tags(*row, named, is_detected, found.has_docstart) for row in rows)
    return [
        _level(found, k, parts, tags, phrases)
        for (_, _, parts), tags, phrases in zip(found.groups, read, known, strict=True)
    ]


def _column(found: Table, parts: Sequence[Part], k: int) -> tuple[str, ...]:
    """The tags of a document in one column."""
    if found.is_bare:
        return (OUTSIDE,) * sum(len(part.numbers) for part in parts)
    return tuple(found.tags(parts, k))


def _lines(parts: Sequence[Part]) -> Sequence[int]:
    """The line of each word."""
    if len(parts) == 1:
        return parts[0].numbers
    return list(chain.from_iterable(part.numbers for part in parts))


def _scheme(found: Table, k: int, scheme: str | None) -> str:
    """The scheme of a column's tags, every one of which it has."""
    source, parts = found.source, found.parts
    tags = found.tags(parts, k)
    named = scheme or detect(tags, breaks(parts))
    wrong = foreign(tags, scheme) if scheme else None  # what fits has all of the tags
    if named is not None and wrong is None:
        return named
    numbers = _lines(parts)
    if wrong is not None:
        raise source.error(f"tag {quote(tags[wrong])}, expected one of {named}", numbers[wrong])
    # every scheme stumbles somewhere: the last place is the first tag that leaves none
    at = max(foreign(tags, name) or 0 for name in SCHEMES if name != "conlleval")
    raise source.error(
        f"tag {quote(tags[at])}, expected O, B-…, I-… with E-…, S-… (IOBES) or L-…, U-… (BILOU); "
        f"--read tags=conlleval takes any{_hint(found, k)}",
        numbers[at],
    )


def _hint(found: Table, k: int) -> str:
    """The columns that have nothing but tags, where another one was taken."""
    if found.source.options.columns:
        return ""
    others = [one for one in found.tagged() if one != found.name(k)]
    return f"; there are tags in column {', '.join(others)}, --columns says which" if others else ""


def _level(
    found: Table, k: int, parts: Sequence[Part], tags: Tags, known: Sequence[Phrase] | None
) -> _Level:
    """A column of tags of one document, with what there is to say of them.

    Args:
        known: the phrases of tags that are all well placed.
    """
    source, phrases = found.source, known
    # not taken for being the last one
    is_named = source.options.columns or found.layout == "conllup"
    of = f" of column {found.name(k)}" if is_named else ""
    misplaced = None
    if phrases is None:
        file, lines, phrases = os.path.basename(source.path), _lines(parts), tags.phrases
        misplaced = misplaced_note(tags, lambda word: (f"{file}:{lines[word]}", lines[word]), of)
    notes = []
    if source.options.columns:
        choice = f"columns={'+'.join(source.options.columns)}"
        notes.append(Note(f"elements{of}", len(phrases), choice))
    if silent := found.silent(parts, k):
        notes.append(Note(f"words{of} with {NOTHING}, read as {OUTSIDE}", silent))
    count = len(tags.tags) - tags.tags.count(OUTSIDE)
    if count and tags.is_detected:
        notes.append(Note(f"tags, taken for {tags.scheme} as none was named", count))
    elif count:
        notes.append(Note(f"tags, read as {tags.scheme}", count, f"tags={tags.scheme}"))
    if misplaced is not None:
        notes.append(misplaced)
    return _Level(k, replace(tags, misplaced=misplaced, notes=tuple(notes)), phrases)


# ------------------------------------------------------------------------------------- the levels


class _Placed(NamedTuple):
    """An element of one column."""

    label: str
    start: int
    end: int
    column: str

    def described(self, lines: Sequence[int]) -> str:
        """It and its place, for a message."""
        first, last = lines[self.start], lines[self.end - 1]
        where = f"line {first}" if first == last else f"lines {first} to {last}"
        return f"{self.label} of column {self.column} ({where})"


def _document(found: Table, id: str, parts: Sequence[Part], levels: Sequence[_Level]) -> Document:
    """The document of one column, or the tree of several."""
    source, lines, first = found.source, _lines(parts), levels[0]
    notes = [*found.notes(parts, first.k), *(note for one in levels for note in one.tags.notes)]
    if len(levels) == 1:  # phrases of one column are side by side
        elements = tuple(
            [Element(label, k, end, None, lines[k]) for label, k, end in first.phrases]
        )
        tags = replace(first.tags, elements=elements)
    else:
        placed = [
            _Placed(*phrase, found.name(level.k)) for level in levels for phrase in level.phrases
        ]
        kept, dropped = _uncrossed(source, placed, lines)
        notes += dropped
        elements = tree((e.label, e.start, e.end, None, lines[e.start]) for e in kept)
        tags = None
    words = tuple(found.column(parts, found.word))
    return Document(
        id,
        words,
        elements,
        breaks=first.tags.breaks,
        source=source.path,
        notes=tuple(notes),
        tags=tags,
    )


_CROSSING = "elements that cross one of a column named before, dropped"


def _uncrossed(
    source: Source, placed: Sequence[_Placed], lines: Sequence[int]
) -> tuple[Sequence[_Placed], tuple[Note, ...]]:
    """All of them, or by policy those that cross none before them, and how many are dropped."""

    def place(k: int) -> Place:
        return place_at(source, placed[k].label, lines[placed[k].start])

    def refusal(*both: int) -> SerevalError:
        earlier, later = (placed[k] for k in sorted(both))
        return source.error(
            f"{later.described(lines)} crosses {earlier.described(lines)}, "
            f"expected one in the other or apart; {source.hint('crossing')}",
            lines[later.start],
        )

    spans = [(each.start, each.end) for each in placed]
    kept, notes = without_crossings(source, spans, place, what=_CROSSING, refusal=refusal)
    return [placed[k] for k in kept], notes


# ---------------------------------------------------------------------------------------- writing


def written(document: Document | Reference, tags: str = "iob2") -> Written:
    """The file of a document, and what is lost in it."""
    found = exact(document)
    inside = {k for element in found.elements for k in range(element.start + 1, element.end)}
    breaks = tuple(k for k in found.breaks if k not in inside)
    lost = {**lost_of(found), BREAKS: len(found.breaks) - len(breaks)}
    return Written({".conll": write(replace(found, breaks=breaks), tags)}, count_notes(lost))


def write(document: Document, tags: str = "iob2") -> str:
    """A document as words with their tags, an empty line between utterances.

    Elements inside others have columns of their own, one for each level of the tree, and the file
    then has a first line that names them, so that they are read as what they are.

    Args:
        tags: their scheme, one of ``WRITABLE``.

    Raises:
        SerevalError: what the format cannot hold: no word at all, white space in a word or label,
            a word that begins a document, an utterance boundary inside an element.

    >>> from sereval.documents.model import Element
    >>> write(Document("d", ("à", "Dol"), (Element("loc", 1, 2),), breaks=(1,)))
    'à O\\n\\nDol B-loc\\n'
    """
    _check_columns(document)
    levels = [
        spelt(level, len(document.words), tags, document.breaks) for level in _by_depth(document)
    ]
    header, gap = "", " "
    if len(levels) > 1:
        header, gap = "\t".join([HEADER, *level_names(len(levels))]) + "\n", "\t"
    return header + "".join(
        ("\n" if k in document.breaks else "") + gap.join(row) + "\n"
        for k, row in enumerate(zip(document.words, *levels, strict=True))
    )


def _by_depth(document: Document) -> list[list[Phrase]]:
    """The elements by the number of those around them; one level at least."""
    nesting = depths([element.parent for element in document.elements])
    levels: list[list[Phrase]] = [[] for _ in range(max(nesting, default=1))]
    for depth, element in zip(nesting, document.elements, strict=True):
        levels[depth - 1].append(Phrase(element.label, element.start, element.end))
    return levels


def _check_columns(document: Document) -> None:
    """Refuse what no column can hold."""
    from .inline import check_writable, is_unreadable  # for those who write

    check_writable(document)
    for text in (*document.words, *(f"B-{element.label}" for element in document.elements)):
        if text == DOCSTART or text.split() != [text] or is_unreadable(text):
            raise SerevalError(f"{document.id}: found {quote(text)}, which no column can hold")
    for element in document.elements:
        for k in document.breaks:
            if element.start < k < element.end:
                where = f"{element.label}, at word {k}"
                raise SerevalError(f"{document.id}: an utterance ends inside {where}")
