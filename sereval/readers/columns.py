"""Columns: a word a line with its tag last, as in CoNLL and EVALITA; and EVALITA's aligned file.

White space, spaces or tabs, parts the columns; an empty line parts sentences or programmes. There
are two layouts, told apart by what stands in the file:

``evalita``: ``word programme tag``, or ``word programme`` without tags; a programme is a document;
``conll``: ``word … tag``; the file is a document, or each part that a ``-DOCSTART-`` line begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
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
_OTHER_BLANKS = [c for c in map(chr, range(0x3001)) if c.isspace() and c not in " \t\n"]
"""What `str.split` takes for blanks too; it is many times as fast where there are none."""
_TAG = re.compile(r"O|[OBIESLU]-.*")


@dataclass(slots=True)
class _Part:
    """What lies between two empty lines or ``-DOCSTART-`` lines.

    Args:
        cells: the columns of its first word, then those of the next. numbers: the line of each
            word.
        start: the line of its ``-DOCSTART-``.
    """

    cells: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    begins_document: bool = False
    start: int = 0

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.cells) // len(self.numbers)

    def column(self, k: int) -> list[str]:
        """One column from top to bottom; -1 is the last one."""
        return self.cells[k % self.width :: self.width] if self.cells else []


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
    layout = layout or _layout(parts)
    if layout not in LAYOUTS:
        raise source.error(f"layout {quote(layout)}, expected one of {', '.join(LAYOUTS)}")
    first = next(part for part in parts if part.cells)
    width = first.width
    if layout == "evalita" and width not in (2, 3):
        raise source.error("expected two or three columns: word, programme, tag", first.numbers[0])
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
    width = first = 0
    for number, row in enumerate(_rows(source.text), 1):
        if not row:
            parts.append(_Part())
            continue
        if row[0] == DOCSTART:
            parts.append(_Part(begins_document=True, start=number))
            continue
        if len(row) != width:
            if first or len(row) == 1:
                expected = f"{width} as on line {first}" if first else "two or more"
                raise source.error(f"columns: found {len(row)}, expected {expected}", number)
            width, first = len(row), number
        parts[-1].cells += row
        parts[-1].numbers.append(number)
    if not first:
        raise source.error("no words found, expected lines such as 'Davide show B-PER'")
    return [part for part in parts if part.cells or part.begins_document]


def _rows(text: str) -> Iterator[list[str]]:
    """The columns of each line; only spaces and tabs part them."""
    text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if not any(blank in text for blank in _OTHER_BLANKS):
        return map(str.split, lines)
    return ([cell for cell in _BLANKS.split(line.rstrip("\r")) if cell] for line in lines)


def _layout(parts: Sequence[_Part]) -> str:
    """Programmes are the same throughout a part; parts of speech never are in a sentence."""
    width = next(part for part in parts if part.cells).width
    if any(part.begins_document for part in parts) or width not in (2, 3):
        return "conll"
    if width == 2:
        has_tags = any(_TAG.fullmatch(tag) for part in parts for tag in part.column(1))
        return "conll" if has_tags else "evalita"
    is_programme = all(len(set(part.column(1))) == 1 for part in parts)
    is_telling = any(len(part.numbers) > 1 for part in parts)  # sentences of one word are not
    return "evalita" if is_programme and is_telling else "conll"


def _scheme(source: Source, parts: Sequence[_Part], scheme: str | None) -> str:
    """The scheme of a file's tags, every one of which it has."""
    tags = [tag for part in parts for tag in part.column(-1)]
    numbers = [number for part in parts for number in part.numbers]
    if scheme is not None and scheme not in SCHEMES:
        raise source.error(f"scheme {quote(scheme)}, expected one of {', '.join(SCHEMES)}")
    found = scheme or detect(tags, _ends(parts))
    if found is not None:
        wrong = foreign(tags, found)
        if wrong is not None:
            raise source.error(f"tag {quote(tags[wrong])}, expected one of {found}", numbers[wrong])
        return found
    # every scheme stumbles somewhere: the last place is the first tag that leaves none
    k = max(foreign(tags, name) or 0 for name in SCHEMES if name != "conlleval")
    raise source.error(
        f"tag {quote(tags[k])}, expected O, B-…, I-… with E-…, S-… (IOBES) or L-…, U-… (BILOU); "
        "the scheme conlleval takes any tag",
        numbers[k],
    )


def _ends(parts: Iterable[_Part]) -> list[int]:
    """Numbers of words ahead of each part but the first."""
    ends: list[int] = []
    words = 0
    for part in parts:
        if part.cells and words:
            ends.append(words)
        words += len(part.numbers)
    return ends


_Group = tuple[int, str, list[_Part]]


def _programmes(source: Source, parts: Sequence[_Part]) -> list[_Group]:
    """The parts of each programme; an empty line inside one is a break."""
    groups: dict[str, _Group] = {}
    last = ""
    for part in parts:
        if part.begins_document:
            raise source.error(f"{DOCSTART} found, expected a word and its programme", part.start)
        line, id = part.numbers[0], part.cells[1]
        for number, other in zip(part.numbers, part.column(1), strict=True):
            if other != id:
                raise source.error(
                    f"programme {quote(other)} found after {quote(id)}, "
                    "expected an empty line ahead of it",
                    number,
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
        return [(parts[0].numbers[0], source.id, list(parts))]
    if not parts[0].begins_document:
        raise source.error(
            f"found a word ahead of the first {DOCSTART}, expected none: it belongs to no document",
            parts[0].numbers[0],
        )
    groups: list[_Group] = []
    for part in parts:
        if part.begins_document:
            groups.append((part.start, f"{source.id}-{len(groups) + 1}", []))
        if part.cells:
            groups[-1][2].append(part)
    return groups


def _columns(source: Source, id: str, parts: Sequence[_Part], scheme: str) -> Columns:
    words = tuple(word for part in parts for word in part.column(0))
    tags = (tag for part in parts for tag in part.column(-1))
    return Columns(
        id,
        words,
        (OUTSIDE,) * len(words) if scheme == "none" else tuple(tags),
        tuple(_ends(parts)),
        scheme,
        lines=tuple(number for part in parts for number in part.numbers),
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
