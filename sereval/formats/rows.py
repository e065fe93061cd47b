"""The rows of a file of columns whose columns have no names, and which of them are words.

Tabs part the columns of a file, or blanks where no line has a tab inside. Empty lines part
sentences; a comment stands ahead of one. A first column that counts 1, 2, 3 … has the numbers of
tokens, so that the words are in the next one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .source import Source, quote

DOCSTART = "-DOCSTART-"
WORD = "word="
"""What stands before the column of the words among the columns that are asked for."""
TAG = re.compile(r"O|[OBIESLU]-.*")

_BLANKS = re.compile(r"[ \t]+")
_OTHER_BLANKS = [c for c in map(chr, range(0x3001)) if c.isspace() and c not in " \t\n"]
"""What `str.split` takes for blanks too."""
_COMMENT = re.compile(r"#[ ]+\S|#[\w.:-]+[ ]*=")
_KEY = re.compile(r"#[ ]*[\w.:-]+[ ]*=")
_NUMBER = re.compile(r"[0-9]+")
_SPAN = re.compile(r"[0-9]+[-.][0-9]+")
"""The number of a row that is no word: a token of several words (``3-4``), or an empty one
(``8.1``)."""


@dataclass(slots=True)
class Part:
    """What lies between two empty lines, or lines that begin a document.

    Args:
        cells: the columns of its first word, then those of the next. numbers: the line of each
            word.
        begins: the line that begins a document with it, if one does. id: that it gives to it.
        skipped: number of its rows that are no words.
    """

    cells: list[str] = field(default_factory=list)
    numbers: list[int] | range = field(default_factory=list)
    begins: int | None = None
    id: str = ""
    skipped: int = 0

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
        if not self.cells:
            return []
        width = self.width
        return self.cells[k % width :: width]


# ---------------------------------------------------------------------------------------- the rows


class Form(NamedTuple):
    """How the lines of a file become rows.

    Args:
        text: of the file, with line feeds alone.
        first: its first row that does not begin with ``#``, or nothing.
        is_tabbed: whether there is a tab in a line, which then parts its columns, and else blanks.
        is_plain: whether there are no other blanks, which makes it many times as fast.
        is_numbered: whether the first column has numbers, so that ``#`` there is no word.
    """

    text: str
    first: Sequence[str] = ()
    is_tabbed: bool = False
    is_plain: bool = False
    is_numbered: bool = False

    @classmethod
    def of(cls, text: str) -> Form:
        """That of a text."""
        if "\r" in text:  # which is seen sooner than that there is nothing to replace
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
        """What takes a line apart; a line of blanks has no column."""
        if self.is_tabbed:
            return _between_tabs
        return str.split if self.is_plain else _between_blanks

    def is_comment(self, line: str, row: Sequence[str]) -> bool:
        """Whether a line ahead of a sentence is a comment; a row with a tag at its end is none."""
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
        """How many lines and characters of comments a block begins with."""
        count = at = 0
        while block.startswith("#", at):
            end = block.find("\n", at) + 1 or len(block) + 1
            line = block[at : end - 1]
            if not self.is_comment(line, self.row(line)):
                break
            count, at = count + 1, end
        return count, at


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, of which mostly the first will do."""
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
    """Whether a row is a ``-DOCSTART-`` line, whatever stands behind it."""
    return row[0].startswith(DOCSTART) and row[0].partition(" ")[0] == DOCSTART


def _parts(source: Source, form: Form) -> list[Part]:
    """The lines of words between empty ones, each with as many columns as the first."""
    parts: list[Part] = []
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
        part = Part()
        parts.append(part)
        for number, text in enumerate(rest.split("\n"), line):
            row = take(text)
            if not row or _is_mark(row):
                part = Part(begins=number) if row else Part()
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


def _regular(block: str, number: int, known: dict[str, str], form: Form) -> Part | None:
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
    blanks = block.encode("utf-8").translate(None, _INK)
    # between so many blanks are as many cells at most, and that is what a line has on average
    if width < 2 or blanks != _gaps(width, lines, b"\t" if form.is_tabbed else b" "):
        return None
    words = cells[::width]
    if DOCSTART in words:
        return None
    cells[::width] = list(map(known.setdefault, words, words))
    return Part(cells, range(number, number + lines))


_INK = bytes(byte for byte in range(256) if byte not in b" \t\n")
"""All that is not blank, in UTF-8."""


def _gaps(width: int, lines: int, gap: bytes) -> bytes:
    """The blanks of so many lines of words with one blank between each two."""
    return b"\n".join([gap * (width - 1)] * lines)


# ------------------------------------------------------------------------------ numbers of tokens


def words(source: Source, form: Form, asked: int | None) -> tuple[list[Part], bool]:
    """The rows of words, and whether the first column counts them, so that it is none of words.

    Args:
        asked: the column of the words, if one was asked for.
    """
    if asked != 0 and form.width > 2 and _begins(form.first[0]):
        parts = _parts(source, form._replace(is_numbered=True))
        if all(_is_number(one) for part in parts for one in set(part.column(0))):
            kept = [without_spans(source, part) for part in parts]
            kept = [part for part in kept if part.cells or part.begins is not None]
            if any(part.cells for part in kept) and (asked or _is_counted(source, kept)):
                return kept, True
    return _parts(source, form), False


def _begins(number: str) -> bool:
    """Whether tokens may be counted from a number on."""
    return _is_number(number) and re.split("[-.]", number)[0] in ("0", "1")


def _is_number(cell: str) -> bool:
    return (_NUMBER.fullmatch(cell) or _SPAN.fullmatch(cell)) is not None


def _is_counted(source: Source, parts: Sequence[Part]) -> bool:
    """Whether the numbers count the words: 1, 2, 3 … of each sentence, or on from the last one.

    Raises:
        InputError: they begin with each sentence, and do not count.
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


def without_spans(source: Source, part: Part) -> Part:
    """The rows that are words: no tokens of several words (``3-4``), and no empty ones (``8.1``).

    Raises:
        InputError: one has the tag of an entity, which none of its words would have.
    """
    numbers, width = part.column(0), part.width if part.cells else 0
    if not any(map(_SPAN.fullmatch, numbers)):
        return part
    kept = Part(begins=part.begins, id=part.id)
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
