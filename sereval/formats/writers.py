"""Common parts of the writers of formats.

A writer either refuses a document that its format cannot hold, or leaves out some parts and counts
them (`WrittenFiles.lost`). Reading the written file gives the same document without these parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..documents.files import SURROGATE
from ..documents.model import Document, Reference, Time, seconds
from ..documents.notes import Note
from ..errors import SerevalError, one_line
from .file import quote
from .times import too_long

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

ANYTHING = "^$"
EDGE = r"^\s|\s$"
"""Patterns of what a text may not have, besides what no text may have: nothing; white space at an
edge."""


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


def lost_of(document: Document | Reference, *held: str) -> dict[str, int]:
    """The numbers of the parts of a document, but for those that a format holds."""
    found = {TIMES: len(document.times or ())}
    if isinstance(document, Document):
        found |= {
            ELEMENTS: len(document.elements),
            MENTIONS: len(document.mentions or ()),
            ALTERNATIVES: len(document.alternatives),
            BREAKS: len(document.breaks),
        }
    return {what: count for what, count in found.items() if what not in held}


def check_texts(id: str, format: str, texts: Iterable[str], forbidden: str = r"\s") -> None:
    """Refuse a text of a document that no reader of a format gives back as it is.

    Args:
        id: id of the document.
        format: what messages call the format.
        texts: words, labels or ids.
        forbidden: pattern of what they may not have.

    Raises:
        SerevalError: an empty text; one with a NUL, half of a surrogate pair or what is forbidden.

    >>> check_texts("d", "CTM", ["a b"])
    Traceback (most recent call last):
    sereval.errors.SerevalError: d: found 'a b', which no CTM can hold
    """
    wrong = re.compile(f"^$|\0|{SURROGATE.pattern}|{forbidden}")
    for text in texts:
        if wrong.search(text):
            raise SerevalError(f"{id}: found {quote(text)}, which no {format} can hold")


def check_words(
    document: Document | Reference, format: str, forbidden: str = r"\s|^\ufeff"
) -> None:
    """Refuse a document without a word, or with one that a format cannot hold."""
    if not document.words:
        raise SerevalError(f"{document.id}: no word, expected at least one")
    check_texts(document.id, format, document.words, forbidden)


def times_of(document: Document, format: str) -> Sequence[Time]:
    """The times of the words of a document, for a format of words and times."""
    if not document.times:
        raise SerevalError(f"{document.id}: no words with times, expected some for {format}")
    if document.times[0][0] < 0:
        raise SerevalError(
            f"{document.id}: word 0 starts at {seconds(document.times[0][0])} s, expected no time "
            "before that of the recording"
        )
    return document.times


def times_of_seconds(document: Document, format: str) -> Sequence[Time]:
    """The times of words, for a format whose reader refuses words of more than a minute."""
    times = times_of(document, format)
    if count := too_long(times, document.words):
        raise SerevalError(
            f"{document.id}: {count} words last more than a minute, expected times that a reader "
            "takes for seconds"
        )
    return times
