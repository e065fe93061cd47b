"""The source of a reader: the text of a file, how it is read, and errors with their places."""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from ..documents.checks import check_ends
from ..documents.tags import SCHEMES
from ..errors import InputError, SerevalError, one_line, reason
from .registry import FORMATS, listed

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair: some encodings and JSON escapes yield it, and no file can hold it."""


DETECT = "detect"

POLICIES: dict[str, tuple[str, ...]] = {
    "discontinuous": ("refuse", "hull", "first", "pieces"),
    "crossing": ("refuse", "drop"),
    "equal": ("appearance", "GRAMMAR"),
    "marks": ("keep", "strip", "hub4"),
    "times": ("spread", "none"),
    "tags": (DETECT, *SCHEMES),
    "mentions": ("exact", "nearest"),
    "unreadable": ("error", "empty"),
    "annotator": ("one", "NAME"),
}
"""The policies of each choice that formats leave to the reader; the first is the default.

A name in capital letters stands for the name of a list of labels, or of an annotator.
"""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How files are read.

    Args:
        format, encoding, labels, columns: as for :func:`sereval.read`.
        wanted: names of the formats to accept.
        tiers: exact names of the tiers of the words, in formats with tiers; none: the reader finds
            them by their names.
        policies: names in ``POLICIES``, each with a policy; names left out have their default.

    Raises:
        InputError: a format or a policy that does not exist; a format that is not wanted.

    >>> ReadingOptions(policies=(("crossing", "drop"),)).policy("crossing")
    'drop'
    """

    format: str | None = None
    wanted: tuple[str, ...] = tuple(FORMATS)
    encoding: str = "utf-8"
    tiers: tuple[str, ...] = ()
    policies: tuple[tuple[str, str], ...] = ()
    labels: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.wanted if self.format is None else (self.format, *self.wanted):
            if name not in FORMATS:
                raise InputError(f"format {quote(name)}, expected one of {', '.join(FORMATS)}")
        if self.format is not None and self.format not in self.wanted:
            raise InputError(
                f"format {quote(self.format)} makes no sense here, expected {listed(self.wanted)}"
            )
        for name, policy in self.policies:
            if name not in POLICIES:
                raise InputError(f"found {quote(name)}, expected one of {', '.join(POLICIES)}")
            is_named = name == "annotator" or name == "equal" and self.labels
            if policy not in POLICIES[name] and not is_named:
                expected = ", ".join(f"{name}={one}" for one in POLICIES[name])
                raise InputError(f"found {quote(f'{name}={policy}')}, expected one of {expected}")

    @property
    def formats(self) -> tuple[str, ...]:
        """Names of the formats that a file may have."""
        return self.wanted if self.format is None else (self.format,)

    def policy(self, name: str) -> str:
        """The policy of a choice that a format leaves open.

        Args:
            name: a name in ``POLICIES``.

        >>> ReadingOptions().policy("crossing")
        'refuse'
        """
        return dict(self.policies).get(name, POLICIES[name][0])


DEFAULTS = ReadingOptions()
"""The format of each file from its suffix, and the default of each policy."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one file.

    Args:
        path: the file, as the user named it.
        id: id of its document, if the format has one document in a file.
        text: its content, decoded, without byte order mark.
        options: how it is read.
        beside: text of the file beside it, with its byte order mark, if the format has two files.
        data: its content as bytes, if the format is binary; then ``text`` is empty.

    >>> str(Source("a.ne", "a", "Dol").error("found nothing", 1))
    'a.ne:1: found nothing'
    """

    path: str
    id: str
    text: str
    options: ReadingOptions = DEFAULTS
    beside: str = ""
    data: bytes = b""

    def policy(self, name: str) -> str:
        """The policy of a choice that the format leaves open."""
        return self.options.policy(name)

    def hint(self, name: str) -> str:
        """The end of a message: the policies that accept what was refused."""
        ways = " or ".join(f"{name}={policy}" for policy in POLICIES[name][1:])
        return f"--read {ways} takes it"

    def lines(self) -> Iterator[tuple[int, str]]:
        r"""Lines with their numbers from 1; only ``\n`` ends a line, as in every editor.

        >>> list(Source("a.ne", "a", "x\u2028y\r\nz").lines())
        [(1, 'x\u2028y\r'), (2, 'z')]
        """
        return enumerate(self.text.split("\n"), 1)

    def error(self, message: str, line: int | None = None) -> InputError:
        """An error with the path and a line; the caller raises it."""
        return InputError(one_line(message), path=self.path, line=line)

    def located(self, error: SerevalError, line: int | None = None) -> InputError:
        """An error with its place in the file, unless it has a place already.

        Args:
            error: the error of a reader.
            line: the line, if the error has none.
        """
        if not isinstance(error, InputError):
            return self.error(str(error), line)
        return self.error(error.message, error.line or line) if error.path is None else error


def file_bytes(path: str, expected: str) -> bytes:
    """The content of a file.

    Args:
        path: the file, ``-`` for standard input.
        expected: the expected content, for the message about a closed standard input.

    Raises:
        InputError: the file cannot be read.
    """
    if path != "-":
        with open_file(path) as file:
            return file.read()
    if sys.stdin is None:
        raise InputError(f"it is closed, expected {expected}", path="standard input")
    try:
        check_ends(sys.stdin.buffer)
        return sys.stdin.buffer.read()
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None


@contextmanager
def open_file(path: str) -> Iterator[BinaryIO]:
    """A context with an open file, to read its bytes.

    Args:
        path: the file.

    Raises:
        InputError: the file cannot be opened or read.
    """
    try:
        file = open(path, "rb")  # noqa: SIM115 - later errors are reported in another way
    except ValueError as error:  # a NUL in the path
        raise InputError(str(error), path=repr(path)) from None
    except OSError as error:
        raise InputError(reason(error, path), path=one_line(path)) from None
    with file:
        try:
            check_ends(file)
            yield file
        except OSError as error:
            raise InputError(error.strerror or str(error), path=one_line(path)) from None


def is_read_once(path: str) -> bool:
    """Whether a path can be read only once: standard input, a pipe or a device.

    Args:
        path: the path; one that does not exist can be read any number of times.

    >>> is_read_once("-"), is_read_once("no such file")
    (True, False)
    """
    is_kept = os.path.isfile(path) or os.path.isdir(path) or not os.path.exists(path)
    return path == "-" or not is_kept


def decode(data: bytes, path: str, encoding: str, *, utf16: bool = False) -> str:
    """The text of a file.

    Args:
        data: its bytes.
        path: the file, as the user named it.
        encoding: name of an encoding that Python has.
        utf16: whether a byte order mark of UTF-16 overrides ``encoding``.

    Raises:
        InputError: an unknown encoding; bytes that are not of that encoding; a NUL character, as
            in binary files and in UTF-16 without a mark.

    >>> decode(b"\\xef\\xbb\\xbfDol", "a.ne", "utf-8")
    'Dol'
    """
    if utf16 and data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    try:
        text = data.decode(encoding)
    except (UnicodeError, LookupError, ValueError) as error:
        raise _undecodable(error, data, path, encoding) from None
    text = text.removeprefix("\ufeff")
    wrong = text.find("\0")
    if wrong < 0 and not text.isascii() and (found := SURROGATE.search(text)):
        wrong = found.start()
    if wrong >= 0:
        raise InputError(
            f"found the character U+{ord(text[wrong]):04X}, expected text in {encoding}; "
            "is the file binary, or in another encoding?",
            path=path,
            line=1 + text.count("\n", 0, wrong),
        )
    return text


def _undecodable(error: Exception, data: bytes, path: str, encoding: str) -> InputError:
    if not isinstance(error, UnicodeDecodeError):
        return InputError(f"encoding {encoding!r}: {error}", path=path)
    hint = "is it in another encoding?"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        hint = "the file begins like UTF-16"
    at = error.start
    return InputError(
        f"found byte 0x{data[at]:02x} at offset {at}, expected {encoding}; {hint}",
        path=path,
        line=1 + data.count(b"\n", 0, at),
    )


def quote(text: str, limit: int = 40) -> str:
    """A piece of a file for a message: quoted, and on one line.

    Args:
        text: the piece.
        limit: the most characters to show.

    >>> print(quote("l'"), quote("two\\nlines"), quote("x" * 50, limit=3))
    "l'" 'two\\nlines' 'xxx…'
    """
    return repr(text if len(text) <= limit else text[:limit] + "…")
