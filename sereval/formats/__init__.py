"""Reading files of every format into documents.

`READERS` is the table of formats, `read` the one way in. Every reader is strict: what it cannot
take is an `InputError` with file and line, and nothing is left out in silence. A format is a
module with a function ``parse(source) -> [(line, document), …]`` and an entry in the table.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from ..documents.model import Document, Named, Note, Reference
from ..errors import InputError, one_line
from .guess import SUFFIXES as TOLD_BY_KEYS
from .guess import format_of, keys_of, program_of, unknown
from .oddities import with_oddities
from .source import POLICIES, Source, decode, file_bytes, is_read_once, quote
from .times import milliseconds, parse_duration

__all__ = [
    "POLICIES",
    "READERS",
    "File",
    "Reader",
    "check_policies",
    "files",
    "milliseconds",
    "parse_duration",
    "read",
    "unique",
]

_D = TypeVar("_D", bound=Named)


class Reader(NamedTuple):
    """A format.

    Args:
        suffixes: of its files, in small letters.
        parse: from a file's text to its documents, each with its line where the file has many.
        expects: what a file of it holds at least, for the message about an empty one.
        utf16: whether a byte order mark of UTF-16 is taken as the encoding.
        shared: suffixes that say another format or none; in a folder they count where this
            format is named.
        beside: suffix of the text that its files stand beside; they may be empty then.
        names: what says the id of a document: the name of the ``file``, which has one document;
            each of its ``lines``; or the ``content``, once it is read.
        encoding_of: what its bytes say of their encoding, which goes before the one asked for.
    """

    suffixes: tuple[str, ...]
    parse: Callable[[Source], Sequence[tuple[int | None, Document | Reference]]]
    expects: str
    utf16: bool = False
    shared: tuple[str, ...] = ()
    beside: str = ""
    names: str = "content"
    encoding_of: Callable[[bytes], str | None] = lambda data: None


def _late(module: str, name: str = "parse") -> Callable[..., Any]:
    """A function of a reader whose module is loaded when a file of its format is read."""

    def function(*given: Any) -> Any:
        return getattr(import_module(f".{module}", __package__), name)(*given)

    return function


READERS: dict[str, Reader] = {
    "inline": Reader(
        (".ne",),
        _late("inline"),
        "words, with or without tags; a document without words is written in native JSON, "
        'with "words": []',
        names="file",
    ),
    "native": Reader(
        (".jsonl", ".json"), _late("native"), "a JSON object on each line", names="lines"
    ),
    "textgrid": Reader(
        (".textgrid",), _late("praat"), "a TextGrid saved as text", utf16=True, names="file"
    ),
    "ctm": Reader((".ctm",), _late("ctm"), "lines such as 'show 1 0.53 0.56 word'"),
    "sgml": Reader((".sgml", ".sgm"), _late("sgml"), "words, with or without tags of MUC"),
    "aref": Reader(
        (".aref",), _late("aref"), "words, with or without tags <annotation … />", names="file"
    ),
    "whisper": Reader(
        (".whisper",),
        _late("whisper"),
        'a JSON object with "segments"',
        shared=(".json",),
        names="file",
    ),
    "vosk": Reader(
        (".vosk",), _late("vosk"), 'JSON objects with "result"', shared=(".json",), names="file"
    ),
    "kaldi": Reader(
        (".kaldi",),
        _late("kaldi"),
        'JSON objects with "result"',
        shared=(".json",),
        names="file",
    ),
    "mfa": Reader(
        (".mfa",),
        _late("mfa"),
        "the line Begin,End,Label,Type,Speaker",
        shared=(".csv", ".json"),
        names="file",
    ),
    "eaf": Reader((".eaf",), _late("eaf"), "an annotation document of ELAN", names="file"),
    "transcriber": Reader(
        (".trs",),
        _late("transcriber"),
        "a transcription of Transcriber's",
        names="file",
        encoding_of=_late("xml", "encoding_of"),
    ),
    "brat": Reader(
        (".ann",), _late("brat"), "the text that it annotates", beside=".txt", names="file"
    ),
    "offsets": Reader(
        (".offsets", ".prodigy", ".doccano"),
        _late("offsets", "lines"),
        'lines such as {"text": "Paris", "entities": [[0, 5, "loc"]]}',
        shared=(".jsonl",),
    ),
    "labelstudio": Reader(
        (".labelstudio",), _late("labelstudio"), "a JSON list of tasks", shared=(".json",)
    ),
    "mentions": Reader(
        (".mentions.jsonl",),
        _late("mentions"),
        'lines such as {"id": "show", "mentions": [["loc", "Dol"]]}',
        shared=(".jsonl",),
    ),
    "columns": Reader(
        (".iob", ".iob2", ".bio", ".conll", ".conllup"),
        _late("columns"),
        "lines such as 'Davide show B-PER'",
        shared=(".tsv",),
    ),
}
"""Formats by name."""

UNKNOWN_FORMAT = "name its format"
"""The end of a message about a path that does not say its format."""

SUFFIXES = {suffix: name for name, reader in READERS.items() for suffix in reader.suffixes}
"""Name of the format of each suffix; suffixes are compared without case."""


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    tier: str | Sequence[str] | None = None,
    wanted: Sequence[str] | None = None,
    policies: Mapping[str, str] | None = None,
    labels: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> list[Document | Reference]:
    """All documents of a file, of the files in a folder, or of standard input.

    Args:
        path: a file; a folder, of which the files with a suffix of a wanted format are read, by
            name, while hidden files, folders and other suffixes are passed over; or ``-``.
        format: name of the format; ``None``: each file's suffix says it.
        encoding: of the files. A byte order mark at the start is accepted and dropped; one of
            UTF-16 in a TextGrid goes before this.
        tier: exact name of the tier that holds the words, or names, one for each speaker; without
            effect where there are none.
        wanted: names of the formats that make sense here; ``None``: all.
        policies: what to do where a format leaves a choice, by name; see ``POLICIES``.
        labels: from the outermost in, for the policy ``equal``, which then has any name.
        columns: of files of columns, those of the tags, by name or number from 1, the outermost
            first; none: the last one. ``word=NAME`` among them is the column of the words.

    Returns:
        Documents in the order found. Where a file has one document, its name without suffix is
        the id (``-`` for standard input).

    Raises:
        InputError: whatever is wrong with the path, the arguments or the files; two documents
            with the same id; nothing to read.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "show.ne").write_text("<name>Dol</name>, 12", "utf-8")
    ...     [show] = read(folder)
    >>> show.id, show.words, show.elements[0].label
    ('show', ('Dol', ',', '12'), 'name')
    """
    found = files(
        path,
        format=format,
        encoding=encoding,
        tier=tier,
        wanted=wanted,
        policies=policies,
        labels=labels,
        columns=columns,
    )
    return unique(
        (file.path, line, document) for file in found for line, document in file.documents()
    )


def files(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    tier: str | Sequence[str] | None = None,
    wanted: Sequence[str] | None = None,
    policies: Mapping[str, str] | None = None,
    labels: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> Iterator[File]:
    """The files that :func:`read` reads, unread but for what tells the format of JSON.

    The arguments are the same.

    Raises:
        InputError: whatever is wrong with the path or the arguments; no file.

    >>> [file.format for file in files("a.ctm")]
    ['ctm']
    """
    names = _formats(format, wanted)
    chosen = policies or {}
    check_policies(chosen, labels)
    tiers = (tier,) if isinstance(tier, str) else tuple(tier or ())
    how = (encoding, tiers, tuple(sorted(chosen.items())), tuple(labels), tuple(columns))
    for name, place in _files(os.fspath(path), format, names):
        told = name if format is not None else _told(place, name, names, _keys(place, encoding))
        yield File(place, told, *how, is_guessed=told != name)


def _keys(path: str, encoding: str) -> set[str]:
    """The keys of the first object of a file in JSON; none where nothing tells them."""
    if is_read_once(path) or _suffix(path) not in TOLD_BY_KEYS:
        return set()
    try:
        with open(path, "rb") as file:
            return keys_of(file, encoding)
    except (OSError, LookupError, UnicodeError, ValueError):
        return set()  # which is said when the file is read


def _told(path: str, name: str, names: Sequence[str], keys: set[str]) -> str:
    """The format of a file: that of its keys, if they are of one, else that of its suffix.

    Raises:
        InputError: keys of a format that makes no sense here, or of none.
    """
    told = format_of(keys)
    if told is not None and told not in names:
        raise InputError(
            f"its keys are those of {told}, expected {_listed(names)}; or {UNKNOWN_FORMAT}",
            path=path,
        )
    program = program_of(keys) if told is None else None
    if program or (told is None and name == "native" and not _late("native", "has_keys")(keys)):
        found = one_line(unknown(keys, program, names))
        raise InputError(f"{found}; or {UNKNOWN_FORMAT}", path=path)
    return told or name


@dataclass(frozen=True, slots=True)
class File:
    """A file and how it is to be read.

    Args:
        path: of the file, ``-`` for standard input.
        format: its name in ``READERS``.
        encoding, labels, columns: as for :func:`read`.
        tiers: exact names of the tiers that hold the words; none: found by their names.
        policies: name and policy.
        is_guessed: whether its keys told the format, and its suffix said another.
        data: its bytes, or those of one of its lines, where they were read already.
    """

    path: str
    format: str
    encoding: str = "utf-8"
    tiers: tuple[str, ...] = ()
    policies: tuple[tuple[str, str], ...] = ()
    labels: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    is_guessed: bool = False
    data: bytes | None = field(default=None, repr=False)

    @property
    def id(self) -> str:
        """The id of its document, where it has one: its name without suffix."""
        return "-" if self.path == "-" else os.path.splitext(os.path.basename(self.path))[0]

    def documents(self) -> Sequence[tuple[int | None, Document | Reference]]:
        """What stands in it, read now; each document with its line where the format has many."""
        reader = READERS[self.format]
        how = (self.encoding, self.tiers, dict(self.policies), self.labels, self.columns)
        parsed = reader.parse(_source(reader, self.path, *how, data=self.data))
        found = [(line, with_oddities(document, line)) for line, document in parsed]
        if not self.is_guessed or not found:
            return found
        (line, first), *rest = found
        suffix = _suffix(self.path)
        note = Note(f"files of {suffix} taken for {self.format}, by their keys", 1)
        return [(line, replace(first, notes=(*first.notes, note))), *rest]

    def nothing(self) -> InputError:
        """What is wrong if it is empty, to be raised by the caller."""
        expected = READERS[self.format].expects
        return InputError(f"the file is empty, expected {expected}", path=self.path)


def check_policies(chosen: Mapping[str, str], labels: Sequence[str] = ()) -> None:
    """Refuse policies that no reader has.

    >>> check_policies({"crossing": "drop"})
    """
    for name, policy in chosen.items():
        if name not in POLICIES:
            raise InputError(f"found {quote(name)}, expected one of {', '.join(POLICIES)}")
        is_named = name == "equal" and labels
        if policy not in POLICIES[name] and not is_named:
            expected = ", ".join(f"{name}={one}" for one in POLICIES[name])
            raise InputError(f"found {quote(f'{name}={policy}')}, expected one of {expected}")


def unique(found: Iterable[tuple[str, int | None, _D]]) -> list[_D]:
    """Documents, given with their files and lines, of which no two have the same id.

    Raises:
        InputError: two have.
    """
    documents: list[_D] = []
    places: dict[str, str] = {}
    for place, line, document in found:
        if document.id in places:
            raise InputError(
                one_line(f"document {quote(document.id)} stands twice, expected ids to be ")
                + f"unique; the first is in {places[document.id]}",
                path=place,
                line=line,
            )
        places[document.id] = place if line is None else f"{place}:{line}"
        documents.append(document)
    return documents


def _formats(format: str | None, wanted: Sequence[str] | None) -> Sequence[str]:
    """The formats that may be read."""
    names = tuple(READERS) if wanted is None else wanted
    for name in names if format is None else (format, *names):
        if name not in READERS:
            raise InputError(f"format {quote(name)}, expected one of {', '.join(READERS)}")
    if format is None:
        return names
    if format not in names:
        raise InputError(f"format {quote(format)} makes no sense here, expected {_listed(names)}")
    return (format,)


def _inside(path: str) -> str:
    """The folders in a folder, for a message: one of them may be what was meant."""
    folders = (entry.name for entry in os.scandir(path) if entry.is_dir())
    found = [quote(name) for name in sorted(folders) if not name.startswith(".")]
    shown = ", ".join([*found[:3], *["…"] * (len(found) > 3)])
    return f", and those inside ({shown}) are not looked into" if found else ""


def _others(path: str) -> str:
    """The suffixes of what is in a folder, for a message."""
    files = (entry.name for entry in os.scandir(path) if not entry.is_dir())
    counts = Counter(_suffix(name) for name in files if not name.startswith("."))
    most = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:3]
    found = [f"{number} {quote(suffix)}" for suffix, number in most if suffix]
    return f", which has {', '.join(found)}" if found else ""


def _listed(names: Sequence[str], format: str | None = None) -> str:
    """Formats with the suffixes that count, for a message."""
    suffixes = {
        name: READERS[name].suffixes + (READERS[name].shared if name == format else ())
        for name in names
    }
    return ", ".join(f"{name} ({' '.join(of_name)})" for name, of_name in suffixes.items())


def _files(path: str, format: str | None, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Format and path of each file to be read."""
    if os.path.isdir(path):
        found = sorted(_folder(path, _suffixes(names, format)))
        if not found:
            raise InputError(
                f"no file to read in this folder{_others(path)}{_inside(path)}; "
                f"expected {_listed(names, format)}",
                path=path,
            )
        yield from ((name, place) for place, name in found)
    elif format is not None:
        yield format, path
    elif path == "-":
        raise InputError(f"standard input has no suffix: {UNKNOWN_FORMAT}", path=path)
    else:
        suffix = _suffix(path)
        name = SUFFIXES.get(suffix, "")
        sharing = [other for other in names if suffix in READERS[other].shared]
        if name not in names and len(sharing) == 1:  # nothing else it could be here
            [name] = sharing
        if name not in names and os.path.exists(path):
            raise InputError(
                f"suffix {quote(suffix)}, expected {_listed(names)}; or {UNKNOWN_FORMAT}", path=path
            )
        yield name or names[0], path  # a file that is not there fails when it is opened


def _suffix(path: str) -> str:
    """The suffix of a file in small letters; that of a format may have two dots."""
    last = os.path.splitext(path)[1].lower()
    longer = (s for s in SUFFIXES if s.count(".") > 1 and path.lower().endswith(s))
    return next(longer, last)


def _suffixes(names: Sequence[str], format: str | None) -> dict[str, str]:
    """The format of each suffix that counts; a named format has its shared ones too."""
    found = {suffix: name for suffix, name in SUFFIXES.items() if name in names}
    return found | dict.fromkeys(READERS[format].shared if format else (), format or "")


def _folder(path: str, suffixes: dict[str, str]) -> Iterator[tuple[str, str]]:
    try:
        entries = os.listdir(path)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None
    for entry in entries:
        place = os.path.join(path, entry)
        name = suffixes.get(_suffix(entry), "")
        if name and not entry.startswith(".") and not os.path.isdir(place):
            _refuse_special(place)
            yield place, name


def _refuse_special(path: str) -> None:
    """A pipe that nobody named may never end."""
    if is_read_once(path):
        raise InputError("found a pipe, a socket or a device, expected a file", path=one_line(path))


def _source(
    reader: Reader,
    path: str,
    encoding: str,
    tiers: Sequence[str] = (),
    policies: Mapping[str, str] | None = None,
    labels: Sequence[str] = (),
    columns: Sequence[str] = (),
    data: bytes | None = None,
) -> Source:
    beside = _beside(path, reader.beside, encoding) if reader.beside else ""
    data = file_bytes(path, "a document") if data is None else data
    text = decode(data, path, reader.encoding_of(data) or encoding, utf16=reader.utf16)
    if not text.strip() and not beside:
        raise InputError(f"the file is empty, expected {reader.expects}", path=path)
    id = File(path, "").id
    if one_line(id) != id:
        raise InputError(
            "the name of the file is the id of its document, expected characters that can be seen",
            path=one_line(path),
        )
    return Source(path, id, text, tiers, policies or {}, labels, beside, columns)


def _beside(path: str, suffix: str, encoding: str) -> str:
    """The text of the file of the same name with another suffix."""
    if path == "-":
        raise InputError(f"no {suffix} is beside it, expected a file", path="standard input")
    other = os.path.splitext(path)[0] + suffix
    if not os.path.exists(other):
        raise InputError(f"no {os.path.basename(other)} is beside it, expected one", path=path)
    _refuse_special(other)
    text = decode(file_bytes(other, "a text"), other, encoding)
    if not text.strip():
        raise InputError("the file is empty, expected words", path=other)
    return text
