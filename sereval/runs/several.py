"""What a command about several systems computes: comparisons, blames and sweeps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..corpus.corpus import together
from ..errors import SerevalError, UsageFault
from ..schemes.table import OUTCOMES, SCHEMES, schemes_that_count
from .campaign import (
    Condition,
    RecogniserPairs,
    blame_each,
    campaign_blames,
    campaign_systems,
    identical_systems,
    in_condition,
    pairs_of_both,
)
from .conditions import OF_CONDITIONS, ConditionSides
from .groups import check_groups
from .measures import (
    as_read,
    each_measure,
    has_words,
    measures_of,
    rate_measure,
    with_alternatives,
    with_measure,
)
from .pairs import check_labels, condition_of, of_documents, scores_for, systems_of
from .scoring import (
    ALIGNMENT_OPTIONS,
    LABEL_OPTIONS,
    RunRequest,
    ScoringOptions,
    check_parts,
    flag,
    scoring_of,
)
from .sides import SideSource

if TYPE_CHECKING:  # each function loads the stage that it calls
    from ..analysis.campaign import Campaign, SystemBlame
    from ..analysis.collate import Collation
    from ..analysis.grids import Axis
    from ..analysis.rates import AnyScore
    from ..analysis.resampling import Resampling
    from ..analysis.stability import Stability
    from ..analysis.sweep import Sweep
    from ..schemes.measure import Measure

Systems = Mapping[str, SideSource]
"""The hypotheses of systems, by their names."""


class _Run(NamedTuple):
    """How systems are scored by one measure; ``None``: by that of the scheme."""

    measure: Measure | None
    rate: Measure | None
    asked: RunRequest
    how: ScoringOptions
    resampling: Resampling | None


class Compared(NamedTuple):
    """A comparison of systems.

    Args:
        campaign: the comparison, and what the recognisers cost.
        scores: by the first measure, the score of each system in each condition.
    """

    campaign: Campaign
    scores: dict[str, dict[str, Any]]


def compare(
    asked: RunRequest,
    resampling: Resampling,
    sides: tuple[SideSource, Systems] | list[ConditionSides],
    groups: Mapping[str, Collection[str]] | None = None,
    path: str | None = None,
    *,
    keeps_outcomes: bool = False,
) -> Compared:
    """Compare systems by each measure, in one condition or in those of a campaign.

    Args:
        asked: the options of the run.
        resampling: the settings of the intervals and tests.
        sides: the references and the systems, or the conditions of a campaign.
        groups: the ids of the documents of each group.
        path: the path of the groups.
        keeps_outcomes: whether scores keep the outcome of each element.
    """
    from ..analysis.campaign import by_measure
    from ..analysis.campaign import campaign as campaign_of

    runs = _runs(asked, resampling, () if isinstance(sides, tuple) else OF_CONDITIONS)
    every = [_conditions(run, sides) for run in runs]
    scored = [_scores(run, own, keeps=keeps_outcomes) for run, own in zip(runs, every, strict=True)]
    copies = [
        {one.name: identical_systems(one, scores[one.name]) for one in own}
        for own, scores in zip(every, scored, strict=True)
    ]
    corpora = [one.corpus for own in every for one in own]
    check_labels(asked, corpora, *(run.how.settings for run in runs))
    if isinstance(sides, tuple):
        refs, blames = [sides[0]], []
    else:
        refs = [one.sides["ref"] for one in sides]
    check_groups(path, groups or {}, asked.known, refs)
    if not isinstance(sides, tuple):
        blames = campaign_blames(sides, scored[0], runs[0].how, runs[0].asked)
    found = {
        str(run.measure): campaign_of(scores, blames, run.resampling, groups or {}, same)
        for run, scores, same in zip(runs, scored, copies, strict=True)
    }
    return Compared(by_measure(found), scored[0])


def outcomes(
    asked: RunRequest, sides: tuple[SideSource, Systems] | list[ConditionSides]
) -> list[Collation]:
    """The outcome of each element under each system, in each condition."""
    from ..analysis.collate import collate

    check_outcomes(asked, "--collate")
    [run] = _runs(asked, None, () if isinstance(sides, tuple) else OF_CONDITIONS)
    read = _conditions(run, sides)
    scores = _scores(run, read, keeps=True)
    check_labels(asked, [one.corpus for one in read], run.how.settings)
    return [collate(*one) for one in scores.items()]


def stability(
    asked: RunRequest, sides: tuple[SideSource, Systems] | list[ConditionSides]
) -> list[Stability]:
    """The systems of each condition under other alignment criteria."""
    from ..analysis.stability import stability as stability_of  # slow to import

    check_outcomes(asked, "--stability")
    [run] = _runs(asked, None, () if isinstance(sides, tuple) else OF_CONDITIONS)
    _check_stability(run.asked)
    read = _conditions(run, sides)
    for one in read:
        if one.how.settings.through is not None:
            raise SerevalError(
                f"--stability: condition {one.name!r} aligns words, expected a tolerance in time"
            )
    found = [stability_of(one.name, one.corpus, one.how.settings) for one in read]
    check_labels(asked, [one.corpus for one in read], run.how.settings)
    return found


def check_outcomes(asked: RunRequest, option: str) -> None:
    """Refuse measures that give no element an outcome, or several, where outcomes are needed."""
    measures: Sequence[Measure] = asked.values["measure"] or ()
    for one in measures:
        if rate_measure(one):
            raise UsageFault(
                f"{option} needs the outcome of each element, expected it without --measure {one}"
            )
    if len(measures) > 1:
        raise UsageFault(f"{option} takes one measure, found {len(measures)} of them")


_WITHOUT_EFFECT = (
    *("groups", "alternatives", "resamples", "seed", "confidence", "unit", "grammar", "is_bound"),
)
"""Options without effect on stability: it draws no samples and reports no labels."""


def _check_stability(asked: RunRequest) -> None:
    """Refuse options that have no effect on stability."""
    values = asked.values
    if values["scheme"] not in schemes_that_count("slots") or values["by"] != "time":
        raise UsageFault(
            "--stability is about slot error rates through time or on the same words, expected it "
            f"with --scheme {' or '.join(schemes_that_count('slots'))} and without --by"
        )
    costs = values["costs"]
    needs_grammar = (costs and costs.depth > 1) or any(values[each] for each in LABEL_OPTIONS)
    for name in _WITHOUT_EFFECT:
        if name in asked.named and not (name == "grammar" and needs_grammar):
            raise UsageFault(f"{flag(name)} has no effect with --stability, expected it without")


def _runs(asked: RunRequest, resampling: Resampling | None, without: Collection[str]) -> list[_Run]:
    """How systems are scored by each measure; each condition has the options ``without``."""
    found = []
    has_any_words = any(map(has_words, asked.values["measure"] or ()))
    for one, own in each_measure(asked, *OUTCOMES, "words"):
        rate = rate_measure(one)
        check_parts(own, SCHEMES[own.values["scheme"]])
        values = {name: value for name, value in own.values.items() if name not in without}
        how = scoring_of(replace(own, values=values))
        if not has_any_words and not without:
            own = with_alternatives(own, how)
        drawn = resampling
        if rate is not None and resampling is not None and has_words(rate):
            drawn = of_documents(resampling, rate)
        found.append(_Run(one, rate, own, how, drawn))
    return found


def _conditions(
    run: _Run, sides: tuple[SideSource, Systems] | list[ConditionSides]
) -> list[Condition]:
    """The conditions of a campaign, or the only one, with their systems, unread."""
    if not isinstance(sides, tuple):
        return [in_condition(one, run.asked, run.how) for one in sides]
    name, _ = condition_of(run.how, run.rate)
    ref, hyps = sides
    how = run.how
    if how.scheme.aligns_words:
        _, through = condition_of(how)[1]
        how = replace(how, settings=replace(how.settings, through=through))
    return [Condition(name, how, systems_of(run.asked, ref, hyps, how))]


def _scores(
    run: _Run, conditions: Iterable[Condition], *, keeps: bool
) -> dict[str, dict[str, Any]]:
    """The score of each system in each condition."""
    drawn = None if keeps else run.resampling
    return {name: scores_for(drawn, how, corpus, run.rate) for name, how, corpus in conditions}


# What the recogniser costs


def blame(
    asked: RunRequest,
    sides: tuple[SideSource, SideSource, SideSource] | list[ConditionSides],
    path: str | None = None,
    *,
    keeps_outcomes: bool = False,
) -> tuple[list[SystemBlame], AnyScore | None]:
    """What the recognisers cost the systems.

    Args:
        asked: the options of the run, ``context`` among them.
        sides: the references and the outputs of a system on manual and on recognised words; or the
            conditions of a campaign, whose path is ``path``.
        keeps_outcomes: whether the score of the only system on the recogniser's words is returned,
            with the outcome of each element.
    """
    if isinstance(sides, tuple):
        how = scoring_of(asked)
        if not how.settings.is_projected:
            raise UsageFault(
                "expected --tolerance, or --by text or phones: the words of the recogniser are "
                "others than those of the reference"
            )
        ref, manual, recognised = sides
        both = pairs_of_both(asked, ref, ({"": manual}, {"": recognised}), how, asked.sides)
        systems = [RecogniserPairs("", how, *both)]
    else:
        own = {name: one for name, one in asked.values.items() if name not in ALIGNMENT_OPTIONS}
        how = scoring_of(replace(asked, values=own))
        systems = campaign_systems(sides, path, how, asked)
    found = blame_each(systems, asked.values["context"])
    score = None
    if keeps_outcomes:
        as_blamed = replace(how, settings=found[0].blame.settings)
        score = as_blamed.score(systems[0].recognised)[""]
    check_labels(asked, [each for one in systems for each in one[2:]], how.settings)
    return found, score


# Sweeps


def sweep(
    asked: RunRequest, ref: SideSource, hyps: Systems, axis: Axis, points: Sequence[int]
) -> Sweep:
    """The counts, or the values of measures, of each system at each point of an axis."""
    from ..analysis.curves import AxisMeasures
    from ..analysis.grids import TIME
    from ..analysis.sweep import sweep_along, sweep_of

    measures: Sequence[Measure] = asked.values["measure"] or ()
    if axis is TIME and (not measures or _is_of_counts(measures)):
        how = _at_first(asked, points)
        corpus = systems_of(asked, ref, hyps, how)
        found = sweep_of(corpus, points, how.settings)
    else:
        _check_swept(measures, axis, asked)
        asked, requested, how, _ = measures_of(measures, asked)
        along = AxisMeasures(requested, axis, points)
        read = as_read([at[0] for at in along.each.values()], how)
        corpus = systems_of(asked, ref, hyps, read)
        found = sweep_along(corpus, along, how.settings)
    check_labels(asked, [corpus], how.settings)
    return found


def sweep_elements(
    asked: RunRequest, ref: SideSource, hyps: Systems, points: Sequence[int]
) -> tuple[Sweep, dict[str, list[AnyScore]]]:
    """The sweep of systems in time, and the scores of each at each tolerance, with all outcomes."""
    from ..analysis.compare import with_interval
    from ..analysis.resampling import Resampling
    from ..analysis.sweep import sweep_of

    measures: Sequence[Measure] = asked.values["measure"] or ()
    if measures and not _is_of_counts(measures):
        raise UsageFault("a page shows slot error rates, expected it without other measures")
    how = _at_first(asked, points)
    corpus = systems_of(asked, ref, hyps, how)
    ways = [replace(how, settings=replace(how.settings, tolerance=(at, at))) for at in points]
    found = together(one.scorer(one.scheme.figures[0]) for one in ways).scores(corpus)
    scores: dict[str, list[AnyScore]] = {
        name: [with_interval(score, Resampling(resamples=1000)) for score in own]
        for name, own in found.items()
    }
    swept = sweep_of(corpus, points, how.settings)
    check_labels(asked, [corpus], how.settings)
    return swept, scores


def _at_first(asked: RunRequest, points: Sequence[int]) -> ScoringOptions:
    """The scoring of slots at the first of the points."""
    measures = asked.values["measure"] or (None,)
    how = scoring_of(with_measure(asked.but(measure=measures[0]), "slots"))
    return replace(how, settings=replace(how.settings, tolerance=(points[0], points[0])))


def _is_of_counts(measures: Sequence[Measure]) -> bool:
    """Whether a sweep of counts shows the measures: one slot error rate through times."""
    [first, *others] = measures
    is_rate = first.family.counts == "slots" and first.figure == "SER"
    return is_rate and not others and first.values["by"] == "time"


def _check_swept(measures: Sequence[Measure], axis: Axis, asked: RunRequest) -> None:
    """Refuse a sweep without a measure, or with one that no tolerance changes."""
    from ..analysis.grids import EXTENT

    if not measures:
        example = "mitre.extent" if axis is EXTENT else "SER(by=text)"
        raise UsageFault(
            f"found no measure for these points, expected one such as --measure {example}"
        )
    for one in measures:
        is_swept = one.family.counts in ("slots", "elements", "words") and one.family.has_places
        if not is_swept:
            raise UsageFault(f"--measure {one} is not for {asked.what}: no tolerance changes it")
