"""``sereval gate``."""

from __future__ import annotations

from typing import Any

import click

from ..analysis.gate import MARGIN, gate_of, margin_of
from ..errors import InputError, SerevalError
from .help import command, option
from .outputs import in_format, output_options, write
from .scoring import resampling_options, take_resampling
from .verify import make_again, read_written

WORSE = 3
"""The exit status if the score is worse."""


def _points(_context: click.Context, _option: click.Parameter, text: str) -> str:
    """The callback of ``--margin``: it checks the number."""
    try:
        margin_of(text)
    except SerevalError as error:
        raise click.BadParameter(str(error)) from None
    return text


@command(
    examples=(
        "score data/ref data/hyp/gazetteer/manual -o report.json",
        "gate report.json data/ref data/hyp/gazetteer/manual",
        "gate report.json data/ref data/hyp/gazetteer/manual --margin 0.02",
    ),
    context_settings={"ignore_unknown_options": True},
)
@click.argument("report", metavar="REPORT.json")
@click.argument("arguments", metavar="REF HYP...", nargs=-1, type=click.UNPROCESSED)
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
    arguments: tuple[str, ...],
    margin: str,
    figure: str | None,
    format: str,
    output: str,
    **values: Any,
) -> None:
    """Fail if HYP scores worse than a stored report.

    REPORT.json is a report that score wrote with --format json. After it come REF, HYP, --align and
    --words; the other options are in the report. The exit status is 3 if the slot error rate has
    grown by more than the margin and the difference is significant by a permutation test over
    documents, 0 if not. A report of another scheme is compared by one of the scheme's figures.
    """
    context = click.get_current_context()
    resampling, _ = take_resampling(values)
    written = read_written(report)
    again = make_again(context, written, arguments, report, makers=("score",), output=output)
    try:
        found = gate_of(written, again, margin, resampling, figure)
    except SerevalError as error:
        raise InputError(str(error), path=report) from None
    write(in_format(found.report(), format), output)
    context.exit(WORSE if found.is_worse else 0)
