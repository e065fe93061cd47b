"""Scheme ``oi``: OI-ECER and OI-EWER, error rates of lists of entities in any order.

A pair of the same label costs the edit distance of its texts over the length of the reference's,
at most 1; a pair of two labels costs 1; an entity left alone costs 1. Entities are paired at the
least cost, as in a square matrix: an entity that is left on one side and one that is left on the
other cost 1 together. The rate is the cost over the number of reference entities.

======= ==============
figure  lengths are in
======= ==============
ecer    characters
ewer    words
======= ==============

Source: the program ie-eval; Villanova-Aparisi, Martínez-Hinarejos, Romero and Pastor-Gadea,
"Evaluation of named entity recognition in handwritten documents", DAS 2022.
"""

from __future__ import annotations

from fractions import Fraction

from ..corpus.pairs import Pair, Pairs
from ..evaluation.settings import Settings
from ..measures.figures import Figure
from ..measures.lists import ErrorFigure
from .lists import Distance, best_sum, distances, over_reference, texts_by_label
from .result import DocumentFigures, SchemeScore
from .table import Options


def _by_characters(reference: str, hypothesis: str) -> Fraction:
    return over_reference(reference, hypothesis)


def _by_words(reference: str, hypothesis: str) -> Fraction:
    return over_reference(reference.split(), hypothesis.split())


FIGURES: dict[str, Distance] = {"ecer": _by_characters, "ewer": _by_words}


def oi(pairs: Pairs[Pair], settings: Settings, options: Options) -> SchemeScore:
    """Score documents by OI-ECER and OI-EWER.

    Args:
        pairs: references and hypotheses, with elements or mentions, on any words.
        settings: the scheme uses only its labels.
        options: none.

    Returns:
        The figures ``ecer`` and ``ewer``. An error of a pair, and of an entity that the reference
        has, counts under the label of the reference; other errors count under the hypothesis's.

    Raises:
        SerevalError: a fuzzy reference.

    >>> from sereval import Document, Mention
    >>> from sereval.corpus.pairs import PairList
    >>> gold = Document("d", (), mentions=(
    ...     Mention("Person", "George Washington"), Mention("Place", "Valencia")))
    >>> found = Document("d", (), mentions=(Mention("Person", "George Washingtn"),))
    >>> score = oi(PairList([(gold, found)]), Settings(), Options())
    >>> {name: float(figure.errors) for name, figure in score.total.items()}
    {'ecer': 1.0588235294117647, 'ewer': 1.5}
    """
    return SchemeScore.of(
        "oi",
        pairs.each(_document),
        tuple(settings.reading_signature),
        (),
        words=settings,
        figure=options.figure,
    )


def _document(pair: Pair) -> DocumentFigures:
    sides = texts_by_label(pair, "oi")
    rows: dict[str, dict[str, Figure]] = {label: {} for label in sides}
    for name, distance in FIGURES.items():
        for label, figure in _figures(sides, distance).items():
            rows[label][name] = figure
    return DocumentFigures(pair[0].id, rows, None)


def _figures(
    sides: dict[str, tuple[list[str], list[str]]], distance: Distance
) -> dict[str, ErrorFigure]:
    """The counts of one figure by label."""
    pairs: dict[str, tuple[int, Fraction]] = {}
    for label, (ours, theirs) in sides.items():
        costs = distances(ours, theirs, distance)
        saved, found = best_sum([[max(1 - one, Fraction(0)) for one in row] for row in costs])
        pairs[label] = len(found), len(found) - saved
    alone = [
        {label: len(of_side[side]) - pairs[label][0] for label, of_side in sides.items()}
        for side in (0, 1)
    ]
    shared = min(sum(one.values()) for one in alone)  # one of each side costs 1 together
    left, free = shared, shared
    counts: dict[str, ErrorFigure] = {}
    for label, (count, cost) in pairs.items():
        inc = min(left, alone[0][label])
        taken = min(free, alone[1][label])
        left, free = left - inc, free - taken
        mis, spu = alone[0][label] - inc, alone[1][label] - taken
        counts[label] = ErrorFigure(count, inc, 0, mis, spu, cost)
    return counts
