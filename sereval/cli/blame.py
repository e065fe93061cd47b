"""``sereval blame``."""

from __future__ import annotations

from typing import Any

import click

from ..analysis.blame import CONTEXT_WORDS
from ..analysis.compare_report import report_of_blames
from ..runs import several
from ..runs.conditions import read_campaign
from .conditions import check_campaign
from .help import command, option
from .inputs import side_options
from .measures import alternatives_option
from .options import AtLeast
from .outputs import output_options
from .pages import HTML, PageOptions, page_options
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
        "blame data/ref data/hyp/gaz*/manual data/hyp/gaz*/asr --by text",
        "blame data/ref data/hyp/comp*/manual data/hyp/comp*/asr --by text",
        "blame data/ref data/hyp/g*/manual data/hyp/g*/asr --by text -f csv",
    )
)
@click.argument("ref", required=False)
@click.argument("manual", metavar="[HYP_MANUAL]", required=False)
@click.argument("recognised", metavar="[HYP_ASR]", required=False)
@option(
    "--campaign",
    common=True,
    group="Files and formats",
    metavar="FILE",
    help="A TOML file that names the reference, the conditions and the systems, instead of REF, "
    "HYP_MANUAL and HYP_ASR. One of its conditions has the reference's words and no tolerance.",
)
@side_options
@scoring_options("blame")
@alternatives_option
@workers_options
@option(
    "--context",
    group="Scoring",
    metavar="N",
    type=AtLeast(0),
    default=CONTEXT_WORDS,
    help="Number of words on either side of an element whose recognition errors may be the cause "
    "of a change.",
)
@resampling_options("Number of samples of the bootstrap.")
@output_options(
    ("text", "json", "csv", HTML),
    "Format of the result; html is the page of an audit.",
    "PATH",
    "Write to this file, in the format of its suffix; with --split, to this folder.",
)
@page_options
def blame(
    *,
    ref: str | None,
    manual: str | None,
    recognised: str | None,
    campaign: str | None,
    context: int,
    format: str,
    output: str,
    audio: str | None,
    size: int | None,
    **values: Any,
) -> None:
    """Divide errors between the recogniser and the system.

    HYP_MANUAL is the output of the system on the words of REF, HYP_ASR its output on the words of a
    recogniser. The words of HYP_MANUAL take the times of REF's words. Elements without a place on
    the recogniser's words count as deletions.
    """
    resampling, values = take_resampling(values)
    page = PageOptions(output, audio, size)
    page.check(format)
    if format == HTML and campaign is not None:
        raise click.UsageError("--format html shows one system, expected it without --campaign")
    asked = asked_of({**values, "context": context})
    if campaign is not None:
        check_campaign(click.get_current_context(), ref)
        found, _ = several.blame(asked, read_campaign(campaign), campaign)
        write_report(report_of_blames(found, resampling), format, output)
        return
    if ref is None or manual is None or recognised is None:
        raise click.UsageError("expected REF, HYP_MANUAL and HYP_ASR, or --campaign")
    sides = ref, manual, recognised
    [(_, _, own)], score = several.blame(asked, sides, keeps_outcomes=format == HTML)
    if score is None:
        write_report(own.report(resampling), format, output)
        return
    inputs = [*sides, *filter(None, (values["align"], values["words"])), *values["alternatives"]]
    title = f"{recognised} against {ref}"
    page.write(score, title, inputs, blames={("", ""): own}, resampling=resampling)
