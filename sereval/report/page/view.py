"""A document as the templates need it: its time line, and the texts of each case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ...analysis.audit import Audit, Row
from ...documents.model import Time, seconds
from ...measures.slots import decimal
from ..cases import NAMES, UNCOUNTED, UNPLACEABLE, Case, candidates, counted_as
from .blame import BlameOnPage
from .tables import Figures
from .timeline import Line, TimeLine, clock

Choice = tuple[str, bool, bool]
"""A candidate: the word next to it, whether it is the strict frontier, whether it is chosen."""


class Page:
    """One document.

    Args:
        document: its audit.
        slug: its name in links.
        figures: its row in the table of documents.
        labels: the number of each label.
        recording: the link to its recording; ``None``: there is none.
        blame: of the score; ``None``: none.

    Attributes:
        beside: for each frontier, the word after it (for starts) and the word before it (for ends).
        lines: the time line.
        counted: the number of cases of each class, and of unplaceable elements.
        badges: the badge of each case of a blame, by its name.
        only_manual: the insertions of a blame on manual words.
    """

    def __init__(
        self,
        document: Audit,
        slug: str,
        figures: Figures,
        labels: Mapping[str, int],
        recording: str | None,
        blame: BlameOnPage | None = None,
    ) -> None:
        drawing = TimeLine(document, slug)
        self.id, self.slug, self.figures = document.id, slug, figures
        self.labels, self.recording = labels, recording
        words = document.hypothesis_words.words
        self.beside = [*words, "the end"], ["the beginning", *words]
        self.cases, self.lines = drawing.cases, drawing.lines()
        self.is_projected, self.is_timed = drawing.is_projected, drawing.is_timed
        self.badges = {} if blame is None else blame.badges(document.id)
        self.only_manual = () if blame is None else blame.only_manual(document.id)
        self.counted = Counter(name for case in self.cases for name in case.filters)

    def title(self, line: Line) -> str:
        """The time of a line or, without times, the numbers of its words."""
        if line.time is not None:
            return f"{clock(line.time[0])} – {clock(line.time[1])}"
        first, last = line.words
        return f"words {first}–{last}" if first <= last else "no words"

    def play(self, time: Time | None) -> str | None:
        """A link to the part of the recording between two times in ms; ``None`` without one."""
        if self.recording is None or time is None:
            return None
        return f"{self.recording}#t={seconds(max(time[0], 0))},{seconds(max(time[1], 0))}"

    def entry(self, case: Case) -> tuple[str, str, str, list[Choice], list[Choice]]:
        """The texts of a case, in one call because calls from templates are slow.

        Returns:
            The numbers of its labels, which the filter reads; its cost; the reason for its class;
            the candidates of its start and of its end.
        """
        numbers = " ".join(map(str, sorted(self.labels[label] for label in case.labels)))
        return numbers, decimal(case.row.cost), self.reason(case), *self.choices(case.reference)

    def choices(self, row: Row | None) -> tuple[list[Choice], list[Choice]]:
        """The candidates of start and end; none if the reference is exact."""
        is_exact = row is not None and len(row.starts) == 1 == len(row.ends)
        if row is None or (is_exact and not self.is_projected):
            return [], []
        starts, ends = (
            [(names[k], is_strict, is_chosen) for k, is_strict, is_chosen in candidates(row, side)]
            for side, names in enumerate(self.beside)
        )
        return starts, ends

    def reason(self, case: Case) -> str:
        """The reason for the class of a case; empty if the class needs no explanation."""
        if case.row.why is not None:
            return case.row.why
        reference, hypothesis = case.reference, case.hypothesis
        if reference is None or hypothesis is None:
            return ""
        parts = [counted_as(reference)] if reference.figures else []
        if case.letter in {"S_T", "S_ST"}:
            parts.append(f"label {hypothesis.label}, expected {' or '.join(reference.labels)}")
        if case.letter in {"S_S", "S_ST"}:
            parts += self._shifts(reference, hypothesis)
        return "; ".join(parts)

    def _shifts(self, reference: Row, hypothesis: Row) -> Iterator[str]:
        """The frontiers at which the two elements of a pair differ."""
        if reference.placement is None or hypothesis.span is None:
            return
        sides = zip(
            ("starts before", "ends after"),
            self.beside,
            (reference.starts, reference.ends),
            hypothesis.span,
            reference.placement,
            strict=True,
        )
        for verb, names, possible, found, placed in sides:
            if found == placed:
                continue
            if found in possible:
                others = f"“{names[placed]}” fits the elements around it better"
            else:
                others = "expected " + " or ".join(f"“{names[k]}”" for k in possible)
            yield f"{verb} “{names[found]}”, {others}"


def chips(counted: Mapping[str, int]) -> list[tuple[str, int, str]]:
    """The filters of a page: name, number of cases, description.

    There is a filter for each class that occurs. There is one for unplaceable elements if one of
    them has another class than ``U``.

    Args:
        counted: the number of cases of each class, and of unplaceable elements.

    >>> chips({"D": 2, "unplaceable": 1})
    [('D', 2, 'deletion'), ('unplaceable', 1, 'no place among the hypothesis’s words')]
    """
    found = [(letter, counted[letter], name) for letter, name in NAMES.items() if letter in counted]
    if counted.get(UNPLACEABLE, 0) > counted.get(UNCOUNTED, 0):
        found.append((UNPLACEABLE, counted[UNPLACEABLE], "no place among the hypothesis’s words"))
    return found
