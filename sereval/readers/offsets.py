"""Running text cut into words, where annotations count its characters."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

_RUN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Cut:
    """Words with their places in the text they were cut from.

    Args:
        words: in order.
        starts, ends: of each word, in characters; the end is not part of it.
        breaks: frontiers at which a new line begins.
    """

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    breaks: tuple[int, ...]

    def frontiers(self, start: int, end: int) -> tuple[int, int]:
        """The frontiers around all words between two places at which the text was cut."""
        return bisect_left(self.starts, start), bisect_right(self.ends, end)


def cut(text: str, places: Iterable[int]) -> Cut:
    r"""The words of a text: parted by white space, and cut where an annotation begins or ends.

    Args:
        text: running text.
        places: characters ahead of each begin and end.

    >>> found = cut("à Paris, 12\nrue", [2, 7])
    >>> found.words, found.frontiers(2, 7), found.breaks
    (('à', 'Paris', ',', '12', 'rue'), (1, 2), (4,))
    """
    inner = sorted(set(places))
    bounds: list[tuple[int, int]] = []
    for run in _RUN.finditer(text):
        start, end = run.span()
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
