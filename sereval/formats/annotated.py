"""Annotated texts and annotated words, in JSON and in the formats of programs beside it.

Texts: lines of Prodigy, tasks of Label Studio, tables of SLUE. Words: GLiNER, DyGIE++, SpERT, tags
of Hugging Face's data sets, DocBin of spaCy, SLURP. Either: data sets in Arrow.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

from ..documents.model import Document, Mention, changed
from ..documents.tags import Tags, spell_tags
from ..documents.words import Span
from ..errors import SerevalError
from .build import (
    ANYTHING,
    Notes,
    check_texts,
    check_words,
    document_of_spans,
    read_tags,
    scheme_of,
)
from .file import Documents, File, Head, quote
from .records import Record, items, objects, of_type, show, strings, value
from .standoff import AnnotatedText, Mark, documents_of

LISTS = ("entities", "spans", "label", "labels", "annotations")
"""Keys that may hold the entities of a line."""

ONE = "one"
"""The policy of a file with one annotation of each task."""

HUGGING_FACE = "a data set of Hugging Face"
TOKENS = (
    ("GLiNER", "tokenized_text", "ner"),
    ("DyGIE++", "sentences", "ner"),
    ("DyGIE++", "sentences", "predicted_ner"),
    ("SpERT", "tokens", "entities"),
    (HUGGING_FACE, "tokens", "ner_tags"),
    (HUGGING_FACE, "tokens", "tags"),
)
"""Programs, and the keys of words and elements that identify their files."""


def recognise(head: Head) -> str:
    columns = head.line.split("\t")
    if columns[0] == "id" and not TEXTS.keys().isdisjoint(columns):
        return "slue"
    if head.has("annotator annotation_id", "data annotations", "data completions"):
        return "labelstudio"
    if head.has("tokens entities recordings", "file entities"):
        return "slurp"
    if head.has("annotation_id", "id answer", "id mentions"):
        return ""
    are_words = "tokens[{" not in head.keys  # else they are objects, as Prodigy's
    has_text = head.has(*(f"text {name}" for name in (*LISTS, "answer")))
    if has_text and not (are_words and "tokens" in head.keys):
        return "offsets"
    has_both = head.has(*(f"{words} {key}" for _, words, key in TOKENS))
    return "tokens" if are_words and has_both else ""


# --- texts ---------------------------------------------------------------------------------------


def _id(record: Record, name: str) -> str:
    """The id in a record; ``name`` if it has none."""
    return name if record.is_absent("id") else record.naming("id")


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
    yield from documents_of_texts(file, objects(file))


def documents_of_texts(file: File, records: Iterable[Record]) -> Documents:
    """The documents of objects that are not rejected, each with its line."""
    found, number = list[AnnotatedText](), 0
    for number, record in enumerate(records, 1):
        answer = record.string("answer") if "answer" in record else "accept"
        if answer not in ("accept", "reject", "ignore"):
            raise SerevalError(f'"answer": {quote(answer)}, expected accept, reject or ignore')
        if answer == "accept":
            found.append(_annotated_text(file, record, f"{file.id}-{number}"))
    if number and not found:
        raise SerevalError("nothing but rejected or ignored examples, expected an accepted one")
    for text in found[:1]:
        what = "examples that were rejected or ignored, skipped"
        text.notes.add(what, number - len(found))
    yield from documents_of(file, found)


def _annotated_text(file: File, record: Record, name: str) -> AnnotatedText:
    text = AnnotatedText(file, _id(record, name), record.text("text"))
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
        text.add(_entity(*item, file.here))
    text.notes.chosen(file, "entities of the column that was asked for", len(text.marks))
    if not record.is_absent("tokens"):
        tokens = record.records("tokens")
        text.tokens = [(one.integer("start"), one.integer("end")) for one in tokens]
    return text


def _entity(item: Any, where: str, line: int | None) -> Mark:
    if isinstance(item, list):
        item = dict(zip(("start", "end", "label"), item, strict=False))
    entity = Record(item, where)
    # older versions of doccano write the number of a label, and its name on request
    label = entity.naming("label_name" if "label_name" in entity else "label")
    keys = ("start", "end") if "start_offset" not in entity else ("start_offset", "end_offset")
    start, end = map(entity.integer, keys)
    name = f"{label} [{start}, {end})"
    return Mark(label, [(start, end)], _quoted(entity), line, name, _confidence(entity))


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
    """A task before the key of its text is known."""

    id: str
    data: Record  # has the text
    strings: dict[str, str]  # those in data, by key
    labels: list[Mark]  # the results that label a text
    others: list[str]  # types of the other results
    cancelled: int  # number of annotations


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
    annotator, records = file.policy("annotator"), _tasks(file)
    tasks = []
    for k, record in enumerate(records, 1):
        kept = [one for one in _kept(record) if annotator in (ONE, _name_of(one))]
        if kept or annotator == ONE:
            tasks.append(_task(record, kept, f"{file.id}-{k}"))
    if records and not tasks:
        raise SerevalError(f"no annotation by {annotator}, expected some")
    labels = [label for task in tasks for label in task.labels]
    media = {kind for task in tasks for kind in task.others if kind.endswith(_OF_MEDIA)}
    if media and not labels:
        raise SerevalError(f"the labels are {', '.join(sorted(media))}, expected some of a text")
    quoted = []
    if any(label.quote is not None for label in labels):
        held = [(label.quote or "", task.strings) for task in tasks for label in task.labels]
        quoted = [
            key
            for key in tasks[0].strings
            if all(text in strings.get(key, "") for text, strings in held)
        ]
    yield from documents_of(file, [_with_text(file, task, quoted) for task in tasks])


def annotators(file: File) -> list[str]:
    """The names of the annotators of an export, in alphabetical order."""
    return sorted({_name_of(one) for record in _tasks(file) for one in _kept(record)} - {""})


def _tasks(file: File) -> list[Record]:
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
    id, labels, others = _id(record, name), list[Mark](), list[str]()
    for result in chosen[0].records("result"):
        kind = result.string("type")
        place = result.record("value") if kind in _LABELS else None
        if place is None or not place.get(kind):
            others.append(kind)
            continue
        start, end, quoted = place.integer("start"), place.integer("end"), _quoted(place)
        sure = _confidence(Record({**result.values, **place.values}, place.where))
        for label in place.strings(kind):  # the first of several is the outermost
            at = f"{label} [{start}, {end}) of task {id}"
            labels.append(Mark(label, [(start, end)], quoted, None, at, sure))
    data, cancelled = record.record("data"), len(record.records("annotations")) - len(_kept(record))
    strings = {key: held for key, held in data.values.items() if isinstance(held, str)}
    return _Task(id, data, strings, labels, others, cancelled)


def _with_text(file: File, task: _Task, quoted: Sequence[str]) -> AnnotatedText:
    """A task with its text: under ``text``, the only string, or the one that labels quote."""
    choices = (("text",), (*task.strings,), quoted)
    key = next((one[0] for one in choices if len(one) == 1 and one[0] in task.strings), None)
    if key is None:
        raise SerevalError(
            f'{task.data.where}: strings {", ".join(task.strings) or "none"}, expected "text", one '
            "string only, or one that the labels quote"
        )
    text = AnnotatedText(file, task.id, task.data.text(key))
    text.notes.add("cancelled annotations, skipped", task.cancelled)
    text.notes.add("results that are no labels of a text, skipped", len(task.others))
    for label in task.labels:
        text.add(label)
    return text


# --- SLUE -----------------------------------------------------------------------------------------

TEXTS = {"normalized_ner": "normalized_text", "raw_ner": "raw_text"}
"""The columns of entities, each with the column of their text; the first one is read by default."""

_SLUE_ITEM = re.compile(r"\[(?:'([^']+)'|\"([^\"]+)\"), ?([0-9]{1,9}), ?([0-9]{1,9})\]")
_SLUE_LIST = re.compile(rf"\[(?:{_SLUE_ITEM.pattern}(?:, ?{_SLUE_ITEM.pattern})*)?\]")


def read_slue(file: File) -> Documents:
    """
    ```slue
    id␉normalized_text␉normalized_ner
    20131007-PLENARY-19_2␉in july twenty twelve␉[['DATE', 3, 18]]
    20131007-PLENARY-19_3␉thank you␉None
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
    names, records = ("id", TEXTS[name], name), list[tuple[int | None, Record]]()
    for row in file.table(*names, delimiter="\t"):
        id, text, entities = (row[column] for column in names)
        if not id:
            raise SerevalError("no id, expected that of the recording")
        if entities not in ("", "None") and not _SLUE_LIST.fullmatch(entities):
            expected = "a list such as [['GPE', 17, 5]]"
            raise SerevalError(f"found {quote(entities)}, expected {expected}")
        marks = [
            [int(first), int(first) + int(length), one or other]
            for one, other, first, length in _SLUE_ITEM.findall(entities)
        ]
        values = {"id": id, "text": text, "entities": marks}
        records.append((file.here, Record(values, "document")))
    yield from documents_of_texts(file, (record for file.here, record in records))


# --- words ---------------------------------------------------------------------------------------


def read_tokens(file: File) -> Documents:
    """
    ```tokens
    {"tokenized_text": ["recevrons", "Benoît", "Magimel"], \
"ner": [[1, 2, "pers.ind"], [1, 1, "name.first"]]}
    ```

    JSON that lists the words of a document, with spans on them or a tag for each. Objects stand one
    after another over any number of lines, or in lists. The keys show which program wrote an
    object; a note names the program and counts the words.

    | program | words | elements |
    |---|---|---|
    | GLiNER | `tokenized_text` | `ner`: `[first, last, label]` |
    | DyGIE++ | `sentences` | `ner` or `predicted_ner`, a list for each sentence: \
`[first, last, label, …]`, counted through the document |
    | SpERT | `tokens` | `entities`: `{"type", "start", "end"}`, `end` is the word after the last |
    | data sets of Hugging Face | `tokens` | `ner_tags` or `tags`: the names of the tags |

    * The id of a document is `id` or `doc_key`, a text or a whole number; without it, the documents
      are `file-1`, `file-2`, ….
    * Sentences of DyGIE++ begin with boundaries of utterances. A span stays in its
      sentence.
    * Tags are read as in [columns](#columns): all tags of a file have one scheme.
    * Other keys are ignored, also relations and coreference.

    Refused: **numbers instead of names of tags**, because only the data set knows the names
    (`features`); unknown tags; `ner` and `predicted_ner` in one object.
    """
    yield from documents_of_tokens(file, objects(file))


def documents_of_tokens(file: File, records: Iterable[Record]) -> Documents:
    """The documents of objects, each with its line."""
    found: list[tuple[int, Document]] = []
    for record in records:
        one = _annotated_words(file, record, f"{file.id}-{len(found) + 1}")
        found.append((file.here or 0, one))
    every = [(line, one.tags.tags) for line, one in found if one.tags]
    tags = [tag for _, own in every for tag in own]
    ends = {*accumulate(len(own) for _, own in every)} - {0, len(tags)}
    places = [line for line, own in every for _ in own]
    scheme, wrong = scheme_of(file, tags, sorted(ends), places.__getitem__)
    for file.here, one in found:
        if one.tags:
            notes, lines = Notes(), [file.here] * len(one.words)
            named = one.tags._replace(scheme=scheme)
            own = read_tags(file, named, wrong, lines.__getitem__, notes, id=one.id)
            every_note = (*one.notes, *notes.all())
            one = changed(one, elements=own.elements, tags=own, notes=every_note)
        yield one


def _annotated_words(file: File, record: Record, id: str) -> Document:
    keys = record.values.keys()
    found = next((row for row in TOKENS if {*row[1:]} <= keys), None)
    if found is None:
        expected = ", ".join(dict.fromkeys(name for name, *_ in TOKENS))
        raise SerevalError(f"{record.where}: keys of no program, expected those of {expected}")
    named = next((key for key in ("doc_key", "id") if not record.is_absent(key)), None)
    id = id if named is None else record.naming(named)
    program, of_words, key = found
    has_tags = program == HUGGING_FACE
    tags = _tags(record, key) if has_tags else ()
    if of_words == "sentences":
        if {"ner", "predicted_ner"} <= keys:
            raise SerevalError(f'{record.where}: "ner" and "predicted_ner", expected one of them')
        sentences = [strings(*item) for item in record.items(of_words)]
        lists = [items(*item) for item in record.items(key)]
        if len(lists) != len(sentences):
            raise SerevalError(
                f"{record.name(key)}: {len(lists)} lists, expected one for each of "
                f"{len(sentences)} sentences"
            )
    else:
        sentences, lists = [record.strings(of_words)], [iter(()) if has_tags else record.items(key)]
    words, breaks, spans = list[str](), list[int](), list[Span]()
    for sentence, own in zip(sentences, lists, strict=True):
        first = len(words)
        breaks += [first] if first and sentence else []
        words += sentence
        for item, where in own:
            label, start, end = _words_of(item, where)
            if not first <= start < end <= len(words):
                raise SerevalError(
                    f"{where}: words {start} to {end - 1}, expected some of {first} to "
                    f"{len(words) - 1}"
                )
            name = f"{label} (words {start} to {end - 1} of {id})"
            spans.append(Span(label, start, end, file.here, name))
    if has_tags and len(tags) != len(words):
        raise SerevalError(f"{record.where}: {len(tags)} tags for {len(words)} words")
    notes = Notes()
    notes.add(f"words in the JSON of {program}", len(words))
    made = document_of_spans(file, id, words, spans, notes, breaks=breaks)
    return changed(made, tags=Tags(tags, made.breaks)) if tags else made


def _tags(record: Record, key: str) -> tuple[str, ...]:
    numbers = [item for item, _ in record.items(key) if isinstance(item, int)]
    if numbers:
        raise SerevalError(
            f"{record.name(key)}: found the number {numbers[0]}, expected the names of the tags: "
            "only the data set has them (features, int2str)"
        )
    return record.strings(key)


def _words_of(item: Any, where: str) -> tuple[str, int, int]:
    """The label and the frontiers of a span; a list has its first and its last word."""
    if not isinstance(item, list):
        one = Record(item, where)
        return one.string("type"), one.integer("start"), one.integer("end")
    one = Record.of_list(item, where, "first", "last", "label")
    return one.string("label"), one.integer("first"), one.integer("last") + 1


# --- writing -------------------------------------------------------------------------------------

INSIDE = "elements inside others, which tags in one list cannot hold"


def write_tokens(document: Document, lost: Notes, tags: str = "") -> str:
    """The file of a document, and notes on what it does not hold."""
    check_texts(document.id, "list of tokens", [document.id], ANYTHING)
    check_words(document, "list of tokens", ANYTHING, ANYTHING)
    if not tags:
        spans = [(one.start, one.end - 1, one.label) for one in document.elements]
        value: dict[str, Any] = {"id": document.id, "tokenized_text": document.words, "ner": spans}
    else:
        outer = [one for one in document.elements if one.parent is None]
        lost.add(INSIDE, len(document.elements) - len(outer))
        spelled = spell_tags(outer, len(document.words), tags)
        value = {"id": document.id, "tokens": document.words, "ner_tags": spelled}
    return json.dumps(value, ensure_ascii=False) + "\n"


# --- spaCy 3 ------------------------------------------------------------------------------------

GROUP = "sc"
"""The name of the group of spans that is written; spaCy's pipes have it by default."""
SKIPPED = "spans in groups beside the entities, skipped"
GROUPED = f"elements, written into the group of spans {GROUP} as some are inside others"

_DAMAGED = (
    *(ValueError, LookupError, TypeError, AttributeError, ArithmeticError, EOFError, OSError),
    zlib.error,
)
"""What spaCy and pyarrow raise for damaged files, besides errors of their own."""


def read_docbin(file: File) -> Documents:
    """
    The files of spaCy 3 (`spacy convert`, `DocBin.to_disk`). They need the [extra
    `spacy`](../install.md#extras). Each `Doc` is a document; its id is the file's name, with a
    number if there are several. Tokens of white space are no words, and sentences begin with
    boundaries of utterances. The elements are the entities (`doc.ents`). If no `Doc` of the file
    has an entity and all groups of spans have one name, the elements are the spans of that group,
    which may nest; a note counts them. Groups beside entities are skipped.

    `sereval convert` writes elements as entities. If an element is inside another, all are written
    into the group of spans `sc` instead, because entities cannot nest.

    Refused: groups of several names but no entity.
    """
    spacy = _imported()
    try:
        found = spacy.tokens.DocBin().from_bytes(file.data)
        docs = list(found.get_docs(spacy.vocab.Vocab()))
    except _DAMAGED:
        raise SerevalError("spaCy cannot read it, expected a DocBin") from None
    names = sorted({name for doc in docs for name, spans in doc.spans.items() if len(spans)})
    has_entities = any(len(doc.ents) for doc in docs)
    if len(names) > 1 and not has_entities:
        raise SerevalError(
            f"groups of spans {', '.join(names)} but no entity, expected one of them"
        )
    group = names[0] if names and not has_entities else None
    for k, doc in enumerate(docs, 1):
        yield _of_doc(file, file.id if len(docs) == 1 else f"{file.id}-{k}", doc, group)


def _imported() -> Any:
    try:
        import spacy.tokens  # an extra, and slow to import
        import spacy.vocab
    except ImportError:
        raise SerevalError(
            "a file of spaCy needs spaCy, which is not installed: pip install 'sereval[spacy]'"
        ) from None
    return spacy


def _of_doc(file: File, id: str, doc: Any, group: str | None) -> Document:
    words = [token.text for token in doc if not token.text.isspace()]
    frontiers = [*accumulate((not token.text.isspace() for token in doc), initial=0)]
    spans = []
    for span in doc.ents if group is None else doc.spans.get(group, ()):
        label, start, end = span.label_, frontiers[span.start], frontiers[span.end]
        spans.append(Span(label, start, end, name=f"{label} [{start}, {end}) of {id}"))
    notes = Notes()
    if group is None:
        notes.add(SKIPPED, sum(len(found) for found in doc.spans.values()))
    else:
        notes.add("spans of a group, read as no document has entities", len(spans))
    breaks = {frontiers[token.i] for token in doc if token.is_sent_start} - {0, len(words)}
    return document_of_spans(file, id, words, spans, notes, breaks=sorted(breaks))


def write_docbin(document: Document, lost: Notes) -> bytes:
    """The file of a document, and notes on what it does not hold."""
    check_words(document, "DocBin", labels=ANYTHING)
    spacy = _imported()
    starts = {0, *document.breaks}
    doc = spacy.tokens.Doc(
        spacy.vocab.Vocab(),
        words=list(document.words),
        sent_starts=[k in starts for k in range(len(document.words))] if document.breaks else None,
    )
    make = spacy.tokens.Span
    spans = [make(doc, one.start, one.end, label=one.label) for one in document.elements]
    if any(element.parent is not None for element in document.elements):
        doc.spans[GROUP] = spans
        lost.add(GROUPED, len(spans))
    else:
        doc.set_ents(spans, default="outside")
    data: bytes = spacy.tokens.DocBin(docs=[doc], store_user_data=False).to_bytes()
    return data


# --- SLURP --------------------------------------------------------------------------------------

CAPITALS = "words with capital letters, in small letters as SLURP's scorer reads them"


def read_slurp(file: File) -> Documents:
    """
    ```slurp
    {"tokens": [{"surface": "call"}, {"surface": "mona"}], "recordings": [{"file": "1.flac"}], \
"entities": [{"span": [1], "type": "person"}]}
    {"file": "2.flac", "entities": [{"type": "person", "filler": "mona"}]}
    ```

    The corpus SLURP has a line for each sentence, with the recordings made of it, and systems write
    a line for each recording. Both are read from `.jsonl` by their keys.

    * A sentence becomes a document for each of its recordings, whose file name is the id. The words
      are `tokens`, the elements are `entities`, whose `span` counts tokens. **Words are put in
      small letters**, as the scorer of SLURP reads them; a note counts those that this changes.
    * A prediction becomes a document with [mentions](#mentions): the `type` and the `filler` of
      each entity, in their order. All other keys are ignored.

    Refused: entities whose tokens are apart from each other.
    """
    for record in objects(file):
        if "file" not in record:
            yield from _sentence(record, file)
            continue
        id = record.string("file")
        record.where = f"recording {quote(id)}"
        found = [Mention(one.word("type"), one.word("filler")) for one in record.needed("entities")]
        yield Document(id, (), source=file.path, mentions=tuple(found))


def _sentence(record: Record, file: File) -> Iterator[Document]:
    """The documents of a sentence, one for each recording."""
    if "slurp_id" in record:
        record.where = f"sentence {record.integer('slurp_id')}"
    tokens = [one.word("surface") for one in record.needed("tokens")]
    words = [token.lower() for token in tokens]
    spans = [_slurp_span(entity, file.here) for entity in record.needed("entities")]
    notes = Notes()
    notes.add(CAPITALS, sum(word != token for word, token in zip(words, tokens, strict=True)))
    for one in record.needed("recordings"):
        yield document_of_spans(file, one.string("file"), words, spans, notes)


def _slurp_span(entity: Record, line: int | None) -> Span:
    numbers = entity.integers("span")
    if not numbers or numbers != tuple(range(numbers[0], numbers[0] + len(numbers))):
        raise SerevalError(f"{entity.name('span')}: expected tokens that follow one another")
    return Span(entity.word("type"), numbers[0], numbers[-1] + 1, line)


# --- Arrow and Parquet ---------------------------------------------------------------------------


def read_arrow(file: File) -> Documents:
    """
    The folder that `save_to_disk` of Hugging Face's `datasets` writes for one split, an Arrow file
    of it, or a Parquet file. They need the [extra `arrow`](../install.md#extras). Each row is a
    document, read by its columns: `tokens` with `ner_tags` or `tags`, and others as in
    [tokens](#tokens); `text` with `entities` or `spans`, and others as in [offsets](#offsets).
    Other columns are ignored. Numbers of tags or labels get their names from the features that the
    file has (`ClassLabel`). The number in a message is that of the row, from 1.

    Refused: numbers that the features do not name, as −1 in a hidden test set.
    """
    rows = _rows(file)
    is_tokens = any({*keys} <= row.keys() for row in rows[:1] for _, *keys in TOKENS)
    records = (Record(row, "row") for file.here, row in enumerate(rows, 1))
    yield from (documents_of_tokens if is_tokens else documents_of_texts)(file, records)


def _rows(file: File) -> list[dict[str, Any]]:
    """The rows, with names in place of the numbers of classes."""
    try:
        import pyarrow  # an extra, and slow to import
        from pyarrow import ipc, parquet
    except ImportError:
        raise SerevalError(
            "data sets need pyarrow, which is not installed: pip install 'sereval[arrow]'"
        ) from None
    assert file.data is not None
    data = pyarrow.BufferReader(file.data)
    try:
        if file.data.startswith(b"PAR1"):
            table = parquet.read_table(data)
        elif file.data.startswith(b"ARROW1"):
            table = ipc.open_file(data).read_all()
        else:
            table = ipc.open_stream(data).read_all()
            if not file.data.endswith(bytes(4)):  # the end of a stream
                raise EOFError
        table.validate(full=True)
        rows: list[dict[str, Any]] = table.to_pylist()
        about = json.loads((table.schema.metadata or {}).get(b"huggingface", b"{}"))
        features = dict(about.get("info", {}).get("features", {}))
    except (pyarrow.ArrowException, *_DAMAGED):
        raise SerevalError("pyarrow cannot read it, expected an Arrow or Parquet file") from None
    for file.here, row in enumerate(rows, 1):
        row.update({key: _with_names(row[key], features.get(key), key) for key in row})
    return rows


def _with_names(value: Any, feature: Any, column: str) -> Any:
    """A value of a column, with the names of the classes in it."""
    if isinstance(feature, list):  # as older versions write the feature of a list
        feature = {"feature": next(iter(feature), None)}
    if value is None or not isinstance(feature, dict):
        return value
    if isinstance(value, list):
        return [_with_names(item, feature.get("feature"), column) for item in value]
    if isinstance(value, dict):
        return {key: _with_names(item, feature.get(key), column) for key, item in value.items()}
    if feature.get("_type") != "ClassLabel":
        return value
    names = dict(enumerate(strings(feature.get("names"), f'"{column}"')))
    if value not in names:
        raise SerevalError(
            f'"{column}": found {value}, expected a class from 0 to {len(names) - 1}'
        )
    return names[value]
