"""Files of columns: a word with its tags on each line, as in CoNLL, EVALITA and HIPE.

Tabs separate the columns, or white space in a file without tabs. An empty line separates sentences
or programmes. The module ``table`` knows the layouts of files. Several columns of tags are levels
of one tree: their spans determine the tree, and of equal spans the outer one is that of the column
named first.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

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
    spell_tags,
)
from ..errors import SerevalError
from .column_rows import DOCSTART, Passage
from .column_table import HEADER, NOTHING, ColumnTable, breaks, level_names, table
from .crossing import place_at, without_crossings
from .file import DETECT, quote
from .file import File as Source
from .find import Head
from .writers import BREAKS, WrittenFiles, exact, lost_of

_CAMPAIGNS = {
    "evalita": "EVALITA",
    "conll": "CoNLL",
    "germeval": "GermEval",
    "hipe": "HIPE",
    "conllup": "CoNLL-U Plus",
    "conllu": "CoNLL-U",
}


def program(head: Head) -> str:
    """The campaign of the layout."""
    return _CAMPAIGNS[table(head.file.opened()).layout]


def read_columns(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a file of columns.

    Two policies apply. ``tags`` is the scheme of all tags; with ``detect`` the reader detects the
    scheme of each column (:func:`sereval.documents.tags.detect`). ``crossing``: elements that cross
    are an error, or ``drop`` drops the one of the later column.

    Args:
        source: the file. Its option ``columns`` has the names of the columns of tags or their
            numbers from 1, the outermost first; none: the columns ``LEVEL-1`` and so on, or the
            last column.

    Returns:
        A document, with its first line, for each programme (``evalita``), each ``-DOCSTART-``
        (``conll``; its id is the file's with a number) or each ``document_id`` (``hipe``); else one
        document with the file's id. Empty lines inside a document are its ``breaks``. Its notes
        name the scheme of the tags and count misplaced tags, which are read as conlleval reads
        them. A document with one column of tags has ``tags``.

    Raises:
        InputError: another number of columns than on the first line; a column that does not exist;
            a tag of another scheme; a programme in two places; elements that cross, by policy.

    >>> [(line, show)] = read_columns(Source("a.iob", text="Davide a B-PER\\nRebellin a I-PER"))
    >>> line, show.id, show.words, show.elements
    (1, 'a', ('Davide', 'Rebellin'), (Element(label='PER', start=0, end=2, parent=None),))
    >>> show.tags.tags, show.tags.scheme, show.tags.is_detected
    (('B-PER', 'I-PER'), 'iob2', True)
    """
    found = table(source)
    levels = [_levels(found, k) for k in found.chosen()]
    return [
        (line, _document(found, id, parts, of_one))
        for (line, id, parts), *of_one in _drain(found.groups, *levels)
    ]


def _drain(*lists: list[Any]) -> Iterator[list[Any]]:
    """Take one item from each of several lists at a time, first items first.

    All lists have the same length. They lose the items, which then need not stay in memory.
    """
    for each in lists:
        each.reverse()
    while lists[0]:
        yield [each.pop() for each in lists]


_NAMED = ("conllup", "conllu", "germeval")
"""Layouts whose notes name the column of the tags."""


class _Level(NamedTuple):
    """A column of tags of a document; ``k`` is the index of the column."""

    k: int
    tags: Tags
    phrases: Sequence[Phrase]


def _levels(found: ColumnTable, k: int) -> list[_Level]:
    """The same column of tags of each document."""
    policy = found.source.policy("tags")
    scheme = None if policy == DETECT else policy
    rows = [(_column(found, parts, k), tuple(breaks(parts))) for _, _, parts in found.groups]
    known = [plain_phrases(*row) for row in rows]
    if found.is_bare:
        named = "none"
    elif scheme in (None, "iob2") and None not in known:  # as in most files
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


def _column(found: ColumnTable, parts: Sequence[Passage], k: int) -> tuple[str, ...]:
    """The tags of a document in one column."""
    if found.is_bare:
        return (OUTSIDE,) * sum(len(part.numbers) for part in parts)
    return tuple(found.tags(parts, k))


def _lines(parts: Sequence[Passage]) -> Sequence[int]:
    """The line of each word."""
    if len(parts) == 1:
        return parts[0].numbers
    return list(chain.from_iterable(part.numbers for part in parts))


def _scheme(found: ColumnTable, k: int, scheme: str | None) -> str:
    """The scheme of a column; it has every tag of the column."""
    source, parts = found.source, found.parts
    tags = found.tags(parts, k)
    named = scheme or detect(tags, breaks(parts))
    wrong = foreign(tags, scheme) if scheme else None  # a detected scheme has all tags
    if named is not None and wrong is None:
        return named
    numbers = _lines(parts)
    if wrong is not None:
        raise source.error(f"tag {quote(tags[wrong])}, expected one of {named}", numbers[wrong])
    # the first tag after which no scheme is left
    at = max(foreign(tags, name) or 0 for name in SCHEMES if name != "conlleval")
    raise source.error(
        f"tag {quote(tags[at])}, expected O, B-…, I-… with E-…, S-… (IOBES) or L-…, U-… (BILOU); "
        f"--read tags=conlleval takes any{_hint(found, k)}",
        numbers[at],
    )


def _hint(found: ColumnTable, k: int) -> str:
    """The end of a message: other columns that contain only tags."""
    if found.source.options.columns:
        return ""
    others = [one for one in found.columns_of_tags() if one != found.name(k)]
    return f"; there are tags in column {', '.join(others)}, --columns says which" if others else ""


def _level(
    found: ColumnTable, k: int, parts: Sequence[Passage], tags: Tags, known: Sequence[Phrase] | None
) -> _Level:
    """A column of tags of one document, with its notes.

    Args:
        known: the phrases, if all tags are well placed; ``None``: they may be misplaced.
    """
    source, phrases = found.source, known
    # the notes name the column unless it is the last one by default
    is_named = source.options.columns or found.layout in _NAMED
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
        notes.append(Note(f"no tagging scheme named, tags read as {tags.scheme.upper()}", count))
    elif count:
        notes.append(Note(f"tags, read as {tags.scheme}", count, f"tags={tags.scheme}"))
    if misplaced is not None:
        notes.append(misplaced)
    return _Level(k, replace(tags, misplaced=misplaced, notes=tuple(notes)), phrases)


# ------------------------------------------------------------------------------------- the levels


class _ColumnElement(NamedTuple):
    """An element of one column."""

    label: str
    start: int
    end: int
    column: str

    def described(self, lines: Sequence[int]) -> str:
        """The element and its place, for a message."""
        first, last = lines[self.start], lines[self.end - 1]
        where = f"line {first}" if first == last else f"lines {first} to {last}"
        return f"{self.label} of column {self.column} ({where})"


def _document(
    found: ColumnTable, id: str, parts: Sequence[Passage], levels: Sequence[_Level]
) -> Document:
    """The document of one column, or the tree of several."""
    source, lines, first = found.source, _lines(parts), levels[0]
    notes = [*found.notes(parts, first.k), *(note for one in levels for note in one.tags.notes)]
    if len(levels) == 1:  # phrases of one column are side by side
        elements = tuple(
            [Element(label, k, end, None, lines[k]) for label, k, end in first.phrases]
        )
        tags = replace(first.tags, elements=elements)
    else:
        every = [
            _ColumnElement(*phrase, found.name(level.k))
            for level in levels
            for phrase in level.phrases
        ]
        kept, dropped = _drop_crossing(source, every, lines)
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


def _drop_crossing(
    source: Source, every: Sequence[_ColumnElement], lines: Sequence[int]
) -> tuple[Sequence[_ColumnElement], tuple[Note, ...]]:
    """The elements without those that the policy ``crossing`` drops, and a note of these."""

    def place(k: int) -> Place:
        return place_at(source, every[k].label, lines[every[k].start])

    def refusal(*both: int) -> SerevalError:
        earlier, later = (every[k] for k in sorted(both))
        return source.error(
            f"{later.described(lines)} crosses {earlier.described(lines)}, "
            f"expected one in the other or apart; {source.hint('crossing')}",
            lines[later.start],
        )

    spans = [(each.start, each.end) for each in every]
    kept, notes = without_crossings(source, spans, place, what=_CROSSING, refusal=refusal)
    return [every[k] for k in kept], notes


# ---------------------------------------------------------------------------------------- writing


def write_columns(document: Document | Reference, tags: str = "iob2") -> WrittenFiles:
    """The file of a document, and notes on what it does not hold."""
    found = exact(document)
    inside = {k for element in found.elements for k in range(element.start + 1, element.end)}
    breaks = tuple(k for k in found.breaks if k not in inside)
    lost = {**lost_of(found), BREAKS: len(found.breaks) - len(breaks)}
    return WrittenFiles({".conll": write(replace(found, breaks=breaks), tags)}, count_notes(lost))


def write(document: Document, tags: str = "iob2") -> str:
    """A document as words with their tags, with an empty line between utterances.

    A document with elements inside others has a column for each level of the tree, and a first
    line with the names of the columns, which the reader recognises.

    Args:
        document: a document with at least one word.
        tags: the scheme of the tags, one of ``WRITABLE``.

    Raises:
        SerevalError: the format cannot hold the document: it has no word, white space in a word or
            label, the word ``-DOCSTART-``, or an utterance boundary inside an element.

    >>> from sereval.documents.model import Element
    >>> write(Document("d", ("à", "Dol"), (Element("loc", 1, 2),), breaks=(1,)))
    'à O\\n\\nDol B-loc\\n'
    """
    _check_columns(document)
    levels = [
        spell_tags(level, len(document.words), tags, document.breaks)
        for level in _by_depth(document)
    ]
    header, gap = "", " "
    if len(levels) > 1:
        header, gap = "\t".join([HEADER, *level_names(len(levels))]) + "\n", "\t"
    return header + "".join(
        ("\n" if k in document.breaks else "") + gap.join(row) + "\n"
        for k, row in enumerate(zip(document.words, *levels, strict=True))
    )


def _by_depth(document: Document) -> list[list[Phrase]]:
    """The elements of each level of the tree, the top first; at least one level."""
    nesting = depths([element.parent for element in document.elements])
    levels: list[list[Phrase]] = [[] for _ in range(max(nesting, default=1))]
    for depth, element in zip(nesting, document.elements, strict=True):
        levels[depth - 1].append(Phrase(element.label, element.start, element.end))
    return levels


def _check_columns(document: Document) -> None:
    """Refuse what no column can hold."""
    from .inline import check_writable, is_unreadable  # needed for writing only

    check_writable(document)
    for text in (*document.words, *(f"B-{element.label}" for element in document.elements)):
        if text == DOCSTART or text.split() != [text] or is_unreadable(text):
            raise SerevalError(f"{document.id}: found {quote(text)}, which no column can hold")
    for element in document.elements:
        for k in document.breaks:
            if element.start < k < element.end:
                where = f"{element.label}, at word {k}"
                raise SerevalError(f"{document.id}: an utterance ends inside {where}")
