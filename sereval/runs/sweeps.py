"""Sweeps: the slot error rate, or measures, of several systems at many points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..analysis.compare import with_interval
from ..analysis.curves import AxisMeasures
from ..analysis.grids import EXTENT, TIME, Axis
from ..analysis.resampling import Resampling
from ..analysis.sweep import Sweep, sweep_along, sweep_of
from ..corpus.corpus import Corpus, together
from ..errors import UsageFault
from .measures import as_read, measures_of, with_measure
from .pairs import check_labels, systems_of
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
) -> tuple[Sweep, Corpus]:
    """Read all sides, and score each system at each point.

    Args:
        ref: the references.
        hyps: the hypotheses of each system, by name.
        axis: what changes from point to point.
        points: increasing.
        asked: the options of the run; ``measure`` is ``None`` or has measures.
        hooks: as for ``systems_of``.

    Returns:
        The sweep, and the documents of all systems.

    Raises:
        UsageFault: a measure or an axis that a sweep does not take; as ``measures_of``.
    """
    measures: Sequence[Measure] = asked.values["measure"] or ()
    if axis is TIME and (not measures or _is_of_counts(measures)):
        values = with_measure(asked.but(measure=next(iter(measures), None)), "slots")
        how, sides = scoring_of(replace(asked, values=values))
        how = replace(how, settings=replace(how.settings, tolerance=(points[0], points[0])))
        corpus = systems_of(ref, hyps, how, **{**sides, **hooks})
        found = sweep_of(corpus, points, how.settings, how.settings.grammar)
    else:
        along, how, sides = _along(measures, axis, points, asked)
        read = as_read([at[0] for at in along.each.values()], how)
        corpus = systems_of(ref, hyps, read, **{**sides, **hooks})
        found = sweep_along(corpus, along, how.settings, how.settings.grammar)
    check_labels([corpus], how.settings)
    return found, corpus


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
    corpus = systems_of(ref, hyps, how, **{**sides, **hooks})
    ways = [replace(how, settings=replace(how.settings, tolerance=(at, at))) for at in points]
    found = together(one.scorer(one.scheme.figures[0]) for one in ways).scores(corpus)
    scores = {
        name: [with_interval(score, Resampling(resamples=1000)) for score in own]
        for name, own in found.items()
    }
    swept = sweep_of(corpus, points, how.settings, how.settings.grammar)
    check_labels([corpus], how.settings)
    return swept, scores


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
