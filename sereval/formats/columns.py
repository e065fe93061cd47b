"""Columns: a word a line with its tags, as in CoNLL, EVALITA and HIPE; and EVALITA's aligned file.

Tabs part the columns, or white space in a file without tabs; an empty line parts sentences or
programmes. How files are laid out is in ``table``. Of several columns of tags each is a level of
one tree: the elements of all of them are nested by their spans, and of equal spans the one whose
column was named first is around the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from ..documents.crossing import crossing
from ..documents.model import Document, Element, Note, Reference, tree
from ..documents.tags import (
    OUTSIDE,
    SCHEMES,
    Aligned,
    Columns,
    Phrase,
    Row,
    fault,
    fitting,
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
from .writers import BREAKS, Written, counted, exact, lost_of


def parse(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a file of columns, for whoever wants elements and no tags.

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
        conlleval reads them.

    Raises:
        InputError: as :func:`tagged`; columns that are not there; elements that cross, by policy.

    >>> [(line, show)] = parse(Source("a.iob", "a", "Davide show B-PER\\nRebellin show I-PER"))
    >>> line, show.id, show.words, show.elements
    (1, 'show', ('Davide', 'Rebellin'), (Element(label='PER', start=0, end=2, parent=None),))
    """
    found = table(source)
    named = source.policy("tags")
    return _trees(found, None if named == DETECT else named)


def _trees(found: Table, scheme: str | None) -> list[tuple[int | None, Document]]:
    """The documents of all columns that were asked for, as levels of trees."""
    chosen = found.chosen()
    levels = [_tagged(found, k, scheme) for k in chosen]
    documents: list[tuple[int | None, Document]] = []
    for at, (line, _, parts) in enumerate(found.groups):
        of_one = [
            _Level(
                found.name(k),
                side[at],
                found.untold(parts, k),
                bool(found.source.options.columns) or found.layout == "conllup",
            )
            for k, side in zip(chosen, levels, strict=True)
        ]
        documents.append((line, _document(found.source, of_one)))
    return documents


def tagged(
    source: Source, scheme: str | None = None, layout: str | None = None
) -> list[tuple[int | None, Columns | Document]]:
    """The documents of a file of columns, with the tags of one of them as they stand.

    Args:
        source: the file; its option ``columns`` names one column, or none for the last one, or for
            those called ``LEVEL-1`` and so on: of these come elements.
        scheme: one of ``SCHEMES``; ``None``: the tags of the whole file say it.
        layout: as for ``table``.

    Raises:
        InputError: another number of columns than on the first line; a tag of another scheme; a
            programme that is taken up again after another; elements of levels that cross.

    >>> [(_, one)] = tagged(Source("a.iob", "a", "il O\\nBourges B-GPE"))
    >>> one.id, one.tags, one.scheme, one.is_detected
    ('a', ('O', 'B-GPE'), 'iob2', True)
    """
    found = table(source, layout)
    k, *others = found.chosen()
    if others:
        return list(_trees(found, scheme))
    lines = (line for line, _, _ in found.groups)
    return list(zip(lines, _tagged(found, k, scheme), strict=True))


def _tagged(found: Table, k: int, scheme: str | None) -> list[Columns]:
    """One column of tags of each document."""
    is_bare = found.is_bare
    rows = [
        (
            words := tuple(found.column(parts, found.word)),
            (OUTSIDE,) * len(words) if is_bare else tuple(found.tags(parts, k)),
            tuple(breaks(parts)),
        )
        for _, _, parts in found.groups
    ]
    known = [plain_phrases(tags, parted) for _, tags, parted in rows]
    if is_bare:
        named, is_sound = "none", True
    elif scheme in (None, "iob2") and None not in known:  # as nearly all are
        named, is_sound = "iob2", True
    else:
        named, is_sound = _scheme(found, k, scheme)
        known = [None] * len(known)
    return [
        Columns(
            id,
            *row,
            named,
            is_detected=not is_bare and scheme is None,
            has_docstart=found.has_docstart,
            is_sound=is_sound,
            spelt=phrases,
            lines=_lines(parts),
            source=found.source.path,
            notes=found.notes(parts, k),
        )
        for (_, id, parts), row, phrases in zip(found.groups, rows, known, strict=True)
    ]


def _lines(parts: Sequence[Part]) -> Sequence[int]:
    """The line of each word."""
    if len(parts) == 1:
        return parts[0].numbers
    return list(chain.from_iterable(part.numbers for part in parts))


def _scheme(found: Table, k: int, scheme: str | None) -> tuple[str, bool]:
    """The scheme of a column's tags, every one of which it has; whether all are well placed."""
    source, parts = found.source, found.parts
    tags = found.tags(parts, k)
    if scheme is not None and scheme not in SCHEMES:
        raise source.error(f"scheme {quote(scheme)}, expected one of {', '.join(SCHEMES)}")
    named, is_sound = (scheme, False) if scheme else fitting(tags, breaks(parts))
    wrong = foreign(tags, scheme) if scheme else None  # what fits has all of the tags
    if named is not None and wrong is None:
        return named, is_sound
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


# ------------------------------------------------------------------------------------- the levels


class _Level(NamedTuple):
    """A column of tags of one document, and the number of words it says nothing of.

    Args:
        is_named: whether it was not taken for being the last one.
    """

    name: str
    side: Columns
    untold: int
    is_named: bool


class _Placed(NamedTuple):
    """An element of one column."""

    label: str
    start: int
    end: int
    column: str

    def told(self, lines: Sequence[int]) -> str:
        """It and its place, for a message."""
        first, last = lines[self.start], lines[self.end - 1]
        where = f"line {first}" if first == last else f"lines {first} to {last}"
        return f"{self.label} of column {self.column} ({where})"


def _document(source: Source, levels: Sequence[_Level]) -> Document:
    """The tree of a document's levels, and notes of all that was not plain."""
    one = levels[0].side
    notes = [*one.notes, *(note for level in levels for note in _notes(source, level))]
    lines = one.lines
    if len(levels) == 1:  # phrases of one column are side by side
        elements = [Element(label, k, end, None, lines[k]) for label, k, end in one.phrases]
    else:
        placed = [_Placed(*phrase, level.name) for level in levels for phrase in level.side.phrases]
        kept, dropped = _uncrossed(source, placed, one.lines)
        notes += dropped
        nested = tree([(each.label, each.start, each.end) for each in kept])
        elements = [Element(e.label, e.start, e.end, e.parent, lines[e.start]) for e in nested]
    return Document(
        one.id,
        one.words,
        tuple(elements),
        breaks=one.breaks,
        source=source.path,
        notes=tuple(notes),
    )


_CROSSING = "elements that cross one of a column named before, dropped"


def _uncrossed(
    source: Source, placed: Sequence[_Placed], lines: Sequence[int]
) -> tuple[Sequence[_Placed], tuple[Note, ...]]:
    """All of them, or by policy those that cross none before them, and how many are dropped."""
    spans = [(each.start, each.end) for each in placed]
    crossed = crossing(spans)
    if crossed is None:
        return placed, ()
    if source.policy("crossing") != "refuse":
        places = [place_at(source, each.label, lines[each.start]) for each in placed]
        kept, notes = without_crossings(source, spans, places, what=_CROSSING)
        return [placed[k] for k in kept], notes
    earlier, later = (placed[k] for k in sorted(crossed))
    raise source.error(
        f"{later.told(lines)} crosses {earlier.told(lines)}, expected one in the other or apart; "
        f"{source.hint('crossing')}",
        lines[later.start],
    )


def _notes(source: Source, level: _Level) -> Iterator[Note]:
    """What its reader made of a column, with counts."""
    side, of = level.side, f" of column {level.name}" if level.is_named else ""
    count = len(side.tags) - side.tags.count(OUTSIDE)
    asked = source.options.columns
    if asked:
        yield Note(f"elements{of}", len(side.phrases), f"columns={'+'.join(asked)}")
    if level.untold:
        yield Note(f"words{of} with {NOTHING}, read as {OUTSIDE}", level.untold)
    if count and side.is_detected:
        yield Note(f"tags, taken for {side.scheme} as none was named", count)
    elif count:
        yield Note(f"tags, read as {side.scheme}", count, f"tags={side.scheme}")
    wrong = misplaced_note(side, of)
    if wrong is not None:
        yield wrong


# ------------------------------------------------------------------------------- the aligned file


def written(document: Document | Reference, tags: str = "iob2") -> Written:
    """The file of a document, and what is lost in it."""
    found = exact(document)
    inside = {k for element in found.elements for k in range(element.start + 1, element.end)}
    breaks = tuple(k for k in found.breaks if k not in inside)
    lost = {**lost_of(found), BREAKS: len(found.breaks) - len(breaks)}
    return Written({".conll": write(replace(found, breaks=breaks), tags)}, counted(lost))


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
        spelt(level, len(document.words), tags, document.breaks) for level in _levels(document)
    ]
    header, gap = "", " "
    if len(levels) > 1:
        header, gap = "\t".join([HEADER, *level_names(len(levels))]) + "\n", "\t"
    return header + "".join(
        ("\n" if k in document.breaks else "") + gap.join(row) + "\n"
        for k, row in enumerate(zip(document.words, *levels, strict=True))
    )


def _levels(document: Document) -> list[list[Phrase]]:
    """The elements by the number of those around them; one level at least."""
    depths: list[int] = []
    for element in document.elements:
        depths.append(0 if element.parent is None else depths[element.parent] + 1)
    levels: list[list[Phrase]] = [[] for _ in range(max(depths, default=0) + 1)]
    for depth, element in zip(depths, document.elements, strict=True):
        levels[depth].append(Phrase(element.label, element.start, element.end))
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


def parse_aligned(source: Source) -> list[tuple[int, Aligned]]:
    r"""The documents of an aligned file, with the line where each begins.

    Five columns with a tab between them: reference word and tag, error, hypothesis word and tag
    (guidelines of EVALITA 2011, 5.1). Documents have an empty line between them, and their number
    as id: the file has no names.

    Raises:
        InputError: not five columns; an error that is not what the words of the line say.

    >>> [(_, one)] = parse_aligned(Source("a", "a", "B\tB-ORG\tD\t\tO\ndi\tO\t\tdi\tO"))
    >>> one.id, [row.error for row in one.rows]
    ('1', ['D', ''])
    """
    found: list[tuple[int, list[Row]]] = []
    is_open = False
    for number, text in source.lines():
        columns = text.rstrip("\r").split("\t")
        if columns == [""]:
            is_open = False
            continue
        if len(columns) != 5:
            raise source.error(
                f"columns: found {len(columns)}, expected five with a tab between them: "
                "word, tag, error, word, tag",
                number,
            )
        row = Row(*columns)
        wrong = fault(row)
        if wrong:
            raise source.error(wrong, number)
        if not is_open:
            found.append((number, []))
        found[-1][1].append(row)
        is_open = True
    return [(line, Aligned(str(k), tuple(rows))) for k, (line, rows) in enumerate(found, 1)]


def write_aligned(documents: Iterable[Aligned]) -> str:
    r"""Documents as an aligned file, which :func:`parse_aligned` reads.

    Raises:
        SerevalError: a word or label with a tab or a line end, which the file cannot hold.

    >>> write_aligned([Aligned("d", (Row("B", "B-ORG", "D", "", "O"),))])
    'B\tB-ORG\tD\t\tO\n'
    """
    return "\n".join(_aligned(document) for document in documents)


def _aligned(document: Aligned) -> str:
    for row in document.rows:
        for cell in row:
            if re.search(r"[\t\n\r]", cell):
                raise SerevalError(
                    f"{document.id}: {quote(cell)} holds a tab or a line end, which are what "
                    "parts the columns and rows of an aligned file"
                )
    return "".join("\t".join(row) + "\n" for row in document.rows)
