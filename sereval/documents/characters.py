"""Documents from texts whose annotations count characters.

An annotation beside a text counts characters; an element counts words. White space separates the
words of a text, unless tokens come with it. An annotation that begins or ends inside a word cuts
that word in two, as a tag in running text does.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import InputError, SerevalError
from .model import Document, tree
from .notes import Note

Characters = tuple[int, int]
"""A stretch of a text, ``[start, end)``, in characters (code points)."""

LabelSpan = tuple[str, int, int]
"""A label, and the frontiers of its words."""

_RUN = re.compile(r"\S+")
_LONGEST = 40  # characters of a text that a message shows


class Stretch(NamedTuple):
    """A labelled stretch of a text.

    Args:
        label: its type.
        start: its first character, from 0.
        end: the character after its last one.
        line: its line in the file it was read from; ``None``: unknown.
    """

    label: str
    start: int
    end: int
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """Words with their places in the text they were cut from.

    Args:
        words: the words, in order.
        starts, ends: the place of each word in the text, in characters, ``[start, end)``.
        breaks: frontiers at which a new line begins.
    """

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    breaks: tuple[int, ...]

    def frontiers(self, start: int, end: int) -> tuple[int, int]:
        """The frontiers around the words between two characters at which the text was cut."""
        return bisect_left(self.starts, start), bisect_right(self.ends, end)


def cut(text: str, places: Iterable[int], tokens: Sequence[Characters] | None = None) -> Cut:
    r"""Cut a text into words, also where an annotation begins or ends.

    Args:
        text: running text.
        places: the characters at which annotations begin and end.
        tokens: the words, in order, with or without white space around them; a token of white
            space is no word. ``None``: white space separates the words.

    Raises:
        SerevalError: tokens out of order, or outside the text.

    >>> found = cut("à Paris, 12\nrue", [2, 7])
    >>> found.words, found.frontiers(2, 7), found.breaks
    (('à', 'Paris', ',', '12', 'rue'), (1, 2), (4,))
    """
    runs = [run.span() for run in _RUN.finditer(text)] if tokens is None else _runs(text, tokens)
    inner = sorted(set(places))
    bounds: list[Characters] = []
    for start, end in runs:
        cuts = inner[bisect_right(inner, start) : bisect_left(inner, end)]
        bounds += zip([start, *cuts], [*cuts, end], strict=True)
    starts = tuple(start for start, _ in bounds)
    lines = {bisect_left(starts, at) for at, character in enumerate(text) if character == "\n"}
    return Cut(
        tuple(text[start:end] for start, end in bounds),
        starts,
        tuple(end for _, end in bounds),
        tuple(sorted(lines - {0, len(bounds)})),
    )


def document_of_text(
    id: str,
    text: str,
    stretches: Iterable[tuple[str, int, int] | Stretch],
    *,
    tokens: Sequence[Characters] | None = None,
    source: str | None = None,
    notes: tuple[Note, ...] = (),
    nest: Callable[[Sequence[LabelSpan]], Iterable[int]] = lambda spans: range(len(spans)),
) -> Document:
    r"""A text with labelled stretches as a document.

    White space at either end of a stretch is not part of it. A line break between two words is an
    utterance boundary. The spans determine the tree, see :func:`sereval.tree`.

    Args:
        id: name of the document.
        text: all of it.
        stretches: label, first character and the one after the last.
        tokens: the words, in order; ``None``: white space separates them.
        source: the file it was read from.
        notes: notes of its reader.
        nest: chooses the spans that become elements, from their labels and frontiers; it returns
            their indices, with the outer one of equal spans first.

    Raises:
        SerevalError: a stretch outside the text or without a word; crossing stretches.

    >>> show = document_of_text("d", "(Paris,\nSeine)", [("loc", 1, 6), ("river", 8, 13)])
    >>> show.words, show.elements[0], show.breaks
    (('(', 'Paris', ',', 'Seine', ')'), Element(label='loc', start=1, end=2, parent=None), (3,))
    """
    try:
        found = [_trim(text, Stretch(*stretch)) for stretch in stretches]
        words = cut(text, _bounds(found), tokens)
        spans = [(one.label, *words.frontiers(one.start, one.end)) for one in found]
        for stretch, (_, start, end) in zip(found, spans, strict=True):
            if start >= end:
                raise SerevalError(f"{_show(text, stretch)} has no word in it")
        kept = list(nest(spans))
        if len(kept) < len(spans):  # a dropped stretch cuts no word
            words = cut(text, _bounds(found[k] for k in kept), tokens)
        elements = tree(
            (one.label, *words.frontiers(one.start, one.end), None, one.line)
            for one in (found[k] for k in kept)
        )
    except InputError:
        raise  # ``nest`` names the place itself
    except SerevalError as error:
        raise SerevalError(f"{id}: {error}") from None
    return Document(id, words.words, elements, breaks=words.breaks, source=source, notes=notes)


def _trim(text: str, stretch: Stretch) -> Stretch:
    """The stretch without the white space around it."""
    label, start, end, line = stretch
    for place in (start, end):
        if type(place) is not int:
            raise SerevalError(f"{label} stands at {place!r}, expected whole characters")
    if not 0 <= start < end <= len(text):
        raise SerevalError(
            f"{label} [{start}, {end}), expected a stretch of the {len(text)} characters"
        )
    inside = text[start:end]
    if not inside.strip():
        raise SerevalError(f"{_show(text, stretch)} is white space, expected a word")
    start += len(inside) - len(inside.lstrip())
    return Stretch(label, start, start + len(inside.strip()), line)


def _bounds(stretches: Iterable[Stretch]) -> Iterator[int]:
    """The characters at which stretches begin and end."""
    for stretch in stretches:
        yield from (stretch.start, stretch.end)


def _show(text: str, stretch: Stretch) -> str:
    """A stretch for a message."""
    inside = text[stretch.start : stretch.end]
    short = inside if len(inside) <= _LONGEST else inside[:_LONGEST] + "…"
    return f"{stretch.label} [{stretch.start}, {stretch.end}) {short!r}"


def _runs(text: str, tokens: Sequence[Characters]) -> list[Characters]:
    """Tokens in order, without white space around them, and without those that are white space."""
    before = 0
    for start, end in tokens:
        if not before <= start < end <= len(text):
            raise SerevalError(
                f"token [{start}, {end}) of {len(text)} characters, expected tokens in order"
            )
        before = end
    inside = [(start, end, text[start:end]) for start, end in tokens]
    return [
        (end - len(one.lstrip()), start + len(one.rstrip()))
        for start, end, one in inside
        if not one.isspace()
    ]
