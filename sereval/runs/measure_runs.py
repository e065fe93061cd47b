"""Runs of several systems by one measure or by several: how each scores, and the reading."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..corpus.executor import as_it_is
from ..corpus.pairs import Pair, PairList
from ..corpus.unread import PairStream
from ..schemes.table import OUTCOMES, SCHEMES
from .campaign import ReadCondition, pairs_of_condition
from .conditions import ConditionSides
from .measures import alternatives_beside, each_measure, has_words, rate_measure
from .pairs import of_documents
from .scoring import Asked, ScoringOptions, check_parts, scoring_of

if TYPE_CHECKING:
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
        resampling: the settings of resampling, of documents if ``rate`` is a measure.
    """

    measure: Measure | None
    rate: Measure | None
    asked: Asked
    how: ScoringOptions
    sides: dict[str, Any]
    resampling: Resampling


def runs_of(
    asked: Asked, resampling: Resampling, without: Collection[str] = ()
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
        drawn = resampling if rate is None else of_documents(resampling, rate, asked.wording)
        how, sides = scoring_of(own)
        if not has_any_words and not without:
            sides["alternatives"] = alternatives_beside(own, how)
        found.append(MeasureRun(measure, rate, own, how, sides, drawn))
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
    _known: dict[Any, dict[str, PairList[Pair]]] = field(default_factory=dict)

    def read(
        self,
        conditions: Iterable[ConditionSides],
        values: Mapping[str, Any],
        how: ScoringOptions,
    ) -> list[ReadCondition]:
        """The pairs of each condition; measures that need the same of documents share them.

        Args:
            conditions: the conditions.
            values: as for ``pairs_of_condition``.
            how: the scoring.
        """
        return [self._read(condition, values, how) for condition in conditions]

    def _read(
        self, condition: ConditionSides, values: Mapping[str, Any], how: ScoringOptions
    ) -> ReadCondition:
        found = pairs_of_condition(condition, values, how)
        scheme = how.scheme
        is_projected = found.how.settings.is_projected
        key = condition.name, is_projected, scheme.has_places, scheme.counts == "tags"
        if self.is_kept and key in self._known:
            return found.name, found.how, self._known[key]
        streams = [*found.systems.values()]
        self.streams += streams
        if not self.is_kept:
            return found
        kept = [PairList(list(stream.each(as_it_is)), how.workers) for stream in streams]
        self._known[key] = dict(zip(found.systems, kept, strict=True))
        return found.name, found.how, self._known[key]
