"""The schemes without places: ``slue``, ``nerval``, ``oi`` and ``slurp`` compare labels and texts.

Each side of a document is a multiset of mentions: the labels and texts of its elements, then its
mentions. The text of an element is its words with spaces between them. Composed and decomposed
accents (NFC, NFD) are the same characters. No place is compared, so the two sides need no words in
common, and the right text in the wrong place is correct. Texts are compared as they are written,
or in the form of a normalisation.

``slue``, micro-averaged over documents (utterances in SLUE); an entity that both sides have twice
is correct twice:

======= ===========================================================
figure  a hypothesis entity is correct if the reference has
======= ===========================================================
entity  an entity with the same label and the same text
label   an entity with the same label
======= ===========================================================

``nerval``: a hypothesis entity is correct if the reference has an entity with the same label whose
text is near: the edit distance over the length of the reference's text is at most a threshold. Each
entity is in at most one pair, and as many pairs as possible are made.

``oi``: OI-ECER and OI-EWER, order-independent error rates. Entities are paired one to one at the
least total cost. A pair with one label costs the edit distance of its texts, in characters
(``ecer``) or in words (``ewer``), divided by the length of the reference's text, but at most 1. A
pair with two labels costs 1, and so does an entity in no pair. So only the longer list has entities
in no pair. The rate is the total cost divided by the number of reference entities.

``slurp``: entities are paired within a document (a recording in SLURP) and a label. Each hypothesis
entity, in the order of the list, takes the nearest reference entity that is still free; of equally
near ones, the first. A pair is a true positive; the distance of its texts is added to the false
positives and to the false negatives. A hypothesis entity without a partner is a false positive, a
reference entity without a partner a false negative. ``word`` and ``char`` pair by their own
distances. The figures depend on the order of the hypothesis's lists; ``mapping="optimal"`` pairs as
many entities at the least sum of distances instead, whatever the order.

======= ==========================================================================
figure  distance of a pair
======= ==========================================================================
slu     none of its own: its counts are the sums of those of ``word`` and ``char``
word    word errors over the words of the reference text; it can exceed 1
char    edits over the characters of the longer text
======= ==========================================================================

Sources: Shon et al., ICASSP 2022, and its toolkit (``slue``); Nerval, a program of Teklia, and
ie-eval (``nerval``); ie-eval, and Villanova-Aparisi, Martínez-Hinarejos, Romero and Pastor-Gadea,
DAS 2022 (``oi``); Bastianelli, Vanzo, Swietojanski and Rieser, EMNLP 2020 (``slurp``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain
from math import gcd, lcm
from typing import Any, NamedTuple

from ..alignment.normalise import EXACT
from ..corpus.corpus import Pair, Scorer, exact
from ..documents.model import Document, Mention, canonical
from ..evaluation.settings import ByWords, Settings
from ..mapping import assignment
from ..measures import PAIR, Slot
from .result import (
    DocumentFigures,
    Figure,
    FigureRow,
    SchemeScore,
    Verdict,
    figures_of,
    rows_of,
    scheme_scorer,
    verdicts,
)
from .table import SCHEMES


class Distances(NamedTuple):
    """The distances of texts: a row for each text of the hypothesis."""

    rows: Sequence[Sequence[int]]
    unit: int  # stands for a distance of 1

    def best(self, worth: Callable[[int], int]) -> dict[int, int]:
        """The one-to-one pairs with the largest sum of worth: the column of each row in a pair."""
        worths = {one: max(0, worth(one)) for one in {*chain.from_iterable(self.rows)}}
        common = gcd(*worths.values()) or 1  # small numbers are faster
        parts = {one: own // common for one, own in worths.items()}
        return best_pairs([[parts[one] for one in row] for row in self.rows])


def distances(
    ours: Sequence[str],
    theirs: Sequence[str],
    items: Callable[[str], Sequence[str]],
    length: Callable[[int, int], int] = lambda reference, hypothesis: reference,
) -> Distances:
    """The edits of each text of the hypothesis, ``theirs``, from each of the reference."""
    # Edited are the ``items`` of texts, characters or words; edits over the length of the
    # reference can exceed 1.
    if ours == theirs and len(ours) == 1:  # as in most short documents
        return Distances([[0]], 1)
    texts = [[items(text) for text in side] for side in (ours, theirs)]
    lengths = [[len(one) for one in side] for side in texts]
    over = [[max(1, length(our, their)) for our in lengths[0]] for their in lengths[1]]
    unit = lcm(*{*chain.from_iterable(over)})
    part = {length: unit // length for length in {*chain.from_iterable(over)}}
    rows = [
        [number * part[length] for number, length in zip(*both, strict=True)]
        for both in zip(edits(*texts), over, strict=True)
    ]
    return Distances(rows, unit)


BY_CHARACTERS = partial(distances, items=str)
BY_WORDS = partial(distances, items=str.split)
LONGER = partial(distances, items=str, length=max)
"""The edits of characters and of words over the length of the reference, and those of characters
over the length of the longer text."""

MANY = 200
"""The number of pairs of texts above which their edits are counted all together."""


def edits(ours: Sequence[Sequence[str]], theirs: Sequence[Sequence[str]]) -> list[list[int]]:
    """The least numbers of edits: a row for each of ``theirs``."""
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

LARGEST = 2**59
"""The largest cost in arrays of 64 bits: sums of prices are less than sixteen times as large."""


def best_pairs(worth: Sequence[Sequence[int]]) -> dict[int, int]:
    """The pairs of ``assignment.best_pairs``, from a table of the worth of each pair."""
    if sum(map(len, worth)) <= CELLS:
        return assignment.best_pairs(
            {(r, c): one for r, row in enumerate(worth) for c, one in enumerate(row) if one}
        )
    return dict(sorted(_Table(worth).column_of.items()))


class _Table(assignment.Matching):
    """The matching by arrays, where a row or a column alone costs 0."""

    def __init__(self, worth: Sequence[Sequence[int]]) -> None:
        import numpy

        number = len(worth)
        self.far = 2 * number * max(1, *map(max, worth))  # the cost of a pair that is not allowed
        kind: Any = numpy.int64 if self.far <= 2 * LARGEST else object
        # All costs are multiples of the number of rows, so that one number is the excess of a path
        # and the row before its last column.
        self.costs = -number * numpy.array(worth, kind)
        self.costs[self.costs == 0] = self.far
        allowed: Any = [row[row < 0] for row in self.costs]
        alone: Any = numpy.zeros(len(worth[0]), kind)
        super().__init__(allowed, [0] * number, alone)

    def _add(self, row: int) -> None:
        costs = self.costs[row] - self.of_columns
        least = self.of_rows[row] = min(0, costs.min())
        free = [c for c in (costs == least).nonzero()[0].tolist() if c not in self.row_of]
        if free:
            self._pair(row, free[-1])
        elif least < 0:
            self._make_room(row)

    def _next(
        self, row: int, excess: int, paths: list[Any], passed: Collection[int]
    ) -> tuple[int, int, int]:
        import numpy

        around = self.costs[row] - self.of_columns + (excess - self.of_rows[row] + row)
        if not paths:
            paths.append(numpy.full_like(self.of_columns, self.far))
        [ends] = paths  # one for each column
        numpy.minimum(ends, around, out=ends)
        ends[[*passed]] = self.far  # not again
        excesses = ends // len(self.costs)
        column = int(excesses.argmin())
        excess = int(excesses[column]) * len(self.costs)
        return excess, column, int(ends[column]) - excess


# --- lists of labels and texts --------------------------------------------------------------------


Pairing = tuple[dict[int, int], dict[int, Fraction]]
"""The hypothesis entity of each reference entity in a pair, and the distance of their texts."""


class Lists:
    """The labels and texts of the entities of reference (``ours``) and hypothesis (``theirs``)."""

    def __init__(self, documents: Iterable[Document], settings: Settings) -> None:
        is_exact, form = settings.texts == EXACT, settings.texts.forms
        self.ours, self.theirs = (
            [
                Mention(label, canonical(text if is_exact else " ".join(form(text.split()).texts)))
                for label, text in (
                    *((e.label, " ".join(one.words[e.start : e.end])) for e in one.elements),
                    *(one.mentions or ()),
                )
            ]
            for one in documents
        )
        self.labels = [one.label for one in self.ours], [one.label for one in self.theirs]

    def near(
        self, distance: Callable[..., Distances], choose: Callable[[Distances], dict[int, int]]
    ) -> Pairing:
        """The partner of each reference entity of its label, and the distance of their texts."""
        pairs: dict[int, int] = {}
        apart: dict[int, Fraction] = {}
        for ours, theirs in filter(all, alike(*map(enumerate, self.labels))):
            texts = [self.ours[r].text for r in ours], [self.theirs[h].text for h in theirs]
            costs = distance(*texts)
            for h, r in choose(costs).items():
                pairs[ours[r]] = theirs[h]
                apart[ours[r]] = Fraction(costs.rows[h][r], costs.unit)
        return pairs, apart

    def slot(self, r: int, h: int) -> Slot:
        """The class that is nearest to a pair: texts stand for spans."""
        ours, theirs = self.ours[r], self.theirs[h]
        return PAIR[ours.label == theirs.label, ours.text == theirs.text]


def alike(
    ours: Iterable[tuple[int, Hashable]], theirs: Iterable[tuple[int, Hashable]]
) -> Iterable[tuple[list[int], list[int]]]:
    """The indices of either side that have the same key."""
    found: dict[Hashable, tuple[list[int], list[int]]] = {}
    for side, keys in enumerate((ours, theirs)):
        for k, key in keys:
            found.setdefault(key, ([], []))[side].append(k)
    return found.values()


def _slue(lists: Lists, _: Settings) -> Iterator[Verdict]:
    """The verdicts on pairs of equal entities; then in these pairs and others of one label."""
    same = _in_order(alike(enumerate(lists.ours), enumerate(lists.theirs)))
    taken = {*same.values()}
    left = (
        [(r, label) for r, label in enumerate(lists.labels[0]) if r not in same],
        [(h, label) for h, label in enumerate(lists.labels[1]) if h not in taken],
    )
    yield from verdicts(lists.labels, same, lists.slot, rows_of("entity"))
    yield from verdicts(lists.labels, same | _in_order(alike(*left)), lists.slot, rows_of("label"))


def _in_order(groups: Iterable[tuple[list[int], list[int]]]) -> dict[int, int]:
    """The first of a group with the first of the other side, and so on."""
    return {r: h for ours, theirs in groups for r, h in zip(ours, theirs, strict=False)}


def _nerval(lists: Lists, settings: Settings) -> Iterator[Verdict]:
    """The verdicts in as many pairs of near texts as possible, most of them equal."""
    threshold, pair = Fraction(settings.threshold), 1 + len(lists.ours)

    def choose(costs: Distances) -> dict[int, int]:
        most = int(threshold * costs.unit)
        return costs.best(lambda cost: pair + (cost == 0) if cost <= most else 0)

    pairs, _ = lists.near(BY_CHARACTERS, choose)
    return verdicts(lists.labels, pairs, lists.slot, rows_of("entity"))


def _oi(lists: Lists, _: Settings) -> Iterator[Verdict]:
    for name, distance in (("ecer", BY_CHARACTERS), ("ewer", BY_WORDS)):
        yield from _error_rate(lists, name, distance)


def _error_rate(lists: Lists, name: str, distance: Callable[..., Distances]) -> Iterator[Verdict]:
    """The verdicts of one figure: one left on one side and one left on the other are one slot."""
    near, apart = lists.near(distance, lambda costs: costs.best(lambda cost: costs.unit - cost))
    taken = {*near.values()}
    ours, theirs = lists.labels
    left = sorted((r for r in range(len(ours)) if r not in near), key=ours.__getitem__)
    others = sorted((h for h in range(len(theirs)) if h not in taken), key=theirs.__getitem__)
    counts = rows_of(name, "inc")

    def row(r: int | None, h: int | None) -> FigureRow:
        return {name: Figure(cor=1, distance=apart[r])} if r in near else counts(r, h)

    pairs = near | dict(zip(left, others, strict=False))
    return verdicts(lists.labels, pairs, lists.slot, row)


def _slurp(lists: Lists, settings: Settings) -> Iterator[Verdict]:
    """The verdicts in the pairs by words, in those by characters, and for ``slu``."""
    choose = greedy_pairs if settings.mapping == "greedy" else least_pairs
    words, characters = (lists.near(one, choose) for one in (BY_WORDS, LONGER))
    yield from _with_distances(lists, "slu", [words, characters])
    yield from _with_distances(lists, "word", [words])
    yield from _with_distances(lists, "char", [characters])


_row = lru_cache(maxsize=1 << 12)(lambda figure, *counts: {figure: Figure(*counts)})
"""The counts of a slot in a figure; most are equal to others."""


def _with_distances(lists: Lists, figure: str, pairings: Sequence[Pairing]) -> Iterator[Verdict]:
    """The verdicts in the first pairing, with the counts of each entity in all pairings."""
    taken = [{*pairs.values()} for pairs, _ in pairings]

    def counted(r: int | None, h: int | None) -> FigureRow:
        found = [apart[r] for _, apart in pairings if r in apart]
        mis = 0 if r is None else len(pairings) - len(found)
        spu = 0 if h is None else sum(h not in others for others in taken)
        return _row(figure, len(found), 0, 0, mis, spu, sum(found))

    return verdicts(lists.labels, pairings[0][0], lists.slot, counted)


def greedy_pairs(costs: Distances) -> dict[int, int]:
    """The column of each row if each row, in order, takes the nearest column that is left."""
    left = list(range(len(costs.rows[0])))
    found = {}
    for h, row in enumerate(costs.rows[: len(left)]):
        found[h] = min(left, key=row.__getitem__)
        left.remove(found[h])
    return found


def least_pairs(costs: Distances) -> dict[int, int]:
    """The column of each row in as many pairs as possible at the least sum of distances."""
    above = costs.unit + max(map(max, costs.rows))  # no pair is worth 0: as many as possible
    return costs.best(lambda cost: above - cost)


VERDICTS: dict[str, Callable[[Lists, Settings], Iterable[Verdict]]] = {
    "slue": _slue,
    "nerval": _nerval,
    "oi": _oi,
    "slurp": _slurp,
}
"""The verdicts on the slots of a document, by scheme."""


def scorer(settings: Settings) -> Scorer:
    """The scorer of a scheme of lists."""
    takes = SCHEMES[settings.scheme].takes
    form = [("normalise", settings.texts.name)] if settings.texts != EXACT else []
    how = ((one, getattr(settings, one)) for one in ("threshold", "mapping") if takes(one))
    told = SchemeScore(
        (),
        settings=(*how, *form, *settings.reading_signature),
        words=replace(settings, through=ByWords()),
    )
    return scheme_scorer(settings, _work, lambda *_: told)


def _work(pair: Pair, settings: Settings) -> DocumentFigures:
    lists = Lists((exact(pair[0]), pair[1]), settings)
    found = VERDICTS[settings.scheme](lists, settings)
    return figures_of(pair, settings, found, labels=chain(*lists.labels))
