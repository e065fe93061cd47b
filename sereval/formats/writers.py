"""Common parts of the writers of formats.

A writer either refuses a document that its format cannot hold, or leaves out some parts and counts
them (`WrittenFiles.lost`). Reading the written file gives the same document without these parts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..documents.model import Document, Reference
from ..documents.notes import Note
from ..errors import SerevalError, one_line

TIMES = "times of words"
MENTIONS = "mentions without places"
ALTERNATIVES = "alternatives"
BREAKS = "utterance boundaries"
PLACES = "elements with several places, put at one"
LABELS = "labels besides an element's own"
UNPLACEABLE = "elements without a place"
STRICT = "elements with strict frontiers, which break ties"
PROJECTION = "descriptions of the projection"
SHOWN = "elements, which no reader takes from a TextGrid"
ELEMENTS = "elements, which the format does not have"
UTTERANCES = "times of words, of which those of utterances are kept"
MOMENTS = "words without length, given 1 ms"


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """The files of one document.

    Args:
        files: text, or bytes in a binary format, by suffix; the first file is the main one.
        lost: notes on the parts that were left out.
    """

    files: dict[str, str | bytes]
    lost: tuple[Note, ...] = ()


def file_name(id: str, suffix: str) -> str:
    """The name of a document's file: its id, in which ``%`` codes replace forbidden characters.

    Args:
        id: id of the document.
        suffix: suffix of the file.

    >>> file_name("émission 1", ".ne"), file_name("../a", ".TextGrid"), file_name("con", ".ne")
    ('émission 1.ne', '%2E.%2Fa.TextGrid', '%63on.ne')
    """
    return one_line(_UNSAFE.sub(lambda found: f"%{ord(found[0]):02X}", id)) + suffix


_UNSAFE = re.compile(
    r'^\.|[%/\\:*?"<>|\x00-\x1f\x7f]|^(?=(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?:\.|$)).',
    re.IGNORECASE,
)
"""The first character of a hidden name, characters that no name may have, and the first character
of names that Windows reserves for devices."""


def exact(document: Document | Reference) -> Document:
    """The document, for a format that cannot hold fuzzy references.

    Args:
        document: a document or a reference.

    Raises:
        SerevalError: it is a fuzzy reference.
    """
    if isinstance(document, Reference):
        raise SerevalError(f"{document.id}: a fuzzy reference, expected one place for each tag")
    return document


def lost_of(document: Document | Reference) -> dict[str, int]:
    """The parts that a format of words and elements leaves out, with their numbers."""
    found = {TIMES: len(document.times or ())}
    if isinstance(document, Document):
        found |= {MENTIONS: len(document.mentions or ()), ALTERNATIVES: len(document.alternatives)}
    return found
