"""Find entities without places, ``(label, text)``, in the words of a document.

End-to-end systems and language models name entities without saying where they are. This module
looks for each mention in the words and chooses the places of all mentions together. A later
mention stands after an earlier one or inside it, so that the mentions form a tree in their order.
Of all such choices the search takes the one that

1. finds the most mentions;
2. has the least sum of edit distances;
3. puts the fewest mentions on exactly the words of the mention around them, so that two mentions
   with the same text get words of their own where the text occurs twice;
4. is leftmost: it has the least sum of starts, then of ends;
5. finds the earliest mentions: it has the least sum of their numbers in the list.

The same label never stands twice on the same words. Texts are compared by their letters, marks and
numbers alone: case and division into words do not count. A mention begins and ends where words do.
The search is in ``documents.placements``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from ..errors import SerevalError
from .model import Document, Reference, tree
from .notes import Note
from .placements import Search
from .places import MentionPlaces, MentionWords
from .recut import significant

NEAR = 4
"""A text is near another if their edit distance is at most a quarter of the longer one's length."""


def find_mentions(
    document: Document,
    words: Document | Reference,
    *,
    by: str = "exact",
    whose: str = "hypothesis",
) -> Document:
    """A document with its mentions put on words.

    Args:
        document: a document with mentions and without words.
        words: the words of the recogniser, or of the reference if the system had no words.
        by: ``exact`` finds the text itself; ``nearest`` also finds a text whose edit distance is
            at most a quarter of the longer text's length.
        whose: ``hypothesis`` or ``reference``: the side of the words, for the signature.

    Returns:
        The words with their times, and an element for each mention that was found. The other
        mentions stay in ``mentions``, and each counts as an insertion. Notes count both.

    Raises:
        SerevalError: an unknown ``by``; the document has words already; its mentions can stand on
            the words in too many ways.

    >>> from sereval import Document, Mention
    >>> transcript = Document("d", ("benoît", "magie", "mais", "l'", "acteur"))
    >>> magimel, dol = Mention("pers", "Benoît Magimais"), Mention("loc", "Dol")
    >>> found = find_mentions(Document("d", (), mentions=(magimel, dol)), transcript, by="nearest")
    >>> [str(element) for element in found.elements], found.mentions
    (['pers [0, 3)'], (Mention(label='loc', text='Dol'),))
    """
    if by not in FINDERS:
        raise SerevalError(f"found {by!r}, expected one of {', '.join(FINDERS)}")
    if document.words:
        raise SerevalError(f"{document.id}: words and mentions, expected mentions alone")
    mentions = document.mentions or ()
    number: dict[tuple[str, str], int] = {}
    kinds = tuple(
        number.setdefault((mention.label, significant(mention.text)), len(number))
        for mention in mentions
    )
    text = _Text(words.words)
    found = {key: tuple(sorted(FINDERS[by](text, key))) for key in {k for _, k in number} if key}
    places = tuple(found.get(key, ()) for _, key in number)
    try:
        at = Search(mentions, kinds, places).best()
    except SerevalError as error:
        raise SerevalError(f"{document.id}: {error}") from None
    elements = tree((mentions[k].label, place.start, place.end) for k, place in at.items())
    missed = tuple(mention for k, mention in enumerate(mentions) if k not in at)
    choice = f"mentions={by}:{whose}"
    notes = [
        Note("mentions, found in the words", len(elements), choice),
        Note("mentions, not found: each is an insertion", len(missed), choice),
    ]
    on_words = words.notes if whose == "hypothesis" else ()  # the reference keeps its own notes
    noted = (*document.notes, *on_words, *(note for note in notes if note.count))
    return replace(
        document,
        words=words.words,
        times=words.times,
        breaks=words.breaks if isinstance(words, Document) else (),
        elements=elements,
        mentions=missed,
        notes=noted,
        places=MentionPlaces(
            mentions, kinds, places, len(at), sum(place.distance for place in at.values()), noted
        ),
    )


# --- places --------------------------------------------------------------------------------------


class _Text:
    """The significant characters of all words, joined.

    A mention neither begins nor ends at a word without significant characters.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.keys = [significant(word) for word in words]
        self.full = [
            k for k, key in enumerate(self.keys) if key
        ]  # words with significant characters
        self.text = "".join(self.keys)
        self.offsets = list(accumulate((len(self.keys[k]) for k in self.full), initial=0))
        self.known: dict[tuple[int, int], dict[str, list[tuple[int, int]]]] = {}

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Frontiers around words, from the numbers of the first and after the last in ``full``."""
        return self.full[first], self.full[last - 1] + 1

    def windows(self, shortest: int, longest: int) -> dict[str, list[tuple[int, int]]]:
        """The texts of ``shortest`` to ``longest`` characters, with their words in ``full``."""
        known = self.known.get((shortest, longest))
        if known is None:
            known = self.known[shortest, longest] = {}
            offsets = self.offsets
            for first, at in enumerate(offsets[:-1]):
                least = max(first + 1, bisect_left(offsets, at + shortest))
                for last in range(least, bisect_right(offsets, at + longest)):
                    known.setdefault(self.text[at : offsets[last]], []).append((first, last))
        return known


def _exact(text: _Text, key: str) -> Iterator[MentionWords]:
    at = text.text.find(key)
    while at >= 0:
        first, last = (bisect_left(text.offsets, place) for place in (at, at + len(key)))
        if text.offsets[first] == at and text.offsets[last] == at + len(key):
            yield MentionWords(*text.span(first, last), 0)
        at = text.text.find(key, at + 1)


def _nearest(text: _Text, key: str) -> Iterator[MentionWords]:
    from rapidfuzz.distance import Levenshtein  # slow to import
    from rapidfuzz.process import extract

    longest = len(key) * NEAR // (NEAR - 1)  # the longest text that can be near
    windows = text.windows(len(key) - len(key) // NEAR, longest)
    near = extract(
        key, [*windows], scorer=Levenshtein.distance, score_cutoff=longest // NEAR, limit=None
    )
    for other, distance, _ in near:
        if distance * NEAR <= max(len(key), len(other)):
            for first, last in windows[other]:
                yield MentionWords(*text.span(first, last), int(distance))


FINDERS: dict[str, Callable[[_Text, str], Iterable[MentionWords]]] = {
    "exact": _exact,
    "nearest": _nearest,
}
"""How to find the places of a text, by policy."""
