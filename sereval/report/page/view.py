"""A document on the page: its data for the script, and its plain form, which needs no script."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...analysis.audit import Audit, AuditRow
from ...analysis.balance import Case as BlamedCase
from ...analysis.rates import AnyScore
from ...evaluation.totals import Evaluation, Mapped
from ...measures.slots import decimal
from ...schemes.result import Account
from ..cases import NAMES, UNCOUNTED, UNPLACEABLE, SlotCase, cases, counted_as
from .blame import Badge, BlameOnPage
from .scene import PageSides, SystemView, embedded, in_order, scene
from .tables import Figures


def documents_of(score: AnyScore) -> Sequence[Mapped | Account]:
    """The documents of a score of any scheme."""
    return score.mapped if isinstance(score, Evaluation) else score.accounts


class Page:
    """What the page shows of a system in a document.

    Args:
        document: the audit of the document.
        slug: its name in links.
        labels: the number of each label.
        badges: the badge of each case of a blame, by its name.

    Attributes:
        counted: the number of cases of each class, and of unplaceable elements.
    """

    def __init__(
        self,
        document: Audit,
        slug: str,
        labels: Mapping[str, int],
        badges: Mapping[str, Badge],
    ) -> None:
        self.id, self.slug = document.id, slug
        self.document, self.labels, self.badges = document, labels, badges
        words = document.hypothesis_words.words
        self._beside = [*words, "the end"], ["the beginning", *words]
        self.sides = PageSides.of(document)
        self.cases = in_order(cases(document), self.sides)
        self.is_projected, self.is_timed = self.sides.is_projected, self.sides.is_timed
        self.counted = Counter(name for case in self.cases for name in case.filters)
        self._reasons = {case.name: self.reason(case) for case in self.cases}

    def view(self) -> SystemView:
        """What the page shows of the system."""
        return SystemView(self.document, self.cases, self._reasons, self.badges)

    # ---------------------------------------------------------------------------- the reason

    def reason(self, case: SlotCase) -> str:
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

    def _shifts(self, reference: AuditRow, hypothesis: AuditRow) -> Iterator[str]:
        """The frontiers at which the two elements of a pair differ."""
        if reference.placement is None or hypothesis.span is None:
            return
        sides = zip(
            ("starts before", "ends after"),
            self._beside,
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

    # ------------------------------------------------------------------------ the plain form

    def plain(self, system: str = "") -> str:
        """HTML: the words of both sides, elements in brackets, and a line for each error.

        Args:
            system: one of several systems of a page, whose lines have no anchors; empty: the only
                one.
        """
        document = self.document
        left, right = document.reference_words, document.hypothesis_words
        texts = [
            (title, bracketed(words.words, rows, words.breaks or left.breaks))
            for title, words, rows in (
                ("reference", left, document.references),
                (system or "hypothesis", right, document.hypotheses),
            )
        ]
        lines = (
            self._line(case, has_anchor=not system) for case in self.cases if self._is_listed(case)
        )
        parts = [
            f"<h3>{html.escape(title)}</h3><p class=said>{html.escape(text)}</p>"
            for title, text in texts
        ]
        return f"{''.join(parts)}<ol class=plain>{''.join(lines)}</ol>"

    def _is_listed(self, case: SlotCase) -> bool:
        """Whether the plain form lists a case: an error, or one that is right here only."""
        its = self.badges.get(case.name)
        return case.row.is_error or (its is not None and its.group != "kept")

    def _line(self, case: SlotCase, *, has_anchor: bool) -> str:
        """A case as an item of a list."""
        letter, its = case.letter, self.badges.get(case.name)
        rest = [] if its is None else list(_told(its))
        if self._reasons[case.name]:
            rest.append(html.escape(self._reasons[case.name]))
        sides = [_half(row) for row in case.rows]
        anchor = f" id={self.slug}-{case.name}" if has_anchor else ""
        return (
            f"<li{anchor}><b>{letter}</b> {' → '.join(sides)} · "
            f"{' · '.join([decimal(case.row.cost), *rest])}</li>\n"
        )


class OnePage(Page):
    """A document of the page of one system.

    Args:
        document, slug, labels: as of any page.
        figures: its row in the table of documents.
        recording: the link to its recording; ``None``: there is none.
        peaks: its wave form (see ``waves.peaks``); ``None``: there is none.
        blame: the blame of the score; ``None``: no blame.

    """

    def __init__(
        self,
        document: Audit,
        slug: str,
        figures: Figures,
        labels: Mapping[str, int],
        recording: str | None,
        peaks: str | None,
        blame: BlameOnPage | None = None,
    ) -> None:
        super().__init__(document, slug, labels, {} if blame is None else blame.badges(document.id))
        self.figures, self.recording, self.peaks = figures, recording, peaks
        self.only_manual = () if blame is None else blame.only_manual(document.id)

    def drawn(self) -> PageDocument:
        """What stands on the page."""
        found = scene([[self.view()]], self.sides, self.labels)
        if self.recording is not None:
            found |= {"sound": self.recording, "peaks": self.peaks}
        return PageDocument(
            self.id,
            self.slug,
            self.figures,
            self.only_manual,
            self.plain(),
            embedded(found),
            self.counted,
            self.is_projected,
            self.is_timed,
        )


class PageDocument(NamedTuple):
    """A document as it stands on the page of one system.

    Args:
        id, slug, figures: as of its ``OnePage``.
        only_manual: the insertions of a blame on reference words.
        plain: its plain form.
        data: what the script draws, as JSON.
        counted: the number of cases of each class, and of unplaceable elements.
        is_projected: whether each side has words of its own.
        is_timed: whether the times of both sides are known.
    """

    id: str
    slug: str
    figures: Figures
    only_manual: Sequence[BlamedCase]
    plain: str
    data: str
    counted: Counter[str]
    is_projected: bool
    is_timed: bool


def _half(row: AuditRow) -> str:
    """A side of a case: label, words, time."""
    when = "" if row.time is None else f" {clock(row.time[0])}"
    return f"{html.escape(' | '.join(row.labels))} <q>{html.escape(' '.join(row.words))}</q>{when}"


def _told(badge: Badge) -> Iterator[str]:
    """What a badge says."""
    yield f"<b>{badge.name}</b>"
    if badge.group != "kept":
        yield f"{badge.manual} on reference words, {badge.recognised} here"
    if badge.said:
        heard = f"<q>{html.escape(badge.heard)}</q>" if badge.heard else "nothing"
        yield f"said <q>{html.escape(badge.said)}</q>, heard {heard}"


def bracketed(words: Sequence[str], rows: Iterable[AuditRow], breaks: Sequence[int]) -> str:
    """Words with elements in brackets and a line for each utterance.

    >>> from types import SimpleNamespace
    >>> rows = [SimpleNamespace(span=(1, 3), labels=("pers",)),
    ...         SimpleNamespace(span=(2, 3), labels=("name",))]
    >>> bracketed(("à", "Jean", "Dol", "hier"), rows, (3,))
    'à [pers Jean [name Dol]]\\nhier'
    """
    found = list(words)
    spans = [(row.span, row.labels) for row in rows if row.span is not None]
    for (start, end), labels in reversed(spans):
        found[start] = f"[{'|'.join(labels)} {found[start]}"
        found[end - 1] += "]"
    edges = [0, *breaks, len(found)]
    lines = (" ".join(found[low:high]) for low, high in zip(edges, edges[1:], strict=False))
    return "\n".join(lines)


def clock(ms: int, digits: int = 1) -> str:
    """A time as minutes and seconds.

    >>> clock(167300), clock(3_600_000, 0)
    ('2:47.3', '60:00')
    """
    unit = 10 ** (3 - digits)
    minutes, rest = divmod((ms + unit // 2) // unit, 60_000 // unit)
    whole, part = divmod(rest, 10**digits)
    return f"{minutes}:{whole:02d}" + (f".{part:0{digits}d}" if digits else "")


def chips(counted: Mapping[str, int]) -> list[tuple[str, int, str]]:
    """The filters of a page: name, number of cases, description.

    There is a filter for each class that occurs. There is one for unplaceable elements if one of
    them has another class than ``U``.

    Args:
        counted: the number of cases of each class, and of unplaceable elements.

    >>> chips({"D": 2, "unplaceable": 1})
    [('D', 2, 'deleted'), ('unplaceable', 1, 'no place among the hypothesis’s words')]
    """
    found = [(letter, counted[letter], name) for letter, name in NAMES.items() if letter in counted]
    if counted.get(UNPLACEABLE, 0) > counted.get(UNCOUNTED, 0):
        found.append((UNPLACEABLE, counted[UNPLACEABLE], "no place among the hypothesis’s words"))
    return found
