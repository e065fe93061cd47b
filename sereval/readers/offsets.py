"""Annotations that count the characters of a text: JSON lines of Prodigy, doccano and others.

All of them say which characters of a text a label stands on, each in keys of its own.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..errors import SerevalError
from ..model import Document, Note, Place
from ..offsets import Characters, Span, document_of_text
from ..spans import crossing
from .crossing import nested
from .records import Record, load, shown, typed, whole
from .source import Source, quote

LISTS = ("entities", "spans", "label", "labels", "annotations")
"""Keys that can hold the entities of a line."""

_Place = tuple[str, int, int]
"""A label with its first character and the one after its last."""


def lines(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a file of JSON lines: a text with entities on each.

    Args:
        source: the file.

    Returns:
        A document a line, with the line; its id is ``id``, or the file's with a number.

    Raises:
        InputError: not JSON; no text, no entities or two lists of them; an entity outside the
            text, or that crosses another; nothing but rejected examples.

    >>> line = '{"text": "in Paris", "label": [[3, 8, "LOC"]]}'
    >>> [(_, one)] = lines(Source("a.jsonl", "a", line))
    >>> one.id, one.words, str(one.elements[0])
    ('a-1', ('in', 'Paris'), 'LOC [1, 2)')
    """
    found: list[tuple[int | None, Document]] = []
    texts = [(line, text) for line, text in source.lines() if text.strip(" \t\r")]
    skipped = 0
    for number, (line, text) in enumerate(texts, 1):
        try:
            record = Record(load(text), "document")
            answer = record.string("answer") if "answer" in record else "accept"
            if answer not in ("accept", "reject", "ignore"):
                raise SerevalError(f'"answer": {quote(answer)}, expected accept, reject or ignore')
            if answer == "accept":
                found.append((line, _document(record, f"{source.id}-{number}", source, line)))
            else:
                skipped += 1
        except SerevalError as error:
            raise source.error(str(error), line) from None
    if not found:
        raise source.error("nothing but rejected or ignored examples, expected an accepted one")
    return _with_skipped(found, "examples that were rejected or ignored, skipped", skipped)


def _with_skipped(
    found: list[tuple[int | None, Document]], what: str, count: int
) -> list[tuple[int | None, Document]]:
    """Say on the first document what was left out of the whole file."""
    if not count:
        return found
    (line, first), *rest = found
    return [(line, replace(first, notes=(*first.notes, Note(what, count)))), *rest]


# --- JSON lines ----------------------------------------------------------------------------------


def _document(record: Record, name: str, source: Source, line: int) -> Document:
    text = text_of(record, "text")
    given = [key for key in LISTS if key in record]
    if len(given) > 1 or not (given or "answer" in record):
        raise SerevalError(
            f"{record.where}: {' and '.join(given) or 'no list of entities'}, "
            f"expected one of {', '.join(LISTS)}"
        )
    items = list(record.items(given[0])) if given else []
    _refuse_users([item for item, _ in items])
    relations = typed(record.values.get("relations") or [], list, record.name("relations"))
    notes = (Note("relations, skipped", len(relations)),) if relations else ()
    places = [_place(item, where, text) for item, where in items]
    return built(source, id_of(record, name), text, places, notes, line, _tokens(record))


def built(
    source: Source,
    id: str,
    text: str,
    places: Sequence[_Place],
    notes: tuple[Note, ...],
    line: int | None = None,
    tokens: Sequence[Characters] | None = None,
) -> Document:
    """The document, its tree made by the policies of the file.

    Args:
        places: label, first character and the one after the last.
        notes: what was skipped of it.
        line: where it stands, if it has a line.
        tokens: its words; ``None``: what white space parts.

    Raises:
        SerevalError: a place outside the text or without a word; crossing ones, by policy.
    """
    chosen: list[Note] = []
    names = [f"{label} [{start}, {end})" for label, start, end in places]  # as the file counts
    where = f"{os.path.basename(source.path)}{f', task {id}' if line is None else f':{line}'}"

    def nest(spans: Sequence[Span]) -> list[int]:
        bare = [(start, end) for _, start, end in spans]
        crossed = crossing(bare)
        if crossed is not None and source.policy("crossing") == "refuse":
            both = " and ".join(names[k] for k in crossed)
            raise SerevalError(f"elements {both} cross; {source.hint('crossing')}")
        labels = [label for label, *_ in spans]
        kept, told = nested(source, labels, bare, [Place(name, where, line) for name in names])
        chosen.extend(told)
        return kept

    made = document_of_text(id, text, places, tokens=tokens, source=source.path, nest=nest)
    return replace(made, notes=(*notes, *chosen))


def id_of(record: Record, name: str) -> str:
    """The document's own id, or the name that it is given."""
    if record.is_absent("id"):
        return name
    id = record.get("id")
    return record.string("id") if isinstance(id, str) else str(record.integer("id"))


def text_of(record: Record, key: str) -> str:
    """A text, which may be empty."""
    text = str(typed(record.get(key), str, record.name(key)))
    return whole(text, f"{record.name(key)}: ") if text else ""


def _place(item: Any, where: str, text: str) -> _Place:
    if isinstance(item, list):
        if len(item) != 3:
            raise SerevalError(f"{where}: {len(item)} items, expected start, end and label")
        item = dict(zip(("start", "end", "label"), item, strict=True))
    record = Record(item, where)
    long = "start_offset" in record
    start = record.integer("start_offset" if long else "start")
    end = record.integer("end_offset" if long else "end")
    quoted = None if record.is_absent("text") else record.string("text")
    return (_label(record), *characters(text, (start, end), quoted, where))


def _label(record: Record) -> str:
    """The label; older versions of doccano have its number, and its name where they are asked."""
    key = "label_name" if "label_name" in record else "label"
    is_number = isinstance(record.get(key), int)
    return str(record.integer(key)) if is_number else record.string(key)


def _refuse_users(items: list[Any]) -> None:
    """What two people annotated is not one annotation."""
    users = {shown(item["user"]) for item in items if isinstance(item, dict) and "user" in item}
    if len(users) > 1:
        raise SerevalError(
            f"annotations of users {', '.join(sorted(users))}, expected those of one"
        )


def _tokens(record: Record) -> list[Characters] | None:
    if record.is_absent("tokens"):
        return None
    return [(token.integer("start"), token.integer("end")) for token in record.records("tokens")]


def characters(text: str, place: Characters, quoted: str | None, where: str) -> Characters:
    """A place in characters, which the annotation may count as JavaScript does, in UTF-16.

    Only what the annotation quotes of the text can tell: without it characters are meant.

    Raises:
        SerevalError: it quotes what does not stand there.

    >>> characters("à Dol", (2, 5), "Dol", ""), characters("😀 Dol", (3, 6), "Dol", "")
    ((2, 5), (2, 5))
    """
    start, end = place
    if quoted is None or _same(quoted, text[max(start, 0) : max(end, 0)]):
        return place
    units = text.encode("utf-16-le")
    before, inside = units[: 2 * start], units[2 * start : 2 * end]
    if 0 <= start <= end and _same(quoted, inside.decode("utf-16-le", "replace")):
        first = len(before.decode("utf-16-le", "replace"))
        return first, first + len(inside.decode("utf-16-le", "replace"))
    raise SerevalError(
        f"{where}: characters {start} to {end} are {quote(text[max(start, 0) : max(end, 0)])}, "
        f"expected {quote(quoted)} as the annotation says"
    )


def _same(one: str, other: str) -> bool:
    """Whether two texts differ in white space at most, which programs write anew."""
    return "".join(one.replace("\\n", "\n").split()) == "".join(other.split())
