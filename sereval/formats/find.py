"""Find the files at a path; the suffix of each proposes formats, and its content decides."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from io import BytesIO
from typing import Any

from ..documents.checks import limited_depth
from ..documents.files import COMPRESSED, is_read_once, open_file, refuse_special
from ..errors import InputError, SerevalError, one_line
from .file import DEFAULTS, File, ReadingOptions, quote, suffix_of
from .table import FORMATS, SUFFIXES, listed, without_elements

UNKNOWN_FORMAT = "name its format"
"""The end of a message about a path whose format is unknown."""

_OF_DATA_SETS = ("dataset_info.json", "state.json")
"""Files that Hugging Face's ``datasets`` writes beside those of the data."""

COMPRESSING = (".gz", ".zip", ".bz2", ".xz", ".zst")

PLAIN = ".txt"
"""The suffix of plain texts; a file whose suffix no format has may be one."""

CHUNK = 1 << 18
"""Number of bytes of a file that ``Head.text`` has."""


def signs(value: dict[str, Any]) -> set[str]:
    """The keys of an object; ``key[{`` too if its value is a list of objects."""
    lists = (key for key, one in value.items() if isinstance(one, list) and one)
    return {*value, *(f"{key}[{{" for key in lists if isinstance(value[key][0], dict))}


def as_object(value: Any) -> Any:
    """A pair ``[text, {…}]`` of spaCy's training data as an object; any other value as it is."""
    match value:
        case [str(text), dict(others)]:
            return {**others, "text": text}
    return value


class Head:
    """The beginning of a file, which can be read twice; a module recognises its formats by it."""

    def __init__(self, file: File) -> None:
        self.file = file

    def read(self, *, is_line: bool = False, size: int = -1) -> str:
        """The first characters, without byte order mark; empty if they cannot be read."""
        data = self.file.data
        try:
            with open_file(self.file.path) if data is None else BytesIO(data) as stream:
                found = stream.readline() if is_line else stream.read(size)
            return found.decode(self.file.options.encoding, "ignore").removeprefix("\ufeff")
        except (InputError, LookupError, UnicodeError, ValueError):
            return ""  # the reader will report the fault

    @cached_property
    def text(self) -> str:
        return self.read(size=CHUNK)

    @cached_property
    def line(self) -> str:
        """The first line."""
        return self.text.partition("\n")[0].rstrip("\r")

    @cached_property
    def keys(self) -> set[str]:
        """The ``signs`` of the first object in JSON, on the first line or on several."""
        import json  # few files need it

        for is_line in (True, False):
            text = self.read(is_line=is_line).lstrip()
            try:
                with limited_depth(SerevalError("brackets nested too deeply")):
                    value, _ = json.JSONDecoder().raw_decode(text)
            except (ValueError, SerevalError):
                continue
            first = as_object(value)
            first = as_object(first[0]) if isinstance(first, list) and first else first
            return signs(first) if isinstance(first, dict) else set()
        return set()

    def has(self, *signs: str) -> bool:
        """Whether all keys of one of the signs are there, each some keys between blanks."""
        return any(self.keys.issuperset(sign.split()) for sign in signs)


def files(path: str | os.PathLike[str], options: ReadingOptions = DEFAULTS) -> Iterator[File]:
    """The files that :func:`sereval.read` reads; only their beginnings have been read."""
    path = os.fspath(path)
    if os.path.isdir(path):
        yield from _in_folder(path, options)
    elif path == "-" and options.format is None:
        raise InputError(f"standard input has no suffix: {UNKNOWN_FORMAT}", path=path)
    else:
        yield File(path, _format(path, options), options)


def _in_folder(path: str, options: ReadingOptions) -> Iterator[File]:
    """The files of wanted formats; a suffix that no format owns counts if the content is known.

    If no file has a suffix of the format that the user names, all files may be of it.
    """
    try:
        entries = sorted(os.listdir(path))
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None
    there, is_empty = frozenset(entries), True
    known = {suffix for name in options.formats for suffix in FORMATS[name].suffixes_read}
    found = [
        entry
        for entry in entries
        if not entry.startswith(".")
        and entry != "dataset_dict.json"
        and not (entry in _OF_DATA_SETS and any(one.endswith(".arrow") for one in entries))
        and not os.path.isdir(os.path.join(path, entry))
        and not _stands_beside(entry, there)
    ]
    named = [entry for entry in found if suffix_of(entry) in known]
    for entry in named or (found if options.format else []):
        place, suffix = os.path.join(path, entry), suffix_of(entry)
        refuse_special(place)
        is_named = options.format and suffix in known or SUFFIXES.get(suffix) in options.formats
        if is_named or recognised(File(place, "", options)) in options.formats:
            is_empty = False
            yield File(place, _format(place, options), options)
    if is_empty:
        raise InputError(
            f"no file to read in this folder{_there(path, entries)}; "
            f"expected {listed(options.formats, options.format)}"
            + (f"; or {UNKNOWN_FORMAT}" if found and not options.format else ""),
            path=path,
        )


def _format(path: str, options: ReadingOptions) -> str:
    """The format of a file: the one that the user names, its content has, or its suffix tells."""
    if options.format is not None:
        return options.format
    suffix, names = suffix_of(path), options.formats
    owner = SUFFIXES.get(suffix, "")
    found = recognised(File(path, "", options)) or owner
    if found not in names and os.path.exists(path):
        if not is_read_once(path) and suffix in COMPRESSING:
            raise InputError(COMPRESSED, path=path)
        message = f"suffix {quote(suffix)}" if found == owner else f"its keys are those of {found}"
        message += without_elements(found)
        raise InputError(f"{message}, expected {listed(names)}; or {UNKNOWN_FORMAT}", path=path)
    return found or names[0]  # opening a missing file fails


def recognised(file: File, suffix: str = "") -> str:
    """The format that a file with a suffix of several formats has by its content; empty: none."""
    suffix = suffix or suffix_of(file.path)
    if not any(suffix in one.suffixes_read for one in FORMATS.values()):
        suffix = PLAIN
    claims = [one for one in FORMATS.values() if suffix in one.suffixes_read]
    is_shared = any(suffix in one.shared for one in claims)
    if not is_shared or file.data is None and is_read_once(file.path):
        return ""
    head = Head(file)
    claims.sort(key=lambda one: suffix in one.shared)  # the owner is asked first
    for recognise in dict.fromkeys(one.function("recognise") for one in claims):
        name: str = recognise(head) if recognise else ""
        if name:
            return name
    is_native = head.has("id words", "id elements")  # with a key too many, as its reader says
    if suffix in SUFFIXES and head.keys and not is_native:
        plain = sorted(key for key in head.keys if not key.endswith("[{"))
        shown = ", ".join(plain[:4]) + ", …" * (len(plain) > 4)
        names = ", ".join(one.name for one in claims if one.name in file.options.wanted)
        message = one_line(f"its keys ({shown}) are those of no format, expected those of {names}")
        raise InputError(f"{message}; or {UNKNOWN_FORMAT}", path=file.path)
    return ""


def _stands_beside(entry: str, entries: Container[str]) -> bool:
    """Whether a file is not a document, but stands beside one of another format."""
    return any(
        entry.endswith(one.beside) and entry.removesuffix(one.beside) + suffix in entries
        for one in FORMATS.values()
        if one.beside
        for suffix in one.suffixes
    )


def _there(path: str, entries: Iterable[str]) -> str:
    """What is in a folder, for a message: suffixes, and folders that may have been meant."""
    names = [name for name in entries if not name.startswith(".")]
    folders = [name for name in names if os.path.isdir(os.path.join(path, name))]
    counts = Counter(suffix_of(name) for name in names if name not in folders)
    del counts[""]
    found = [
        f"{number} {quote(suffix)}" + without_elements(SUFFIXES.get(suffix, ""))
        for suffix, number in counts.most_common(3)
    ]
    said = f", which has {', '.join(found)}" if found else ""
    if folders:
        shown = ", ".join([*map(quote, folders[:3]), *["…"] * (len(folders) > 3)])
        said += f", and those inside ({shown}) are not looked into"
    return said
