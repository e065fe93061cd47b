"""The report of the order of systems under each alignment criterion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import comb
from typing import TYPE_CHECKING, Any

from ..errors import one_line
from ..projection.project import tolerance_text
from ..render.numbers import percent, points
from ..render.report import Report, filled, rows
from ..render.table import lines

if TYPE_CHECKING:
    from .stability import Criterion, CriterionCounts, Stability, Swing

AXES = ("tolerance", "pairing", "unplaceable")
"""The parts of a criterion."""

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
                *(one.name, *criterion_names(scored.criterion)),
                [" = ".join(tied) for tied in one.order(scored)],
                *_share(one.count_flips(scored.criterion), len(one.swings)),
            )
            for one in conditions
            for scored in one.table
        ),
        differences=((one.name, *_pair(swing)) for one, swing in every),
        flips=((one.name, *_flipped(one.swings)) for one in conditions),
        credit=((one.name, *_credited(one, name)) for one in conditions for name in one.systems),
        conditions=(
            (one.name, *criterion_names(one.base), str(one.signature)) for one in conditions
        ),
    )
    notes = [f"{one_line(s.name)}: {one_line(note)}" for s in conditions for note in s.read]
    signed = "; ".join(str(one.signature) for one in conditions)
    return Report("compare", tables, lambda _: _text(conditions, notes), signed, notes)


def _systems(stability: Stability) -> Iterator[Sequence[Any]]:
    for scored in stability.table:
        for system, counts in scored.counts.items():
            cost, ser = counts.cost(stability.costs), counts.ser(stability.costs)
            names = (stability.name, *criterion_names(scored.criterion), system)
            yield (*names, cost, counts.ref, ser)


def _pair(swing: Swing) -> Iterable[Any]:
    yield from (swing.first, swing.second, swing.rates.get(swing.base), swing.size)
    yield from (swing.flips(*axes) for axes in GROUPS.values())
    for end in (swing.least, swing.greatest):
        yield from (None,) * 4 if end is None else (*criterion_names(end), swing.rates[end])


def _flipped(swings: Sequence[Swing]) -> Iterable[Any]:
    yield from (sum(swing.flips(*axes) for swing in swings) for axes in GROUPS.values())
    yield from _share(sum(swing.flips() for swing in swings), len(swings))


def _share(flipped: int, pairs: int) -> tuple[int, int, float | None]:
    """The number of pairs that change places, the number of all pairs, and the share."""
    return flipped, pairs, flipped / pairs if pairs else None


def _credited(stability: Stability, system: str) -> Sequence[Any]:
    found = stability.credit(system)
    return (system, found.word, found.label, found.rate, found.share)


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
    requested = stability.order(stability.at(stability.base))
    pairs = comb(len(stability.systems), 2)
    heads = (*AXES, *map(one_line, stability.systems), *(["flipped"] if pairs else []))
    table = [(*heads, "best first, if it is another order")]
    for alike in _alike(stability):
        first = alike[0]
        order = stability.order(first)
        remark = "" if order == requested else _order(order)
        if stability.base in (scored.criterion for scored in alike):
            remark = f"{_order(order)}  (as asked for)"
        tolerance, pairing, _ = criterion_names(first.criterion)
        policies = " ".join(scored.criterion.unplaceable for scored in alike)
        flipped = [f"{stability.count_flips(first.criterion)} of {pairs}"] if pairs else []
        table.append((tolerance, pairing, policies, *_rates(stability, first), *flipped, remark))
    yield from lines(table, left={*range(len(AXES)), len(table[0]) - 1})
    if pairs:
        yield "flipped: pairs of systems whose order is not the one under the criterion asked for."


def _alike(stability: Stability) -> list[list[CriterionCounts]]:
    """The rows of the table, grouped if only their policies for unplaceable elements differ."""
    found: dict[tuple[object, ...], list[CriterionCounts]] = {}
    for scored in stability.table:
        figures = ((c.cost(stability.costs), c.ref) for c in scored.counts.values())
        key = (scored.criterion.tolerance, scored.criterion.pairing, *figures)
        found.setdefault(key, []).append(scored)
    return list(found.values())


def criterion_names(criterion: Criterion) -> tuple[str, str, str]:
    """The tolerance, the pairing rule and the policy of a criterion."""
    return tolerance_text(criterion.tolerance), criterion.pairing, criterion.unplaceable


def _rates(stability: Stability, scored: CriterionCounts) -> Iterator[str]:
    for counts in scored.counts.values():
        yield percent(counts.ser(stability.costs))


def _order(order: Sequence[Sequence[str]]) -> str:
    return " < ".join(" = ".join(map(one_line, tied)) for tied in order)


def _pairs(stability: Stability) -> Iterator[str]:
    """The requested, least and greatest difference of each pair; then pairs that change order."""
    swings = stability.swings
    if not swings:
        return
    table = [("difference in points", "asked for", "least", "", "greatest", "", "swing", "order")]
    for swing in swings:
        table.append(
            (
                f"{one_line(swing.first)} − {one_line(swing.second)}",
                points(swing.rates.get(stability.base)),
                *_end(swing, swing.least),
                *_end(swing, swing.greatest),
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
    named = criterion_names(criterion)
    parts = named if criterion.tolerance is not None else named[1:]
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
