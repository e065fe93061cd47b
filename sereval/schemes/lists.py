"""Lists of labels and texts, which schemes without places compare, and the distances of texts.

Each side of a document is a multiset of mentions: the labels and texts of its elements, then its
mentions. Composed and decomposed accents (NFC, NFD) are the same characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from ..corpus.corpus import Scorer, scorer
from ..corpus.pairs import Pair
from ..documents.checks import canonical
from ..documents.model import Document, Mention, Reference
from ..errors import SerevalError
from ..evaluation.settings import ByWords, Settings
from ..mapping import assignment
from ..measures.figures import Figure
from ..measures.slots import PAIR, Slot
from .result import Account, DocumentFigures, FigureRow, SchemeScore, Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Lists:
    """The labels and texts of the entities of both sides.

    Args:
        ours, theirs: those of the reference and of the hypothesis, as texts are compared.
        spelled: the texts of either side as they stand.
    """

    ours: Sequence[Mention]
    theirs: Sequence[Mention]
    spelled: tuple[Sequence[str], ...]

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Lists:
        """The elements of reference and hypothesis, then their mentions.

        >>> from sereval import tree
        >>> Lists.of([Document("d", ("in", "New", "York"), tree([("LOC", 1, 3)]))] * 2).ours
        [Mention(label='LOC', text='New York')]
        """
        sides = [
            [
                *(Mention(e.label, " ".join(one.words[e.start : e.end])) for e in one.elements),
                *(one.mentions or ()),
            ]
            for one in documents
        ]
        ours, theirs = ([Mention(e.label, canonical(e.text)) for e in side] for side in sides)
        return cls(ours, theirs, tuple([e.text for e in side] for side in sides))

    @cached_property
    def labels(self) -> tuple[list[str], list[str]]:
        """The labels of either side."""
        return [one.label for one in self.ours], [one.label for one in self.theirs]

    @cached_property
    def by_label(self) -> dict[str, tuple[list[int], list[int]]]:
        """The indices of the entities of either side by label, in alphabetical order."""
        found: dict[str, tuple[list[int], list[int]]] = {}
        for side, labels in enumerate(self.labels):
            for k, label in enumerate(labels):
                found.setdefault(label, ([], []))[side].append(k)
        return dict(sorted(found.items()))

    def near(
        self, distance: Distance, choose: Callable[[Distances], dict[int, int]]
    ) -> dict[int, tuple[int, Fraction]]:
        """The partner of each reference entity of its label, and the distance of their texts.

        Args:
            distance: the distance of two texts.
            choose: gives the reference entity of each hypothesis entity of a label.
        """
        found: dict[int, tuple[int, Fraction]] = {}
        for ours, theirs in self.by_label.values():
            texts = [self.ours[r].text for r in ours], [self.theirs[h].text for h in theirs]
            costs = distances(*texts, distance)
            found |= {ours[r]: (theirs[h], costs.at(h, r)) for h, r in choose(costs).items()}
        return found

    def correct(self, name: str) -> Callable[[int, int], tuple[Slot, FigureRow]]:
        """The class of a pair, which is correct in a figure."""
        row = {name: Figure(cor=1)}
        return lambda r, h: (self.slot(r, h), row)

    def slot(self, r: int, h: int) -> Slot:
        """The class that is nearest to a pair: texts stand for spans."""
        ours, theirs = self.ours[r], self.theirs[h]
        return PAIR[ours.label == theirs.label, ours.text == theirs.text]


def list_scorer(
    scheme: str,
    settings: Settings,
    verdicts: Callable[[Lists, Settings], Iterable[Verdict]],
    how: Sequence[tuple[str, str]] = (),
    notes: Callable[[Sequence[DocumentFigures]], Iterable[str]] = lambda _: (),
) -> Scorer:
    """The scorer of a scheme that gives verdicts on lists.

    Args:
        scheme: its name.
        settings: the settings of the run.
        verdicts: the verdict on each slot of a document.
        how: parts of the signature that only this scheme has.
        notes: sentences on the score; the facts of a document are the correct pairs whose texts
            differ as they are spelled.
    """
    return scorer(
        partial(_document, scheme=scheme, settings=settings, verdicts=verdicts),
        lambda found: SchemeScore.of(
            scheme,
            found,
            (*how, *settings.reading_signature),
            tuple(notes(found)),
            words=replace(settings, through=ByWords()),
            figure=settings.figure,
        ),
    )


def _document(
    pair: Pair,
    scheme: str,
    settings: Settings,
    verdicts: Callable[[Lists, Settings], Iterable[Verdict]],
) -> DocumentFigures:
    reference, hypothesis = pair
    if isinstance(reference, Reference):
        raise SerevalError(f"{reference.id}: a fuzzy reference, {scheme} takes none")
    lists = Lists.of((reference, hypothesis))
    found = tuple(verdicts(lists, settings))
    ours, theirs = lists.spelled
    equal = {(one.reference, one.hypothesis) for one in found if one.slot is Slot.CORRECT}
    composed = sum(ours[r] != theirs[h] for r, h in equal if r is not None and h is not None)
    account = Account(reference, Reference.exact(reference), hypothesis, found)
    return DocumentFigures.of(account, settings, composed, chain(*lists.labels))


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
        worths = [max(worth(one), Fraction(0)) for one in self.values]
        scale = lcm(*(one.denominator for one in worths))
        scaled = [one.numerator * (scale // one.denominator) for one in worths]
        return best_pairs(scaled, self.ranks)


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


CELLS = assignment.CROWD**2
"""The number of pairs above which arrays are faster."""

LARGEST = 2**60
"""The largest worth in arrays of 64 bits: prices are at most as far from 0, and four are added."""


def best_pairs(worth: Sequence[int], ranks: Sequence[Sequence[int]]) -> dict[int, int]:
    """The pairs of ``assignment.best_pairs``; ``ranks``: the index of the worth of each pair.

    >>> best_pairs([0, 2, 3], [[2, 1], [1, 0]])
    {0: 1, 1: 0}
    """
    if sum(map(len, ranks)) <= CELLS:
        return assignment.best_pairs(
            {(r, c): worth[rank] for r, row in enumerate(ranks) for c, rank in enumerate(row)}
        )
    import numpy

    far = 2 * max(worth)
    kind = numpy.int64 if far <= 2 * LARGEST else object
    costs = numpy.array([-one if one else far for one in worth], dtype=kind)
    return dict(sorted(_Matching(costs[numpy.array(ranks)], far).column_of.items()))


class _Matching:
    """The matching of ``assignment`` by arrays, where a row or a column alone costs 0.

    Args:
        costs: the cost of each pair: 0 less its worth, or ``far`` if it is not allowed.
        far: twice the largest worth.
    """

    def __init__(self, costs: NDArray[Any], far: int) -> None:
        import numpy

        self.costs, self.far = costs, far
        self.of_rows, self.of_columns = (numpy.zeros(n, dtype=costs.dtype) for n in costs.shape)
        self.is_free = numpy.ones(costs.shape[1], dtype=bool)
        self.row_of: dict[int, int] = {}
        self.column_of: dict[int, int] = {}
        allowed = (costs < 0).sum(axis=1).tolist()
        for row in sorted(range(len(costs)), key=lambda row: max(assignment.CROWD, allowed[row])):
            if allowed[row]:
                self._add(row)

    def _add(self, row: int) -> None:
        """Add a row to the matching."""
        costs = self.costs[row] - self.of_columns
        least = min(0, costs.min())
        nearest = (costs == least).nonzero()[0]
        free = nearest[self.is_free[nearest]]
        self.of_rows[row] = least
        if len(free):
            self._pair(row, int(free[-1]))
        elif least < 0:
            self._make_room(row)

    def _pair(self, row: int, column: int) -> None:
        self.row_of[column], self.column_of[row] = row, column
        self.is_free[column] = False

    def _make_room(self, row: int) -> None:
        """Change the matching along the path on which costs exceed prices least.

        Of columns that are as near the first one is next.
        """
        import numpy

        rows = [row]  # in the order in which paths reach them
        excess_of = [0]  # that of the path to each row
        passed: dict[int, int] = {}  # columns of pairs, each with the number of rows before its own
        prices = self.of_columns.copy()
        excesses = numpy.full_like(prices, self.far)
        around = numpy.empty_like(prices)
        end, nearest = row, -self.of_rows[row]
        while True:
            at, excess = rows[-1], excess_of[-1]
            numpy.subtract(self.costs[at], prices, out=around)
            around += excess - self.of_rows[at]
            numpy.minimum(excesses, around, out=excesses)
            chosen = int(excesses.argmin())
            excess = excesses[chosen]
            if excess >= nearest:
                column, excess = self.column_of.pop(end, None), nearest
                break
            if chosen not in self.row_of:
                column, passed[chosen] = chosen, len(rows)
                break
            at = self.row_of[chosen]
            passed[chosen] = len(rows)
            rows.append(at)
            excess_of.append(excess)
            excesses[chosen], prices[chosen] = self.far, -self.far  # not again
            if excess - self.of_rows[at] < nearest:
                end, nearest = at, excess - self.of_rows[at]
        path = self._path(column, numpy.array(rows), numpy.array(excess_of), passed)
        for r, own in zip(rows, excess_of, strict=True):
            self.of_rows[r] += excess - own  # prices as high as the path now lets them be
        for own, c in zip(excess_of[1:], passed, strict=False):
            self.of_columns[c] -= excess - own
        for pair in path:
            self._pair(*pair)

    def _path(
        self,
        column: int | None,
        rows: NDArray[Any],
        excess_of: NDArray[Any],
        passed: dict[int, int],
    ) -> list[tuple[int, int]]:
        """The pairs that the path to a column makes, from its end.

        A column was reached from the first of the rows whose paths are the shortest to it.
        """
        found = []
        while column is not None:
            before = rows[: passed[column]]
            costs = self.costs[before, column] + excess_of[: len(before)] - self.of_rows[before]
            taker = int(before[costs == costs.min()].min())
            found.append((taker, column))
            column = self.column_of.get(taker)
        return found
