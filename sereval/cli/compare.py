"""``sereval compare``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import click

from ..analysis import stability as stabilities
from ..analysis.campaign import SystemBlame, by_measure
from ..analysis.campaign import campaign as campaign_of
from ..analysis.collate import collate as collated
from ..analysis.rates import ComparableScore
from ..analysis.systems import Systems
from ..corpus.pairs import Pair
from ..corpus.unread import PairStream, joined
from ..errors import SerevalError
from ..evaluation.settings import Settings
from ..evaluation.totals import Score
from ..report.campaign import COMPARISONS
from ..report.collate import COLLATIONS
from ..report.stability import STABILITIES
from ..runs.comparisons import MeasureRun, Reader, runs_of
from ..runs.measures import rate_measure
from ..runs.pairs import condition_of, names_of_pairs, system_names
from ..runs.scoring import ALIGNMENT_OPTIONS, LABEL_OPTIONS, ScoringOptions
from ..schemes.measure import Measure
from ..schemes.table import OUTCOMES, schemes_that_count
from .blame import blame_each, campaign_systems
from .campaign import ConditionFiles, check_campaign, read_campaign
from .groups import check_groups, read_groups
from .help import command, option
from .inputs import check_read, system_option, systems_of, systems_options
from .measures import several_option
from .outputs import output_options, suffix_of, writable_as
from .provenance import write_report
from .scoring import (
    asked_of,
    on_command_line,
    resampling_options,
    scoring_options,
    take_resampling,
    workers_options,
)


@command(
    examples=(
        "compare ref hyp/*/manual",
        "compare ref hyp/*/asr -a align -w asr -t 0.3",
    )
)
@click.argument("ref", required=False)
@click.argument("hyps", metavar="[HYP]...", nargs=-1)
@option(
    "--campaign",
    group="Files and formats",
    metavar="FILE",
    help="A TOML file that names the reference, the conditions and the systems, instead of REF "
    "and HYP.",
)
@option(
    "--groups",
    group="Output",
    metavar="FILE",
    help="Report each group of documents too: a line for each document, its id, a tab and its "
    "group; or a TOML file.",
)
@system_option
@systems_options
@scoring_options("compare", *OUTCOMES)
@several_option
@workers_options
@resampling_options(
    "Number of samples of the bootstrap, and of random exchanges in the permutation tests."
)
@option(
    "--stability",
    group="Output",
    is_flag=True,
    help="Report instead whether the order of systems holds under other alignment criteria.",
)
@option(
    "--collate",
    group="Output",
    metavar="FILE",
    callback=writable_as(COLLATIONS),
    help="Also write the outcome of each element under each system, as .html or .csv.",
)
@output_options(COMPARISONS)
def compare(
    *,
    ref: str | None,
    hyps: Sequence[str],
    campaign: str | None,
    groups: str | None,
    names: Sequence[str],
    stability: bool,
    collate: str | None,
    format: str,
    output: str,
    **values: Any,
) -> None:
    """Compare several systems on one reference.

    The report has the slot error rate of each system, or other measures, with intervals. It also
    has the differences between systems, with permutation tests and by label. A campaign with manual
    words and those of recognisers also has what each recogniser cost.
    """
    values["measure"] = values.pop("measures")
    _check_outcomes(values["measure"], stability=stability, collate=collate)
    resampling, values = take_resampling(values)
    replaced = () if campaign is None else ALIGNMENT_OPTIONS  # each condition has its own
    runs = runs_of(asked_of(values), resampling, replaced)
    context = click.get_current_context()
    if stability:
        _check_stability(context, runs[0].asked.values)
    if campaign is not None:
        check_campaign(context, ref)
    files = [_conditions(run, campaign, ref, hyps, names) for run in runs]
    known: dict[Any, Any] = {}  # measures, conditions and systems may share paths
    reader = Reader(is_kept=len(runs) > 1)
    if stability:
        text = STABILITIES[format](_stabilities(runs[0], files[0], reader, known))
    scored = []
    if collate is not None or not stability:
        scored = [
            _scores(run, each, reader, known, has_outcomes=collate is not None)
            for run, each in zip(runs, files, strict=True)
        ]
    check_read(reader.streams, runs[0].how.settings.labels)
    if not stability:
        grouped = {} if groups is None else read_groups(groups)
        check_groups(groups or "", grouped, known)
        blames = _blames(campaign, files[0], scored[0], runs[0], known)
        of_each = {
            str(run.measure): campaign_of(scores, blames, run.resampling, grouped)
            for run, scores in zip(runs, scored, strict=True)
        }
        text = COMPARISONS[format](by_measure(of_each))
    beside: dict[str, str] = {}
    if collate is not None:
        pages = [collated(name, evaluations) for name, evaluations in scored[0].items()]
        beside[collate] = COLLATIONS[suffix_of(collate)](pages)
    write_report(text, format, output, beside)


def _blames(
    campaign: str | None,
    conditions: Sequence[ConditionFiles],
    scored: Mapping[str, Mapping[str, Any]],
    run: MeasureRun,
    paths: dict[Any, Any],
) -> list[SystemBlame]:
    """What the recognisers of a campaign cost each system that was run on manual words too.

    There is nothing to divide without exactly one condition on manual words and another one, under
    a scheme without blame, and where mentions stand for the words of a recogniser.
    """
    manual = [one for one in conditions if not one.is_projected]
    known = [one for one in conditions if not any(map(_has_mentions, scored[one.name].values()))]
    if campaign is None or run.how.scheme.name != Settings().scheme or len(manual) != 1:
        return []
    [own] = manual
    both = [
        replace(one, paths={name: one.paths[name] for name in one.paths if name in own.paths})
        for one in known
        if one is not own
    ]
    if not both:
        return []
    sides = {**run.sides, "known": paths}
    return blame_each(campaign_systems([own, *both], campaign, run.how, sides))


def _has_mentions(score: ComparableScore) -> bool:
    """Whether the mentions of a hypothesis were found in the words of the reference."""
    notes = score.notes["hypothesis"] if isinstance(score, Score) else ()
    return any(note.choice.endswith(":reference") for note in notes)


def _check_outcomes(
    measures: Sequence[Measure] | None, *, stability: bool, collate: str | None
) -> None:
    """Refuse measures that give no element an outcome, or several, where outcomes are shown."""
    if not measures or (not stability and collate is None):
        return
    found = "--stability" if stability else "--collate"
    for one in measures:
        if rate_measure(one):
            raise click.UsageError(
                f"{found} needs the outcome of each element, expected it without --measure {one}"
            )
    if len(measures) > 1:
        raise click.UsageError(f"{found} takes one measure, found {len(measures)} of them")


def _conditions(
    run: MeasureRun,
    campaign: str | None,
    ref: str | None,
    hyps: Sequence[str],
    names: Sequence[str],
) -> list[ConditionFiles]:
    """The conditions of a campaign, or the only condition of a comparison without one."""
    if campaign is not None:
        return read_campaign(campaign)
    if ref is None or not hyps:
        raise click.UsageError("expected REF and at least one HYP, or --campaign")
    name, alignment = condition_of(run.how, run.rate)
    sides = {"ref": ref, "align": run.sides["align"], "words": run.sides["words"]}
    systems = dict(zip(system_names(hyps, names), hyps, strict=True))
    return [ConditionFiles(name, alignment, systems, sides)]


WITHOUT_EFFECT = ("groups", "resamples", "seed", "confidence", "unit", "grammar", "is_bound")
"""Options without effect with ``--stability``: it draws no samples and reports no labels."""


def _check_stability(context: click.Context, values: Mapping[str, Any]) -> None:
    """Refuse options that have no effect with ``--stability``."""
    if values["scheme"] not in schemes_that_count("slots") or values["by"] != "time":
        raise click.UsageError(
            "--stability is about slot error rates through time or on the same words, expected it "
            f"with --scheme {' or '.join(schemes_that_count('slots'))} and without --by"
        )
    flags, costs = on_command_line(context), values["costs"]
    needs_grammar = (costs and costs.depth > 1) or any(values[each] for each in LABEL_OPTIONS)
    for name in WITHOUT_EFFECT:
        if name in flags and not (name == "grammar" and needs_grammar):
            found = f"{flags[name]} has no effect with --stability"
            raise click.UsageError(f"{found}, expected it without")


def _how(run: MeasureRun, condition: ConditionFiles) -> ScoringOptions:
    """The scoring, with the alignment of a condition."""
    tolerance, through = condition.alignment
    settings = replace(run.how.settings, tolerance=tolerance, through=through)
    return replace(run.how, settings=settings)


def _streams(
    run: MeasureRun, condition: ConditionFiles, known: dict[Any, Any]
) -> list[PairStream[Pair]]:
    """The pairs of each system of a condition, unread."""
    values = {**run.sides, "known": known, **condition.sides}
    return systems_of(hyps=[*condition.paths.values()], how=_how(run, condition), **values)


def _scores(
    run: MeasureRun,
    conditions: Iterable[ConditionFiles],
    reader: Reader,
    known: dict[Any, Any],
    *,
    has_outcomes: bool,
) -> dict[str, dict[str, Any]]:
    """The score of each system in each condition.

    All documents of all conditions are found before the first is read.

    Args:
        run: how they are scored.
        conditions: the conditions.
        reader: reads the pairs.
        known: the documents of each path, by side and path.
        has_outcomes: whether the outcomes of elements are kept.
    """
    read = [
        reader.read(one.name, _how(run, one), partial(_streams, run, one, known))
        for one in conditions
    ]
    return {
        one.name: run.scores(
            dict(zip(one.paths, pairs, strict=True)), _how(run, one), has_outcomes=has_outcomes
        )
        for one, pairs in zip(conditions, read, strict=True)
    }


def _stabilities(
    run: MeasureRun, conditions: Iterable[ConditionFiles], reader: Reader, known: dict[Any, Any]
) -> list[stabilities.Stability]:
    """The systems of each condition under other alignment criteria."""
    found = []
    for condition in conditions:
        settings = _how(run, condition).settings
        if settings.through is not None:
            raise SerevalError(
                f"--stability: condition {condition.name!r} aligns words, expected a tolerance in "
                "time"
            )
        streams = _streams(run, condition, known)
        pairs = joined(streams)
        reader.streams.append(pairs)
        names = names_of_pairs(dict(zip(condition.paths, streams, strict=True)))
        found.append(stabilities.stability(condition.name, Systems(names, pairs), settings))
    return found
