"""Files: their bytes, their text, and the short hash that names a text."""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import UnsupportedOperation
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from ..errors import InputError, SerevalError, one_line, reason
from .model import limited_depth

SURROGATE = "[\ud800-\udfff]"
"""Half of a surrogate pair: some encodings and JSON escapes yield it, and no file can hold it."""


def read_text(path: str, encoding: str = "utf-8") -> str:
    """The text of a file, ``-`` for standard input; errors as of ``file_bytes`` and ``decode``."""
    return decode(file_bytes(path), path, encoding)


def file_bytes(path: str) -> bytes:
    """The content of a file, ``-`` for standard input."""
    if path == "-" and sys.stdin is None:
        raise InputError("it is closed, expected a file", path="standard input")
    with open_file(path) as file:
        return file.read()


@contextmanager
def open_file(path: str) -> Iterator[BinaryIO]:
    """A context with an open file, or standard input, to read its bytes."""
    try:
        file = sys.stdin.buffer if path == "-" else open(path, "rb")  # noqa: SIM115 - closed below
    except ValueError as error:  # a NUL in the path
        raise InputError(str(error), path=repr(path)) from None
    except OSError as error:
        raise InputError(reason(error, path), path=one_line(path)) from None
    try:
        _check_ends(file)
        yield file
    except OSError as error:
        raise InputError(error.strerror or str(error), path=one_line(path)) from None
    finally:
        if path != "-":
            file.close()


def _check_ends(file: BinaryIO) -> None:
    """Refuse a device other than a terminal or the null device: it may have no end."""
    try:
        what = os.fstat(file.fileno())
    except UnsupportedOperation:  # an object that only behaves like a file
        return
    if not stat.S_ISCHR(what.st_mode) or file.isatty():
        return
    if not os.path.samestat(what, os.stat(os.devnull)):  # the null device ends at once
        raise OSError(errno.EINVAL, "found a device, expected a file")


def is_read_once(path: str) -> bool:
    """Whether a path can be read only once: standard input, a pipe or a device."""
    is_kept = os.path.isfile(path) or os.path.isdir(path) or not os.path.exists(path)
    return path == "-" or not is_kept


def refuse_special(path: str) -> None:
    """Refuse a pipe that the user did not name, such as one in a folder: it may never end."""
    if is_read_once(path):
        raise InputError("found a pipe, a socket or a device, expected a file", path=one_line(path))


ARCHIVES = b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ"
"""The first bytes of files of gzip, zip, bzip2 and xz."""

COMPRESSED = "a compressed file, expected what is in it: unpack it first (gunzip, unzip, …)"


def encoding_of(data: bytes, encoding: str) -> str:
    """The encoding of a file by its first bytes, or the one that it should have."""
    return "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else encoding


def decode(data: bytes, path: str, encoding: str) -> str:
    """The text of a file."""
    encoding = encoding_of(data, encoding)
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        found = f"found byte 0x{data[error.start]:02x} at offset {error.start}"
        line = 1 + data.count(b"\n", 0, error.start)
        if data.startswith(ARCHIVES):
            raise InputError(COMPRESSED, path=path) from None
        raise InputError(
            f"{found}, expected {encoding}; is it in another encoding?", path=path, line=line
        ) from None
    except (UnicodeError, LookupError, ValueError) as error:
        raise InputError(f"encoding {encoding!r}: {error}", path=path) from None
    wrong = text.find("\0")
    if wrong < 0 and not text.isascii() and (found_half := re.search(SURROGATE, text)):
        wrong = found_half.start()
    if wrong >= 0:
        raise InputError(
            f"found the character U+{ord(text[wrong]):04X}, expected text in {encoding}; "
            "is the file binary, or in another encoding?",
            path=path,
            line=1 + text.count("\n", 0, wrong),
        )
    return text


def short_hash(text: str) -> str:
    """Eight hexadecimal digits of a text, which name it in a signature."""
    import hashlib  # slow to import

    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:8]


def json_of(text: str) -> Any:
    """The value of a report in JSON."""
    import json  # few commands need it

    try:
        with limited_depth(SerevalError("brackets nested too deeply, expected a report")):
            return json.loads(text, object_pairs_hook=unique_keys)
    except ValueError as error:
        raise SerevalError(f"not JSON: {error}") from None


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of some pairs, whose keys differ: an ``object_pairs_hook`` for JSON."""
    found = dict(pairs)
    if len(found) < len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise SerevalError(f"key {one_line(repr(twice))} stands twice, expected it once")
    return found


# --- TOML ----------------------------------------------------------------------------------------


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
        return parse(written)
    except tomllib.TOMLDecodeError as error:
        place = re.fullmatch(r"(.*) \(at line (\d+), column \d+\)", str(error))
        what, line = (place[1], int(place[2])) if place else (str(error), None)
        raise InputError(f"not TOML: {what}", path=file, line=line) from None
    except SerevalError as error:
        raise InputError(str(error), path=file) from None
    except ValueError:  # Python refuses a number of very many digits
        found = "a number of too many digits, expected a smaller one"
        raise InputError(found, path=file) from None


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
