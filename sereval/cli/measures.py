"""The option ``--measure``: one measure instead of a scheme, or several measures in one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..alignment.normalise import LETTERS
from ..corpus.executor import THIS_PROCESS
from ..corpus.pairing import Pair
from ..corpus.unread import PairStream
from ..schemes.options import OPTIONS
from ..schemes.table import schemes_that_count
from .help import option
from .options import parsed
from .outputs import with_progress
from .pairs import check_read, pairs_of
from .scoring import ScoringOptions, on_command_line, scoring_of

if TYPE_CHECKING:  # loaded only if an option names a measure
    from ..analysis.measured import AnyMeasured, Measured
    from ..measures.words import BiasingList
    from ..schemes.measure import Measure


def _one(text: str) -> Measure:
    from ..schemes.measure import parse_measure

    return parse_measure(text)


def _several(text: str) -> tuple[Measure, ...]:
    from ..schemes.measure import parse_measures

    return parse_measures(text)


measure_option = option(
    "--measure",
    group="Scoring",
    metavar="MEASURE",
    callback=parsed(_one),
    help="Scheme, figure and options in one name, such as SER(pairing=half)@0.3 or "
    "mitre.content(extent=2), instead of --scheme, --figure and the options themselves.",
)

measures_option = option(
    "--measure",
    "measures",
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
    help="The words of B-WER, for all documents or for each (docs/words.md); by default the words "
    "of REF's elements. With --measure.",
)


alternatives_option = option(
    "--alternatives",
    group="Scoring",
    metavar="PATH",
    multiple=True,
    help="Other readings of stretches of REF: files ID.norm.json and ID.nlp as in Earnings-21, or "
    "folders with them. May be repeated. Word error rates take the reading that costs least.",
)


def has_outcomes(measure: Measure) -> bool:
    """Whether a measure gives each element an outcome: SER, or a figure of another scheme."""
    family = measure.family
    return family.counts == "elements" or measure.figure == family.figures[0] == "SER"


def with_measure(values: Mapping[str, Any], *counts: str) -> dict[str, Any]:
    """The values of the options of a command, and of the options that its measure implies.

    Args:
        values: ``measure`` and the others, by name of the parameter.
        counts: the units that the schemes of the command count, values of ``Scheme.counts``. With
            ``words`` it takes measures of words, and all figures of slots.

    Raises:
        click.UsageError: a measure that the command cannot show; an option that contradicts it.
    """
    others = {name: value for name, value in values.items() if name != "measure"}
    measure: Measure | None = values["measure"]
    if measure is None:
        return others
    takes_counts = "words" in counts
    if measure.family.counts not in counts or not (takes_counts or has_outcomes(measure)):
        command = click.get_current_context().info_name
        expected = "SER, P, R, F1, WER" if takes_counts else "SER"
        raise click.UsageError(
            f"--measure {measure} is not for {command}, expected {expected} or a figure of "
            f"{', '.join(schemes_that_count(*counts))}"
        )
    _check_agreement([measure], others)
    if measure.family.counts == "words":
        return others
    own = measure.command_line
    named = {*dict(measure.options), *(["tolerance"] if measure.tolerance else [])}
    for name in sorted(named & OPTIONS.keys() - others.keys()):
        raise click.UsageError(f"--measure {measure}: {name} has no effect in this command")
    return others | {name: value for name, value in own.items() if name in others}


def _check_agreement(measures: Sequence[Measure], values: Mapping[str, Any]) -> None:
    """Refuse an option on the command line that no measure takes, or that contradicts one.

    Raises:
        click.UsageError: such an option.
    """
    from ..schemes.measure import OF_RUN

    source = click.get_current_context().get_parameter_source
    for name in values:
        is_named = name in OPTIONS and source(name) is ParameterSource.COMMANDLINE
        if not is_named or name in OF_RUN and name not in ("scheme", "figure", "is_bound"):
            continue
        found = f"found {OPTIONS[name].on_command_line}"
        takers = [one for one in measures if name in one.command_line]
        for one in takers:
            if one.command_line[name] != values[name]:
                raise click.UsageError(
                    f"{found} and --measure {one}, which says otherwise, expected one of them"
                )
        if not takers:
            names = ",".join(map(str, measures))
            raise click.UsageError(f"{found}, which has no effect with --measure {names}")


def biasing_of(path: str | None, measures: Sequence[Measure]) -> BiasingList | None:
    """The biasing lists that measures take; a path that a file of settings names may have no part.

    Args:
        path: the value of ``--biasing``.
        measures: of the command.

    Raises:
        click.UsageError: the command line names lists, but no measure takes them.
        InputError: as ``load_biasing``.
    """
    if path is None:
        return None
    from ..formats.biasing import load_biasing
    from ..schemes.measure import BY_LIST

    if any(one.family in BY_LIST for one in measures):
        return load_biasing(path)
    source = click.get_current_context().get_parameter_source("biasing")
    if source is ParameterSource.COMMANDLINE:
        raise click.UsageError("--biasing goes with --measure B-WER or U-WER")
    return None


def alternatives_of(paths: Sequence[str], measures: Sequence[Measure]) -> Sequence[str]:
    """The paths of alternatives, if a measure counts words; a file of settings may name others.

    Args:
        paths: the values of ``--alternatives``.
        measures: the measures of the command.

    Raises:
        click.UsageError: the command line names a path, but no measure counts words.
    """
    if any(one.family.counts == "words" for one in measures):
        return paths
    if "alternatives" in on_command_line(click.get_current_context()):
        raise click.UsageError("--alternatives goes with --measure WER, entity-wer, B-WER or U-WER")
    return ()


def measure_sides(
    ref: str,
    hyp: str,
    measures: Sequence[Measure],
    biasing: str | None,
    values: Mapping[str, Any],
) -> Measured:
    """Read both sides, each document once, and score them by several measures.

    If some measures need the places of mentions and others do not, documents are read twice.

    Args:
        ref, hyp: paths of both sides.
        measures: the measures, each once.
        biasing: the path of the biasing lists; ``None``: the words of elements.
        values: the values of ``scoring_options``, ``side_options`` and ``workers_options``.

    Raises:
        click.UsageError: an option that no measure takes, or that contradicts one.
    """
    from ..analysis.measured import Measured, check_run, measured
    from ..schemes.measure import tolerance_name

    measures = [one.with_normalisation(values["normalise"]) for one in measures]
    _check_agreement(measures, values)
    tolerance = values["tolerance"]
    requested = (
        measures if tolerance is None else [one.at(tolerance_name(tolerance)) for one in measures]
    )
    is_named = "normalise" in on_command_line(click.get_current_context())
    by = "text" if is_named or values["normalise"] != LETTERS.name else values["by"]
    of_run = {**values, "tolerance": None, "is_bound": False, "by": by}
    how, sides = scoring_of(of_run, besides=OPTIONS)
    how = replace(how, settings=replace(how.settings, through=None))  # each measure has its own
    sides.pop("aligned")
    sides["alternatives"] = alternatives_of(values["alternatives"], measures)
    lists = biasing_of(biasing, measures)
    check_run(requested, how.settings, lists)
    found: dict[Measure, AnyMeasured] = {}
    notes: list[str] = []
    read = []
    for has_places in (True, False):
        group = [one for one in requested if one.family.has_places == has_places]
        if group:
            pairs = _pairs(ref, hyp, group, how, sides)
            read.append(pairs)
            part = measured(
                pairs, group, how.settings, how.options.grammar, how.workers, with_progress, lists
            )
            found |= part.scores
            notes += part.read
    check_read(read, how.settings.labels)
    return Measured({one: found[one] for one in requested}, tuple(dict.fromkeys(notes)))


def _pairs(
    ref: str, hyp: str, measures: Sequence[Measure], how: ScoringOptions, sides: Mapping[str, Any]
) -> PairStream[Pair]:
    """The pairs that all measures score, which are read one by one."""
    from ..analysis.measured import goes_again

    every = [one.settings(how.settings) for one in measures]
    settings = next((one for one in every if one.is_projected), how.settings)
    workers = THIS_PROCESS if goes_again(measures) else how.workers
    how = replace(how, scheme=measures[0].family, settings=settings, workers=workers)
    return pairs_of(ref, hyp, how, **sides)
