"""The layout of a file of columns, its rows, and its documents.

There are six layouts, which the reader detects from the content:

``evalita``: ``word programme tag``, or ``word programme`` without tags; a programme is a document;
``conll``: ``word … tag``; the file is a document, or each part that a ``-DOCSTART-`` line begins;
``hipe``: a first line ``TOKEN …`` with the names of the columns, tabs between the columns, and
comments; each ``# document_id = …`` begins a document, else the file is one;
``conllup``: the same with a first line ``# global.columns = …``, as in CoNLL-U Plus;
``conllu``: the ten columns of CoNLL-U. In it and in ``conllup`` each key of the column ``MISC``
whose values are tags (``name=B-PER``) is a column too, ``MISC:name``;
``germeval``: number, word and the tags of two levels; before each sentence ``#`` and its source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from ..documents.notes import Note
from ..documents.tags import OUTSIDE
from .column_rows import DOCSTART, TAG, WORD, Form, Passage, without_spans, words
from .file import File as Source
from .file import quote

HEADER = "TOKEN"
NUMBER, FORM, NER = "ID", "FORM", "NER"
"""Names of columns of ``conllup``: the number of the token, the word, the tags."""
MISC = "MISC"
"""Name of the column of keys and values."""
CONLLU = (NUMBER, FORM, "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", MISC)
"""Names of the columns of CoNLL-U."""
NOTHING = "_"
"""An empty cell in a file whose columns have names."""
LEVEL = "LEVEL"
"""Beginning of the names of columns of ``hipe`` that are levels of trees; a number follows it. They
are read unless the user names other columns."""

_DOCUMENT = re.compile(r"#\s*(?:\S+:)?document_id\s*=\s*(\S.*)")
_SOURCE = re.compile(r"^#(?:\t[^\t\r\n]| [^\r\n]*\[[0-9]{4}-[0-9]{2}-[0-9]{2}\])", re.MULTILINE)
"""The comment of GermEval: the source of a sentence, most often with a date."""
_NAMES = re.compile(r"#[ ]*global\.columns[ ]*=[ ]*(.*)")
_NUMBER = re.compile(r"[0-9]+(?:[-.][0-9]+)?$")
_ERRORS = frozenset({"", "S", "D", "I"})
"""The values of the third column of an aligned file."""


DocumentGroup = tuple[int, str, list[Passage]]
"""A document: its first line, its id and its parts."""


class ColumnTable(NamedTuple):
    """A file of columns.

    Args:
        source: the file.
        layout: ``evalita``, ``conll``, ``germeval``, ``hipe``, ``conllup`` or ``conllu``.
        names: names of the columns, if the file has them.
        groups: its documents.
        has_docstart: whether ``-DOCSTART-`` lines separate the documents.
        word: index of the column of the words.
        is_numbered: whether the reader found that column by the numbers before it.
    """

    source: Source
    layout: str
    names: tuple[str, ...]
    groups: list[DocumentGroup]
    has_docstart: bool = False
    word: int = 0
    is_numbered: bool = False

    @property
    def parts(self) -> list[Passage]:
        """The parts of all documents."""
        return [part for _, _, parts in self.groups for part in parts]

    @property
    def first(self) -> Passage:
        """The first part with words."""
        return next(part for part in self.parts if part.cells)

    @property
    def is_bare(self) -> bool:
        """Whether the words have no tags."""
        return self.layout == "evalita" and self.first.width == 2

    def chosen(self) -> list[int]:
        """Indices of the columns of tags: requested, known by their names, or the last column.

        Raises:
            InputError: no such column; a column that is requested twice, has the words or has an
                empty cell; no column is requested, and several have names.
        """
        others = tuple(name for k, name in enumerate(self.names) if k != self.word)
        requested = requested_tags(self.source) or self._known_columns() or others
        if requested is others and len(others) > 1:
            raise self.source.error(
                f"columns {', '.join(others)} found, expected a choice of those with the tags, the "
                "outermost first: --columns NAME,NAME,…"
            )
        default = [2, 3] if self.layout == "germeval" else [self.first.width - 1]
        found = [self._column(name) for name in requested] or default
        twice = next((k for at, k in enumerate(found) if k in found[:at]), None)
        if twice is not None:
            raise self.source.error(
                f"column {quote(requested[found.index(twice)])} is asked for twice"
            )
        if self.word in found:
            raise self.source.error(
                f"column {self.name(self.word)} has the words, expected another one with the tags"
            )
        self._refuse_empty(found)
        return found

    def _known_columns(self) -> tuple[str, ...]:
        """The columns that have tags according to their names."""
        levels = self.names[1:]
        if levels == level_names(len(levels)):
            return levels
        if self.layout not in ("conllup", "conllu"):
            return ()
        found = tuple(name for name in self.names if name.rpartition(":")[2] == NER)
        keys = tuple(name for name in self.names if name.startswith(f"{MISC}:"))
        return next((one for one in (found, keys) if len(one) == 1), ())

    def _refuse_empty(self, chosen: Sequence[int]) -> None:
        """Refuse an empty cell in a column of tags; other columns may have empty cells."""
        nothing = f", or {NOTHING} where there is nothing" if self.names else ""
        for k in chosen:
            for part in self.parts:
                if "" in (column := part.column(k)):
                    raise self.source.error(
                        f"column {self.name(k)} is empty, expected a tag{nothing}",
                        part.numbers[column.index("")],
                    )

    def _column(self, name: str) -> int:
        """The index of a column, from its name or its number from 1."""
        return _place(self.source, name, self.names, self.first.width, self.word)

    def columns_of_tags(self) -> list[str]:
        """The columns that contain only tags, for a message."""
        return [
            self.name(k)
            for k in range(self.first.width)
            if k != self.word and all(map(TAG.fullmatch, self.column(self.parts, k)))
        ]

    def notes(self, parts: Sequence[Passage], k: int) -> tuple[Note, ...]:
        """Notes on the words of a document: their column, and skipped rows.

        Args:
            parts: the parts of the document.
            k: index of the column of the tags.
        """
        words = sum(len(part.numbers) for part in parts)
        skipped = sum(part.skipped for part in parts)
        is_known = self.is_numbered or self.layout in ("conllup", "conllu")
        of_tags = f"column {self.name(k)}" if self.layout != "germeval" else "columns 3 and 4"
        choices = (
            (
                self.is_numbered,
                f"taken from column {self.name(self.word)}, as the first counts them",
            ),
            (
                is_known and not requested_tags(self.source),
                f"with the tags of {of_tags}, as none was named",
            ),
        )
        spans = [Note("rows of several words or of none (3-4, 8.1), skipped", skipped)]
        return (
            *(Note(f"words, {what}", words) for is_chosen, what in choices if is_chosen),
            *spans * (skipped > 0),
        )

    def name(self, k: int) -> str:
        """The name of a column in messages."""
        return self.names[k] if self.names else str(k + 1)

    def silent(self, parts: Iterable[Passage], k: int) -> int:
        """The number of words with an empty cell in a column."""
        if not self.names:
            return 0
        return sum(part.column(k).count(NOTHING) for part in parts)

    def column(self, parts: Iterable[Passage], k: int) -> list[str]:
        """One column of several parts, from top to bottom."""
        return list(chain.from_iterable(part.column(k) for part in parts))

    def tags(self, parts: Iterable[Passage], k: int) -> list[str]:
        """A column of tags."""
        tags = self.column(parts, k)
        if not self.names:
            return tags
        return ["O" if tag == NOTHING else tag for tag in tags]


def level_names(count: int) -> tuple[str, ...]:
    """The names of columns that are levels of trees, the outermost first.

    >>> level_names(2)
    ('LEVEL-1', 'LEVEL-2')
    """
    return tuple(f"{LEVEL}-{k}" for k in range(1, count + 1))


def requested_tags(source: Source) -> tuple[str, ...]:
    """The columns of tags that the user named, by name or number.

    Args:
        source: the file, with its options.

    >>> from sereval.formats import ReadingOptions
    >>> requested_tags(Source("a.tsv", options=ReadingOptions(columns=("word=2", "NER"))))
    ('NER',)
    """
    return tuple(name for name in source.options.columns if not name.startswith(WORD))


def _column_of_words(source: Source, names: Sequence[str], width: int) -> int | None:
    """The index of the column of the words; ``None``: the user named none."""
    found = [name.removeprefix(WORD) for name in source.options.columns if name.startswith(WORD)]
    if len(found) > 1:
        raise source.error(f"columns of words: found {len(found)}, expected one")
    return _place(source, found[0], names, width) if found else None


def _place(
    source: Source, name: str, names: Sequence[str], width: int, without: int | None = None
) -> int:
    """The index of a column, from its name or its number from 1.

    Args:
        name: the name or number.
        names: names of the columns, if the file has them.
        width: number of columns.
        without: index of a column that must not be the result.
    """
    if name in names and names.index(name) != without:
        return names.index(name)
    places = {str(k + 1): k for k in range(width)}
    if (place := places.get(name.lstrip("0"))) is not None and place != without:
        return place
    numbers = f"a number from {1 + (without == 0)} to {width}"
    if without:
        numbers += f" but {without + 1}"
    others = ", ".join(each for k, each in enumerate(names) if k != without)
    expected = f"some of {others}, or {numbers}" if names else numbers
    raise source.error(f"no column {quote(name)}, expected {expected}")


def table(source: Source) -> ColumnTable:
    """The layout, rows and documents of a file of columns.

    The layout is ``hipe`` or ``conllup`` if the first line is their header. It is ``evalita`` if
    there are two columns without a tag in the second, or three columns with the same second column
    throughout each part between empty lines. Otherwise it is ``conll``.

    Args:
        source: the file. Its option ``columns`` may name the column of the words as ``word=NAME``.

    Raises:
        InputError: another number of columns than on the first line; no words; an uncertain column
            of words; documents that cannot be separated; an aligned file of EVALITA.

    >>> text = "TOKEN\\tNE\\n# language = fr\\n#\\t_\\nDol\\tB-loc"
    >>> table(Source("a.tsv", text=text)).first.cells
    ['#', '_', 'Dol', 'B-loc']
    """
    head = source.text.lstrip()
    if head.startswith(f"{HEADER}\t"):
        return _table_with_names(source, "hipe")
    if _NAMES.match(head):
        return _table_with_names(source, "conllup")
    form = Form.of(source.text)
    if _is_conllu(form):
        return _table_with_names(source, "conllu")
    return _table_without_names(source, form)


def _is_conllu(form: Form) -> bool:
    """Whether a file has the ten columns of CoNLL-U, the last of which has no tags."""
    if not form.is_tabbed or form.width != len(CONLLU) or not _NUMBER.match(form.first[0]):
        return False
    rows = (line.rstrip("\r").split("\t") for line in form.text.split("\n") if line[:1] != "#")
    return not any(TAG.fullmatch(row[-1]) for row in rows if len(row) == len(CONLLU))


def _table_without_names(source: Source, form: Form) -> ColumnTable:
    """The table of a file whose columns have no names."""
    requested = _column_of_words(source, (), form.width)
    parts, is_numbered = words(source, form, requested)
    if form.is_tabbed:
        _refuse_aligned(source, parts)
    layout = "conll" if requested else _layout(source, parts, is_numbered=is_numbered)
    if is_numbered and requested is None and layout == "evalita":
        raise source.error(
            "the first column counts and the second is the same throughout: number and word, or "
            f"word and programme? expected --columns {WORD}2 or {WORD}1"
        )
    word = int(is_numbered) if requested is None else requested
    for part in parts:
        if "" in (column := part.column(word)):
            where = part.numbers[column.index("")]
            raise source.error(f"no word in column {word + 1}, expected one", where)
    groups = (_programmes if layout == "evalita" else _documents)(source, parts)
    has_docstart = any(part.begins is not None for part in parts)
    return ColumnTable(
        source, layout, (), groups, has_docstart, word, is_numbered and requested is None
    )


def _table_with_names(source: Source, layout: str) -> ColumnTable:
    """The table of a file whose columns have names."""
    lines = ((number, text.rstrip("\r")) for number, text in source.lines())
    names: tuple[str, ...] = CONLLU
    if layout != "conllu":
        number, header = next((line for line in lines if line[1].strip()), (1, ""))
        names = _names(source, layout, header, number)
    word = _column_of_words(source, names, len(names))
    if word is None:
        word = 0 if layout == "hipe" else names.index(FORM)
    parts = _named_parts(source, lines, names, word)
    if layout != "hipe" and MISC in names:
        names = (*names, *_add_keys(source, parts, names.index(MISC)))
    if names[0] == NUMBER and word != 0:
        parts = [without_spans(source, part) for part in parts]
    if not any(part.cells for part in parts):
        raise source.error("no words found below the header, expected some")
    kept = [part for part in parts if part.cells or part.begins is not None]
    return ColumnTable(source, layout, names, _documents(source, kept, "# document_id"), word=word)


def _named_parts(
    source: Source, lines: Iterable[tuple[int, str]], names: Sequence[str], word: int
) -> list[Passage]:
    """The parts of a file whose columns have names."""
    parts = [Passage()]
    for number, text in lines:
        row = text.split("\t")
        if not text.strip():
            parts.append(Passage())
        elif text.startswith("#") and len(row) == 1:
            if found := _DOCUMENT.fullmatch(text):
                parts.append(Passage(begins=number, id=found[1].rstrip()))
        elif len(row) != len(names) or not row[word]:
            where = "the first column" if word == 0 else f"column {names[word]}"
            raise source.error(
                f"no word in {where}, expected one"
                if len(row) == len(names)
                else f"columns: found {len(row)}, expected {len(names)} as in the header",
                number,
            )
        else:
            parts[-1].add(row, number)
    return parts


def _add_keys(source: Source, parts: Sequence[Passage], misc: int) -> list[str]:
    """Add a column for each key of MISC whose values are all tags.

    Returns:
        The names of these columns, in alphabetical order.
    """
    of_part = [
        [
            _keys(source, cell, number)
            for cell, number in zip(part.column(misc), part.numbers, strict=True)
        ]
        for part in parts
    ]
    values: dict[str, set[str]] = {}
    for keys in chain.from_iterable(of_part):
        for key, value in keys.items():
            values.setdefault(key, set()).add(value)
    found = sorted(key for key, of_key in values.items() if all(map(TAG.fullmatch, of_key)))
    for part, of_word in zip(parts, of_part, strict=True) if found else ():
        rows = zip(part.rows(), of_word, strict=True)
        part.cells = [
            cell
            for row, keys in rows
            for cell in (*row, *(keys.get(key, NOTHING) for key in found))
        ]
    return [f"{MISC}:{key}" for key in found]


def _keys(source: Source, cell: str, number: int) -> dict[str, str]:
    """The keys of a cell of MISC, with their values."""
    items = [item.partition("=") for item in cell.split("|") if "=" in item]
    found = {key: value for key, _, value in items}
    if len(found) < len(items):
        raise source.error(f"{MISC} {quote(cell)} has a key twice, expected each once", number)
    return found


def _names(source: Source, layout: str, header: str, number: int) -> tuple[str, ...]:
    """The names of the columns, from the first line."""
    if layout == "hipe":
        names = tuple(header.split("\t"))
        is_header, expected = names[0] == HEADER, f"{HEADER} and the names of the other columns"
        between = ", with a tab between them"
    else:
        found = _NAMES.fullmatch(header)
        names = tuple(found[1].split()) if found else ()
        is_header, expected = len(names) > 1, "# global.columns = and the names of the columns"
        between = ""
    if not is_header or len(names) < 2 or len(set(names)) < len(names) or "" in names:
        raise source.error(
            f"found {quote(header)}, expected {expected}, all different{between}", number
        )
    if (
        layout == "conllup"
        and FORM not in names
        and _column_of_words(source, names, len(names)) is None
    ):
        raise source.error(
            f"columns {', '.join(names)} found, expected one called {FORM}; --columns {WORD}NAME "
            "says which one has the words",
            number,
        )
    return names


def _refuse_aligned(source: Source, parts: Sequence[Passage]) -> None:
    """Refuse the aligned file of EVALITA: each of its lines has the words of two documents."""
    if all(
        part.width == 5
        and _ERRORS.issuperset(part.column(2))
        and all(map(TAG.fullmatch, part.column(1) + part.column(4)))
        for part in parts
        if part.cells
    ):
        raise source.error(
            "columns word, tag, error, word, tag found, which are an aligned file of evalita2011: "
            "two documents on each line, expected one"
        )


# ----------------------------------------------------------------------------------- the documents


def _layout(source: Source, parts: Sequence[Passage], *, is_numbered: bool) -> str:
    """The layout of a file without names: ``evalita`` if its second column has programmes.

    A programme is the same throughout a part; the part of speech is not the same in a sentence.
    """
    width = next(part for part in parts if part.cells).width
    if is_numbered and width == 4:
        return _numbered_layout(source, parts)
    if any(part.begins is not None for part in parts) or width not in (2, 3):
        return "conll"
    if width == 2:
        has_tags = any(TAG.fullmatch(tag) for part in parts for tag in part.column(1))
        return "conll" if has_tags else "evalita"
    is_programme = all(len(set(part.column(1))) == 1 and part.cells[1] for part in parts)
    is_telling = any(
        len(part.numbers) > 1 for part in parts
    )  # a sentence of one word decides nothing
    return "evalita" if is_programme and is_telling else "conll"


def _numbered_layout(source: Source, parts: Sequence[Passage]) -> str:
    """The layout of number, word and two more columns: ``germeval`` if sentences have sources.

    Raises:
        InputError: both columns have tags of entities, and nothing says what they are.
    """
    if _SOURCE.search(source.text):
        return "germeval"
    both = [list(chain.from_iterable(part.column(k) for part in parts)) for k in (2, 3)]
    are_tags = all(all(map(TAG.fullmatch, tags)) for tags in both)
    if are_tags and {*both[0]} != {OUTSIDE} and not requested_tags(source):
        raise source.error(
            "columns 3 and 4 have tags, and no line '#' with the source of a sentence: two levels, "
            "as in GermEval, or two annotations? expected --columns 3,4 or one of them"
        )
    return "conll"


def breaks(parts: Iterable[Passage]) -> list[int]:
    """Frontiers at which the parts of a document begin, without the first.

    Args:
        parts: the parts of one document, or of a file.

    >>> breaks([Passage(["a", "b"], [1, 2]), Passage(["c"], [4])])
    [2]
    """
    ends: list[int] = []
    words = 0
    for part in parts:
        if part.cells and words:
            ends.append(words)
        words += len(part.numbers)
    return ends


def _programmes(source: Source, parts: Sequence[Passage]) -> list[DocumentGroup]:
    """The parts of each programme; an empty line inside a programme is a break."""
    groups: dict[str, DocumentGroup] = {}
    last = ""
    for part in parts:
        if part.begins is not None:
            raise source.error(f"{DOCSTART} found, expected a word and its programme", part.begins)
        line, id = part.numbers[0], part.cells[1]
        if not id:
            raise source.error("no programme in column 2, expected one", line)
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


def _documents(
    source: Source, parts: Sequence[Passage], mark: str = DOCSTART
) -> list[DocumentGroup]:
    """The file as one document, or the parts after each line that begins a document.

    If a word stands before the first ``-DOCSTART-``, these lines separate documents, and one at the
    end of the file begins none.
    """
    if not any(part.begins is not None for part in parts):
        return [(parts[0].numbers[0], source.id, list(parts))]
    if parts[0].begins is None:
        if mark != DOCSTART:
            raise source.error(
                f"found a word ahead of the first {mark}, expected none: it belongs to no document",
                parts[0].numbers[0],
            )
        parts = parts if parts[-1].cells else parts[:-1]
        parts[0].begins = parts[0].numbers[0]
    groups: list[DocumentGroup] = []
    for part in parts:
        if part.begins is not None:
            groups.append((part.begins, part.id or f"{source.id}-{len(groups) + 1}", []))
        if part.cells:
            groups[-1][2].append(part)
    return groups
