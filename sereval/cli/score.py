"""``sereval score``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ..evaluation.report import VIEWS, WIDEST
from ..render.report import Look
from ..runs import api
from ..runs.pairs import distinct_names
from ..schemes.table import OUTCOMES
from .help import command, option
from .inputs import side_options
from .measures import alternatives_option, biasing_option, measures_option
from .options import choice_option
from .outputs import output_options, terminal_look
from .provenance import write_report
from .scoring import (
    asked_of,
    asked_resampling,
    resampling_options,
    scoring_options,
    workers_options,
)
from .streams import on_screen

if TYPE_CHECKING:
    pass


@command(
    examples=(
        "score data/ref data/hyp/gazetteer/manual",
        "score data/ref data/hyp/gazetteer/asr -a data/align -w data/asr -t 0.3",
        "score data/ref data/hyp/gazetteer/asr --by text -o score.json",
    )
)
@click.argument("ref")
@click.argument("hyp")
@side_options
@scoring_options("score", *OUTCOMES)
@option(
    "--reference",
    "references",
    group="Files and formats",
    metavar="PATH",
    multiple=True,
    help="A further reference of the same documents; may be repeated. The report then has the rate "
    "against each reference, the mean, and the best reference of each document.",
)
@measures_option
@biasing_option
@alternatives_option
@workers_options
@resampling_options("Number of samples of the bootstrap.", confidence=None)
@choice_option(
    "--show",
    VIEWS,
    "What the text has: the ten labels and three documents that cost most (summary), every label, "
    "every document, or all. JSON and CSV always have all.",
    group="Output",
    common=True,
)
@output_options(("text", "json", "csv"))
def score(
    *,
    ref: str,
    hyp: str,
    references: tuple[str, ...],
    show: str,
    format: str,
    output: str,
    **values: Any,
) -> None:
    """Score HYP against REF.

    The report has the slot error rate, precision, recall and F1, by label and by document.
    """
    resampling, values = asked_resampling(values)
    asked = asked_of(values)
    if references:
        if resampling is not None or values["measures"] is not None:
            other = "--measure" if resampling is None else "--confidence"
            raise click.UsageError(f"{other} has no effect with --reference, expected one of them")
        every = (ref, *references)
        named = dict(zip(distinct_names(every, "references"), every, strict=True))
        write_report(api.references(asked, named, hyp).report(), format, output)
        return
    is_seen = format == "text" and output == "-" and sys.stdout.isatty()
    look = Look(**terminal_look()) if is_seen else Look()  # slow
    look = look._replace(width=min(look.width, WIDEST), has_bars=is_seen, show=show)
    found = api.score(asked, ref, hyp, resampling)
    beside: dict[str, str] = {}
    if (aligned := values["aligned"]) is not None and values["measures"] is None:
        from ..schemes.evalita import aligned_file

        beside[aligned] = aligned_file(found.aligned)
    shown = (lambda text: _coloured(on_screen(text), look.colour)) if is_seen else None
    write_report(found.report(), format, output, beside, shown, look)


def _coloured(text: str, colour: str | None) -> str:
    """The text of a report with its first line in bold and its bars in colour."""
    if colour is None:
        return text
    from ..render.cells import styled  # only terminals wait for it

    first, *others = text.split("\n")
    found = [styled(first, "bold").render(colour)]
    for line in others:
        rest = line.rstrip("█")
        bar = line[len(rest) :]
        found.append(f"{rest}{styled(bar, 'red').render(colour)}" if bar else line)
    return "\n".join(found)
