"""Read JSON strictly: no repeated key, no rounded number, no value of the wrong type.

A number with a point or an exponent is kept as text until a reader takes it as a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from ..documents.files import SURROGATE, unique_keys
from ..documents.model import Time, limited_depth, whole_number
from ..errors import SerevalError, with_place
from .build import check_span, milliseconds, plain_milliseconds
from .file import File, as_object, quote

_V = TypeVar("_V")

_SPACE = " \t\r\n"
_TOO_DEEP = "brackets nested too deeply, expected a document"


def load(text: str) -> Any:
    """The JSON value of a line."""
    try:
        with limited_depth(SerevalError(_TOO_DEEP)):
            return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise SerevalError(
            f"not JSON: {error.msg} at column {error.colno}, "
            "expected a whole document, one JSON object, on each line"
        ) from None


def values(file: File) -> list[tuple[int, Any]]:
    r"""The JSON values of a file, one after another on any lines, each with its first line."""
    found: list[tuple[int, Any]] = []
    text, line, at = file.text.rstrip(_SPACE), 1, 0
    while at < len(text):
        start = at
        while text[start] in _SPACE:
            start += 1
        line += text.count("\n", at, start)
        try:
            file.here = line
            with limited_depth(SerevalError(_TOO_DEEP)):
                value, at = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            raise file.error(
                f"not JSON: {error.msg} at column {error.colno}", error.lineno
            ) from None
        found.append((line, value))
        line += text.count("\n", start, at)
    file.here = None
    return found


def each_line(file: File) -> Iterator[Record]:
    """The object on each line that is not blank."""
    for text in file.lines():
        if text.strip(_SPACE):
            yield Record(load(text), "document")


def objects(file: File, one: str = "document", many: str = "documents") -> Iterator[Record]:
    """The objects of a file, alone, in lists or in pairs of spaCy."""
    for line, value in values(file):
        file.here = line
        is_list = isinstance(value, list) and as_object(value) is value
        for k, item in enumerate(value if is_list else [value]):
            yield Record(as_object(item), f"{many}[{k}]" if is_list else one)
    file.here = None


def value(file: File) -> Any:
    """The only JSON value of a file."""
    found = values(file)
    if len(found) != 1:
        raise file.error(f"found {len(found)} JSON values, expected one", found[1][0])
    return found[0][1]


_NumberText = bytes
"""A number with a point or an exponent, as the text of the file. JSON has no byte strings, so this
type marks such numbers; it is also the fastest type to make."""


def _no_constant(text: str) -> Any:
    raise SerevalError(f"found {text}, expected a decimal number")


_DECODER = json.JSONDecoder(
    parse_float=str.encode,  # gives _NumberText
    parse_int=whole_number,
    parse_constant=_no_constant,
    object_pairs_hook=unique_keys,
)


class Record:
    """A JSON object; its methods return the value of a key as a certain type, or refuse it."""

    def __init__(self, value: Any, where: str) -> None:
        self.where = where  # place in the file, for messages
        self.values: dict[str, Any] = of_type(value, dict, where)

    @classmethod
    def of_list(cls, value: Any, where: str, *names: str) -> Record:
        """The object of a list whose items have these names."""
        return cls(dict(zip(names, of_type(value, list, where), strict=False)), where)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def first(self, *keys: str) -> str:
        """The first of some keys that is there, or else the last."""
        for key in keys:
            if key in self.values:
                return key
        return keys[-1]

    def only(self, keys: tuple[str, ...], hint: str = "") -> None:
        for key in self.values:
            if key not in keys:
                expected = f"{', '.join(keys)}{hint}"
                raise SerevalError(f"{self.where}: unknown key {quote(key)}, expected {expected}")

    def get(self, key: str) -> Any:
        if key not in self.values:
            raise SerevalError(f'{self.where}: no "{key}"')
        return self.values[key]

    def checked(self, key: str, check: Callable[..., _V], *arguments: Any) -> _V:
        """What a check makes of the value of a key, which is in the message of its error."""
        value = self.get(key)
        try:
            return check(value, *arguments)
        except SerevalError as error:
            raise SerevalError(f"{self.name(key)}: {error}") from None

    def string(self, key: str) -> str:
        return self.checked(key, whole)

    def text(self, key: str) -> str:
        """A string, which may be empty."""
        return "" if self.get(key) == "" else self.string(key)

    def integer(self, key: str) -> int:
        found = self.get(key)
        return found if type(found) is int else of_type(found, int, self.name(key))

    def naming(self, key: str) -> str:
        """A string, or the digits of an integer."""
        is_number = isinstance(self.get(key), int)
        return str(self.integer(key)) if is_number else self.string(key)

    def index(self, key: str) -> int | None:
        """An integer; ``None`` if the key is absent or ``null``."""
        found = self.values.get(key)
        return found if type(found) is int or found is None else self.integer(key)

    def number(self, key: str) -> float | None:
        """A number; ``None`` if the key is absent, or its value something else."""
        found = self.values.get(key)
        return float(found) if type(found) is int or isinstance(found, _NumberText) else None

    def share(self, key: str) -> float | None:
        """A number from 0 to 1; ``None`` if the key is absent or ``null``."""
        if self.values.get(key) is None:
            return None
        found = self.number(key)
        if found is None or not 0 <= found <= 1:
            raise SerevalError(
                f"{self.name(key)}: found {show(self.get(key))}, expected a number from 0 to 1"
            )
        return found

    def items(self, key: str) -> Iterator[tuple[Any, str]]:
        """The items of a list, with their places for messages."""
        return items(self.get(key), self.name(key))

    def strings(self, key: str) -> tuple[str, ...]:
        return strings(self.get(key), self.name(key))

    def integers(self, key: str) -> tuple[int, ...]:
        return tuple(of_type(item, int, where) for item, where in self.items(key))

    def records(self, key: str) -> list[Record]:
        """The objects of a list; empty if the key is absent."""
        return self.needed(key) if key in self else []

    def needed(self, key: str) -> list[Record]:
        """The objects of a list, which must be there."""
        return [Record(*pair) for pair in self.items(key)]

    def record(self, key: str) -> Record:
        return Record(self.get(key), self.name(key))

    def word(self, key: str) -> str:
        """A string without the white space around it; an empty one is refused."""
        text = self.string(key)
        if not text.strip():
            raise SerevalError(f"{self.name(key)}: found {quote(text)}, expected a word")
        return text.strip()

    def is_absent(self, key: str) -> bool:
        """Whether the key is absent or ``null``."""
        return self.values.get(key) is None

    def span(self) -> Time:
        """The times ``start`` and ``end`` of a word or a segment, in ms."""
        return with_place(self.where, check_span, self.time("start"), self.time("end"))

    def seconds(self, key: str, units: int = 1) -> int:
        """A time in ms, from a number of these units of a second, or from a text such as 1.5s."""
        found = self.get(key)
        if isinstance(found, str):
            return with_place(self.name(key), milliseconds, found.removesuffix("s"), units)
        return self.time(key, units)

    def time(self, key: str, units: int = 1) -> int:
        """A time in ms, from a number of these units of a second; another value is refused."""
        return self.checked(key, time, units)

    def name(self, key: str) -> str:
        return f'{self.where}: "{key}"'


_TYPES: dict[type, str] = {dict: "an object", list: "a list", str: "a string", int: "an integer"}


def of_type(value: Any, kind: type[_V], where: str) -> _V:
    """The value; a value of another type is refused."""
    if type(value) is not kind:
        raise SerevalError(f"{where}: found {show(value)}, expected {_TYPES[kind]}")
    return value


def items(value: Any, where: str) -> Iterator[tuple[Any, str]]:
    """The items of a list, with their places for messages."""
    return ((item, f"{where}[{k}]") for k, item in enumerate(of_type(value, list, where)))


def strings(value: Any, where: str) -> tuple[str, ...]:
    """The strings of a list; another value, and an empty string, is refused."""
    found = of_type(value, list, where)
    if {*map(type, found)} <= {str} and all(found) and not re.search(SURROGATE, "".join(found)):
        return tuple(found)  # all items are right, so no message needs their places
    return tuple(with_place(place, whole, item) for item, place in items(value, where))


def whole(value: Any) -> str:
    """A string; another value, an empty one, and one with half of a surrogate pair, is refused."""
    if not isinstance(value, str):
        raise SerevalError(f"found {show(value)}, expected a string")
    if not value:
        raise SerevalError("found an empty string, expected one that is not")
    if not value.isascii() and re.search(SURROGATE, value):
        raise SerevalError(f"found {quote(value)}, expected no half of a surrogate pair")
    return value


def show(value: Any) -> str:
    """A value for a message."""
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, dict | list):
        return _TYPES[type(value)]
    return (value.decode() if isinstance(value, _NumberText) else json.dumps(value))[:40]


def plain_times(items: list[Any]) -> tuple[Time, ...] | None:
    """The times of a list of pairs in ms, if all numbers have a plain form."""
    try:
        numbers = [number for start, end in items for number in (start, end)]
        found = plain_milliseconds(b" ".join([*numbers, b""]).decode("ascii"))
    except (TypeError, ValueError):  # no bytes, no pair
        return None
    return None if found is None else tuple(zip(found[::2], found[1::2], strict=True))


def time(value: Any, units: int = 1) -> int:
    """A time in ms, from a number of seconds, or of units of one; another value is refused."""
    if isinstance(value, _NumberText):
        return milliseconds(value.decode(), units)
    if type(value) is not int:
        raise SerevalError(f"found {show(value)}, expected seconds")
    return milliseconds(value, units)
