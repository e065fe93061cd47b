"""Documents as files, and the count of what a format leaves out.

A writer leaves out what its format cannot hold and counts it (`Written.lost`), or refuses the
document. Reading a written file gives the same document, except for what was counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..documents.model import Document, Reference
from ..documents.notes import Note
from ..errors import SerevalError, one_line

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


def exact(document: Document | Reference) -> Document:
    """The document, for a format that holds no fuzzy reference.

    Raises:
        SerevalError: it is a fuzzy reference.
    """
    if isinstance(document, Reference):
        raise SerevalError(f"{document.id}: a fuzzy reference, expected one place for each tag")
    return document


def lost_of(document: Document | Reference) -> dict[str, int]:
    """What is lost of a document in a format that holds words and elements on them alone."""
    mentions = document.mentions if isinstance(document, Document) else None
    return {TIMES: len(document.times or ()), MENTIONS: len(mentions or ())}
