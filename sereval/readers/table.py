"""A file of columns taken apart: its layout, its rows, and which of them are a document.

There are three layouts, told apart by what stands in the file:

``evalita``: ``word programme tag``, or ``word programme`` without tags; a programme is a document;
``conll``: ``word … tag``; the file is a document, or each part that a ``-DOCSTART-`` line begins;
``hipe``: a first line ``TOKEN …`` that names the columns, tabs between them, and comments; each
``# document_id = …`` begins a document, else the file is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from .source import Source, quote

LAYOUTS = ("evalita", "conll", "hipe")
DOCSTART = "-DOCSTART-"
HEADER = "TOKEN"
NOTHING = "_"
"""What stands in a column of ``hipe`` where it says nothing."""
LEVEL = "LEVEL"
"""Columns of ``hipe`` that are called so, with a number, are levels of trees unless others are
asked for."""

_BLANKS = re.compile(r"[ \t]+")
_OTHER_BLANKS = [c for c in map(chr, range(0x3001)) if c.isspace() and c not in " \t\n"]
"""What `str.split` takes for blanks too."""
_TAG = re.compile(r"O|[OBIESLU]-.*")
_DOCUMENT = re.compile(r"#\s*(?:\S+:)?document_id\s*=\s*(\S.*)")


@dataclass(slots=True)
class Part:
    """What lies between two empty lines, or lines that begin a document.

    Args:
        cells: the columns of its first word, then those of the next. numbers: the line of each
            word.
        begins: the line that begins a document with it, if one does. id: that it gives to it.
    """

    cells: list[str] = field(default_factory=list)
    numbers: list[int] | range = field(default_factory=list)
    begins: int | None = None
    id: str = ""

    def add(self, row: Sequence[str], number: int) -> None:
        """Add a word, from the line of the number."""
        if isinstance(self.numbers, range):
            self.numbers = list(self.numbers)
        self.cells += row
        self.numbers.append(number)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.cells) // len(self.numbers)

    def column(self, k: int) -> list[str]:
        """One column from top to bottom; -1 is the last one."""
        return self.cells[k % self.width :: self.width] if self.cells else []


Group = tuple[int, str, list[Part]]
"""A document: the line where it begins, its id, its parts."""


class Table(NamedTuple):
    """A file of columns.

    Args:
        layout: one of ``LAYOUTS``. names: of the columns, where the file has them.
        groups: its documents.
        has_docstart: whether ``-DOCSTART-`` lines part them.
    """

    source: Source
    layout: str
    names: tuple[str, ...]
    groups: list[Group]
    has_docstart: bool = False

    @property
    def parts(self) -> list[Part]:
        """Those of all documents."""
        return [part for _, _, parts in self.groups for part in parts]

    @property
    def first(self) -> Part:
        """The first one with words."""
        return next(part for part in self.parts if part.cells)

    @property
    def is_bare(self) -> bool:
        """Whether the words have no tags."""
        return self.layout == "evalita" and self.first.width == 2

    def chosen(self) -> list[int]:
        """The columns of tags that were asked for, or that are levels by their names, or the last.

        Raises:
            InputError: no such column, one twice, one with an empty cell, or none asked for where
                there are several.
        """
        asked = self.source.columns
        if not asked and self.names[1:] == level_names(len(self.names) - 1):
            asked = self.names[1:]
        if not asked and len(self.names) > 2:
            raise self.source.error(
                f"columns {', '.join(self.names[1:])} found, expected a choice of those with the "
                "tags, the outermost first: --columns NAME,NAME,…"
            )
        found = [self._column(name) for name in asked] or [self.first.width - 1]
        twice = next((k for at, k in enumerate(found) if k in found[:at]), None)
        if twice is not None:
            raise self.source.error(f"column {quote(asked[found.index(twice)])} is asked for twice")
        self._refuse_empty(found)
        return found

    def _refuse_empty(self, chosen: Sequence[int]) -> None:
        """Tags say at least that there is nothing; other columns may be empty."""
        for k in chosen:
            for part in self.parts:
                if "" in (column := part.column(k)):
                    raise self.source.error(
                        f"column {self.name(k)} is empty, expected a tag, or {NOTHING} where there "
                        "is nothing",
                        part.numbers[column.index("")],
                    )

    def _column(self, name: str) -> int:
        """The place of a column, from its name or its number from 1."""
        if name in self.names[1:]:
            return self.names.index(name)
        if re.fullmatch("[0-9]{1,9}", name) and 2 <= int(name) <= self.first.width:
            return int(name) - 1
        numbers = f"a number from 2 to {self.first.width}"
        expected = f"some of {', '.join(self.names[1:])}, or {numbers}" if self.names else numbers
        raise self.source.error(f"no column {quote(name)}, expected {expected}")

    def name(self, k: int) -> str:
        """What a column is called in messages."""
        return self.names[k] if self.names else str(k + 1)

    def untold(self, parts: Iterable[Part], k: int) -> int:
        """The number of words of which a column says nothing, not even ``O``."""
        if self.layout != "hipe":
            return 0
        return sum(part.column(k).count(NOTHING) for part in parts)

    def column(self, parts: Iterable[Part], k: int) -> list[str]:
        """One column of several parts, from top to bottom."""
        return list(chain.from_iterable(part.column(k) for part in parts))

    def tags(self, parts: Iterable[Part], k: int) -> list[str]:
        """A column of tags."""
        tags = self.column(parts, k)
        if self.layout != "hipe":
            return tags
        return ["O" if tag == NOTHING else tag for tag in tags]


def level_names(count: int) -> tuple[str, ...]:
    """The names of columns that are levels of trees, the outermost first.

    >>> level_names(2)
    ('LEVEL-1', 'LEVEL-2')
    """
    return tuple(f"{LEVEL}-{k}" for k in range(1, count + 1))


def table(source: Source, layout: str | None = None) -> Table:
    """A file taken apart.

    Args:
        source: the file.
        layout: one of ``LAYOUTS``; ``None``: ``hipe`` where the first line is its header;
            ``evalita`` where there are two columns and no tag in the second, or three and the
            second is the same throughout each part between empty lines; else ``conll``.

    Raises:
        InputError: another number of columns than on the first line, no words, documents that
            cannot be told apart.

    >>> text = "TOKEN\\tNE\\n# language = fr\\n#\\t_\\nDol\\tB-loc"
    >>> table(Source("a.tsv", "a", text)).first.cells
    ['#', '_', 'Dol', 'B-loc']
    """
    if layout is not None and layout not in LAYOUTS:
        raise source.error(f"layout {quote(layout)}, expected one of {', '.join(LAYOUTS)}")
    if layout == "hipe" or (layout is None and source.text.lstrip().startswith(f"{HEADER}\t")):
        return _hipe(source)
    parts = _parts(source)
    layout = layout or _layout(parts)
    first = next(part for part in parts if part.cells)
    if layout == "evalita" and first.width not in (2, 3):
        raise source.error("expected two or three columns: word, programme, tag", first.numbers[0])
    groups = (_programmes if layout == "evalita" else _documents)(source, parts)
    return Table(source, layout, (), groups, any(part.begins is not None for part in parts))


def _hipe(source: Source) -> Table:
    """Columns with names, comments between their rows."""
    lines = ((number, text.rstrip("\r")) for number, text in source.lines())
    number, header = next((line for line in lines if line[1].strip()), (1, ""))
    names = tuple(header.split("\t"))
    if names[0] != HEADER or len(names) < 2 or len(set(names)) < len(names) or "" in names:
        raise source.error(
            f"found {quote(header)}, expected {HEADER} and the names of the other columns, all "
            "different, with a tab between them",
            number,
        )
    parts = [Part()]
    for number, text in lines:
        row = text.split("\t")
        if not text.strip():
            parts.append(Part())
        elif text.startswith("#") and len(row) == 1:
            if found := _DOCUMENT.fullmatch(text):
                parts.append(Part(begins=number, id=found[1].rstrip()))
        elif len(row) != len(names) or not row[0]:
            raise source.error(
                "no word in the first column, expected one"
                if len(row) == len(names)
                else f"columns: found {len(row)}, expected {len(names)} as in the header",
                number,
            )
        else:
            parts[-1].add(row, number)
    if not any(part.cells for part in parts):
        raise source.error("no words found below the header, expected some")
    kept = [part for part in parts if part.cells or part.begins is not None]
    return Table(source, "hipe", names, _documents(source, kept, "# document_id"))


def _parts(source: Source) -> list[Part]:
    """The lines of words between empty ones, each with as many columns as the first."""
    text = source.text
    if "\r" in text:  # which is seen sooner than that there is nothing to replace
        text = text.replace("\r\n", "\n")
    is_plain = not any(blank in text for blank in _OTHER_BLANKS)
    parts: list[Part] = []
    width = first = 0
    after = 1
    known: dict[str, str] = {}
    for block in text.split("\n\n"):
        line, after = after, after + block.count("\n") + 2
        part = is_plain and _regular(block, line, known)
        if part and part.width == (width or part.width):
            width, first = part.width, first or line
            parts.append(part)
            continue
        part = Part()
        parts.append(part)
        for number, row in enumerate(_rows(block, is_plain=is_plain), line):
            if not row or row[0] == DOCSTART:
                part = Part(begins=number) if row else Part()
                parts.append(part)
                continue
            if len(row) != width:
                if first or len(row) == 1:
                    expected = f"{width} as on line {first}" if first else "two or more"
                    raise source.error(f"columns: found {len(row)}, expected {expected}", number)
                width, first = len(row), number
            part.add(row, number)
    if not first:
        raise source.error("no words found, expected lines such as 'Davide show B-PER'")
    return [part for part in parts if part.cells or part.begins is not None]


def _regular(block: str, number: int, known: dict[str, str]) -> Part | None:
    """Lines that have as many columns as the first, two or more, and one blank between each two.

    Line by line the same would take three times as long.

    Args:
        number: of the first line.
        known: words of earlier lines; of equal ones the first is kept, which saves memory.
    """
    block = block.rstrip("\n")
    cells = block.split()
    lines = block.count("\n") + 1
    width = len(cells) // lines
    blanks = block.encode("utf-8").translate(_SPACES, _INK)
    # between so many blanks are as many cells at most, and that is what a line has on average
    if width < 2 or blanks != _gaps(width, lines):
        return None
    words = cells[::width]
    if DOCSTART in words:
        return None
    cells[::width] = list(map(known.setdefault, words, words))
    return Part(cells, range(number, number + lines))


_SPACES = bytes.maketrans(b"\t", b" ")
_INK = bytes(byte for byte in range(256) if byte not in b" \t\n")
"""All that is not blank, in UTF-8."""


def _gaps(width: int, lines: int) -> bytes:
    """The blanks of so many lines of words with one space between each two."""
    return b"\n".join([b" " * (width - 1)] * lines)


def _rows(text: str, *, is_plain: bool) -> Iterator[list[str]]:
    """The columns of each line; only spaces and tabs part them.

    Args:
        is_plain: whether there are no other blanks, which makes it many times as fast.
    """
    lines = text.split("\n")
    if is_plain:
        return map(str.split, lines)
    return ([cell for cell in _BLANKS.split(line.rstrip("\r")) if cell] for line in lines)


def _layout(parts: Sequence[Part]) -> str:
    """Programmes are the same throughout a part; parts of speech never are in a sentence."""
    width = next(part for part in parts if part.cells).width
    if any(part.begins is not None for part in parts) or width not in (2, 3):
        return "conll"
    if width == 2:
        has_tags = any(_TAG.fullmatch(tag) for part in parts for tag in part.column(1))
        return "conll" if has_tags else "evalita"
    is_programme = all(len(set(part.column(1))) == 1 for part in parts)
    is_telling = any(len(part.numbers) > 1 for part in parts)  # sentences of one word are not
    return "evalita" if is_programme and is_telling else "conll"


def breaks(parts: Iterable[Part]) -> list[int]:
    """Numbers of words ahead of each part but the first."""
    ends: list[int] = []
    words = 0
    for part in parts:
        if part.cells and words:
            ends.append(words)
        words += len(part.numbers)
    return ends


def _programmes(source: Source, parts: Sequence[Part]) -> list[Group]:
    """The parts of each programme; an empty line inside one is a break."""
    groups: dict[str, Group] = {}
    last = ""
    for part in parts:
        if part.begins is not None:
            raise source.error(f"{DOCSTART} found, expected a word and its programme", part.begins)
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


def _documents(source: Source, parts: Sequence[Part], mark: str = DOCSTART) -> list[Group]:
    """The file, or the parts of each line that begins a document; it may have an id."""
    if not any(part.begins is not None for part in parts):
        return [(parts[0].numbers[0], source.id, list(parts))]
    if parts[0].begins is None:
        raise source.error(
            f"found a word ahead of the first {mark}, expected none: it belongs to no document",
            parts[0].numbers[0],
        )
    groups: list[Group] = []
    for part in parts:
        if part.begins is not None:
            groups.append((part.begins, part.id or f"{source.id}-{len(groups) + 1}", []))
        if part.cells:
            groups[-1][2].append(part)
    return groups
