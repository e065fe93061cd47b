"""What a command about one system computes: a function of the options and the sides of a run.

The command line and the functions in Python call the same functions; ``several`` has those of
commands about several systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..corpus.corpus import exact
from ..errors import UsageFault
from ..evaluation.settings import Settings
from ..formats import ANNOTATIONS, read_each
from ..measures.words import BiasingList
from ..schemes.measure import DEFINITION, Measure
from ..schemes.table import OUTCOMES, WITHOUT_ELEMENTS
from .scoring import (
    Run,
    RunRequest,
    biasing_of,
    run_of,
    runs_of,
    settings_for,
    with_alternatives,
)
from .sides import SideSource, check_labels, sides_of, systems_of

if TYPE_CHECKING:  # each function loads the stage that it calls
    from ..analysis.agreement import Annotations
    from ..analysis.audit import AnyScore
    from ..analysis.measured import Measured
    from ..analysis.rates import Score
    from ..analysis.strata import Property


def score(
    asked: RunRequest,
    ref: SideSource,
    hyp: SideSource,
    *,
    keeps_outcomes: bool = False,
) -> Any:
    """The score of a system, with an interval if a confidence is asked for."""
    resampling = None if asked.values["confidence"] is None else asked.resampling
    for name in ("resamples", "seed", "unit"):
        if resampling is None and name in asked.named:
            raise UsageFault(f"--{name} goes with --confidence")
    by = next((f"--{name}" for name in STRATA if asked.values[name]), None)
    if asked.values["measure"] is not None:
        other = by if resampling is None else "--confidence"
        if other is not None:
            raise UsageFault(f"{other} has no effect with --measure, expected one of them")
        return measure(asked, ref, hyp)
    run = run_of(asked)
    if by is not None and run.scheme.counts != "slots":
        raise UsageFault(f"{by} has no effect with --scheme {run.scheme.name}")
    properties = _properties(asked, run) if by is not None else {}
    keeps_outcomes = keeps_outcomes or by is not None
    asked = with_alternatives(asked, compares_words=run.compares_words)
    corpus = systems_of(asked, ref, {"": hyp}, run)
    keeps = keeps_outcomes and run.scheme.counts == "slots"
    if resampling is not None:
        keeps = keeps_outcomes or resampling.unit_of(len(corpus.documents)) == "utterance"
    found: Any
    [found] = run.scorer(keeps_outcomes=keeps).scores(corpus).values()
    check_labels(asked, [corpus], run.settings)
    if resampling is not None:
        from ..analysis.compare import with_interval  # slow to import

        found = with_interval(found.by(run.measure.figure), resampling)
    if not properties:
        return found
    from ..analysis.strata import strata

    if path := asked.values["groups"]:
        from .campaign import check_groups, read_groups  # few scores have groups

        check_groups(path, read_groups(path), asked.known, [ref])
    return strata(found, properties)


STRATA = ("strata", "train", "groups", "speakers")
"""The options that ask for strata."""


def _properties(asked: RunRequest, run: Run) -> dict[str, Property]:
    """The properties that the options ask for."""
    from ..analysis.strata import PROPERTIES, by_group, by_speaker, by_training, read_turns

    names, train, groups, speakers = (asked.values[name] for name in STRATA)
    names = [names] if isinstance(names, str) else names or ()
    for name in names:
        if name not in PROPERTIES:
            known = ", ".join(PROPERTIES)
            raise UsageFault(f"--strata is {name!r}, expected one of {known}")
    found = {name: PROPERTIES[name] for name in names}
    if train is not None:
        reading = sides_of(asked).wanting(ref=ANNOTATIONS).reading_of("ref")
        documents = map(exact, read_each(train, reading))
        found["training"] = by_training(map(run.settings.labels.relabel, documents))
    if groups is not None:
        from .campaign import read_groups

        found["group"] = by_group(read_groups(groups))
    if speakers is not None:
        found["speaker"] = by_speaker(read_turns(speakers))
    return found


def measure(asked: RunRequest, ref: SideSource, hyp: SideSource) -> Measured:
    """The values of several measures; those that need places of mentions read documents apart."""
    from ..analysis.measured import Measured, measuring

    asked, runs, shared, lists = measured_runs(asked)
    scores: dict[Measure, Score] = {}
    notes: list[str] = []
    corpora = []
    for has_places in (True, False):
        own = [one for one in runs if one.scheme.has_places == has_places]
        if own:
            corpora.append(systems_of(asked._replace(known={}), ref, {"": hyp}, as_read(own)))
            scorer = measuring([one.measure for one in own], shared, lists)
            [part] = scorer.scores(corpora[-1]).values()
            scores |= part.scores
            notes += part.read
    check_labels(asked, corpora, shared)
    return Measured({one.measure: scores[one.measure] for one in runs}, tuple(dict.fromkeys(notes)))


def measured_runs(
    asked: RunRequest,
) -> tuple[RunRequest, list[Run], Settings, BiasingList | None]:
    """What a run by several measures asks for, the settings that all share, and biasing lists."""
    from ..analysis.measured import check_run

    runs = runs_of(asked)
    measures = [one.measure for one in runs]
    shared = settings_for(asked, DEFINITION)
    lists = biasing_of(asked, measures)
    has_words = any(one.scheme.counts == "words" for one in runs)
    check_run(measures, shared, lists)
    return with_alternatives(asked, compares_words=has_words), runs, shared, lists


def as_read(runs: Sequence[Run]) -> Run:
    """How documents are read that all measures score."""
    settings = next((one.settings for one in runs if one.settings.is_projected), runs[0].settings)
    first = min(runs, key=lambda one: one.scheme in WITHOUT_ELEMENTS)
    return first._replace(settings=settings)


def audit(asked: RunRequest, ref: SideSource, hyp: SideSource) -> AnyScore:
    """The score of a system with the outcome of each element."""
    run = run_of(asked, *OUTCOMES, besides=("align", "words"))  # for what is shown
    asked = with_alternatives(asked, compares_words=run.compares_words)
    corpus = systems_of(asked, ref, {"": hyp}, run)
    found: AnyScore = run.scorer().scores(corpus)[""]
    check_labels(asked, [corpus], run.settings)
    return found


def agreement(asked: RunRequest, one: SideSource, other: SideSource) -> Annotations:
    """The scores from which the agreement of two annotators is computed."""
    from ..analysis.agreement import score_annotations

    run = run_of(asked)
    corpus = systems_of(asked, one, {"": other}, run)
    found = score_annotations(corpus, run.settings)
    check_labels(asked, [corpus], run.settings)
    return found
