"""The rows of a file of columns without names, and the rows and the column of the words.

Tabs separate the columns of a file, or blanks if no line has a tab inside. Empty lines separate
sentences; comments may stand before a sentence. A first column that counts 1, 2, 3 … has the
numbers of tokens, and the next column has the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .file import File as Source
from .file import quote

DOCSTART = "-DOCSTART-"
WORD = "word="
"""Prefix of the column of the words among the requested columns."""
TAG = re.compile(r"O|[OBIESLU]-.*")

_BLANKS = re.compile(r"[ \t]+")
_OTHER_BLANKS = [c for c in map(chr, range(0x3001)) if c.isspace() and c not in " \t\n"]
"""Other characters at which `str.split` splits."""
_COMMENT = re.compile(r"#[ ]+\S|#[\w.:-]+[ ]*=")
_KEY = re.compile(r"#[ ]*[\w.:-]+[ ]*=")
_NUMBER = re.compile(r"[0-9]+")
_SPAN = re.compile(r"[0-9]+[-.][0-9]+")
"""The number of a row that is no word: a token of several words (``3-4``) or an empty token
(``8.1``)."""


@dataclass(slots=True)
class Passage:
    """The words between two empty lines, or between lines that begin documents.

    Args:
        cells: the cells of its first word, then the cells of the next word, and so on.
        numbers: the line of each word.
        begins: the line that begins a document with this part; ``None``: none does.
        id: the id that this line gives to the document; empty: none.
        skipped: number of its rows that are no words.
    """

    cells: list[str] = field(default_factory=list)
    numbers: list[int] | range = field(default_factory=list)
    begins: int | None = None
    id: str = ""
    skipped: int = 0

    def add(self, row: Sequence[str], number: int) -> None:
        """Add a word from a line."""
        if isinstance(self.numbers, range):
            self.numbers = list(self.numbers)
        self.cells += row
        self.numbers.append(number)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.cells) // len(self.numbers)

    def rows(self) -> list[list[str]]:
        """The cells of each word."""
        width = self.width if self.cells else 1
        return [self.cells[at : at + width] for at in range(0, len(self.cells), width)]

    def column(self, k: int) -> list[str]:
        """One column from top to bottom; -1 is the last one."""
        if not self.cells:
            return []
        width = self.width
        return self.cells[k % width :: width]


# ---------------------------------------------------------------------------------------- the rows


class Form(NamedTuple):
    """How the lines of a file become rows.

    Args:
        text: text of the file, with line feeds only.
        first: its first row that does not begin with ``#``; empty: there is none.
        is_tabbed: whether tabs separate the columns; else blanks do.
        is_plain: whether there are no other blanks, which allows a much faster split.
        is_numbered: whether the first column has numbers, so that ``#`` begins a comment there.
    """

    text: str
    first: Sequence[str] = ()
    is_tabbed: bool = False
    is_plain: bool = False
    is_numbered: bool = False

    @classmethod
    def of(cls, text: str) -> Form:
        """The form of a text."""
        if "\r" in text:  # faster than a replacement that finds nothing
            text = text.replace("\r\n", "\n")
        is_tabbed = "\t" in text and any("\t" in line.strip(" \t\r") for line in _lines(text))
        is_plain = not any(blank in text for blank in _OTHER_BLANKS)
        form = cls(text, (), is_tabbed, is_plain)
        rows = (form.row(line) for line in _lines(text) if not line.startswith("#"))
        first = next((row for row in rows if row and not _is_mark(row)), [])
        return form._replace(first=first)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.first)

    @property
    def row(self) -> Callable[[str], list[str]]:
        """The function that splits a line into columns; a line of blanks has none."""
        if self.is_tabbed:
            return _between_tabs
        return str.split if self.is_plain else _between_blanks

    def is_comment(self, line: str, row: Sequence[str]) -> bool:
        """Whether a line before a sentence is a comment; a row that ends with a tag is not."""
        if self.is_numbered:
            return row[0].startswith("#")
        if not _COMMENT.match(line) or not self.first:
            return False
        if self.is_tabbed:
            return len(row) == 1
        is_tagged = TAG.fullmatch(row[-1]) is not None
        if _KEY.match(line):
            return len(row) != self.width or not is_tagged
        return len(row) != self.width and not is_tagged

    def ahead(self, block: str) -> tuple[int, int]:
        """The number of lines and of characters of the comments at the start of a block."""
        count = at = 0
        while block.startswith("#", at):
            end = block.find("\n", at) + 1 or len(block) + 1
            line = block[at : end - 1]
            if not self.is_comment(line, self.row(line)):
                break
            count, at = count + 1, end
        return count, at


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, one by one, because callers mostly need the first only."""
    at = 0
    while at <= len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text[at:end]
        at = end + 1


def _between_tabs(line: str) -> list[str]:
    text = line.rstrip("\r")
    return [cell.strip(" ") for cell in text.split("\t")] if text.strip(" \t") else []


def _between_blanks(line: str) -> list[str]:
    return [cell for cell in _BLANKS.split(line.rstrip("\r")) if cell]


def _is_mark(row: Sequence[str]) -> bool:
    """Whether a row is a ``-DOCSTART-`` line, with or without other columns."""
    return row[0].startswith(DOCSTART) and row[0].partition(" ")[0] == DOCSTART


def _parts(source: Source, form: Form) -> list[Passage]:
    """The parts of a file, in which all lines have the same number of columns."""
    parts: list[Passage] = []
    width = first = 0
    after = 1
    known: dict[str, str] = {}
    take = form.row
    between = " with a tab between them" if form.is_tabbed else ""
    for block in form.text.split("\n\n"):
        count, at = form.ahead(block)
        line, after = after + count, after + block.count("\n") + 2
        rest = block[at:]
        part = _regular(rest, line, known, form) if form.is_plain else None
        if part and part.width == (width or part.width):
            width, first = part.width, first or line
            parts.append(part)
            continue
        part = Passage()
        parts.append(part)
        for number, text in enumerate(rest.split("\n"), line):
            row = take(text)
            if not row or _is_mark(row):
                part = Passage(begins=number) if row else Passage()
                parts.append(part)
                continue
            if text.startswith("#") and not part.cells and form.is_comment(text, row):
                continue
            if len(row) != width:
                if first or len(row) == 1:
                    as_on = f" as on line {first}" if first else ""
                    expected = f"{width or 'two or more'}{between}{as_on}"
                    raise source.error(f"columns: found {len(row)}, expected {expected}", number)
                width, first = len(row), number
            part.add(row, number)
    if not first:
        raise source.error("no words found, expected lines such as 'Davide show B-PER'")
    return [part for part in parts if part.cells or part.begins is not None]


def _regular(block: str, number: int, known: dict[str, str], form: Form) -> Passage | None:
    """The part of a block whose lines are all regular; ``None``: some line is not.

    Regular lines have the same number of columns, two or more, with one blank between each two.
    The function takes a third of the time of a loop over the lines.

    Args:
        block: lines of words.
        number: number of the first line.
        known: cells of earlier lines; equal cells share one string, which saves memory.
        form: how the lines become rows.
    """
    cells: list[str] = []
    lines = width = 0
    gap = b"\t" if form.is_tabbed else b" "
    for piece in _pieces(block.rstrip("\n")):
        part, count = piece.split(), piece.count("\n") + 1
        width = width or len(part) // count
        blanks = piece.encode("utf-8").translate(None, _INK)
        # a line has at most one cell more than blanks, and the lines have that number on average
        if width < 2 or blanks + b"\n" != (gap * (width - 1) + b"\n") * count:
            return None
        if DOCSTART in part[::width]:
            return None
        cells += map(known.setdefault, part, part)
        lines += count
    return Passage(cells, range(number, number + lines))


def _pieces(block: str) -> Iterator[str]:
    """Cut a block at ends of lines. Each piece but the last has ``_PIECE`` characters or more."""
    at = 0
    while at <= len(block):
        end = block.find("\n", at + _PIECE)
        end = len(block) if end < 0 else end
        yield block[at:end]
        at = end + 1


_PIECE = 1 << 15
"""A long block is split in pieces, because equal cells become one string only after a split."""

_INK = bytes(byte for byte in range(256) if byte not in b" \t\n")
"""The bytes of UTF-8 that are no blanks."""


# ------------------------------------------------------------------------------ numbers of tokens


def words(source: Source, form: Form, requested: int | None) -> tuple[list[Passage], bool]:
    """The parts of a file, and whether its first column has the numbers of words.

    Args:
        source: the file.
        form: how its lines become rows.
        requested: index of the column of the words, if the user named one.

    Raises:
        InputError: lines with different numbers of columns; no words; numbers that do not count.
    """
    if requested != 0 and form.width > 2 and _begins(form.first[0]):
        parts = _parts(source, form._replace(is_numbered=True))
        if all(_is_number(one) for part in parts for one in set(part.column(0))):
            kept = [without_spans(source, part) for part in parts]
            kept = [part for part in kept if part.cells or part.begins is not None]
            if any(part.cells for part in kept) and (requested or _is_counted(source, kept)):
                return kept, True
    return _parts(source, form), False


def _begins(number: str) -> bool:
    """Whether the numbers of tokens may begin with this one."""
    return _is_number(number) and re.split("[-.]", number)[0] in ("0", "1")


def _is_number(cell: str) -> bool:
    return (_NUMBER.fullmatch(cell) or _SPAN.fullmatch(cell)) is not None


def _is_counted(source: Source, parts: Sequence[Passage]) -> bool:
    """Whether the numbers count the words: 1, 2, 3 … in each sentence, or through the file.

    Raises:
        InputError: each sentence begins with the same number, but the numbers do not count.
    """
    columns = [(part, part.column(0)) for part in parts if part.cells]
    if all(len(column) < 2 for _, column in columns):
        return False  # the only word of each sentence may be a number
    base = columns[0][1][0]
    after = 0
    for part, column in columns:
        start = int(base) if column[0] == base and base in ("0", "1") else after
        expected = list(map(str, range(start, start + len(column))))
        if column != expected:
            if any(other[0] != base for _, other in columns):
                return False
            at = next(k for k, number in enumerate(expected) if column[k] != number)
            raise source.error(
                f"found {quote(column[at])} in the first column, which has numbers alone, expected "
                f"{expected[at]} if they count the words; --columns {WORD}NUMBER says which column "
                "has the words",
                part.numbers[at],
            )
        after = start + len(column)
    return True


def without_spans(source: Source, part: Passage) -> Passage:
    """A part without tokens of several words (``3-4``) and empty tokens (``8.1``).

    Args:
        source: the file.
        part: a part with numbers in its first column.

    Raises:
        InputError: such a token has the tag of an entity.
    """
    numbers, width = part.column(0), part.width if part.cells else 0
    if not any(map(_SPAN.fullmatch, numbers)):
        return part
    kept = Passage(begins=part.begins, id=part.id)
    for k, number in enumerate(part.numbers):
        row = part.cells[k * width : (k + 1) * width]
        if not _SPAN.fullmatch(numbers[k]):
            kept.add(row, number)
            continue
        kept.skipped += 1
        tag = next((cell for cell in row[2:] if cell != "O" and TAG.fullmatch(cell)), None)
        if tag is not None:
            raise source.error(
                f"tag {quote(tag)} at {numbers[k]}, which is no single word, expected it at words",
                number,
            )
    return kept
