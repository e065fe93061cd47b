"""Answers of language models: entities as JSON, table or list, with prose around them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ..documents.model import Document, Mention, limited_depth
from ..errors import InputError
from .build import Notes
from .file import Documents, File, Head, quote
from .records import each_line, whole

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

NOTHING = ("", "none", "n/a", "null", "-", "–", "—")
"""Texts in lines and tables that say that there is no entity."""

_ON_LINES = re.compile(r'\s*\{\s*"(?:answer|id"\s*:.*"answer)"')
_LABEL = r"[^\W\d][\w./&-]*"
_START = re.compile(r"""[\[{](?=\s*["'\[{\]}])|\{(?=\s*[^\W\d][\w$]*\s*:)""")
_FENCE = re.compile(r"\s*+(```|~~~)\s*+[\w-]*+\s*+")
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_ITEM = re.compile(r"\s*(?:[-*•+]|\d+[.)])\s+(.*)")
_PAIR = re.compile(rf"(?:\*\*|`)?({_LABEL})(?:\*\*|`)?\s*:(?:\*\*)?\s*(.*)")
_RULE = re.compile(r"\s*+\|?\s*+:?-++:?\s*+(\|\s*+:?-++:?\s*+)*+\|?\s*+")
_NEXT = re.compile(rf"[,;|]\s+(?=(?:\*\*|`)?{_LABEL}(?:\*\*|`)?\s*:(?:\*\*)?\s)")
"""What stands before another label on the same line."""
_TAGS = re.compile(r"<([^\W\d][\w.-]*)>[^<]*</\1>")  # elements that a line marks
_CELL = re.compile(r"(?<!\\)\|")
_MARKS = "*_`\"'“”«» "
_EMPHASIS = re.compile(r"(?:(\*\*|[`\"'*_])(.+)\1|“(.+)”)", re.DOTALL)


class _Piece(NamedTuple):
    """A piece of an answer, with its line."""

    line: int
    label: str
    text: str


def recognise(head: Head) -> str:
    return "answers" if head.has("id answer") else ""


def read_answers(file: File) -> Documents:
    r"""
    ```answers
    Sure! Here are the entities:

    - **pers**: Jacques Chirac
    - loc: Paris
    - date: none
    ```

    The unchanged answer of a language model: a file for each document, or JSON lines with an `id`
    and the text of the `answer`:

    ```answers
    {"id": "show1", "answer": "I found [{'label': 'pers', 'text': 'Ada'}, ['loc', 'Paris'],]."}
    {"id": "show2", "answer": "| Entity | Type |\n|---|---|\n| Paris | loc |"}
    ```

    The entities become [mentions](#mentions), in the order of the answer. The reader takes the
    first of these forms that the answer has:

    1. **JSON**, in a fence or in prose, also with trailing commas, single quotes, comments, keys
       without quotes, and Python's `None`, `True` and `False`. Its entities are
       * objects with a label (`label`, `type`, `entity_type`, `entity_group`, `category`, `class`,
         `tag`) and a text (`text`, `mention`, `value`, `span`, `word`, `filler`, `name`, `entity`),
         in a list or one after another; `entity` is the label where another key has the text and
         none the label;
       * pairs of a label and a text, in this order, in a list;
       * an object that maps labels to texts or to lists of texts: `{"pers": ["Ada"], "loc": []}`;
       * any of these under `entities`, `mentions`, `named_entities`, `ner`, `results`,
         `annotations` or `answer`.
    2. **Tables** in Markdown whose head names a column of labels and one of texts as above.
    3. **Lines** `LABEL: text`, as items of a list or not, and the items below a line `LABEL:`. A
       label is one word. A text is the rest of its line, up to a comma, a semicolon or a bar before
       another `LABEL:` (`PER: Ada, LOC: Dol`); other commas do not cut it. Marks of emphasis and
       quotes around it are removed. The texts `none`, `n/a` and `-` say that there is no such
       entity. Lines in which tags mark elements (`<PER>Ada</PER>`) are not read.

    Notes count the entities that were read, with their form; the labels without a text; and the
    pieces that were not read: prose, thoughts in `<think>`, other members of objects, objects that
    lack a label or a text. `doctor` shows the pieces with their places, `audit` lists all of them.

    **Unreadable answers.** An answer is refused if it has neither JSON nor a table nor such lines,
    if its lines are members of objects, as in YAML (`label: PER` and `text: Ada`),
    if its JSON breaks off or is no such JSON, if its JSON has no entity and does not say that there
    is none (`[]` says so), or if it has two lists that differ, such as a draft and a final one.
    With `--read unreadable=empty` such an answer has no entities; a note
    counts it, and the signature has `unreadable=empty`.

    A line of prose with a colon after its first word, such as `Note: …`, looks like an entity.
    `doctor` names labels that the reference does not have; `--only LABELS` removes them.
    """
    if not _ON_LINES.match(file.text):
        yield _document(file, file.id, file.text)
        return
    for record in each_line(file):
        text = "" if record.get("answer") is None else record.text("answer")
        yield _document(file, record.string("id"), text)


def _document(file: File, id: str, text: str) -> Document:
    """The document of one answer, which stands on a line of the file or is all of it."""
    line, notes = file.here, Notes()
    try:
        form, pieces = _read(text)
    except InputError as error:
        if file.policy("unreadable") != "empty":
            message = f"{error.message}; --read unreadable=empty takes it as empty"
            raise file.error(message, line or error.line) from None
        at = file.place(quote(text.strip()), line or 1)
        notes.add(UNREADABLE, 1, "unreadable=empty", at=at)
        form, pieces = "nothing", []
    mentions = tuple(
        Mention(whole(label), whole(" ".join(text.split())))
        for _, label, text in pieces
        if label and text
    )
    notes.add(READ.format(form), len(mentions))
    notes.add(NONE, sum(bool(one.label and not one.text) for one in pieces))
    for one in sorted(pieces, key=lambda one: one.line):
        if one.text and not one.label:
            notes.add(LEFT, at=file.place(quote(one.text), line or one.line))
    return Document(id, (), source=file.path, mentions=mentions, notes=notes.all())


def _read(text: str) -> tuple[str, list[_Piece]]:
    """The form of the entities of an answer, and its pieces."""
    plain = _THOUGHT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    lines = [*_lines(plain)]
    numbers = {number for number, _ in lines}
    left = [_Piece(line, "", text) for line, text in _lines(text) if line not in numbers]
    values, prose = _values(plain)
    if values:
        left += [_Piece(line, "", text) for line, text in _lines(prose)]
        return "JSON", [*_of_json(values), *left]
    for form, read in (("tables", _of_tables), ("lines", _of_lines)):
        found = [*read(lines)]
        if any(one.label for one in found):
            return form, [*found, *left]
    raise InputError(
        "found neither JSON nor a table nor lines such as PER: Paris, expected entities", line=1
    )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers; the marks of fences do not."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not _FENCE.fullmatch(line):
            yield number, line.strip()


def _roles(names: Sequence[str]) -> tuple[int, int] | None:
    """The places of the label and of the text among the names of members or columns."""
    labels = [names.index(key) for key in LABELS if key in names]
    texts = [names.index(key) for key in TEXTS if key in names]
    if not labels and "entity" in names and len(texts) > 1:
        labels = [texts.pop()]
    return (labels[0], texts[0]) if labels and texts else None


# --- JSON ----------------------------------------------------------------------------------------


class _Number(str):
    """A number as the answer writes it."""


class _Object(tuple[tuple[str, Any], ...]):
    """The members of an object, in order; a key may occur twice."""


_HOLDERS = (list, _Object)
"""The types of JSON values that hold others."""


_DECODER = json.JSONDecoder(
    object_pairs_hook=_Object,
    parse_int=_Number,
    parse_float=_Number,
    parse_constant=_Number,
    strict=False,
)


_GAP = r"(?:\s++|//[^\n]*+|/\*.*?\*/)"
_TOKEN = re.compile(
    rf"(?P<blank>{_GAP}|,(?={_GAP}*+[\]}}]))|(?P<open>[\[{{])|(?P<close>[\]}}])|"
    r"""(?P<string>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')|(?P<key>[^\W\d][\w$]*+(?=\s*:))|"""
    r"""[^\s\[\]{},:"'/]++|.""",
    re.DOTALL,
)
_CONSTANTS = {"True": "true", "False": "false", "None": "null"}
_ESCAPE = re.compile(r'\\x|\\([^"\\/bfnrtu])|\\.|"', re.DOTALL)
_ESCAPES = {'"': '\\"', "\\x": "\\u00"}


def _plain_json(text: str, at: int) -> tuple[str, int]:
    """A value as language models write it, in JSON on the same lines, and its end in the text."""
    parts: list[str] = []
    depth = 0
    for found in _TOKEN.finditer(text, at):
        kind, token = found.lastgroup, found[0]
        depth += (kind == "open") - (kind == "close")
        if kind == "blank":
            token = "\n" * token.count("\n")
        elif kind == "string":
            token = _ESCAPE.sub(lambda one: _ESCAPES.get(one[0], one[1] or one[0]), token[1:-1])
            token = f'"{token}"'
        elif kind == "key":
            token = f'"{token}"'
        parts.append(_CONSTANTS.get(token, token))
        if not depth or token == "/":  # which is wrong
            return "".join(parts), found.end()
    line = text.rstrip().count("\n") + 1
    raise InputError("the answer breaks off inside JSON, expected its end", line=line)


def _values(text: str) -> tuple[list[tuple[int, Any]], str]:
    """The JSON values of an answer with their lines, and the answer with blanks in their place."""
    found: list[tuple[int, Any]] = []
    prose, at = "", 0
    while (start := _START.search(text, at)) is not None:
        line = text.count("\n", 0, start.start()) + 1
        plain, end = _plain_json(text, start.start())
        try:
            with limited_depth(
                InputError("brackets nested too deeply, expected entities", line=line)
            ):
                found.append((line, _DECODER.decode(plain)))
        except json.JSONDecodeError as error:
            what = quote(plain[error.pos :][:10].strip())
            message = f"found {what} in JSON, expected JSON"
            raise InputError(message, line=line + error.lineno - 1) from None
        prose += text[at : start.start()] + "\n" * plain.count("\n")
        at = end
    return found, prose + text[at:]


def _of_json(values: Sequence[tuple[int, Any]]) -> list[_Piece]:
    """The pieces of JSON values: a list of entities, maybe again, or entities after one another."""
    read = values if all(_entity(one) for _, one in values) else values[:1]
    for line, other in values[len(read) :]:
        if other != values[0][1]:
            raise InputError("found two lists of entities that differ, expected one", line=line)
    found = [_Piece(line, *pair) for line, one in read for pair in _pieces(one)]
    if found and all(one.text and not one.label for one in found):
        message = "found JSON without labels and texts, expected entities"
        raise InputError(message, line=values[0][0])
    return found


def _entity(value: Any) -> list[tuple[str, str]]:
    """The label and the text of an object, and a piece that tells of its other members."""
    if not isinstance(value, _Object):
        return []
    names = [key.lower() for key, _ in value]
    roles = _roles(names)
    if roles is None or len({*names}) < len(names):
        return []
    label, text = (value[k][1] for k in roles)
    if not _is_text(label) or not _is_text(text):
        return []
    more = [("", f"{len(names) - 2} more in {label}: {text}")] if names[2:] else []
    return [(label.strip(), text), *more]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _pieces(value: Any) -> Iterator[tuple[str, str]]:
    """Label and text of the pieces of a list or an object."""
    if entity := _entity(value):
        yield from entity
    elif isinstance(value, _Object):
        yield from _members(value)
    elif not isinstance(value, list):
        yield "", _shown(value)
    else:
        for one in value:
            if isinstance(one, list) and len(one) == 2 and all(map(_is_text, one)):
                yield one[0].strip(), one[1]
            else:
                yield from _pieces(one)


def _members(value: _Object) -> Iterator[tuple[str, str]]:
    """The pieces of an object around entities, or of one that maps labels to texts."""
    wrapped = [key for key, one in value if key.lower() in WRAPPERS and isinstance(one, _HOLDERS)]
    is_broken = any(
        key.lower() in (*LABELS, *TEXTS) and not isinstance(one, _HOLDERS) for key, one in value
    )
    if is_broken and not wrapped:  # an entity that lacks its label or its text
        yield "", _shown(value)
        return
    for key, one in value:
        label, texts = key.strip(), one if isinstance(one, list) else [one]
        if key in wrapped:
            yield from _pieces(one) if one else [("", "")]
        elif wrapped or not label or key.lower() in WRAPPERS:
            yield "", f"{key}: {_shown(one)}"
        elif texts in ([], [None], [""], [_Object()]):
            yield label, ""
        else:
            for text in texts:
                if _is_text(text) and not isinstance(text, _Number):
                    yield label, text
                elif text not in (None, "", _Object()):
                    yield "", f"{label}: {_shown(text)}"


def _shown(value: Any) -> str:
    """A JSON value for a message."""
    if isinstance(value, _Object):
        return "{" + ", ".join(f"{key}: {_shown(one)}" for key, one in value[:3]) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value[:3])) + "]"
    return str(value) or "''"


# --- tables and lines ----------------------------------------------------------------------------


def _said(line: int, label: str, text: str) -> _Piece:
    """An entity that a row or a line says, or that there is none."""
    return _Piece(line, label, "" if text.strip(_MARKS).lower() in NOTHING else _bare(text))


def _of_tables(lines: Sequence[tuple[int, str]]) -> Iterator[_Piece]:
    """The pieces of the rows of tables; a head stands before a rule and names the columns."""
    columns: tuple[int, int] | None = None
    for (number, line), (_, after) in pairwise([*lines, (0, "")]):
        bare = line.removeprefix("|").removesuffix("|")
        cells = [cell.replace("\\|", "|").strip() for cell in _CELL.split(bare)]
        names = [cell.strip(_MARKS).lower().replace(" ", "_") for cell in cells]
        if "|" in line and _RULE.fullmatch(after) and (roles := _roles(names)):
            columns = roles
        elif not _RULE.fullmatch(line):
            columns = columns if "|" in line else None
            if columns and max(columns) < len(cells) and (label := _bare(cells[columns[0]])):
                yield _said(number, label, cells[columns[1]])
            else:
                yield _Piece(number, "", line)


def _of_lines(lines: Sequence[tuple[int, str]]) -> Iterator[_Piece]:
    """The pieces of lines with a label, and of the items below a label."""
    found: list[_Piece] = []
    label = ""  # of the items
    for (number, line), (_, after) in pairwise([*lines, (0, "")]):
        item = _ITEM.fullmatch(line)
        said = item[1].strip() if item else line
        pair = None if _TAGS.search(said) else _PAIR.fullmatch(said)
        if item and label and pair is None:
            found.append(_Piece(number, label, said))
            continue
        is_heading = pair is not None and not pair[2].strip(_MARKS)
        label = pair[1] if pair and is_heading else ""
        if pair and not is_heading:
            parts = (part for one in _NEXT.split(said) if (part := _PAIR.fullmatch(one)))
            found += [_Piece(number, part[1], part[2]) for part in parts]
        elif not label or not _ITEM.fullmatch(after):
            yield _Piece(number, "", line)
    keys = {one.label.lower() for one in found}
    if keys & {*LABELS} and keys & {*TEXTS}:
        message = "found lines such as label: PER and text: Ada, expected PER: Ada"
        raise InputError(message, line=found[0].line)
    yield from (_said(*one) for one in found)


def _bare(text: str) -> str:
    """A text without the marks of emphasis or the quotes around it."""
    text = text.strip()
    while found := _EMPHASIS.fullmatch(text):
        text = (found[2] or found[3]).strip()
    return text
