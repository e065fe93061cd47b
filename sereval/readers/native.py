"""Native JSON lines: one document a line, read strictly and written exactly (definition, 6).

Whatever is a value of the model can be written and read back to an equal value. A line is a
`Document` unless it has fuzzy elements or the key ``unplaceable``: then it is a `Reference`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from ..errors import SerevalError
from ..model import Document, Element, Reference, ReferenceElement, Time, Unplaceable, seconds, tree
from .source import SURROGATE, Source, quote
from .times import milliseconds

_DOCUMENT = ("id", "words", "times", "breaks", "elements")
_REFERENCE = ("id", "words", "times", "projection", "elements", "unplaceable")
_EXACT = ("label", "start", "end", "parent")
_FUZZY = ("label", "labels", "starts", "ends", "parent", "strict")
_ONLY_FUZZY = {"labels", "starts", "ends", "strict"}

_Value = TypeVar("_Value")


def parse(source: Source) -> list[tuple[int | None, Document | Reference]]:
    """The documents of a native file.

    Args:
        source: the file.

    Returns:
        A document a line, with the line; elements of a `Document` carry it too.

    Raises:
        InputError: not JSON, a key twice or unknown, a value of the wrong type, and all that the
            model refuses.

    >>> [(line, dol)] = parse(Source("a.jsonl", "a", '{"id": "d", "words": ["Dol"]}'))
    >>> line, dol
    (1, Document(id='d', words=('Dol',), elements=(), times=None, breaks=()))
    """
    found: list[tuple[int | None, Document | Reference]] = []
    for line, text in source.lines():
        if not text.strip(" \t\r"):
            continue
        try:
            found.append((line, _read(_load(text), line, source.path)))
        except SerevalError as error:
            raise source.error(str(error), line) from None
    return found


def write(documents: Iterable[Document | Reference]) -> str:
    """Documents as native JSON lines, such that reading them gives equal values.

    Args:
        documents: documents and references; ``source`` and ``line`` are not written.

    Returns:
        A line for each, keys in a fixed order, times in seconds as short decimals.

    Raises:
        SerevalError: what no file could hold or no reader accepts: an empty id or word, half of
            a surrogate pair.

    >>> dol = Document("d", ("Dol",), (Element("loc", 0, 1),), times=((0, 610),))
    >>> print(write([dol]), end="")
    {"id":"d","words":["Dol"],"times":[[0.0,0.61]],"elements":[{"label":"loc","start":0,"end":1}]}
    """
    return "".join(_line(document) + "\n" for document in documents)


# --- reading -------------------------------------------------------------------------------------


def _load(text: str) -> Any:
    try:
        return json.loads(
            text,
            parse_float=_Written,
            parse_int=_integer,
            parse_constant=_no_constant,
            object_pairs_hook=_pairs,
        )
    except json.JSONDecodeError as error:
        raise SerevalError(
            f"not JSON: {error.msg} at column {error.colno}, "
            "expected a whole document, one JSON object, on each line"
        ) from None
    except RecursionError:
        raise SerevalError("brackets nested too deeply, expected a document") from None


class _Written:
    """A number with a point or an exponent, as it stands in the file; not yet read."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _integer(text: str) -> int:
    if len(text) > 15:
        raise SerevalError(f"found {text[:15]}…, expected a smaller number")
    return int(text)


def _no_constant(text: str) -> Any:
    raise SerevalError(f"found {text}, expected a decimal number")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise SerevalError(f"key {quote(key)} stands twice in one object")
        found[key] = value
    return found


class _Record:
    """A JSON object whose values are asked for by key and type."""

    def __init__(self, value: Any, where: str) -> None:
        self.where = where
        self.values: dict[str, Any] = _typed(value, dict, where)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def only(self, keys: tuple[str, ...], hint: str = "") -> None:
        for key in self.values:
            if key not in keys:
                raise SerevalError(
                    f"{self.where}: unknown key {quote(key)}, expected {', '.join(keys)}{hint}"
                )

    def get(self, key: str) -> Any:
        if key not in self.values:
            raise SerevalError(f'{self.where}: no "{key}"')
        return self.values[key]

    def string(self, key: str) -> str:
        return _string(self.get(key), self.name(key))

    def integer(self, key: str) -> int:
        return int(_typed(self.get(key), int, self.name(key)))

    def index(self, key: str) -> int | None:
        """An integer; absent and ``null`` are the same."""
        return None if self.values.get(key) is None else self.integer(key)

    def items(self, key: str) -> Iterator[tuple[Any, str]]:
        """The items of a list with their names for messages."""
        for k, item in enumerate(_typed(self.get(key), list, self.name(key))):
            yield item, f"{self.name(key)}[{k}]"

    def strings(self, key: str) -> tuple[str, ...]:
        items = _typed(self.get(key), list, self.name(key))
        if all(type(item) is str and item for item in items) and not _has_surrogate(items):
            return tuple(items)  # nothing wrong, so no item needs a name
        return tuple(_string(item, where) for item, where in self.items(key))

    def integers(self, key: str) -> tuple[int, ...]:
        return tuple(int(_typed(item, int, where)) for item, where in self.items(key))

    def records(self, key: str) -> list[_Record]:
        """The objects of a list, none where the key is absent."""
        return [_Record(*pair) for pair in self.items(key)] if key in self else []

    def name(self, key: str) -> str:
        return f'{self.where}: "{key}"'


_TYPES = {dict: "an object", list: "a list", str: "a string", int: "an integer"}


def _typed(value: Any, kind: type, where: str) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise SerevalError(f"{where}: found {_shown(value)}, expected {_TYPES[kind]}")
    return value


def _string(value: Any, where: str) -> str:
    return _whole(str(_typed(value, str, where)), f"{where}: ")


def _has_surrogate(texts: Iterable[str]) -> bool:
    return SURROGATE.search("".join(texts)) is not None


def _whole(text: str, where: str = "") -> str:
    """The text, if a file can hold it and a reader takes it."""
    if not text:
        raise SerevalError(f"{where}found an empty string, expected one that is not")
    if SURROGATE.search(text):
        raise SerevalError(f"{where}found {quote(text)}, expected no half of a surrogate pair")
    return text


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, dict | list):
        return _TYPES[type(value)]
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return (value.text if isinstance(value, _Written) else str(value))[:40]


def _read(value: Any, line: int, path: str) -> Document | Reference:
    record = _Record(value, "document")
    record.where = f"document {quote(record.string('id'))}"
    elements = record.records("elements")
    fuzzy = [not _ONLY_FUZZY.isdisjoint(element.values) for element in elements]
    if "unplaceable" in record or any(fuzzy):
        if False in fuzzy:
            raise SerevalError(
                f'{elements[fuzzy.index(False)].where}: no candidates, expected "starts" and '
                '"ends" in every element of a fuzzy reference'
            )
        return _reference(record, elements, path)
    return _document(record, elements, line, path)


def _document(record: _Record, elements: list[_Record], line: int, path: str) -> Document:
    record.only(_DOCUMENT)
    for element in elements:
        element.only(_EXACT)
    spans = [
        (e.string("label"), e.integer("start"), e.integer("end"), e.index("parent"))
        for e in elements
    ]
    forest = _named(record, lambda: tree(spans))
    return Document(
        record.string("id"),
        record.strings("words"),
        tuple(Element(e.label, e.start, e.end, e.parent, line) for e in forest),
        _times(record),
        record.integers("breaks") if "breaks" in record else (),
        path,
    )


def _reference(record: _Record, elements: list[_Record], path: str) -> Reference:
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
        path,
    )


def _fuzzy(record: _Record, n: int) -> ReferenceElement:
    if "label" in record and "labels" in record:
        raise SerevalError(f'{record.where}: "label" and "labels", expected one of them')
    labels = record.strings("labels") if "labels" in record else (record.string("label"),)
    return ReferenceElement(
        labels,
        tuple(sorted(record.integers("starts"))),  # they are sets
        tuple(sorted(record.integers("ends"))),
        record.index("parent"),
        _strict(record, n),
    )


def _strict(record: _Record, n: int) -> tuple[int, int] | None:
    if record.values.get("strict") is None:
        return None
    strict = record.integers("strict")
    if len(strict) != 2 or not 0 <= strict[0] <= n or not 0 <= strict[1] <= n:
        raise SerevalError(
            f"{record.name('strict')}: found {list(strict[:3])}, expected two frontiers in 0..{n}"
        )
    return strict[0], strict[1]


def _unplaceable(record: _Record, n: int) -> Unplaceable:
    record.only((*_FUZZY, "fate", "into"))
    element, fate, into = _fuzzy(record, n), record.string("fate"), record.index("into")
    return _named(record, lambda: Unplaceable(element, fate, into))


def _times(record: _Record) -> tuple[Time, ...] | None:
    if record.values.get("times") is None:
        return None
    items = _typed(record.get("times"), list, record.name("times"))
    return tuple(_pair(item, record, k) for k, item in enumerate(items))


def _pair(value: Any, record: _Record, k: int) -> Time:
    try:
        if not isinstance(value, list):
            raise SerevalError(f"found {_shown(value)}, expected a list")
        if len(value) != 2:
            raise SerevalError(f"found {len(value)} numbers, expected start and end")
        return _time(value[0]), _time(value[1])
    except SerevalError as error:
        raise SerevalError(f"{record.name('times')}[{k}]: {error}") from None


def _time(value: Any) -> int:
    if isinstance(value, _Written):
        return milliseconds(value.text)
    if not isinstance(value, int) or isinstance(value, bool):
        raise SerevalError(f"found {_shown(value)}, expected seconds")
    return milliseconds(value)


def _named(record: _Record, make: Callable[[], _Value]) -> _Value:
    """What the model makes; its refusals do not say which document they are about."""
    try:
        return make()
    except SerevalError as error:
        raise SerevalError(f"{record.where}: {error}") from None


# --- writing -------------------------------------------------------------------------------------


def _line(document: Document | Reference) -> str:
    parts = {"id": _json(_whole(document.id)), "words": _strings(document.words)}
    if document.times is not None:
        parts["times"] = _list(f"[{_seconds(a)},{_seconds(b)}]" for a, b in document.times)
    if isinstance(document, Document):
        if document.breaks:
            parts["breaks"] = _json(document.breaks)
        parts["elements"] = _list(_json(_exact_element(e)) for e in document.elements)
    else:
        if document.projection:
            parts["projection"] = _json(_whole(document.projection))
        parts["elements"] = _list(_json(_fuzzy_element(e)) for e in document.elements)
        if document.unplaceable or not document.elements:  # what tells it from a document
            parts["unplaceable"] = _list(_json(_lost_element(x)) for x in document.unplaceable)
    return "{" + ",".join(f'"{key}":{value}' for key, value in parts.items()) + "}"


def _exact_element(element: Element) -> dict[str, Any]:
    found = {"label": _whole(element.label), "start": element.start, "end": element.end}
    return found if element.parent is None else {**found, "parent": element.parent}


def _fuzzy_element(element: ReferenceElement) -> dict[str, Any]:
    labels = [_whole(label) for label in element.labels]
    found: dict[str, Any] = {"label": labels[0]} if len(labels) == 1 else {"labels": labels}
    found |= {"starts": element.starts, "ends": element.ends}
    if element.parent is not None:
        found["parent"] = element.parent
    if element.strict is not None:
        found["strict"] = element.strict
    return found


def _lost_element(lost: Unplaceable) -> dict[str, Any]:
    found = {**_fuzzy_element(lost.element), "fate": lost.fate}
    return found if lost.into is None else {**found, "into": lost.into}


def _seconds(ms: int) -> str:
    text = seconds(ms)  # exact, where a float would print its noise
    return text if "." in text else text + ".0"


def _strings(texts: Iterable[str]) -> str:
    return _json([_whole(text) for text in texts])


def _list(items: Iterable[str]) -> str:
    return "[" + ",".join(items) + "]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
