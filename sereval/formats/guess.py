"""Detect the format of a ``.json`` or ``.jsonl`` file from the keys of its first object."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import BinaryIO

from ..errors import InputError, one_line
from .paths import UNKNOWN_FORMAT
from .registry import SIGNS, listed
from .source import ReadingOptions

CHUNK = 1 << 18
"""Number of bytes to read first; each further read doubles the number."""

_Sign = tuple[str, frozenset[str]]

LIKELY: tuple[_Sign, ...] = (
    ("a manifest of NeMo", frozenset({"audio_filepath"})),
    ("spaCy", frozenset({"text", "ents"})),
)
"""Programs whose files sereval does not read, each with its keys; tried after ``SIGNS``."""

DETECTED = frozenset(format for format, _ in SIGNS)
"""Formats that can be detected from their keys."""

_STRING = r'"((?:[^"\\]++|\\.)*+)"'
_NO_BRACKET = r'[^"{}\[\]]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"{}\[\]]*+)*+'
_PASSED = re.compile(_NO_BRACKET, re.DOTALL)
_INSIDE = re.compile(
    rf"{_NO_BRACKET}(?:(?:\[{_NO_BRACKET}\]|\{{{_NO_BRACKET}\}}){_NO_BRACKET})*+", re.DOTALL
)
_STRINGS = re.compile(rf"{_STRING}(\s*+:)?+", re.DOTALL)  # a string before a colon is a key
_OBJECTS = re.compile(r"\[\s*+\{")


def format_by_keys(path: str, format: str, options: ReadingOptions) -> str:
    """The format of a file from its keys, or from its suffix if no format has these keys.

    Args:
        path: the file, which can be read twice.
        format: the format of its suffix.
        options: how it is read.

    Raises:
        InputError: keys of a format that is not wanted, or of no format.
    """
    keys = _keys(path, options.encoding)
    found = format_of(keys)
    if found is not None and found not in options.wanted:
        raise InputError(
            f"its keys are those of {found}, expected {listed(options.wanted)}; "
            f"or {UNKNOWN_FORMAT}",
            path=path,
        )
    program = program_of(keys) if found is None else None
    if program or (found is None and format == "native" and not _may_be_native(keys)):
        message = one_line(unknown(keys, program, options.wanted))
        raise InputError(f"{message}; or {UNKNOWN_FORMAT}", path=path)
    return found or format


def _may_be_native(keys: set[str]) -> bool:
    from .native import has_keys  # needed for JSON only

    return has_keys(keys)


def _keys(path: str, encoding: str) -> set[str]:
    """The keys of the first object of a JSON file; empty if the file cannot be read."""
    try:
        with open(path, "rb") as file:
            return keys_of(file, encoding)
    except (OSError, LookupError, UnicodeError, ValueError):
        return set()  # the reader will report the fault


def format_of(keys: set[str]) -> str | None:
    """The format of files with such keys; ``None``: no format that sereval reads.

    Args:
        keys: as from :func:`first_keys`.

    >>> format_of({"text", "segments"}), format_of({"words"})
    ('whisper', None)
    """
    return _fits(SIGNS, keys)


def program_of(keys: set[str]) -> str | None:
    """The program that writes such keys, if sereval does not read its files; else ``None``.

    Args:
        keys: as from :func:`first_keys`.

    >>> program_of({"audio_filepath", "text"}), program_of({"words"})
    ('a manifest of NeMo', None)
    """
    return None if _fits(SIGNS, keys) else _fits(LIKELY, keys)


def _fits(signs: tuple[_Sign, ...], keys: set[str]) -> str | None:
    return next((name for name, sign in signs if sign <= keys), None)


def unknown(keys: set[str], program: str | None, formats: Sequence[str]) -> str:
    """The message about keys that no format has.

    Args:
        keys: as from :func:`first_keys`.
        program: the program that writes such keys, if it is known.
        formats: names of the formats that are wanted.

    >>> unknown({"ner"}, None, ["inline", "native"])
    'its keys (ner) are those of no format, expected those of native'
    """
    plain = sorted(key for key in keys if not key.endswith("[{"))
    shown = ", ".join(plain[:4]) + (", …" if len(plain) > 4 else "")
    what = f"look like {program}, which sereval does not read" if program else _NO_FORMAT
    expected = ", ".join(name for name in formats if name in DETECTED)
    return f"its keys ({shown}) {what}, expected those of {expected}"


_NO_FORMAT = "are those of no format"


def keys_of(file: BinaryIO, encoding: str) -> set[str]:
    """The keys of the first object of a JSON file, which is read as far as that object.

    Args:
        file: the open file, at its start.
        encoding: the encoding of the file.

    Raises:
        OSError, LookupError, UnicodeError: the file cannot be read, or not in that encoding.
    """
    data = file.read(CHUNK)
    while True:
        keys, is_whole = first_keys(data.decode(encoding, "ignore"))
        more = b"" if is_whole else file.read(len(data))
        if not more:
            return keys
        data += more


def first_keys(head: str) -> tuple[set[str], bool]:
    """The keys of the first object of a JSON text, or of the first object in a list.

    A key whose value is a list of objects occurs a second time, followed by ``[{``. The function
    looks at each character once.

    Args:
        head: the text, or its beginning.

    Returns:
        The keys, and whether they are all keys: ``False`` if the text ends inside the first
        object.

    >>> keys, is_whole = first_keys('[{"a": {"b": 1}, "c": [{"d": 2}]}, {"e": 3}]')
    >>> sorted(keys), is_whole
    (['a', 'c', 'c[{'], True)
    """
    keys: set[str] = set()
    depth = top = at = 0
    if not head.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        return keys, True  # not JSON, or no object
    while True:
        passed = (_INSIDE if top and depth > top else _PASSED).match(head, at)
        assert passed is not None  # the match may be empty
        at = passed.end()
        if top and depth == top:
            strings = _STRINGS.finditer(head, passed.start(), at)
            found = [string[1] for string in strings if string[2]]
            keys.update(found)
            if found and _OBJECTS.match(head, at):
                keys.add(f"{found[-1]}[{{")
        if at == len(head) or head[at] == '"':  # a string without an end
            return keys, False
        is_opening = head[at] in "{["
        depth += 1 if is_opening else -1
        top = top or (depth if head[at] == "{" else 0)
        at += 1
        if depth < top:
            return keys, True
