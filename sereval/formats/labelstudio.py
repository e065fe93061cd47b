"""Exports of Label Studio, JSON and JSON-MIN: tasks whose labels count characters of a text.

The project chooses the key of the text. If the key is not ``text``, the reader finds it from the
labels, which quote the text.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..documents.model import Document
from ..documents.notes import Note, Place
from ..errors import SerevalError
from .file import File as Source
from .find import Head
from .offsets import AnnotatedText, documents_of, id_of, mark_of, text_of
from .records import Record, show, value
from .utf16 import Mark, Utf16Text

ONE = "one"
"""The policy of a file with one annotation of each task."""

_LABELS = ("labels", "hypertextlabels")
_OF_MEDIA = "labels"
"""The end of the names of types that label pictures or sounds, such as ``rectanglelabels``."""
_BOOKKEEPING = ("annotator", "created_at", "updated_at")
"""Keys of strings in a task of JSON-MIN that are never its text."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A task before the key of its text is known.

    Args:
        id: id of the document.
        data: the object that has the text.
        strings: keys of the strings in that object.
        labels: the results that label a text.
        others: types of the other results.
        cancelled: number of cancelled annotations.
    """

    id: str
    data: Record
    strings: tuple[str, ...]
    labels: tuple[Record, ...]
    others: tuple[str, ...]
    cancelled: int = 0

    def is_about(self, key: str) -> bool:
        """Whether the text under a key agrees with what its labels quote."""
        if key not in self.strings:
            return False
        text = Utf16Text(text_of(self.data, key))
        try:
            return all(_mark(label, text) is not None for label in self.labels)
        except SerevalError:
            return False


def recognise(head: Head) -> str:
    is_json_min = head.has("annotator annotation_id")
    is_task = is_json_min or head.has("data annotations", "data completions")
    return "labelstudio" if is_task else ""


def read_labelstudio(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of an export: a list of tasks, or one task.

    Args:
        source: the file.

    Returns:
        A document for each task, with the task's id; its elements are those of its annotation.

    Raises:
        InputError: a file that is not JSON or no such list; a task without a text, without an
            annotation or with several; an entity outside the text or crossing another one; labels
            of pictures or sounds only.

    >>> result = '{"type": "labels", "value": {"start": 3, "end": 8, "labels": ["LOC"]}}'
    >>> task = '{"id": 7, "data": {"text": "in Paris"}, "annotations": [{"result": [%s]}]}'
    >>> [(_, one)] = read_labelstudio(Source("a.json", text=f"[{task % result}]"))
    >>> one.id, str(one.elements[0])
    ('7', 'LOC [1, 2)')
    """
    found = value(source)
    items = found if isinstance(found, list) else [found]
    records = [Record(task, f"tasks[{k}]") for k, task in enumerate(items)]
    if not records:
        raise SerevalError("no task, expected at least one")
    annotator = source.policy("annotator")
    read = (_task(record, f"{source.id}-{k}", annotator) for k, record in enumerate(records, 1))
    tasks = [task for task in read if task is not None]
    if not tasks:
        raise SerevalError(f"no annotation by {annotator}, expected some")
    _refuse_media(tasks)
    quoted = _keys_of_quotes(tasks)
    return documents_of(source, [_annotate(task, _key(task, quoted), source) for task in tasks])


def annotators(source: Source) -> list[str]:
    """The names of the annotators of an export, in alphabetical order.

    Args:
        source: the file.
    """
    found = value(source)
    items = found if isinstance(found, list) else [found]
    return sorted({name for task in items for name in _names_of(Record(task, "tasks"))})


def _names_of(record: Record) -> list[str]:
    """The names of the annotators of a task."""
    key = _annotations(record)
    if not key:
        return [_name_of(record.values.get("annotator"))] if "annotator" in record else []
    return [
        _name_of(one.values.get("completed_by")) for one in record.records(key) if _is_kept(one)
    ]


def _name_of(annotator: Any) -> str:
    """The name of an annotator: an address, or the number of the user."""
    if isinstance(annotator, dict):
        annotator = annotator.get("email", annotator.get("id"))
    return "" if annotator is None else str(annotator)


def _is_kept(annotation: Record) -> bool:
    """Whether an annotation was not cancelled."""
    return not any(map(annotation.values.get, ("was_cancelled", "skipped")))


def _task(record: Record, name: str, annotator: str) -> _Task | None:
    """A task with the annotation of one annotator; ``None``: there is none.

    Args:
        annotator: the annotator's name; ``ONE``: there is one annotation.
    """
    id = id_of(record, name)
    if "data" not in record and not _annotations(record):
        is_other = annotator != ONE and annotator not in _names_of(record)
        return None if is_other else _least(record, id)
    data = Record(record.get("data"), record.name("data"))
    annotation, cancelled = _annotation(record, annotator)
    if annotation is None:
        return None
    labels, others = [], []
    for result in annotation.records("result"):
        kind = result.string("type")
        place = Record(result.get("value"), result.name("value")) if kind in _LABELS else None
        if place is not None and place.get(kind):
            labels.append(place)
        else:
            others.append(kind)
    return _Task(id, data, _strings(data), tuple(labels), tuple(others), cancelled)


def _least(record: Record, id: str) -> _Task:
    """A task of JSON-MIN: each key with a list of objects holds results of one control."""
    labels, others = [], []
    for key, held in record.values.items():
        for place in record.records(key) if _are_objects(held) else ():
            kinds = [kind for kind in place.values if kind.endswith(_OF_MEDIA)]
            if any(kind in _LABELS for kind in kinds):
                labels.append(place)
            else:
                others += kinds
    strings = tuple(key for key in _strings(record) if key not in _BOOKKEEPING)
    return _Task(id, record, strings, tuple(labels), tuple(others))


def _are_objects(held: Any) -> bool:
    return isinstance(held, list) and all(isinstance(one, dict) for one in held)


def _strings(data: Record) -> tuple[str, ...]:
    return tuple(key for key, held in data.values.items() if isinstance(held, str))


def _annotations(record: Record) -> str:
    """The key of the annotations, which is ``completions`` in older versions."""
    return next((key for key in ("annotations", "completions") if key in record), "")


def _annotation(record: Record, annotator: str) -> tuple[Record | None, int]:
    """The annotation of a task, and the number of its cancelled annotations."""
    key = _annotations(record) or "annotations"
    every = record.records(key)
    valid = [one for one in every if _is_kept(one)]
    if annotator != ONE:
        own = [one for one in valid if _name_of(one.values.get("completed_by")) == annotator]
        if len(own) > 1:
            raise SerevalError(f"{record.name(key)}: found {len(own)} by {annotator}, expected one")
        return (own[0] if own else None), 0
    best = [one for one in valid if one.values.get("ground_truth") is True]
    chosen = best if len(best) == 1 else valid
    if len(chosen) != 1:
        raise SerevalError(
            f"{record.name(key)}: found {len(chosen)}, expected one, or one of them as ground truth"
        )
    return chosen[0], len(every) - len(valid)


def _refuse_media(tasks: Sequence[_Task]) -> None:
    """Refuse a project that labels pictures or sounds only: its strings are no texts."""
    media = sorted({kind for task in tasks for kind in task.others if kind.endswith(_OF_MEDIA)})
    if media and not any(task.labels for task in tasks):
        raise SerevalError(f"the labels are {', '.join(media)}, expected some of a text")


def _keys_of_quotes(tasks: Sequence[_Task]) -> frozenset[str]:
    """The keys under which the labels of all tasks find what they quote, if they are needed."""
    is_plain = all("text" in task.strings or len(task.strings) == 1 for task in tasks)
    if is_plain or not any("text" in label for task in tasks for label in task.labels):
        return frozenset()
    return frozenset(key for key in tasks[0].strings if all(task.is_about(key) for task in tasks))


def _key(task: _Task, quoted: frozenset[str]) -> str:
    """The key of the text: ``text``, the key of the only string, or the key that labels quote."""
    if "text" in task.strings:
        return "text"
    if len(task.strings) == 1:
        return task.strings[0]
    if len(quoted) == 1:
        return next(iter(quoted))
    raise SerevalError(
        f'{task.data.where}: strings {", ".join(task.strings) or "none"}, expected "text", one '
        "string only, or one that the labels quote"
    )


def _annotate(task: _Task, key: str, source: Source) -> AnnotatedText:
    text = Utf16Text(text_of(task.data, key))
    file = f"{os.path.basename(source.path)}, task {task.id}"
    marks = [
        (label, _mark(value, text, label, file)) for value in task.labels for label in _names(value)
    ]
    notes = (
        Note("cancelled annotations, skipped", task.cancelled),
        Note("results that are no labels of a text, skipped", len(task.others)),
    )
    return AnnotatedText(
        task.id,
        text,
        tuple(label for label, _ in marks),
        tuple(mark for _, mark in marks),
        tuple(note for note in notes if note.count),
    )


def _names(value: Record) -> tuple[str, ...]:
    """The labels of a result; each becomes an element."""
    return value.strings(_LABELS[0] if _LABELS[0] in value else _LABELS[1])


def _mark(value: Record, text: Utf16Text, label: str = "", file: str = "") -> Mark:
    for key in ("start", "end"):
        if not isinstance(value.get(key), int):
            found = show(value.get(key))
            raise SerevalError(f"{value.name(key)}: found {found}, expected a character of a text")
    quoted = None if value.is_absent("text") else value.string("text")
    span = value.integer("start"), value.integer("end")
    return mark_of(text, span, quoted, value.where, Place(label, file))
