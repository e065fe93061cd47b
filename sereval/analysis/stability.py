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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import comb
from operator import itemgetter
from typing import Any, NamedTuple

from ..corpus.corpus import Corpus, Pair, apart
from ..documents.model import Reference
from ..errors import SerevalError, one_line
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings, Signature
from ..evaluation.totals import (
    Notes,
    notes_by_system,
    notes_of,
    projection_part,
    read_choices,
    signature_of,
)
from ..mapping.best import PAIRINGS, Budget
from ..measures.slots import Costs, Counts
from ..projection.project import POLICIES, tolerance_text
from ..render.chart import marks
from ..render.report import Report, Reported, filled, rows
from ..render.text import lines, percent, points
from .points import Points, ser

TOLERANCES = (0, 100, 200, 300, 500)
"""The tolerances of the table in ms, on either side of a frontier."""


class Criterion(NamedTuple):
    """The rules that decide which elements may be paired, apart from costs.

    Args:
        tolerance: the tolerances of starts and of ends, in ms; ``None``: both sides have the same
            words.
        pairing: the rule for the pairs of a mapping.
        unplaceable: the policy for unplaceable elements.
    """

    tolerance: tuple[int, int] | None
    pairing: str
    unplaceable: str

    @property
    def names(self) -> tuple[str, str, str]:
        """The three as text."""
        return tolerance_text(self.tolerance), self.pairing, self.unplaceable


AXES = Criterion._fields
"""The parts of a criterion."""

Row = Mapping[str, Counts]
"""The counts of each system under one criterion, in the order of names."""


class Swing(NamedTuple):
    """How the difference of two systems changes with the criterion.

    Args:
        first, second: the names of the systems.
        rates: by criterion, the slot error rate of the first less that of the second. Criteria
            under which a rate is undefined are left out.
        base: the requested criterion.
    """

    first: str
    second: str
    rates: Mapping[Criterion, Fraction]
    base: Criterion

    def flips(self, *axes: str) -> bool:
        """Whether one system is better under one criterion and the other under another."""
        moved = [
            gap
            for criterion, gap in self.rates.items()
            if not axes
            or all(getattr(criterion, a) == getattr(self.base, a) for a in {*AXES} - {*axes})
        ]
        return any(gap < 0 for gap in moved) and any(gap > 0 for gap in moved)

    @property
    def ends(self) -> tuple[Criterion | None, Criterion | None]:
        """The criteria that favour the first system and the second most, the first of several."""
        return (
            min(self.rates, key=self.rates.__getitem__, default=None),
            max(self.rates, key=self.rates.__getitem__, default=None),
        )

    @property
    def size(self) -> Fraction | None:
        """The range of the difference over the table."""
        gaps = self.rates.values()
        return max(gaps) - min(gaps) if gaps else None


class Credit(NamedTuple):
    """The cost that the pairing rule ``word`` saves compared with ``label``, all else as requested.

    Args:
        word, label: the total cost under either pairing rule.
        rate: the credit as part of the slot error rate; ``None`` if the reference has no slot.
        share: the credit as a share of the cost that all pairs save under ``word``, compared with
            deletions and insertions only; ``None`` if they save nothing.
        ref: the number of reference slots.
    """

    word: Fraction
    label: Fraction
    rate: Fraction | None
    share: Fraction | None
    ref: int


@dataclass(frozen=True, slots=True, repr=False)
class Stability(Reported):
    """The systems of one condition under a table of criteria.

    Args:
        name: the name of the condition.
        base: the requested criterion, which is in the table.
        costs: the costs under all criteria.
        signature: the signature of the requested evaluations.
        table: the counts of each system by criterion.
        free: the neutral elements of each system under the base: ``free_D`` and ``free_I``.
        read: the notes of the readers, a sentence each.

    >>> from sereval import stability
    >>> found = stability([["B-PER"]], {"crf": [["B-LOC"]], "rules": [["O"]]})
    >>> found.order(found.base), found.swings[0].flips()
    ([('crf',), ('rules',)], False)
    """

    name: str
    base: Criterion
    costs: Costs
    signature: Signature
    table: Mapping[Criterion, Row]
    free: Mapping[str, Counts] = field(default_factory=dict)
    read: tuple[str, ...] = ()

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in order."""
        return list(self.table[self.base])

    @property
    def swings(self) -> list[Swing]:
        """The swing of each pair of systems, in the order of names."""
        table = {criterion: self.rates(criterion) for criterion in self.table}
        return [
            Swing(
                a,
                b,
                {c: of[a] - of[b] for c, of in table.items() if a in of and b in of},
                self.base,
            )
            for a, b in combinations(self.systems, 2)
        ]

    def rates(self, criterion: Criterion) -> dict[str, Fraction]:
        """The slot error rate of each system for which it is defined."""
        rates = {name: ser(counts, self.costs) for name, counts in self.table[criterion].items()}
        return {name: exact for name, exact in rates.items() if exact is not None}

    def count_flips(self, criterion: Criterion) -> int:
        """The number of pairs of systems whose order differs from that under the base.

        A pair with equal rates under one of the two criteria does not count (Kehler et al. 2001).
        """
        base, other = self.rates(self.base), self.rates(criterion)
        return sum(
            (base[a] - base[b]) * (other[a] - other[b]) < 0
            for a, b in combinations(base.keys() & other.keys(), 2)
        )

    def order(self, criterion: Criterion) -> list[tuple[str, ...]]:
        """The systems from the best to the worst; systems with equal rates stand together."""
        rates = self.rates(criterion)
        return [
            tuple(name for name in rates if rates[name] == exact)
            for exact in sorted(set(rates.values()))
        ]

    def credit(self, system: str) -> Credit:
        """The cost that ``word`` saves a system and ``label`` does not."""
        counts, *_ = both = [
            self.table[self.base._replace(pairing=pairing)][system] for pairing in ("word", "label")
        ]
        word, label = (each.cost(self.costs) for each in both)
        alone = Counts(D=counts.ref, I=counts.hyp) + self.free.get(system, Counts())
        saved = alone.cost(self.costs) - word
        return Credit(
            word,
            label,
            (label - word) / counts.ref if counts.ref else None,
            (label - word) / saved if saved else None,
            counts.ref,
        )

    def report(self) -> Report:
        """The order of the systems under each criterion, and what moves it."""
        return report_of([self])

    def plot(self) -> Any:
        """The rates under each criterion as a figure of ``matplotlib``.

        Raises:
            SerevalError: matplotlib is not installed (extra ``plot``).
        """
        series: dict[str, dict[str, list[float]]] = {name: {} for name in self.systems}
        names = []
        for criterion in self.table:
            name = f"{' '.join(criterion.names)}{' (base)' * (criterion == self.base)}"
            names.append(name)
            for system, exact in self.rates(criterion).items():
                series[system][name] = [100 * float(exact)] * 3
        return marks("slot error rate (%)", names, series)


def stability(name: str, systems: Corpus, settings: Settings) -> Stability:
    """Score systems under every criterion that applies to them."""
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
        {
            criterion: {system: totals[system][criterion] for system in names}
            for criterion in criteria(base, fuzzy=fuzzy)
        },
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
    """Count one document under each criterion; all pairing rules share a projection."""
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
        points = Points(projected, both[0][1], budget)
        for pairing in hardest_first:
            counted = points.counts(replace(of, pairing=pairing))
            for tolerance, counts in zip(tolerances, counted, strict=True):
                found[Criterion(tolerance, pairing, policy)] = counts
    if not fuzzy:  # on the same words no element is unplaceable, so policies do not differ
        for criterion in criteria(base, fuzzy=True):
            alike = criterion._replace(unplaceable=base.unplaceable)
            found.setdefault(criterion, found[alike])
    way = reference.projection if isinstance(reference, Reference) else None
    return _Document(found, _free(pair, settings), way, notes_of(pair))


def criteria(base: Criterion, *, fuzzy: bool = False) -> list[Criterion]:
    """The criteria of the table, by tolerance, pairing rule and policy."""
    tolerances: list[tuple[int, int] | None] = [base.tolerance]
    policies = [base.unplaceable]
    if base.tolerance is not None:
        tolerances = [*sorted({*((ms, ms) for ms in TOLERANCES), base.tolerance})]
        policies = list(POLICIES)
    elif fuzzy:
        policies = [policy for policy in POLICIES if policy != "merge"]
    return [Criterion(*row) for row in product(tolerances, PAIRINGS, policies)]


# --- the report -----------------------------------------------------------------------------------

CRITERION = tuple(f"{axis} text" for axis in AXES)
FLIPS = ("flipped integer", "pairs integer", "share")
CREDIT = ("word", "label", "rate", "share")

GROUPS: dict[str, tuple[str, ...]] = {"all": (), **{axis: (axis,) for axis in AXES}}
"""The axes over which pairs that change places are counted; ``all``: every criterion."""

FORMS = {
    "systems": rows("condition text", *CRITERION, "system text", "cost", "Ref integer", "ser"),
    "criteria": rows("condition text", *CRITERION, "order texts", *FLIPS),
    "differences": rows(
        *("condition text", "first text", "second text", "asked", "swing"),
        *(f"flips_{name} boolean" for name in GROUPS),
        *(f"{end}_{cell}" for end in ("least", "greatest") for cell in (*CRITERION, "ser")),
    ),
    "flips": rows("condition text", *(f"{name} integer" for name in GROUPS), *FLIPS),
    "credit": rows("condition text", "system text", *CREDIT),
    "conditions": rows("condition text", *CRITERION, "signature text"),
}
"""The tables of the report; systems that tie in an order are joined by an equals sign."""


def report_of(conditions: Sequence[Stability]) -> Report:
    """The report of the systems of each condition."""
    every = [(one, swing) for one in conditions for swing in one.swings]
    tables = filled(
        FORMS,
        systems=(row for one in conditions for row in _systems(one)),
        criteria=(
            (
                *(one.name, *criterion.names),
                [" = ".join(tied) for tied in one.order(criterion)],
                *_share(one.count_flips(criterion), len(one.swings)),
            )
            for one in conditions
            for criterion in one.table
        ),
        differences=((one.name, *_pair(swing)) for one, swing in every),
        flips=((one.name, *_flipped(one.swings)) for one in conditions),
        credit=(
            (one.name, system, *one.credit(system)[:4])
            for one in conditions
            for system in one.systems
        ),
        conditions=((one.name, *one.base.names, str(one.signature)) for one in conditions),
    )
    notes = [f"{one_line(s.name)}: {one_line(note)}" for s in conditions for note in s.read]
    signed = "; ".join(str(one.signature) for one in conditions)
    return Report("compare", tables, lambda _: _text(conditions, notes), signed, notes)


def _systems(stability: Stability) -> Iterator[Sequence[Any]]:
    for criterion, row in stability.table.items():
        for system, counts in row.items():
            cost, ser = counts.cost(stability.costs), counts.ser(stability.costs)
            yield (stability.name, *criterion.names, system, cost, counts.ref, ser)


def _pair(swing: Swing) -> Iterable[Any]:
    yield from (swing.first, swing.second, swing.rates.get(swing.base), swing.size)
    yield from (swing.flips(*axes) for axes in GROUPS.values())
    for end in swing.ends:
        yield from (None,) * 4 if end is None else (*end.names, swing.rates[end])


def _flipped(swings: Sequence[Swing]) -> Iterable[Any]:
    yield from (sum(swing.flips(*axes) for swing in swings) for axes in GROUPS.values())
    yield from _share(sum(swing.flips() for swing in swings), len(swings))


def _share(flipped: int, pairs: int) -> tuple[int, int, float | None]:
    """The number of pairs that change places, the number of all pairs, and the share."""
    return flipped, pairs, flipped / pairs if pairs else None


def _text(conditions: Sequence[Stability], notes: Sequence[str]) -> Iterator[str]:
    """Each condition: criteria, pairs, credit; then notes and signatures."""
    for one in conditions:
        yield from (*_table(one), "", *_pairs(one), "", *_credit(one), "")
    swings = [swing for one in conditions for swing in one.swings]
    if len(conditions) > 1 and swings:
        yield from ("In all conditions:", *_flips(swings), "")
    yield from (*notes, "") if notes else ()
    yield from (f"{one_line(one.name)}, as asked for: {one.signature}" for one in conditions)


def _table(stability: Stability) -> Iterator[str]:
    """The slot error rates by criterion, and the order of the systems where it differs."""
    yield (
        f"{one_line(stability.name)}: slot error rate in percent, "
        f"by alignment criterion ({len(stability.table)} of them)"
    )
    yield ""
    requested = stability.order(stability.base)
    pairs = comb(len(stability.systems), 2)
    heads = (*AXES, *map(one_line, stability.systems), *(["flipped"] if pairs else []))
    table = [(*heads, "best first, if it is another order")]
    for alike in _alike(stability):
        first = alike[0]
        order = stability.order(first)
        remark = "" if order == requested else _order(order)
        if stability.base in alike:
            remark = f"{_order(order)}  (as asked for)"
        rates = (percent(counts.ser(stability.costs)) for counts in stability.table[first].values())
        flipped = [f"{stability.count_flips(first)} of {pairs}"] if pairs else []
        policies = " ".join(criterion.unplaceable for criterion in alike)
        table.append((*first.names[:2], policies, *rates, *flipped, remark))
    yield from lines(table, left={*range(len(AXES)), len(table[0]) - 1})
    if pairs:
        yield "flipped: pairs of systems whose order is not the one under the criterion asked for."


def _alike(stability: Stability) -> Iterable[list[Criterion]]:
    """The criteria, grouped if only their policies for unplaceable elements differ."""
    found: dict[tuple[object, ...], list[Criterion]] = {}
    for criterion, row in stability.table.items():
        figures = ((counts.cost(stability.costs), counts.ref) for counts in row.values())
        found.setdefault((*criterion[:2], *figures), []).append(criterion)
    return found.values()


def _order(order: Sequence[Sequence[str]]) -> str:
    return " < ".join(" = ".join(map(one_line, tied)) for tied in order)


def _pairs(stability: Stability) -> Iterator[str]:
    """The requested, least and greatest difference of each pair; then pairs that change order."""
    swings = stability.swings
    if not swings:
        return
    table: list[tuple[str, ...]] = [
        ("difference in points", "asked for", "least", "", "greatest", "", "swing", "order")
    ]
    for swing in swings:
        table.append(
            (
                f"{one_line(swing.first)} − {one_line(swing.second)}",
                points(swing.rates.get(stability.base)),
                *(cell for end in swing.ends for cell in _end(swing, end)),
                percent(swing.size),
                "flips" if swing.flips() else "ties" if 0 in swing.rates.values() else "holds",
            )
        )
    yield from lines(table, left=(0, 3, 5, 7))
    yield ""
    yield from _flips(swings)


def _end(swing: Swing, criterion: Criterion | None) -> tuple[str, str]:
    if criterion is None:
        return "n/a", ""
    parts = criterion.names if criterion.tolerance is not None else criterion.names[1:]
    return points(swing.rates[criterion]), f"({' '.join(parts)})"


def _flips(swings: Sequence[Swing]) -> Iterator[str]:
    flipped = [swing for swing in swings if swing.flips()]
    sizes = [float(swing.size) for swing in flipped if swing.size is not None]
    yield (
        f"Pairs of systems that change places: {len(flipped)} of {len(swings)} "
        f"({percent(len(flipped) / len(swings))} %)"
        + (f", by swings of {percent(min(sizes))} to {percent(max(sizes))} points" if sizes else "")
    )
    yield "  " + ", ".join(
        f"by {axis} alone {sum(swing.flips(axis) for swing in swings)}" for axis in AXES
    )


def _credit(stability: Stability) -> Iterator[str]:
    """The cost that the rule ``word`` saves each system and the rule ``label`` does not."""
    yield "Credit under word that label would not give, in points, and as a share of all credit:"
    table: list[tuple[str, ...]] = [("", "word", "label", "credit", "share %")]
    for system in stability.systems:
        credit = stability.credit(system)
        of = [None if not credit.ref else cost / credit.ref for cost in (credit.word, credit.label)]
        table.append((one_line(system), *map(percent, (*of, credit.rate, credit.share))))
    yield from lines(table)
