"""Which files a path names, and the format of each: by its name, its suffix or its keys."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

from ..errors import InputError, one_line
from .guess import SUFFIXES as SHARED_BY_PROGRAMS
from .guess import format_of, keys_of, program_of, unknown
from .registry import FORMATS, SUFFIXES, listed
from .source import ReadingOptions, is_read_once, quote

UNKNOWN_FORMAT = "name its format"
"""The end of a message about a path that does not say its format."""


def files_at(path: str, options: ReadingOptions) -> Iterator[tuple[str, str, bool]]:
    """The files at a path, unread but for the keys of JSON.

    Yields:
        The path of each file, its format, and whether its keys told the format where its suffix
        says another.

    Raises:
        InputError: no file; a file whose suffix and keys say no format that is wanted.
    """
    for format, place in _by_suffix(path, options):
        by_keys = format if options.format is not None else _by_keys(place, format, options)
        yield place, by_keys, by_keys != format


def suffix_of(path: str) -> str:
    """The suffix of a file in small letters; that of a format may have two dots.

    >>> suffix_of("a/show.TextGrid"), suffix_of("show.mentions.jsonl")
    ('.textgrid', '.mentions.jsonl')
    """
    last = os.path.splitext(path)[1].lower()
    longer = (s for s in SUFFIXES if s.count(".") > 1 and path.lower().endswith(s))
    return next(longer, last)


def refuse_special(path: str) -> None:
    """Refuse a pipe that nobody named: it may never end.

    Raises:
        InputError: the path is one of a pipe, a socket or a device.
    """
    if is_read_once(path):
        raise InputError("found a pipe, a socket or a device, expected a file", path=one_line(path))


# --- by the keys of JSON -------------------------------------------------------------------------


def _by_keys(path: str, format: str, options: ReadingOptions) -> str:
    """The format of a file: that of its keys, if they are of one, else that of its suffix.

    Raises:
        InputError: keys of a format that makes no sense here, or of none.
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
    from .native import has_keys  # loaded for files of JSON only

    return has_keys(keys)


def _keys(path: str, encoding: str) -> set[str]:
    """The keys of the first object of a file in JSON; none where nothing tells them."""
    if is_read_once(path) or suffix_of(path) not in SHARED_BY_PROGRAMS:
        return set()
    try:
        with open(path, "rb") as file:
            return keys_of(file, encoding)
    except (OSError, LookupError, UnicodeError, ValueError):
        return set()  # reading the file will say why


# --- by suffix -----------------------------------------------------------------------------------


def _by_suffix(path: str, options: ReadingOptions) -> Iterator[tuple[str, str]]:
    """Format and path of each file to be read."""
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
        if name not in names and len(sharing) == 1:  # nothing else it could be here
            [name] = sharing
        if name not in names and os.path.exists(path):
            raise InputError(
                f"suffix {quote(suffix)}, expected {listed(names)}; or {UNKNOWN_FORMAT}", path=path
            )
        yield name or names[0], path  # a file that is not there fails when it is opened


def _in_folder(path: str, options: ReadingOptions) -> Iterator[tuple[str, str]]:
    """Path and format of each file with a suffix that counts."""
    names, format = options.formats, options.format
    suffixes = {suffix: name for suffix, name in SUFFIXES.items() if name in names}
    if format is not None:
        suffixes |= dict.fromkeys(FORMATS[format].shared, format)
    try:
        entries = os.listdir(path)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None
    for entry in entries:
        place = os.path.join(path, entry)
        name = suffixes.get(suffix_of(entry), "")
        if name and not entry.startswith(".") and not os.path.isdir(place):
            refuse_special(place)
            yield place, name


def _inside(path: str) -> str:
    """The folders in a folder, for a message: one of them may be what was meant."""
    folders = (entry.name for entry in os.scandir(path) if entry.is_dir())
    found = [quote(name) for name in sorted(folders) if not name.startswith(".")]
    shown = ", ".join([*found[:3], *["…"] * (len(found) > 3)])
    return f", and those inside ({shown}) are not looked into" if found else ""


def _others(path: str) -> str:
    """The suffixes of what is in a folder, for a message."""
    files = (entry.name for entry in os.scandir(path) if not entry.is_dir())
    counts = Counter(suffix_of(name) for name in files if not name.startswith("."))
    most = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:3]
    found = [f"{number} {quote(suffix)}" for suffix, number in most if suffix]
    return f", which has {', '.join(found)}" if found else ""
