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

from bisect import bisect_left
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
    max_states: int | None = None,
) -> Document:
    """A document with its mentions put on words.

    Args:
        document: a document with mentions and without words.
        words: the words of the recogniser, or of the reference if the system had no words.
        by: ``exact`` finds the text itself; ``nearest`` also finds a text whose edit distance is
            at most a quarter of the longer text's length.
        whose: ``hypothesis`` or ``reference``: the side of the words, for the signature.
        max_states: how many states the search may visit for each 1000 mentions; it changes no
            result; ``None``: a million.

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
        at = Search(mentions, kinds, places, max_states=max_states).best(text.keys)
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
        self.known: dict[int, _Windows] = {}

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Frontiers around words, from the numbers of the first and after the last in ``full``."""
        return self.full[first], self.full[last - 1] + 1

    def windows(self, length: int) -> _Windows:
        """The texts of so many characters that begin and end where words do."""
        if length not in self.known:
            at: dict[str, list[tuple[int, int]]] = {}
            number = {offset: k for k, offset in enumerate(self.offsets)}
            for offset, first in number.items():
                last = number.get(offset + length)
                if last is not None:
                    at.setdefault(self.text[offset : offset + length], []).append((first, last))
            self.known[length] = _Windows(at)
        return self.known[length]


class _Windows:
    """Texts of one length, with their words in ``full``.

    Attributes:
        with_character: for a character and k the texts that have it more than k times, a bit each.
    """

    def __init__(self, at: dict[str, list[tuple[int, int]]]) -> None:
        self.at = at
        self.texts = [*at]
        with_character: dict[tuple[str, int], bytearray] = {}
        for k, text in enumerate(at):
            for one in _characters(text):
                if one not in with_character:
                    with_character[one] = bytearray(len(at) // 8 + 1)
                with_character[one][k >> 3] |= 1 << (k & 7)
        self.with_character = {
            one: int.from_bytes(bits, "little") for one, bits in with_character.items()
        }

    def sharing(self, characters: Sequence[tuple[str, int]], least: int) -> Iterator[str]:
        """The texts that share so many characters with others, in any order.

        All texts are counted at once: digit k of the count of each text is a bit of ``digits[k]``.
        The counts begin so that the last digit runs over where there are enough.
        """
        size = len(characters).bit_length()
        every = (1 << len(self.texts)) - 1
        digits = [every * ((1 << size) - least >> k & 1) for k in range(size)]
        enough = 0
        for one in characters:
            carry = self.with_character.get(one, 0)
            for k, digit in enumerate(digits):
                digits[k], carry = digit ^ carry, digit & carry
            enough |= carry
        bits = f"{enough:b}"[::-1]
        k = bits.find("1")
        while k >= 0:
            yield self.texts[k]
            k = bits.find("1", k + 1)


def _characters(text: str) -> Iterator[tuple[str, int]]:
    """The characters of a text, each with how often it was there before."""
    seen: dict[str, int] = {}
    for character in text:
        yield character, seen.get(character, 0)
        seen[character] = seen.get(character, 0) + 1


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

    characters = [*_characters(key)]
    for length in range(len(key) - len(key) // NEAR, len(key) * NEAR // (NEAR - 1) + 1):
        longer = max(len(key), length)
        windows = text.windows(length)
        near = extract(
            key,
            [*windows.sharing(characters, longer - longer // NEAR)],
            scorer=Levenshtein.distance,
            score_cutoff=longer // NEAR,
            limit=None,
        )
        for other, distance, _ in near:
            for first, last in windows.at[other]:
                yield MentionWords(*text.span(first, last), int(distance))


FINDERS: dict[str, Callable[[_Text, str], Iterable[MentionWords]]] = {
    "exact": _exact,
    "nearest": _nearest,
}
"""How to find the places of a text, by policy."""
