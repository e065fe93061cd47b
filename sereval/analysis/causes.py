"""The cause of a change: what the recogniser did to the words of an element and around them.

The causes are read off the alignment of words that gives the word error rate
(``alignment.words``). The first that holds counts, so each element has exactly one:

* ``deleted``: no word of the element is aligned with a recognised word. An element without a place
  on the recognised words is deleted too.
* ``misheard``: a word of the element is substituted or deleted, or a word is inserted between two
  of its words.
* ``context``: all words of the element are right, and one of the next words on either side is not.
* ``unexplained``: no word in or near the element is wrong.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from ..alignment.blocks import CORRECT, INSERTION
from ..alignment.words import WordOperations

DELETED, MISHEARD, CONTEXT, UNEXPLAINED = CAUSES = (
    "deleted",
    "misheard",
    "context",
    "unexplained",
)
"""The causes, in the order in which they are looked for."""


class Recognition:
    """What was recognised for the words of a document, and the cause of a change at each place.

    Args:
        found: the operations of the words of both sides, by the alignment that gives the word error
            rate.
        recognised: the words of the recogniser.
    """

    def __init__(self, found: WordOperations, recognised: Sequence[str]) -> None:
        self._operations, self._recognised = found.operations, recognised
        numbered = [(ref, number) for number, (_, ref, _) in enumerate(self._operations)]
        self._places = [place for place, _ in numbered if place is not None]
        self._numbers = [number for place, number in numbered if place is not None]

    def _within(self, start: int, end: int) -> tuple[int, int]:
        """The first operation of some reference words, and the one after the last."""
        first, after = bisect_left(self._places, start), bisect_left(self._places, end)
        if first == after:  # all punctuation
            here = self._numbers[first] if first < len(self._numbers) else len(self._operations)
            return here, here
        return self._numbers[first], self._numbers[after - 1] + 1

    def cause(self, start: int, end: int, context: int) -> str:
        """The cause of a change at an element that has a place on the recognised words."""
        first, after = self._within(start, end)
        own = self._operations[first:after]
        if own and all(ref is None or hyp is None for _, ref, hyp in own):
            return DELETED
        if any(op != CORRECT for op, _, _ in own):
            return MISHEARD
        near = (
            *self._operations[max(0, first - context) : first],
            *self._operations[after : after + context],
        )
        return CONTEXT if any(op != CORRECT for op, _, _ in near) else UNEXPLAINED

    def words(self, start: int, end: int) -> tuple[str, ...]:
        """The recognised words that stand for some words."""
        first, after = self._within(start, end)
        if first < after and self._operations[first][0] != CORRECT:
            while first and self._operations[first - 1][0] == INSERTION:
                first -= 1
        places = [hyp for _, _, hyp in self._operations[first:after] if hyp is not None]
        return tuple(self._recognised[places[0] : places[-1] + 1]) if places else ()
