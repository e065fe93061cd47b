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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import chain, combinations, product
from typing import NamedTuple

from ..corpus.corpus import Corpus, Pair
from ..documents.model import Reference
from ..errors import one_line
from ..evaluation.evaluate import DocumentScore, Evaluation, notes_by_system, notes_of, projection
from ..evaluation.settings import Settings, Signature
from ..mapping.best import PAIRINGS, Budget
from ..measures import Costs, Counts
from ..projection import POLICIES, tolerance_text
from ..render.report import Report, Reported, filled, lines, percent, points, rows
from .points import Points, ser

TOLERANCES = (0, 100, 200, 300, 500)
"""The tolerances of the table in ms, on either side of a frontier."""


class Criterion(NamedTuple):
    """The rules that decide which elements may be paired, apart from costs."""

    # of starts and of ends, in ms; None: both sides have the same words
    tolerance: tuple[int, int] | None
    pairing: str
    unplaceable: str

    @property
    def names(self) -> tuple[str, str, str]:
        """The three as text."""
        return tolerance_text(self.tolerance), self.pairing, self.unplaceable


AXES = Criterion._fields
"""The parts of a criterion."""


class Swing(NamedTuple):
    """How the difference of two systems changes with the criterion."""

    first: str
    second: str
    # the slot error rate of the first less that of the second, where both are defined
    rates: dict[Criterion, Fraction]
    base: Criterion  # the requested criterion

    def flips(self, *axes: str) -> bool:
        """Whether one system is better under one criterion and the other under another."""
        held = {*AXES} - {*axes} if axes else ()
        signs = {
            gap > 0
            for criterion, gap in self.rates.items()
            if gap and all(getattr(criterion, axis) == getattr(self.base, axis) for axis in held)
        }
        return len(signs) == 2

    def flips_at(self, criterion: Criterion) -> bool:
        """Whether the order is another one than under the base."""
        # equal rates under one of the two criteria are no flip (Kehler et al. 2001)
        return self.rates.get(criterion, 0) * self.rates.get(self.base, 0) < 0

    @property
    def ends(self) -> tuple[Criterion | None, Criterion | None]:
        """The criteria that favour the first system and the second most, the first of several."""
        gap_of = self.rates.__getitem__
        return min(self.rates, key=gap_of, default=None), max(self.rates, key=gap_of, default=None)

    @property
    def size(self) -> Fraction | None:
        """The range of the difference over the table."""
        gaps = self.rates.values()
        return max(gaps) - min(gaps) if gaps else None


@dataclass(frozen=True, slots=True, repr=False)
class Stability(Reported):
    """The systems of one condition under a table of criteria.

    Args:
        name: the name of the condition.
        base: the requested criterion, which is in the table.
        costs: the costs under all criteria.
        signature: the signature of the requested evaluations.
        table: the counts of each system, in the order of names, by criterion.
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
    table: Mapping[Criterion, Mapping[str, Counts]]
    read: tuple[str, ...] = ()

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in order."""
        return list(self.table[self.base])

    @property
    def swings(self) -> list[Swing]:
        """The swing of each pair of systems, in the order of names."""
        every = {criterion: self.rates(criterion) for criterion in self.table}
        found = []
        for a, b in combinations(self.systems, 2):
            gaps = {at: its[a] - its[b] for at, its in every.items() if {a, b} <= its.keys()}
            found.append(Swing(a, b, gaps, self.base))
        return found

    def rates(self, criterion: Criterion) -> dict[str, Fraction]:
        """The slot error rate of each system for which it is defined."""
        rates = {name: ser(counts, self.costs) for name, counts in self.table[criterion].items()}
        return {name: exact for name, exact in rates.items() if exact is not None}

    def order(self, criterion: Criterion) -> list[tuple[str, ...]]:
        """The systems from the best to the worst; systems with equal rates stand together."""
        rates = self.rates(criterion)
        return [
            tuple(name for name in rates if rates[name] == exact)
            for exact in sorted(set(rates.values()))
        ]

    def report(self) -> Report:
        """The order of the systems under each criterion, and what moves it."""
        return report_of([self])


def stability(name: str, systems: Corpus, settings: Settings) -> Stability:
    """Score systems under every criterion that applies to them."""
    base = Criterion(settings.tolerance, settings.pairing, settings.unplaceable)
    settings = replace(settings, through=None, is_bound=False)
    found = systems.by_system(partial(_score, base=base, settings=settings))
    every = [(system, one) for system, own in sorted(found.items()) for one, _ in own]
    documents = tuple(one for _, one in every)
    return Stability(
        name,
        base,
        settings.costs,
        Evaluation(documents, settings).signature,
        {
            criterion: {
                system: Counts.sum(
                    counts.get(criterion) or counts[without_policy] for _, counts in own
                )
                for system, own in sorted(found.items())
            }
            for criterion in criteria(base, fuzzy=any(one.fuzzy is not None for one in documents))
            # on the same words no element is unplaceable, so policies do not differ
            for without_policy in [criterion._replace(unplaceable=base.unplaceable)]
        },
        notes_by_system((system, one.notes) for system, one in every),
    )


def _score(
    pair: Pair, base: Criterion, settings: Settings
) -> tuple[DocumentScore, Mapping[Criterion, Counts]]:
    """What was read of one document, without counts, and its counts under each criterion."""
    reference = pair[0]
    fuzzy = isinstance(reference, Reference)
    table = criteria(base, fuzzy=fuzzy)
    tolerances = list(dict.fromkeys(criterion.tolerance for criterion in table))
    hardest_first = sorted(PAIRINGS, key=lambda pairing: "half" not in PAIRINGS[pairing])
    found: dict[Criterion, Counts] = {}
    budget = Budget(0)  # all ways share it; all pairing rules share a projection
    for policy in dict.fromkeys(criterion.unplaceable for criterion in table):
        of = replace(settings, unplaceable=policy)
        both = [projection(*pair, replace(of, tolerance=tolerance)) for tolerance in tolerances]
        points = Points([reference for reference, _ in both], both[0][1], budget)
        for pairing in hardest_first:
            counted = points.counts(replace(of, pairing=pairing))
            for tolerance, counts in zip(tolerances, counted, strict=True):
                found[Criterion(tolerance, pairing, policy)] = counts
    way = reference.projection if isinstance(reference, Reference) else None
    return DocumentScore(reference.id, {}, notes_of(pair), {}, fuzzy=way), found


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
    "conditions": rows("condition text", *CRITERION, "signature text"),
}
"""The tables of the report; systems that tie in an order are joined by an equals sign."""


def report_of(conditions: Sequence[Stability]) -> Report:
    """The report of the systems of each condition."""
    swings = [(one, one.swings) for one in conditions]
    tables = filled(
        FORMS,
        systems=(
            (one.name, *criterion.names, system, counts.cost(one.costs), counts.ref, of_system)
            for one in conditions
            for criterion, row in one.table.items()
            for system, counts in row.items()
            for of_system in [ser(counts, one.costs)]
        ),
        criteria=(
            (
                *(one.name, *criterion.names),
                [" = ".join(tied) for tied in one.order(criterion)],
                *_share(sum(swing.flips_at(criterion) for swing in own), len(own)),
            )
            for one, own in swings
            for criterion in one.table
        ),
        differences=(
            (
                *(one.name, swing.first, swing.second, swing.rates.get(swing.base), swing.size),
                *(swing.flips(*axes) for axes in GROUPS.values()),
                *chain.from_iterable(
                    (None,) * 4 if end is None else (*end.names, swing.rates[end])
                    for end in swing.ends
                ),
            )
            for one, own in swings
            for swing in own
        ),
        flips=(
            (one.name, *flipped, *_share(flipped[0], len(own)))
            for one, own in swings
            for flipped in [_flipped(own)]
        ),
        conditions=((one.name, *one.base.names, str(one.signature)) for one in conditions),
    )
    notes = [f"{one_line(s.name)}: {one_line(note)}" for s in conditions for note in s.read]
    signed = "; ".join(str(one.signature) for one in conditions)
    return Report("compare", tables, lambda _: _text(swings, notes), signed, notes)


def _flipped(swings: Sequence[Swing]) -> list[int]:
    """The number of pairs that change places over each of the groups of axes."""
    return [sum(swing.flips(*axes) for swing in swings) for axes in GROUPS.values()]


def _share(flipped: int, pairs: int) -> tuple[int, int, float | None]:
    """The number of pairs that change places, the number of all pairs, and the share."""
    return flipped, pairs, flipped / pairs if pairs else None


def _text(conditions: Sequence[tuple[Stability, list[Swing]]], notes: list[str]) -> Iterator[str]:
    """Each condition: criteria and pairs; then notes and signatures."""
    for one, own in conditions:
        yield from (*_table(one, own), "")
        yield from (*_pairs(one, own), "") if own else ()
    swings = [swing for _, own in conditions for swing in own]
    if len(conditions) > 1 and swings:
        yield from ("In all conditions:", *_flips(swings), "")
    yield from (*notes, "") if notes else ()
    yield from (f"{one_line(one.name)}, as asked for: {one.signature}" for one, _ in conditions)


def _table(stability: Stability, swings: Sequence[Swing]) -> Iterator[str]:
    """The slot error rates by criterion, and the order of the systems where it differs."""
    yield (
        f"{one_line(stability.name)}: slot error rate in percent, "
        f"by alignment criterion ({len(stability.table)} of them)"
    )
    yield ""
    requested = stability.order(stability.base)
    pairs = len(swings)
    heads = (*AXES, *map(one_line, stability.systems), *(["flipped"] if pairs else []))
    table = [(*heads, "best first, if it is another order")]
    groups: dict[object, list[Criterion]] = {}  # only their policies differ
    for criterion, row in stability.table.items():
        figures = [(counts.cost(stability.costs), counts.ref) for counts in row.values()]
        groups.setdefault((*criterion[:2], *figures), []).append(criterion)
    for alike in groups.values():
        first = alike[0]
        order = stability.order(first)
        remark = "" if order == requested else _order(order)
        if stability.base in alike:
            remark = f"{_order(order)}  (as asked for)"
        rates = (percent(counts.ser(stability.costs)) for counts in stability.table[first].values())
        flips = sum(swing.flips_at(first) for swing in swings)
        flipped = [f"{flips} of {pairs}"] if pairs else []
        policies = " ".join(criterion.unplaceable for criterion in alike)
        table.append((*first.names[:2], policies, *rates, *flipped, remark))
    yield from lines(table, left={*range(len(AXES)), len(table[0]) - 1})
    if pairs:
        yield "flipped: pairs of systems whose order is not the one under the criterion asked for."


def _order(order: Sequence[Sequence[str]]) -> str:
    return " < ".join(" = ".join(map(one_line, tied)) for tied in order)


def _pairs(stability: Stability, swings: Sequence[Swing]) -> Iterator[str]:
    """The requested, least and greatest difference of each pair; then pairs that change order."""

    def at(swing: Swing, end: Criterion | None) -> tuple[str, str]:
        if end is None:
            return "n/a", ""
        parts = end.names[end.tolerance is None :]
        return points(swing.rates[end]), f"({' '.join(parts)})"

    table: list[tuple[str, ...]] = [
        ("difference in points", "asked for", "least", "", "greatest", "", "swing", "order")
    ]
    for swing in swings:
        table.append(
            (
                f"{one_line(swing.first)} − {one_line(swing.second)}",
                points(swing.rates.get(stability.base)),
                *(cell for end in swing.ends for cell in at(swing, end)),
                percent(swing.size),
                "flips" if swing.flips() else "ties" if 0 in swing.rates.values() else "holds",
            )
        )
    yield from lines(table, left=(0, 3, 5, 7))
    yield ""
    yield from _flips(swings)


def _flips(swings: Sequence[Swing]) -> Iterator[str]:
    number, *alone = _flipped(swings)
    sizes = [swing.size for swing in swings if swing.flips() and swing.size is not None]
    yield (
        f"Pairs of systems that change places: {number} of {len(swings)} "
        f"({percent(number / len(swings))} %)"
        + (f", by swings of {percent(min(sizes))} to {percent(max(sizes))} points" if sizes else "")
    )
    by = (f"by {axis} alone {own}" for axis, own in zip(AXES, alone, strict=True))
    yield f"  {', '.join(by)}"
