"""Annotations that count the characters of a text: JSON lines of Prodigy and doccano, Label Studio.

All of them say which characters of a text a label stands on, each in keys of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..errors import SerevalError
from ..model import Document, Note, Place
from ..offsets import Characters, Span, document_of_text
from .crossing import crossing, nested
from .records import Record, load, shown, typed, value, whole
from .source import Source, quote

LISTS = ("entities", "spans", "label", "labels")
"""Keys that can hold the entities of a line."""

_Place = tuple[str, int, int]


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


def tasks(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of an export of Label Studio, JSON or JSON-MIN: a list of tasks.

    Args:
        source: the file.

    Returns:
        A document a task, with the task's id; the elements are those of its annotation.

    Raises:
        InputError: not JSON, not such a list; a task without a text, without an annotation or
            with several; an entity outside the text, or that crosses another.

    >>> result = '{"type": "labels", "value": {"start": 3, "end": 8, "labels": ["LOC"]}}'
    >>> task = '{"id": 7, "data": {"text": "in Paris"}, "annotations": [{"result": [%s]}]}'
    >>> [(_, one)] = tasks(Source("a.json", "a", f"[{task % result}]"))
    >>> one.id, str(one.elements[0])
    ('7', 'LOC [1, 2)')
    """
    found = value(source)
    try:
        given = typed(found, list, "the file")
        records = [Record(task, f"tasks[{k}]") for k, task in enumerate(given)]
        if not records:
            raise SerevalError("no task, expected at least one")
        return [(None, _task(record, source)) for record in records]
    except SerevalError as error:
        raise source.error(str(error)) from None


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
    id = _id(record, name)
    text = _whole(record, "text")
    given = [key for key in LISTS if key in record]
    if len(given) > 1 or not (given or "answer" in record):
        raise SerevalError(
            f"{record.where}: {' and '.join(given) or 'no list of entities'}, "
            f"expected one of {', '.join(LISTS)}"
        )
    items = record.items(given[0]) if given else ()
    relations = typed(record.values.get("relations") or [], list, record.name("relations"))
    notes = (Note("relations, skipped", len(relations)),) if relations else ()
    places = [_place(item, where, text) for item, where in items]
    return _built(source, id, text, places, notes, line, _tokens(record))


def _built(
    source: Source,
    id: str,
    text: str,
    places: Sequence[_Place],
    notes: tuple[Note, ...],
    line: int | None = None,
    tokens: Sequence[Characters] | None = None,
) -> Document:
    """The document, its tree made by the policies of the file."""
    chosen: list[Note] = []
    where = f"{os.path.basename(source.path)}{f', task {id}' if line is None else f':{line}'}"

    def nest(spans: Sequence[Span]) -> list[int]:
        names = [f"{label} [{start}, {end})" for label, start, end in spans]
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


def _id(record: Record, name: str) -> str:
    """The document's own id, or the name that it is given."""
    if record.is_absent("id"):
        return name
    id = record.get("id")
    return record.string("id") if isinstance(id, str) else str(record.integer("id"))


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
    return (record.string("label"), *_characters(text, (start, end), quoted, where))


def _tokens(record: Record) -> list[Characters] | None:
    if record.is_absent("tokens"):
        return None
    return [(token.integer("start"), token.integer("end")) for token in record.records("tokens")]


def _characters(text: str, place: Characters, quoted: str | None, where: str) -> Characters:
    """A place in characters, which the annotation may count as JavaScript does, in UTF-16.

    Only what the annotation quotes of the text can tell: without it characters are meant.
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


# --- Label Studio --------------------------------------------------------------------------------


def _task(record: Record, source: Source) -> Document:
    if "data" not in record and "annotations" not in record:
        return _least(record, source)
    text = _text(Record(record.get("data"), record.name("data")))
    annotation, cancelled = _annotation(record)
    places: list[_Place] = []
    others = 0
    for result in annotation.records("result"):
        if result.string("type") in ("labels", "hypertextlabels"):
            places += _labels(Record(result.get("value"), result.name("value")), text)
        else:
            others += 1
    notes = [
        Note("cancelled annotations, skipped", cancelled),
        Note("results that are no labels of a text, skipped", others),
    ]
    kept = tuple(note for note in notes if note.count)
    return _built(source, _id(record, "-"), text, places, kept)


def _least(record: Record, source: Source) -> Document:
    """A task of JSON-MIN: what its labels are called under holds places with labels."""
    text = _whole(record, "text")
    places: list[_Place] = []
    for key, held in record.values.items():
        if isinstance(held, list) and any("labels" in one for one in held if _is_object(one)):
            for place in record.records(key):
                places += _labels(place, text)
    return _built(source, _id(record, "-"), text, places, ())


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _text(data: Record) -> str:
    """The text of a task: what is under ``text``, or the only string there is."""
    strings = [key for key, held in data.values.items() if isinstance(held, str)]
    if "text" not in strings and len(strings) != 1:
        found = ", ".join(strings) or "none"
        raise SerevalError(f'{data.where}: strings {found}, expected "text", or one string')
    return _whole(data, "text" if "text" in strings else strings[0])


def _whole(record: Record, key: str) -> str:
    """A text, which may be empty."""
    text = str(typed(record.get(key), str, record.name(key)))
    return whole(text, f"{record.name(key)}: ") if text else ""


def _annotation(record: Record) -> tuple[Record, int]:
    """The one annotation of a task, and the number of those that were cancelled."""
    given = record.records("annotations")
    valid = [one for one in given if one.values.get("was_cancelled") is not True]
    best = [one for one in valid if one.values.get("ground_truth") is True]
    chosen = best if len(best) == 1 else valid
    if len(chosen) != 1:
        raise SerevalError(
            f"{record.name('annotations')}: found {len(chosen)}, expected one, "
            "or one of them as ground truth"
        )
    return chosen[0], len(given) - len(valid)


def _labels(value: Record, text: str) -> Iterator[_Place]:
    """A place for each label of a result."""
    for key in ("start", "end"):
        if not isinstance(value.get(key), int):
            found = shown(value.get(key))
            raise SerevalError(f"{value.name(key)}: found {found}, expected a character of a text")
    quoted = None if value.is_absent("text") else value.string("text")
    place = (value.integer("start"), value.integer("end"))
    for label in value.strings("labels" if "labels" in value else "hypertextlabels"):
        yield (label, *_characters(text, place, quoted, value.where))
