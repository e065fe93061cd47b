"""``sereval templates``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import click
from click.core import ParameterSource

from ..errors import SerevalError
from ..runs.pairs import distinct_names
from ..runs.scoring import workers_of
from ..templates.align import ALGORITHMS, CRITERIA, TABLE_1
from ..templates.entropy import MUC_6, slot_values
from ..templates.model import MOST_WEIGHT, SlotNames, SlotWeights
from ..templates.report import report_of, report_of_values
from ..templates.responses import criteria, score_responses
from ..templates.responses_report import report_of as report_of_responses
from ..templates.score import (
    MISSING,
    PARTIALS,
    UNSCORED,
    TemplateSettings,
    score_templates,
)
from .help import command, option
from .inputs import encoding_option
from .options import choice_option, parsed
from .outputs import output_options, with_progress
from .provenance import write_report
from .responses import read_responses
from .scoring import on_command_line, workers_options

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


def _assignments(text: str, what: str) -> dict[str, str]:
    """The values that a text gives to slots: ``SLOT=VALUE``, with commas between them.

    Raises:
        SerevalError: a part of the text is no such assignment, or a slot has two.
    """
    found: dict[str, str] = {}
    for part in text.split(",") if text.strip() else ():
        name, equals, value = map(str.strip, part.partition("="))
        if not equals or not NAME.fullmatch(name):
            raise SerevalError(f"found {part.strip()!r}, expected SLOT={what}, with commas between")
        if name in found:
            raise SerevalError(f"slot {name} is given twice")
        found[name] = value
    return found


def slot_weights(text: str) -> SlotWeights:
    """The weights of slots, with commas between them; an empty text gives none.

    Raises:
        SerevalError: a part of the text is no name of a slot with a whole number.

    >>> slot_weights("PER_NAME=3,ORG.TYPE=2").weights
    (('PER_NAME', 3), ('ORG.TYPE', 2))
    """
    found = _assignments(text, "N")
    for name, number in found.items():
        if not re.fullmatch(r"[1-9][0-9]{0,3}", number) or int(number) > MOST_WEIGHT:
            raise SerevalError(
                f"found the weight {name}={number}, expected a whole number from 1 to {MOST_WEIGHT}"
            )
    return SlotWeights(tuple((name, int(number)) for name, number in found.items()))


def slot_sets(text: str) -> dict[str, tuple[str, ...]]:
    """The sets from which slots are filled, with commas between them.

    Raises:
        SerevalError: a part of the text is no name of a slot with values.

    >>> slot_sets("ORG_TYPE=COMPANY/OTHER")
    {'ORG_TYPE': ('COMPANY', 'OTHER')}
    """
    found = {
        name: tuple(value.strip() for value in values.split("/"))
        for name, values in _assignments(text, "A/B").items()
    }
    for name, values in found.items():
        if "" in values or len(set(values)) < len(values):
            raise SerevalError(
                f"found {name}={'/'.join(values)}, expected different values with / between"
            )
    return found


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
    *("weights", "partial", "jobs", "scheduler"),
)
"""The options of alignment and scoring, which have no effect with ``--entropy``."""


def _check_options(context: click.Context, *, entropy: bool, several: bool) -> None:
    """Refuse options that have no effect on the report.

    Args:
        entropy: whether it is that of ``--entropy``.
        several: whether it is that of several responses.
    """
    flags = on_command_line(context)
    for name in SCORING if entropy else ("sets", *["listing"] * several):
        if name in flags:
            found = "with --entropy" if entropy else "without --entropy"
            found = "with several responses" if name == "listing" and several else found
            raise click.UsageError(f"{flags[name]} has no effect {found}")


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
@click.argument("response", metavar="[RESPONSE]...", nargs=-1)
@choice_option(
    "--criterion",
    CRITERIA,
    "Which templates may be aligned: those with any common value, or those with a common "
    "value in a slot that is not of low entropy.",
    group="Scoring",
    common=True,
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
    "Align the templates with the most common values first, as in MUC-6; or those of each type so "
    "that they have the most common values together.",
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
    common=True,
)
@option(
    "--beta",
    common=True,
    group="Scoring",
    metavar="NUMBER",
    callback=parsed(beta_number),
    default="1",
    help="The beta of the F-measure. Above 1, recall counts more than precision.",
)
@option(
    "--slot-weights",
    "weights",
    common=True,
    group="Scoring",
    metavar="SLOT=N,…",
    callback=parsed(slot_weights),
    help="How often a fill of a slot counts, SLOT or TYPE.SLOT, for the alignment and in the "
    "score; other slots count once.",
)
@choice_option(
    "--partial",
    PARTIALS,
    "Which wrong fills are half correct: none, or those where one text is a part of the "
    "other, word by word.",
    group="Scoring",
)
@option(
    "--listing/--no-listing",
    common=True,
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
@option(
    "--sets",
    group="Output",
    metavar="SLOT=A/B,…",
    callback=parsed(slot_sets),
    default=",".join(f"{name}={'/'.join(values)}" for name, values in MUC_6.items()),
    help="Values from which slots are filled: --entropy lists them even if no template has them.",
)
@encoding_option
@workers_options
@output_options(("text", "json", "csv"))
def templates(
    *,
    key: str,
    response: Sequence[str],
    criterion: str,
    low_entropy: SlotNames,
    alignment: str,
    ignore: SlotNames,
    missing: str,
    beta: float,
    weights: SlotWeights | None,
    partial: str,
    listing: bool,
    entropy: bool,
    sets: Mapping[str, tuple[str, ...]],
    encoding: str,
    format: str,
    output: str,
    **values: Any,
) -> None:
    """Score information extraction templates.

    The templates of RESPONSE are first aligned with the templates of KEY and then scored, as in
    MUC-6. KEY and RESPONSE are files in the notation of MUC-6 or in JSON lines, folders of such
    files, or - for standard input. Several RESPONSEs are compared under both criteria.
    """
    if entropy == bool(response):
        raise click.UsageError("expected KEY and RESPONSE, or KEY and --entropy")
    context = click.get_current_context()
    several = len(response) > 1
    _check_options(context, entropy=entropy, several=several)
    names = distinct_names(response, "responses") if several else response
    keys, read = read_responses(key, dict(zip(names, response, strict=True)), encoding)
    if entropy and not keys:
        raise SerevalError(f"{key}: no template found, expected at least one")
    if entropy:
        write_report(report_of_values(slot_values(keys, sets)), format, output)
        return
    settings = TemplateSettings(
        criterion,
        alignment,
        low_entropy,
        ignore,
        missing,
        beta,
        weights=weights or SlotWeights(),
        partial=partial,
    )
    work: dict[str, Any] = {"workers": workers_of(values), "watch": with_progress}
    if several:
        found = score_responses(keys, read, criteria(settings, [alignment]), **work)
        write_report(report_of_responses(found), format, output)
        return
    settings = replace(settings, criterion=_criterion(context, criterion))
    score = score_templates(keys, read[names[0]], settings, **work)
    write_report(report_of(score, listing=listing), format, output)
