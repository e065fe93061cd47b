"""Several responses to one key, such as the states of a system, under several criteria.

Kehler et al. scored 53 states of one system under the criterion of MUC-6 and under a stricter one.
They asked how far the scores change, for the whole set and by document, and whether both criteria
call the same changes of the system improvements. This module computes their figures: the changes,
and the pairs of states whose order *flips*, because one criterion says that the second state is
better than the first and the other says that it is worse.

Source: Kehler et al. 2001, sections 4.2 and 4.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

from ..corpus.executor import THIS_PROCESS, Workers
from ..errors import SerevalError
from ..measures.figures import Figure, total
from ..schemes.result import SchemeScore
from .align import CRITERIA, TABLE_1
from .model import TemplateDocument
from .score import FILLS, TemplatePair, TemplateSettings, score_templates

BANDS = (Fraction(1, 100), Fraction(2, 100))
"""The borders of the sizes of differences: below 1 point, from 1 to 2, above 2 (section 4.3.2)."""


class Flip(NamedTuple):
    """A pair of responses whose order depends on the criterion.

    Args:
        first, second: the names of the responses.
        base, other: how much greater the F of the second is than that of the first under either
            criterion; one is positive, the other negative.
    """

    first: str
    second: str
    base: Fraction
    other: Fraction

    @property
    def size(self) -> Fraction:
        """The difference between the two changes."""
        return abs(self.other - self.base)


@dataclass(frozen=True)
class Contrast:
    """The F of each response under two criteria, over all documents or in one.

    Args:
        rates: by response, its F under the base and under the other criterion; responses without
            an F are left out.
    """

    rates: Mapping[str, tuple[Fraction, Fraction]]

    @property
    def changes(self) -> dict[str, Fraction]:
        """The F under the other criterion less that under the base, by response."""
        return {name: other - base for name, (base, other) in self.rates.items()}

    @property
    def lower(self) -> list[Fraction]:
        """How much lower F is under the other criterion, for each response with a lower F."""
        return [-change for change in self.changes.values() if change < 0]

    @property
    def higher(self) -> list[Fraction]:
        """How much higher F is under the other criterion, for each response with a higher F."""
        return [change for change in self.changes.values() if change > 0]

    @property
    def pairs(self) -> int:
        """The number of pairs of responses."""
        return comb(len(self.rates), 2)

    @cached_property
    def flips(self) -> list[Flip]:
        """The pairs whose order flips, the greatest difference first, then in their order."""
        found = []
        for first, second in combinations(self.rates, 2):
            base, other = (self.rates[second][way] - self.rates[first][way] for way in range(2))
            if base * other < 0:
                found.append(Flip(first, second, base, other))
        return sorted(found, key=lambda flip: -flip.size)


def bands(sizes: Sequence[Fraction]) -> tuple[int, int, int]:
    """How many differences are less than 1 point, from 1 to 2 points, and more than 2."""
    small, large = (sum(size < BANDS[0] for size in sizes), sum(size > BANDS[1] for size in sizes))
    return small, len(sizes) - small - large, large


class Spread(NamedTuple):
    """Some sizes: how many, the least, the greatest and the mean; without a size ``None``."""

    number: int
    least: Fraction | None = None
    greatest: Fraction | None = None
    mean: Fraction | None = None

    @classmethod
    def of(cls, sizes: Iterable[Fraction]) -> Spread:
        """The spread of some sizes."""
        found = [*sizes]
        if not found:
            return cls(0)
        return cls(len(found), min(found), max(found), sum(found, Fraction()) / len(found))


@dataclass(frozen=True)
class Contrasts:
    """Two criteria on the same responses, over all documents and by document.

    Args:
        base, other: the places of the criteria in ``Responses.criteria``.
        whole: the rates over all documents.
        documents: the rates in each document that has a fill in the key, by id.
    """

    base: int
    other: int
    whole: Contrast
    documents: Mapping[str, Contrast]

    def spread(self, read: Callable[[Contrast], Iterable[Fraction]]) -> Spread:
        """The spread over all documents of the sizes that ``read`` gives of one."""
        return Spread.of(size for each in self.documents.values() for size in read(each))

    def number(self, read: Callable[[Contrast], Sequence[object]]) -> int:
        """The number of documents that have some of what ``read`` gives."""
        return sum(bool(read(each)) for each in self.documents.values())


@dataclass(frozen=True)
class Responses:
    """The scores of several responses to one key under several criteria.

    Args:
        criteria: the settings of each criterion; the first is the base of the contrasts.
        scores: by response, its score under each criterion, in the same order.
    """

    criteria: tuple[TemplateSettings, ...]
    scores: Mapping[str, tuple[SchemeScore, ...]]

    @property
    def beta(self) -> float:
        """The weight of recall in F."""
        return self.criteria[0].beta

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on the figures; one that is not about all responses begins with its response."""
        found: dict[str, dict[str, None]] = {}
        for name, scores in self.scores.items():
            for note in (note for score in scores for note in score.notes):
                found.setdefault(note, {})[name] = None
        shared = len(self.scores)
        lines = (
            [note] if len(n) == shared else [f"{one}: {note}" for one in n]
            for note, n in found.items()
        )
        return tuple(line for each in lines for line in each)

    def figure(self, response: str, way: int, document: str | None = None) -> Figure:
        """The figure of a response under a criterion, over all documents or in one."""
        score = self.scores[response][way]
        rows = score.documents.values() if document is None else [score.documents[document]]
        return total(row[FILLS] for labels in rows for row in labels.values())

    @cached_property
    def contrasts(self) -> list[Contrasts]:
        """The base against each of the other criteria."""
        ids = dict.fromkeys(id for scores in self.scores.values() for id in scores[0].documents)
        # without a fill in the key recall is undefined
        relevant = [
            id
            for id in ids
            if any(self.figure(name, 0, id).possible for name in self._with_document(id))
        ]
        return [
            Contrasts(
                0,
                other,
                self._contrast(other, None),
                {id: self._contrast(other, id) for id in relevant},
            )
            for other in range(1, len(self.criteria))
        ]

    def _with_document(self, document: str | None) -> list[str]:
        """The responses whose scores have a document; ``None``: all."""
        return [n for n, s in self.scores.items() if document is None or document in s[0].documents]

    def _contrast(self, other: int, document: str | None) -> Contrast:
        found = {}
        for name in self._with_document(document):
            one, two = (
                f_measure(self.figure(name, way, document), self.beta) for way in (0, other)
            )
            if one is not None and two is not None:
                found[name] = (one, two)
        return Contrast(found)


def f_measure(figure: Figure, beta: float) -> Fraction | None:
    """The exact F-measure; ``None`` if both sides are empty."""
    weight = Fraction(beta) ** 2
    below = weight * figure.possible + figure.actual
    return (1 + weight) * (figure.cor + Fraction(figure.par, 2)) / below if below else None


def criteria(settings: TemplateSettings, algorithms: Iterable[str]) -> tuple[TemplateSettings, ...]:
    """The settings under each criterion with each algorithm, those asked for first."""
    ways = (
        replace(
            settings,
            criterion=criterion,
            alignment=algorithm,
            low_entropy=settings.low_entropy if criterion == "restrictive" else TABLE_1,
        )
        for algorithm in algorithms
        for criterion in CRITERIA
    )
    asked = settings.criterion, settings.alignment
    return tuple(sorted(ways, key=lambda way: (way.criterion, way.alignment) != asked))


def score_responses(
    keys: Sequence[TemplateDocument],
    responses: Mapping[str, Sequence[TemplateDocument]],
    criteria: Sequence[TemplateSettings],
    *,
    workers: Workers = THIS_PROCESS,
    watch: Callable[[Sequence[TemplatePair]], Iterable[TemplatePair]] = iter,
) -> Responses:
    """Score several responses to one key under several criteria."""
    scores = {}
    for name, response in responses.items():
        try:
            scores[name] = tuple(
                score_templates(keys, response, settings, workers=workers, watch=watch).scheme
                for settings in criteria
            )
        except SerevalError as error:
            raise SerevalError(f"{name}: {error}") from None
    return Responses(tuple(criteria), scores)
