"""``sereval templates``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from ..errors import SerevalError
from ..report.templates import ENTROPIES, FORMATS, notes
from ..templates.align import ALGORITHMS, CRITERIA, TABLE_1
from ..templates.entropy import slot_values
from ..templates.model import SlotNames
from ..templates.reader import read_templates
from ..templates.score import MISSING, UNSCORED, TemplateSettings, score_templates
from .help import command, option
from .inputs import check_paths, encoding_option
from .options import choice_option, parsed
from .outputs import output_options, with_progress
from .provenance import write_report
from .scoring import on_command_line, take_workers, workers_options
from .streams import print_notes

NAME = re.compile(r"([A-Za-z][A-Za-z0-9_-]*\.)?[A-Za-z][A-Za-z0-9_-]*")


def slot_names(text: str) -> SlotNames:
    """Names of slots, with commas between them; an empty text names none.

    Raises:
        SerevalError: a part of the text is not the name of a slot.

    >>> slot_names("ORG_TYPE,PERSON.TITLE").names, slot_names("").names
    (('ORG_TYPE', 'PERSON.TITLE'), ())
    """
    names = tuple(name.strip() for name in text.split(",")) if text.strip() else ()
    for name in names:
        if not NAME.fullmatch(name):
            raise SerevalError(f"found {name!r}, expected SLOT or TYPE.SLOT, with commas between")
    return SlotNames(tuple(dict.fromkeys(names)))


def _slots_option(flag: str, default: SlotNames, help: str) -> Callable[[Any], Any]:
    return option(
        flag,
        group="Scoring",
        metavar="SLOTS",
        callback=parsed(slot_names),
        default=",".join(default.names),
        help=help,
    )


SCORING = (
    *("criterion", "low_entropy", "alignment", "ignore", "missing", "beta", "listing"),
    *("jobs", "scheduler"),
)
"""The options of alignment and scoring, which have no effect with ``--entropy``."""


def _check_entropy(context: click.Context) -> None:
    """Refuse options that have no effect with ``--entropy``."""
    flags = on_command_line(context)
    for name in SCORING:
        if name in flags:
            raise click.UsageError(f"{flags[name]} has no effect with --entropy")


def _criterion(context: click.Context, criterion: str) -> str:
    """The criterion; by default ``restrictive`` if slots of low entropy are named."""
    by_default = (
        context.get_parameter_source(name) is ParameterSource.DEFAULT
        for name in ("criterion", "low_entropy")
    )
    return "restrictive" if [*by_default] == [True, False] else criterion


def beta_number(text: str) -> float:
    """The weight of recall in the F-measure.

    Raises:
        SerevalError: the text is not a number from 0 to 1000.

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


@command()
@click.argument("key")
@click.argument("response", required=False)
@choice_option(
    "--criterion",
    CRITERIA,
    "Which templates may be aligned: those with any common value, or those with a common "
    "value in a slot that is not of low entropy.",
    group="Scoring",
)
@_slots_option(
    "--low-entropy",
    TABLE_1,
    "Slots of low entropy, SLOT or TYPE.SLOT, with commas between them. They imply "
    "--criterion restrictive.",
)
@choice_option(
    "--alignment",
    ALGORITHMS,
    "Align the templates with the most common values first, as in MUC-6; or so that all "
    "pairs together have the most common values.",
    group="Scoring",
)
@_slots_option(
    "--ignore", UNSCORED, "Slots that are neither compared nor counted, with commas between them."
)
@choice_option(
    "--missing",
    MISSING,
    "What to do about a document that one side lacks: stop, or count it as empty.",
    group="Scoring",
)
@option(
    "--beta",
    group="Scoring",
    metavar="NUMBER",
    callback=parsed(beta_number),
    default="1",
    help="The beta of the F-measure. Above 1, recall counts more than precision.",
)
@option(
    "--listing/--no-listing",
    group="Output",
    default=True,
    help="Show each fill with its outcome.",
)
@option(
    "--entropy",
    group="Output",
    is_flag=True,
    help="Report instead the distribution of the values of each slot of KEY.",
)
@encoding_option
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
    **values: Any,
) -> None:
    """Score information extraction templates.

    The templates of RESPONSE are first aligned with the templates of KEY and then scored, as in
    MUC-6. KEY and RESPONSE are files in the notation of MUC-6 or in JSON lines, folders of such
    files, or - for standard input.
    """
    if entropy == (response is not None):
        raise click.UsageError("expected KEY and RESPONSE, or KEY and --entropy")
    context = click.get_current_context()
    if entropy:
        _check_entropy(context)
    check_paths([key, response] if response else [key])
    keys = read_templates(key, key=True, encoding=encoding)
    if response is None and not keys:
        raise SerevalError(f"{key}: no template found, expected at least one")
    if response is None:
        write_report(ENTROPIES[format](slot_values(keys)), format, output)
        return
    responses = read_templates(response, key=False, encoding=encoding)
    criterion = _criterion(context, criterion)
    settings = TemplateSettings(criterion, alignment, low_entropy, ignore, missing, beta)
    score = score_templates(
        keys, responses, settings, workers=take_workers(values), watch=with_progress
    )
    if format == "csv":
        print_notes(notes(score))
    write_report(FORMATS[format](score, listing=listing), format, output)
