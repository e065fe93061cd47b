"""Lists of labels and texts, which schemes without places compare, and the distances of texts.

Each side of a document is a multiset of mentions: the labels and texts of its elements, then its
mentions. Composed and decomposed accents (NFC, NFD) are the same characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple, TypeVar

from ..corpus.pairs import Pair
from ..documents.checks import canonical
from ..documents.model import Document, Mention, Reference
from ..errors import SerevalError
from ..mapping.assignment import best_pairs
from .result import Account, Verdict

_T = TypeVar("_T")

Distance = Callable[[str, str], Fraction]
"""The distance of the text of a reference entity and the text of a hypothesis entity."""

Distances = Sequence[Sequence[Fraction]]
"""The distances of texts: a row for each hypothesis entity, a column for each reference entity."""


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


class Texts(NamedTuple):
    """The texts of the entities of one label.

    Args:
        ours, theirs: those of the reference and of the hypothesis, in their order.
        places: the index of each among the mentions of its side.
    """

    ours: list[str]
    theirs: list[str]
    places: tuple[list[int], list[int]]


def texts_by_label(pair: Pair, scheme: str) -> dict[str, Texts]:
    """The texts of reference and hypothesis, by label, in alphabetical order of labels.

    Args:
        pair: a reference and a hypothesis.
        scheme: the name of the scheme, for messages.

    Raises:
        SerevalError: a fuzzy reference.
    """
    sides = mentions_of(reference_of(pair, scheme)), mentions_of(pair[1])
    found = {
        label: Texts([], [], ([], []))
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


def edits(reference: Sequence[str], hypothesis: Sequence[str]) -> int:
    """The least number of insertions, deletions and substitutions between two texts.

    Args:
        reference, hypothesis: texts, or lists of words.

    >>> edits("Hugone Montiniaci domino", "Hugone Montiniaci")
    7
    """
    from rapidfuzz.distance import Levenshtein  # slow to import

    found: int = Levenshtein.distance(reference, hypothesis)
    return found


def over_reference(reference: Sequence[str], hypothesis: Sequence[str]) -> Fraction:
    """The edit distance over the length of the reference, which can exceed 1.

    Args:
        reference, hypothesis: texts, or lists of words.

    >>> over_reference("Hugone Montiniaci domino", "Hugone Montiniaci")
    Fraction(7, 24)
    """
    return Fraction(edits(reference, hypothesis), max(1, len(reference)))


def distances(ours: Sequence[str], theirs: Sequence[str], distance: Distance) -> Distances:
    """The distances of each hypothesis text from each reference text.

    Args:
        ours, theirs: the texts of reference and hypothesis.
        distance: the distance of two texts.

    Returns:
        A row for each hypothesis text, with a column for each reference text.

    >>> distances(["Rome"], ["Rome", "Roma"], over_reference)
    [(Fraction(0, 1),), (Fraction(1, 4),)]
    """
    rows: dict[str, tuple[Fraction, ...]] = {}
    unique = dict.fromkeys(ours)
    for text in dict.fromkeys(theirs):
        known = {one: Fraction(0) if text == one else distance(one, text) for one in unique}
        rows[text] = tuple([known[one] for one in ours])
    return [rows[text] for text in theirs]


def of_each_row(rows: Distances, change: Callable[[Sequence[Fraction]], _T]) -> list[_T]:
    """Apply a function to each row; a row that occurs several times is computed once.

    Args:
        rows: the rows, as :func:`distances` returns them: equal texts have the same row.
        change: the function.

    >>> of_each_row([(Fraction(1),), (Fraction(2),)], len)
    [1, 1]
    """
    known = {id(row): row for row in rows}
    found = {key: change(row) for key, row in known.items()}
    return [found[id(row)] for row in rows]


def best_sum(worth: Distances) -> tuple[Fraction, dict[int, int]]:
    """The largest sum of worth of one-to-one pairs of rows and columns.

    Args:
        worth: the worth of each pair, 0 or more; a pair of worth 0 is not taken.

    Returns:
        The sum, and the column of each row that is in a pair.

    >>> best_sum([[Fraction(1, 2), Fraction(1)], [Fraction(0), Fraction(2, 3)]])
    (Fraction(7, 6), {0: 0, 1: 1})
    """
    scale = lcm(*of_each_row(worth, lambda row: lcm(*{one.denominator for one in row})))
    scaled = of_each_row(
        worth, lambda row: [one.numerator * (scale // one.denominator) for one in row]
    )
    whole = {(r, c): one for r, row in enumerate(scaled) for c, one in enumerate(row) if one}
    pairs = best_pairs(whole)
    return Fraction(sum(whole[pair] for pair in pairs.items()), scale), pairs
