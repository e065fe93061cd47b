"""Native JSON lines: a document on each line, read strictly and written exactly (definition, 6).

Every document and reference can be written and read back as an equal value. A line with fuzzy
elements or the key ``unplaceable`` is a `Reference`; any other line is a `Document`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ..documents.model import (
    Alternative,
    Document,
    Element,
    Mention,
    Reference,
    ReferenceElement,
    Time,
    Unplaceable,
    tree,
)
from ..errors import CrossingError, SerevalError, with_place
from .build import NOT_SECONDS, Notes, too_long, uncrossed_spans
from .file import Documents, File, Head, quote
from .records import (
    Record,
    each_line,
    load,
    of_type,
    plain_times,
    show,
    strings,
    time,
    whole,
)

_DOCUMENT = ("id", "words", "times", "breaks", "elements", "mentions", "alternatives")
_REFERENCE = ("id", "words", "times", "projection", "elements", "unplaceable")
_EXACT = ("label", "start", "end", "parent", "confidence")
_FUZZY = ("label", "labels", "starts", "ends", "parent", "strict")
_ONLY_FUZZY = {"labels", "starts", "ends", "strict"}

_Span = tuple[Any, ...]
"""Label, frontiers and parent of an element; then no line and its confidence, if it has one."""


def recognise(head: Head) -> str:
    keys = {key.removesuffix("[{") for key in head.keys}
    if head.has("id mentions") and "words" not in keys:
        return "mentions"
    is_known = keys and keys <= {*_DOCUMENT, *_REFERENCE} and "words[{" not in head.keys
    return "native" if is_known else ""


def read_native(file: File) -> Documents:
    """
    ```native
    {"id": "show1", "words": ["la", "Russie"], "times": [[0.0, 0.2], [0.2, 0.61]], \
"elements": [{"label": "org.adm", "start": 1, "end": 2}, {"label": "loc.adm.nat", "start": 1, \
"end": 2, "parent": 0}]}
    {"id": "show2", "words": ["Jacques", "Chirac", "à", "Dol"], "breaks": [2], \
"elements": [{"label": "loc", "start": 3, "end": 4}, {"label": "pers.ind", "start": 0, "end": 2}]}
    ```

    Each line is one JSON object and one document. A document written in this format reads back to
    the same values; no other format promises that.

    | key | value |
    |---|---|
    | `id` | the name of the document |
    | `words` | list of strings, none of them empty |
    | `times` | start and end of each word in seconds, `[[0.0, 0.2], …]`, in order of start; \
optional, or `null` |
    | `breaks` | frontiers at which an utterance begins, increasing, without the two ends of the \
document; optional |
    | `elements` | list of elements; optional |
    | `alternatives` | stretches that may be said in other words, `[{"start": 2, "end": 3, \
"readings": [["twenty", "twenty"]]}, …]`; optional ([Alternatives](normalise.md#alternatives)) |

    A *frontier* counts the words before it: `"start": 1, "end": 2` is the second word alone. An
    element has `label`, `start`, `end`, and optionally `parent`, an index into `elements`, and
    `confidence`, from 0 to 1. The list may be in any order: the spans determine the tree. Of two
    equal spans, the earlier is the parent, unless `parent` says otherwise; `null` is the same as no
    `parent`. A `parent` that contradicts the spans is an error.

    A *fuzzy reference* lists, for each element, where it may start and end:

    ```native
    {"id": "show", "words": ["recevrons", "Benoît", "magie", "mais"], \
"elements": [{"label": "pers.ind", "starts": [0, 1], "ends": [3, 4], "strict": [1, 4]}, \
{"labels": ["name.last", "name"], "starts": [2], "ends": [3, 4], "parent": 0}], \
"unplaceable": [{"label": "kind", "starts": [0], "ends": [], "fate": "dropped"}]}
    ```

    Each of its elements has

    * `starts` and `ends`, lists of different frontiers in any order (an empty list makes the
      element unplaceable);
    * `label`, or `labels` if it accepts several, its own label first;
    * optionally `strict`, its strict start and end;
 \
   * optionally `parent`. The elements are in document order and `parent` is not inferred: without
      it, an element is at the top level.

 \
   A fuzzy reference has no `breaks`. `unplaceable` lists the elements that a projection has taken
    out. They have the same keys, and `fate`, which is `dropped`, `missed` or `merged`; `parent`,
    and with `merged` also `into`, \
are indices into `elements`. `projection` says how the reference
    was projected, for the signature of a score. A line with the key `unplaceable`, even with an
    empty list, \
is a fuzzy reference. A line without fuzzy elements and without that key is a plain
    document.

    Refused: values of another type (`true` is not a number, `1.0` not a frontier); another number
 \
 \
  of times than of words; times out of order; exact and fuzzy elements in one document; a document
    that extends over several lines. Blank lines are ignored.
    """
    for record in each_line(file):
        yield _read(record, file)


def read_line(file: File, text: str) -> Document | Reference:
    """The document of one line."""
    return _read(Record(load(text), "document"), file)


def _read(record: Record, file: File) -> Document | Reference:
    record.where = f"document {quote(record.string('id'))}"
    elements = record.records("elements")
    fuzzy = [not _ONLY_FUZZY.isdisjoint(element.values) for element in elements]
    if "unplaceable" not in record and not any(fuzzy):
        return _document(record, [_span(element, file.here) for element in elements], file)
    if False in fuzzy:
        raise SerevalError(
            f'{elements[fuzzy.index(False)].where}: no candidates, expected "starts" and "ends" in '
            "every element of a fuzzy reference"
        )
    return _reference(record, elements, file.path)


def _span(element: Record, line: int | None) -> _Span:
    element.only(_EXACT)
    start, end = element.integer("start"), element.integer("end")
    sure = element.share("confidence")
    return element.string("label"), start, end, element.index("parent"), line, sure


def _document(record: Record, spans: list[_Span], file: File) -> Document:
    record.only(_DOCUMENT)
    words = record.strings("words")
    notes = Notes()
    try:
        elements = with_place(record.where, tree, spans)
    except CrossingError as error:
        are_inside = all(0 <= start and end <= len(words) for _, start, end, *_ in spans)
        if file.policy("crossing") != "drop" or not are_inside:
            raise SerevalError(f"{error}; {file.hint('crossing')}") from None
        kept = uncrossed_spans(file, [Element(*span) for span in spans], notes)
        index: dict[int | None, int] = {k: place for place, k in enumerate(kept)}
        # a parent that is dropped names no other one
        spans = [(*spans[k][:3], index.get(spans[k][3]), *spans[k][4:]) for k in kept]
        elements = with_place(record.where, tree, spans)
    times = _times(record)
    notes.add(NOT_SECONDS, too_long(times or (), words))
    return Document(
        record.string("id"),
        words,
        elements,
        times,
        record.integers("breaks") if "breaks" in record else (),
        file.path,
        notes.all(),
        mentions=mentions(record) if "mentions" in record else None,
        alternatives=tuple(map(_alternative, record.records("alternatives"))),
    )


def _alternative(record: Record) -> Alternative:
    record.only(Alternative._fields)
    readings = tuple(strings(*reading) for reading in record.items("readings"))
    return Alternative(record.integer("start"), record.integer("end"), readings)


def _reference(record: Record, elements: list[Record], path: str) -> Reference:
    record.only(_REFERENCE, " (a fuzzy reference)")
    return Reference(
        record.string("id"),
        record.strings("words"),
        tuple(_fuzzy(element) for element in elements),
        tuple(_unplaceable(lost) for lost in record.records("unplaceable")),
        _times(record),
        record.string("projection") if "projection" in record else "",
        source=path,
    )


def _fuzzy(record: Record, *others: str) -> ReferenceElement:
    record.only((*_FUZZY, *others))
    if "label" in record and "labels" in record:
        raise SerevalError(f'{record.where}: "label" and "labels", expected one of them')
    labels = record.strings("labels") if "labels" in record else (record.string("label"),)
    strict: Any = None if record.is_absent("strict") else record.integers("strict")
    return ReferenceElement(
        labels,
        tuple(sorted(record.integers("starts"))),  # a set, in any order
        tuple(sorted(record.integers("ends"))),
        record.index("parent"),
        strict,
    )


def _unplaceable(record: Record) -> Unplaceable:
    element = _fuzzy(record, "fate", "into")
    fate, into = record.string("fate"), record.index("into")
    return with_place(record.where, Unplaceable, element, fate, into)


def _times(record: Record) -> tuple[Time, ...] | None:
    if record.is_absent("times"):
        return None
    found = plain_times(of_type(record.get("times"), list, record.name("times")))
    if found is None:
        return tuple(with_place(where, _pair, item) for item, where in record.items("times"))
    return found


def _pair(value: Any) -> Time:
    if not isinstance(value, list):
        raise SerevalError(f"found {show(value)}, expected a list")
    if len(value) != 2:
        raise SerevalError(f"found {len(value)} numbers, expected start and end")
    return time(value[0]), time(value[1])


# --- mentions ------------------------------------------------------------------------------------


def read_mentions(file: File) -> Documents:
    """
    ```mentions
    {"id": "show1", "mentions": [["pers", "Ada Byron"], {"label": "loc", "text": "Paris"}]}
    ```

    JSON lines, each with the `id` and the `mentions` of a document: labels and texts without
    places.
    """
    for record in each_line(file):
        id = record.string("id")
        record.where = f"document {quote(id)}"
        record.only(("id", "mentions"))
        yield Document(id, (), source=file.path, mentions=mentions(record))


def mentions(record: Record) -> tuple[Mention, ...]:
    """The mentions of a document: pairs, or objects with ``label`` and ``text``."""
    return tuple(_mention(item, where) for item, where in record.items("mentions"))


def _mention(item: Any, where: str) -> Mention:
    if isinstance(item, list):
        if len(item) != 2 or not all(isinstance(part, str) for part in item):
            raise SerevalError(f"{where}: expected two texts, the label and the words")
        item = dict(zip(("label", "text"), item, strict=True))
    record = Record(item, where)
    record.only(("label", "text"))
    return Mention(record.word("label"), record.word("text"))


# --- writing -------------------------------------------------------------------------------------


def write_native(document: Document | Reference, _: Notes) -> str:
    return write([document])


def write(documents: Iterable[Document | Reference]) -> str:
    """Documents as native JSON lines; reading them gives equal values."""
    return "".join(_line(document) + "\n" for document in documents)


def _line(document: Document | Reference) -> str:
    times = document.times
    found: dict[str, Any] = {
        "id": document.id,
        "words": document.words,
        "times": None if times is None else [(start / 1000, end / 1000) for start, end in times],
    }
    if isinstance(document, Document):
        found |= {
            "breaks": document.breaks or None,
            "elements": [
                _given(**{name: getattr(one, name) for name in _EXACT}) for one in document.elements
            ],
            "mentions": document.mentions,
            "alternatives": [one._asdict() for one in document.alternatives] or None,
        }
    else:
        found |= {
            "projection": document.projection or None,
            "elements": [_fuzzy_element(element) for element in document.elements],
        }
        if document.unplaceable or not document.elements:  # marks the line as a reference
            found["unplaceable"] = [
                _fuzzy_element(one.element) | _given(fate=one.fate, into=one.into)
                for one in document.unplaceable
            ]
    return whole(json.dumps(_given(**found), ensure_ascii=False, separators=(",", ":")))


def _given(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _fuzzy_element(element: ReferenceElement) -> dict[str, Any]:
    label, *others = element.labels
    return _given(
        label=None if others else label,
        labels=element.labels if others else None,
        starts=element.starts,
        ends=element.ends,
        parent=element.parent,
        strict=element.strict,
    )
