"""Documents from what users pass as a side of a run: paths, documents, or plain lists."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ..documents.checks import checked_span
from ..documents.model import Document, Mention, Note, Reference
from ..errors import SerevalError
from ..integrations.documents import document_from, from_spans, plain
from .sides import SideSource

_SPAN = {"label", "start", "end"}
_R = TypeVar("_R")


def sources_of(sides: Mapping[str, Any]) -> dict[str, SideSource | None]:
    """The path or the documents of each side."""
    given = {name: _listed(name, value) for name, value in sides.items()}
    lists = {name: value for name, value in given.items() if isinstance(value, list)}
    if all(isinstance(one, Document | Reference) for side in lists.values() for one in side):
        return given
    longest = max(len(side) for side in lists.values())
    for name, side in lists.items():
        if len(side) != longest:
            raise SerevalError(
                f"argument {name}: found {len(side)} documents, expected {longest}: plain lists "
                "pair by their order"
            )
    every = [*zip(*lists.values(), strict=True)]
    width = len(str(longest - 1))
    made = [_documents(values, f"{k:0{width}}", [*lists]) for k, values in enumerate(every)]
    columns = [list(column) for column in zip(*made, strict=True)] or [[] for _ in lists]
    first, *others = columns
    told = [_with_note(side) if _seem_turned(first, side) else side for side in others]
    return {**given, **dict(zip(lists, [first, *told], strict=True))}


_Side = list[Document | Reference]


def _seem_turned(reference: _Side, hypothesis: _Side) -> bool:
    """Whether pairs seem to be ``(text, label)`` instead of ``(label, text)``."""
    (ours, our_texts), (theirs, their_texts) = map(_labels_and_texts, (reference, hypothesis))
    if ours & theirs:
        return False
    has_many = len(ours) >= len(our_texts) and len(theirs) >= len(their_texts)
    return bool(ours & their_texts or our_texts & theirs or has_many and our_texts & their_texts)


def _labels_and_texts(side: _Side) -> tuple[set[str], set[str]]:
    """The labels and the texts of the mentions of a side."""
    mentions = [m for one in side if isinstance(one, Document) for m in one.mentions or ()]
    return {one.label for one in mentions}, {one.text for one in mentions}


def _with_note(side: _Side) -> _Side:
    """The documents of a side with a note on pairs that seem to be turned."""
    what = "pairs that share no label with the reference, as if (text, label) for (label, text)"
    return [
        replace(one, notes=(*one.notes, Note(what, len(one.mentions))))
        if isinstance(one, Document) and one.mentions
        else one
        for one in side
    ]


def _listed(name: str, value: Any) -> Any:
    """A path as text, documents and plain values as a list."""
    if value is None:
        return None
    if isinstance(value, str | os.PathLike):
        path = os.fspath(value)
        if not path:
            raise SerevalError(f"argument {name}: found an empty path, expected a file or a folder")
        return path
    if isinstance(value, Document | Reference):
        return [value]
    if hasattr(value, "columns"):
        raise SerevalError(
            f"argument {name}: found a data frame, expected a path or documents, as "
            "from_frame(words, elements) makes them"
        )
    if isinstance(value, Mapping) or not hasattr(value, "__iter__"):
        raise SerevalError(
            f"argument {name}: found {type(value).__name__}, expected a path, documents, or a list "
            "with the annotation of each document"
        )
    found = [plain(one) for one in value]
    if found and all(isinstance(one, str) for one in found):
        raise SerevalError(
            f"argument {name}: found a list of texts, expected a path (an argument for each of "
            "several systems), documents, or a list with the annotation of each document, such as "
            "[['B-PER', 'O']]"
        )
    return found


def _documents(values: Sequence[Any], id: str, names: Sequence[str]) -> list[Document | Reference]:
    """One document of each side; spans without words get as many words as the sides need."""
    bare = [_named(name, _bare_spans, value) for name, value in zip(names, values, strict=True)]
    ends = [end for spans in bare for _, _, end in spans or ()]
    size = max([*ends, *(len(value) for value in values if isinstance(value, list))], default=0)
    has_mentions = any(map(_are_mentions, values))
    found: list[Document | Reference] = []
    for name, value, spans in zip(names, values, bare, strict=True):
        found.append(_named(name, _document, value, spans, id, -1 if has_mentions else size))
    return found


def _named(name: str, make: Callable[..., _R], *values: Any) -> _R:
    """What a function makes of the values of an argument, whose name its error has."""
    try:
        return make(*values)
    except SerevalError as error:
        raise SerevalError(f"argument {name}: {error}") from None


def _document(
    value: Any, spans: list[tuple[str, int, int]] | None, id: str, size: int
) -> Document | Reference:
    if isinstance(value, Reference):
        return replace(value, id=id)
    if _are_mentions(value) or not value and size < 0:
        return Document(id, (), mentions=tuple(Mention(*pair) for pair in value))
    if spans is not None:
        return from_spans(list(map(str, range(size))), spans, id=id)
    return document_from(value, id)


def _are_texts(value: Any) -> bool:
    return all(isinstance(one, str) for one in value)


def _are_mentions(value: Any) -> bool:
    """Whether a value is a list of pairs of a label and a text."""
    return (
        isinstance(value, list)
        and len(value) > 0
        and all(
            isinstance(one, tuple | list) and len(one) == 2 and _are_texts(one) for one in value
        )
    )


def _bare_spans(value: Any) -> list[tuple[str, int, int]] | None:
    """The spans of a list that has no words: half open; ``None``: the value is no such list."""
    if not isinstance(value, list):
        return None
    if all(isinstance(one, Mapping) and one.keys() >= _SPAN for one in value):
        return [(one["label"], *_half_open(one["start"], one["end"])) for one in value]
    if all(
        isinstance(one, tuple | list) and len(one) == 3 and not isinstance(one[1], str)
        for one in value
    ):
        spans = (checked_span(one) for one in value)
        return [(label, start, end) for label, start, end in spans]
    return None


def _half_open(start: Any, end: Any) -> tuple[int, int]:
    """The frontiers of a span of nervaluate."""
    start, end = plain(start), plain(end)
    if type(start) is not int or type(end) is not int:
        raise SerevalError(
            f"found start {start!r} and end {end!r}, expected the numbers of the first word and of "
            "the last"
        )
    return start, end + 1
