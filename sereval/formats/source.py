"""A file on its way to a reader: how it is read, its text, and the places in it for messages."""

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
"""Half of a surrogate pair, which some encodings and JSON escapes yield and no file can hold."""


DETECT = "detect"

POLICIES: dict[str, tuple[str, ...]] = {
    "discontinuous": ("refuse", "hull", "first"),
    "crossing": ("refuse", "drop"),
    "equal": ("appearance", "GRAMMAR"),
    "marks": ("keep", "strip"),
    "times": ("spread", "none"),
    "tags": (DETECT, *SCHEMES),
    "mentions": ("exact", "nearest"),
}
"""What a reader can do where a format leaves a choice; the first policy is the default.

Capital letters stand for a name that is given with its labels.
"""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How files are read.

    Args:
        format: name of the format; ``None``: each file's suffix says it.
        wanted: names of the formats that make sense where the files are read.
        encoding: of the files. A byte order mark at the start is accepted and dropped; one of
            UTF-16 in a TextGrid goes before this.
        tiers: exact names of the tiers that hold the words, where files have tiers; none: the
            reader finds them by their names.
        policies: names in ``POLICIES``, each with a policy; for a name left out the first policy
            counts.
        labels: from the outermost in, for the policy ``equal``, which then has any name.
        columns: of files of columns, those of the tags, by name or number from 1, the outermost
            first; none: the last one. ``word=NAME`` among them is the column of the words.

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
            is_named = name == "equal" and self.labels
            if policy not in POLICIES[name] and not is_named:
                expected = ", ".join(f"{name}={one}" for one in POLICIES[name])
                raise InputError(f"found {quote(f'{name}={policy}')}, expected one of {expected}")

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats that a file may have."""
        return self.wanted if self.format is None else (self.format,)

    def policy(self, name: str) -> str:
        """What is done where a format leaves a choice.

        >>> ReadingOptions().policy("crossing")
        'refuse'
        """
        return dict(self.policies).get(name, POLICIES[name][0])


DEFAULTS = ReadingOptions()
"""Each file as its suffix says, with the first policy of each name."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one file.

    Args:
        path: the file, as the user named it.
        id: name of its document, where the format has one document a file.
        text: its content, decoded, without byte order mark.
        options: how it is read.
        beside: text of the file beside it, where the format has two.
    """

    path: str
    id: str
    text: str
    options: ReadingOptions = DEFAULTS
    beside: str = ""

    def policy(self, name: str) -> str:
        """What is done where the format leaves a choice."""
        return self.options.policy(name)

    def hint(self, name: str) -> str:
        """The end of a message: the policies that would take what was refused."""
        ways = " or ".join(f"{name}={policy}" for policy in POLICIES[name][1:])
        return f"--read {ways} takes it"

    def lines(self) -> Iterator[tuple[int, str]]:
        r"""Lines with their numbers from 1; only ``\n`` ends one, as in every editor.

        >>> list(Source("a.ne", "a", "x\u2028y\r\nz").lines())
        [(1, 'x\u2028y\r'), (2, 'z')]
        """
        return enumerate(self.text.split("\n"), 1)

    def error(self, message: str, line: int | None = None) -> InputError:
        """An error that says the path and the line; the caller raises it."""
        return InputError(one_line(message), path=self.path, line=line)

    def located(self, error: SerevalError, line: int | None = None) -> InputError:
        """A refusal with its place in the file, unless it has one.

        Args:
            line: where it was met, if the refusal itself does not say its line.
        """
        if not isinstance(error, InputError):
            return self.error(str(error), line)
        return self.error(error.message, error.line or line) if error.path is None else error


def file_bytes(path: str, expected: str) -> bytes:
    """What a file holds.

    Args:
        path: the file, ``-`` for standard input.
        expected: what it should hold, for the message where standard input is closed.

    Raises:
        InputError: it cannot be read.
    """
    if path != "-":
        with opened(path) as file:
            return file.read()
    if sys.stdin is None:
        raise InputError(f"it is closed, expected {expected}", path="standard input")
    try:
        check_ends(sys.stdin.buffer)
        return sys.stdin.buffer.read()
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """A file, for as long as its bytes are read.

    Raises:
        InputError: it cannot be opened or read.
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
    """Whether a path can be read only once: standard input, a pipe, a device.

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
        encoding: any that Python knows.
        utf16: a byte order mark of UTF-16 goes before ``encoding``.

    Raises:
        InputError: unknown encoding; bytes that are not of that encoding; a NUL character, which
            is what binary files and unmarked UTF-16 look like.

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
    """A piece of a file for a message: quoted, on one line, not longer than need be.

    >>> print(quote("l'"), quote("two\\nlines"), quote("x" * 50, limit=3))
    "l'" 'two\\nlines' 'xxx…'
    """
    return repr(text if len(text) <= limit else text[:limit] + "…")
