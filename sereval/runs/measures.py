"""Measures in place of a scheme: one measure with its options, or several measures in one run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..alignment.normalise import LETTERS
from ..errors import UsageFault
from ..evaluation.settings import ByWords
from ..schemes.options import OPTIONS
from ..schemes.table import OUTCOMES, schemes_that_count, schemes_with
from .scoring import RunRequest, ScoringOptions, flag, scoring_of

if TYPE_CHECKING:  # loaded only if an option names a measure
    from ..measures.words import BiasingList
    from ..schemes.measure import Measure


def rate_measure(measure: Measure | None) -> Measure | None:
    """The measure, if it is counted by document and gives no element an outcome.

    SER and the figures of other schemes give each element an outcome.

    Args:
        measure: the measure of a run; ``None``: it names none.
    """
    if measure is None or _has_outcomes(measure):
        return None
    return measure


def has_words(measure: Measure | None) -> bool:
    """Whether a measure counts words.

    Args:
        measure: the measure of a run; ``None``: it names none.
    """
    return measure is not None and measure.family.counts == "words"


def _has_outcomes(measure: Measure) -> bool:
    family = measure.family
    is_of_scheme = family.counts in OUTCOMES and family.counts != "slots"
    return is_of_scheme or measure.figure == family.figures[0] == "SER"


def with_measure(asked: RunRequest, *counts: str) -> RunRequest:
    """The options of a run with those that its measure implies.

    Args:
        asked: the options, ``measure`` among them.
        counts: the units that the schemes of the run count, values of ``Scheme.counts``. With
            ``words`` it takes measures of words, and all figures of slots.

    Raises:
        UsageFault: a measure that the run cannot show; an option that contradicts it.
    """
    measure: Measure | None = asked.values["measure"]
    if measure is None:
        return asked
    takes_counts = "words" in counts
    if measure.family.counts not in counts or not (takes_counts or _has_outcomes(measure)):
        expected = "SER, P, R, F1, WER" if takes_counts else "SER"
        raise UsageFault(
            f"--measure {measure} is not for {asked.what}, expected {expected} or a "
            f"figure of {', '.join(schemes_that_count(*counts))}"
        )
    _check_agreement([measure], asked)
    if measure.family.counts == "words":
        return asked
    own = measure.command_line
    its_own = {*dict(measure.options), *(["tolerance"] if measure.tolerance else [])}
    for name in sorted(its_own & OPTIONS.keys() - asked.values.keys()):
        raise UsageFault(f"--measure {measure}: {name} has no effect in this command")
    return asked.but(**{name: value for name, value in own.items() if name in asked.values})


def each_measure(asked: RunRequest, *counts: str) -> Iterator[tuple[Measure | None, RunRequest]]:
    """Each measure of a run that takes several, with the options of a run of that measure alone.

    Args:
        asked: the options; ``measure`` is ``None`` or has the measures, each once.
        counts: as for :func:`with_measure`.

    Raises:
        UsageFault: an option that no measure takes; as :func:`with_measure`.
    """
    measures: Sequence[Measure] = asked.values["measure"] or ()
    if len(measures) < 2:
        one = next(iter(measures), None)
        yield one, with_measure(asked.but(measure=one), *counts)
        return
    _check_agreement(measures, asked)
    has_times = not all(one.family.aligns_words for one in measures)
    for one in measures:
        unused = {name for name in asked.values if not one.family.takes(name)}
        if one.family.aligns_words and one.values["cut"] != "times" and has_times:
            unused.add("align")
        reset = unused & OPTIONS.keys() if one.family.counts != "words" else set[str]()
        if not one.aligns_text:
            unused.add("given")
            reset.add("given")
        own = asked.but(measure=one, **{name: OPTIONS[name].default for name in reset})
        named = [name for name in asked.named if name not in unused]
        chosen = [name for name in asked.chosen if name not in unused]
        own = replace(own, named=named, chosen=chosen)
        yield one, with_measure(own, *counts)


NO_MEASURES = ("scheme", "figure", "given", "placement", "max_placements")
"""The options of a run that have no effect with a measure."""


def _check_agreement(measures: Sequence[Measure], asked: RunRequest) -> None:
    """Refuse an option that the user set and no measure takes, or that contradicts one.

    Raises:
        UsageFault: such an option.
    """
    from ..schemes.measure import OF_RUN

    for one in measures if asked.values.get("is_bound") else ():
        if not one.family.takes("is_bound"):
            bounded = ", ".join(schemes_with("is_bound"))
            raise UsageFault(
                f"found --upper-bound: a perfect tagger has no "
                f"--measure {one}, expected figures of {bounded}"
            )
    for name in asked.values:
        is_named = name in OPTIONS and name in asked.named
        if not is_named or name in OF_RUN and name not in NO_MEASURES:
            continue
        found = f"found {flag(name)}"
        if name == "given" and any(one.aligns_text for one in measures):
            _check_weights(measures, asked)
            continue
        takers = [one for one in measures if name in one.command_line]
        for one in takers:
            if one.command_line[name] != asked.values[name]:
                raise UsageFault(
                    f"{found} and --measure {one}, which says otherwise, expected one of them"
                )
        if not takers:
            named = ",".join(map(str, measures))
            raise UsageFault(f"{found}, which has no effect with --measure {named}")


def _check_weights(measures: Sequence[Measure], asked: RunRequest) -> None:
    """Refuse weights of a measure whose words are aligned as the user gives.

    Raises:
        UsageFault: such weights.
    """
    for one in measures:
        if one.aligns_text and "weights" in dict(one.options):
            raise UsageFault(f"--measure {one}: weights has no effect with --aligned-input")


def biasing_of(asked: RunRequest, measures: Sequence[Measure]) -> BiasingList | None:
    """The biasing lists that measures take; a path that a file of settings names may have no part.

    Args:
        asked: the options, ``biasing`` among them.
        measures: the measures of the run.

    Raises:
        UsageFault: the user named lists, but no measure takes them.
        InputError: as ``load_biasing``.
    """
    path = asked.values["biasing"]
    if path is None:
        return None
    from ..schemes.word_rates import BY_LIST
    from .biasing import load_biasing

    if any(one.family in BY_LIST for one in measures):
        return load_biasing(path)
    if "biasing" in asked.named:
        raise UsageFault("--biasing goes with --measure B-WER or U-WER")
    return None


def alternatives_of(asked: RunRequest, measures: Sequence[Measure]) -> Sequence[str]:
    """The paths of alternatives, if a measure counts words; a file of settings may name others.

    Args:
        asked: the options, ``alternatives`` among them.
        measures: the measures of the run.

    Raises:
        UsageFault: the user named a path, but no measure counts words.
    """
    if any(one.family.counts == "words" for one in measures):
        paths: Sequence[str] = asked.values["alternatives"]
        return paths
    if "alternatives" in asked.named:
        raise UsageFault("--alternatives goes with --measure WER, entity-wer, B-WER or U-WER")
    return ()


def with_alternatives(asked: RunRequest, how: ScoringOptions) -> RunRequest:
    """The options without alternatives, unless word errors stand beside the score of the run.

    A file of settings may name alternatives for other runs.

    Args:
        asked: the options, ``alternatives`` among them.
        how: how the run scores.

    Raises:
        UsageFault: the user named a path, but the run compares no words.
    """
    if how.compares_words:
        return asked
    if "alternatives" in asked.named:
        raise UsageFault(
            "--alternatives goes with --measure WER, with a "
            "tolerance, or with an alignment by text or phones: otherwise both sides have the same "
            "words"
        )
    return asked.but(alternatives=())


def measures_of(
    measures: Sequence[Measure], asked: RunRequest, tolerance: str | None = None
) -> tuple[RunRequest, list[Measure], ScoringOptions, BiasingList | None]:
    """What a run by measures asks for.

    Args:
        measures: the measures, each once.
        asked: the options of the run.
        tolerance: the tolerance of the measures that take one; ``None``: their own.

    Returns:
        The options, the measures with their tolerance, the settings that they share and the biasing
        lists.

    Raises:
        UsageFault: an option that no measure takes, or that contradicts one.
        SerevalError: as ``check_run``.
    """
    from ..analysis.measured import check_run

    values = asked.values
    normalise = values.get("normalise", LETTERS.name)
    measures = [one.with_normalisation(normalise) for one in measures]
    _check_agreement(measures, asked)
    requested = measures if tolerance is None else [one.at(tolerance) for one in measures]
    if values.get("is_bound") and "unplaceable" not in asked.chosen:
        requested = [one.with_option("unplaceable", "miss") for one in requested]
    given = values.get("given")
    shared = asked.but(given=None, aligned=None)
    if "normalise" in asked.named or normalise != LETTERS.name:
        shared = shared.but(by="text")
    how = scoring_of(shared, besides=OPTIONS)
    through = given and ByWords(given=given)  # all else about words each measure has of its own
    how = replace(how, settings=replace(how.settings, through=through))
    lists = biasing_of(asked, measures) if "biasing" in values else None
    if "alternatives" in values:
        asked = asked.but(alternatives=alternatives_of(asked, measures))
    check_run(requested, how.settings, lists)
    return asked, requested, how, lists


def as_read(measures: Sequence[Measure], how: ScoringOptions) -> ScoringOptions:
    """How documents are read that all measures score.

    Args:
        measures: the measures.
        how: the settings that they share.
    """
    every = [one.settings(how.settings) for one in measures]
    unprojected = replace(how.settings, through=None)
    settings = next((one for one in every if one.is_projected), unprojected)
    return replace(how, scheme=measures[0].family, settings=settings)
