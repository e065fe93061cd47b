"""Alternatives of Earnings-21: other readings of entities, in ``*.norm.json`` and ``*.nlp`` files.

The file ``ID.norm.json`` has the readings of entities by their number::

    {"0": {"candidates": [{"probability": 0.87, "verbalization": ["twenty", "twenty"]}, …],
           "class": "YEAR"}}

The file ``ID.nlp`` has the words of the call, a row each, and says which of them are the entity:
its column ``tags`` has ``['0:YEAR']`` in their rows. Fields are separated by ``|``. The words of
the reference are those of the rows, in the same order. A row that the reference lacks must be a
mark such as ``<laugh>`` or have neither letters nor digits; then it is passed over.

Source: Del Rio et al., Interspeech 2021, and fstalign, which reads both files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..documents.checks import Alternative
from ..documents.files import read_text
from ..documents.model import Document
from ..errors import InputError, SerevalError, reason
from .file import File as Source
from .records import Record, value

NORM, NLP = SUFFIXES = (".norm.json", ".nlp")

NormReading = tuple[str, ...]


class Entity(NamedTuple):
    """An entity of a ``.norm.json`` file.

    Args:
        label: its class.
        readings: in the order of the file.
    """

    label: str
    readings: tuple[NormReading, ...]


@dataclass(frozen=True, slots=True)
class NormFiles:
    """The files of alternatives, by the id of their document.

    Args:
        paths: the id and the suffix of each file, with its path.

    >>> NormFiles(((("d", ".nlp"), "a/d.nlp"), (("d", ".norm.json"), "d.norm.json"))).ids
    ('d',)
    """

    paths: tuple[tuple[tuple[str, str], str], ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the documents with alternatives, sorted."""
        return tuple(sorted({id for (id, suffix), _ in self.paths if suffix == NORM}))

    def of(self, document: Document) -> tuple[Alternative, ...]:
        """The alternatives of a document; entities in none of its rows are passed over.

        Args:
            document: the reference.

        Raises:
            SerevalError: a file is missing.
            InputError: a file cannot be read, or does not fit the other file or the document.
        """
        paths = dict(self.paths)
        for suffix in SUFFIXES:
            if (document.id, suffix) not in paths:
                raise SerevalError(
                    f"{document.id}: no file {document.id}{suffix} among the alternatives, "
                    f"expected one {NORM} and one {NLP} for each document"
                )
        entities = read_entities(paths[document.id, NORM])
        return read_alternatives(paths[document.id, NLP], entities, document)


def norm_files(paths: Iterable[str]) -> NormFiles:
    """The files of alternatives at some paths.

    Args:
        paths: files and folders with files; other files in a folder are ignored.

    Raises:
        InputError: a path that cannot be read, or has no such file; two files for one document.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("d.nlp", "d.norm.json", "d.wer_tag.json"):
    ...         pathlib.Path(folder, name).touch()
    ...     [place for place, _ in norm_files([folder]).paths]
    [('d', '.nlp'), ('d', '.norm.json')]
    """
    found: dict[tuple[str, str], str] = {}
    for path in paths:
        files = [one for one in _files(path) if one.endswith(SUFFIXES)]
        if not files:
            raise InputError(f"no file of alternatives, expected {NORM} or {NLP}", path=path)
        for file in files:
            suffix = next(one for one in SUFFIXES if file.endswith(one))
            key = os.path.basename(file).removesuffix(suffix), suffix
            if found.get(key, file) != file:
                raise InputError(f"found {found[key]} too, expected one of them", path=file)
            found[key] = file
    return NormFiles(tuple(sorted(found.items())))


def _files(path: str) -> list[str]:
    try:
        return [os.path.join(path, name) for name in sorted(os.listdir(path))]
    except NotADirectoryError:
        return [path]
    except OSError as error:
        raise InputError(reason(error, path), path=path) from None


def read_entities(path: str) -> dict[str, Entity]:
    """The entities of a ``.norm.json`` file, by number.

    Args:
        path: the file.

    Raises:
        InputError: the file cannot be read or has another form.
    """
    source = _source(path)
    try:
        found = value(source)
        if not isinstance(found, dict):
            raise SerevalError("expected one object, with an entity for each number")
        return {number: _entity(Record(one, f"entity {number}")) for number, one in found.items()}
    except SerevalError as error:
        raise source.located(error) from None


def _entity(record: Record) -> Entity:
    record.only(("candidates", "class"))
    candidates = record.records("candidates")
    if not candidates:
        raise SerevalError(f"{record.where}: no candidate, expected one or more")
    return Entity(record.string("class"), tuple(map(_reading, candidates)))


def _reading(record: Record) -> NormReading:
    record.only(("probability", "verbalization"))
    words = record.strings("verbalization")
    if not all(words):
        raise SerevalError(f"{record.name('verbalization')}: found an empty word, expected words")
    return words


def read_alternatives(
    path: str, entities: dict[str, Entity], document: Document
) -> tuple[Alternative, ...]:
    """The alternatives of a document.

    Args:
        path: its ``.nlp`` file.
        entities: the entities of its ``.norm.json`` file.
        document: the reference, whose words are those of the file.

    Raises:
        InputError: the file cannot be read; a row is not as the header says; the words are not
            those of the document; an entity has another class than in ``entities``, or its rows do
            not follow each other.
    """
    source = _source(path)
    spans: dict[str, tuple[int, int]] = {}
    k = 0
    for line, word, numbers in _rows(source):
        try:
            is_word = k < len(document.words) and document.words[k] == word
            if not is_word and not _is_mark(word):
                there = repr(document.words[k]) if k < len(document.words) else "no more word"
                raise SerevalError(f"found the word {word!r}, expected {there} of {document.id}")
            for number, label in numbers:
                _check_class(number, label, entities)
                start, end = spans.get(number, (k, k))
                if end != k:
                    raise SerevalError(f"entity {number} goes on after a gap, expected it whole")
                spans[number] = start, k + is_word
            k += is_word
        except SerevalError as error:
            raise source.error(str(error), line) from None
    if k < len(document.words):
        raise source.error(f"the words end before {document.words[k]!r} of {document.id}")
    return _alternatives(spans, entities)


def _alternatives(
    spans: dict[str, tuple[int, int]], entities: dict[str, Entity]
) -> tuple[Alternative, ...]:
    """The alternatives at some spans; entities with the same words share one."""
    found: dict[tuple[int, int], dict[NormReading, None]] = {}
    for number, (start, end) in spans.items():
        if number in entities and start < end:
            found.setdefault((start, end), {}).update(dict.fromkeys(entities[number].readings))
    return tuple(Alternative(*span, tuple(found[span])) for span in sorted(found))


def _rows(source: Source) -> Iterator[tuple[int, str, list[tuple[str, str]]]]:
    """The line, the word and the entities of each row."""
    header: list[str] | None = None
    for line, text in source.lines():
        fields = text.rstrip("\r").split("|")
        if header is None:
            header = fields
            if "token" not in header or "tags" not in header:
                raise source.error("no column token or tags, expected both in the header", line)
            continue
        if not text.strip():
            continue
        if len(fields) != len(header):
            raise source.error(f"found {len(fields)} fields, expected {len(header)}", line)
        tags = fields[header.index("tags")]
        if not re.fullmatch(_TAGS, tags):
            raise source.error(f"tags {tags!r}, expected a list such as ['0:YEAR']", line)
        numbers = [(number, label) for number, label in re.findall(_TAG, tags)]
        yield line, fields[header.index("token")].strip(), numbers


_TAG = r"'([^':]+):([^']+)'"
_TAGS = r"\[(?:'[^':]+:[^']+'(?:, '[^':]+:[^']+')*)?\]"


def _is_mark(word: str) -> bool:
    """Whether a reference may lack a word of the file."""
    return re.fullmatch("<.*>", word) is not None or re.search(r"[^\W_]", word) is None


def _check_class(number: str, label: str, entities: dict[str, Entity]) -> None:
    if number in entities and entities[number].label != label:
        raise SerevalError(
            f"entity {number} is {label}, expected {entities[number].label} of its readings"
        )


def _source(path: str) -> Source:
    return Source(path, text=read_text(path))
