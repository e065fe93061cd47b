"""RTTM of NIST: who spoke when, and the words with their times in rows of the type ``LEXEME``.

``type file channel start duration orthography subtype speaker confidence [lookahead]``, times in
seconds, ``<NA>`` where there is nothing.

Source: NIST, Rich Transcription 2009 evaluation plan, appendix A.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise
from typing import NamedTuple

from ..documents.model import Document
from ..documents.notes import count_notes
from ..errors import SerevalError
from .records import with_place
from .source import Source, quote
from .times import check_seconds, check_span, milliseconds

WORD, TURN, NOTHING = "LEXEME", "SPEAKER", "<NA>"
TYPES = (
    *("SEGMENT", "NOSCORE", "NO_RT_METADATA", WORD, "NON-LEX", "NON-SPEECH", "FILLER", "EDIT"),
    *("SU", "IP", "CB", "A/P", TURN, "SPKR-INFO"),
)
SKIPPED = "rows of {}, skipped"


class _Word(NamedTuple):
    start: int
    end: int
    text: str
    speaker: str
    line: int


def parse(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of an RTTM with words.

    Args:
        source: the file.

    Returns:
        A document for each file and channel, with the line of its first word, named as in a CTM.
        Words are in order of their starts, and a break stands where the speaker changes.

    Raises:
        InputError: another number of columns than 9 or 10; an unknown type; a time that is negative
            or no number; no word.

    >>> text = "LEXEME a 1 0.5 0.4 Dol lex ada 0.9"
    >>> [(line, one)] = parse(Source("a.rttm", "a", text))
    >>> line, one.id, one.words, one.times
    (1, 'a', ('Dol',), ((500, 900),))
    """
    found: dict[tuple[str, str], list[_Word]] = {}
    skipped: dict[tuple[str, str], Counter[str]] = {}
    turns = 0
    for line, text in source.lines():
        columns = text.split()
        if not columns or columns[0].startswith(";;"):
            continue
        try:
            kind = _kind(columns)
            if kind != WORD:
                channel = columns[1], columns[2]
                skipped.setdefault(channel, Counter())[SKIPPED.format(kind)] += 1
                turns += kind == TURN
                continue
            found.setdefault((columns[1], columns[2]), []).append(_word(columns, line))
        except SerevalError as error:
            raise source.error(str(error), line) from None
    if not found:
        what = f"{turns} turns of speakers but no word" if turns else "no word"
        raise source.error(
            f"{what} found, expected rows such as {WORD} show 1 0.5 0.4 Dol lex ada 1"
        )
    every = [*chain.from_iterable(found.values())]
    check_seconds([word[:2] for word in every], [word.text for word in every], source.path)
    channels = Counter(file for file, _ in found)
    return [
        (
            words[0].line,
            _document(
                source,
                channel[0] if channels[channel[0]] == 1 else "-".join(channel),
                sorted(words, key=lambda word: word.start),
                skipped.get(channel, Counter()),
            ),
        )
        for channel, words in found.items()
    ]


def _kind(columns: list[str]) -> str:
    """The type of a row, which has as many columns as it needs."""
    if columns[0] not in TYPES:
        raise SerevalError(
            f"found the type {quote(columns[0])}, expected one of {', '.join(TYPES)}"
        )
    if len(columns) not in (9, 10):
        raise SerevalError(
            f"found {len(columns)} columns, expected 9 or 10: type file channel start duration "
            "orthography subtype speaker confidence [lookahead]"
        )
    return columns[0]


def _word(columns: list[str], line: int) -> _Word:
    _, _, _, start, duration, text, _, speaker, *_ = columns
    if text == NOTHING:
        raise SerevalError(f"{WORD} without a word, expected one in column 6")
    begin = with_place("start", milliseconds, start)
    end = begin + with_place("duration", milliseconds, duration)
    check_span(begin, end)
    return _Word(begin, end, text, speaker, line)


def _document(source: Source, id: str, words: list[_Word], skipped: Counter[str]) -> Document:
    """The document of the words of a channel, in order of their starts."""
    return Document(
        id,
        tuple(word.text for word in words),
        times=tuple(word[:2] for word in words),
        breaks=tuple(
            k for k, (one, other) in enumerate(pairwise(words), 1) if one.speaker != other.speaker
        ),
        source=source.path,
        notes=count_notes(skipped),
    )
