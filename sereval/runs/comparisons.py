"""Comparisons of systems by one measure or by several: the scoring of each, and the reading."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..analysis.rates import ComparableScore
from ..analysis.resampling import Resampling
from ..corpus.executor import as_it_is
from ..corpus.pairs import Pair, PairList
from ..corpus.unread import PairStream
from ..schemes.table import OUTCOMES, SCHEMES
from .measures import each_measure, rate_measure
from .pairs import AnyPairs, of_documents, score_for
from .scoring import Asked, ScoringOptions, check_parts, scoring_of

if TYPE_CHECKING:
    from ..schemes.measure import Measure


class MeasureRun(NamedTuple):
    """How the systems are scored by one measure.

    Args:
        measure: the measure; ``None``: that of the scheme.
        rate: the measure, if it is counted by document and gives no element an outcome.
        asked: the options of the run.
        how: the scoring.
        sides: the options that name sides.
        resampling: the settings of resampling, of documents if ``rate`` is a measure.
    """

    measure: Measure | None
    rate: Measure | None
    asked: Asked
    how: ScoringOptions
    sides: dict[str, Any]
    resampling: Resampling

    def scores(
        self, systems: Mapping[str, AnyPairs], how: ScoringOptions, *, has_outcomes: bool = False
    ) -> dict[str, ComparableScore]:
        """The score of each system.

        Args:
            systems: the pairs of each system, by name.
            how: the scoring, with the alignment of the condition.
            has_outcomes: whether the outcomes of elements are kept, whatever is resampled.
        """
        drawn = None if has_outcomes else self.resampling
        return {name: score_for(drawn, how, pairs, self.rate) for name, pairs in systems.items()}


def runs_of(
    asked: Asked, resampling: Resampling, without: Collection[str] = ()
) -> list[MeasureRun]:
    """The scoring of each measure that the options of a run name.

    Args:
        asked: the options; ``measure`` is ``None`` or has the measures.
        resampling: the settings of resampling.
        without: options that each condition has of its own.

    Raises:
        UsageFault: as ``each_measure``, ``check_parts`` and ``of_documents``.
    """
    found = []
    for measure, own in each_measure(asked, *OUTCOMES, "words"):
        rate = rate_measure(measure)
        check_parts(own, SCHEMES[own.values["scheme"]])
        values = {name: value for name, value in own.values.items() if name not in without}
        own = replace(own, values=values)
        drawn = resampling if rate is None else of_documents(resampling, rate, asked.wording)
        found.append(MeasureRun(measure, rate, own, *scoring_of(own), drawn))
    return found


@dataclass(slots=True)
class Reader:
    """Reads the pairs of systems; with several measures each document is read once and kept.

    Args:
        is_kept: whether the pairs stay in memory, for other measures.
        streams: all pairs that were read.
    """

    is_kept: bool
    streams: list[PairStream[Pair]] = field(default_factory=list)
    _known: dict[Any, list[PairList[Pair]]] = field(default_factory=dict)

    def read(
        self, key: str, how: ScoringOptions, find: Callable[[], list[PairStream[Pair]]]
    ) -> Sequence[AnyPairs]:
        """The pairs of some systems.

        Args:
            key: the name of their condition.
            how: the scoring; measures that need the same of the documents share them.
            find: finds the pairs.
        """
        scheme, settings = how.scheme, how.settings
        needs = key, settings.is_projected, scheme.has_places, scheme.counts == "tags"
        if needs in self._known:
            return self._known[needs]
        streams = find()
        self.streams += streams
        if not self.is_kept:
            return streams
        kept = [PairList(list(stream.each(as_it_is)), how.workers) for stream in streams]
        self._known[needs] = kept
        return kept
