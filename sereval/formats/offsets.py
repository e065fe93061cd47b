"""Annotations that count the characters of a text: JSON lines of Prodigy, doccano and others.

All these formats give the characters of each label, with different keys.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..documents.characters import Characters, Stretch
from ..documents.model import Document
from ..documents.notes import Note, Place
from ..errors import SerevalError
from .crossing import annotate_text
from .file import File as Source
from .file import quote
from .find import Head
from .records import Record, load, of_type, show, whole
from .utf16 import CODE_POINTS, UNITS, Mark, Utf16Text, undecided, unit_of

LISTS = ("entities", "spans", "label", "labels", "annotations")
"""Keys that may hold the entities of a line."""


class AnnotatedText(NamedTuple):
    """A text and its annotations, before the unit of their characters is known.

    Args:
        id: id of the document.
        text: the text.
        labels: the label of each annotation.
        marks: the annotations.
        notes: notes on skipped parts.
        line: its line, if the file has a document on each line.
        tokens: its words, in the unit of the annotations; ``None``: white space separates them.
    """

    id: str
    text: Utf16Text
    labels: tuple[str, ...]
    marks: tuple[Mark, ...]
    notes: tuple[Note, ...]
    line: int | None = None
    tokens: Sequence[Characters] | None = None


def recognise(head: Head) -> str:
    has_words = "tokens" in head.keys and "tokens[{" not in head.keys
    if has_words or head.has("annotation_id", "id answer", "id mentions", "file entities"):
        return ""
    lists = ("entities", "spans", "label", "labels", "annotations", "answer")
    return "offsets" if head.has(*(f"text {name}" for name in lists)) else ""


def read_offsets(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a file of JSON lines, each with a text and its entities.

    Args:
        source: the file.

    Returns:
        A document for each line, with the line; its id is ``id``, or the file's with a number.

    Raises:
        InputError: a line that is not JSON; no text; no list of entities or two lists; an entity
            outside the text or crossing another one; only rejected examples.

    >>> line = '{"text": "in Paris", "label": [[3, 8, "LOC"]]}'
    >>> [(_, one)] = read_offsets(Source("a.jsonl", text=line))
    >>> one.id, one.words, str(one.elements[0])
    ('a-1', ('in', 'Paris'), 'LOC [1, 2)')
    """
    found: list[AnnotatedText] = []
    texts = [(line, text) for line, text in source.lines() if text.strip(" \t\r")]
    skipped = 0
    for number, (line, text) in enumerate(texts, 1):
        try:
            record = Record(load(text), "document")
            answer = record.string("answer") if "answer" in record else "accept"
            if answer not in ("accept", "reject", "ignore"):
                raise SerevalError(f'"answer": {quote(answer)}, expected accept, reject or ignore')
            if answer == "accept":
                found.append(_annotate(record, f"{source.id}-{number}", source, line))
            else:
                skipped += 1
        except SerevalError as error:
            raise source.error(str(error), line) from None
    if not found:
        raise source.error("nothing but rejected or ignored examples, expected an accepted one")
    what = "examples that were rejected or ignored, skipped"
    return _with_skipped(documents_of(source, found), what, skipped)


def _with_skipped(
    found: list[tuple[int | None, Document]], what: str, count: int
) -> list[tuple[int | None, Document]]:
    """The documents; the first one gets a note on the parts of the file that were left out."""
    if not count:
        return found
    (line, first), *rest = found
    return [(line, replace(first, notes=(*first.notes, Note(what, count)))), *rest]


# --- JSON lines ----------------------------------------------------------------------------------


def _annotate(record: Record, name: str, source: Source, line: int) -> AnnotatedText:
    text = Utf16Text(text_of(record, "text"))
    keys = [key for key in LISTS if key in record]
    if len(keys) > 1 or not (keys or "answer" in record):
        raise SerevalError(
            f"{record.where}: {' and '.join(keys) or 'no list of entities'}, "
            f"expected one of {', '.join(LISTS)}"
        )
    items = list(record.items(keys[0])) if keys else []
    _refuse_users([item for item, _ in items])
    relations = of_type(record.values.get("relations") or [], list, record.name("relations"))
    notes = (Note("relations, skipped", len(relations)),) if relations else ()
    entities = [_entity(item, where) for item, where in items]
    file = f"{os.path.basename(source.path)}:{line}"
    return AnnotatedText(
        id_of(record, name),
        text,
        tuple(_label(entity) for entity in entities),
        tuple(_mark(entity, text, file, line) for entity in entities),
        notes,
        line,
        _tokens(record),
    )


def documents_of(
    source: Source, tasks: Sequence[AnnotatedText]
) -> list[tuple[int | None, Document]]:
    """The documents of annotated texts, by the policies of their file.

    Args:
        source: the file.
        tasks: the texts of the file with their annotations.

    Raises:
        InputError: annotations that count in different units; an annotation outside its text or
            without a word; crossing annotations, by policy.
    """
    unit = unit_of(mark for one in tasks for mark in one.marks)
    found: list[tuple[int | None, Document]] = []
    for one in tasks:
        try:
            found.append((one.line, _document(source, one, unit)))
        except SerevalError as error:
            raise source.error(str(error), one.line) from None
    return found


def _document(source: Source, task: AnnotatedText, unit: str | None) -> Document:
    text, counted, marks = task.text, unit or CODE_POINTS, task.marks

    def refusal(k: int, other: int) -> SerevalError:
        both = f"{marks[k].place.what} and {marks[other].place.what}"
        return SerevalError(f"elements {both} cross; {source.hint('crossing')}")

    return annotate_text(
        source,
        task.id,
        text.text,
        [
            Stretch(label, *text.between(mark.pieces[0], counted))
            for label, mark in zip(task.labels, marks, strict=True)
        ],
        lambda k: marks[k].place,
        refusal,
        tokens=task.tokens and [text.between(token, counted) for token in task.tokens],
        notes=(*task.notes, *undecided(marks, unit)),
    )


def id_of(record: Record, name: str) -> str:
    """The id in a record; ``name`` if it has none."""
    if record.is_absent("id"):
        return name
    id = record.get("id")
    return record.string("id") if isinstance(id, str) else str(record.integer("id"))


def text_of(record: Record, key: str) -> str:
    """A text, which may be empty."""
    text = str(of_type(record.get(key), str, record.name(key)))
    return whole(text, f"{record.name(key)}: ") if text else ""


def _entity(item: Any, where: str) -> Record:
    if isinstance(item, list):
        if len(item) != 3:
            raise SerevalError(f"{where}: {len(item)} items, expected start, end and label")
        item = dict(zip(("start", "end", "label"), item, strict=True))
    return Record(item, where)


def _mark(entity: Record, text: Utf16Text, file: str, line: int) -> Mark:
    long = "start_offset" in entity
    start = entity.integer("start_offset" if long else "start")
    end = entity.integer("end_offset" if long else "end")
    quoted = None if entity.is_absent("text") else entity.string("text")
    return mark_of(text, (start, end), quoted, entity.where, Place(_label(entity), file, line))


def _label(record: Record) -> str:
    """The label; older versions of doccano write its number, and its name on request."""
    key = "label_name" if "label_name" in record else "label"
    is_number = isinstance(record.get(key), int)
    return str(record.integer(key)) if is_number else record.string(key)


def _refuse_users(items: list[Any]) -> None:
    """Refuse annotations of two users, which are not one annotation."""
    users = {show(item["user"]) for item in items if isinstance(item, dict) and "user" in item}
    if len(users) > 1:
        raise SerevalError(
            f"annotations of users {', '.join(sorted(users))}, expected those of one"
        )


def _tokens(record: Record) -> list[Characters] | None:
    if record.is_absent("tokens"):
        return None
    return [(token.integer("start"), token.integer("end")) for token in record.records("tokens")]


def mark_of(
    text: Utf16Text, span: Characters, quoted: str | None, where: str, place: Place
) -> Mark:
    """An annotation whose quoted text stands at its characters in some unit.

    Args:
        text: the text whose characters it counts.
        span: its first character and the one after its last, as the file counts them.
        quoted: the text that it quotes; ``None``: it quotes none.
        where: its place in the record, for messages.
        place: its label and its place, for notes.

    Raises:
        SerevalError: the quoted text does not stand there in any unit.
    """
    start, end = span
    as_written = None if quoted is None else quoted.replace("\\n", "\n")
    name = f"{place.what} [{start}, {end})"
    mark = Mark(text, (span,), as_written, place._replace(what=name))
    if any(map(mark.fits, UNITS)):
        return mark
    found = text.text[max(start, 0) : max(end, 0)]
    raise SerevalError(
        f"{where}: characters {start} to {end} are {quote(found)}, "
        f"expected {quote(quoted or '')} as the annotation says"
    )
