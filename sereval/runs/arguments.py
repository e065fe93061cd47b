"""The arguments of the functions in Python: those of the commands, under the same names.

A side is a path, documents, or plain lists.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ..alignment.normalise import NORMALISATIONS
from ..analysis.resampling import Resampling
from ..documents.model import Document, Reference
from ..errors import SerevalError, nearest
from ..integrations.documents import listed, naming, paired
from ..labels.grammar import Grammar, bundled_grammars
from ..labels.relabel import LabelMap
from ..projection.project import duration_text
from ..schemes.measure import Measure
from ..schemes.options import Option, names
from .options import argument, options_of
from .scoring import Request
from .sides import SideSource


def arguments_of(function: str) -> dict[str, Option]:
    """The options that a function takes, by the name of the argument."""
    return {argument(one.name): one for one in options_of(function).values()}


def asked_with(function: str, given: Mapping[str, Any]) -> Request:
    """What a user asks with the arguments of a function; no sides."""
    known = arguments_of(function)
    values = {option.name: option.value_of(option.default) for option in known.values()}
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"{function}() has no argument {name!r}{nearest(name, known)}")
        if value is not None:
            with naming(f"argument {name}"):
                values[known[name].name] = _value(name, known[name], value)
    named = tuple(known[name].name for name, value in given.items() if value is not None)
    return Request(function, values, [], named, named)


_TYPES: Mapping[str, tuple[Any, str]] = {
    "documents": (Iterable, "a text or a list of texts"),
    "grammar": (str | os.PathLike | Grammar, "a path, or what load_grammar returns"),
    "map": (str | os.PathLike | LabelMap, "a path, or what load_map returns"),
    "measure": (Iterable | Measure, "a text such as 'SER,F1'"),
}
"""The types of the values of some arguments, and what a message expects."""


def _value(name: str, option: Option, given: Any) -> Any:
    """The value of an argument, as the command line would make it from its text."""
    types, expected = _TYPES.get(name, (object, ""))
    if not isinstance(given, types):
        raise SerevalError(f"found {given!r}, expected {expected}")
    if name in ("align", "words"):
        return given  # a side
    if name == "read" and isinstance(given, Mapping):
        given = tuple(f"{choice}={policy}" for choice, policy in given.items())
    if option.is_multiple:
        texts = (given,) if isinstance(given, str | os.PathLike) else given
        try:
            given = tuple(map(os.fspath, texts))
        except TypeError:
            raise SerevalError(f"found {given!r}, expected a text or a list of texts") from None
        return option.value_of(given)
    if name == "tolerance":
        given = duration_text(given)
    if option.parse is None:
        return option.value_of(os.fspath(given) if isinstance(given, os.PathLike) else given)
    text = None if isinstance(given, bool) else _text(given)
    return given if text is None else option.value_of(text)


def _text(value: Any) -> str | None:
    """The text of a value on the command line; ``None``: it is no plain value."""
    if isinstance(value, str | os.PathLike):
        return os.fspath(value)
    if isinstance(value, Measure):
        return str(value)
    if isinstance(value, int | float):
        return format(float(value), ".15g")
    if isinstance(value, Mapping):
        return ",".join(f"{key}={_text(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ",".join(_text(one) or str(one) for one in value)
    return None


# Sides


def sources_of(sides: Mapping[str, Any]) -> dict[str, SideSource | None]:
    """The path or the documents of each side.

    >>> both = sources_of({"reference": [["B-PER", "O"]], "hypothesis": [["O", "O"]]})
    >>> [document.words for document in both["hypothesis"]]
    [('0', '1')]
    """
    # Documents pair by their ids. If a side has anything else than documents, all pair by their
    # order, and their numbers are their ids.
    given: dict[str, Any] = {}
    for name, value in sides.items():
        with naming(f"argument {name}"):
            given[name] = _listed(value)
    lists = {name: value for name, value in given.items() if isinstance(value, list)}
    if all(isinstance(one, Document | Reference) for side in lists.values() for one in side):
        return given
    longest = max(map(len, lists.values()))
    width = len(str(longest - 1))
    return given | paired(lists, (f"{k:0{width}}" for k in range(longest)))


def _listed(value: Any) -> Any:
    """A path as text, documents and plain values as a list."""
    if value is None:
        return None
    if isinstance(value, str | os.PathLike):
        path = os.fspath(value)
        if not path:
            raise SerevalError("found an empty path, expected a file or a folder")
        return path
    if isinstance(value, Document | Reference):
        return [value]
    found = listed(
        value,
        "a path, documents (from_frame makes those of a data frame), or a list with the annotation "
        "of each document",
    )
    if found and all(isinstance(one, str) for one in found):
        raise SerevalError(
            "found a list of texts, expected a path (an argument for each of "
            "several systems), documents, or a list with the annotation of each document, such as "
            "[['B-PER', 'O']]"
        )
    return found


# Reports


def kept_options(report: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of ``score`` that a report holds in its provenance; none without provenance."""
    kept = report.get("provenance", {"command": "score", "options": []})
    words = kept.get("options") if isinstance(kept, Mapping) else None
    if words is None or kept.get("command") != "score" or not isinstance(words, list):
        raise SerevalError("argument report: expected a report of sereval score --format json")
    known, found, rest = arguments_of("score"), dict[str, Any](), iter(map(str, words))
    bundled = {"grammar": bundled_grammars(), "normalise": tuple(NORMALISATIONS)}
    for word in rest:
        name = word.removeprefix("--").replace("-", "_")
        if name not in known or name in HELD_BY_NONE:
            raise SerevalError(f"argument report: its options include {word}, expected others")
        option = known[name]
        value: Any = True if option.is_flag else next(rest, "")
        if value not in bundled.get(name, (value,)) or str(value).lower().endswith(".toml"):
            raise SerevalError(f"argument report: its options name {value}, expected no file")
        if option.is_multiple:
            value = [*found.get(name, []), value]
        if name not in Resampling.__dataclass_fields__:  # an interval changes no score
            found[name] = names(value) if name == "documents" else value
    return found


HELD_BY_NONE = {"align", "words", "alternatives", "map", "jobs"}
"""Arguments of which a report holds no value."""
