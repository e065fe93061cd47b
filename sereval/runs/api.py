"""What a command about one system computes: a function of the options and the sides of a run.

The command line and the functions in Python call the same functions; ``several`` has those of
commands about several systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import UsageFault
from ..evaluation.settings import Settings
from ..measures.words import BiasingList
from ..schemes.measure import DEFINITION, Measure
from ..schemes.table import OUTCOMES
from ..schemes.word_rates import WITHOUT_ELEMENTS
from .pairs import check_labels, systems_of
from .scoring import (
    Run,
    RunRequest,
    biasing_of,
    run_of,
    runs_of,
    settings_for,
    with_alternatives,
)
from .sides import SideSource

if TYPE_CHECKING:  # each function loads the stage that it calls
    from ..analysis.agreement import Annotations
    from ..analysis.measured import Measured
    from ..analysis.rates import AnyScore, Score
    from ..analysis.resampling import Resampling


def score(
    asked: RunRequest,
    ref: SideSource,
    hyp: SideSource,
    resampling: Resampling | None = None,
    *,
    keeps_outcomes: bool = False,
) -> Any:
    """The score of a system, with an interval if there are settings of resampling."""
    if asked.values["measure"] is not None:
        if resampling is not None:
            raise UsageFault("--confidence has no effect with --measure, expected one of them")
        return measure(asked, ref, hyp)
    biasing_of(asked, ())
    run = run_of(asked)
    asked = with_alternatives(asked, compares_words=run.compares_words)
    corpus = systems_of(asked, ref, {"": hyp}, run)
    keeps = keeps_outcomes and run.scheme.counts == "slots"
    if resampling is not None:
        keeps = keeps_outcomes or resampling.unit_of(len(corpus.documents)) == "utterance"
    [found] = (run.score if keeps else run.count)(corpus).values()
    check_labels(asked, [corpus], run.settings)
    if resampling is None:
        return found
    from ..analysis.compare import with_interval  # slow to import

    return with_interval(found.by(run.measure.figure), resampling)


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
            corpora.append(systems_of(replace(asked, known={}), ref, {"": hyp}, as_read(own)))
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
    return replace(first, settings=settings)


def audit(asked: RunRequest, ref: SideSource, hyp: SideSource) -> AnyScore:
    """The score of a system with the outcome of each element."""
    run = run_of(asked, *OUTCOMES, besides=("align", "words"))  # for what is shown
    asked = with_alternatives(asked, compares_words=run.compares_words)
    corpus = systems_of(asked, ref, {"": hyp}, run)
    [found] = run.score(corpus).values()
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
