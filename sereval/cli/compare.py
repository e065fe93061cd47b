"""``sereval compare``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import starmap
from typing import Any

import click

from ..analysis.campaign import Campaign
from ..analysis.campaign import campaign as campaign_of
from ..analysis.collate import collate as collated
from ..report.campaign import COMPARISONS
from ..report.collate import COLLATIONS
from ..report.numbers import counted
from ..report.stability import STABILITIES
from ..runs.campaign import (
    campaign_blames,
    joined_pairs,
    pairs_of_condition,
    scores_of,
    stability_of,
)
from ..runs.conditions import ConditionSides, read_campaign
from ..runs.groups import check_groups, read_groups
from ..runs.measures import alternatives_beside, has_words, rate_measure
from ..runs.pairs import condition_of, of_documents, system_names
from ..runs.scoring import ALIGNMENT_OPTIONS, LABEL_OPTIONS, ScoringOptions, check_parts, split
from ..schemes.measure import Measure
from ..schemes.table import SCHEMES, schemes_that_count
from ..templates.reader import is_templates
from . import responses
from .conditions import check_campaign, check_conditions
from .help import command, option
from .inputs import HOOKS, check_read, system_option, systems_options
from .measures import alternatives_option, measure_option, with_measure
from .outputs import output_options, suffix_of, writable_as
from .pages import HTML, audio_option, check_page_options, relative_to, systems_page
from .provenance import write_report
from .scoring import (
    asked_of,
    on_command_line,
    resampling_options,
    scoring_of,
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
@scoring_options("compare", "slots", "elements")
@measure_option
@alternatives_option
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
@output_options((*COMPARISONS, HTML))
@audio_option
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
    **values: Any,
) -> None:
    """Compare several systems on one reference.

    The report has the slot error rate of each system, or another measure, with an interval. It also
    has the differences between systems, with permutation tests and by label. A campaign with manual
    words and those of recognisers also has what each recogniser cost. Template files, as for
    sereval templates, are compared by F.
    """
    context = click.get_current_context()
    check_page_options(format, output, audio)
    needs = _needs_elements(format, stability=stability, collate=collate)
    if ref is not None and is_templates(ref):
        chosen = {**values, "collate": collate, "groups": groups}
        text = responses.compared(ref, hyps, names, format, stability=stability, **chosen)
        write_report(text, format, output)
        return
    rate = _rate(values["measure"], needs)
    values = with_measure(values, "slots", "elements", "words")
    check_parts(asked_of(values), SCHEMES[values["scheme"]])
    if stability:
        _check_stability(context, values)
    if campaign is not None:
        check_campaign(context, ref)
        _, values = split(values, ALIGNMENT_OPTIONS)  # each condition has its own
    resampling, values = take_resampling(values)
    if rate is not None:
        resampling = of_documents(resampling, rate)
    how, sides = scoring_of(values)
    if campaign is None:
        if not has_words(rate):
            sides["alternatives"] = alternatives_beside(asked_of(values), how)
        conditions = [_only_condition(ref, hyps, names, how, rate, sides)]
    else:
        conditions = read_campaign(campaign)
    check_conditions(conditions)
    sides |= {"known": {}, **HOOKS}  # conditions and systems may share paths
    if stability:
        read = [pairs_of_condition(condition, sides, how) for condition in conditions]
        streams = list(map(joined_pairs, read))
        text = STABILITIES[format](list(map(stability_of, read, streams)))
    if collate is not None or not stability:
        read = [pairs_of_condition(condition, sides, how) for condition in conditions]
        streams = [pairs for condition in read for pairs in condition.systems.values()]
        scored = scores_of(read, None if needs else resampling, rate)
    check_read(streams, how.settings.labels)
    if not stability:
        grouped = {} if groups is None else read_groups(groups)
        check_groups(groups or "", grouped, sides["known"])
        blames = [] if campaign is None else campaign_blames(conditions, scored, how, sides)
        title = campaign or f"{counted(len(hyps), 'system')} against {ref}"
        runs = {name: {s: [one] for s, one in its.items()} for name, its in scored.items()}
        page = partial(systems_page, runs, title, output, audio, blames)
        text = _reported(campaign_of(scored, blames, resampling, grouped), format, page)
    beside = {} if collate is None else {collate: _collated(scored, collate, format, output)}
    write_report(text, format, output, beside)


def _reported(found: Campaign, format: str, page: Callable[[str], str]) -> str:
    """The report of a comparison; a page quotes the text."""
    return page(COMPARISONS["text"](found)) if format == HTML else COMPARISONS[format](found)


def _collated(scored: Mapping[str, Mapping[str, Any]], path: str, format: str, output: str) -> str:
    """The collated errors; beside a page of the systems they link into it."""
    link = relative_to(output, path) if format == HTML and output != "-" else ""
    return COLLATIONS[suffix_of(path)](list(starmap(collated, scored.items())), link)


def _needs_elements(format: str, *, stability: bool, collate: str | None) -> str:
    """The option that needs the outcome of each element; empty: none."""
    if stability and format == HTML:
        raise click.UsageError(f"--format {HTML} is not for --stability, expected one of them")
    asked = {"--stability": stability, "--collate": collate, f"--format {HTML}": format == HTML}
    return next((option for option, value in asked.items() if value), "")


def _rate(measure: Measure | None, needs: str) -> Measure | None:
    """The measure, if it is counted by document and gives no element an outcome.

    Args:
        needs: an option that needs the outcome of each element; empty: none.
    """
    if needs and rate_measure(measure):
        raise click.UsageError(
            f"{needs} needs the outcome of each element, expected it without --measure {measure}"
        )
    return rate_measure(measure)


def _only_condition(
    ref: str | None,
    hyps: Sequence[str],
    names: Sequence[str],
    how: ScoringOptions,
    rate: Measure | None,
    values: Mapping[str, Any],
) -> ConditionSides:
    """The condition of a comparison without a campaign."""
    if ref is None or not hyps:
        raise click.UsageError("expected REF and at least one HYP, or --campaign")
    name, alignment = condition_of(how, rate)
    sides = {"ref": ref, "align": values["align"], "words": values["words"]}
    return ConditionSides(
        name, alignment, dict(zip(system_names(hyps, names), hyps, strict=True)), sides
    )


WITHOUT_EFFECT = ("groups", "alternatives", "resamples", "seed", "confidence", "unit", "grammar")
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
