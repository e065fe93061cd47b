"""Places in a text as places among its words.

Where annotation stands beside a text, it counts characters; here words are counted. The words of a
text are what white space parts, or tokens that come with it, and an annotation that begins or ends
inside a word cuts it, as a tag in running text would.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .errors import SerevalError
from .model import Document, Note, tree

Characters = tuple[int, int]
"""A stretch of a text, ``[start, end)``, in characters (code points)."""

_WORD = re.compile(r"\S+")
_LONGEST = 40  # characters of a text that a message shows


class Stretch(NamedTuple):
    """A labelled stretch of a text.

    Args:
        label: its type.
        start: character of the text that it begins with, from 0.
        end: the character after its last.
    """

    label: str
    start: int
    end: int


def document_of_text(
    id: str,
    text: str,
    stretches: Iterable[tuple[str, int, int]],
    *,
    tokens: Sequence[Characters] | None = None,
    source: str | None = None,
    notes: tuple[Note, ...] = (),
) -> Document:
    r"""A text with labelled stretches as a document.

    White space at either end of a stretch is no part of it. A line break between two words is the
    boundary of an utterance. The tree follows from the spans, see :func:`sereval.tree`.

    Args:
        id: name of the document.
        text: all of it.
        stretches: label, first character and the one after the last.
        tokens: the words, in order; ``None``: what white space parts.
        source: the file it was read from.
        notes: what its reader skipped or made up.

    Raises:
        SerevalError: a stretch outside the text, or without a word; crossing ones.

    >>> show = document_of_text("d", "(Paris,\nSeine)", [("loc", 1, 6), ("river", 8, 13)])
    >>> show.words, show.elements[0], show.breaks
    (('(', 'Paris', ',', 'Seine', ')'), Element(label='loc', start=1, end=2, parent=None), (3,))
    """
    try:
        found = [_trimmed(text, Stretch(*stretch)) for stretch in stretches]
        pieces = _pieces(text, found, tokens)
        starts = [start for start, _ in pieces]
        spans = [(s.label, bisect_left(starts, s.start), bisect_left(starts, s.end)) for s in found]
        for stretch, (_, start, end) in zip(found, spans, strict=True):
            if start == end:
                raise SerevalError(f"{_shown(text, stretch)} has no word in it")
        elements = tree(spans)
    except SerevalError as error:
        raise SerevalError(f"{id}: {error}") from None
    words = tuple(text[start:end] for start, end in pieces)
    breaks = tuple(k for k in range(1, len(pieces)) if "\n" in text[pieces[k - 1][1] : starts[k]])
    return Document(id, words, elements, breaks=breaks, source=source, notes=notes)


def _trimmed(text: str, stretch: Stretch) -> Stretch:
    """The stretch without the white space around it."""
    label, start, end = stretch
    for place in (start, end):
        if type(place) is not int:
            raise SerevalError(f"{label} stands at {place!r}, expected whole characters")
    if not 0 <= start < end <= len(text):
        raise SerevalError(
            f"{label} [{start}, {end}), expected a stretch of the {len(text)} characters"
        )
    inside = text[start:end]
    if not inside.strip():
        raise SerevalError(f"{_shown(text, stretch)} is white space, expected a word")
    start += len(inside) - len(inside.lstrip())
    return Stretch(label, start, start + len(inside.strip()))


def _shown(text: str, stretch: Stretch) -> str:
    """A stretch for a message."""
    inside = text[stretch.start : stretch.end]
    short = inside if len(inside) <= _LONGEST else inside[:_LONGEST] + "…"
    return f"{stretch.label} [{stretch.start}, {stretch.end}) {short!r}"


def _pieces(
    text: str, stretches: Iterable[Stretch], tokens: Sequence[Characters] | None
) -> list[Characters]:
    """The words, cut where a stretch begins or ends inside one."""
    cuts = sorted({place for stretch in stretches for place in stretch[1:]})
    found: list[Characters] = []
    at = 0
    for word in _WORD.finditer(text) if tokens is None else _tokens(text, tokens):
        start, end = word.span() if isinstance(word, re.Match) else word
        while at < len(cuts) and cuts[at] <= start:
            at += 1
        while at < len(cuts) and cuts[at] < end:
            found.append((start, cuts[at]))
            start = cuts[at]
            at += 1
        found.append((start, end))
    return found


def _tokens(text: str, tokens: Sequence[Characters]) -> list[Characters]:
    """Tokens in order, without those that are white space."""
    before = 0
    for start, end in tokens:
        if not before <= start < end <= len(text):
            raise SerevalError(
                f"token [{start}, {end}) of {len(text)} characters, expected tokens in order"
            )
        before = end
    return [(start, end) for start, end in tokens if not text[start:end].isspace()]
