"""Lists of labels and texts, which schemes without places compare, and the distances of texts.

Each side of a document is a multiset of mentions: the labels and texts of its elements, then its
mentions. Composed and decomposed accents (NFC, NFD) are the same characters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

from ..corpus.pairs import Pair
from ..documents.checks import canonical
from ..documents.model import Document, Mention, Reference
from ..errors import SerevalError
from ..mapping.assignment import best_pairs

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


def reference_of(pair: Pair, scheme: str, figure: str | None = None) -> Document:
    """The reference of a pair, which must have the texts of its entities.

    Args:
        pair: a reference and a hypothesis.
        scheme: the name of the scheme, for messages.
        figure: the figure whose verdicts are kept; ``None``: none are kept.

    Raises:
        SerevalError: a fuzzy reference; a reference with mentions, of which verdicts are kept.
    """
    reference = pair[0]
    if isinstance(reference, Reference):
        raise SerevalError(f"{reference.id}: a fuzzy reference, {scheme} takes none")
    if figure is not None and reference.mentions:
        raise SerevalError(
            f"{reference.id}: mentions in the reference, expected elements: mentions have no "
            "places, so there are only totals"
        )
    return reference


def texts_by_label(pair: Pair, scheme: str) -> dict[str, tuple[list[str], list[str]]]:
    """The texts of reference and hypothesis, by label, in alphabetical order of labels.

    Args:
        pair: a reference and a hypothesis.
        scheme: the name of the scheme, for messages.

    Raises:
        SerevalError: a fuzzy reference.
    """
    sides = mentions_of(reference_of(pair, scheme)), mentions_of(pair[1])
    found: dict[str, tuple[list[str], list[str]]] = {
        label: ([], []) for label in sorted({one.label for side in sides for one in side})
    }
    for side, mentions in enumerate(sides):
        for label, text in mentions:
            found[label][side].append(canonical(text))
    return found


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
    """
    rows = {
        text: tuple(Fraction(0) if text == one else distance(one, text) for one in ours)
        for text in dict.fromkeys(theirs)
    }
    return [rows[text] for text in theirs]


def best_sum(worth: Distances) -> tuple[Fraction, dict[int, int]]:
    """The largest sum of worth of one-to-one pairs, and the column of each row in a pair.

    Args:
        worth: the worth of each pair, 0 or more; a pair of worth 0 is not taken.

    >>> best_sum([[Fraction(1, 2), Fraction(1)], [Fraction(0), Fraction(2, 3)]])
    (Fraction(7, 6), {0: 0, 1: 1})
    """
    scale = lcm(*(one.denominator for row in worth for one in row))
    whole = {
        (r, c): int(one * scale) for r, row in enumerate(worth) for c, one in enumerate(row) if one
    }
    pairs = best_pairs(whole)
    return Fraction(sum(whole[pair] for pair in pairs.items()), scale), pairs
