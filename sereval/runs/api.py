"""What a command about one system computes: a function of the options and the sides of a run.

The command line and the functions in Python call the same functions; ``several`` has those of
commands about several systems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..corpus.pairs import UnreadPair
from ..errors import UsageFault
from ..schemes.table import OUTCOMES
from .measures import as_read, biasing_of, measures_of, with_alternatives, with_measure
from .pairs import check_labels, for_interval, pairs_of
from .scoring import RunRequest, scoring_of
from .sides import SideSource

if TYPE_CHECKING:  # each function loads the stage that it calls
    from ..analysis.agreement import Annotations
    from ..analysis.measured import Measured
    from ..analysis.rates import AnyScore, Score
    from ..analysis.references import References
    from ..analysis.resampling import Resampling
    from ..schemes.measure import Measure


def score(
    asked: RunRequest,
    ref: SideSource,
    hyp: SideSource,
    resampling: Resampling | None = None,
    *,
    keeps_outcomes: bool = False,
) -> Any:
    """The score of a system, with an interval if there are settings of resampling.

    Args:
        asked: the options of the run.
        ref, hyp: both sides.
        resampling: the settings of the interval; samples of utterances need all outcomes.
        keeps_outcomes: whether a score of slots keeps the outcome of each element.
    """
    measures = asked.values["measure"]
    if measures is not None:
        if resampling is not None:
            raise UsageFault("--confidence has no effect with --measure, expected one of them")
        return measure(asked, ref, hyp, measures)
    biasing_of(asked, ())
    how = scoring_of(asked)
    asked = with_alternatives(asked, how)
    how = how if resampling is None else for_interval(how)
    corpus = pairs_of(asked, ref, hyp, how)
    keeps = keeps_outcomes and how.scheme.counts == "slots"
    if resampling is not None:
        keeps = keeps_outcomes or resampling.unit_of(len(corpus.documents)) == "utterance"
    [found] = (how.score if keeps else how.count)(corpus).values()
    check_labels(asked, [corpus], how.settings)
    if resampling is None:
        return found
    from ..analysis.compare import with_interval  # slow to import

    return with_interval(found, resampling)


def measure(
    asked: RunRequest, ref: SideSource, hyp: SideSource, measures: Sequence[Measure]
) -> Measured:
    """The values of several measures; those that need places of mentions read documents apart."""
    from ..analysis.measured import Measured, measuring
    from ..schemes.measure import tolerance_name

    at = asked.values["tolerance"]
    named = None if at is None else tolerance_name(at)
    asked, requested, how, lists = measures_of(measures, asked.but(tolerance=None), named)
    scores: dict[Measure, Score] = {}
    notes: list[str] = []
    corpora = []
    for has_places in (True, False):
        own = [one for one in requested if one.family.has_places == has_places]
        if own:
            corpora.append(pairs_of(replace(asked, known={}), ref, hyp, as_read(own, how)))
            scorer = measuring(own, how.settings, lists)
            [part] = scorer.scores(corpora[-1]).values()
            scores |= part.scores
            notes += part.read
    check_labels(asked, corpora, how.settings)
    return Measured({one: scores[one] for one in requested}, tuple(dict.fromkeys(notes)))


def references(asked: RunRequest, refs: Mapping[str, SideSource], hyp: SideSource) -> References:
    """The score of a hypothesis against each of several references, by their names."""
    from ..analysis.references import References

    asked.hooks.paths([one for one in (*refs.values(), hyp) if isinstance(one, str)])
    biasing_of(asked, ())
    how = scoring_of(asked)
    if how.scheme.counts not in ("slots", "elements"):
        raise UsageFault(
            "several references are for schemes that classify elements, expected them without "
            f"--scheme {how.scheme.name}"
        )
    if how.settings.placement == "range":
        raise UsageFault(
            "--placement range is for one reference, expected --placement best or --placement worst"
        )
    read = {name: pairs_of(asked, ref, hyp, how) for name, ref in refs.items()}
    [first] = next(iter(read.values())).systems.values()
    for one in read.values():  # the only documents of all sides are one document
        [pairs] = one.systems.values()
        if len(pairs) == len(first) == 1:
            entries = (entry and entry._replace(id=first[0].id) for entry in pairs[0])
            one.systems = {"": [UnreadPair._make(entries)]}
    found = References({name: how.count(corpus)[""] for name, corpus in read.items()})
    check_labels(asked, [*read.values()], how.settings)
    return found


def audit(asked: RunRequest, ref: SideSource, hyp: SideSource) -> AnyScore:
    """The score of a system with the outcome of each element."""
    asked = with_measure(asked, *OUTCOMES)
    how = scoring_of(asked, besides=("align", "words"))  # for what is shown
    asked = with_alternatives(asked, how)
    corpus = pairs_of(asked, ref, hyp, how)
    [found] = how.score(corpus).values()
    check_labels(asked, [corpus], how.settings)
    return found


def agreement(asked: RunRequest, one: SideSource, other: SideSource) -> Annotations:
    """The scores from which the agreement of two annotators is computed."""
    from ..analysis.agreement import score_annotations

    how = scoring_of(asked)
    corpus = pairs_of(asked, one, other, how)
    found = score_annotations(corpus, how.settings)
    check_labels(asked, [corpus], how.settings)
    return found
