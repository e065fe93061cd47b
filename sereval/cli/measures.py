"""The option ``--measure``: one measure instead of a scheme, or several measures in one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..runs import measures as runs
from .help import option
from .inputs import HOOKS, check_paths, check_read
from .options import parsed
from .scoring import asked_of

if TYPE_CHECKING:  # loaded only if an option names a measure
    from ..analysis.measured import Measured
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


def with_measure(values: Mapping[str, Any], *counts: str) -> dict[str, Any]:
    """The values of the options of a command, and of the options that its measure implies.

    Args:
        values: ``measure`` and the others, by name of the parameter.
        counts: the units that the schemes of the command count, values of ``Scheme.counts``. With
            ``words`` it takes measures of words, and all figures of slots.

    Raises:
        SerevalError: as ``runs.measures.with_measure``.
    """
    return runs.with_measure(asked_of(values), *counts)


def measure_sides(
    ref: str, hyp: str, measures: Sequence[Measure], values: Mapping[str, Any]
) -> Measured:
    """Read both sides, and score them by several measures.

    Args:
        ref, hyp: paths of both sides.
        measures: the measures, each once.
        values: the values of the options of the command.

    Raises:
        SerevalError: as ``runs.measures.measure_sides``.
    """
    check_paths([path for path in (ref, hyp, values["align"], values["words"]) if path])
    found, read = runs.measure_sides(ref, hyp, measures, asked_of(values), **HOOKS)
    check_read(read)  # the labels are checked already
    return found
