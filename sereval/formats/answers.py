"""Answers of language models: entities as JSON, table or list, with prose around them.

A file is one answer, or JSON lines ``{"id": …, "answer": …}``. An answer has no words; its entities
are mentions. The reader takes the first of these forms that the answer has:

* JSON, in a fence or in prose: objects with a label and a text, pairs of a label and a text, or an
  object that maps labels to texts. Trailing commas, single quotes, comments and keys without quotes
  are read as JSON5 has them.
* The rows of tables in Markdown that have a column of labels and one of texts.
* Lines ``LABEL: text``, as items of a list or not, and items below a line ``LABEL:``. Lines such as
  ``label: PER`` and ``text: Paris`` are the members of objects.

All else is left out, and notes count it, with the places. An answer that has none of these, that
breaks off inside its JSON or that has two lists is refused, or taken as empty by the policy
``unreadable=empty``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..documents.checks import limited_depth
from ..documents.model import Document, Mention
from ..documents.notes import Note, Place
from ..errors import SerevalError, one_line
from .file import File as Source
from .file import quote
from .find import Head
from .records import Record, load, whole

READ = "entities of answers, read from {}"
LEFT = "pieces of answers, not read"
NONE = "labels without a text, as answers say"
UNREADABLE = "answers that cannot be read, taken as empty"

LABELS = ("label", "type", "entity_type", "entity_group", "category", "class", "tag")
TEXTS = ("text", "mention", "value", "span", "word", "filler", "name", "entity")
"""Keys of objects and heads of columns, without case. ``entity`` is the label if there is another
key of a text and none of a label."""

WRAPPERS = ("entities", "mentions", "named_entities", "ner", "results", "annotations", "answer")
"""Keys of an object under which its entities stand."""

NOTHING = ("none", "n/a", "null", "-", "–", "—")
"""Texts in lines and tables that say that there is no entity."""

_LABEL = r"[^\W\d][\w./&-]*"
_START = re.compile(r"""[\[{](?=\s*["'\[{\]}])|\{(?=\s*[^\W\d][\w$]*\s*:)""")
_FENCE = re.compile(r"\s*+(```|~~~)\s*+[\w-]*+\s*+")
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_ITEM = re.compile(r"\s*(?:[-*•+]|\d+[.)])\s+(.*)")
_PAIR = re.compile(rf"(?:\*\*|`)?({_LABEL})(?:\*\*|`)?\s*:(?:\*\*)?\s*(.*)")
_RULE = re.compile(r"\s*+\|?\s*+:?-++:?\s*+(\|\s*+:?-++:?\s*+)*+\|?\s*+")
_NEXT = re.compile(rf"[,;|]\s+(?=(?:\*\*|`)?{_LABEL}(?:\*\*|`)?\s*:(?:\*\*)?\s)")
"""What stands before another label on the same line."""
_TAGS = re.compile(r"<([^\W\d][\w.-]*)>[^<]*</\1>")
_HTML = ("a", "b", "br", "code", "em", "i", "li", "mark", "p", "span", "strong", "sub", "sup", "u")
_CELL = re.compile(r"(?<!\\)\|")
_MARKS = "*_`\"'“”«» "


class UnreadableAnswer(SerevalError):
    """An answer whose entities cannot be read."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class _Answer(NamedTuple):
    """What is read of an answer, and the places of what is not.

    Args:
        form: the form of the entities, for a note.
        mentions: the entities.
        none: the number of labels that the answer gives without a text.
        left: the pieces that are not read.
    """

    form: str
    mentions: tuple[Mention, ...]
    none: int
    left: tuple[Place, ...]


def recognise(head: Head) -> str:
    return "answers" if head.has("id answer") else ""


def read_answers(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a file of answers, with mentions and without words.

    Args:
        source: the file. If its first line is an object with the key ``answer``, each line is one.

    Returns:
        A document for each answer; with its line if the file has lines of answers.

    Raises:
        InputError: a line that is not JSON, or has other keys; an answer that cannot be read,
            unless the policy ``unreadable`` is ``empty``.

    >>> [(_, show)] = read_answers(Source("a.answer", text="Sure:\\n- PER: Ada\\n- LOC: Dol\\n"))
    >>> show.mentions[0], str(show.notes[1].places[0])
    (Mention(label='PER', text='Ada'), "'Sure:' at a.answer:1")
    """
    if not _has_lines(source.text):
        return [(None, _document(source.id, source.text, source, 1))]
    found: list[tuple[int | None, Document]] = []
    for line, text in source.lines():
        if text.strip(" \t\r"):
            try:
                record = Record(load(text), "answer")
                record.only(("id", "answer"))
                id, answer = record.string("id"), record.string("answer")
                found.append((line, _document(id, answer, source, line, is_line=True)))
            except SerevalError as error:
                raise source.located(error, line) from None
    return found


def _has_lines(text: str) -> bool:
    """Whether a file has an answer on each line."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    return bool(re.match(r'\s*\{\s*"(?:id|answer)"\s*:', first)) and '"answer"' in first


def _document(id: str, text: str, source: Source, first: int, *, is_line: bool = False) -> Document:
    """The document of one answer, whose text begins in line ``first`` of the file."""

    def place(piece: str, line: int) -> Place:
        at = first if is_line else line
        return Place(quote(piece), one_line(f"{os.path.basename(source.path)}:{at}"), at)

    try:
        found = _read(text, place)
    except UnreadableAnswer as error:
        if source.policy("unreadable") != "empty":
            at = first if is_line else error.line
            raise source.error(f"{error}; --unreadable empty takes it as empty", at) from None
        note = Note(UNREADABLE, 1, "unreadable=empty", (place(text.strip(), first),))
        return Document(id, (), source=source.path, mentions=(), notes=(note,))
    notes = (
        Note(READ.format(found.form), len(found.mentions)),
        Note(NONE, found.none),
        Note(LEFT, len(found.left), places=found.left),
    )
    return Document(
        id,
        (),
        source=source.path,
        mentions=found.mentions,
        notes=tuple(note for note in notes if note.count),
    )


_PlaceOf = Callable[[str, int], Place]
"""Makes the place of a piece of an answer from its text and its line in the answer."""


def _read(text: str, place: _PlaceOf) -> _Answer:
    """The entities of an answer.

    Raises:
        Unreadable: there are none, nor the statement that there are none.
    """
    plain = _THOUGHT.sub(lambda found: _blank(found[0]), text)
    values, prose = _values(plain)
    left = [place(line, k) for k, line in _thoughts(text, plain)]
    if values:
        kept = _one_list(values)
        pieces = _Pieces(one.value for one in kept)
        if pieces.left and not pieces.mentions and not pieces.says_none:
            raise UnreadableAnswer(
                "found JSON without labels and texts, expected entities", kept[0].line
            )
        left += [place(piece, kept[0].line) for piece in pieces.left]
        left += [place("the same list again", one.line) for one in values[len(kept) :]]
        left += [place(line, k) for k, line in _lines(prose)]
        return _answer("JSON", pieces.mentions, pieces.none, left)
    rows = _Rows(_lines(plain))
    if not rows.mentions and not rows.none:
        raise UnreadableAnswer(
            "found neither JSON nor a table nor lines such as PER: Paris, expected entities", 1
        )
    left += [place(line, k) for k, line in rows.left]
    return _answer(rows.form, rows.mentions, rows.none, left)


def _answer(form: str, pairs: Iterable[tuple[str, str]], none: int, left: list[Place]) -> _Answer:
    mentions = tuple(Mention(whole(label), whole(" ".join(text.split()))) for label, text in pairs)
    return _Answer(form, mentions, none, tuple(sorted(left, key=lambda one: one.line or 0)))


def _blank(text: str) -> str:
    """A text of blanks with the same lines."""
    return re.sub(r"[^\n]", " ", text)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers; the marks of fences do not."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not _FENCE.fullmatch(line):
            yield number, line.strip()


def _thoughts(text: str, plain: str) -> Iterator[tuple[int, str]]:
    """The lines of an answer that are thoughts."""
    said = {number for number, _ in _lines(plain)}
    yield from ((number, line) for number, line in _lines(text) if number not in said)


# --- JSON ----------------------------------------------------------------------------------------


class _Number(str):
    """A number as the answer writes it."""


def _integer(text: str, base: int = 10) -> _Number:
    """An integer as the answer writes it; JSON5 also has hexadecimal ones."""
    return _Number(text)


class _Object(list[tuple[str, Any]]):
    """The members of an object, in order; a key may occur twice."""


class _Value(NamedTuple):
    """A JSON value of an answer, and the line where it begins."""

    line: int
    value: Any


_DECODER = json.JSONDecoder(
    parse_float=_Number,
    parse_int=_Number,
    parse_constant=_Number,
    object_pairs_hook=_Object,
)


def _values(text: str) -> tuple[list[_Value], str]:
    """The JSON values of an answer, and the answer with blanks in their place.

    Raises:
        Unreadable: a value breaks off.
    """
    found: list[_Value] = []
    prose, at, line = [], 0, 1
    while (start := _START.search(text, at)) is not None:
        line += text.count("\n", at, start.start())
        value, end = _value(text, start.start(), line)
        found.append(_Value(line, value))
        prose += [text[at : start.start()], _blank(text[start.start() : end])]
        line += text.count("\n", start.start(), end)
        at = end
    return found, "".join((*prose, text[at:]))


def _value(text: str, start: int, line: int) -> tuple[Any, int]:
    """The value that begins at an offset, and the offset of its end.

    Raises:
        Unreadable: there is none, or it is nested too deeply.
    """
    try:
        with limited_depth(UnreadableAnswer("brackets nested too deeply, expected entities", line)):
            try:
                return _DECODER.raw_decode(text, start)
            except json.JSONDecodeError:
                return _json5(text, start, line)
    except UnreadableAnswer:
        raise
    except ValueError as error:  # such as an escape that is no character
        raise UnreadableAnswer(f"not JSON: {error}, expected entities", line) from None


def _json5(text: str, start: int, line: int) -> tuple[Any, int]:
    """The value in JSON5 that begins at an offset, and the offset of its end."""
    import json5  # only answers that are not JSON wait for it

    value, error, end = json5.parse(
        text,
        start=start,
        consume_trailing=False,
        parse_float=_Number,
        parse_int=_integer,
        parse_constant=_Number,
        object_pairs_hook=_Object,
    )
    if error is None:
        return value, end
    if not text[end:].strip():
        raise UnreadableAnswer("the answer breaks off inside JSON, expected its end", line)
    at = text.count("\n", 0, end) + 1
    raise UnreadableAnswer(
        f"found {quote(text[end : end + 10].strip())} in JSON, expected JSON or JSON5", at
    )


def _one_list(values: Sequence[_Value]) -> Sequence[_Value]:
    """The values of an answer that are its list of entities.

    Objects with a label and a text may follow one another. Other values must be equal.

    Raises:
        Unreadable: two lists that differ.
    """
    if all(_entity(one.value) is not None for one in values):
        return values
    first = values[0]
    for other in values[1:]:
        if other.value != first.value:
            raise UnreadableAnswer(
                "found two lists of entities that differ, expected one", other.line
            )
    return [first]


def _entity(value: Any) -> tuple[str, str, int] | None:
    """The label and the text of an object, and the number of its other members."""
    if not isinstance(value, _Object):
        return None
    members = {key.lower(): one for key, one in value}
    texts = [key for key in TEXTS if key in members]
    labels = [key for key in LABELS if key in members]
    if not labels and "entity" in texts and len(texts) > 1:
        labels = [texts.pop(texts.index("entity"))]
    if not labels or not texts or len(members) < len(value):
        return None
    label, text = members[labels[0]], members[texts[0]]
    if not _is_text(label) or not _is_text(text):
        return None
    return label, text, len(members) - 2


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_pair(value: Any) -> bool:
    """Whether an item of a list is a label and a text."""
    is_list = isinstance(value, list) and not isinstance(value, _Object)
    return is_list and len(value) == 2 and all(map(_is_text, value))


class _Pieces:
    """The entities in JSON values.

    Attributes:
        mentions: labels and texts, in order.
        none: the number of labels without a text.
        says_none: whether labels, or the list of entities, are said to have none.
        left: what is neither, as text.
    """

    def __init__(self, values: Iterable[Any]) -> None:
        self.mentions: list[tuple[str, str]] = []
        self.none = 0
        self.left: list[str] = []
        self._has_empty = False
        for value in values:
            self._add(value)

    @property
    def says_none(self) -> bool:
        return self._has_empty or self.none > 0

    def _add(self, value: Any) -> None:
        """Add what a list or an object says."""
        if (entity := _entity(value)) is not None:
            label, text, others = entity
            self.mentions.append((label.strip(), text))
            self.left += [f"{others} more in {label}: {text}"] * bool(others)
        elif isinstance(value, _Object):
            self._add_object(value)
        elif not isinstance(value, list):
            self.left.append(_shown(value))
        else:
            for one in value:
                if _is_pair(one):
                    self.mentions.append((one[0].strip(), one[1]))
                else:
                    self._add(one)

    def _add_object(self, value: _Object) -> None:
        """Add an object around entities, or one that maps labels to texts."""
        wrapped = [key for key, one in value if key.lower() in WRAPPERS and isinstance(one, list)]
        is_broken = any(
            key.lower() in (*LABELS, *TEXTS) and not isinstance(one, list) for key, one in value
        )
        if is_broken and not wrapped:  # an entity that lacks its label or its text
            self.left.append(_shown(value))
            return
        for key, one in value:
            if key in wrapped:
                self._has_empty |= not one
                self._add(one)
            elif wrapped or not key.strip() or key.lower() in WRAPPERS:
                self.left.append(f"{key}: {_shown(one)}")
            else:
                self._add_label(key.strip(), one)

    def _add_label(self, label: str, value: Any) -> None:
        """Add the texts of a label."""
        is_list = isinstance(value, list) and not isinstance(value, _Object)
        texts = value if is_list else [value]
        self.none += texts in ([], [None], [""], [_Object()])
        for text in texts:
            if _is_text(text) and not isinstance(text, _Number):
                self.mentions.append((label, text))
            elif text not in (None, "", _Object()):
                self.left.append(f"{label}: {_shown(text)}")


def _shown(value: Any) -> str:
    """A JSON value for a message."""
    if isinstance(value, _Object):
        return "{" + ", ".join(f"{key}: {_shown(one)}" for key, one in value[:3]) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value[:3])) + "]"
    return str(value)


# --- tables and lines ----------------------------------------------------------------------------


class _Rows:
    """The entities in tables, or else in lines.

    Attributes:
        form: ``tables`` or ``lines``.
        mentions: labels and texts, in order.
        none: the number of labels without a text.
        left: the lines that are neither, with their numbers.
    """

    def __init__(self, lines: Iterable[tuple[int, str]]) -> None:
        self.mentions: list[tuple[str, str]] = []
        self.none = 0
        self.left: list[tuple[int, str]] = []
        every = list(lines)
        heads = {k for k in range(len(every) - 1) if _columns(every[k][1], every[k + 1][1])}
        self.form = "tables" if heads else "lines"
        if heads:
            self._add_tables(every, heads)
        else:
            self._add_lines(every)

    def _add(self, label: str, text: str) -> None:
        if text.strip(_MARKS).lower() in (*NOTHING, ""):
            self.none += 1
        else:
            self.mentions.append((label, _bare(text)))

    def _add_tables(self, lines: Sequence[tuple[int, str]], heads: set[int]) -> None:
        """Add the rows below the heads of tables."""
        columns: tuple[int, int] | None = None
        for k, (number, line) in enumerate(lines):
            if k in heads:
                columns = _columns(line, lines[k + 1][1])
            elif k - 1 in heads:
                continue
            elif columns is None or "|" not in line:
                columns = None
                self.left.append((number, line))
            else:
                self._add_row(columns, number, line)

    def _add_row(self, columns: tuple[int, int], number: int, line: str) -> None:
        cells = _cells(line)
        label = _bare(cells[columns[0]]) if max(columns) < len(cells) else ""
        if label:
            self._add(label, cells[columns[1]])
        else:
            self.left.append((number, line))

    def _add_lines(self, lines: Iterable[tuple[int, str]]) -> None:
        """Add the lines with a label, and the items below a label."""
        pairs: list[tuple[int, str, str]] = []
        heading: tuple[int, str, str] | None = None  # its line, and whether items followed
        for number, line in lines:
            item = _ITEM.fullmatch(line)
            said = item[1].strip() if item else line
            pair = None if _has_tags(said) else _PAIR.fullmatch(said)
            if pair is not None and pair[2].strip(_MARKS):
                self._end(heading)
                heading = None
                parts = [part for one in _NEXT.split(said) if (part := _PAIR.fullmatch(one))]
                pairs += [(number, part[1], part[2]) for part in parts]
            elif pair is not None:
                self._end(heading)
                heading = number, line, pair[1]
            elif item is not None and heading is not None:
                pairs.append((number, heading[2], said))
                heading = 0, "", heading[2]
            else:
                self._end(heading)
                heading = None
                self.left.append((number, line))
        self._end(heading)
        if _are_members(label for _, label, _ in pairs):
            self._add_objects(pairs)
        else:
            for _, label, text in pairs:
                self._add(label, text)

    def _add_objects(self, members: Iterable[tuple[int, str, str]]) -> None:
        """Add the objects whose members stand on a line each; a key that recurs begins another."""
        objects: list[dict[str, tuple[int, str]]] = [{}]
        for number, key, text in members:
            if key.lower() in objects[-1]:
                objects.append({})
            objects[-1][key.lower()] = number, _bare(text)
        for one in objects:
            entity = _entity(_Object((key, text) for key, (_, text) in one.items()))
            if entity is None:
                self.left += [(number, f"{key}: {text}") for key, (number, text) in one.items()]
                continue
            label, text, others = entity
            self._add(label, text)
            first = min(number for number, _ in one.values())
            self.left += [(first, f"{others} more in {label}: {text}")] * bool(others)

    def _end(self, heading: tuple[int, str, str] | None) -> None:
        """Leave out a label below which nothing stands."""
        if heading is not None and heading[0]:
            self.left.append(heading[:2])


def _has_tags(line: str) -> bool:
    """Whether elements are marked in a line by tags other than those of HTML."""
    return any(tag.lower() not in _HTML for tag in _TAGS.findall(line))


def _are_members(labels: Iterable[str]) -> bool:
    """Whether the labels of lines are keys: as many of labels as of texts, or nothing else."""
    keys = [label.lower() for label in labels]
    of_labels, of_texts = (sum(key in known for key in keys) for known in (LABELS, TEXTS))
    has_both = of_labels > 0 and of_texts > 0
    return has_both and (of_labels == of_texts or of_labels + of_texts == len(keys))


def _cells(line: str) -> list[str]:
    cells = _CELL.split(line.strip().removeprefix("|").removesuffix("|"))
    return [cell.replace("\\|", "|").strip() for cell in cells]


def _columns(head: str, rule: str) -> tuple[int, int] | None:
    """The columns of labels and of texts in the head of a table; ``None``: it is none."""
    if "|" not in head or not _RULE.fullmatch(rule):
        return None
    names = [cell.strip(_MARKS).lower().replace(" ", "_") for cell in _cells(head)]
    texts = [names.index(key) for key in TEXTS if key in names]
    labels = [names.index(key) for key in LABELS if key in names]
    if not labels and "entity" in names and len(texts) > 1:
        labels = [texts.pop()]
    return (labels[0], texts[0]) if labels and texts else None


def _bare(text: str) -> str:
    """A text without the marks of emphasis or the quotes around it."""
    text = text.strip()
    for left, right in (
        ("**", "**"),
        ("`", "`"),
        ('"', '"'),
        ("'", "'"),
        ("“", "”"),
        ("*", "*"),
        ("_", "_"),
    ):
        if len(text) > len(left + right) and text.startswith(left) and text.endswith(right):
            text = text[len(left) : -len(right)].strip()
    return text
