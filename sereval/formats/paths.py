"""Find the files at a path, and the format of each from an option, its suffix or its keys."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Container, Iterator

from ..errors import InputError, one_line
from .registry import FORMATS, SUFFIXES, listed
from .source import ReadingOptions, is_read_once, open_file, quote

UNKNOWN_FORMAT = "name its format"
"""The end of a message about a path whose format is unknown."""

UNREAD = {
    ".tag": "TranscriberAG",
    ".exs": "EXMARaLDA's segmented transcriptions",
    ".flextext": "FLEx",
    ".antx": "Annotation Pro",
    ".cha": "CHAT",
    ".ass": "Advanced SubStation Alpha",
}
"""Programs whose files sereval does not read, by their suffixes."""
_LONGEST = 1 << 16
"""The most bytes of a first line that are looked at."""
_OF_PROGRAMS = (".json", ".jsonl")
"""Suffixes of native files that other programs also use."""


def files_at(path: str, options: ReadingOptions) -> Iterator[tuple[str, str, bool]]:
    """The files at a path; of files in JSON only the first keys have been read.

    Args:
        path: a file, a folder, or ``-`` for standard input.
        options: how the files are read.

    Yields:
        The path of each file, its format, and whether the format was found by the keys of the file
        and its suffix has another.

    Raises:
        InputError: no file; a file whose suffix and keys are of no wanted format.
    """
    for format, place in _by_suffix(path, options):
        by_keys = format
        if options.format is None and suffix_of(place) in _OF_PROGRAMS and not is_read_once(place):
            from .guess import format_by_keys  # only if there are such files

            by_keys = format_by_keys(place, format, options)
        yield place, by_keys, by_keys != format


def suffix_of(path: str) -> str:
    """The suffix of a file in small letters; some formats have a suffix with two dots.

    Args:
        path: the file.

    >>> suffix_of("a/show.TextGrid"), suffix_of("show.mentions.jsonl")
    ('.textgrid', '.mentions.jsonl')
    """
    last = os.path.splitext(path)[1].lower()
    longer = (s for s in SUFFIXES if s.count(".") > 1 and path.lower().endswith(s))
    return next(longer, last)


def stem_of(path: str) -> str:
    """A path without its suffix.

    Args:
        path: the file.

    >>> stem_of("a/show.TextGrid"), stem_of("show.mentions.jsonl")
    ('a/show', 'show')
    """
    return path[: len(path) - len(suffix_of(path))]


def refuse_special(path: str) -> None:
    """Refuse a pipe that the user did not name: it may never end.

    Args:
        path: a path found in a folder or beside a file.

    Raises:
        InputError: the path is a pipe, a socket or a device.
    """
    if is_read_once(path):
        raise InputError("found a pipe, a socket or a device, expected a file", path=one_line(path))


def _by_suffix(path: str, options: ReadingOptions) -> Iterator[tuple[str, str]]:
    """Format and path of each file to read."""
    names, format = options.formats, options.format
    if os.path.isdir(path):
        found = sorted(_in_folder(path, options))
        if not found:
            raise InputError(
                f"no file to read in this folder{_others(path)}{_inside(path)}; "
                f"expected {listed(names, format)}",
                path=path,
            )
        yield from ((name, place) for place, name in found)
    elif format is not None:
        yield format, path
    elif path == "-":
        raise InputError(f"standard input has no suffix: {UNKNOWN_FORMAT}", path=path)
    else:
        suffix = suffix_of(path)
        name = SUFFIXES.get(suffix, "")
        sharing = [other for other in names if suffix in FORMATS[other].shared]
        if name not in names and any(FORMATS[other].head for other in sharing):
            sharing = _by_head(path, options.encoding, sharing)
        if name not in names and len(sharing) == 1:  # the only format possible here
            [name] = sharing
        if name not in names and os.path.exists(path):
            program = UNREAD.get(suffix)
            of_program = f" of {program}, which sereval does not read" if program else ""
            raise InputError(
                f"suffix {quote(suffix)}{of_program}, expected {listed(names)}; or "
                f"{UNKNOWN_FORMAT}",
                path=path,
            )
        yield name or names[0], path  # opening a missing file fails


def _by_head(path: str, encoding: str, names: list[str]) -> list[str]:
    """The formats whose first line a file has; if there is none, those without such a line."""
    line = b""
    if os.path.isfile(path):
        with open_file(path) as file:
            line = file.readline(_LONGEST)
    try:
        text = line.decode(encoding, "ignore").removeprefix("\ufeff").rstrip("\r\n")
    except LookupError:
        text = ""  # the reader will report the fault
    heads = {name: FORMATS[name].head for name in names}
    found = [name for name, head in heads.items() if head and re.match(head, text)]
    return found or [name for name, head in heads.items() if not head]


def _in_folder(path: str, options: ReadingOptions) -> Iterator[tuple[str, str]]:
    """Path and format of each file with the suffix of a wanted format."""
    names, format = options.formats, options.format
    suffixes = {suffix: name for suffix, name in SUFFIXES.items() if name in names}
    if format is not None:
        suffixes |= dict.fromkeys(FORMATS[format].shared, format)
    try:
        entries = frozenset(os.listdir(path))
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None
    for entry in entries:
        place = os.path.join(path, entry)
        name = suffixes.get(suffix_of(entry), "")
        is_hidden = entry.startswith(".") or os.path.isdir(place)
        if name and not is_hidden and not _stands_beside(entry, entries):
            refuse_special(place)
            yield place, name


def _stands_beside(entry: str, entries: Container[str]) -> bool:
    """Whether a file is not a document, but stands beside one of another format."""
    return any(
        entry.endswith(one.beside) and entry.removesuffix(one.beside) + suffix in entries
        for one in FORMATS.values()
        if one.beside
        for suffix in one.suffixes
    )


def _inside(path: str) -> str:
    """The folders in a folder, for a message: the user may have meant one of them."""
    folders = (entry.name for entry in os.scandir(path) if entry.is_dir())
    found = [quote(name) for name in sorted(folders) if not name.startswith(".")]
    shown = ", ".join([*found[:3], *["…"] * (len(found) > 3)])
    return f", and those inside ({shown}) are not looked into" if found else ""


def _others(path: str) -> str:
    """The suffixes of the files in a folder, for a message."""
    files = (entry.name for entry in os.scandir(path) if not entry.is_dir())
    counts = Counter(suffix_of(name) for name in files if not name.startswith("."))
    most = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:3]
    found = [
        f"{number} {quote(suffix)}" + f" of {UNREAD.get(suffix)}" * (suffix in UNREAD)
        for suffix, number in most
        if suffix
    ]
    return f", which has {', '.join(found)}" if found else ""
