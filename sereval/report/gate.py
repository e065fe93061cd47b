"""The result of a gate as text and JSON. Format history of the JSON: 1, the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from ..analysis.gate import Change, Gate, GateRate, Part
from ..errors import one_line
from .json import dumps
from .numbers import chance, counted, number, percent, real, signed
from .table import lines

MOST = 5
"""The most documents, and labels, that the text names."""


def text(gate: Gate) -> str:
    """The verdict, the test, and the documents and labels that got worse; the signature last."""
    then, now = (percent(gate.rate.shown(part.rate), 2) for part in (gate.then, gate.now))
    verdict = "worse" if gate.is_worse else "not worse"
    change = gate.growth if gate.rate.is_better == "lower" else -gate.growth
    first = (
        f"{verdict}: {gate.rate.name} {now}, in the report {then}; "
        f"{float(change):+.2f} points, margin {float(gate.margin):g}"
    )
    parts = [first, _tested(gate), ""]
    for title, changes in (("documents", gate.documents), ("labels", gate.labels)):
        worse = [one for one in changes if one.cost > 0]
        if worse:
            named = f"{title} that got worse"
            parts += [*lines(_rows(named, worse[:MOST], gate.rate)), ""]
            if len(worse) > MOST:
                parts[-1:] = [f"… {len(worse) - MOST} more", ""]
    return "\n".join([*parts, gate.signature, ""])


def _tested(gate: Gate) -> str:
    """The result of the test as a sentence."""
    if gate.test is None:
        few = counted(gate.number, "document")
        return f"{few}: too few for a test, the margin alone decides"
    kind = "significant" if gate.is_significant else "not significant"
    return f"the difference is {kind}: p {chance(gate.test.p)}, {gate.number} documents"


def _rows(title: str, changes: Sequence[Change], rate: GateRate) -> Iterator[tuple[str, ...]]:
    yield (title, rate.cost, rate.name, "before")
    for one in changes:
        rates = (percent(rate.shown(part.rate)) for part in (one.now, one.then))
        cost = one.cost if rate.figure is None else round(one.cost, 2)
        yield (f"  {one_line(one.name)}", signed(cost), *rates)


def as_json(gate: Gate) -> str:
    """The verdict, the rates, the test, and all documents and labels that changed.

    Rates are fractions; ``growth`` and ``margin`` are in points. ``measure`` names the rate of a
    scheme, whose ``growth`` is that of its errors.
    """
    test, rate = gate.test, gate.rate
    named = {} if rate.figure is None else {"measure": rate.name}
    return dumps(
        {
            "format": 1,
            "signature": gate.signature,
            **named,
            "worse": gate.is_worse,
            "growth": number(gate.growth),
            "margin": number(gate.margin),
            "then": _part(gate.then, rate),
            "now": _part(gate.now, rate),
            "p": None if test is None else float(test.p),
            "exact": None if test is None else test.exact,
            "arrangements": None if test is None else test.arrangements,
            "resamples": gate.resampling.resamples,
            "seed": gate.resampling.seed,
            "confidence": gate.resampling.confidence,
            "documents": [_change(one, "id", rate) for one in gate.documents],
            "labels": [_change(one, "label", rate) for one in gate.labels],
        }
    )


def _part(part: Part, rate: GateRate) -> dict[str, Any]:
    shown = real(rate.shown(part.rate))
    return {rate.key: shown, rate.cost: number(part.cost), rate.size: number(Fraction(part.ref))}


def _change(change: Change, key: str, rate: GateRate) -> dict[str, Any]:
    return {key: change.name, "then": _part(change.then, rate), "now": _part(change.now, rate)}


GATES: dict[str, Callable[[Gate], str]] = {"text": text, "json": as_json}
