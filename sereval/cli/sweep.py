"""``sereval sweep``."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import click

from ..analysis.grids import EXTENT, TIME, axis_of, extents, grid
from ..errors import UsageFault
from ..render.chart import CHARTS, check_matplotlib, drawn
from ..render.numbers import counted
from ..runs import several
from ..runs.pairs import system_names
from .help import command, option
from .inputs import system_option, systems_options
from .measures import alternatives_option, several_option
from .options import parsed
from .outputs import output_options, suffix_of, writable_as
from .pages import HTML, PageOptions, page_options
from .provenance import write_report
from .scoring import asked_of, scoring_options, workers_options


def drawable(context: click.Context, option: click.Parameter, path: str | None) -> str | None:
    """The callback of ``--plot``: it checks that a chart can be drawn and written."""
    path = writable_as(CHARTS)(context, option, path)
    if path is not None:
        logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns about its caches
        check_matplotlib()
    return path


@command(
    examples=(
        "sweep data/ref data/hyp/*/asr -a data/align -w data/asr -t 0:1:0.1",
        "sweep data/ref data/hyp/*/asr -a data/align -w data/asr -t 0.1,0.3",
        "sweep data/ref data/hyp/*/asr -a data/align -w data/asr -t 0.3 -f csv",
    )
)
@click.argument("ref")
@click.argument("hyps", metavar="HYP...", nargs=-1, required=True)
@option(
    "-t",
    "--tolerance",
    "grid_text",
    metavar="START:STOP:STEP",
    callback=parsed(grid),
    help="Tolerances, in seconds or with a unit: a range 0:1:0.05, or a list such as 0,0.1,0.3; "
    "for a --measure with by=text or by=phones in words: 0w,1w,2w.",
)
@option(
    "--extent-tolerance",
    "extent_points",
    metavar="START:STOP:STEP",
    callback=parsed(extents),
    help="Instead of --tolerance: extent tolerances of mitre or muc, in words: 0:3:1 or 0,1,2.",
)
@system_option
@systems_options
@scoring_options("sweep", "slots")
@several_option
@alternatives_option
@workers_options
@option(
    "--plot",
    common=True,
    group="Output",
    metavar="FILE",
    callback=drawable,
    help="Draw a chart of SER, or of each measure, against tolerance, as .svg, .png or .pdf; needs "
    "sereval[plot].",
)
@output_options(("text", "json", "csv", HTML))
@page_options
def sweep(
    *,
    ref: str,
    hyps: Sequence[str],
    grid_text: tuple[int, ...] | None,
    extent_points: tuple[int, ...] | None,
    names: Sequence[str],
    plot: str | None,
    format: str,
    output: str,
    audio: str | None,
    size: int | None,
    **values: Any,
) -> None:
    """Score HYPs at many tolerances.

    The report has tables of the slot error rate, or of each --measure; --plot draws a chart.
    """
    page = PageOptions(output, audio, size)
    page.check(format)
    points = grid_text or extent_points
    if points is None:
        raise UsageFault(
            "expected --tolerance, in seconds such as 0:1:0.05 or 0,0.1,0.3; or --extent-tolerance"
        )
    if grid_text and extent_points:
        raise UsageFault("found --tolerance and --extent-tolerance, expected one of them")
    if plot is not None and len(points) == 1:
        raise click.UsageError("found one tolerance, expected two or more for a curve")
    axis = EXTENT if grid_text is None else axis_of(points)
    systems = dict(zip(system_names(hyps, names), hyps, strict=True))
    asked = asked_of(values)
    if format == HTML:
        if axis is not TIME:
            raise UsageFault(f"--format {HTML} is for tolerances in time, such as 0:1:0.05")
        result, scores = several.sweep_elements(asked, ref, systems, points)
    else:
        result = several.sweep(asked, ref, systems, axis, points)
    report = result.report()
    beside = {}
    if plot is not None:
        beside[plot] = drawn(result.plot(), suffix_of(plot), str(report.signature))
    if format == HTML:
        title = f"{counted(len(systems), 'system')} against {ref}"
        inputs = list(filter(None, (ref, *hyps, values["align"], *(values["words"] or ()))))
        page.write({"": scores}, title, inputs, beside, report=report.lines())
    else:
        write_report(report, format, output, beside)
