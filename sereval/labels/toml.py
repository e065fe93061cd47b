"""Read TOML files that users write, check their keys, and name the place of each fault."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from ..documents.checks import limited_depth
from ..documents.files import read_text
from ..errors import InputError, SerevalError

_T = TypeVar("_T")


def read_toml(
    file: Path,
    parse: Callable[[dict[str, Any]], _T],
    *,
    decimals: Callable[[str], Any] = float,
) -> _T:
    """The value that ``parse`` makes of a TOML file."""
    import tomllib  # most scores do not need it

    too_deep = SerevalError("brackets nested too deeply, expected few levels")
    text = read_text(str(file))
    try:
        with limited_depth(too_deep):
            written = tomllib.loads(text, parse_float=decimals)
    except tomllib.TOMLDecodeError as error:
        place = re.fullmatch(r"(.*) \(at line (\d+), column \d+\)", str(error))
        what, line = (place[1], int(place[2])) if place else (str(error), None)
        raise InputError(f"not TOML: {what}", path=file, line=line) from None
    except SerevalError as error:
        raise InputError(str(error), path=file) from None
    except ValueError:  # Python refuses a number of very many digits
        found = "a number of too many digits, expected a smaller one"
        raise InputError(found, path=file) from None
    try:
        return parse(written)
    except SerevalError as error:
        raise InputError(str(error), path=file) from None


KINDS: dict[type, str] = {str: "a string", list: "a list", dict: "a table"}


def values(table: dict[str, Any], kinds: dict[str, type], *, of: str = "") -> list[Any]:
    """The values of a table, in the order of ``kinds``; an absent key has an empty value."""
    for key, value in table.items():
        if key not in kinds:
            raise SerevalError(f"unknown key {of}{key}, expected {', '.join(kinds)}")
        if not isinstance(value, kinds[key]):
            raise SerevalError(f"{of}{key} is {value!r}, expected {KINDS[kinds[key]]}")
    return [table.get(key, kind()) for key, kind in kinds.items()]


def labels(value: object, where: str) -> tuple[str, ...]:
    """A list of labels, as a tuple."""
    if not isinstance(value, list) or not all(isinstance(label, str) for label in value):
        raise SerevalError(f"{where} is {value!r}, expected a list of labels")
    twice = [label for label, count in Counter(value).items() if count > 1]
    if twice:
        raise SerevalError(f"{where} has {twice[0]} twice")
    return tuple(value)
