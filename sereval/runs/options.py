"""The options of runs: those of schemes and measures, of the sides, of intervals and of processes.

The command line and the functions in Python take them from this table, each by its own spelling.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from ..alignment.normalise import EXACT, NORMALISATIONS
from ..analysis.resampling import UNITS, Resampling
from ..errors import SerevalError
from ..evaluation.settings import CONTEXT_WORDS
from ..formats import FORMATS, POLICIES, TIMES
from ..labels import bundled_grammars
from ..schemes.measure import OPTIONS as OF_SCHEMES
from ..schemes.measure import Option, names, parse_measures, share
from ..schemes.table import OUTCOMES, schemes_that_count
from .sides import reading_policies

FILES = "Files and formats"

OF_SIDES = "score compare audit agreement blame project doctor sweep align"
READING = f"{OF_SIDES} check stats show convert baseline"


def rate(text: str) -> float:
    """Parse a number between 0 and 1, or a percentage above 1: ``0.95`` and ``95`` are equal."""
    found = Decimal(text) if re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,15})?", text) else Decimal()
    found = found / 100 if found > 1 else found
    if not 0 < found < 1:
        raise SerevalError(
            f"found {text!r}, expected a number between 0 and 1, such as 0.95, or a percentage, "
            "such as 95"
        )
    return float(found)


def _points(what: str, text: str) -> Any:
    """Parse the points of a sweep."""
    from ..analysis import points  # only sweeps need it

    return getattr(points, what)(text)


_CHOICES = (
    f"{name}={'SCHEME' if name == 'tags' else '|'.join(others)}"
    for name, (_, *others) in POLICIES.items()
)

_of_sides = partial(Option, commands=OF_SIDES, group=FILES)
_of_reading = partial(Option, commands=READING, group=FILES)
_of_sweeps = partial(Option, commands="sweep", group="Other options")
_of_strata = partial(Option, commands="score", group="Output")
_of_intervals = partial(Option, commands="score compare blame gate", group="Intervals")

_OPTIONS = (
    _of_sides(
        "align",
        "File or folder with the times of REF's words.",
        letter="-a",
        metavar="TIMES",
    ),
    _of_sides(
        "words",
        "File or folder with the times of HYP's words.",
        commands=f"{OF_SIDES} stats",
        letter="-w",
        metavar="TIMES",
    ),
    _of_sides(
        "names",
        "Name of a system, once for each HYP; by default the part of each path that differs.",
        commands="compare sweep doctor stats",
        flag="--system",
        metavar="NAME",
        is_multiple=True,
    ),
    _of_sides(
        "name",
        "Name for the document, if REF and HYP have one each; by default REF's.",
        metavar="NAME",
    ),
    *(
        _of_sides(
            f"{side}_format",
            f"Format of {what}; by default its suffix says it. {which}",
            metavar="FORMAT",
            choices=known,
        )
        for side, (what, known, which) in {
            "ref": ("REF", FORMATS, f"One of {', '.join(FORMATS)}."),
            "hyp": ("HYP", FORMATS, "As --ref-format."),
            "align": ("--align", TIMES, f"One of {', '.join(TIMES)}."),
            "words": ("--words", TIMES, "As --align-format."),
        }.items()
    ),
    _of_sides(
        "hyp_columns",
        "As --columns, for HYP; by default the same.",
        metavar="NAME,…",
        parse=names,
    ),
    _of_sides(
        "tier",
        "Exact name of the tier of the words. May be repeated, for the tiers of several speakers.",
        commands=f"{OF_SIDES} convert baseline",
        metavar="NAME",
        is_multiple=True,
    ),
    _of_reading(
        "encoding",
        "Encoding of all files that are read.",
        commands=f"{READING} templates",
        metavar="NAME",
        default="utf-8",
    ),
    _of_reading(
        "reading",
        "What to do where a format leaves a choice: "
        f"{', '.join(_CHOICES)} (docs/reference/formats.md). May be repeated.",
        flag="--read",
        metavar="NAME=POLICY",
        is_multiple=True,
        parse=reading_policies,
    ),
    _of_reading(
        "columns",
        "The columns of tags in files of columns, by name or by number: the levels of one "
        "tree, the outermost first; by default the last column. word=NAME is the column of the "
        "words.",
        metavar="NAME,…",
        parse=names,
    ),
    *OF_SCHEMES.values(),
    _of_sweeps(
        "grid_text",
        "Tolerances, in seconds or with a unit: a range 0:1:0.05, or a list such as 0,0.1,0.3;"
        " for a --measure with by=text or by=phones in words: 0w,1w,2w.",
        letter="-t",
        flag="--tolerance",
        metavar="START:STOP:STEP",
        parse=partial(_points, "grid"),
    ),
    _of_sweeps(
        "thresholds",
        "Instead of tolerances: keep only the elements of at least each of these confidences, "
        "all that occur, 0:1:0.05 or 0.5,0.9; --tolerance is then one.",
        flag="--confidence",
        is_common=True,
        metavar="all|START:STOP:STEP",
        parse=partial(_points, "confidences"),
    ),
    _of_sweeps(
        "precision",
        "With --confidence: also say which threshold has most recall at this precision.",
        metavar="DECIMAL",
        parse=share,
    ),
    _of_sweeps(
        "confidence_default",
        "With --confidence: the confidence of elements without one, which are else refused.",
        metavar="DECIMAL",
        parse=share,
    ),
    _of_sweeps(
        "extent_points",
        "Instead of --tolerance: extent tolerances of mitre or muc, in words: 0:3:1 or 0,1,2.",
        flag="--extent-tolerance",
        metavar="START:STOP:STEP",
        parse=partial(_points, "extents"),
    ),
    Option(
        "measure",
        "Measures instead of --scheme, --figure and the options themselves: names with commas "
        "between them, such as SER@0.3,F1,WER,mitre.type. A name holds the options that differ "
        "from the defaults: SER(pairing=half)@0.3.",
        commands="score compare sweep audit",
        is_common=True,
        group="Scoring",
        metavar="MEASURES",
        parse=parse_measures,
    ),
    Option(
        "biasing",
        "The words of B-WER, for all documents or for each (docs/reference/measures.md); by "
        "default the words of REF's elements. With --measure.",
        commands="score",
        group="Scoring",
        metavar="FILE",
    ),
    Option(
        "context",
        "Number of words on either side of an element whose recognition errors may be the "
        "cause of a change.",
        commands="blame",
        group="Scoring",
        metavar="N",
        least=0,
        default=CONTEXT_WORDS,
    ),
    _of_strata(
        "strata",
        "Also score elements by a property: length (in words), depth, sentence-length, or "
        "density (elements per ten words of the sentence). Several with commas between.",
        metavar="PROPERTY",
        is_multiple=True,
    ),
    _of_strata(
        "train",
        "Also score elements by whether these training data, read as REF is, have their text "
        "with their label, their text, or neither.",
        metavar="PATH",
    ),
    _of_strata(
        "groups",
        "Report each group of documents too: a line for each document, its id, a tab and its "
        "group.",
        commands="score compare stats",
        metavar="FILE",
    ),
    _of_strata(
        "speakers",
        "Also score the elements of each speaker: whose turn in this RTTM or STM file, or "
        "folder of such files, has most of the time of an element.",
        metavar="PATH",
    ),
    Option(
        "alternatives",
        "Other readings of stretches of REF: files ID.norm.json and ID.nlp as in Earnings-21, "
        "or folders with them. May be repeated. Word error rates take the reading that costs "
        "least.",
        commands="score compare audit blame align sweep gate",
        group="Scoring",
        metavar="PATH",
        is_multiple=True,
    ),
    Option(
        "jobs",
        "Number of processes that share the documents. It changes no figure.",
        commands="score compare audit blame align sweep gate agreement stats templates",
        group="Work",
        metavar="N",
        least=1,
        default=1,
    ),
    _of_intervals(
        "resamples",
        "Number of samples of the bootstrap, and of random exchanges in permutation tests.",
        metavar="N",
        least=1,
        default=Resampling().resamples,
    ),
    _of_intervals(
        "seed",
        "Seed of the random numbers: equal seeds give equal reports.",
        metavar="N",
        least=0,
        default=Resampling().seed,
    ),
    _of_intervals(
        "confidence",
        "Confidence level of the intervals, such as 0.95 or 95.",
        metavar="RATE",
        parse=rate,
        default=str(Resampling().confidence),
    ),
    _of_intervals(
        "unit",
        "What is resampled; auto: documents, or utterances if there are fewer than 10 documents.",
        commands="score compare blame",
        choices=UNITS,
        default=UNITS[0],
    ),
)

OPTIONS = {option.name: option for option in _OPTIONS}
"""All options of runs by name, in the order of ``--help``."""

BUNDLED = {"grammar": (*bundled_grammars(),), "normalise": (*NORMALISATIONS,)}
"""The values of options that are no paths, although the options take paths."""

UNITS_OF = {
    **dict.fromkeys(("score", "compare", "audit"), OUTCOMES),
    **dict.fromkeys(("sweep", "agreement"), ("slots",)),
}
"""What the schemes of a command count, values of ``Scheme.counts``."""


def _as(name: str, **changes: Any) -> Option:
    """An option with some changes."""
    return OPTIONS[name]._replace(**changes)


_SEVERAL = _as(
    "words",
    is_multiple=True,
    help="File or folder with the times of HYP's words: once for all HYPs, or once for each, in "
    "their order.",
)

OTHERWISE: Mapping[str, Sequence[Option]] = {
    **dict.fromkeys(("compare", "sweep", "doctor"), [_SEVERAL]),
    "stats": [
        _as(
            "words",
            metavar="PATH",
            is_multiple=True,
            help="The words of a recogniser, for its word error rate. May be repeated.",
        ),
        _as(
            "names",
            help="Name of a recogniser, once for each --words; by default the part of each path "
            "that differs.",
        ),
    ],
    "align": [_as("by", default="text"), _as("weights", default="unit")],
    "baseline": [_as("normalise", default=EXACT.name)],
    "score": [
        _as(
            "confidence",
            default=None,
            help="Confidence level of the intervals, such as 0.95 or 95; without it there are "
            "none.",
        )
    ],
    "audit": [
        _as(
            "measure",
            metavar="MEASURE",
            help="Scheme, figure and options in one name, such as SER(pairing=half)@0.3 or "
            "mitre.content(extent=2), instead of --scheme, --figure and the options themselves.",
        )
    ],
    "gate": [
        _as("confidence", help="A difference is significant if p is at most 1 less this number.")
    ],
}
"""The options of some commands that are other than those of the table."""


def options_of(command: str) -> dict[str, Option]:
    """The options that a command takes, by name."""
    found = {one.name: one for one in _OPTIONS if command in one.commands.split()}
    found |= {one.name: one for one in OTHERWISE.get(command, ())}
    if command in UNITS_OF:
        schemes = schemes_that_count(*UNITS_OF[command])
        text = f"{found['scheme'].help} One of {', '.join(schemes)}."
        found["scheme"] = found["scheme"]._replace(help=text, choices=schemes)
    return found


def flag(name: str) -> str:
    """The spelling of an option on the command line, by the name of its parameter.

    >>> flag("label_map"), flag("align")
    ('--map', '--align')
    """
    option = OPTIONS.get(name)
    return option.on_command_line if option else f"--{name.replace('_', '-')}"
