"""Sweeps: the slot error rate, or measures, of several systems at many points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..analysis.compare import with_interval
from ..analysis.curves import AxisMeasures
from ..analysis.grids import EXTENT, TIME, Axis
from ..analysis.resampling import Resampling
from ..analysis.sweep import Sweep, sweep_along, sweep_of
from ..analysis.systems import Systems
from ..corpus.pairs import Pair, PairList
from ..corpus.unread import PairStream, joined
from ..errors import UsageFault
from .measures import as_read, measures_of, with_measure
from .pairs import check_labels, names_of_pairs, systems_of
from .scoring import RunRequest, ScoringOptions, scoring_of
from .sides import SideSource

if TYPE_CHECKING:
    from ..analysis.rates import AnyScore
    from ..schemes.measure import Measure

SWEPT = ("slots", "elements", "words")
"""The units of the measures that a sweep takes, values of ``Scheme.counts``."""


def sweep_sides(
    ref: SideSource,
    hyps: Mapping[str, SideSource],
    axis: Axis,
    points: Sequence[int],
    asked: RunRequest,
    **hooks: Any,
) -> tuple[Sweep, PairStream[Pair]]:
    """Read all sides, and score each system at each point.

    Args:
        ref: the references.
        hyps: the hypotheses of each system, by name.
        axis: what changes from point to point.
        points: increasing.
        asked: the options of the run; ``measure`` is ``None`` or has measures.
        hooks: as for ``systems_of``.

    Returns:
        The sweep, and the pairs of all systems.

    Raises:
        UsageFault: a measure or an axis that a sweep does not take; as ``measures_of``.
    """
    measures: Sequence[Measure] = asked.values["measure"] or ()
    if axis is TIME and (not measures or _is_of_counts(measures)):
        values = with_measure(asked.but(measure=next(iter(measures), None)), "slots")
        how, sides = scoring_of(replace(asked, values=values))
        how = replace(how, settings=replace(how.settings, tolerance=(points[0], points[0])))
        systems, pairs = _systems(ref, hyps, how, sides, asked, hooks)
        found = sweep_of(systems, points, how.settings, how.settings.grammar)
    else:
        along, how, sides = _along(measures, axis, points, asked)
        read = as_read([at[0] for at in along.each.values()], how)
        systems, pairs = _systems(ref, hyps, read, sides, asked, hooks)
        found = sweep_along(systems, along, how.settings, how.settings.grammar)
    check_labels([pairs], how.settings)
    return found, pairs


def sweep_elements(
    ref: SideSource,
    hyps: Mapping[str, SideSource],
    points: Sequence[int],
    asked: RunRequest,
    **hooks: Any,
) -> tuple[Sweep, dict[str, list[AnyScore]]]:
    """Read all sides once, and score each element of each system at each tolerance.

    Args:
        ref: the references.
        hyps: the hypotheses of each system, by name.
        points: tolerances in ms, increasing.
        asked: the options of the run.
        hooks: as for ``systems_of``.

    Returns:
        The sweep, and the scores of each system in the order of the tolerances.

    Raises:
        UsageFault: the run asks for measures other than the slot error rate.
    """
    measures: Sequence[Measure] = asked.values["measure"] or ()
    if measures and not _is_of_counts(measures):
        raise UsageFault("a page shows slot error rates, expected it without other measures")
    values = with_measure(asked.but(measure=next(iter(measures), None)), "slots")
    how, sides = scoring_of(replace(asked, values=values))
    how = replace(how, settings=replace(how.settings, tolerance=(points[0], points[0])))
    of_each = systems_of(ref, [*hyps.values()], how, **{**sides, **hooks})
    read = {name: list(one.each(_itself)) for name, one in zip(hyps, of_each, strict=True)}
    check_labels(of_each, how.settings)
    scores = {
        name: [
            with_interval(
                replace(how, settings=replace(how.settings, tolerance=(at, at))).score(
                    PairList(pairs, how.workers)
                ),
                Resampling(resamples=1000),
            )
            for at in points
        ]
        for name, pairs in read.items()
    }
    names = [name for name, pairs in read.items() for _ in pairs]
    every = PairList([*chain.from_iterable(read.values())], how.workers)
    return sweep_of(Systems(names, every), points, how.settings, how.settings.grammar), scores


def _itself(pair: Pair) -> Pair:
    return pair


def _is_of_counts(measures: Sequence[Measure]) -> bool:
    """Whether a sweep of counts shows the measures: one slot error rate through times."""
    [first, *others] = measures
    is_rate = first.family.counts == "slots" and first.figure == "SER"
    return is_rate and not others and first.values["by"] == "time"


def _along(
    measures: Sequence[Measure], axis: Axis, points: Sequence[int], asked: RunRequest
) -> tuple[AxisMeasures, ScoringOptions, dict[str, Any]]:
    """The measures along the axis, what they share, and the options that name sides.

    Raises:
        UsageFault: there is no measure; a measure that a sweep does not take.
    """
    if not measures:
        example = "mitre.extent" if axis is EXTENT else "SER(by=text)"
        raise UsageFault(
            f"found no measure for these points, expected one such as --measure {example}"
        )
    for one in measures:
        if one.family.counts not in SWEPT or not one.family.has_places:
            raise UsageFault(f"--measure {one} is not for {asked.what}: no tolerance changes it")
    others = {name: value for name, value in asked.values.items() if name != "measure"}
    requested, how, sides, _ = measures_of(measures, replace(asked, values=others))
    return AxisMeasures(requested, axis, points), how, sides


def _systems(
    ref: SideSource,
    hyps: Mapping[str, SideSource],
    how: ScoringOptions,
    sides: Mapping[str, Any],
    asked: RunRequest,
    hooks: Mapping[str, Any],
) -> tuple[Systems, PairStream[Pair]]:
    """The pairs of all systems, one system after the other."""
    of_each = systems_of(ref, [*hyps.values()], how, **{**sides, **hooks})
    pairs = joined(of_each)
    return Systems(names_of_pairs(dict(zip(hyps, of_each, strict=True))), pairs), pairs
