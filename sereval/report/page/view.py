"""A document as a template sees it: its time line, and a line of text for every case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...analysis.audit import Audit, Row
from ...documents.model import seconds
from ...measures.slots import decimal
from .cases import NAMES, Case, reason
from .tables import Figures
from .timeline import Drawing, Line, clock


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate frontier by the word next to it."""

    word: str
    is_strict: bool
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Half:
    """One side of a case: the element, and where it can be heard."""

    anchor: str
    labels: tuple[str, ...]
    words: str
    clock: str
    play: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A case as it is told.

    Args:
        anchor: of the case; that of its reference element, or of an insertion.
        numbers: of its labels on either side, for filtering.
        is_lost: whether it is unplaceable, in whatever class.
        starts, ends: candidates, where there is a choice to show.
    """

    anchor: str
    letter: str
    name: str
    is_error: bool
    reference: Half | None
    hypothesis: Half | None
    cost: str
    why: str
    starts: tuple[Choice, ...]
    ends: tuple[Choice, ...]
    numbers: tuple[int, ...]
    is_lost: bool


@dataclass(frozen=True, slots=True)
class Stretch:
    """A line of the drawing with what is told below it."""

    anchor: str
    title: str
    play: str | None
    line: Line
    errors: tuple[Entry, ...]
    correct: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A document.

    Args:
        slug: its name in links; ``file`` is where it stands.
        counted: how many cases there are of each class, and of unplaceable elements.
    """

    id: str
    slug: str
    file: str
    figures: Figures
    stretches: tuple[Stretch, ...]
    is_projected: bool
    is_timed: bool
    counted: Counter[str]
    play: str | None


class View:
    """Makes the page of one document.

    Args:
        labels: numbers of the labels.
        recording: link to the recording, if there is one.
    """

    def __init__(
        self,
        document: Audit,
        slug: str,
        labels: dict[str, int],
        recording: str | None,
    ) -> None:
        self.document, self.slug = document, slug
        self.drawing = Drawing(document, slug)
        self.labels, self.recording = labels, recording

    def page(self, file: str, figures: Figures) -> Page:
        """All of the document."""
        counted = Counter(name for case in self.drawing.cases for name in case.filters)
        return Page(
            self.document.id,
            self.slug,
            file,
            figures,
            tuple(self._stretch(n, line) for n, line in enumerate(self.drawing.lines(), 1)),
            self.drawing.is_projected,
            self.drawing.is_timed,
            counted,
            self.recording,
        )

    def _stretch(self, number: int, line: Line) -> Stretch:
        entries = [self._entry(case) for case in line.cases]
        first, last = line.words
        title = f"words {first}–{last}" if first <= last else "no words"
        if line.time is not None:
            title = f"{clock(line.time[0])} – {clock(line.time[1])}"
        return Stretch(
            f"{self.slug}-l{number}",
            title,
            self._play(line.time),
            line,
            tuple(entry for entry in entries if entry.is_error),
            tuple(entry for entry in entries if not entry.is_error),
        )

    def _play(self, time: tuple[int, int] | None) -> str | None:
        """A link to a stretch of the recording, as a media fragment."""
        if self.recording is None or time is None:
            return None
        return f"{self.recording}#t={seconds(max(time[0], 0))},{seconds(max(time[1], 0))}"

    def _entry(self, case: Case) -> Entry:
        words = self.document.hypothesis_words.words
        starts, ends = self._choices(case.reference, words)
        return Entry(
            f"{self.slug}-{case.name}",
            case.letter,
            NAMES[case.letter],
            case.is_error,
            self._half(case.reference),
            self._half(case.hypothesis),
            decimal(case.cost),
            reason(case, words),
            starts,
            ends,
            tuple(sorted(self.labels[label] for label in case.labels)),
            case.is_lost,
        )

    def _half(self, row: Row | None) -> Half | None:
        if row is None:
            return None
        return Half(
            f"{self.slug}-{row.side[0]}{row.index}",
            row.labels,
            " ".join(row.words),
            "" if row.time is None else f"{clock(row.time[0])}–{clock(row.time[1])}",
            self._play(row.time),
        )

    def _choices(
        self, row: Row | None, words: Sequence[str]
    ) -> tuple[tuple[Choice, ...], tuple[Choice, ...]]:
        """Candidates of both tags, unless there never was a choice."""
        is_exact = row is not None and len(row.starts) == 1 == len(row.ends)
        if row is None or (is_exact and not self.drawing.is_projected):
            return (), ()
        starts, ends = (
            tuple(
                Choice(
                    _beside(words, k, side),
                    row.strict is not None and row.strict[side] == k,
                    row.placement is not None and row.placement[side] == k,
                )
                for k in candidates
            )
            for side, candidates in enumerate((row.starts, row.ends))
        )
        return starts, ends


def _beside(words: Sequence[str], k: int, side: int) -> str:
    """The word that an element which starts (side 0) or ends (side 1) at a frontier has there."""
    if side:
        return words[k - 1] if k else "the beginning"
    return words[k] if k < len(words) else "the end"
