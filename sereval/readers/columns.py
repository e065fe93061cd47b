"""Columns: a word a line with its tag last, as in CoNLL and EVALITA; and EVALITA's aligned file.

White space, spaces or tabs, parts the columns; an empty line parts sentences or programmes. There
are two layouts, told apart by what stands in the file:

``evalita``: ``word programme tag``, or ``word programme`` without tags; a programme is a document;
``conll``: ``word … tag``; the file is a document, or each part that a ``-DOCSTART-`` line begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ..columns import (
    OUTSIDE,
    SCHEMES,
    Aligned,
    Columns,
    Row,
    detect,
    document_of,
    fault,
    foreign,
    misplaced,
)
from ..errors import SerevalError
from ..model import Document
from .source import Source, quote

LAYOUTS = ("evalita", "conll")
DOCSTART = "-DOCSTART-"

_BLANKS = re.compile(r"[ \t]+")
_TAG = re.compile(r"O|[OBIESLU]-.*")


@dataclass(slots=True)
class _Line:
    """A word with the other columns of its line."""

    number: int
    columns: list[str]


@dataclass(slots=True)
class _Part:
    """What lies between two empty lines or ``-DOCSTART-`` lines."""

    lines: list[_Line] = field(default_factory=list)
    begins_document: bool = False
    start: int = 0  # the line of its ``-DOCSTART-``


def parse(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a file of columns, for whoever wants elements and no tags.

    Args:
        source: the file; its tags say their scheme (:func:`sereval.columns.detect`).

    Returns:
        A document for each programme (``evalita``) or each ``-DOCSTART-`` (``conll``; its id is
        the file's with a number), else one with the file's id, with the line where it begins.
        Empty lines inside a document are its ``breaks``.

    Raises:
        InputError: as :func:`tagged`; a tag that is misplaced, which only the schemes that count
            them take.

    >>> [(line, show)] = parse(Source("a.iob", "a", "Davide show B-PER\\nRebellin show I-PER"))
    >>> line, show.id, show.words, show.elements
    (1, 'show', ('Davide', 'Rebellin'), (Element(label='PER', start=0, end=2, parent=None),))
    """
    found: list[tuple[int | None, Document]] = []
    for line, columns in tagged(source):
        for k in misplaced(columns.tags, columns.breaks, columns.scheme):
            raise source.error(
                f"tag {quote(columns.tags[k])} cannot stand here in {columns.scheme}, the scheme "
                "that fits this file best; conll and evalita2011 count such tags and go on",
                columns.lines[k],
            )
        found.append((line, document_of(columns)))
    return found


def tagged(
    source: Source, scheme: str | None = None, layout: str | None = None
) -> list[tuple[int | None, Columns]]:
    """The documents of a file of columns, with their tags as they stand.

    Args:
        source: the file.
        scheme: one of ``SCHEMES``; ``None``: the tags of the whole file say it.
        layout: one of ``LAYOUTS``; ``None``: ``evalita`` where there are two columns and no tag
            in the second, or three and the second is the same throughout each part between empty
            lines; else ``conll``.

    Raises:
        InputError: another number of columns than on the first line; a tag of another scheme; a
            programme that is taken up again after another.

    >>> [(_, one)] = tagged(Source("a.iob", "a", "il O\\nBourges B-GPE"))
    >>> one.id, one.tags, one.scheme, one.is_detected
    ('a', ('O', 'B-GPE'), 'iob2', True)
    """
    parts = _parts(source)
    lines = [line for part in parts for line in part.lines]
    layout = layout or _layout(parts)
    if layout not in LAYOUTS:
        raise source.error(f"layout {quote(layout)}, expected one of {', '.join(LAYOUTS)}")
    width = len(lines[0].columns)
    if layout == "evalita" and width not in (2, 3):
        raise source.error("expected two or three columns: word, programme, tag", lines[0].number)
    is_bare = layout == "evalita" and width == 2
    named = "none" if is_bare else _scheme(source, parts, scheme)
    is_detected = not is_bare and scheme is None
    has_docstart = any(part.begins_document for part in parts)
    found: list[tuple[int | None, Columns]] = []
    for line, id, members in (_programmes if layout == "evalita" else _documents)(source, parts):
        columns = _columns(source, id, members, named)
        found.append((line, replace(columns, is_detected=is_detected, has_docstart=has_docstart)))
    return found


def _parts(source: Source) -> list[_Part]:
    """The lines of words between empty ones, each with as many columns as the first."""
    parts = [_Part()]
    first: _Line | None = None
    for number, text in source.lines():
        columns = [column for column in _BLANKS.split(text.rstrip("\r")) if column]
        if not columns:
            parts.append(_Part())
            continue
        if columns[0] == DOCSTART:
            parts.append(_Part(begins_document=True, start=number))
            continue
        line = _Line(number, columns)
        first = first or line
        if len(columns) == 1 or len(columns) != len(first.columns):
            as_first = f"{len(first.columns)} as on line {first.number}"
            expected = "two or more" if first is line else as_first
            raise source.error(f"columns: found {len(columns)}, expected {expected}", number)
        parts[-1].lines.append(line)
    if first is None:
        raise source.error("no words found, expected lines such as 'Davide show B-PER'")
    return [part for part in parts if part.lines or part.begins_document]


def _layout(parts: Sequence[_Part]) -> str:
    """Programmes are the same throughout a part; parts of speech never are in a sentence."""
    width = len(next(part for part in parts if part.lines).lines[0].columns)
    lines = [line for part in parts for line in part.lines]
    if any(part.begins_document for part in parts) or width not in (2, 3):
        return "conll"
    if width == 2:
        has_tags = any(_TAG.fullmatch(line.columns[1]) for line in lines)
        return "conll" if has_tags else "evalita"
    is_programme = all(len({line.columns[1] for line in part.lines}) == 1 for part in parts)
    is_telling = any(len(part.lines) > 1 for part in parts)  # sentences of one word are not
    return "evalita" if is_programme and is_telling else "conll"


def _scheme(source: Source, parts: Sequence[_Part], scheme: str | None) -> str:
    """The scheme of a file's tags, every one of which it has."""
    lines = [line for part in parts for line in part.lines]
    tags = [line.columns[-1] for line in lines]
    if scheme is not None and scheme not in SCHEMES:
        raise source.error(f"scheme {quote(scheme)}, expected one of {', '.join(SCHEMES)}")
    found = scheme or detect(tags, _ends(parts))
    if found is not None:
        wrong = foreign(tags, found)
        if wrong is not None:
            raise source.error(
                f"tag {quote(tags[wrong])}, expected one of {found}", lines[wrong].number
            )
        return found
    # every scheme stumbles somewhere: the last place is the first tag that leaves none
    k = max(foreign(tags, name) or 0 for name in SCHEMES if name != "conlleval")
    raise source.error(
        f"tag {quote(tags[k])}, expected O, B-…, I-… with E-…, S-… (IOBES) or L-…, U-… (BILOU); "
        "the scheme conlleval takes any tag",
        lines[k].number,
    )


def _ends(parts: Iterable[_Part]) -> list[int]:
    """Numbers of words ahead of each part but the first."""
    ends: list[int] = []
    words = 0
    for part in parts:
        if part.lines and words:
            ends.append(words)
        words += len(part.lines)
    return ends


_Group = tuple[int, str, list[_Part]]


def _programmes(source: Source, parts: Sequence[_Part]) -> list[_Group]:
    """The parts of each programme; an empty line inside one is a break."""
    groups: dict[str, _Group] = {}
    last = ""
    for part in parts:
        if part.begins_document:
            raise source.error(f"{DOCSTART} found, expected a word and its programme", part.start)
        line, id = part.lines[0].number, part.lines[0].columns[1]
        for other in part.lines:
            if other.columns[1] != id:
                raise source.error(
                    f"programme {quote(other.columns[1])} found after {quote(id)}, "
                    "expected an empty line ahead of it",
                    other.number,
                )
        if id in groups and id != last:
            raise source.error(
                f"programme {quote(id)} is taken up again, expected its words in one place", line
            )
        groups.setdefault(id, (line, id, []))[2].append(part)
        last = id
    return list(groups.values())


def _documents(source: Source, parts: Sequence[_Part]) -> list[_Group]:
    """The file, or the parts of each ``-DOCSTART-``."""
    if not any(part.begins_document for part in parts):
        return [(parts[0].lines[0].number, source.id, list(parts))]
    if not parts[0].begins_document:
        raise source.error(
            f"found a word ahead of the first {DOCSTART}, expected none: it belongs to no document",
            parts[0].lines[0].number,
        )
    groups: list[_Group] = []
    for part in parts:
        if part.begins_document:
            groups.append((part.start, f"{source.id}-{len(groups) + 1}", []))
        if part.lines:
            groups[-1][2].append(part)
    return groups


def _columns(source: Source, id: str, parts: Sequence[_Part], scheme: str) -> Columns:
    lines = [line for part in parts for line in part.lines]
    return Columns(
        id,
        tuple(line.columns[0] for line in lines),
        tuple(OUTSIDE if scheme == "none" else line.columns[-1] for line in lines),
        tuple(_ends(parts)),
        scheme,
        lines=tuple(line.number for line in lines),
        source=source.path,
    )


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
