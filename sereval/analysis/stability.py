"""Stability: whether the ranking of systems survives a change of the alignment criterion.

Kehler, Bear and Appelt (2001) scored 53 states of one system twice, with the alignment criterion
of MUC-6 and with a stricter one, and found that 90 of 1378 pairs of states changed places. Here
the same outputs are scored under a table of criteria. A criterion is a tolerance, a pairing rule
(which elements may be paired) and a policy for unplaceable elements.

Kehler et al. separate what may be aligned from what an alignment costs. So a `Criterion` has no
costs, and the costs are the same in the whole table.

Source: Kehler et al., Computational Linguistics 27(2), sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from operator import itemgetter
from typing import Any, NamedTuple

from ..corpus.corpus import Corpus
from ..corpus.pairs import Pair, apart
from ..documents.model import Reference
from ..errors import SerevalError
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings, Signature
from ..evaluation.totals import Notes, notes_of, projection_part, read_choices, signature_of
from ..mapping.best import PAIRINGS, Budget
from ..measures.slots import Costs, Counts
from ..projection.project import POLICIES
from ..render.chart import marks
from ..render.report import Report, Reported
from .compare import rate
from .points import Points
from .stability_report import AXES, criterion_names, report_of
from .systems import notes_by_system

TOLERANCES = (0, 100, 200, 300, 500)
"""The tolerances of the table in ms, on either side of a frontier."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """The rules that decide which elements may be paired, apart from costs.

    Args:
        tolerance: the tolerances of starts and of ends, in ms; ``None``: both sides have the same
            words.
        pairing: the rule for the pairs of a mapping.
        unplaceable: the policy for unplaceable elements.

    >>> Criterion((300, 300), "label", "drop").differs_in(Criterion((0, 0), "word", "drop"))
    ('tolerance', 'pairing')
    """

    tolerance: tuple[int, int] | None
    pairing: str
    unplaceable: str

    def differs_in(self, other: Criterion) -> tuple[str, ...]:
        """The axes on which two criteria differ."""
        return tuple(axis for axis in AXES if getattr(self, axis) != getattr(other, axis))


@dataclass(frozen=True, slots=True)
class CriterionCounts:
    """The counts of each system under one criterion.

    Args:
        criterion: the criterion.
        counts: the counts by system, in the order of names.

    >>> from sereval import stability
    >>> found = stability([["B-PER"]], {"crf": [["B-LOC"]]})
    >>> found.at(found.base).counts["crf"].S_T
    1
    """

    criterion: Criterion
    counts: Mapping[str, Counts]


@dataclass(frozen=True, slots=True)
class Swing:
    """How the difference of two systems changes with the criterion.

    Args:
        first, second: the names of the systems.
        rates: by criterion, the slot error rate of the first less that of the second. Criteria
            under which a rate is undefined are left out.
        base: the requested criterion.

    >>> from sereval import stability
    >>> [swing] = stability([["B-PER"]], {"crf": [["B-LOC"]], "rules": [["O"]]}).swings
    >>> swing.first, swing.second, swing.size, swing.flips()
    ('crf', 'rules', Fraction(0, 1), False)
    """

    first: str
    second: str
    rates: Mapping[Criterion, Fraction]
    base: Criterion

    def flips(self, *axes: str) -> bool:
        """Whether one system is better under one criterion and the other under another.

        Args:
            axes: use only criteria that differ from the base on no other axes; without axes: all
                criteria.
        """
        moved = [
            gap
            for criterion, gap in self.rates.items()
            if not axes or set(criterion.differs_in(self.base)) <= set(axes)
        ]
        return any(rate < 0 for rate in moved) and any(rate > 0 for rate in moved)

    @property
    def least(self) -> Criterion | None:
        """The criterion that favours the first system most; of several, the first in the table.

        Like ``greatest`` and ``size`` it is ``None`` if no criterion has a rate for both systems.
        """
        return min(self.rates, key=lambda criterion: self.rates[criterion], default=None)

    @property
    def greatest(self) -> Criterion | None:
        """The criterion that favours the second system most."""
        return max(self.rates, key=lambda criterion: self.rates[criterion], default=None)

    @property
    def size(self) -> Fraction | None:
        """The range of the difference over the table."""
        if self.least is None or self.greatest is None:
            return None
        return self.rates[self.greatest] - self.rates[self.least]


@dataclass(frozen=True, slots=True)
class Credit:
    """The cost that the pairing rule ``word`` saves compared with ``label``, all else as requested.

    Args:
        word, label: the total cost under either pairing rule.
        alone: the total cost without pairs, where every element is a deletion or an insertion.
        ref: the number of reference slots.

    >>> from sereval import stability
    >>> found = stability([["B-PER", "I-PER"]], {"crf": [["O", "B-LOC"]]})
    >>> credit = found.credit("crf")
    >>> credit.word, credit.label, credit.rate
    (Fraction(1, 1), Fraction(2, 1), Fraction(1, 1))
    """

    word: Fraction
    label: Fraction
    alone: Fraction
    ref: int

    @property
    def rate(self) -> Fraction | None:
        """The credit as part of the slot error rate; ``None`` if the reference has no slot."""
        return (self.label - self.word) / self.ref if self.ref else None

    @property
    def share(self) -> Fraction | None:
        """The credit as a share of the cost that all pairs save under ``word``.

        It is ``None`` if they save nothing.
        """
        saved = self.alone - self.word
        return (self.label - self.word) / saved if saved else None


@dataclass(frozen=True, slots=True, repr=False)
class Stability(Reported):
    """The systems of one condition under a table of criteria.

    Args:
        name: the name of the condition.
        base: the requested criterion, which is in the table.
        costs: the costs under all criteria.
        signature: the signature of the requested evaluations.
        table: the counts by tolerance, pairing rule and policy.
        free: the neutral elements of each system under the base: ``free_D`` and ``free_I``.
        read: the notes of the readers, a sentence each.

    >>> from sereval import stability
    >>> found = stability([["B-PER"]], {"crf": [["B-LOC"]], "rules": [["O"]]})
    >>> found.order(found.at(found.base)), found.swings[0].flips()
    ([('crf',), ('rules',)], False)
    """

    name: str
    base: Criterion
    costs: Costs
    signature: Signature
    table: tuple[CriterionCounts, ...]
    free: Mapping[str, Counts] = field(default_factory=dict)
    read: tuple[str, ...] = ()

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in order."""
        return list(self.table[0].counts)

    @property
    def swings(self) -> list[Swing]:
        """The swing of each pair of systems, in the order of names."""
        table = [(counts.criterion, self._rates(counts)) for counts in self.table]
        return [
            Swing(a, b, {c: of[a] - of[b] for c, of in table if a in of and b in of}, self.base)
            for a, b in combinations(self.systems, 2)
        ]

    def count_flips(self, criterion: Criterion) -> int:
        """The number of pairs of systems whose order differs from the order under the base.

        A pair with equal rates under one of the two criteria does not count.

        Args:
            criterion: a criterion of the table.

        >>> from sereval import stability
        >>> found = stability([["B-PER"]], {"crf": [["B-LOC"]], "rules": [["O"]]})
        >>> found.count_flips(found.base)
        0

        Source: Kehler et al. 2001.
        """
        base, other = (self._rates(self.at(one)) for one in (self.base, criterion))
        return sum(
            (base[a] - base[b]) * (other[a] - other[b]) < 0
            for a, b in combinations(base.keys() & other.keys(), 2)
        )

    def _rates(self, row: CriterionCounts) -> dict[str, Fraction]:
        """The slot error rate of each system for which it is defined."""
        rates = {name: rate(counts, self.costs) for name, counts in row.counts.items()}
        return {name: exact for name, exact in rates.items() if exact is not None}

    def order(self, row: CriterionCounts) -> list[tuple[str, ...]]:
        """The systems from the best to the worst; systems with equal rates stand together."""
        rates = self._rates(row)
        return [
            tuple(name for name in rates if rates[name] == exact)
            for exact in sorted(set(rates.values()))
        ]

    def at(self, criterion: Criterion) -> CriterionCounts:
        """The row of a criterion, which must be in the table."""
        return next(row for row in self.table if row.criterion == criterion)

    def credit(self, system: str) -> Credit:
        """The cost that ``word`` saves a system and ``label`` does not.

        Args:
            system: the name of the system.
        """
        costs = self.costs
        word, label = (
            self.at(replace(self.base, pairing=pairing)).counts[system]
            for pairing in ("word", "label")
        )
        alone = Counts(D=word.ref, I=word.hyp) + self.free.get(system, Counts())
        return Credit(word.cost(costs), label.cost(costs), alone.cost(costs), word.ref)

    def report(self) -> Report:
        """The order of the systems under each criterion, and what moves it."""
        return report_of([self])

    def plot(self) -> Any:
        """The rates under each criterion as a figure of ``matplotlib``.

        Raises:
            SerevalError: matplotlib is not installed (extra ``plot``).
        """
        names = [
            f"{' '.join(criterion_names(row.criterion))}{' (base)' * (row.criterion == self.base)}"
            for row in self.table
        ]
        series: dict[str, dict[str, list[float]]] = {name: {} for name in self.systems}
        for name, row in zip(names, self.table, strict=True):
            for system, exact in self._rates(row).items():
                series[system][name] = [100 * float(exact)] * 3
        return marks("slot error rate (%)", names, series)


def stability(name: str, systems: Corpus, settings: Settings) -> Stability:
    """Score systems under every criterion that applies to them.

    On the same words there is no tolerance, and an exact reference has no unplaceable elements, so
    that only the pairing rule varies. ``merge`` does not apply to a fuzzy reference from a file.

    The counts equal those of ``evaluate`` under each criterion. All pairing rules share one
    projection, and the tolerances share work as those of ``sweep`` do.

    Args:
        name: the name of the condition.
        systems: the documents of the systems.
        settings: the requested settings. Their criterion is the base; the table contains it. Costs,
            scheme and neutral labels hold for all criteria.

    Returns:
        The counts of each system under each criterion, in the order of :func:`criteria`.

    Raises:
        SerevalError: as ``evaluate``; there is no system.

    >>> from sereval import Document, tree
    >>> from ..corpus.corpus import corpus_of
    >>> reference = [Document("d", ("la", "Russie"), tree([("loc", 1, 2)]))]
    >>> output = [Document("d", ("la", "Russie"), tree([("amount", 0, 2)]))]
    >>> found = stability("manual", corpus_of(reference, {"crf": output}), Settings())
    >>> [(row.criterion.pairing, row.counts["crf"].ser(Costs())) for row in found.table]
    [('word', 1.0), ('half', 1.0), ('label', 2.0)]
    """
    if not systems.systems:
        raise SerevalError("nothing to score, expected at least one system")
    base = Criterion(settings.tolerance, settings.pairing, settings.unplaceable)
    settings = replace(settings, through=None, is_bound=False)
    names = sorted(systems.systems)
    totals: dict[str, dict[Criterion, Counts]] = {system: {} for system in names}
    free = dict.fromkeys(names, Counts())
    ways: list[str | None] = []
    notes: list[tuple[str, Notes]] = []
    work = partial(apart, work=partial(_score, base=base, settings=settings))
    for system, found in systems.each(work):
        free[system] += found.free
        ways.append(found.way)
        notes.append((system, found.notes))
        for criterion, counts in found.counts.items():
            totals[system][criterion] = totals[system].get(criterion, Counts()) + counts
    choices = read_choices(both for _, both in notes)
    fuzzy = any(way is not None for way in ways)
    return Stability(
        name,
        base,
        settings.costs,
        signature_of(settings, (*projection_part(ways), *choices)),
        tuple(
            CriterionCounts(criterion, {system: totals[system][criterion] for system in names})
            for criterion in criteria(base, fuzzy=fuzzy)
        ),
        free,
        notes_by_system(sorted(notes, key=itemgetter(0))),
    )


def _free(pair: Pair, settings: Settings) -> Counts:
    """The number of neutral elements on each side of one document."""
    if not settings.neutral:
        return Counts()
    reference, hypothesis = projection(*pair, settings)
    missed = [lost.element for lost in reference.unplaceable if lost.fate == "missed"]
    ours = sum(element.label in settings.neutral for element in (*reference.elements, *missed))
    theirs = sum(element.label in settings.neutral for element in hypothesis.elements)
    return Counts(free_D=ours, free_I=theirs)


class _Document(NamedTuple):
    """What one document adds to the table.

    Args:
        counts: its counts under each criterion.
        free: its neutral elements.
        way: the way of projection that its fuzzy reference names; ``None``: it is not fuzzy.
        notes: the notes of its readers.
    """

    counts: Mapping[Criterion, Counts]
    free: Counts
    way: str | None
    notes: Notes


def _score(pair: Pair, base: Criterion, settings: Settings) -> _Document:
    """Count one document under each criterion; all pairing rules share a projection.

    The pairing rule whose searches meet the most states comes first. A document whose search is
    too large is then usually refused before any other search has run.
    """
    reference = pair[0]
    fuzzy = isinstance(reference, Reference)
    table = criteria(base, fuzzy=fuzzy)
    tolerances = list(dict.fromkeys(criterion.tolerance for criterion in table))
    pairings = {criterion.pairing: PAIRINGS[criterion.pairing] for criterion in table}
    hardest_first = sorted(pairings, key=lambda pairing: not pairings[pairing].half)
    found: dict[Criterion, Counts] = {}
    budget = Budget(0)  # all ways share it
    for policy in dict.fromkeys(criterion.unplaceable for criterion in table):
        of = replace(settings, unplaceable=policy)
        both = [projection(*pair, replace(of, tolerance=tolerance)) for tolerance in tolerances]
        projected = [reference for reference, _ in both]
        points = Points(projected, both[0][1], settings.nearness, budget)
        for pairing in hardest_first:
            counted = points.counts(replace(of, pairing=pairing))
            for tolerance, counts in zip(tolerances, counted, strict=True):
                found[Criterion(tolerance, pairing, policy)] = counts
    if not fuzzy:  # on the same words no element is unplaceable, so policies do not differ
        for criterion in criteria(base, fuzzy=True):
            alike = replace(criterion, unplaceable=base.unplaceable)
            found.setdefault(criterion, found[alike])
    way = reference.projection if isinstance(reference, Reference) else None
    return _Document(found, _free(pair, settings), way, notes_of(pair))


def criteria(base: Criterion, *, fuzzy: bool = False) -> list[Criterion]:
    """The criteria of the table, by tolerance, pairing rule and policy.

    Args:
        base: the requested criterion.
        fuzzy: whether the references are fuzzy references from a file.

    >>> len(criteria(Criterion((300, 300), "word", "drop")))
    45
    """
    tolerances: list[tuple[int, int] | None] = [base.tolerance]
    policies = [base.unplaceable]
    if base.tolerance is not None:
        tolerances = [*sorted({*((ms, ms) for ms in TOLERANCES), base.tolerance})]
        policies = list(POLICIES)
    elif fuzzy:
        policies = [policy for policy in POLICIES if policy != "merge"]
    return [Criterion(*row) for row in product(tolerances, PAIRINGS, policies)]
