"""``sereval templates``, and ``sereval compare`` on template files."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ..analysis.compare import compare
from ..errors import SerevalError, UsageFault
from ..render.report import Report
from ..runs.scoring import refuse, resampling_of
from ..runs.sides import distinct_names, groups_of
from ..schemes.measure import Option, names
from ..templates import entropy
from ..templates.align import ALGORITHMS, CRITERIA, TABLE_1
from ..templates.reader import read_templates
from ..templates.report import criteria, report_of, report_of_responses, score_responses
from ..templates.score import (
    FILLS,
    MISSING,
    UNSCORED,
    TemplateSettings,
    score_templates,
)
from .line import Line, command
from .outputs import with_progress
from .parameters import output_options

NAME = re.compile(r"([A-Za-z][A-Za-z0-9_-]*\.)?[A-Za-z][A-Za-z0-9_-]*")


def slot_names(text: str) -> tuple[str, ...]:
    """Names of slots, with commas between them; an empty text names none."""
    found = names(text) if text.strip() else ()
    for name in found:
        if not NAME.fullmatch(name):
            raise SerevalError(f"found {name!r}, expected SLOT or TYPE.SLOT, with commas between")
    return tuple(dict.fromkeys(found))


SCORING = (
    *("criterion", "low_entropy", "alignment", "ignore", "missing", "beta", "listing"),
    "jobs",
)
"""The options of alignment and scoring, which have no effect with ``--entropy``."""


def beta_number(text: str) -> float:
    """The weight of recall in the F-measure."""
    try:
        beta = float(text)
    except ValueError:
        beta = math.nan
    if not 0 <= beta <= 1000:
        raise SerevalError(f"found {text!r}, expected a number from 0 to 1000")
    return beta


@command(
    "key [response]...",
    Option(
        "criterion",
        "Which templates may be aligned: those with any common value, or those with a common "
        "value in a slot that is not of low entropy.",
        choices=CRITERIA,
        default=CRITERIA[0],
        group="Scoring",
        is_common=True,
    ),
    Option(
        "low_entropy",
        "Slots of low entropy, SLOT or TYPE.SLOT, with commas between them. They imply "
        "--criterion restrictive.",
        group="Scoring",
        metavar="SLOTS",
        parse=slot_names,
        default=",".join(TABLE_1),
    ),
    Option(
        "alignment",
        "Align the templates with the most common values first, as in MUC-6; or those of each "
        "type so that they have the most common values together.",
        choices=ALGORITHMS,
        default=ALGORITHMS[0],
        group="Scoring",
    ),
    Option(
        "ignore",
        "Slots that are neither compared nor counted, with commas between them.",
        group="Scoring",
        metavar="SLOTS",
        parse=slot_names,
        default=",".join(UNSCORED),
    ),
    Option(
        "missing",
        "What to do about a document that one side lacks: stop, or count it as empty.",
        choices=MISSING,
        default=MISSING[0],
        group="Scoring",
        is_common=True,
    ),
    Option(
        "beta",
        "The beta of the F-measure. Above 1, recall counts more than precision.",
        is_common=True,
        group="Scoring",
        metavar="NUMBER",
        parse=beta_number,
        default="1",
    ),
    Option(
        "listing",
        "Show each fill with its outcome.",
        flag="--listing/--no-listing",
        is_flag=True,
        is_common=True,
        group="Output",
        default=True,
    ),
    Option(
        "entropy",
        "Report instead the distribution of the values of each slot of KEY.",
        group="Output",
        is_flag=True,
    ),
    *output_options(("text", "json", "csv")),
)
def templates(line: Line) -> Report:
    """Score information extraction templates.

    The templates of RESPONSE are first aligned with the templates of KEY and then scored, as in
    MUC-6. KEY and RESPONSE are files in the notation of MUC-6, or - for standard input. Several
    RESPONSEs are compared under both criteria.
    """
    key, response = line.key, line.response
    if line.entropy == bool(response):
        raise UsageFault("expected KEY and RESPONSE, or KEY and --entropy")
    several = len(response) > 1
    if line.entropy:
        refuse(line.flags, SCORING, "with --entropy")
    elif several:
        refuse(line.flags, ["listing"], "with several responses")
    names = distinct_names(response, "responses")
    keys, read = _read(line, key, dict(zip(names, response, strict=True)))
    if line.entropy:
        if not keys:
            raise SerevalError(f"{key}: no template found, expected at least one")
        return entropy.report_of(entropy.slot_values(keys))
    [only, *_] = read.values()
    settings = TemplateSettings(
        line.criterion,
        line.alignment,
        line.low_entropy,
        line.ignore,
        line.missing,
        line.beta,
    )
    if several:
        ways = criteria(settings)
        scores = score_responses(keys, read, ways, jobs=line.jobs, watch=with_progress)
        return report_of_responses(scores)
    chosen = {parameter.name for parameter, *_ in line.in_use}
    if "low_entropy" in chosen and "criterion" not in chosen:
        settings = replace(settings, criterion="restrictive")
    elif line.criterion == "standard":
        refuse(line.flags, ["low_entropy"], "with --criterion standard")
    score = score_templates(keys, only, settings, jobs=line.jobs, watch=with_progress)
    return report_of(score, listing=line.listing)


def _read(line: Line, key: str, responses: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
    """The templates of the reference, and of each response by its name."""
    read = partial(read_templates, encoding=line.encoding)
    return read(key, key=True), {name: read(path, key=False) for name, path in responses.items()}


TAKEN = (
    *("names", "missing", "encoding", "groups", "format", "output"),
    *("resamples", "seed", "confidence", "jobs"),
)
"""The options of ``compare`` that have an effect on template files."""


def compare_responses(line: Line) -> Report:
    """The report of ``compare`` on template files."""
    refuse(line.flags, [name for name in line.flags if name not in TAKEN], "with template files")
    if line.format == "html":
        raise UsageFault("--format html is not for template files, expected text, json, csv")
    keys, read = _read(line, line.ref, line.systems)
    settings = TemplateSettings(missing=line.missing or "error")
    found = score_responses(keys, read, [settings], jobs=line.jobs, watch=with_progress)
    scores = {name: own[0].by(FILLS) for name, own in found.scores.items()}
    grouped = groups_of(line.groups, {one.id for one in keys})
    resampling = replace(resampling_of(**line.values), unit="document")
    return compare({"templates": scores}, resampling, groups=grouped).report()
