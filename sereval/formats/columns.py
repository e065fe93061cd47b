"""Files of columns: a word with its tags on each line, in six layouts.

Several columns of tags are levels of one tree: their spans determine the tree, and of equal spans
the outer one is that of the column named first.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from itertools import count, groupby, islice, pairwise
from sys import intern

from ..documents.model import Document, Element, depths
from ..documents.tags import OUTSIDE, Tags, spell_tags
from ..documents.words import Span
from ..errors import InputError, SerevalError
from .build import Notes, check_words, document_of_spans, read_tags, scheme_of
from .file import Documents, File, Head, quote
from .table import PARTS

DOCSTART = "-DOCSTART-"
HEADER = "TOKEN"
NUMBER, FORM, NER = "ID", "FORM", "NER"
CONLLU = (NUMBER, FORM, "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
NOTHING = "_"
"""An empty cell in a file whose columns have names."""

_WORD = "word="
"""Prefix of the column of the words among the columns that the user names."""
_TAG = re.compile(r"O|[OBIESLU]-.*")
_TAGGED = re.compile(r"^[^\t\n]+\t(?:[^\t\n]*\t)*(?:O|[BIESLU]-\S+)(?=[\t\r\n]|\Z)", re.MULTILINE)
_BLANKS = re.compile(r"(?:(?:#.*|-DOCSTART-.*)?\r?\n)*\S+ (?:\S+ )*(?:O|[BIESLU]-\S+)(?=\s|\Z)")
"""The first word and its tag, with blanks between the columns."""
_KEY = re.compile(r"#[ ]*[\w.:-]+[ ]*=")
_NAMES = re.compile(r"#[ ]*global\.columns[ ]*=")
_DOCUMENT = re.compile(r"#\s*(?:\S+:)?document_id\s*=\s*(\S.*)")
_SOURCE = re.compile(r"^#(?:\t[^\t\r\n]| [^\r\n]*\[[0-9]{4}-[0-9]{2}-[0-9]{2}\])", re.MULTILINE)
"""The comment of GermEval: the source of a sentence, most often with a date."""
_NUMBER = re.compile(r"[0-9]+(?:[-.][0-9]+)?")
_FIRST = re.compile(r"[01](?:[-.][0-9]+)?")
_SKIPPED = re.compile(r"^ *[0-9]+[-.][0-9]+ *(?:[\t ]|$)", re.MULTILINE)
"""The number of a row that is no word: of several words (``3-4``) or of none (``8.1``)."""
_ODD = rf"#|{DOCSTART}[ \t\n]|[0-9]+[-.][0-9]+[ \t\n]"
"""The beginning of a line that may be no word."""
PIECE = 4096
"""How many lines are taken at once, at most; then equal cells share one string."""
_ERRORS = {"", "S", "D", "I"}
"""The values of the third column of an aligned file."""


def recognise(head: Head) -> str:
    is_named = head.line.startswith(f"{HEADER}\t") or _NAMES.match(head.line)
    is_webanno = head.line.startswith("#FORMAT=")
    is_tagged = _TAGGED.search(head.text) or _BLANKS.match(head.text)
    return "columns" if is_named or not is_webanno and is_tagged else ""


def read_columns(file: File) -> Documents:
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
    | word, …, tag | `conll` | the file, or `file-1`, `file-2` … that `-DOCSTART-` begins |
    | number, word, …, tag | `conll` | the same |
    | `TOKEN`, … | `hipe` | each part that `# document_id = …` begins, else the file |
    | `word|POS|tag` or `word|tag`, a sentence on each line, as in spaCy | | the file |
    | number, word, tag, inner tag, after `#` and a source | `germeval` | the file |
    | the ten columns of CoNLL-U | `conllu` | the file |
    | `# global.columns = …` | `conllup` | the same as `hipe` |

    If any line of a file has a tab, tabs separate the columns of all its lines, and a column may be
    empty; otherwise spaces do. Three columns have the layout `evalita` if the second is constant in
    each part between empty lines and has not only tags. Ten columns with tabs are `conllu` if the
    first row begins with a number and does not end with a tag. In `hipe` and in `conllup` (CoNLL-U
    Plus), the first line names the columns and tabs separate them; in these two and in `conllu`,
    `_` in a column of tags is read as `O` and counted. An empty or blank line separates sentences
    or programmes; no entity extends over it.

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
    1␉Toyota␉B-ORG
    2␉in␉O
    3␉Europa␉B-LOC
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
    | `conlleval` | any tags, by the rules of [conll](schemes/conll.md#conll) |

    `--read tags=SCHEME` names the scheme. Otherwise sereval considers, for each column, the schemes
    that have all its tags. It takes the one with the fewest misplaced tags (such as `I` after `O`
    in `iob2`), or the first of several; a note names it. Misplaced tags are read as conlleval reads
    them, so none is lost; a note counts them and gives the first places. [`sereval
    check`](commands/files.md#check) lists each kind.

    **Several columns of tags** are the levels of one tree. `--columns` lists their names (or their
    numbers, from 1), the outermost first:

    ```hipe
    TOKEN␉NE-FINE-LIT␉NE-FINE-METO␉NE-FINE-COMP␉NE-NESTED␉MISC
    # language = fr
    # document_id = EXP-1918-04-22-a-i0077
    M␉B-pers.ind␉O␉B-comp.title␉O␉NoSpaceAfter
    .␉I-pers.ind␉O␉I-comp.title␉O␉_
    Thibaudeau␉I-pers.ind␉O␉B-comp.name␉O␉_
    à␉O␉O␉O␉O␉_
    Berne␉B-loc.adm.town␉B-org.adm␉O␉O␉_
    ```

    `--columns NE-FINE-METO,NE-FINE-LIT,NE-FINE-COMP,NE-NESTED` makes one tree: `comp.title` and
    `comp.name` are inside `pers.ind`, and `org.adm` is around `loc.adm.town`. The spans decide
    which element is inside which; of elements on the same words, the one whose column is listed
    first is around the other. A note gives the number of elements of each column. Columns that are
    not listed are ignored and may be empty. `--hyp-columns` names those of HYP; `sereval score FILE
    --columns gold,pred` scores the last column of conlleval's input against the one before it.

    Without `--columns`, the tags are

    * in `hipe`, all columns but the first, if they are called `LEVEL-1`, `LEVEL-2` and so on, the
      names that `sereval convert` writes; otherwise a file with more than one column besides the
      words is refused, with the list of its columns;
    * in `conllu` and `conllup`, the column called `NER` or `…:NER`; a note names it. Without it,
      the rule of `hipe` applies;
    * in `germeval`, both columns of tags, the outer one first; the source stands after a tab, or
      after a blank in a line with a date such as `[2009-08-13]`;
    * in the other layouts, the last column.

    Also refused: a line with another number of columns than the first; number, word and two columns
    of tags without sources and without `--columns`, because these may be two levels or two
    annotations; an empty cell, unless `--read cells=fill` reads it as the word `_` or the tag `O`;
    a programme or `document_id` that occurs again
    after another; an aligned file of [`evalita2011`](schemes/conll.md#evalita2011), whose lines
    have words of two documents.
    """
    table = _table(file)
    schemes = {k: _scheme(table, k) for k in _chosen(table)}
    frontiers, name = pairwise([*table.begins, (table.size, 0, "")]), file.id
    for number, ((start, line, id), (end, *_)) in enumerate(frontiers, 1):
        document = _document(table, schemes, start, end, id or f"{name}-{number}")
        file.here = line
        yield document
        file.here = None


# --- the rows ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Table:
    """The words of a file, row by row, and what its layout says of them."""

    file: File
    width: int
    where: str  # what says the width, for messages
    gap: str = "\t"  # between columns
    names: tuple[str, ...] = ()  # of columns, if the file has them
    is_numbered: bool = False  # the first column numbers the words
    is_counted: bool = False  # so the reader took the second column for the words
    word: int = 0  # the column of the words
    # the columns of tags if the user names none; empty: the user must
    tags: list[int] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)  # row after row
    # the rows that are on no line right after the row before, and how far their line is from them
    moves: list[int] = field(default_factory=list)
    ahead: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])  # the rows at which sentences begin
    # of each document, its first row, its line and its id
    begins: list[tuple[int, int, str]] = field(default_factory=list)
    # rows without words: the row after each, its line, its cells
    skipped: list[tuple[int, int, list[str]]] = field(default_factory=list)
    filled: list[int] = field(default_factory=list)  # rows whose word or tag was empty
    silent: list[int] = field(default_factory=list)  # rows with a tag without value

    def fill(self, header: int = 0) -> None:
        """Add the words of all lines below the header."""
        text = self.file.text.replace("\r\n", "\n")
        text = "".join([*text.split("\n", header)[header:], "\n"])
        # no ``++`` around a group: before Python 3.11.5, what it matches may end in a wrong place
        row = self.gap.join([r"\S+"] * self.width)
        regular, line = rf"(?:(?!{_ODD}){row}\n\n?){{1,{PIECE}}}", header + 1
        for found in re.finditer(rf"{regular}|(.*)\n", text):
            if found[1] is None:
                self._add_all(found[0], line)
            else:
                self.add(line, found[1], _cells(found[1], self.gap))
            line += found[0].count("\n")
        self.end()
        self.starts.pop()

    def _add_all(self, text: str, line: int) -> None:
        """Add lines among which none is odd, faster than one by one."""
        row = self.size
        self.cells += map(intern, text.split())
        *sentences, _ = text.split("\n\n")
        self._place(row, line)
        for sentence in sentences:
            row += (count := sentence.count("\n") + 1)
            line += count + 1
            self.starts.append(row)
            self._place(row, line)

    def add(self, line: int, text: str, row: list[str]) -> None:
        """Add a line, which may be no row."""
        if not row:
            self.end()
        elif not self.names and _is_mark(row):
            self._begin(line)
        elif text[0] == "#" and self._is_comment(text, row):
            if self.names and (found := _DOCUMENT.fullmatch(row[0])):
                self._begin(line, found[1])
        elif len(row) != self.width:
            message = f"columns: found {len(row)}, expected {self.width}{self.where}"
            raise self.file.error(message, line)
        elif self.is_numbered and _SKIPPED.match(text):
            self.skipped.append((self.size, line, row))
        else:
            self._place(self.size, line)
            self.cells += map(intern, row)

    def _place(self, row: int, line: int) -> None:
        """Keep the line of a row and of those that follow on it."""
        if self.ahead[-1:] != [line - row]:
            self.moves.append(row)
            self.ahead.append(line - row)

    def line(self, row: int) -> int:
        """The line of a row."""
        return row + self.ahead[bisect_right(self.moves, row) - 1]

    @property
    def size(self) -> int:
        """The number of its rows."""
        return len(self.cells) // self.width

    def _is_comment(self, text: str, row: list[str]) -> bool:
        """Whether a line with ``#`` is a comment; a row that ends with a tag is not."""
        if self.names:
            return len(row) == 1
        if self.starts[-1] < self.size:
            return False  # inside a sentence
        if self.is_numbered:
            return True
        if self.gap == "\t" and len(row) > 1:
            return False
        signs = (len(row) != self.width, not _TAG.fullmatch(row[-1]))
        return any(signs) if _KEY.match(text) else all(signs) and text.startswith("# ")

    def end(self) -> None:
        """End a sentence."""
        if self.starts[-1] != self.size:
            self.starts.append(self.size)

    def _begin(self, line: int, id: str = "") -> None:
        """Begin a document."""
        self.end()
        self.begins.append((self.size, line, id))

    def breaks(self, start: int, end: int) -> tuple[int, ...]:
        """The frontiers at which sentences begin in some rows, without the first."""
        inside = slice(bisect_right(self.starts, start), bisect_left(self.starts, end))
        return tuple([k - start for k in self.starts[inside]])

    def column(self, k: int, start: int = 0, end: int | None = None) -> list[str]:
        """A column from top to bottom, or some rows of it."""
        end = self.size if end is None else end
        return self.cells[start * self.width + k : end * self.width : self.width]

    def name(self, k: int) -> str:
        """The name of a column in messages."""
        return self.names[k] if self.names else str(k + 1)

    def has_only_tags(self, k: int) -> bool:
        return all(map(_TAG.fullmatch, {*self.column(k)}))

    def place(self, name: str) -> int:
        """The index of a column, from its name or its number from 1."""
        places = {str(k + 1): k for k in range(self.width)}
        names = self.names or (*places,)
        if not self.names:  # as conlleval's input has them
            places |= {"gold": self.width - 2, "pred": self.width - 1}
        places |= {one: k for k, one in enumerate(names)}
        if name not in places:
            raise SerevalError(f"no column {quote(name)}, expected {', '.join(names)}")
        return places[name]

    def place_of_words(self) -> int | None:
        """The index of the column of the words; ``None``: the user named none."""
        asked = self.file.options.columns
        found = [name.removeprefix(_WORD) for name in asked if name.startswith(_WORD)]
        if len(found) > 1:
            raise SerevalError(f"columns of words: found {len(found)}, expected one")
        return self.place(found[0]) if found else None


def requested(file: File) -> list[str]:
    """The columns of tags that the user named, by name or number."""
    return [name for name in file.options.columns if not name.startswith(_WORD)]


def _cells(line: str, gap: str) -> list[str]:
    """The cells of a line; a line of blanks has none."""
    edges = "\r" if gap == "\t" else " \t\r"
    row = [cell.strip(" ") for cell in line.strip(edges).split(gap)]
    found = [cell for cell in row if cell]
    return row if gap == "\t" and found else found


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
        table = _named(file, first.split("\t"), header)
    elif _is_piped(first):
        table = _piped(file, first)
    elif _NAMES.match(first):
        table = _named(file, first.partition("=")[2].split(), header)
    else:
        table = _unnamed(file)
    if not table.cells:
        raise SerevalError("no words found, expected lines such as 'Davide show B-PER'")
    _check_skipped(table)
    begins = table.begins
    if not begins:
        begins.append((0, table.line(0), file.id))
    elif begins[0][0] > 0 and table.names:
        raise file.error(
            "found a word ahead of the first # document_id, expected none: it belongs to no "
            "document",
            table.line(0),
        )
    elif begins[0][0] > 0:  # lines between documents
        begins.insert(0, (0, table.line(0), ""))
        if begins[-1][0] == table.size:
            begins.pop()
    return table


def _check_skipped(table: _Table) -> None:
    """Refuse a row that is no word but has the tag of an entity."""
    for _, line, (number, _, *cells) in table.skipped:
        tag = next((cell for cell in cells if cell != OUTSIDE and _TAG.fullmatch(cell)), None)
        if tag is not None:
            raise table.file.error(
                f"tag {quote(tag)} at {number}, which is no single word, expected it at words", line
            )


def _is_piped(line: str) -> bool:
    """Whether a line has words with their tags behind bars, as in spaCy's ``word|POS|TAG``."""
    cells = [token.split("|") for token in line.split()]
    return bool(cells) and all(len(one) in (2, 3) and _TAG.fullmatch(one[-1]) for one in cells)


def _piped(file: File, first: str) -> _Table:
    """A sentence on each line, its words with their tags behind bars."""
    width = first.split(maxsplit=1)[0].count("|") + 1
    table = _Table(file, width, " with | between them", "|", tags=[width - 1])
    for line, text in enumerate(file.text.split("\n"), 1):
        for token in text.split():
            table.add(line, token, token.rsplit("|", width - 1))
        table.end()
    table.starts.pop()
    return table


def _named(file: File, names: Sequence[str], header: int = 0) -> _Table:
    """HIPE, CoNLL-U and CoNLL-U Plus, whose columns have names."""
    table = _Table(file, len(names), " as in the header", names=tuple(names))
    word = table.place_of_words()
    if word is None:
        word = next((k for k, name in enumerate(names) if name in (HEADER, FORM)), None)
    if word is None or len(names) < 2 or len({*names}) < len(names) or "" in names:
        raise file.error(
            f"columns {', '.join(names)} found, expected two or more names, all different, with "
            f"{FORM}; or --columns {_WORD}NAME says which one has the words",
            header,
        )
    table.word, table.is_numbered = word, names[0] == NUMBER and word != 0
    table.fill(header)
    table.tags = [k for k, name in enumerate(names) if name.rpartition(":")[2] == NER]
    if table.names[1:] == _level_names(table.width - 1):
        table.tags = [*range(1, table.width)]
    elif len(table.tags) > 1:
        table.tags = []
    return table


def _unnamed(file: File) -> _Table:
    """EVALITA, CoNLL or GermEval, or the ten columns of CoNLL-U."""
    is_tabbed = "\t" in file.text and any(
        "\t" in text.strip(" \t\r") for text in file.text.split("\n")
    )
    gap, between = ("\t", " with a tab between them") if is_tabbed else (" ", "")
    line, first = _first(file, gap)
    is_universal = is_tabbed and len(first) == len(CONLLU) and not _TAG.fullmatch(first[-1])
    if is_universal and _NUMBER.fullmatch(first[0]):
        return _named(file, CONLLU)
    if len(first) < 2:
        raise file.error(f"columns: found {len(first)}, expected two or more{between}", line)
    make = partial(_Table, file, len(first), f"{between} as on line {line}", gap)
    table = make(is_numbered=True)
    word = table.place_of_words()
    may_count = word != 0 and len(first) > 2 and _FIRST.fullmatch(first[0])
    if not may_count or not _counts(table, word):
        table = make()
        table.fill()
    table.is_counted = table.is_numbered and word is None
    table.word = int(table.is_numbered) if word is None else word
    table.tags = [table.width - 1]
    if table.width == 5 and _ERRORS.issuperset(table.column(2)) and table.has_only_tags(1):
        raise SerevalError(
            "columns word, tag, error, word, tag found, which are an aligned file of evalita2011: "
            "two documents on each line, expected one"
        )
    if table.is_counted and table.width == 4:
        _germeval(table)
    elif not word and table.width == 3 and not table.begins:
        _evalita(table)
    return table


def _first(file: File, gap: str) -> tuple[int, list[str]]:
    """The first row and its line; one with ``#`` may be a comment, unless it ends with a tag."""
    for line, text in enumerate(StringIO(file.text, "\n"), 1):
        row = _cells(text.rstrip("\n"), gap)
        is_row = row and (text[0] != "#" or (_TAG.fullmatch(row[-1]) and not _KEY.match(text)))
        if is_row and not _is_mark(row):
            return line, row
    raise SerevalError("no words found, expected lines such as 'Davide show B-PER'")


def _counts(table: _Table, word: int | None) -> bool:
    """Whether the first column numbers the words, once the table is filled."""
    table.fill()
    numbers = table.column(0)
    if not numbers or not all(map(_NUMBER.fullmatch, numbers)):
        return False
    base = numbers[0]
    if word:
        return True
    # if the user names no column, they must count from 0 or 1, by sentence or through the file
    if base not in ("0", "1") or len(table.starts) == len(numbers):
        return False  # the only word of each sentence may be a number
    counted, expected = count(int(base)), list[str]()
    for start, end in pairwise([*table.starts, len(numbers)]):
        if numbers[start] == base:
            counted = count(int(base))
        expected += map(str, islice(counted, end - start))
    if numbers == expected:
        return True
    if any(numbers[start] != base for start in table.starts):
        return False
    k = next(k for k, number in enumerate(expected) if numbers[k] != number)
    raise table.file.error(
        f"found {quote(numbers[k])} in the first column, which has numbers alone, expected "
        f"{expected[k]} if they count the words; --columns {_WORD}NUMBER says which column has the "
        "words",
        table.line(k),
    )


def _germeval(table: _Table) -> None:
    """Number, word and two levels of tags, if the sentences have sources."""
    if _SOURCE.search(table.file.text):
        table.tags = [2, 3]
    elif (
        not requested(table.file)
        and table.has_only_tags(2)
        and table.has_only_tags(3)
        and {*table.column(2)} != {OUTSIDE}
    ):
        raise SerevalError(
            "columns 3 and 4 have tags, and no line '#' with the source of a sentence: two levels, "
            "as in GermEval, or two annotations? expected --columns 3,4 or one of them"
        )


def _evalita(table: _Table) -> None:
    """Word, programme and tag, if each sentence has one programme; a programme is a document."""
    column = table.column(1)
    is_one = "" not in column and all(
        column[start:end].count(column[start]) == end - start
        for start, end in pairwise([*table.starts, len(column)])
    )
    if not is_one or len(table.starts) == len(column) or table.has_only_tags(1):
        return  # one word decides nothing, and tags name no programme
    if table.is_counted:
        raise SerevalError(
            "the first column counts and the second is the same throughout: number and word, or "
            f"word and programme? expected --columns {_WORD}2 or {_WORD}1"
        )
    seen = set[str]()
    for id, (start, *_) in groupby(table.starts, column.__getitem__):
        line = table.line(start)
        if id in seen:
            raise table.file.error(
                f"programme {quote(id)} is taken up again, expected its words in one place", line
            )
        table.begins.append((start, line, id))
        seen.add(id)


# --- the tags ------------------------------------------------------------------------------------


def _chosen(table: _Table) -> list[int]:
    """The columns of tags: those that the user names, or those of the layout."""
    file, asked = table.file, requested(table.file)
    others = [k for k in range(table.width) if k != table.word]
    found = [*map(table.place, asked)] or table.tags or others
    if found is others and len(others) > 1:
        raise SerevalError(
            f"columns {', '.join(map(table.name, others))} found, expected a choice of those with "
            "the tags, the outermost first: --columns NAME,NAME,…"
        )
    for at, k in enumerate(found):
        if k in (table.word, *found[:at]):
            raise SerevalError(
                f"column {table.name(k)} has the words or is asked for twice, expected another one "
                "with the tags"
            )
    for k in (table.word, *found):
        column, is_word = table.column(k), k == table.word
        nothing = {"", NOTHING} if table.names and not is_word else {""}
        odd = nothing.intersection(column)
        if "" in odd and file.policy("cells") != "fill":
            instead = f", or {NOTHING} where there is nothing" if table.names else ""
            expected = "a word" if is_word else f"a tag{instead}"
            raise file.error(
                f"column {table.name(k)} is empty, expected {expected}; {file.hint('cells')}",
                table.line(column.index("")),
            )
        for row in [row for row, cell in enumerate(column) if cell in odd] if odd else ():
            (table.silent if column[row] else table.filled).append(row)
            table.cells[row * table.width + k] = NOTHING if is_word else OUTSIDE
    return found


def _scheme(table: _Table, k: int) -> tuple[str, int]:
    """The scheme of the tags of a column, and whether some may be misplaced."""
    tags, breaks = table.column(k), table.breaks(0, table.size)
    try:
        return scheme_of(table.file, tags, breaks, table.line)
    except InputError as error:
        others = {*range(table.width)} - {table.word, k}
        tagged = [table.name(one) for one in sorted(others) if table.has_only_tags(one)]
        advice = f"--columns {tagged[0]} has tags" if tagged else "--columns names another column"
        if tags[1:] and all(map(_TAG.fullmatch, tags[1:])) and not _TAG.fullmatch(tags[0]):
            advice = f"or delete line {table.line(0)} if it names the columns"
        raise table.file.error(f"{error.message}, {advice}", error.line) from None


def _document(
    table: _Table, schemes: dict[int, tuple[str, int]], start: int, end: int, id: str
) -> Document:
    """The document of one column, or the tree of several, from some rows."""
    file, notes, spans = table.file, _notes(table, schemes, start, end), list[Span]()
    words, breaks = table.column(table.word, start, end), table.breaks(start, end)
    for k, (scheme, wrong) in schemes.items():
        column = f" of column {table.name(k)}"
        of = column if file.options.columns or table.names or len(schemes) > 1 else ""
        own = Tags(tuple(table.column(k, start, end)), breaks, scheme)
        tags = read_tags(file, own, wrong, lambda row: table.line(start + row), notes, of)
        notes.chosen(file, f"elements{column}", len(tags.elements))
        if len(schemes) == 1:
            every = notes.all()
            return Document(
                id, tuple(words), tags.elements, None, breaks, file.path, every, tags=tags
            )
        spans += [
            Span(e.label, e.start, e.end, e.line, f"{e.label}{column}") for e in tags.elements
        ]
    return document_of_spans(file, id, words, spans, notes, breaks=breaks)


def _notes(table: _Table, levels: Iterable[int], start: int, end: int) -> Notes:
    """Notes on the words of a document: their column, and skipped rows."""
    found = Notes()
    if table.is_counted:
        word = table.name(table.word)
        found.add(f"words, taken from column {word}, as the first counts them", end - start)
    if (table.is_counted or FORM in table.names) and not requested(table.file):
        names = [*map(table.name, levels)]
        of = f"of column{'s' * (len(names) > 1)} {' and '.join(names)}"
        found.add(f"words, with the tags {of}, as none was named", end - start)
    skipped = sum(start <= row < end or row == end == table.size for row, *_ in table.skipped)
    found.add("rows of several words or of none (3-4, 8.1), skipped", skipped)
    filled, silent = (sum(start <= k < end for k in rows) for rows in (table.filled, table.silent))
    found.add(f"empty cells, read as {NOTHING} or {OUTSIDE}", filled, "cells=fill")
    found.add(f"tags {NOTHING}, read as {OUTSIDE}", silent)
    return found


# --- writing -------------------------------------------------------------------------------------


def write_columns(document: Document, lost: Notes, tags: str = "iob2") -> str:
    """The file of a document; a tree has a column for each level."""
    check_words(document, "column", rf"\s|^\ufeff|^{DOCSTART}$", r"\s")
    inside = {k for element in document.elements for k in range(element.start + 1, element.end)}
    breaks = {*document.breaks} - inside
    nesting = depths([element.parent for element in document.elements])
    levels: list[list[Element]] = [[] for _ in range(max(nesting, default=1))]
    for depth, element in zip(nesting, document.elements, strict=True):
        levels[depth - 1].append(element)
    columns = [spell_tags(level, len(document.words), tags, breaks) for level in levels]
    header, gap = "", " "
    if len(levels) > 1:
        # the reader recognises this line
        header, gap = "\t".join([HEADER, *_level_names(len(levels))]) + "\n", "\t"
    rows = zip(document.words, *columns, strict=True)
    text = "".join("\n" * (k in breaks) + gap.join(row) + "\n" for k, row in enumerate(rows))
    lost.add(PARTS["breaks"], len(document.breaks) - len(breaks))
    return header + text


def _level_names(count: int) -> tuple[str, ...]:
    """The names of the columns of a tree, the outermost first; they are read by default."""
    return tuple(f"LEVEL-{k}" for k in range(1, count + 1))
