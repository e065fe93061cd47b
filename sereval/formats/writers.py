"""Documents as files: `WRITERS`, the table beside that of the readers.

What a format cannot hold is either left out, and then counted (`Written.lost`), or refused. What
is written is read back as it was, but for what is said to be lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..documents.model import Document, Note, Reference
from ..documents.tags import WRITABLE
from ..errors import SerevalError, one_line
from . import aref, brat, columns, inline, native, praat_write

TIMES = "times of words"
MENTIONS = "mentions without places"
BREAKS = "utterance boundaries"
PLACES = "elements with several places, put at one"
LABELS = "labels besides an element's own"
UNPLACEABLE = "elements without a place"
STRICT = "elements with strict frontiers, which break ties"
PROJECTION = "descriptions of the projection"
SHOWN = "elements, which are there for people only"
MOMENTS = "words without length, given 1 ms"


@dataclass(frozen=True, slots=True)
class Written:
    """The files of one document.

    Args:
        files: text by suffix, the first that of the document.
        lost: what is not in them, and how many of it.
    """

    files: dict[str, str]
    lost: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Writer:
    """A format that can be written.

    Args:
        suffix: of its files; where there are two of each document, that of the annotation.
        write: from a document to its files; where there are ``schemes``, with ``tags``, one of
            them.
        is_fuzzy: whether it holds fuzzy references.
        holds_many: whether the files of documents one after another are a file too.
        schemes: of tags, the first by default.
    """

    suffix: str
    write: Callable[..., Written]
    is_fuzzy: bool = False
    holds_many: bool = False
    schemes: tuple[str, ...] = ()


def _native(document: Document | Reference) -> Written:
    return Written({".jsonl": native.write([document])})


def _inline(document: Document | Reference) -> Written:
    exact = _exact(document)
    return Written({".ne": inline.write(exact)}, _counted(_places_alone(exact)))


def _brat(document: Document | Reference) -> Written:
    exact = _exact(document)
    text, annotations = brat.write(exact)
    return Written({".ann": annotations, ".txt": text}, _counted(_places_alone(exact)))


def _columns(document: Document | Reference, tags: str = "iob2") -> Written:
    exact = _exact(document)
    inside = {k for element in exact.elements for k in range(element.start + 1, element.end)}
    breaks = tuple(k for k in exact.breaks if k not in inside)
    lost = {**_places_alone(exact), BREAKS: len(exact.breaks) - len(breaks)}
    return Written({".conll": columns.write(replace(exact, breaks=breaks), tags)}, _counted(lost))


def _textgrid(document: Document | Reference) -> Written:
    exact = _exact(document)
    moments = sum(start == end for start, end in exact.times or ())
    lost = {
        SHOWN: len(exact.elements),
        MENTIONS: _mentions(exact),
        BREAKS: len(exact.breaks),
        MOMENTS: moments,
    }
    return Written({".TextGrid": praat_write.write(exact)}, _counted(lost))


def _aref(document: Document | Reference) -> Written:
    if isinstance(document, Document):
        reference = Reference.exact(document)
        lost = {**_places_alone(document), BREAKS: len(document.breaks)}
    else:
        elements = tuple(replace(e, labels=e.labels[:1]) for e in document.elements)
        reference = replace(document, elements=elements, unplaceable=())
        lost = {
            TIMES: _times(document),
            LABELS: sum(len(e.labels) - 1 for e in document.elements),
            STRICT: sum(e.strict is not None for e in document.elements),
            UNPLACEABLE: len(document.unplaceable),
            PROJECTION: int(bool(document.projection)),
        }
    return Written({".aref": aref.write(reference)}, _counted(lost))


WRITERS: dict[str, Writer] = {
    "native": Writer(".jsonl", _native, is_fuzzy=True, holds_many=True),
    "inline": Writer(".ne", _inline),
    "brat": Writer(".ann", _brat),
    "columns": Writer(".conll", _columns, schemes=tuple(WRITABLE)),
    "aref": Writer(".aref", _aref, is_fuzzy=True),
    "textgrid": Writer(".TextGrid", _textgrid),
}
"""Formats by name, as in ``READERS``."""


def file_name(id: str, suffix: str) -> str:
    """The file of a document: its id, with what no file name can hold as ``%`` and hexadecimals.

    >>> file_name("émission 1", ".ne"), file_name("../a", ".TextGrid"), file_name("con", ".ne")
    ('émission 1.ne', '%2E.%2Fa.TextGrid', '%63on.ne')
    """
    return one_line(_UNSAFE.sub(lambda found: f"%{ord(found[0]):02X}", id)) + suffix


_UNSAFE = re.compile(
    r'^\.|[%/\\:*?"<>|\x00-\x1f\x7f]|^(?=(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?:\.|$)).',
    re.IGNORECASE,
)
"""The beginning of a hidden name, what a name cannot hold, and the beginning of those that Windows
keeps for devices."""


def _exact(document: Document | Reference) -> Document:
    if isinstance(document, Reference):
        raise SerevalError(f"{document.id}: a fuzzy reference, expected one place for each tag")
    return document


def _places_alone(document: Document) -> dict[str, int]:
    """What is lost where there are words and elements on them, and nothing else."""
    return {TIMES: _times(document), MENTIONS: _mentions(document)}


def _mentions(document: Document) -> int:
    return len(document.mentions or ())


def _times(document: Document | Reference) -> int:
    return len(document.times or ())


def _counted(lost: dict[str, int]) -> tuple[Note, ...]:
    return tuple(Note(what, count) for what, count in lost.items() if count)
