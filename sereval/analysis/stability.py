"""Whether the order of systems holds when the alignment criterion changes.

Kehler, Bear and Appelt (2001) scored 53 states of one system twice, with the alignment criterion
of MUC-6 and with a stricter one, and found that 90 of 1378 pairs of states changed places. Here
the same outputs are scored under a table of criteria: how far a frontier may be (tolerance), what
becomes of elements without a place (policy), and who may answer whom (pairing rule).

Their lesson is that what may be aligned and what an alignment costs are two things. So a
`Criterion` has no costs, and the costs are the same in the whole table.

Source: Kehler et al., Computational Linguistics 27(2), sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from operator import itemgetter
from typing import NamedTuple

from ..corpus.executor import THIS_PROCESS, Workers
from ..corpus.pairing import Pair
from ..documents.model import Reference
from ..errors import SerevalError
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings
from ..evaluation.signature import Signature
from ..evaluation.totals import Notes, notes_of, projected, read_choices, signed
from ..mapping.best import PAIRINGS
from ..mapping.solver import Budget
from ..measures.slots import Costs, Counts
from ..projection.project import POLICIES
from .compare import rate
from .points import Points
from .systems import Sides, Systems, loaded, notes_by_system

TOLERANCES = (0, 100, 200, 300, 500)
"""In ms, on either side of a frontier."""

AXES = ("tolerance", "pairing", "unplaceable")


@dataclass(frozen=True, slots=True)
class Criterion:
    """Decides which elements may be paired, whatever that costs.

    Args:
        tolerance: of starts and of ends, in ms; ``None``: on the same words.
        pairing: which pairs a mapping may hold.
        unplaceable: policy for elements without a place.

    >>> Criterion((300, 300), "label", "drop").differs_in(Criterion((0, 0), "word", "drop"))
    ('tolerance', 'pairing')
    """

    tolerance: tuple[int, int] | None
    pairing: str
    unplaceable: str

    def differs_in(self, other: Criterion) -> tuple[str, ...]:
        """The axes on which two criteria are not the same."""
        return tuple(axis for axis in AXES if getattr(self, axis) != getattr(other, axis))


@dataclass(frozen=True, slots=True)
class Scored:
    """The counts of each system under one criterion, by system in the order of names."""

    criterion: Criterion
    counts: Mapping[str, Counts]


@dataclass(frozen=True, slots=True)
class Swing:
    """How the difference of two systems moves with the criterion.

    Args:
        rates: slot error rate of the first less that of the second, by criterion; criteria under
            which one is undefined are left out.
        base: the criterion that was asked for.
    """

    first: str
    second: str
    rates: Mapping[Criterion, Fraction]
    base: Criterion

    def flips(self, *axes: str) -> bool:
        """Whether one system is better under one criterion and the other under another.

        Args:
            axes: only criteria that differ from the base on these; without any: all criteria.
        """
        moved = [
            gap
            for criterion, gap in self.rates.items()
            if not axes or set(criterion.differs_in(self.base)) <= set(axes)
        ]
        return any(rate < 0 for rate in moved) and any(rate > 0 for rate in moved)

    @property
    def least(self) -> Criterion | None:
        """Where the first does best against the second; of several the first in the table."""
        return min(self.rates, key=lambda criterion: self.rates[criterion], default=None)

    @property
    def greatest(self) -> Criterion | None:
        """Where the second does best against the first."""
        return max(self.rates, key=lambda criterion: self.rates[criterion], default=None)

    @property
    def size(self) -> Fraction | None:
        """How far the difference moves over the table."""
        if self.least is None or self.greatest is None:
            return None
        return self.rates[self.greatest] - self.rates[self.least]


@dataclass(frozen=True, slots=True)
class Credit:
    """The cost saved by the rule `word` against `label`, all else as asked for.

    Args:
        word, label: total cost under either pairing rule.
        alone: total cost if nothing were paired, every element a deletion or an insertion.
        ref: reference slots.
    """

    word: Fraction
    label: Fraction
    alone: Fraction
    ref: int

    @property
    def rate(self) -> Fraction | None:
        """The credit as part of the slot error rate."""
        return (self.label - self.word) / self.ref if self.ref else None

    @property
    def share(self) -> Fraction | None:
        """The credit as a share of all that pairs save under `word`."""
        saved = self.alone - self.word
        return (self.label - self.word) / saved if saved else None


@dataclass(frozen=True, slots=True)
class Stability:
    """The systems of one condition under a table of criteria.

    Args:
        name: of the condition.
        base: the criterion that was asked for; it is in the table.
        costs: the same under all criteria.
        signature: of the evaluations that were asked for.
        table: by tolerance, pairing rule, policy.
        free: neutral elements of each system, as asked for: ``free_D`` and ``free_I``.
        read: the notes of the readers, a sentence each.
    """

    name: str
    base: Criterion
    costs: Costs
    signature: Signature
    table: tuple[Scored, ...]
    free: Mapping[str, Counts] = field(default_factory=dict)
    read: tuple[str, ...] = ()

    @property
    def systems(self) -> list[str]:
        """In the order of names."""
        return list(self.table[0].counts)

    @property
    def swings(self) -> list[Swing]:
        """All pairs of systems, in the order of names."""
        return [self._swing(a, b) for a, b in combinations(self.systems, 2)]

    def flipped(self, criterion: Criterion) -> int:
        """How many pairs are the other way round than as asked for: Kehler's own figure.

        A pair that is level under one of the two criteria is not.
        """
        both = [
            [rate(scored.counts[name], self.costs) for name in self.systems]
            for scored in (self.at(self.base), self.at(criterion))
        ]
        rates = [
            (asked, other)
            for asked, other in zip(*both, strict=True)
            if asked is not None and other is not None
        ]
        return sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in combinations(rates, 2))

    def _swing(self, a: str, b: str) -> Swing:
        rates = {}
        for scored in self.table:
            of_a, of_b = (rate(scored.counts[name], self.costs) for name in (a, b))
            if of_a is not None and of_b is not None:
                rates[scored.criterion] = of_a - of_b
        return Swing(a, b, rates, self.base)

    def order(self, scored: Scored) -> list[tuple[str, ...]]:
        """Systems from the best to the worst; those of equal rates together."""
        rates = {
            name: exact
            for name, counts in scored.counts.items()
            if (exact := rate(counts, self.costs)) is not None
        }
        return [
            tuple(name for name in rates if rates[name] == exact)
            for exact in sorted(set(rates.values()))
        ]

    def at(self, criterion: Criterion) -> Scored:
        """The row of a criterion."""
        return next(scored for scored in self.table if scored.criterion == criterion)

    def credit(self, system: str) -> Credit:
        """The credit that `word` gives a system and `label` does not."""
        costs = self.costs
        word, label = (
            self.at(replace(self.base, pairing=pairing)).counts[system]
            for pairing in ("word", "label")
        )
        alone = Counts(D=word.ref, I=word.hyp) + self.free.get(system, Counts())
        return Credit(word.cost(costs), label.cost(costs), alone.cost(costs), word.ref)


def stability(
    name: str,
    systems: Mapping[str, Sides],
    settings: Settings,
    *,
    workers: Workers = THIS_PROCESS,
    watch: Callable[[Sequence[Pair]], Iterable[Pair]] = iter,
) -> Stability:
    """Score systems under every criterion that means something for them.

    On the same words there is no tolerance, and an exact reference has no unplaceable elements:
    there only the pairing rule is left. A fuzzy reference from a file cannot be merged.

    Same counts as ``evaluate`` with each criterion; a document is projected once for all pairing
    rules, and what ``sweep`` shares between tolerances is shared.

    Args:
        name: of the condition.
        systems: references and hypotheses of each.
        settings: those asked for; their criterion is the base, and joins the table if it is not
            in it. Costs, scheme, neutral labels and the treatment of missing hypotheses hold for
            all criteria.
        workers: who scores the documents; it changes no digit.
        watch: sees the pairs of documents of all systems go by once, to show progress.

    >>> from sereval import Document, tree
    >>> reference = [Document("d", ("la", "Russie"), tree([("loc", 1, 2)]))]
    >>> luck = [Document("d", ("la", "Russie"), tree([("amount", 0, 2)]))]
    >>> found = stability("manual", {"luck": (reference, luck)}, Settings())
    >>> [(row.criterion.pairing, row.counts["luck"].ser(Costs())) for row in found.table]
    [('word', 1.0), ('half', 1.0), ('label', 2.0)]
    """
    of_all = loaded(systems, replace(settings, through=None), workers=workers, watch=watch)
    return stability_of(name, of_all, settings)


def stability_of(name: str, systems: Systems, settings: Settings) -> Stability:
    """Score systems under every criterion, in memory or read by turns.

    Args:
        name, settings: as for :func:`stability`.
        systems: in the order of names.

    Raises:
        SerevalError: as ``evaluate``; no system.
    """
    if not systems.names:
        raise SerevalError("nothing to score, expected at least one system")
    base = Criterion(settings.tolerance, settings.pairing, settings.unplaceable)
    settings = replace(settings, through=None, is_bound=False)
    names = sorted({*systems.names})
    totals: dict[str, dict[Criterion, Counts]] = {system: {} for system in names}
    free = dict.fromkeys(names, Counts())
    ways: list[str | None] = []
    notes: list[tuple[str, Notes]] = []
    for system, found in systems.each(partial(_scored, base=base, settings=settings)):
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
        signed(settings, (*projected(ways), *choices), None),
        tuple(
            Scored(criterion, {system: totals[system][criterion] for system in names})
            for criterion in criteria(base, fuzzy=fuzzy)
        ),
        free,
        notes_by_system(sorted(notes, key=itemgetter(0))),
    )


def _free(pair: Pair, settings: Settings) -> Counts:
    """The elements of either side of one document that are neutral."""
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
        counts: under each criterion.
        free: its neutral elements.
        way: how its reference says that it was made; ``None``: it is not fuzzy.
        notes: of its readers.
    """

    counts: Mapping[Criterion, Counts]
    free: Counts
    way: str | None
    notes: Notes


def _scored(pair: Pair, base: Criterion, settings: Settings) -> _Document:
    """The counts of one document under each criterion; a projection serves all pairing rules.

    The rule whose searches come upon the most states is tried first: a document that is refused is
    refused by it, mostly, and nothing is searched in vain.
    """
    reference = pair[0]
    fuzzy = isinstance(reference, Reference)
    table = criteria(base, fuzzy=fuzzy)
    tolerances = list(dict.fromkeys(criterion.tolerance for criterion in table))
    pairings = {criterion.pairing: PAIRINGS[criterion.pairing] for criterion in table}
    hardest_first = sorted(pairings, key=lambda pairing: not pairings[pairing].half)
    found: dict[Criterion, Counts] = {}
    budget = Budget(0)  # of all ways together
    for policy in dict.fromkeys(criterion.unplaceable for criterion in table):
        of = replace(settings, unplaceable=policy)
        both = [projection(*pair, replace(of, tolerance=tolerance)) for tolerance in tolerances]
        projected = [reference for reference, _ in both]
        points = Points(projected, both[0][1], settings.nearness, budget)
        for pairing in hardest_first:
            counted = points.counts(replace(of, pairing=pairing))
            for tolerance, counts in zip(tolerances, counted, strict=True):
                found[Criterion(tolerance, pairing, policy)] = counts
    if not fuzzy:  # nothing is unplaceable on the same words: all policies are alike
        for criterion in criteria(base, fuzzy=True):
            alike = replace(criterion, unplaceable=base.unplaceable)
            found.setdefault(criterion, found[alike])
    way = reference.projection if isinstance(reference, Reference) else None
    return _Document(found, _free(pair, settings), way, notes_of(pair))


def criteria(base: Criterion, *, fuzzy: bool = False) -> list[Criterion]:
    """The table of criteria, by tolerance, pairing rule and policy.

    Args:
        base: what was asked for.
        fuzzy: whether references are fuzzy ones from a file.

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
