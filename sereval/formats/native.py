"""Native JSON lines: a document on each line, read strictly and written exactly (definition, 6).

Every document and reference can be written and read back as an equal value. A line with fuzzy
elements or the key ``unplaceable`` is a `Reference`; any other line is a `Document`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..documents.checks import Alternative
from ..documents.model import (
    Document,
    Element,
    Reference,
    ReferenceElement,
    Time,
    Unplaceable,
    seconds,
    tree,
)
from ..documents.notes import Note, Place
from ..errors import CrossingError, SerevalError
from .crossing import place_at, without_crossings
from .file import File as Source
from .file import quote
from .find import Head
from .mentions import mentions
from .records import (
    Record,
    are_whole,
    each_line,
    load,
    of_type,
    plain_times,
    show,
    time,
    whole,
    with_place,
)
from .times import NOT_SECONDS, too_long
from .writers import WrittenFiles

_DOCUMENT = ("id", "words", "times", "breaks", "elements", "mentions", "alternatives")
_REFERENCE = ("id", "words", "times", "projection", "elements", "unplaceable")
_EXACT = ("label", "start", "end", "parent")
_FUZZY = ("label", "labels", "starts", "ends", "parent", "strict")
_EXACT_KEYS = frozenset(_EXACT)
_TYPES = {(str, int, int, int), (str, int, int, type(None))}
_ONLY_FUZZY = {"labels", "starts", "ends", "strict"}


def recognise(head: Head) -> str:
    keys = {key.removesuffix("[{") for key in head.keys}
    is_known = keys and keys <= {*_DOCUMENT, *_REFERENCE} and "words[{" not in head.keys
    return "native" if is_known and ("words" in keys or "mentions" not in keys) else ""


def read_native(source: Source) -> list[tuple[int | None, Document | Reference]]:
    """The documents of a native file.

    Args:
        source: the file.

    Returns:
        A document for each line, with the line, which its elements have too.

    Raises:
        InputError: a line that is not JSON; a key that is unknown or occurs twice; a value of the
            wrong type; a document that `Document` or `Reference` refuses.

    >>> [(line, dol)] = read_native(Source("a.jsonl", text='{"id": "d", "words": ["Dol"]}'))
    >>> line, dol
    (1, Document(id='d', words=('Dol',), elements=(), times=None, breaks=()))
    """
    return each_line(source, lambda record, line: _read(record, line, source))


def read_line(file: Source, text: str, line: int) -> Document | Reference:
    """The document of one line."""
    return _read(Record(load(text), "document"), line, file)


def write_native(document: Document | Reference) -> WrittenFiles:
    """The file of a document."""
    return WrittenFiles({".jsonl": write([document])})


def write(documents: Iterable[Document | Reference]) -> str:
    """Documents as native JSON lines; reading them gives equal values.

    Args:
        documents: documents and references; ``source`` and ``line`` are not written.

    Returns:
        A line for each document, with keys in a fixed order and times in seconds as short
        decimals.

    Raises:
        SerevalError: an empty id or word, or half of a surrogate pair, which readers refuse.

    >>> dol = Document("d", ("Dol",), (Element("loc", 0, 1),), times=((0, 610),))
    >>> print(write([dol]), end="")
    {"id":"d","words":["Dol"],"times":[[0.0,0.61]],"elements":[{"label":"loc","start":0,"end":1}]}
    """
    return "".join(_line(document) + "\n" for document in documents)


# --- reading -------------------------------------------------------------------------------------


def _read(record: Record, line: int, source: Source) -> Document | Reference:
    record.where = f"document {quote(record.string('id'))}"
    spans = None if "unplaceable" in record else _plain_spans(record.values.get("elements", []))
    if spans is not None:
        return _document(record, spans, line, source)
    elements = record.records("elements")
    fuzzy = [not _ONLY_FUZZY.isdisjoint(element.values) for element in elements]
    if "unplaceable" in record or any(fuzzy):
        if False in fuzzy:
            raise SerevalError(
                f'{elements[fuzzy.index(False)].where}: no candidates, expected "starts" and '
                '"ends" in every element of a fuzzy reference'
            )
        return _reference(record, elements, source.path)
    record.only(_DOCUMENT)
    for element in elements:
        element.only(_EXACT)
    named = [
        (e.string("label"), e.integer("start"), e.integer("end"), e.index("parent"))
        for e in elements
    ]
    return _document(record, named, line, source)


_Span = tuple[str, int, int, int | None]


def _plain_spans(elements: Any) -> list[_Span] | None:
    """The spans of elements, if all elements are plain and well formed.

    Returns:
        The spans; ``None`` if an element is not, so that the caller must read each by itself.
    """
    spans: list[_Span] = []
    for element in elements if type(elements) is list else (None,):
        if type(element) is not dict or not _EXACT_KEYS >= element.keys():
            return None
        span: Any = (*map(element.get, _EXACT),)
        if (*map(type, span),) not in _TYPES:
            return None
        spans.append(span)
    return spans if are_whole([label for label, *_ in spans]) else None


def _document(record: Record, spans: list[_Span], line: int, source: Source) -> Document:
    record.only(_DOCUMENT)
    words = record.strings("words")
    notes: tuple[Note, ...] = ()
    if source.policy("crossing") == "drop":
        spans, notes = _without_crossings(spans, len(words), line, source)
    try:
        elements = with_place(record.where, tree, spans, line)
    except CrossingError as error:
        raise SerevalError(f"{error}; {source.hint('crossing')}") from None
    document = Document(
        record.string("id"),
        words,
        elements,
        _times(record),
        record.integers("breaks") if "breaks" in record else (),
        source.path,
        notes,
        mentions=mentions(record) if "mentions" in record else None,
        alternatives=tuple(map(_alternative, record.records("alternatives"))),
    )
    found = too_long(document.times or (), document.words)
    return replace(document, notes=(Note(NOT_SECONDS, found),)) if found else document


def _alternative(record: Record) -> Alternative:
    record.only(Alternative._fields)
    readings = tuple(
        tuple(_word(word, f"{where}[{k}]") for k, word in enumerate(of_type(reading, list, where)))
        for reading, where in record.items("readings")
    )
    return Alternative(record.integer("start"), record.integer("end"), readings)


def _word(value: Any, where: str) -> str:
    return whole(str(of_type(value, str, where)), f"{where}: ")


def _without_crossings(
    spans: list[_Span], n: int, line: int, source: Source
) -> tuple[list[_Span], tuple[Note, ...]]:
    """The spans without those that cross an earlier one, and a note of these."""
    bare = [(start, end) for _, start, end, _ in spans]
    if not all(0 <= start < end <= n for start, end in bare):
        return spans, ()  # the caller refuses them

    def place(k: int) -> Place:
        label, start, end, _ = spans[k]
        return place_at(source, f"{label} [{start}, {end})", line)

    kept, notes = without_crossings(source, bare, place)
    index = {k: place for place, k in enumerate(kept)}
    named = [None if parent is None else index.get(parent, parent) for *_, parent in spans]
    lost = {*range(len(spans))} - index.keys()
    return [
        (*spans[k][:3], None if spans[k][3] in lost else named[k])  # the spans determine its parent
        for k in kept
    ], notes


def _reference(record: Record, elements: list[Record], path: str) -> Reference:
    record.only(_REFERENCE, " (a fuzzy reference)")
    words = record.strings("words")
    for element in elements:
        element.only(_FUZZY)
    return Reference(
        record.string("id"),
        words,
        tuple(_fuzzy(element, len(words)) for element in elements),
        tuple(_unplaceable(lost, len(words)) for lost in record.records("unplaceable")),
        _times(record),
        record.string("projection") if "projection" in record else "",
        source=path,
    )


def _fuzzy(record: Record, n: int) -> ReferenceElement:
    if "label" in record and "labels" in record:
        raise SerevalError(f'{record.where}: "label" and "labels", expected one of them')
    labels = record.strings("labels") if "labels" in record else (record.string("label"),)
    return ReferenceElement(
        labels,
        tuple(sorted(record.integers("starts"))),  # a set, in any order
        tuple(sorted(record.integers("ends"))),
        record.index("parent"),
        _strict(record, n),
    )


def _strict(record: Record, n: int) -> tuple[int, int] | None:
    if record.values.get("strict") is None:
        return None
    strict = record.integers("strict")
    if len(strict) != 2 or not 0 <= strict[0] <= n or not 0 <= strict[1] <= n:
        raise SerevalError(
            f"{record.name('strict')}: found {list(strict[:3])}, expected two frontiers in 0..{n}"
        )
    return strict[0], strict[1]


def _unplaceable(record: Record, n: int) -> Unplaceable:
    record.only((*_FUZZY, "fate", "into"))
    element, fate, into = _fuzzy(record, n), record.string("fate"), record.index("into")
    return with_place(record.where, Unplaceable, element, fate, into)


def _times(record: Record) -> tuple[Time, ...] | None:
    if record.values.get("times") is None:
        return None
    items = of_type(record.get("times"), list, record.name("times"))
    found = plain_times(items)
    if found is None:
        return tuple(with_place(where, _pair, item) for item, where in record.items("times"))
    return found


def _pair(value: Any) -> Time:
    if not isinstance(value, list):
        raise SerevalError(f"found {show(value)}, expected a list")
    if len(value) != 2:
        raise SerevalError(f"found {len(value)} numbers, expected start and end")
    return time(value[0]), time(value[1])


# --- writing -------------------------------------------------------------------------------------


def _line(document: Document | Reference) -> str:
    parts = {"id": _json(whole(document.id)), "words": _strings(document.words)}
    if document.times is not None:
        parts["times"] = _list(f"[{_seconds(a)},{_seconds(b)}]" for a, b in document.times)
    if isinstance(document, Document):
        if document.breaks:
            parts["breaks"] = _json(document.breaks)
        parts["elements"] = _list(_json(_exact_element(e)) for e in document.elements)
        if document.mentions is not None:
            parts["mentions"] = _list(_strings(mention) for mention in document.mentions)
        if document.alternatives:
            parts["alternatives"] = _list(map(_stretch, document.alternatives))
    else:
        if document.projection:
            parts["projection"] = _json(whole(document.projection))
        parts["elements"] = _list(_json(_fuzzy_element(e)) for e in document.elements)
        if document.unplaceable or not document.elements:  # marks the line as a reference
            parts["unplaceable"] = _list(
                _json(_unplaceable_element(x)) for x in document.unplaceable
            )
    return "{" + ",".join(f'"{key}":{value}' for key, value in parts.items()) + "}"


def _exact_element(element: Element) -> dict[str, Any]:
    found = {"label": whole(element.label), "start": element.start, "end": element.end}
    return found if element.parent is None else {**found, "parent": element.parent}


def _stretch(alternative: Alternative) -> str:
    readings = _list(map(_strings, alternative.readings))
    return f'{{"start":{alternative.start},"end":{alternative.end},"readings":{readings}}}'


def _fuzzy_element(element: ReferenceElement) -> dict[str, Any]:
    labels = [whole(label) for label in element.labels]
    found: dict[str, Any] = {"label": labels[0]} if len(labels) == 1 else {"labels": labels}
    found |= {"starts": element.starts, "ends": element.ends}
    if element.parent is not None:
        found["parent"] = element.parent
    if element.strict is not None:
        found["strict"] = element.strict
    return found


def _unplaceable_element(lost: Unplaceable) -> dict[str, Any]:
    found = {**_fuzzy_element(lost.element), "fate": lost.fate}
    return found if lost.into is None else {**found, "into": lost.into}


def _seconds(ms: int) -> str:
    text = seconds(ms)  # exact, where a float would print its noise
    return text if "." in text else text + ".0"


def _strings(texts: Iterable[str]) -> str:
    return _json([whole(text) for text in texts])


def _list(items: Iterable[str]) -> str:
    return "[" + ",".join(items) + "]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
