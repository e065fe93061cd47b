"""Documents from utterances with times, as in STM and SegLST, and utterances from documents.

Such formats have a start and an end for each utterance, not for each word. The words of an
utterance share its time by their numbers of characters, as in the files of Transcriber.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from ..documents.model import Document, Reference, Time, seconds
from ..documents.notes import count_notes
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .inline import is_unreadable
from .times import SPREAD, check_span, spread, too_long
from .writers import ALTERNATIVES, ELEMENTS, MENTIONS, UTTERANCES, exact

OVERLAPPING = "utterances that overlap one before, words merged by their start"
UNKNOWN = "unknown"
"""The speaker of an utterance that is written: documents have none."""


class Utterance(NamedTuple):
    """An utterance.

    Args:
        start, end: in ms.
        words: its words.
        times: start and end of each word; ``None``: only those of the utterance are known.
    """

    start: int
    end: int
    words: tuple[str, ...]
    times: tuple[Time, ...] | None = None


def checked(start: int, end: int, words: Sequence[str]) -> Utterance:
    """An utterance with a start and an end that it can have.

    Args:
        start, end: in ms.
        words: its words, maybe none.

    Raises:
        SerevalError: a negative start, or an end before the start.

    >>> checked(0, 480, ["Dol"]).words
    ('Dol',)
    """
    check_span(start, end)
    return Utterance(start, end, tuple(words))


def document_of(
    source: Source, id: str, utterances: Sequence[Utterance], skipped: dict[str, int] | None = None
) -> Document:
    """The document of the utterances of a recording, in order of their starts.

    The policy ``times``: words without times of their own share the time of their utterance
    (``spread``), and those of utterances that overlap are merged by their start; or words have
    ``none``, and stay together.

    Args:
        source: the file.
        id: id of the document.
        utterances: in file order; of equal starts the earlier in the file comes first.
        skipped: numbers of skipped parts, by the text of their note.

    Returns:
        A document with a break where an utterance begins.

    >>> both = [Utterance(500, 900, ("oui",)), Utterance(0, 400, ("tu", "es"))]
    >>> found = document_of(Source("a.stm"), "a", both)
    >>> found.words, found.times, found.breaks
    (('tu', 'es', 'oui'), ((0, 200), (200, 400), (500, 900)), (2,))
    """
    ordered = sorted((one for one in utterances if one.words), key=lambda one: one.start)
    has_times = source.policy("times") == "spread"
    spans = [time for one in ordered for time in _times(one)]
    words = [word for one in ordered for word in one.words]
    firsts = [k == 0 for one in ordered for k in range(len(one.words))]
    order = sorted(range(len(words)), key=lambda k: spans[k][0]) if has_times else range(len(words))
    untimed = sum(len(one.words) for one in ordered if one.times is None)
    latest = accumulate((one.end for one in ordered), max)
    overlapping = sum(one.start < end for one, end in zip(ordered[1:], latest, strict=False))
    notes = {
        **(skipped or {}),
        SPREAD: (skipped or {}).get(SPREAD, 0) + (untimed if has_times else 0),
        OVERLAPPING: overlapping if has_times else 0,
    }
    return Document(
        id,
        tuple(words[k] for k in order),
        times=tuple(spans[k] for k in order) if has_times else None,
        breaks=tuple(place for place, k in enumerate(order) if firsts[k] and place),
        source=source.path,
        notes=count_notes(notes),
    )


def _times(utterance: Utterance) -> Sequence[Time]:
    if utterance.times is not None:
        return utterance.times
    widths = [len(word) for word in utterance.words]
    return spread(widths, utterance.start, utterance.end)


# ---------------------------------------------------------------------------------------- writing


def utterances_of(
    document: Document | Reference, format: str
) -> tuple[list[Utterance], dict[str, int]]:
    """The utterances of a document, and the numbers of parts that they leave out.

    An utterance lasts from the start of its first word to the last end of its words.

    Args:
        document: a document with words and times.
        format: what messages call the format.

    Raises:
        SerevalError: no times or no words; a negative time; a word with white space in it.

    >>> dol = Document("d", ("à", "Dol"), times=((0, 100), (100, 480)))
    >>> utterances_of(dol, "STM")[0][0][:3]
    (0, 480, ('à', 'Dol'))
    """
    found = exact(document)
    times = timed(found, format)
    frontiers = [0, *found.breaks, len(found.words)]
    utterances = [
        Utterance(times[i][0], max(end for _, end in times[i:j]), found.words[i:j])
        for i, j in pairwise(frontiers)
    ]
    return utterances, {**lost_elements(found), UTTERANCES: len(found.words)}


def timed(document: Document, format: str) -> Sequence[Time]:
    """The times of a document whose words a format of words and times can hold.

    Args:
        document: the document.
        format: what messages call the format.

    Raises:
        SerevalError: no times or no words; a negative time; a word with white space in it.

    >>> timed(Document("d", ("Dol",), times=((0, 480),)), "CTM")
    ((0, 480),)
    """
    if document.times is None or not document.words:
        raise SerevalError(f"{document.id}: no words with times, expected some for {format}")
    if document.times[0][0] < 0:
        raise SerevalError(
            f"{document.id}: word 0 starts at {seconds(document.times[0][0])} s, expected no time "
            "before that of the recording"
        )
    for word in document.words:
        check_blank(document.id, word, f"word {quote(word)}")
    return document.times


def check_lengths(id: str, times: Sequence[Time], words: Sequence[str]) -> None:
    """Refuse times that a reader of seconds would take for milliseconds.

    Args:
        id: id of the document, for the message.
        times: start and end of each word, in ms.
        words: the words.

    Raises:
        SerevalError: more than half of the words are ``too_long``.
    """
    if count := too_long(times, words):
        raise SerevalError(
            f"{id}: {count} words last more than a minute, expected times that a reader "
            "takes for seconds"
        )


def check_blank(id: str, text: str, what: str) -> None:
    """Refuse a text that white space or a control would divide or hide.

    Args:
        id: id of the document, for the message.
        text: the text.
        what: what the message calls it.

    Raises:
        SerevalError: white space or a control in the text.
    """
    if text.split() != [text] or is_unreadable(text):
        raise SerevalError(f"{id}: {what}, expected no white space or control in it")


def lost_elements(document: Document) -> dict[str, int]:
    """The parts that a format of words and times leaves out, with their numbers."""
    return {
        ELEMENTS: len(document.elements),
        MENTIONS: len(document.mentions or ()),
        ALTERNATIVES: len(document.alternatives),
    }


def lines_of(rows: Iterator[Sequence[str]]) -> str:
    """Rows as lines with a blank between the columns."""
    return "".join(f"{' '.join(row)}\n" for row in rows)
