"""``sereval compare``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import starmap
from typing import Any

import click

from ..analysis.collate import Collation
from ..analysis.collate import collate as collated
from ..analysis.collate import report_of as collated_report
from ..analysis.stability import report_of
from ..render.numbers import counted
from ..runs import several
from ..runs.conditions import read_campaign
from ..runs.groups import read_groups
from ..runs.pairs import system_names
from ..schemes.table import OUTCOMES
from ..templates.reader import is_templates
from . import responses
from .conditions import check_campaign
from .help import command, option
from .inputs import system_option, systems_options
from .measures import alternatives_option, several_option
from .outputs import output_options, suffix_of, writable_as
from .pages import HTML, PageOptions, page_options, relative_to
from .provenance import write_report
from .scoring import (
    asked_of,
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
    resampling, values = take_resampling(values)
    if campaign is not None:
        check_campaign(context, ref)
        sides: Any = read_campaign(campaign)
    elif ref is None or not hyps:
        raise click.UsageError("expected REF and at least one HYP, or --campaign")
    else:
        sides = ref, dict(zip(system_names(hyps, names), hyps, strict=True))
    asked = asked_of(values)
    beside: dict[str, Iterator[str]] = {}
    if stability:
        report = report_of(several.stability(asked, sides))
        if collate is not None:  # its documents were told already
            again = replace(asked, hooks=asked.hooks._replace(read=lambda _: None))
            beside[collate] = _collated(several.outcomes(again, sides), suffix_of(collate), "")
        write_report(report, format, output, beside)
        return
    if needs:
        several.check_outcomes(asked, needs)
    grouped = {} if groups is None else read_groups(groups)
    found = several.compare(asked, resampling, sides, grouped, groups, keeps_outcomes=bool(needs))
    report = found.campaign.report()
    if collate is not None:
        collations = list(starmap(collated, found.scores.items()))
        link = relative_to(output, collate) if format == HTML and page.has_link else ""
        beside[collate] = _collated(collations, suffix_of(collate), link)
    if format == HTML:
        title = campaign or f"{counted(len(hyps), 'system')} against {ref}"
        shown = {name: {s: [one] for s, one in its.items()} for name, its in found.scores.items()}
        costs = {(one.condition, one.system): one.blame for one in found.campaign.blames}
        inputs = [path for path in (campaign, ref, *hyps) if path]
        page.write(shown, title, inputs, beside, report=report.lines(), blames=costs)
    else:
        write_report(report, format, output, beside)


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
