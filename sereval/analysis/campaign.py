"""Campaigns: systems on several versions of the words, for all documents and for groups of them.

A campaign has the scores of each system on each version of the words, which ``compare`` compares,
and the blame of each system on the words of each recogniser. A group has the same figures over its
own documents. Nothing is scored again for a group: documents are scored one by one, so the figures
of a group are those of a run with these documents alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from ..render.report import Report, Reported
from .blame import Blame
from .compare import Comparison, IdenticalSystems, compare
from .compare import by_measure as compare_by_measure
from .compare_report import report_of
from .rates import Score
from .resampling import Resampling

_T = TypeVar("_T")

Scores = Mapping[str, Mapping[str, Score]]
"""For each version of the words, the scores by system."""


class SystemBlame(NamedTuple):
    """The blame of a system on the words of one recogniser.

    Args:
        system: its name.
        condition: the name of the recogniser's words.
        blame: its blame.
    """

    system: str
    condition: str
    blame: Blame


@dataclass(frozen=True, slots=True, repr=False)
class Campaign(Reported):
    """A comparison of systems, what the recognisers cost, and the same for groups of documents.

    Args:
        comparison: the comparison of the systems on each version of the words.
        blames: the blame of each system on the words of each recogniser; none: there is no version
            of reference words, or no recogniser.
        groups: the campaign of each group of documents, by name.

    >>> from sereval import campaign
    >>> sides = {"reference": [["B-PER"]], "conditions": {"manual": {}}}
    >>> found = campaign({**sides, "systems": {"crf": {"manual": [["B-LOC"]]}}})
    >>> found.documents, found.comparison.systems, found.blames
    (['0'], ['crf'], ())
    """

    comparison: Comparison
    blames: tuple[SystemBlame, ...] = ()
    groups: Mapping[str, Campaign] = field(default_factory=dict)

    @property
    def documents(self) -> list[str]:
        """The ids of the documents, in alphabetical order."""
        scores = (one.evaluation for each in self.comparison.conditions for one in each.systems)
        return sorted({id for score in scores for id in score.ids})

    def report(self) -> Report:
        """The comparison, what the recognisers cost, and the same for each group."""
        return report_of(self.comparison, self.blames, self.groups)

    def plot(self) -> Any:
        """The chart of the comparison."""
        return self.comparison.plot()


def campaign(
    scores: Scores,
    blames: Sequence[SystemBlame] = (),
    resampling: Resampling | None = None,
    groups: Mapping[str, Collection[str]] | None = None,
    identical: IdenticalSystems | None = None,
) -> Campaign:
    """Compare the systems of a campaign, over all documents and over groups of them."""
    resampling = resampling or Resampling()
    whole = Campaign(compare(scores, resampling, identical), tuple(blames))
    unit = resampling.unit_of(len(whole.documents))
    found = {}
    for name, ids in (groups or {}).items():
        own = sorted({*ids} & {*whole.documents})
        if own:
            found[name] = Campaign(
                compare(_scores_of(scores, own), replace(resampling, unit=unit)),
                tuple(one._replace(blame=_blame_of(one.blame, own)) for one in blames),
            )
    return replace(whole, groups=found)


def by_measure(campaigns: Mapping[str, Campaign]) -> Campaign:
    """Campaigns of the same systems by several measures as one."""
    every = list(campaigns.values())
    if len(every) == 1:
        return every[0]
    blames = next((one.blames for one in every if one.blames), ())
    groups = {
        name: by_measure({measure: one.groups[name] for measure, one in campaigns.items()})
        for name in every[0].groups
    }
    comparisons = {measure: one.comparison for measure, one in campaigns.items()}
    return Campaign(compare_by_measure(comparisons), blames, groups)


def _scores_of(scores: Scores, ids: Sequence[str]) -> dict[str, dict[str, Score]]:
    return {
        name: {system: score.only(ids) for system, score in of_systems.items()}
        for name, of_systems in scores.items()
    }


def _blame_of(blame: Blame, ids: Sequence[str]) -> Blame:
    documents = tuple(one for one in blame.documents if one.id in ids)
    return replace(
        blame, documents=documents, settings=replace(blame.settings, documents=tuple(ids))
    )
