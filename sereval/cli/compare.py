"""``sereval compare``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import starmap
from typing import Any, NamedTuple

import click

from ..analysis.campaign import SystemBlame, by_measure
from ..analysis.campaign import campaign as campaign_of
from ..analysis.collate import Collation
from ..analysis.collate import collate as collated
from ..analysis.compare import IdenticalSystems
from ..analysis.stability import Stability
from ..analysis.stability_report import report_of
from ..corpus.corpus import Corpus
from ..render.numbers import counted
from ..report.collate import report_of as collated_report
from ..runs.campaign import (
    campaign_blames,
    pairs_of_condition,
    stability_of,
)
from ..runs.conditions import OF_CONDITIONS, ConditionSides, read_campaign
from ..runs.groups import check_groups, read_groups
from ..runs.measure_runs import MeasureRun, runs_of
from ..runs.measures import rate_measure
from ..runs.pairs import condition_of, system_names
from ..runs.scoring import LABEL_OPTIONS
from ..schemes.measure import Measure
from ..schemes.table import OUTCOMES, schemes_that_count
from ..templates.reader import is_templates
from . import responses
from .conditions import check_campaign, check_conditions
from .help import command, option
from .inputs import HOOKS, check_read, system_option, systems_options
from .measures import alternatives_option, several_option
from .outputs import output_options, suffix_of, writable_as
from .pages import HTML, PageOptions, page_options, relative_to
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
        "compare data/ref data/hyp/*/manual",
        "compare data/ref data/hyp/*/asr -a data/align -w data/asr -t 0.3",
        "compare data/ref data/hyp/*/manual --measure SER,F1,mitre.type",
    )
)
@click.argument("ref", required=False)
@click.argument("hyps", metavar="[HYP]...", nargs=-1)
@option(
    "--campaign",
    common=True,
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
@alternatives_option
@workers_options
@resampling_options(
    "Number of samples of the bootstrap, and of random exchanges in the permutation tests."
)
@option(
    "--stability",
    group="Output",
    is_flag=True,
    help="Report instead whether the systems keep their order under other alignment criteria.",
)
@option(
    "--collate",
    group="Output",
    metavar="FILE",
    callback=writable_as((HTML, "csv")),
    help="Also write the outcome of each element under each system, as .html or .csv.",
)
@output_options(("text", "json", "csv", HTML))
@page_options
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
    audio: str | None,
    size: int | None,
    **values: Any,
) -> None:
    """Compare several systems on one reference.

    The report has the slot error rate of each system, or other measures, with intervals. It also
    has the differences between systems, with permutation tests and by label. For a campaign
    with manual and recognised words it also has the cost of each recogniser. Template files, as for
    sereval templates, are compared by F.
    """
    context = click.get_current_context()
    page = PageOptions(output, audio, size)
    page.check(format)
    needs = _needs_elements(format, stability=stability, collate=collate)
    if ref is not None and is_templates(ref):
        chosen = {**values, "collate": collate, "groups": groups}
        compared = responses.compare_responses(
            ref, hyps, names, format, stability=stability, **chosen
        )
        write_report(compared, format, output)
        return
    values["measure"] = values.pop("measures")
    _check_outcomes(values["measure"], needs)
    resampling, values = take_resampling(values)
    if campaign is not None:
        check_campaign(context, ref)
    # each condition of a campaign has its own alignment
    runs = runs_of(asked_of(values), resampling, () if campaign is None else OF_CONDITIONS)
    if stability:
        _check_stability(context, runs[0].asked.values)
    of_runs = [_conditions(run, campaign, ref, hyps, names) for run in runs]
    check_conditions(of_runs[0])
    stabilities, scored, identical, grouped, blames = _read(
        list(zip(runs, of_runs, strict=True)),
        groups,
        needs=needs,
        is_stability=stability,
        is_scored=collate is not None or not stability,
        has_costs=campaign is not None,
    )
    if stability:
        text = report_of(stabilities)
    else:
        found = {
            str(run.measure): campaign_of(scores, blames, run.resampling, grouped, copies)
            for run, scores, copies in zip(runs, scored, identical, strict=True)
        }
        text = by_measure(found).report()
    beside: dict[str, Iterator[str]] = {}
    if collate is not None:
        collations = list(starmap(collated, scored[0].items()))
        link = relative_to(output, collate) if format == HTML and page.has_link else ""
        beside[collate] = _collated(collations, suffix_of(collate), link)
    if format == HTML:
        title = campaign or f"{counted(len(hyps), 'system')} against {ref}"
        shown = {name: {s: [one] for s, one in its.items()} for name, its in scored[0].items()}
        costs = {(one.condition, one.system): one.blame for one in blames}
        inputs = [path for path in (campaign, ref, *hyps) if path]
        page.write(shown, title, inputs, beside, report=text.lines(), blames=costs)
    else:
        write_report(text, format, output, beside)


class _Found(NamedTuple):
    """What was found when the documents were read.

    Args:
        stabilities: the systems of each condition under other alignment criteria.
        scored: by each measure, the score of each system in each condition.
        identical: by each measure, the systems of each condition that have the same output.
        groups: the ids of the documents of each group.
        blames: what the recognisers cost the systems.
    """

    stabilities: list[Stability]
    scored: list[dict[str, dict[str, Any]]]
    identical: list[IdenticalSystems]
    groups: Mapping[str, Collection[str]]
    blames: list[SystemBlame]


def _read(
    runs: Sequence[tuple[MeasureRun, list[ConditionSides]]],
    groups: str | None,
    *,
    needs: str,
    is_stability: bool,
    is_scored: bool,
    has_costs: bool,
) -> _Found:
    """Read and score all documents; their entries are not kept any longer.

    Args:
        runs: how systems are scored by each measure, and its conditions.
        groups: the path of the groups of documents.
        needs: the option that needs the outcome of each element; empty: none.
        is_stability: whether systems are scored under other alignment criteria.
        is_scored: whether they are scored as the options say.
        has_costs: whether the costs of recognisers are wanted.
    """
    shared: dict[str, Any] = {"known": {}, **HOOKS}  # conditions and systems may share paths
    streams: list[Corpus] = []
    stabilities: list[Stability] = []
    scored, identical = [], []
    first, of_first = runs[0]
    if is_stability:
        stabilities, streams = _stabilities(first, of_first, shared)
    for run, conditions in runs if is_scored else ():
        drawn = None if needs else run.resampling
        scores, copies, read = run.scores(conditions, {**run.sides, **shared}, drawn)
        scored.append(scores)
        identical.append(copies)
        streams += read
    check_read(streams, *(run.how.settings for run, _ in runs))
    if is_stability:
        return _Found(stabilities, scored, identical, {}, [])
    grouped = {} if groups is None else read_groups(groups)
    check_groups(groups or "", grouped, shared["known"])
    sides = {**first.sides, **shared}
    blames = campaign_blames(of_first, scored[0], first.how, sides) if has_costs else []
    return _Found(stabilities, scored, identical, grouped, blames)


def _collated(collations: Sequence[Collation], suffix: str, link: str) -> Iterator[str]:
    """The collated errors in the format of a suffix, with links to the page of their systems."""
    if suffix == "csv":
        return collated_report(collations).csv()
    from ..report.page import collated_page  # slow to import

    return collated_page(collations, link)


def _needs_elements(format: str, *, stability: bool, collate: str | None) -> str:
    """The option that needs the outcome of each element; empty: none."""
    if stability and format == HTML:
        raise click.UsageError(f"--format {HTML} is not for --stability, expected one of them")
    asked = {"--stability": stability, "--collate": collate, f"--format {HTML}": format == HTML}
    return next((option for option, value in asked.items() if value), "")


def _check_outcomes(measures: Sequence[Measure] | None, needs: str) -> None:
    """Refuse measures that give no element an outcome, or several, where outcomes are shown.

    Args:
        measures: the measures, or ``None``.
        needs: the option that needs the outcomes; empty: none.
    """
    if not measures or not needs:
        return
    for one in measures:
        if rate_measure(one):
            raise click.UsageError(
                f"{needs} needs the outcome of each element, expected it without --measure {one}"
            )
    if len(measures) > 1:
        raise click.UsageError(f"{needs} takes one measure, found {len(measures)} of them")


def _conditions(
    run: MeasureRun,
    campaign: str | None,
    ref: str | None,
    hyps: Sequence[str],
    names: Sequence[str],
) -> list[ConditionSides]:
    """The conditions of a campaign, or the only condition of a comparison without one."""
    if campaign is not None:
        return read_campaign(campaign)
    if ref is None or not hyps:
        raise click.UsageError("expected REF and at least one HYP, or --campaign")
    name, alignment = condition_of(run.how, run.rate)
    sides = {"ref": ref, "align": run.sides["align"], "words": run.sides["words"]}
    systems = dict(zip(system_names(hyps, names), hyps, strict=True))
    return [ConditionSides(name, alignment, systems, sides)]


def _stabilities(
    run: MeasureRun,
    conditions: Sequence[ConditionSides],
    shared: Mapping[str, Any],
) -> tuple[list[Stability], list[Corpus]]:
    """The systems of each condition under other alignment criteria, and what was read."""
    sides = {**run.sides, **shared}
    read = [pairs_of_condition(condition, sides, run.how) for condition in conditions]
    return list(map(stability_of, read)), [one.corpus for one in read]


WITHOUT_EFFECT = (
    "groups",
    "alternatives",
    "resamples",
    "seed",
    "confidence",
    "unit",
    "grammar",
    "is_bound",
)
"""Options without effect with ``--stability``: it draws no samples and reports no labels."""


def _check_stability(context: click.Context, values: Mapping[str, Any]) -> None:
    """Refuse options that have no effect with ``--stability``."""
    if values["scheme"] not in schemes_that_count("slots") or values.get("by", "time") != "time":
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
