"""``sereval gate``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ..analysis.gate import MARGIN, margin_of
from ..errors import SerevalError
from ..runs.calls import gate as gate_of
from .help import command, option
from .inputs import check_paths
from .measures import alternatives_option
from .options import options
from .outputs import check_free, in_format, output_options, write
from .scoring import resampling_options, take_resampling, workers_options

WORSE = 3
"""The exit status if the score is worse."""


def _points(_context: click.Context, _option: click.Parameter, text: str) -> str:
    """The callback of ``--margin``: it checks the number."""
    try:
        margin_of(text)
    except SerevalError as error:
        raise click.BadParameter(str(error)) from None
    return text


def _file(*names: str, help: str) -> Callable[[Any], Any]:
    return option(*names, group="Files and formats", metavar="PATH", help=help)


_files_again = options(
    *(
        option(name, group="Files and formats", metavar="PATH", help=f"{what}, if it was a file.")
        for name, what in {
            "--map": "The rules for labels of the report",
            "--grammar": "The grammar of the report",
            "--normalise": "The table of words of the report",
            "--documents": "The documents of the report",
            "--aligned-input": "The alignment of the report",
        }.items()
    ),
    option(
        "--read",
        group="Files and formats",
        metavar="WHAT=PATH",
        multiple=True,
        help="How the report was read, if it was by a file.",
    ),
)


@command(
    examples=(
        "score data/ref data/hyp/gazetteer/manual -o report.json",
        "gate report.json data/ref data/hyp/gazetteer/manual",
        "gate report.json data/ref data/hyp/gazetteer/manual --margin 0.02",
    )
)
@click.argument("report", metavar="REPORT.json")
@click.argument("ref")
@click.argument("hyp")
@_file("-a", "--align", help="File or folder with the times of REF's words.")
@_file("-w", "--words", help="File or folder with the times of HYP's words.")
@_files_again
@alternatives_option
@workers_options
@option(
    "--margin",
    common=True,
    group="Scoring",
    metavar="POINTS",
    default=f"{float(MARGIN):g}",
    callback=_points,
    help="The growth of the rate that still passes, in percentage points.",
)
@option(
    "--figure",
    common=True,
    group="Scoring",
    metavar="NAME",
    help="The figure of a report under another scheme; by default the first that the scheme has.",
)
@resampling_options("Number of random exchanges in the permutation test.", has_unit=False)
@output_options(("text", "json", "csv"))
def gate(
    *,
    report: str,
    ref: str,
    hyp: str,
    margin: str,
    figure: str | None,
    format: str,
    output: str,
    **values: Any,
) -> None:
    """Fail if HYP scores worse than a stored report.

    REPORT.json is a report that score wrote with --format json, whose options hold; files that they
    name are given again. The exit status is 3 if the slot error rate has grown by more than the
    margin and the difference is significant by a permutation test over documents, 0 if not. A
    report of another scheme is compared by one of the scheme's figures.
    """
    resampling, values = take_resampling(values)
    inputs = {name: value for name, value in values.items() if value}
    check_paths([ref, hyp, *(inputs[name] for name in ("align", "words") if name in inputs)])
    check_free([] if output == "-" else [output], [report, ref, hyp])
    found = gate_of(report, ref, hyp, margin=margin, resampling=resampling, figure=figure, **inputs)
    write(in_format(found.report(), format), output)
    click.get_current_context().exit(WORSE if found.is_worse else 0)
