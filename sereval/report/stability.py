"""The order of systems under each alignment criterion, as text, JSON and CSV.

Format history of the JSON: 1, the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import comb
from typing import Any

from ..analysis.stability import AXES, Criterion, CriterionCounts, Stability, Swing
from ..errors import one_line
from ..projection.project import tolerance_text
from ..render.numbers import number, percent, points, real
from ..render.table import lines
from .csv import tidy
from .json import dumps

FORMAT = 1
COLUMNS = ("condition", *AXES, "system", "cost", "Ref", "ser")

GROUPS: dict[str, tuple[str, ...]] = {"all": (), **{axis: (axis,) for axis in AXES}}
"""The axes over which JSON counts pairs that change places; ``all``: every criterion."""


def render(conditions: Sequence[Stability]) -> str:
    """Each condition as text: criteria, pairs, credit; then notes and signatures."""
    parts: list[str] = []
    for stability in conditions:
        parts += [*_table(stability), "", *_pairs(stability), "", *_credit(stability), ""]
    swings = [swing for stability in conditions for swing in stability.swings]
    if len(conditions) > 1 and swings:
        parts += ["In all conditions:", *_flips(swings), ""]
    notes = (f"{one_line(s.name)}: {one_line(note)}" for s in conditions for note in s.read)
    parts += [*notes, ""] if any(stability.read for stability in conditions) else []
    parts += [
        f"{one_line(stability.name)}, as asked for: {stability.signature}"
        for stability in conditions
    ]
    return "\n".join([*parts, ""])


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
    rows = [(*heads, "best first, if it is another order")]
    for alike in _alike(stability):
        first = alike[0]
        order = stability.order(first)
        remark = "" if order == requested else _order(order)
        if stability.base in (scored.criterion for scored in alike):
            remark = f"{_order(order)}  (as asked for)"
        tolerance, pairing, _ = criterion_names(first.criterion)
        policies = " ".join(scored.criterion.unplaceable for scored in alike)
        flipped = [f"{stability.count_flips(first.criterion)} of {pairs}"] if pairs else []
        rows.append((tolerance, pairing, policies, *_rates(stability, first), *flipped, remark))
    yield from lines(rows, left={*range(len(AXES)), len(rows[0]) - 1})
    if pairs:
        yield "flipped: pairs of systems whose order is not the one under the criterion asked for."


def _alike(stability: Stability) -> list[list[CriterionCounts]]:
    """The rows of the table, grouped if only their policies for unplaceable elements differ."""
    rows: dict[tuple[object, ...], list[CriterionCounts]] = {}
    for scored in stability.table:
        figures = ((c.cost(stability.costs), c.ref) for c in scored.counts.values())
        key = (scored.criterion.tolerance, scored.criterion.pairing, *figures)
        rows.setdefault(key, []).append(scored)
    return list(rows.values())


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
    rows = [("difference in points", "asked for", "least", "", "greatest", "", "swing", "order")]
    for swing in swings:
        rows.append(
            (
                f"{one_line(swing.first)} − {one_line(swing.second)}",
                points(swing.rates.get(stability.base)),
                *_end(swing, swing.least),
                *_end(swing, swing.greatest),
                percent(swing.size),
                "flips" if swing.flips() else "ties" if 0 in swing.rates.values() else "holds",
            )
        )
    yield from lines(rows, left=(0, 3, 5, 7))
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
    rows: list[tuple[str, ...]] = [("", "word", "label", "credit", "share %")]
    for system in stability.systems:
        credit = stability.credit(system)
        of = [None if not credit.ref else cost / credit.ref for cost in (credit.word, credit.label)]
        rows.append((one_line(system), *map(percent, (*of, credit.rate, credit.share))))
    yield from lines(rows)


def render_json(conditions: Sequence[Stability]) -> str:
    """JSON: rates are fractions, tolerances are as in signatures, undefined values ``null``."""
    return dumps({"format": FORMAT, "conditions": [_condition(s) for s in conditions]})


def _condition(stability: Stability) -> dict[str, Any]:
    swings = stability.swings
    return {
        "name": stability.name,
        "signature": str(stability.signature),
        **({"notes": list(stability.read)} if stability.read else {}),
        "asked": _name(stability.base),
        "criteria": [
            {
                **_name(scored.criterion),
                "systems": {
                    system: counts.ser(stability.costs) for system, counts in scored.counts.items()
                },
                "order": [list(tied) for tied in stability.order(scored)],
                "flips": _share(stability.count_flips(scored.criterion), len(swings)),
            }
            for scored in stability.table
        ],
        "pairs": [_pair(swing) for swing in swings],
        "flips": {
            **{name: sum(s.flips(*axes) for s in swings) for name, axes in GROUPS.items()},
            **_share(sum(s.flips() for s in swings), len(swings)),
        },
        "credit": {
            system: {
                "word": number(credit.word),
                "label": number(credit.label),
                "rate": real(credit.rate),
                "share": real(credit.share),
            }
            for system in stability.systems
            if (credit := stability.credit(system))
        },
    }


def _share(flipped: int, pairs: int) -> dict[str, int | float | None]:
    """The number of pairs that change places, the number of all pairs, and the share."""
    return {"flipped": flipped, "pairs": pairs, "share": flipped / pairs if pairs else None}


def _name(criterion: Criterion) -> dict[str, str]:
    return dict(zip(AXES, criterion_names(criterion), strict=True))


def _pair(swing: Swing) -> dict[str, Any]:
    return {
        "first": swing.first,
        "second": swing.second,
        "asked": real(swing.rates.get(swing.base)),
        "swing": real(swing.size),
        "flips": {name: swing.flips(*axes) for name, axes in GROUPS.items()},
        **{
            name: None
            if criterion is None
            else {**_name(criterion), "ser": real(swing.rates[criterion])}
            for name, criterion in (("least", swing.least), ("greatest", swing.greatest))
        },
    }


def render_csv(conditions: Sequence[Stability]) -> str:
    """Tidy CSV: a row for each condition, criterion, system; an undefined rate is empty."""
    return tidy(COLUMNS, (row for stability in conditions for row in _rows(stability)))


def _rows(stability: Stability) -> Iterator[tuple[object, ...]]:
    for scored in stability.table:
        place = stability.name, *criterion_names(scored.criterion)
        for system, counts in scored.counts.items():
            cost, ser = counts.cost(stability.costs), counts.ser(stability.costs)
            yield *place, system, number(cost), counts.ref, ser


STABILITIES: dict[str, Callable[[Sequence[Stability]], str]] = {
    "text": render,
    "json": render_json,
    "csv": render_csv,
}
