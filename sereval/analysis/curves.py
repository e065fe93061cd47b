"""The values of measures along the points of a sweep.

The numerator and the denominator of each value are summed over documents, as for a comparison of
systems (module ``rates``). Slot errors at many tolerances in time share their work (module
``points``); any other value is the one that ``measured`` computes at its point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from ..corpus.pairs import Pair
from ..errors import SerevalError
from ..evaluation.settings import Settings, Signature, joint
from ..evaluation.totals import Evaluation, notes_of, read_choices, signature_of
from ..measures.rates import Rate, RateSums, slot_errors
from ..measures.slots import Counts
from ..schemes.measure import Measure
from .grids import TIME, Axis
from .measured import measuring
from .points import document_counts

Values: TypeAlias = tuple[Fraction | None, ...]
"""A value at each point; ``None`` where the denominator is 0."""


class Curve(NamedTuple):
    """The values of one measure at each point of a sweep.

    Args:
        systems: the values of each system, by name.
        signatures: the signature of ``score`` at each point.
        is_better: ``lower`` or ``higher``: which values are better.
    """

    systems: Mapping[str, Values]
    signatures: tuple[Signature, ...]
    is_better: str = "lower"


class AxisMeasures(NamedTuple):
    """Measures along an axis.

    Args:
        measures: the measures, each once.
        axis: what changes from point to point.
        points: increasing.
    """

    measures: Sequence[Measure]
    axis: Axis
    points: Sequence[int]

    @property
    def each(self) -> dict[Measure, tuple[Measure, ...]]:
        """Each measure at each point."""
        if not any(one.family.takes(self.axis.name) for one in self.measures):
            names = ", ".join(map(str, self.measures))
            raise SerevalError(f"no {self.axis.name} changes {names}, expected another measure")
        return {
            one: tuple(self.axis.at(one, point) for point in self.points) for one in self.measures
        }


class PointSums(NamedTuple):
    """The sums of one document for a measure.

    Args:
        rate: the rate that they are sums of.
        sums: numerator and denominator at each point.
        signatures: the signatures of the score at each point.
    """

    rate: Rate
    sums: tuple[RateSums, ...]
    signatures: tuple[Signature, ...]


def document_sums(pair: Pair, along: AxisMeasures, run: Settings) -> dict[Measure, PointSums]:
    """The sums of one document for each measure at each point."""
    every = along.each
    quick = [one for one in along.measures if _is_quick(one, along.axis)]
    shared = _counts(pair, {one: every[one][0].settings(run) for one in quick}, along.points)
    others = dict.fromkeys(at for one in along.measures if one not in shared for at in every[one])
    scores = measuring(tuple(others), run).of([pair]).scores if others else {}
    found = {}
    rate: Rate
    for one in along.measures:
        if one in shared:
            settings = every[one][0].settings(run)
            rate = Evaluation((), settings, figure=one.figure).rate
            errors = [slot_errors(counts, one.figure, settings.costs) for counts in shared[one]]
            read = tuple(read_choices([notes_of(pair)]))
            signatures = [signature_of(at.settings(run), read) for at in every[one]]
        else:
            own = [scores[at].by(at.figure, str(at)) for at in every[one]]
            rate = own[0].rate
            errors = [score.errors for score in own]
            signatures = [scores[at].signature for at in every[one]]
        sums = tuple(rate.sums(each.total, each.size) for each in errors)
        found[one] = PointSums(rate, sums, tuple(signatures))
    return found


def _is_quick(measure: Measure, axis: Axis) -> bool:
    """Whether a measure counts slots at tolerances in time, which share their work."""
    return axis is TIME and measure.family.counts == "slots"


def _counts(
    pair: Pair, settings: Mapping[Measure, Settings], points: Sequence[int]
) -> dict[Measure, list[Counts]]:
    """The counts of a document at each tolerance in time; equal settings are counted once."""
    found: dict[Settings, list[Counts]] = {}
    for own in settings.values():
        if own not in found:
            found[own] = document_counts(*pair, own, points)
    return {measure: found[own] for measure, own in settings.items()}


def total(one: PointSums, other: PointSums) -> PointSums:
    """The sums of two documents together."""
    sums = [(a + c, b + d) for (a, b), (c, d) in zip(one.sums, other.sums, strict=True)]
    signatures = one.signatures
    if signatures != other.signatures:  # their files were read in other ways
        signatures = tuple(map(joint, zip(signatures, other.signatures, strict=True)))
    return one._replace(sums=tuple(sums), signatures=signatures)


def curve(systems: Mapping[str, PointSums]) -> Curve:
    """The curve of a measure."""
    first = next(iter(systems.values()))
    scale = first.rate.scale
    values = {
        name: tuple(Fraction(above, below * scale) if below else None for above, below in own.sums)
        for name, own in systems.items()
    }
    return Curve(values, first.signatures, first.rate.is_better)
