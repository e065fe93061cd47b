"""Measures in place of a scheme: one measure with its options, or several measures in one run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..alignment.normalise import LETTERS
from ..corpus.corpus import Corpus
from ..errors import UsageFault
from ..evaluation.settings import ByWords
from ..schemes.options import OPTIONS
from ..schemes.table import OUTCOMES, schemes_that_count, schemes_with
from .pairs import check_labels, pairs_of
from .scoring import RunRequest, ScoringOptions, flag, scoring_of
from .sides import SideSource

if TYPE_CHECKING:  # loaded only if an option names a measure
    from ..analysis.measured import Measured
    from ..analysis.rates import Score
    from ..measures.words import BiasingList
    from ..schemes.measure import Measure

Watch = Callable[[Sequence[Any]], Iterable[Any]]


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


def with_measure(asked: RunRequest, *counts: str) -> dict[str, Any]:
    """The values of the options of a run, and of the options that its measure implies.

    Args:
        asked: the options, ``measure`` among them.
        counts: the units that the schemes of the run count, values of ``Scheme.counts``. With
            ``words`` it takes measures of words, and all figures of slots.

    Raises:
        UsageFault: a measure that the run cannot show; an option that contradicts it.
    """
    others = {name: value for name, value in asked.values.items() if name != "measure"}
    measure: Measure | None = asked.values["measure"]
    if measure is None:
        return others
    takes_counts = "words" in counts
    if measure.family.counts not in counts or not (takes_counts or _has_outcomes(measure)):
        expected = "SER, P, R, F1, WER" if takes_counts else "SER"
        raise UsageFault(
            f"--measure {measure} is not for {asked.what}, expected {expected} or a "
            f"figure of {', '.join(schemes_that_count(*counts))}"
        )
    _check_agreement([measure], replace(asked, values=others))
    if measure.family.counts == "words":
        return others
    own = measure.command_line
    its_own = {*dict(measure.options), *(["tolerance"] if measure.tolerance else [])}
    for name in sorted(its_own & OPTIONS.keys() - others.keys()):
        raise UsageFault(f"--measure {measure}: {name} has no effect in this command")
    return others | {name: value for name, value in own.items() if name in others}


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
        yield one, replace(asked, values=with_measure(asked.but(measure=one), *counts))
        return
    others = {name: value for name, value in asked.values.items() if name != "measure"}
    _check_agreement(measures, replace(asked, values=others))
    has_times = not all(one.family.aligns_words for one in measures)
    for one in measures:
        unused = {name for name in others if not one.family.takes(name)}
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
        yield one, replace(own, values=with_measure(own, *counts))


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


def alternatives_beside(asked: RunRequest, how: ScoringOptions) -> Sequence[str]:
    """The paths of alternatives, if word errors stand beside the score of a run without measures.

    A file of settings may name alternatives for other runs.

    Args:
        asked: the options, ``alternatives`` among them.
        how: how the run scores.

    Raises:
        UsageFault: the user named a path, but the run compares no words.
    """
    if how.compares_words:
        paths: Sequence[str] = asked.values["alternatives"]
        return paths
    if "alternatives" in asked.named:
        raise UsageFault(
            "--alternatives goes with --measure WER, with a "
            "tolerance, or with an alignment by text or phones: otherwise both sides have the same "
            "words"
        )
    return ()


def without_words(asked: RunRequest) -> RunRequest:
    """The options of a run without measures, which takes no lists of words.

    Raises:
        UsageFault: the user named some.
    """
    biasing_of(asked, ())
    others = {name: value for name, value in asked.values.items() if name != "biasing"}
    return replace(asked, values=others)


def measure_sides(
    ref: SideSource,
    hyp: SideSource,
    measures: Sequence[Measure],
    asked: RunRequest,
    **hooks: Any,
) -> tuple[Measured, list[Corpus]]:
    """Read both sides, each document once, and score them by several measures.

    If some measures need the places of mentions and others do not, documents are read twice.

    Args:
        ref, hyp: both sides.
        measures: the measures, each once.
        asked: the options of the run.
        hooks: as for ``systems_of``.

    Returns:
        The values, and the pairs that were read.

    Raises:
        UsageFault: an option that no measure takes, or that contradicts one.
    """
    from ..analysis.measured import Measured, measuring

    requested, groups = _groups(ref, hyp, measures, asked, hooks)
    found: dict[Measure, Score] = {}
    notes: list[str] = []
    for own, corpus, how, lists in groups:
        scorer = measuring(own, how.settings, how.settings.grammar, lists)
        [part] = scorer.scores(corpus).values()
        found |= part.scores
        notes += part.read
    read = [group.corpus for group in groups]
    check_labels(read, *(group.how.settings for group in groups))
    values_of = Measured({one: found[one] for one in requested}, tuple(dict.fromkeys(notes)))
    return values_of, read


class _Group(NamedTuple):
    """Measures that need the same of documents.

    Args:
        measures: the measures.
        corpus: what they score, unread.
        how: the settings that they share.
        lists: the biasing lists.
    """

    measures: list[Measure]
    corpus: Corpus
    how: ScoringOptions
    lists: BiasingList | None


def _groups(
    ref: SideSource,
    hyp: SideSource,
    measures: Sequence[Measure],
    asked: RunRequest,
    ways: Mapping[str, Any],
) -> tuple[list[Measure], list[_Group]]:
    """The measures with their tolerance, and those that need the same of documents together."""
    from ..schemes.measure import tolerance_name

    tolerance = asked.values["tolerance"]
    at = None if tolerance is None else tolerance_name(tolerance)
    requested, how, sides, lists = measures_of(measures, asked.but(tolerance=None), at)
    found = []
    for has_places in (True, False):
        own = [one for one in requested if one.family.has_places == has_places]
        if own:
            pairs = pairs_of(ref, hyp, as_read(own, how), **{**sides, **ways})
            found.append(_Group(own, pairs, how, lists))
    return requested, found


def measures_of(
    measures: Sequence[Measure], asked: RunRequest, tolerance: str | None = None
) -> tuple[list[Measure], ScoringOptions, dict[str, Any], BiasingList | None]:
    """What a run by measures asks for.

    Args:
        measures: the measures, each once.
        asked: the options of the run.
        tolerance: the tolerance of the measures that take one; ``None``: their own.

    Returns:
        The measures with their tolerance, the settings that they share, the options that name sides
        and the biasing lists.

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
    shared = asked.but(given=None)
    if "normalise" in asked.named or normalise != LETTERS.name:
        shared = shared.but(by="text")
    how, sides = scoring_of(shared, besides=OPTIONS)
    through = given and ByWords(given=given)  # all else about words each measure has of its own
    how = replace(how, settings=replace(how.settings, through=through))
    for name in ("aligned", "biasing"):
        sides.pop(name, None)
    lists = biasing_of(asked, measures) if "biasing" in values else None
    if "alternatives" in values:
        sides["alternatives"] = alternatives_of(asked, measures)
    check_run(requested, how.settings, lists)
    return requested, how, sides, lists


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
