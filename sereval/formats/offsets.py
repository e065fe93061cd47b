"""Annotated texts in JSON and tables: lines of Prodigy, tasks of Label Studio, SLUE."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

from ..documents.model import Document
from ..documents.words import Span
from ..errors import SerevalError
from .build import Notes, document_of_annotations
from .file import Documents, File, Head, quote
from .records import Record, objects, of_type, show, value, whole
from .standoff import AnnotatedText, Mark, documents_of

LISTS = ("entities", "spans", "label", "labels", "annotations")
"""Keys that may hold the entities of a line."""

ONE = "one"
"""The policy of a file with one annotation of each task."""


def recognise(head: Head) -> str:
    columns = head.line.split("\t")
    if columns[0] == "id" and not TEXTS.keys().isdisjoint(columns):
        return "slue"
    if head.has("annotator annotation_id", "data annotations", "data completions"):
        return "labelstudio"
    has_words = "tokens" in head.keys and "tokens[{" not in head.keys
    if has_words or head.has("annotation_id", "id answer", "id mentions", "file entities"):
        return ""
    return "offsets" if head.has(*(f"text {name}" for name in (*LISTS, "answer"))) else ""


def _id(record: Record, name: str) -> str:
    """The id in a record; ``name`` if it has none."""
    return name if record.is_absent("id") else record.naming("id")


def _text(record: Record, key: str) -> str:
    """A text, which may be empty."""
    text = str(of_type(record.get(key), str, record.name(key)))
    return whole(text, f"{record.name(key)}: ") if text else ""


def _quoted(record: Record) -> str | None:
    return None if record.is_absent("text") else record.string("text").replace("\\n", "\n")


# --- JSON lines ----------------------------------------------------------------------------------


def read_offsets(file: File) -> Documents:
    """
    ```offsets
    {"id": "a", "text": "Jacques Chirac (Paris)", "entities": [[0, 14, "pers"], [16, 21, "loc"]]}
    ```

    Each line has a text and entities that count its characters (code points). Prodigy and doccano
    export such files. Entities cut words: those here are `Jacques`
    `Chirac` `(` `Paris` `)`. A line break in the text is the boundary of an utterance. If `tokens`
    come with the text, as in Prodigy's files, they are the words. The objects may also stand in a
    list, and be pairs as in the training data of spaCy:

    ```offsets
    [["in Paris", {"entities": [[3, 8, "loc"]]}], ["thank you", {"entities": []}]]
    ```

    Accepted:

    * the list is called `entities`, `spans` (Prodigy), `label` or `labels` (doccano), or
      `annotations` (doccano until 1.2); an entity is `[start, end, label]`, or an object with
      `start` and `end` (or `start_offset` and `end_offset`) and `label_name` or `label`, which may
      be a number; `end` is the character after the last;
    * `id` is a string or a whole number; without it the document is named after the file and its
      line, `show-1`;
    * an entity's own `text`, if present, must be the text at its place, apart from white space,
      unless `--read texts=offsets` says to ignore and count others;
    * all offsets of a file have one unit: code points, or UTF-16 as in JavaScript, where each
      character beyond U+FFFF (an emoji) counts as two. An entity whose `text` fits its place in
      only one of the two units decides for the whole file; two entities that decide differently are
      an error. If none decides, the unit is code points, and a note counts the entities that would
      stand elsewhere in UTF-16;
    * `score` or `confidence` of an entity, a number, is its confidence
      ([Thresholds](commands/sweep.md#thresholds));
    * white space at either end of an entity does not belong to it;
    * lines with `"answer": "reject"` or `"ignore"`, and `relations`, are skipped; other keys are
      ignored.

    Refused: a line with two lists, or with none and no `answer`; entities of several users on one
    line.
    """
    yield from documents_of_texts(file, list(objects(file)))


def documents_of_texts(file: File, records: Sequence[tuple[int, Record]]) -> Documents:
    """The documents of objects that are not rejected, each with its line."""
    found: list[AnnotatedText] = []
    with file.at() as here:
        for number, (here.line, record) in enumerate(records, 1):
            answer = record.string("answer") if "answer" in record else "accept"
            if answer not in ("accept", "reject", "ignore"):
                raise SerevalError(f'"answer": {quote(answer)}, expected accept, reject or ignore')
            if answer == "accept":
                found.append(_annotated(file, record, f"{file.id}-{number}", here.line))
    if not found:
        raise file.error("nothing but rejected or ignored examples, expected an accepted one")
    what = "examples that were rejected or ignored, skipped"
    found[0].notes.add(what, len(records) - len(found))
    yield from documents_of(file, found)


def _annotated(file: File, record: Record, name: str, line: int) -> AnnotatedText:
    text = AnnotatedText(file, _id(record, name), _text(record, "text"), line)
    keys = [key for key in LISTS if key in record]
    if len(keys) > 1 or not (keys or "answer" in record):
        raise SerevalError(
            f"{record.where}: {' and '.join(keys) or 'no list of entities'}, "
            f"expected one of {', '.join(LISTS)}"
        )
    items = list(record.items(keys[0])) if keys else []
    users = {show(item["user"]) for item, _ in items if isinstance(item, dict) and "user" in item}
    if len(users) > 1:
        raise SerevalError(
            f"annotations of users {', '.join(sorted(users))}, expected those of one"
        )
    relations = of_type(record.values.get("relations") or [], list, record.name("relations"))
    text.notes.add("relations, skipped", len(relations))
    for item in items:
        text.add(_entity(*item, line))
    if not record.is_absent("tokens"):
        tokens = record.records("tokens")
        text.tokens = [(one.integer("start"), one.integer("end")) for one in tokens]
    return text


def _entity(item: Any, where: str, line: int) -> Mark:
    if isinstance(item, list):
        if len(item) != 3:
            raise SerevalError(f"{where}: {len(item)} items, expected start, end and label")
        item = dict(zip(("start", "end", "label"), item, strict=True))
    entity = Record(item, where)
    # older versions of doccano write the number of a label, and its name on request
    label = entity.naming("label_name" if "label_name" in entity else "label")
    keys = ("start", "end") if "start_offset" not in entity else ("start_offset", "end_offset")
    start, end = map(entity.integer, keys)
    name = f"{label} [{start}, {end})"
    return Mark(label, ((start, end),), _quoted(entity), line, name, _confidence(entity))


def _confidence(record: Record) -> float | None:
    """How sure the system is, whatever the scale: GLiNER and transformers call it ``score``."""
    return record.number("score" if "score" in record else "confidence")


# --- Label Studio --------------------------------------------------------------------------------

_LABELS = ("labels", "hypertextlabels")
_OF_MEDIA = "labels"
"""The end of the names of types that label pictures or sounds, such as ``rectanglelabels``."""
_BOOKKEEPING = ("annotator", "created_at", "updated_at")
"""Keys of strings in a task of JSON-MIN that are never its text."""


class _Task(NamedTuple):
    """A task before the key of its text is known.

    Args:
        data: the object that has the text.
        labels: the results that label a text.
        others: types of the other results.
        cancelled: number of cancelled annotations.
    """

    id: str
    data: Record
    labels: list[Record]
    others: list[str]
    cancelled: int

    @property
    def strings(self) -> dict[str, str]:
        """The strings that may be its text, by key."""
        return {key: held for key, held in self.data.values.items() if isinstance(held, str)}

    def has(self, key: str) -> bool:
        """Whether the string under a key has all that the labels quote."""
        text = self.strings.get(key)
        return text is not None and all((_quoted(one) or "") in text for one in self.labels)

    def annotated(self, file: File, key: str) -> AnnotatedText:
        """The task with the text under a key; the first of several labels is the outermost."""
        text = AnnotatedText(file, self.id, _text(self.data, key))
        for label in self.labels:
            start, end, quoted = label.integer("start"), label.integer("end"), _quoted(label)
            for one in label.strings(_LABELS[0] if _LABELS[0] in label else _LABELS[1]):
                name = f"{one} [{start}, {end}) of task {self.id}"
                text.add(Mark(one, ((start, end),), quoted, None, name, _confidence(label)))
        text.notes.add("cancelled annotations, skipped", self.cancelled)
        text.notes.add("results that are no labels of a text, skipped", len(self.others))
        return text


def read_labelstudio(file: File) -> Documents:
    """
    ```labelstudio
    [{"id": 7, "data": {"text": "in Paris"}, "annotations": [{"result": [
      {"type": "labels", "value": {"start": 3, "end": 8, "text": "Paris", "labels": ["loc"]}}]}]}]
    ```

    The exports JSON and JSON-MIN of Label Studio: lists of tasks, or one task alone. In JSON-MIN, a
    task is an object with its text and lists of labels with their places, `"label": [{"start": 3,
    "end": 8, "labels": ["loc"]}]`. The id of the task is that of the document. Its text is the
    string under `text` in `data` (in JSON-MIN in the task itself); without this key, the only
    string there, or of several, the one in which the labels of all tasks find their quoted text.
    Words and places follow the rules of [offsets](#offsets). Of several labels of a result the
    first is the outermost element. Cancelled annotations, and results other than labels of a text,
    are skipped; `predictions` are ignored. Older versions call the annotations `completions`.

    `--read annotator=NAME` reads only the annotations of one person, whose address or number is
    under `completed_by` (in JSON-MIN under `annotator`), and leaves out tasks that this person did
    not annotate. [`sereval agreement`](commands/agreement.md#three-annotators-and-more) reads those
    of all.

    Refused: a task of JSON without an annotation, or with several of which none is the ground
    truth; labels of pictures, sounds or paragraphs instead of a text; places in HTML.
    """
    records = _records(file)
    if not records:
        raise SerevalError("no task, expected at least one")
    annotator = file.policy("annotator")
    tasks = []
    for k, record in enumerate(records, 1):
        kept = [one for one in _kept(record) if annotator in (ONE, _name_of(one))]
        if kept or annotator == ONE:
            tasks.append(_task(record, kept, f"{file.id}-{k}"))
    if not tasks:
        raise SerevalError(f"no annotation by {annotator}, expected some")
    media = {kind for task in tasks for kind in task.others if kind.endswith(_OF_MEDIA)}
    if media and not any(task.labels for task in tasks):
        raise SerevalError(f"the labels are {', '.join(sorted(media))}, expected some of a text")
    quoted = []
    if any("text" in label for task in tasks for label in task.labels):
        quoted = [key for key in tasks[0].strings if all(task.has(key) for task in tasks)]
    yield from documents_of(file, [task.annotated(file, _key(task, quoted)) for task in tasks])


def annotators(file: File) -> list[str]:
    """The names of the annotators of an export, in alphabetical order."""
    return sorted({_name_of(one) for record in _records(file) for one in _kept(record)} - {""})


def _records(file: File) -> list[Record]:
    found = value(file)
    tasks = enumerate(found if isinstance(found, list) else [found])
    return [Record(_in_full(of_type(one, dict, f"tasks[{k}]")), f"tasks[{k}]") for k, one in tasks]


def _in_full(task: dict[str, Any]) -> dict[str, Any]:
    """A task as of JSON; in JSON-MIN each key with a list holds the results of one control."""
    if "completions" in task:  # as older versions call them
        return {"annotations": task["completions"], **task}
    if {"data", "annotations"} & {*task}:
        return task
    lists = [held for held in task.values() if isinstance(held, list)]
    results = [
        {"type": kind, "value": place}
        for place in chain.from_iterable(lists)
        if isinstance(place, dict)
        for kind in place
        if kind.endswith(_OF_MEDIA)
    ]
    annotation = {"completed_by": task.get("annotator"), "result": results}
    data = {key: held for key, held in task.items() if key not in _BOOKKEEPING}
    return {"id": task.get("id"), "data": data, "annotations": [annotation]}


def _kept(record: Record) -> list[Record]:
    """The annotations that were not cancelled."""
    cancelled = ("was_cancelled", "skipped")
    return [one for one in record.records("annotations") if not any(map(one.values.get, cancelled))]


def _name_of(annotation: Record) -> str:
    """The name of its annotator: an address, or the number of the user."""
    found = annotation.values.get("completed_by")
    if isinstance(found, dict):
        found = found.get("email", found.get("id"))
    return "" if found is None else str(found)


def _task(record: Record, kept: Sequence[Record], name: str) -> _Task:
    """A task with the only annotation of those that are kept, or with the ground truth."""
    best = [one for one in kept if one.values.get("ground_truth") is True]
    chosen = best if len(best) == 1 else kept
    if len(chosen) != 1:
        raise SerevalError(
            f"{record.name('annotations')}: found {len(chosen)}, expected one, or one of them as "
            "ground truth"
        )
    labels, others = [], []
    for result in chosen[0].records("result"):
        kind = result.string("type")
        place = result.record("value") if kind in _LABELS else None
        if place is not None and place.get(kind):
            score = {"score": result.values.get("score")}
            labels.append(Record({**score, **place.values}, place.where))
        else:
            others.append(kind)
    cancelled = len(record.records("annotations")) - len(_kept(record))
    return _Task(_id(record, name), record.record("data"), labels, others, cancelled)


def _key(task: _Task, quoted: Sequence[str]) -> str:
    """The key of the text: ``text``, the key of the only string, or the key that labels quote."""
    if "text" in task.strings:
        return "text"
    for keys in ([*task.strings], quoted):
        if len(keys) == 1:
            return keys[0]
    raise SerevalError(
        f'{task.data.where}: strings {", ".join(task.strings) or "none"}, expected "text", one '
        "string only, or one that the labels quote"
    )


# --- SLUE -----------------------------------------------------------------------------------------

TEXTS = {"normalized_ner": "normalized_text", "raw_ner": "raw_text"}
"""The columns of entities, each with the column of their text; the first one is read by default."""

_SLUE_ITEM = re.compile(r"\[(?:'([^']*)'|\"([^\"]*)\"), ?([0-9]{1,9}), ?([0-9]{1,9})\]")
_SLUE_LIST = re.compile(rf"\[(?:{_SLUE_ITEM.pattern}(?:, ?{_SLUE_ITEM.pattern})*)?\]")


def read_slue(file: File) -> Documents:
    """
    ```slue
    id\tnormalized_text\tnormalized_ner
    20131007-PLENARY-19_2\tin july twenty twelve\t[['DATE', 3, 18]]
    20131007-PLENARY-19_3\tthank you\tNone
    ```

    The tables of SLUE VoxPopuli. The first line names the columns, tabs separate them, and quotes
    are as in CSV. Each line is a document with its `id`. `normalized_ner` has the entities of
    `normalized_text`: label, first character and length. `--columns raw_ner` reads those of
    `raw_text` instead. Other columns are ignored. Entities cut words. SLUE's own preparation
    removes punctuation and merges labels; here `--map` does the latter.
    """
    name, *others = file.options.columns or [*TEXTS][:1]
    if others or name not in TEXTS:
        found = ", ".join(file.options.columns)
        raise file.error(f"columns {found}, expected one of {', '.join(TEXTS)}", 1)
    names, is_empty = ("id", TEXTS[name], name), True
    with file.at() as here:
        for here.line, row in file.table(*names, delimiter="\t"):
            is_empty = False
            yield here.line, _of_recording(file, here.line, *(row[column] for column in names))
        here.line = None
        if is_empty:
            raise SerevalError("no line found below the header, expected some")


def _of_recording(file: File, line: int, id: str, text: str, entities: str) -> Document:
    if not id:
        raise SerevalError("no id, expected that of the recording")
    if entities not in ("", "None") and not _SLUE_LIST.fullmatch(entities):
        raise SerevalError(f"found {quote(entities)}, expected a list such as [['GPE', 17, 5]]")
    spans = [
        Span(one or other, int(start), int(start) + int(length), line)
        for one, other, start, length in _SLUE_ITEM.findall(entities)
    ]
    if not all(span.label for span in spans):
        raise SerevalError(f"found {quote(entities)}, expected a label for each entity")
    notes = Notes()
    for name in file.options.columns:
        notes.add(f"entities of column {name}", len(spans), f"columns={name}")
    return document_of_annotations(file, id, text, spans, notes)
