"""Files of columns: a word with its tags on each line, in six layouts.

Several columns of tags are levels of one tree: their spans determine the tree, and of equal spans
the outer one is that of the column named first.
"""

from __future__ import annotations

import os
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from io import StringIO
from itertools import chain, pairwise
from operator import itemgetter
from sys import intern
from typing import NamedTuple

from ..documents.model import Document, Element, depths
from ..documents.notes import Note, count_notes
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
from .build import Notes, Span, document_of_spans
from .file import DETECT, File, quote
from .find import Head
from .writers import BREAKS, ELEMENTS, WrittenFiles, check_texts, check_words, lost_of

DOCSTART = "-DOCSTART-"
HEADER = "TOKEN"
NUMBER, FORM, NER, MISC = "ID", "FORM", "NER", "MISC"
CONLLU = (NUMBER, FORM, "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", MISC)
UNIVERSAL = ("CoNLL-U Plus", "CoNLL-U")
NOTHING = "_"
"""An empty cell in a file whose columns have names."""
PIECE = 1 << 15
"""About how many characters are read at once, if all lines are regular."""

_WORD = "word="
"""Prefix of the column of the words among the columns that the user names."""
_TAG = re.compile(r"O|[OBIESLU]-.*")
_COMMENT = re.compile(r"#[ ]+\S|#[\w.:-]+[ ]*=")
_KEY = re.compile(r"#[ ]*[\w.:-]+[ ]*=")
_NAMES = re.compile(r"#[ ]*global\.columns[ ]*=")
_DOCUMENT = re.compile(r"#\s*(?:\S+:)?document_id\s*=\s*(\S.*)")
_SOURCE = re.compile(r"^#(?:\t[^\t\r\n]| [^\r\n]*\[[0-9]{4}-[0-9]{2}-[0-9]{2}\])", re.MULTILINE)
"""The comment of GermEval: the source of a sentence, most often with a date."""
_NUMBER = re.compile(r"[0-9]+(?:[-.][0-9]+)?")
_FIRST = re.compile(r"[01](?:[-.][0-9]+)?")
_SKIPPED = re.compile(r"[0-9]+[-.][0-9]+")
"""The number of a row that is no word: of several words (``3-4``) or of none (``8.1``)."""
_ERRORS = {"", "S", "D", "I"}
"""The values of the third column of an aligned file."""


def program(head: Head) -> str:
    """The campaign of the layout."""
    return _table(head.file.opened()).layout


def read_columns(file: File) -> Iterator[tuple[int, Document]]:
    """
    A token and its tags on each line, as in the CoNLL, EVALITA and HIPE evaluations:

    ```columns
    Gerolsteiner 06041609-rttr-16k B-ORG
    Davide 06041609-rttr-16k B-PER
    Rebellin 06041609-rttr-16k I-PER
    ```

    | columns | layout | document |
    |---|---|---|
    | word, programme, tag | `evalita` | the programme |
    | word, programme | `evalita`, without tags | the programme |
    | word, …, tag | `conll` | the file, or `file-1`, `file-2` … that `-DOCSTART-` begins |
    | number, word, …, tag | `conll` | the same |
    | `TOKEN`, … | `hipe` | each part that `# document_id = …` begins, else the file |
    | number, word, tag, inner tag, after `#` and a source | `germeval` | the file |
    | the ten columns of CoNLL-U | `conllu` | the file |
    | `# global.columns = …` | `conllup` | the same as `hipe` |

    If any line of a file has a tab, tabs separate the columns of all its lines, and a column may be
    empty; otherwise spaces do. Two columns have the layout `evalita` if no second column looks like
    a tag; three, if the second column is constant in each part between empty lines. Ten columns
    with tabs are `conllu` if the first has numbers and the last no tags. In `hipe` and in `conllup`
    (CoNLL-U Plus), the first line names the columns and tabs separate them; in these two and in
    `conllu`, `_` in a column of tags is read as `O` and counted. An empty or blank line separates
    sentences or programmes; no entity extends over it.

    **Keys of `MISC`.** In `conllu` and `conllup`, each key of the column `MISC` whose values are
    all tags is a column of tags, called `MISC:key`; a word without the key is outside:

    ```columns
    1	Ada	Ada	PROPN	_	_	2	nsubj	_	name=B-PER
    2	dort	dormir	VERB	_	_	0	root	_	name=O|SpaceAfter=No
    ```

    **Comments** are skipped. In `hipe`, `conllu` and `conllup`, a comment is a line that begins
    with `#` and has no tab; `#` before a tab is a word. In the other layouts, a comment stands
    before a sentence, has no tab, and begins with `#`, a space and some text, or with `#key =`. In
    a file without tabs it must also differ from a row: its number of columns is another one, and it
    has no tag at its end. One of the two is enough for `# key = …`.

    **`-DOCSTART-` lines** begin documents. If a word stands before the first such line, the lines
    separate documents, as in WikiGold, and such a line at the end of the file begins no document.

    **The column of the words** is the first; in `hipe` it is `TOKEN`, in `conllu` and `conllup`
    `FORM`. If the first of three or more columns counts 1, 2, 3 … (or 0, 1, 2 …), in each sentence
    or through the whole file, it holds the numbers of the tokens and the second the words; a note
    says so. Lines before a sentence with `#` in the first column are then comments. GermEval and
    Universal NER have such files:

    ```columns
    # text = Toyota in Europa
    1	Toyota	B-ORG
    2	in	O
    3	Europa	B-LOC
    ```

    Refused here: numbers that begin again with each sentence but do not count up, and three columns
    that could be number, word, tag or word, programme, tag. `word=2` (or `word=NAME`) among the
    `--columns` names the column of the words: `--columns word=2,3`. CoNLL-U's rows for tokens of
    several words (`3-4`) and for empty tokens (`8.1`) are skipped, or refused if they have the tag
    of an entity.

    **Tags** are `O`, or a prefix, a hyphen and a label (`B-name.last`):

    | scheme | an entity of three words, one of one word, one right after one with its label |
    |---|---|
    | `iob2` | `B I I`  `B`  `B` |
    | `iob1` | `I I I`  `I`, after one of its label `B` |
    | `iobes` | `B I E`  `S`  `S` |
    | `bilou` | `B I L`  `U`  `U` |
    | `conlleval` | any tags, by the rules of [conll](schemes/conll.md#formula) |

    `--read tags=SCHEME` names the scheme. Otherwise sereval considers, for each column, the schemes
    that have all its tags. It takes the one with the fewest misplaced tags (such as `I` after `O`
    in `iob2`), or the first of several; a note names it. Misplaced tags are read as conlleval reads
    them, so none is lost; a note counts them and gives the first places. [`sereval
    check`](commands/check.md) lists each kind.

    **Several columns of tags** are the levels of one tree. `--columns` lists their names (or their
    numbers, from 1), the outermost first:

    ```hipe
    TOKEN	NE-FINE-LIT	NE-FINE-METO	NE-FINE-COMP	NE-NESTED	MISC
    # language = fr
    # document_id = EXP-1918-04-22-a-i0077
    M	B-pers.ind	O	B-comp.title	O	NoSpaceAfter
    .	I-pers.ind	O	I-comp.title	O	_
    Thibaudeau	I-pers.ind	O	B-comp.name	O	_
    à	O	O	O	O	_
    Berne	B-loc.adm.town	B-org.adm	O	O	_
    ```

    `--columns NE-FINE-METO,NE-FINE-LIT,NE-FINE-COMP,NE-NESTED` makes one tree: `comp.title` and
    `comp.name` are inside `pers.ind`, and `org.adm` is around `loc.adm.town`. The spans decide
    which element is inside which; of elements on the same words, the one whose column is listed
    first is around the other. A note gives the number of elements of each column. Columns that are
    not listed are ignored and may be empty.

    Without `--columns`, the tags are

    * in `hipe`, all columns but the first, if they are called `LEVEL-1`, `LEVEL-2` and so on, the
      names that `sereval convert` writes; otherwise a file with more than one column besides the
      words is refused, with the list of its columns;
    * in `conllu` and `conllup`, the column called `NER` or `…:NER`, else the only `MISC:key`; a
      note names it. Without these, the rule of `hipe` applies;
    * in `germeval`, both columns of tags, the outer one first; the source stands after a tab, or
      after a blank in a line with a date such as `[2009-08-13]`;
    * in the other layouts, the last column.

    Also refused: a line with another number of columns than the first; number, word and two columns
    of tags without sources and without `--columns`, because these may be two levels or two
    annotations; an empty cell in a column of tags; a programme or `document_id` that occurs again
    after another; an aligned file of [`evalita2011`](schemes/evalita2011.md), whose lines have
    words of two documents.
    """
    table = _table(file)
    levels = [_level(table, k) for k in _chosen(table)]
    ends = [row for row, *_ in table.begins[1:]] + [len(table.lines)]
    for number, ((start, line, id), end) in enumerate(zip(table.begins, ends, strict=True), 1):
        yield line, _document(table, levels, start, end, id or f"{file.id}-{number}")


# --- the rows ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Table:
    """The words of a file, row by row, and what its layout says of them.

    Args:
        layout: the campaign of the layout.
        width: number of columns.
        where: what says that number, for messages.
        names: names of the columns, if the file has them.
        gap: what separates columns.
        is_numbered: whether the first column numbers the words.
        is_counted: whether the reader took the second column for the words because of that.
        has_docstart: whether ``-DOCSTART-`` lines separate the documents.
        word: the column of the words.
        tags: the columns of tags, if the user names none; empty: the user must.
        cells: all cells, row after row.
        added: columns that were added, from keys of MISC.
        lines: the line of each row.
        starts: the rows at which sentences begin.
        begins: the row at which each document begins, its line and its id.
        skipped: the rows that are no words: the row after each, its line and its cells.
    """

    file: File
    layout: str
    width: int
    where: str
    names: tuple[str, ...] = ()
    gap: str = "\t"
    is_numbered: bool = False
    is_counted: bool = False
    has_docstart: bool = False
    word: int = 0
    tags: list[int] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    added: list[list[str]] = field(default_factory=list)
    lines: array[int] = field(default_factory=partial(array, "q"))
    starts: list[int] = field(default_factory=lambda: [0])
    begins: list[tuple[int, int, str]] = field(default_factory=list)
    skipped: list[tuple[int, int, list[str]]] = field(default_factory=list)

    def fill(self, header: int = 0) -> None:
        """Add the words of all lines below the header."""
        text = self.file.text.replace("\r\n", "\n").split("\n", header)[header:]
        line = header + 1
        for block in "".join(text).split("\n\n"):
            at = 0
            while at <= len(block):
                end = block.find("\n", at + PIECE)
                piece = block[at : end if end >= 0 else None]
                if self.is_numbered or not self._add_block(piece, line):
                    for k, row in enumerate(piece.split("\n"), line):
                        self._add_line(k, row)
                line += piece.count("\n") + 1
                at += len(piece) + 1
            self._end()
            line += 1

    def _add_block(self, block: str, first: int) -> bool:
        """Add lines column by column, three times as fast as row by row.

        Returns:
            Whether they were added. If not, none was: some line is not as most are.
        """
        gap, count = self.gap, block.count("\n") + 1
        is_odd = "\r" in block or (" " if gap == "\t" else "\t") in block or block[:1] == "#"
        text = block.replace("\n", f"{gap}\n{gap}")
        if is_odd or 2 * gap in text or text.strip(gap) != text:
            return False
        cells, step = text.split(gap), self.width + 1
        if len(cells) != count * step - 1 or cells[self.width :: step].count("\n") < count - 1:
            return False
        del cells[self.width :: step]
        if f"{DOCSTART}{gap}" in block and DOCSTART in cells[:: self.width]:
            return False
        self.cells += map(intern, cells)
        self.lines.extend(range(first, first + count))
        return True

    def _add_line(self, line: int, text: str) -> None:
        """Add the word of a line, or see what else it is."""
        row = _cells(text, self.gap)
        if not row:
            self._end()
        elif not self.names and _is_mark(row):
            self._begin(line)
        elif text.startswith("#") and self._is_comment(text, row):
            if self.names and (found := _DOCUMENT.fullmatch(row[0])):
                self._begin(line, found[1])
        elif len(row) != self.width:
            raise self.file.error(
                f"columns: found {len(row)}, expected {self.width}{self.where}", line
            )
        elif self.is_numbered and _SKIPPED.fullmatch(row[0]):
            self.skipped.append((len(self.lines), line, row))
        else:
            self.cells += map(intern, row)  # equal cells share one string
            self.lines.append(line)

    def _is_comment(self, text: str, row: list[str]) -> bool:
        """Whether a line is a comment; a row that ends with a tag is not."""
        if self.names:
            return len(row) == 1
        if self.starts[-1] < len(self.lines):
            return False  # inside a sentence
        if self.is_numbered:
            return True
        if self.gap == "\t":
            return len(row) == 1 and _COMMENT.match(text) is not None
        signs = (len(row) != self.width, not _TAG.fullmatch(row[-1]))
        return any(signs) if _KEY.match(text) else all(signs) and text.startswith("# ")

    def _end(self) -> None:
        """End a sentence."""
        if self.starts[-1] != len(self.lines):
            self.starts.append(len(self.lines))

    def _begin(self, line: int, id: str = "") -> None:
        """Begin a document."""
        self._end()
        self.begins.append((len(self.lines), line, id))

    def sentences(self) -> list[tuple[int, int]]:
        """The first row of each sentence and the row after its last."""
        return [(a, b) for a, b in pairwise([*self.starts, len(self.lines)]) if a < b]

    def breaks(self, start: int, end: int) -> tuple[int, ...]:
        """The frontiers at which sentences begin in some rows, without the first."""
        inside = slice(bisect_right(self.starts, start), bisect_left(self.starts, end))
        return tuple([k - start for k in self.starts[inside]])

    def column(self, k: int) -> list[str]:
        """A column from top to bottom."""
        return self.cells[k :: self.width] if k < self.width else self.added[k - self.width]

    def name(self, k: int) -> str:
        """The name of a column in messages."""
        return self.names[k] if self.names else str(k + 1)

    def has_only_tags(self, k: int) -> bool:
        """Whether a column contains only tags."""
        return all(map(_TAG.fullmatch, {*self.column(k)}))

    def place(self, name: str, without: int | None = None) -> int:
        """The index of a column, from its name or its number from 1, without that of one."""
        others = [k for k in range(len(self.names) or self.width) if k != without]
        places = {str(k + 1): k for k in others} | {self.name(k): k for k in others}
        if (place := places.get(name, places.get(name.lstrip("0")))) is None:
            names = ", ".join(map(self.name, others))
            raise self.file.error(f"no column {quote(name)}, expected {names}")
        return place

    def place_of_words(self) -> int | None:
        """The index of the column of the words; ``None``: the user named none."""
        asked = self.file.options.columns
        found = [name.removeprefix(_WORD) for name in asked if name.startswith(_WORD)]
        if len(found) > 1:
            raise self.file.error(f"columns of words: found {len(found)}, expected one")
        return self.place(found[0]) if found else None


def requested(file: File) -> list[str]:
    """The columns of tags that the user named, by name or number."""
    return [name for name in file.options.columns if not name.startswith(_WORD)]


def _cells(line: str, gap: str) -> list[str]:
    """The cells of a line; a line of blanks has none."""
    if gap == " ":
        return [cell for cell in line.strip(" \t\r").split(" ") if cell]
    text = line.rstrip("\r")
    return [cell.strip(" ") for cell in text.split("\t")] if text.strip(" \t") else []


def _is_mark(row: list[str]) -> bool:
    """Whether a row is a ``-DOCSTART-`` line, with or without other columns."""
    return row[0].partition(" ")[0] == DOCSTART


# --- the layouts ---------------------------------------------------------------------------------


def _table(file: File) -> _Table:
    """The table of a file, with its documents."""
    head = file.text.lstrip()
    header = file.text.count("\n", 0, len(file.text) - len(head)) + 1
    first = head.partition("\n")[0].rstrip("\r")
    if first.startswith(f"{HEADER}\t"):
        table = _hipe(file, header, first)
    elif _NAMES.match(first):
        table = _conllup(file, header, first)
    else:
        table = _unnamed(file)
    if not table.lines:
        raise file.error("no words found, expected lines such as 'Davide show B-PER'")
    if not table.begins:
        table.begins = [(0, table.lines[0], file.id)]
    elif table.begins[0][0] > 0 and table.names:
        raise file.error(
            "found a word ahead of the first # document_id, expected none: it belongs to no "
            "document",
            table.lines[0],
        )
    elif table.begins[0][0] > 0:  # lines between documents
        is_last = table.begins[-1][0] == len(table.lines)
        table.begins = [(0, table.lines[0], ""), *table.begins[: -1 if is_last else None]]
    return table


def _hipe(file: File, header: int, first: str) -> _Table:
    """HIPE: ``TOKEN`` and the names of the other columns, or levels of a tree."""
    table = _named(file, "HIPE", first.split("\t"), header)
    table.word = table.place_of_words() or 0
    table.fill(header)
    if table.names[1:] == _level_names(table.width - 1):
        table.tags = [*range(1, table.width)]
    return table


def _conllup(file: File, header: int, first: str) -> _Table:
    """CoNLL-U Plus: ``# global.columns =`` and the names of the columns."""
    table = _named(file, "CoNLL-U Plus", first.partition("=")[2].split(), header)
    if FORM not in table.names and table.place_of_words() is None:
        raise file.error(
            f"columns {', '.join(table.names)} found, expected one called {FORM}; "
            f"--columns {_WORD}NAME says which one has the words",
            header,
        )
    _fill_universal(table, header)
    return table


def _conllu(file: File) -> _Table:
    """The ten columns of CoNLL-U."""
    table = _named(file, "CoNLL-U", CONLLU)
    _fill_universal(table)
    return table


def _named(file: File, layout: str, names: Sequence[str], header: int = 0) -> _Table:
    """A table whose columns have names."""
    if len(names) < 2 or len({*names}) < len(names) or "" in names:
        raise file.error(
            f"columns {', '.join(names)} found, expected two or more names, all different", header
        )
    return _Table(file, layout, len(names), " as in the header", tuple(names))


def _fill_universal(table: _Table, header: int = 0) -> None:
    """Fill a table of CoNLL-U or CoNLL-U Plus; keys of MISC whose values are tags are columns."""
    names, word = table.names, table.place_of_words()
    table.word = names.index(FORM) if word is None else word
    table.is_numbered = names[0] == NUMBER and table.word != 0
    table.fill(header)
    if MISC in names:
        _add_keys(table, names.index(MISC))
    _check_skipped(table)
    found = [k for k, name in enumerate(table.names) if name.rpartition(":")[2] == NER]
    keys = [*range(len(names), len(table.names))]
    table.tags = next((one for one in (found, keys) if len(one) == 1), [])


def _add_keys(table: _Table, misc: int) -> None:
    """Add a column for each key of MISC whose values are all tags, in alphabetical order."""
    rows = zip(table.lines, table.column(misc), strict=True)
    of_rows = [_keys(table.file, *row) for row in rows]
    of_skipped = [_keys(table.file, line, row[misc]) for _, line, row in table.skipped]
    values: dict[str, set[str]] = {}
    for key, value in chain.from_iterable(keys.items() for keys in of_rows + of_skipped):
        values.setdefault(key, set()).add(value)
    for key in sorted(key for key, found in values.items() if all(map(_TAG.fullmatch, found))):
        table.names += (f"{MISC}:{key}",)
        table.added.append([keys.get(key, NOTHING) for keys in of_rows])
        for (*_, row), keys in zip(table.skipped, of_skipped, strict=True):
            row.append(keys.get(key, NOTHING))


def _keys(file: File, line: int, cell: str) -> dict[str, str]:
    """The keys of a cell of MISC, with their values."""
    items = [item.partition("=") for item in cell.split("|") if "=" in item]
    found = {key: value for key, _, value in items}
    if len(found) < len(items):
        raise file.error(f"{MISC} {quote(cell)} has a key twice, expected each once", line)
    return found


def _check_skipped(table: _Table) -> None:
    """Refuse a row that is no word but has the tag of an entity."""
    for _, line, (number, _, *cells) in table.skipped:
        tag = next((cell for cell in cells if cell != OUTSIDE and _TAG.fullmatch(cell)), None)
        if tag is not None:
            raise table.file.error(
                f"tag {quote(tag)} at {number}, which is no single word, expected it at words", line
            )


def _unnamed(file: File) -> _Table:
    """EVALITA, CoNLL or GermEval, or the ten columns of CoNLL-U."""
    is_tabbed = "\t" in file.text and any("\t" in text.strip(" \t\r") for _, text in file.lines())
    gap, between = ("\t", " with a tab between them") if is_tabbed else (" ", "")
    line, first = _first(file, gap)
    if is_tabbed and _is_conllu(file, first):
        return _conllu(file)
    if len(first) < 2:
        raise file.error(f"columns: found {len(first)}, expected two or more{between}", line)
    make = partial(_Table, file, "CoNLL", len(first), f"{between} as on line {line}", gap=gap)
    word = make().place_of_words()
    table = make(is_numbered=True)
    may_count = word != 0 and len(first) > 2 and _FIRST.fullmatch(first[0])
    if not may_count or not _counts(table, word):
        table = make()
        table.fill()
    table.is_counted = table.is_numbered and word is None
    table.word = int(table.is_numbered) if word is None else word
    table.tags = [table.width - 1]
    table.has_docstart = bool(table.begins)
    _refuse_aligned(table)
    if table.is_counted and table.width == 4:
        _germeval(table)
    elif not word and _is_evalita(table):
        _evalita(table)
    return table


def _first(file: File, gap: str) -> tuple[int, list[str]]:
    """The first row and its line; one with ``#`` may be a comment, unless it ends with a tag."""
    for line, text in enumerate(StringIO(file.text, "\n"), 1):
        row = _cells(text.rstrip("\n"), gap)
        is_row = row and (text[0] != "#" or (_TAG.fullmatch(row[-1]) and not _KEY.match(text)))
        if is_row and not _is_mark(row):
            return line, row
    raise file.error("no words found, expected lines such as 'Davide show B-PER'")


def _is_conllu(file: File, first: list[str]) -> bool:
    """Whether a file has the ten columns of CoNLL-U, the last of which has no tags."""
    if len(first) != len(CONLLU) or not _NUMBER.fullmatch(first[0]):
        return False
    rows = (_cells(text, "\t") for _, text in file.lines() if text[:1] != "#")
    return not any(len(row) == len(CONLLU) and _TAG.fullmatch(row[-1]) for row in rows)


def _counts(table: _Table, word: int | None) -> bool:
    """Whether the first column numbers the words, and the table that is filled so.

    If the user named no column of the words, the numbers must count 1, 2, 3 … or 0, 1, 2 …, in each
    sentence or through the file.

    Raises:
        InputError: each sentence begins with the same number, but the numbers do not count.
    """
    table.fill()
    numbers, sentences = table.column(0), table.sentences()
    if not numbers or not all(map(_NUMBER.fullmatch, numbers)):
        return False
    _check_skipped(table)
    if word:
        return True
    base = numbers[0]
    if base not in ("0", "1") or all(end - start < 2 for start, end in sentences):
        return False  # the only word of each sentence may be a number
    expected: list[str] = []
    for start, end in sentences:
        first = int(base if numbers[start] == base else expected[-1]) + (numbers[start] != base)
        expected += map(str, range(first, first + end - start))
    if numbers == expected:
        return True
    if any(numbers[start] != base for start, _ in sentences):
        return False
    at = next(k for k, number in enumerate(numbers) if number != expected[k])
    raise table.file.error(
        f"found {quote(numbers[at])} in the first column, which has numbers alone, expected "
        f"{expected[at]} if they count the words; --columns {_WORD}NUMBER says which column has "
        "the words",
        table.lines[at],
    )


def _refuse_aligned(table: _Table) -> None:
    """Refuse the aligned file of EVALITA: each of its lines has the words of two documents."""
    has_errors = table.width == 5 and _ERRORS.issuperset(table.column(2))
    if has_errors and table.gap == "\t" and table.has_only_tags(1) and table.has_only_tags(4):
        raise table.file.error(
            "columns word, tag, error, word, tag found, which are an aligned file of evalita2011: "
            "two documents on each line, expected one"
        )


def _germeval(table: _Table) -> None:
    """Number, word and two levels of tags, if the sentences have sources.

    Raises:
        InputError: both columns have tags, and nothing says what they are.
    """
    if _SOURCE.search(table.file.text):
        table.layout, table.tags = "GermEval", [2, 3]
    elif (
        not requested(table.file)
        and table.has_only_tags(2)
        and table.has_only_tags(3)
        and {*table.column(2)} != {OUTSIDE}
    ):
        raise table.file.error(
            "columns 3 and 4 have tags, and no line '#' with the source of a sentence: two levels, "
            "as in GermEval, or two annotations? expected --columns 3,4 or one of them"
        )


def _is_evalita(table: _Table) -> bool:
    """Whether the second column has programmes: each sentence has one and the same."""
    if table.begins or table.width not in (2, 3):
        return False
    programmes = table.column(1)
    if table.width == 2:
        return not any(map(_TAG.fullmatch, {*programmes}))
    found = [programmes[start:end] for start, end in table.sentences()]
    is_programme = all(one[0] and one.count(one[0]) == len(one) for one in found)
    return is_programme and any(len(one) > 1 for one in found)  # one word decides nothing


def _evalita(table: _Table) -> None:
    """Word, programme and tag; or word and programme, without tags. A programme is a document."""
    if table.is_counted:
        raise table.file.error(
            "the first column counts and the second is the same throughout: number and word, or "
            f"word and programme? expected --columns {_WORD}2 or {_WORD}1"
        )
    table.layout, last = "EVALITA", None
    starts, seen = {*table.starts}, set[str]()
    with table.file.at() as here:
        for row, (here.line, id) in enumerate(zip(table.lines, table.column(1), strict=True)):
            if id == last:
                continue
            if not id:
                raise SerevalError("no programme in column 2, expected one")
            if row not in starts:
                raise SerevalError(
                    f"programme {quote(id)} found after {quote(str(last))}, "
                    "expected an empty line ahead of it"
                )
            if id in seen:
                raise SerevalError(
                    f"programme {quote(id)} is taken up again, expected its words in one place"
                )
            table.begins.append((row, here.line, id))
            seen.add(id)
            last = id


# --- the tags ------------------------------------------------------------------------------------


class _Level(NamedTuple):
    """A column of tags.

    Args:
        k: its index.
        is_plain: whether all tags are of IOB2, where they may stand.
        phrases: what the tags spell, on the rows of the file.
    """

    k: int
    tags: tuple[str, ...]
    scheme: str
    phrases: list[Phrase]
    is_plain: bool = False


def _chosen(table: _Table) -> list[int]:
    """The columns of tags: those that the user names, or those of the layout.

    Raises:
        InputError: no such column; a column that is named twice, has the words or has an empty
            cell; no column is named, and several could be.
    """
    file, asked = table.file, requested(table.file)
    others = [k for k in range(len(table.names)) if k != table.word]
    found = [table.place(name, table.word) for name in asked] or table.tags or others
    if found is others and len(others) > 1:
        raise file.error(
            f"columns {', '.join(map(table.name, others))} found, expected a choice of those with "
            "the tags, the outermost first: --columns NAME,NAME,…"
        )
    for at, k in enumerate(found):
        if k in found[:at]:
            raise file.error(f"column {quote(asked[at])} is asked for twice")
        if k == table.word:
            raise file.error(
                f"column {table.name(k)} has the words, expected another one with the tags"
            )
    for k in (table.word, *found):
        if "" in (column := table.column(k)):
            nothing = f", or {NOTHING} where there is nothing" if table.names else ""
            expected = "a word" if k == table.word else f"a tag{nothing}"
            raise file.error(
                f"column {table.name(k)} is empty, expected {expected}",
                table.lines[column.index("")],
            )
    return found


def _level(table: _Table, k: int) -> _Level:
    """A column of tags of the whole file, which has one scheme."""
    policy, breaks = table.file.policy("tags"), table.breaks(0, len(table.lines))
    if table.layout == "EVALITA" and table.width == 2:
        return _Level(k, (OUTSIDE,) * len(table.lines), "none", [])
    tags = tuple(table.column(k))
    if table.names:
        tags = tuple([OUTSIDE if tag == NOTHING else tag for tag in tags])
    plain = plain_phrases(tags, breaks) if policy in (DETECT, "iob2") else None
    if plain is not None:  # as in most files
        return _Level(k, tags, "iob2", plain, is_plain=True)
    scheme = detect(tags, breaks) if policy == DETECT else policy
    wrong = foreign(tags, scheme) if scheme else None
    if scheme and wrong is None:
        return _Level(k, tags, scheme, Tags(tags, breaks, scheme).phrases)
    expected = f"one of {scheme}"
    if wrong is None:  # the first tag after which no scheme is left
        wrong = max(foreign(tags, name) or 0 for name in SCHEMES if name != "conlleval")
        expected = (
            "O, B-…, I-… with E-…, S-… (IOBES) or L-…, U-… (BILOU); --read tags=conlleval takes any"
        )
        others = [one for one in range(table.width) if one not in (k, table.word)]
        names = ", ".join(table.name(one) for one in others if table.has_only_tags(one))
        if names and not table.file.options.columns:
            expected += f"; there are tags in column {names}, --columns says which"
    raise table.file.error(f"tag {quote(tags[wrong])}, expected {expected}", table.lines[wrong])


def _document(table: _Table, levels: Sequence[_Level], start: int, end: int, id: str) -> Document:
    """The document of one column, or the tree of several, from some rows."""
    file, lines = table.file, table.lines[start:end]
    words, breaks = tuple(table.column(table.word)[start:end]), table.breaks(start, end)
    notes = _notes(table, levels, start, end)
    spans: list[Span] = []
    for level in levels:
        first, after = (bisect_left(level.phrases, row, key=itemgetter(1)) for row in (start, end))
        phrases = level.phrases[first:after]
        tags = _tags(table, level, start, end, len(phrases))
        notes += tags.notes
        if len(levels) == 1:
            elements = tuple(
                [
                    Element(label, a - start, b - start, None, lines[a - start])
                    for label, a, b in phrases
                ]
            )
            tags = replace(tags, elements=elements)
            return Document(id, words, elements, None, breaks, file.path, tuple(notes), tags=tags)
        of = f"of column {table.name(level.k)}"
        spans += [
            Span(label, a - start, b - start, lines[a - start], f"{label} {of}")
            for label, a, b in phrases
        ]
    made = document_of_spans(file, id, words, spans, Notes(), breaks=breaks)
    return replace(made, notes=(*notes, *made.notes))


def _notes(table: _Table, levels: Sequence[_Level], start: int, end: int) -> list[Note]:
    """Notes on the words of a document: their column, and skipped rows."""
    found = Notes()
    if table.is_counted:
        word = table.name(table.word)
        found.add(f"words, taken from column {word}, as the first counts them", end - start)
    if (table.is_counted or table.layout in UNIVERSAL) and not requested(table.file):
        columns = " and ".join(table.name(level.k) for level in levels)
        of = f"of columns {columns}" if len(levels) > 1 else f"of column {columns}"
        found.add(f"words, with the tags {of}, as none was named", end - start)
    skipped = sum(start <= row < end or row == end == len(table.lines) for row, *_ in table.skipped)
    found.add("rows of several words or of none (3-4, 8.1), skipped", skipped)
    return [*found.all()]


def _tags(table: _Table, level: _Level, start: int, end: int, count: int) -> Tags:
    """The tags of a column of a document, with notes; ``count`` is the number of its elements."""
    file, asked = table.file, table.file.options.columns
    scheme, breaks = level.scheme, table.breaks(start, end)
    is_detected = file.policy("tags") == DETECT and scheme != "none"
    tags = Tags(level.tags[start:end], breaks, scheme, is_detected, table.has_docstart)
    # the notes name the column unless it is the last one by default
    is_named = asked or table.layout in (*UNIVERSAL, "GermEval")
    of = f" of column {table.name(level.k)}" if is_named else ""
    notes = [Note(f"elements{of}", count, f"columns={'+'.join(asked)}")] if asked else []
    if table.names and (silent := table.column(level.k)[start:end].count(NOTHING)):
        notes.append(Note(f"words{of} with {NOTHING}, read as {OUTSIDE}", silent))
    tagged = end - start - tags.tags.count(OUTSIDE)
    if tagged and is_detected:
        notes.append(Note(f"no tagging scheme named; tags read as {scheme.upper()}", tagged))
    elif tagged:
        notes.append(Note(f"tags, read as {scheme}", tagged, f"tags={scheme}"))
    misplaced = None
    if not level.is_plain:
        name, lines = os.path.basename(file.path), table.lines[start:end]
        misplaced = misplaced_note(tags, lambda k: (f"{name}:{lines[k]}", lines[k]), of)
        notes += [misplaced] if misplaced else []
    return replace(tags, misplaced=misplaced, notes=tuple(notes))


# --- writing -------------------------------------------------------------------------------------


def write_columns(document: Document, tags: str = "iob2") -> WrittenFiles:
    """The file of a document, and notes on what it does not hold.

    A document with elements inside others has a column for each level of the tree, and a first
    line with the names of the columns, which the reader recognises.
    """
    check_words(document, "column", rf"\s|^\ufeff|^{DOCSTART}$")
    labels = [f"B-{element.label}" for element in document.elements]
    check_texts(document.id, "column", labels)
    inside = {k for element in document.elements for k in range(element.start + 1, element.end)}
    breaks = [k for k in document.breaks if k not in inside]
    nesting = depths([element.parent for element in document.elements])
    levels: list[list[Phrase]] = [[] for _ in range(max(nesting, default=1))]
    for depth, element in zip(nesting, document.elements, strict=True):
        levels[depth - 1].append(Phrase(element.label, element.start, element.end))
    columns = [spell_tags(level, len(document.words), tags, breaks) for level in levels]
    header, gap = "", " "
    if len(levels) > 1:
        header, gap = "\t".join([HEADER, *_level_names(len(levels))]) + "\n", "\t"
    rows = zip(document.words, *columns, strict=True)
    text = "".join("\n" * (k in breaks) + gap.join(row) + "\n" for k, row in enumerate(rows))
    lost = {**lost_of(document, ELEMENTS), BREAKS: len(document.breaks) - len(breaks)}
    return WrittenFiles({".conll": header + text}, count_notes(lost))


def _level_names(count: int) -> tuple[str, ...]:
    """The names of the columns of a tree, the outermost first; they are read by default."""
    return tuple(f"LEVEL-{k}" for k in range(1, count + 1))
