"""WebAnno TSV 3, which INCEpTION and WebAnno export: a token on each line, layers in columns.

``1-2<tab>3-6<tab>Dol<tab>*[1]<tab>LOC[1]<tab>``

The columns are the number of the token, its characters in UTF-16, the token, and the features of
the layers that the head of the file lists.

Source: the user guide of INCEpTION, "WebAnno TSV 3.3 file format".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..documents.characters import Characters
from ..documents.model import Document
from ..errors import SerevalError
from .layers import Annotation, document_of, requested
from .source import Source, quote
from .utf16 import UTF16, Utf16Text

HEAD = "#FORMAT=WebAnno TSV 3"

_LAYER = re.compile(r"#T_(SP|CH|RL)=([^|]*)\|(.*)")
_NUMBER = re.compile(r"([0-9]{1,9}-[0-9]{1,9})(\.[0-9]{1,9})?")
_PLACE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_ITEM = re.compile(r"((?:[^\\|\[\]]|\\.)+)(?:\[([0-9]{1,9})\])?")
_CELL = re.compile(rf"{_ITEM.pattern}(?:\|{_ITEM.pattern})*")
_ESCAPED = re.compile(r"\\(->|.)")
_NONE, _NULL = "_", "*"


class _Column(NamedTuple):
    """A feature of a layer, and whether it is a layer of spans."""

    layer: str
    feature: str
    is_span: bool


class _Row(NamedTuple):
    """A token, or a part of it, in the characters of the text that is made of all tokens."""

    line: int
    start: int
    end: int
    cells: list[str]


def parse(source: Source) -> list[tuple[int | None, Document]]:
    """The document of a file in WebAnno TSV 3.

    The policies ``crossing`` and ``equal`` apply.

    Args:
        source: the file; the document takes its id. Its option ``columns`` may name the layers and
            features to read, such as ``Entity.kind``; none: ``NamedEntity.value``.

    Returns:
        One document. Its words are the tokens; an annotation of a part of a token cuts it. A break
        stands between sentences.

    Raises:
        InputError: another format; no such layer or feature; another number of columns than the
            layers have; a token that is not as long as its characters; an annotation without the
            feature, or on tokens apart from each other; annotations that cross.
    """
    columns = _columns(source)
    wanted = _wanted(source, columns)
    text, tokens, rows = _text(source, 3 + len(columns))
    found = [one for at in wanted for one in _annotations(source, rows, 3 + at)]
    annotations = sorted(found, key=lambda one: (one.start, -one.end))  # stable
    read = {columns[at].layer for at in wanted}
    others = {column.layer: at for at, column in reversed([*enumerate(columns)]) if column.is_span}
    skipped = sum(
        len(_groups(source, rows, 3 + at)) for layer, at in others.items() if layer not in read
    )
    return [(None, document_of(source, text, annotations, tokens, skipped))]


# --- the head ------------------------------------------------------------------------------------


def _columns(source: Source) -> list[_Column]:
    """The columns after the token, from the head of the file."""
    columns: list[_Column] = []
    for number, line in source.lines():
        text = line.rstrip("\r")
        if number == 1 and not text.startswith(HEAD):
            raise source.error(f"found {quote(text)}, expected {HEAD}", 1)
        if text.startswith("#T_"):
            layer = _LAYER.fullmatch(text)
            if layer is None:
                raise source.error(
                    f"found {quote(text)}, expected a layer and its features", number
                )
            kind, name, features = layer.groups()
            columns += [_Column(name, one, kind == "SP") for one in features.split("|")]
        elif number > 1 and text.startswith("#Text="):
            break
    return columns


def _wanted(source: Source, columns: Sequence[_Column]) -> list[int]:
    """The places of the features to read."""
    found = []
    for layer, feature in requested(source):
        at = [
            k
            for k, one in enumerate(columns)
            if one.is_span and layer in (one.layer, one.layer.rpartition(".")[2])
            if one.feature.rpartition(".")[2] == feature
        ]
        if len(at) != 1:
            there = ", ".join(
                f"{one.layer.rpartition('.')[2]}.{one.feature}" for one in columns if one.is_span
            )
            raise source.error(
                f"no layer {layer} with the feature {feature}, expected one of {there or 'none'}: "
                "--columns LAYER.FEATURE names it"
            )
        found += at
    return found


# --- the tokens ----------------------------------------------------------------------------------


def _text(source: Source, width: int) -> tuple[str, list[Characters], list[_Row]]:
    """The tokens with blanks and line ends between them, the places of tokens, and the rows."""
    text = ""
    tokens: list[Characters] = []
    rows: list[_Row] = []
    token, first = Utf16Text(""), 0  # the last one, and its first character in the file
    begins = False
    for line, cells in _lines(source, width):
        if not cells:
            begins = bool(tokens)
            continue
        found, place = _NUMBER.fullmatch(cells[0]), _PLACE.fullmatch(cells[1])
        if found is None or place is None:
            raise source.error(
                f"found {quote(' '.join(cells[:2]))}, expected a number and characters such as "
                "1-2 3-6",
                line,
            )
        start, end = int(place[1]), int(place[2])
        word = Utf16Text(_plain(cells[2]))
        if end - start != word.longest or not cells[2].strip():
            raise source.error(
                f"{quote(cells[2])} has {word.longest} characters, expected a token of the "
                f"{end - start} from {start} to {end}",
                line,
            )
        if not found[2]:
            text += ("\n" if begins else " ") * bool(tokens)
            tokens.append((len(text), len(text) + len(word.text)))
            text, token, first, begins = text + word.text, word, start, False
        try:
            inside = token.between((start - first, end - first), UTF16)
        except SerevalError as error:
            raise source.error(str(error), line) from None
        if not tokens or token.text[slice(*inside)] != word.text:
            raise source.error(f"{quote(word.text)} is no part of the token before", line)
        at = tokens[-1][0]
        rows.append(_Row(line, at + inside[0], at + inside[1], cells))
    if not tokens:
        raise source.error("no token found below the layers, expected some")
    return text, tokens, rows


def _lines(source: Source, width: int) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line of a token; none at the beginning of a sentence."""
    for number, line in source.lines():
        text = line.rstrip("\r")
        if text.startswith("#Text="):
            yield number, []
        elif text and not text.startswith("#"):
            cells = text.removesuffix("\t").split("\t")
            if len(cells) != width:
                raise source.error(
                    f"found {len(cells)} columns, expected {width} by the layers of the head",
                    number,
                )
            yield number, cells


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda found: found[1], text)


# --- the annotations -----------------------------------------------------------------------------


def _groups(source: Source, rows: Sequence[_Row], at: int) -> list[tuple[str, list[_Row]]]:
    """The values of a column, each with the rows of its annotation."""
    found: dict[str, tuple[str, list[_Row]]] = {}
    for row in rows:
        cell = row.cells[at]
        if cell == _NONE:
            continue
        if not _CELL.fullmatch(cell):
            raise source.error(
                f"found {quote(cell)}, expected values such as PER or PER[1]", row.line
            )
        for k, (value, number) in enumerate(_ITEM.findall(cell)):
            group = found.setdefault(number or f"{row.line}.{k}", (value, []))
            if group[0] != value:
                raise source.error(
                    f"annotation {number} is {quote(value)} here, expected {quote(group[0])}",
                    row.line,
                )
            group[1].append(row)
    return list(found.values())


def _annotations(source: Source, rows: Sequence[_Row], at: int) -> Iterator[Annotation]:
    """The annotations of a column, in the order of their first rows."""
    order = {row.line: k for k, row in enumerate(rows)}
    for value, group in _groups(source, rows, at):
        first, last = group[0], group[-1]
        if value == _NULL:
            raise source.error("an annotation without a value here, expected one", first.line)
        if not _is_whole(rows[order[first.line] : order[last.line] + 1], group):
            raise source.error(
                f"{_plain(value)} stands on tokens apart from each other, expected them together",
                first.line,
            )
        end = max(row.end for row in group)
        yield Annotation(_plain(value), min(row.start for row in group), end, first.line)


def _is_whole(between: Sequence[_Row], group: Sequence[_Row]) -> bool:
    """Whether an annotation shares characters with each row from its first to its last."""
    taken = {row.line for row in group}
    return all(
        row.line in taken or any(one.start < row.end and row.start < one.end for one in group)
        for row in between
    )
