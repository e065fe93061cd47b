"""``sereval templates``."""

from __future__ import annotations

import math
import re
from typing import Any

import click
from click.core import ParameterSource

from ..errors import SerevalError, one_line
from ..report.templates import ENTROPIES, FORMATS, notes
from ..templates.align import ALGORITHMS, CRITERIA, TABLE_1
from ..templates.entropy import slot_values
from ..templates.model import SlotNames
from ..templates.reader import read_templates
from ..templates.score import MISSING, UNSCORED, TemplateSettings, score_templates
from .inputs import check_paths
from .outputs import output_options, with_progress
from .provenance import write_report
from .scoring import on_command_line, parsed, split_workers, workers_options

NAME = re.compile(r"([A-Za-z][A-Za-z0-9_-]*\.)?[A-Za-z][A-Za-z0-9_-]*")


def slot_names(text: str) -> SlotNames:
    """A list of slots; an empty one has none.

    >>> slot_names("ORG_TYPE,PERSON.TITLE").names, slot_names("").names
    (('ORG_TYPE', 'PERSON.TITLE'), ())
    """
    names = tuple(name.strip() for name in text.split(",")) if text.strip() else ()
    for name in names:
        if not NAME.fullmatch(name):
            raise SerevalError(f"found {name!r}, expected SLOT or TYPE.SLOT, with commas between")
    return SlotNames(tuple(dict.fromkeys(names)))


SCORING = (
    *("criterion", "low_entropy", "alignment", "ignore", "missing", "beta", "listing"),
    *("jobs", "scheduler"),
)
"""The options of alignment and score: of none of them ``--entropy`` depends."""


def _check_parts(context: click.Context, *, entropy: bool) -> None:
    """Refuse options that change nothing under ``--entropy``."""
    flags = on_command_line(context)
    for name in SCORING:
        if entropy and name in flags:
            raise click.UsageError(f"{flags[name]} has no part in --entropy")


def _criterion(context: click.Context, criterion: str) -> str:
    """The criterion that was named; else the one that slots of low entropy are given for."""
    by_default = (
        context.get_parameter_source(name) is ParameterSource.DEFAULT
        for name in ("criterion", "low_entropy")
    )
    return "restrictive" if [*by_default] == [True, False] else criterion


def beta_number(text: str) -> float:
    """The weight of recall.

    >>> beta_number("0.5")
    0.5
    """
    try:
        beta = float(text)
    except ValueError:
        beta = math.nan
    if not 0 <= beta <= 1000:
        raise SerevalError(f"found {text!r}, expected a number from 0 to 1000")
    return beta


@click.command()
@click.argument("key")
@click.argument("response", required=False)
@click.option(
    "--criterion",
    type=click.Choice(CRITERIA),
    default=CRITERIA[0],
    show_default=True,
    help="Which templates may be aligned: those with any common value, or with one in a slot "
    "that is not of low entropy.",
)
@click.option(
    "--low-entropy",
    metavar="SLOTS",
    callback=parsed(slot_names),
    default=",".join(TABLE_1.names),
    show_default=True,
    help="SLOT or TYPE.SLOT, with commas between; for --criterion restrictive, which is taken if "
    "none is named.",
)
@click.option(
    "--alignment",
    type=click.Choice(ALGORITHMS),
    default="greedy",
    show_default=True,
    help="Most common values first, as in MUC-6; or the most common values in all.",
)
@click.option(
    "--ignore",
    metavar="SLOTS",
    callback=parsed(slot_names),
    default=",".join(UNSCORED.names),
    show_default=True,
    help="Slots that are neither looked at nor counted.",
)
@click.option(
    "--missing",
    type=click.Choice(MISSING),
    default="error",
    show_default=True,
    help="What a document is on the side that does not have it.",
)
@click.option(
    "--beta",
    metavar="NUMBER",
    callback=parsed(beta_number),
    default="1",
    show_default=True,
    help="Of the F-measure; above 1, recall counts more.",
)
@click.option(
    "--listing/--no-listing",
    default=True,
    show_default=True,
    help="Show every fill with its outcome.",
)
@click.option(
    "--entropy",
    is_flag=True,
    help="Report, instead, how the values of each slot of KEY are spread.",
)
@click.option(
    "--encoding", metavar="NAME", default="utf-8", show_default=True, help="Of all files read."
)
@workers_options
@output_options(FORMATS)
def templates(
    *,
    key: str,
    response: str | None,
    criterion: str,
    low_entropy: SlotNames,
    alignment: str,
    ignore: SlotNames,
    missing: str,
    beta: float,
    listing: bool,
    entropy: bool,
    encoding: str,
    format: str,
    output: str,
    **given: Any,
) -> None:
    """Score the information extraction templates of RESPONSE against those of KEY.

    They are aligned first and scored after, as in MUC-6. KEY and RESPONSE are files in its notation
    or JSON lines, folders of them, or - for standard input.
    """
    if entropy == (response is not None):
        raise click.UsageError("expected KEY and RESPONSE, or KEY and --entropy")
    context = click.get_current_context()
    _check_parts(context, entropy=entropy)
    check_paths([key, response] if response else [key])
    keys = read_templates(key, key=True, encoding=encoding)
    if response is None and not keys:
        raise SerevalError(f"{key}: no template, expected some to count the values of")
    if response is None:
        write_report(ENTROPIES[format](slot_values(keys)), format, output)
        return
    responses = read_templates(response, key=False, encoding=encoding)
    criterion = _criterion(context, criterion)
    settings = TemplateSettings(criterion, alignment, low_entropy, ignore, missing, beta)
    score = score_templates(
        keys, responses, settings, workers=split_workers(given), watch=with_progress
    )
    if format == "csv" and (said := notes(score)):  # it has no place for them
        click.echo("\n".join(map(one_line, said)), err=True)
    write_report(FORMATS[format](score, listing=listing), format, output)
