"""Blame on the page: a badge for each reference element, and the tables above them.

The page shows the system on the recogniser's words. The badge of an element says whether the
system was right on reference words and on these words, and what the recogniser did to the words of
a lost or found element.
Insertions on reference words have no place on the page's words; they stand after the document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...analysis.balance import FOUND, GROUPS, LOST, MANUAL, RECOGNISED, WRONG, Case
from ...analysis.blame import Blame
from ...analysis.causes import CAUSES, DELETED, MISHEARD
from ...analysis.resampling import Resampling
from ...render.table import TextRow
from ..blame import SHOWN, beside, cost_rows, headline, signature

TITLES = {
    "kept": "kept: right on both words",
    LOST: "lost: right on reference words, wrong on the recogniser's",
    FOUND: "found: wrong on reference words, right on the recogniser's",
    WRONG: "wrong on both words",
}
"""The meaning of each badge."""

NAMES = {**dict(zip(GROUPS, GROUPS, strict=True)), WRONG: "wrong on both"}

GROUP_NUMBERS = {group: number for number, group in enumerate(GROUPS)}
CAUSE_NUMBERS = {cause: number for number, cause in enumerate(CAUSES)}
"""The numbers of groups and causes in the data of the page's script."""


class Badge(NamedTuple):
    """What became of a case between the two words.

    Args:
        group: one of ``GROUPS``.
        cause: the cause of a lost or found element, one of ``CAUSES``.
        manual, recognised: its outcomes on reference words and on the recogniser's.
        said: the words of an element that was misheard or deleted.
        heard: what was recognised for them.
    """

    group: str
    cause: str | None = None
    manual: str = ""
    recognised: str = ""
    said: str = ""
    heard: str = ""

    @property
    def name(self) -> str:
        """The text of the badge, as ``lost: misheard``.

        >>> Badge("lost", "misheard").name, Badge("wrong").name
        ('lost: misheard', 'wrong on both')
        """
        return NAMES[self.group] + (f": {self.cause}" if self.cause else "")

    @property
    def title(self) -> str:
        """The meaning of its group."""
        return TITLES[self.group]

    @property
    def filters(self) -> tuple[str, ...]:
        """The names of the filters that select it.

        >>> Badge("lost", "misheard").filters
        ('lost', 'lost-misheard')
        """
        return (self.group, f"{self.group}-{self.cause}") if self.cause else (self.group,)

    @classmethod
    def of(cls, case: Case) -> Badge:
        """The badge of a reference element.

        >>> dol = Case("d", "reference", 0, "loc", ("Dol",), (0, 1), None, 0, "C", "D", (0, 2))
        >>> Badge.of(dol).name
        'lost'
        """
        assert case.group is not None
        assert case.manual is not None
        assert case.recognised is not None
        its = (case.group, case.cause, case.manual, case.recognised)
        if case.cause not in (DELETED, MISHEARD):
            return cls(*its)
        return cls(*its, " ".join(case.words), " ".join(case.heard))


class BadgeFilter(NamedTuple):
    """A choice of the list that filters cases by their badges."""

    value: str
    text: str
    number: int


def badges_of(blame: Blame) -> dict[str, dict[str, Badge]]:
    """The badges of the reference elements of each document, by the name of the case."""
    return {
        document.id: {
            f"r{case.index}": Badge.of(case) for case in document.cases if case.is_reference
        }
        for document in blame.documents
    }


class BlameOnPage:
    """A blame as the templates need it.

    Args:
        blame: the blame of the system that the page shows, on the same words.
        resampling: the settings of the intervals.

    Attributes:
        sentence: the cost and its parts, in one line that can be quoted.
        rows: the table of costs and shares with their intervals; its first row has the heads.
        notes: the manual score without tolerance, and what the tolerance forgives.
        groups: the number of elements of each group: filter, name, meaning, number.
        causes: for ``lost`` and ``found``, the filters of the causes, with their numbers.
        mishearings: the misheard words of lost elements that cost most.
    """

    def __init__(self, blame: Blame, resampling: Resampling) -> None:
        self.signature = str(signature(blame, resampling))
        self.sentence = " ".join(headline(blame.corners))
        self.rows: list[TextRow] = list(cost_rows(blame, resampling))
        self.notes = beside(blame)
        balance = blame.balance
        self.groups = [
            (group, NAMES[group], TITLES[group], balance.outcomes[group]) for group in GROUPS
        ]
        self.causes = {
            group: [BadgeFilter(f"{group}-{cause}", cause, own[cause]) for cause in CAUSES]
            for group, own in balance.causes.items()
        }
        self.insertions = [(side, balance.insertions[side]) for side in (MANUAL, RECOGNISED)]
        self.mishearings = blame.mishearings[:SHOWN]
        self._badges = badges_of(blame)
        self._only_manual: dict[str, list[Case]] = {}
        for document in blame.documents:
            self._only_manual[document.id] = [
                case for case in document.cases if not case.is_reference and case.side == MANUAL
            ]

    def badges(self, document: str) -> Mapping[str, Badge]:
        """The badges of a document, by the name of the case."""
        return self._badges[document]

    def only_manual(self, document: str) -> Sequence[Case]:
        """The insertions on reference words in a document."""
        return self._only_manual[document]

    def filters(self, documents: Sequence[str]) -> Iterator[BadgeFilter]:
        """The choices that select a case of some documents.

        Args:
            documents: the ids of the documents.
        """
        counted = Counter(
            name
            for document in documents
            for badge in self._badges[document].values()
            for name in badge.filters
        )
        for group in GROUPS:
            if counted[group]:
                yield BadgeFilter(group, NAMES[group], counted[group])
            for cause in CAUSES:
                if counted[f"{group}-{cause}"]:
                    value = f"{group}-{cause}"
                    yield BadgeFilter(value, f"{group}: {cause}", counted[value])

    def first_with(self, order: Sequence[str]) -> dict[str, str]:
        """For each filter, the first document that has such a case.

        Args:
            order: the ids of the documents.
        """
        found: dict[str, str] = {}
        for document in order:
            for badge in self._badges[document].values():
                for name in badge.filters:
                    found.setdefault(name, document)
        return found
