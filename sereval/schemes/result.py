"""What another scorer of the literature counts: the result that all of them share.

A scorer is a choice of word alignment, mapping and measure. Whatever it chooses, it counts some
*figures* (such as ``type``, ``extent``, ``content``), each by document and label, and all of them
are added up, derived and reported in the same way. Where a scorer says what became of each element
(`Verdict`), the counts are those of the verdicts, and the audit shows them.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Table
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .. import __version__
from ..documents.model import Document, Reference
from ..evaluation.settings import Settings
from ..labels.grammar import Grammar
from ..measures.figures import Figure, total
from ..measures.slots import Slot

Row = Table[str, Figure]
"""Figures by name."""


class Options(NamedTuple):
    """What schemes ask for besides how the words come together; each takes what concerns it.

    Args:
        extent: tolerance of the extent, in words (``mitre``).
        mapping: ``greedy``, as the paper did it, or ``optimal`` (``mitre``, ``muc``).
        elements: of trees, those that are scored: ``outermost``, ``innermost``; ``None``
            refuses trees (``conll``, ``evalita2011``).
        mode: what becomes of a phrase that an inserted word parts: ``official``, it is two, or
            ``repair`` (``evalita2011``).
        figure: the one that systems are compared by, and elements audited by, of
            ``Scheme.figures``; ``None``: only counts are asked for.
        grammar: tells types from components in the reports (``quaero``, ``quaero-lne``).
    """

    extent: int = 1
    mapping: str = "greedy"
    elements: str | None = None
    mode: str = "official"
    figure: str | None = None
    grammar: Grammar | None = None


class Verdict(NamedTuple):
    """What one slot counts as.

    Args:
        slot: the class that comes nearest, among those of the definition.
        label: the label it is counted under: the reference's own, or a spurious element's.
        reference: index of the reference element, ``None`` for a spurious one.
        hypothesis: index of the hypothesis element, ``None`` for a missing one; mentions that have
            no place are numbered on from the elements.
        figures: what it counts as in each figure of this mapping.
    """

    slot: Slot
    label: str
    reference: int | None
    hypothesis: int | None
    figures: Row


@dataclass(frozen=True, slots=True)
class Account:
    """One document under a scheme.

    Args:
        annotated: the reference as given.
        reference: its elements as they were compared; on the hypothesis's words, if the scheme
            projects.
        hypothesis: with its elements.
        verdicts: the slots of each mapping. A scheme may have one mapping for all figures, or
            several with one figure each.
        placement: the chosen frontiers of each reference element on the hypothesis's words, by
            figure; empty where the scheme chooses none.
    """

    annotated: Document | Reference
    reference: Reference
    hypothesis: Document
    verdicts: tuple[Verdict, ...]
    placement: Table[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    @property
    def labels(self) -> dict[str, dict[str, Figure]]:
        """Figures by label, labels in alphabetical order; a label has all figures."""
        names = dict.fromkeys(name for verdict in self.verdicts for name in verdict.figures)
        found: dict[str, dict[str, Figure]] = {}
        for verdict in self.verdicts:
            row = found.setdefault(verdict.label, dict.fromkeys(names, Figure()))
            found[verdict.label] = add(row, verdict.figures)
        return dict(sorted(found.items()))


class DocumentFigures(NamedTuple):
    """What is kept of one document.

    Args:
        labels: its figures by label.
        account: what became of each element, where a figure was chosen to look at it.
    """

    id: str
    labels: Table[str, Row]
    account: Account | None

    @classmethod
    def of(cls, account: Account, options: Options) -> DocumentFigures:
        """Of a document with all that became of it, which is kept if it is asked for."""
        kept = None if options.figure is None else account
        return cls(account.reference.id, account.labels, kept)


@dataclass(frozen=True, slots=True)
class SchemeScore:
    """The score of a scheme.

    Args:
        scheme: its name, as in ``--scheme``.
        documents: figures of each document by label, documents by id.
        settings: all that can change a digit, name and value, in the order of the signature.
        notes: what a reader of the figures must know, a sentence each.
        tokens: right and wrong tags of each document, where a scheme counts those too.
        accounts: of the documents, in the same order, where a figure was chosen.
        words: what brought the words of both sides together, where there are accounts.
        figure: the one that is compared and audited; empty: none was chosen.

    >>> found = {"type": Figure(cor=1, mis=1)}
    >>> score = SchemeScore("muc", {"a": {"PER": found}, "b": {"PER": found, "LOC": found}})
    >>> score.total["type"].recall, sorted(score.labels), score.signature
    (0.5, ['LOC', 'PER'], 'muc|version:0.1.0')
    """

    scheme: str
    documents: Table[str, Table[str, Row]]
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    tokens: Table[str, Figure] = field(default_factory=dict)
    accounts: tuple[Account, ...] = ()
    words: Settings = Settings()
    figure: str = ""

    @classmethod
    def of(
        cls,
        scheme: str,
        found: Iterable[DocumentFigures],
        settings: tuple[tuple[str, str], ...],
        notes: tuple[str, ...],
        *,
        words: Settings,
        figure: str | None,
    ) -> SchemeScore:
        """A score, with what became of each element where a figure was chosen to look at it.

        Args:
            found: the documents, in the order of their ids.
            scheme, settings, notes, words, figure: as above.
        """
        documents = list(found)
        score = cls(scheme, {one.id: one.labels for one in documents}, settings, notes)
        if figure is None:
            return score
        accounts = tuple(one.account for one in documents if one.account is not None)
        return replace(score.by(figure), accounts=accounts, words=words)

    def by(self, figure: str) -> SchemeScore:
        """The same, to be compared by a figure."""
        return replace(self, settings=(*self.settings, ("figure", figure)), figure=figure)

    @property
    def accuracy(self) -> float | None:
        """Share of right tags; ``None`` where none are counted."""
        return sum(self.tokens.values(), Figure()).recall

    @property
    def labels(self) -> dict[str, dict[str, Figure]]:
        """Figures by label, over all documents, labels in alphabetical order."""
        found: dict[str, list[Row]] = {}
        for rows in self.documents.values():
            for label, row in rows.items():
                found.setdefault(label, []).append(row)
        return {label: _sum(of_label) for label, of_label in sorted(found.items())}

    @property
    def totals(self) -> dict[str, dict[str, Figure]]:
        """Figures by document, over all labels, documents in their order."""
        return {id: _sum(rows.values()) for id, rows in self.documents.items()}

    @property
    def total(self) -> dict[str, Figure]:
        """Figures over all labels and documents."""
        return _sum(row for rows in self.documents.values() for row in rows.values())

    @property
    def signature(self) -> str:
        """All that can change a digit, on one line."""
        parts = [self.scheme, *(f"{name}:{value}" for name, value in self.settings)]
        return "|".join([*parts, f"version:{__version__}"])


def _sum(rows: Iterable[Row]) -> dict[str, Figure]:
    """Figures added up name by name, in the order they come."""
    found: dict[str, list[Figure]] = {}
    for row in rows:
        for name, figure in row.items():
            found.setdefault(name, []).append(figure)
    return {name: total(figures) for name, figures in found.items()}


def add(one: Row, other: Row) -> dict[str, Figure]:
    """The figures of two rows added up, name by name, in the order they come."""
    total = dict(one)
    for name, figure in other.items():
        total[name] = total[name] + figure if name in total else figure
    return total
