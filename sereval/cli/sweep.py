"""``sereval sweep``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from ..analysis.sweep import sweep_of
from ..analysis.systems import Systems
from ..corpus.unread import joined
from ..report.sweep import CHARTS, SWEEPS, chart, check_matplotlib
from ..runs.pairs import names_of_pairs, system_names
from ..runs.scoring import tolerances
from .help import command, option
from .inputs import check_read, system_option, systems_of, systems_options
from .measures import measure_option, with_measure
from .options import RequiredText, parsed
from .outputs import output_options, suffix_of, writable_as
from .provenance import write_report
from .scoring import scoring_of, scoring_options, workers_options


def drawable(context: click.Context, option: click.Parameter, path: str | None) -> str | None:
    """The callback of ``--plot``: it checks that a chart can be drawn and written."""
    path = writable_as(CHARTS)(context, option, path)
    if path is not None:
        check_matplotlib()
    return path


@command(
    examples=(
        "sweep ref hyp/gazetteer/asr -a align -w asr -t 0:1:0.1",
        "sweep ref hyp/*/asr -a align -w asr -t 0.1,0.3",
    )
)
@click.argument("ref")
@click.argument("hyps", metavar="HYP...", nargs=-1, required=True)
@option(
    "-t",
    "--tolerance",
    "grid_text",
    metavar="START:STOP:STEP",
    callback=parsed(tolerances),
    required=True,
    type=RequiredText("tolerances in seconds, such as 0:1:0.05 or 0,0.1,0.3"),
    help="Tolerances, in seconds or with a unit: a range 0:1:0.05, or a list such as 0,0.1,0.3.",
)
@system_option
@systems_options
@scoring_options("sweep", "slots")
@measure_option
@workers_options
@option(
    "--plot",
    group="Output",
    metavar="FILE",
    callback=drawable,
    help="Draw a chart of SER against tolerance, as .svg, .png or .pdf; needs sereval[plot].",
)
@output_options(SWEEPS)
def sweep(
    *,
    ref: str,
    hyps: Sequence[str],
    grid_text: tuple[int, ...],
    names: Sequence[str],
    plot: str | None,
    format: str,
    output: str,
    **values: Any,
) -> None:
    """Score HYPs at many tolerances in time.

    The report has tables of the scores; --plot draws a chart.
    """
    how, sides = scoring_of(with_measure(values, "slots"))
    systems = system_names(hyps, names)
    if plot is not None and len(grid_text) == 1:
        raise click.UsageError("found one tolerance, expected two or more for a curve")
    how = replace(how, settings=replace(how.settings, tolerance=(grid_text[0], grid_text[0])))
    of_each = systems_of(ref, hyps, how, **sides)
    pairs = joined(of_each)
    of_all = Systems(names_of_pairs(dict(zip(systems, of_each, strict=True))), pairs)
    result = sweep_of(of_all, grid_text, how.settings, how.options.grammar)
    check_read([pairs], how.settings.labels)
    beside = {} if plot is None else {plot: chart(result, suffix_of(plot))}
    write_report(SWEEPS[format](result), format, output, beside)
