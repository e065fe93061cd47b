"""The option ``--measure``: one measure instead of a scheme, or several measures in one run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .help import option
from .options import parsed

if TYPE_CHECKING:  # loaded only if an option names a measure
    from ..schemes.measure import Measure


def _one(text: str) -> Measure:
    from ..schemes.measure import parse_measure

    return parse_measure(text)


def _several(text: str) -> tuple[Measure, ...]:
    from ..schemes.measure import parse_measures

    return parse_measures(text)


measure_option = option(
    "--measure",
    common=True,
    group="Scoring",
    metavar="MEASURE",
    callback=parsed(_one),
    help="Scheme, figure and options in one name, such as SER(pairing=half)@0.3 or "
    "mitre.content(extent=2), instead of --scheme, --figure and the options themselves.",
)

several_option = option(
    "--measure",
    "measures",
    common=True,
    group="Scoring",
    metavar="MEASURES",
    callback=parsed(_several),
    help="Measures instead of --scheme, --figure and the options themselves: names with commas "
    "between them, such as SER@0.3,F1@0.3,mitre.type. A name holds the options that differ from "
    "the defaults: SER(pairing=half)@0.3.",
)

measures_option = option(
    "--measure",
    "measures",
    common=True,
    group="Scoring",
    metavar="MEASURES",
    callback=parsed(_several),
    help="Print only these measures, from one run: names with commas between them, such as "
    "SER,F1,WER,mitre.type. A name holds the options that differ from the defaults: "
    "SER(pairing=half)@0.3.",
)


biasing_option = option(
    "--biasing",
    group="Scoring",
    metavar="FILE",
    help="The words of B-WER, for all documents or for each (docs/reference/measures.md); by "
    "default the words of REF's elements. With --measure.",
)


alternatives_option = option(
    "--alternatives",
    group="Scoring",
    metavar="PATH",
    multiple=True,
    help="Other readings of stretches of REF: files ID.norm.json and ID.nlp as in Earnings-21, or "
    "folders with them. May be repeated. Word error rates take the reading that costs least.",
)
