"""Runs of several systems by one measure or by several: how each measure scores them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..corpus.corpus import Corpus
from ..schemes.table import OUTCOMES, SCHEMES
from .campaign import identical_systems, pairs_of_condition, scores_of
from .conditions import ConditionSides
from .measures import alternatives_beside, each_measure, has_words, rate_measure
from .pairs import of_documents
from .scoring import RunRequest, ScoringOptions, check_parts, scoring_of

if TYPE_CHECKING:
    from ..analysis.compare import IdenticalSystems
    from ..analysis.resampling import Resampling
    from ..schemes.measure import Measure


class MeasureRun(NamedTuple):
    """How systems are scored by one measure.

    Args:
        measure: the measure; ``None``: that of the scheme.
        rate: the measure, if it is counted by document and gives no element an outcome.
        asked: the options of the run.
        how: the scoring.
        sides: the options that name sides.
        resampling: the settings of resampling, of documents if ``rate`` is a measure of words.
    """

    measure: Measure | None
    rate: Measure | None
    asked: RunRequest
    how: ScoringOptions
    sides: dict[str, Any]
    resampling: Resampling

    def scores(
        self,
        conditions: Iterable[ConditionSides],
        values: Mapping[str, Any],
        resampling: Resampling | None,
    ) -> tuple[dict[str, dict[str, Any]], IdenticalSystems, list[Corpus]]:
        """The score of each system in each condition, copies, and the pairs that were read.

        Args:
            conditions: the conditions.
            values: as for ``pairs_of_condition``.
            resampling: as for ``scores_of``.
        """
        read = [pairs_of_condition(condition, values, self.how) for condition in conditions]
        scores = scores_of(read, resampling, self.rate)
        copies = {one.name: identical_systems(one, scores[one.name]) for one in read}
        return scores, copies, [one.corpus for one in read]


def runs_of(
    asked: RunRequest, resampling: Resampling, without: Collection[str] = ()
) -> list[MeasureRun]:
    """How systems are scored by each measure that the options of a run name.

    Args:
        asked: the options; ``measure`` is ``None`` or has the measures.
        resampling: the settings of resampling.
        without: options that each condition of a campaign has of its own.

    Raises:
        UsageFault: as ``each_measure``, ``check_parts``, ``of_documents`` and
            ``alternatives_beside``.
    """
    found = []
    has_any_words = any(map(has_words, asked.values["measure"] or ()))
    for measure, own in each_measure(asked, *OUTCOMES, "words"):
        rate = rate_measure(measure)
        check_parts(own, SCHEMES[own.values["scheme"]])
        own = own.without(*without)
        of_words = rate is not None and rate.family.counts == "words"
        drawn = of_documents(resampling, rate) if rate and of_words else resampling
        how, sides = scoring_of(own)
        if not has_any_words and not without:
            sides["alternatives"] = alternatives_beside(own, how)
        found.append(MeasureRun(measure, rate, own, how, sides, drawn))
    return found
