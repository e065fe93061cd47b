"""Lists of labels and texts, which schemes without places compare, and the distances of texts.

Each side of a document is a multiset of mentions: the labels and texts of its elements, then its
mentions. Composed and decomposed accents (NFC, NFD) are the same characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from ..corpus.pairs import Pair
from ..documents.checks import canonical
from ..documents.model import Document, Mention, Reference
from ..errors import SerevalError
from ..mapping import crowded
from .result import Account, Verdict


def mentions_of(document: Document) -> list[Mention]:
    """The labels and texts of the elements of a document, then its mentions.

    >>> from sereval import tree
    >>> mentions_of(Document("d", ("in", "New", "York"), tree([("LOC", 1, 3)])))
    [Mention(label='LOC', text='New York')]
    """
    elements = (
        Mention(element.label, " ".join(document.words[element.start : element.end]))
        for element in document.elements
    )
    return [*elements, *(document.mentions or ())]


def reference_of(pair: Pair, scheme: str) -> Document:
    """The reference of a pair, which must have the texts of its entities.

    Args:
        pair: a reference and a hypothesis.
        scheme: the name of the scheme, for messages.

    Raises:
        SerevalError: a fuzzy reference.
    """
    reference = pair[0]
    if isinstance(reference, Reference):
        raise SerevalError(f"{reference.id}: a fuzzy reference, {scheme} takes none")
    return reference


class LabelTexts(NamedTuple):
    """The texts of the entities of one label.

    Args:
        ours, theirs: those of the reference and of the hypothesis, in their order.
        places: the index of each among the mentions of its side.
    """

    ours: list[str]
    theirs: list[str]
    places: tuple[list[int], list[int]]


def texts_by_label(pair: Pair, scheme: str) -> dict[str, LabelTexts]:
    """The texts of reference and hypothesis, by label, in alphabetical order of labels.

    Args:
        pair: a reference and a hypothesis.
        scheme: the name of the scheme, for messages.

    Raises:
        SerevalError: a fuzzy reference.
    """
    sides = mentions_of(reference_of(pair, scheme)), mentions_of(pair[1])
    found = {
        label: LabelTexts([], [], ([], []))
        for label in sorted({one.label for side in sides for one in side})
    }
    for side, mentions in enumerate(sides):
        for place, (label, text) in enumerate(mentions):
            own = found[label]
            (own.ours, own.theirs)[side].append(canonical(text))
            own.places[side].append(place)
    return found


def account_of(pair: Pair, scheme: str, verdicts: Iterable[Verdict]) -> Account:
    """The account of a document whose entities are compared as lists.

    Args:
        pair: the reference and the hypothesis.
        scheme: the name of the scheme, for messages.
        verdicts: the verdict on each slot; indices are those of the mentions of a side.
    """
    reference = reference_of(pair, scheme)
    return Account(reference, Reference.exact(reference), pair[1], tuple(verdicts))


def of_reference(reference: int, hypothesis: int) -> int:
    """The length of the reference; a distance over it can exceed 1.

    Args:
        reference, hypothesis: the numbers of characters or of words.
    """
    return reference


class Distance(NamedTuple):
    """A distance of texts: their edit distance over a length.

    Args:
        items: the parts of a text that are edited: its characters (``str``) or its words
            (``str.split``).
        length: the length, from the numbers of parts of the reference and of the hypothesis.
    """

    items: Callable[[str], Sequence[str]]
    length: Callable[[int, int], int]

    def __call__(self, reference: str, hypothesis: str) -> Fraction:
        """The distance of two texts.

        Args:
            reference, hypothesis: the texts.

        >>> BY_CHARACTERS("Hugone Montiniaci domino", "Hugone Montiniaci")
        Fraction(7, 24)
        """
        if reference == hypothesis:
            return Fraction(0)
        ours, theirs = self.items(reference), self.items(hypothesis)
        [[count]] = edits([ours], [theirs])
        return Fraction(count, max(1, self.length(len(ours), len(theirs))))


BY_CHARACTERS, BY_WORDS = Distance(str, of_reference), Distance(str.split, of_reference)
"""The edits of characters, and of words, over the length of the reference."""


class Distances(NamedTuple):
    """The distances of texts, which are compared by their ranks.

    Args:
        values: the distances that occur, in increasing order.
        ranks: the index of each distance among them: a row for each hypothesis entity, a column
            for each reference entity.
    """

    values: Sequence[Fraction]
    ranks: Sequence[Sequence[int]]

    @classmethod
    def of(cls, rows: Sequence[Sequence[Fraction]]) -> Distances:
        """The distances of a table.

        Args:
            rows: the distances, a row for each hypothesis entity.

        >>> Distances.of([[Fraction(1, 2), Fraction(0)]]).ranks
        [[1, 0]]
        """
        if len(rows) == 1 == len(rows[0]):
            return cls(rows[0], [[0]])
        values = sorted({one for row in rows for one in row})
        rank = {one: k for k, one in enumerate(values)}
        return cls(values, [[rank[one] for one in row] for row in rows])

    def at(self, h: int, r: int) -> Fraction:
        """The distance of a hypothesis entity from a reference entity.

        Args:
            h, r: their indices.
        """
        return self.values[self.ranks[h][r]]

    def best(self, worth: Callable[[Fraction], Fraction]) -> dict[int, int]:
        """The one-to-one pairs with the largest sum of worth: the column of each row in a pair.

        Args:
            worth: the worth of a pair at a distance; a pair of worth 0 or less is not taken.

        >>> table = Distances.of([[Fraction(1, 2), Fraction(1)], [Fraction(0), Fraction(2, 3)]])
        >>> table.best(lambda distance: distance)
        {0: 0, 1: 1}
        """
        return crowded.best_pairs(self._scaled(worth)[0], self.ranks)

    def most(self, worth: Callable[[Fraction], Fraction]) -> Fraction:
        """The largest sum of worth of one-to-one pairs.

        Args:
            worth: as for :meth:`best`.

        >>> table = Distances.of([[Fraction(1, 2), Fraction(1)], [Fraction(0), Fraction(2, 3)]])
        >>> table.most(lambda distance: distance)
        Fraction(7, 6)
        """
        scaled, scale = self._scaled(worth)
        return Fraction(crowded.best_sum(scaled, self.ranks), scale)

    def _scaled(self, worth: Callable[[Fraction], Fraction]) -> tuple[list[int], int]:
        """The worth at each distance as an integer, and the factor."""
        worths = [max(worth(one), Fraction(0)) for one in self.values]
        scale = lcm(*(one.denominator for one in worths))
        return [one.numerator * (scale // one.denominator) for one in worths], scale


def distances(ours: Sequence[str], theirs: Sequence[str], distance: Distance) -> Distances:
    """The distances of each hypothesis text from each reference text.

    Args:
        ours, theirs: the texts of reference and hypothesis.
        distance: the distance of two texts.

    >>> distances(["Dol", "Dole"], ["Dole"], Distance(str, max)).ranks
    [[1, 0]]
    """
    if len(ours) * len(theirs) <= FEW:
        return Distances.of([[distance(our, their) for our in ours] for their in theirs])
    sides = [{text: k for k, text in enumerate(dict.fromkeys(side))} for side in (ours, theirs)]
    items = [[distance.items(text) for text in side] for side in sides]
    counts = [[len(one) for one in side] for side in items]
    lengths = {
        theirs: [max(1, distance.length(our, theirs)) for our in counts[0]]
        for theirs in {*counts[1]}
    }
    rows = edits(*items)
    over = [lengths[count] for count in counts[1]]
    cells = {cell for row in map(zip, rows, over) for cell in row}
    values = {cell: Fraction(*cell) for cell in cells}
    ordered = sorted({*values.values()})
    rank = {value: k for k, value in enumerate(ordered)}
    of_cell = {cell: rank[value] for cell, value in values.items()}
    columns = [sides[0][text] for text in ours]
    known = []
    for row in map(zip, rows, over):
        own = [of_cell[cell] for cell in row]
        known.append([own[column] for column in columns])
    return Distances(ordered, [known[sides[1][text]] for text in theirs])


FEW = 2
"""The number of pairs of texts up to which one is compared after the other."""

MANY = 200
"""The number of pairs of texts above which their edits are counted all together."""


def edits(ours: Sequence[Sequence[str]], theirs: Sequence[Sequence[str]]) -> list[list[int]]:
    """The least numbers of insertions, deletions and substitutions between texts.

    Args:
        ours, theirs: texts, or lists of words, of reference and hypothesis.

    Returns:
        A row for each text of the hypothesis, with a number for each of the reference.

    >>> edits(["Hugone Montiniaci domino", "Montiniaci"], ["Hugone Montiniaci"])
    [[7, 7]]
    """
    from rapidfuzz.distance import Levenshtein  # slow to import

    if len(ours) * len(theirs) <= MANY:
        return [[Levenshtein.distance(our, their) for our in ours] for their in theirs]
    from numpy import int64
    from rapidfuzz.process import cdist

    number: dict[str, int] = {}  # rapidfuzz compares items by their hashes; those of numbers differ
    coded = [
        [[number.setdefault(item, len(number)) for item in text] for text in side]
        for side in (theirs, ours)
    ]
    found: list[list[int]] = cdist(*coded, scorer=Levenshtein.distance, dtype=int64).tolist()
    return found
